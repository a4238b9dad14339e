//! Lists in which many values are looked up: their members are marked in bytes on the native stack, so that looking for a value
//! needs no walk.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types};

use crate::function::cycle::value_of;
use crate::function::emit::Translator;
use wyrmgate_program::{
    Expr, ExprId, Mask, MaskId, NONE, Node, Operation, Part, Program, QueryId, Set, SetId, Temp,
};

/// The maximum number of values that can be marked.
const MARKS_MAX: u32 = 1_000;

/// Bytes that are cleared at once.
const CLEARED: u32 = 16;

/// The maximum number of marked lists in the code of one function.
const LISTS_MAX: usize = 12;

/// The maximum nesting of expressions that are examined.
const DEEPEST: u32 = 16;

/// A list whose members are marked.
#[derive(Clone, Copy)]
pub(crate) struct Marked {
    /// The address of the first member, which identifies the list.
    first: Value,
    marks: Value,
    /// Whether all members are marked. Otherwise the list must be walked.
    is_whole: Value,
    bound: u32,
}

impl Translator<'_> {
    /// Marks the members of a list if a loop in the part to which it is bound looks up values in it.
    pub fn mark_members(&mut self, (first, end): (Value, Value), temp: Temp, within: Part) {
        let looks = LooksUp {
            program: self.program,
        };
        if looks.in_part(within, temp, false, DEEPEST) {
            self.mark_all((first, end));
        }
    }

    /// Marks the members of a list, unless there are too many marks already.
    pub fn mark_all(&mut self, (first, end): (Value, Value)) {
        let things = self.layout.zones.max(self.layout.components);
        let Ok(bound) = u32::try_from(things) else {
            return;
        };
        if bound > MARKS_MAX
            || self.marks >= LISTS_MAX
            || self.marked.iter().any(|list| list.first == first)
        {
            return;
        }
        self.marks += 1;
        let marks = self.cleared_marks(bound);
        let yes = self.b.ins().iconst(types::I8, 1);
        let all = self.each_value((first, end), &[], &[yes], &mut |t, member, made| {
            let (place, is_known) = t.place_of_mark(marks, bound, member);
            let one = t.b.ins().iconst(types::I8, 1);
            let flags = t.regions.searches;
            t.b.ins().store(flags, one, place, 0);
            (vec![t.b.ins().band(value_of(made), is_known)], None)
        });
        self.marked.push(Marked {
            first,
            marks,
            is_whole: value_of(&all),
            bound,
        });
    }

    /// Emits whether a list whose members are marked contains a value; `None` if they are not marked.
    pub fn is_marked(&mut self, first: Value, set: SetId, wanted: Value) -> Option<Value> {
        let list = *self.marked.iter().rev().find(|list| list.first == first)?;
        let marked = |t: &mut Self| {
            let (place, is_known) = t.place_of_mark(list.marks, list.bound, wanted);
            let flags = t.regions.searches;
            let mark = t.b.ins().load(types::I8, flags, place, 0);
            t.b.ins().band(mark, is_known)
        };
        let found = self.flag_by(list.is_whole, marked, |t| t.contains_walking(set, wanted));
        Some(self.flag(found))
    }

    /// Returns cleared marks: one for each value below the bound, one for none, and one for all others.
    fn cleared_marks(&mut self, bound: u32) -> Value {
        let bytes = (bound + 2).next_multiple_of(CLEARED);
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, CLEARED.ilog2() as u8);
        let slot = self.b.create_sized_stack_slot(slot);
        let marks = self.b.ins().stack_addr(types::I64, slot, 0);
        let zero = self.b.ins().iconst(types::I8, 0);
        let none = self.b.ins().splat(types::I8X16, zero);
        let flags = self.regions.searches;
        for at in (0..bytes).step_by(CLEARED as usize) {
            self.b.ins().store(flags, none, marks, at as i32);
        }
        marks
    }

    /// Emits where a value is marked, and whether it can be.
    fn place_of_mark(&mut self, marks: Value, bound: u32, value: Value) -> (Value, Value) {
        let yes = self.b.ins().iconst(types::I8, 1);
        let (number, is_known) = match self.is_within(value, 0, bound) {
            true => (value, yes),
            false => {
                let inside = self.is(IntCC::UnsignedLessThan, value, i64::from(bound));
                let is_none = self.is(IntCC::Equal, value, i64::from(NONE));
                let (none, others) = (self.int(bound as i32), self.int(bound as i32 + 1));
                let outside = self.b.ins().select(is_none, none, others);
                let number = self.b.ins().select(inside, value, outside);
                (number, self.b.ins().bor(inside, is_none))
            }
        };
        let number = self.b.ins().uextend(types::I64, number);
        (self.b.ins().iadd(marks, number), is_known)
    }
}

