//! The range of an expression, as far as the program bounds it.

use wyrmgate_program::{Binary, Expr, ExprId, Program, Set, SetId, Temp};

/// A range, both ends included.
pub type Range = (i64, i64);

/// The maximum nesting that is looked into.
const DEPTH_MAX: u32 = 32;

/// The ranges of names that were chosen before.
pub struct Bounds<'p> {
    pub program: &'p Program,
    pub names: Vec<(Temp, Range)>,
}

fn joined(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

impl Bounds<'_> {
    /// Returns the range of the members of a list; `None` if it is unknown.
    pub fn of_members(&mut self, set: SetId) -> Option<Range> {
        self.members(set, 0)
    }

    /// Returns the range of an expression; `None` if it is unknown.
    pub fn of_value(&mut self, expr: ExprId) -> Option<Range> {
        self.value(expr, 0)
    }

    fn table(&self, table: u32) -> Option<Range> {
        let table = self.program.tables.get(table as usize)?;
        let low = table.iter().min()?;
        let high = table.iter().max()?;
        Some((i64::from(*low), i64::from(*high)))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing is known of the others"
    )]
    fn value(&mut self, expr: ExprId, depth: u32) -> Option<Range> {
        if depth > DEPTH_MAX {
            return None;
        }
        let depth = depth + 1;
        let components = self.program.components.len() as i64;
        Some(match *self.program.exprs.get(expr as usize)? {
            Expr::Const(value) => (i64::from(value), i64::from(value)),
            Expr::Temp(temp) => self.names.iter().rev().find(|(name, _)| *name == temp)?.1,
            Expr::Table { table, default, .. } => {
                joined(self.table(table)?, (i64::from(default), i64::from(default)))
            }
            Expr::ZoneCount(_) | Expr::PlaceOf(_) => (0, components),
            Expr::Count(of) => (0, self.size(of, depth)?),
            Expr::Not(_) | Expr::And(..) | Expr::Or(..) => (0, 1),
            Expr::Negate(of) => {
                let (low, high) = self.value(of, depth)?;
                (-high, -low)
            }
            Expr::If(_, then, otherwise) => {
                joined(self.value(then, depth)?, self.value(otherwise, depth)?)
            }
            Expr::First(of, default) | Expr::Last(of, default) => joined(
                self.members(of, depth)?,
                (i64::from(default), i64::from(default)),
            ),
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(left, depth)?, self.value(right, depth)?);
                of_binary(op, left, right)?
            }
            _ => return None,
        })
    }

    /// Returns the maximum number of members of a list; `None` if it is unknown.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing is known of the others"
    )]
    fn size(&mut self, set: SetId, depth: u32) -> Option<i64> {
        if depth > DEPTH_MAX {
            return None;
        }
        let depth = depth + 1;
        Some(match *self.program.sets.get(set as usize)? {
            Set::Empty => 0,
            Set::Zone(_) | Set::PhysicalOrder(_) => self.program.components.len() as i64,
            Set::Range(low, high) => {
                let (low, high) = (self.value(low, depth)?, self.value(high, depth)?);
                (high.1 - low.0 + 1).max(0)
            }
            Set::Table(table) => self.program.tables.get(table as usize)?.len() as i64,
            Set::SeatsFrom(_) | Set::Others(_) => self.program.seats as i64,
            Set::Words { len, .. } => i64::from(len),
            Set::List { count, .. } => i64::from(count),
            Set::Bits(_) => wyrmgate_program::DOMAIN_BITS as i64,
            Set::Where { of, .. }
            | Set::Keys { of, .. }
            | Set::Sorted { of, .. }
            | Set::With { of, .. }
            | Set::Minus(of, _)
            | Set::Reversed(of)
            | Set::UpTo { of, .. }
            | Set::Take(of, _)
            | Set::Unique(of) => self.size(of, depth)?,
            Set::Concat(one, other) => self.size(one, depth)? + self.size(other, depth)?,
            Set::If(_, then, otherwise) => {
                self.size(then, depth)?.max(self.size(otherwise, depth)?)
            }
            _ => return None,
        })
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing is known of the others"
    )]
    fn members(&mut self, set: SetId, depth: u32) -> Option<Range> {
        if depth > DEPTH_MAX {
            return None;
        }
        let depth = depth + 1;
        Some(match *self.program.sets.get(set as usize)? {
            Set::Range(low, high) => {
                let (low, high) = (self.value(low, depth)?, self.value(high, depth)?);
                (low.0, high.1.max(low.0))
            }
            Set::Table(table) => self.table(table)?,
            Set::Keyed { members, .. } => self.table(members)?,
            Set::List { first, count } => {
                let mut range = None;
                for at in 0..u32::from(count) {
                    let one = self.value(first + at, depth)?;
                    range = Some(range.map_or(one, |range| joined(range, one)));
                }
                range?
            }
            Set::Where { of, .. }
            | Set::Sorted { of, .. }
            | Set::With { of, .. }
            | Set::Minus(of, _)
            | Set::Reversed(of)
            | Set::UpTo { of, .. }
            | Set::Take(of, _)
            | Set::Unique(of) => self.members(of, depth)?,
            Set::Keys { of, temp, key } => {
                let known = self.members(of, depth);
                self.names.extend(known.map(|range| (temp, range)));
                let range = self.value(key, depth);
                if known.is_some() {
                    self.names.pop();
                }
                range?
            }
            Set::Concat(one, other) => {
                joined(self.members(one, depth)?, self.members(other, depth)?)
            }
            Set::If(_, then, otherwise) => {
                joined(self.members(then, depth)?, self.members(otherwise, depth)?)
            }
            Set::Bits(mask) => {
                let domain = self.program.masks.get(mask as usize)?.domain;
                let first = i64::from(domain.first);
                (first, first + i64::from(domain.len) - 1)
            }
            _ => return None,
        })
    }
}

fn of_binary(op: Binary, left: Range, right: Range) -> Option<Range> {
    let corners = |of: fn(i64, i64) -> Option<i64>| {
        let all = [
            of(left.0, right.0)?,
            of(left.0, right.1)?,
            of(left.1, right.0)?,
            of(left.1, right.1)?,
        ];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    match op {
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessOrEqual
        | Binary::More
        | Binary::MoreOrEqual => Some((0, 1)),
        Binary::Add => corners(i64::checked_add),
        Binary::Subtract => corners(i64::checked_sub),
        Binary::Multiply => corners(i64::checked_mul),
        Binary::Divide | Binary::Modulo => None,
        Binary::Max => Some((left.0.max(right.0), left.1.max(right.1))),
        Binary::Min => Some((left.0.min(right.0), left.1.min(right.1))),
    }
}
