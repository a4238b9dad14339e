//! What is asked of whole masks: the lowest member, the longest line.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use super::bits::is_wide;
use super::emit::{Scalar, Translator};
use crate::program::{Bits, ExprId, LinesId, MaskId};

impl Translator<'_> {
    pub fn first_bit(&mut self, mask: MaskId, default: i32) -> Option<Scalar> {
        let domain = self.program.masks.get(mask as usize)?.domain;
        let bits = self.members(mask)?;
        let any = self.any(bits);
        let number = self.lowest(bits);
        let member = self.member(domain, number);
        let default = self.int(default);
        Some(Scalar::Word(self.b.ins().select(any, member, default)))
    }

    /// The length of the longest line of spaces of the mask through one of them; see [`crate::program::Lines`].
    pub fn line_of_bits(&mut self, zone: ExprId, of: MaskId, lines: LinesId) -> Option<Scalar> {
        let lines = *self.program.lines.get(usize::from(lines))?;
        let domain = self.program.masks.get(of as usize)?.domain;
        if is_wide(domain) || lines.ways.iter().any(|(by, _)| *by >= 64) {
            return None;
        }
        let zone = self.value(zone);
        let zone = self.word(zone);
        let bits = self.members(of)?.low;
        let number = self.b.ins().iadd_imm_s(zone, -i64::from(domain.first));
        let inside = self.is(IntCC::UnsignedLessThan, number, i64::from(domain.len));
        let number = self.b.ins().uextend(types::I64, number);
        let one = self.b.ins().uextend(types::I64, inside);
        let start = self.b.ins().ishl(one, number);
        let start = self.b.ins().band(start, bits);
        let is_in = self.is(IntCC::NotEqual, start, 0);
        let mut longest = self.b.ins().uextend(types::I32, is_in);
        for (by, from) in lines.ways {
            let from = (from & Bits::from(u64::MAX)) as u64;
            let from = self.long(from);
            // Where a step may begin upwards, and where one may end downwards.
            let inner = self.b.ins().band(bits, from);
            let up = self.steps(start, from, bits, i64::from(by));
            let down = self.steps_back(start, inner, i64::from(by));
            let length = self.b.ins().iadd(up, down);
            let length = self.b.ins().iadd_imm_s(length, 1);
            longest = self.b.ins().smax(longest, length);
        }
        let nothing = self.int(0);
        Some(Scalar::Word(self.b.ins().select(is_in, longest, nothing)))
    }

    pub fn steps(&mut self, start: Value, from: Value, bits: Value, by: i64) -> Value {
        self.steps_by(start, |t, at| {
            let leaving = t.b.ins().band(at, from);
            let moved = t.b.ins().ishl_imm_u(leaving, by);
            t.b.ins().band(moved, bits)
        })
    }

    pub fn steps_back(&mut self, start: Value, inner: Value, by: i64) -> Value {
        self.steps_by(start, |t, at| {
            let moved = t.b.ins().ushr_imm_u(at, by);
            t.b.ins().band(moved, inner)
        })
    }

    /// How many steps can be taken.
    pub fn steps_by(&mut self, start: Value, step: impl Fn(&mut Self, Value) -> Value) -> Value {
        let (head, after) = (self.b.create_block(), self.b.create_block());
        let place = self.b.append_block_param(head, types::I64);
        let taken = self.b.append_block_param(head, types::I32);
        let none = self.int(0);
        self.jump(head, &[BlockArg::Value(start), BlockArg::Value(none)]);
        self.b.switch_to_block(head);
        let next = step(self, place);
        let more = self.b.ins().iadd_imm_s(taken, 1);
        let again = [BlockArg::Value(next), BlockArg::Value(more)];
        let goes_on = self.is(IntCC::NotEqual, next, 0);
        self.b.ins().brif(goes_on, head, &again, after, &[]);
        self.b.switch_to_block(after);
        taken
    }
}
