//! Evaluates expressions: pure, total, recursive over the arenas of the program.
//!
//! An [`Eval`] lives for one expression (or one enumeration). Everything it needs beyond the state is in a [`Scratch`]
//! that its owner keeps, so nothing is allocated as long as windows and lists are small.

mod asked;
mod blame;
mod call;
mod cells;
mod grid;
mod kept;
mod line;
mod list;
mod look;
mod mask;
mod memo;
mod named;
mod physical_order;
mod places;
mod reached;
mod recorded;
mod remembered;
mod revealed;
mod scratch;
mod set;
mod values;
mod within;
mod words;

use crate::fault::{Fault, FaultKind, Halt};
use crate::frame::FRAME_HEADER;
use crate::limit::EVALUATION_DEPTH_MAX;
use crate::state::State;
use wyrmgate_program::{Binary, Expr, ExprId, Local, NONE, NumberPair, Program, Temp};

pub use call::Evaluated;
pub use cells::REACH;
pub use cells::cell_at;
pub(crate) use list::further;
pub use mask::members;
pub use physical_order::in_physical_order;
pub use places::PlaceTable;
pub use revealed::Revelation;
pub use revealed::noting;
pub use scratch::{Scratch, Supposed};
pub use set::{IterationStop, Walk, settle};
pub use values::ValueList;

/// An invariant.
const TEMPS: &str = "temps-within-their-window";

/// Evaluates in one frame of one state.
pub struct Eval<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    pub scratch: &'a mut Scratch,
    /// The place on the stack where the running frame begins.
    base: usize,
    /// Where the current window of temps begins.
    window: usize,
    exprs: &'a [Expr],
}

