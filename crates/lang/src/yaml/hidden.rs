//! Characters that nobody sees: as they are in a file, and as escapes in its values.

use serde_yaml::granit_parser::ScalarStyle;

use super::Scalar;
use crate::lookalike::named;
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span};
use wyrmgate_base::visible::misleads;

/// The code of these problems.
pub const HIDDEN: &str = "invisible-character";

/// Reports the first character of a file that nobody sees, unless something else is reported there.
pub(super) fn in_file(file: FileId, text: &str, report: &mut Report) {
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut signs = text.char_indices().skip_while(|(at, _)| *at < mark);
    let Some((at, sign)) = signs.find(|(_, c)| *c != '\r' && misleads(*c)) else {
        return;
    };
    let span = Span::new(file, at, at + sign.len_utf8());
    if !report
        .diagnostics
        .iter()
        .any(|known| known.span.covers(span))
    {
        let message = format!("an invisible character: {}", named(sign));
        let help = "delete it, or type the line again";
        report.error(HIDDEN, span, message, help);
    }
}

/// Returns the report of an escape for a character that nobody sees.
pub(super) fn in_value(value: &Scalar, style: ScalarStyle) -> Option<Diagnostic> {
    if style != ScalarStyle::DoubleQuoted {
        return None;
    }
    let (at, sign) = value.text.char_indices().find(|(_, c)| misleads(*c))?;
    let span = value.positions.span(at, at + sign.len_utf8());
    let message = format!("an escape for an invisible character: {}", named(sign));
    Some(Diagnostic::error(HIDDEN, span, message).help("leave it out: players could not see it"))
}
