//! Expressions: from the tree as written to the arenas, with types found on the way.

use super::Compiler;
use super::scope::Binding;
use super::value::Value;
use crate::check::types::{Families, Ty, default_of};
use crate::check::world::{SIDES, Symbol};
use crate::diagnostic::{Diagnostic, Span};
use crate::lang::ast::{self, BinaryOp, ExprKind, Name, Quantifier, UnaryOp};
use crate::program::*;

impl Compiler<'_> {
    /// `None` after a diagnostic. `wanted` settles what a bare name of a value means.
    pub fn expr(&mut self, expr: &ast::Expr, wanted: Option<Type>) -> Option<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Value::One(self.b.constant(*value), Some(Type::Int))),
            ExprKind::Bool(value) => {
                Some(Value::One(self.b.constant(*value as i32), Some(Type::Bool)))
            }
            ExprKind::None => Some(Value::One(self.b.constant(NONE), None)),
            ExprKind::Text(text) => self.problem(
                "text-as-value",
                text.span,
                "a text is no value",
                "texts stand in `say`, in prompts and in labels",
            ),
            ExprKind::Name(name) => self.name(name, wanted),
            ExprKind::It => self.it(expr.span),
            ExprKind::ItField(name, args) => {
                let it = self.it(expr.span)?;
                self.member(it, expr.span, name, args.as_deref())
            }
            ExprKind::Field(of, name, args) => {
                let of_value = self.expr(of, None)?;
                self.member(of_value, of.span, name, args.as_deref())
            }
            ExprKind::Call(name, args) => self.call(name, args, expr.span),
            ExprKind::Index(of, index) => self.index(of, index),
            ExprKind::List(items) => self.list_literal(items, wanted),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.number(low)?, self.number(high)?);
                Some(Value::List(
                    self.b.set(Set::Range(low, high)),
                    Some(Type::Int),
                ))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.span),
            ExprKind::Is {
                subject,
                negated,
                what,
            } => self.is(subject, *negated, what),
            ExprKind::If(condition, a, b) => self.if_expr(condition, a, b, wanted),
            ExprKind::Where(of, condition) => self.filtered(of, condition, None),
            ExprKind::Sorted {
                of,
                key,
                descending,
            } => {
                let (set, of) = self.list(of)?;
                let (temp, key, _) = self.key(key, of)?;
                Some(Value::List(
                    self.b.set(Set::Sorted {
                        of: set,
                        temp,
                        key,
                        descending: *descending,
                    }),
                    of,
                ))
            }
            ExprKind::With { of, key, most } => {
                let (set, of) = self.list(of)?;
                let (temp, key, _) = self.key(key, of)?;
                Some(Value::List(
                    self.b.set(Set::With {
                        of: set,
                        temp,
                        key,
                        most: *most,
                    }),
                    of,
                ))
            }
            ExprKind::Quantified {
                quantifier,
                name,
                of,
                condition,
            } => self.quantified(*quantifier, name, of, condition),
            ExprKind::Cited(inner, cites) => {
                let clauses = self.cite(cites);
                let value = self.expr(inner, wanted)?;
                if let Value::One(id, Some(Type::Bool)) = value {
                    self.b.cite_expr(id, clauses);
                }
                Some(value)
            }
        }
    }

    fn it(&mut self, span: Span) -> Option<Value> {
        match self.scope.it() {
            Some((temp, ty)) => Some(Value::One(self.b.expr(Expr::Temp(temp)), ty.of)),
            None => self.problem(
                "no-it",
                span,
                "there is no `it` here",
                "`it` and `.field` stand for the member a filter (`where`, `sum(…, .x)`) looks at",
            ),
        }
    }

    // ---- names

    pub fn name(&mut self, name: &Name, wanted: Option<Type>) -> Option<Value> {
        if let Some(binding) = self.scope.find(&name.text) {
            return self.bound(binding, name.span);
        }
        if let Some(Type::Enum(id)) = wanted
            && let Some(value) = self.world.enum_value(id, &name.text)
        {
            return Some(Value::One(self.b.constant(value), wanted));
        }
        if let Some(value) = self.builtin_name(&name.text) {
            return Some(value);
        }
        match self.world.symbol(&name.text) {
            Some(symbol) => self.symbol(symbol, name),
            None => self.value_name(name),
        }
    }

    fn bound(&mut self, binding: Binding, span: Span) -> Option<Value> {
        Some(match binding {
            Binding::Temp(temp, ty) if ty.list => Value::List(self.b.set(Set::Temp(temp)), ty.of),
            Binding::Temp(temp, ty) => Value::One(self.b.expr(Expr::Temp(temp)), ty.of),
            Binding::Local(local, ty) if ty.list => {
                Value::List(self.b.set(Set::Local(local)), ty.of)
            }
            Binding::Local(local, ty) => Value::One(self.b.expr(Expr::Local(local)), ty.of),
            Binding::Alias(expr, ty) => Value::One(expr, ty.of),
            Binding::BySeat(..) => {
                return self.problem(
                    "one-for-each-seat",
                    span,
                    "every seat has its own answer here",
                    "say whose: `c[p]`",
                );
            }
        })
    }

    fn builtin_name(&mut self, name: &str) -> Option<Value> {
        if let Some(side) = SIDES.iter().position(|side| *side == name) {
            return Some(Value::One(self.b.constant(side as i32), Some(Type::Side)));
        }
        match name {
            "seats" => {
                let last = self.world.seats as i32 - 1;
                Some(self.range_of(0, last, Type::Seat))
            }
            "box" => Some(Value::One(
                self.b.constant(BOX as i32),
                Some(Type::Zone(Some(0))),
            )),
            "sides" => Some(self.range_of(0, 3, Type::Side)),
            _ => None,
        }
    }

    pub fn range_of(&mut self, low: i32, high: i32, of: Type) -> Value {
        let (low, high) = (self.b.constant(low), self.b.constant(high));
        Value::List(self.b.set(Set::Range(low, high)), Some(of))
    }

    fn symbol(&mut self, symbol: Symbol, name: &Name) -> Option<Value> {
        match symbol {
            Symbol::Enum(id) => {
                let count = self
                    .world
                    .enums
                    .get(id as usize)
                    .map_or(0, |e| e.values.len());
                Some(self.range_of(0, count as i32 - 1, Type::Enum(id)))
            }
            Symbol::Plural(kind) => Some(self.all_of(kind)),
            Symbol::Kind(kind) => match self.world.kind(kind).count {
                1 => {
                    let component = self.world.kind(kind).first as i32;
                    Some(Value::One(
                        self.b.constant(component),
                        Some(Type::Component(Some(kind))),
                    ))
                }
                _ => self.problem(
                    "kind-as-value",
                    name.span,
                    format!("`{}` is a kind of which there are several", name.text),
                    "use its plural for all of them, or its keys for one: `dragon(red, 3)`",
                ),
            },
            Symbol::Family(id) => self.family(id),
            Symbol::Var(id) => self.variable(id, name),
            Symbol::Constant => {
                let constant = self.world.constants.get(&name.text).cloned()?;
                Some(self.constant_value(&constant))
            }
            Symbol::Query(index) => self.query_call(index, Vec::new(), &[], name.span),
        }
    }

    fn all_of(&mut self, kind: KindId) -> Value {
        let (first, count) = (
            self.world.kind(kind).first as i32,
            self.world.kind(kind).count as i32,
        );
        self.range_of(first, first + count - 1, Type::Component(Some(kind)))
    }

    fn family(&mut self, id: FamilyId) -> Option<Value> {
        let family = self.world.families.get(id as usize)?;
        let (first, count, single) = (
            family.first as i32,
            family.count as i32,
            family.keys.is_empty(),
        );
        if single {
            return Some(Value::One(
                self.b.constant(first),
                Some(Type::Zone(Some(id))),
            ));
        }
        Some(self.range_of(first, first + count - 1, Type::Zone(Some(id))))
    }

    fn variable(&mut self, id: VarId, name: &Name) -> Option<Value> {
        let var = self.world.vars.get(id as usize)?.clone();
        if let Some(index) = var.index {
            let what = self.world.name_of(Ty::one(index));
            return self.problem(
                "variable-needs-index",
                name.span,
                format!("`{}` has one value for {what}", name.text),
                format!("say which: `{}[…]`", name.text),
            );
        }
        Some(Value::One(
            self.b.expr(Expr::Word(var.offset)),
            Some(var.of),
        ))
    }

    fn value_name(&mut self, name: &Name) -> Option<Value> {
        match self.world.enums_with(&name.text).as_slice() {
            [(id, value)] => Some(Value::One(self.b.constant(*value), Some(Type::Enum(*id)))),
            [] => self.unknown_name(name),
            several => {
                let enums: Vec<String> = several
                    .iter()
                    .map(|(id, _)| format!("`{}`", self.world.enum_name(*id)))
                    .collect();
                self.problem(
                    "ambiguous-value",
                    name.span,
                    format!("`{}` is a value of {}", name.text, enums.join(" and ")),
                    "compare it with something of one of these types, or give one value another name",
                )
            }
        }
    }

    pub fn unknown_name<T>(&mut self, name: &Name) -> Option<T> {
        let mut problem = Diagnostic::error(
            "unknown-name",
            name.span,
            format!("nothing is called `{}`", name.text),
        );
        let locals = self.scope.names();
        let locals: Vec<&str> = locals.iter().map(String::as_str).collect();
        if let Some(meant) = self.world.suggest(&name.text, &locals) {
            problem = problem.help(format!("did you mean `{meant}`?"));
        }
        self.report.push(problem);
        None
    }

    // ---- filters and keys

    /// `S where cond`; a binder's own name may be used in its filter.
    pub fn filtered(
        &mut self,
        of: &ast::Expr,
        condition: &ast::Expr,
        name: Option<&str>,
    ) -> Option<Value> {
        let (set, member) = match (&of.kind, name) {
            (ExprKind::Where(inner, inner_condition), Some(_)) => {
                let value = self.filtered(inner, inner_condition, name)?;
                self.list_of(value)
            }
            _ => self.list(of)?,
        };
        let (temp, condition, of_key) = self.key_named(condition, member, name)?;
        if !self.world.fits(of_key.of, Some(Type::Bool)) {
            return self.mismatch(of.span, of_key, Ty::BOOL);
        }
        Some(Value::List(
            self.b.set(Set::Where {
                of: set,
                temp,
                condition,
            }),
            member,
        ))
    }

    /// An expression over the member of a list: its temp, itself and its type.
    pub fn key(&mut self, key: &ast::Expr, member: Option<Type>) -> Option<(Temp, ExprId, Ty)> {
        self.key_named(key, member, None)
    }

    pub fn key_named(
        &mut self,
        key: &ast::Expr,
        member: Option<Type>,
        name: Option<&str>,
    ) -> Option<(Temp, ExprId, Ty)> {
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty {
            of: member,
            list: false,
        });
        self.scope.push_it(temp, member);
        if let Some(name) = name {
            self.scope.bind(
                name,
                Binding::Temp(
                    temp,
                    Ty {
                        of: member,
                        list: false,
                    },
                ),
            );
        }
        let value = self.expr(key, None);
        self.scope.reset(mark);
        match value? {
            Value::One(expr, of) => Some((temp, expr, Ty { of, list: false })),
            other => self.mismatch(key.span, other.ty(), Ty::INT),
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        name: &Name,
        of: &ast::Expr,
        condition: &ast::Expr,
    ) -> Option<Value> {
        let (set, member) = self.binder_list(of, &name.text)?;
        let (temp, condition, ty) = self.key_named(condition, member, Some(&name.text))?;
        if !self.world.fits(ty.of, Some(Type::Bool)) {
            return self.mismatch(of.span, ty, Ty::BOOL);
        }
        let some = Expr::Some {
            of: set,
            temp,
            condition,
        };
        let expr = match quantifier {
            Quantifier::Some => self.b.expr(some),
            Quantifier::Every => self.b.expr(Expr::Every {
                of: set,
                temp,
                condition,
            }),
            Quantifier::No => {
                let some = self.b.expr(some);
                self.b.not(some)
            }
        };
        Some(Value::One(expr, Some(Type::Bool)))
    }

    /// The list of a binder: its filters may use the binder's name.
    pub fn binder_list(&mut self, of: &ast::Expr, name: &str) -> Option<(SetId, Option<Type>)> {
        let value = match &of.kind {
            ExprKind::Where(inner, condition) => self.filtered(inner, condition, Some(name))?,
            _ => self.expr(of, None)?,
        };
        Some(self.list_of(value))
    }

    // ---- operators

    fn list_literal(&mut self, items: &[ast::Expr], wanted: Option<Type>) -> Option<Value> {
        let mut of = wanted;
        let mut exprs = Vec::new();
        for item in items {
            match self.expr(item, of)? {
                Value::One(expr, found) if self.world.fits(found, of) => {
                    of = of.or(found);
                    exprs.push(expr);
                }
                other => return self.mismatch(item.span, other.ty(), Ty { of, list: false }),
            }
        }
        if exprs.is_empty() {
            return Some(Value::List(self.b.set(Set::Empty), of));
        }
        let first = self.b.row(&exprs);
        Some(Value::List(
            self.b.set(Set::List {
                first,
                count: exprs.len() as u16,
            }),
            of,
        ))
    }

    fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Option<Value> {
        match op {
            UnaryOp::Not => {
                let condition = self.condition(operand)?;
                Some(Value::One(self.b.not(condition), Some(Type::Bool)))
            }
            UnaryOp::Negate => {
                let number = self.number(operand)?;
                let expr = match self.b.get(number) {
                    Expr::Const(value) => self.b.constant(value.saturating_neg()),
                    _ => self.b.checked_expr(Expr::Negate(number), span),
                };
                Some(Value::One(expr, Some(Type::Int)))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Value> {
        let bool_of = |expr| Some(Value::One(expr, Some(Type::Bool)));
        match op {
            BinaryOp::And => {
                let (a, b) = (self.condition(a), self.condition(b));
                let expr = self.b.and(a?, b?);
                bool_of(expr)
            }
            BinaryOp::Or => {
                let (a, b) = (self.condition(a), self.condition(b));
                let expr = self.b.expr(Expr::Or(a?, b?));
                bool_of(expr)
            }
            BinaryOp::In | BinaryOp::NotIn => self.contains(op, a, b),
            BinaryOp::Equal | BinaryOp::NotEqual => self.equality(op, a, b),
            BinaryOp::Add | BinaryOp::Subtract => self.sum(op, a, b, span),
            _ => {
                let (x, y) = (self.number(a), self.number(b));
                let (binary, of) = match op {
                    BinaryOp::Less => (Binary::Less, Type::Bool),
                    BinaryOp::LessOrEqual => (Binary::LessOrEqual, Type::Bool),
                    BinaryOp::More => (Binary::More, Type::Bool),
                    BinaryOp::MoreOrEqual => (Binary::MoreOrEqual, Type::Bool),
                    BinaryOp::Multiply => (Binary::Multiply, Type::Int),
                    BinaryOp::Divide => (Binary::Divide, Type::Int),
                    _ => (Binary::Modulo, Type::Int),
                };
                let expr = self.b.checked_expr(Expr::Binary(binary, x?, y?), span);
                Some(Value::One(expr, Some(of)))
            }
        }
    }

    /// Both sides, the one that is a bare name last, so that it takes the other's type.
    fn pair(&mut self, a: &ast::Expr, b: &ast::Expr) -> Option<(Value, Value)> {
        let bare = |e: &ast::Expr| matches!(&e.kind, ExprKind::Name(_));
        if bare(a) && !bare(b) {
            let right = self.expr(b, None)?;
            let left = self.expr(a, right.ty().of)?;
            return Some((left, right));
        }
        let left = self.expr(a, None)?;
        let right = self.expr(b, left.ty().of)?;
        Some((left, right))
    }

    fn equality(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr) -> Option<Value> {
        let (left, right) = self.pair(a, b)?;
        let (Value::One(x, found), Value::One(y, other)) = (left, right) else {
            let (span, value) = if matches!(left, Value::List(..)) {
                (a.span, left)
            } else {
                (b.span, right)
            };
            return self.mismatch(span, value.ty(), value.ty().element());
        };
        if !self.world.fits(found, other) {
            return self.mismatch(b.span, right.ty(), left.ty());
        }
        let binary = if op == BinaryOp::Equal {
            Binary::Equal
        } else {
            Binary::NotEqual
        };
        Some(Value::One(
            self.b.expr(Expr::Binary(binary, x, y)),
            Some(Type::Bool),
        ))
    }

    fn contains(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr) -> Option<Value> {
        let list = self.expr(b, None)?;
        let (set, of) = self.list_of(list);
        let member = match self.expr(a, of)? {
            Value::One(expr, found) if self.world.fits(found, of) => expr,
            other => return self.mismatch(a.span, other.ty(), Ty { of, list: false }),
        };
        let found = self.b.expr(Expr::Contains(set, member));
        let expr = if op == BinaryOp::In {
            found
        } else {
            self.b.not(found)
        };
        Some(Value::One(expr, Some(Type::Bool)))
    }

    /// Numbers are added; lists are joined or reduced.
    fn sum(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Value> {
        let left = self.expr(a, None)?;
        let is_zone = matches!(left, Value::One(_, Some(Type::Zone(_))));
        if matches!(left, Value::List(..)) || is_zone {
            let (x, of) = self.list_of(left);
            let right = self.expr(b, of)?;
            let (y, other) = self.list_of(right);
            if !self.world.fits(other, of) {
                return self.mismatch(b.span, right.ty(), Ty { of, list: true });
            }
            let set = if op == BinaryOp::Add {
                Set::Concat(x, y)
            } else {
                Set::Minus(x, y)
            };
            return Some(Value::List(self.b.set(set), of.or(other)));
        }
        let x = self.one_from(left, Type::Int, a.span);
        let y = self.number(b);
        let (x, y) = (x?, y?);
        let binary = if op == BinaryOp::Add {
            Binary::Add
        } else {
            Binary::Subtract
        };
        let folded = match (self.b.get(x), self.b.get(y)) {
            (Expr::Const(x), Expr::Const(y)) if op == BinaryOp::Add => x.checked_add(y),
            (Expr::Const(x), Expr::Const(y)) => x.checked_sub(y),
            _ => None,
        };
        let expr = match folded {
            Some(value) => self.b.constant(value),
            None => self.b.checked_expr(Expr::Binary(binary, x, y), span),
        };
        Some(Value::One(expr, Some(Type::Int)))
    }

    fn if_expr(
        &mut self,
        condition: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        wanted: Option<Type>,
    ) -> Option<Value> {
        let condition = self.condition(condition);
        let left = self.expr(a, wanted);
        let right = self.expr(b, wanted.or(left.and_then(|v| v.ty().of)));
        let (condition, left, right) = (condition?, left?, right?);
        if !self.world.fits(left.ty().of, right.ty().of) {
            return self.mismatch(b.span, right.ty(), left.ty());
        }
        let of = left.ty().of.or(right.ty().of);
        Some(match (left, right) {
            (Value::One(x, _), Value::One(y, _)) => {
                Value::One(self.b.expr(Expr::If(condition, x, y)), of)
            }
            _ => {
                let ((x, _), (y, _)) = (self.list_of(left), self.list_of(right));
                Value::List(self.b.set(Set::If(condition, x, y)), of)
            }
        })
    }

    // ---- `is`

    fn is(&mut self, subject: &ast::Expr, negated: bool, what: &Name) -> Option<Value> {
        let value = self.expr(subject, None)?;
        let test = self.is_test(value, subject.span, what)?;
        let test = if negated { self.b.not(test) } else { test };
        Some(Value::One(test, Some(Type::Bool)))
    }

    fn is_test(&mut self, value: Value, span: Span, what: &Name) -> Option<ExprId> {
        match what.text.as_str() {
            "empty" => return Some(self.is_empty(value)),
            "none" => {
                let expr = self.single(value, span)?;
                return Some(self.compare(Binary::Equal, expr, NONE));
            }
            "some" => {
                let expr = self.single(value, span)?;
                return Some(self.compare(Binary::NotEqual, expr, NONE));
            }
            "free" => return self.is_free(value, span),
            _ => {}
        }
        if let (Value::One(expr, Some(of @ Type::Enum(id))), true) =
            (value, self.scope.find(&what.text).is_none())
            && let Some(ordinal) = self.world.enum_value(id, &what.text)
            && !matches!(self.world.symbol(&what.text), Some(Symbol::Query(_)))
        {
            let _ = of;
            return Some(self.compare(Binary::Equal, expr, ordinal));
        }
        if let (Value::One(expr, Some(Type::Component(_))), Some(Symbol::Kind(kind))) =
            (value, self.world.symbol(&what.text))
        {
            return Some(self.b.expr(Expr::IsKind { kind, of: expr }));
        }
        if let (Value::One(expr, Some(Type::Zone(_))), Some(Symbol::Family(family))) =
            (value, self.world.symbol(&what.text))
        {
            let inside = self.b.expr(Expr::ZoneIn { family, zone: expr });
            return Some(self.compare(Binary::NotEqual, inside, NONE));
        }
        if matches!(value, Value::One(_, Some(Type::Component(_))))
            && matches!(what.text.as_str(), "face_up" | "face_down")
        {
            let expr = self.single(value, span)?;
            let up = self.b.expr(Expr::IsFaceUp(expr));
            return Some(if what.text == "face_up" {
                up
            } else {
                self.b.not(up)
            });
        }
        // any other word is a question about the subject: `d is ridden` asks ridden(d)
        let answer = self.member(value, span, what, None)?;
        match answer {
            Value::One(expr, of) if self.world.fits(of, Some(Type::Bool)) => Some(expr),
            Value::One(expr, _) => match (value, answer) {
                (Value::One(subject, of), Value::One(_, other)) if self.world.fits(of, other) => {
                    Some(self.b.expr(Expr::Binary(Binary::Equal, subject, expr)))
                }
                _ => self.mismatch(what.span, answer.ty(), Ty::BOOL),
            },
            other => self.mismatch(what.span, other.ty(), Ty::BOOL),
        }
    }

    pub fn single(&mut self, value: Value, span: Span) -> Option<ExprId> {
        match value {
            Value::One(expr, _) => Some(expr),
            Value::List(..) => self.mismatch(span, value.ty(), value.ty().element()),
        }
    }

    fn compare(&mut self, binary: Binary, expr: ExprId, with: i32) -> ExprId {
        let with = self.b.constant(with);
        self.b.expr(Expr::Binary(binary, expr, with))
    }

    fn is_empty(&mut self, value: Value) -> ExprId {
        if let Value::One(zone, Some(Type::Zone(_))) = value {
            let count = self.b.expr(Expr::ZoneCount(zone));
            return self.compare(Binary::Equal, count, 0);
        }
        let (set, _) = self.list_of(value);
        self.b.expr(Expr::IsEmpty(set))
    }

    /// A zone that exists and holds nothing.
    fn is_free(&mut self, value: Value, span: Span) -> Option<ExprId> {
        let zone = self.one_from(value, Type::Zone(None), span)?;
        let exists = self.compare(Binary::NotEqual, zone, NONE);
        let empty = self.is_empty(value);
        Some(self.b.and(exists, empty))
    }

    // ---- index

    fn index(&mut self, of: &ast::Expr, index: &ast::Expr) -> Option<Value> {
        if let ExprKind::Name(name) = &of.kind {
            if let Some(Binding::BySeat(base, ty)) = self.scope.find(&name.text) {
                let index = self.one(index, Type::Seat)?;
                return Some(match ty.list {
                    true => Value::List(self.b.set(Set::LocalAt { base, index }), ty.of),
                    false => Value::One(self.b.expr(Expr::LocalAt { base, index }), ty.of),
                });
            }
            if let (None, Some(Symbol::Var(id))) =
                (self.scope.find(&name.text), self.world.symbol(&name.text))
            {
                return self.indexed_variable(id, index, name);
            }
        }
        let (set, member) = self.list(of)?;
        let index = self.number(index)?;
        let table = match self.b.get_set(set) {
            Set::Table(table) => Some(table),
            _ => None,
        };
        let expr = match table {
            Some(table) => {
                let default = member.map_or(NONE, default_of);
                self.b.expr(Expr::Table {
                    table,
                    low: 1,
                    index,
                    default,
                })
            }
            None => self.b.expr(Expr::Nth(set, index)),
        };
        Some(Value::One(expr, member))
    }

    fn indexed_variable(&mut self, id: VarId, index: &ast::Expr, name: &Name) -> Option<Value> {
        let var = self.world.vars.get(id as usize)?.clone();
        let Some(by) = var.index else {
            return self.problem(
                "not-indexed",
                name.span,
                format!("`{}` is a single value", name.text),
                "give it `each:` where it is declared, or leave the index out",
            );
        };
        let index = self.one(index, by)?;
        Some(self.word_at(id, index))
    }

    /// The word of an indexed variable.
    pub fn word_at(&mut self, id: VarId, index: ExprId) -> Value {
        let (of, expr) = match self.world.vars.get(id as usize) {
            Some(var) => {
                let expr = Expr::WordAt {
                    offset: var.offset,
                    low: var.low,
                    len: var.len,
                    index,
                    default: default_of(var.of),
                };
                (Some(var.of), expr)
            }
            None => (None, Expr::Const(NONE)),
        };
        Value::One(self.b.expr(expr), of)
    }
}
