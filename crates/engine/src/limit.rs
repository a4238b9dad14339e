//! Limits of the engine. Each has a name; exceeding one ends the game with a [`super::Fault`] of that name.

/// The work that one move may cause: operations, query calls and examined members of lists.
pub const FUEL_PER_MOVE: u32 = 1_000_000;

/// The work that listing, counting or validating choices may cause; separate from moves, so that observing costs a game
/// nothing.
pub const FUEL_PER_ENUMERATION: u32 = 4_000_000;

/// The nesting of effects.
pub const CALL_DEPTH_MAX: i32 = 256;

/// The nesting of expressions, including queries. Keeps the native stack small on every thread.
pub const EVALUATION_DEPTH_MAX: u32 = 1_000;

/// What-ifs in what-ifs: `after(…, after(…, …))`, also through effects and queries.
pub const WHAT_IF_DEPTH_MAX: u8 = 24;

/// Components that hold one another: a card in a box in a box lies two deep. Every level of it is a level or three in views,
/// pictures and patches, which clients must be able to read.
pub const CONTENTS_DEPTH_MAX: usize = 32;

/// The number of events of one move.
pub const EVENTS_PER_MOVE: u32 = 10_000;

/// The words of a state, including the suspended effects: 256 KiB.
pub const STATE_WORDS_MAX: usize = 256 * 1024 / 4;

/// The number of members from which a choice can be made. More cannot be numbered.
pub const DOMAIN_MAX: usize = 65_536;
