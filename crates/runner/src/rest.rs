//! Returns to a rest again and again, to take one choice after the other there.

use super::Runner;
use crate::code::NotedChoices;
use wyrmgate_engine::state::State;

/// A rest of a game, and its choices if machine code has recorded them. It belongs to the program, not to a runner.
#[derive(Clone)]
pub struct GameRest {
    pub(super) state: State,
    pub(super) noted: NotedChoices,
}

impl GameRest {
    /// Creates a rest from a state at rest, whose choices are not known yet.
    pub fn of(state: State) -> GameRest {
        GameRest {
            state,
            noted: NotedChoices::default(),
        }
    }

    /// Returns the state at this rest.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Runner<'_> {
    /// Continues from a rest and stores the present game in its place, without copying either. The game goes back by
    /// [`Runner::hand_back`].
    pub fn borrow(&mut self, rest: &mut GameRest) {
        self.borrow_fast(rest);
        self.game.state.exchange(&mut rest.state);
        self.game.menu.clear();
    }

    /// Returns a game that was borrowed, at its present rest. The runner is left without a game, as a new one is.
    pub fn hand_back(&mut self, rest: &mut GameRest) {
        self.hand_back_fast(rest);
        self.game.state.exchange(&mut rest.state);
        self.game.menu.clear();
    }

    /// Stores the present rest, reusing memory.
    pub fn keep(&mut self, rest: &mut Option<GameRest>) {
        match rest {
            Some(rest) => rest.state.clone_from(&self.game.state),
            None => *rest = Some(GameRest::of(self.game.state.clone())),
        }
        if let Some(rest) = rest {
            self.fast.note(&mut rest.noted);
        }
    }

    /// Continues from a rest that this runner has stored. Its choices are known again if they were known then: see
    /// [`Runner::counted`].
    pub fn return_to(&mut self, rest: &GameRest) {
        self.take_up(&rest.state);
        self.fast.come_back(&rest.noted);
    }

    /// Continues from the present rest with the random numbers of another seed.
    pub fn reseed(&mut self, seed: [u8; 32]) {
        self.game.state.reseed(seed);
        self.reseed_fast(seed);
    }

    /// Returns the number of choices of the first pending decision if it is known without looking for them.
    pub fn counted(&self) -> Option<u64> {
        self.fast.count()
    }
}
