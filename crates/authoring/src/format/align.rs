//! Keeps columns that the author has aligned: values after short keys, and comments after short lines.

/// A line with the part that may be aligned. Widths and columns count characters.
#[derive(Debug, Clone, Default)]
pub struct AlignedLine {
    pub indent: usize,
    /// The text up to the value, as in `length:`. The whole line if there is nothing to align.
    pub head: String,
    pub value: Option<LineEnd>,
    pub comment: Option<LineEnd>,
}

/// The end of a line and its original position.
#[derive(Debug, Clone)]
pub struct LineEnd {
    pub text: String,
    /// Its column in the source.
    pub column: usize,
    /// Number of spaces before it.
    pub blanks: usize,
}

impl AlignedLine {
    pub fn blank() -> AlignedLine {
        AlignedLine::default()
    }

    pub fn of(indent: usize, head: impl Into<String>) -> AlignedLine {
        AlignedLine {
            indent,
            head: head.into(),
            ..AlignedLine::default()
        }
    }

    /// Returns a comment on a line of its own; a blank line if it is empty.
    pub fn comment(indent: usize, text: String) -> AlignedLine {
        let end = LineEnd {
            text,
            column: indent,
            blanks: 0,
        };
        AlignedLine {
            indent,
            comment: Some(end).filter(|end| !end.text.is_empty()),
            ..AlignedLine::default()
        }
    }

    pub fn is_blank(&self) -> bool {
        self.head.is_empty() && self.value.is_none() && self.comment.is_none()
    }

    fn width_of_head(&self) -> usize {
        self.indent + self.head.chars().count()
    }

    /// Returns whether the line is only a comment.
    fn is_comment(&self) -> bool {
        self.head.is_empty()
    }
}

/// Returns all lines as text, without trailing spaces, and without blank lines at the end.
pub fn render(lines: &[AlignedLine]) -> String {
    let last = lines.iter().rposition(|line| !line.is_blank());
    let lines = lines.get(..last.map_or(0, |last| last + 1));
    let lines = lines.unwrap_or_default();
    let values = columns(lines, |line| line.value.as_ref());
    let bodies = lines.iter().zip(values).map(|(line, at)| body(line, at));
    let bodies: Vec<String> = bodies.collect();
    let comments = columns_of_comments(lines, &bodies);
    let mut text = String::new();
    for ((line, body), at) in lines.iter().zip(&bodies).zip(comments) {
        text.push_str(body);
        if let Some(comment) = &line.comment {
            let width = body.chars().count();
            let blanks = match (line.is_comment(), at) {
                (true, _) => 0,
                (false, Some(at)) => at.saturating_sub(width).max(1),
                (false, None) => 1,
            };
            text.extend(std::iter::repeat_n(' ', blanks));
            text.push_str(&comment.text);
        }
        while text.ends_with(' ') {
            text.pop();
        }
        text.push('\n');
    }
    text
}

/// Returns the line without its comment.
fn body(line: &AlignedLine, value_at: Option<usize>) -> String {
    if line.is_blank() {
        return String::new();
    }
    let mut body = " ".repeat(line.indent);
    body.push_str(&line.head);
    if let Some(value) = &line.value {
        let blanks = value_at.map_or(1, |at| at.saturating_sub(line.width_of_head()).max(1));
        body.extend(std::iter::repeat_n(' ', blanks));
        body.push_str(&value.text);
    }
    body
}

/// Returns for each line the column at which its part is aligned, if any.
fn columns(
    lines: &[AlignedLine],
    part: impl Fn(&AlignedLine) -> Option<&LineEnd>,
) -> Vec<Option<usize>> {
    let mut found = vec![None; lines.len()];
    let mut start = 0;
    while start < lines.len() {
        let run = run_from(lines, start, &part);
        let members = lines.get(start..start + run).unwrap_or_default();
        let is_meant = members.iter().filter_map(&part).any(|part| part.blanks > 1);
        if run > 1 && is_meant {
            let widths = members.iter().map(AlignedLine::width_of_head);
            let at = widths.max().unwrap_or_default() + 1;
            let columns = found.iter_mut().skip(start).take(run);
            columns.for_each(|column| *column = Some(at));
        }
        start += run.max(1);
    }
    found
}

fn columns_of_comments(lines: &[AlignedLine], bodies: &[String]) -> Vec<Option<usize>> {
    let commented = lines.iter().zip(bodies).map(|(line, body)| AlignedLine {
        comment: line.comment.clone().filter(|_| !line.is_comment()),
        ..AlignedLine::of(0, body)
    });
    let commented: Vec<AlignedLine> = commented.collect();
    columns(&commented, |line| line.comment.as_ref())
}

/// Returns how many lines from `start` on have their part in the column of the first.
fn run_from(
    lines: &[AlignedLine],
    start: usize,
    part: &impl Fn(&AlignedLine) -> Option<&LineEnd>,
) -> usize {
    let rest = lines.get(start..).unwrap_or_default();
    let first = rest.first();
    let Some((first, at)) = first.and_then(|line| Some((line, part(line)?.column))) else {
        return 0;
    };
    let fits = |line: &&AlignedLine| {
        line.indent == first.indent && part(line).is_some_and(|part| part.column == at)
    };
    rest.iter().take_while(fits).count()
}
