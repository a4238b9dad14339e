//! What happens when its time has come: clocks of seats, and the background work of nodes.

pub(crate) mod clock;
pub(crate) mod duty;
pub(crate) mod timing;
