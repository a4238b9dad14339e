//! What is agreed on when a session is created, besides its rules and its seats.

use serde::{Deserialize, Serialize};

/// Sessions of before have the defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    pub spectators: Spectators,
    pub undo: Undo,
    pub forks: Forks,
    pub clock: Option<Clock>,
    pub replies: Replies,
}

/// How long a standing order waits before it answers: a time between these, drawn anew each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replies {
    pub least_ms: u64,
    pub most_ms: u64,
}

impl Default for Replies {
    /// As long as somebody takes who has made up their mind.
    fn default() -> Replies {
        Replies {
            least_ms: 1_000,
            most_ms: 4_000,
        }
    }
}

/// What those see who have no seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spectators {
    /// Nothing of the game before it is over.
    Nothing,
    /// What the public sees, at once.
    #[default]
    Live,
    /// What the public saw before the last so many changes.
    Behind { versions: u64 },
    /// What the public saw so many milliseconds ago.
    Later { ms: u64 },
}

/// How a seat may take back what it has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undo {
    Never,
    /// By itself.
    Free,
    /// If all other people agree.
    #[default]
    Agreed,
}

/// When a new session may go on from a version of this one. A fork shows what was hidden.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forks {
    Never,
    /// Once the game is over.
    #[default]
    Finished,
    /// At any time; also while hidden things matter.
    Always,
}

/// Time to think. At least one of the limits is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// For one decision.
    pub decision_ms: Option<u64>,
    /// For all decisions of a seat together.
    pub game_ms: Option<u64>,
    /// Added to the latter after each decision.
    pub increment_ms: u64,
}
