//! Decisions of several seats at once: their choices are recorded seat by seat, those of the first one last.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

use crate::choices::kind::RecordingKind;
use crate::choices::noting::NotedSite;
use crate::memory::context::Context;
use crate::translator::cycle::value_of;
use crate::translator::emit::{Translator, at};
use crate::translator::helper;
use crate::translator::known::ScalarValue;
use wyrmgate_engine::layout::header;
use wyrmgate_program::{
    Address, BinderInfo, BinderSize, NONE, SEATS_MAX, SetId, Site, SiteId, Type,
};

/// The state of the iteration over seats: the remaining seats and those with choices, as bits; whether to record the
/// choices only; whether the last seat has any.
struct Round {
    left: Value,
    owing: Value,
    only_looks: Value,
    any: Value,
}

impl Round {
    fn arguments(&self) -> [BlockArg; 4] {
        [self.left, self.owing, self.only_looks, self.any].map(BlockArg::Value)
    }
}

impl Translator<'_> {
    /// Comes to rest if some seat has a choice, with those of the first one recorded.
    pub fn choose_each(
        &mut self,
        place: Address,
        site_id: SiteId,
        seats: SetId,
    ) -> Option<Vec<Address>> {
        let site = self.program.site(site_id)?;
        let look = self
            .flow
            .looks
            .iter()
            .position(|look| look.site == site_id)?;
        let kind = self.kind(site);
        if !site.is_plain() || !self.can_walk(seats) || !self.has_answers(site) {
            return None;
        }
        self.clear_answers(site)?;
        let [head, done] = self.blocks();
        let begin = self.asked(seats);
        self.count();
        self.jump(head, &begin.arguments());
        let block = self.flow.looks.get(look)?.block;
        self.begin_looking(block, head);
        self.flow.looks.get_mut(look)?.is_made = true;
        let end = self.each_asked(place, site_id, site, kind, head, done)?;
        self.b.switch_to_block(done);
        self.end_round(place, site_id, kind, &end);
        let next = self.go_on(place, site.otherwise);
        self.make_entry(site_id, |t, block| t.take_of_seat(block, kind, site, head));
        Some(next)
    }

    /// Returns whether the slots of all answers exist.
    fn has_answers(&self, site: &Site) -> bool {
        let mut names = site.options.iter().flat_map(|option| &option.binders);
        names.all(|name| u32::from(name.local) + slots_of(name) <= self.flow.effect.slots)
    }

    /// Sets the slots of answers of seats that are not asked to NONE.
    fn clear_answers(&mut self, site: &Site) -> Option<()> {
        for name in site.options.iter().flat_map(|option| &option.binders) {
            let nothing = match name.of {
                _ if name.count != BinderSize::One => 0,
                Type::Int | Type::Bool => 0,
                _ => NONE,
            };
            let nothing = self.int(nothing);
            for slot in 0..slots_of(name) as u16 {
                self.set_local(name.local + slot, nothing)?;
            }
        }
        Some(())
    }

    /// Starts with the seats of a list.
    fn asked(&mut self, seats: SetId) -> Round {
        Round {
            left: self.seats_of(seats),
            owing: self.int(0),
            only_looks: self.b.ins().iconst(types::I8, 0),
            any: self.b.ins().iconst(types::I8, 0),
        }
    }

    /// Returns the seats of an iterable list, as bits.
    pub fn seats_of(&mut self, seats: SetId) -> Value {
        let count = self.layout.seats as i64;
        let nobody = self.long(0);
        let made = self.each(seats, &[nobody], &mut |t, seat, made| {
            let is_seat = t.is(IntCC::UnsignedLessThan, seat, count);
            let one = t.b.ins().uextend(types::I64, is_seat);
            let bit = t.b.ins().ishl(one, seat);
            (vec![t.b.ins().bor(value_of(made), bit)], None)
        });
        value_of(&made)
    }

    /// Records only the choices of the seat in the context.
    fn begin_looking(&mut self, block: Block, head: Block) {
        self.b.switch_to_block(block);
        self.load_counts();
        let seat = self.part(types::I32, at(offset_of!(Context, rest.seat)));
        self.look_of(seat, head);
    }

    /// Records only the choices of a seat.
    pub fn look_of(&mut self, seat: Value, head: Block) {
        let one = self.long(1);
        let left = self.b.ins().ishl(one, seat);
        let seats = i64::from(1u32.wrapping_shl(self.layout.seats as u32)) - 1;
        let round = Round {
            left: self.b.ins().band_imm_u(left, seats),
            owing: self.int(0),
            only_looks: self.b.ins().iconst(types::I8, 1),
            any: self.b.ins().iconst(types::I8, 0),
        };
        self.jump(head, &round.arguments());
    }

    /// Iterates over the asked seats, the last one first.
    fn each_asked(
        &mut self,
        place: Address,
        site_id: SiteId,
        site: &Site,
        kind: RecordingKind,
        head: Block,
        done: Block,
    ) -> Option<Round> {
        let round = Round {
            left: self.b.append_block_param(head, types::I64),
            owing: self.b.append_block_param(head, types::I32),
            only_looks: self.b.append_block_param(head, types::I8),
            any: self.b.append_block_param(head, types::I8),
        };
        let [inside, by_interpreter] = self.blocks();
        self.b.switch_to_block(head);
        self.branch(round.left, inside, done);
        self.b.switch_to_block(inside);
        let zeros = self.b.ins().clz(round.left);
        let zeros = self.b.ins().ireduce(types::I32, zeros);
        let highest = self.int(u64::BITS as i32 - 1);
        let seat = self.b.ins().isub(highest, zeros);
        // There are no bits above that of the last seat.
        let last = self.layout.seats as i32 - 1;
        self.known.ranges.insert(seat, (0, last));
        self.known.temps.clear();
        self.set_temp(site.seat_temp, ScalarValue::Word(seat));
        let noted = NotedSite {
            id: site_id,
            site,
            seat,
            by_interpreter,
        };
        let any = self.note_by_kind(kind, noted)?;
        self.counts.work += 1;
        self.count();
        let one = self.long(1);
        let bit = self.b.ins().ishl(one, seat);
        let flag = self.b.ins().uextend(types::I32, any);
        let flag = self.b.ins().ishl(flag, seat);
        let next = Round {
            left: self.b.ins().bxor(round.left, bit),
            owing: self.b.ins().bor(round.owing, flag),
            only_looks: round.only_looks,
            any,
        };
        self.jump(head, &next.arguments());
        self.b.switch_to_block(by_interpreter);
        self.leave_to_interpreter(place, &round)?;
        Some(round)
    }

    /// Leaves the decision to the interpreter, because the order of components is secret.
    fn leave_to_interpreter(&mut self, place: Address, round: &Round) -> Option<()> {
        let [rest, perform] = self.blocks();
        self.branch(round.only_looks, rest, perform);
        self.b.switch_to_block(rest);
        self.rest();
        self.b.switch_to_block(perform);
        let number = self.int(place as i32);
        let next = self.call_helper(helper::perform as *const u8, &[number], Some(types::I32))?;
        self.leave_with(next);
        Some(())
    }

    /// Comes to rest after all seats, or continues in the open block.
    fn end_round(&mut self, place: Address, site_id: SiteId, kind: RecordingKind, round: &Round) {
        let [look, ask] = self.blocks();
        let [wait, otherwise] = self.blocks();
        let number = self.int(i32::from(site_id));
        // The choices recorded last are those of the first seat. If it has none, the choices must be recorded again when
        // they are needed.
        let none = self.int(NONE);
        let noted = if kind == RecordingKind::Elsewhere {
            none
        } else {
            self.b.ins().select(round.any, number, none)
        };
        self.branch(round.only_looks, look, ask);
        self.b.switch_to_block(look);
        self.set_part(noted, at(offset_of!(Context, rest.site)));
        self.rest();
        self.b.switch_to_block(ask);
        self.branch(round.owing, wait, otherwise);
        self.b.switch_to_block(wait);
        self.set_part(noted, at(offset_of!(Context, rest.site)));
        self.set_state_word(header::OWING, round.owing);
        self.set_state_word(header::SITE, number);
        let secret = self.int(1);
        self.set_state_word(header::SECRET, secret);
        self.go_on_after(place);
        self.rest();
        self.b.switch_to_block(otherwise);
    }
}

/// Returns how many slots the answers of all seats take: one each, or two for a list.
fn slots_of(name: &BinderInfo) -> u32 {
    let each = if name.count == BinderSize::One { 1 } else { 2 };
    each * SEATS_MAX as u32
}
