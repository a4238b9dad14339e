//! The memory of one game that machine code, its helpers and the driver share.

pub(crate) mod ahead;
pub(crate) mod buffers;
pub(crate) mod context;
pub(crate) mod grid;
pub(crate) mod known_selections;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lanes;
pub(crate) mod lent;
pub(crate) mod moves;
pub(crate) mod paths;
pub(crate) mod positions;
pub(crate) mod row;
pub(crate) mod selecting;
pub(crate) mod strip;
pub(crate) mod undo;