impl<'a> Eval<'a> {
    /// Opens the lowest window, large enough for every expression of the program.
    pub fn new(
        program: &'a Program,
        state: &'a State,
        scratch: &'a mut Scratch,
        base: usize,
    ) -> Eval<'a> {
        if scratch.temps.len() < state.layout.temps {
            scratch.temps.resize(state.layout.temps, NONE);
        }
        Eval {
            program,
            state,
            scratch,
            base,
            window: 0,
            exprs: &program.exprs,
        }
    }

    /// Returns an evaluation in another position, with the names and the memory of this one.
    pub(crate) fn elsewhere<'s>(&'s mut self, state: &'s State) -> Eval<'s> {
        Eval {
            program: self.program,
            state,
            scratch: &mut *self.scratch,
            base: self.base,
            window: self.window,
            exprs: self.exprs,
        }
    }

    #[inline]
    pub fn temp(&self, temp: Temp) -> i32 {
        let at = self.window + usize::from(temp);
        debug_assert!(at < self.scratch.temps.len(), "{TEMPS}");
        self.scratch.temps.get(at).copied().unwrap_or(NONE)
    }

    #[inline]
    pub fn set_temp(&mut self, temp: Temp, value: i32) {
        let at = self.window + usize::from(temp);
        debug_assert!(at < self.scratch.temps.len(), "{TEMPS}");
        if let Some(place) = self.scratch.temps.get_mut(at) {
            *place = value;
        }
    }

    #[inline]
    pub fn local(&self, local: Local) -> i32 {
        self.state
            .slot(self.base + FRAME_HEADER + usize::from(local))
    }

    /// Returns a list of the running frame, as places on the stack.
    fn frame_list(&self, local: Local) -> std::ops::Range<usize> {
        let offset = self.local(local).max(0) as usize;
        let length = self.local(local.saturating_add(1)).max(0) as usize;
        let start = (self.base + offset).min(self.state.stack.len());
        start..(start + length).min(self.state.stack.len())
    }

    /// Evaluates a condition.
    #[inline]
    pub fn truth(&mut self, expr: ExprId) -> Result<bool, Halt> {
        Ok(self.value(expr)? > 0)
    }

    /// Evaluates an expression; unreachable cases read as NONE. Expressions without parts are evaluated inline, without
    /// a call.
    #[inline(always)]
    pub fn value(&mut self, id: ExprId) -> Result<i32, Halt> {
        match self.exprs.get(id as usize) {
            Some(&Expr::Const(value)) => Ok(value),
            Some(&Expr::Local(local)) => Ok(self.local(local)),
            Some(&Expr::Temp(temp)) => Ok(self.temp(temp)),
            Some(&Expr::Word(offset)) => Ok(self.state.var(offset)),
            Some(expr) => self.nested(id, expr),
            None => Ok(NONE),
        }
    }

    /// Evaluates something that may fail with this work, not that of the evaluation, which goes on as before.
    pub fn attempt<T>(
        &mut self,
        work: &mut u32,
        run: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Fault> {
        let (window, scratch) = (self.window, &mut *self.scratch);
        let (depth, lists) = (scratch.depth, scratch.lists.len());
        let recursions = scratch.recursions.clone();
        std::mem::swap(&mut scratch.fuel, work);
        let found = run(self);
        let scratch = &mut *self.scratch;
        std::mem::swap(&mut scratch.fuel, work);
        found.map_err(|Halt| {
            self.window = window;
            (scratch.depth, scratch.recursions) = (depth, recursions);
            scratch.lists.truncate(lists);
            scratch.take_fault()
        })
    }

    #[inline(never)]
    fn nested(&mut self, id: ExprId, expr: &'a Expr) -> Result<i32, Halt> {
        self.deeper()?;
        let value = self.composite(id, expr)?;
        self.shallower();
        Ok(value)
    }

    #[inline]
    pub(crate) fn deeper(&mut self) -> Result<(), Halt> {
        self.scratch.depth += 1;
        if self.scratch.depth > EVALUATION_DEPTH_MAX {
            return Err(self.scratch.halt(FaultKind::Depth));
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn shallower(&mut self) {
        self.scratch.depth -= 1;
    }

    #[inline(always)]
    fn composite(&mut self, id: ExprId, expr: &'a Expr) -> Result<i32, Halt> {
        match *expr {
            // Answered by `value` itself.
            Expr::Const(_) | Expr::Local(_) | Expr::Temp(_) | Expr::Word(_) => Ok(NONE),
            Expr::WordAt(word) => self.word_at(word),
            Expr::Table(look_up) => self.table(look_up),
            Expr::LocalAt(local) => self.local_at(local),
            Expr::ZoneAt { family, keys } => self.zone_at(family, keys),
            Expr::ComponentAt { table, sizes, keys } => self.component_at(table, sizes, keys),
            Expr::ZoneOf(of) => self.of(of, |eval, it| eval.state.zone_of(it)),
            Expr::ZoneIn { family, zone } => {
                self.of(zone, |eval, it| eval.program.zone_in(family, it))
            }
            Expr::Inside(of) => self.of(of, |eval, it| eval.program.inside(it)),
            Expr::HolderOf(zone) => self.of(zone, |eval, it| eval.program.holder_of(it)),
            Expr::OwnerOf(zone) => self.of(zone, |eval, it| eval.program.owner_of(it)),
            Expr::PlaceOf(of) => self.of(of, |eval, it| eval.scratch.memo.place_of(eval.state, it)),
            Expr::IsFaceUp(of) => self.lies(of, false),
            Expr::IsFaceDown(of) => self.lies(of, true),
            Expr::Knows { seat, component } => self.knows(seat, component),
            Expr::IsKind { kind, of } => {
                self.of(of, |eval, it| i32::from(eval.program.is_kind(kind, it)))
            }
            Expr::SeatAfter { seat, by } => self.of(seat, |eval, it| eval.state.seat_after(it, by)),
            Expr::Revealed { of, to, number } => self.revealed(of, to, number),
            Expr::Not(of) => self.of(of, |_, it| i32::from(it <= 0)),
            Expr::Negate(of) => self.negate(id, of),
            Expr::Abs(of) => self.abs(id, of),
            Expr::Binary(op, left, right) => self.binary(id, op, left, right),
            Expr::Pair(pair) => self.pair(pair),
            Expr::And(left, right) => self.and(left, right),
            Expr::Or(left, right) => self.or(left, right),
            Expr::If(condition, then, otherwise) => self.either(condition, then, otherwise),
            Expr::Call { query, args } => self.call(query, args, None),
            Expr::CallKind { dispatch, args } => self.call_kind(dispatch, args),
            // Has a meaning only among the arguments of a call.
            Expr::ListArgument(_) => Ok(NONE),
            Expr::After(supposed) => self.after(supposed),
            Expr::Recorded { position, of } => self.recorded(position, of),
            Expr::Count(set) => self.count(set),
            Expr::Spelled(word) => self.spelled(word),
            Expr::IsEmpty(set) => self.none_in(set),
            Expr::Contains(set, of) => self.holds(set, of),
            Expr::First(set, default) => self.first(set, default),
            Expr::Last(set, default) => self.last(set, default),
            Expr::Nth(set, place, default) => self.nth(set, place, default),
            Expr::IndexOf(set, of) => self.index_of(set, of),
            Expr::Some(test) => self.some(test),
            Expr::Every(test) => self.every(test),
            Expr::Sum { of, temp, key } => self.sum(id, of, temp, key),
            Expr::Extreme(by) => self.extreme(by),
            Expr::Distinct { of, temp, key } => self.distinct(of, temp, key),
            Expr::Fold(keys) => self.fold(id, keys),
            Expr::Let { value, temp, body } => self.with_value(value, temp, body),
            Expr::LetList { value, temp, body } => self.with_list(value, temp, body),
            Expr::Selections(ref asked) => self.of_selections(id, asked),
            Expr::InARow(line) => self.in_a_row(line),
            Expr::ZoneCount(zone) => self.of(zone, |eval, it| eval.state.zone_count(it)),
            Expr::IsFreeZone(zone) => self.of(zone, |eval, it| {
                i32::from(eval.state.is_zone(it) && eval.state.zone_first(it) < 0)
            }),
            Expr::ZoneFirst(zone) => self.of(zone, |eval, it| eval.state.zone_first(it)),
            Expr::ZoneLast(zone) => self.of(zone, |eval, it| eval.state.zone_last(it)),
            Expr::CellOf(of) => self.of(of, |eval, it| eval.state.cell_of(it)),
            Expr::RotationOf(of) => self.of(of, |eval, it| eval.state.turned(it)),
            Expr::AtCell { zone, cell } => self.at_cell(zone, cell),
            Expr::CellBeside { cell, side } => self.cell_beside(cell, side),
            Expr::SideTurned { side, by } => self.side_turned(side, by),
        }
    }

    #[inline(never)]
    fn pair(&mut self, pair: NumberPair) -> Result<i32, Halt> {
        let (one, other) = (self.value(pair.one)?, self.value(pair.other)?);
        Ok(pair.of(one, other))
    }

    #[inline(never)]
    fn and(&mut self, left: ExprId, right: ExprId) -> Result<i32, Halt> {
        Ok(i32::from(self.truth(left)? && self.truth(right)?))
    }

    #[inline(never)]
    fn or(&mut self, left: ExprId, right: ExprId) -> Result<i32, Halt> {
        Ok(i32::from(self.truth(left)? || self.truth(right)?))
    }

    #[inline(never)]
    fn either(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Result<i32, Halt> {
        let which = if self.truth(condition)? {
            then
        } else {
            otherwise
        };
        self.value(which)
    }

    #[inline(never)]
    fn negate(&mut self, id: ExprId, of: ExprId) -> Result<i32, Halt> {
        let value = self.value(of)?;
        self.fits(id, value.checked_neg())
    }

    #[inline(never)]
    fn abs(&mut self, id: ExprId, of: ExprId) -> Result<i32, Halt> {
        let value = self.value(of)?;
        self.fits(id, value.checked_abs())
    }

    #[inline(never)]
    fn binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> Result<i32, Halt> {
        let a = self.value(left)?;
        let b = self.value(right)?;
        self.fits(id, op.of(a, b))
    }

    /// Returns the number, or a fault that names the expression it came from.
    #[inline(always)]
    pub(crate) fn fits(&mut self, id: ExprId, number: Option<i32>) -> Result<i32, Halt> {
        match number {
            Some(number) => Ok(number),
            None => Err(self.overflow(id)),
        }
    }

    #[cold]
    fn overflow(&mut self, id: ExprId) -> Halt {
        // The compiler adds the least number to each amount of a bundle that may be negative.
        let is_least = |id: ExprId| self.exprs.get(id as usize) == Some(&Expr::Const(i32::MIN));
        let kind = match self.exprs.get(id as usize) {
            Some(Expr::Binary(Binary::Add, _, by)) if is_least(*by) => FaultKind::Lacking,
            Some(_) | None => FaultKind::Overflow,
        };
        self.scratch.fault.get_or_insert(Fault {
            kind,
            span: self.program.span_of(id),
        });
        Halt
    }
}
