//! Expressions that depend on one name or member: inside of two loops or more, the same member comes again and again, so the
//! value for each small number, seat, component or zone is remembered while choices are recorded.
//!
//! A remembered value counts as much work as finding it did, as in the interpreter, which evaluates it again.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, Value, types};

use crate::reuse::invariant::asks_one;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use crate::translator::reuse::ReusedValues;
use wyrmgate_program::ExprId;

/// The maximum number of expressions whose values are remembered at a decision.
const TABLES_MAX: usize = 8;

/// The number of values of the name for which results are remembered, from 0 on: one bit of a word each.
const MEMBERS: u32 = u64::BITS;

/// An entry: a value, and the work that finding it took. The last one belongs to all other values of the name.
const ENTRY: u32 = 16;
const WORK_AT: i32 = 8;

/// The number of loops around an expression that make it likely that a member occurs again.
const LOOPS: u32 = 2;

impl Translator<'_> {
    /// Forgets all values, because choices are about to be recorded.
    pub fn begin_remembering(&mut self) {
        self.begin_position();
        self.reuse.is_looking = true;
        for number in 0..TABLES_MAX {
            let known = self.b.declare_var(types::I64);
            let none = self.long(0);
            self.b.def_var(known, none);
            self.reuse.tables.push(ReusedValues {
                expr: None,
                known,
                number,
            });
        }
    }

    pub fn end_remembering(&mut self) {
        self.reuse.tables.clear();
        self.reuse.is_looking = false;
    }

    /// Emits the value of an expression that is evaluated once for each member; `None` if it is not.
    pub fn once_each(&mut self, expr: ExprId) -> Option<ScalarValue> {
        if self.reuse.supposes || self.reuse.scope.supposed > 0 || self.reuse.nested < LOOPS {
            return None;
        }
        let Some(ScalarValue::Word(member)) = self.temp(asks_one(self.program, expr)?) else {
            return None;
        };
        let table = self.table_of(expr)?;
        let is_small = self.is(IntCC::UnsignedLessThan, member, i64::from(MEMBERS));
        let known = self.b.use_var(table.known);
        // The shift uses only the lowest six bits of the member.
        let is_known = self.b.ins().ushr(known, member);
        let is_known = self.b.ins().ireduce(types::I8, is_known);
        let is_known = self.b.ins().band(is_known, is_small);
        let entry = self.entry_of(table, member);
        let value = self.value_with_work(
            is_known,
            |t| {
                (
                    t.load(types::I32, entry, 0),
                    t.load(types::I64, entry, WORK_AT),
                )
            },
            |t| t.evaluated_inside(expr),
            |t, value, work| {
                t.store(value, entry, 0);
                t.store(work, entry, WORK_AT);
                let is_small = t.b.ins().uextend(types::I64, is_small);
                let bit = t.b.ins().ishl(is_small, member);
                let known = t.b.use_var(table.known);
                let known = t.b.ins().bor(known, bit);
                t.b.def_var(table.known, known);
            },
        );
        Some(value)
    }

    /// Evaluates an expression for a member, as if there were no loops around it.
    fn evaluated_inside(&mut self, expr: ExprId) -> Value {
        let nested = std::mem::take(&mut self.reuse.nested);
        let value = self.evaluated(expr);
        self.reuse.nested = nested;
        self.word(value)
    }

    fn table_of(&mut self, expr: ExprId) -> Option<ReusedValues> {
        let mut tables = self.reuse.tables.iter_mut();
        let table = tables.find(|table| table.expr.is_none_or(|of| of == expr))?;
        table.expr = Some(expr);
        Some(*table)
    }

    /// Returns the address of the entry for a member on the native stack.
    fn entry_of(&mut self, table: ReusedValues, member: Value) -> Value {
        let slot = self.slot_of(table);
        let first = self.b.ins().stack_addr(types::I64, slot, 0);
        let last = self.int(MEMBERS as i32);
        let place = self.b.ins().umin(member, last);
        let place = self.b.ins().uextend(types::I64, place);
        let place = self.b.ins().imul_imm_s(place, i64::from(ENTRY));
        self.b.ins().iadd(first, place)
    }

    fn slot_of(&mut self, table: ReusedValues) -> StackSlot {
        if let Some(slot) = self.reuse.table_slots.get(table.number) {
            return *slot;
        }
        let size = (MEMBERS + 1) * ENTRY;
        let slot = self.native_memory(size, ENTRY);
        self.reuse.table_slots.push(slot);
        slot
    }
}
