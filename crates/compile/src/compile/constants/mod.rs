//! Constants: translated like any other expression, and evaluated at once.

pub(crate) mod constant;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only some forms are lists of lists"
)]
pub mod eval;
pub(crate) mod rows;
