//! Plays many games of one program, one after the other, in the same memory: once it is warm, no step allocates.

#[cfg(not(feature = "native"))]
mod absent;
mod code;
mod fast;
mod listing;
mod named;
mod rest;
mod runner;

use wyrmgate_engine::choices::{Picked, look_with};
use wyrmgate_engine::fault::{FaultKind, Halt};
use wyrmgate_engine::game::RunnerGame;
use wyrmgate_engine::limit::FUEL_PER_ENUMERATION;
use wyrmgate_engine::play::{answer, begin};
use wyrmgate_engine::{Choice, Fault, Pending, State, first_owed};
use wyrmgate_program::Program;

use fast::{Fast, TakingResult};
pub use listing::choices;
pub use rest::GameRest;

pub use runner::Runner;

impl<'p> Runner<'p> {
    /// Creates a runner without a game: [`Runner::state`] is not at rest.
    pub fn new(program: &'p Program) -> Result<Runner<'p>, Fault> {
        let game = RunnerGame::new(program)?;
        Ok(Runner {
            kept: game.state.clone(),
            blank: game.state.clone(),
            game,
            picked: Picked::default(),
            fast: Fast::default(),
        })
    }

    /// Starts another game and runs it to its first rest, like [`wyrmgate_engine::start`].
    pub fn begin(&mut self, seed: [u8; 32]) -> Result<(), Fault> {
        if let Some(begun) = self.begin_fast(seed) {
            return begun;
        }
        self.begin_slowly(seed)
    }

    fn begin_slowly(&mut self, seed: [u8; 32]) -> Result<(), Fault> {
        self.keep_outcome();
        self.game.state.renew(&self.blank, seed);
        self.game.menu.clear();
        begin(self.game.machine())
    }

    /// Reuses the memory of the last outcome for the next game.
    fn keep_outcome(&mut self) {
        if let Some(outcome) = self.game.state.outcome.take() {
            self.game.scratch.spare = Some(outcome);
        }
    }

    /// Continues from a state at rest.
    pub fn take_up(&mut self, state: &State) {
        self.take_up_fast(state);
        self.game.state.become_as(state);
        self.game.menu.clear();
    }

    /// Returns how many moves machine code has begun and given up, so that the interpreter had to play them.
    pub fn moves_given_up(&self) -> u64 {
        self.fast.moves_given_up
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.game.state
    }

    /// Returns the first pending decision; `None` when the game is over.
    #[inline]
    pub fn pending(&self) -> Option<Pending> {
        first_owed(&self.game.state)
    }

    /// Returns the number of choices of the first pending decision; `u64::MAX` means at least that many.
    #[inline]
    pub fn count(&mut self) -> Result<u64, Fault> {
        if let Some(count) = self.fast.count() {
            return Ok(count);
        }
        self.count_slowly()
    }

    fn count_slowly(&mut self) -> Result<u64, Fault> {
        self.look_fast()?;
        if let Some(count) = self.fast.count() {
            return Ok(count);
        }
        self.look()?;
        Ok(self.game.menu.count())
    }

    /// Returns the number of a choice, all equally likely: `draw(n)` returns a number in `0..n`. Draws like
    /// [`wyrmgate_engine::random_choice`].
    pub fn draw(&mut self, draw: &mut dyn FnMut(u64) -> u64) -> Result<u64, Fault> {
        if self.fast.count().is_none() {
            self.look_fast()?;
        }
        if let Some(number) = self.fast.draw(draw) {
            return Ok(number);
        }
        self.look()?;
        Ok(self.game.menu.draw(draw))
    }

    /// Answers the first pending decision with choice `number`, which is below the count, and runs to the next rest.
    #[inline]
    pub fn take(&mut self, number: u64) -> Result<(), Fault> {
        match self.take_at_once(number) {
            TakingResult::Done => return Ok(()),
            TakingResult::GaveUp => return self.play_anew(),
            TakingResult::Otherwise => return self.take_otherwise(number),
            TakingResult::Not => self.fast.count_choice(),
        }
        self.take_slowly(number)
    }

    #[inline(never)]
    fn take_slowly(&mut self, number: u64) -> Result<(), Fault> {
        let Some(owed) = self.pick(number)? else {
            return Ok(());
        };
        answer(self.game.machine(), owed, &self.picked)
    }

    /// Picks a choice of the first decision owed.
    fn pick(&mut self, number: u64) -> Result<Option<Pending>, Fault> {
        self.look()?;
        let Some(owed) = self.pending() else {
            return Ok(None);
        };
        self.game.menu.pick(number, &mut self.picked);
        self.game.menu.clear();
        Ok(Some(owed))
    }

    /// Answers the first pending decision with a choice that is legal, and runs to the next rest.
    pub fn take_choice(&mut self, choice: &Choice) -> Result<(), Fault> {
        match self.pending() {
            Some(owed) => self.answer(&owed, choice),
            None => Ok(()),
        }
    }

    /// Answers a pending decision with a choice that is legal, and runs to the next rest.
    pub fn answer(&mut self, owed: &Pending, choice: &Choice) -> Result<(), Fault> {
        self.game.menu.clear();
        if let Some(taken) = self.take_choice_fast(*owed, choice) {
            return taken;
        }
        answer(self.game.machine(), *owed, choice)
    }

    /// Records the choices of the first pending decision, unless that was done when the game reached it.
    fn look(&mut self) -> Result<(), Fault> {
        if self.game.menu.is_ready() {
            return Ok(());
        }
        let Some(owed) = self.pending() else {
            return Ok(());
        };
        let Some(site) = self.game.program.site(owed.site) else {
            return Ok(());
        };
        let (menu, scratch) = (&mut self.game.menu, &mut self.game.scratch);
        scratch.refill(FUEL_PER_ENUMERATION, FaultKind::Enumeration);
        let noted = look_with(self.game.program, &self.game.state, scratch, |eval| {
            menu.note(eval, site, owed.seat)
        });
        noted.map_err(|Halt| self.game.scratch.take_fault().or_at(Some(site.span)))
    }
}
