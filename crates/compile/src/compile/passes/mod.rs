//! Passes over the whole program, after translation.

pub mod extents;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a form that is not recognized stays as it is written"
)]
pub(crate) mod masks;
pub(crate) mod reveals;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a form that is not recognized stays as it is written"
)]
pub(crate) mod simplify;
