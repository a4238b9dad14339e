//! Lists on the stack, above the slots of the running frame, and operations on whole lists.

use std::mem::offset_of;
use std::ops::RangeInclusive;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::lists::list_helper;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at, offset};
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_program::{Expr, ExprId, Local, Program, SEATS_MAX, Set, SetId};

/// The maximum number of known numbers in a list that a loop does not read.
const NUMBERS_MAX: i32 = 128;

impl Translator<'_> {
    /// Emits the number of words of the stack that belong to the running frame, in 64 bits.
    fn height(&mut self) -> Value {
        let frame = self.frame();
        let stack = self.part(types::I64, at(offset_of!(Context, frames.words)));
        let len = self.part(types::I64, at(offset_of!(Context, frames.len)));
        let below = self.b.ins().isub(frame, stack);
        let below = self.b.ins().ushr_imm_u(below, 2);
        self.b.ins().isub(len, below)
    }

    pub fn mark(&mut self, local: Local) -> Option<()> {
        self.has_slot(local)?;
        if self.inlining.is_inside() {
            return Some(());
        }
        let height = self.height();
        let height = self.b.ins().ireduce(types::I32, height);
        self.set_local(local, height)
    }

    pub fn release(&mut self, local: Local) -> Option<()> {
        self.has_slot(local)?;
        if self.inlining.is_inside() {
            return Some(());
        }
        let wanted = self.local_word(local);
        let wanted = self.b.ins().sextend(types::I64, wanted);
        // Never below the slots of the frame.
        let lowest = FRAME_HEADER as u64 + u64::from(self.flow.effect.slots);
        let lowest = self.long(lowest);
        let wanted = self.b.ins().smax(wanted, lowest);
        let height = self.height();
        let above = self.b.ins().isub(height, wanted);
        let too_high = self.is(IntCC::SignedGreaterThan, above, 0);
        self.run_if(too_high, |t| {
            let len = t.part(types::I64, at(offset_of!(Context, frames.len)));
            let len = t.b.ins().isub(len, above);
            t.set_top(len);
        });
        Some(())
    }

    pub fn let_list(&mut self, local: Local, set: SetId) -> Option<()> {
        self.has_slot(local.checked_add(1)?)?;
        if self.inlining.is_inside() {
            return self.let_inline_list(local, set);
        }
        let number = self.open_buffer();
        let count = self.gather_list(set, number);
        self.close_buffer();
        let place = self.push(number, count)?;
        self.set_local(local, place)?;
        self.set_local(local + 1, count)
    }

    /// Pushes this many members of a buffer on the stack; returns their distance from the running frame.
    pub fn push(&mut self, number: usize, count: Value) -> Option<Value> {
        let height = self.height();
        let distance = self.b.ins().ireduce(types::I32, height);
        let len = self.part(types::I64, at(offset_of!(Context, frames.len)));
        let more = self.b.ins().uextend(types::I64, count);
        let top = self.b.ins().iadd(len, more);
        let room = self.part(types::I64, at(offset_of!(Context, frames.room)));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, top, room);
        let [slow, fast, after] = self.blocks();
        self.count();
        self.branch(full, slow, fast);
        self.b.set_cold_block(slow);
        self.b.switch_to_block(slow);
        let buffer = self.int(number as i32);
        self.count_from(list_helper::push as *const u8, &[buffer, count]);
        self.jump(after, &[]);
        self.b.switch_to_block(fast);
        let stack = self.part(types::I64, at(offset_of!(Context, frames.words)));
        let bytes = self.b.ins().ishl_imm_u(len, 2);
        let to = self.b.ins().iadd(stack, bytes);
        let (first, end) = self.ends_of(number, count);
        let shift = self.b.ins().isub(to, first);
        self.copy(first, end, shift);
        self.set_top(top);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
        Some(distance)
    }

    /// Copies words to addresses that are this many bytes higher.
    fn copy(&mut self, first: Value, end: Value, by: Value) {
        let [head, inside, after] = self.blocks();
        let from = self.b.append_block_param(head, types::I64);
        self.jump(head, &[BlockArg::Value(first)]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, from, end);
        self.branch(more, inside, after);
        self.b.switch_to_block(inside);
        let member = self.load(types::I32, from, 0);
        let to = self.b.ins().iadd(from, by);
        self.store(member, to, 0);
        let next = self.b.ins().iadd_imm_s(from, i64::from(offset(1)));
        self.jump(head, &[BlockArg::Value(next)]);
        self.b.switch_to_block(after);
    }

    /// Emits the list of a slot of the running frame, from one address to another: empty beyond the top.
    pub fn frame_list(&mut self, local: Local) -> Option<(Value, Value)> {
        self.has_slot(local.checked_add(1)?)?;
        if self.inlining.is_inside() {
            return Some(self.inline_list(local));
        }
        let (first, count) = (self.local_word(local), self.local_word(local + 1));
        Some(self.on_stack(first, count))
    }

    /// Emits the list that a seat has chosen.
    pub fn frame_list_of(&mut self, base: Local, seat: ExprId) -> Option<(Value, Value)> {
        self.has_slot(base.checked_add(2 * SEATS_MAX as Local - 1)?)?;
        let seat = self.word_of(seat);
        let number = self.b.ins().ishl_imm_u(seat, 1);
        let frame = self.frame();
        let slots = i64::from(offset(FRAME_HEADER + usize::from(base)));
        let slots = self.b.ins().iadd_imm_s(frame, slots);
        let is_seat = self.is(IntCC::UnsignedLessThan, seat, SEATS_MAX as i64);
        let zero = self.int(0);
        let number = self.b.ins().select(is_seat, number, zero);
        let place = self.place(slots, number);
        let first = self.load(types::I32, place, 0);
        let count = self.load(types::I32, place, offset(1));
        let count = self.b.ins().select(is_seat, count, zero);
        Some(self.on_stack(first, count))
    }

    fn on_stack(&mut self, first: Value, count: Value) -> (Value, Value) {
        let zero = self.int(0);
        let first = self.b.ins().smax(first, zero);
        let count = self.b.ins().smax(count, zero);
        let stack = self.part(types::I64, at(offset_of!(Context, frames.words)));
        let len = self.part(types::I64, at(offset_of!(Context, frames.len)));
        let bytes = self.b.ins().ishl_imm_u(len, 2);
        let top = self.b.ins().iadd(stack, bytes);
        let frame = self.frame();
        let first = self.place(frame, first);
        let first = self.b.ins().umin(first, top);
        let end = self.place(first, count);
        (first, self.b.ins().umin(end, top))
    }

    // ---- operations on whole lists

    pub fn roll_all(&mut self, dice: SetId) -> Option<()> {
        let number = self.open_buffer();
        let count = self.gather_list(dice, number);
        self.close_buffer();
        self.spend(count);
        self.counts.new_events += 1;
        let number = self.int(number as i32);
        self.call_helper(list_helper::roll_all as *const u8, &[number, count], None);
        Some(())
    }
}

/// Returns the members of a list of a few numbers that are known, one after the other, such as the seats.
pub(crate) fn few_numbers(program: &Program, set: SetId) -> Option<RangeInclusive<i32>> {
    let Set::Range(low, high) = *program.sets.get(set as usize)? else {
        return None;
    };
    let known = |id: ExprId| match program.exprs.get(id as usize) {
        Some(&Expr::Const(number)) => Some(number),
        _ => None,
    };
    let (low, high) = (known(low)?, known(high)?);
    let is_short = high.checked_sub(low)? < NUMBERS_MAX;
    is_short.then_some(low..=high)
}
