//! Positions that differ little from a known one. In a what-if, the hash of a position that is a run of words is computed
//! from the hash before and from the words that have changed, and a filter recognizes most positions that have never been
//! recorded.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::driver::context::Context;
use crate::function::emit::{Translator, at};
use crate::what_if::undo::Undo;
use wyrmgate_engine::history::{History, MIXING, PositionHash};
use wyrmgate_program::PositionId;

/// The words of the filter: a power of two.
const WORDS: usize = 128;

/// The hash of a run of words in the position from which what-ifs start.
#[repr(C)]
pub(crate) struct KnownPosition {
    /// See [`Context::base_number`]; 0: nothing is known.
    base: u64,
    /// The key of the run; see [`key_of`].
    run: u64,
    /// The number of the position with these words.
    number: u64,
    /// A Bloom filter with one bit for each recorded number.
    filter: [u64; WORDS],
}

impl KnownPosition {
    pub const fn none() -> KnownPosition {
        KnownPosition {
            base: 0,
            run: 0,
            number: 0,
            filter: [0; WORDS],
        }
    }

    /// Stores the number of a position, and fills the filter with all recorded numbers.
    pub fn learn(&mut self, base: u64, run: u64, number: u64, history: &History) {
        if self.base != base {
            self.filter = [0; WORDS];
            for number in history.numbers() {
                let word = (number / u64::from(u64::BITS)) as usize % WORDS;
                if let Some(word) = self.filter.get_mut(word) {
                    *word |= 1 << (number % u64::from(u64::BITS));
                }
            }
        }
        (self.base, self.run, self.number) = (base, run, number);
    }
}

/// Returns the key of a run of words of a position.
pub(crate) fn key_of(position: PositionId, word: usize) -> u64 {
    u64::from(position) << 48 | word as u64
}

const fn known(offset: usize) -> i32 {
    at(offset_of!(Context, known_position) + offset)
}

impl Translator<'_> {
    /// Emits how often the position that consists of these words has been recorded. `ask` emits the call of the helper
    /// that counts.
    pub fn recorded_in_what_if(
        &mut self,
        position: PositionId,
        (word, len): (usize, u32),
        ask: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let noted = std::mem::take(&mut self.work);
        let [head, inside, changed, seen, asks, after] = self.blocks();
        let [place, number, words] = [(); 3].map(|()| self.b.append_block_param(head, types::I64));
        let answer = self.b.append_block_param(after, types::I32);
        self.begin_with_known((position, word), head, asks);

        self.b.switch_to_block(head);
        let end = self.part(types::I64, at(offset_of!(Context, next_undo)));
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, place, end);
        self.branch(more, inside, seen);

        self.b.switch_to_block(inside);
        let undone = self.load(types::I32, place, at(offset_of!(Undo, word)));
        let old = self.load(types::I32, place, at(offset_of!(Undo, value)));
        let next = self.b.ins().iadd_imm_s(place, size_of::<Undo>() as i64);
        let of_run = self.b.ins().iadd_imm_s(undone, -(word as i64));
        let is_of_run = self.is(IntCC::UnsignedLessThan, of_run, i64::from(len));
        let same = [next, number, words].map(BlockArg::from);
        self.b.ins().brif(is_of_run, changed, &[], head, &same);

        self.b.switch_to_block(changed);
        // The helper handles words that may have changed twice.
        let one = self.long(1);
        let bit = self.b.ins().ishl(one, undone);
        let twice = self.b.ins().band(words, bit);
        let twice = self.is(IntCC::NotEqual, twice, 0);
        let words = self.b.ins().bor(words, bit);
        let state = self.words;
        let now = self.place(state, undone);
        let now = self.load(types::I32, now, 0);
        let [now, old] = [now, old].map(|value| self.term_of(position, of_run, value));
        let number_now = self.b.ins().iadd(number, now);
        let number_now = self.b.ins().isub(number_now, old);
        let again = [next, number_now, words].map(BlockArg::from);
        self.b.ins().brif(twice, asks, &[], head, &again);

        self.b.switch_to_block(seen);
        let is_new = self.is_never_recorded(number);
        let none = self.int(0);
        let never = [BlockArg::from(none)];
        self.b.ins().brif(is_new, after, &never, asks, &[]);

        self.b.switch_to_block(asks);
        let asked = ask(self);
        self.count();
        self.jump(after, &[asked.into()]);
        self.b.switch_to_block(after);
        self.loops += 1;
        self.work = noted;
        answer
    }

    /// Begins with the number of the position before, if it is known.
    fn begin_with_known(
        &mut self,
        (position, word): (PositionId, usize),
        head: cranelift_codegen::ir::Block,
        asks: cranelift_codegen::ir::Block,
    ) {
        let base = self.part(types::I64, known(offset_of!(KnownPosition, base)));
        let now = self.part(types::I64, at(offset_of!(Context, base_number)));
        let is_base = self.b.ins().icmp(IntCC::Equal, base, now);
        let run = self.part(types::I64, known(offset_of!(KnownPosition, run)));
        let wanted = self.long(key_of(position, word));
        let is_run = self.b.ins().icmp(IntCC::Equal, run, wanted);
        let is_known = self.b.ins().band(is_base, is_run);
        let first = self.part(types::I64, at(offset_of!(Context, first_undo)));
        let number = self.part(types::I64, known(offset_of!(KnownPosition, number)));
        let none = self.long(0);
        let begin = [first, number, none].map(BlockArg::from);
        self.b.ins().brif(is_known, head, &begin, asks, &[]);
    }

    /// Emits the term of a value; see [`PositionHash::term`].
    fn term_of(&mut self, position: PositionId, place: Value, value: Value) -> Value {
        let place = self.b.ins().uextend(types::I64, place);
        let place = self.b.ins().ishl_imm_u(place, 32);
        let value = self.b.ins().uextend(types::I64, value);
        let mut term = self.b.ins().bor(place, value);
        let of_position = PositionHash::part_of(position);
        if of_position != 0 {
            let of_position = self.long(of_position);
            term = self.b.ins().bxor(term, of_position);
        }
        let first = self.long(MIXING.first);
        term = self.b.ins().iadd(term, first);
        for (shift, factor) in MIXING.rounds {
            let shifted = self.b.ins().ushr_imm_u(term, i64::from(shift));
            let mixed = self.b.ins().bxor(term, shifted);
            let factor = self.long(factor);
            term = self.b.ins().imul(mixed, factor);
        }
        let shifted = self.b.ins().ushr_imm_u(term, i64::from(MIXING.last));
        self.b.ins().bxor(term, shifted)
    }

    /// Emits whether a number is none of those in the filter.
    fn is_never_recorded(&mut self, number: Value) -> Value {
        let word = self
            .b
            .ins()
            .ushr_imm_u(number, i64::from(u64::BITS.ilog2()));
        let word = self.b.ins().band_imm_u(word, WORDS as i64 - 1);
        let bytes = self.b.ins().imul_imm_s(word, size_of::<u64>() as i64);
        let (context, flags) = (self.context, self.regions.context);
        let place = self.b.ins().iadd(context, bytes);
        let filter = known(offset_of!(KnownPosition, filter));
        let bits = self.b.ins().load(types::I64, flags, place, filter);
        // The shift uses only the lowest six bits of the number.
        let bit = self.b.ins().ushr(bits, number);
        let bit = self.b.ins().band_imm_u(bit, 1);
        self.is(IntCC::Equal, bit, 0)
    }
}
