//! The terms of a session: settings agreed on at its creation, besides rules and seats.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The terms. Sessions from before their introduction have the defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    pub spectators: Spectators,
    pub undo: Undo,
    pub forks: Forks,
    pub clock: Option<Clock>,
    pub replies: Replies,
}

/// Range of the delay before a standing order answers. Each delay is drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replies {
    pub least_ms: u64,
    pub most_ms: u64,
}

impl Default for Replies {
    /// About as long as a person takes who has already decided.
    fn default() -> Replies {
        Replies {
            least_ms: 1_000,
            most_ms: 4_000,
        }
    }
}

/// The view of spectators.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spectators {
    /// Nothing before the game is over.
    Nothing,
    /// The public view, without delay.
    #[default]
    Live,
    /// The public view as it was this many changes ago.
    Behind { versions: u64 },
    /// The public view as it was this many milliseconds ago.
    Later { ms: u64 },
}

/// Whether a seat can undo its own choices. An undo is possible only if nobody has gained information since.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UndoPolicy)]
pub enum Undo {
    Never,
    /// The seat can undo by itself.
    Free,
    /// All other people at the table must agree.
    #[default]
    Agreed,
}

/// When a session can be forked. A player in a fork can see information that was hidden from others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ForkPolicy)]
pub enum Forks {
    Never,
    /// After the game is over.
    #[default]
    Finished,
    /// At any time. A fork before the end makes this session practice.
    Always,
}

/// Time limits. At least one of them is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Time for one decision.
    pub decision_ms: Option<u64>,
    /// Total time of a seat for all of its decisions.
    pub game_ms: Option<u64>,
    /// Time added to the total after each decision.
    pub increment_ms: u64,
}
