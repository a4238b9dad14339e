//! Finds calls of functions for which the order of their argument makes no difference in any setup.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::Checked;
use super::{Cores, translate};
use wyrmgate_base::diagnostic::{Report, Span};

/// Returns the names in calls of functions whose first argument never has an order: a zone for one component, or a seat
/// if there are only two.
pub fn without_order(checked: &Checked) -> BTreeSet<Span> {
    let mut all: BTreeMap<Span, bool> = BTreeMap::new();
    translate(
        &Cores::others(),
        checked,
        &mut Report::default(),
        |(_, notes)| notes.ordered,
        |found| {
            for (name, may_be_ordered) in found {
                *all.entry(name).or_default() |= may_be_ordered;
            }
        },
    );
    let without = all
        .into_iter()
        .filter(|(_, may_be_ordered)| !may_be_ordered);
    without.map(|(name, _)| name).collect()
}
