//! Calls by name: zones and components by key, queries of the game, functions.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::advice::{FUNCTIONS_ELSEWHERE, written};
use crate::compile::terms::value::Value;
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{self, Name};

impl Compiler<'_> {
    pub fn call(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Option<Value> {
        match self.world.symbol(&name.text) {
            Some(Symbol::Family(id)) => return self.zone_at(id, args, span),
            Some(Symbol::Kind(kind)) => return self.component_at(kind, args, span),
            Some(Symbol::RecordType(record)) => return self.record_call(record, args, span),
            Some(Symbol::Query(index)) => {
                return self.query_call(index, Vec::new(), args, name.span);
            }
            Some(Symbol::Var(id)) => {
                let indexed = self.world.var(id).and_then(|v| v.index);
                let help = match indexed {
                    Some(_) => format!("write its index in square brackets: `{}[…]`", name.text),
                    None => match FUNCTIONS_ELSEWHERE.advice(&name.text) {
                        Some(advice) => advice.to_owned(),
                        None => format!("it has a single value: write `{}`", name.text),
                    },
                };
                let message = format!("`{}` is a variable", name.text);
                return self.problem("variable-as-function", span, message, help);
            }
            _ => {}
        }
        if let Some(dispatch) = self.member_query(&name.text) {
            let (me, rest) = self.first_arg(name, args)?;
            let value = self.expr(me, None)?;
            return self.dispatch_call(dispatch, value.at(me.span), rest, name.span);
        }
        if let Some(answer) = self.function(name, args) {
            return answer;
        }
        if let (Some(Symbol::Constant), [index]) = (self.world.declared(&name.text), args)
            && let place = format!("{}[{}]", name.text, written(index))
            && !place.contains('…')
        {
            let message = format!("`{}` is a list, not a function", name.text);
            let problem = Diagnostic::error("unknown-function", name.span, message);
            let problem = problem.help(format!("a member stands in brackets: `{place}`"));
            return self.push(problem.repair(span, place));
        }
        self.unknown_function(name)
    }

    fn first_arg<'e>(
        &mut self,
        name: &Name,
        args: &'e [ast::Expr],
    ) -> Option<(&'e ast::Expr, &'e [ast::Expr])> {
        match args.split_first() {
            Some(found) => Some(found),
            None => self.problem(
                "missing-argument",
                name.span,
                format!("`{}` is a query of components", name.text),
                format!("write `c.{0}`, or `{0}(c)`", name.text),
            ),
        }
    }

    fn unknown_function(&mut self, name: &Name) -> Option<Value> {
        if self.is_of_constants() {
            return self.unknown_name(name, None);
        }
        if self.has_result(&name.text) {
            let message = format!(
                "`{}` is an effect, so no expression can contain it",
                name.text
            );
            let help = format!(
                "take its result in a line of its own: `let x = {}(…)`",
                name.text
            );
            return self.problem("result", name.span, message, help);
        }
        if let Some(shown) = self.effect_named(&name.text) {
            let message = format!("`{}` is an effect, not a value", name.text);
            let help = format!(
                "call it on a line of its own: `{shown}`; what only computes something is a query"
            );
            return self.unknown("unknown-function", name, message, help);
        }
        let help = self.advice_on_function(&name.text);
        let message = format!("there is no function or query `{}`", name.text);
        self.unknown("unknown-function", name, message, help)
    }

    /// Returns the names of queries for values of this type.
    pub fn queries_on(&self, ty: Ty) -> Vec<String> {
        let takes = |params: &[(String, Ty)]| {
            let first = params.first();
            first.is_some_and(|(_, of)| of.list == ty.list && self.world.fits(ty.of, of.of))
        };
        let queries = self.queries.all.iter().zip(&self.queries.params);
        let found = queries.filter(|(_, params)| takes(params));
        found.map(|(query, _)| query.name.text.clone()).collect()
    }
}
