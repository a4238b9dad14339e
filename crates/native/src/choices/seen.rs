//! Visibility of a component in the plain cases: it lies face up on the table, or the seat sees its zone. The
//! interpreter decides all other cases.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::function::cycle::value_of;
use crate::function::emit::{Scalar, Translator};
use crate::masks::bits::Set as Bits;
use wyrmgate_engine::layout::{FACE_DOWN, FLAGS, ZONE};
use wyrmgate_engine::see::{ABOUT, VIEWER};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::{
    BinderInfo, Domain, Expr, ExprId, Operation, Part, Program, SEATS_MAX, See, Set,
};

/// Bit of [`sights`]: everybody sees face-up components.
const OPEN: usize = SEATS_MAX;

/// The first bit for the seats that see face-up components.
const OPEN_TO: usize = OPEN + 1;

/// The first bit of one more than the place of the zone in [`Sights::by_state`]; 0 for other zones.
const BY_STATE: usize = OPEN_TO + SEATS_MAX;

/// The maximum number of zones with a bit in a word; the lowest bit belongs to all others.
const BY_STATE_MAX: usize = 31;

/// Numbers from here on are of conditions in [`Sights::by_position`], and how many there can be.
const BY_POSITION: usize = BY_STATE_MAX + 1;
const BY_POSITION_MAX: usize = 16;

/// The seats that see the contents of each zone.
pub(crate) struct Sights {
    /// A word for each zone, at least one: the seats that see all its contents, whether everybody sees face-up
    /// components, the seats that see them by a condition that does not depend on the state, and the number of its
    /// condition on the state.
    of_zones: Vec<i32>,
    /// Zones whose face-up components are seen by a condition on the state for which code is emitted.
    by_state: Vec<(i32, ExprId)>,
    /// Other conditions on the state, which are evaluated for one zone after the other.
    by_position: Vec<ExprId>,
    /// Whether every seat sees the contents of every zone.
    pub is_open: bool,
}

impl Sights {
    pub fn of(program: &Program) -> Sights {
        let mut by_state = Vec::new();
        let mut by_position = Vec::new();
        let mut of_zones = Vec::new();
        // Seats that see what lies face up, if nothing lies face down, see everything.
        let turns_down = program.code.iter().any(|op| op.turns_down());
        let everything = |seats: i32| if turns_down { 0 } else { seats };
        let all_seats = (1 << OPEN) - 1;
        for (zone, number) in program.zones.iter().zip(0..) {
            of_zones.push(match (zone.inside, zone.see, zone.owner) {
                (None, See::All, _) => 1 << OPEN | everything(all_seats),
                (None, See::Owner, Some(owner)) => 1 << owner,
                (None, See::If(condition), _) => match seats_by(program, condition, number) {
                    Some(seats) => seats << OPEN_TO | everything(seats),
                    None if by_state.len() < BY_STATE_MAX
                        && is_plain(program, condition, DEEPEST) =>
                    {
                        by_state.push((number, condition));
                        (by_state.len() as i32) << BY_STATE
                    }
                    None => {
                        let number = number_of(&mut by_position, condition);
                        number.map_or(0, |number| (BY_POSITION + number) << BY_STATE) as i32
                    }
                },
                _ => 0,
            });
        }
        let is_open = of_zones.iter().all(|seats| seats & all_seats == all_seats);
        of_zones.push(0);
        Sights {
            of_zones,
            by_state,
            by_position,
            is_open,
        }
    }

    /// Returns whether no seat sees what it sees because of the state.
    fn are_constant(&self) -> bool {
        self.by_state.is_empty() && self.by_position.is_empty()
    }
}

/// Returns the number of a condition, which is added unless there are too many.
fn number_of(conditions: &mut Vec<ExprId>, condition: ExprId) -> Option<usize> {
    let known = conditions.iter().position(|known| *known == condition);
    known.or_else(|| {
        let number = conditions.len();
        (number < BY_POSITION_MAX).then(|| {
            conditions.push(condition);
            number
        })
    })
}

