//! Names and loops: slots of the running frame, and lists above them.

use std::mem::offset_of;
use std::ops::RangeInclusive;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::function::stack::few_numbers;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at, offset};
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_program::{Address, ExprId, Local, LoopStep, MemberChange, NONE, Op, Program};

impl Translator<'_> {
    pub fn set_local(&mut self, local: Local, value: Value) -> Option<()> {
        if u32::from(local) >= self.flow.effect.slots {
            return None;
        }
        if let Some(slot) = self.inlining.slot(local) {
            self.b.def_var(slot, value);
            return Some(());
        }
        let frame = self.frame();
        self.store(value, frame, offset(FRAME_HEADER + usize::from(local)));
        Some(())
    }

    pub fn has_slot(&self, local: Local) -> Option<()> {
        (u32::from(local) < self.flow.effect.slots).then_some(())
    }

    pub fn local_word(&mut self, local: Local) -> Value {
        if let Some(value) = self.inlining.argument(local) {
            return value;
        }
        if let Some(slot) = self.inlining.slot(local) {
            return self.b.use_var(slot);
        }
        let frame = self.frame();
        self.load(types::I32, frame, offset(FRAME_HEADER + usize::from(local)))
    }

    pub fn let_value(&mut self, local: Local, value: ExprId) -> Option<()> {
        self.has_slot(local)?;
        let value = self.word_of(value);
        self.set_local(local, value)
    }

    pub fn each_next(&mut self, at: Address, step: LoopStep) -> Option<Vec<Address>> {
        let (list, index) = (step.list, step.index);
        for local in [list.checked_add(1)?, index, step.var] {
            self.has_slot(local)?;
        }
        let numbers = numbers_of_loop(self.program, at, list, index);
        let passed = self.local_word(index);
        let (passed, more) = match &numbers {
            Some(numbers) => {
                let count = numbers.clone().count() as i64;
                (passed, self.is(IntCC::UnsignedLessThan, passed, count))
            }
            None => {
                let passed = self.at_least_zero(passed);
                let length = self.local_word(list + 1);
                let more = self.b.ins().icmp(IntCC::SignedLessThan, passed, length);
                (passed, more)
            }
        };
        let [inside, after] = self.blocks();
        self.count();
        self.branch(more, inside, after);
        self.b.switch_to_block(inside);
        let member = match numbers {
            Some(numbers) => self.b.ins().iadd_imm_s(passed, i64::from(*numbers.start())),
            None if !self.inlining.is_inside() => self.listed_member(list, passed),
            None => self.inline_member(list, passed),
        };
        let next = self.b.ins().iadd_imm_s(passed, 1);
        self.set_local(index, next)?;
        self.set_local(step.var, member)?;
        let mut leads = self.go_on(at, at + 1);
        self.b.switch_to_block(after);
        leads.extend(self.go_on(at, step.exit));
        Some(leads)
    }

    /// Emits a member of a list of the running frame.
    fn listed_member(&mut self, list: Local, number: Value) -> Value {
        let none = self.int(0);
        let first = self.local_word(list);
        let first = self.b.ins().smax(first, none);
        let first = self.b.ins().uextend(types::I64, first);
        let number = self.b.ins().uextend(types::I64, number);
        let place = self.b.ins().iadd(first, number);
        self.stack_word(place)
    }

    /// Sets a member of a list in the running frame, by its number; gives up if the list cannot have a member with it.
    pub fn set_member(&mut self, change: MemberChange) -> Option<()> {
        self.has_slot(change.list.checked_add(1)?)?;
        if self.inlining.is_inside() {
            return None;
        }
        let number = self.word_of(change.number);
        let value = self.word_of(change.value);
        let index = self.b.ins().iadd_imm_s(number, -1);
        let most = i64::from(change.most);
        let beyond = self.is(IntCC::UnsignedGreaterThanOrEqual, index, most);
        self.refuse(beyond);
        let none = self.int(0);
        let first = self.local_word(change.list);
        let first = self.b.ins().smax(first, none);
        let place = self.b.ins().iadd(first, index);
        let place = self.b.ins().uextend(types::I64, place);
        let (address, end) = self.stack_address(place);
        let order = IntCC::UnsignedGreaterThanOrEqual;
        let outside = self.b.ins().icmp(order, address, end);
        self.refuse(outside);
        self.store(value, address, 0);
        Some(())
    }

    /// Emits the address of a word of the stack at this distance above the base of the frame, and the end of the stack.
    fn stack_address(&mut self, place: Value) -> (Value, Value) {
        let frame = self.frame();
        let stack = self.part(types::I64, at(offset_of!(Context, frames.words)));
        let len = self.part(types::I64, at(offset_of!(Context, frames.len)));
        let bytes = self.b.ins().ishl_imm_u(len, 2);
        let end = self.b.ins().iadd(stack, bytes);
        let bytes = self.b.ins().ishl_imm_u(place, 2);
        (self.b.ins().iadd(frame, bytes), end)
    }

    /// Emits a word of the stack at this distance above the base of the frame: NONE beyond the top.
    pub fn stack_word(&mut self, place: Value) -> Value {
        let (address, end) = self.stack_address(place);
        let frame = self.frame();
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, address, end);
        let safe = self.b.ins().select(inside, address, frame);
        let found = self.load(types::I32, safe, 0);
        let none = self.int(NONE);
        self.b.ins().select(inside, found, none)
    }
}

/// Returns the members of the list that a loop goes through, if they are a few known numbers. The list is made just before
/// the loop, and nothing else has its slots.
fn numbers_of_loop(
    program: &Program,
    at: Address,
    list: Local,
    index: Local,
) -> Option<RangeInclusive<i32>> {
    let before = (at as usize).checked_sub(4)?..at as usize;
    match *program.code.ops.get(before)? {
        [
            Op::LetList(made, set),
            Op::Let(first, _),
            Op::Mark(_),
            Op::Release(_),
        ] if (made, first) == (list, index) => few_numbers(program, set),
        _ => None,
    }
}
