//! Sets of bits in registers: one word of 64 bits for domains that fit, two for the others.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Type, Value, types};

use crate::translator::emit::Translator;
use wyrmgate_program::{Bits, BitsId, Domain};

/// The bits of a mask; without a high half if the domain does not reach there.
#[derive(Clone, Copy)]
pub(crate) struct MaskBits {
    pub low: Value,
    pub high: Option<Value>,
}

impl MaskBits {
    pub fn new(low: Value, high: Option<Value>) -> MaskBits {
        MaskBits { low, high }
    }
}

/// The number of bits in a half.
const HALF: u16 = 64;

/// The size of a constant in bytes.
const BYTES: i64 = size_of::<Bits>() as i64;

pub(crate) fn is_wide(domain: Domain) -> bool {
    domain.len > HALF
}

impl Translator<'_> {
    pub fn constant(&mut self, bits: Bits, wide: bool) -> MaskBits {
        let low = self.long(bits as u64);
        let high = wide.then(|| self.long((bits >> 64) as u64));
        MaskBits::new(low, high)
    }

    /// Returns a constant of the program; empty if the number is unknown.
    pub fn known_bits(&self, bits: BitsId) -> Bits {
        self.program.bits.get(bits as usize).copied().unwrap_or(0)
    }

    /// Emits the row with this number (64 bits wide) from `rows` on, of at least as many rows as the number can reach.
    pub fn row_at(&mut self, rows: BitsId, number: Value, wide: bool) -> MaskBits {
        let base = self.program.bits.as_ptr().wrapping_add(rows as usize);
        let base = self.pointer(base);
        let bytes = self.b.ins().imul_imm_s(number, BYTES);
        let place = self.b.ins().iadd(base, bytes);
        let low = self.load(types::I64, place, 0);
        let high = wide.then(|| self.load(types::I64, place, 8));
        MaskBits::new(low, high)
    }

    pub fn same(&mut self, value: Value, wide: bool) -> MaskBits {
        MaskBits::new(value, wide.then_some(value))
    }

    pub fn and(&mut self, one: MaskBits, other: MaskBits) -> MaskBits {
        let low = self.b.ins().band(one.low, other.low);
        let high = one.high.zip(other.high);
        let high = high.map(|(one, other)| self.b.ins().band(one, other));
        MaskBits::new(low, high)
    }

    pub fn or(&mut self, one: MaskBits, other: MaskBits) -> MaskBits {
        let low = self.b.ins().bor(one.low, other.low);
        let high = one.high.zip(other.high);
        let high = high.map(|(one, other)| self.b.ins().bor(one, other));
        MaskBits::new(low, high)
    }

    pub fn without(&mut self, one: MaskBits, other: MaskBits) -> MaskBits {
        let low = self.b.ins().band_not(one.low, other.low);
        let high = one.high.zip(other.high);
        let high = high.map(|(one, other)| self.b.ins().band_not(one, other));
        MaskBits::new(low, high)
    }

    pub fn not(&mut self, one: MaskBits) -> MaskBits {
        let low = self.b.ins().bnot(one.low);
        let high = one.high.map(|high| self.b.ins().bnot(high));
        MaskBits::new(low, high)
    }

    pub fn any(&mut self, set: MaskBits) -> Value {
        let all = match set.high {
            Some(high) => self.b.ins().bor(set.low, high),
            None => set.low,
        };
        self.is(IntCC::NotEqual, all, 0)
    }

    /// Emits the number of set bits, in 32 bits.
    pub fn count_of(&mut self, set: MaskBits) -> Value {
        let mut count = self.b.ins().popcnt(set.low);
        if let Some(high) = set.high {
            let more = self.b.ins().popcnt(high);
            count = self.b.ins().iadd(count, more);
        }
        self.b.ins().ireduce(types::I32, count)
    }

    /// Emits the position of the lowest set bit, in 64 bits; there must be one.
    pub fn lowest(&mut self, set: MaskBits) -> Value {
        let low = self.b.ins().ctz(set.low);
        let Some(high) = set.high else {
            return low;
        };
        let above = self.b.ins().ctz(high);
        let above = self.b.ins().iadd_imm_s(above, i64::from(HALF));
        let in_low = self.is(IntCC::NotEqual, set.low, 0);
        self.b.ins().select(in_low, low, above)
    }

    /// Emits the set without its lowest bit.
    pub fn without_lowest(&mut self, set: MaskBits) -> MaskBits {
        let less = self.b.ins().iadd_imm_s(set.low, -1);
        let low = self.b.ins().band(set.low, less);
        let Some(high) = set.high else {
            return MaskBits::new(low, None);
        };
        let less = self.b.ins().iadd_imm_s(high, -1);
        let rest = self.b.ins().band(high, less);
        let in_low = self.is(IntCC::NotEqual, set.low, 0);
        let high = self.b.ins().select(in_low, high, rest);
        MaskBits::new(low, Some(high))
    }

    /// Emits bit `number` (64 bits, below the width) alone.
    pub fn bit(&mut self, number: Value, wide: bool) -> MaskBits {
        let one = self.long(1);
        let bit = self.b.ins().ishl(one, number);
        if !wide {
            return MaskBits::new(bit, None);
        }
        let zero = self.long(0);
        let in_low = self.is(IntCC::UnsignedLessThan, number, i64::from(HALF));
        MaskBits::new(
            self.b.ins().select(in_low, bit, zero),
            Some(self.b.ins().select(in_low, zero, bit)),
        )
    }

    /// Emits 1 if bit `number` (32 bits, any value) is set, otherwise 0; in 64 bits.
    pub fn has(&mut self, set: MaskBits, number: Value) -> Value {
        let width = if set.high.is_some() { 2 * HALF } else { HALF };
        let inside = match self.is_within(number, 0, width.into()) {
            true => self.long(1),
            false => {
                let inside = self.is(IntCC::UnsignedLessThan, number, i64::from(width));
                self.b.ins().uextend(types::I64, inside)
            }
        };
        let number = self.b.ins().uextend(types::I64, number);
        let half = match set.high {
            Some(high) => {
                let in_low = self.is(IntCC::UnsignedLessThan, number, i64::from(HALF));
                self.b.ins().select(in_low, set.low, high)
            }
            None => set.low,
        };
        let bit = self.b.ins().ushr(half, number);
        self.b.ins().band(bit, inside)
    }

    /// Runs a body for each set bit, the lowest first, with its position (64 bits) and the accumulated values; returns
    /// the final values. The body returns new values, and whether to stop.
    pub fn each_bit(
        &mut self,
        set: MaskBits,
        made: &[Value],
        body: impl FnOnce(&mut Self, Value, &[Value]) -> (Vec<Value>, Option<Value>),
    ) -> Vec<Value> {
        let wide = set.high.is_some();
        let [head, inside, after] = self.blocks();
        let types_of: Vec<Type> = made
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        let low = self.b.append_block_param(head, types::I64);
        let high = wide.then(|| self.b.append_block_param(head, types::I64));
        let mut params = |block| -> Vec<Value> {
            let params = types_of
                .iter()
                .map(|of| self.b.append_block_param(block, *of));
            params.collect()
        };
        let now = params(head);
        let end = params(after);
        let noted = std::mem::take(&mut self.counts.work);
        self.jump(head, &arguments(set, made));
        self.b.switch_to_block(head);
        let left = MaskBits::new(low, high);
        let any = self.any(left);
        let out = values(&now);
        self.b.ins().brif(any, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let number = self.lowest(left);
        let rest = self.without_lowest(left);
        let (next, stop) = body(self, number, &now);
        self.counts.work += 1;
        self.counts.loops += 1;
        // A body without branches takes the same work for each bit: it is counted once, afterwards.
        if stop.is_none() && self.b.current_block() == Some(inside) {
            let of_each = std::mem::take(&mut self.counts.work);
            self.jump(head, &arguments(rest, &next));
            self.b.switch_to_block(after);
            self.count_for_each(set, of_each);
            self.counts.work = noted;
            return end;
        }
        self.count();
        match stop {
            Some(stop) => {
                let (out, again) = (values(&next), arguments(rest, &next));
                self.b.ins().brif(stop, after, &out, head, &again);
            }
            None => self.jump(head, &arguments(rest, &next)),
        }
        self.b.switch_to_block(after);
        self.counts.work = noted;
        end
    }

    /// Counts this much work for each bit that is set.
    pub fn count_for_each(&mut self, set: MaskBits, work: i64) {
        let count = self.count_of(set);
        let count = self.b.ins().uextend(types::I64, count);
        let work = self.b.ins().imul_imm_s(count, work);
        let left = self.b.use_var(self.counts.fuel);
        let left = self.b.ins().isub(left, work);
        self.b.def_var(self.counts.fuel, left);
    }
}

fn values(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|value| BlockArg::Value(*value)).collect()
}

fn arguments(set: MaskBits, made: &[Value]) -> Vec<BlockArg> {
    let bits = [Some(set.low), set.high].into_iter().flatten();
    bits.chain(made.iter().copied())
        .map(BlockArg::Value)
        .collect()
}
