//! Masks as inline code. See [`wyrmgate_program::Mask`]; `engine/eval/mask.rs` is the interpreter's version.

use crate::masks::bits::{MaskBits, is_wide};
use crate::masks::members::set_arguments;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at};
use crate::translator::helper;
use crate::translator::notes::Part;
use std::mem::offset_of;

use cranelift_codegen::ir::{InstBuilder, Value, types};

use wyrmgate_program::{BitsId, EqualWords, ExprId, Mask, MaskId, MaskInfo};

/// Words of the row of a zone.
const FIRST: usize = 0;
const LAST: usize = 1;

/// Conditions with more operations are evaluated only if a member is left for them.
const FEW: usize = 11;

impl Translator<'_> {
    /// Emits all members of a mask; `None` if there is no such mask.
    pub fn members(&mut self, mask: MaskId) -> Option<MaskBits> {
        let info = *self.program.masks.get(mask as usize)?;
        let all = info.domain.all();
        let wide = is_wide(info.domain);
        let all = self.constant(all, wide);
        let bits = self.bits(mask, info, all);
        Some(self.and(bits, all))
    }

    /// Emits the members among these; other bits are meaningless.
    pub fn bits(&mut self, id: MaskId, info: MaskInfo, among: MaskBits) -> MaskBits {
        let domain = info.domain;
        let wide = is_wide(domain);
        if let Some(room) = self.inlining.room.checked_sub(2) {
            self.inlining.room = room;
            self.counts.work += 1;
            if let Some(bits) = self.bits_in_place(id, info, among, wide) {
                return bits;
            }
        }
        self.ask_bits(id, among)
    }

    pub fn part_of(&mut self, id: MaskId, among: MaskBits) -> Option<MaskBits> {
        let info = *self.program.masks.get(id as usize)?;
        Some(self.bits(id, info, among))
    }

    fn bits_in_place(
        &mut self,
        id: MaskId,
        info: MaskInfo,
        among: MaskBits,
        wide: bool,
    ) -> Option<MaskBits> {
        let domain = info.domain;
        match info.mask {
            Mask::Const(bits) => {
                let bits = self.known_bits(bits);
                Some(self.constant(bits, wide))
            }
            Mask::When(condition) => Some(self.when(condition, wide)),
            Mask::Row(row) => {
                self.fits(row.rows, row.count)?;
                let index = self.bounded(row.index, row.low, row.count);
                Some(self.row_at(row.rows, index, wide))
            }
            Mask::And(one, other) => {
                let left = self.part_of(one, among)?;
                let left = self.and(left, among);
                self.only_if_any(left, other)
            }
            Mask::Or(one, other) => {
                let left = self.part_of(one, among)?;
                let left = self.and(left, among);
                let rest = self.without(among, left);
                let right = self.only_if_any(rest, other)?;
                Some(self.or(left, right))
            }
            Mask::Not(of) => {
                let bits = self.part_of(of, among)?;
                Some(self.not(bits))
            }
            Mask::Free => {
                let zones = self.zones(domain, FIRST)?;
                Some(self.each_word(zones, |t, first| {
                    let below = t.b.ins().ushr_imm_u(first, 31);
                    t.b.ins().uextend(types::I64, below)
                }))
            }
            Mask::Tops { of, top, none } => {
                let wanted = self.members(of)?;
                let word = if top { LAST } else { FIRST };
                let zones = self.zones(domain, word)?;
                let none = self.all_bits_if(none);
                Some(self.each_word(zones, |t, number| t.has_or(wanted, number, none)))
            }
            Mask::Inside(zone) => self.inside(domain, zone, wide),
            Mask::Words(words) => {
                let value = self.word_of(words.value);
                let run = self.run(domain, words.offset, words.step)?;
                Some(self.equal_words(run, value))
            }
            Mask::Through { rows, of, none } => {
                let others = self.program.masks.get(of as usize)?.domain;
                self.fits(rows, u32::from(others.len) + 1)?;
                let wanted = self.members(of)?;
                let none = self.when(none, wide);
                let nowhere = self.known_bits(rows);
                let nowhere = self.constant(nowhere, wide);
                let start = self.and(none, nowhere);
                let first = self.long(0);
                Some(self.union_of_rows(rows + 1, first, others, wanted, start))
            }
            Mask::ThroughBy(by) => {
                let others = self.program.masks.get(by.of as usize)?.domain;
                let of_each = u32::from(others.len);
                self.fits(by.rows, by.count.checked_mul(of_each)?)?;
                let index = self.bounded(by.index, by.low, by.count);
                let first = self.b.ins().imul_imm_s(index, i64::from(of_each));
                let wanted = self.members(by.of)?;
                let start = self.constant(0, wide);
                Some(self.union_of_rows(by.rows, first, others, wanted, start))
            }
            Mask::Each { temp, condition } => {
                Some(self.each_member(domain, temp, condition, among))
            }
            Mask::Kept { slot, of, reads } => self.kept(slot, of, reads, None),
            Mask::KeptFor(kept) => {
                let [one, other] = kept.temps.map(|temp| self.temp(temp));
                self.kept(kept.slot, kept.of, kept.reads, Some((one?, other?)))
            }
            Mask::Over(over) => self.over(over, among),
            Mask::Around { zone, cell, rows } => self.around(id, domain, zone, cell, rows),
        }
    }

    /// Calls the interpreter for the members of a mask.
    pub fn ask_bits(&mut self, id: MaskId, among: MaskBits) -> MaskBits {
        self.note_ask(Part::Mask);
        self.spill_temps();
        self.set_bits(among);
        let number = self.int(id as i32);
        self.call_helper(helper::mask as *const u8, &[number], None);
        let low = self.part(types::I64, at(offset_of!(Context, members.low)));
        let high = among
            .high
            .map(|_| self.part(types::I64, at(offset_of!(Context, members.high))));
        MaskBits::new(low, high)
    }

    /// Checks that there are this many constants from the first on.
    pub fn fits(&self, rows: BitsId, count: u32) -> Option<()> {
        let end = rows as usize + count as usize;
        (count > 0 && end <= self.program.bits.len()).then_some(())
    }

    /// Emits all members or none, by a condition that does not depend on the member.
    pub fn when(&mut self, condition: ExprId, wide: bool) -> MaskBits {
        let all = self.all_bits_if(condition);
        self.same(all, wide)
    }

    pub fn all_bits_if(&mut self, condition: ExprId) -> Value {
        let flag = self.truth(condition);
        self.all_if(flag)
    }

    /// Emits the number of a row, in 64 bits, clamped to the ends.
    pub fn bounded(&mut self, index: ExprId, low: i32, count: u32) -> Value {
        let index = self.word_of(index);
        let is_within = self.is_within(index, low, count);
        let index = self.b.ins().sextend(types::I64, index);
        let index = self.b.ins().iadd_imm_s(index, -i64::from(low));
        if is_within {
            return index;
        }
        let (least, most) = (self.long(0), self.long(u64::from(count.saturating_sub(1))));
        let index = self.b.ins().smax(index, least);
        self.b.ins().smin(index, most)
    }

    /// Emits the members of a mask among some; expensive parts are evaluated only if there are any.
    pub fn only_if_any(&mut self, among: MaskBits, mask: MaskId) -> Option<MaskBits> {
        self.program.masks.get(mask as usize)?;
        if !self.is_costly(mask) {
            let bits = self.part_of(mask, among)?;
            return Some(self.and(bits, among));
        }
        let [some, after] = self.blocks();
        let low = self.b.append_block_param(after, types::I64);
        let high = among
            .high
            .map(|_| self.b.append_block_param(after, types::I64));
        let any = self.any(among);
        let none = set_arguments(among);
        self.b.ins().brif(any, some, &[], after, &none);
        let noted = std::mem::take(&mut self.counts.work);
        self.b.switch_to_block(some);
        let bits = self.part_of(mask, among)?;
        let bits = self.and(bits, among);
        self.count();
        self.jump(after, &set_arguments(bits));
        self.b.switch_to_block(after);
        self.counts.work = noted;
        Some(MaskBits::new(low, high))
    }

    pub fn is_costly(&self, mask: MaskId) -> bool {
        let Some(info) = self.program.masks.get(mask as usize) else {
            return false;
        };
        match info.mask {
            Mask::And(one, other) | Mask::Or(one, other) => {
                self.is_costly(one) || self.is_costly(other)
            }
            Mask::Not(of) => self.is_costly(of),
            Mask::When(condition) => {
                let few = self.program.operations_without_lists(condition, FEW);
                few.is_none()
            }
            Mask::Const(_) | Mask::Row(_) | Mask::Kept { .. } => false,
            Mask::Words(EqualWords { step, .. }) => step > 1,
            _ => true,
        }
    }
}
