//! The names that a choice binds: their lists, numbers and conditions.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::selections::without_conditions;
use crate::compile::scope::{Binding, OneOfMany};
use crate::compile::statements::choose::Manner;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::{Diagnostic, Severity, Span};
use wyrmgate_lang::ast::{self, BinderCount, ExprKind, Name};
use wyrmgate_program::*;

/// The conditions of a name: on each member, and on all chosen members together.
#[derive(Default)]
pub(crate) struct BinderConditions {
    pub filters: Vec<Condition>,
    pub together: Vec<Condition>,
}

impl Compiler<'_> {
    /// Translates what a name binds: of a bundle, a number for each value.
    pub fn binders(
        &mut self,
        binder: &ast::Binder,
        manner: Manner,
    ) -> Option<Vec<(BinderInfo, Ty)>> {
        let is_of_several = binder.count != BinderCount::One && binder.form == ast::Form::Plain;
        let mut records = self.world.records.iter();
        if is_of_several && records.any(|record| record.bundle_of.is_some()) {
            let (domain, _) = without_conditions(&binder.of);
            let (domain, _) = self.without_cites(domain);
            if let Some(ty) = self.bundle_type_named(domain) {
                return self.bundle_binders(binder, ty, None, manner);
            }
            let (problems, mark) = (self.report.diagnostics.len(), self.scope.mark());
            let whole = self.named_source(domain, &binder.name.text);
            if let Some(whole) = whole
                && let Some(ty) = self.bundle_type(whole.ty())
            {
                return self.bundle_binders(binder, ty, Some(whole), manner);
            }
            // A list is translated with its conditions.
            self.scope.reset_but_temps(mark);
            self.report.diagnostics.truncate(problems);
        }
        Some(vec![self.binder(binder, manner)?])
    }

    fn binder(&mut self, binder: &ast::Binder, manner: Manner) -> Option<(BinderInfo, Ty)> {
        if let ast::Form::Path(start) = &binder.form {
            return self.path(binder, start, manner);
        }
        if binder.form == ast::Form::Written {
            return self.written(binder, manner);
        }
        let count = self.binder_size(binder);
        let many = count != BinderSize::One;
        // The filters are kept apart so that a refusal can cite them.
        let asked = if binder.form == ast::Form::Member {
            Some(self.only_asked(&binder.of)?)
        } else {
            None
        };
        let (domain, filters) = without_conditions(asked.as_ref().unwrap_or(&binder.of));
        let (domain, cites) = self.without_cites(domain);
        let (set, member) = self.binder_list(domain, &binder.name.text)?;
        let is_record = self.record_type(member).is_some();
        if is_record && (many || manner.is_secret() || self.is_by_parts(member)) {
            return self.no_choice_of_records(binder);
        }
        self.b.cite_set(set, cites);
        let ty = Ty {
            of: member,
            list: many,
        };
        let temp = self.scope.temp(ty);
        let conditions = self.binder_conditions(&binder.name.text, temp, member, many, &filters);
        self.scope.bind(&binder.name.text, Binding::Temp(temp, ty));
        let local = self.slot_of_answer(manner, ty);
        let of = member.filter(|_| !is_record).unwrap_or(Type::Int);
        let name = &binder.name.text;
        let info = BinderInfo {
            alike: manner != Manner::AtRandom
                && matches!(member, Some(Type::Component(kind)) if self.b.program.may_be_alike(kind)),
            repeats: manner == Manner::AtRandom,
            filters: conditions.filters,
            together: conditions.together,
            count,
            ..BinderInfo::of_one(name, of, set, temp, local)
        };
        Some((info, ty))
    }

    /// Returns a list without the clauses that it cites, and these.
    pub(crate) fn without_cites<'e>(
        &mut self,
        list: &'e ast::Expr,
    ) -> (&'e ast::Expr, Vec<ClauseId>) {
        let cites = self.cites_of(list);
        if let ExprKind::Cited(inner, _) = &list.kind {
            return (inner, cites);
        }
        (list, cites)
    }

    /// Reserves the slot of an answer, or one for each seat.
    pub(crate) fn slot_of_answer(&mut self, manner: Manner, ty: Ty) -> Local {
        match manner {
            Manner::EachSeat => self.scope.locals_by_seat(ty),
            Manner::EachMember => self.scope.locals_by_seat(Ty::list(ty.of)),
            Manner::Asked | Manner::AtRandom | Manner::FirstSeat => self.scope.local(ty),
        }
    }

    /// Makes the name of a chosen record that of a copy; returns whether it is one. The answer is its number in its list.
    pub(crate) fn bind_record(&mut self, name: &str, answer: Local, ty: Ty) -> bool {
        if self.record_type(ty.of).is_none() || ty.list {
            return false;
        }
        let value = Value::One(self.b.local(answer), ty.of);
        let name = Name::new(name, Span::default());
        let span = name.span;
        self.let_value(&name, value, false, span);
        true
    }

    /// A choice of a record is its number in a variable.
    fn no_choice_of_records<T>(&mut self, binder: &ast::Binder) -> Option<T> {
        let name = &binder.name.text;
        let message = "a choice of a record is one of a list in a variable";
        let help = format!(
            "choose one of a variable, `choose {name} in …`, or its number: `n in 1..count(…)`, and then `let {name} = …[n]`"
        );
        self.problem("choice-of-records", binder.of.span, message, help)
    }

    /// Translates the filters of a name. If several members are chosen, a condition that uses the name as a list is
    /// about all of them together; otherwise the name is one member in it.
    pub(crate) fn binder_conditions(
        &mut self,
        name: &str,
        temp: Temp,
        member: Option<Type>,
        many: bool,
        filters: &[&ast::Expr],
    ) -> BinderConditions {
        let mut conditions = BinderConditions::default();
        for (conjunct, cites) in filters.iter().flat_map(|filter| conjuncts_of(filter)) {
            let problems = self.report.diagnostics.len();
            let outer = self.scope.one_of_many.take();
            self.scope.one_of_many = many.then_some(OneOfMany {
                temp,
                used_as_list: false,
                is_zone_of_things: false,
            });
            let mark = self.scope.mark();
            self.scope.push_it(temp, member);
            self.scope.bind(name, Binding::Temp(temp, Ty::one(member)));
            self.conjunct(conjunct, &cites, &mut conditions.filters);
            self.scope.reset(mark);
            let one_of_many = std::mem::replace(&mut self.scope.one_of_many, outer);
            let Some(one) = one_of_many else {
                continue;
            };
            let reported = self.report.diagnostics.split_off(problems);
            let is_about_all = one.used_as_list || one.is_zone_of_things && has_errors(&reported);
            if !is_about_all {
                self.report.diagnostics.extend(reported);
                continue;
            }
            self.scope.bind(name, Binding::Temp(temp, Ty::list(member)));
            let outer = self.scope.selection.replace(name.to_owned());
            self.conjunct(conjunct, &cites, &mut conditions.together);
            self.scope.selection = outer;
            self.scope.reset(mark);
            let new_problems = self.report.diagnostics.get(problems..).unwrap_or_default();
            if !one.used_as_list && has_errors(new_problems) {
                self.report.diagnostics.truncate(problems);
                self.report.diagnostics.extend(reported);
            }
        }
        conditions
    }

    /// Splits `a and b [X-02]` into conditions with their clauses.
    pub fn conjuncts(&mut self, expr: &ast::Expr, into: &mut Vec<Condition>) {
        for (conjunct, cites) in conjuncts_of(expr) {
            self.conjunct(conjunct, &cites, into);
        }
    }

    pub fn conjunct(&mut self, expr: &ast::Expr, cites: &[Name], into: &mut Vec<Condition>) {
        let cites = self.cite(cites);
        if let Some(test) = self.condition(expr) {
            let span = expr.span;
            into.push(Condition { test, cites, span });
        }
    }

    fn binder_size(&mut self, binder: &ast::Binder) -> BinderSize {
        let ordered = binder.form == ast::Form::Ordered;
        let (least, most) = match &binder.count {
            BinderCount::One => return BinderSize::One,
            BinderCount::Any => return BinderSize::Any,
            BinderCount::All => return BinderSize::Permutation,
            BinderCount::Exactly(_) | BinderCount::UpTo(_) => self.numbers_of(&binder.count),
        };
        match binder.form {
            ast::Form::Repeated => BinderSize::Repeated { least, most },
            ast::Form::Plain
            | ast::Form::Ordered
            | ast::Form::Path(_)
            | ast::Form::Written
            | ast::Form::Member => BinderSize::Many {
                least,
                most,
                ordered,
            },
        }
    }

    /// Returns how many members are chosen at least and at most.
    pub(crate) fn numbers_of(&mut self, count: &BinderCount) -> (ExprId, ExprId) {
        let zero = self.b.constant(0);
        let numbers = self.amounts(count, LENGTH_MAX as i32);
        numbers.unwrap_or((zero, zero))
    }

    /// Returns the least and the greatest number; `None` after a diagnostic.
    pub(crate) fn amounts(&mut self, count: &BinderCount, all: i32) -> Option<(ExprId, ExprId)> {
        let none = self.b.constant(0);
        Some(match count {
            BinderCount::Exactly(count) => {
                let count = self.number(count)?;
                (count, count)
            }
            BinderCount::UpTo(most) => (none, self.number(most)?),
            BinderCount::One | BinderCount::Any | BinderCount::All => (none, self.b.constant(all)),
        })
    }
}

/// Returns the operands of the `and`s of a condition, each with its clauses.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other forms have a general translation"
)]
pub fn conjuncts_of(expr: &ast::Expr) -> Vec<(&ast::Expr, Vec<Name>)> {
    match &expr.kind {
        ExprKind::Binary(ast::BinaryOp::And, a, b) => {
            let mut all = conjuncts_of(a);
            all.extend(conjuncts_of(b));
            all
        }
        ExprKind::Cited(inner, cites) => {
            let mut all = conjuncts_of(inner);
            for (_, known) in &mut all {
                known.extend(cites.iter().cloned());
            }
            all
        }
        _ => vec![(expr, Vec::new())],
    }
}

fn has_errors(reported: &[Diagnostic]) -> bool {
    reported.iter().any(|one| one.severity == Severity::Error)
}
