//! The old values of words that what-ifs in place have changed.

/// The number of old words for which there is room; code gives up before there is one more.
pub(crate) const UNDO_MAX: usize = 2_048;

/// A word of the state as it was.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct SavedWord {
    pub word: u32,
    pub value: i32,
}
