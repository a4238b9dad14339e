//! Runs of words of the state, looked at one after the other or four at a time: one bit a word.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, types};

use super::bits::Set;
use super::emit::{Scalar, Translator, offset};
use crate::engine::layout::{ZONE, ZONE_WORDS, header};
use crate::program::{Domain, ExprId};

impl Translator<'_> {
    pub fn zones(&self, domain: Domain, word: usize) -> Option<Run> {
        let first = usize::try_from(domain.first).ok()?;
        let len = usize::from(domain.len);
        (first + len <= self.layout.zones).then_some(Run {
            first: header::LEN + first * ZONE_WORDS + word,
            step: ZONE_WORDS,
            len,
        })
    }

    pub fn components(&self, domain: Domain) -> Option<Run> {
        let first = usize::try_from(domain.first).ok()?;
        let len = usize::from(domain.len);
        (first + len <= self.layout.components).then_some(Run {
            first: self.layout.components_at + first * self.layout.row + ZONE,
            step: self.layout.row,
            len,
        })
    }

    pub fn run(&self, domain: Domain, offset: u32, step: u16) -> Option<Run> {
        let step = usize::from(step).max(1);
        let len = usize::from(domain.len);
        let end = offset as usize + (len - 1) * step + 1;
        (end <= self.layout.vars).then_some(Run {
            first: self.layout.vars_at + offset as usize,
            step,
            len,
        })
    }

    /// One bit a word of a run, as the body (which answers 0 or 1) says; by a loop from the last word on.
    pub fn each_word(&mut self, run: Run, body: impl Fn(&mut Self, Value) -> Value) -> Set {
        let low = self.half_of_words(run, 0, run.len.min(64), &body);
        let high = (run.len > 64).then(|| self.half_of_words(run, 64, run.len, &body));
        Set { low, high }
    }

    pub fn half_of_words(
        &mut self,
        run: Run,
        from: usize,
        to: usize,
        body: &impl Fn(&mut Self, Value) -> Value,
    ) -> Value {
        let (head, after) = (self.b.create_block(), self.b.create_block());
        let place = self.b.append_block_param(head, types::I64);
        let bits = self.b.append_block_param(head, types::I64);
        let words = self.words;
        let first = self
            .b
            .ins()
            .iadd_imm_s(words, i64::from(offset(run.first + from * run.step)));
        let last = i64::from(offset((to - from - 1) * run.step));
        let last = self.b.ins().iadd_imm_s(first, last);
        let zero = self.long(0);
        self.jump(head, &[BlockArg::Value(last), BlockArg::Value(zero)]);
        self.b.switch_to_block(head);
        let word = self.load(types::I32, place, 0);
        let bit = body(self, word);
        let bits = self.b.ins().ishl_imm_u(bits, 1);
        let bits = self.b.ins().bor(bits, bit);
        let next = self.b.ins().iadd_imm_s(place, -i64::from(offset(run.step)));
        let more = self
            .b
            .ins()
            .icmp(IntCC::UnsignedGreaterThanOrEqual, next, first);
        let again = [BlockArg::Value(next), BlockArg::Value(bits)];
        self.b.ins().brif(more, head, &again, after, &[]);
        self.b.switch_to_block(after);
        bits
    }

    /// 1 if the number is in the set; what is nothing is as `none` says (all bits or none).
    pub fn has_or(&mut self, wanted: Set, number: Value, none: Value) -> Value {
        let has = self.has(wanted, number);
        let nothing = self.is(IntCC::SignedLessThan, number, 0);
        let nothing = self.b.ins().uextend(types::I64, nothing);
        let nothing = self.b.ins().band(nothing, none);
        self.b.ins().bor(has, nothing)
    }

    pub fn equal_words(&mut self, run: Run, value: Value) -> Set {
        let low = self.equal_half(run, 0, run.len.min(64), value);
        let high = (run.len > 64).then(|| self.equal_half(run, 64, run.len, value));
        Set { low, high }
    }

    /// Four words at a time where they lie side by side.
    pub fn equal_half(&mut self, run: Run, from: usize, to: usize, value: Value) -> Value {
        let mut bits: Option<Value> = None;
        let mut add = |t: &mut Self, bit: Value, place: usize| {
            let bit = match place {
                0 => bit,
                place => t.b.ins().ishl_imm_u(bit, place as i64),
            };
            bits = Some(match bits {
                Some(bits) => t.b.ins().bor(bits, bit),
                None => bit,
            });
        };
        let mut word = from;
        if run.step == 1 && to - from >= 4 {
            let four = self.b.ins().splat(types::I32X4, value);
            while word + 16 <= to {
                let sixteen = self.sixteen_equal(run.first + word, four);
                add(self, sixteen, word - from);
                word += 16;
            }
            while word + 4 <= to {
                let equal = self.four_equal(run.first + word, four);
                let nibble = self.b.ins().vhigh_bits(types::I32, equal);
                let nibble = self.b.ins().uextend(types::I64, nibble);
                add(self, nibble, word - from);
                word += 4;
            }
        }
        while word < to {
            let found = self.state_word(run.first + word * run.step);
            let equal = self.b.ins().icmp(IntCC::Equal, found, value);
            let bit = self.b.ins().uextend(types::I64, equal);
            add(self, bit, word - from);
            word += 1;
        }
        let zero = self.long(0);
        bits.unwrap_or(zero)
    }

    /// All bits of those of four words from `first` on that are equal to `four`.
    fn four_equal(&mut self, first: usize, four: Value) -> Value {
        let (words, flags) = (self.words, MemFlagsData::new().with_notrap());
        let place = offset(first);
        let found = self.b.ins().load(types::I32X4, flags, words, place);
        self.b.ins().icmp(IntCC::Equal, found, four)
    }

    /// One bit for each of sixteen words: they are made narrower and narrower until all lie in one register.
    fn sixteen_equal(&mut self, first: usize, four: Value) -> Value {
        let parts = [0, 4, 8, 12].map(|part| self.four_equal(first + part, four));
        let [a, b, c, d] = parts;
        let low = self.b.ins().snarrow(a, b);
        let high = self.b.ins().snarrow(c, d);
        let all = self.b.ins().snarrow(low, high);
        let bits = self.b.ins().vhigh_bits(types::I32, all);
        self.b.ins().uextend(types::I64, bits)
    }

    pub fn count_words(&mut self, offset: u32, len: u32, value: ExprId) -> Option<Scalar> {
        if len == 0 || len as usize > crate::program::DOMAIN_BITS {
            return None;
        }
        let domain = Domain {
            first: 0,
            len: len as u16,
        };
        let run = self.run(domain, offset, 1)?;
        let value = self.value(value);
        let value = self.word(value);
        let equal = self.equal_words(run, value);
        Some(Scalar::Word(self.count_of(equal)))
    }
}

/// Words of the state that are looked at one after the other.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub first: usize,
    pub step: usize,
    pub len: usize,
}
