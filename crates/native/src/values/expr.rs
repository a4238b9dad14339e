//! Expressions as inline code. The interpreter evaluates everything that is not supported here.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Type, Value, types};

use crate::memory::buffers::LISTS_MAX;
use crate::translator::emit::Translator;
use crate::translator::inlining::DEPTH_MAX;
use crate::translator::known::ScalarValue;
use wyrmgate_engine::layout::{CELL, ROTATION, ZONE};
use wyrmgate_program::{
    Binary, Expr, ExprId, FoldedKeys, NONE, QueryBody, QueryId, TableLookUp, Temp,
};

/// The number of buffers that must be free to inline a query, for its lists.
const LISTED_MAX: usize = 6;

impl Translator<'_> {
    pub fn value(&mut self, id: ExprId) -> ScalarValue {
        match self.in_place(id) {
            Some(value) => value,
            None => self.ask(id),
        }
    }

    pub fn truth(&mut self, id: ExprId) -> Value {
        let value = self.value(id);
        self.flag(value)
    }

    pub fn word_of(&mut self, id: ExprId) -> Value {
        let value = self.value(id);
        self.word(value)
    }

    /// Emits inline code for the value; `None` if nothing was emitted.
    pub fn in_place(&mut self, id: ExprId) -> Option<ScalarValue> {
        let facts = self.facts;
        let expr = *self.program.exprs.get(id as usize)?;
        self.inlining.lacks_room |= self.inlining.room == 0;
        self.inlining.room = self.inlining.room.checked_sub(1)?;
        match expr {
            Expr::Const(value) => Some(ScalarValue::Known(value)),
            Expr::Local(local) => self.local(local),
            Expr::Temp(temp) => self.temp(temp),
            Expr::Word(word) => self.variable(word),
            Expr::WordAt(word) => self.word_at(word),
            Expr::Table(look_up) => self.table(look_up),
            Expr::LocalAt(local) => self.local_at(local),
            Expr::ZoneAt { family, keys } => self.zone_at(family, keys),
            Expr::ComponentAt { table, sizes, keys } => self.component_at(table, sizes, keys),
            Expr::ZoneOf(of) => Some(self.row(of, ZONE)),
            Expr::ZoneIn { family, zone } => self.zone_in(family, zone),
            Expr::Inside(of) => Some(self.fact(of, &facts.inside)),
            Expr::HolderOf(of) => Some(self.fact(of, &facts.holders)),
            Expr::OwnerOf(of) => Some(self.fact(of, &facts.owners)),
            Expr::IsFaceUp(of) => Some(self.lies(of, IntCC::Equal)),
            Expr::IsFaceDown(of) => Some(self.lies(of, IntCC::NotEqual)),
            Expr::PlaceOf(of) => Some(self.place_in_zone(of)),
            Expr::IsKind { kind, of } => {
                let kind = self.program.kind(kind)?;
                Some(self.within(of, kind.first as i32, kind.count))
            }
            Expr::SeatAfter { seat, by } => Some(self.seat_after(seat, by)),
            Expr::Not(of) => {
                let flag = self.truth(of);
                Some(ScalarValue::Flag(self.opposite(flag)))
            }
            Expr::Negate(of) => {
                let value = self.word_of(of);
                let least = self.is(IntCC::Equal, value, i64::from(i32::MIN));
                self.refuse(least);
                Some(ScalarValue::Word(self.b.ins().ineg(value)))
            }
            Expr::Abs(of) => {
                let value = self.word_of(of);
                let least = self.is(IntCC::Equal, value, i64::from(i32::MIN));
                self.refuse(least);
                Some(ScalarValue::Word(self.b.ins().iabs(value)))
            }
            Expr::Binary(op, left, right) => Some(self.binary(op, left, right)),
            Expr::Pair(pair) => self.pair(pair),
            Expr::And(left, right) => Some(self.both_hold(left, right)),
            Expr::Or(left, right) => Some(self.one_holds(left, right)),
            Expr::If(condition, then, otherwise) => Some(self.either(condition, then, otherwise)),
            Expr::Call { query, args } => self.query(query, args),
            Expr::ZoneCount(zone) => Some(self.zone_word(zone, 2, 0)),
            Expr::ZoneFirst(zone) => Some(self.zone_word(zone, 0, NONE)),
            Expr::ZoneLast(zone) => Some(self.zone_word(zone, 1, NONE)),
            Expr::IsFreeZone(zone) => {
                // NONE is no free zone.
                let first = self.zone_word(zone, 0, 0);
                let first = self.word(first);
                Some(ScalarValue::Flag(self.is(IntCC::SignedLessThan, first, 0)))
            }
            Expr::CellOf(of) if self.layout.row > CELL => Some(self.row(of, CELL)),
            Expr::RotationOf(of) if self.layout.row > ROTATION => {
                let turned = self.row(of, ROTATION);
                let turned = self.word(turned);
                let least = self.int(0);
                Some(ScalarValue::Word(self.b.ins().smax(turned, least)))
            }
            Expr::Let { value, temp, body } => {
                let value = self.word_of(value);
                Some(self.with_temp(temp, ScalarValue::Word(value), body))
            }
            Expr::After(supposed) => self.after_effect(supposed),
            Expr::Recorded { position, of } => self.recorded(position, of).map(ScalarValue::Word),
            Expr::Distinct { of, temp, key } => self.distinct(of, temp, key),
            Expr::Fold(FoldedKeys { of, temp, key, .. }) => self.fold(id, of, temp, key),
            Expr::LetList { value, temp, body } => {
                let lists = self.lists;
                let number = self.open_buffer();
                let count = self.gather_list(value, number);
                let (first, end) = self.ends_of(number, count);
                let value = self.with_temp(temp, ScalarValue::List(first, end), body);
                self.lists = lists;
                Some(value)
            }
            Expr::Count(set) => self.count_list(set),
            Expr::IsEmpty(set) => self.is_empty(set),
            Expr::Contains(set, of) => self.contains(set, of),
            Expr::First(set, default) => self.first_of(set, default),
            Expr::Last(set, default) => self.last_of(set, default),
            Expr::Nth(set, place, default) => self.nth_of(set, place, default),
            Expr::IndexOf(set, of) => self.index_of(set, of),
            Expr::CallKind { dispatch, args } => self.call_kind(dispatch, args),

            Expr::AtCell { zone, cell } if self.layout.row > CELL => {
                Some(self.at_cell(id, zone, cell))
            }
            Expr::CellBeside { cell, side } => Some(self.cell_beside(cell, side)),
            Expr::SideTurned { side, by } => Some(self.side_turned(side, by)),
            Expr::Some(test) => self.some(test, true).map(ScalarValue::Flag),
            Expr::Every(test) => {
                let failing = self.some(test, false)?;
                Some(ScalarValue::Flag(self.opposite(failing)))
            }
            Expr::Sum { of, temp, key } => self.sum(of, temp, key),
            Expr::Extreme(by) => self.extreme(by),
            Expr::Selections(asked) => self.selections(asked),
            Expr::InARow(line) => self.in_a_row(line),
            _ => None,
        }
    }

    /// Emits a body in which a temp has this value.
    pub fn with_temp(&mut self, temp: Temp, value: ScalarValue, body: ExprId) -> ScalarValue {
        self.apart(|t| {
            t.set_temp(temp, value);
            t.value(body)
        })
    }

    /// Emits whether both conditions hold. Expressions have no effects, so a short one is evaluated whether it is needed
    /// or not.
    pub fn both_hold(&mut self, left: ExprId, right: ExprId) -> ScalarValue {
        let left = self.truth(left);
        if self.is_short(right) {
            let right = self.truth(right);
            return ScalarValue::Flag(self.b.ins().band(left, right));
        }
        self.flag_by(left, |t| t.truth(right), |t| t.b.ins().iconst(types::I8, 0))
    }

    pub fn one_holds(&mut self, left: ExprId, right: ExprId) -> ScalarValue {
        let left = self.truth(left);
        if self.is_short(right) {
            let right = self.truth(right);
            return ScalarValue::Flag(self.b.ins().bor(left, right));
        }
        self.flag_by(left, |t| t.b.ins().iconst(types::I8, 1), |t| t.truth(right))
    }

    pub fn flag_by(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> ScalarValue {
        ScalarValue::Flag(self.one_of(types::I8, condition, then, otherwise))
    }

    pub fn either(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ScalarValue {
        let condition = self.truth(condition);
        if self.is_short(then) && self.is_short(otherwise) {
            let (then, otherwise) = (self.word_of(then), self.word_of(otherwise));
            return ScalarValue::Word(self.b.ins().select(condition, then, otherwise));
        }
        let then = |t: &mut Self| t.word_of(then);
        ScalarValue::Word(self.one_of(types::I32, condition, then, |t| t.word_of(otherwise)))
    }

    /// Emits one of two values of a type, each evaluated only if it is selected.
    pub fn one_of(
        &mut self,
        of: Type,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let [one, other, after] = self.blocks();
        let selected = self.b.append_block_param(after, of);
        self.branch(condition, one, other);
        // Work noted before is counted after both branches.
        let noted = std::mem::take(&mut self.counts.work);
        self.b.switch_to_block(one);
        let value = then(self);
        self.count();
        self.jump(after, &[BlockArg::Value(value)]);
        self.b.switch_to_block(other);
        let value = otherwise(self);
        self.count();
        self.jump(after, &[BlockArg::Value(value)]);
        self.b.switch_to_block(after);
        self.counts.work = noted;
        selected
    }

    /// Returns whether it reads one word or a constant, and compares it with at most one other.
    pub fn is_short(&self, id: ExprId) -> bool {
        use Expr::{Const, Local, Temp, Word};
        let expr = |id: ExprId| self.program.exprs.get(id as usize);
        let leaf = |id| matches!(expr(id), Some(Const(_) | Local(_) | Temp(_) | Word(_)));
        match expr(id) {
            Some(&Expr::Binary(op, left, right)) => {
                let cheap = op.is_comparison() || matches!(op, Binary::Max | Binary::Min);
                cheap && leaf(left) && leaf(right)
            }
            Some(&Expr::Not(of) | &Expr::Table(TableLookUp { index: of, .. })) => leaf(of),
            _ => leaf(id),
        }
    }

    /// Inlines a query: its arguments become the temps of a window of their own.
    pub fn query(&mut self, query: QueryId, args: ExprId) -> Option<ScalarValue> {
        let info = self.program.query(query)?;
        if info.deepest > 0 && self.lists + LISTED_MAX <= LISTS_MAX {
            return self.call_recursive(query, args);
        }
        // Other recursive queries are left to the interpreter.
        if info.deepest > 0
            || self.inlining.depth >= DEPTH_MAX
            || self.lists + LISTED_MAX > LISTS_MAX
        {
            return None;
        }
        self.inlined(query, args)
    }

    pub fn inlined(&mut self, query: QueryId, args: ExprId) -> Option<ScalarValue> {
        let info = self.program.query(query)?;
        let QueryBody::Value(body) = info.body else {
            return None;
        };
        Some(self.with_arguments(info, args, None, |t| t.value(body)))
    }
}
