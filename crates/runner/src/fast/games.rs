//! Plays games in machine code, and in the interpreter where code gives up.

use super::{Opening, Since, TakingResult, Translated};
use crate::code::{Translation, is_on};
use crate::{GameRest, Runner};
use wyrmgate_engine::choice::{Choice, Pending};
use wyrmgate_engine::fault::Fault;
use wyrmgate_engine::play::answer;
use wyrmgate_engine::state::State;

impl Runner<'_> {
    /// Translates the program to machine code now instead of in the background once many choices have been taken. Returns
    /// whether there is machine code: not all programs and machines are supported.
    pub fn translate(&mut self) -> bool {
        if let Translated::After(_) = self.fast.code {
            let made = is_on().then(|| Translation::of(self.game.program));
            self.fast.adopt(made.flatten());
        }
        matches!(self.fast.code, Translated::Done(_))
    }

    /// Leaves everything to the interpreter from now on, for comparisons.
    pub fn interpret(&mut self) {
        self.fast.code = Translated::Never;
    }

    /// Looks for machine code before a game, and starts the translation of a program that is played often.
    fn look_for_code(&mut self) {
        if let Translated::After(choices) = &mut self.fast.code
            && let Some(made) = Translation::after(self.game.program, std::mem::take(choices))
        {
            self.fast.adopt(made);
        }
    }

    /// Begins a game with machine code; `None` if there is none.
    pub(crate) fn begin_fast(&mut self, seed: [u8; 32]) -> Option<Result<(), Fault>> {
        self.look_for_code();
        self.keep_outcome();
        let Translated::Done(native) = &mut self.fast.code else {
            return None;
        };
        self.fast.past.begin(Since::Begin(seed));
        self.game.menu.clear();
        if let Opening::Same(opening) = &self.fast.opening {
            let (state, noted) = &**opening;
            self.game.state.renew_from(state, seed);
            native.come_back(noted);
            return Some(Ok(()));
        }
        self.game.state.renew(&self.blank, seed);
        if native.begin(&mut self.game).is_none() {
            return Some(self.play_anew());
        }
        self.note_opening();
        Some(Ok(()))
    }

    /// Keeps the first rest for later games, if it does not depend on chance.
    fn note_opening(&mut self) {
        let Translated::Done(native) = &self.fast.code else {
            return;
        };
        if !matches!(self.fast.opening, Opening::Unknown) {
            return;
        }
        let alike = self.game.state.draws_made() == 0 && native.count().is_some();
        self.fast.opening = match alike {
            true => Opening::Same(Box::new((self.game.state.clone(), native.noted()))),
            false => Opening::Different,
        };
    }

    /// Prepares to continue the game of another runner.
    pub(crate) fn take_up_fast(&mut self, state: &State) {
        self.look_for_code();
        self.fast.forget();
        if let Translated::Done(_) = self.fast.code {
            self.kept.become_as(state);
            self.fast.past.begin(Since::State);
        }
    }

    /// Prepares to continue the game of another runner, which gets the game here in exchange.
    pub(crate) fn borrow_fast(&mut self, rest: &mut GameRest) {
        self.look_for_code();
        let Translated::Done(native) = &mut self.fast.code else {
            return;
        };
        self.kept.become_as(&rest.state);
        self.fast.past.begin(Since::State);
        native.exchange(&mut rest.noted);
    }

    /// Gives a borrowed game back, with its choices.
    pub(crate) fn hand_back_fast(&mut self, rest: &mut GameRest) {
        if let Translated::Done(native) = &mut self.fast.code {
            native.exchange(&mut rest.noted);
            native.forget();
        }
    }

    /// Visits the choices of the present rest, if code has recorded them; returns whether it has.
    pub(crate) fn each_choice_fast(&self, visit: &mut dyn FnMut(u16, &[i32])) -> bool {
        match &self.fast.code {
            Translated::Done(native) => native.each_choice(visit),
            Translated::After(_) | Translated::Never => false,
        }
    }

    /// Takes a choice that machine code has noted.
    // A function of its own needs fewer registers.
    #[inline(never)]
    pub(crate) fn take_at_once(&mut self, number: u64) -> TakingResult {
        let Translated::Done(native) = &mut self.fast.code else {
            return TakingResult::Not;
        };
        if native.count().is_none() || !self.fast.past.push(number) {
            return TakingResult::Otherwise;
        }
        match native.take(&mut self.game, number) {
            Some(()) => TakingResult::Done,
            None => TakingResult::GaveUp,
        }
    }

    /// Takes a choice that is in the choice set, or one that there is no room to note.
    #[inline(never)]
    pub(crate) fn take_otherwise(&mut self, number: u64) -> Result<(), Fault> {
        if self.fast.past.waits() {
            return self.take_slowly(number);
        }
        self.look_fast()?;
        if self.fast.count().is_some() {
            self.keep_state();
            return self.take(number);
        }
        self.take_listed(number)
    }

    /// Continues the game from the present rest with another seed.
    pub(crate) fn reseed_fast(&mut self, seed: [u8; 32]) {
        if matches!(self.fast.past.since, Since::State) && self.fast.past.count == 0 {
            self.kept.reseed(seed);
        } else {
            self.keep_state();
        }
        self.fast.forget_numbers();
    }

    /// Lets code record the choices of the present rest, after a game was continued or the interpreter has played.
    pub(crate) fn look_fast(&mut self) -> Result<(), Fault> {
        let is_paused = self.fast.past.pause.left > 0;
        let Translated::Done(native) = &self.fast.code else {
            return Ok(());
        };
        if native.count().is_some() || self.game.menu.is_ready() || is_paused {
            return Ok(());
        }
        let Some(owed) = self.pending() else {
            return Ok(());
        };
        // Code that gives up leaves a state that must not be used.
        if self.fast.past.is_unknown() {
            self.keep_state();
        }
        let Translated::Done(native) = &mut self.fast.code else {
            return Ok(());
        };
        match native.look_at(&mut self.game, owed) {
            Some(()) => Ok(()),
            None => self.play_anew(),
        }
    }

    /// Takes a snapshot of the state, so that the choices before are no longer needed.
    fn keep_state(&mut self) {
        self.kept.become_as(&self.game.state);
        self.fast.past.go_on(Since::State);
    }

    /// Takes a choice by machine code; `None` if there is none, or if the interpreter plays this game.
    pub(crate) fn take_choice_fast(
        &mut self,
        owed: Pending,
        choice: &Choice,
    ) -> Option<Result<(), Fault>> {
        self.fast.count_choice();
        if !matches!(self.fast.code, Translated::Done(_)) || self.fast.past.waits() {
            return None;
        }
        // The history consists of numbers of choices, and this one has none.
        if self.fast.past.count > 0 || self.fast.past.is_unknown() {
            self.keep_state();
        }
        let Translated::Done(native) = &mut self.fast.code else {
            return None;
        };
        if native.answer(&mut self.game, owed, choice).is_some() {
            self.keep_state();
            return Some(Ok(()));
        }
        let replayed = self.play_anew();
        Some(replayed.and_then(|()| answer(self.game.machine(), owed, choice)))
    }

    /// Takes a choice that is in the menu.
    fn take_listed(&mut self, number: u64) -> Result<(), Fault> {
        let Some(owed) = self.pick(number)? else {
            return Ok(());
        };
        if self.fast.past.is_unknown() || !self.fast.past.push(number) {
            self.keep_state();
            self.fast.past.push(number);
        }
        let Translated::Done(native) = &mut self.fast.code else {
            return Ok(());
        };
        let played = native.answer(&mut self.game, owed, &self.picked);
        played.map_or_else(|| self.play_anew(), Ok)
    }

    /// Replays the moves since the snapshot in the interpreter, because machine code has given up, and some moves more.
    #[cold]
    pub(crate) fn play_anew(&mut self) -> Result<(), Fault> {
        self.fast.forget();
        self.fast.moves_given_up += 1;
        self.game.menu.clear();
        let past = &mut self.fast.past;
        let (since, count) = (
            std::mem::replace(&mut past.since, Since::Unknown),
            past.count,
        );
        past.go_on(Since::Unknown);
        past.give_up(count);
        match since {
            Since::Begin(seed) => self.begin_slowly(seed)?,
            Since::State => self.game.state.become_as(&self.kept),
            Since::Unknown => {}
        }
        for at in 0..count {
            if let Some(number) = self.fast.past.numbers.get(at).copied() {
                self.take_slowly(number)?;
            }
        }
        Ok(())
    }
}
