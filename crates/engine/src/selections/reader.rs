//! Conditions on selections as the interpreter reads them: every part that does not depend on the selection is evaluated
//! once, and what depends on one member once for each member.

use super::measure::{MeasureKind, MeasuredMembers};
use super::plan::{PLANNED_MAX, SelectionPlan};
use super::reading::{Composing, DependentTemps, FOLLOWED, SelectionDependence};
use super::sizes::MemberOrder;
use super::terms::{SelectionTerms, Term};
use super::{DecidableMembers, WantedSelection};
use crate::eval::Eval;
use crate::fault::Halt;
use smallvec::SmallVec;
use std::sync::Arc;
use wyrmgate_program::{ExprId, QueryId, SetId, Temp};

/// The values of each member for a measure.
enum MemberValues {
    One(Vec<i32>),
    Several(Vec<SmallVec<[i32; 2]>>),
}

/// The members of a list, in the scratch list area.
#[derive(Clone, Copy)]
struct ScratchList {
    first: i32,
    count: usize,
    /// Whether the last one is decided first.
    reversed: bool,
}

/// Reads conditions.
struct ConditionReader<'e, 'a> {
    eval: &'e mut Eval<'a>,
    members: ScratchList,
    scope: DependentTemps,
    /// The terms of names.
    lets: Vec<(Temp, Term)>,
    form: SelectionTerms,
    known: Vec<i32>,
    values: Vec<MemberValues>,
    depth: u32,
}

impl<'a> Eval<'a> {
    /// Reads the conditions on selections; `None` if there are too many members, or their order matters.
    pub(super) fn plan(
        &mut self,
        wanted: WantedSelection<'_>,
    ) -> Result<Option<SelectionPlan>, Halt> {
        let copies = wanted.sizes.copies();
        let all = wanted.members.len().saturating_mul(copies);
        if wanted.sizes.form == MemberOrder::Sequence || all > PLANNED_MAX {
            return Ok(None);
        }
        let lists = self.scratch.lists.len();
        let DecidableMembers { members, runs } = wanted.laid_out();
        let first = self.bind_list(wanted.list, &members);
        let mut reader = ConditionReader {
            eval: self,
            members: ScratchList {
                first,
                count: all,
                reversed: runs.are_binary(wanted.sizes, wanted.members.len()),
            },
            scope: DependentTemps::of(wanted.list),
            lets: Vec::new(),
            form: SelectionTerms::default(),
            known: Vec::new(),
            values: Vec::new(),
            depth: 0,
        };
        for (number, test) in wanted.tests.iter().enumerate() {
            let term = reader.term(*test)?;
            reader.form.require(number, term);
        }
        let (form, known, values) = (reader.form, reader.known, reader.values);
        self.scratch.lists.truncate(lists);
        let mut plan = SelectionPlan::new(Arc::new(form));
        plan.known = known;
        let mut unmeasured = Vec::new();
        let measures = plan.measures.iter_mut().zip(&values).enumerate();
        for (number, (measure, values)) in measures {
            if !set(measure, values) {
                unmeasured.push(number);
            }
        }
        plan.begin(all, wanted.sizes, runs, &unmeasured);
        self.scratch.spend_all(plan.work)?;
        Ok(Some(plan))
    }
}

fn set(measure: &mut MeasuredMembers, values: &MemberValues) -> bool {
    match values {
        MemberValues::One(values) => measure.set(values.iter().copied()),
        MemberValues::Several(values) => measure.set_several(values),
    }
}

impl Composing for ConditionReader<'_, '_> {
    type Failure = Halt;

    fn term(&mut self, id: ExprId) -> Result<Term, Halt> {
        if self.depth == FOLLOWED {
            return Ok(Term::Unknown);
        }
        self.depth += 1;
        let reading = self.scope.read(self.eval.program, id);
        let term = match self.composed(reading)? {
            Some(term) => term,
            None => self.evaluated(id, reading)?,
        };
        self.depth -= 1;
        Ok(term)
    }

