//! What a part of a condition says about a selection, told from the program alone. The interpreter and machine code read
//! conditions alike, and each evaluates what it needs in its own way.

use super::terms::Term;
use smallvec::SmallVec;
use wyrmgate_program::{
    Binary, Expr, ExprId, ExtremeKey, Field, FoldedKeys, Kinds, MaskId, MemberTest, Operation,
    Part, Program, QueryBody, QueryId, Set, SetId, SortedList, Temp,
};

/// The maximum nesting of terms and queries to follow.
pub const FOLLOWED: u32 = 48;

/// The temps that depend on the selection in the current window.
#[derive(Debug, Clone, Default)]
pub struct DependentTemps {
    /// The temps of the list: this one and the next.
    list: Temp,
    /// Names of values that depend on it.
    lets: SmallVec<[Temp; 4]>,
}

/// How a part depends on the selection.
#[derive(Debug, Clone, Copy)]
pub enum SelectionDependence {
    /// Not at all.
    Known,
    /// The name of a value that does.
    Named(Temp),
    Not(ExprId),
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    Negate(ExprId),
    Abs(ExprId),
    /// Its value is that of this part.
    Same(ExprId),
    Binary(Binary, ExprId, ExprId),
    /// The number of members.
    Size,
    /// Whether there is no member.
    IsEmpty,
    /// What it is for each member alone, added up.
    Total,
    /// Whether it has this truth for some member alone, as opposed to the same truth for all.
    Truth(bool),
    Extreme {
        of: SetId,
        most: bool,
    },
    Kinds {
        of: SetId,
        temp: Temp,
        key: ExprId,
        kinds: Kinds,
    },
    /// The value of a query that takes the whole list in this parameter.
    Query {
        query: QueryId,
        args: ExprId,
        list: Temp,
        body: ExprId,
    },
    Let {
        value: ExprId,
        temp: Temp,
        body: ExprId,
    },
    /// A form that is not analyzed further.
    Unknown,
}

/// Makes terms of the parts of a condition: what the interpreter and machine code do alike.
pub trait Composing {
    type Failure;

    /// Returns the term of a part.
    fn term(&mut self, id: ExprId) -> Result<Term, Self::Failure>;

    /// Returns whether a term is known to have this truth.
    fn is(&self, term: &Term, truth: bool) -> bool;

    /// Returns the term that a name stands for.
    fn name(&self, temp: Temp) -> Option<&Term>;

    /// Returns the term of a part that consists of others; `None` if something must be evaluated for it.
    fn composed(&mut self, reading: SelectionDependence) -> Result<Option<Term>, Self::Failure> {
        let term = match reading {
            SelectionDependence::Named(temp) => self.name(temp).cloned().unwrap_or(Term::Unknown),
            SelectionDependence::Not(of) => Term::Not(self.boxed(of)?),
            SelectionDependence::Negate(of) => Term::Negate(self.boxed(of)?),
            SelectionDependence::Abs(of) => Term::Abs(self.boxed(of)?),
            SelectionDependence::Same(of) => self.term(of)?,
            SelectionDependence::And(left, right) => match self.term(left)? {
                left if self.is(&left, false) => Term::Constant(0),
                left => Term::And(Box::new(left), self.boxed(right)?),
            },
            SelectionDependence::Or(left, right) => match self.term(left)? {
                left if self.is(&left, true) => Term::Constant(1),
                left => Term::Or(Box::new(left), self.boxed(right)?),
            },
            SelectionDependence::If(condition, then, otherwise) => match self.term(condition)? {
                condition if self.is(&condition, true) => self.term(then)?,
                condition if self.is(&condition, false) => self.term(otherwise)?,
                condition => {
                    let (then, otherwise) = (self.boxed(then)?, self.boxed(otherwise)?);
                    Term::If(Box::new(condition), then, otherwise)
                }
            },
            SelectionDependence::Binary(op, left, right) => {
                Term::Binary(op, self.boxed(left)?, self.boxed(right)?)
            }
            SelectionDependence::Size => Term::Size,
            SelectionDependence::IsEmpty => {
                let none = Box::new(Term::Constant(0));
                Term::Binary(Binary::Equal, Box::new(Term::Size), none)
            }
            SelectionDependence::Unknown => Term::Unknown,
            SelectionDependence::Known
            | SelectionDependence::Total
            | SelectionDependence::Truth(_)
            | SelectionDependence::Extreme { .. }
            | SelectionDependence::Kinds { .. }
            | SelectionDependence::Query { .. }
            | SelectionDependence::Let { .. } => return Ok(None),
        };
        Ok(Some(term))
    }

