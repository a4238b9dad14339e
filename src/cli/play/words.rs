//! The words of the program itself at the table, in the languages that the project speaks.

use wyrmgate_authoring::interface_words;

interface_words! {
    left: "You leave the table.", "Dejas la mesa.";
    undone: "Undone.", "Deshecho.";
    nothing_to_undo: "There is nothing to undo.", "No hay nada que deshacer.";
    type_number: "Type a number from 1 to {0}, a word, `more`, `view`, `undo` or `quit`.",
        "Escribe un número de 1 a {0}, una palabra, `more`, `view`, `undo` o `quit`.";
    no_choice: "No choice contains `{0}`.", "Ninguna opción contiene `{0}`.";
    choices: "{0} choices", "{0} opciones";
    history: "History", "Historia";
    cards: "Cards and pieces", "Cartas y piezas";
    clauses: "Rules", "Reglas";
    hand_over: "Give the keyboard to {0}.", "Pasa el teclado a {0}.";
    press_enter: "{0}, press Enter when nobody else looks.",
        "{0}, pulsa Intro cuando nadie más mire.";
    thinks: "{0} thinks …", "{0} piensa …";
    over: "The game is over. Ctrl-C leaves the table, F4 takes the last choice back.",
        "La partida ha terminado. Ctrl-C deja la mesa, F4 deshace la última elección.";
    keys: "↑ ↓ Enter · type to filter · F1 help · F2 cards · F3 history · F4 undo · Ctrl-C leave",
        "↑ ↓ Intro · escribe para filtrar · F1 ayuda · F2 cartas · F3 historia · F4 deshacer · Ctrl-C salir";
    close: "Esc closes · ↑ ↓ PgUp PgDn scroll", "Esc cierra · ↑ ↓ RePág AvPág desplazan";
    no_cards: "The rules of this game describe no cards or pieces.",
        "Las reglas de este juego no describen cartas ni piezas.";
    help: "\
Keys

↑ ↓ ← →        another choice; what it refers to is marked on the board
Enter          take the choice, or open the group
Esc            a step back; clears the filter
letters        only choices with these words, or with this number
PgUp PgDn      more choices
Ctrl+arrows    move the board in its window
F1             this page
F2             cards, pieces and rules of the game
F3             everything that has happened
F4, Ctrl-Z     take back the last choice of a person
Ctrl-C         leave the table",
"\
Teclas

↑ ↓ ← →        otra opción; el tablero señala a qué se refiere
Intro          elige la opción o abre el grupo
Esc            un paso atrás; borra el filtro
letras         solo opciones con estas palabras o con este número
RePág AvPág    más opciones
Ctrl+flechas   mueven el tablero en su ventana
F1             esta página
F2             cartas, piezas y reglas del juego
F3             todo lo que ha pasado
F4, Ctrl-Z     deshace la última elección de una persona
Ctrl-C         deja la mesa";
}
