//! Who asks, and what this allows: tokens, and the role of a caller in one session.

pub(crate) mod caller;
pub(crate) mod player;
pub(crate) mod token;
