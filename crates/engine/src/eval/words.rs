//! Letters in a list of words.

use super::{Eval, ValueList, settle};
use crate::fault::Halt;
use wyrmgate_program::{SpelledWord, WordTables};

impl Eval<'_> {
    /// Returns whether letters are a word of a list, in any case, or the beginning of one.
    pub(super) fn spelled(&mut self, asked: SpelledWord) -> Result<i32, Halt> {
        let SpelledWord {
            starts, letters, ..
        } = asked;
        let words = WordTables { starts, letters };
        let mut letters = ValueList::new();
        settle(self.walk(asked.of, |_, letter| {
            letters.push(lower(letter));
            Ok(())
        }))?;
        let program = self.program;
        let (mut low, mut high) = (0, program.word_count(words));
        while low < high {
            let middle = usize::midpoint(low, high);
            match program.word(words, middle) < letters.as_slice() {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let word = program.word(words, low);
        let is_found = match asked.begins {
            true => word.starts_with(&letters),
            false => word == letters.as_slice() && !letters.is_empty(),
        };
        Ok(i32::from(is_found))
    }
}

fn lower(letter: i32) -> i32 {
    let found = u32::try_from(letter).ok().and_then(char::from_u32);
    found
        .and_then(|c| c.to_lowercase().next())
        .map_or(letter, |c| c as i32)
}
