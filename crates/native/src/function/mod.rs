//! The function of an effect: its frame, its entry points, its operations, and calls of other effects.

pub(crate) mod call;
pub(crate) mod code;
pub(crate) mod define;
pub(crate) mod op;
pub(crate) mod shape;
pub(crate) mod slots;
pub(crate) mod stack;
