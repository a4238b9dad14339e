//! The kinds of sessions that a store is filled with.

pub struct Kind {
    pub name: &'static str,
    /// Sessions of this kind among every [`PATTERN`].
    share: usize,
    pub game: &'static str,
    pub has_clock: bool,
    /// Seats that are taken; a session begins with two.
    pub seats: u8,
    /// The game may end sooner.
    pub moves: usize,
}

const GAME: &str = "way-of-the-dragon";
const SHORT_GAME: &str = "tic-tac-toe";
/// More moves than any game has.
const TO_THE_END: usize = 1_000;
/// Long enough that nobody's time runs out while a store is measured.
pub const DECISION_MS: u64 = 259_200_000;

/// The shares of all kinds together.
pub const PATTERN: usize = 40;

pub const KINDS: [Kind; 8] = [
    Kind {
        name: "waits for a player",
        share: 6,
        game: GAME,
        has_clock: false,
        seats: 1,
        moves: 0,
    },
    Kind {
        name: "is being played, 2 moves made",
        share: 12,
        game: GAME,
        has_clock: false,
        seats: 2,
        moves: 2,
    },
    Kind {
        name: "is being played with a clock, 2 moves made",
        share: 8,
        game: GAME,
        has_clock: true,
        seats: 2,
        moves: 2,
    },
    Kind {
        name: "is being played, 10 moves made",
        share: 8,
        game: GAME,
        has_clock: false,
        seats: 2,
        moves: 10,
    },
    Kind {
        name: "is being played, 20 moves made",
        share: 2,
        game: GAME,
        has_clock: false,
        seats: 2,
        moves: 20,
    },
    Kind {
        name: "is being played with a clock, 40 moves made",
        share: 1,
        game: GAME,
        has_clock: true,
        seats: 2,
        moves: 40,
    },
    Kind {
        name: "is over, a long game",
        share: 1,
        game: GAME,
        has_clock: false,
        seats: 2,
        moves: TO_THE_END,
    },
    Kind {
        name: "is over, a short game",
        share: 2,
        game: SHORT_GAME,
        has_clock: false,
        seats: 2,
        moves: TO_THE_END,
    },
];

/// The kind of the session with this number. Kinds follow each other closely, so that every part of a store is mixed.
pub fn of(number: usize) -> &'static Kind {
    // A step that has no divisor in common with the pattern spreads each kind over it.
    const STEP: usize = 17;
    let mut place = number * STEP % PATTERN;
    for kind in &KINDS {
        if place < kind.share {
            return kind;
        }
        place -= kind.share;
    }
    &KINDS[0]
}
