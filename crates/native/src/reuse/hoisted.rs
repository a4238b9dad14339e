//! Small parts of a condition that are the same for all members of a list, such as `left(active)`: each is evaluated
//! before the loop, because that takes less time than testing whether it is known. Only parts that cannot fail are. For
//! larger parts, see `invariant.rs`.

use cranelift_codegen::ir::{InstBuilder, StackSlot, Value, types};

use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use crate::translator::reuse::Hoisted;
use wyrmgate_program::{Expr, ExprId, Program};

/// The maximum number of such parts of one loop.
const OF_LOOP_MAX: usize = 4;

/// Parts with fewer operations are evaluated again.
const STEPS: u32 = 3;

const BYTES: u32 = size_of::<i32>() as u32;

impl Translator<'_> {
    /// Evaluates parts before a loop; returns the number of hoisted parts before.
    pub fn hoist(&mut self, parts: &[ExprId]) -> usize {
        let before = self.reuse.hoisted.len();
        for expr in parts.iter().copied().take(OF_LOOP_MAX) {
            if self.hoisted_part(expr).is_none() && self.knows_temps(expr) {
                let value = self.word_of(expr);
                let slot = self.keep_on_stack(value);
                self.reuse.hoisted.push(Hoisted {
                    expr,
                    scope: self.reuse.scope,
                    slot,
                });
            }
        }
        before
    }

    /// Stores a value on the native stack. Otherwise Cranelift would evaluate it again in the loop, to save a register.
    fn keep_on_stack(&mut self, value: Value) -> StackSlot {
        let slot = self.native_memory(BYTES, BYTES);
        let place = self.b.ins().stack_addr(types::I64, slot, 0);
        self.b.ins().store(self.regions.searches, value, place, 0);
        slot
    }

    fn hoisted_part(&self, expr: ExprId) -> Option<Hoisted> {
        let mut all = self.reuse.hoisted.iter();
        all.find(|part| part.expr == expr && part.scope == self.reuse.scope)
            .copied()
    }

    /// Emits the value of a part that was evaluated before the loop.
    pub fn hoisted_value(&mut self, expr: ExprId) -> Option<ScalarValue> {
        let slot = self.hoisted_part(expr)?.slot;
        let place = self.b.ins().stack_addr(types::I64, slot, 0);
        let flags = self.regions.searches;
        let value = self.b.ins().load(types::I32, flags, place, 0);
        Some(ScalarValue::Word(value))
    }

    /// Returns whether the temps of a small part are bound outside of the loop.
    fn knows_temps(&self, expr: ExprId) -> bool {
        match self.program.exprs.get(expr as usize) {
            Some(&Expr::Temp(temp)) => self.temp(temp).is_some(),
            Some(
                &(Expr::SeatAfter { seat: of, .. }
                | Expr::Table { index: of, .. }
                | Expr::WordAt { index: of, .. }
                | Expr::ZoneIn { zone: of, .. }
                | Expr::ZoneOf(of)
                | Expr::Not(of)),
            ) => self.knows_temps(of),
            _ => true,
        }
    }
}

/// Returns whether a part takes several steps, none of which can fail.
pub(crate) fn is_worth_hoisting(program: &Program, expr: ExprId) -> bool {
    steps_of(program, expr).is_some_and(|steps| steps >= STEPS)
}

fn steps_of(program: &Program, expr: ExprId) -> Option<u32> {
    let after = |of| Some(1 + steps_of(program, of)?);
    match *program.exprs.get(expr as usize)? {
        Expr::Const(_) | Expr::Temp(_) | Expr::Word(_) => Some(1),
        Expr::SeatAfter { seat, .. } => Some(1 + after(seat)?),
        Expr::Table { index, .. } | Expr::WordAt { index, .. } => after(index),
        // Where a component lies stays the same while a loop asks: what-ifs inside of it have a scope of their own.
        Expr::ZoneIn { zone: of, .. } | Expr::ZoneOf(of) | Expr::Not(of) => after(of),
        _ => None,
    }
}
