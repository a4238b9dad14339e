//! Lists: walked without building them where possible, otherwise gathered in buffers.

pub(crate) mod asked;
pub(crate) mod gather;
pub(crate) mod keys;
pub(crate) mod list_helper;
pub(crate) mod loops;
pub(crate) mod walk;
