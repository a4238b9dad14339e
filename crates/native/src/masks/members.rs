//! Masks that are assembled member by member.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::masks::bits::MaskBits;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{BitsId, Domain, ExprId, MaskOver, Temp};

impl Translator<'_> {
    pub fn inside(&mut self, domain: Domain, zone: ExprId, wide: bool) -> Option<MaskBits> {
        let start = self.constant(0, wide);
        let made = self.in_zone(zone, &halves(start), &mut |t, component, made| {
            let number = t.position_in(domain, component);
            let all_belong = t.is_within(number, 0, domain.len.into());
            let belongs = t.is(IntCC::UnsignedLessThan, number, i64::from(domain.len));
            let number = t.b.ins().uextend(types::I64, number);
            if all_belong {
                let bit = t.bit(number, wide);
                let more = t.or(set_of(made, start), bit);
                return (halves(more), None);
            }
            (t.with_bit_if(made, start, number, belongs), None)
        });
        Some(set_of(&made, start))
    }

    /// Emits the position of a member in a domain, any number for others.
    pub fn position_in(&mut self, domain: Domain, member: Value) -> Value {
        if domain.first == 0 {
            return member;
        }
        let number = self.b.ins().iadd_imm_s(member, -i64::from(domain.first));
        if let Some((least, most)) = self.known.ranges.get(&member).copied() {
            let ends = [least, most].map(|end| end.checked_sub(domain.first));
            if let [Some(least), Some(most)] = ends {
                self.known.ranges.insert(number, (least, most));
            }
        }
        number
    }

    /// Emits the members that are in a mask for some (or every) member of a list. Only the remaining members are examined
    /// further.
    pub fn over(&mut self, over: MaskOver, among: MaskBits) -> Option<MaskBits> {
        self.program.masks.get(over.each as usize)?;
        self.walkable(over.of)?;
        let made = self.each(over.of, &halves(among), &mut |t, member, made| {
            t.set_temp(over.temp, ScalarValue::Word(member));
            let left = set_of(made, among);
            let bits = t.part_of(over.each, left).unwrap_or(left);
            let left = match over.every {
                true => t.and(left, bits),
                false => t.without(left, bits),
            };
            let any = t.any(left);
            let enough = t.opposite(any);
            (halves(left), Some(enough))
        });
        let left = set_of(&made, among);
        Some(match over.every {
            true => left,
            false => self.without(among, left),
        })
    }

    /// Emits the union of the rows of the members of a domain; the first row is this one.
    pub fn union_of_rows(
        &mut self,
        rows: BitsId,
        first: Value,
        of: Domain,
        wanted: MaskBits,
        start: MaskBits,
    ) -> MaskBits {
        if of.len > WRITTEN_OUT_MAX {
            return self.union_by_loop(rows, first, wanted, start);
        }
        let wide = start.high.is_some();
        let mut made = start;
        for number in 0..i64::from(of.len) {
            let row = self.b.ins().iadd_imm_s(first, number);
            let row = self.row_at(rows, row, wide);
            let bit = self.b.ins().ushr_imm_u(wanted.low, number);
            let bit = self.b.ins().band_imm_u(bit, 1);
            let all = self.b.ins().ineg(bit);
            let all = self.same(all, wide);
            let row = self.and(row, all);
            made = self.or(made, row);
        }
        made
    }

    fn union_by_loop(
        &mut self,
        rows: BitsId,
        first: Value,
        wanted: MaskBits,
        start: MaskBits,
    ) -> MaskBits {
        let wide = start.high.is_some();
        let made = halves(start);
        let made = self.each_bit(wanted, &made, |t, number, made| {
            let number = t.b.ins().iadd(first, number);
            let row = t.row_at(rows, number, wide);
            let more = t.or(set_of(made, row), row);
            (halves(more), None)
        });
        set_of(&made, start)
    }

    /// Emits the members for which a condition holds, which is evaluated for one after the other.
    pub fn each_member(
        &mut self,
        domain: Domain,
        temp: Temp,
        condition: ExprId,
        among: MaskBits,
    ) -> MaskBits {
        let start = self.constant(0, among.high.is_some());
        let made = halves(start);
        let made = self.apart(|t| {
            t.each_bit(among, &made, |t, number, made| {
                let member = t.member(domain, number);
                t.set_temp(temp, ScalarValue::Word(member));
                let holds = t.truth(condition);
                (t.with_bit_if(made, start, number, holds), None)
            })
        });
        set_of(&made, start)
    }

    /// Emits the value of the domain at this bit position.
    pub fn member(&mut self, domain: Domain, number: Value) -> Value {
        let number = self.b.ins().ireduce(types::I32, number);
        // Bits beyond the domain are never used, but the range must hold for reads that depend on it.
        let last = self.int(i32::from(domain.len) - 1);
        let number = self.b.ins().umin(number, last);
        let member = match domain.first {
            0 => number,
            first => self.b.ins().iadd_imm_s(number, i64::from(first)),
        };
        let last = domain.first.saturating_add(i32::from(domain.len) - 1);
        self.known.ranges.insert(member, (domain.first, last));
        member
    }

    pub fn with_bit_if(
        &mut self,
        made: &[Value],
        like: MaskBits,
        number: Value,
        flag: Value,
    ) -> Vec<Value> {
        let made = set_of(made, like);
        let bit = self.bit(number, like.high.is_some());
        let all = self.all_if(flag);
        let all = self.same(all, like.high.is_some());
        let bit = self.and(bit, all);
        let more = self.or(made, bit);
        halves(more)
    }
}

/// Builds a set from values, in the form of another one.
pub(crate) fn set_of(values: &[Value], like: MaskBits) -> MaskBits {
    MaskBits::new(
        values.first().copied().unwrap_or(like.low),
        like.high.map(|high| values.get(1).copied().unwrap_or(high)),
    )
}

pub(crate) fn halves(set: MaskBits) -> Vec<Value> {
    [Some(set.low), set.high].into_iter().flatten().collect()
}

pub(crate) fn set_arguments(set: MaskBits) -> Vec<BlockArg> {
    halves(set).into_iter().map(BlockArg::Value).collect()
}

/// The maximum number of rows that are united without a loop.
const WRITTEN_OUT_MAX: u16 = 4;
