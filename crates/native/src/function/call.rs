//! Effects that call effects.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::memory::buffers::LISTS_MAX;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at, offset};
use crate::translator::helper;
use wyrmgate_engine::frame::{CALLER, EFFECT, FRAME_HEADER, RETURN_TO};
use wyrmgate_engine::layout::header;
use wyrmgate_engine::limit::CALL_DEPTH_MAX;
use wyrmgate_program::{Address, Arg, ArgsId, DispatchId, EffectId, NONE};

impl Translator<'_> {
    /// Evaluates the arguments in the running frame, then makes a new one and runs the effect.
    pub fn call(&mut self, place: Address, effect: EffectId, args: ArgsId) -> Option<Vec<Address>> {
        let info = self.program.effect(effect)?;
        let slots = usize::from(info.slots);
        let open = self.lists;
        let passed = self.passed(args, slots)?;
        self.lists = open;
        let caller = self.part(types::I32, at(offset_of!(Context, frames.base)));
        self.open_frame(FRAME_HEADER + slots)?;
        let frame = self.frame();
        let (return_to, number) = (self.int(place as i32 + 1), self.int(i32::from(effect)));
        let header = [(RETURN_TO, return_to), (CALLER, caller), (EFFECT, number)];
        for (word, value) in header {
            self.store(value, frame, offset(word));
        }
        self.fill_slots(&passed, slots)?;
        let entry = self.int(info.entry as i32);
        self.leave_with(entry);
        Some(Vec::new())
    }

    /// Evaluates arguments for a frame with this many slots; lists go to buffers.
    fn passed(&mut self, args: ArgsId, slots: usize) -> Option<Vec<Passed>> {
        let args = self.program.code.args.get(args as usize)?;
        let lists = args.iter().filter(|arg| matches!(arg, Arg::List(_)));
        let lists = lists.count();
        if args.len() + lists > slots || self.lists + lists + LISTS_LEFT > LISTS_MAX {
            return None;
        }
        let mut passed = Vec::new();
        for arg in args {
            passed.push(match *arg {
                Arg::Value(expr) => Passed::Value(self.word_of(expr)),
                Arg::List(set) => {
                    let number = self.open_buffer();
                    Passed::List(number, self.gather_list(set, number))
                }
            });
        }
        Some(passed)
    }

    /// Stores arguments in the first slots of the new frame; lists lie above its slots.
    fn fill_slots(&mut self, passed: &[Passed], slots: usize) -> Option<()> {
        let none = self.int(NONE);
        let mut slot = 0;
        for argument in passed {
            match *argument {
                Passed::Value(value) => {
                    self.set_slot(slot, value);
                    slot += 1;
                }
                Passed::List(number, count) => {
                    let place = self.push(number, count)?;
                    self.set_slot(slot, place);
                    self.set_slot(slot + 1, count);
                    slot += 2;
                }
            }
        }
        (slot..slots).for_each(|slot| self.set_slot(slot, none));
        Some(())
    }

    fn set_slot(&mut self, slot: usize, value: Value) {
        let frame = self.frame();
        self.store(value, frame, offset(FRAME_HEADER + slot));
    }

    /// Pushes a frame of this many words; the caller writes them.
    fn open_frame(&mut self, words: usize) -> Option<()> {
        let [fast, slow, opened] = self.blocks();
        let base = self.part(types::I64, at(offset_of!(Context, frames.len)));
        let top = self.b.ins().iadd_imm_s(base, words as i64);
        let room = self.part(types::I64, at(offset_of!(Context, frames.room)));
        let too_high = self.b.ins().icmp(IntCC::UnsignedGreaterThan, top, room);
        let depth = self.state_word(header::DEPTH);
        let too_deep = self.is(
            IntCC::SignedGreaterThanOrEqual,
            depth,
            CALL_DEPTH_MAX.into(),
        );
        let either = self.b.ins().bor(too_high, too_deep);
        self.count();
        self.branch(either, slow, fast);
        self.b.set_cold_block(slow);
        self.b.switch_to_block(slow);
        let words = self.int(words as i32);
        self.count_from(helper::open as *const u8, &[words]);
        self.jump(opened, &[]);
        self.b.switch_to_block(fast);
        let deeper = self.b.ins().iadd_imm_s(depth, 1);
        self.set_state_word(header::DEPTH, deeper);
        self.set_top(top);
        self.set_base(base);
        self.jump(opened, &[]);
        self.b.switch_to_block(opened);
        Some(())
    }

    /// Stores the number of words on the stack.
    pub fn set_top(&mut self, top: Value) {
        self.set_part(top, at(offset_of!(Context, frames.len)));
        let place = self.part(types::I64, at(offset_of!(Context, frames.top)));
        self.store(top, place, 0);
    }

    /// Stores where the running frame begins.
    fn set_base(&mut self, base: Value) {
        self.set_part(base, at(offset_of!(Context, frames.base)));
        let stack = self.part(types::I64, at(offset_of!(Context, frames.words)));
        let bytes = self.b.ins().ishl_imm_u(base, 2);
        let frame = self.b.ins().iadd(stack, bytes);
        self.set_part(frame, at(offset_of!(Context, frames.frame)));
        let base = self.b.ins().ireduce(types::I32, base);
        self.set_state_word(header::BASE, base);
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
        let [enter, nothing] = self.blocks();
        let means = self.is(IntCC::SignedGreaterThanOrEqual, effect, 0);
        self.count();
        self.branch(means, enter, nothing);
        self.b.switch_to_block(enter);
        let return_to = self.int(place as i32 + 1);
        let entry = self.count_from(helper::enter as *const u8, &[effect, return_to]);
        self.enter_with(values, entry);
        self.b.switch_to_block(nothing);
        Some(self.go_on(place, place + 1))
    }

    /// Returns the values of arguments, all of which must be single values, for a frame with this many slots.
    pub fn arguments(&mut self, args: ArgsId, slots: usize) -> Option<Vec<Value>> {
        let args = self.program.code.args.get(args as usize)?;
        let exprs = args.iter().map(|arg| match *arg {
            Arg::Value(expr) => Some(expr),
            Arg::List(_) => None,
        });
        let exprs: Vec<_> = exprs.collect::<Option<_>>()?;
        let fit = exprs.len() <= slots;
        fit.then(|| exprs.into_iter().map(|expr| self.word_of(expr)).collect())
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
        if let Some(inlined) = self.inlining.effects.last() {
            let after = inlined.after;
            self.count();
            self.jump(after, &[]);
            return Vec::new();
        }
        let [slow, fast] = self.blocks();
        let frame = self.frame();
        let return_to = self.load(types::I32, frame, offset(RETURN_TO));
        // No caller: this is the first effect, or the effect of a what-if.
        let is_special = self.is(IntCC::SignedLessThan, return_to, 0);
        self.count();
        self.branch(is_special, slow, fast);
        self.b.switch_to_block(fast);
        let caller = self.load(types::I32, frame, offset(CALLER));
        let caller = self.at_least_zero(caller);
        let caller = self.b.ins().uextend(types::I64, caller);
        let top = self.part(types::I64, at(offset_of!(Context, frames.base)));
        self.set_top(top);
        self.set_base(caller);
        let depth = self.state_word(header::DEPTH);
        let depth = self.b.ins().iadd_imm_s(depth, -1);
        self.set_state_word(header::DEPTH, depth);
        self.leave_with(return_to);
        self.b.set_cold_block(slow);
        self.b.switch_to_block(slow);
        let next = self.call_helper(helper::leave as *const u8, &[], Some(types::I32));
        if let Some(next) = next {
            self.leave_with(next);
        }
        Vec::new()
    }
}

/// An argument: a value, or the number of a buffer and how many members it has.
enum Passed {
    Value(Value),
    List(usize, Value),
}

/// The number of buffers that must be free for lists inside arguments.
const LISTS_LEFT: usize = 6;
