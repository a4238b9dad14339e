//! Conditions on a selection as terms over its measures.
//!
//! The engine evaluates every part that does not depend on the selection once, and what depends on one member once for
//! each member. The truth of the conditions can then be judged while members are still undecided.

use super::Runs;
use super::measure::{Mark, Measure};
use super::range::Range;
use crate::eval::Eval;
use crate::fault::Halt;
use smallvec::SmallVec;
use wyrmgate_program::{
    Binary, Expr, ExprId, Field, Kinds, MaskId, Operation, Part, Program, QueryBody, QueryId, Set,
    SetId, Temp,
};

/// The marks of all measures.
pub(super) type Marks = SmallVec<[Mark; 4]>;

/// The maximum nesting of terms and queries to follow.
const FOLLOWED: u32 = 48;

/// Conditions, all of which must hold.
#[derive(Debug)]
pub(super) struct Plan {
    measures: Vec<Measure>,
    conditions: Vec<Term>,
    pub runs: Runs,
    /// The conditions with a part that can only be judged by evaluating them.
    pub unknown: bool,
}

/// A part of a condition.
#[derive(Debug, Clone)]
enum Term {
    Known(i64),
    /// The number of members.
    Size,
    Measure(usize),
    Not(Box<Term>),
    And(Box<Term>, Box<Term>),
    Or(Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Negate(Box<Term>),
    Abs(Box<Term>),
    Binary(Binary, Box<Term>, Box<Term>),
    /// It depends on the selection in a way that is not followed.
    Unknown,
}

/// How far a selection is decided.
pub(super) struct Decided<'m> {
    /// The number of members about which it has been decided.
    pub next: usize,
    /// How many of them were taken.
    pub chosen: usize,
    /// How many more will be taken.
    pub taken: Range,
    pub marks: &'m Marks,
}

impl Plan {
    /// Reads conditions on the list in temps `list` and `list + 1`. The members lie in the scratch list area from
    /// `first` on, and are decided from the last one on if `reversed`.
    pub fn of(
        eval: &mut Eval<'_>,
        tests: &[ExprId],
        list: Temp,
        members: Listed,
        runs: Runs,
    ) -> Result<Plan, Halt> {
        let mut reader = Reader {
            eval,
            members,
            own: Own {
                list,
                first: members.first,
                lets: Vec::new(),
            },
            measures: Vec::new(),
            depth: 0,
        };
        let mut conditions = Vec::new();
        for test in tests {
            conditions.push(reader.term(*test)?);
        }
        let mut plan = Plan {
            measures: reader.measures,
            conditions,
            runs,
            unknown: false,
        };
        plan.forget_overflows(members.count);
        plan.unknown = plan.conditions.iter().any(Term::has_unknown);
        Ok(plan)
    }

    pub fn start(&self) -> Marks {
        self.measures.iter().map(Measure::start).collect()
    }

    pub fn with(&self, marks: &Marks, member: usize) -> Marks {
        let marks = self.measures.iter().zip(marks);
        marks
            .map(|(measure, mark)| measure.with(*mark, member))
            .collect()
    }

    /// Returns whether all conditions hold; `None` while that depends on members that are not decided.
    pub fn verdict(&self, decided: &Decided<'_>) -> Option<bool> {
        let mut verdict = Some(true);
        for condition in &self.conditions {
            match self.range(condition, decided).truth() {
                Some(true) => {}
                Some(false) => return Some(false),
                None => verdict = None,
            }
        }
        verdict
    }

    /// Conditions in which a number can become too large are left to the evaluation, which reports it.
    fn forget_overflows(&mut self, count: usize) {
        let marks = self.start();
        let all = Decided {
            next: 0,
            chosen: 0,
            taken: Range {
                low: 0,
                high: count as i64,
            },
            marks: &marks,
        };
        let fits: Vec<bool> = self
            .conditions
            .iter()
            .map(|condition| self.fits(condition, &all))
            .collect();
        for (condition, fits) in self.conditions.iter_mut().zip(fits) {
            if !fits {
                *condition = Term::Unknown;
            }
        }
    }

    fn fits(&self, term: &Term, all: &Decided<'_>) -> bool {
        let parts = term.parts().into_iter().flatten();
        let mut parts = parts.map(|part| self.fits(part, all));
        let is_open = matches!(term, Term::Unknown);
        (is_open || self.range(term, all).fits()) && parts.all(|fits| fits)
    }

