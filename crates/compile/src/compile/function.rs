//! Calls: built-in functions, zones and components by key, queries of the game.

use super::Compiler;
use super::line::IN_A_ROW;
use super::value::Value;
use super::within::WITHIN;
use crate::check::types::{Families, Ty, default_of};
use crate::check::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, Name};
use wyrmgate_program::*;

/// A function over a list: name, whether it takes a key, and how it is translated.
type Fold = fn(&mut Compiler<'_>, SetId, Option<Type>) -> Value;
type KeyFold = fn(&mut Compiler<'_>, SetId, Option<Type>, Temp, ExprId, Ty) -> Value;

const FOLDS: &[(&str, Fold)] = &[
    ("count", |c, set, _| c.count_of(set)),
    ("size", |c, set, _| c.count_of(set)),
    ("first", |c, set, of| c.first_of(set, of)),
    ("the", |c, set, of| c.first_of(set, of)),
    ("bottom", |c, set, of| c.first_of(set, of)),
    ("last", |c, set, of| c.last_of(set, of)),
    ("top", |c, set, of| c.last_of(set, of)),
    ("reversed", |c, set, of| {
        Value::List(c.b.set(Set::Reversed(set)), of)
    }),
    ("unique", |c, set, of| {
        Value::List(c.b.set(Set::Unique(set)), of)
    }),
];

const KEY_FOLDS: &[(&str, KeyFold)] = &[
    ("sum", |c, of, _, temp, key, _| {
        Value::One(c.b.expr(Expr::Sum { of, temp, key }), Some(Type::Int))
    }),
    ("max", |c, of, _, temp, key, ty| {
        Value::One(
            c.b.expr(Expr::Extreme {
                of,
                temp,
                key,
                most: true,
            }),
            ty.of,
        )
    }),
    ("min", |c, of, _, temp, key, ty| {
        Value::One(
            c.b.expr(Expr::Extreme {
                of,
                temp,
                key,
                most: false,
            }),
            ty.of,
        )
    }),
    ("distinct", |c, of, _, temp, key, _| {
        Value::One(c.b.expr(Expr::Distinct { of, temp, key }), Some(Type::Int))
    }),
    ("keys", |c, of, _, temp, key, ty| {
        Value::List(c.b.set(Set::Keys { of, temp, key }), ty.of)
    }),
    ("any", |c, of, _, temp, condition, _| {
        Value::One(
            c.b.expr(Expr::Some {
                of,
                temp,
                condition,
            }),
            Some(Type::Bool),
        )
    }),
    ("all", |c, of, _, temp, condition, _| {
        Value::One(
            c.b.expr(Expr::Every {
                of,
                temp,
                condition,
            }),
            Some(Type::Bool),
        )
    }),
];

/// Functions of one or two plain values.
const PLAIN: &[&str] = &[
    "abs",
    "seat",
    "seats_from",
    "others",
    "left",
    "right",
    "index",
    "take",
    "beside",
    "at",
    "opposite",
    "turned",
    "revealed",
];

pub fn function_names() -> impl Iterator<Item = &'static str> {
    FOLDS
        .iter()
        .map(|(n, _)| *n)
        .chain(KEY_FOLDS.iter().map(|(n, _)| *n))
        .chain(PLAIN.iter().copied())
        .chain([WITHIN, IN_A_ROW])
}

impl Compiler<'_> {
    pub fn call(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Option<Value> {
        match self.world.symbol(&name.text) {
            Some(Symbol::Family(id)) => return self.zone_at(id, args, span),
            Some(Symbol::Kind(kind)) => return self.component_at(kind, args, span),
            Some(Symbol::Query(index)) => {
                return self.query_call(index, Vec::new(), args, name.span);
            }
            Some(Symbol::Var(id)) => {
                let indexed = self.world.vars.get(usize::from(id)).and_then(|v| v.index);
                let help = match indexed {
                    Some(_) => format!("write its index in square brackets: `{}[…]`", name.text),
                    None => format!("it has a single value: write `{}`", name.text),
                };
                let message = format!("`{}` is a variable", name.text);
                return self.problem("variable-as-function", span, message, help);
            }
            _ => {}
        }
        if let Some(dispatch) = self.member_query(&name.text) {
            let (me, rest) = self.first_arg(name, args)?;
            let value = self.expr(me, None)?;
            return self.dispatch_call(dispatch, value, me.span, rest, name.span);
        }
        if let Some(answer) = self.function(name, args) {
            return answer;
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
        let known: Vec<&str> = function_names().collect();
        let help = match self.world.suggest(&name.text, &known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!(
                "declare it under `queries:`, or use one of {}",
                known.join(", ")
            ),
        };
        let message = format!("there is no function or query `{}`", name.text);
        self.unknown("unknown-function", name, message, help)
    }

    // ---- functions

    /// `x.top`, `x.left`, `hand.count`: a function with what stands before the dot as its first argument.
    pub fn function_on(
        &mut self,
        value: Value,
        span: Span,
        name: &Name,
        args: &[ast::Expr],
    ) -> Option<Option<Value>> {
        if let (Some((_, fold)), []) = (FOLDS.iter().find(|(n, _)| *n == name.text), args) {
            let list = self.list_from(value, span);
            return Some(list.map(|(set, of)| fold(self, set, of)));
        }
        if let (Some(row), [key]) = (KEY_FOLDS.iter().find(|(n, _)| *n == name.text), args) {
            return Some(self.keyed(row, value, span, key));
        }
        if PLAIN.contains(&name.text.as_str()) {
            return Some(self.plain(name, Some((value, span)), args));
        }
        if let (WITHIN, [steps, key]) = (name.text.as_str(), args) {
            return Some(self.within((value, span), steps, key));
        }
        if let (IN_A_ROW, [condition]) = (name.text.as_str(), args) {
            return Some(self.in_a_row(value, span, condition));
        }
        None
    }

    fn function(&mut self, name: &Name, args: &[ast::Expr]) -> Option<Option<Value>> {
        if PLAIN.contains(&name.text.as_str()) {
            return Some(self.plain(name, None, args));
        }
        let known = FOLDS.iter().any(|(n, _)| *n == name.text)
            || KEY_FOLDS.iter().any(|(n, _)| *n == name.text)
            || [WITHIN, IN_A_ROW].contains(&name.text.as_str());
        if !known {
            return None;
        }
        let (first, rest) = match args.split_first() {
            Some(split) => split,
            None => return Some(self.wrong_arguments(name)),
        };
        let value = match self.expr(first, None) {
            Some(value) => value,
            None => return Some(None),
        };
        if let ("max" | "min", [other]) = (name.text.as_str(), rest)
            && !is_list(value)
        {
            return Some(self.extreme_of_two(name, (value, first.span), other));
        }
        // the extreme or the sum of numbers needs no key
        if KEY_FOLDS.iter().any(|(n, _)| *n == name.text) && rest.is_empty() {
            return Some(self.keyless(name, value, first.span));
        }
        self.function_on(value, first.span, name, rest)
            .or_else(|| Some(self.wrong_arguments(name)))
    }

    fn wrong_arguments(&mut self, name: &Name) -> Option<Value> {
        self.problem(
            "wrong-arguments",
            name.span,
            format!("wrong arguments for `{}`", name.text),
            form_of(&name.text),
        )
    }

    fn keyed(
        &mut self,
        (name, fold): &(&str, KeyFold),
        value: Value,
        span: Span,
        key: &ast::Expr,
    ) -> Option<Value> {
        let (set, of) = self.list_from(value, span)?;
        let (temp, found, ty) = self.key(key, of)?;
        self.key_fits(name, ty, key.span)?;
        Some(fold(self, set, of, temp, found, ty))
    }

    fn keyless(&mut self, name: &Name, value: Value, span: Span) -> Option<Value> {
        let (set, of) = self.list_from(value, span)?;
        let ty = Ty { of, list: false };
        self.key_fits(&name.text, ty, span)?;
        let temp = self.scope.temp(ty);
        let key = self.b.expr(Expr::Temp(temp));
        let (_, fold) = KEY_FOLDS.iter().find(|(n, _)| *n == name.text)?;
        Some(fold(self, set, of, temp, key, ty))
    }

    /// What is added up or compared is a number, what is asked of all a condition.
    fn key_fits(&mut self, name: &str, key: Ty, span: Span) -> Option<()> {
        let wanted = match name {
            "sum" | "max" | "min" => Ty::INT,
            "any" | "all" => Ty::BOOL,
            _ => return Some(()),
        };
        if self.world.fits(key.of, wanted.of) {
            return Some(());
        }
        self.mismatch(span, key, wanted)
    }

    fn extreme_of_two(
        &mut self,
        name: &Name,
        (a, span): (Value, Span),
        b: &ast::Expr,
    ) -> Option<Value> {
        let (a, b) = (self.one_from(a, Type::Int, span), self.number(b));
        let binary = if name.text == "max" {
            Binary::Max
        } else {
            Binary::Min
        };
        Some(Value::One(
            self.b.expr(Expr::Binary(binary, a?, b?)),
            Some(Type::Int),
        ))
    }

    fn plain(
        &mut self,
        name: &Name,
        first: Option<(Value, Span)>,
        args: &[ast::Expr],
    ) -> Option<Value> {
        let mut rest = args.iter();
        let first = match first {
            Some(found) => found,
            None => match rest.next() {
                Some(arg) => (self.expr(arg, plain_wants(&name.text))?, arg.span),
                None => return self.wrong_arguments(name),
            },
        };
        let second = rest.next();
        if rest.next().is_some() {
            return self.wrong_arguments(name);
        }
        match (name.text.as_str(), second) {
            ("abs", None) => {
                let number = self.one_from(first.0, Type::Int, first.1)?;
                Some(Value::One(
                    self.b.checked_expr(Expr::Abs(number), name.span),
                    Some(Type::Int),
                ))
            }
            ("seat", None) => self.seat_number(first),
            ("left", None) => self.neighbour(first, 1),
            ("right", None) => self.neighbour(first, -1),
            ("seats_from", None) => {
                let seat = self.one_from(first.0, Type::Seat, first.1)?;
                Some(Value::List(
                    self.b.set(Set::SeatsFrom(seat)),
                    Some(Type::Seat),
                ))
            }
            ("others", None) => {
                let seat = self.one_from(first.0, Type::Seat, first.1)?;
                Some(Value::List(self.b.set(Set::Others(seat)), Some(Type::Seat)))
            }
            ("index", Some(item)) => {
                let (set, of) = self.list_from(first.0, first.1)?;
                let item = match self.expr(item, of)? {
                    Value::One(item, _) => item,
                    list => return self.mismatch(name.span, list.ty(), list.ty().element()),
                };
                Some(Value::One(
                    self.b.expr(Expr::IndexOf(set, item)),
                    Some(Type::Int),
                ))
            }
            ("take", Some(count)) => {
                let (set, of) = self.list_from(first.0, first.1)?;
                let count = self.number(count)?;
                Some(Value::List(self.b.set(Set::Take(set, count)), of))
            }
            ("beside", Some(side)) => {
                let cell = self.one_from(first.0, Type::Cell, first.1)?;
                let side = self.one(side, Type::Side)?;
                Some(Value::One(
                    self.b.expr(Expr::CellBeside { cell, side }),
                    Some(Type::Cell),
                ))
            }
            ("at", Some(cell)) => {
                let zone = self.one_from(first.0, Type::Zone(None), first.1)?;
                let of = match first.0.ty().of {
                    Some(Type::Zone(family)) => self.members_of(family),
                    _ => Type::Component(None),
                };
                let cell = self.one(cell, Type::Cell)?;
                Some(Value::One(
                    self.b.expr(Expr::AtCell { zone, cell }),
                    Some(of),
                ))
            }
            ("opposite", None) => {
                let two = self.b.constant(2);
                self.side_turned(first, two)
            }
            ("revealed", to) => self.revealed(first, to, name.span),
            ("turned", Some(quarters)) => {
                let by = self.number(quarters)?;
                self.side_turned(first, by)
            }
            _ => self.wrong_arguments(name),
        }
    }

    fn neighbour(&mut self, first: (Value, Span), by: i8) -> Option<Value> {
        let seat = self.one_from(first.0, Type::Seat, first.1)?;
        Some(Value::One(
            self.b.expr(Expr::SeatAfter { seat, by }),
            Some(Type::Seat),
        ))
    }

    /// A value that the rules reveal on purpose, to everybody or to one seat.
    fn revealed(
        &mut self,
        (value, span): (Value, Span),
        to: Option<&ast::Expr>,
        name: Span,
    ) -> Option<Value> {
        let Value::One(of, ty) = value else {
            return self.problem(
                "revealed-list",
                span,
                "a list cannot be revealed as a whole",
                "reveal the part that matters: `revealed(count(…))`, `revealed(some c in … has …)`, `revealed(top(…))`",
            );
        };
        let to = match to {
            Some(seat) => self.one(seat, Type::Seat)?,
            None => self.b.constant(NONE),
        };
        let number = self.b.revealed(name.to(span));
        Some(Value::One(
            self.b.expr(Expr::Revealed { of, to, number }),
            ty,
        ))
    }

    fn side_turned(&mut self, first: (Value, Span), by: ExprId) -> Option<Value> {
        let side = self.one_from(first.0, Type::Side, first.1)?;
        let turned = self.b.expr(Expr::SideTurned { side, by });
        Some(Value::One(turned, Some(Type::Side)))
    }

    // ---- folds with a shorter way for zones

    fn count_of(&mut self, set: SetId) -> Value {
        let expr = match self.b.get_set(set) {
            Set::Zone(zone) => Expr::ZoneCount(zone),
            _ => Expr::Count(set),
        };
        Value::One(self.b.expr(expr), Some(Type::Int))
    }

    fn first_of(&mut self, set: SetId, of: Option<Type>) -> Value {
        let expr = match self.b.get_set(set) {
            Set::Zone(zone) => Expr::ZoneFirst(zone),
            _ => Expr::First(set, nothing_of(of)),
        };
        Value::One(self.b.expr(expr), of)
    }

    fn last_of(&mut self, set: SetId, of: Option<Type>) -> Value {
        let expr = match self.b.get_set(set) {
            Set::Zone(zone) => Expr::ZoneLast(zone),
            _ => Expr::Last(set, nothing_of(of)),
        };
        Value::One(self.b.expr(expr), of)
    }

    /// Names of queries that can be asked of a value of this type.
    pub fn queries_on(&self, ty: Ty) -> Vec<String> {
        let first_fits = |i: usize| {
            let first = self
                .query_params
                .get(i)
                .and_then(|p: &Vec<(String, Ty)>| p.first().cloned());
            first.is_some_and(|(_, wanted)| {
                wanted.list == ty.list && self.world.fits(ty.of, wanted.of)
            })
        };
        self.query_names
            .iter()
            .enumerate()
            .filter(|(i, _)| first_fits(*i))
            .map(|(_, name)| name.clone())
            .collect()
    }
}

/// Lists and zones, as far as functions take them.
fn is_list(value: Value) -> bool {
    matches!(value, Value::List(..) | Value::One(_, Some(Type::Zone(_))))
}

/// What an empty list answers for a member of this type.
fn nothing_of(of: Option<Type>) -> i32 {
    of.map_or(NONE, default_of)
}

fn plain_wants(name: &str) -> Option<Type> {
    match name {
        "left" | "right" | "seats_from" | "others" => Some(Type::Seat),
        "opposite" | "turned" => Some(Type::Side),
        _ => None,
    }
}

/// How a function is called.
fn form_of(name: &str) -> String {
    let form = match name {
        "sum" | "distinct" | "keys" => "`NAME(cards, .rank)`",
        "max" | "min" => "`NAME(a, b)`, `NAME(numbers)` or `NAME(cards, .rank)`",
        "any" | "all" => "`NAME(cards, .rank > 3)`",
        IN_A_ROW => "`NAME(space, top(it).owner = active)`",
        "abs" => "`NAME(n)`",
        "seat" => "`NAME(1)`",
        "left" | "right" | "seats_from" | "others" => "`NAME(p)` with a seat",
        "index" => "`NAME(list, member)`",
        "take" => "`NAME(list, 3)`",
        "beside" => "`NAME(cell, north)`",
        "at" => "`NAME(table, cell)`",
        "opposite" => "`NAME(north)`",
        "turned" => "`NAME(north, 1)`",
        "within" => "`NAME(s, 2, .neighbours)`",
        "revealed" => "`NAME(x)`, or `NAME(x, p)` with the only seat that learns it",
        _ => "`NAME(list)`",
    };
    format!("usage: {}", form.replace("NAME", name))
}
