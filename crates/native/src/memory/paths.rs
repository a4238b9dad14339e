//! How paths that searches have found lie in memory.

/// The maximum number of questions for which paths are kept, how many there are of each, and the maximum of members.
pub(crate) const QUESTIONS_MAX: usize = 32;
pub(crate) const OF_QUESTION: usize = 2;
pub(crate) const PATHS_MAX: usize = QUESTIONS_MAX * OF_QUESTION;
pub(crate) const MEMBERS_MAX: usize = 127;

/// The words of a path: the number of its members, then these, from the member that was looked for to the beginning; then the
/// number of the position in which it held without a what-if, in two words; and a bit for each member.
pub(crate) const PATH: usize = MARKS + MARKS_MAX as usize / 32;
pub(crate) const HELD_IN: usize = MEMBERS_MAX + 1;
pub(crate) const MARKS: usize = HELD_IN + 2;

/// One more than the largest member with a bit.
pub(crate) const MARKS_MAX: u32 = 1_024;
