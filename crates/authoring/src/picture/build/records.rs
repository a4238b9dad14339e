//! Draws lists of records, such as open offers: a counter with the parts of each in words.

use wyrmgate_program::{PartOf, VarInfo, VarRole};
use wyrmgate_view::{Doc, Members, ViewDoc};

use crate::picture::builder::PictureBuilder;
use crate::picture::bundles;
use crate::picture::scene::{Counter, Scene};

impl PictureBuilder<'_> {
    /// Draws the list of records of which a variable is a part; returns false if it is none, or has keys. All parts are drawn
    /// with the first one.
    pub(super) fn records(&self, var: &VarInfo, view: &ViewDoc, scene: &mut Scene) -> bool {
        let is_list = matches!(var.role, VarRole::Lengths { .. }) && var.index.is_none();
        let Some(whole) = whole_of(var).filter(|_| is_list) else {
            return false;
        };
        let of_whole = |one: &&VarInfo| {
            let is_list = matches!(one.role, VarRole::Lengths { .. });
            is_list && whole_of(one) == Some(whole)
        };
        let parts = self.sight.program.vars.iter().filter(of_whole);
        let parts: Vec<&VarInfo> = parts.collect();
        if parts.first().is_none_or(|first| first.name != var.name) {
            return true;
        }
        let records = view.vars.get(whole).and_then(Doc::as_list);
        for (number, record) in (1..).zip(records.unwrap_or_default()) {
            let words = record.as_object().map(|record| self.parts(&parts, record));
            scene.counters.push(Counter {
                id: format!("{whole}-{number}"),
                label: format!("{} {number}", whole.replace('_', " ")),
                value: words.unwrap_or_default(),
                symbol: None,
                badges: Vec::new(),
            });
        }
        true
    }

    /// Returns the parts of a record in words, with their names.
    fn parts(&self, parts: &[&VarInfo], record: &Members<'_>) -> String {
        let mut words: Vec<String> = Vec::new();
        for (var, part) in parts
            .iter()
            .filter_map(|var| Some((var, var.part.as_ref()?)))
        {
            let name = part.within.as_ref().map_or(&part.part, |of| &of.part);
            let Some(value) = record.get(name).filter(|value| **value != Doc::Null) else {
                continue;
            };
            let VarRole::Lengths { of, .. } = var.role else {
                continue;
            };
            let value = match part.bundle_of {
                Some(values) => bundles::words(&self.looks, values, value),
                None => self.words(of, value),
            };
            let said = format!("{} {value}", name.replace('_', " "));
            // A bundle has a variable for each of its values.
            if !words.contains(&said) {
                words.push(said);
            }
        }
        words.join("; ")
    }
}

/// Returns the name of the variable of records of which a variable is a part, directly or as a value of a bundle.
fn whole_of(var: &VarInfo) -> Option<&String> {
    let part: &PartOf = var.part.as_ref()?;
    Some(
        part.within
            .as_ref()
            .map_or(&part.variable, |of| &of.variable),
    )
}
