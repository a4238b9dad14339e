//! The terms of a session: settings agreed on at its creation, besides rules and seats.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::content::tolerant::known_members;

/// The terms. Sessions from before their introduction have the defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    pub spectators: SpectatorView,
    pub undo: Undo,
    pub forks: Forks,
    #[serde(deserialize_with = "known_members")]
    pub clock: Option<Clock>,
    #[serde(deserialize_with = "known_members")]
    pub replies: Replies,
}

/// Range of the delay before a standing order answers. Each delay is drawn at random, so that others cannot tell a
/// standing order from a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Replies {
    #[schema(minimum = 0, maximum = 60_000)]
    pub least_ms: u64,
    #[schema(minimum = 0, maximum = 60_000)]
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
pub enum SpectatorView {
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

/// Whether a seat can undo its choices, and replies of bots to them. Unless stated, an undo is possible only if nobody has gained
/// information since.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UndoPolicy)]
pub enum Undo {
    Never,
    /// The seat can undo by itself.
    Free,
    /// All other people at the table must agree; then also past their choices.
    #[default]
    Agreed,
    /// The same, also past information gains. Such an undo makes the session practice, and its record says so.
    AnythingAgreed,
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

/// Time limits. When a seat runs out of time, the server plays the default that the rules declare: to decline, or "no".
/// If they declare none, the seat becomes open for another player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Time for one decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 100, maximum = 2_592_000_000i64)]
    pub decision_ms: Option<u64>,
    /// Total time of a seat for all of its decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 100, maximum = 2_592_000_000i64)]
    pub game_ms: Option<u64>,
    /// Time added to `game_ms` after each decision.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 2_592_000_000i64)]
    pub increment_ms: u64,
}
