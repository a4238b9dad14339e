//! Translates expressions from the syntax tree to the arenas and infers their types.

use crate::compile::compiler::Compiler;
use crate::compile::scope::{Binding, Mark};
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use crate::names::walk::mentions;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{self, ExprKind, Name, Quantifier};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns `None` after a diagnostic. `wanted` determines the meaning of a bare name of a value.
    pub fn expr(&mut self, expr: &ast::Expr, wanted: Option<Type>) -> Option<Value> {
        checkpoint();
        self.b.effort += 1;
        match &expr.kind {
            ExprKind::Int(value) => Some(Value::One(self.b.constant(*value), Some(Type::Int))),
            ExprKind::Bool(value) => {
                Some(Value::One(self.b.constant(*value as i32), Some(Type::Bool)))
            }
            ExprKind::None => Some(Value::One(self.b.constant(NONE), None)),
            ExprKind::Text(text) if wanted == Some(Type::Letter) => {
                self.literal_text(text).or_else(|| self.text_as_value(text))
            }
            ExprKind::Text(text) => self.text_as_value(text),
            ExprKind::Name(name) => self.name(name, wanted),
            ExprKind::It => self.it(expr.span),
            ExprKind::ItField(name, args) => {
                let it = self.it(expr.span)?;
                self.member(it, expr.span, name, args.as_deref())
            }
            ExprKind::Field(of, name, None) if let Some(part) = self.own_part(of, name) => {
                self.name(&part, None)
            }
            ExprKind::Field(of, name, args) => {
                let of_value = self.expr(of, None)?;
                self.member(of_value, of.span, name, args.as_deref())
            }
            ExprKind::Call(name, args) => self.call(name, args, expr.span),
            ExprKind::Index(of, index) => self.index(of, index, expr.span),
            ExprKind::List(items) => self.list_literal(items, wanted),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.number(low)?, self.number(high)?);
                Some(self.list_value(Set::Range(low, high), Some(Type::Int)))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.span),
            ExprKind::Binary(ast::BinaryOp::Portion, number, value) => {
                self.portion(number, value, wanted, expr.span)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, wanted, expr.span),
            ExprKind::Is {
                subject,
                negated,
                what,
            } => self.is(subject, *negated, what),
            ExprKind::If(condition, a, b) => self.if_expr(condition, a, b, wanted),
            ExprKind::Where(..) | ExprKind::Sorted { .. } | ExprKind::With { .. } => {
                let name = ast::named_list(expr).map(|(name, _)| name.text.as_str());
                self.selected(expr, name)
            }
            ExprKind::Let { name, value, body } => self.let_in(name, value, body, wanted),
            ExprKind::Selections(binder) => self.misplaced_selections(binder, expr.span),
            ExprKind::Quantified {
                quantifier,
                name,
                of,
                condition,
            } => self.quantified(*quantifier, name, of, condition),
            ExprKind::Cited(inner, cites) => self.cited(inner, cites, wanted),
        }
    }

    fn cited(&mut self, inner: &ast::Expr, cites: &[Name], wanted: Option<Type>) -> Option<Value> {
        let clauses = self.cite(cites);
        let value = self.expr(inner, wanted)?;
        match value {
            Value::One(id, Some(Type::Bool)) => self.b.cite_expr(id, clauses),
            Value::List(set, _) => self.b.cite_set(set, clauses),
            Value::One(..) | Value::Record(..) => {}
        }
        Some(value)
    }

    /// `.color = "red"`
    fn text_as_value(&mut self, text: &ast::Text) -> Option<Value> {
        let message = "a text is not a value";
        let problem = Diagnostic::error("text-as-value", text.span, message);
        let key = text.key();
        let is_value = !self.world.enums_with(&key).is_empty();
        self.report.push(match is_value {
            true => problem
                .help(format!("values of a type stand without quotes: `{key}`"))
                .repair(text.span, key),
            false => problem.help("use texts in `say`, prompts and labels only"),
        });
        None
    }

    fn it(&mut self, span: Span) -> Option<Value> {
        match self.scope.it() {
            Some((temp, ty)) => {
                let it = Value::One(self.b.temp(temp), ty.of);
                Some(self.unpacked(it))
            }
            None if self.scope.selection.is_some() => {
                let name = self.scope.selection.clone().unwrap_or_default();
                let message = format!("this condition is about all of `{name}`, so there is no `it`");
                let help = format!("ask about the members with `every x in {name} has …` or `some x in {name} has …`");
                self.problem("no-it", span, message, help)
            }
            None => self.problem(
                "no-it",
                span,
                "there is no `it` here",
                "`it` and `.field` refer to the member that a filter (`where`, `sum(…, .x)`) examines",
            ),
        }
    }

    // ---- filters and keys

    /// Translates `S where cond`, `S sorted by key`, `S with most key`; a binder's own name is available in its
    /// filters.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn selected(&mut self, expr: &ast::Expr, name: Option<&str>) -> Option<Value> {
        let (of, key) = match &expr.kind {
            ExprKind::Where(of, key)
            | ExprKind::Sorted { of, key, .. }
            | ExprKind::With { of, key, .. } => (of, key),
            // `x in S`: the name is that of the members.
            ExprKind::Binary(ast::BinaryOp::In, _, of)
                if ast::named_list(expr).map(|(own, _)| own.text.as_str()) == name =>
            {
                return self.expr(of, None);
            }
            _ => return self.expr(expr, None),
        };
        let (of, member) = self.source(of, name)?;
        let (temp, key) = match &expr.kind {
            ExprKind::Where(..) => self.filter(key, member, name)?,
            _ => self
                .key(key, member, name)
                .map(|(temp, key, _)| (temp, key))?,
        };
        let set = match expr.kind {
            ExprKind::Sorted { descending, .. } => Set::Sorted(SortedList {
                of,
                temp,
                key,
                descending,
            }),
            ExprKind::With { most, .. } => Set::With(ExtremeKey {
                of,
                temp,
                key,
                most,
            }),
            _ => return Some(Value::List(self.b.filtered(of, temp, key), member)),
        };
        Some(self.list_value(set, member))
    }

    /// Translates the list of a function that looks at each member. The members of `x in S` have a name.
    pub(crate) fn named_source(&mut self, list: &ast::Expr, name: &str) -> Option<Value> {
        self.selected(list, Some(name))
    }

    /// `let n = …; …`: the value is evaluated once.
    fn let_in(
        &mut self,
        name: &Name,
        value: &ast::Expr,
        body: &ast::Expr,
        wanted: Option<Type>,
    ) -> Option<Value> {
        let mark = self.scope.mark();
        let value = self.expr(value, None);
        let bound = match value {
            Some(value) => self.bind_temps(name, value, mentions(body, &["after"])),
            None => {
                self.scope.bind(&name.text, Binding::Failed);
                Vec::new()
            }
        };
        let body = self.expr(body, wanted);
        let body = body.map(|body| self.apart_from_names(body));
        self.end_names(mark, body);
        value?;
        let outwards = bound.into_iter().rev();
        outwards.fold(body, |body, (temp, value)| {
            Some(self.bound_around(body?, temp, value))
        })
    }

    /// Ends the names of an expression. The temps that a list binds stay in use.
    fn end_names(&mut self, mark: Mark, value: Option<Value>) {
        match value {
            Some(Value::List(..)) => self.scope.reset_but_temps(mark),
            Some(Value::One(..) | Value::Record(..)) | None => self.scope.reset(mark),
        }
    }

    /// `body`, in which a temp has a value.
    pub(crate) fn bound_around(&mut self, body: Value, temp: Temp, value: Value) -> Value {
        match (value, body) {
            (Value::One(value, _), Value::One(body, of)) => {
                Value::One(self.b.expr(Expr::Let { value, temp, body }), of)
            }
            (Value::List(value, _), Value::One(body, of)) => {
                Value::One(self.b.expr(Expr::LetList { value, temp, body }), of)
            }
            (Value::One(value, _), Value::List(list, of)) => {
                let bound = |c: &mut Self, list| c.b.set(Set::Let { value, temp, list });
                self.each_column(list, of, bound)
            }
            (Value::List(value, _), Value::List(list, of)) => {
                let bound = |c: &mut Self, list| c.b.set(Set::LetList { value, temp, list });
                self.each_column(list, of, bound)
            }
            (_, Value::Record(record, first)) => {
                let parts = self.record_decl(record).parts.len() as ExprId;
                let parts = (first..first + parts)
                    .map(|part| self.bound_around(Value::One(part, None), temp, value));
                let parts = parts.collect();
                self.record_of(record, false, parts)
            }
            (Value::Record(..), body) => body,
        }
    }

    fn source(&mut self, of: &ast::Expr, name: Option<&str>) -> Option<(SetId, Option<Type>)> {
        let value = self.selected(of, name)?;
        self.list_from(value, of.span)
    }

    /// Translates the list of a binder, whose filters may use the binder's name.
    pub fn binder_list(&mut self, of: &ast::Expr, name: &str) -> Option<(SetId, Option<Type>)> {
        self.source(of, Some(name))
    }

    pub(crate) fn filter(
        &mut self,
        condition: &ast::Expr,
        member: Option<Type>,
        name: Option<&str>,
    ) -> Option<(Temp, ExprId)> {
        let mark = self.scope.mark();
        let temp = self.member_temp(member, name);
        self.scope.push_it(temp, member);
        let test = self.condition(condition);
        self.scope.reset(mark);
        Some((temp, test?))
    }

    /// Reserves a temp for the members of a list.
    fn member_temp(&mut self, of: Option<Type>, name: Option<&str>) -> Temp {
        let ty = Ty::one(of);
        let temp = self.scope.temp(ty);
        if let Some(name) = name {
            self.scope.bind(name, Binding::Temp(temp, ty));
        }
        temp
    }

    /// Translates an expression over the member of a list: its temp, the expression and its type.
    pub fn key(
        &mut self,
        key: &ast::Expr,
        member: Option<Type>,
        name: Option<&str>,
    ) -> Option<(Temp, ExprId, Ty)> {
        let (temp, value) = self.key_value(key, member, name)?;
        let expr = self.single(value, key.span)?;
        Some((temp, expr, value.ty()))
    }

    /// Translates a key that may be a list; see [`Compiler::key`] for single values.
    pub fn key_value(
        &mut self,
        key: &ast::Expr,
        member: Option<Type>,
        name: Option<&str>,
    ) -> Option<(Temp, Value)> {
        let mark = self.scope.mark();
        let temp = self.member_temp(member, name);
        self.scope.push_it(temp, member);
        let value = self.expr(key, None);
        self.end_names(mark, value);
        Some((temp, value?))
    }

    /// Translates a quantifier. The member is available by its name only; `it` keeps its outer meaning.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        name: &Name,
        of: &ast::Expr,
        condition: &ast::Expr,
    ) -> Option<Value> {
        let (of, member) = self.binder_list(of, &name.text)?;
        let mark = self.scope.mark();
        let temp = self.member_temp(member, Some(&name.text));
        let condition = self.condition(condition);
        self.scope.reset(mark);
        let condition = condition?;
        let some = Expr::Some(MemberTest {
            of,
            temp,
            condition,
        });
        let expr = match quantifier {
            Quantifier::Some => self.b.expr(some),
            Quantifier::Every => self.b.expr(Expr::Every(MemberTest {
                of,
                temp,
                condition,
            })),
            Quantifier::No => {
                let some = self.b.expr(some);
                self.b.not(some)
            }
        };
        Some(Value::One(expr, Some(Type::Bool)))
    }

    pub fn single(&mut self, value: Value, span: Span) -> Option<ExprId> {
        if self.record_type(value.ty().of).is_some() && !value.ty().list {
            return self.not_a_record(value, span);
        }
        match value {
            Value::One(expr, _) => Some(expr),
            Value::List(..) | Value::Record(..) => {
                self.mismatch(span, value.ty(), value.ty().element())
            }
        }
    }
}
