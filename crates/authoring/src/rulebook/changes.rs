//! The changes that the overlays of a variant make, as its rulebook marks them.

use std::collections::{BTreeMap, BTreeSet};

use super::{RulebookClause, VariantChange};
use crate::rules::Ruleset;
use wyrmgate_lang::overlay::{Edit, EditKind};
use wyrmgate_program::Language;

/// A section of a game, and the name of an entry in it.
type EntryPlace = (&'static str, String);

pub const CLAUSES: &str = "clauses";
pub const OPTIONS: &str = "options";
pub const COMPONENTS: &str = "components";

/// The changes of all overlays, by what they change.
#[derive(Debug, Default)]
pub struct OverlayChanges {
    /// By the section of the game, and the name in it.
    changes: BTreeMap<EntryPlace, VariantChange>,
    /// `Bonus 2: 3 → 5`
    pub numbers: Vec<String>,
}

impl OverlayChanges {
    pub fn of(ruleset: &Ruleset, language: Language) -> OverlayChanges {
        let mut changes = OverlayChanges::default();
        for edit in &ruleset.history.edits {
            let keys: Vec<&str> = edit.path.0.iter().map(String::as_str).collect();
            let (section, name, rest) = match keys.as_slice() {
                ["clauses", id] => (CLAUSES, *id, &[][..]),
                ["options", name, rest @ ..] => (OPTIONS, *name, rest),
                ["components", _, "kinds", name, rest @ ..] | ["components", name, rest @ ..] => {
                    (COMPONENTS, *name, rest)
                }
                ["data", names @ ..] => {
                    changes.numbers.extend(number(names, edit));
                    continue;
                }
                _ => continue,
            };
            let place = (section, name.to_owned());
            changes.note(place, edit, rest.is_empty(), language);
        }
        changes
    }

    /// Returns the change of what has this name in a section.
    pub fn of_entry(&self, section: &'static str, name: &str) -> Option<VariantChange> {
        self.changes.get(&(section, name.to_owned())).cloned()
    }

    /// Notes an edit of a thing (`is_whole`), or of something in it. Texts of the game are in its first language.
    fn note(&mut self, place: EntryPlace, edit: &Edit, is_whole: bool, language: Language) {
        let was = edit.was.as_ref().and_then(|node| node.text());
        let was = was.filter(|_| is_whole && language == Language::default());
        let was = was.unwrap_or_default().to_owned();
        let change = match edit.kind {
            EditKind::Added if is_whole => VariantChange::Added,
            EditKind::Removed if is_whole => VariantChange::Removed { was },
            EditKind::Added | EditKind::Changed | EditKind::Removed => {
                VariantChange::Changed { was }
            }
        };
        match (self.changes.get(&place), &change) {
            // An entry that one overlay adds and a later one changes is still new.
            (Some(VariantChange::Added), VariantChange::Changed { .. }) => {}
            (Some(VariantChange::Changed { .. }), VariantChange::Changed { .. }) => {}
            _ => drop(self.changes.insert(place, change)),
        }
    }

    /// Returns the clauses that are gone, with their last texts.
    pub fn removed(&self, present: &[RulebookClause]) -> Vec<RulebookClause> {
        let present: BTreeSet<&str> = present.iter().map(|clause| clause.id.as_str()).collect();
        let gone = self.changes.iter().filter(|((section, id), change)| {
            let is_removed = matches!(change, VariantChange::Removed { .. });
            *section == CLAUSES && is_removed && !present.contains(id.as_str())
        });
        let gone = gone.map(|((_, id), change)| RulebookClause {
            id: id.clone(),
            text: String::new(),
            change: Some(change.clone()),
        });
        gone.collect()
    }
}

/// Formats a number or a word of the data that is another one now.
fn number(names: &[&str], edit: &Edit) -> Option<String> {
    let text = |node: &Option<wyrmgate_lang::yaml::Node>| Some(node.as_ref()?.text()?.to_owned());
    let (was, now) = (text(&edit.was)?, text(&edit.now)?);
    let name = names.join(" ").replace('_', " ");
    Some(format!("{name}: {was} → {now}"))
}
