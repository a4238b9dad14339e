//! One loop for each kind of list: a body for every member, in order.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::cycle::{Body, LoopBody, Made, joined, value_of};
use crate::translator::emit::{Translator, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_engine::layout::{COUNT, FIRST, NEXT, ZONE_WORDS, header};
use wyrmgate_program::{ExprId, KeyedList, NONE};

impl<'t> Translator<'t> {
    /// Runs a body for each component in a zone, in order.
    ///
    /// Without another loop inside, the work of all members is counted after the loop.
    pub fn in_zone(&mut self, zone: ExprId, made: &[Value], body: Body<'_, 't>) -> Vec<Value> {
        let zone = self.word_of(zone);
        let [first, count] = [(FIRST, NONE), (COUNT, 0)].map(|(word, default)| {
            let zones = self.layout.zones;
            let found = self.strided(zone, zones, header::LEN + word, ZONE_WORDS, default);
            self.word(found)
        });
        let components = self.layout.components as i32;
        let [head, inside, after] = self.blocks();
        let member = self.b.append_block_param(head, types::I32);
        let so_far = self.params_like(head, made);
        let results = self.params_like(after, made);
        let noted = std::mem::take(&mut self.counts.work);
        self.jump(head, &joined(&[first], made));
        self.b.switch_to_block(head);
        let is_one = self.is(IntCC::UnsignedLessThan, member, components.into());
        let out = joined(&[], &so_far);
        self.b.ins().brif(is_one, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        self.known.ranges.insert(member, (0, components - 1));
        // Loaded before the body, because a what-if can move the member.
        let next = self.row_of(member, NEXT);
        let next = self.word(next);
        let ((made, enough), each) = self.round(member, &so_far, body);
        self.go_around(enough, head, &joined(&[next], &made), after, &made);
        self.b.switch_to_block(after);
        if each > 0 {
            let work = self.b.ins().imul_imm_s(count, each);
            self.spend(work);
        }
        self.counts.work = noted;
        results
    }

    /// Emits a round of a loop; returns the work of each round if another loop inside does not count it.
    fn round(&mut self, member: Value, so_far: &[Value], body: Body<'_, 't>) -> (Made, i64) {
        let loops = self.counts.loops;
        let made = body(self, member, so_far);
        self.counts.work += 1;
        let mut each = 0;
        match self.counts.loops == loops {
            true => each = std::mem::take(&mut self.counts.work),
            false => self.count_and_refuse(),
        }
        self.counts.loops = loops + 1;
        (made, each)
    }

    pub fn each_in_range(&mut self, low: ExprId, high: ExprId, to: LoopBody<'_, 't>) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let (low, high) = (self.value(low), self.value(high));
        let ends = match (low, high) {
            (ScalarValue::Known(low), ScalarValue::Known(high)) => Some((low, high)),
            _ => None,
        };
        let (low, high) = (self.word(low), self.word(high));
        let low = self.b.ins().sextend(types::I64, low);
        let high = self.b.ins().sextend(types::I64, high);
        self.cycle(
            &[low],
            made,
            |t, now| {
                let at = value_of(now);
                t.b.ins().icmp(IntCC::SignedLessThanOrEqual, at, high)
            },
            |t, now| {
                let at = value_of(now);
                let member = t.b.ins().ireduce(types::I32, at);
                if let Some(ends) = ends {
                    t.known.ranges.insert(member, ends);
                }
                (member, vec![t.b.ins().iadd_imm_s(at, 1)])
            },
            body,
        )
    }

    pub fn each_seat(&mut self, seat: ExprId, skipped: i64, to: LoopBody<'_, 't>) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let seats = self.layout.seats as i64;
        let first = self.word_of(seat);
        let is_seat = self.is(IntCC::UnsignedLessThan, first, seats);
        let begin = self.int(skipped as i32);
        let beyond = self.int(seats as i32);
        let begin = self.b.ins().select(is_seat, begin, beyond);
        self.cycle(
            &[begin],
            made,
            |t, now| t.is(IntCC::SignedLessThan, value_of(now), seats),
            |t, now| {
                let step = value_of(now);
                let member = t.b.ins().iadd(first, step);
                let around = t.b.ins().iadd_imm_s(member, -seats);
                let is_beyond = t.is(IntCC::SignedGreaterThanOrEqual, member, seats);
                let member = t.b.ins().select(is_beyond, around, member);
                t.known.ranges.insert(member, (0, seats as i32 - 1));
                (member, vec![t.b.ins().iadd_imm_s(step, 1)])
            },
            body,
        )
    }

    /// Iterates over words from one address to another. `constants`: the values that they can have, if known.
    ///
    /// Without another loop inside, the work is counted after the loop, by the number of words visited.
    pub fn each_value(
        &mut self,
        first: Value,
        end: Value,
        constants: &[i32],
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Vec<Value> {
        let [head, inside, after] = self.blocks();
        let at = self.b.append_block_param(head, types::I64);
        let so_far = self.params_like(head, made);
        let end_at = self.b.append_block_param(after, types::I64);
        let results = self.params_like(after, made);
        let noted = std::mem::take(&mut self.counts.work);
        self.jump(head, &joined(&[first], made));
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, at, end);
        let out = joined(&[at], &so_far);
        self.b.ins().brif(more, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let member = self.load(types::I32, at, 0);
        self.note_range(member, constants, None);
        let ((mut made, enough), each) = self.round(member, &so_far, body);
        made.insert(0, self.b.ins().iadd_imm_s(at, i64::from(offset(1))));
        self.go_around(enough, head, &joined(&made, &[]), after, &made);
        self.b.switch_to_block(after);
        if each > 0 {
            let bytes = self.b.ins().isub(end_at, first);
            let words = self.b.ins().ushr_imm_u(bytes, i64::from(offset(1).ilog2()));
            let work = self.b.ins().imul_imm_s(words, each);
            let work = self.b.ins().ireduce(types::I32, work);
            self.spend(work);
        }
        self.counts.work = noted;
        results
    }

    pub fn each_keyed(&mut self, list: KeyedList, to: LoopBody<'_, 't>) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let (tables, low) = (&self.program.tables, list.low);
        let table = |id: u32| tables.get(id as usize).map_or(&[][..], Vec::as_slice);
        let (starts, members) = (table(list.starts), table(list.members));
        let lists = starts.len().saturating_sub(1) as i64;
        let number = self.word_of(list.value);
        let is_certain = self.is_within(number, low, lists as u32);
        let number = match low {
            0 => number,
            low => self.b.ins().iadd_imm_s(number, -i64::from(low)),
        };
        let inside = (!is_certain).then(|| self.is(IntCC::UnsignedLessThan, number, lists));
        let zero = self.int(0);
        let number = inside.map_or(number, |inside| self.b.ins().select(inside, number, zero));
        let constants = members;
        let starts = self.pointer(starts.as_ptr());
        let members = self.pointer(members.as_ptr());
        let place = self.place(starts, number);
        let first = self.load(types::I32, place, 0);
        let end = self.load(types::I32, place, offset(1));
        let end = inside.map_or(end, |inside| self.b.ins().select(inside, end, first));
        let first = self.place(members, first);
        let end = self.place(members, end);
        self.each_value(first, end, constants, made, body)
    }

    pub fn each_member_of_mask(&mut self, mask: u32, to: LoopBody<'_, 't>) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let domain = self
            .program
            .masks
            .get(mask as usize)
            .map(|mask| mask.domain);
        let (Some(domain), Some(bits)) = (domain, self.members(mask)) else {
            return made.to_vec();
        };
        self.each_bit(bits, made, |t, number, made| {
            let member = t.member(domain, number);
            body(t, member, made)
        })
    }
}
