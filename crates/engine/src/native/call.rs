//! Effects that call effects.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Value, types};

use super::context::Context;
use super::emit::{Translator, at, offset};
use super::{helper, list_helper};
use crate::frame::{CALLER, EFFECT, FRAME_HEADER, RETURN_TO};
use wyrmgate_program::{Address, Arg, ArgsId, DispatchId, EffectId, NONE};

impl Translator<'_> {
    /// Evaluates the arguments in the running frame, then a helper makes room for the new one.
    pub fn call(&mut self, place: Address, effect: EffectId, args: ArgsId) -> Option<()> {
        let info = self.program.effects.get(usize::from(effect))?;
        let open = self.opened();
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
        self.close_to(open);
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
        let open = self.opened();
        let values = self.arguments(args, slots.min()?)?;
        let Some(&Argument::Word(me)) = values.first() else {
            return None;
        };
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
        self.close_to(open);
        self.b.switch_to_block(nothing);
        Some(self.go_on(place, place + 1))
    }

    /// Evaluates arguments for a frame with this many slots; lists go to buffers, which stay open.
    fn arguments(&mut self, args: ArgsId, slots: usize) -> Option<Vec<Argument>> {
        let args = self.program.args.get(args as usize)?;
        let words = args.iter().map(|arg| match arg {
            Arg::Value(_) => 1,
            Arg::List(_) => 2,
        });
        if words.sum::<usize>() > slots {
            return None;
        }
        let args = args.iter().map(|arg| match *arg {
            Arg::Value(expr) => Argument::Word(self.plain(expr)),
            Arg::List(set) => {
                let number = self.open_buffer();
                let count = self.gather_list(set, number);
                Argument::List(number, count)
            }
        });
        Some(args.collect())
    }

    /// Evaluates arguments, all of which must be single values.
    pub fn plain_arguments(&mut self, args: ArgsId, slots: usize) -> Option<Vec<Value>> {
        let open = self.opened();
        let values = self.arguments(args, slots)?;
        self.close_to(open);
        let words = values.into_iter().map(|value| match value {
            Argument::Word(word) => Some(word),
            Argument::List(..) => None,
        });
        words.collect()
    }

    /// Continues in a new frame with these values in its first slots.
    fn enter_with(&mut self, values: Vec<Argument>, entry: Value) {
        let mut slot = FRAME_HEADER;
        for value in values {
            match value {
                Argument::Word(word) => {
                    self.set_slot(slot, word);
                    slot += 1;
                }
                Argument::List(number, count) => {
                    let number = self.int(number as i32);
                    let push = list_helper::push as *const u8;
                    let place = self.count_from(push, &[number, count]);
                    self.set_slot(slot, place);
                    self.set_slot(slot + 1, count);
                    slot += 2;
                }
            }
        }
        self.leave_with(entry);
    }

    /// Stores a word of the new frame, which can have moved.
    fn set_slot(&mut self, slot: usize, value: Value) {
        let frame = self.frame();
        self.store(value, frame, offset(slot));
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

/// An argument, evaluated in the frame of the caller.
enum Argument {
    Word(Value),
    /// The members are in this buffer: so many.
    List(usize, Value),
}
