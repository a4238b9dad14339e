//! The words of the program itself at the table, in the languages that the project speaks.

use crate::program::{Language, Program};

#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    language: &'static str,
    pub left: &'static str,
    pub undone: &'static str,
    pub nothing_to_undo: &'static str,
    pub type_number: &'static str,
    pub no_choice: &'static str,
    pub choices: &'static str,
    pub history: &'static str,
    pub cards: &'static str,
    pub clauses: &'static str,
    pub hand_over: &'static str,
    pub press_enter: &'static str,
    pub thinks: &'static str,
    pub over: &'static str,
    pub keys: &'static str,
    pub close: &'static str,
    pub no_cards: &'static str,
    pub help: &'static [&'static str],
}

static ALL: [Words; 2] = [
    Words {
        language: "en",
        left: "You leave the table.",
        undone: "Undone.",
        nothing_to_undo: "There is nothing to undo.",
        type_number: "Type a number from 1 to {0}, a word, `more`, `view`, `undo` or `quit`.",
        no_choice: "No choice contains `{0}`.",
        choices: "{0} choices",
        history: "History",
        cards: "Cards and pieces",
        clauses: "Rules",
        hand_over: "Give the keyboard to {0}.",
        press_enter: "{0}, press Enter when nobody else looks.",
        thinks: "{0} thinks …",
        over: "The game is over. Ctrl-C leaves the table, F4 takes the last choice back.",
        keys: "↑ ↓ Enter · type to filter · F1 help · F2 cards · F3 history · F4 undo · Ctrl-C leave",
        close: "Esc closes · ↑ ↓ PgUp PgDn scroll",
        no_cards: "The rules of this game describe no cards or pieces.",
        help: &[
            "Keys",
            "",
            "↑ ↓ ← →        another choice; what it refers to is marked on the board",
            "Enter          take the choice, or open the group",
            "Esc            a step back; clears the filter",
            "letters        only choices with these words, or with this number",
            "PgUp PgDn      more choices",
            "Ctrl+arrows    move the board in its window",
            "F1             this page",
            "F2             cards, pieces and rules of the game",
            "F3             everything that has happened",
            "F4, Ctrl-Z     take back the last choice of a person",
            "Ctrl-C         leave the table",
        ],
    },
    Words {
        language: "es",
        left: "Dejas la mesa.",
        undone: "Deshecho.",
        nothing_to_undo: "No hay nada que deshacer.",
        type_number: "Escribe un número de 1 a {0}, una palabra, `more`, `view`, `undo` o `quit`.",
        no_choice: "Ninguna opción contiene `{0}`.",
        choices: "{0} opciones",
        history: "Historia",
        cards: "Cartas y piezas",
        clauses: "Reglas",
        hand_over: "Pasa el teclado a {0}.",
        press_enter: "{0}, pulsa Intro cuando nadie más mire.",
        thinks: "{0} piensa …",
        over: "La partida ha terminado. Ctrl-C deja la mesa, F4 deshace la última elección.",
        keys: "↑ ↓ Intro · escribe para filtrar · F1 ayuda · F2 cartas · F3 historia · F4 deshacer · Ctrl-C salir",
        close: "Esc cierra · ↑ ↓ RePág AvPág desplazan",
        no_cards: "Las reglas de este juego no describen cartas ni piezas.",
        help: &[
            "Teclas",
            "",
            "↑ ↓ ← →        otra opción; el tablero señala a qué se refiere",
            "Intro          elige la opción o abre el grupo",
            "Esc            un paso atrás; borra el filtro",
            "letras         solo opciones con estas palabras o con este número",
            "RePág AvPág    más opciones",
            "Ctrl+flechas   mueven el tablero en su ventana",
            "F1             esta página",
            "F2             cartas, piezas y reglas del juego",
            "F3             todo lo que ha pasado",
            "F4, Ctrl-Z     deshace la última elección de una persona",
            "Ctrl-C         deja la mesa",
        ],
    },
];

/// Returns the words in a language of a game; English if the program does not speak it.
pub fn in_language(program: &Program, language: Language) -> &'static Words {
    let tag = program.languages.get(usize::from(language.0));
    let tag = tag.map_or("en", String::as_str);
    let primary = tag.split('-').next().unwrap_or(tag);
    let [english, ..] = &ALL;
    let found = ALL.iter().find(|words| words.language == primary);
    found.unwrap_or(english)
}
