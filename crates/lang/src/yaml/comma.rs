//! A comma in an unquoted value inside `{ }` or `[ ]`: YAML ends the value there, but its author meant to continue it.
//!
//! The mistake is reported once, and the value is read as it was meant, so that it causes no further reports.

use serde_yaml::granit_parser::ScalarStyle;

use super::{Node, NodeKind, Scalar, scalar};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Span};

/// A list or map of a file, whose commas are mended.
pub(super) struct CommaMending<'m> {
    pub file: FileId,
    pub text: &'m str,
    /// The number of the report about one of its commas.
    pub told: &'m mut Option<usize>,
    pub report: &'m mut Report,
}

impl CommaMending<'_> {
    /// Merges the value before the comma and the `key` after it, which has no value, into one value. Returns `false` if the
    /// two are unrelated.
    pub fn mend_entry(&mut self, entries: &mut [(Scalar, Node)], key: &Scalar) -> bool {
        let behind = self.text.get(key.span.end as usize..).unwrap_or_default();
        let Some((owner, value)) = entries.last_mut() else {
            return false;
        };
        if behind.trim_start().starts_with(':') || !key.is_plain {
            return false;
        }
        if let NodeKind::List(members) = &mut value.kind
            && self.told.is_some()
        {
            members.push(Node::scalar(key.clone()));
            value.span = value.span.to(key.span);
        } else if let Some(before) = text_before(value) {
            let is_list = [before, key].iter().all(|part| is_member(&part.text));
            let Some(joined) = self.joined(before.span, key.span) else {
                return false;
            };
            let members = || [before, key].map(|part| Node::scalar(part.clone())).into();
            *value = match is_list {
                true => Node::new(NodeKind::List(members()), joined.span),
                false => Node::scalar(joined),
            };
        } else {
            return false;
        }
        let whole = value.span;
        let written = self.text.get(whole.start as usize..whole.end as usize);
        let meant = match &value.kind {
            NodeKind::List(_) => format!("[{}]", written.unwrap_or_default()),
            _ => quoted(written.unwrap_or_default()),
        };
        let help = format!("write `{}: {meant}`", owner.text);
        self.tell(whole, key.span, "a comma inside `{ }` ends the value", help);
        true
    }

    /// Finds the same mistake among members of a list, of which the first has an unclosed bracket or quote.
    pub fn mend_member(&mut self, members: &mut [Node], next: &Node) -> bool {
        let NodeKind::Scalar(next) = &next.kind else {
            return false;
        };
        let Some(member) = members.last_mut() else {
            return false;
        };
        let open = text_before(member).filter(|before| next.is_plain && is_open(&before.text));
        let Some(joined) = open.and_then(|before| self.joined(before.span, next.span)) else {
            return false;
        };
        let help = format!("put the whole member in quotes: `{}`", quoted(&joined.text));
        let message = "a comma inside `[ ]` ends the member";
        self.tell(joined.span, next.span, message, help);
        *member = Node::scalar(joined);
        true
    }

    /// Returns everything between the two on one line.
    fn joined(&self, from: Span, to: Span) -> Option<Scalar> {
        let span = from.to(to);
        let written = self.text.get(span.start as usize..span.end as usize)?;
        let located = || scalar::locate(self.file, self.text, written, ScalarStyle::Plain, span);
        (!written.contains('\n')).then(located)
    }

    /// Reports the first comma of a list or map; further ones in the same value extend that report.
    fn tell(&mut self, whole: Span, behind: Span, message: &str, help: String) {
        if let Some(known) = self
            .told
            .and_then(|told| self.report.diagnostics.get_mut(told))
        {
            if whole.start <= known.span.start {
                known.help = Some(help);
            }
            return;
        }
        let before = self.text.get(..behind.start as usize).unwrap_or_default();
        let comma = before.rfind(',').unwrap_or(behind.start as usize);
        let span = Span::new(self.file, comma, behind.end as usize);
        *self.told = Some(self.report.diagnostics.len());
        self.report
            .push(Diagnostic::error("yaml-comma", span, message).help(help));
    }
}

fn text_before(node: &Node) -> Option<&Scalar> {
    match &node.kind {
        NodeKind::Scalar(scalar) if scalar.is_plain && !scalar.is_missing() => Some(scalar),
        _ => None,
    }
}

/// Returns whether this is a number or a bare name.
fn is_member(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_' | '-'))
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
