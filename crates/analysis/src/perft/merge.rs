//! Counts ply by ply with equal positions merged: each is expanded once and counted with its multiplicity. Also counts
//! distinct positions, and reaches greater depths than a tree walk. Positions are equal if only components that are
//! alike have changed places.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::Plan;
use super::step::Passed;
use super::tally::Tally;
use crate::explore::{Continuation, ExploreError, Explorer};
use wyrmgate_engine::{PositionKey, PositionKeys, State};
use wyrmgate_program::Program;

/// The positions of one ply, with the number of nodes that each represents.
type Level = HashMap<PositionKey, (State, u128)>;

/// Counts the nodes of each ply. Calls `watch` after every finished ply with its positions.
pub fn merged(
    program: &Program,
    plan: &Plan,
    watch: &mut dyn FnMut(u32, usize),
) -> Result<Tally, ExploreError> {
    let mut merge = Merge {
        positions: PositionKeys::new(program),
        tally: Tally::default(),
        seen: HashSet::new(),
        levels: BTreeMap::new(),
    };
    let explorer = Explorer::new(program, plan.luck);
    explorer.starts(&mut |way| {
        plan.begin(way.after)?;
        merge.add(way, 0..=0, 0, 1)
    })?;
    let (mut choices, mut room) = (Vec::new(), None);
    for ply in 0..plan.depth {
        let mut level = merge.take(ply);
        watch(ply, level.len());
        // Positions within a turn stay in the ply and are walked after those before them.
        while !level.is_empty() {
            for (state, nodes) in level
                .values()
                .filter(|(state, _)| state.outcome().is_none())
            {
                let pending = explorer.choices(state, &mut choices)?;
                for choice in &choices {
                    explorer.steps(state, &pending, choice, &mut room, &mut |way| {
                        let passed = plan.passed(ply, state, way.after);
                        merge.add(way, passed, ply, *nodes)
                    })?;
                }
            }
            level = merge.take(ply);
        }
        if merge.levels.is_empty() {
            break;
        }
    }
    merge.tally.distinct = Some(merge.seen.len() as u64);
    Ok(merge.tally)
}

struct Merge<'p> {
    positions: PositionKeys<'p>,
    tally: Tally,
    seen: HashSet<PositionKey>,
    /// Positions to walk, by their ply.
    levels: BTreeMap<u32, Level>,
}

impl Merge<'_> {
    fn add(
        &mut self,
        way: Continuation<'_>,
        passed: Passed,
        ply: u32,
        nodes: u128,
    ) -> Result<(), ExploreError> {
        let is_counted = !passed.is_empty();
        let ply = self.tally.way(ply, passed, &way, nodes);
        let level = self.levels.entry(ply).or_default();
        match level.entry(self.positions.key_of_kinds(way.after)) {
            Entry::Occupied(mut known) => {
                let (_, sum) = known.get_mut();
                *sum = sum.saturating_add(nodes);
            }
            Entry::Vacant(new) => {
                if is_counted {
                    self.seen.insert(*new.key());
                    self.tally.ply(ply).distinct += 1;
                }
                new.insert((way.after.clone(), nodes));
            }
        }
        Ok(())
    }

    fn take(&mut self, ply: u32) -> Level {
        self.levels.remove(&ply).unwrap_or_default()
    }
}
