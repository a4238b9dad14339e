//! How many members of a mask belong to each of several rows, for all rows at once: `count(hand(p) where .rank = r) >= 2`
//! for each rank `r`.
//!
//! If the members of different rows lie at the same distance from the numbers of their rows, as cards of one suit do, one
//! shift of the mask says which rows have theirs. Adding these words, one for each distance, gives the rows that have at
//! least one member, those that have at least two, and so on: numbers in unary.
//!
//! Where the copies of a card lie side by side, the rows are apart by as many bits as there are copies. The numbers are
//! found in the same way, and moved together afterwards.

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use crate::masks::bits::{MaskBits, is_wide};
use crate::translator::emit::Translator;
use wyrmgate_program::{Binary, Bits, BitsId, Domain, Expr, ExprId, Mask, MaskId, Temp};

/// The maximum number of distances.
const DISTANCES_MAX: usize = 6;

/// The maximum distance of the rows.
const STRIDE_MAX: usize = 8;

/// Domains with fewer members are examined one by one.
const MEMBERS_MIN: u16 = 4;

/// The work of asking about one member: the member, both masks, and what they have in common.
const OF_MEMBER: i64 = 4;

/// A question about the number of members in each row.
struct Counting {
    /// The mask whose members are counted.
    of: MaskId,
    rows: MemberRows,
    compare: Binary,
    with: ExprId,
}

/// Where the members of rows lie.
struct MemberRows {
    /// How many bits the rows are apart.
    stride: usize,
    /// The number of rows up to the last one with members.
    count: usize,
    /// By distance from the bit of its row: the bits of the rows that have a member there.
    at: BTreeMap<i64, u64>,
}

