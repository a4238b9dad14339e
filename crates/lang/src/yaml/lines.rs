//! The non-empty lines of a text, and their indentation.

/// A line that is neither empty nor only a comment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'t> {
    /// The byte of its first character, after the indentation.
    pub start: usize,
    /// The number of spaces before it; nothing else indents.
    pub indent: usize,
    /// The line without indentation, comment and trailing white space.
    pub text: &'t str,
}

/// Returns the lines of a YAML text.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    lines_that_say(text, without_comment)
}

/// Returns the lines that say something, as this function cuts them.
pub(crate) fn lines_that_say(text: &str, said: fn(&str) -> &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        if !said(bare).is_empty() {
            found.push(Line {
                start: begin + indent,
                indent,
                text: said(bare),
            });
        }
        begin += line.len();
    }
    found
}

/// Returns a width in words.
pub(crate) fn spaces(columns: usize) -> String {
    match columns {
        1 => "1 space".to_owned(),
        n => format!("{n} spaces"),
    }
}

fn without_comment(line: &str) -> &str {
    let end = if line.starts_with('#') {
        0
    } else {
        line.find(" #").unwrap_or(line.len())
    };
    line.get(..end).unwrap_or(line).trim_end()
}

impl Line<'_> {
    /// Returns its key, or its beginning.
    pub fn head(&self) -> &str {
        let end = self
            .text
            .find(": ")
            .or(self.text.strip_suffix(':').map(str::len));
        let head = end
            .and_then(|end| self.text.get(..end))
            .unwrap_or(self.text);
        let end = head
            .char_indices()
            .nth(HEAD_MAX)
            .map_or(head.len(), |(at, _)| at);
        head.get(..end).unwrap_or(head)
    }

    pub fn is_member(&self) -> bool {
        self.text == "-" || self.text.starts_with("- ")
    }

    /// Returns whether a text of several lines follows: `key: |`.
    pub fn opens_text(&self) -> bool {
        let mark = self
            .text
            .trim_end_matches(['+', '-', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        mark.ends_with(": |") || mark.ends_with(": >") || mark == "- |" || mark == "- >"
    }

    /// Returns whether its value continues on the lines below.
    pub fn goes_on_below(&self) -> bool {
        let open = |opening: char, closing: char| {
            self.text.matches(opening).count() > self.text.matches(closing).count()
        };
        self.text.ends_with(':') || self.opens_text() || open('{', '}') || open('[', ']')
    }
}

/// The maximum length of a line that is quoted or marked.
const HEAD_MAX: usize = 60;
