//! Frames of suspended effects: where they resume, their slots, and their lists, on the stack that is part of the
//! state.
//!
//! A frame is three words (return address, place of the caller's frame, the effect), then the effect's slots, then its
//! lists. A list slot holds the list's offset from the frame's first word.

use crate::fault::FaultKind;
use crate::layout::header;
use crate::limit::{CALL_DEPTH_MAX, STATE_WORDS_MAX};
use crate::state::State;

pub const FRAME_HEADER: usize = 3;
/// The address at which the caller continues; negative in the first frame.
pub const RETURN_TO: usize = 0;
pub const CALLER: usize = 1;
pub const EFFECT: usize = 2;

/// Return address of the effect with which the game starts: the game is over.
pub const END: i32 = -1;
/// Return address of an effect that a tool runs: back to the tool.
pub const LEAVE: i32 = -2;

impl State {
    /// Pushes a frame of this many words, all NONE; returns the words of its header, which the caller writes, or the
    /// limit that was exceeded.
    #[inline]
    pub fn push_frame(&mut self, words: usize) -> Result<&mut [i32; FRAME_HEADER], FaultKind> {
        self.has_room_for(words).ok_or(FaultKind::StateSize)?;
        let depth = self.head(header::DEPTH) + 1;
        if depth > CALL_DEPTH_MAX {
            return Err(FaultKind::Depth);
        }
        self.set_head(header::DEPTH, depth);
        let header = self.stack.push_none(words).first_chunk_mut();
        header.ok_or(FaultKind::Program)
    }

    /// Pops the frame that begins here; returns where to continue, and where the caller's frame begins.
    #[inline]
    pub fn pop_frame(&mut self, base: usize) -> (i32, usize) {
        let return_to = self.slot(base + RETURN_TO);
        let caller = self.slot(base + CALLER);
        self.stack.truncate(base);
        let depth = self.head(header::DEPTH) - 1;
        self.set_head(header::DEPTH, depth);
        (return_to, caller.max(0) as usize)
    }

    /// Pushes words, if there is room; returns where they begin.
    #[inline]
    pub fn push_words(&mut self, words: &[i32]) -> Option<usize> {
        let start = self.stack.len();
        self.has_room_for(words.len())?;
        self.stack.extend_from_slice(words);
        Some(start)
    }

    #[inline]
    pub fn has_room_for(&self, words: usize) -> Option<()> {
        let size = self.size_in_words() + words;
        (size <= STATE_WORDS_MAX).then_some(())
    }
}
