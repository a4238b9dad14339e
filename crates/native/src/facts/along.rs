//! How values change from one member of a loop over consecutive numbers to the next.

use std::ops::RangeInclusive;

use wyrmgate_program::{Binary, Expr, ExprId, Local, Program, Set, Temp};

/// How a value changes while a loop goes through consecutive numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    Known(i32),
    /// It stays the same, whatever it is.
    Same,
    /// It rises by 1 with each member; `from`: the first value, if it is known.
    Rises {
        from: Option<i32>,
    },
    /// It rises by 1 with each member, or it stays the same.
    Either,
}

/// A loop over consecutive numbers.
pub(crate) struct NumberLoop<'p> {
    pub program: &'p Program,
    pub varies: Varies,
    pub numbers: RangeInclusive<i32>,
}

/// What changes with each member.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Varies {
    /// The slots of a loop of operations, in which the state can change, too.
    Slots { index: Local, var: Local },
    /// The temp of a list or a mask, during which nothing else changes.
    Temp(Temp),
}

impl NumberLoop<'_> {
    /// Returns how a value changes; `None` if that is not known, or if it depends on the state.
    pub fn of(&self, id: ExprId) -> Option<Along> {
        self.along(id, &mut Vec::new())
    }

    fn along(&self, id: ExprId, temps: &mut Vec<(Temp, Along)>) -> Option<Along> {
        let mut of = |id: ExprId| self.along(id, temps);
        match *self.program.exprs.get(id as usize)? {
            Expr::Const(value) => Some(Along::Known(value)),
            Expr::Local(local) => self.slot(local),
            Expr::Word(_) => self.is_quiet().then_some(Along::Same),
            Expr::Temp(temp) => {
                let bound = temps.iter().rev().find(|(bound, _)| *bound == temp);
                bound.map_or_else(|| self.temp(temp), |(_, along)| Some(*along))
            }
            Expr::Table { index, .. } => of(index)?.stays(),
            // The place of a number in a range is calculated, without a walk that is counted.
            Expr::IndexOf(set, member) => match *self.program.sets.get(set as usize)? {
                Set::Range(low, high) => {
                    let ends = both_stay(of(low)?, of(high)?);
                    ends.and(of(member)?.stays())
                }
                _ => None,
            },
            Expr::Not(condition) => Some(match of(condition)? {
                Along::Known(value) => Along::Known(i32::from(value <= 0)),
                along => along.stays()?,
            }),
            Expr::And(one, other) => decided(of(one)?, of(other)?, false),
            Expr::Or(one, other) => decided(of(one)?, of(other)?, true),
            Expr::If(condition, then, otherwise) => match of(condition)? {
                Along::Known(value) if value > 0 => of(then),
                Along::Known(_) => of(otherwise),
                along => {
                    along.stays()?;
                    Some(one_of(of(then)?, of(otherwise)?))
                }
            },
            Expr::Pair { one, other, .. } => match (of(one)?, of(other)?) {
                (one, Along::Rises { .. }) => one.stays().map(|_| Along::Rises { from: None }),
                (one, other) => both_stay(one, other),
            },
            Expr::Binary(op, one, other) => self.calculated(op, of(one)?, of(other)?),
            Expr::Let { value, temp, body } => {
                let value = of(value)?;
                temps.push((temp, value));
                let body = self.along(body, temps);
                temps.pop();
                body
            }
            _ => None,
        }
    }

    /// Returns how the member itself changes.
    fn member(&self) -> Along {
        Along::Rises {
            from: Some(*self.numbers.start()),
        }
    }

    fn slot(&self, local: Local) -> Option<Along> {
        match self.varies {
            Varies::Slots { var, .. } if local == var => Some(self.member()),
            Varies::Slots { index, .. } => (local != index).then_some(Along::Same),
            Varies::Temp(_) => Some(Along::Same),
        }
    }

    /// Returns whether the state stays the same during the loop.
    fn is_quiet(&self) -> bool {
        matches!(self.varies, Varies::Temp(_))
    }

    fn temp(&self, temp: Temp) -> Option<Along> {
        match self.varies {
            Varies::Slots { .. } => None,
            Varies::Temp(member) if member == temp => Some(self.member()),
            Varies::Temp(_) => Some(Along::Same),
        }
    }

    fn calculated(&self, op: Binary, one: Along, other: Along) -> Option<Along> {
        match (op, one, other) {
            (Binary::Add, Along::Rises { from }, by) | (Binary::Add, by, Along::Rises { from }) => {
                Some(by.stays()?.added_to(from, 1))
            }
            (Binary::Subtract, Along::Rises { from }, by) => Some(by.stays()?.added_to(from, -1)),
            (_, Along::Rises { from: Some(from) }, Along::Known(with)) => {
                self.compared(op, from, with)
            }
            _ => both_stay(one, other),
        }
    }

    /// Returns the result of a comparison that is the same for all members.
    fn compared(&self, op: Binary, from: i32, with: i32) -> Option<Along> {
        let (from, with) = (i64::from(from), i64::from(with));
        let last = from + i64::from(*self.numbers.end()) - i64::from(*self.numbers.start());
        let [first, last] = match op {
            Binary::Less => [from < with, last < with],
            Binary::LessOrEqual => [from <= with, last <= with],
            Binary::More => [from > with, last > with],
            Binary::MoreOrEqual => [from >= with, last >= with],
            // One of the members may be equal.
            Binary::Equal | Binary::NotEqual if (from..=last).contains(&with) => return None,
            Binary::Equal => [false, false],
            Binary::NotEqual => [true, true],
            _ => return None,
        };
        (first == last).then_some(Along::Known(i32::from(first)))
    }
}

impl Along {
    /// Returns it if the value stays the same.
    fn stays(self) -> Option<Along> {
        match self {
            Along::Known(_) | Along::Same => Some(Along::Same),
            Along::Rises { .. } | Along::Either => None,
        }
    }

    /// Returns how the sum with a value that rises from this first one changes.
    fn added_to(self, from: Option<i32>, sign: i32) -> Along {
        let known = match self {
            Along::Known(by) => by.checked_mul(sign),
            _ => None,
        };
        let from = from.zip(known).and_then(|(from, by)| from.checked_add(by));
        Along::Rises { from }
    }
}

fn both_stay(one: Along, other: Along) -> Option<Along> {
    one.stays().and(other.stays())
}

/// Returns how an `or` changes, which a true part decides, or an `and`, which a false part decides.
fn decided(one: Along, other: Along, by: bool) -> Option<Along> {
    let truth = |along| match along {
        Along::Known(value) => Some(value > 0),
        _ => None,
    };
    match (truth(one), truth(other)) {
        (Some(value), _) | (_, Some(value)) if value == by => Some(Along::Known(i32::from(by))),
        (Some(_), Some(_)) => Some(Along::Known(i32::from(!by))),
        _ => both_stay(one, other),
    }
}

/// Returns how a value changes that is always the same one of two.
fn one_of(one: Along, other: Along) -> Along {
    let stay = [one, other].map(|along| along.stays().is_some());
    match (one, other) {
        (Along::Rises { .. }, Along::Rises { .. }) => Along::Rises { from: None },
        _ if stay == [true, true] => Along::Same,
        _ => Along::Either,
    }
}
