//! Comparisons of a variable whose values for the members lie one after the other: `held[active][it] >= n` for all `it` at
//! once. The active seat need not be known during translation.
//!
//! The translator proves that the index rises with the member, or stays the same. Code evaluates it for the first member
//! and for the last, and asks about one member after the other unless the two are as far apart as the members, and belong
//! to the variable. Beyond the last number that is a key, the index is the same for all members.

use std::ops::RangeInclusive;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::facts::along::{Along, NumberLoop, Varies};
use crate::masks::bits::{MaskBits, is_wide};
use crate::translator::emit::{Translator, comparison, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_program::{Binary, Domain, Expr, ExprId, Temp};

/// The minimum number of members for which this pays, and the number of words in a vector.
const LANES: i32 = 4;

/// The work of asking about one member.
const OF_MEMBER: i64 = 1;

/// A comparison of words that lie one after the other.
struct WordComparison {
    /// The first word of the variable, its index, and the number of its words.
    first: u32,
    low: i32,
    len: u32,
    index: ExprId,
    how: IntCC,
    with: ExprId,
    /// The members whose words lie one after the other. All members behind them have the same index.
    rising: RangeInclusive<i32>,
}

impl Translator<'_> {
    /// Emits the members of a domain for which a condition of this form holds; `None` if nothing was emitted.
    pub fn all_compared(
        &mut self,
        domain: Domain,
        temp: Temp,
        condition: ExprId,
        among: MaskBits,
    ) -> Option<MaskBits> {
        if is_wide(domain) {
            return None;
        }
        let comparison = self.comparison(domain, temp, condition)?;
        let last = *comparison.rising.end();
        let count = last - domain.first + 1;
        let before = self.known.temps.clone();
        let [one, other] = [domain.first, last].map(|number| {
            let member = self.int(number);
            self.set_temp(temp, ScalarValue::Word(member));
            self.word_of(comparison.index)
        });
        let apart = self.b.ins().isub(other, one);
        let rises = self.is(IntCC::Equal, apart, i64::from(count - 1));
        let word = self.b.ins().iadd_imm_s(one, -i64::from(comparison.low));
        let places = i64::from(comparison.len) - i64::from(count) + 1;
        let is_inside = self.is(IntCC::UnsignedLessThan, word, places);
        let both = self.b.ins().band(rises, is_inside);
        let after = self.b.create_block();
        let bits = self.b.append_block_param(after, types::I64);
        self.count();
        self.two_ways(
            both,
            after,
            |t| {
                let begins = t.compared_words(&comparison, word, count);
                let bits = match i32::from(domain.len) - count {
                    0 => begins,
                    _ => t.with_others(begins, domain, temp, condition, count),
                };
                t.count_for_each(among, OF_MEMBER);
                bits
            },
            |t| t.one_by_one(domain, temp, condition, among).low,
        );
        self.known.temps = before;
        Some(self.and(MaskBits::new(bits, None), among))
    }

    /// Returns the comparison, if a condition is one.
    fn comparison(&self, domain: Domain, temp: Temp, condition: ExprId) -> Option<WordComparison> {
        let exprs = &self.program.exprs;
        let &Expr::Binary(compare, left, right) = exprs.get(condition as usize)? else {
            return None;
        };
        let (word, with, compare) = match exprs.get(left as usize)? {
            Expr::WordAt { .. } => (left, right, compare),
            _ => (right, left, mirrored(compare)),
        };
        let &Expr::WordAt {
            offset: first,
            low,
            len,
            index,
            ..
        } = exprs.get(word as usize)?
        else {
            return None;
        };
        let is_fixed = match exprs.get(with as usize)? {
            Expr::Const(_) | Expr::Word(_) | Expr::Local(_) => true,
            Expr::Temp(other) => *other != temp,
            _ => false,
        };
        let rising = self.rising(domain, temp, index)?;
        let end = first.checked_add(len)?;
        let is_inside = end as usize <= self.layout.vars && first >= self.layout.course_words;
        let fits = rising.clone().count() <= len as usize;
        (is_fixed && is_inside && fits).then_some(WordComparison {
            first,
            low,
            len,
            index,
            how: comparison(compare)?,
            with,
            rising,
        })
    }

    /// Returns the first members of a domain, as many as possible, for which an index rises, if it is the same for all others.
    fn rising(&self, domain: Domain, temp: Temp, index: ExprId) -> Option<RangeInclusive<i32>> {
        let end = domain.first + i32::from(domain.len) - 1;
        let along = |numbers: RangeInclusive<i32>| {
            let around = NumberLoop {
                program: self.program,
                varies: Varies::Temp(temp),
                numbers,
            };
            around.of(index)
        };
        let rises = |last: &i32| {
            let along = along(domain.first..=*last);
            matches!(along, Some(Along::Rises { .. } | Along::Either))
        };
        let last = (domain.first + LANES - 1..=end).rev().find(rises)?;
        let others = (last < end).then(|| along(last + 1..=end));
        let are_same = matches!(others, None | Some(Some(Along::Same | Along::Known(_))));
        are_same.then_some(domain.first..=last)
    }

    /// Emits which of this many words from a word of the variable on compare as asked.
    fn compared_words(&mut self, comparison: &WordComparison, word: Value, count: i32) -> Value {
        let with = self.word_of(comparison.with);
        let with = self.b.ins().splat(types::I32X4, with);
        let words = self.place(self.words, word);
        let begin = self.layout.vars_at + comparison.first as usize;
        let mut bits = self.long(0);
        // The last words are read again if they are not as many as a vector has.
        let places = (0..=count - LANES).step_by(LANES as usize);
        let last = (count % LANES != 0).then_some(count - LANES);
        for place in places.chain(last) {
            let at = offset(begin) + offset(place as usize);
            let four = self
                .b
                .ins()
                .load(types::I32X4, self.regions.rest_anywhere, words, at);
            let holds = self.b.ins().icmp(comparison.how, four, with);
            let nibble = self.b.ins().vhigh_bits(types::I32, holds);
            let nibble = self.b.ins().uextend(types::I64, nibble);
            let nibble = self.b.ins().ishl_imm_u(nibble, i64::from(place));
            bits = self.b.ins().bor(bits, nibble);
        }
        bits
    }

    /// Emits the bits of the first members and those of all others, for which the condition is the same.
    fn with_others(
        &mut self,
        begins: Value,
        domain: Domain,
        temp: Temp,
        condition: ExprId,
        count: i32,
    ) -> Value {
        let member = self.int(domain.first + count);
        let holds = self.with_temp(temp, ScalarValue::Word(member), condition);
        let holds = self.flag(holds);
        let all = self.all_if(holds);
        let others = self.b.ins().ishl_imm_u(all, i64::from(count));
        self.b.ins().bor(begins, others)
    }
}

/// Returns the comparison with the sides exchanged.
fn mirrored(compare: Binary) -> Binary {
    match compare {
        Binary::Less => Binary::More,
        Binary::LessOrEqual => Binary::MoreOrEqual,
        Binary::More => Binary::Less,
        Binary::MoreOrEqual => Binary::LessOrEqual,
        other => other,
    }
}
