//! The words that pictures add to those of a game, in the languages that the project speaks.

use wyrmgate_program::{Language, Program};

#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    language: &'static str,
    pub round: &'static str,
    pub turn: &'static str,
    pub you: &'static str,
    pub decides: &'static str,
    pub you_decide: &'static str,
    pub wins: &'static str,
    pub drawn: &'static str,
    pub waiting: &'static str,
    pub more: &'static str,
    pub points: &'static str,
    /// Follows the number of choices.
    pub answer_with: &'static str,
    pub ask_for_words: &'static str,
}

static ALL: [Words; 2] = [
    Words {
        language: "en",
        round: "Round",
        turn: "Turn",
        you: "you",
        decides: "to decide:",
        you_decide: "Your decision",
        wins: "Won by",
        drawn: "Drawn",
        waiting: "Waiting for players",
        more: "more choices",
        points: "points",
        answer_with: "choices. Answer with",
        ask_for_words: "Ask for choices with certain words to see the others.",
    },
    Words {
        language: "es",
        round: "Ronda",
        turn: "Turno",
        you: "tú",
        decides: "decide:",
        you_decide: "Tú decides",
        wins: "Gana",
        drawn: "Empate",
        waiting: "Faltan jugadores",
        more: "opciones más",
        points: "puntos",
        answer_with: "opciones. Responde con",
        ask_for_words: "Pide las opciones con ciertas palabras para ver las demás.",
    },
];

/// Returns the words in a language of a game.
pub fn in_language(program: &Program, language: Language) -> &'static Words {
    let tag = program.languages.get(usize::from(language.0));
    of(tag.map_or("en", String::as_str))
}

/// Returns the words of a language, by its tag; English without a match.
pub fn of(tag: &str) -> &'static Words {
    let primary = tag.split('-').next().unwrap_or(tag);
    let [english, ..] = &ALL;
    let found = ALL.iter().find(|words| words.language == primary);
    found.unwrap_or(english)
}
