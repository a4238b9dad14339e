//! Tables of words from other languages, with what to write instead.

/// Rows of words, each with the advice that its words share.
pub struct Elsewhere(pub &'static [(&'static [&'static str], &'static str)]);

impl Elsewhere {
    /// Returns the word with which a text begins, and what to write instead.
    pub fn beginning(&self, text: &str) -> Option<(&'static str, &'static str)> {
        self.0.iter().find_map(|(words, advice)| {
            let word = words.iter().find(|word| text.starts_with(**word))?;
            Some((*word, *advice))
        })
    }

    /// Returns what to write instead of a word.
    pub fn advice(&self, word: &str) -> Option<&'static str> {
        let mut rows = self.0.iter();
        let row = rows.find(|(words, _)| words.contains(&word));
        row.map(|(_, advice)| *advice)
    }
}

/// Makes an [`Elsewhere`], one row for each advice.
#[macro_export]
macro_rules! words_of_elsewhere {
    ($($($word:literal)+ => $advice:expr;)*) => {
        $crate::elsewhere::Elsewhere(&[$((&[$($word),+], $advice)),*])
    };
}
