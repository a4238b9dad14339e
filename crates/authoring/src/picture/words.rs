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
    answer_with: "choices (#N). Answer with", "opciones (#N). Responde con";
    answer_with_only: "choice (#N). Answer with", "opción (#N). Responde con";
    ask_for_words: "Not all are listed: answer with words such as `{0}`, or search with `words`.",
        "No están todas: responde con palabras como `{0}`, o busca con `words`.";
}
