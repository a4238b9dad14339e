//! The tokens of a line of code and the spaces between them.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// Names, numbers and clauses.
    Word,
    /// `"…"`, with its placeholders.
    Text,
    Sign,
    /// From `#` to the end of the line.
    Comment,
}

#[derive(Debug, Clone, Copy)]
pub struct CodeToken<'t> {
    pub text: &'t str,
    pub kind: WordKind,
    /// Whether there is no space before it.
    pub is_glued: bool,
    /// Whether there is no space after it.
    pub glues: bool,
    /// Its start in the line, in bytes.
    pub start: usize,
}

impl CodeToken<'_> {
    pub fn is(&self, sign: &str) -> bool {
        self.kind == WordKind::Sign && self.text == sign
    }

    fn is_clause(&self) -> bool {
        self.kind == WordKind::Word && self.text.starts_with(|c: char| c.is_ascii_uppercase())
    }

    /// Returns whether a call or an index can follow it.
    fn is_value(&self) -> bool {
        self.kind != WordKind::Sign || self.is(")") || self.is("]")
    }
}

const SIGNS: [&str; 9] = ["..", "!=", "<=", ">=", "+=", "-=", "==", "&&", "||"];

/// Returns the tokens of one line.
pub fn tokens(line: &str) -> Vec<CodeToken<'_>> {
    let mut tokens: Vec<CodeToken> = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blanks > 0 {
            at += blanks;
            continue;
        }
        let (kind, length) = token(rest);
        let (text, after) = rest.split_at_checked(length).unwrap_or_default();
        let last = tokens.last();
        let is_glued = last.is_some_and(|last| last.start + last.text.len() == at);
        tokens.push(CodeToken {
            text,
            kind,
            is_glued,
            glues: !after.is_empty() && !after.starts_with([' ', '\t']),
            start: at,
        });
        at += length;
    }
    tokens
}

fn token(rest: &str) -> (WordKind, usize) {
    let is_wordy = |c: char| c.is_alphanumeric() || c == '_';
    match rest.chars().next() {
        Some('#') => (WordKind::Comment, rest.len()),
        Some('"') => (WordKind::Text, text_length(rest)),
        Some(c) if c.is_uppercase() => {
            let end = rest.find(|c| !is_wordy(c) && c != '-');
            (WordKind::Word, end.unwrap_or(rest.len()))
        }
        Some(c) if is_wordy(c) => {
            let end = rest.find(|c| !is_wordy(c));
            (WordKind::Word, end.unwrap_or(rest.len()))
        }
        Some(c) => {
            let pair = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (WordKind::Sign, pair.map_or(c.len_utf8(), |sign| sign.len()))
        }
        None => (WordKind::Sign, 0),
    }
}

/// Returns the length up to the closing quote. A placeholder may contain a text of its own.
fn text_length(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut escaped = false;
    let mut inner = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' if !inner => depth += 1,
            '}' if !inner => depth = depth.saturating_sub(1),
            '"' if depth == 0 => return i + 1,
            '"' => inner = !inner,
            _ => {}
        }
    }
    rest.len()
}

/// Returns the line with normalized spaces between its tokens, without its comment.
pub fn spaced(tokens: &[CodeToken<'_>]) -> String {
    let mut line = String::new();
    let kept: Vec<&CodeToken> = without_commas_of_clauses(tokens);
    for (i, token) in kept.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| kept.get(i));
        if before.is_some_and(|before| is_apart(before, token)) {
            line.push(' ');
        }
        line.push_str(token.text);
    }
    line
}

/// Writes `[ABC-01, ABC-02]` as `[ABC-01 ABC-02]`.
fn without_commas_of_clauses<'a, 't>(tokens: &'a [CodeToken<'t>]) -> Vec<&'a CodeToken<'t>> {
    let clause = |i: Option<usize>| {
        let token = i.and_then(|i| tokens.get(i));
        token.is_some_and(CodeToken::is_clause)
    };
    let kept = tokens.iter().enumerate().filter(|(i, token)| {
        !(token.is(",") && clause(i.checked_sub(1)) && clause(i.checked_add(1)))
    });
    kept.map(|(_, token)| token).collect()
}

fn is_apart(a: &CodeToken<'_>, b: &CodeToken<'_>) -> bool {
    if [",", ";", ")", "]", ":"].iter().any(|sign| b.is(sign)) {
        return false;
    }
    if a.is("(") || a.is("[") || a.is(".") || a.is("..") || b.is("..") {
        return false;
    }
    // A minus without a space after it negates; between two numbers it has spaces on both sides.
    if a.is("-") && a.glues {
        return false;
    }
    !((b.is(".") || b.is("(") || b.is("[")) && b.is_glued && a.is_value())
}

/// Returns the name before the innermost open bracket, and the number of commas after it.
pub fn open_call<'t>(line: &[CodeToken<'t>]) -> Option<(&'t str, usize)> {
    let (mut depth, mut commas) = (0usize, 0);
    for (at, token) in line.iter().enumerate().rev() {
        if token.is(")") || token.is("]") {
            depth += 1;
        } else if token.is("(") || token.is("[") && token.is_glued {
            if depth == 0 {
                let name = line.get(at.checked_sub(1)?)?;
                return (name.kind == WordKind::Word).then_some((name.text, commas));
            }
            depth -= 1;
        } else if token.is(",") && depth == 0 {
            commas += 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, fair: &str) {
        assert_eq!(spaced(&tokens(written)), fair);
        assert_eq!(spaced(&tokens(fair)), fair, "formatting twice changes more");
    }

    #[test]
    fn words_stand_one_space_apart() {
        check("move   c to hand( p )", "move c to hand(p)");
        check(
            "if a>3 and b!=2 :x=1;y+=2",
            "if a > 3 and b != 2: x = 1; y += 2",
        );
        check("score[p]+=max( 1,2 )*3", "score[p] += max(1, 2) * 3");
    }

    #[test]
    fn what_has_a_meaning_stays() {
        check("d moves -1", "d moves -1");
        check("x = a - 1", "x = a - 1");
        check("choose c in 1 .. 6", "choose c in 1..6");
        check("x = -1..-2", "x = -1..-2");
        check("x = -(a + 1) *-b", "x = -(a + 1) * -b");
        check("finish ranked by .a, (b)", "finish ranked by .a, (b)");
        check("p takes (1 + 2)", "p takes (1 + 2)");
        check(
            "x = [1,2][i] [WAY-01,WAY-02]",
            "x = [1, 2][i] [WAY-01 WAY-02]",
        );
        check(
            "each d in dragons where .at>3:d moves 1",
            "each d in dragons where .at > 3: d moves 1",
        );
    }

    #[test]
    fn texts_stay_as_they_are() {
        check(
            "say \"a  {f( \"x\" )}:b\"to p",
            "say \"a  {f( \"x\" )}:b\" to p",
        );
    }
}
