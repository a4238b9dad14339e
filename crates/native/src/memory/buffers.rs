//! The buffers in which code gathers members: how many there are, and how many members fit into one.

/// The maximum number of names of a choice recorded inline, and of members of its last name.
pub(crate) const NAMES_MAX: usize = 8;
pub(crate) const MEMBERS_MAX: usize = 1_024;

/// The distance between two buffers in words: the first members of many buffers fit into the cache together.
pub(crate) const STRIDE: usize = MEMBERS_MAX + 16;

/// The number of buffers for members: one per name, the others for lists.
pub(crate) const BUFFERS_MAX: usize = NAMES_MAX + LISTS_MAX;
pub(crate) const LISTS_MAX: usize = 16;

/// Returns the number of buffers for members: those of one function, and more for recursive queries.
pub(crate) fn buffers(queries: usize) -> usize {
    BUFFERS_MAX + if queries == 0 { 0 } else { 256 }
}
