//! Games as text that other programs read and write: tags and moves, in the notation of the game.

mod game_text;
mod nodes;
mod reading;
mod tagged;
mod writing;

pub use game_text::{GameText, GameTextProblem, MoveText};
pub use reading::{NotedProblem, meant_choices, recorded, written_so};
pub use writing::noted_game;

use game_text::Letters;
use wyrmgate_program::Syntax;

/// Returns the games of a text, one after the other; after a problem, there are no more.
pub fn games_in(
    text: &str,
    syntax: Syntax,
) -> impl Iterator<Item = Result<GameText, GameTextProblem>> + '_ {
    let (mut letters, mut is_broken) = (Letters::of(text), false);
    std::iter::from_fn(move || {
        if is_broken {
            return None;
        }
        let game = match syntax {
            Syntax::Pgn | Syntax::Pdn => tagged::game(&mut letters),
            Syntax::Sgf => nodes::game(&mut letters),
        };
        is_broken = game.is_err();
        game.transpose()
    })
}
