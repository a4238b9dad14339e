//! Runs of words of the state, scanned one by one or four at a time: one bit per word.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::masks::bits::MaskBits;
use crate::translator::emit::{Translator, offset};
use wyrmgate_engine::layout::{ZONE_WORDS, header};
use wyrmgate_program::Domain;

impl Translator<'_> {
    pub fn zones(&self, domain: Domain, word: usize) -> Option<StateWords> {
        let first = usize::try_from(domain.first).ok()?;
        let len = usize::from(domain.len);
        (first + len <= self.layout.zones).then_some(StateWords {
            first: header::LEN + first * ZONE_WORDS + word,
            step: ZONE_WORDS,
            len,
        })
    }

    pub fn run(&self, domain: Domain, offset: u32, step: u16) -> Option<StateWords> {
        let step = usize::from(step).max(1);
        let len = usize::from(domain.len);
        let end = offset as usize + (len - 1) * step + 1;
        (end <= self.layout.vars).then_some(StateWords {
            first: self.layout.vars_at + offset as usize,
            step,
            len,
        })
    }

    /// Builds one bit per word of a run from the results of the body, 0 or 1, in a loop that begins with the last word.
    pub fn each_word(
        &mut self,
        run: StateWords,
        body: impl Fn(&mut Self, Value) -> Value,
    ) -> MaskBits {
        let (low, high) = run.halves();
        let low = self.half_of_words(low, &body);
        MaskBits::new(low, high.map(|high| self.half_of_words(high, &body)))
    }

    fn half_of_words(
        &mut self,
        run: StateWords,
        body: &impl Fn(&mut Self, Value) -> Value,
    ) -> Value {
        let [head, after] = self.blocks();
        let place = self.b.append_block_param(head, types::I64);
        let bits = self.b.append_block_param(head, types::I64);
        let first = i64::from(offset(run.first));
        let first = self.b.ins().iadd_imm_s(self.words, first);
        let last = i64::from(offset((run.len - 1) * run.step));
        let last = self.b.ins().iadd_imm_s(first, last);
        let zero = self.long(0);
        self.jump(head, &[BlockArg::Value(last), BlockArg::Value(zero)]);
        self.b.switch_to_block(head);
        let word = self.load(types::I32, place, 0);
        let bit = body(self, word);
        let bits = self.b.ins().ishl_imm_u(bits, 1);
        let bits = self.b.ins().bor(bits, bit);
        let next = self.b.ins().iadd_imm_s(place, -i64::from(offset(run.step)));
        let order = IntCC::UnsignedGreaterThanOrEqual;
        let more = self.b.ins().icmp(order, next, first);
        let again = [BlockArg::Value(next), BlockArg::Value(bits)];
        self.b.ins().brif(more, head, &again, after, &[]);
        self.b.switch_to_block(after);
        bits
    }

    /// Emits 1 if the number is in the set; `none` (all bits or none) decides for NONE.
    pub fn has_or(&mut self, wanted: MaskBits, number: Value, none: Value) -> Value {
        let has = self.has(wanted, number);
        let nothing = self.is(IntCC::SignedLessThan, number, 0);
        let nothing = self.b.ins().uextend(types::I64, nothing);
        let nothing = self.b.ins().band(nothing, none);
        self.b.ins().bor(has, nothing)
    }

    pub fn equal_words(&mut self, run: StateWords, value: Value) -> MaskBits {
        let (low, high) = run.halves();
        let low = self.equal_half(low, value);
        MaskBits::new(low, high.map(|high| self.equal_half(high, value)))
    }

    /// Emits which words of a run equal a value; four words at a time if they are adjacent.
    fn equal_half(&mut self, run: StateWords, value: Value) -> Value {
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
        let mut word = 0;
        if run.step == 1 && run.len >= 4 {
            let four = self.b.ins().splat(types::I32X4, value);
            while word + 4 <= run.len {
                // Words need not be aligned to 16 bytes.
                let (words, flags) = (self.words, self.regions.rest_anywhere);
                let place = offset(run.first + word);
                let found = self.b.ins().load(types::I32X4, flags, words, place);
                let equal = self.b.ins().icmp(IntCC::Equal, found, four);
                let nibble = self.b.ins().vhigh_bits(types::I32, equal);
                let nibble = self.b.ins().uextend(types::I64, nibble);
                add(self, nibble, word);
                word += 4;
            }
        }
        while word < run.len {
            let found = self.state_word(run.first + word * run.step);
            let equal = self.b.ins().icmp(IntCC::Equal, found, value);
            let bit = self.b.ins().uextend(types::I64, equal);
            add(self, bit, word);
            word += 1;
        }
        let zero = self.long(0);
        bits.unwrap_or(zero)
    }
}

/// Words of the state that are examined one by one.
#[derive(Clone, Copy)]
pub(crate) struct StateWords {
    pub first: usize,
    pub step: usize,
    pub len: usize,
}

impl StateWords {
    /// Returns the words with a bit in the low half of a mask, and those with one in the high half.
    fn halves(self) -> (StateWords, Option<StateWords>) {
        let low = StateWords {
            len: self.len.min(64),
            ..self
        };
        let high = StateWords {
            first: self.first + 64 * self.step,
            len: self.len.saturating_sub(64),
            ..self
        };
        (low, Some(high).filter(|high| high.len > 0))
    }
}
