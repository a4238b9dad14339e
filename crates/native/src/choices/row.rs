//! Rows of choices, stored where the driver reads them; see [`crate::memory::row::ChoiceRow`].

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::choices::noting::Noting;
use crate::masks::bits::MaskBits;
use crate::memory::context::Context;
use crate::memory::row::{BITS, ChoiceRow, LISTED, PREFIX_MAX};
use crate::translator::emit::{Translator, at, offset};
use wyrmgate_program::MaskId;

impl Translator<'_> {
    /// Records the first names and one of the members of a mask; returns whether there are any.
    pub fn put_row_of_mask(
        &mut self,
        noting: Noting<'_>,
        names: &[Value],
        mask: MaskId,
        bits: MaskBits,
    ) -> Option<Value> {
        let first = self.program.masks.get(mask as usize)?.domain.first;
        let first = self.int(first);
        let count = self.count_of(bits);
        let count = self.b.ins().uextend(types::I64, count);
        self.put_row(noting, names, first, BITS, bits, count)
    }

    /// Records the first names and one of the members that were just listed; returns whether there are any. The next ones
    /// follow.
    pub fn put_row_of_list(
        &mut self,
        noting: Noting<'_>,
        names: &[Value],
        count: Value,
    ) -> Option<Value> {
        let low = self.part(types::I64, at(offset_of!(Context, rest.listed.next)));
        let end = self.place(low, count);
        self.set_part(end, at(offset_of!(Context, rest.listed.next)));
        let bits = MaskBits { low, high: None };
        let first = self.int(0);
        let count = self.b.ins().uextend(types::I64, count);
        self.put_row(noting, names, first, LISTED, bits, count)
    }

    /// Records the choice that consists of the names themselves, if it is open; returns whether it is.
    pub fn put_row_of_one(
        &mut self,
        noting: Noting<'_>,
        names: &[Value],
        passes: Value,
    ) -> Option<Value> {
        let (first, before) = match names.split_last() {
            Some((last, before)) => (*last, before),
            None => (self.int(0), names),
        };
        let one = self.b.ins().uextend(types::I64, passes);
        let bits = MaskBits {
            low: one,
            high: None,
        };
        self.put_row(noting, before, first, BITS, bits, one)
    }

    /// Writes the next row, and moves past it if it contains choices.
    fn put_row(
        &mut self,
        noting: Noting<'_>,
        names: &[Value],
        first: Value,
        form: i32,
        bits: MaskBits,
        count: Value,
    ) -> Option<Value> {
        if names.len() > PREFIX_MAX {
            return None;
        }
        let row = self.part(types::I64, at(offset_of!(Context, rest.rows.next)));
        let last = self.part(types::I64, at(offset_of!(Context, rest.rows.last)));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, row, last);
        self.refuse(full);
        let before = self.part(types::I64, at(offset_of!(Context, rest.choices)));
        let end = self.b.ins().iadd(before, count);
        self.set_part(end, at(offset_of!(Context, rest.choices)));
        self.store(end, row, at(offset_of!(ChoiceRow, end)));
        self.store(bits.low, row, at(offset_of!(ChoiceRow, low)));
        let zero = self.long(0);
        let high = bits.high.unwrap_or(zero);
        self.store(high, row, at(offset_of!(ChoiceRow, high)));
        self.store(first, row, at(offset_of!(ChoiceRow, first)));
        let form = self.int(form);
        self.store(form, row, at(offset_of!(ChoiceRow, form)));
        let option = self.int(noting.number);
        self.store(option, row, at(offset_of!(ChoiceRow, option)));
        for (number, name) in names.iter().enumerate() {
            self.store(
                *name,
                row,
                at(offset_of!(ChoiceRow, names)) + offset(number),
            );
        }
        let any = self.is(IntCC::NotEqual, count, 0);
        let next = self.b.ins().iadd_imm_s(row, size_of::<ChoiceRow>() as i64);
        let next = self.b.ins().select(any, next, row);
        self.set_part(next, at(offset_of!(Context, rest.rows.next)));
        Some(any)
    }
}
