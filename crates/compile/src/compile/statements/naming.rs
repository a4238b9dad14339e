//! Names of decisions: the name of the effect that contains them, with a number from the second one on. They are stable
//! as long as the rules keep their words, so clients can refer to decisions that are not pending.

use std::collections::BTreeMap;

use wyrmgate_program::{Address, CellMove, Expr, Local, Op, Program, SiteId, Type};

/// Gives every site its name.
pub fn name_decisions(program: &mut Program) {
    let mut entries: Vec<(u32, usize)> = Vec::new();
    for (number, effect) in program.effects.iter().enumerate() {
        entries.push((effect.entry, number));
    }
    entries.sort_unstable();
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for (address, site) in asked(program) {
        let at = entries.partition_point(|(entry, _)| *entry <= address);
        let effect = at.checked_sub(1).and_then(|at| entries.get(at));
        let effect = effect.and_then(|(_, number)| program.effects.get(*number));
        let stem = effect.map_or("", |effect| effect.name.as_str());
        let stem = if stem.is_empty() { "decision" } else { stem };
        let count = used.entry(stem.to_owned()).or_default();
        *count += 1;
        let name = match *count {
            1 => stem.to_owned(),
            count => format!("{stem}-{count}"),
        };
        if let Some(site) = program.sites.get_mut(usize::from(site)) {
            site.name = name;
        }
    }
}

/// Finds the numbers with which an option turns a component, so that they read as angles.
pub fn find_rotations(program: &mut Program) {
    let mut entries: Vec<Address> = program.effects.iter().map(|effect| effect.entry).collect();
    entries.sort_unstable();
    let (code, exprs) = (&program.code.ops, &program.exprs);
    let turns = |from: Address, local: Local| {
        let end = entries.get(entries.partition_point(|entry| *entry <= from));
        let end = end.map_or(code.len(), |end| *end as usize);
        let mut body = code.get(from as usize..end).unwrap_or_default().iter();
        body.any(|op| {
            matches!(op, Op::MoveToCell(CellMove { turned, .. })
                if exprs.get(*turned as usize) == Some(&Expr::Local(local)))
        })
    };
    for option in program.sites.iter_mut().flat_map(|site| &mut site.options) {
        for binder in &mut option.binders {
            binder.is_rotation = binder.of == Type::Int && turns(option.target, binder.local);
        }
    }
}

/// Returns where seats decide, in code order.
fn asked(program: &Program) -> Vec<(u32, SiteId)> {
    let code = (0..).zip(&program.code.ops);
    let asked = code.filter_map(|(address, op)| {
        let (Op::Choose(site) | Op::ChooseEach { site, .. } | Op::ChooseFirst { site, .. }) = op
        else {
            return None;
        };
        Some((address, *site))
    });
    asked.collect()
}
