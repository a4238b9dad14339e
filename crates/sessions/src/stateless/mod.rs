//! Games that the server does not keep: single steps with sealed states, and simulations.

mod choosing;
pub(crate) mod sealed;
pub(crate) mod simulating;
pub(crate) mod stepping;
