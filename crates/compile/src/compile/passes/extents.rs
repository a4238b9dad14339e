//! Which code an effect has, and which effects it can call.

use hashbrown::HashMap;
use std::collections::BTreeSet;

use wyrmgate_program::{Address, EffectId, Field, Op, Operation, Program};

/// The end of each effect's code: the beginning of the next one.
pub struct Extents<'p> {
    program: &'p Program,
    ends: Vec<Address>,
}

impl<'p> Extents<'p> {
    pub fn of(program: &'p Program) -> Extents<'p> {
        let entries = program.effects.iter().map(|effect| effect.entry);
        let entries: BTreeSet<Address> = entries.collect();
        let all = program.code.ops.len() as Address;
        let end = |entry: Address| entries.range(entry + 1..).next().copied().unwrap_or(all);
        let ends = program.effects.iter().map(|effect| end(effect.entry));
        Extents {
            program,
            ends: ends.collect(),
        }
    }

    pub fn ops(&self, id: EffectId) -> impl Iterator<Item = &'p Op> + use<'p> {
        let entry = self.program.effect(id).map(|e| e.entry);
        let end = self.ends.get(usize::from(id)).copied();
        ops_in(
            self.program,
            entry.zip(end).map_or(0..0, |(entry, end)| entry..end),
        )
    }

    /// Returns an effect and all effects that it can call.
    pub fn reached(&self, from: EffectId) -> BTreeSet<EffectId> {
        let mut all = BTreeSet::from([from]);
        let mut next = vec![from];
        while let Some(id) = next.pop() {
            for called in self.ops(id).flat_map(|op| called_by(self.program, op)) {
                if all.insert(called) {
                    next.push(called);
                }
            }
        }
        all
    }

    /// Returns for each effect whether it, or one that it calls, asks a decision or ends the game.
    pub fn that_rest(&self) -> Vec<bool> {
        let effects = || 0..self.program.effects.len() as EffectId;
        let mut callers: HashMap<EffectId, Vec<EffectId>> = HashMap::new();
        for id in effects() {
            for called in self.ops(id).flat_map(|op| called_by(self.program, op)) {
                callers.entry(called).or_default().push(id);
            }
        }
        let mut next: Vec<EffectId> = effects().filter(|id| self.ops(*id).any(rests)).collect();
        let mut found = vec![false; self.program.effects.len()];
        while let Some(id) = next.pop() {
            if let Some(known) = found.get_mut(usize::from(id)).filter(|known| !**known) {
                *known = true;
                next.extend(callers.get(&id).into_iter().flatten());
            }
        }
        found
    }
}

pub fn supposed_by(operation: impl Operation) -> Option<EffectId> {
    let mut supposed = None;
    operation.each_field(&mut |field| {
        if let Field::Supposed(effect) = field {
            supposed = Some(*effect);
        }
    });
    supposed
}

pub fn rests(op: &Op) -> bool {
    op.facts().finishes || op.facts().asks
}

pub fn ops_in(program: &Program, range: std::ops::Range<Address>) -> impl Iterator<Item = &Op> {
    let range = range.start as usize..range.end as usize;
    program.code.ops.get(range).unwrap_or_default().iter()
}

pub fn called_by<'p>(program: &'p Program, op: &'p Op) -> Vec<EffectId> {
    if let Op::Call { effect, .. } = op {
        return vec![*effect];
    }
    let Op::CallKind { dispatch, .. } = op else {
        return Vec::new();
    };
    let dispatch = program.dispatches.get(usize::from(*dispatch));
    let effects = dispatch.map(|d| d.effects.iter().flatten().copied());
    effects.into_iter().flatten().collect()
}
