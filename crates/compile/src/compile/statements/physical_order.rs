//! Statements over several components process them in physical order if some viewer may not know what they are. In the
//! order of the rules, the first one to move would reveal itself as the lowest.

use crate::compile::compiler::Compiler;
use wyrmgate_program::*;

/// The maximum depth of nested queries to follow.
const FOLLOWED: u32 = 32;

impl Compiler<'_> {
    /// Wraps the lists over which effects iterate, if they have the order of the rules and can contain hidden members.
    pub fn hide_order(&mut self) {
        let hidden = self.can_be_hidden();
        if !hidden.contains(&true) {
            return;
        }
        for address in self.gone_through() {
            let program = &self.b.program;
            let listed = program.code.ops.get(address).and_then(list_of);
            let Some(set) = listed.filter(|set| is_telling(program, &hidden, *set, FOLLOWED))
            else {
                continue;
            };
            let in_physical_order = self.b.set(Set::PhysicalOrder(set));
            if let Some(op) = self.b.program.code.ops.get_mut(address) {
                go_through(op, in_physical_order);
            }
        }
    }

    /// Returns where effects iterate over lists of components.
    fn gone_through(&self) -> Vec<usize> {
        let by_address = (0..).zip(&self.b.program.code.ops);
        let always = by_address.filter(|(_, op)| !matches!(op, Op::LetList(..)));
        let kept = self.effects.component_lists.iter().map(|at| *at as usize);
        always.map(|(at, _)| at).chain(kept).collect()
    }

    /// Returns for every component whether it can lie where a viewer cannot identify it. Every component can in the
    /// box, but views show no places there.
    fn can_be_hidden(&self) -> Vec<bool> {
        let program = &self.b.program;
        if program.code.ops.iter().any(|op| op.turns_down()) {
            return vec![true; program.components.len()];
        }
        let mut hidden = vec![false; program.components.len()];
        let zones = program.zones.iter().skip(usize::from(BOX) + 1);
        for zone in zones.filter(|zone| zone.see != See::All) {
            let family = self.world.families.get(usize::from(zone.family));
            let kind = family.and_then(|family| program.kind(family.holds?));
            let first = kind.map_or(0, |kind| kind.first as usize);
            let count = kind.map_or(hidden.len(), |kind| kind.count as usize);
            for component in hidden.iter_mut().skip(first).take(count) {
                *component = true;
            }
        }
        hidden
    }
}

/// Returns the list over which an effect iterates.
fn list_of(op: &Op) -> Option<SetId> {
    let mut list = None;
    op.each_field(&mut |field| {
        if let Field::InOrder(set) = field {
            list = Some(*set);
        }
    });
    list
}

fn go_through(op: &mut Op, instead: SetId) {
    op.each_field_mut(&mut |field| {
        if let Field::InOrder(set) = field {
            *set = instead;
        }
    });
}

/// Returns whether these components are in the order of the rules and some of them can be hidden. Lists with an
/// explicit order (concatenated, sorted, reversed, taken) keep it.
fn is_telling(program: &Program, hidden: &[bool], set: SetId, followed: u32) -> bool {
    let Some(left) = followed.checked_sub(1) else {
        return false;
    };
    let part = |of| is_telling(program, hidden, of, left);
    match program.sets.get(set as usize) {
        Some(&Set::Range(low, high)) => range_can_be_hidden(program, hidden, low, high),
        Some(Set::Keyed(list)) => {
            let members = program.tables.get(list.members as usize);
            members.is_some_and(|members| members.iter().any(|member| is_hidden(hidden, *member)))
        }
        Some(
            &(Set::Where(MemberTest { of, .. })
            | Set::With(ExtremeKey { of, .. })
            | Set::Minus(of, _)),
        ) => part(of),
        Some(&Set::Unique(of)) => part(of),
        Some(&Set::If(_, a, b)) => part(a) && part(b),
        Some(&Set::Call { query, .. }) => query_is_telling(program, hidden, query, left),
        Some(&Set::CallKind { dispatch, .. }) => {
            let meant = program.dispatches.get(usize::from(dispatch));
            let mut queries = meant.iter().flat_map(|of| of.queries.iter().flatten());
            queries.any(|query| query_is_telling(program, hidden, *query, left))
        }
        _ => false,
    }
}

fn query_is_telling(program: &Program, hidden: &[bool], query: QueryId, followed: u32) -> bool {
    let body = program.query(query).map(|it| it.body);
    matches!(body, Some(QueryBody::List(set)) if is_telling(program, hidden, set, followed))
}

/// Considers all components between two; if these are not known, any.
fn range_can_be_hidden(program: &Program, hidden: &[bool], low: ExprId, high: ExprId) -> bool {
    let constant = |id: ExprId| match program.exprs.get(id as usize) {
        Some(Expr::Const(value)) => Some(*value),
        _ => None,
    };
    match (constant(low), constant(high)) {
        (Some(low), Some(high)) => (low..=high).any(|component| is_hidden(hidden, component)),
        _ => true,
    }
}

fn is_hidden(hidden: &[bool], component: i32) -> bool {
    let at = usize::try_from(component).ok();
    at.and_then(|at| hidden.get(at).copied()).unwrap_or(false)
}
