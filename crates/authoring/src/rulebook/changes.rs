//! The changes that the overlays of a variant make, as its rulebook marks them.

use std::collections::{BTreeMap, BTreeSet};

use super::{RulebookClause, VariantChange};
use crate::rules::Ruleset;
use wyrmgate_lang::overlay::{Edit, EditKind};
use wyrmgate_program::Language;

/// The changes of all overlays, by what they change.
#[derive(Debug, Default)]
pub struct OverlayChanges {
    clauses: BTreeMap<String, VariantChange>,
    options: BTreeMap<String, VariantChange>,
    components: BTreeMap<String, VariantChange>,
    /// `Bonus 2: 3 → 5`
    pub numbers: Vec<String>,
}

impl OverlayChanges {
    pub fn of(ruleset: &Ruleset, language: Language) -> OverlayChanges {
        let mut changes = OverlayChanges::default();
        for edit in &ruleset.history.edits {
            let keys: Vec<&str> = edit.path.0.iter().map(String::as_str).collect();
            match keys.as_slice() {
                ["clauses", id] => note(&mut changes.clauses, id, edit, true, language),
                ["options", name, rest @ ..] => {
                    note(&mut changes.options, name, edit, rest.is_empty(), language);
                }
                ["components", _, "kinds", name, rest @ ..] | ["components", name, rest @ ..] => {
                    note(
                        &mut changes.components,
                        name,
                        edit,
                        rest.is_empty(),
                        language,
                    );
                }
                ["data", names @ ..] => changes.numbers.extend(number(names, edit)),
                _ => {}
            }
        }
        changes
    }

    pub fn of_clause(&self, id: &str) -> Option<VariantChange> {
        self.clauses.get(id).cloned()
    }

    pub fn of_option(&self, name: &str) -> Option<VariantChange> {
        self.options.get(name).cloned()
    }

    pub fn of_component(&self, name: &str) -> Option<VariantChange> {
        self.components.get(name).cloned()
    }

    /// Returns the clauses that are gone, with their last texts.
    pub fn removed(&self, present: &[RulebookClause]) -> Vec<RulebookClause> {
        let present: BTreeSet<&str> = present.iter().map(|clause| clause.id.as_str()).collect();
        let gone = self.clauses.iter();
        let gone = gone.filter(|(id, change)| {
            matches!(change, VariantChange::Removed { .. }) && !present.contains(id.as_str())
        });
        let gone = gone.map(|(id, change)| RulebookClause {
            id: id.clone(),
            text: String::new(),
            change: Some(change.clone()),
        });
        gone.collect()
    }
}

/// Notes an edit of a thing (`is_whole`), or of something in it. Texts of the game are in its first language.
fn note(
    changes: &mut BTreeMap<String, VariantChange>,
    name: &str,
    edit: &Edit,
    is_whole: bool,
    language: Language,
) {
    let was = edit.was.as_ref().and_then(|node| node.text());
    let was = was.filter(|_| is_whole && language == Language::default());
    let was = was.unwrap_or_default().to_owned();
    let change = match edit.kind {
        EditKind::Added if is_whole => VariantChange::Added,
        EditKind::Removed if is_whole => VariantChange::Removed { was },
        EditKind::Added | EditKind::Changed | EditKind::Removed => VariantChange::Changed { was },
    };
    let earlier = changes.get(name);
    let change = match (earlier, change) {
        // An entry that one overlay adds and a later one changes is still new.
        (Some(VariantChange::Added), VariantChange::Changed { .. }) => VariantChange::Added,
        (Some(VariantChange::Changed { was }), VariantChange::Changed { .. }) => {
            VariantChange::Changed { was: was.clone() }
        }
        (_, change) => change,
    };
    changes.insert(name.to_owned(), change);
}

/// Formats a number or a word of the data that is another one now.
fn number(names: &[&str], edit: &Edit) -> Option<String> {
    let text = |node: &Option<wyrmgate_lang::yaml::Node>| Some(node.as_ref()?.text()?.to_owned());
    let (was, now) = (text(&edit.was)?, text(&edit.now)?);
    let name = names.join(" ").replace('_', " ");
    Some(format!("{name}: {was} → {now}"))
}