    fn range(&self, term: &Term, decided: &Decided<'_>) -> Range {
        let truth = |term: &Term| self.range(term, decided).truth();
        match term {
            Term::Known(value) => Range::only(*value),
            Term::Size => Range::only(decided.chosen as i64).plus(decided.taken),
            Term::Measure(number) => self.measured(*number, decided),
            Term::Not(of) => Range::of_truth(truth(of).map(|truth| !truth)),
            Term::And(left, right) => Range::of_truth(match truth(left) {
                Some(false) => Some(false),
                Some(true) => truth(right),
                None if truth(right) == Some(false) => Some(false),
                None => None,
            }),
            Term::Or(left, right) => Range::of_truth(match truth(left) {
                Some(true) => Some(true),
                Some(false) => truth(right),
                None if truth(right) == Some(true) => Some(true),
                None => None,
            }),
            Term::If(condition, then, otherwise) => match truth(condition) {
                Some(true) => self.range(then, decided),
                Some(false) => self.range(otherwise, decided),
                None => {
                    let then = self.range(then, decided);
                    then.either(self.range(otherwise, decided))
                }
            },
            Term::Negate(of) => self.range(of, decided).negated(),
            Term::Abs(of) => self.range(of, decided).abs(),
            Term::Binary(op, left, right) if op.is_comparison() => {
                Range::compared(*op, self.difference(left, right, decided))
            }
            Term::Binary(op, left, right) => {
                let (left, right) = (self.range(left, decided), self.range(right, decided));
                Range::calculated(*op, left, right)
            }
            Term::Unknown => Range::ANY,
        }
    }

    fn measured(&self, number: usize, decided: &Decided<'_>) -> Range {
        match (self.measures.get(number), decided.marks.get(number)) {
            (Some(measure), Some(mark)) => measure.range(*mark, decided.next, decided.taken),
            _ => Range::ANY,
        }
    }

    /// The difference of two numbers. That of the number of members and a measure is known better than that of any two.
    fn difference(&self, left: &Term, right: &Term, decided: &Decided<'_>) -> Range {
        let plain = self.range(left, decided).minus(self.range(right, decided));
        let lag = |number: usize| {
            let mark = decided.marks.get(number)?;
            let measure = self.measures.get(number)?;
            measure.lag(*mark, decided.next, decided.chosen)
        };
        match (left, right) {
            (Term::Size, Term::Measure(number)) => match lag(*number) {
                Some(lag) => Range {
                    low: plain.low.max(lag),
                    high: plain.high,
                },
                None => plain,
            },
            (Term::Measure(_), Term::Size) => self.difference(right, left, decided).negated(),
            _ => plain,
        }
    }
}

