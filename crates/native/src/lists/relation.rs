//! Constant lists as bits: whether a value is in list number n is one look-up.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::emit::Translator;
use wyrmgate_program::{KeyedList, TableId};

impl Translator<'_> {
    /// Emits whether a value is in a constant list of numbers that are near each other.
    pub fn is_constant(&mut self, table: TableId, wanted: Value) -> Option<Value> {
        let values = self.program.tables.get(table as usize)?;
        let (first, last) = (*values.iter().min()?, *values.iter().max()?);
        let width = i64::from(last) - i64::from(first) + 1;
        if width > u64::BITS.into() {
            return None;
        }
        let bits = values.iter().fold(0, |bits, value| {
            bits | 1_u64 << (i64::from(*value) - i64::from(first))
        });
        let number = self.b.ins().iadd_imm_s(wanted, -i64::from(first));
        let is_near = self.is(IntCC::UnsignedLessThan, number, width);
        // The shift uses only the lowest six bits of the number.
        let bits = self.long(bits);
        let bit = self.b.ins().ushr(bits, number);
        let bit = self.b.ins().band_imm_u(bit, 1);
        let has = self.b.ins().ireduce(types::I8, bit);
        Some(self.b.ins().band(has, is_near))
    }

    /// Emits whether a value is in the list with a number.
    pub fn is_related(&mut self, list: KeyedList, wanted: Value) -> Option<Value> {
        let relation = self.facts.relations.get(&(list.starts, list.members))?;
        let number = self.word_of(list.value);
        let number = self.b.ins().iadd_imm_s(number, -i64::from(list.low));
        let value = self.b.ins().iadd_imm_s(wanted, -i64::from(relation.first));
        let is_list = self.is(IntCC::UnsignedLessThan, number, relation.lists.into());
        let is_value = self.is(IntCC::UnsignedLessThan, value, relation.width.into());
        let is_both = self.b.ins().band(is_list, is_value);
        let none = self.int(0);
        let row = self.b.ins().select(is_list, number, none);
        let value = self.b.ins().select(is_value, value, none);
        let words = i64::from(relation.width.div_ceil(u64::BITS));
        let row = self.b.ins().uextend(types::I64, row);
        let value = self.b.ins().uextend(types::I64, value);
        let mut word = self.b.ins().imul_imm_s(row, words);
        if words > 1 {
            let column = self.b.ins().ushr_imm_u(value, i64::from(u64::BITS.ilog2()));
            word = self.b.ins().iadd(word, column);
        }
        let bytes = self.b.ins().imul_imm_s(word, size_of::<u64>() as i64);
        let first = self.pointer(relation.words.as_ptr());
        let place = self.b.ins().iadd(first, bytes);
        let word = self.load(types::I64, place, 0);
        let bit = self.b.ins().ushr(word, value);
        let bit = self.b.ins().band_imm_u(bit, 1);
        let has = self.b.ins().ireduce(types::I8, bit);
        Some(self.b.ins().band(has, is_both))
    }
}
