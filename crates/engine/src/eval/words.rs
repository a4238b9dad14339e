//! Letters in a list of words, which is sorted: the words that begin alike stand together, as below one node of the tree of
//! Appel and Jacobson (The World's Fastest Scrabble Program, 1988).

use super::set::Each;
use super::{Eval, ValueList, Walk, settle};
use crate::fault::Halt;
use wyrmgate_program::{FollowingLetters, SetId, SpelledWord, WordTables};

impl Eval<'_> {
    /// Returns whether letters are a word of a list, in any case, or the beginning of one.
    pub(super) fn spelled(&mut self, asked: SpelledWord) -> Result<i32, Halt> {
        let SpelledWord {
            starts, letters, ..
        } = asked;
        let words = WordTables { starts, letters };
        let letters = self.small_letters(asked.of)?;
        let first = self.first_word(words, 0, |word| word < letters.as_slice());
        let word = self.program.word(words, first);
        let is_found = match asked.begins {
            true => word.starts_with(&letters),
            false => word == letters.as_slice() && !letters.is_empty(),
        };
        Ok(i32::from(is_found))
    }

    fn small_letters(&mut self, of: SetId) -> Result<ValueList, Halt> {
        let mut letters = ValueList::new();
        settle(self.walk(of, |_, letter| {
            letters.push(lower(letter));
            Ok(())
        }))?;
        Ok(letters)
    }

    /// Returns the number of the first word from `low` on that is not `before` what is looked for.
    fn first_word(&self, words: WordTables, low: usize, before: impl Fn(&[i32]) -> bool) -> usize {
        let (mut low, mut high) = (low, self.program.word_count(words));
        while low < high {
            let middle = usize::midpoint(low, high);
            match before(self.program.word(words, middle)) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }
}

impl<'a> Eval<'a> {
    /// Visits the values whose letters can follow, in alphabetical order.
    pub(super) fn each_following(&mut self, asked: FollowingLetters, visit: Each<'_, 'a>) -> Walk {
        let FollowingLetters {
            starts, letters, ..
        } = asked;
        let words = WordTables { starts, letters };
        let mut said = self.small_letters(asked.of)?;
        let (length, values) = (said.len(), self.table_values(asked.values));
        let mut at = self.first_word(words, 0, |word| word < said.as_slice());
        while let word = self.program.word(words, at)
            && word.starts_with(&said)
            && !word.is_empty()
        {
            self.scratch.spend()?;
            let Some(letter) = word.get(length) else {
                at += 1;
                continue;
            };
            if let Some(value) = values.iter().position(|value| value == letter) {
                visit(self, value as i32)?;
            }
            said.push(*letter);
            let passed = |word: &[i32]| word.get(..=length).unwrap_or(word) <= said.as_slice();
            at = self.first_word(words, at, passed);
            said.truncate(length);
        }
        Ok(())
    }
}

fn lower(letter: i32) -> i32 {
    let found = u32::try_from(letter).ok().and_then(char::from_u32);
    found
        .and_then(|c| c.to_lowercase().next())
        .map_or(letter, |c| c as i32)
}
