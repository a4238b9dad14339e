//! Operators: arithmetic, comparisons, `and`, `or`, and list union and difference.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::advice::written;
use crate::compile::expressions::value::{is_plain, wrong_type};
use crate::compile::terms::value::Value;
use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{self, BinaryOp, ExprKind, UnaryOp};
use wyrmgate_program::*;

const OUTER_MEMBER: &str = "`it` is the member of the innermost list: give that of the outer list a name, `x in … where`, and write `x` here";

impl Compiler<'_> {
    pub fn list_literal(&mut self, items: &[ast::Expr], wanted: Option<Type>) -> Option<Value> {
        // Where a bundle is wanted, the members are values of its type, or bundles.
        let mut of = wanted.filter(|of| self.bundle_type(Ty::one(*of)).is_none());
        of = of.or_else(|| self.only_type_with(items));
        let mut exprs = Vec::new();
        for (number, item) in items.iter().enumerate() {
            let value = self.expr(item, of)?;
            let record = self.record_type(value.ty().of);
            // Members before it that are `none` leave the type open.
            if let Some(record) = record.filter(|_| exprs.is_empty() || of.is_none()) {
                return self.literal_of_records(number, value, record, items);
            }
            match (value, self.world.common(of, value.ty().of)) {
                (Value::One(expr, _), Some(common)) => {
                    of = common;
                    exprs.push(expr);
                }
                (Value::List(..), _) => {
                    let message = "a list inside a list";
                    let help = match items.len() {
                        1 => format!("it is a list already: write `{}`, without brackets", written(item)),
                        _ => "write one list (`[1, 2] + [3]`), or name lists of lists under `data:` and use an index".to_owned(),
                    };
                    return self.problem("list-in-list", item.span, message, help);
                }
                (other, _) => return self.mismatch(item.span, other.ty(), Ty::one(of)),
            }
        }
        if exprs.is_empty() {
            return Some(Value::List(self.b.set(Set::Empty), of));
        }
        Some(Value::List(self.b.list(&exprs), of))
    }

    /// Returns the only type that has all of these bare values, if one of them is a value of several types.
    fn only_type_with(&self, items: &[ast::Expr]) -> Option<Type> {
        let values = items.iter().filter(|item| self.is_only_a_value(item));
        let types = values.map(|item| self.world.enums_with(&item.as_name()?.text).into());
        let types: Vec<Vec<(EnumId, i32)>> = types.collect::<Option<_>>()?;
        let has =
            |types: &Vec<(EnumId, i32)>, of: EnumId| types.iter().any(|(known, _)| *known == of);
        let all = types.first()?.iter().map(|(of, _)| *of);
        let mut fits = all.filter(|of| types.iter().all(|types| has(types, *of)));
        let only = fits
            .next()
            .filter(|_| types.iter().any(|types| types.len() > 1))?;
        fits.next().is_none().then_some(Type::Enum(only))
    }

    pub fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Option<Value> {
        match op {
            UnaryOp::Not => {
                let condition = self.condition(operand)?;
                Some(Value::One(self.b.not(condition), Some(Type::Bool)))
            }
            UnaryOp::Negate => {
                let number = self.number(operand)?;
                let expr = if let Expr::Const(value) = self.b.get(number) {
                    self.b.constant(value.saturating_neg())
                } else {
                    self.b.checked_expr(Expr::Negate(number), span)
                };
                Some(Value::One(expr, Some(Type::Int)))
            }
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        wanted: Option<Type>,
        span: Span,
    ) -> Option<Value> {
        let bool_of = |expr| Some(Value::One(expr, Some(Type::Bool)));
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let problems = self.report.diagnostics.len();
                let (one, other) = (self.condition(a), self.other_condition(op, a, b));
                if one.is_none() && other.is_none() {
                    self.joined_things(op, a, b, problems);
                }
                let (one, other) = (one?, other?);
                bool_of(match op == BinaryOp::And {
                    true => self.b.and(one, other),
                    false => self.b.expr(Expr::Or(one, other)),
                })
            }
            BinaryOp::In | BinaryOp::NotIn => self.contains(op, a, b),
            BinaryOp::Equal | BinaryOp::NotEqual => self.equality(op, a, b),
            BinaryOp::Add | BinaryOp::Subtract => {
                let bundle = wanted.filter(|of| self.bundle_type(Ty::one(*of)).is_some());
                self.sum(op, a, b, bundle, span)
            }
            _ => {
                let (left, right) = self.sides(a, b)?;
                let found = match op {
                    BinaryOp::Multiply => self.multiplied(left, right, span),
                    op => self.of_bundles(op, left, right, span),
                };
                if let Some(found) = found {
                    return found;
                }
                let x = self.one_written(a, left.value, Type::Int);
                let y = self.one_written(b, right.value, Type::Int);
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

    /// Translates both sides, a bare name last, so that it takes the type of the other.
    fn pair(&mut self, a: &ast::Expr, b: &ast::Expr) -> Option<(Value, Value)> {
        if self.is_only_a_value(a) && !self.is_only_a_value(b) {
            let right = self.expr(b, None)?;
            let left = self.expr(a, right.ty().of)?;
            return Some((left, right));
        }
        let left = self.expr(a, None)?;
        let right = self.expr(b, left.ty().of)?;
        Some((left, right))
    }

    /// Returns whether a bare word is a value of some type and nothing else.
    fn is_only_a_value(&self, expr: &ast::Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else {
            return false;
        };
        self.scope.find(&name.text).is_none() && !self.world.enums_with(&name.text).is_empty()
    }

    fn equality(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr) -> Option<Value> {
        if let Some(problem) = self.compared_with_a_question(op, a, b) {
            return self.push(problem);
        }
        let (left, right) = self.pair(a, b)?;
        if let Some(equal) = self.records_equal(op, left.at(a.span), right.at(b.span)) {
            return equal;
        }
        if let Some(equal) = self.texts_equal(left, right) {
            let equal = self.in_or_not(
                if op == BinaryOp::Equal {
                    BinaryOp::In
                } else {
                    BinaryOp::NotIn
                },
                equal,
            );
            return Some(Value::One(equal, Some(Type::Bool)));
        }
        let (Value::One(x, found), Value::One(y, other)) = (left, right) else {
            return self.no_lists_compared(left, a, right, b);
        };
        match (found, other) {
            (None, Some(wanted)) if is_plain(other) => {
                return self.no_plain_nothing(wanted, a.span);
            }
            (Some(wanted), None) if is_plain(found) => {
                return self.no_plain_nothing(wanted, b.span);
            }
            _ => {}
        }
        if !self.world.fits(found, other) {
            let outer = self.outer_member(a, right.ty());
            let outer = outer.or_else(|| self.outer_member(b, left.ty()));
            return self.never_alike(left.ty(), right.ty(), b.span, outer);
        }
        let binary = if op == BinaryOp::Equal {
            Binary::Equal
        } else {
            Binary::NotEqual
        };
        Some(Value::One(self.b.binary(binary, x, y), Some(Type::Bool)))
    }

    /// Rejects `=` between a list and something else.
    fn no_lists_compared(
        &mut self,
        left: Value,
        first: &ast::Expr,
        right: Value,
        second: &ast::Expr,
    ) -> Option<Value> {
        let ((list, place), other) = match (left, right) {
            (Value::List(..), Value::List(..)) => {
                let message = "lists cannot be compared";
                let help =
                    "compare their members: `every x in … has x in …`, `count(…) = count(…)`";
                return self.problem("wrong-type", first.span.to(second.span), message, help);
            }
            (Value::List(..), _) => ((left.ty(), first), right.ty()),
            _ => ((right.ty(), second), left.ty()),
        };
        let beside = if std::ptr::eq(place, first) {
            second
        } else {
            first
        };
        if let ExprKind::Name(name) = &place.kind
            && !matches!(&beside.kind, ExprKind::ItField(field, _) if field.text == name.text)
            && let Some(problem) = self.member_without_dot(name)
        {
            return self.push(problem);
        }
        let Some(help) = self.compared_with_its_list(other, place) else {
            return self.mismatch(place.span, list, list.element());
        };
        let (found, wanted) = (self.world.name_of(list), self.world.name_of(other));
        let problem = wrong_type(place.span, &found, &wanted);
        self.push(problem.help(help))
    }

    /// Returns advice if `it` is a member of the inner list where the one of an outer list would fit.
    fn outer_member(&self, expr: &ast::Expr, wanted: Ty) -> Option<String> {
        let is_it = matches!(expr.kind, ExprKind::It);
        let mut outer = self.scope.outer_its();
        let fits = |ty: Ty| !ty.list && self.world.fits(ty.of, wanted.of);
        (is_it && outer.any(fits)).then(|| OUTER_MEMBER.to_owned())
    }

    /// Reports a comparison of two things that are never equal and suggests a member.
    pub(crate) fn never_alike(
        &mut self,
        left: Ty,
        right: Ty,
        place: Span,
        help: Option<String>,
    ) -> Option<Value> {
        let asked = |one: Ty, other: Ty| match one.of {
            Some(Type::Component(_) | Type::Zone(_) | Type::Record(_)) => self
                .members_of_type(one, other)
                .first()
                .map(|member| format!("did you mean its `.{member}`?")),
            _ => None,
        };
        let (found, wanted) = (self.world.name_of(right), self.world.name_of(left));
        let help = help
            .or_else(|| asked(left, right))
            .or_else(|| asked(right, left))
            .or_else(|| self.conversion(right, left))
            .or_else(|| self.conversion(left, right))
            .unwrap_or_else(|| "compare a field of one of them with the other".to_owned());
        let message = format!("{wanted} never equals {found}");
        let problem = Diagnostic::error("wrong-type", place, message);
        self.push(problem.label(format!("this is {found}")).help(help))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn contains(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr) -> Option<Value> {
        if let Some(spelled) = self.spelled(a, b, false) {
            let Value::One(found, of) = spelled? else {
                return None;
            };
            return Some(Value::One(self.in_or_not(op, found), of));
        }
        let before = self.member_of_names(a, b)?;
        let list = self.expr(b, before.and_then(|member| member.ty().of))?;
        self.is_one_member(list)?;
        let (set, of) = self.list_of(list);
        if let Some(record) = self.record_type(of) {
            let member = self.expr(a, Some(Type::Record(record)))?;
            let found = self.is_among(member, list, record, a.span)?;
            return Some(Value::One(self.in_or_not(op, found), Some(Type::Bool)));
        }
        let member = match before {
            Some(member) => member,
            None => self.expr(a, of)?,
        };
        if let Some(found) = self.text_among(member, set, of) {
            return Some(Value::One(self.in_or_not(op, found), Some(Type::Bool)));
        }
        let member = match member {
            Value::One(expr, found) if self.world.fits(found, of) => expr,
            other => return self.no_such_member(other, a, of, b),
        };
        let found = self.b.expr(Expr::Contains(set, member));
        Some(Value::One(self.in_or_not(op, found), Some(Type::Bool)))
    }

    /// Translates a value of a type before the list of names in which it may be, so that they have its type.
    fn member_of_names(&mut self, member: &ast::Expr, list: &ast::Expr) -> Option<Option<Value>> {
        let ExprKind::List(items) = &list.kind else {
            return Some(None);
        };
        if self.is_only_a_value(member) || !items.iter().all(|item| self.is_only_a_value(item)) {
            return Some(None);
        }
        let member = self.expr(member, None)?;
        let is_of_type = matches!(member, Value::One(_, Some(Type::Enum(_))));
        Some(Some(member).filter(|_| is_of_type))
    }

    fn in_or_not(&mut self, op: BinaryOp, found: ExprId) -> ExprId {
        match op == BinaryOp::In {
            true => found,
            false => self.b.not(found),
        }
    }

    /// `red in hand(p)`: reports a value that is not a member, and names a field of the members that could be it.
    fn no_such_member(
        &mut self,
        found: Value,
        a: &ast::Expr,
        of: Option<Type>,
        list: &ast::Expr,
    ) -> Option<Value> {
        let member = Ty::one(of);
        let fields = self.members_of_type(member, found.ty());
        let Some(field) = fields.first().filter(|_| !found.ty().list) else {
            return self.mismatch(a.span, found.ty(), member);
        };
        let help = format!(
            "ask for a field of the members: `some x in {} has x.{field} = {}`",
            written(list),
            written(a)
        );
        let (found, wanted) = (self.world.name_of(found.ty()), self.world.name_of(member));
        let message = format!("expected {wanted}, found {found}");
        self.problem("wrong-type", a.span, message, help)
    }

    /// Returns a list as it joins one of this type: zones beside components are what lies in them.
    fn joined_to(
        &mut self,
        list: SetId,
        of: Option<Type>,
        other: Option<Type>,
    ) -> (SetId, Option<Type>) {
        let (Some(Type::Zone(family)), Some(Type::Component(_))) = (of, other) else {
            return (list, of);
        };
        let temp = self.scope.temp(Ty::one(of));
        let zone = self.b.temp(temp);
        let inside = self.b.set(Set::Zone(zone));
        let joined = Set::Joined {
            of: list,
            temp,
            list: inside,
        };
        (self.b.set(joined), Some(self.members_of(family)))
    }

    /// Adds numbers, and unites or subtracts lists.
    fn sum(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        meant: Option<Type>,
        span: Span,
    ) -> Option<Value> {
        let left = self.expr(a, meant)?;
        if let Some(ty) = self.bundle_type(left.ty()) {
            let right = self.expr(b, Some(Type::Record(ty.record)))?;
            return self.of_bundles(op, left.at(a.span), right.at(b.span), span)?;
        }
        if !matches!(left, Value::One(_, Some(Type::Int))) {
            self.is_one_member(left)?;
        }
        if let Some(record) = self.record_type(left.ty().of).filter(|_| left.ty().list) {
            let right = self.expr(b, Some(Type::Record(record)))?;
            return self.records_sum(op, left.at(a.span), right.at(b.span));
        }
        let stands_for_list = matches!(left, Value::One(_, Some(Type::Zone(_) | Type::Row(_))));
        if matches!(left, Value::List(..)) || stands_for_list {
            let (x, of) = self.list_of(left);
            let right = self.expr(b, of)?;
            let (y, other) = self.list_of(right);
            let ((x, of), (y, other)) =
                (self.joined_to(x, of, other), self.joined_to(y, other, of));
            let Some(common) = self.world.common(of, other) else {
                let found = Ty::list(other);
                return self.mismatch(b.span, found, Ty::list(of));
            };
            let set = if op == BinaryOp::Add {
                Set::Concat(x, y)
            } else {
                Set::Minus(x, y)
            };
            return Some(Value::List(self.b.set(set), common));
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

    pub fn if_expr(
        &mut self,
        condition: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        wanted: Option<Type>,
    ) -> Option<Value> {
        let condition = self.condition(condition);
        let left = self.expr(a, wanted);
        let of_left = left.and_then(|value| value.ty().of);
        let of_left = of_left.filter(|of| !matches!(of, Type::Row(_)));
        let right = self.expr(b, wanted.or(of_left));
        let (condition, left, right) = (condition?, left?, right?);
        if let Some(record) = self.records_either(condition, left.at(a.span), right.at(b.span)) {
            return record;
        }
        let (left, right) = (
            self.contents_beside(left, right),
            self.contents_beside(right, left),
        );
        let Some(of) = self.world.common(left.ty().of, right.ty().of) else {
            return self.mismatch(b.span, right.ty(), left.ty());
        };
        Some(self.one_or_other(condition, left, right, of))
    }

    /// Returns one of two values, or one of two lists.
    pub(crate) fn one_or_other(
        &mut self,
        condition: ExprId,
        left: Value,
        right: Value,
        of: Option<Type>,
    ) -> Value {
        if let (Value::One(x, _), Value::One(y, _)) = (left, right) {
            return Value::One(self.b.expr(Expr::If(condition, x, y)), of);
        }
        let ((x, _), (y, _)) = (self.list_of(left), self.list_of(right));
        Value::List(self.b.set(Set::If(condition, x, y)), of)
    }

    /// Returns the contents of a zone beside a list of components, as in `if a then hand(p) where .rank > 3 else
    /// hand(p)`, and the members of a row of a list of lists beside any list.
    fn contents_beside(&mut self, value: Value, other: Value) -> Value {
        match (value, other) {
            (Value::One(_, Some(Type::Row(_))), Value::List(..))
            | (Value::One(_, Some(Type::Zone(_))), Value::List(_, Some(Type::Component(_)))) => {
                let (set, of) = self.list_of(value);
                Value::List(set, of)
            }
            _ => value,
        }
    }
}
