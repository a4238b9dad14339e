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
            if let Some(record) = record.as_object() {
                let name = format!("{whole} {number}").replace('_', " ");
                scene.counters.extend(self.parts(&name, &parts, record));
            }
        }
        true
    }

    /// Returns a counter for each part of a record; the first one has the name of the record.
    fn parts(&self, name: &str, parts: &[&VarInfo], record: &Members<'_>) -> Vec<Counter> {
        let mut all: Vec<Counter> = Vec::new();
        for (var, of_part) in parts
            .iter()
            .filter_map(|var| Some((var, var.part.as_ref()?)))
        {
            let part = of_part.within.as_ref().map_or(&of_part.part, |of| &of.part);
            let id = format!("{}.{part}", name.replace(' ', "-"));
            // A bundle has a variable for each of its values.
            let is_known = all.iter().any(|counter| counter.id == id);
            let value = record.get(part).filter(|value| **value != Doc::Null);
            let (VarRole::Lengths { of, .. }, Some(value), false) = (var.role, value, is_known)
            else {
                continue;
            };
            let of_record = if all.is_empty() { name } else { "" };
            let label = format!("{of_record} {}", part.replace('_', " "));
            let bundle = of_part.bundle_of;
            all.push(Counter {
                id,
                label: label.trim().to_owned(),
                value: match bundle {
                    Some(values) => bundles::words(&self.looks, values, value),
                    None => self.words(of, value),
                },
                symbol: None,
                badges: bundle.map_or_else(Vec::new, |of| bundles::badges(&self.looks, of, value)),
            });
        }
        all
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
