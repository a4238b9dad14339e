//! Overlays: a few lines of YAML that change a game.
//!
//! ```yaml
//! extends: cliff-race
//! change: {data.length: 6}
//! add: {clauses.RACE-05: The cliff is low.}
//! remove: [options.windy]
//! ```
//!
//! The trees are merged before anything in them is interpreted. Therefore overlays can change everything the language has,
//! every merged value keeps its location, and a changed game is checked like any other. A [`History`] records what each
//! overlay did, for conflicts, for diagnostics that show both files, and for `explain`.

mod applier;
mod apply;
mod blame;
mod conflict;
mod diff;
mod history;
mod inner;
mod inside;
mod path;
mod place;
mod read;
mod target;
mod unfold;

pub use diff::{Difference, differences};
pub use history::{Edit, EditKind, History};
pub use inside::parts_of;
pub use path::Path;
pub use read::{Extends, extends_of};

use crate::yaml::{Node, NodeKind, Scalar};
use applier::Applier;
pub(super) use read::Overlay;
use wyrmgate_base::diagnostic::{Diagnostic, Report, did_you_mean};

/// Combines the sections of all files of a game into one tree.
pub(super) fn combine(roots: Vec<Node>) -> Option<Node> {
    let span = roots.first()?.span;
    let mut combined: Vec<(Scalar, Node)> = Vec::new();
    for (key, node) in roots.into_iter().flat_map(entries_of) {
        let earlier = combined
            .iter_mut()
            .find(|(known, _)| known.text == key.text);
        match (earlier, node.kind) {
            (
                Some((
                    _,
                    Node {
                        kind: NodeKind::Map(all),
                        ..
                    },
                )),
                NodeKind::Map(more),
            ) => {
                all.extend(more);
            }
            (_, kind) => combined.push((key, Node::new(kind, node.span))),
        }
    }
    Some(Node::new(
        NodeKind::Map(combined.into_iter().collect()),
        span,
    ))
}

fn entries_of(root: Node) -> Vec<(Scalar, Node)> {
    match root.kind {
        NodeKind::Map(entries) => entries.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Applies the overlays to the game, in order.
pub(super) fn apply(game: &mut Node, overlays: &[Overlay], report: &mut Report) -> History {
    let mut history = History {
        overlays: overlays
            .iter()
            .map(|overlay| overlay.name.clone())
            .collect(),
        edits: Vec::new(),
    };
    for (number, overlay) in overlays.iter().enumerate() {
        let extends = overlay.extends.as_ref();
        let mut applier = Applier {
            overlay: number,
            known: extends.map_or(&[], |extends| &extends.overlays),
            history: &mut history,
            report,
            compared: 0,
        };
        applier.apply(game, overlay);
    }
    conflict::report(&history, overlays, report);
    history
}

/// Checks that the overlay extends what is below it.
pub(super) fn check_base(game: &Node, below: &[Overlay], overlay: &Overlay, report: &mut Report) {
    let Some(extends) = &overlay.extends else {
        let start = overlay.start.beginning();
        let message = format!("`{}` does not say which game it changes", overlay.name);
        let help = "begin an overlay with `extends: name-of-the-game`";
        report.push(Diagnostic::error("missing-key", start, message).help(help));
        return;
    };
    let name = game.get("game").and_then(Node::text).unwrap_or_default();
    if extends.game != name && !name.is_empty() {
        let message = format!(
            "`{}` changes `{}`, not `{name}`",
            overlay.name, extends.game
        );
        let help = match did_you_mean(&extends.game, [name]) {
            Some(meant) => format!("did you mean `extends: {meant}`?"),
            None => format!("use it on `{}`, or write `extends: {name}`", extends.game),
        };
        report.push(Diagnostic::error("wrong-base", extends.span, message).help(help));
    }
    for needed in &extends.overlays {
        if !below.iter().any(|overlay| overlay.name == *needed) {
            let message = format!("`{}` needs the overlay `{needed}` below it", overlay.name);
            let help = format!(
                "name it after `{needed}`, as in `{name}+{needed}+{}`",
                overlay.name
            );
            report.push(Diagnostic::error("wrong-base", extends.span, message).help(help));
        }
    }
}
