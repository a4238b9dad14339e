//! The operations of a function, and its entry points.

use std::ops::Range;

use wyrmgate_program::{Address, EffectId, EffectInfo, Op, Program, SiteId};

/// The addresses of an effect.
pub(crate) struct Stretch {
    pub first: Address,
    pub end: Address,
    pub slots: u16,
    pub entries: Vec<Address>,
}

/// Returns the addresses of all effects. Those of each effect are consecutive.
pub(crate) fn stretches(program: &Program) -> Vec<Stretch> {
    let mut effects: Vec<(Address, u16)> = program
        .effects
        .iter()
        .map(|effect| (effect.entry, effect.slots))
        .collect();
    effects.sort_unstable();
    effects.dedup_by_key(|(entry, _)| *entry);
    let ends = effects.iter().skip(1).map(|(entry, _)| *entry);
    let ends: Vec<Address> = ends.chain([program.code.ops.len() as Address]).collect();
    let stretches = effects.into_iter().zip(ends);
    stretches
        .map(|((first, slots), end)| Stretch {
            first,
            end,
            slots,
            entries: entries(program, first, end),
        })
        .collect()
}

/// Returns the addresses at which an effect is started or resumed.
fn entries(program: &Program, first: Address, end: Address) -> Vec<Address> {
    let mut entries = vec![first];
    for at in first..end {
        match program.code.ops.get(at as usize) {
            Some(Op::Call { .. } | Op::CallKind { .. }) => entries.push(at + 1),
            Some(
                &(Op::Choose(site)
                | Op::ChooseAtRandom(site)
                | Op::ChooseEach { site, .. }
                | Op::ChooseFirst { site, .. }),
            ) => entries.extend(goes_on(program, site)),
            _ => {}
        }
    }
    entries.retain(|at| (first..end).contains(at));
    entries.sort_unstable();
    entries.dedup();
    entries
}

fn goes_on(program: &Program, site: SiteId) -> impl Iterator<Item = Address> {
    let site = program.site(site);
    site.into_iter().flat_map(|site| {
        let targets = site.options.iter().map(|option| option.target);
        targets.chain([site.otherwise])
    })
}

/// Returns the operations of an effect.
pub(crate) fn ops_of(program: &Program, effect: EffectId) -> Option<&[Op]> {
    let (_, range) = range_of(program, effect)?;
    let ops = &program.code.ops;
    ops.get(range.start as usize..range.end as usize)
}

/// Returns an effect and its addresses.
pub(crate) fn range_of(
    program: &Program,
    effect: EffectId,
) -> Option<(&EffectInfo, Range<Address>)> {
    let info = program.effect(effect)?;
    let entries = program.effects.iter().map(|effect| effect.entry);
    let end = entries.filter(|entry| *entry > info.entry).min();
    let end = end.unwrap_or(program.code.ops.len() as Address);
    Some((info, info.entry..end))
}
