//! Loops that give the same value to one word after the other, such as `each s in square: seen[s] = false`: the words
//! are stored several at once.
//!
//! The translator proves that the index rises with the member, or stays the same. Code evaluates it for the first
//! member and for the last, and runs the loop as written unless the two are as far apart as the members, and belong to
//! the variable.

use std::ops::RangeInclusive;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::facts::along::{Along, NumberLoop, Varies};
use crate::translator::emit::{Translator, offset};
use wyrmgate_program::{Address, Binary, Expr, ExprId, Local, NONE, Op, Program};

/// The minimum number of words for which this pays.
const WORDS_MIN: u32 = 8;

/// The maximum number of words that are stored without a loop.
const WORDS_UNROLLED: u32 = 64;

/// The number of words in a vector.
const LANES: u32 = 4;

/// The maximum number of operations in the loop.
const OPERATIONS_MAX: usize = 6;

/// What a loop does that gives the same value to consecutive words.
struct Filling {
    first: u32,
    low: i32,
    len: u32,
    index: ExprId,
    value: ExprId,
    /// How many operations run for each member.
    operations: i64,
}

impl Translator<'_> {
    /// Emits the whole loop at an address as a few stores, if it is such a loop; returns where they lead. Code continues
    /// where the loop must run as it is written.
    pub fn fill(
        &mut self,
        at: Address,
        index: Local,
        var: Local,
        numbers: &RangeInclusive<i32>,
        exit: Address,
    ) -> Option<Vec<Address>> {
        let count = u32::try_from(numbers.clone().count()).ok()?;
        let around = NumberLoop {
            program: self.program,
            varies: Varies::Slots { index, var },
            numbers: numbers.clone(),
        };
        let filling = filling(&around, at)?;
        let end = filling.first.checked_add(filling.len)?;
        let mixed = filling.first < self.layout.course_words && end > self.layout.course_words;
        let is_inside = end as usize <= self.layout.vars && !mixed && filling.len >= count;
        if count < WORDS_MIN || !is_inside || self.inlining.is_inside() {
            return None;
        }
        let [begins, fills, loops] = self.blocks();
        self.count();
        let passed = self.local_word(index);
        let is_first = self.is(IntCC::Equal, passed, 0);
        self.branch(is_first, begins, loops);
        self.b.switch_to_block(begins);
        let [one, other] = [numbers.start(), numbers.end()].map(|number| {
            let member = self.int(*number);
            self.set_local(var, member);
            self.word_of(filling.index)
        });
        let apart = self.b.ins().isub(other, one);
        let rises = self.is(IntCC::Equal, apart, i64::from(count - 1));
        let word = self.b.ins().iadd_imm_s(one, -i64::from(filling.low));
        let places = i64::from(filling.len - count) + 1;
        let is_inside = self.is(IntCC::UnsignedLessThan, word, places);
        let both = self.b.ins().band(rises, is_inside);
        self.count();
        self.branch(both, fills, loops);
        self.b.switch_to_block(fills);
        let value = self.word_of(filling.value);
        let words = self.place(self.words, word);
        let begin = self.layout.vars_at + filling.first as usize;
        let begin = self.b.ins().iadd_imm_s(words, i64::from(offset(begin)));
        self.store_all(value, begin, count);
        self.note_change(filling.first);
        let passed = self.int(count as i32);
        self.set_local(index, passed);
        self.counts.work += filling.operations * i64::from(count);
        self.counts.new_events += i64::from(count);
        self.count();
        self.refuse_exhausted();
        let leads = self.go_on(at, exit);
        self.b.switch_to_block(loops);
        Some(leads)
    }

    /// Stores a value in this many words.
    fn store_all(&mut self, value: Value, begin: Value, count: u32) {
        let four = self.b.ins().splat(types::I32X4, value);
        let vectors = count - count % LANES;
        let size = offset(LANES as usize);
        if count <= WORDS_UNROLLED {
            for number in 0..(vectors / LANES) as i32 {
                self.b
                    .ins()
                    .store(self.regions.rest_anywhere, four, begin, number * size);
            }
        } else {
            let bytes = i64::from(vectors) * i64::from(offset(1));
            let end = self.b.ins().iadd_imm_s(begin, bytes);
            let [head, after] = self.blocks();
            let now = self.b.append_block_param(head, types::I64);
            self.jump(head, &[BlockArg::Value(begin)]);
            self.b.switch_to_block(head);
            self.b.ins().store(self.regions.rest_anywhere, four, now, 0);
            let next = self.b.ins().iadd_imm_s(now, i64::from(size));
            let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, end);
            let again = [BlockArg::Value(next)];
            self.b.ins().brif(more, head, &again, after, &[]);
            self.b.switch_to_block(after);
        }
        for number in vectors..count {
            self.store(value, begin, offset(number as usize));
        }
    }
}

/// Returns what the loop at an address does, if it gives one value to words that can lie one after the other.
fn filling(around: &NumberLoop<'_>, at: Address) -> Option<Filling> {
    let program = around.program;
    let mut conditions: Vec<ExprId> = Vec::new();
    let mut found: Option<Filling> = None;
    let mut next = at + 1;
    for operations in 2..OPERATIONS_MAX {
        match *program.code.optimized.get(next as usize)? {
            Op::Jump(to) if to == at => {
                let mut found = found?;
                found.operations = operations as i64;
                return is_filling(around, &found, &conditions).then_some(found);
            }
            Op::Jump(to) => {
                next = to;
                continue;
            }
            Op::JumpUnless(condition, to) if to == at && found.is_none() => {
                conditions.push(condition);
            }
            Op::SetWordAt {
                offset,
                low,
                len,
                index,
                value,
                ..
            } if found.is_none() => {
                found = Some(Filling {
                    first: offset,
                    low,
                    len,
                    index,
                    value,
                    operations: 0,
                });
            }
            _ => return None,
        }
        next += 1;
    }
    None
}

fn is_filling(around: &NumberLoop<'_>, filling: &Filling, conditions: &[ExprId]) -> bool {
    // Members for which the index is `none` change nothing. No word of the variable has this index.
    let are_met = conditions
        .iter()
        .all(|condition| filling.low > NONE && is_some(around.program, *condition, filling.index));
    let rises = matches!(
        around.of(filling.index),
        Some(Along::Rises { .. } | Along::Either)
    );
    let is_same = matches!(
        around.of(filling.value),
        Some(Along::Known(_) | Along::Same)
    );
    are_met && rises && is_same
}

/// Returns whether a condition asks if an index is not `none`.
fn is_some(program: &Program, condition: ExprId, index: ExprId) -> bool {
    let of = |id: ExprId| program.exprs.get(id as usize);
    match of(condition) {
        Some(&Expr::Binary(Binary::NotEqual, asked, none)) => {
            asked == index && of(none) == Some(&Expr::Const(NONE))
        }
        _ => false,
    }
}
