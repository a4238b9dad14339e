//! Lists in which many values are looked for, as marks: one byte for each value that the list may contain, on the native stack.

use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::searches::search::{CLEARED, MARKS_MAX};
use crate::translator::cycle::Body;
use crate::translator::emit::Translator;
use crate::translator::searching::VisitOrder;
use wyrmgate_program::{NONE, SetId, range_of_members};

/// The marks of the values from a first one on, which is 0 or NONE, and behind them one for all other values.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    at: Value,
    first: i32,
    count: u32,
}

impl<'t> Translator<'t> {
    /// Walks a list once, in any order, and marks its members; `None` if there may be other members than small numbers. The
    /// memory of the marks is in use until [`Translator::each_unmarked`] has ended.
    pub fn marked(&mut self, list: SetId) -> Option<Marks> {
        let (first, count) = self.values_to_mark(list)?;
        let at = self.unmarked(count);
        let marks = Marks { at, first, count };
        self.searches.running += 1;
        self.searches.order = VisitOrder::Any;
        self.each(list, &[], &mut |t, member, _| {
            let place = t.mark_at(marks, member);
            let is_in = t.b.ins().iconst(types::I8, 1);
            t.b.ins().store(t.regions.searches, is_in, place, 0);
            (Vec::new(), None)
        });
        Some(marks)
    }

    /// Iterates over the members of a list that are not marked.
    pub fn each_unmarked(
        &mut self,
        of: SetId,
        marks: Marks,
        order: VisitOrder,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Vec<Value> {
        self.searches.order = order;
        let made = self.each(of, made, &mut |t, member, made| {
            t.counts.work += 1;
            let place = t.mark_at(marks, member);
            let is_in = t.b.ins().load(types::I8, t.regions.searches, place, 0);
            let stays = t.opposite(is_in);
            t.where_flag(stays, member, made, body)
        });
        self.searches.running -= 1;
        made
    }

    /// Returns the first of the values that members of a list may have, and the number of values, if all can be marked.
    fn values_to_mark(&self, list: SetId) -> Option<(i32, u32)> {
        let (lowest, highest) = range_of_members(self.program, list, &[])?;
        let first = lowest.min(0);
        let count = u32::try_from(highest.checked_sub(first)?.checked_add(1)?).ok()?;
        (lowest >= NONE && count <= MARKS_MAX && self.can_walk(list)).then_some((first, count))
    }

    /// Emits the address of cleared marks that no running search uses: one for each of `count` values, and one for all other
    /// values.
    pub fn unmarked(&mut self, count: u32) -> Value {
        let bytes = (count + 1).next_multiple_of(CLEARED);
        let key = (self.searches.running, count);
        let slot = match self.searches.marked.get(&key) {
            Some(slot) => *slot,
            None => {
                let slot = self.native_memory(bytes, CLEARED);
                self.searches.marked.insert(key, slot);
                slot
            }
        };
        let at = self.b.ins().stack_addr(types::I64, slot, 0);
        self.clear_bytes(at, bytes);
        at
    }

    /// Emits the address of the mark of a value.
    fn mark_at(&mut self, marks: Marks, value: Value) -> Value {
        let number = match marks.first {
            0 => value,
            first => self.b.ins().iadd_imm_s(value, -i64::from(first)),
        };
        let place = match self.is_within(value, marks.first, marks.count) {
            true => number,
            false => {
                let outside = self.int(marks.count as i32);
                self.b.ins().umin(number, outside)
            }
        };
        let place = self.b.ins().uextend(types::I64, place);
        self.b.ins().iadd(marks.at, place)
    }
}