/// Determines whether a loop looks up values in a list.
struct LooksUp<'p> {
    program: &'p Program,
}

impl LooksUp<'_> {
    fn in_part(&self, part: Part, list: Temp, in_loop: bool, deepest: u32) -> bool {
        let Some(deepest) = deepest.checked_sub(1) else {
            return false;
        };
        let Some(node) = self.program.node(part) else {
            return false;
        };
        let in_parts = |in_loop| {
            let mut parts = node.parts(self.program).into_iter();
            parts.any(|part| self.in_part(part, list, in_loop, deepest))
        };
        match node {
            Node::Expr(Expr::Contains(of, _)) if in_loop && self.is_list(of, list) => true,
            Node::Set(Set::Minus(_, without)) if self.is_list(without, list) => true,
            Node::Expr(Expr::Call { query, args }) | Node::Set(Set::Call { query, args }) => {
                self.in_call(query, args, list, in_loop, deepest)
            }
            Node::Expr(Expr::AnyBit(mask) | Expr::CountBits(mask) | Expr::FirstBit(mask, _))
            | Node::Set(Set::Bits(mask)) => self.in_mask(mask, list, deepest),
            Node::Expr(Expr::Let { .. } | Expr::LetList { .. })
            | Node::Set(Set::Let { .. } | Set::LetList { .. }) => in_parts(in_loop),
            Node::Expr(_) | Node::Set(_) => in_parts(in_loop || node.bound().is_some()),
        }
    }

    /// Returns whether a query looks up values in the list, which may be one of its arguments.
    fn in_call(
        &self,
        query: QueryId,
        args: ExprId,
        list: Temp,
        in_loop: bool,
        deepest: u32,
    ) -> bool {
        let Some(info) = self.program.queries.get(usize::from(query)) else {
            return false;
        };
        let (mut temp, mut arg) = (0, args);
        while temp < info.params {
            match self.program.exprs.get(arg as usize) {
                Some(&Expr::ListArgument(of)) => {
                    let body = info.body.part();
                    let is_it = self.is_list(of, list);
                    if is_it && self.in_part(body, temp, in_loop, deepest)
                        || self.in_part(Part::Set(of), list, in_loop, deepest)
                    {
                        return true;
                    }
                    temp += 2;
                }
                _ => {
                    if self.in_part(Part::Expr(arg), list, in_loop, deepest) {
                        return true;
                    }
                    temp += 1;
                }
            }
            arg += 1;
        }
        false
    }

    fn in_mask(&self, id: MaskId, list: Temp, deepest: u32) -> bool {
        let (Some(info), Some(deepest)) =
            (self.program.masks.get(id as usize), deepest.checked_sub(1))
        else {
            return false;
        };
        match info.mask {
            Mask::And(one, other) | Mask::Or(one, other) => {
                self.in_mask(one, list, deepest) || self.in_mask(other, list, deepest)
            }
            Mask::Not(of) | Mask::Shifted { of, .. } => self.in_mask(of, list, deepest),
            Mask::Each { condition, .. } => {
                self.in_part(Part::Expr(condition), list, true, deepest)
            }
            Mask::When(condition) => self.in_part(Part::Expr(condition), list, false, deepest),
            _ => false,
        }
    }

    fn is_list(&self, set: SetId, list: Temp) -> bool {
        matches!(self.program.sets.get(set as usize), Some(&Set::Temp(temp)) if temp == list)
    }
}
