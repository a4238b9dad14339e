//! Parts of a condition that are the same for all members of a list: each is evaluated when it is first needed, and its
//! value is kept for the rest of the loop (lazy loop-invariant code motion).
//!
//! A part that is used again counts as much work as evaluating it did, as in the interpreter, which evaluates it again.

use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use crate::translator::reuse::Invariant;
use wyrmgate_program::{
    Expr, ExprId, Field, Mask, MaskId, Operation, Part, Program, QueryId, Temp,
};

/// The maximum number of such parts of one loop, and of all loops around a place.
const OF_LOOP_MAX: usize = 3;
const OPEN_MAX: usize = 6;

/// Parts with fewer operations are evaluated again.
const EXPENSIVE: u32 = 12;

/// The maximum nesting of expressions that are examined.
const DEEPEST: u32 = 20;

impl Translator<'_> {
    /// Emits a loop that binds a temp; parts of what it evaluates that do not depend on it are evaluated once.
    pub fn outside_of<T>(
        &mut self,
        temp: Temp,
        parts: &[Part],
        emit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let open = self.reuse.invariants.len();
        let mut found = Invariants {
            program: self.program,
            bound: vec![temp],
            found: Vec::new(),
        };
        for part in parts {
            found.visit(*part, DEEPEST);
        }
        let room = OF_LOOP_MAX.min(OPEN_MAX.saturating_sub(open));
        for expr in found.found.into_iter().take(room) {
            if self.kept_invariant(expr).is_none() {
                self.declare_invariant(expr);
            }
        }
        let emitted = emit(self);
        self.reuse.invariants.truncate(open);
        emitted
    }

    fn declare_invariant(&mut self, expr: ExprId) {
        let (is_known, value, work) = (
            self.b.declare_var(types::I8),
            self.b.declare_var(types::I32),
            self.b.declare_var(types::I64),
        );
        let no = self.b.ins().iconst(types::I8, 0);
        self.b.def_var(is_known, no);
        let none = self.int(0);
        self.b.def_var(value, none);
        let none = self.long(0);
        self.b.def_var(work, none);
        self.reuse.invariants.push(Invariant {
            expr,
            scope: self.reuse.scope,
            is_known,
            value,
            work,
        });
    }

    fn kept_invariant(&self, expr: ExprId) -> Option<Invariant> {
        let mut kept = self.reuse.invariants.iter();
        kept.find(|kept| kept.expr == expr && kept.scope == self.reuse.scope)
            .copied()
    }

    /// Emits the value of a part that is the same for all members; `None` if it is none.
    pub fn invariant(&mut self, expr: ExprId) -> Option<ScalarValue> {
        let kept = self.kept_invariant(expr)?;
        // This expression is being emitted, so it must not be looked up again.
        let open = std::mem::take(&mut self.reuse.invariants);
        let is_known = self.b.use_var(kept.is_known);
        let value = self.value_with_work(
            is_known,
            |t| (t.b.use_var(kept.value), t.b.use_var(kept.work)),
            |t| t.word_of(expr),
            |t, value, work| {
                t.b.def_var(kept.work, work);
                t.b.def_var(kept.value, value);
                let yes = t.b.ins().iconst(types::I8, 1);
                t.b.def_var(kept.is_known, yes);
            },
        );
        self.reuse.invariants = open;
        Some(value)
    }

    /// Emits a value that is computed once, and kept with the work that this took. Each further use counts the same work
    /// again.
    pub fn value_with_work(
        &mut self,
        is_known: Value,
        known: impl FnOnce(&mut Self) -> (Value, Value),
        find: impl FnOnce(&mut Self) -> Value,
        keep: impl FnOnce(&mut Self, Value, Value),
    ) -> ScalarValue {
        ScalarValue::Word(self.one_of(
            types::I32,
            is_known,
            |t| {
                let (value, work) = known(t);
                let left = t.b.use_var(t.counts.fuel);
                let left = t.b.ins().isub(left, work);
                t.b.def_var(t.counts.fuel, left);
                value
            },
            |t| {
                let before = t.b.use_var(t.counts.fuel);
                let value = find(t);
                t.count();
                let left = t.b.use_var(t.counts.fuel);
                let work = t.b.ins().isub(before, left);
                keep(t, value, work);
                value
            },
        ))
    }
}

/// Looks for the largest parts that do not depend on what loops bind.
struct Invariants<'p> {
    program: &'p Program,
    bound: Vec<Temp>,
    found: Vec<ExprId>,
}

