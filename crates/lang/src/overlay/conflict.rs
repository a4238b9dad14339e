//! Conflicts of two overlays that touch the same thing.
//!
//! They conflict unless the later one extends the earlier one (`extends: game+earlier`), because its author then knew.
//! A third overlay that extends both and sets the value resolves the conflict.

use hashbrown::HashMap;

use super::history::{Edit, EditKind, History};
use super::read::Overlay;
use wyrmgate_base::diagnostic::{Diagnostic, Report};

pub(super) fn report(history: &History, overlays: &[Overlay], report: &mut Report) {
    let edits: Vec<&Edit> = history
        .edits
        .iter()
        .filter(|edit| !edit.is_title())
        .collect();
    let places = Places::of(&edits);
    for (i, later) in edits.iter().enumerate() {
        if report.is_full() {
            return;
        }
        for earlier in places.near(later, i) {
            let Some(earlier) = edits.get(earlier) else {
                continue;
            };
            if earlier.overlay == later.overlay {
                if let Some(twice) = given_twice(earlier, later) {
                    report.push(twice);
                }
                continue;
            }
            if stands_on(overlays, later.overlay, earlier.overlay) {
                continue;
            }
            if same_handler(earlier, later) {
                report.push(order(history, earlier, later));
            } else if touch(earlier, later) && !places.decided(&edits, overlays, earlier, later) {
                report.push(conflict(history, earlier, later));
            }
        }
    }
}

/// An index of edits by place, so that not every pair must be compared.
#[derive(Default)]
struct Places<'h> {
    at: HashMap<&'h [String], Vec<usize>>,
    /// Edits further down, for every path above them.
    below: HashMap<&'h [String], Vec<usize>>,
    /// `instead` handlers of effects, by number of words and first word.
    instead: HashMap<(usize, &'h str), Vec<usize>>,
}

