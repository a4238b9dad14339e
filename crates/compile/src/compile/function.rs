//! Calls: built-in functions, zones and components by key, queries of the game.

use super::Compiler;
use super::value::Value;
use crate::check::types::{Families, Ty, default_of};
use crate::check::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, Name};
use wyrmgate_program::*;

/// A function of the language: one row says how it is called, what it means and how it is translated. The editor, the
/// reference and constants read the same rows.
pub struct Function {
    pub name: &'static str,
    /// An example.
    pub form: &'static str,
    pub about: &'static str,
    takes: Takes,
}

/// What a function is called with, and how the call is translated.
enum Takes {
    List(fn(&mut Compiler<'_>, SetId, Option<Type>) -> Value),
    /// A list, and what is looked at in each member; without it, the members themselves.
    Key(
        Key,
        fn(&mut Compiler<'_>, SetId, Temp, (ExprId, Ty)) -> Value,
    ),
    /// As `Key`, for functions that only look at the numbers.
    Fold(Key, Fold),
    /// As `Key` of numbers, or two numbers.
    Extreme(Binary),
    /// A value of a type. First how it is called, for the advice.
    One(&'static str, Type, fn(&mut Compiler<'_>, ExprId) -> Value),
    /// Two values; the translation is also told what the first one is.
    Two(
        &'static str,
        [Type; 2],
        fn(&mut Compiler<'_>, (ExprId, Option<Type>), ExprId) -> Value,
    ),
    /// A list and a value: of a type, or (`None`) one that could be a member.
    ListAnd(
        &'static str,
        Option<Type>,
        fn(&mut Compiler<'_>, (SetId, Option<Type>), ExprId) -> Value,
    ),
    /// What is checked and translated in its own way.
    Own(&'static str, Own),
}

/// The first argument, the others, and where the name stands; `None`: it is not called like this.
type Own = fn(&mut Compiler<'_>, (Value, Span), &[ast::Expr], Span) -> Option<Option<Value>>;

/// What is looked at in each member of a list.
#[derive(Clone, Copy, PartialEq)]
enum Key {
    Number,
    Condition,
    Anything,
}

const fn row(
    name: &'static str,
    form: &'static str,
    about: &'static str,
    takes: Takes,
) -> Function {
    Function {
        name,
        form,
        about,
        takes,
    }
}

const OF_SEAT: &str = "`NAME(p)` with a seat";

/// Every function of the language.
pub const FUNCTIONS: &[Function] = &[
    row(
        "count",
        "count(hand(p))",
        "The number of members of a list.",
        Takes::List(|c, set, _| c.count_of(set)),
    ),
    row(
        "size",
        "size(hand(p))",
        "The number of members of a list.",
        Takes::List(|c, set, _| c.count_of(set)),
    ),
    row(
        "first",
        "first(row(p))",
        "The first member, or none.",
        Takes::List(|c, set, of| c.first_of(set, of)),
    ),
    row(
        "the",
        "the(dragons where .owner = p)",
        "The one member, or none.",
        Takes::List(|c, set, of| c.first_of(set, of)),
    ),
    row(
        "bottom",
        "bottom(deck)",
        "The first component of a zone, or none.",
        Takes::List(|c, set, of| c.first_of(set, of)),
    ),
    row(
        "last",
        "last(row(p))",
        "The last member, or none.",
        Takes::List(|c, set, of| c.last_of(set, of)),
    ),
    row(
        "top",
        "top(deck)",
        "The last component of a zone, or none.",
        Takes::List(|c, set, of| c.last_of(set, of)),
    ),
    row(
        "reversed",
        "reversed(1..3)",
        "The list in reverse order.",
        Takes::List(|c, set, of| Value::List(c.b.set(Set::Reversed(set)), of)),
    ),
    row(
        "unique",
        "unique([1, 1, 2])",
        "The distinct members of a list.",
        Takes::List(|c, set, of| Value::List(c.b.set(Set::Unique(set)), of)),
    ),
    row(
        "sum",
        "sum(dice, .face)",
        "The sum of an expression over all members.",
        Takes::Key(Key::Number, |c, of, temp, (key, _)| {
            c.int(Expr::Sum { of, temp, key })
        }),
    ),
    row(
        "max",
        "max(dice, .face)",
        "The largest number of a list, or of two numbers.",
        Takes::Extreme(Binary::Max),
    ),
    row(
        "min",
        "min(3, 5)",
        "The smallest number of a list, or of two numbers.",
        Takes::Extreme(Binary::Min),
    ),
    row(
        "distinct",
        "distinct(cards, .color)",
        "The number of different values that an expression has over all members.",
        Takes::Key(Key::Anything, |c, of, temp, (key, _)| {
            c.int(Expr::Distinct { of, temp, key })
        }),
    ),
    row(
        "product",
        "product(dice, .face)",
        "The product of an expression over all members; 1 for an empty list.",
        Takes::Fold(Key::Number, Fold::Product),
    ),
    row(
        "median",
        "median(dice, .face)",
        "The median of an expression over all members, the lower one of two; 0 for an empty list.",
        Takes::Fold(Key::Number, Fold::Median),
    ),
    row(
        "count_adjacent",
        "count_adjacent(row(p), .color)",
        "The number of members with the same value as the member before.",
        Takes::Fold(Key::Anything, Fold::CountAdjacent),
    ),
    row(
        "most_alike",
        "most_alike(dice, .face)",
        "The number of members that share the most common value.",
        Takes::Fold(Key::Anything, Fold::MostAlike),
    ),
    row(
        "longest_run",
        "longest_run(dice, .face)",
        "The length of the longest run of consecutive numbers.",
        Takes::Fold(Key::Number, Fold::LongestRun),
    ),
    row(
        "keys",
        "keys(cards, .rank)",
        "The list of the values of an expression for each member.",
        Takes::Key(Key::Anything, |c, of, temp, (key, ty)| {
            Value::List(c.b.set(Set::Keys { of, temp, key }), ty.of)
        }),
    ),
    row(
        "any",
        "any(cards, .rank = 3)",
        "At least one member fulfils the condition.",
        Takes::Key(Key::Condition, |c, of, temp, (condition, _)| {
            c.truth(Expr::Some {
                of,
                temp,
                condition,
            })
        }),
    ),
    row(
        "all",
        "all(cards, .rank < 9)",
        "All members fulfil the condition.",
        Takes::Key(Key::Condition, |c, of, temp, (condition, _)| {
            c.truth(Expr::Every {
                of,
                temp,
                condition,
            })
        }),
    ),
    row(
        "abs",
        "abs(-1)",
        "The absolute value.",
        Takes::Own("`NAME(n)`", |c, number, rest, name| {
            rest.is_empty().then(|| c.absolute(number, name))
        }),
    ),
    row(
        "revealed",
        "revealed(sum(hand(p), .rank))",
        "The value itself. Declares that the rules reveal it on purpose, to all or to one seat: `revealed(x, p)`.",
        Takes::Own(
            "`NAME(x)`, or `NAME(x, p)` with the only seat that learns it",
            |c, value, rest, name| match rest {
                [] => Some(c.revealed(value, None, name)),
                [to] => Some(c.revealed(value, Some(to), name)),
                [_, _, ..] => None,
            },
        ),
    ),
    row(
        "seat",
        "seat(2)",
        "A seat by its number.",
        Takes::Own("`NAME(1)`", |c, number, rest, _| {
            rest.is_empty().then(|| c.seat_number(number))
        }),
    ),
    row(
        "seats_from",
        "seats_from(p)",
        "All seats, beginning with p.",
        Takes::One(OF_SEAT, Type::Seat, |c, seat| {
            Value::List(c.b.set(Set::SeatsFrom(seat)), Some(Type::Seat))
        }),
    ),
    row(
        "others",
        "others(p)",
        "All seats except p.",
        Takes::One(OF_SEAT, Type::Seat, |c, seat| {
            Value::List(c.b.set(Set::Others(seat)), Some(Type::Seat))
        }),
    ),
    row(
        "left",
        "left(p)",
        "The next seat in turn order.",
        Takes::One(OF_SEAT, Type::Seat, |c, seat| c.neighbour(seat, 1)),
    ),
    row(
        "right",
        "right(p)",
        "The previous seat in turn order.",
        Takes::One(OF_SEAT, Type::Seat, |c, seat| c.neighbour(seat, -1)),
    ),
    row(
        "index",
        "index([red, green], green)",
        "The position of a value in a list, from 1; 0 if it is not there.",
        Takes::ListAnd("`NAME(list, member)`", None, |c, (list, _), member| {
            c.int(Expr::IndexOf(list, member))
        }),
    ),
    row(
        "take",
        "take(deck, 3)",
        "The first n members of a list.",
        Takes::ListAnd(
            "`NAME(list, 3)`",
            Some(Type::Int),
            |c, (list, of), count| Value::List(c.b.set(Set::Take(list, count)), of),
        ),
    ),
    row(
        "beside",
        "beside(cell, north)",
        "The adjacent cell on a side.",
        Takes::Two(
            "`NAME(cell, north)`",
            [Type::Cell, Type::Side],
            |c, (cell, _), side| {
                Value::One(c.b.expr(Expr::CellBeside { cell, side }), Some(Type::Cell))
            },
        ),
    ),
    row(
        "at",
        "at(table, cell)",
        "The tile at a cell, or none.",
        Takes::Two(
            "`NAME(table, cell)`",
            [Type::Zone(None), Type::Cell],
            |c, (zone, of), cell| {
                let of = match of {
                    Some(Type::Zone(family)) => c.members_of(family),
                    _ => Type::Component(None),
                };
                Value::One(c.b.expr(Expr::AtCell { zone, cell }), Some(of))
            },
        ),
    ),
    row(
        "opposite",
        "opposite(side)",
        "The opposite side.",
        Takes::One("`NAME(north)`", Type::Side, |c, side| {
            let by = c.b.constant(2);
            c.side_turned(side, by)
        }),
    ),
    row(
        "turned",
        "turned(side, 1)",
        "The side that is n quarter turns clockwise.",
        Takes::Two(
            "`NAME(north, 1)`",
            [Type::Side, Type::Int],
            |c, (side, _), by| c.side_turned(side, by),
        ),
    ),
    row(
        "within",
        "within(x, 3, .neighbours)",
        "Everything that can be reached from x in at most n steps.",
        Takes::Own(
            "`NAME(s, 2, .neighbours)`",
            |c, start, rest, _| match rest {
                [steps, key] => Some(c.within(start, steps, key)),
                _ => None,
            },
        ),
    ),
    row(
        "in_a_row",
        "in_a_row(s, .stone = p)",
        "The longest straight line through s whose spaces all fulfil the condition.",
        Takes::Own(
            "`NAME(space, top(it).owner = active)`",
            |c, (space, span), rest, _| match rest {
                [condition] => Some(c.in_a_row(space, span, condition)),
                _ => None,
            },
        ),
    ),
];

/// The row of a function.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

pub fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name)
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
        if self.of_constants {
            return self.unknown_name(name, None);
        }
        let help = self.advice_on_function(&name.text);
        let message = format!("there is no function or query `{}`", name.text);
        self.unknown("unknown-function", name, message, help)
    }

    // ---- functions

    /// `x.top`, `x.left`, `hand.count`: a function with what stands before the dot as its first argument. `None` if there
    /// is no such function, or if it does not take so many.
    pub fn function_on(
        &mut self,
        value: Value,
        span: Span,
        name: &Name,
        args: &[ast::Expr],
    ) -> Option<Option<Value>> {
        let row = function(&name.text)?;
        self.applied(row, (value, span), args, name)
    }

    fn function(&mut self, name: &Name, args: &[ast::Expr]) -> Option<Option<Value>> {
        let row = function(&name.text)?;
        let Some((first, rest)) = args.split_first() else {
            return Some(self.wrong_arguments(name));
        };
        let Some(value) = self.expr(first, row.wants()) else {
            return Some(None);
        };
        let translated = match (&row.takes, rest) {
            (Takes::Extreme(binary), [other]) if !is_list(value) => {
                Some(self.extreme_of_two(*binary, (value, first.span), other))
            }
            // What a list consists of needs no key.
            (Takes::Key(..) | Takes::Fold(..) | Takes::Extreme(_), []) => {
                Some(self.keyless(row, value, first.span))
            }
            _ => self.applied(row, (value, first.span), rest, name),
        };
        translated.or_else(|| Some(self.wrong_arguments(name)))
    }

    /// A call with these arguments; `None` if the function does not take so many.
    fn applied(
        &mut self,
        row: &Function,
        (value, span): (Value, Span),
        args: &[ast::Expr],
        name: &Name,
    ) -> Option<Option<Value>> {
        match (&row.takes, args) {
            (Takes::List(fold), []) => {
                let list = self.list_from(value, span);
                Some(list.map(|(set, of)| fold(self, set, of)))
            }
            (Takes::Key(..) | Takes::Fold(..) | Takes::Extreme(_), [key]) => {
                Some(self.keyed(row, value, span, key))
            }
            (Takes::One(_, of, translate), []) => {
                let value = self.one_from(value, *of, span);
                Some(value.map(|value| translate(self, value)))
            }
            (Takes::Two(_, [of, and], translate), [other]) => {
                let first = self.one_from(value, *of, span);
                Some(first.and_then(|first| {
                    let other = self.one(other, *and)?;
                    Some(translate(self, (first, value.ty().of), other))
                }))
            }
            (Takes::ListAnd(_, of, translate), [other]) => Some({
                let list = self.list_from(value, span);
                list.and_then(|(set, members)| {
                    let other = match of {
                        Some(of) => self.one(other, *of)?,
                        None => self.member_like(members, other, name)?,
                    };
                    Some(translate(self, (set, members), other))
                })
            }),
            (Takes::Own(_, own), rest) => own(self, (value, span), rest, name.span),
            (
                Takes::List(_)
                | Takes::Key(..)
                | Takes::Fold(..)
                | Takes::Extreme(_)
                | Takes::One(..)
                | Takes::Two(..)
                | Takes::ListAnd(..),
                _,
            ) => None,
        }
        .or_else(|| row.is_plain().then(|| self.wrong_arguments(name)))
    }

    /// Something that could be a member of a list of these.
    fn member_like(
        &mut self,
        members: Option<Type>,
        expr: &ast::Expr,
        name: &Name,
    ) -> Option<ExprId> {
        match self.expr(expr, members)? {
            Value::One(member, _) => Some(member),
            list @ Value::List(..) => {
                let (found, wanted) = (list.ty(), list.ty().element());
                self.mismatch(name.span, found, wanted)
            }
        }
    }

    fn wrong_arguments(&mut self, name: &Name) -> Option<Value> {
        let form = function(&name.text).map_or("`NAME(list)`", Function::call_form);
        self.problem(
            "wrong-arguments",
            name.span,
            format!("wrong arguments for `{}`", name.text),
            format!("usage: {}", form.replace("NAME", &name.text)),
        )
    }

    fn keyed(
        &mut self,
        row: &Function,
        value: Value,
        span: Span,
        key: &ast::Expr,
    ) -> Option<Value> {
        let (set, of) = self.list_from(value, span)?;
        let (temp, found, ty) = self.key(key, of)?;
        self.folded(row, set, temp, (found, ty), key.span)
    }

    fn keyless(&mut self, row: &Function, value: Value, span: Span) -> Option<Value> {
        let (set, of) = self.list_from(value, span)?;
        let ty = Ty { of, list: false };
        row.key_fits(self, ty, span)?;
        let temp = self.scope.temp(ty);
        let key = self.b.expr(Expr::Temp(temp));
        self.folded(row, set, temp, (key, ty), span)
    }

    /// What a function makes of the keys of the members.
    fn folded(
        &mut self,
        row: &Function,
        of: SetId,
        temp: Temp,
        (key, ty): (ExprId, Ty),
        span: Span,
    ) -> Option<Value> {
        row.key_fits(self, ty, span)?;
        match row.takes {
            Takes::Key(_, translate) => Some(translate(self, of, temp, (key, ty))),
            Takes::Fold(_, fold) => {
                let expr = Expr::Fold {
                    fold,
                    of,
                    temp,
                    key,
                };
                Some(Value::One(self.b.checked_expr(expr, span), Some(Type::Int)))
            }
            Takes::Extreme(binary) => {
                let most = binary == Binary::Max;
                let expr = Expr::Extreme {
                    of,
                    temp,
                    key,
                    most,
                };
                Some(Value::One(self.b.expr(expr), ty.of))
            }
            Takes::List(_)
            | Takes::One(..)
            | Takes::Two(..)
            | Takes::ListAnd(..)
            | Takes::Own(..) => None,
        }
    }

    fn extreme_of_two(
        &mut self,
        binary: Binary,
        (a, span): (Value, Span),
        b: &ast::Expr,
    ) -> Option<Value> {
        let (a, b) = (self.one_from(a, Type::Int, span), self.number(b));
        Some(self.int(Expr::Binary(binary, a?, b?)))
    }

    fn int(&mut self, expr: Expr) -> Value {
        Value::One(self.b.expr(expr), Some(Type::Int))
    }

    fn truth(&mut self, expr: Expr) -> Value {
        Value::One(self.b.expr(expr), Some(Type::Bool))
    }

    fn absolute(&mut self, (number, span): (Value, Span), name: Span) -> Option<Value> {
        let number = self.one_from(number, Type::Int, span)?;
        let expr = self.b.checked_expr(Expr::Abs(number), name);
        Some(Value::One(expr, Some(Type::Int)))
    }

    fn neighbour(&mut self, seat: ExprId, by: i8) -> Value {
        Value::One(self.b.expr(Expr::SeatAfter { seat, by }), Some(Type::Seat))
    }

    fn side_turned(&mut self, side: ExprId, by: ExprId) -> Value {
        let turned = self.b.expr(Expr::SideTurned { side, by });
        Value::One(turned, Some(Type::Side))
    }

    /// Translates a value that the rules reveal on purpose, to everybody or to one seat.
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

    // ---- folds with a shorter way for zones

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn count_of(&mut self, set: SetId) -> Value {
        let expr = match self.b.get_set(set) {
            Set::Zone(zone) => Expr::ZoneCount(zone),
            _ => Expr::Count(set),
        };
        Value::One(self.b.expr(expr), Some(Type::Int))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn first_of(&mut self, set: SetId, of: Option<Type>) -> Value {
        let expr = match self.b.get_set(set) {
            Set::Zone(zone) => Expr::ZoneFirst(zone),
            _ => Expr::First(set, nothing_of(of)),
        };
        Value::One(self.b.expr(expr), of)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn last_of(&mut self, set: SetId, of: Option<Type>) -> Value {
        let expr = match self.b.get_set(set) {
            Set::Zone(zone) => Expr::ZoneLast(zone),
            _ => Expr::Last(set, nothing_of(of)),
        };
        Value::One(self.b.expr(expr), of)
    }

    /// Returns the names of queries for values of this type.
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

/// Returns whether functions accept it as a list: lists and zones.
fn is_list(value: Value) -> bool {
    matches!(value, Value::List(..) | Value::One(_, Some(Type::Zone(_))))
}

/// Returns the result for an empty list with members of this type.
fn nothing_of(of: Option<Type>) -> i32 {
    of.map_or(NONE, default_of)
}

impl Function {
    /// The type that settles what a bare value as the first argument means.
    fn wants(&self) -> Option<Type> {
        match self.takes {
            Takes::One(_, of, _) | Takes::Two(_, [of, _], _) => Some(of),
            Takes::List(_)
            | Takes::Key(..)
            | Takes::Fold(..)
            | Takes::Extreme(_)
            | Takes::ListAnd(..)
            | Takes::Own(..) => None,
        }
    }

    /// Is it told at once that it takes another number of arguments? Other functions could be fields of the same name.
    fn is_plain(&self) -> bool {
        match self.takes {
            Takes::One(..) | Takes::Two(..) | Takes::ListAnd(..) => true,
            Takes::Own(..) => !matches!(self.name, "within" | "in_a_row"),
            Takes::List(_) | Takes::Key(..) | Takes::Fold(..) | Takes::Extreme(_) => false,
        }
    }

    /// How it is called.
    fn call_form(&self) -> &'static str {
        match self.takes {
            Takes::List(_) => "`NAME(list)`",
            Takes::Key(Key::Condition, _) | Takes::Fold(Key::Condition, _) => {
                "`NAME(cards, .rank > 3)`"
            }
            Takes::Key(..) | Takes::Fold(..) => "`NAME(cards, .rank)`",
            Takes::Extreme(_) => "`NAME(a, b)`, `NAME(numbers)` or `NAME(cards, .rank)`",
            Takes::One(form, ..)
            | Takes::Two(form, ..)
            | Takes::ListAnd(form, ..)
            | Takes::Own(form, _) => form,
        }
    }

    /// Checks the key of a function: numbers for sums and extremes, conditions for quantifiers.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn key_fits(&self, c: &mut Compiler<'_>, key: Ty, span: Span) -> Option<()> {
        let wanted = match self.takes {
            Takes::Key(key, _) | Takes::Fold(key, _) => key,
            _ => Key::Number,
        };
        let wanted = match wanted {
            Key::Number => Ty::INT,
            Key::Condition => Ty::BOOL,
            Key::Anything => return Some(()),
        };
        if c.world.fits(key.of, wanted.of) {
            return Some(());
        }
        c.mismatch(span, key, wanted)
    }
}
