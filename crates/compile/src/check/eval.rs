//! Evaluates constant expressions: the values of `each`, `copies`, `data`, `fields` and `in`.
//!
//! They may refer to data, options, enums, `seats`, zones by key, and the keys of the current declaration.

use std::borrow::Cow;
use std::sync::Arc;

use super::constant::Constant;
use super::types::{Families, Ty, default_of, is_ordinal};
use super::world::{SIDES, Symbol, World};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use wyrmgate_program::{FamilyId, NONE, Type};

/// No list of constants is longer.
const LIST_MAX: i32 = 4_096;

/// Functions of one list that are known here.
const FOLDS: &[&str] = &["count", "size", "max", "min", "sum", "reversed"];

/// Keys and other names known only here: `owner`, `path`, `it`.
pub type Keys = Vec<(Arc<str>, Constant)>;

pub struct Evaluator<'a> {
    pub world: &'a World,
    pub report: &'a mut Report,
}

impl<'a> Evaluator<'a> {
    /// The value, or a diagnostic and nothing. `wanted` settles which enum a bare value belongs to.
    pub fn eval(&mut self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        match &expr.kind {
            ExprKind::Int(value) => Constant::int(*value),
            ExprKind::Bool(value) => Constant::bool(*value),
            ExprKind::None => Constant::NOTHING,
            ExprKind::Name(name) => self.name(name, keys, wanted),
            ExprKind::It => self.it(expr.span, keys),
            ExprKind::List(items) => self.list(items, keys, wanted),
            ExprKind::Range(low, high) => self.range(low, high, keys),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, keys),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, keys),
            ExprKind::If(condition, a, b) => self.if_expr(condition, a, b, keys, wanted),
            ExprKind::Call(name, args) => self.call(name, args, keys, expr.span),
            ExprKind::Index(list, index) => self.index(list, index, keys, wanted),
            ExprKind::Where(of, condition) => self.filter(of, condition, keys, wanted),
            ExprKind::Cited(inner, _) => self.eval(inner, keys, wanted),
            ExprKind::Is {
                subject,
                negated,
                what,
            } => self.is(subject, *negated, what, keys),
            _ => self.not_constant(expr.span),
        }
    }

    /// A single value of this type, or a diagnostic and nothing.
    pub fn one(&mut self, expr: &Expr, keys: &Keys, wanted: Type) -> i32 {
        let found = self.eval(expr, keys, Some(wanted));
        self.fitted(found, expr.span, wanted)
    }

    /// What was found at a place as a value of this type.
    fn fitted(&mut self, found: Constant, span: Span, wanted: Type) -> i32 {
        match found {
            Constant::One(of, value) if self.world.fits(of, Some(wanted)) => {
                if value == NONE && of.is_none() {
                    default_of(wanted)
                } else {
                    value
                }
            }
            found => {
                self.wrong_type(span, &found, Ty::one(wanted));
                default_of(wanted)
            }
        }
    }

    pub fn number(&mut self, expr: &Expr, keys: &Keys) -> i32 {
        self.one(expr, keys, Type::Int)
    }

    pub fn truth(&mut self, expr: &Expr, keys: &Keys) -> bool {
        self.one(expr, keys, Type::Bool) == 1
    }

    fn wrong_type(&mut self, span: Span, found: &Constant, wanted: Ty) {
        let help = match (wanted.of, wanted.list) {
            (Some(Type::Bool), false) => {
                "write `true` or `false`, or a condition such as `x = false`"
            }
            (Some(Type::Int), false) => {
                "write a number, or an expression such as `count(seats) + 1`"
            }
            (_, true) => "write a list: `[1, 2]`, a range `1..6`, or the name of a type",
            _ => "write a value of the type that is needed",
        };
        let found = self.world.name_of(found.ty());
        let wanted = self.world.name_of(wanted);
        self.report.push(
            Diagnostic::error(
                "wrong-type",
                span,
                format!("expected {wanted}, found {found}"),
            )
            .label(format!("this is {found}"))
            .help(help),
        );
    }

    /// Both sides are looked at, so that the mistakes of the one not taken show too.
    fn if_expr(
        &mut self,
        condition: &Expr,
        a: &Expr,
        b: &Expr,
        keys: &Keys,
        wanted: Option<Type>,
    ) -> Constant {
        let holds = self.truth(condition, keys);
        let (one, other) = (self.eval(a, keys, wanted), self.eval(b, keys, wanted));
        if !self.world.fits(one.of(), other.of()) {
            self.wrong_type(b.span, &other, one.ty());
        }
        if holds { one } else { other }
    }

    fn index(&mut self, list: &Expr, index: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        let items = match self.declared(list, keys, wanted) {
            Some(items) => Cow::Borrowed(items),
            None => Cow::Owned(self.eval(list, keys, wanted)),
        };
        let place = self.place(index, keys);
        if matches!(*items, Constant::One(Some(Type::Int | Type::Bool), _)) {
            self.wrong_type(
                list.span,
                &items,
                Ty {
                    of: items.of(),
                    list: true,
                },
            );
        }
        let found = place.and_then(|place| items.items().get(place).cloned());
        let of_lists = items.is_of_lists();
        match (found, items.of()) {
            (Some(Constant::List(None, members)), of) => Constant::List(of, members),
            (Some(found), _) => found,
            (None, of) if of_lists => Constant::List(of, Vec::new()),
            (None, of) => Constant::One(of, of.map_or(NONE, default_of)),
        }
    }

    /// Data or an option that is called by its name alone.
    fn declared(&self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Option<&'a Constant> {
        let ExprKind::Name(name) = &expr.kind else {
            return None;
        };
        if let Some(Type::Enum(id)) = wanted
            && self.world.enum_value(id, &name.text).is_some()
        {
            return None;
        }
        let is_key = keys.iter().any(|(key, _)| **key == *name.text);
        match self.world.symbol(&name.text) {
            Some(Symbol::Constant) if !is_key => self.world.constants.get(&name.text),
            _ => None,
        }
    }

    /// Which member an index means, from 0: a number counts from 1, a value in the order of its type.
    fn place(&mut self, index: &Expr, keys: &Keys) -> Option<usize> {
        match self.eval(index, keys, None) {
            Constant::One(Some(of), value) if is_ordinal(of) => usize::try_from(value).ok(),
            Constant::One(Some(Type::Int), value) => usize::try_from(i64::from(value) - 1).ok(),
            found => {
                self.wrong_type(index.span, &found, Ty::INT);
                None
            }
        }
    }

    fn not_constant(&mut self, span: Span) -> Constant {
        self.report.push(
            Diagnostic::error(
                "not-constant",
                span,
                "this is not known before the game begins",
            )
            .help("use numbers, data, options, types, `seats` and the keys of `each` here"),
        );
        Constant::NOTHING
    }

    fn it(&mut self, span: Span, keys: &Keys) -> Constant {
        match keys.iter().rev().find(|(name, _)| **name == *"it") {
            Some((_, value)) => value.clone(),
            None => self.not_constant(span),
        }
    }

    fn name(&mut self, name: &Name, keys: &Keys, wanted: Option<Type>) -> Constant {
        if let Some((_, value)) = keys.iter().rev().find(|(key, _)| **key == *name.text) {
            return value.clone();
        }
        if let Some(Type::Enum(id)) = wanted
            && let Some(value) = self.world.enum_value(id, &name.text)
        {
            return Constant::One(wanted, value);
        }
        match name.text.as_str() {
            "seats" => return Constant::list(Some(Type::Seat), 0..self.world.seats as i32),
            "sides" => return Constant::list(Some(Type::Side), 0..SIDES.len() as i32),
            side => {
                if let Some(side) = SIDES.iter().position(|name| *name == side) {
                    return Constant::One(Some(Type::Side), side as i32);
                }
            }
        }
        match self.world.symbol(&name.text) {
            Some(Symbol::Constant) => self
                .world
                .constants
                .get(&name.text)
                .cloned()
                .unwrap_or(Constant::NOTHING),
            Some(Symbol::Enum(id)) => {
                let count = self
                    .world
                    .enums
                    .get(id as usize)
                    .map_or(0, |e| e.values.len());
                Constant::list(Some(Type::Enum(id)), 0..count as i32)
            }
            Some(Symbol::Family(id)) => match self.world.families.get(id as usize) {
                Some(f) if f.keys.is_empty() => {
                    Constant::One(Some(Type::Zone(Some(id))), f.first as i32)
                }
                Some(f) => Constant::list(
                    Some(Type::Zone(Some(id))),
                    (0..f.count).map(|i| (f.first + i) as i32),
                ),
                None => Constant::NOTHING,
            },
            Some(Symbol::Plural(id) | Symbol::Kind(id)) => {
                let kind = self.world.kind(id);
                let all = kind.first as i32..(kind.first + kind.count) as i32;
                Constant::list(Some(Type::Component(Some(id))), all)
            }
            Some(_) => self.not_constant(name.span),
            None => self.value_name(name, keys),
        }
    }

    fn value_name(&mut self, name: &Name, keys: &Keys) -> Constant {
        match self.world.enums_with(&name.text).as_slice() {
            [(id, value)] => Constant::One(Some(Type::Enum(*id)), *value),
            [] if name.text == "box" => Constant::One(Some(Type::Zone(Some(0))), 0),
            [] => {
                let more: Vec<&str> = keys.iter().map(|(key, _)| &**key).collect();
                self.unknown(name, &more)
            }
            several => {
                let types: Vec<String> = several
                    .iter()
                    .map(|(id, _)| format!("`{}`", self.world.enum_name(*id)))
                    .collect();
                self.report.push(
                    Diagnostic::error(
                        "ambiguous-value",
                        name.span,
                        format!("`{}` is a value of {}", name.text, types.join(" and ")),
                    )
                    .help("give one of the values another name"),
                );
                Constant::NOTHING
            }
        }
    }

    fn unknown(&mut self, name: &Name, more: &[&str]) -> Constant {
        if self.world.has_failed(&name.text) {
            return Constant::NOTHING;
        }
        let help = match self.world.suggest(&name.text, more) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => {
                "available here: options, data, types, zones above and the keys of `each`".into()
            }
        };
        let message = format!("unknown name `{}`", name.text);
        self.report.push(
            Diagnostic::error("unknown-name", name.span, message)
                .help(help)
                .unknown(&name.text),
        );
        Constant::NOTHING
    }

    fn list(&mut self, items: &[Expr], keys: &Keys, wanted: Option<Type>) -> Constant {
        let mut of = wanted;
        let mut values = Vec::new();
        for item in items {
            let value = self.eval(item, keys, of);
            of = of.or(value.of());
            if !self.world.fits(value.of(), of) {
                let found = self.world.name_of(Ty {
                    of: value.of(),
                    list: false,
                });
                let first = self.world.name_of(Ty { of, list: false });
                self.report.push(
                    Diagnostic::error(
                        "mixed-list",
                        item.span,
                        format!("this is {found} in a list that begins with {first}"),
                    )
                    .help("all members of a list have one type"),
                );
            }
            values.push(value);
        }
        Constant::List(of, values)
    }

    fn range(&mut self, low: &Expr, high: &Expr, keys: &Keys) -> Constant {
        let (first, last) = (self.number(low, keys), self.number(high, keys));
        if last.saturating_sub(first) > LIST_MAX {
            let message = format!("a list may have at most {LIST_MAX} members");
            let place = low.span.to(high.span);
            self.report.push(
                Diagnostic::error("list-too-long", place, message)
                    .help("a range may be longer during play; here every member is stored"),
            );
            return Constant::List(Some(Type::Int), Vec::new());
        }
        Constant::list(Some(Type::Int), first..=last)
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, keys: &Keys) -> Constant {
        match op {
            UnaryOp::Not => Constant::bool(!self.truth(operand, keys)),
            UnaryOp::Negate => {
                let value = self.number(operand, keys).checked_neg();
                self.fitting(value, operand.span)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, keys: &Keys) -> Constant {
        match op {
            BinaryOp::Or => {
                let (x, y) = (self.truth(a, keys), self.truth(b, keys));
                Constant::bool(x || y)
            }
            BinaryOp::And => {
                let (x, y) = (self.truth(a, keys), self.truth(b, keys));
                Constant::bool(x && y)
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (left, right) = self.pair(a, b, keys);
                let same = left.value() == right.value();
                Constant::bool(same == (op == BinaryOp::Equal))
            }
            BinaryOp::In | BinaryOp::NotIn => {
                let list = self.eval(b, keys, None);
                let member = self.eval(a, keys, list.of());
                self.must_fit(b.span, &list, &member);
                let found = list.values().contains(&member.value());
                Constant::bool(found == (op == BinaryOp::In))
            }
            BinaryOp::Add | BinaryOp::Subtract => self.sum(op, a, b, keys),
            _ => {
                let x = self.number(a, keys);
                self.arithmetic(op, x, a.span, b, keys)
            }
        }
    }

    fn must_fit(&mut self, span: Span, found: &Constant, wanted: &Constant) {
        if !self.world.fits(found.of(), wanted.of()) {
            let of = Ty {
                of: wanted.of(),
                list: found.ty().list,
            };
            self.wrong_type(span, found, of);
        }
    }

    /// Both sides of a comparison; a side that is only a word takes the type of the other.
    fn pair(&mut self, a: &Expr, b: &Expr, keys: &Keys) -> (Constant, Constant) {
        let (left, right) = match self.eval_quietly(a, keys, None) {
            Some(left) => {
                let right = self.eval(b, keys, left.of());
                (left, right)
            }
            None => {
                let right = self.eval(b, keys, None);
                (self.eval(a, keys, right.of()), right)
            }
        };
        // `red = x`: a value of two types is of the type of the right side
        let left = match left.of() == right.of() {
            true => left,
            false => self.eval_quietly(a, keys, right.of()).unwrap_or(left),
        };
        self.must_fit(b.span, &right, &left);
        (left, right)
    }

    /// Numbers are added; lists are joined or reduced.
    fn sum(&mut self, op: BinaryOp, a: &Expr, b: &Expr, keys: &Keys) -> Constant {
        let left = self.eval(a, keys, None);
        if let Constant::List(of, items) = left {
            let right = self.eval(b, keys, of);
            let rest = right.values();
            let joined = match op {
                BinaryOp::Add => [&items, right.items()].concat(),
                _ => items
                    .into_iter()
                    .filter(|item| !rest.contains(&item.value()))
                    .collect(),
            };
            return Constant::List(of, joined);
        }
        let x = self.fitted(left, a.span, Type::Int);
        self.arithmetic(op, x, a.span, b, keys)
    }

    /// With the value of the left side, which stands at `left`.
    fn arithmetic(&mut self, op: BinaryOp, x: i32, left: Span, b: &Expr, keys: &Keys) -> Constant {
        let y = self.number(b, keys);
        let number = match op {
            BinaryOp::Less => return Constant::bool(x < y),
            BinaryOp::LessOrEqual => return Constant::bool(x <= y),
            BinaryOp::More => return Constant::bool(x > y),
            BinaryOp::MoreOrEqual => return Constant::bool(x >= y),
            BinaryOp::Add => x.checked_add(y),
            BinaryOp::Subtract => x.checked_sub(y),
            BinaryOp::Multiply => x.checked_mul(y),
            _ if y == 0 => Some(0),
            BinaryOp::Divide => x.checked_div(y),
            // the sign of the divisor, as in play
            _ => Some(modulo(x, y)),
        };
        self.fitting(number, left.to(b.span))
    }

    fn fitting(&mut self, number: Option<i32>, span: Span) -> Constant {
        if number.is_none() {
            self.report.push(
                Diagnostic::error("number-too-large", span, "this number is too large")
                    .help("numbers range from -2147483648 to 2147483647"),
            );
        }
        Constant::int(number.unwrap_or(0))
    }

    fn eval_quietly(&mut self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Option<Constant> {
        let mut silent = Report::default();
        let value = Evaluator {
            world: self.world,
            report: &mut silent,
        }
        .eval(expr, keys, wanted);
        (!silent.has_errors()).then_some(value)
    }

    fn is(&mut self, subject: &Expr, negated: bool, what: &Name, keys: &Keys) -> Constant {
        let value = self.eval(subject, keys, None);
        let holds = match what.text.as_str() {
            "none" => value.value() == NONE,
            "some" => value.value() != NONE,
            "empty" => value.items().is_empty(),
            _ => value.of().is_some() && self.name(what, keys, value.of()) == value,
        };
        Constant::bool(holds != negated)
    }

    fn filter(
        &mut self,
        of: &Expr,
        condition: &Expr,
        keys: &Keys,
        wanted: Option<Type>,
    ) -> Constant {
        let list = self.eval(of, keys, wanted);
        let mut inner = keys.clone();
        let mut kept = Vec::new();
        for item in list.items() {
            inner.push(("it".into(), item.clone()));
            if self.truth(condition, &inner) {
                kept.push(item.clone());
            }
            inner.pop();
        }
        Constant::List(list.of(), kept)
    }

    fn call(&mut self, name: &Name, args: &[Expr], keys: &Keys, span: Span) -> Constant {
        if let Some(Symbol::Family(id)) = self.world.symbol(&name.text) {
            return self.zone(id, args, keys, span);
        }
        match (name.text.as_str(), args) {
            ("seat", [number]) => {
                let seat = i64::from(self.number(number, keys)) - 1;
                let there = (0..self.world.seats as i64).contains(&seat);
                Constant::One(Some(Type::Seat), if there { seat as i32 } else { NONE })
            }
            ("abs", [number]) => {
                let value = self.number(number, keys).checked_abs();
                self.fitting(value, span)
            }
            ("turned", [side, quarters]) => {
                let (side, by) = (
                    self.one(side, keys, Type::Side),
                    self.number(quarters, keys),
                );
                turned(side, by)
            }
            ("opposite", [side]) => turned(self.one(side, keys, Type::Side), 2),
            ("max", [a, b]) => {
                let (a, b) = (self.number(a, keys), self.number(b, keys));
                Constant::int(a.max(b))
            }
            ("min", [a, b]) => {
                let (a, b) = (self.number(a, keys), self.number(b, keys));
                Constant::int(a.min(b))
            }
            ("index", [list, item]) => {
                let list = self.eval(list, keys, None);
                let item = self.eval(item, keys, list.of());
                let place = list.values().iter().position(|v| *v == item.value());
                Constant::int(place.map_or(0, |i| i as i32 + 1))
            }
            (_, [list]) if FOLDS.contains(&name.text.as_str()) => self.fold(name, list, keys, span),
            _ => self.unknown_call(name, span),
        }
    }

    fn unknown_call(&mut self, name: &Name, span: Span) -> Constant {
        let known = self.world.declared(&name.text).is_some();
        if known || crate::compile::function_names().any(|f| f == name.text) {
            return self.not_constant(span);
        }
        self.unknown(name, &[])
    }

    /// Functions of one list.
    fn fold(&mut self, name: &Name, list: &Expr, keys: &Keys, span: Span) -> Constant {
        let list = self.eval(list, keys, None);
        let values = list.values();
        match name.text.as_str() {
            "count" | "size" => Constant::int(values.len() as i32),
            "max" => Constant::int(values.into_iter().max().unwrap_or(0)),
            "min" => Constant::int(values.into_iter().min().unwrap_or(0)),
            "sum" => {
                let sum = values.into_iter().try_fold(0, i32::checked_add);
                self.fitting(sum, span)
            }
            _ => {
                let items = list.items().iter().rev().cloned().collect();
                Constant::List(list.of(), items)
            }
        }
    }

    fn zone(&mut self, id: FamilyId, args: &[Expr], keys: &Keys, span: Span) -> Constant {
        let Some(family) = self.world.families.get(id as usize) else {
            return Constant::NOTHING;
        };
        let types: Vec<Type> = family.keys.iter().map(|key| key.of).collect();
        if types.len() != args.len() {
            let message = format!(
                "`{}` has {}, {} given",
                family.name,
                counted(types.len(), "key"),
                args.len()
            );
            self.report.push(
                Diagnostic::error("wrong-number-of-keys", span, message)
                    .help("give each key of its `each`, in order"),
            );
            return Constant::NOTHING;
        }
        let wanted: Vec<i32> = args
            .iter()
            .zip(types)
            .map(|(arg, of)| self.one(arg, keys, of))
            .collect();
        let found = self.world.zone_by_keys(id, &wanted);
        Constant::One(Some(Type::Zone(Some(id))), found)
    }
}

/// The side so many quarters clockwise from this one.
fn turned(side: i32, by: i32) -> Constant {
    let there = (0..SIDES.len() as i32).contains(&side);
    let turned = if there {
        modulo(side + modulo(by, 4), 4)
    } else {
        NONE
    };
    Constant::One(Some(Type::Side), turned)
}

/// The remainder with the sign of the divisor, which is not 0.
fn modulo(a: i32, b: i32) -> i32 {
    let (a, b) = (i64::from(a), i64::from(b));
    (((a % b) + b) % b) as i32
}

/// `1 key`, `2 keys`.
pub fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