/// Returns the seats that fulfill the condition of a zone, one bit each; `None` if it depends on the state.
fn seats_by(program: &Program, condition: ExprId, zone: i32) -> Option<i32> {
    (0..program.seats).try_fold(0, |seats, seat| {
        let mut known = Known::of(VIEWER, seat as i32).and(ABOUT, zone);
        let sees = pure::truth(program, condition, &mut known)?;
        Some(seats | i32::from(sees) << seat)
    })
}

/// The maximum nesting of conditions.
const DEEPEST: u32 = 8;

/// Returns whether a condition is short and cannot fail: comparisons of variables, seats and constants.
fn is_plain(program: &Program, id: ExprId, deepest: u32) -> bool {
    let Some((expr, deepest)) = program.exprs.get(id as usize).zip(deepest.checked_sub(1)) else {
        return false;
    };
    let is_of_these = match expr {
        Expr::Temp(temp) => [VIEWER, ABOUT].contains(temp),
        Expr::Binary(op, ..) => !op.can_overflow(),
        expr => matches!(
            expr,
            Expr::Const(_)
                | Expr::Word(_)
                | Expr::WordAt { .. }
                | Expr::Table { .. }
                | Expr::OwnerOf(_)
                | Expr::SeatAfter { .. }
                | Expr::Not(_)
                | Expr::And(..)
                | Expr::Or(..)
                | Expr::If(..)
        ),
    };
    let mut parts = expr.parts(program).into_iter();
    is_of_these
        && parts.all(|part| match part {
            Part::Expr(part) => is_plain(program, part, deepest),
            Part::Set(_) => false,
        })
}

