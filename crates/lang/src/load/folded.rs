//! Effect text whose lines YAML has joined, because there is no `|` after its key.

use std::sync::Arc;

use super::Loader;
use crate::ast::Block;
use crate::effect;
use crate::yaml::Scalar;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};

impl Loader {
    /// Returns the block that the lines mean, after a report, if they were joined by mistake: they make more sense as
    /// lines than as one. `problems` are those of the joined text, which began at this number.
    pub(super) fn lines_meant(
        &mut self,
        key: Span,
        scalar: &Scalar,
        joined: &Block,
        before: usize,
    ) -> Option<Arc<Block>> {
        let lines = unfolded(scalar)?;
        let mut found = Report::default();
        let block = effect::parse_block(&lines, &scalar.positions, &mut found);
        let problems = self.problems() - before;
        let is_better = match problems {
            0 => found.diagnostics.is_empty() && block.len() > joined.len(),
            problems => found.diagnostics.len() < problems,
        };
        if !is_better {
            return None;
        }
        self.report.diagnostics.truncate(before);
        self.report.index();
        self.report.push(missing_bar(key, scalar));
        found
            .diagnostics
            .into_iter()
            .for_each(|d| self.report.push(d));
        Some(Arc::new(block))
    }
}

fn missing_bar(key: Span, scalar: &Scalar) -> Diagnostic {
    let message = match scalar.is_plain {
        true => "effect text of several lines without a `|` after its key",
        false => "`>` and quotes join the lines of this effect text",
    };
    let problem = Diagnostic::error("syntax", key, message)
        .help("write `|` after the colon, and each statement on a line of its own below");
    let colon = Span {
        start: key.end + 1,
        end: key.end + 1,
        ..key
    };
    // A text that begins on the line of its key stands directly behind the colon.
    match scalar.is_plain && scalar.span.start > colon.end + 1 {
        true => problem.repair(colon, " |"),
        false => problem,
    }
}

/// Returns the text with the line breaks of the file, of the same length; `None` if no lines were joined.
fn unfolded(scalar: &Scalar) -> Option<String> {
    let mut lines = scalar.text.to_string().into_bytes();
    let mut joined = false;
    for (at, sign) in lines
        .iter_mut()
        .enumerate()
        .filter(|(_, sign)| **sign == b' ')
    {
        let before = scalar.positions.span(at.saturating_sub(1), at).end;
        let after = scalar.positions.span(at + 1, at + 2).start;
        let beside = [at.wrapping_sub(1), at + 1].map(|at| scalar.text.as_bytes().get(at));
        let is_alone = beside
            .into_iter()
            .flatten()
            .all(|sign| !sign.is_ascii_whitespace());
        if after > before + 1 && is_alone {
            *sign = b'\n';
            joined = true;
        }
    }
    String::from_utf8(lines).ok().filter(|_| joined)
}
