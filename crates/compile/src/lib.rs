//! Compiles definitions to programs: names, types, constants, checks, translation.

#![deny(clippy::wildcard_enum_match_arm)]

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "checks ask about some forms and pass over the others"
)]
pub mod check;
pub mod compile;
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "walks ask about some forms and pass over the others"
)]
pub mod names;
