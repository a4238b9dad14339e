//! What-ifs: performed in the state itself and undone; recorded positions.

pub(crate) mod inlined;
pub(crate) mod positions;
pub(crate) mod suppose;
pub(crate) mod undo;
