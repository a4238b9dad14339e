//! The function of an effect: its frame, its entry points, its operations, and calls of other effects.

pub(crate) mod along;
pub(crate) mod call;
pub(crate) mod code;
pub(crate) mod cycle;
pub(crate) mod define;
pub(crate) mod emit;
pub(crate) mod fill;
pub(crate) mod helper;
pub(crate) mod op;
pub(crate) mod regions;
pub(crate) mod slots;
pub(crate) mod stack;
pub(crate) mod stretch;
