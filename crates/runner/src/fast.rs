//! Plays games in machine code, and replays them in the interpreter if the code gives up.

mod games;

use crate::code::{Native, NotedChoices, Translation};
use std::sync::Arc;
use wyrmgate_engine::choice::Choice;
use wyrmgate_engine::state::State;

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
pub(super) enum TakingResult {
    Done,
    /// Machine code has given up.
    GaveUp,
    /// The choice must be taken in another way.
    Otherwise,
    /// There is no machine code.
    Not,
}

enum Translated {
    /// Not yet. The number of choices that the interpreter has taken since it was looked for.
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
    Same(Box<(State, NotedChoices)>),
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
    pub fn choice(&self, number: u64) -> Option<Choice> {
        self.native()?.choice(number)
    }

    /// Returns the number of a choice, if it is one of those that code has recorded.
    pub fn number_of(&self, choice: &Choice) -> Option<u64> {
        self.native()?.number_of(choice)
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
    pub fn note(&self, noted: &mut NotedChoices) {
        if let Translated::Done(native) = &self.code {
            native.note(noted);
        }
    }

    /// Returns to a rest.
    pub fn come_back(&mut self, noted: &NotedChoices) {
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
