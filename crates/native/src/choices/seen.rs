//! Visibility of a component in the plain cases: it lies face up on the table, or the seat sees its zone. The
//! interpreter decides all other cases.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::facts::sights::{BY_STATE, OPEN, OPEN_TO};
use crate::masks::bits::MaskBits as Bits;
use crate::translator::cycle::value_of;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_engine::layout::{FACE_DOWN, FLAGS, ZONE};
use wyrmgate_engine::see::{ABOUT, VIEWER};
use wyrmgate_program::{BinderInfo, Domain, Set};

impl Translator<'_> {
    /// Emits whether a component of a list may be hidden from the seat: 0 if not, in 32 bits.
    pub fn listed_hidden(&mut self, first: Value, count: Value, seat: Value) -> Value {
        let end = self.place(first, count);
        self.any_hidden(|t, by_state| {
            let none = t.int(0);
            let made = t.each_value(first, end, &[], &[none], &mut |t, component, made| {
                let hidden = t.hidden(component, seat, by_state);
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
        self.any_hidden(|t, by_state| {
            let none = t.int(0);
            let made = t.each_bit(bits, &[none], |t, number, made| {
                let component = t.member(domain, number);
                let hidden = t.hidden(component, seat, by_state);
                (vec![t.b.ins().bor(value_of(made), hidden)], None)
            });
            value_of(&made)
        })
    }

    /// Emits whether a component is hidden; conditions on the state are evaluated only if one may be hidden without them.
    fn any_hidden(&mut self, mut hidden: impl FnMut(&mut Self, bool) -> Value) -> Value {
        let plainly = hidden(self, false);
        if self.facts.sights.by_state.is_empty() {
            return plainly;
        }
        self.one_of(types::I32, plainly, |t| hidden(t, true), |t| t.int(0))
    }

    /// Emits 1 if a seat sees what lies face up in a zone by the condition with this number, 0 if it does not.
    fn seen_by_state(&mut self, number: Value, seat: Value, zone: Value) -> Value {
        let facts = self.facts;
        let mut seen = self.int(0);
        for (condition, own) in facts.sights.by_state.iter().zip(1..) {
            let asks = self.is(IntCC::Equal, number, own);
            let made = self.only_where(asks, &[seen], &mut |t, _| {
                let viewed = [(VIEWER, seat), (ABOUT, zone)];
                let window = viewed.map(|(temp, value)| (temp, ScalarValue::Word(value)));
                let outside = std::mem::replace(&mut t.known.temps, window.to_vec());
                let sees = t.truth(*condition);
                t.known.temps = outside;
                vec![t.b.ins().uextend(types::I32, sees)]
            });
            seen = value_of(&made);
        }
        seen
    }

    /// Emits 1 if a component may be hidden from the seat, also `by_state` if that is asked.
    fn hidden(&mut self, component: Value, seat: Value, by_state: bool) -> Value {
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
        if by_state {
            let number = self.b.ins().ushr_imm_u(sight, BY_STATE as i64);
            let seen = self.seen_by_state(number, seat, zone);
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
