//! A definition without errors.

use std::sync::Arc;

use super::option::OptionFact;
use crate::names::walk;
use wyrmgate_lang::ast::{Block, Finish, StmtKind};
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::Texts;

/// A definition that compiles without problems, and what a session may configure.
#[derive(Debug, Clone)]
pub struct Checked {
    pub definition: Arc<Definition>,
    /// The possible numbers of seats, ascending.
    pub seats: Vec<usize>,
    pub options: Vec<OptionFact>,
    /// Tags of the languages of its texts, beginning with that of the rules.
    pub languages: Vec<String>,
    pub texts: Texts,
}

impl Checked {
    /// Returns whether the players may agree on a draw: as the rules say, or if they can end the game as one.
    pub fn may_agree_on_draw(&self) -> bool {
        let knows_draws = || walk::texts(&self.definition).into_iter().any(ends_drawn);
        self.definition.behavior.draws.unwrap_or_else(knows_draws)
    }

    /// Returns whether the rules say what follows when a seat resigns.
    pub fn says_what_resigning_means(&self) -> bool {
        let mut effects = self.definition.behavior.effects.iter();
        effects.any(|effect| effect.signature.is_of_resigning())
    }
}

fn ends_drawn(text: &Block) -> bool {
    let mut found = false;
    walk::blocks(text, &mut |block| {
        found |= block.iter().any(|statement| {
            let StmtKind::Finish(finish) = &statement.kind else {
                return false;
            };
            matches!(
                finish,
                Finish::Drawn
                    | Finish::RankedBy {
                        ties_drawn: true,
                        ..
                    }
            )
        });
    });
    found
}
