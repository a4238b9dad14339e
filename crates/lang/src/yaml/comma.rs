//! A comma in an unquoted value inside `{ }` or `[ ]`: YAML ends the value there, but its author meant to continue it.
//!
//! The mistake is reported once, and the value is read as it was meant, so that it causes no further reports.

use serde_yaml::granit_parser::ScalarStyle;

use super::{Node, NodeKind, Scalar, scalar};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span};

/// The file being read.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub file: FileId,
    pub text: &'t str,
}

/// Merges the value before the comma and the `key` after it, which has no value, into one value. Returns `false` if the
/// two are unrelated. `told` is the number of the report, if there is one already.
pub(super) fn mend_entry(
    source: Source,
    entries: &mut [(Scalar, Node)],
    key: &Scalar,
    told: &mut Option<usize>,
    report: &mut Report,
) -> bool {
    let behind = source.text.get(key.span.end as usize..).unwrap_or_default();
    let Some((owner, value)) = entries.last_mut() else {
        return false;
    };
    if behind.trim_start().starts_with(':') || !key.is_plain {
        return false;
    }
    if let NodeKind::List(members) = &mut value.kind
        && told.is_some()
    {
        members.push(Node::scalar(key.clone()));
        value.span = value.span.to(key.span);
    } else if let Some(before) = text_before(value) {
        let is_list = before.text.parse::<i64>().is_ok();
        let Some(joined) = joined(source, before.span, key.span) else {
            return false;
        };
        *value = match is_list {
            true => Node::new(
                NodeKind::List(vec![
                    Node::scalar(before.clone()),
                    Node::scalar(key.clone()),
                ]),
                joined.span,
            ),
            false => Node::scalar(joined),
        };
    } else {
        return false;
    }
    let written = source
        .text
        .get(value.span.start as usize..value.span.end as usize);
    let meant = match &value.kind {
        NodeKind::List(_) => format!("[{}]", written.unwrap_or_default()),
        _ => quoted(written.unwrap_or_default()),
    };
    let help = format!("write `{}: {meant}`", owner.text);
    let message = "a comma inside `{ }` ends the value";
    let whole = value.span;
    tell(source, whole, key.span, message, help, told, report);
    true
}

/// Finds the same mistake among members of a list, of which the first has an unclosed bracket or quote.
pub(super) fn mend_member(
    source: Source,
    members: &mut [Node],
    next: &Node,
    told: &mut Option<usize>,
    report: &mut Report,
) -> bool {
    let NodeKind::Scalar(next) = &next.kind else {
        return false;
    };
    let Some(member) = members.last_mut() else {
        return false;
    };
    let open = text_before(member).filter(|before| next.is_plain && is_open(&before.text));
    let Some(joined) = open.and_then(|before| joined(source, before.span, next.span)) else {
        return false;
    };
    let help = format!("put the whole member in quotes: `{}`", quoted(&joined.text));
    let message = "a comma inside `[ ]` ends the member";
    tell(source, joined.span, next.span, message, help, told, report);
    *member = Node::scalar(joined);
    true
}

fn text_before(node: &Node) -> Option<&Scalar> {
    match &node.kind {
        NodeKind::Scalar(scalar) if scalar.is_plain && !scalar.is_missing() => Some(scalar),
        _ => None,
    }
}

/// Returns everything between the two on one line.
fn joined(source: Source, from: Span, to: Span) -> Option<Scalar> {
    let span = from.to(to);
    let written = source.text.get(span.start as usize..span.end as usize)?;
    let located = || scalar::locate(source.file, source.text, written, ScalarStyle::Plain, span);
    (!written.contains('\n')).then(located)
}

fn is_open(text: &str) -> bool {
    text.matches('(').count() > text.matches(')').count() || text.matches('"').count() % 2 == 1
}

/// Quotes a text with a kind of quote that it does not contain, in place of curly quotes around it.
fn quoted(text: &str) -> String {
    let bare = text.trim_matches(['“', '”', '„', '‘', '’', '‚', '«', '»']);
    match bare.contains('"') {
        true => format!("'{bare}'"),
        false => format!("\"{bare}\""),
    }
}

/// Reports the first comma of a list or map; further ones in the same value extend that report.
fn tell(
    source: Source,
    whole: Span,
    behind: Span,
    message: &str,
    help: String,
    told: &mut Option<usize>,
    report: &mut Report,
) {
    if let Some(known) = told.and_then(|told| report.diagnostics.get_mut(told)) {
        if whole.start <= known.span.start {
            known.help = Some(help);
        }
        return;
    }
    let before = source.text.get(..behind.start as usize).unwrap_or_default();
    let comma = before.rfind(',').unwrap_or(behind.start as usize);
    let span = Span::new(source.file, comma, behind.end as usize);
    *told = Some(report.diagnostics.len());
    report.push(Diagnostic::error("yaml-comma", span, message).help(help));
}
