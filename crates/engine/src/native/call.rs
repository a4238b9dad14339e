//! Effects that call effects.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Value, types};

use super::context::Context;
use super::emit::{Translator, at, offset};
use super::helper;
use crate::frame::{CALLER, EFFECT, FRAME_HEADER, RETURN_TO};
use wyrmgate_program::{Address, Arg, ArgsId, DispatchId, EffectId, NONE};

impl Translator<'_> {
    /// Evaluates the arguments in the running frame, then a helper makes room for the new one.
    pub fn call(&mut self, place: Address, effect: EffectId, args: ArgsId) -> Option<()> {
        let info = self.program.effects.get(usize::from(effect))?;
        let values = self.arguments(args, usize::from(info.slots))?;
        let caller = self.part(types::I32, at(offset_of!(Context, base)));
        let words = FRAME_HEADER + usize::from(info.slots);
        let words = self.int(words as i32);
        let opened = self.call_helper(helper::open as *const u8, &[words], Some(types::I32))?;
        let failed = self.is(IntCC::SignedLessThan, opened, 0);
        self.refuse(failed);
        let frame = self.frame();
        let (return_to, effect) = (self.int(place as i32 + 1), self.int(i32::from(effect)));
        let header = [(RETURN_TO, return_to), (CALLER, caller), (EFFECT, effect)];
        for (word, value) in header {
            self.store(value, frame, offset(word));
        }
        let entry = self.int(info.entry as i32);
        self.enter_with(values, entry);
        Some(())
    }

    /// Calls the effect of a kind; returns where to continue if there is none.
    pub fn call_effect_of_kind(
        &mut self,
        place: Address,
        dispatch: DispatchId,
        args: ArgsId,
    ) -> Option<Vec<Address>> {
        let (program, facts) = (self.program, self.facts);
        let by_component = facts.effects.get(usize::from(dispatch))?;
        let meant = by_component.iter().filter(|effect| **effect >= 0);
        let effects = meant.map(|effect| program.effects.get(*effect as usize));
        let slots = effects.map(|info| info.map_or(0, |info| usize::from(info.slots)));
        let values = self.arguments(args, slots.min()?)?;
        let me = *values.first()?;
        let base = self.pointer(by_component.as_ptr());
        let effect = self.entry(base, me, 0, by_component.len() as u32, NONE);
        let effect = self.word(effect);
        let (enter, nothing) = (self.b.create_block(), self.b.create_block());
        let means = self.is(IntCC::SignedGreaterThanOrEqual, effect, 0);
        self.count();
        self.branch(means, enter, nothing);
        self.b.switch_to_block(enter);
        let return_to = self.int(place as i32 + 1);
        let helper = helper::enter as *const u8;
        let entry = self.call_helper(helper, &[effect, return_to], Some(types::I32))?;
        let failed = self.is(IntCC::SignedLessThan, entry, 0);
        self.refuse(failed);
        self.enter_with(values, entry);
        self.b.switch_to_block(nothing);
        Some(self.go_on(place, place + 1))
    }

    /// Returns the values of arguments, all of which must be single values, for a frame with this many slots.
    pub fn arguments(&mut self, args: ArgsId, slots: usize) -> Option<Vec<Value>> {
        let args = self.program.args.get(args as usize)?;
        let exprs = args.iter().map(|arg| match *arg {
            Arg::Value(expr) => Some(expr),
            Arg::List(_) => None,
        });
        let exprs: Vec<_> = exprs.collect::<Option<_>>()?;
        let fit = exprs.len() <= slots;
        fit.then(|| exprs.into_iter().map(|expr| self.plain(expr)).collect())
    }

    /// Continues in a new frame with these values in its first slots.
    fn enter_with(&mut self, values: Vec<Value>, entry: Value) {
        let frame = self.frame();
        for (slot, value) in values.into_iter().enumerate() {
            self.store(value, frame, offset(FRAME_HEADER + slot));
        }
        self.leave_with(entry);
    }

    pub fn leave(&mut self) -> Vec<Address> {
        if let Some(inlined) = self.inlined.last() {
            let after = inlined.after;
            self.count();
            self.jump(after, &[]);
            return Vec::new();
        }
        let next = self.call_helper(helper::leave as *const u8, &[], Some(types::I32));
        if let Some(next) = next {
            self.leave_with(next);
        }
        Vec::new()
    }
}
