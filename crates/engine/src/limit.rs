//! Limits of the engine. Each has a name; exceeding one ends the game with a [`super::Fault`] of that name.

/// Work one move may cause: operations, query calls and members of lists looked at.
pub const FUEL_PER_MOVE: u32 = 1_000_000;

/// Work that listing, counting or testing choices may cause; apart from moves, so that looking costs a game nothing.
pub const FUEL_PER_ENUMERATION: u32 = 4_000_000;

/// Effects that wait for each other to end.
pub const CALL_DEPTH_MAX: i32 = 256;

/// Nested evaluation of expressions, through queries too. Keeps the native stack small on every thread.
pub const EVALUATION_DEPTH_MAX: u32 = 1_000;

/// Things that happen because of one move.
pub const EVENTS_PER_MOVE: u32 = 10_000;

/// Words of a state, the suspended effects included: 256 KiB.
pub const STATE_WORDS_MAX: usize = 256 * 1024 / 4;

/// Members a choice can be made from. More cannot be numbered.
pub const DOMAIN_MAX: usize = 65_536;
