//! A game as a text has it, before anybody knows what its moves mean.

/// A game of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameText {
    /// The line on which it begins, from 1.
    pub line: usize,
    pub tags: Vec<(String, String)>,
    pub moves: Vec<MoveText>,
    /// `1-0`, `1/2-1/2`; nothing if it is open or unknown.
    pub result: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveText {
    pub text: String,
    pub line: usize,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct GameTextProblem {
    pub line: usize,
    pub message: String,
}

impl GameText {
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let tag = tags.find(|(known, _)| known == name);
        tag.map(|(_, value)| value.as_str())
    }
}

/// The characters of a text, with the line of the next one.
pub(super) struct Letters<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    pub line: usize,
}

impl<'t> Letters<'t> {
    pub fn of(text: &'t str) -> Letters<'t> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Letters {
            rest: text.chars().peekable(),
            line: 1,
        }
    }

    pub fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    pub fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// Takes everything up to this character, which is taken too; a `\` makes the next one ordinary, if they are `escaped`.
    pub fn up_to(&mut self, end: char, escaped: bool) -> Result<String, GameTextProblem> {
        let line = self.line;
        let mut taken = String::new();
        while let Some(next) = self.next() {
            match next {
                '\\' if escaped => taken.extend(self.next()),
                next if next == end => return Ok(taken),
                next => taken.push(next),
            }
        }
        let message = format!("there is no `{end}` after this");
        Err(GameTextProblem { line, message })
    }

    pub fn word(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let mut word = String::new();
        while let Some(next) = self.rest.next_if(|next| is_part(*next)) {
            self.line += usize::from(next == '\n');
            word.push(next);
        }
        word
    }
}