impl Term {
    fn parts(&self) -> [Option<&Term>; 3] {
        match self {
            Term::Known(_) | Term::Size | Term::Measure(_) | Term::Unknown => [None; 3],
            Term::Not(of) | Term::Negate(of) | Term::Abs(of) => [Some(of), None, None],
            Term::And(a, b) | Term::Or(a, b) | Term::Binary(_, a, b) => [Some(a), Some(b), None],
            Term::If(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }

    fn has_unknown(&self) -> bool {
        let mut parts = self.parts().into_iter().flatten();
        matches!(self, Term::Unknown) || parts.any(Term::has_unknown)
    }
}

/// The members of a list, in the scratch list area.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub first: i32,
    pub count: usize,
    /// Whether the last one is decided first.
    pub reversed: bool,
}

/// What depends on the selection in the current window of temps.
struct Own {
    /// The temps of the list.
    list: Temp,
    /// Where the members lie.
    first: i32,
    /// Names of values that depend on it.
    lets: Vec<(Temp, Term)>,
}

/// Reads conditions.
struct Reader<'e, 'a> {
    eval: &'e mut Eval<'a>,
    members: Listed,
    own: Own,
    measures: Vec<Measure>,
    depth: u32,
}

impl<'a> Reader<'_, 'a> {
    fn term(&mut self, id: ExprId) -> Result<Term, Halt> {
        if !self.depends(Part::Expr(id)) {
            return Ok(Term::Known(self.eval.value(id)?.into()));
        }
        if self.depth == FOLLOWED {
            return Ok(Term::Unknown);
        }
        self.depth += 1;
        let term = self.composite(id);
        self.depth -= 1;
        term
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not listed is left to the evaluation"
    )]
    fn composite(&mut self, id: ExprId) -> Result<Term, Halt> {
        let Some(expr) = self.eval.program.exprs.get(id as usize).copied() else {
            return Ok(Term::Unknown);
        };
        let boxed = |term: Result<Term, Halt>| term.map(Box::new);
        Ok(match expr {
            Expr::Temp(temp) => self.named(temp),
            Expr::Not(of) => Term::Not(boxed(self.term(of))?),
            Expr::Negate(of) => Term::Negate(boxed(self.term(of))?),
            Expr::Abs(of) => Term::Abs(boxed(self.term(of))?),
            Expr::Revealed { of, .. } => self.term(of)?,
            Expr::And(left, right) => match self.term(left)? {
                Term::Known(..=0) => Term::Known(0),
                left => Term::And(Box::new(left), boxed(self.term(right))?),
            },
            Expr::Or(left, right) => match self.term(left)? {
                Term::Known(1..) => Term::Known(1),
                left => Term::Or(Box::new(left), boxed(self.term(right))?),
            },
            Expr::If(condition, then, otherwise) => match self.term(condition)? {
                Term::Known(1..) => self.term(then)?,
                Term::Known(_) => self.term(otherwise)?,
                condition => Term::If(
                    Box::new(condition),
                    boxed(self.term(then))?,
                    boxed(self.term(otherwise))?,
                ),
            },
            Expr::Binary(op, left, right) => {
                Term::Binary(op, boxed(self.term(left))?, boxed(self.term(right))?)
            }
            Expr::Count(of) if self.is_whole(of) => Term::Size,
            Expr::IsEmpty(of) if self.is_whole(of) => Term::Binary(
                Binary::Equal,
                Box::new(Term::Size),
                Box::new(Term::Known(0)),
            ),
            Expr::Count(of) if self.adds_up(of) => self.total(id)?,
            Expr::IsEmpty(of) if self.adds_up(of) => Term::Not(Box::new(self.any_but(id, 1)?)),
            Expr::Contains(of, member) if self.adds_up(of) && !self.depends(Part::Expr(member)) => {
                self.any_but(id, 0)?
            }
            Expr::Some { of, condition, .. } if self.looks_at_members(of, condition) => {
                self.any_but(id, 0)?
            }
            Expr::Every { of, condition, .. } if self.looks_at_members(of, condition) => {
                Term::Not(Box::new(self.any_but(id, 1)?))
            }
            Expr::Sum { of, key, .. } if self.looks_at_members(of, key) => self.total(id)?,
            Expr::Extreme { of, key, most, .. } if self.looks_at_members(of, key) => {
                self.extreme(id, of, most)?
            }
            Expr::Distinct { of, temp, key } if self.looks_at_members(of, key) => {
                self.kinds((of, temp, key), Kinds::Distinct)?
            }
            Expr::Fold {
                fold,
                of,
                temp,
                key,
            } if self.looks_at_members(of, key) => match fold.of_kinds() {
                Some(kinds) => self.kinds((of, temp, key), kinds)?,
                None => Term::Unknown,
            },
            Expr::Call { query, args } => self.query(query, args, expr)?,
            Expr::Let { value, temp, body } => {
                let value = self.term(value)?;
                self.with_name(temp, value, body)?
            }
            _ => Term::Unknown,
        })
    }

    /// The body of `let`, in which the temp stands for a term.
    fn with_name(&mut self, temp: Temp, value: Term, body: ExprId) -> Result<Term, Halt> {
        if let Term::Known(value) = value {
            self.eval.set_temp(temp, value as i32);
            return self.term(body);
        }
        self.own.lets.push((temp, value));
        let body = self.term(body);
        self.own.lets.pop();
        body
    }

    fn named(&self, temp: Temp) -> Term {
        let mut lets = self.own.lets.iter().rev();
        let found = lets.find(|(known, _)| *known == temp);
        found.map_or(Term::Unknown, |(_, term)| term.clone())
    }

    // ---- what a condition depends on

    fn depends(&self, part: Part) -> bool {
        let lets = self.own.lets.iter().map(|(temp, _)| *temp);
        let own = self.own.list;
        let temps: SmallVec<[Temp; 4]> = lets.chain([own, own.saturating_add(1)]).collect();
        names(self.eval.program, part, &temps)
    }

    /// Returns whether this is the list of all members itself.
    fn is_whole(&self, of: SetId) -> bool {
        let set = self.eval.program.sets.get(of as usize);
        matches!(set, Some(Set::Temp(temp)) if *temp == self.own.list)
    }

    /// Returns whether the list consists of what each member adds to it, in some order.
    fn adds_up(&self, of: SetId) -> bool {
        match self.eval.program.sets.get(of as usize) {
            Some(&Set::Temp(temp)) => temp == self.own.list,
            Some(&Set::Where { of, condition, .. }) => self.looks_at_members(of, condition),
            Some(&Set::Keys { of, key, .. }) => self.looks_at_members(of, key),
            Some(&Set::Joined { of, list, .. }) => {
                self.adds_up(of) && !self.depends(Part::Set(list))
            }
            Some(&Set::Sorted { of, key, .. }) => self.looks_at_members(of, key),
            Some(&(Set::Reversed(of) | Set::PhysicalOrder(of))) => self.adds_up(of),
            _ => false,
        }
    }

    fn looks_at_members(&self, of: SetId, key: ExprId) -> bool {
        self.adds_up(of) && !self.depends(Part::Expr(key))
    }

    // ---- measures

    /// Evaluates something for each member, as if only this one was chosen.
    fn each<T>(
        &mut self,
        mut evaluate: impl FnMut(&mut Eval<'a>) -> Result<T, Halt>,
    ) -> Result<Vec<T>, Halt> {
        let (list, first) = (self.own.list, self.own.first);
        let count = self.members.count;
        let mut all = Vec::with_capacity(count);
        for number in 0..count {
            let at = match self.members.reversed {
                true => count - 1 - number,
                false => number,
            };
            self.eval.scratch.spend()?;
            self.eval.set_temp(list, first.saturating_add(at as i32));
            self.eval.set_temp(list.saturating_add(1), 1);
            all.push(evaluate(self.eval)?);
        }
        self.eval.set_temp(list, first);
        self.eval.set_temp(list.saturating_add(1), count as i32);
        Ok(all)
    }

    fn measure(&mut self, measure: Measure) -> Term {
        self.measures.push(measure);
        Term::Measure(self.measures.len() - 1)
    }

    fn total(&mut self, id: ExprId) -> Result<Term, Halt> {
        let gains = self.each(|eval| Ok(eval.value(id)?.into()))?;
        Ok(self.measure(Measure::total(gains)))
    }

    /// Is there a member for which the expression has another truth value than `usual`?
    fn any_but(&mut self, id: ExprId, usual: i64) -> Result<Term, Halt> {
        let gains = self.each(|eval| Ok(i64::from(i64::from(eval.truth(id)?) != usual)))?;
        let count = self.measure(Measure::total(gains));
        let none = Box::new(Term::Known(0));
        Ok(Term::Binary(Binary::More, Box::new(count), none))
    }

    fn extreme(&mut self, id: ExprId, of: SetId, most: bool) -> Result<Term, Halt> {
        let gains = self.each(|eval| {
            Ok(match eval.is_empty(of)? {
                true => None,
                false => Some(eval.value(id)?.into()),
            })
        })?;
        Ok(self.measure(Measure::extreme(gains, most)))
    }

    fn kinds(
        &mut self,
        (of, temp, key): (SetId, Temp, ExprId),
        kinds: Kinds,
    ) -> Result<Term, Halt> {
        let values = self.each(|eval| {
            let members = eval.gather(of)?;
            let mut values = Vec::with_capacity(members.len());
            for &member in &members {
                eval.set_temp(temp, member);
                values.push(eval.value(key)?);
            }
            Ok(values)
        })?;
        let measure = Measure::kinds(&values, kinds);
        Ok(measure.map_or(Term::Unknown, |measure| self.measure(measure)))
    }

    /// A query that takes the whole list: the condition is in its body.
    fn query(&mut self, query: QueryId, args: ExprId, call: Expr) -> Result<Term, Halt> {
        let program = self.eval.program;
        let Some(info) = program.queries.get(usize::from(query)) else {
            return Ok(Term::Unknown);
        };
        let (Some(list), QueryBody::Value(body)) = (self.only_list(call), info.body) else {
            return Ok(Term::Unknown);
        };
        if info.deepest > 0 {
            return Ok(Term::Unknown);
        }
        let window = self.eval.open(info, args, None)?;
        let inside = Own {
            list,
            first: self.eval.temp(list),
            lets: Vec::new(),
        };
        let outside = std::mem::replace(&mut self.own, inside);
        let term = self.term(body);
        self.own = outside;
        self.eval.close(window);
        term
    }

    /// Returns the parameter that takes the whole list, if no other argument depends on it.
    fn only_list(&self, call: Expr) -> Option<Temp> {
        let program = self.eval.program;
        let (mut param, mut found) = (0, None);
        for part in call.parts(program) {
            let Part::Expr(id) = part else {
                return None;
            };
            match program.exprs.get(id as usize) {
                Some(&Expr::ListArgument(set)) if self.is_whole(set) => {
                    found = match found {
                        None => Some(param),
                        Some(_) => return None,
                    };
                }
                _ if self.depends(part) => return None,
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
