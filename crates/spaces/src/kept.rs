//! Action spaces, planes and returns of a program, computed once and kept with the program.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::actions::ActionNumbers;
use crate::returns::Returns;
use wyrmgate_engine::GameOutcome;
use wyrmgate_program::{Op, Program};

/// The numbers of a program.
pub struct Spaces {
    pub actions: ActionNumbers,
    /// The maximum number of actions in a game.
    pub max_game_length: u64,
    pub has_chance: bool,
    pub has_simultaneous_decisions: bool,
    returns: OnceLock<Returns>,
}

impl Spaces {
    /// Returns the numbers of a program; the first caller computes them.
    pub fn of(program: &Program) -> Arc<Spaces> {
        let compute = || Arc::new(Spaces::new(program)) as Arc<dyn Any + Send + Sync>;
        let kept = program.caches.spaces.get_or_init(compute);
        let ours = Arc::clone(kept).downcast();
        ours.unwrap_or_else(|_| Arc::new(Spaces::new(program)))
    }

    fn new(program: &Program) -> Spaces {
        let actions = ActionNumbers::new(program);
        let any = |is: fn(&Op) -> bool| program.code.ops.iter().any(is);
        Spaces {
            max_game_length: u64::from(program.identity.bound).saturating_mul(actions.most_parts()),
            has_chance: any(|op| op.facts().random),
            has_simultaneous_decisions: any(|op| matches!(op, Op::ChooseEach { .. })),
            actions,
            returns: OnceLock::new(),
        }
    }

    /// Returns what the ends are worth, as [`Returns::found`] finds it without a wish.
    pub fn returns(
        &self,
        program: &Program,
        ends: impl FnOnce(&Program, &mut dyn FnMut(&GameOutcome)) -> bool,
    ) -> Returns {
        let find = || Returns::found(program, None, ends);
        *self.returns.get_or_init(find)
    }

    /// Returns whether [`Spaces::returns`] takes no time any more.
    pub fn knows_returns(&self) -> bool {
        self.returns.get().is_some()
    }
}
