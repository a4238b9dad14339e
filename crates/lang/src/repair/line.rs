//! The tokens of a line: words, members (`.laps`), numbers, texts and signs.

/// Signs of several characters, here and elsewhere; of two that begin alike, the longer one comes first.
const SIGNS: [&str; 23] = [
    "===", "!==", "...", "..", "==", "!=", "<=", ">=", "=>", "->", "<-", "<>", "=<", "~=", "+=",
    "-=", "*=", "/=", "%=", "++", "--", "**", "//",
];

#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub start: usize,
    pub text: &'t str,
}

impl Token<'_> {
    pub fn end(self) -> usize {
        self.start + self.text.len()
    }
}

pub(super) struct Line<'t> {
    pub text: &'t str,
    pub tokens: Vec<Token<'t>>,
}

impl<'t> Line<'t> {
    pub fn new(text: &'t str) -> Line<'t> {
        let mut tokens = Vec::new();
        let mut start = 0;
        while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
            let token = rest.get(..length(rest)).unwrap_or(rest);
            if !token.trim().is_empty() {
                tokens.push(Token { start, text: token });
            }
            start += token.len();
        }
        Line { text, tokens }
    }

    /// Returns the text of a token; nothing behind the last one.
    pub fn token(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// Returns whether no blank precedes a token.
    pub fn is_joined(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let token = self.tokens.get(at);
        token.is_some_and(|token| before.is_some_and(|before| before.end() == token.start))
    }

    /// Returns the bytes of these tokens.
    pub fn bytes(&self, start: usize, end: usize) -> (usize, usize) {
        let tokens = self.tokens.get(start..end).unwrap_or_default();
        let first = tokens.first().map_or(0, |token| token.start);
        (first, tokens.last().map_or(first, |token| token.end()))
    }

    /// Returns the first token behind `at` that fits and is in no brackets; a `;` or `:` before it ends the search of
    /// one statement.
    pub fn until(&self, at: usize, is_one: bool, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let mut depth = 0;
        for index in at..self.tokens.len() {
            if depth == 0 && index > at && fits(index) {
                return Some(index);
            }
            let token = self.token(index);
            depth += nesting(token);
            if depth < 0 || is_one && depth == 0 && matches!(token, ";" | ":") {
                return None;
            }
        }
        let end = self.tokens.len();
        (depth == 0 && end > at && fits(end)).then_some(end)
    }

    /// Returns the end of the operand that begins here: `hand(p)[2].color`. It may end earlier, where something follows.
    pub fn operand(&self, start: usize, follows: impl Fn(usize) -> bool) -> Option<usize> {
        let begins = |c: char| c.is_alphanumeric() || matches!(c, '"' | '.');
        let mut at = start;
        while at == start || self.is_joined(at) && !follows(at) {
            at = match self.token(at) {
                "(" | "[" => self.closed(at)?,
                ".." | "..." => break,
                part if part.starts_with(begins) => at + 1,
                _ => break,
            };
        }
        (at > start).then_some(at)
    }

    /// Returns the token behind the bracket that closes this one.
    fn closed(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.tokens.len()).find_map(|index| {
            depth += nesting(self.token(index));
            (depth == 0).then_some(index + 1)
        })
    }
}

fn nesting(token: &str) -> i32 {
    match token {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Returns the length of the token, or of the blanks, with which a text begins.
fn length(text: &str) -> usize {
    let run = |is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    match text.chars().next() {
        None => 0,
        Some(c) if c.is_whitespace() => run(char::is_whitespace),
        Some(c) if c.is_ascii_digit() => run(|c| c.is_ascii_digit()),
        Some(c) if c.is_alphabetic() => run(is_of_name),
        Some('"') => {
            let end = text.get(1..).and_then(|text| text.find('"'));
            end.map_or(text.len(), |end| end + 2)
        }
        Some('.')
            if text
                .get(1..)
                .is_some_and(|name| name.starts_with(char::is_alphabetic)) =>
        {
            let end = text.get(1..).and_then(|name| name.find(|c| !is_of_name(c)));
            end.map_or(text.len(), |end| end + 1)
        }
        Some(c) => {
            let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
            sign.map_or(c.len_utf8(), |sign| sign.len())
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
