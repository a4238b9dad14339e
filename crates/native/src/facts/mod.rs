//! What is known of a program before its code is made: constant facts about components, zones, lists and effects.

pub(crate) mod inlinable;
pub(crate) mod sights;
pub(crate) mod steps;
pub(crate) mod stretch;

use crate::facts::inlinable::Need;
use crate::facts::sights::Sights;
use crate::facts::steps::Steps;
use wyrmgate_program::{Dispatch, KeptForTemps, Mask, NONE, Program, Reads};

/// Constant facts about components and zones, as tables that code reads.
pub(crate) struct ConstantFacts {
    /// By component: the zone inside it.
    pub inside: Vec<i32>,
    /// By zone: the component that contains it, and its owner.
    pub holders: Vec<i32>,
    pub owners: Vec<i32>,
    /// By dispatch and component: the query or effect of a call; NONE if there is none.
    pub queries: Vec<Vec<i32>>,
    pub effects: Vec<Vec<i32>>,
    /// By zone: who sees its contents.
    pub sights: Sights,
    /// By bounded grid and ways: the steps along its lines.
    pub steps: Steps,
    /// By effect: what it needs as inline code of a what-if, if it can be that.
    pub inlinable: Vec<Option<Need>>,
    /// By zone: how many components have room; 0 if a helper decides.
    pub room: Vec<i32>,
    /// The parts of the state on which cached results depend: only their changes must be counted.
    pub kept_reads: Reads,
}

impl ConstantFacts {
    pub fn of(program: &Program) -> ConstantFacts {
        let zones = &program.zones;
        let components = program.components.iter();
        ConstantFacts {
            inside: components
                .map(|c| c.holds.map_or(NONE, i32::from))
                .collect(),
            holders: zones
                .iter()
                .map(|z| z.inside.map_or(NONE, i32::from))
                .collect(),
            owners: zones
                .iter()
                .map(|z| z.owner.map_or(NONE, i32::from))
                .collect(),
            queries: meant(program, |dispatch| &dispatch.queries),
            effects: meant(program, |dispatch| &dispatch.effects),
            sights: Sights::of(program),
            steps: steps::steps(program),
            inlinable: inlinable::inlinable(program),
            room: room(program),
            kept_reads: kept_reads(program),
        }
    }
}

/// Returns by dispatch and component the query or effect for the component's kind.
fn meant(program: &Program, of: impl Fn(&Dispatch) -> &Vec<Option<u16>>) -> Vec<Vec<i32>> {
    let dispatches = program.dispatches.iter();
    let by_component = dispatches.map(|dispatch| {
        let meant = of(dispatch);
        let components = program.components.iter();
        let found = components.map(|c| meant.get(usize::from(c.kind)));
        found
            .map(|found| found.copied().flatten().map_or(NONE, i32::from))
            .collect()
    });
    by_component.collect()
}

/// Returns by zone how many components have room; 0 if that is not all there is to say about a move into it.
fn room(program: &Program) -> Vec<i32> {
    let zones = program.zones.iter();
    let room = zones.map(|zone| match zone.inside {
        Some(_) => 0,
        None => zone.capacity.map_or(i32::MAX, i32::from),
    });
    room.collect()
}

/// Returns everything that cached masks read.
fn kept_reads(program: &Program) -> Reads {
    let masks = program.masks.iter().map(|info| info.mask);
    masks.fold(Reads::default(), |so_far, mask| match mask {
        Mask::Kept { reads, .. } | Mask::KeptFor(KeptForTemps { reads, .. }) => Reads {
            words: so_far.words || reads.words,
            course: so_far.course || reads.course,
        },
        _ => so_far,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wyrmgate_program::{Domain, MaskInfo};

    fn kept(words: bool, course: bool) -> MaskInfo {
        let (domain, reads) = (Domain { first: 0, len: 1 }, Reads { words, course });
        let mask = Mask::Kept {
            slot: 0,
            of: 0,
            reads,
        };
        MaskInfo { domain, mask }
    }

    #[test]
    fn what_any_mask_reads_is_counted() {
        let mut program = Program::default();
        assert_eq!(kept_reads(&program), Reads::default());
        program.masks = vec![kept(false, false), kept(true, false), kept(false, false)];
        let words = Reads {
            words: true,
            course: false,
        };
        assert_eq!(kept_reads(&program), words);
        program.masks.push(kept(false, true));
        assert!(kept_reads(&program).course);
    }
}
