//! Selections of several members in an expression: `count(2 c in hand(p) where sum(c, .rank) = 15)`.

use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::expressions::function::Function;
use crate::compile::scope::Binding;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, Binder, BinderCount, ExprKind, Name};
use wyrmgate_program::*;

/// Functions of selections, and whether they look at each selection.
const FUNCTIONS: [(&str, Chosen, Option<Ty>); 6] = [
    ("count", Chosen::Count, None),
    ("sum", Chosen::Sum, Some(Ty::INT)),
    ("max", Chosen::Max, Some(Ty::INT)),
    ("min", Chosen::Min, Some(Ty::INT)),
    ("any", Chosen::Any, Some(Ty::BOOL)),
    ("all", Chosen::All, Some(Ty::BOOL)),
];

const HELP: &str = "ask about all of them with `count`, `sum`, `max`, `min`, `any` or `all`: `count(2 c in hand(p) where sum(c, .rank) = 15)`; a bundle is compared: `2 tea <= purse[p]`";

impl Compiler<'_> {
    /// Translates a function of selections; `None` if the first argument is a list.
    pub(crate) fn of_selections(
        &mut self,
        row: &Function,
        first: &ast::Expr,
        rest: &[ast::Expr],
        name: &Name,
    ) -> Attempt<Value> {
        let (list, filters) = without_conditions(first);
        let ExprKind::Selections(binder) = &list.kind else {
            return None;
        };
        let known = FUNCTIONS.iter().find(|(known, ..)| *known == row.name);
        let mark = self.scope.mark();
        let asked = match (known, rest) {
            (Some((_, what, None)), []) => self.asked_of_selections(*what, binder, &filters, None),
            (Some((_, what, Some(wanted))), [key]) => {
                self.asked_of_selections(*what, binder, &filters, Some((key, *wanted)))
            }
            _ => {
                let message = format!("`{}` does not take selections like this", name.text);
                self.problem("selections", name.span, message, HELP)
            }
        };
        self.scope.reset(mark);
        Some(asked)
    }

    /// Reports a selection where a value is expected.
    pub(crate) fn misplaced_selections(&mut self, binder: &Binder, span: Span) -> Option<Value> {
        let name = &binder.name.text;
        if matches!(&binder.count, BinderCount::Exactly(count) if matches!(&count.kind, ExprKind::Name(word) if word.text == "choose"))
        {
            let message = "a choice is a statement, not a value";
            let help = format!(
                "write `choose {name} in …` on a line of its own: `{name}` is what was chosen, in the lines below"
            );
            return self.problem("selections", span, message, help);
        }
        let message = format!("`{name}` stands for every selection of several members here");
        self.problem("selections", span, message, HELP)
    }

    fn asked_of_selections(
        &mut self,
        what: Chosen,
        binder: &Binder,
        filters: &[&ast::Expr],
        key: Option<(&ast::Expr, Ty)>,
    ) -> Option<Value> {
        let (least, most) = self.amounts(&binder.count, i32::MAX)?;
        let name = binder.name.text.as_str();
        let whole = self.expr(&binder.of, None)?;
        if self.bundle_type(whole.ty()).is_some() {
            let message = "a bundle is no list from which members are selected";
            return self.problem("selections", binder.of.span, message, HELP);
        }
        let (of, member) = self.list_from(whole, binder.of.span)?;
        let ty = Ty::list(member);
        let temp = self.scope.temp(ty);
        let conditions = self.binder_conditions(name, temp, member, true, filters);
        let filter = self.all_hold(&conditions.filters);
        let of = filter.map_or(of, |filter| self.b.filtered(of, temp, filter));
        let condition = self.all_hold(&conditions.together);
        let condition = condition.unwrap_or_else(|| self.b.constant(1));
        self.scope.bind(name, Binding::Temp(temp, ty));
        let key = match key {
            None => self.b.constant(1),
            Some((key, wanted)) => {
                let value = self.expr(key, wanted.of)?;
                self.one_from(value, wanted.of.unwrap_or(Type::Int), key.span)?
            }
        };
        let expr = Expr::Selections(SelectionsAsked {
            what,
            of,
            least,
            most,
            temp,
            condition,
            key,
        });
        let of = match what {
            Chosen::Any | Chosen::All => Type::Bool,
            Chosen::Count | Chosen::Sum | Chosen::Max | Chosen::Min => Type::Int,
        };
        let expr = self
            .b
            .checked_expr(expr, binder.name.span.to(binder.of.span));
        Some(Value::One(expr, Some(of)))
    }

    /// Returns whether all conditions hold; `None` if there are none.
    fn all_hold(&mut self, conditions: &[Condition]) -> Option<ExprId> {
        let tests = conditions.iter().map(|condition| condition.test);
        tests.reduce(|one, other| self.b.and(one, other))
    }
}

/// Separates a list from its conditions, of which the first one comes first.
pub(crate) fn without_conditions(mut list: &ast::Expr) -> (&ast::Expr, Vec<&ast::Expr>) {
    let mut conditions: Vec<&ast::Expr> = Vec::new();
    while let ExprKind::Where(of, condition) = &list.kind {
        conditions.insert(0, condition);
        list = of;
    }
    (list, conditions)
}
