//! The stack of a state: the frames of suspended effects as words. Memory above its top is kept, so that machine code can push a
//! frame by raising the top.

use std::ops::{Deref, DerefMut};

use wyrmgate_program::NONE;

#[derive(Debug, Default)]
pub struct FrameStack {
    /// The words, then the memory above.
    words: Vec<i32>,
    /// The number of words; never more than there is memory.
    top: usize,
}

impl FrameStack {
    #[inline]
    pub const fn new() -> FrameStack {
        FrameStack {
            words: Vec::new(),
            top: 0,
        }
    }

    /// Truncates the stack to this many words.
    #[inline]
    pub fn truncate(&mut self, top: usize) {
        self.top = self.top.min(top);
    }

    #[inline]
    pub fn clear(&mut self) {
        self.top = 0;
    }

    #[inline]
    pub fn extend_from_slice(&mut self, words: &[i32]) {
        let (first, end) = (self.top, self.top + words.len());
        self.reserve(end);
        if let Some(places) = self.words.get_mut(first..end) {
            places.copy_from_slice(words);
            self.top = end;
        }
    }

    /// Pushes this many words, all NONE, and returns them.
    #[inline]
    pub fn push_none(&mut self, count: usize) -> &mut [i32] {
        let (first, end) = (self.top, self.top + count);
        self.reserve(end);
        let places = self.words.get_mut(first..end).unwrap_or_default();
        places.fill(NONE);
        self.top = end;
        places
    }

    /// Makes room up to this top.
    fn reserve(&mut self, top: usize) {
        if top > self.words.len() {
            let room = top.max(2 * self.words.len()).max(LEAST);
            self.words.resize(room, NONE);
        }
    }

    /// Returns the address of the memory, the number of words that fit, and the address of the number of words in use.
    #[inline]
    pub fn memory(&mut self) -> (*mut i32, usize, *mut usize) {
        (self.words.as_mut_ptr(), self.words.len(), &raw mut self.top)
    }
}

/// An invariant.
const TOP: &str = "top-within-the-memory";

/// The memory of a stack that is not empty, in words.
const LEAST: usize = 64;

impl Deref for FrameStack {
    type Target = [i32];

    #[inline]
    fn deref(&self) -> &[i32] {
        debug_assert!(self.top <= self.words.len(), "{TOP}");
        self.words.get(..self.top).unwrap_or_default()
    }
}

impl DerefMut for FrameStack {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i32] {
        debug_assert!(self.top <= self.words.len(), "{TOP}");
        self.words.get_mut(..self.top).unwrap_or_default()
    }
}

impl Clone for FrameStack {
    fn clone(&self) -> FrameStack {
        FrameStack::from(self.to_vec())
    }

    fn clone_from(&mut self, other: &FrameStack) {
        self.clear();
        self.extend_from_slice(other);
    }
}

impl From<Vec<i32>> for FrameStack {
    fn from(words: Vec<i32>) -> FrameStack {
        let top = words.len();
        FrameStack { words, top }
    }
}

impl PartialEq for FrameStack {
    fn eq(&self, other: &FrameStack) -> bool {
        **self == **other
    }
}

impl Eq for FrameStack {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_above_the_top_are_no_part_of_it() {
        let mut stack = FrameStack::new();
        stack.extend_from_slice(&[1, 2, 3]);
        stack.truncate(1);
        stack.truncate(2);
        assert_eq!(*stack, [1]);
        assert_eq!(stack, FrameStack::from(vec![1]));
        assert_eq!(stack.push_none(2), [NONE, NONE]);
        let mut other = FrameStack::from(vec![7; 9]);
        other.clone_from(&stack);
        assert_eq!(*other, [1, NONE, NONE]);
        assert_eq!(other.clone(), stack);
    }
}
