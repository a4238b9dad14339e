//! What a session consists of at one revision: its facts, its terms, its seats and its game.

pub(crate) mod facts;
pub(crate) mod live;
pub(crate) mod play;
pub(crate) mod seed;
pub(crate) mod status;
pub(crate) mod terms;
