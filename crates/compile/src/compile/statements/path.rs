//! `path s from k in steps(it)`: a sequence in which the list of each member depends on those before.
//!
//! In the list, `it` is the last member and the name is the list of all so far. In its conditions, `it` is the next member.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::selections::without_conditions;
use crate::compile::scope::Binding;
use crate::compile::statements::choose::Manner;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_lang::ast::{self, BinderCount};
use wyrmgate_program::*;

impl Compiler<'_> {
    pub(crate) fn path(
        &mut self,
        binder: &ast::Binder,
        start: &ast::Expr,
        manner: Manner,
    ) -> Option<(BinderInfo, Ty)> {
        let lengths = match &binder.count {
            BinderCount::All => None,
            count @ (BinderCount::One
            | BinderCount::Any
            | BinderCount::Exactly(_)
            | BinderCount::UpTo(_)) => Some(self.numbers_of(count)),
        };
        let (first, of) = self.member_before(start)?;
        let ty = Ty::list(of);
        let temp = self.scope.temp(ty);
        let member = Ty::one(of);
        let (last, next) = (self.scope.temp(member), self.scope.temp(member));
        let outer = self.scope.mark();
        self.scope.bind(&binder.name.text, Binding::Temp(temp, ty));
        let listed = self.next_members(binder, last, next, of);
        self.scope.reset_but_temps(outer);
        let (domain, filters) = listed?;
        self.scope.bind(&binder.name.text, Binding::Temp(temp, ty));
        let local = self.slot_of_answer(manner, ty);
        let (name, of) = (&binder.name.text, of.unwrap_or(Type::Int));
        let info = BinderInfo {
            path: Some(PathInfo {
                start: first,
                last,
                member: next,
            }),
            filters,
            count: BinderSize::Path { lengths },
            ..BinderInfo::of_one(name, of, domain, temp, local)
        };
        Some((info, ty))
    }

    /// Translates what comes before the first member.
    fn member_before(&mut self, start: &ast::Expr) -> Option<(ExprId, Option<Type>)> {
        match self.expr(start, None)? {
            value @ (Value::Record(..) | Value::One(_, Some(Type::Record(_)))) => {
                self.not_a_record(value, start.span)
            }
            Value::One(value, of) => Some((value, of)),
            Value::List(..) => {
                let message = "a path begins at one value, and these are several";
                let help = "choose where it begins with a name of its own: `m in men, path s from m in steps(it)`";
                self.problem("wrong-type", start.span, message, help)
            }
        }
    }

    /// Translates the list of the next members and its conditions.
    fn next_members(
        &mut self,
        binder: &ast::Binder,
        last: Temp,
        next: Temp,
        of: Option<Type>,
    ) -> Option<(SetId, Vec<Condition>)> {
        let (listed, conditions) = without_conditions(&binder.of);
        let (listed, cites) = self.without_cites(listed);
        self.scope.push_it(last, of);
        let set = match of {
            Some(of) => self.list_typed(listed, of)?,
            None => self.list(listed)?.0,
        };
        self.b.cite_set(set, cites);
        let mut filters = Vec::new();
        self.scope.push_it(next, of);
        for condition in conditions {
            self.conjuncts(condition, &mut filters);
        }
        Some((set, filters))
    }
}
