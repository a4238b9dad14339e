//! Evaluates masks: a condition for a whole domain at once. See [`wyrmgate_program::Mask`].

mod bits;
mod kept;

pub use bits::members;
use bits::{Ones, all_if, among_these, equal};
use kept::CachedMask;
pub use kept::KeptMasks;

use super::Eval;
use super::cells::beside;
use super::places::lying;
use super::set::Walk;
use crate::fault::Halt;
use smallvec::SmallVec;
use wyrmgate_program::{
    Bits, BitsId, CellForm, Domain, EqualWords, ExprId, Mask, MaskId, MaskInfo, MaskOver, MaskRow,
    NONE, Reads, RowsByIndex, Temp,
};

impl<'a> Eval<'a> {
    /// Returns all members of a mask, and their domain.
    pub fn members_of(&mut self, mask: MaskId) -> Result<(Domain, Bits), Halt> {
        let Some(info) = self.program.masks.get(mask as usize) else {
            return Ok((Domain { first: 0, len: 1 }, 0));
        };
        let all = info.domain.all();
        let bits = self.bits(mask, all) & all;
        match self.scratch.fault {
            None => Ok((info.domain, bits)),
            Some(_) => Err(Halt),
        }
    }

    /// Returns the members of a mask that are among these.
    pub fn members_among(&mut self, mask: MaskId, among: Bits) -> Result<Bits, Halt> {
        let bits = self.bits(mask, among) & among;
        match self.scratch.fault {
            None => Ok(bits),
            Some(_) => Err(Halt),
        }
    }

    /// Evaluates a part of a mask. After a fault, the result is discarded; see [`Eval::members_of`].
    #[inline]
    fn part(&mut self, mask: MaskId) -> (Domain, Bits) {
        let Some(info) = self.program.masks.get(mask as usize) else {
            return (Domain { first: 0, len: 1 }, 0);
        };
        let all = info.domain.all();
        (info.domain, self.bits(mask, all) & all)
    }

    /// Returns the value of an expression in a mask.
    #[inline]
    fn word(&mut self, expr: ExprId) -> i32 {
        self.value(expr).unwrap_or_default()
    }

