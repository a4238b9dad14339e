//! Visibility of a component in the plain cases: it lies face up on the table, or the seat sees its zone. The
//! interpreter decides all other cases.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::facts::sights::{BY_POSITION, BY_STATE, OPEN, OPEN_TO};
use crate::masks::bits::MaskBits as Bits;
use crate::translator::cycle::value_of;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_engine::layout::{FACE_DOWN, FLAGS, ZONE};
use wyrmgate_engine::see::{ABOUT, VIEWER};
use wyrmgate_program::{BinderInfo, Domain, ExprId, Set};

impl Translator<'_> {
    /// Emits whether a component of a list may be hidden from the seat: 0 if not, in 32 bits.
    pub fn listed_hidden(&mut self, first: Value, count: Value, seat: Value) -> Value {
        let end = self.place(first, count);
        self.any_hidden(seat, |t, zones| {
            let none = t.int(0);
            let made = t.each_value(first, end, &[], &[none], &mut |t, component, made| {
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
        first: Value,
        count: Value,
        seat: Value,
    ) -> Value {
        let Some(&Set::Zone(zone)) = self.program.sets.get(binder.domain as usize) else {
            return self.listed_hidden(first, count, seat);
        };
        let zone = self.word_of(zone);
        let Some(own) = self.sees_contents(zone, seat) else {
            return self.int(0);
        };
        self.one_of(
            types::I32,
            own,
            |t| t.int(0),
            |t| t.listed_hidden(first, count, seat),
        )
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
        self.one_of(
            types::I32,
            plainly,
            |t| {
                let zones = t.zones_seen(seat);
                hidden(t, Some(zones))
            },
            |t| t.int(0),
        )
    }

    /// Emits the zones whose face-up components the seat sees by a condition on the state, one bit each.
    fn zones_seen(&mut self, seat: Value) -> Value {
        let mut zones = self.int(0);
        for ((zone, condition), number) in self.facts.sights.by_state.iter().zip(1..) {
            let sees = self.holds_for(*condition, seat, ScalarValue::Known(*zone));
            let sees = self.b.ins().uextend(types::I32, sees);
            let sees = self.b.ins().ishl_imm_s(sees, number);
            zones = self.b.ins().bor(zones, sees);
        }
        zones
    }

    /// Emits whether the condition on what a seat sees in a zone holds.
    fn holds_for(&mut self, condition: ExprId, seat: Value, zone: ScalarValue) -> Value {
        let window = vec![(VIEWER, ScalarValue::Word(seat)), (ABOUT, zone)];
        let outside = std::mem::replace(&mut self.known.temps, window);
        let sees = self.truth(condition);
        self.known.temps = outside;
        sees
    }

    /// Emits 1 if a seat sees what lies face up in a zone by the condition with this number, 0 if it does not.
    fn seen_by_position(&mut self, number: Value, seat: Value, zone: Value) -> Value {
        let facts = self.facts;
        let mut seen = self.int(0);
        for (condition, own) in facts.sights.by_position.iter().zip(BY_POSITION as i64..) {
            let asks = self.is(IntCC::Equal, number, own);
            let made = self.only_where(asks, &[seen], &mut |t, _| {
                let sees = t.holds_for(*condition, seat, ScalarValue::Word(zone));
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
            let seen = self.seen_by_position(number, seat, zone);
            open = self.b.ins().bor(open, seen);
        }
        let down = self.at_least_zero(flags);
        let down = self.b.ins().band_imm_u(down, i64::from(FACE_DOWN));
        let open = self.b.ins().band_not(open, down);
        let seen = self.b.ins().bor(own, open);
        let seen = self.b.ins().band_imm_u(seen, 1);
        self.b.ins().bxor_imm_u(seen, 1)
    }
}
