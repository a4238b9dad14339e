//! The kinds of sessions in a filled store.

pub struct Kind {
    pub name: &'static str,
    /// Sessions of this kind among every [`PATTERN`].
    share: usize,
    pub game: &'static str,
    pub has_clock: bool,
    /// Seats that are taken; a session begins with two.
    pub seats: u8,
    /// Number of moves, unless the game ends sooner.
    pub moves: usize,
}

const GAME: &str = "way-of-the-dragon";
const SHORT_GAME: &str = "tic-tac-toe";
/// A number of moves that no game reaches.
const TO_THE_END: usize = 1_000;
/// A clock that does not run out during a measurement.
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

/// Returns the kind of the session with this number. Kinds alternate, so that every part of a store is mixed.
pub fn of(number: usize) -> &'static Kind {
    // A step that is coprime to the length of the pattern spreads each kind over it.
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
