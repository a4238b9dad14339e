//! Counts ply by ply with equal positions merged: each is expanded once and counted with its multiplicity. Also counts
//! distinct positions, and reaches greater depths than a tree walk.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::Plan;
use super::tally::Tally;
use crate::explore::{ExploreError, Explorer, Way};
use wyrmgate_engine::{PositionKey, Positions, State};
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
        positions: Positions::new(program),
        tally: Tally::default(),
        seen: HashSet::new(),
        next: Level::new(),
    };
    let explorer = Explorer {
        program,
        luck: plan.luck,
        listens: false,
    };
    explorer.starts(&mut |way| merge.add(way, 0, 1))?;
    let (mut choices, mut room) = (Vec::new(), None);
    for ply in 1..=plan.depth {
        let level = merge.take();
        watch(ply - 1, level.len());
        for (state, nodes) in level
            .values()
            .filter(|(state, _)| state.outcome().is_none())
        {
            let pending = explorer.choices(state, &mut choices)?;
            for choice in &choices {
                explorer.steps(state, &pending, choice, &mut room, &mut |way| {
                    merge.add(way, ply, *nodes)
                })?;
            }
        }
        if merge.next.is_empty() {
            break;
        }
    }
    merge.take();
    merge.tally.distinct = Some(merge.seen.len() as u64);
    Ok(merge.tally)
}

struct Merge<'p> {
    positions: Positions<'p>,
    tally: Tally,
    seen: HashSet<PositionKey>,
    next: Level,
}

impl Merge<'_> {
    fn add(&mut self, way: Way<'_>, ply: u32, nodes: u128) -> Result<(), ExploreError> {
        let counted = self.tally.ply(ply);
        counted.nodes = counted.nodes.saturating_add(nodes);
        let chance = nodes.saturating_mul(way.new_chance_nodes as u128);
        counted.chance = counted.chance.saturating_add(chance);
        if way.after.outcome().is_some() {
            counted.finished = counted.finished.saturating_add(nodes);
        }
        match self.next.entry(self.positions.key(way.after)) {
            Entry::Occupied(mut known) => {
                let (_, sum) = known.get_mut();
                *sum = sum.saturating_add(nodes);
            }
            Entry::Vacant(new) => {
                self.seen.insert(*new.key());
                new.insert((way.after.clone(), nodes));
                counted.distinct += 1;
            }
        }
        Ok(())
    }

    fn take(&mut self) -> Level {
        std::mem::take(&mut self.next)
    }
}
