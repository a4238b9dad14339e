//! Players across sessions: who they are, where they play, and what happens there.

pub(crate) mod leaderboards;
pub(crate) mod player_events;
pub(crate) mod player_sessions;
pub(crate) mod players;
pub(crate) mod push;
pub(crate) mod tournaments;
