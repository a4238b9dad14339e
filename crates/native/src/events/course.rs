//! Rounds, turns, phases and scores. For what lasts as long as a turn, see `reset.rs`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

use crate::translator::emit::{Translator, offset};
use wyrmgate_program::{ExprId, Lasts, Local, VAR_ACTIVE, VAR_PHASE, VAR_SCORE, VAR_TURN, VarId};

impl Translator<'_> {
    pub fn count_up(&mut self, var: VarId) -> Option<()> {
        let word = self.built_in(var)?;
        let count = self.built_in_word(word);
        let more = self.b.ins().iadd_imm_s(count, 1);
        let most = self.is(IntCC::Equal, count, i64::from(i32::MAX));
        let more = self.b.ins().select(most, count, more);
        self.put(word, more)
    }

    pub fn turn_begin(&mut self, seat: ExprId, before: Local) -> Option<()> {
        self.built_in(VAR_TURN)?;
        self.has_slot(before)?;
        let active = self.built_in(VAR_ACTIVE)?;
        self.can_reset(Lasts::UntilTurn)?;
        let seat = self.word_of(seat);
        let was = self.built_in_word(active);
        self.set_local(before, was)?;
        self.put(active, seat)?;
        self.reset_own(seat)?;
        self.counts.new_events += 1;
        self.count_up(VAR_TURN)
    }

    pub fn turn_end(&mut self, before: Local) -> Option<()> {
        self.has_slot(before)?;
        let active = self.built_in(VAR_ACTIVE)?;
        self.reset(Lasts::Turn)?;
        self.counts.new_events += 1;
        let before = self.local_word(before);
        self.put(active, before)
    }

    pub fn as_begin(&mut self, seat: ExprId, before: Local) -> Option<()> {
        self.has_slot(before)?;
        let active = self.built_in(VAR_ACTIVE)?;
        let seat = self.word_of(seat);
        let was = self.built_in_word(active);
        self.set_local(before, was)?;
        self.put(active, seat)
    }

    pub fn as_end(&mut self, before: Local) -> Option<()> {
        self.has_slot(before)?;
        let active = self.built_in(VAR_ACTIVE)?;
        let before = self.local_word(before);
        self.put(active, before)
    }

    pub fn phase_begin(&mut self, phase: i32, before: Local) -> Option<()> {
        self.has_slot(before)?;
        let word = self.built_in(VAR_PHASE)?;
        let was = self.built_in_word(word);
        self.set_local(before, was)?;
        let phase = self.int(phase);
        self.counts.new_events += 1;
        self.put(word, phase)
    }

    pub fn phase_end(&mut self, before: Local) -> Option<()> {
        self.has_slot(before)?;
        let word = self.built_in(VAR_PHASE)?;
        let before = self.local_word(before);
        self.counts.new_events += 1;
        self.put(word, before)
    }

    pub fn score(&mut self, seat: ExprId, by: ExprId) -> Option<()> {
        let first = self.built_in(VAR_SCORE)?;
        let seats = self.layout.seats;
        if first as usize + seats > self.layout.course_words as usize {
            return None;
        }
        let seat = self.word_of(seat);
        let by = self.word_of(by);
        let is_seat = self.is(IntCC::UnsignedLessThan, seat, seats as i64);
        self.run_if(is_seat, |t| {
            let place = t.place(t.words, seat);
            let at = offset(t.layout.vars_at + first as usize);
            let before = t.load(types::I32, place, at);
            let (total, over) = t.b.ins().sadd_overflow(before, by);
            t.refuse(over);
            t.store(total, place, at);
            t.note_change(first);
        });
        self.counts.new_events += 1;
        Some(())
    }
}