impl Translator<'_> {
    /// Emits the members of a domain for which a condition of this form holds; `None` if nothing was emitted.
    pub fn each_counted(
        &mut self,
        domain: Domain,
        temp: Temp,
        condition: ExprId,
        among: MaskBits,
    ) -> Option<MaskBits> {
        // In a what-if, the mask is evaluated again for each member, which counts as work.
        if self.reuse.supposes || is_wide(domain) || domain.len < MEMBERS_MIN {
            return None;
        }
        let counting = self.counting(domain, temp, condition)?;
        let counted = self.members(counting.of)?.low;
        let with = self.word_of(counting.with);
        let at_least = self.in_unary(counted, &counting.rows);
        let holds = self.compared(&at_least, counting.compare, with);
        self.count();
        self.count_for_each(among, OF_MEMBER);
        Some(self.and(MaskBits::new(holds, None), among))
    }

    /// Returns the question, if a condition has this form.
    fn counting(&self, domain: Domain, temp: Temp, condition: ExprId) -> Option<Counting> {
        let program = self.program;
        let expr = |id: ExprId| program.exprs.get(id as usize);
        let mask = |id: MaskId| program.masks.get(id as usize);
        let Expr::Binary(compare, count, with) = *expr(condition)? else {
            return None;
        };
        let &Expr::CountBits(both) = expr(count)? else {
            return None;
        };
        let both = mask(both)?;
        let Mask::And(of, row) = both.mask else {
            return None;
        };
        let Mask::Row {
            rows,
            low,
            count,
            index,
        } = mask(row)?.mask
        else {
            return None;
        };
        let is_fixed = match expr(with)? {
            Expr::Const(_) | Expr::Word(_) | Expr::Local(_) => true,
            Expr::Temp(other) => *other != temp,
            _ => false,
        };
        let is_member = expr(index)? == &Expr::Temp(temp);
        // Such a mask depends on no temp.
        let is_kept = matches!(mask(of)?.mask, Mask::Kept { .. });
        if !is_fixed || !is_member || !is_kept || is_wide(both.domain) || !compare.is_comparison() {
            return None;
        }
        self.fits(rows, count)?;
        let all = both.domain.all();
        let mut strides = 1..=STRIDE_MAX;
        let rows =
            strides.find_map(|stride| self.distances(domain, rows, low, count, all, stride))?;
        Some(Counting {
            of,
            rows,
            compare,
            with,
        })
    }

    /// Returns the rows that have a member at each distance if they are this far apart; `None` if there are too many
    /// distances, or too few bits.
    fn distances(
        &self,
        domain: Domain,
        rows: BitsId,
        low: i32,
        count: u32,
        all: Bits,
        stride: usize,
    ) -> Option<MemberRows> {
        let mut found = MemberRows {
            stride,
            count: 0,
            at: BTreeMap::new(),
        };
        let last = i64::from(count) - 1;
        for number in 0..usize::from(domain.len) {
            let row = i64::from(domain.first) + number as i64 - i64::from(low);
            let row = u32::try_from(row.clamp(0, last)).ok()?;
            let bits = (self.known_bits(rows + row) & all) as u64;
            let place = number * stride;
            for member in (0..u64::BITS).filter(|member| bits >> member & 1 != 0) {
                let bit = 1u64.checked_shl(place as u32)?;
                *found
                    .at
                    .entry(i64::from(member) - place as i64)
                    .or_default() |= bit;
                found.count = number + 1;
            }
            if found.at.len() > DISTANCES_MAX {
                return None;
            }
        }
        Some(found)
    }

    /// Emits the rows that have at least one member, at least two, and so on.
    fn in_unary(&mut self, counted: Value, rows: &MemberRows) -> Vec<Value> {
        let mut at_least: Vec<Value> = Vec::new();
        for (distance, valid) in &rows.at {
            let moved = match *distance {
                0.. => self.b.ins().ushr_imm_u(counted, *distance),
                _ => self.b.ins().ishl_imm_u(counted, -*distance),
            };
            let valid = self.long(*valid);
            let mut have = self.b.ins().band(moved, valid);
            for so_far in &mut at_least {
                let more = self.b.ins().band(*so_far, have);
                *so_far = self.b.ins().bor(*so_far, have);
                have = more;
            }
            at_least.push(have);
        }
        let together = at_least.into_iter().map(|bits| self.together(bits, rows));
        together.collect()
    }

    /// Emits the bits of rows side by side: first pairs of them, then pairs of pairs.
    fn together(&mut self, mut bits: Value, rows: &MemberRows) -> Value {
        let mut size = 1;
        while size < rows.count && rows.stride > 1 {
            let places = (rows.stride - 1) * size;
            let moved = self.b.ins().ushr_imm_u(bits, places as i64);
            let both = self.b.ins().bor(bits, moved);
            size *= 2;
            let pairs = self.long(every(size, size * rows.stride));
            bits = self.b.ins().band(both, pairs);
        }
        bits
    }

    /// Emits the rows whose numbers compare with a number in this way.
    fn compared(&mut self, at_least: &[Value], compare: Binary, with: Value) -> Value {
        let [all, none] = [u64::MAX, 0].map(|bits| self.long(bits));
        let is_lower = matches!(compare, Binary::Less | Binary::LessOrEqual);
        let is_unequal = compare == Binary::NotEqual;
        // Below all numbers, and above.
        let is_higher = matches!(compare, Binary::More | Binary::MoreOrEqual);
        let below = if is_higher || is_unequal { all } else { none };
        let above = if is_lower || is_unequal { all } else { none };
        let is_below = self.is(IntCC::SignedLessThan, with, 0);
        let mut rows = self.b.ins().select(is_below, below, above);
        for number in 0..=at_least.len() {
            let reaches = match number.checked_sub(1) {
                Some(place) => at_least.get(place).copied().unwrap_or(none),
                None => all,
            };
            let exceeds = at_least.get(number).copied().unwrap_or(none);
            let holds = match compare {
                Binary::MoreOrEqual => reaches,
                Binary::More => exceeds,
                Binary::Less => self.b.ins().bnot(reaches),
                Binary::LessOrEqual => self.b.ins().bnot(exceeds),
                Binary::NotEqual => {
                    let equal = self.b.ins().band_not(reaches, exceeds);
                    self.b.ins().bnot(equal)
                }
                _ => self.b.ins().band_not(reaches, exceeds),
            };
            let is_number = self.is(IntCC::Equal, with, number as i64);
            rows = self.b.ins().select(is_number, holds, rows);
        }
        rows
    }
}

/// Returns as many set bits as this, beginning at every multiple of a distance.
fn every(size: usize, distance: usize) -> u64 {
    let set = 1u64
        .checked_shl(size as u32)
        .map_or(u64::MAX, |bit| bit - 1);
    let places = (0..u64::BITS).step_by(distance);
    places.fold(0, |bits, place| bits | set << place)
}