impl Invariants<'_> {
    fn visit(&mut self, part: Part, deepest: u32) {
        let Some(deepest) = deepest.checked_sub(1) else {
            return;
        };
        let program = self.program;
        match part {
            Part::Expr(id) => {
                let Some(&expr) = program.exprs.get(id as usize) else {
                    return;
                };
                if matches!(expr, Expr::ListArgument(_)) {
                    return self.visit_fields(expr, deepest);
                }
                let mut needs = Needs::new(program);
                needs.of(part, deepest);
                if needs.is_free_of(&self.bound) {
                    if needs.is_expensive() && !self.found.contains(&id) {
                        self.found.push(id);
                    }
                } else if !matches!(expr, Expr::After { .. }) {
                    self.visit_fields(expr, deepest);
                }
            }
            Part::Set(id) => {
                if let Some(&set) = program.sets.get(id as usize)
                    && !matches!(set, wyrmgate_program::Set::After { .. })
                {
                    self.visit_fields(set, deepest);
                }
            }
        }
    }

    fn visit_mask(&mut self, id: MaskId, deepest: u32) {
        if let (Some(info), Some(deepest)) =
            (self.program.masks.get(id as usize), deepest.checked_sub(1))
        {
            self.visit_fields(info.mask, deepest);
        }
    }

    fn visit_fields<T: Operation>(&mut self, operation: T, deepest: u32) {
        let open = self.bound.len();
        let mut masks = Vec::new();
        operation.each_field(&mut |field| match field {
            Field::Bound(temp) | Field::BoundList(temp) => self.bound.push(*temp),
            Field::Mask(mask) => masks.push(*mask),
            _ => {}
        });
        for part in operation.parts(self.program) {
            self.visit(part, deepest);
        }
        for mask in masks {
            self.visit_mask(mask, deepest);
        }
        self.bound.truncate(open);
    }
}

/// The dependencies and the cost of a part.
struct Needs<'p> {
    program: &'p Program,
    /// Temps that are not bound inside of it.
    asked: Vec<Temp>,
    bound: Vec<Temp>,
    operations: u32,
    /// Whether it has loops or sets of bits.
    has_lists: bool,
    /// Whether it is nested too deeply, or has a what-if.
    is_unclear: bool,
}

impl<'p> Needs<'p> {
    fn new(program: &'p Program) -> Needs<'p> {
        Needs {
            program,
            asked: Vec::new(),
            bound: Vec::new(),
            operations: 0,
            has_lists: false,
            is_unclear: false,
        }
    }

    fn is_free_of(&self, bound: &[Temp]) -> bool {
        !self.is_unclear && !self.asked.iter().any(|temp| bound.contains(temp))
    }

    fn is_expensive(&self) -> bool {
        self.has_lists || self.operations >= EXPENSIVE
    }

    fn of(&mut self, part: Part, deepest: u32) {
        self.has_lists |= matches!(part, Part::Set(_));
        match self.program.node(part) {
            Some(node) => self.of_fields(node, deepest),
            None => self.is_unclear = true,
        }
    }

    fn of_mask(&mut self, id: MaskId, deepest: u32) {
        let before = (self.has_lists, self.operations);
        match self.program.masks.get(id as usize) {
            Some(info) => self.of_fields(info.mask, deepest),
            None => self.is_unclear = true,
        }
        match is_quick(self.program, id) {
            true => (self.has_lists, self.operations) = (before.0, before.1 + 1),
            false => self.has_lists = true,
        }
    }

    fn of_fields<T: Operation>(&mut self, operation: T, deepest: u32) {
        self.operations += 1;
        let Some(deepest) = deepest.checked_sub(1) else {
            self.is_unclear = true;
            return;
        };
        let open = self.bound.len();
        let (mut masks, mut queries, mut temps) = (Vec::new(), Vec::new(), Vec::new());
        operation.each_field(&mut |field| match field {
            Field::Temp(temp) | Field::ListTemp(temp) => temps.push(*temp),
            Field::Bound(temp) | Field::BoundList(temp) => self.bound.push(*temp),
            Field::Mask(mask) => masks.push(*mask),
            Field::Query(query) => queries.push(*query),
            Field::Dispatch(_) | Field::Supposed(_) => self.is_unclear = true,
            _ => {}
        });
        temps.retain(|temp| !self.bound.contains(temp));
        self.asked.extend(temps);
        for part in operation.parts(self.program) {
            self.of(part, deepest);
        }
        for mask in masks {
            self.of_mask(mask, deepest);
        }
        for query in queries {
            self.of_query(query, deepest);
        }
        self.bound.truncate(open);
    }

    /// Adds the cost of a query. Its body has temps of its own, so they are not dependencies.
    fn of_query(&mut self, query: QueryId, deepest: u32) {
        let mut inside = Needs::new(self.program);
        match self.program.query(query) {
            Some(info) if info.deepest == 0 => inside.of(info.body.part(), deepest),
            _ => inside.is_unclear = true,
        }
        self.operations += inside.operations;
        self.has_lists |= inside.has_lists;
        self.is_unclear |= inside.is_unclear;
    }
}

/// Returns whether a mask is a few steps: looking up a value that was kept would take as many.
fn is_quick(program: &Program, id: MaskId) -> bool {
    let mask = program.masks.get(id as usize).map(|info| info.mask);
    match mask {
        Some(Mask::Const(_) | Mask::Row { .. } | Mask::Kept { .. } | Mask::KeptFor { .. }) => true,
        Some(Mask::And(one, other)) => is_quick(program, one) && is_quick(program, other),
        _ => false,
    }
}

/// Returns whether evaluating an expression takes more than a few operations.
pub(crate) fn is_expensive(program: &Program, expr: ExprId) -> bool {
    let mut needs = Needs::new(program);
    needs.of(Part::Expr(expr), DEEPEST);
    needs.is_expensive() || needs.is_unclear
}
