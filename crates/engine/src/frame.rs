//! Frames of suspended effects: where they resume, their slots, and their lists, on the stack that is part of the
//! state.
//!
//! A frame is three words (return address, place of the caller's frame, the effect), then the effect's slots, then its
//! lists. A list slot holds the list's offset from the frame's first word.

use crate::fault::{FaultKind, Halt};
use crate::layout::header;
use crate::limit::{CALL_DEPTH_MAX, STATE_WORDS_MAX};
use crate::machine::Machine;
use crate::state::State;
use wyrmgate_program::{Arg, ArgsId, EffectId, Local, SetId};

pub const FRAME_HEADER: usize = 3;
/// The address at which the caller continues; negative in the first frame.
pub const RETURN_TO: usize = 0;
pub const CALLER: usize = 1;
pub const EFFECT: usize = 2;

/// Return address of the effect with which the game starts: the game is over.
pub const END: i32 = -1;
/// Return address of an effect that a tool runs: back to the tool.
pub const LEAVE: i32 = -2;

impl Machine<'_> {
    /// Pushes a frame for the effect and jumps to its entry. Arguments are evaluated in the frame that was running.
    pub fn enter(
        &mut self,
        effect: EffectId,
        args: Option<ArgsId>,
        return_to: i32,
    ) -> Result<(), Halt> {
        let program = self.program;
        let Some(info) = program.effect(effect) else {
            return Err(self.scratch.halt(FaultKind::Program));
        };
        let base = self.state.stack.len();
        let words = FRAME_HEADER + usize::from(info.slots);
        match self.state.push_frame(words) {
            // As [`RETURN_TO`], [`CALLER`] and [`EFFECT`] say.
            Ok(frame) => *frame = [return_to, self.base as i32, i32::from(effect)],
            Err(limit) => return Err(self.scratch.halt(limit)),
        }
        if let Some(args) = args {
            self.pass_arguments(args, base)?;
        }
        self.base = base;
        self.pc = info.entry as usize;
        Ok(())
    }

    fn pass_arguments(&mut self, args: ArgsId, base: usize) -> Result<(), Halt> {
        let program = self.program;
        let Some(args) = program.args.get(args as usize) else {
            return Ok(());
        };
        let mut slot = base + FRAME_HEADER;
        for arg in args {
            match *arg {
                Arg::Value(expr) => {
                    let value = self.value(expr)?;
                    self.state.set_slot(slot, value);
                    slot += 1;
                }
                Arg::List(set) => {
                    self.push_list(set, base, slot)?;
                    slot += 2;
                }
            }
        }
        Ok(())
    }

    /// Leaves the running effect; returns where to continue.
    #[inline]
    pub fn leave(&mut self) -> i32 {
        let (return_to, caller) = self.state.pop_frame(self.base);
        self.base = caller;
        return_to
    }

    /// Evaluates a list onto the top of the stack; two words from `slot` refer to it.
    #[inline]
    pub fn push_list(&mut self, set: SetId, base: usize, slot: usize) -> Result<(), Halt> {
        let members = self.gather(set)?;
        self.push_values(&members, base, slot)
    }

    #[inline]
    pub fn push_values(&mut self, values: &[i32], base: usize, slot: usize) -> Result<(), Halt> {
        let Some(start) = self.state.push_words(values) else {
            return Err(self.scratch.halt(FaultKind::StateSize));
        };
        self.state.set_slot(slot, start.saturating_sub(base) as i32);
        self.state.set_slot(slot + 1, values.len() as i32);
        Ok(())
    }

    /// Returns where a slot of the running frame lies on the stack.
    #[inline]
    pub fn slot_at(&self, local: Local) -> usize {
        self.base + FRAME_HEADER + usize::from(local)
    }

    /// Returns the first word above the slots of the running frame.
    #[inline]
    pub fn slots_end(&self) -> usize {
        let effect = self.state.slot(self.base + EFFECT);
        let info = usize::try_from(effect)
            .ok()
            .and_then(|effect| self.program.effects.get(effect));
        self.base + FRAME_HEADER + info.map_or(0, |info| usize::from(info.slots))
    }

    #[inline]
    pub fn set_local(&mut self, local: Local, value: i32) {
        let at = self.slot_at(local);
        self.state.set_slot(at, value);
    }

    #[inline]
    pub fn local(&self, local: Local) -> i32 {
        self.state.slot(self.slot_at(local))
    }
}

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
