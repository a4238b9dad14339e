//! Room on the stack for recursion over rules, whose depth their limits bound.

/// Bytes of stack that work on rules has, on whatever thread it runs. `tests/authoring/nested.rs` proves that this is enough for every limit,
/// also without optimization.
pub const STACK_BYTES: usize = 16 << 20;

/// Does work on this thread with at least [`STACK_BYTES`] of stack. Where less is left, the work gets a stack of its own, twice
/// as large, so that what it calls has enough without another one. Memory is used only as deep as the work goes.
pub fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK_BYTES, 2 * STACK_BYTES, work)
}
