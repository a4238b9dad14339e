//! Plays games in machine code, and replays them in the interpreter if the code gives up.

use super::{Rest, Runner};
use crate::code::{Native, Noted, Translation, is_on};
use std::sync::Arc;
use wyrmgate_engine::choice::{Choice, Pending};
use wyrmgate_engine::fault::Fault;
use wyrmgate_engine::play::answer;
use wyrmgate_engine::state::State;

/// The number of choices per operation of the program that the interpreter takes before the program is translated. The
/// time of a translation grows with the operations, too.
const CHOICES_PER_OPERATION: usize = 2;

/// The maximum number of choices between two snapshots. A snapshot replaces the choices before it.
const CHOICES_KEPT: usize = 1_024;

/// Each time code gives up, snapshots are taken this many times as often, because the moves since the last one must be
/// replayed. Then: the minimum number of choices between two snapshots.
const CHOICES_KEPT_DIVISOR: usize = 4;
const CHOICES_KEPT_MIN: usize = 16;

/// The maximum number of moves that the interpreter plays before machine code is tried again.
const PAUSE_MAX: u32 = 64;

/// Machine code, if compiling is worthwhile, and the moves since the snapshot.
pub(super) struct Fast {
    code: Translated,
    past: Past,
    opening: Opening,
    pub(super) moves_given_up: u64,
}

/// The result of taking a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    Done,
    /// Machine code has given up.
    GaveUp,
    /// The choice must be taken in another way.
    Otherwise,
    /// There is no machine code.
    Not,
}

enum Translated {
    /// Not yet. The number of choices that the interpreter has taken.
    After(usize),
    Done(Box<Native>),
    /// The program or the machine is not supported, or machine code is switched off.
    Never,
}

/// How the present game has come to where it is.
struct Past {
    since: Since,
    /// The numbers of the choices since then, how many there are, and how many there may be.
    numbers: Box<[u64; CHOICES_KEPT]>,
    count: usize,
    room: usize,
    pause: Pause,
}

enum Since {
    Begin([u8; 32]),
    /// The state that is kept.
    State,
    /// The interpreter has played, and there is no cached list.
    Unknown,
}

/// A pause after code has given up a move, in which the interpreter plays some moves before code is tried again: twice as
/// many as the last time unless code has played more than that in between, because positions that code cannot play often
/// follow each other.
#[derive(Default)]
struct Pause {
    /// The moves that the interpreter still plays.
    left: u32,
    /// The moves of the last pause in this game.
    last: u32,
}

/// The first rest of a game, if no random choice comes before it: all games begin with it.
enum Opening {
    Unknown,
    Same(Box<(State, Noted)>),
    Different,
}

impl Default for Fast {
    fn default() -> Fast {
        Fast {
            code: Translated::After(0),
            past: Past {
                since: Since::Unknown,
                numbers: Box::new([0; CHOICES_KEPT]),
                count: 0,
                room: CHOICES_KEPT,
                pause: Pause::default(),
            },
            opening: Opening::Unknown,
            moves_given_up: 0,
        }
    }
}

impl Fast {
    #[inline]
    pub fn count(&self) -> Option<u64> {
        self.native()?.count()
    }

    pub fn draw(&self, draw: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        self.native()?.draw(draw)
    }

    #[inline]
    fn native(&self) -> Option<&Native> {
        let Translated::Done(native) = &self.code else {
            return None;
        };
        Some(native)
    }

    /// Returns a choice that code has recorded.
    pub fn choice(&self, state: &State, number: u64) -> Option<Choice> {
        self.native()?.choice(state, number)
    }

    /// Returns the number of a choice, if it is one of those that code has recorded.
    pub fn number_of(&self, state: &State, choice: &Choice) -> Option<u64> {
        self.native()?.number_of(state, choice)
    }

    /// Forgets random numbers computed ahead, because the game continues with another seed.
    pub fn forget_numbers(&mut self) {
        if let Translated::Done(native) = &mut self.code {
            native.forget_numbers();
        }
    }

    /// Uses machine code from the next move on.
    fn adopt(&mut self, translation: Option<Arc<Translation>>) {
        self.past.begin(Since::Unknown);
        self.code = match translation {
            Some(translation) => Translated::Done(Native::boxed(translation)),
            None => Translated::Never,
        };
    }

    /// Counts a choice that the interpreter takes.
    pub fn count_choice(&mut self) {
        if let Translated::After(choices) = &mut self.code {
            *choices += 1;
        }
    }

    /// Notes the choices of the present rest, if code has recorded them.
    pub fn note(&self, noted: &mut Noted) {
        if let Translated::Done(native) = &self.code {
            native.note(noted);
        }
    }

    /// Returns to a rest.
    pub fn come_back(&mut self, noted: &Noted) {
        if let Translated::Done(native) = &mut self.code {
            native.come_back(noted);
        }
    }

