//! Frames: where a suspended effect goes on, its slots, and its lists, on the stack that is part of the state.
//!
//! A frame is three words (address to return to, place of the caller's frame, the effect), then the effect's slots,
//! then its lists. A list slot holds the list's offset from the frame's first word.

use crate::engine::fault::{FaultKind, Halt};
use crate::engine::layout::header;
use crate::engine::limit::{CALL_DEPTH_MAX, STATE_WORDS_MAX};
use crate::engine::machine::Machine;
use crate::program::{Arg, ArgsId, EffectId, Local, NONE, SetId};

pub(crate) const FRAME_HEADER: usize = 3;
pub(crate) const RETURN_TO: usize = 0;
pub(crate) const CALLER: usize = 1;
pub(crate) const EFFECT: usize = 2;

/// Return address of the effect the game starts with: the game is over.
pub(crate) const END: i32 = -1;
/// Return address of an effect that a tool runs: back to the tool.
pub(crate) const LEAVE: i32 = -2;

impl Machine<'_> {
    /// Puts a frame for the effect on the stack and goes to its entry. Arguments are evaluated in the frame that
    /// was running.
    pub(crate) fn enter(
        &mut self,
        effect: EffectId,
        args: Option<ArgsId>,
        return_to: i32,
    ) -> Result<(), Halt> {
        let program = self.program;
        let Some(info) = program.effects.get(usize::from(effect)) else {
            return Err(self.scratch.halt(FaultKind::Program));
        };
        let base = self.state.stack.len();
        let slots = usize::from(info.slots);
        self.grow(FRAME_HEADER + slots)?;
        // As [`RETURN_TO`], [`CALLER`] and [`EFFECT`] say.
        let header = [return_to, self.base as i32, i32::from(effect)];
        let frame = self.state.stack.get_mut(base..);
        if let Some(words) = frame.and_then(|frame| frame.first_chunk_mut()) {
            *words = header;
        }
        if let Some(args) = args {
            self.pass_arguments(args, base)?;
        }
        let depth = self.state.head(header::DEPTH) + 1;
        if depth > CALL_DEPTH_MAX {
            return Err(self.scratch.halt(FaultKind::Depth));
        }
        self.state.set_head(header::DEPTH, depth);
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

    /// Leaves the running effect; answers where to go on.
    pub(crate) fn leave(&mut self) -> i32 {
        let return_to = self.state.slot(self.base + RETURN_TO);
        let caller = self.state.slot(self.base + CALLER);
        self.state.stack.truncate(self.base);
        self.base = caller.max(0) as usize;
        let depth = self.state.head(header::DEPTH) - 1;
        self.state.set_head(header::DEPTH, depth);
        return_to
    }

    /// Evaluates a list onto the top of the stack; two words from `slot` say where it is.
    pub(crate) fn push_list(&mut self, set: SetId, base: usize, slot: usize) -> Result<(), Halt> {
        let members = self.gather(set)?;
        self.push_values(&members, base, slot)
    }

    pub(crate) fn push_values(
        &mut self,
        values: &[i32],
        base: usize,
        slot: usize,
    ) -> Result<(), Halt> {
        let start = self.state.stack.len();
        self.grow(values.len())?;
        if let Some(place) = self.state.stack.get_mut(start..) {
            place.copy_from_slice(values);
        }
        self.state.set_slot(slot, start.saturating_sub(base) as i32);
        self.state.set_slot(slot + 1, values.len() as i32);
        Ok(())
    }

    pub(super) fn grow(&mut self, words: usize) -> Result<(), Halt> {
        let size = self.state.stack.len() + words;
        if self.state.words.len() + size > STATE_WORDS_MAX {
            return Err(self.scratch.halt(FaultKind::StateSize));
        }
        self.state.stack.resize(size, NONE);
        Ok(())
    }

    /// Where a slot of the running frame lies on the stack.
    pub(crate) fn slot_at(&self, local: Local) -> usize {
        self.base + FRAME_HEADER + usize::from(local)
    }

    /// The first word above the slots of the running frame.
    pub(crate) fn slots_end(&self) -> usize {
        let effect = self.state.slot(self.base + EFFECT);
        let info = usize::try_from(effect)
            .ok()
            .and_then(|effect| self.program.effects.get(effect));
        self.base + FRAME_HEADER + info.map_or(0, |info| usize::from(info.slots))
    }

    /// The whole frame of an effect with so many slots lies on the stack.
    #[cfg(feature = "native")]
    pub(crate) fn has_frame(&self, slots: usize) -> bool {
        self.base + FRAME_HEADER + slots <= self.state.stack.len()
    }

    pub(crate) fn set_local(&mut self, local: Local, value: i32) {
        let at = self.slot_at(local);
        self.state.set_slot(at, value);
    }

    pub(crate) fn local(&self, local: Local) -> i32 {
        self.state.slot(self.slot_at(local))
    }
}
