//! Words of variables and changing fields.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use crate::translator::emit::{COURSE, Translator, WORDS, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_program::{ExprId, VarId, WordChange};

impl Translator<'_> {
    /// Records that a word of the variables was written, for cached results that depend on it.
    pub fn note_change(&mut self, word: u32) {
        let is_course = word < self.layout.course_words;
        let reads = self.facts.kept_reads;
        match is_course {
            true if reads.course => self.count_change(COURSE),
            false if reads.words => self.count_change(WORDS),
            _ => {}
        }
    }

    pub fn put(&mut self, word: u32, value: Value) -> Option<()> {
        if word as usize >= self.layout.vars {
            return None;
        }
        self.note_change(word);
        let at = self.layout.vars_at + word as usize;
        if self.inlining.is_inside() {
            let number = self.int(at as i32);
            self.note_old(number);
        }
        self.set_state_word(at, value);
        Some(())
    }

    pub fn set_word(&mut self, word: u32, value: ExprId) -> Option<()> {
        if word as usize >= self.layout.vars {
            return None;
        }
        let value = self.word_of(value);
        self.counts.new_events += 1;
        self.put(word, value)
    }

    /// Sets a word by its index. If an index out of range is a fault, the interpreter finds its location.
    pub fn set_word_at(&mut self, change: WordChange) -> Option<()> {
        let (first, low, len) = (change.offset, change.low, change.len);
        let end = first.checked_add(len)?;
        let mixed = first < self.layout.course_words && end > self.layout.course_words;
        if end as usize > self.layout.vars || mixed || len == 0 {
            return None;
        }
        let of_index = change.index;
        let index = self.value(of_index);
        let index = ScalarValue::Word(self.word(index));
        // The index may be evaluated once instead of twice if that counts no work.
        let is_again = self.program.operations_without_lists(of_index, usize::MAX);
        let is_again = is_again.map(|_| (of_index, index));
        let outer = std::mem::replace(&mut self.known.written, is_again);
        let value = self.word_of(change.value);
        self.known.written = outer;
        let index = self.word(index);
        let is_inside = self.is_within(index, low, len);
        let index = self.b.ins().iadd_imm_s(index, -i64::from(low));
        let [write, after] = self.blocks();
        if is_inside {
            self.jump(write, &[]);
        } else {
            let inside = self.is(IntCC::UnsignedLessThan, index, i64::from(len));
            let elsewhere = if change.strict {
                self.flow.give_up
            } else {
                after
            };
            self.branch(inside, write, elsewhere);
        }
        self.b.switch_to_block(write);
        let at = self.layout.vars_at + first as usize;
        if self.inlining.is_inside() {
            let number = self.b.ins().iadd_imm_s(index, at as i64);
            self.note_old(number);
        }
        let place = self.place(self.words, index);
        self.store(value, place, offset(at));
        self.note_change(first);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
        self.counts.new_events += 1;
        Some(())
    }

    pub fn built_in(&self, var: VarId) -> Option<u32> {
        let word = self.layout.built_in.get(usize::from(var)).copied()?;
        ((word as usize) < self.layout.vars).then_some(word)
    }

    pub fn built_in_word(&mut self, word: u32) -> Value {
        self.state_word(self.layout.vars_at + word as usize)
    }
}
