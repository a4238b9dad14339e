//! Joined lists turned around. In `k in slides(m.square, ways[m.is_a], …)`, a line from a space in each of several
//! directions is asked for `k`. At most one direction leads from one space to another, so a constant table says which, and
//! only this line is asked, if its direction is among them. The same holds for `k in steps(m.square, ways)`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::facts::inverses::{Inverse, InverseTable};
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{NONE, SetId};

impl Translator<'_> {
    /// Emits whether a value is in a list of this form; `None` if it has another one.
    pub fn contains_by_inverse(&mut self, set: SetId, wanted: Value) -> Option<Value> {
        let facts = self.facts;
        let inverse = facts.inverses.by_set.get(&set)?;
        let table = facts.inverses.tables.get(inverse.table)?;
        self.counts.work += inverse.work;
        if inverse.list.is_some() {
            return Some(self.leads_to(inverse, table, wanted));
        }
        // Of what leads nowhere, the table says nothing.
        let is_some = self.is(IntCC::SignedGreaterThan, wanted, NONE.into());
        let found = self.flag_by(
            is_some,
            |t| t.leads_to(inverse, table, wanted),
            |t| t.contains_walking(set, wanted),
        );
        Some(self.flag(found))
    }

    fn leads_to(&mut self, inverse: &Inverse, table: &InverseTable, wanted: Value) -> Value {
        let row = self.word_of(inverse.row);
        let row = self.b.ins().iadd_imm_s(row, -i64::from(table.first_row));
        let first = -i64::from(table.first_value);
        let column = self.b.ins().iadd_imm_s(wanted, first);
        let is_row = self.is(IntCC::UnsignedLessThan, row, table.rows.into());
        let is_value = self.is(IntCC::UnsignedLessThan, column, table.values.into());
        let is_both = self.b.ins().band(is_row, is_value);
        let none = self.int(0);
        let place = self.b.ins().imul_imm_s(row, i64::from(table.values));
        let place = self.b.ins().iadd(place, column);
        let place = self.b.ins().select(is_both, place, none);
        let place = self.b.ins().uextend(types::I64, place);
        let entries = self.pointer(table.members.as_ptr());
        let place = self.b.ins().iadd(entries, place);
        let member = self.load(types::I8, place, 0);
        let leads = self.is(IntCC::NotEqual, member, 0);
        let leads = self.b.ins().band(leads, is_both);
        let member = self.b.ins().uextend(types::I32, member);
        let before = i64::from(table.before_members);
        let member = self.b.ins().iadd_imm_s(member, before);
        self.and_then(leads, |t| {
            let is_member = t.contains_value(inverse.of, member);
            let Some(list) = inverse.list else {
                return is_member;
            };
            t.and_then(is_member, |t| {
                t.set_temp(inverse.temp, ScalarValue::Word(member));
                t.contains_value(list, wanted)
            })
        })
    }
}
