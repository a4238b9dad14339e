//! Two overlays that touch the same thing.
//!
//! They are a conflict unless the later one says that it stands on the earlier one (`extends: game+earlier`): then its
//! author knew. A third overlay that stands on both and gives the thing a value decides.

use super::history::{Deed, Edit, History};
use super::read::Overlay;
use crate::diagnostic::{Diagnostic, Report};

pub(super) fn report(history: &History, overlays: &[Overlay], report: &mut Report) {
    let edits: Vec<&Edit> = history
        .edits
        .iter()
        .filter(|edit| !edit.is_title())
        .collect();
    for (i, later) in edits.iter().enumerate() {
        for earlier in edits.iter().take(i) {
            if earlier.overlay == later.overlay
                || stands_on(overlays, later.overlay, earlier.overlay)
            {
                continue;
            }
            if same_handler(earlier, later) {
                report.push(order(history, earlier, later));
            } else if touch(earlier, later) && !decided(&edits, overlays, earlier, later) {
                report.push(conflict(history, earlier, later));
            }
        }
    }
}

/// The later overlay was made for a game that has the earlier one on it.
fn stands_on(overlays: &[Overlay], later: usize, earlier: usize) -> bool {
    let extends = overlays
        .get(later)
        .and_then(|overlay| overlay.extends.as_ref());
    let name = overlays.get(earlier).map(|overlay| &overlay.name);
    extends
        .zip(name)
        .is_some_and(|(extends, name)| extends.overlays.contains(name))
}

fn is_handler(edit: &Edit) -> bool {
    let section = edit.path.0.iter().nth_back(1);
    edit.deed == Deed::Added && section.is_some_and(|key| key == "handlers")
}

fn touch(earlier: &Edit, later: &Edit) -> bool {
    let both_add = earlier.deed == Deed::Added && later.deed == Deed::Added;
    let apart = is_handler(earlier) || is_handler(later) || both_add;
    // What both add is refused where it is added.
    !apart && earlier.path.overlaps(&later.path)
}

/// Both stand instead of one effect.
fn same_handler(earlier: &Edit, later: &Edit) -> bool {
    let instead = |edit: &Edit| is_handler(edit) && edit.path.last().starts_with("instead ");
    instead(earlier) && instead(later) && meet_the_same(earlier.path.last(), later.path.last())
}

/// Signatures that differ at most in the names of their parameters, each behind a type.
fn meet_the_same(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let words = text.split(|c: char| c.is_whitespace() || "(),".contains(c));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (one, other) = (words(one), words(other));
    let mut same_before = false;
    one.len() == other.len()
        && one.iter().zip(&other).all(|(a, b)| {
            let fits = a == b || same_before;
            same_before = a == b;
            fits
        })
}

/// An overlay that stands on both has the last word.
fn decided(edits: &[&Edit], overlays: &[Overlay], earlier: &Edit, later: &Edit) -> bool {
    edits.iter().any(|edit| {
        edit.path.overlaps(&later.path)
            && later.path.starts_with(&edit.path)
            && stands_on(overlays, edit.overlay, earlier.overlay)
            && stands_on(overlays, edit.overlay, later.overlay)
    })
}

fn conflict(history: &History, earlier: &Edit, later: &Edit) -> Diagnostic {
    let (first, second) = (history.overlay(earlier), history.overlay(later));
    let shorter = |a: &'_ Edit, b: &'_ Edit| a.path.0.len() <= b.path.0.len();
    let thing = if shorter(earlier, later) {
        &earlier.path
    } else {
        &later.path
    };
    let message = format!("`{first}` and `{second}` both change `{thing}`");
    Diagnostic::error("overlay-conflict", later.at, message)
        .label(format!("`{second}` {}", deed(later, earlier)))
        .related(earlier.at, format!("`{first}` {}", deed(earlier, later)))
        .help(format!(
            "leave one out, or write an overlay that decides: `extends: …+{first}+{second}` with {}",
            decision(earlier, later)
        ))
}

/// How a third overlay says what shall hold.
fn decision(earlier: &Edit, later: &Edit) -> &'static str {
    match earlier.deed == Deed::Removed || later.deed == Deed::Removed {
        true => "a `remove:` of it, if it shall stay away, or an `add:` of it as it shall be",
        false => "a `change:` of it",
    }
}

fn order(history: &History, earlier: &Edit, later: &Edit) -> Diagnostic {
    let (first, second) = (history.overlay(earlier), history.overlay(later));
    let message = format!("`{first}` and `{second}` both stand instead of one effect");
    Diagnostic::warning("overlay-order", later.at, message)
        .label(format!(
            "`{second}` comes first, and its `proceed` leads to `{first}`"
        ))
        .related(earlier.at, format!("`{first}`"))
        .help(format!(
            "if it should be the other way round, write `+{second}+{first}`"
        ))
}

/// What an overlay does with what another one touches.
fn deed(edit: &Edit, other: &Edit) -> String {
    if edit.path.0.len() > other.path.0.len() {
        return format!("changes its `{}`", edit.path.last());
    }
    let value = |node: &Option<crate::lang::yaml::Node>| {
        node.as_ref()
            .map_or_else(String::new, |node| format!(" {}", node.in_words()))
    };
    match edit.deed {
        Deed::Changed => format!("makes it{}", value(&edit.now)),
        Deed::Added => format!("adds{}", value(&edit.now)),
        Deed::Removed => "removes it".into(),
    }
}