    pub(super) fn walk_bits<F>(&mut self, mask: MaskId, mut visit: F) -> Walk
    where
        F: FnMut(&mut Eval<'a>, i32) -> Walk,
    {
        let (domain, bits) = self.members_of(mask)?;
        for member in members(domain.first, bits) {
            self.scratch.spend()?;
            visit(self, member)?;
        }
        Ok(())
    }

    pub(super) fn has_bit(&mut self, mask: MaskId, value: i32) -> Result<bool, Halt> {
        let Some(info) = self.program.masks.get(mask as usize) else {
            return Ok(false);
        };
        let bit = info.domain.bit(value);
        let has = bit != 0 && self.bits(mask, bit) & bit != 0;
        match self.scratch.fault {
            None => Ok(has),
            Some(_) => Err(Halt),
        }
    }

    /// Returns which of the members `among` fulfill the condition; other bits are meaningless. Known masks are returned
    /// directly. A fault stays in the scratch until the whole mask is evaluated.
    #[inline(always)]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others need nothing special"
    )]
    pub(super) fn bits(&mut self, id: MaskId, among: Bits) -> Bits {
        let program = self.program;
        let Some(info) = program.masks.get(id as usize) else {
            return 0;
        };
        match info.mask {
            Mask::Const(bits) => self.constant_bits(bits),
            Mask::Kept { slot, reads, .. } => {
                let now = self.state.changes.of(reads);
                match self.scratch.kept.get(slot, now, [0; 2]) {
                    Some(bits) => bits,
                    None => self.work_out(info, among),
                }
            }
            _ => self.work_out(info, among),
        }
    }

    #[inline(never)]
    fn work_out(&mut self, info: &'a MaskInfo, among: Bits) -> Bits {
        if self.scratch.spend().is_err() {
            return 0;
        }
        let domain = info.domain;
        match info.mask {
            Mask::Const(bits) => self.constant_bits(bits),
            Mask::When(condition) => self.when(condition),
            Mask::Row(row) => self.row_bits(row),
            Mask::And(one, other) => self.both(one, other, among),
            Mask::Or(one, other) => self.one_of(one, other, among),
            Mask::Not(of) => !self.bits(of, among),
            Mask::Free => self.free_bits(domain, among),
            Mask::Tops { of, top, none } => self.tops(domain, of, top, none, among),
            Mask::Inside(zone) => self.inside_bits(domain, zone),
            Mask::Words(words) => self.equal_words(domain, words, among),
            Mask::Through { rows, of, none } => self.through(rows, of, none, among),
            Mask::ThroughBy(rows) => self.through_by(rows),
            Mask::Around { zone, cell, rows } => self.around(zone, cell, rows),
            Mask::Over(over) => self.over(over, among),
            Mask::Each { temp, condition } => self.each_bit(domain, temp, condition, among),
            Mask::Kept { slot, of, reads } => self.kept_bits(slot, of, reads, [0; 2]),
            Mask::KeptFor(kept) => {
                let values = kept.temps.map(|temp| self.temp(temp));
                self.kept_bits(kept.slot, kept.of, kept.reads, values)
            }
        }
    }

    #[inline]
    fn constant_bits(&self, bits: BitsId) -> Bits {
        self.program.bits.get(bits as usize).copied().unwrap_or(0)
    }

    fn when(&mut self, condition: ExprId) -> Bits {
        all_if(self.word(condition) > 0)
    }

    #[inline(never)]
    fn row_bits(&mut self, row: MaskRow) -> Bits {
        let number = self.number_of_row(row.index, row.low, row.count);
        self.constant_bits(row.rows + number)
    }

    /// Returns the number of a row by its index, clamped to the ends.
    #[inline]
    fn number_of_row(&mut self, index: ExprId, low: i32, count: u32) -> u32 {
        let number = self.word(index).saturating_sub(low).max(0) as u32;
        number.min(count.saturating_sub(1))
    }

    #[inline(never)]
    fn both(&mut self, one: MaskId, other: MaskId, among: Bits) -> Bits {
        let left = self.bits(one, among) & among;
        if left == 0 {
            return 0;
        }
        left & self.bits(other, left)
    }

    #[inline(never)]
    fn one_of(&mut self, one: MaskId, other: MaskId, among: Bits) -> Bits {
        let bits = self.bits(one, among) & among;
        let rest = among & !bits;
        if rest == 0 {
            return bits;
        }
        bits | self.bits(other, rest) & rest
    }

    #[inline(never)]
    fn free_bits(&self, domain: Domain, among: Bits) -> Bits {
        let zones = self.state.zone_rows(domain.first, domain.len);
        let (_, empty) = among_these(0, zones.map(|(first, _)| first));
        empty & among
    }

    /// Returns all or none of the members for which there is nothing to look at.
    #[inline]
    fn where_none(&mut self, members: Bits, none: ExprId) -> Bits {
        if members == 0 {
            return 0;
        }
        members & self.when(none)
    }

    #[inline(never)]
    fn tops(&mut self, domain: Domain, of: MaskId, top: bool, none: ExprId, among: Bits) -> Bits {
        let (_, wanted) = self.part(of);
        let zones = self.state.zone_rows(domain.first, domain.len);
        let components = zones.map(|(first, last)| if top { last } else { first });
        let (bits, empty) = among_these(wanted, components);
        bits | self.where_none(empty & among, none)
    }

    #[inline(never)]
    fn inside_bits(&mut self, domain: Domain, zone: ExprId) -> Bits {
        let zone = self.word(zone);
        let members = self.state.members(zone);
        members.fold(0, |bits, component| bits | domain.bit(component))
    }

    #[inline(never)]
    fn equal_words(&mut self, domain: Domain, of: EqualWords, among: Bits) -> Bits {
        let value = self.word(of.value);
        let span = u32::from(domain.len - 1) * u32::from(of.step) + 1;
        let words = self.state.vars(of.offset, span);
        equal(words, usize::from(of.step).max(1), value) & among
    }

    #[inline(never)]
    fn through(&mut self, rows: BitsId, of: MaskId, none: ExprId, among: Bits) -> Bits {
        let (_, wanted) = self.part(of);
        let nowhere = self.constant_bits(rows) & among;
        let bits = Ones(wanted).fold(0, |bits, other| bits | self.constant_bits(rows + 1 + other));
        bits & among | self.where_none(nowhere, none)
    }

    #[inline(never)]
    fn through_by(&mut self, by: RowsByIndex) -> Bits {
        let index = self.number_of_row(by.index, by.low, by.count);
        let (others, wanted) = self.part(by.of);
        let rows = by.rows + index * u32::from(others.len);
        Ones(wanted).fold(0, |bits, other| bits | self.constant_bits(rows + other))
    }

    #[inline(never)]
    fn over(&mut self, over: MaskOver, among: Bits) -> Bits {
        // For `every`, those that some member leaves out are collected.
        let mut left = among;
        // Why the walk ended makes no difference: a fault is in the scratch.
        let _ = self.walk(over.of, |eval, member| {
            eval.set_temp(over.temp, member);
            let bits = eval.bits(over.each, left);
            left &= if over.every { bits } else { !bits };
            if left == 0 {
                return Err(super::IterationStop::Enough);
            }
            Ok(())
        });
        if over.every { left } else { among & !left }
    }

    #[inline(never)]
    fn around(&mut self, zone: ExprId, cell: ExprId, rows: BitsId) -> Bits {
        let (zone, cell) = (self.word(zone), self.word(cell));
        let state = self.state;
        let cells = state.layout.cells;
        let kept = self.scratch.memo.places(state, zone);
        let squares = kept.filter(|_| cells == CellForm::Square);
        let around = squares.and_then(|places| places.around(cell));
        let lies_beside = |side| {
            let place = beside(cell, side, cells);
            match kept {
                Some(places) => places.lying_at(place),
                None => {
                    let component = state.at_cell(zone, place);
                    lying(component.max(NONE), state.turned(component))
                }
            }
        };
        let around: SmallVec<[i32; 6]> = match around {
            Some(around) => SmallVec::from_slice(&around),
            None => (0..cells.count()).map(lies_beside).collect(),
        };
        let sides = (0..)
            .zip(around)
            .map(|(side, lies)| self.constant_bits(rows + lies as u32) & 1 << side);
        sides.fold(0, |all, side| all | side)
    }

    #[inline(never)]
    fn each_bit(&mut self, domain: Domain, temp: Temp, condition: ExprId, among: Bits) -> Bits {
        let mut bits = 0;
        for bit in Ones(among) {
            if self.scratch.spend().is_err() {
                break;
            }
            self.set_temp(temp, domain.first.wrapping_add(bit as i32));
            bits |= Bits::from(self.word(condition) > 0) << bit;
        }
        bits
    }

    #[inline(never)]
    fn kept_bits(&mut self, slot: u16, mask: MaskId, reads: Reads, of: [i32; 2]) -> Bits {
        let now = self.state.changes.of(reads);
        if let Some(bits) = self.scratch.kept.get(slot, now, of) {
            return bits;
        }
        let (_, bits) = self.part(mask);
        if self.scratch.fault.is_none() {
            self.scratch.kept.keep(slot, CachedMask { now, of, bits });
        }
        bits
    }
}
