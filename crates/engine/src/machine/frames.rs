//! Frames of running effects: entering and leaving effects, and their slots and lists.

use super::Machine;
use crate::fault::{FaultKind, Halt};
use crate::frame::{EFFECT, FRAME_HEADER};
use wyrmgate_program::{Arg, ArgsId, EffectId, Local, SetId};

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
        let Some(args) = program.code.args.get(args as usize) else {
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
