//! What can be chosen, by the components, zones and cells to which the choices refer.

use std::collections::HashMap;

use crate::picture::sight::{Decision, PicturedChoice};
use crate::picture::values;

/// The choices by what they refer to.
#[derive(Debug, Default)]
pub(in crate::picture) struct Offers {
    by_id: HashMap<String, Vec<String>>,
}

impl Offers {
    /// Collects the choices of each option separately: one can list each of several like components, and another only the
    /// first.
    pub fn of(decision: Option<&Decision>) -> Offers {
        let mut offers = Offers::default();
        let Some(decision) = decision else {
            return offers;
        };
        let is_alike = |one: &PicturedChoice, other: &PicturedChoice| one.option == other.option;
        for choices in decision.choices.chunk_by(is_alike) {
            let mut own = Offers::of_choices(choices);
            for group in &decision.alike {
                own.share(group);
            }
            for (id, choices) in own.by_id {
                offers.by_id.entry(id).or_default().extend(choices);
            }
        }
        offers
    }

    fn of_choices(choices: &[PicturedChoice]) -> Offers {
        let mut offers = Offers::default();
        for choice in choices {
            for id in &choice.refers {
                let own = offers.by_id.entry(id.clone()).or_default();
                if own.last() != Some(&choice.id) {
                    own.push(choice.id.clone());
                }
            }
        }
        offers
    }

    /// Gives what the first one of a group stands for to those to which no choice refers.
    fn share(&mut self, alike: &[String]) {
        let first = alike.first().and_then(|first| self.by_id.get(first));
        let Some(first) = first.cloned() else {
            return;
        };
        for id in alike {
            let own = self.by_id.entry(id.clone());
            own.or_insert_with(|| first.clone());
        }
    }

    pub fn at(&self, id: &str) -> Vec<String> {
        self.by_id.get(id).cloned().unwrap_or_default()
    }

    /// Returns the cells to which choices refer, with their coordinates.
    pub fn cells(&self) -> Vec<(i32, i32, &str)> {
        let ids = self.by_id.keys();
        let cells = ids.filter_map(|id| {
            let (x, y) = values::cell(id)?;
            Some((x, y, id.as_str()))
        });
        let mut cells: Vec<_> = cells.collect();
        cells.sort_unstable();
        cells
    }
}
