//! Masks that are cached until their inputs change.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::masks::bits::{MaskBits, is_wide};
use crate::masks::members::set_arguments;
use crate::memory::context::Context;
use crate::translator::emit::{COURSE, PLACES, Translator, WORDS, at};
use crate::translator::known::ScalarValue;
use wyrmgate_program::{EqualWords, Mask, MaskId, Reads};

/// The maximum number of members for which evaluating again is cheaper.
const FEW: u16 = 8;

fn same(one: ScalarValue, other: ScalarValue) -> bool {
    matches!((one, other), (ScalarValue::Word(one), ScalarValue::Word(other)) if one == other)
}

/// The words of a cached result, in bytes: the change count and the temps at which it was computed, and its bits.
const CHANGES: i32 = 0;
const TEMPS: i32 = 8;
const LOW: i32 = 16;
const HIGH: i32 = 24;
/// The size of a cached result in bytes.
const ANSWER: i32 = 32;

impl Translator<'_> {
    /// Evaluates a mask once, until its inputs change.
    pub fn kept(
        &mut self,
        slot: u16,
        of: MaskId,
        reads: Reads,
        temps: Option<(ScalarValue, ScalarValue)>,
    ) -> Option<MaskBits> {
        let domain = self.program.masks.get(of as usize)?.domain;
        let wide = is_wide(domain);
        // If it depends on two different temps, the next evaluation is rarely for the same ones.
        let is_seldom = matches!(temps, Some((one, other)) if !same(one, other));
        if self.position.supposes || self.is_cheap(of) || is_seldom && domain.len <= FEW {
            return self.members(of);
        }
        let base = self.part(types::I64, at(offset_of!(Context, kept)));
        let first = i32::from(slot) * ANSWER;
        let now = self.changes_of(reads);
        let then = self.load(types::I64, base, first + CHANGES);
        let mut known = self.b.ins().icmp(IntCC::Equal, then, now);
        let held = temps.map(|(one, other)| self.packed(one, other));
        if let Some(held) = held {
            let before = self.load(types::I64, base, first + TEMPS);
            let same = self.b.ins().icmp(IntCC::Equal, before, held);
            known = self.b.ins().band(known, same);
        }
        let [found, made, after] = self.blocks();
        let low = self.b.append_block_param(after, types::I64);
        let high = wide.then(|| self.b.append_block_param(after, types::I64));
        self.branch(known, found, made);
        let noted = std::mem::take(&mut self.counts.work);
        self.b.switch_to_block(found);
        let kept = MaskBits::new(
            self.load(types::I64, base, first + LOW),
            wide.then(|| self.load(types::I64, base, first + HIGH)),
        );
        self.jump(after, &set_arguments(kept));
        self.b.switch_to_block(made);
        let bits = self.members(of)?;
        self.store(now, base, first + CHANGES);
        if let Some(held) = held {
            self.store(held, base, first + TEMPS);
        }
        self.store(bits.low, base, first + LOW);
        if let Some(high) = bits.high {
            self.store(high, base, first + HIGH);
        }
        self.count();
        self.jump(after, &set_arguments(bits));
        self.b.switch_to_block(after);
        self.counts.work = noted;
        Some(MaskBits::new(low, high))
    }

    /// Emits the number of changes of what a mask reads.
    fn changes_of(&mut self, reads: Reads) -> Value {
        let mut changes = self.changes(PLACES);
        for (read, kind) in [(reads.words, WORDS), (reads.course, COURSE)] {
            if read {
                let more = self.changes(kind);
                changes = self.b.ins().iadd(changes, more);
            }
        }
        changes
    }

    /// Emits one word with the values of two temps.
    fn packed(&mut self, one: ScalarValue, other: ScalarValue) -> Value {
        let (one, other) = (self.word(one), self.word(other));
        let low = self.b.ins().uextend(types::I64, one);
        let high = self.b.ins().uextend(types::I64, other);
        let high = self.b.ins().ishl_imm_u(high, 32);
        self.b.ins().bor(low, high)
    }

    /// Returns whether evaluating is as fast as a look-up.
    pub fn is_cheap(&self, mask: MaskId) -> bool {
        let Some(info) = self.program.masks.get(mask as usize) else {
            return false;
        };
        match info.mask {
            Mask::Const(_) => true,
            Mask::Words(EqualWords { step: 1, .. }) => info.domain.len <= 64,
            _ => false,
        }
    }
}
