//! How far a session has come.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The stage of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = SessionStatus)]
pub enum Stage {
    /// Waiting for players. The game begins when every seat is taken.
    #[default]
    Waiting,
    Running,
    Finished,
}
