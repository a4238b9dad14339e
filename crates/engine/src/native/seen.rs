//! Visibility of a component in the plain cases: it lies face up on the table, or the seat sees its zone. The
//! interpreter decides all other cases.

use cranelift_codegen::ir::{InstBuilder, Value};

use super::cycle::value_of;
use super::emit::Translator;
use crate::layout::{FACE_DOWN, FLAGS, ZONE};
use crate::see::{ABOUT, VIEWER};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::{ExprId, Program, SEATS_MAX, See};

/// Bit of [`sights`]: everybody sees face-up components.
const OPEN: usize = SEATS_MAX;

/// From this bit on: the seats that see face-up components.
const OPEN_TO: usize = OPEN + 1;

/// By zone, at least one: the seats that see all its contents, whether everybody sees face-up components, and the seats that
/// see them by a condition that does not depend on the state.
pub(super) fn sights(program: &Program) -> Vec<i32> {
    let of_zones = program.zones.iter().zip(0..).map(|(zone, number)| {
        match (zone.inside, zone.see, zone.owner) {
            (None, See::All, _) => 1 << OPEN,
            (None, See::Owner, Some(owner)) => 1 << owner,
            (None, See::If(condition), _) => seats_by(program, condition, number) << OPEN_TO,
            _ => 0,
        }
    });
    of_zones.chain([0]).collect()
}

/// Returns the seats that fulfil the condition of a zone, one bit each; none if it depends on the state.
fn seats_by(program: &Program, condition: ExprId, zone: i32) -> i32 {
    let sees = |seat: usize| {
        let mut known = Known::of(VIEWER, seat as i32).and(ABOUT, zone);
        pure::truth(program, condition, &mut known).unwrap_or(false)
    };
    let seats = (0..program.seats).filter(|seat| sees(*seat));
    seats.fold(0, |seats, seat| seats | 1 << seat)
}

impl Translator<'_> {
    /// Emits whether one of these components, from an address on, may be hidden from the seat: 0 or not, in 32 bits.
    pub fn listed_hidden(&mut self, first: Value, count: Value, seat: Value) -> Value {
        let end = self.place(first, count);
        let none = self.int(0);
        let made = self.each_value((first, end), &[], &[none], &mut |t, component, made| {
            let hidden = t.hidden(component, seat);
            (vec![t.b.ins().bor(value_of(made), hidden)], None)
        });
        value_of(&made)
    }

    /// Emits 1 if a component may be hidden from the seat.
    pub fn hidden(&mut self, component: Value, seat: Value) -> Value {
        let zone = self.row_of(component, ZONE);
        let zone = self.word(zone);
        let flags = self.row_of(component, FLAGS);
        let flags = self.word(flags);
        let sights = &self.facts.sights;
        let base = self.pointer(sights.as_ptr());
        let sight = self.entry(base, zone, 0, sights.len() as u32, 0);
        let sight = self.word(sight);
        let own = self.b.ins().ushr(sight, seat);
        let open = self.b.ins().ushr_imm_u(sight, OPEN as i64);
        let open_to = self.b.ins().ushr_imm_u(sight, OPEN_TO as i64);
        let open_to = self.b.ins().ushr(open_to, seat);
        let open = self.b.ins().bor(open, open_to);
        let nothing = self.int(0);
        let down = self.b.ins().smax(flags, nothing);
        let down = self.b.ins().band_imm_u(down, i64::from(FACE_DOWN));
        let open = self.b.ins().band_not(open, down);
        let seen = self.b.ins().bor(own, open);
        let seen = self.b.ins().band_imm_u(seen, 1);
        self.b.ins().bxor_imm_u(seen, 1)
    }
}
