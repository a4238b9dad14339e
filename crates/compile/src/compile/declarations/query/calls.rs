//! Calls of queries, by name and by the kind of a component.

use super::INLINE_WEIGHT_MAX;
use crate::compile::compiler::Compiler;
use crate::compile::expressions::advice::counted;
use crate::compile::scope::Binding;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::{Families, Ty, default_of};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates a call; `first` are arguments already translated (before the dot).
    pub fn query_call(
        &mut self,
        index: usize,
        first: Vec<ValueAt>,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Value> {
        let (name, params, id) = {
            let query = self.queries.all.get(index)?;
            (query.name.text.clone(), query.params.clone(), query.id)
        };
        let given = self.queries.params.get(index)?.clone();
        let args = self.query_arguments(&name, &given, first, args, span);
        let ty = self.translate_query(index)?;
        let args = args?;
        if let Some(value) = self.inlined(index, &params, &args) {
            return Some(value);
        }
        if self.is_by_parts(ty.of) {
            return self.call_by_parts(index, ty, &args);
        }
        let args = self.b.row(&args);
        Some(match ty.list {
            true => Value::List(self.b.set(Set::Call { query: id, args }), ty.of),
            false => Value::One(self.b.expr(Expr::Call { query: id, args }), ty.of),
        })
    }

    /// Inlines the body of a light query, if its arguments cost nothing to evaluate repeatedly.
    fn inlined(&mut self, index: usize, params: &[(String, Ty)], args: &[ExprId]) -> Option<Value> {
        let query = self.queries.all.get(index)?;
        let free = |arg: &ExprId| {
            matches!(
                self.b.get(*arg),
                Expr::Const(_) | Expr::Local(_) | Expr::Temp(_) | Expr::Word(_)
            )
        };
        if query.recursive.is_some() || query.weight > INLINE_WEIGHT_MAX || !args.iter().all(free) {
            return None;
        }
        let body = query.body.clone();
        let outer = self.scope.hide_names();
        for ((name, ty), arg) in params.iter().zip(args) {
            self.scope.bind(name, Binding::Alias(*arg, *ty));
        }
        let value = self.expr(&body, None);
        self.scope.show_names(outer);
        value
    }

    fn query_arguments(
        &mut self,
        name: &str,
        params: &[(String, Ty)],
        first: Vec<ValueAt>,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Vec<ExprId>> {
        if first.len() + args.len() != params.len() {
            let message = format!(
                "`{name}` takes {}, {} given",
                counted(params.len(), "argument"),
                first.len() + args.len()
            );
            let names = params.iter();
            let names = names.map(|(name, ty)| format!("{} {name}", self.world.type_word(*ty)));
            let help = match names.collect::<Vec<_>>() {
                none if none.is_empty() => "write it without parentheses".to_string(),
                names => format!("it is declared as `{name}({})`", names.join(", ")),
            };
            return self.problem("wrong-number-of-arguments", span, message, help);
        }
        let mut values = first;
        for (arg, (_, wanted)) in args.iter().zip(params.iter().skip(values.len())) {
            values.push(self.expr(arg, wanted.of)?.at(arg.span));
        }
        let mut exprs = Vec::new();
        for (ValueAt { value, span }, (_, wanted)) in values.into_iter().zip(params) {
            match self.record_type(wanted.of) {
                Some(record) => exprs.extend(self.record_argument(value, record, *wanted, span)?),
                None => exprs.push(self.argument(value, *wanted, span)?),
            }
        }
        Some(exprs)
    }

    fn argument(&mut self, value: Value, wanted: Ty, span: Span) -> Option<ExprId> {
        if !wanted.list {
            return self.one_from(value, wanted.of.unwrap_or(Type::Int), span);
        }
        self.is_one_member(value)?;
        let (set, of) = self.list_of(value);
        if !self.world.fits(of, wanted.of) {
            return self.mismatch(span, Ty::list(of), wanted);
        }
        Some(self.b.expr(Expr::ListArgument(set)))
    }

    /// `c.fits(s)`: the query of the component's kind.
    pub fn dispatch_call(
        &mut self,
        name: String,
        me: ValueAt,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Value> {
        self.world.mark_used(&name);
        let member = self.queries.of_kinds.get(&name)?;
        let (dispatch, by_kind) = (member.dispatch, member.by_kind.clone());
        let own = me.value.ty();
        let kind = match own.of {
            Some(Type::Component(kind)) if !own.list => kind,
            _ => return self.mismatch(me.span, own, Ty::COMPONENT),
        };
        let mut result: Option<Ty> = None;
        let mut params = None;
        for (_, index) in &by_kind {
            let ty = self.translate_query(*index)?;
            params = params.or_else(|| self.queries.params.get(*index).cloned());
            let known = result.unwrap_or(ty);
            if known.list != ty.list || !self.world.fits(ty.of, known.of) {
                let query = self.queries.all.get(*index)?.name.span;
                let (found, first) = (self.world.name_of(ty), self.world.name_of(known));
                let message =
                    format!("`{name}` returns {found} here, but {first} for another kind");
                let help =
                    "the caller does not know the kind, so all kinds must return the same type";
                return self.problem("kinds-disagree", query, message, help);
            }
            let of = self.world.wider(known.of, ty.of);
            result = Some(Ty { of, list: ty.list });
        }
        let (ty, mut params) = (result?, params?);
        if self.record_type(ty.of).is_some() {
            let message = "a query of a kind cannot return a record";
            let help = "return its parts by a query each, or declare the query under `queries:` of the game";
            return self.problem("record-of-kind", span, message, help);
        }
        if let Some(own) = params.first_mut() {
            own.1 = Ty::one(Type::Component(kind));
        }
        let args = self.query_arguments(&name, &params, vec![me], args, span)?;
        let args = self.b.row(&args);
        if let (Some(of), Some(info)) =
            (ty.of, self.b.program.dispatches.get_mut(dispatch as usize))
        {
            info.default = default_of(of);
        }
        Some(match ty.list {
            true => Value::List(self.b.set(Set::CallKind { dispatch, args }), ty.of),
            false => Value::One(self.b.expr(Expr::CallKind { dispatch, args }), ty.of),
        })
    }
}