    fn forget(&mut self) {
        if let Translated::Done(native) = &mut self.code {
            native.forget();
        }
    }
}

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
        let Translated::After(choices) = self.fast.code else {
            return;
        };
        let program = self.game.program;
        if let Some(made) = Translation::known(program) {
            self.fast.adopt(made);
        } else if choices >= program.optimized.len() * CHOICES_PER_OPERATION {
            Translation::begin(program);
        }
    }

    /// Begins a game with machine code; `None` if there is none.
    pub(super) fn begin_fast(&mut self, seed: [u8; 32]) -> Option<Result<(), Fault>> {
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
    pub(super) fn take_up_fast(&mut self, state: &State) {
        self.look_for_code();
        self.fast.forget();
        if let Translated::Done(_) = self.fast.code {
            self.kept.become_as(state);
            self.fast.past.begin(Since::State);
        }
    }

    /// Prepares to continue the game of another runner, which gets the game here in exchange.
    pub(super) fn borrow_fast(&mut self, rest: &mut Rest) {
        self.look_for_code();
        let Translated::Done(native) = &mut self.fast.code else {
            return;
        };
        self.kept.become_as(&rest.state);
        self.fast.past.begin(Since::State);
        native.exchange(&mut rest.noted);
    }

    /// Gives a borrowed game back, with its choices.
    pub(super) fn hand_back_fast(&mut self, rest: &mut Rest) {
        if let Translated::Done(native) = &mut self.fast.code {
            native.exchange(&mut rest.noted);
            native.forget();
        }
    }

    /// Visits the choices of the present rest, if code has recorded them; returns whether it has.
    pub(super) fn each_choice_fast(&self, visit: &mut dyn FnMut(u16, &[i32])) -> bool {
        match &self.fast.code {
            Translated::Done(native) => native.each_choice(&self.game.state, visit),
            Translated::After(_) | Translated::Never => false,
        }
    }

    /// Takes a choice that machine code has noted.
    // A function of its own needs fewer registers.
    #[inline(never)]
    pub(super) fn take_at_once(&mut self, number: u64) -> Taken {
        let Translated::Done(native) = &mut self.fast.code else {
            return Taken::Not;
        };
        if native.count().is_none() || !self.fast.past.push(number) {
            return Taken::Otherwise;
        }
        match native.take(&mut self.game, number) {
            Some(()) => Taken::Done,
            None => Taken::GaveUp,
        }
    }

    /// Takes a choice that is in the choice set, or one that there is no room to note.
    #[inline(never)]
    pub(super) fn take_otherwise(&mut self, number: u64) -> Result<(), Fault> {
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
    pub(super) fn reseed_fast(&mut self, seed: [u8; 32]) {
        if matches!(self.fast.past.since, Since::State) && self.fast.past.count == 0 {
            self.kept.reseed(seed);
        } else {
            self.keep_state();
        }
        self.fast.forget_numbers();
    }

    /// Lets code record the choices of the present rest, after a game was continued or the interpreter has played.
    pub(super) fn look_fast(&mut self) -> Result<(), Fault> {
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
    pub(super) fn take_choice_fast(
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
    pub(super) fn play_anew(&mut self) -> Result<(), Fault> {
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

impl Past {
    /// Begins the history of a game that starts here, or is continued.
    fn begin(&mut self, since: Since) {
        self.pause = Pause::default();
        self.go_on(since);
    }

    /// Continues the game from here.
    fn go_on(&mut self, since: Since) {
        self.since = since;
        self.count = 0;
    }

    /// Returns whether there is nothing to replay from: «what code gives up can be replayed» needs a state first.
    fn is_unknown(&self) -> bool {
        matches!(self.since, Since::Unknown)
    }

    /// Returns whether the interpreter plays this move.
    fn waits(&mut self) -> bool {
        let waits = self.pause.left > 0;
        self.pause.left = self.pause.left.saturating_sub(1);
        waits
    }

    /// Notes a choice, if there is room.
    #[inline]
    fn push(&mut self, number: u64) -> bool {
        if self.count >= self.room {
            return false;
        }
        if let Some(place) = self.numbers.get_mut(self.count) {
            *place = number;
            self.count += 1;
        }
        true
    }

    /// Notes that machine code has given up after this many moves.
    fn give_up(&mut self, moves: usize) {
        self.pause.begin(moves);
        self.room = (self.room / CHOICES_KEPT_DIVISOR).max(CHOICES_KEPT_MIN);
    }
}

impl Pause {
    fn begin(&mut self, moves_before: usize) {
        let is_rare = moves_before > self.last as usize;
        self.last = if is_rare {
            1
        } else {
            (self.last * 2).clamp(1, PAUSE_MAX)
        };
        self.left = self.last;
    }
}
