//! Applies the verbs inside the text of an effect or a query.

use wyrmgate_base::diagnostic::Diagnostic;

use super::apply::{Applier, pinned};
use super::history::Deed;
use super::inside::{Code, Edited, Inside, Key, Trouble};
use super::path::Path;
use crate::yaml::{Node, NodeKind, Scalar};

impl Applier<'_> {
    /// Changes parts of the text at `key`.
    pub(super) fn change_inside(
        &mut self,
        base: &mut Node,
        key: &Scalar,
        patch: &Node,
        code: Code,
        path: &Path,
    ) {
        if let Some(text) = base.get_mut(&key.text) {
            self.inside(text, patch, code, &mut Vec::new(), path, Deed::Changed);
        }
    }

    /// Adds parts to a text.
    pub(super) fn add_inside(&mut self, text: &mut Node, patch: &Node, code: Code, path: &Path) {
        self.inside(text, patch, code, &mut Vec::new(), path, Deed::Added);
    }

    /// Removes parts of a text: one, a list of them, or maps that lead to them.
    pub(super) fn remove_inside(&mut self, text: &mut Node, patch: &Node, code: Code, path: &Path) {
        self.remove_listed(text, patch, code, &mut Vec::new(), path);
    }

    fn remove_listed(
        &mut self,
        text: &mut Node,
        patch: &Node,
        code: Code,
        way: &mut Vec<String>,
        path: &Path,
    ) {
        match &patch.kind {
            NodeKind::Scalar(key) => self.remove_part(text, way, key, code, path),
            NodeKind::List(members) => {
                for member in members {
                    self.remove_listed(text, member, code, way, path);
                }
            }
            NodeKind::Map(entries) => {
                for (key, value) in entries {
                    if value.is_missing() {
                        self.remove_part(text, way, key, code, path);
                        continue;
                    }
                    way.push(key.text.to_string());
                    self.remove_listed(text, value, code, way, &path.below(&key.text));
                    way.pop();
                }
            }
        }
    }

    pub(super) fn remove_part(
        &mut self,
        text: &mut Node,
        way: &[String],
        key: &Scalar,
        code: Code,
        path: &Path,
    ) {
        let edit = |inside: &Inside| inside.remove(&Key::new(key), key);
        self.edit(text, way, key, None, code, path, Deed::Removed, edit);
    }

    /// Applies each entry; a map below a part concerns what is inside of it.
    fn inside(
        &mut self,
        text: &mut Node,
        patch: &Node,
        code: Code,
        way: &mut Vec<String>,
        path: &Path,
        deed: Deed,
    ) {
        let Some(entries) = self.entries(patch, path) else {
            return;
        };
        for (key, value) in entries {
            let inner = path.below(&key.text);
            if matches!(value.kind, NodeKind::Map(_)) && pinned(value).is_none() {
                way.push(key.text.to_string());
                self.inside(text, value, code, way, &inner, deed);
                way.pop();
                continue;
            }
            let (was, now) = pinned(value).map_or((None, value), |(was, now)| (Some(was), now));
            let NodeKind::Scalar(scalar) = &now.kind else {
                let message = format!("found {}, expected text of the language", now.shape());
                self.error(
                    "wrong-shape",
                    now.span,
                    message,
                    "write it as one text, with `|` if it has several lines".into(),
                );
                continue;
            };
            self.compare(text, way, key, was, code, &inner);
            let edit = |inside: &Inside| match deed {
                Deed::Added => inside.add(&Key::new(key), scalar),
                Deed::Changed | Deed::Removed => inside.change(&Key::new(key), scalar),
            };
            self.edit(text, way, key, Some(now), code, path, deed, edit);
        }
    }

    /// Compares what the overlay was written for with what is there.
    fn compare(
        &mut self,
        text: &Node,
        way: &[String],
        key: &Scalar,
        was: Option<&Node>,
        code: Code,
        path: &Path,
    ) {
        let (Some(was), NodeKind::Scalar(scalar)) = (was, &text.kind) else {
            return;
        };
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        let Some(Ok(inside)) = Inside::new(scalar, code, &way) else {
            return;
        };
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let present = inside.present(&Key::new(key)).map(words);
        if let Some(present) = present
            && was.text().map(words) != Some(present.clone())
        {
            let message = format!("`{path}` has changed since the overlay was written");
            let changed = Diagnostic::error("base-changed", was.span, message)
                .label(format!("it was {}", was.in_words()))
                .help(format!(
                    "it is `{present}`: check whether the change still makes sense, then update `was`"
                ));
            self.report.push(changed);
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the place of an edit and what it does"
    )]
    fn edit(
        &mut self,
        text: &mut Node,
        way: &[String],
        key: &Scalar,
        now: Option<&Node>,
        code: Code,
        path: &Path,
        deed: Deed,
        edit: impl FnOnce(&Inside) -> Result<Edited, Trouble>,
    ) {
        let NodeKind::Scalar(scalar) = &text.kind else {
            return;
        };
        let ways: Vec<&str> = way.iter().map(String::as_str).collect();
        let Some(inside) = Inside::new(scalar, code, &ways) else {
            return; // what does not parse is reported where it is read
        };
        let done = inside
            .map_err(|trouble| (trouble, Vec::new()))
            .and_then(|inside| {
                edit(&inside).map_err(|trouble| {
                    let spans = trouble.related.iter();
                    let spans = spans.map(|(range, _)| inside.span(range)).collect();
                    (trouble, spans)
                })
            });
        match done {
            Ok(edited) => {
                let was = edited.was.map(|was| Node {
                    kind: NodeKind::Scalar(Scalar {
                        text: was.into(),
                        ..scalar.clone()
                    }),
                    span: text.span,
                });
                text.kind = NodeKind::Scalar(edited.text);
                self.record(deed, path.below(&key.text), key.span, was, now.cloned());
            }
            Err((trouble, spans)) => self.report_trouble(trouble, spans, key),
        }
    }

    fn report_trouble(
        &mut self,
        trouble: Trouble,
        spans: Vec<wyrmgate_base::diagnostic::Span>,
        key: &Scalar,
    ) {
        let mut wrong = Diagnostic::error(trouble.code, key.span, trouble.message);
        for (span, (_, words)) in spans.into_iter().zip(trouble.related) {
            wrong = wrong.related(span, words);
        }
        self.report.push(wrong.help(trouble.help));
    }
}
