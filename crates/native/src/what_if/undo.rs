//! The undo log of what-ifs in place: the old values of words that they change, and how these are restored.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::memory::context::Context;
use crate::memory::moves::UNDONE;
use crate::memory::undo::SavedWord;
use crate::translator::emit::{COURSE, GRIDS, PLACES, Translator, WORDS, at, offset};

/// The number of words that a move to the first or last place of a zone changes.
const WORDS_OF_MOVE: i32 = 10;

/// Where the next old value is noted, while a component is moved in a what-if.
pub(crate) struct MoveLog {
    next: Value,
    noted: i32,
}

const SIZE: i64 = size_of::<SavedWord>() as i64;
const WORD: i32 = at(offset_of!(SavedWord, word));
const VALUE: i32 = at(offset_of!(SavedWord, value));

impl Translator<'_> {
    /// Stores the word with this number before it changes.
    pub fn note_old(&mut self, number: Value) {
        let place = self.place(self.words, number);
        let old = self.load(types::I32, place, 0);
        let next = self.part(types::I64, at(offset_of!(Context, what_if.undo.next)));
        let last = self.part(types::I64, at(offset_of!(Context, what_if.undo.last)));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, next, last);
        self.refuse(full);
        self.store(number, next, WORD);
        self.store(old, next, VALUE);
        let next = self.b.ins().iadd_imm_s(next, SIZE);
        self.set_part(next, at(offset_of!(Context, what_if.undo.next)));
    }

    /// Begins to note the words that a move changes, inside a what-if.
    pub fn begin_log(&mut self) -> Option<MoveLog> {
        if !self.inlining.is_inside() {
            return None;
        }
        let next = self.part(types::I64, at(offset_of!(Context, what_if.undo.next)));
        let last = self.part(types::I64, at(offset_of!(Context, what_if.undo.last)));
        let bytes = SIZE * i64::from(WORDS_OF_MOVE - 1);
        let last_of_move = self.b.ins().iadd_imm_s(next, bytes);
        let order = IntCC::UnsignedGreaterThan;
        let full = self.b.ins().icmp(order, last_of_move, last);
        self.refuse(full);
        Some(MoveLog { next, noted: 0 })
    }

    /// Stores a word of the state, and notes the old one inside a what-if.
    pub fn change(&mut self, value: Value, base: Value, at: i32, log: &mut Option<MoveLog>) {
        if let Some(log) = log {
            let old = self.load(types::I32, base, at);
            let bytes = self.b.ins().isub(base, self.words);
            let bytes = self.b.ins().iadd_imm_s(bytes, i64::from(at));
            let number = self.b.ins().ushr_imm_u(bytes, i64::from(offset(1).ilog2()));
            let number = self.b.ins().ireduce(types::I32, number);
            let place = log.noted * SIZE as i32;
            self.store(number, log.next, place + WORD);
            self.store(old, log.next, place + VALUE);
            log.noted += 1;
            self.inlining.fails |= log.noted > WORDS_OF_MOVE;
        }
        self.store(value, base, at);
    }

    pub fn end_log(&mut self, log: Option<MoveLog>) {
        if let Some(MoveLog { next, noted }) = log {
            let next = self.b.ins().iadd_imm_s(next, SIZE * i64::from(noted));
            self.set_part(next, at(offset_of!(Context, what_if.undo.next)));
        }
    }

    /// Returns the flags of a move, with [`UNDONE`] inside a what-if.
    pub fn how_to_undo(&self, how: u32) -> u32 {
        match !self.inlining.is_inside() {
            true => how,
            false => how | UNDONE,
        }
    }

    /// Restores the words that were stored from `begin` on, the last one first. `moves`: whether components may have
    /// moved.
    pub fn undo_to(&mut self, begin: Value, moves: bool) {
        let [head, inside, after] = self.blocks();
        let end = self.part(types::I64, at(offset_of!(Context, what_if.undo.next)));
        let now = self.b.append_block_param(head, types::I64);
        self.jump(head, &[BlockArg::Value(end)]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedGreaterThan, now, begin);
        self.branch(more, inside, after);
        self.b.switch_to_block(inside);
        let one = self.b.ins().iadd_imm_s(now, -SIZE);
        let number = self.load(types::I32, one, WORD);
        let old = self.load(types::I32, one, VALUE);
        let place = self.place(self.words, number);
        self.store(old, place, 0);
        self.jump(head, &[BlockArg::Value(one)]);
        self.b.switch_to_block(after);
        self.set_part(begin, at(offset_of!(Context, what_if.undo.next)));
        // Results that were kept for the supposed position are not valid in this one.
        let reads = self.facts.kept_reads;
        if moves {
            self.count_change(PLACES);
        }
        if reads.words {
            self.count_change(WORDS);
        }
        if reads.course {
            self.count_change(COURSE);
        }
        if moves && self.layout.has_cells() {
            self.count_change(GRIDS);
        }
    }
}
