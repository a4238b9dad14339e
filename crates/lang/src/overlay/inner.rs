//! Applies the verbs inside the text of an effect or a query.

use wyrmgate_base::diagnostic::{Diagnostic, Span};

use super::applier::{Applier, pinned};
use super::history::EditKind;
use super::inside::{Code, Edited, Inside, Key};
use super::path::Path;
use crate::overlay::inside::ImpossibleEdit;
use crate::yaml::{Node, NodeKind, Scalar};

/// The text that an overlay changes, and the part of it that the overlay has entered.
pub(super) struct Site<'t> {
    pub text: &'t mut Node,
    pub code: Code,
    pub path: Path,
    way: Vec<String>,
}

impl<'t> Site<'t> {
    pub fn new(text: &'t mut Node, code: Code, path: &Path) -> Site<'t> {
        Site {
            text,
            code,
            path: path.clone(),
            way: Vec::new(),
        }
    }

    fn enter(&mut self, key: &Scalar) {
        self.way.push(key.text.to_string());
        self.path.0.push(key.text.to_string());
    }

    fn leave(&mut self) {
        self.way.pop();
        self.path.0.pop();
    }

    /// Reads the text. `None`: it does not parse, which is reported where it is read.
    fn inside(&self) -> Option<Result<Inside<'_>, ImpossibleEdit>> {
        let NodeKind::Scalar(scalar) = &self.text.kind else {
            return None;
        };
        let way: Vec<&str> = self.way.iter().map(String::as_str).collect();
        Inside::new(scalar, self.code, &way)
    }

    /// Puts the edited text in place; returns what stood there before.
    fn put(&mut self, edited: Edited) -> Option<Node> {
        let was = edited.was.map(|was| Node {
            kind: NodeKind::Scalar(Scalar {
                text: was.into(),
                ..edited.text.clone()
            }),
            span: self.text.span,
        });
        self.text.kind = NodeKind::Scalar(edited.text);
        was
    }
}

impl Applier<'_> {
    /// Changes parts of a text, or adds some.
    pub(super) fn edit_inside(&mut self, site: &mut Site, patch: &Node, kind: EditKind) {
        let Some(entries) = self.entries(patch, &site.path) else {
            return;
        };
        for (key, value) in entries {
            if matches!(value.kind, NodeKind::Map(_)) && pinned(value).is_none() {
                site.enter(key);
                self.edit_inside(site, value, kind);
                site.leave();
                continue;
            }
            let (was, now) = pinned(value).map_or((None, value), |(was, now)| (Some(was), now));
            let NodeKind::Scalar(text) = &now.kind else {
                let message = format!("found {}, expected text of the language", now.shape());
                let help = "write it as one text, with `|` if it has several lines".to_owned();
                self.report.error("wrong-shape", now.span, message, help);
                continue;
            };
            if let Some(was) = was {
                self.compare(site, key, was);
            }
            self.edit(site, key, Some(now), kind, |inside| match kind {
                EditKind::Added => inside.add(&Key::new(key), text),
                EditKind::Changed | EditKind::Removed => inside.change(&Key::new(key), text),
            });
        }
    }

    /// Removes parts of a text: one, a list of them, or maps that lead to them.
    pub(super) fn remove_inside(&mut self, site: &mut Site, patch: &Node) {
        match &patch.kind {
            NodeKind::Scalar(key) => self.remove_part(site, key),
            NodeKind::List(members) => {
                for member in members {
                    self.remove_inside(site, member);
                }
            }
            NodeKind::Map(entries) => {
                for (key, value) in entries {
                    if value.is_missing() {
                        self.remove_part(site, key);
                        continue;
                    }
                    site.enter(key);
                    self.remove_inside(site, value);
                    site.leave();
                }
            }
        }
    }

    pub(super) fn remove_part(&mut self, site: &mut Site, key: &Scalar) {
        self.edit(site, key, None, EditKind::Removed, |inside| {
            inside.remove(&Key::new(key), key)
        });
    }

    /// Compares what the overlay was written for with what is there.
    fn compare(&mut self, site: &Site, key: &Scalar, was: &Node) {
        let Some(Ok(inside)) = site.inside() else {
            return;
        };
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(present) = inside.present(&Key::new(key)).map(words) else {
            return;
        };
        if was.text().map(words).as_ref() != Some(&present) {
            let path = site.path.below(&key.text);
            let message = format!("`{path}` has changed since the overlay was written");
            let changed = Diagnostic::error("base-changed", was.span, message)
                .label(format!("it was {}", was.in_words()));
            self.report.push(changed.help(format!(
                "it is `{present}`: check whether the change still makes sense, then update `was`"
            )));
        }
    }

    fn edit(
        &mut self,
        site: &mut Site,
        key: &Scalar,
        now: Option<&Node>,
        kind: EditKind,
        edit: impl FnOnce(&Inside) -> Result<Edited, ImpossibleEdit>,
    ) {
        let Some(inside) = site.inside() else {
            return;
        };
        let done = inside
            .map_err(|edit| (edit, Vec::new()))
            .and_then(|inside| {
                edit(&inside).map_err(|edit| {
                    let spans = edit.related.iter();
                    let spans = spans.map(|(range, _)| inside.span(range)).collect();
                    (edit, spans)
                })
            });
        match done {
            Ok(edited) => {
                let was = site.put(edited);
                let path = site.path.below(&key.text);
                self.record(kind, path, key.span, was, now.cloned());
            }
            Err((edit, spans)) => self.report_impossible(edit, spans, key),
        }
    }

    fn report_impossible(&mut self, edit: ImpossibleEdit, spans: Vec<Span>, key: &Scalar) {
        let mut wrong = Diagnostic::error(edit.code, key.span, edit.message);
        for (span, (_, words)) in spans.into_iter().zip(edit.related) {
            wrong = wrong.related(span, words);
        }
        self.report.push(wrong.help(edit.help));
    }
}
