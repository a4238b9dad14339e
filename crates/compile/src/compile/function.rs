//! The table of functions.

mod apply;
mod call;
mod meaning;

use super::Compiler;
use super::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
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
    /// What is no value, and is translated in its own way.
    Written(&'static str, Written),
}

/// The first argument, the others, and where the name stands; `None`: it is not called like this.
type Own = fn(&mut Compiler<'_>, (Value, Span), &[ast::Expr], Span) -> Option<Option<Value>>;

/// The arguments as they are written, and where the name stands; `None`: it is not called like this.
type Written = fn(&mut Compiler<'_>, &[ast::Expr], Span) -> Option<Option<Value>>;

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
        "commonest",
        "commonest(tokens, .owner)",
        "The values that an expression has most often, each once: a majority, or those that share it. `none` does not count.",
        Takes::Key(Key::Anything, |c, of, temp, (key, ty)| {
            c.commonest(of, temp, key, ty.of)
        }),
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
        "The list of the values of an expression for each member; if they are lists, all of them in one.",
        Takes::Own("`NAME(cards, .rank)`", |c, list, rest, _| match rest {
            [key] => Some(c.keys_of(list, key)),
            _ => None,
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
        "cycle",
        "cycle(seats, 5)",
        "The n-th member of a list that begins again after its last member.",
        Takes::ListAnd(
            "`NAME(list, 3)`",
            Some(Type::Int),
            |c, (list, of), number| c.in_a_cycle(list, of, number),
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
        "step",
        "step(square, 1)",
        "The space next to a space in a direction, or none.",
        Takes::Own("`NAME(space, direction)`", |c, space, rest, _| match rest {
            [way] => Some(c.step(space, way)),
            _ => None,
        }),
    ),
    row(
        "steps",
        "steps(square, orthogonal)",
        "The spaces next to a space in these directions; without them, in those of its board.",
        Takes::Own(
            "`NAME(space, orthogonal)`",
            |c, space, rest, name| match rest {
                [] => Some(c.steps(space, None, name)),
                [ways] => Some(c.steps(space, Some(ways), name)),
                _ => None,
            },
        ),
    ),
    row(
        "line",
        "line(square, 1)",
        "All spaces in a direction, nearest first, without the space itself.",
        Takes::Own("`NAME(space, direction)`", |c, space, rest, _| match rest {
            [way] => Some(c.line(space, way)),
            _ => None,
        }),
    ),
    row(
        "slides",
        "slides(square, diagonal, it is free)",
        "In each of these directions, the spaces as long as the condition holds, and the first for which it does not.",
        Takes::Own(
            "`NAME(space, orthogonal, it is free)`",
            |c, space, rest, name| match rest {
                [passes] => Some(c.slides(space, None, passes, name)),
                [ways, passes] => Some(c.slides(space, Some(ways), passes, name)),
                _ => None,
            },
        ),
    ),
    row(
        "enclosed",
        "enclosed(square, compass, stone[it] = left(p), stone[it] = p)",
        "In each of these directions, the unbroken run of spaces that fulfil the first condition, if the space behind them fulfils the second.",
        Takes::Own(
            "`NAME(space, compass, stone[it] = left(p), stone[it] = p)`",
            |c, space, rest, name| match rest {
                [between, end] => Some(c.enclosed(space, None, (between, end), name)),
                [ways, between, end] => Some(c.enclosed(space, Some(ways), (between, end), name)),
                _ => None,
            },
        ),
    ),
    row(
        "group",
        "group(point, orthogonal, stone[it] = p)",
        "The connected spaces that fulfil a condition, from one or several spaces on; nothing from spaces that do not fulfil it.",
        Takes::Own(
            "`NAME(space, orthogonal, stone[it] = p)`",
            |c, from, rest, name| match rest {
                [condition] => Some(c.group(from, None, condition, name)),
                [ways, condition] => Some(c.group(from, Some(ways), condition, name)),
                _ => None,
            },
        ),
    ),
    row(
        "border",
        "border(point, orthogonal, stone[it] = p)",
        "The spaces next to a `group`, which do not belong to it.",
        Takes::Own(
            "`NAME(space, orthogonal, stone[it] = p)`",
            |c, from, rest, name| match rest {
                [condition] => Some(c.border(from, None, condition, name)),
                [ways, condition] => Some(c.border(from, Some(ways), condition, name)),
                _ => None,
            },
        ),
    ),
    row(
        "distance",
        "distance(a, b, orthogonal)",
        "The number of steps from one space to another in these directions; -1 if there is no way.",
        Takes::Own(
            "`NAME(a, b, orthogonal)`",
            |c, from, rest, name| match rest {
                [to] => Some(c.distance(from, to, None, name)),
                [to, ways] => Some(c.distance(from, to, Some(ways), name)),
                _ => None,
            },
        ),
    ),
    row(
        "up_to",
        "up_to(deck, it is dragon)",
        "The first members, up to the first one that fulfils the condition; all if none does.",
        Takes::Own(
            "`NAME(deck, it is dragon)`",
            |c, list, rest, _| match rest {
                [condition] => Some(c.up_to(list, condition, true)),
                _ => None,
            },
        ),
    ),
    row(
        "before",
        "before(deck, it is dragon)",
        "The members before the first one that fulfils the condition; all if none does.",
        Takes::Own(
            "`NAME(deck, it is dragon)`",
            |c, list, rest, _| match rest {
                [condition] => Some(c.up_to(list, condition, false)),
                _ => None,
            },
        ),
    ),
    row(
        "after",
        "after(go(a, b), safe(active))",
        "The value or list in the position after an effect that is not performed: the state stays the same, and there are no events and no decisions.",
        Takes::Written(
            "`NAME(effect(a, b), value)` with an effect that is declared like a function",
            |c, args, name| match args {
                [effect, value] => Some(c.after(effect, value, name)),
                _ => None,
            },
        ),
    ),
    row(
        "recorded",
        "recorded(board)",
        "How often a position has been recorded with the values that it has now: 0 for a new one.",
        Takes::Written(
            "`NAME(board)` with a position that is declared under `positions`",
            |c, args, _| match args {
                [position] => Some(c.recorded(position)),
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

/// Functions of boards, of history and of lists, whose names a query of a game may take: games could have such a query before there
/// was the function.
const YIELDING: [&str; 12] = [
    "recorded", "step", "steps", "line", "slides", "enclosed", "group", "border", "distance",
    "up_to", "before", "cycle",
];

/// Returns whether no query can have this name, because it is that of a function.
pub fn is_taken_by_function(name: &str) -> bool {
    function(name).is_some() && !YIELDING.contains(&name)
}

pub fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name)
}
