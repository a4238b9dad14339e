//! What the members of a list can be: a number above all of them.

use super::emit::Translator;
use wyrmgate_program::{Expr, ExprId, QueryBody, Set, SetId, TableId};

impl Translator<'_> {
    /// Returns a number above all members of a list; `None` if it is not known.
    pub fn bound_of_list(&self, set: SetId, deepest: u32) -> Option<u32> {
        let program = self.program;
        let deepest = deepest.checked_sub(1)?;
        let of = |set| self.bound_of_list(set, deepest);
        match *program.sets.get(set as usize)? {
            Set::Empty => Some(0),
            Set::Zone(_) => u32::try_from(self.layout.components).ok(),
            Set::Table(table) => self.bound_of_table(table),
            Set::Keyed { members, .. } => self.bound_of_table(members),
            Set::Bits(mask) => {
                let domain = program.masks.get(mask as usize)?.domain;
                u32::try_from(domain.first)
                    .ok()?
                    .checked_add(domain.len.into())
            }
            Set::List { first, count } => {
                let exprs = first..first.checked_add(count.into())?;
                let bounds = exprs.map(|expr| self.bound_of(expr, deepest));
                bounds.collect::<Option<Vec<u32>>>()?.into_iter().max()
            }
            Set::Where { of: set, .. }
            | Set::Sorted { of: set, .. }
            | Set::With { of: set, .. }
            | Set::UpTo { of: set, .. }
            | Set::Minus(set, _)
            | Set::Reversed(set)
            | Set::PhysicalOrder(set)
            | Set::Take(set, _)
            | Set::Unique(set)
            | Set::Joined { list: set, .. }
            | Set::Let { list: set, .. }
            | Set::LetList { list: set, .. }
            | Set::After { list: set, .. } => of(set),
            Set::Keys { key, .. } => self.bound_of(key, deepest),
            Set::Concat(one, other) | Set::If(_, one, other) => Some(of(one)?.max(of(other)?)),
            Set::Call { query, .. } => match program.queries.get(usize::from(query))?.body {
                QueryBody::List(list) => of(list),
                QueryBody::Value(_) => None,
            },
            _ => None,
        }
    }

    fn bound_of(&self, expr: ExprId, deepest: u32) -> Option<u32> {
        let deepest = deepest.checked_sub(1)?;
        match *self.program.exprs.get(expr as usize)? {
            Expr::Const(value) => Some(above(value)),
            Expr::Table { table, default, .. } => {
                Some(self.bound_of_table(table)?.max(above(default)))
            }
            Expr::ZoneAt { .. } | Expr::ZoneOf(_) | Expr::ZoneIn { .. } | Expr::Inside(_) => {
                u32::try_from(self.layout.zones).ok()
            }
            Expr::ComponentAt { .. }
            | Expr::HolderOf(_)
            | Expr::ZoneFirst(_)
            | Expr::ZoneLast(_) => u32::try_from(self.layout.components).ok(),
            Expr::If(_, one, other) => {
                let of = |expr| self.bound_of(expr, deepest);
                Some(of(one)?.max(of(other)?))
            }
            _ => None,
        }
    }

    fn bound_of_table(&self, table: TableId) -> Option<u32> {
        let values = self.program.tables.get(table as usize)?;
        Some(values.iter().copied().map(above).max().unwrap_or(0))
    }
}

/// Returns the least number above a value that is not negative.
fn above(value: i32) -> u32 {
    u32::try_from(value).map_or(0, |value| value + 1)
}
