//! The words that pictures add to those of a game, in the languages that the project speaks.

use crate::interface_words;

interface_words! {
    round: "Round", "Ronda";
    turn: "Turn", "Turno";
    you: "you", "tú";
    decides: "to decide:", "decide:";
    you_decide: "Your decision", "Tú decides";
    wins: "Won by", "Gana";
    drawn: "Drawn", "Empate";
    waiting: "Waiting for players", "Faltan jugadores";
    more: "more choices", "opciones más";
    points: "points", "puntos";
    /// Follows the number of choices.
    answer_with: "choices. Answer with", "opciones. Responde con";
    answer_with_only: "choice. Answer with", "opción. Responde con";
    ask_for_words: "Ask for choices with certain words to see the others.",
        "Pide las opciones con ciertas palabras para ver las demás.";
}