impl<'h> Places<'h> {
    fn of(edits: &[&'h Edit]) -> Places<'h> {
        let mut places = Places::default();
        for (number, edit) in edits.iter().enumerate() {
            let path = edit.path.0.as_slice();
            places.at.entry(path).or_default().push(number);
            for end in 0..path.len() {
                let above = path.get(..end).unwrap_or_default();
                places.below.entry(above).or_default().push(number);
            }
            if is_instead(edit) {
                let words = outline(edit.path.last());
                places.instead.entry(words).or_default().push(number);
            }
        }
        places
    }

    /// Returns the earlier edits, in order, that may touch the same thing.
    fn near(&self, edit: &Edit, number: usize) -> Vec<usize> {
        let path = edit.path.0.as_slice();
        let above = (0..=path.len()).filter_map(|end| self.at.get(path.get(..end)?));
        let below = self.below.get(path);
        let handlers = is_instead(edit).then(|| outline(edit.path.last()));
        let handlers = handlers.and_then(|words| self.instead.get(&words));
        let all = above.chain(below).chain(handlers).flatten().copied();
        let mut all: Vec<usize> = all.filter(|other| *other < number).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns whether an overlay that extends both has set the value.
    fn decided(&self, edits: &[&Edit], overlays: &[Overlay], earlier: &Edit, later: &Edit) -> bool {
        let path = later.path.0.as_slice();
        let above = (0..=path.len()).filter_map(|end| self.at.get(path.get(..end)?));
        let mut above = above.flatten().filter_map(|number| edits.get(*number));
        above.any(|edit| {
            stands_on(overlays, edit.overlay, earlier.overlay)
                && stands_on(overlays, edit.overlay, later.overlay)
        })
    }
}

/// Reports a path that one overlay changes twice, in two spellings: `options.target: {default: 5}` and
/// `options.target.default: 6`.
fn given_twice(earlier: &Edit, later: &Edit) -> Option<Diagnostic> {
    if earlier.kind != EditKind::Changed || later.kind != EditKind::Changed {
        return None;
    }
    let message = format!("`{}` is given twice", later.path);
    let twice = Diagnostic::error("duplicate-key", later.at, message);
    let twice = twice.related(earlier.at, "first given here");
    Some(twice.help("remove one of them, or join what they contain"))
}

/// Returns the number of words of a signature, and the first word after `instead`.
fn outline(signature: &str) -> (usize, &str) {
    let mut words = words(signature).skip(1);
    let first = words.next().unwrap_or_default();
    (words.count(), first)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || "(),".contains(c));
    words.filter(|word| !word.is_empty())
}

/// Returns whether the later overlay extends the earlier one.
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
    edit.kind == EditKind::Added && section.is_some_and(|key| key == "handlers")
}

fn touch(earlier: &Edit, later: &Edit) -> bool {
    let both_add = earlier.kind == EditKind::Added && later.kind == EditKind::Added;
    let apart = is_handler(earlier) || is_handler(later) || both_add;
    // An entry that both add is refused when the second one is added.
    !apart && earlier.path.overlaps(&later.path) && !agree(earlier, later)
}

/// Returns whether both set the same thing to the same value.
fn agree(earlier: &Edit, later: &Edit) -> bool {
    let both_change = earlier.kind == EditKind::Changed && later.kind == EditKind::Changed;
    let values = earlier.now.as_ref().zip(later.now.as_ref());
    both_change
        && earlier.path == later.path
        && values.is_some_and(|(one, other)| one.says_the_same(other))
}

/// Returns whether both replace the same effect.
fn same_handler(earlier: &Edit, later: &Edit) -> bool {
    is_instead(earlier)
        && is_instead(later)
        && meet_the_same(earlier.path.last(), later.path.last())
}

fn is_instead(edit: &Edit) -> bool {
    is_handler(edit) && edit.path.last().starts_with("instead ")
}

/// Returns whether signatures differ at most in the names of their parameters, each after a type.
fn meet_the_same(one: &str, other: &str) -> bool {
    let one: Vec<&str> = words(one).collect();
    let other: Vec<&str> = words(other).collect();
    let mut same_before = false;
    one.len() == other.len()
        && one.iter().zip(&other).all(|(a, b)| {
            let fits = a == b || same_before;
            same_before = a == b;
            fits
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
        .label(format!("`{second}` {}", kind(later, earlier)))
        .related(earlier.at, format!("`{first}` {}", kind(earlier, later)))
        .help(format!(
            "use only one of them, or write an overlay that decides: `extends: …+{first}+{second}` with {}",
            decision(earlier, later)
        ))
}

/// Returns how a third overlay can resolve the conflict.
fn decision(earlier: &Edit, later: &Edit) -> &'static str {
    match earlier.kind == EditKind::Removed || later.kind == EditKind::Removed {
        true => "`remove:` to keep it removed, or `add:` with its new value",
        false => "its value under `change:`",
    }
}

fn order(history: &History, earlier: &Edit, later: &Edit) -> Diagnostic {
    let (first, second) = (history.overlay(earlier), history.overlay(later));
    let message = format!("`{first}` and `{second}` both replace the same effect with `instead`");
    Diagnostic::warning("overlay-order", later.at, message)
        .label(format!(
            "`{second}` runs first, and its `proceed` runs `{first}`"
        ))
        .related(earlier.at, format!("`{first}`"))
        .help(format!("for the opposite order, write `+{second}+{first}`"))
}

/// Describes what an overlay does to something that another one touches.
fn kind(edit: &Edit, other: &Edit) -> String {
    if edit.path.0.len() > other.path.0.len() {
        return format!("changes its `{}`", edit.path.last());
    }
    let value = |node: &Option<crate::yaml::Node>| {
        node.as_ref()
            .map_or_else(String::new, |node| format!(" {}", node.in_words()))
    };
    match edit.kind {
        EditKind::Changed => format!("makes it{}", value(&edit.now)),
        EditKind::Added => format!("adds{}", value(&edit.now)),
        EditKind::Removed => "removes it".into(),
    }
}
