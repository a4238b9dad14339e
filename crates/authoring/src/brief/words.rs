//! The words that describe events, in each language of the project. `{0}` and `{1}` stand for names and numbers.

use crate::interface_words;

interface_words! {
    your_choice: "Your choice", "Tu elección";
    more: "{0} more", "{0} más";
    chooses: "{0}: {1}", "{0}: {1}";
    rolled: "rolled: {0}", "dados: {0}";
    scores: "{0} scores {1}, {2} in all", "{0} suma {1}, {2} en total";
    shuffled: "shuffled: {0}", "se baraja: {0}";
    shown: "shown: {0}", "se muestra: {0}";
    turned_up: "turned up: {0}", "boca arriba: {0}";
    turned_down: "turned down: {0}", "boca abajo: {0}";
    turn: "turn {0}: {1}", "turno {0}: {1}";
    round: "round {0}", "ronda {0}";
    phase: "phase {0}", "fase {0}";
    moved: "{0}: {1} to {2}", "{0}: de {1} a {2}";
    hidden: "{0} hidden", "{0} ocultas";
    nothing: "none", "ninguno";
    drawn: "The game is drawn.", "La partida acaba en empate.";
    you_win: "You win.", "Has ganado.";
    won_by: "Won by {0}.", "Gana {0}.";
    and: "and", "y";
    with: "{0} with {1}", "{0} con {1}";
}

/// Returns a text in which `{0}` is the first of these words, `{1}` the second.
pub fn say(text: &str, about: &[&str]) -> String {
    let numbered = about.iter().enumerate();
    numbered.fold(text.to_owned(), |text, (at, words)| {
        text.replace(&format!("{{{at}}}"), words)
    })
}
