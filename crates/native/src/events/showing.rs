//! Components that are turned over or shown.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::emit::{PLACES, Translator, offset};
use wyrmgate_engine::layout::{FACE_DOWN, FLAGS, SHOWN_SHIFT};
use wyrmgate_program::SetId;

impl Translator<'_> {
    pub fn turn_face(&mut self, what: SetId, down: bool) -> Option<()> {
        self.each_flags(what, &mut |t, flags| match down {
            true => t.b.ins().bor_imm_u(flags, i64::from(FACE_DOWN)),
            false => t.b.ins().band_imm_s(flags, i64::from(!FACE_DOWN)),
        })
    }

    pub fn show(&mut self, what: SetId, to: SetId) -> Option<()> {
        if !self.can_walk(to) {
            return None;
        }
        let seats = self.seats_of(to);
        let seats = self.b.ins().ireduce(types::I32, seats);
        let shown = self.b.ins().ishl_imm_u(seats, i64::from(SHOWN_SHIFT));
        self.each_flags(what, &mut |t, flags| t.b.ins().bor(flags, shown))
    }

    /// Changes the flags of each of these components, with an event.
    fn each_flags(
        &mut self,
        what: SetId,
        change: &mut dyn FnMut(&mut Self, Value) -> Value,
    ) -> Option<()> {
        // A what-if would have to restore them.
        if self.inlining.is_inside() {
            return None;
        }
        let number = self.open_buffer();
        let count = self.gather_list(what, number);
        self.close_buffer();
        let (first, end) = self.ends_of(number, count);
        let components = self.layout.components as i64;
        self.each_value(first, end, &[], &[], &mut |t, component, _| {
            let is_one = t.is(IntCC::UnsignedLessThan, component, components);
            t.run_if(is_one, |t| {
                let row = t.row_place(component);
                let flags = t.load(types::I32, row, offset(FLAGS));
                let flags = t.at_least_zero(flags);
                let flags = change(t, flags);
                t.store(flags, row, offset(FLAGS));
                t.count_change(PLACES);
                t.counts.new_events += 1;
                t.count();
            });
            (Vec::new(), None)
        });
        self.count_and_refuse();
        self.counts.new_events += 1;
        Some(())
    }
}
