//! What is known of components and zones for good.

use crate::program::{Dispatch, NONE, Program};

/// What is known of components and zones for good, as tables that code reads.
pub(super) struct Facts {
    /// By component: the zone inside it.
    pub inside: Vec<i32>,
    /// By zone: the component it lies in, and its owner.
    pub holders: Vec<i32>,
    pub owners: Vec<i32>,
    /// By dispatch and component: the query or effect that a call means; nothing where there is none.
    pub queries: Vec<Vec<i32>>,
    pub effects: Vec<Vec<i32>>,
    /// By zone: who sees what lies there.
    pub sights: Vec<i32>,
}

impl Facts {
    pub fn of(program: &Program) -> Facts {
        let zones = &program.zones;
        let components = program.components.iter();
        Facts {
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
            sights: super::seen::sights(program),
        }
    }
}

/// By dispatch and component, what is meant by the component's kind.
fn meant(program: &Program, of: impl Fn(&Dispatch) -> &Vec<Option<u16>>) -> Vec<Vec<i32>> {
    let dispatches = program.dispatches.iter();
    let by_component = dispatches.map(|dispatch| {
        let meant = of(dispatch);
        let components = program.components.iter();
        let found = components.map(|component| meant.get(usize::from(component.kind)));
        found
            .map(|found| found.copied().flatten().map_or(NONE, i32::from))
            .collect()
    });
    by_component.collect()
}
