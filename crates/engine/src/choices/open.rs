//! Open names: a text, or a number of a long range, is given, not listed. Whatever lists the choices gets some of the
//! values, which are others in every position.

use crate::choice::BoundValue;
use crate::eval::{Eval, IterationStop, ValueList, settle};
use crate::fault::Halt;
use crate::layout::header;
use wyrmgate_program::{
    BinderInfo, BinderSize, ExprId, LENGTH_MAX, LISTED_MAX, SiteOption, WordTables,
};

/// How many numbers of an open name are listed.
const PROPOSED: i64 = 16;

/// How many numbers are tried in place of a listed one that fails a condition.
const TRIED: i64 = 64;

/// The longest text that is listed without a list of words.
const LETTERS: usize = 8;

/// What a seat gives for a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenValue {
    /// A number, both ends included.
    Number(i32, i32),
    /// A text, with its maximum number of letters.
    Text(i32),
}

/// Returns whether a range is too long to be listed.
pub fn is_open(low: i32, high: i32) -> bool {
    i64::from(high) - i64::from(low) >= LISTED_MAX
}

impl Eval<'_> {
    /// Returns the ends of the range from which the name is chosen, if it is one.
    pub(super) fn range_of(&mut self, binder: &BinderInfo) -> Result<Option<(i32, i32)>, Halt> {
        let Some((low, high)) = binder.range(self.program) else {
            return Ok(None);
        };
        Ok(Some((self.value(low)?, self.value(high)?)))
    }

    /// Returns what is given, by name. The names before must have values.
    pub(super) fn given(&mut self, option: &SiteOption) -> Result<Vec<Option<OpenValue>>, Halt> {
        let binders = option.binders.iter();
        let given = binders.map(|binder| {
            if let BinderSize::Text { most, .. } = binder.count {
                return Ok(Some(OpenValue::Text(self.text_length(most)? as i32)));
            }
            let range = self.range_of(binder)?;
            let range = range.filter(|(low, high)| is_open(*low, *high));
            Ok(range.map(|(low, high)| OpenValue::Number(low, high)))
        });
        given.collect()
    }

    /// Returns the maximum length of a text.
    pub(super) fn text_length(&mut self, most: ExprId) -> Result<usize, Halt> {
        Ok(self.value(most)?.clamp(0, LENGTH_MAX as i32) as usize)
    }

    /// Returns some numbers of a long range that pass the filters, in order: both ends, and one of each part of it. If
    /// they all fail, the first that pass.
    pub(super) fn proposed(
        &mut self,
        binder: &BinderInfo,
        low: i32,
        high: i32,
    ) -> Result<ValueList, Halt> {
        let (first, last) = (i64::from(low), i64::from(high));
        let width = (last - first) / PROPOSED;
        // The golden ratio spreads the numbers of all positions evenly.
        let turn = self.state.head(header::DECISIONS) as u32;
        let shift = (width * i64::from(turn.wrapping_mul(0x9e37_79b9))) >> 32;
        let mut found = ValueList::new();
        self.propose(binder, first..=first + TRIED, &mut found)?;
        for part in 1..PROPOSED - 1 {
            let from = first + part * width + shift;
            let to = from + TRIED.min(width) - 1;
            self.propose(binder, from..=to.min(last), &mut found)?;
        }
        self.propose(binder, (last - TRIED..=last).rev(), &mut found)?;
        if found.is_empty() {
            settle(self.walk_numbers(low, high, |eval, number| {
                eval.propose(binder, std::iter::once(i64::from(number)), &mut found)?;
                match found.len() as i64 == PROPOSED {
                    true => Err(IterationStop::Enough),
                    false => Ok(()),
                }
            }))?;
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Adds the first of these numbers that passes the filters.
    fn propose(
        &mut self,
        binder: &BinderInfo,
        numbers: impl Iterator<Item = i64>,
        found: &mut ValueList,
    ) -> Result<(), Halt> {
        for number in numbers {
            self.scratch.spend()?;
            let number = number as i32;
            if found.contains(&number) {
                break;
            }
            if self.failing(binder, number)?.is_none() {
                found.push(number);
                break;
            }
        }
        Ok(())
    }

    /// Returns some texts that fulfill the conditions: words of a list, or without one, texts of a repeated letter. If they
    /// all fail, the first words of the list that do not.
    pub(super) fn proposed_texts(&mut self, binder: &BinderInfo) -> Result<Vec<BoundValue>, Halt> {
        let BinderSize::Text { most, words } = binder.count else {
            return Ok(Vec::new());
        };
        let most = self.text_length(most)?;
        let mut found = Vec::new();
        let Some(words) = words else {
            for (length, letter) in (1..=most.min(LETTERS)).zip(('a'..='z').cycle()) {
                let text = std::iter::repeat_n(letter as i32, length).collect();
                self.propose_text(binder, BoundValue::Many(text), &mut found)?;
            }
            return Ok(found);
        };
        let count = self.program.word_count(words);
        let turn = self.state.head(header::DECISIONS) as u32;
        let shift = (count as u64 * u64::from(turn.wrapping_mul(0x9e37_79b9))) >> 32;
        let stride = (count / PROPOSED as usize).max(1);
        let few = (0..count.min(PROPOSED as usize)).map(|part| part * stride + shift as usize);
        for number in few {
            self.propose_word(binder, words, number % count.max(1), most, &mut found)?;
        }
        for number in 0..count {
            if !found.is_empty() {
                break;
            }
            self.propose_word(binder, words, number, most, &mut found)?;
        }
        Ok(found)
    }

    fn propose_word(
        &mut self,
        binder: &BinderInfo,
        words: WordTables,
        number: usize,
        most: usize,
        found: &mut Vec<BoundValue>,
    ) -> Result<(), Halt> {
        let word = self.program.word(words, number);
        match (1..=most).contains(&word.len()) {
            true => self.propose_text(binder, BoundValue::Many(word.into()), found),
            false => Ok(()),
        }
    }

    fn propose_text(
        &mut self,
        binder: &BinderInfo,
        text: BoundValue,
        found: &mut Vec<BoundValue>,
    ) -> Result<(), Halt> {
        self.scratch.spend()?;
        let lists = self.scratch.lists.len();
        self.bind(binder, &text);
        if self.first_failing(&binder.together)?.is_none() && !found.contains(&text) {
            found.push(text);
        }
        self.scratch.lists.truncate(lists);
        Ok(())
    }
}
