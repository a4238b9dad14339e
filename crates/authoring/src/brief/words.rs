//! The words that describe events, in each language of the project. `{0}` and `{1}` stand for names and numbers.

#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    language: &'static str,
    pub your_choice: &'static str,
    pub more: &'static str,
    pub chooses: &'static str,
    pub rolled: &'static str,
    pub scores: &'static str,
    pub shuffled: &'static str,
    pub shown: &'static str,
    pub turned_up: &'static str,
    pub turned_down: &'static str,
    pub turn: &'static str,
    pub round: &'static str,
    pub phase: &'static str,
    pub moved: &'static str,
    pub hidden: &'static str,
    pub nothing: &'static str,
    pub drawn: &'static str,
    pub you_win: &'static str,
    pub won_by: &'static str,
    pub and: &'static str,
    pub with: &'static str,
}

static ALL: [Words; 2] = [
    Words {
        language: "en",
        your_choice: "Your choice",
        more: "{0} more",
        chooses: "{0}: {1}",
        rolled: "rolled: {0}",
        scores: "{0} scores {1}, {2} in all",
        shuffled: "shuffled: {0}",
        shown: "shown: {0}",
        turned_up: "turned up: {0}",
        turned_down: "turned down: {0}",
        turn: "turn {0}: {1}",
        round: "round {0}",
        phase: "phase {0}",
        moved: "{0}: {1} to {2}",
        hidden: "{0} hidden",
        nothing: "none",
        drawn: "The game is drawn.",
        you_win: "You win.",
        won_by: "Won by {0}.",
        and: "and",
        with: "{0} with {1}",
    },
    Words {
        language: "es",
        your_choice: "Tu elección",
        more: "{0} más",
        chooses: "{0}: {1}",
        rolled: "dados: {0}",
        scores: "{0} suma {1}, {2} en total",
        shuffled: "se baraja: {0}",
        shown: "se muestra: {0}",
        turned_up: "boca arriba: {0}",
        turned_down: "boca abajo: {0}",
        turn: "turno {0}: {1}",
        round: "ronda {0}",
        phase: "fase {0}",
        moved: "{0}: de {1} a {2}",
        hidden: "{0} ocultas",
        nothing: "ninguno",
        drawn: "La partida acaba en empate.",
        you_win: "Has ganado.",
        won_by: "Gana {0}.",
        and: "y",
        with: "{0} con {1}",
    },
];

/// Returns the words of a language, by its tag; English without a match.
pub fn of(tag: &str) -> &'static Words {
    let primary = tag.split('-').next().unwrap_or(tag);
    let [english, ..] = &ALL;
    let found = ALL.iter().find(|words| words.language == primary);
    found.unwrap_or(english)
}

/// Fills a text.
pub fn say(text: &str, about: &[&str]) -> String {
    let numbered = about.iter().enumerate();
    numbered.fold(text.to_owned(), |text, (at, words)| {
        text.replace(&format!("{{{at}}}"), words)
    })
}
