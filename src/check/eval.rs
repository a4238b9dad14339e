//! Evaluates constant expressions: what `each`, `copies`, `data`, `fields` and `in` are worth.
//!
//! Known are data, options, enums, `seats`, zones by key, and the keys of the declaration at hand.

use super::constant::Constant;
use super::types::{Families, Ty};
use super::world::{Symbol, World};
use crate::diagnostic::{Diagnostic, Report, Span};
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::program::{NONE, Type};

/// No list of constants is longer.
const LIST_MAX: i32 = 4_096;

/// Keys and other names known only here: `owner`, `path`, `it`.
pub type Keys = Vec<(String, Constant)>;

pub struct Evaluator<'a> {
    pub world: &'a World,
    pub report: &'a mut Report,
}

impl Evaluator<'_> {
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
            ExprKind::If(condition, a, b) => {
                let which = if self.eval(condition, keys, None).value() == 1 {
                    a
                } else {
                    b
                };
                self.eval(which, keys, wanted)
            }
            ExprKind::Call(name, args) => self.call(name, args, keys),
            ExprKind::Index(list, index) => {
                let items = self.eval(list, keys, wanted);
                let index = self.eval(index, keys, None).value();
                let nothing = Constant::One(
                    items.of(),
                    items.of().map_or(NONE, super::types::default_of),
                );
                items
                    .items()
                    .get((index - 1) as usize)
                    .cloned()
                    .unwrap_or(nothing)
            }
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
        match keys.iter().rev().find(|(name, _)| name == "it") {
            Some((_, value)) => value.clone(),
            None => self.not_constant(span),
        }
    }

    fn name(&mut self, name: &Name, keys: &Keys, wanted: Option<Type>) -> Constant {
        if let Some((_, value)) = keys.iter().rev().find(|(key, _)| *key == name.text) {
            return value.clone();
        }
        if let Some(Type::Enum(id)) = wanted
            && let Some(value) = self.world.enum_value(id, &name.text)
        {
            return Constant::One(wanted, value);
        }
        if name.text == "seats" {
            return Constant::list(Some(Type::Seat), 0..self.world.seats as i32);
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
                let more: Vec<&str> = keys.iter().map(|(key, _)| key.as_str()).collect();
                let mut problem = Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("nothing is called `{}`", name.text),
                );
                if let Some(meant) = self.world.suggest(&name.text, &more) {
                    problem = problem.help(format!("did you mean `{meant}`?"));
                }
                self.report.push(problem);
                Constant::NOTHING
            }
            [(id, value), ..] => Constant::One(Some(Type::Enum(*id)), *value),
        }
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
        let (first, last) = (
            self.eval(low, keys, None).value(),
            self.eval(high, keys, None).value(),
        );
        if last.saturating_sub(first) > LIST_MAX {
            self.report.push(Diagnostic::error(
                "list-too-long",
                low.span.to(high.span),
                format!("a list may have at most {LIST_MAX} members"),
            ));
            return Constant::List(Some(Type::Int), Vec::new());
        }
        Constant::list(Some(Type::Int), first..=last)
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, keys: &Keys) -> Constant {
        let value = self.eval(operand, keys, None).value();
        match op {
            UnaryOp::Not => Constant::bool(value == 0),
            UnaryOp::Negate => Constant::int(value.saturating_neg()),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, keys: &Keys) -> Constant {
        let left = self.eval(a, keys, None);
        let right = self.eval(b, keys, left.of());
        // `red = x`: the name on the left takes the type of the right side
        let left = if left.of() == right.of() {
            left
        } else {
            self.eval_quietly(a, keys, right.of()).unwrap_or(left)
        };
        let (x, y) = (left.value(), right.value());
        match op {
            BinaryOp::Or => Constant::bool(x == 1 || y == 1),
            BinaryOp::And => Constant::bool(x == 1 && y == 1),
            BinaryOp::Equal => Constant::bool(x == y),
            BinaryOp::NotEqual => Constant::bool(x != y),
            BinaryOp::Less => Constant::bool(x < y),
            BinaryOp::LessOrEqual => Constant::bool(x <= y),
            BinaryOp::More => Constant::bool(x > y),
            BinaryOp::MoreOrEqual => Constant::bool(x >= y),
            BinaryOp::In => Constant::bool(right.values().contains(&x)),
            BinaryOp::NotIn => Constant::bool(!right.values().contains(&x)),
            BinaryOp::Add if matches!(left, Constant::List(..)) => {
                Constant::List(left.of(), [left.items(), right.items()].concat())
            }
            BinaryOp::Subtract if matches!(left, Constant::List(..)) => {
                let rest = left
                    .items()
                    .into_iter()
                    .filter(|item| !right.values().contains(&item.value()));
                Constant::List(left.of(), rest.collect())
            }
            BinaryOp::Add => Constant::int(x.saturating_add(y)),
            BinaryOp::Subtract => Constant::int(x.saturating_sub(y)),
            BinaryOp::Multiply => Constant::int(x.saturating_mul(y)),
            BinaryOp::Divide => Constant::int(x.checked_div(y).unwrap_or(0)),
            BinaryOp::Modulo => Constant::int(x.checked_rem_euclid(y).unwrap_or(0)),
        }
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
            "none" => value == Constant::NOTHING || value.value() == NONE,
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
            if self.eval(condition, &inner, None).value() == 1 {
                kept.push(item);
            }
            inner.pop();
        }
        Constant::List(list.of(), kept)
    }

    fn call(&mut self, name: &Name, args: &[Expr], keys: &Keys) -> Constant {
        if let Some(Symbol::Family(id)) = self.world.symbol(&name.text) {
            return self.zone(id, args, keys);
        }
        let values: Vec<Constant> = args.iter().map(|arg| self.eval(arg, keys, None)).collect();
        let value = |i: usize| values.get(i).map_or(0, Constant::value);
        match (name.text.as_str(), values.as_slice()) {
            ("seat", [_]) => Constant::One(Some(Type::Seat), value(0) - 1),
            ("count" | "size", [list]) => Constant::int(list.items().len() as i32),
            ("max", [_, _]) => Constant::int(value(0).max(value(1))),
            ("min", [_, _]) => Constant::int(value(0).min(value(1))),
            ("max", [list]) => Constant::int(list.values().into_iter().max().unwrap_or(0)),
            ("min", [list]) => Constant::int(list.values().into_iter().min().unwrap_or(0)),
            ("sum", [list]) => {
                Constant::int(list.values().into_iter().fold(0, i32::saturating_add))
            }
            ("abs", [_]) => Constant::int(value(0).saturating_abs()),
            ("index", [list, item]) => {
                let place = list.values().iter().position(|v| *v == item.value());
                Constant::int(place.map_or(0, |i| i as i32 + 1))
            }
            ("reversed", [list]) => {
                let mut items = list.items();
                items.reverse();
                Constant::List(list.of(), items)
            }
            _ => self.not_constant(name.span),
        }
    }

    fn zone(&mut self, id: crate::program::FamilyId, args: &[Expr], keys: &Keys) -> Constant {
        let Some(family) = self.world.families.get(id as usize) else {
            return Constant::NOTHING;
        };
        let types: Vec<Type> = family.keys.iter().map(|key| key.of).collect();
        let wanted: Vec<i32> = args
            .iter()
            .zip(types)
            .map(|(arg, of)| self.eval(arg, keys, Some(of)).value())
            .collect();
        let found = self.world.zone_by_keys(id, &wanted);
        Constant::One(Some(Type::Zone(Some(id))), found)
    }
}