    fn boxed(&mut self, id: ExprId) -> Result<Box<Term>, Self::Failure> {
        self.term(id).map(Box::new)
    }
}

impl DependentTemps {
    pub fn of(list: Temp) -> DependentTemps {
        DependentTemps {
            list,
            lets: SmallVec::new(),
        }
    }

    pub fn list(&self) -> Temp {
        self.list
    }

    /// A name in the scope, until it is forgotten again.
    pub fn note(&mut self, temp: Temp) {
        self.lets.push(temp);
    }

    pub fn forget(&mut self) {
        self.lets.pop();
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not listed is left to the evaluation"
    )]
    pub fn read(&self, program: &Program, id: ExprId) -> SelectionDependence {
        if !self.depends(program, Part::Expr(id)) {
            return SelectionDependence::Known;
        }
        let Some(expr) = program.exprs.get(id as usize).copied() else {
            return SelectionDependence::Unknown;
        };
        let adds_up = |of| self.adds_up(program, of);
        let looks_at_members = |of, key| self.looks_at_members(program, of, key);
        match expr {
            Expr::Temp(temp) => SelectionDependence::Named(temp),
            Expr::Not(of) => SelectionDependence::Not(of),
            Expr::Negate(of) => SelectionDependence::Negate(of),
            Expr::Abs(of) => SelectionDependence::Abs(of),
            Expr::Revealed { of, .. } => SelectionDependence::Same(of),
            Expr::And(left, right) => SelectionDependence::And(left, right),
            Expr::Or(left, right) => SelectionDependence::Or(left, right),
            Expr::If(condition, then, otherwise) => {
                SelectionDependence::If(condition, then, otherwise)
            }
            Expr::Binary(op, left, right) => SelectionDependence::Binary(op, left, right),
            Expr::Count(of) if self.is_whole(program, of) => SelectionDependence::Size,
            Expr::IsEmpty(of) if self.is_whole(program, of) => SelectionDependence::IsEmpty,
            Expr::Count(of) if adds_up(of) => SelectionDependence::Total,
            Expr::IsEmpty(of) if adds_up(of) => SelectionDependence::Truth(false),
            Expr::Contains(of, member)
                if adds_up(of) && !self.depends(program, Part::Expr(member)) =>
            {
                SelectionDependence::Truth(true)
            }
            Expr::Some(MemberTest { of, condition, .. }) if looks_at_members(of, condition) => {
                SelectionDependence::Truth(true)
            }
            Expr::Every(MemberTest { of, condition, .. }) if looks_at_members(of, condition) => {
                SelectionDependence::Truth(false)
            }
            Expr::Sum { of, key, .. } if looks_at_members(of, key) => SelectionDependence::Total,
            Expr::Extreme(ExtremeKey { of, key, most, .. }) if looks_at_members(of, key) => {
                SelectionDependence::Extreme { of, most }
            }
            Expr::Distinct { of, temp, key } if looks_at_members(of, key) => {
                SelectionDependence::Kinds {
                    of,
                    temp,
                    key,
                    kinds: Kinds::Distinct,
                }
            }
            Expr::Fold(FoldedKeys {
                fold,
                of,
                temp,
                key,
            }) if looks_at_members(of, key) => match fold.of_kinds() {
                Some(kinds) => SelectionDependence::Kinds {
                    of,
                    temp,
                    key,
                    kinds,
                },
                None => SelectionDependence::Unknown,
            },
            Expr::Call { query, args } => self.query(program, query, args, expr),
            Expr::Let { value, temp, body } => SelectionDependence::Let { value, temp, body },
            _ => SelectionDependence::Unknown,
        }
    }

    /// Returns whether this is the list of all members itself.
    pub fn is_whole(&self, program: &Program, of: SetId) -> bool {
        let set = program.sets.get(of as usize);
        matches!(set, Some(Set::Temp(temp)) if *temp == self.list)
    }

    fn depends(&self, program: &Program, part: Part) -> bool {
        let own = [self.list, self.list.saturating_add(1)];
        let temps: SmallVec<[Temp; 6]> = self.lets.iter().copied().chain(own).collect();
        names(program, part, &temps)
    }

    /// Returns whether the list consists of what each member adds to it, in some order.
    fn adds_up(&self, program: &Program, of: SetId) -> bool {
        match program.sets.get(of as usize) {
            Some(&Set::Temp(temp)) => temp == self.list,
            Some(&Set::Where(MemberTest { of, condition, .. })) => {
                self.looks_at_members(program, of, condition)
            }
            Some(&Set::Keys { of, key, .. }) => self.looks_at_members(program, of, key),
            Some(&Set::Joined { of, list, .. }) => {
                self.adds_up(program, of) && !self.depends(program, Part::Set(list))
            }
            Some(&Set::Sorted(SortedList { of, key, .. })) => {
                self.looks_at_members(program, of, key)
            }
            Some(&(Set::Reversed(of) | Set::PhysicalOrder(of))) => self.adds_up(program, of),
            _ => false,
        }
    }

    fn looks_at_members(&self, program: &Program, of: SetId, key: ExprId) -> bool {
        self.adds_up(program, of) && !self.depends(program, Part::Expr(key))
    }

    /// A query that takes the whole list: the condition is in its body.
    fn query(
        &self,
        program: &Program,
        query: QueryId,
        args: ExprId,
        call: Expr,
    ) -> SelectionDependence {
        let Some(info) = program.query(query) else {
            return SelectionDependence::Unknown;
        };
        match (self.only_list(program, call), info.body) {
            (Some(list), QueryBody::Value(body)) if info.deepest == 0 => {
                SelectionDependence::Query {
                    query,
                    args,
                    list,
                    body,
                }
            }
            _ => SelectionDependence::Unknown,
        }
    }

    /// Returns the parameter that takes the whole list, if no other argument depends on it.
    fn only_list(&self, program: &Program, call: Expr) -> Option<Temp> {
        let (mut param, mut found) = (0, None);
        for part in call.parts(program) {
            let Part::Expr(id) = part else {
                return None;
            };
            match program.exprs.get(id as usize) {
                Some(&Expr::ListArgument(set)) if self.is_whole(program, set) => {
                    found = match found {
                        None => Some(param),
                        Some(_) => return None,
                    };
                }
                _ if self.depends(program, part) => return None,
                _ => {}
            }
            let is_list = matches!(program.exprs.get(id as usize), Some(Expr::ListArgument(_)));
            param += if is_list { 2 } else { 1 };
        }
        found
    }
}
/// Returns whether a part names any of these temps.
fn names(program: &Program, part: Part, temps: &[Temp]) -> bool {
    match part {
        Part::Expr(id) => {
            let expr = program.exprs.get(id as usize);
            expr.is_some_and(|expr| operation_names(program, *expr, temps))
        }
        Part::Set(id) => {
            let set = program.sets.get(id as usize);
            set.is_some_and(|set| operation_names(program, *set, temps))
        }
    }
}

fn mask_names(program: &Program, mask: MaskId, temps: &[Temp]) -> bool {
    let info = program.masks.get(mask as usize);
    info.is_some_and(|info| operation_names(program, info.mask, temps))
}

fn operation_names<T: Operation>(program: &Program, operation: T, temps: &[Temp]) -> bool {
    let mut found = false;
    operation.each_field(&mut |field| {
        found |= match field {
            Field::Temp(temp) => temps.contains(temp),
            Field::ListTemp(temp) => {
                temps.contains(temp) || temps.contains(&temp.saturating_add(1))
            }
            Field::Mask(mask) => mask_names(program, *mask, temps),
            // Parts are followed below; the others are no temps.
            Field::Expr(_)
            | Field::Row(_)
            | Field::Set(_)
            | Field::InOrder(_)
            | Field::Bound(_)
            | Field::BoundList(_)
            | Field::Frame(_)
            | Field::Word(_)
            | Field::Query(_)
            | Field::Dispatch(_)
            | Field::Address(_)
            | Field::Site(_)
            | Field::Args(_)
            | Field::Supposed(_)
            | Field::FaceDown(_) => false,
        };
    });
    let mut parts = operation.parts(program).into_iter();
    found || parts.any(|part| names(program, part, temps))
}