    fn is(&self, term: &Term, truth: bool) -> bool {
        let value = match term {
            Term::Known(number) => self.known.get(*number).copied().map(i64::from),
            Term::Constant(value) => Some(*value),
            Term::Size
            | Term::Measure(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::If(..)
            | Term::Negate(_)
            | Term::Abs(_)
            | Term::Binary(..)
            | Term::Unknown => None,
        };
        value.is_some_and(|value| (value > 0) == truth)
    }

    fn name(&self, temp: Temp) -> Option<&Term> {
        let mut lets = self.lets.iter().rev();
        lets.find(|(known, _)| *known == temp).map(|(_, term)| term)
    }
}

impl<'a> ConditionReader<'_, 'a> {
    /// Evaluates a part: once, or once for each member.
    fn evaluated(&mut self, id: ExprId, reading: SelectionDependence) -> Result<Term, Halt> {
        Ok(match reading {
            SelectionDependence::Known => self.known(id)?,
            SelectionDependence::Total => {
                let gains = self.each(|eval| eval.value(id))?;
                self.measure(MeasureKind::Sum, MemberValues::One(gains))
            }
            SelectionDependence::Truth(wanted) => {
                let gains = self.each(|eval| Ok(i32::from(eval.truth(id)?)))?;
                self.values.push(MemberValues::One(gains));
                self.form.truth(wanted)
            }
            SelectionDependence::Extreme { of, most } => self.extreme(id, of, most)?,
            SelectionDependence::Kinds {
                of,
                temp,
                key,
                kinds,
            } => {
                let values = self.values_of(of, temp, key)?;
                self.measure(MeasureKind::Kinds(kinds), MemberValues::Several(values))
            }
            SelectionDependence::Query {
                query,
                args,
                list,
                body,
            } => self.query(query, args, list, body)?,
            SelectionDependence::Let { value, temp, body } => {
                let value = self.term(value)?;
                self.with_name(temp, value, body)?
            }
            SelectionDependence::Named(_)
            | SelectionDependence::Not(_)
            | SelectionDependence::And(..)
            | SelectionDependence::Or(..)
            | SelectionDependence::If(..)
            | SelectionDependence::Negate(_)
            | SelectionDependence::Abs(_)
            | SelectionDependence::Same(_)
            | SelectionDependence::Binary(..)
            | SelectionDependence::Size
            | SelectionDependence::IsEmpty
            | SelectionDependence::Unknown => Term::Unknown,
        })
    }

    /// Reads the body of a query that takes the selection as a list.
    fn query(
        &mut self,
        query: QueryId,
        args: ExprId,
        list: Temp,
        body: ExprId,
    ) -> Result<Term, Halt> {
        let Some(info) = self.eval.program.query(query) else {
            return Ok(Term::Unknown);
        };
        let window = self.eval.open(info, args, None)?;
        let first = self.eval.temp(list);
        let first = std::mem::replace(&mut self.members.first, first);
        let outside = std::mem::replace(&mut self.scope, DependentTemps::of(list));
        let lets = std::mem::take(&mut self.lets);
        let term = self.term(body);
        (self.scope, self.members.first, self.lets) = (outside, first, lets);
        self.eval.close(window);
        term
    }

    fn known(&mut self, id: ExprId) -> Result<Term, Halt> {
        let value = self.eval.value(id)?;
        self.known.push(value);
        Ok(self.form.value())
    }

    /// The body of `let`, in which the temp stands for a term.
    fn with_name(&mut self, temp: Temp, value: Term, body: ExprId) -> Result<Term, Halt> {
        if let Term::Known(number) = value
            && let Some(value) = self.known.get(number).copied()
        {
            self.eval.set_temp(temp, value);
            return self.term(body);
        }
        self.scope.note(temp);
        self.lets.push((temp, value));
        let body = self.term(body);
        self.lets.pop();
        self.scope.forget();
        body
    }

    // ---- measures

    fn measure(&mut self, what: MeasureKind, values: MemberValues) -> Term {
        self.values.push(values);
        self.form.measure(what)
    }

    /// Evaluates something for each member, as if only this one was chosen.
    fn each<T>(
        &mut self,
        mut evaluate: impl FnMut(&mut Eval<'a>) -> Result<T, Halt>,
    ) -> Result<Vec<T>, Halt> {
        let (
            list,
            ScratchList {
                first,
                count,
                reversed,
            },
        ) = (self.scope.list(), self.members);
        let mut all = Vec::with_capacity(count);
        for number in 0..count {
            let at = match reversed {
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

    fn extreme(&mut self, id: ExprId, of: SetId, most: bool) -> Result<Term, Halt> {
        let gains = self.each(|eval| {
            Ok(match eval.is_empty(of)? {
                true => SmallVec::new(),
                false => SmallVec::from_slice(&[eval.value(id)?]),
            })
        })?;
        Ok(self.measure(MeasureKind::Extreme { most }, MemberValues::Several(gains)))
    }

    fn values_of(
        &mut self,
        of: SetId,
        temp: Temp,
        key: ExprId,
    ) -> Result<Vec<SmallVec<[i32; 2]>>, Halt> {
        self.each(|eval| {
            let members = eval.gather(of)?;
            let mut values = SmallVec::new();
            for &member in &members {
                eval.set_temp(temp, member);
                values.push(eval.value(key)?);
            }
            Ok(values)
        })
    }
}
