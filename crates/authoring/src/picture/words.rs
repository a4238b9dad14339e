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
    or_number: "Or give `{0}`: any number from {1} to {2}", "O da `{0}`: cualquier número de {1} a {2}";
    or_text: "Or give `{0}`: a text of up to {1} characters", "O da `{0}`: un texto de hasta {1} caracteres";
    ask_for_words: "Not all are listed: answer with words such as `{0}`, or search with `words`.",
        "No están todas: responde con palabras como `{0}`, o busca con `words`.";
}
