//! The driver: runs machine code from one rest to the next, and reads the choices that it has recorded.

pub(crate) mod described;
pub(crate) mod menu;
pub(crate) mod run;