impl Translator<'_> {
    /// Emits whether a component of a list may be hidden from the seat: 0 if not, in 32 bits.
    pub fn listed_hidden(&mut self, first: Value, count: Value, seat: Value) -> Value {
        let end = self.place(first, count);
        self.any_hidden(seat, |t, zones| {
            let none = t.int(0);
            let made = t.each_value((first, end), &[], &[none], &mut |t, component, made| {
                let hidden = t.hidden(component, seat, zones);
                (vec![t.b.ins().bor(value_of(made), hidden)], None)
            });
            value_of(&made)
        })
    }

    /// Emits whether a member of a name may be hidden from the seat. If the seat sees all contents of their zone, no member
    /// is tested.
    pub fn gathered_hidden(
        &mut self,
        binder: &BinderInfo,
        (first, count): (Value, Value),
        seat: Value,
    ) -> Value {
        let Some(&Set::Zone(zone)) = self.program.sets.get(binder.domain as usize) else {
            return self.listed_hidden(first, count, seat);
        };
        let zone = self.word_of(zone);
        let Some(own) = self.sees_contents(zone, seat) else {
            return self.int(0);
        };
        let after = self.b.create_block();
        let found = self.b.append_block_param(after, types::I32);
        self.two_ways(
            own,
            after,
            |t| t.int(0),
            |t| t.listed_hidden(first, count, seat),
        );
        found
    }

    /// Emits whether a seat sees all contents of a zone wherever they lie; `None` if every seat sees everything.
    pub fn sees_contents(&mut self, zone: Value, seat: Value) -> Option<Value> {
        if self.facts.sights.is_open {
            return None;
        }
        let sight = self.sight_of(zone);
        let own = self.b.ins().ushr(sight, seat);
        let own = self.b.ins().band_imm_u(own, 1);
        Some(self.is(IntCC::NotEqual, own, 0))
    }

    fn sight_of(&mut self, zone: Value) -> Value {
        let sights = &self.facts.sights.of_zones;
        let base = self.pointer(sights.as_ptr());
        let sight = self.entry(base, zone, 0, sights.len() as u32, 0);
        self.word(sight)
    }

    /// Emits whether one of these components may be hidden from the seat: 0 if not, in 32 bits.
    pub fn members_hidden(&mut self, bits: Bits, domain: Domain, seat: Value) -> Value {
        self.any_hidden(seat, |t, zones| {
            let none = t.int(0);
            let made = t.each_bit(bits, &[none], |t, number, made| {
                let component = t.member(domain, number);
                let hidden = t.hidden(component, seat, zones);
                (vec![t.b.ins().bor(value_of(made), hidden)], None)
            });
            value_of(&made)
        })
    }

    /// Emits whether a component is hidden; conditions on the state are evaluated only if one may be hidden without them.
    fn any_hidden(
        &mut self,
        seat: Value,
        mut hidden: impl FnMut(&mut Self, Option<Value>) -> Value,
    ) -> Value {
        let plainly = hidden(self, None);
        if self.facts.sights.are_constant() {
            return plainly;
        }
        let after = self.b.create_block();
        let found = self.b.append_block_param(after, types::I32);
        self.two_ways(
            plainly,
            after,
            |t| {
                let zones = t.zones_seen(seat);
                hidden(t, Some(zones))
            },
            |t| t.int(0),
        );
        found
    }

    /// Emits the zones whose face-up components the seat sees by a condition on the state, one bit each.
    fn zones_seen(&mut self, seat: Value) -> Value {
        let mut zones = self.int(0);
        let facts = self.facts;
        for ((zone, condition), number) in facts.sights.by_state.iter().zip(1..) {
            let sees = self.holds_for(*condition, seat, Scalar::Known(*zone));
            let sees = self.b.ins().uextend(types::I32, sees);
            let sees = self.b.ins().ishl_imm_s(sees, number);
            zones = self.b.ins().bor(zones, sees);
        }
        zones
    }

    /// Emits whether the condition on what a seat sees in a zone holds.
    fn holds_for(&mut self, condition: ExprId, seat: Value, zone: Scalar) -> Value {
        let window = vec![(VIEWER, Scalar::Word(seat)), (ABOUT, zone)];
        let outside = std::mem::replace(&mut self.temps, window);
        let scope = self.in_new_scope();
        let sees = self.truth(condition);
        (self.scope, self.temps) = (scope, outside);
        sees
    }

    /// Emits 1 if a seat sees what lies face up in a zone by the condition with this number, 0 if it does not.
    fn seen_by_position(&mut self, number: Value, (seat, zone): (Value, Value)) -> Value {
        let facts = self.facts;
        let mut seen = self.int(0);
        for (condition, own) in facts.sights.by_position.iter().zip(BY_POSITION as i64..) {
            let asks = self.is(IntCC::Equal, number, own);
            let made = self.only_where(asks, &[seen], &mut |t, _| {
                let sees = t.holds_for(*condition, seat, Scalar::Word(zone));
                vec![t.b.ins().uextend(types::I32, sees)]
            });
            seen = value_of(&made);
        }
        seen
    }

    /// Emits 1 if a component may be hidden from the seat. `zones`: those whose face-up components the seat sees by a
    /// condition on the state.
    fn hidden(&mut self, component: Value, seat: Value, zones: Option<Value>) -> Value {
        let zone = self.row_of(component, ZONE);
        let zone = self.word(zone);
        let flags = self.row_of(component, FLAGS);
        let flags = self.word(flags);
        let sight = self.sight_of(zone);
        let own = self.b.ins().ushr(sight, seat);
        let open = self.b.ins().ushr_imm_u(sight, OPEN as i64);
        let open_to = self.b.ins().ushr_imm_u(sight, OPEN_TO as i64);
        let open_to = self.b.ins().ushr(open_to, seat);
        let mut open = self.b.ins().bor(open, open_to);
        if let Some(zones) = zones {
            let number = self.b.ins().ushr_imm_u(sight, BY_STATE as i64);
            if !self.facts.sights.by_state.is_empty() {
                // Only the bits of a number that has one are looked at.
                let is_bit = self.is(IntCC::UnsignedLessThan, number, BY_POSITION as i64);
                let none = self.int(0);
                let zones = self.b.ins().select(is_bit, zones, none);
                let seen = self.b.ins().ushr(zones, number);
                open = self.b.ins().bor(open, seen);
            }
            let seen = self.seen_by_position(number, (seat, zone));
            open = self.b.ins().bor(open, seen);
        }
        let nothing = self.int(0);
        let down = self.b.ins().smax(flags, nothing);
        let down = self.b.ins().band_imm_u(down, i64::from(FACE_DOWN));
        let open = self.b.ins().band_not(open, down);
        let seen = self.b.ins().bor(own, open);
        let seen = self.b.ins().band_imm_u(seen, 1);
        self.b.ins().bxor_imm_u(seen, 1)
    }
}
