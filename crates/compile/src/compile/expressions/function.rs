//! The table of functions.

mod apply;
mod call;
mod meaning;

use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::terms::value::{Value, ValueAt};
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

/// The arguments of a function, and the translation of its calls.
enum Takes {
    List(fn(&mut Compiler<'_>, SetId, Option<Type>) -> Value),
    /// A list, and an expression for each member. Without the expression, the values are the members themselves.
    Key(
        Key,
        fn(&mut Compiler<'_>, SetId, Temp, (ExprId, Ty)) -> Value,
    ),
    /// The arguments of `Key`, for functions of the values alone.
    Fold(Key, Fold),
    /// The arguments of `Key`, with numbers, or two numbers.
    Extreme(Binary),
    /// A value of a type. The text is the form of a call, for advice.
    One(&'static str, Type, fn(&mut Compiler<'_>, ExprId) -> Value),
    /// Two values; the translation also receives the type of the first one.
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
    /// A function with checks and a translation of its own.
    Own(&'static str, Own),
    /// A function of its own kind whose arguments are not values.
    Written(&'static str, Written),
}

/// Translates a call from its first argument, the others, and the place of the name. `None` if a call has another form.
type Own = fn(&mut Compiler<'_>, ValueAt, &[ast::Expr], Span) -> Attempt<Value>;

/// Translates a call from its arguments as they are written, and the place of the name. `None` if a call has another
/// form.
type Written = fn(&mut Compiler<'_>, &[ast::Expr], Span) -> Attempt<Value>;

/// The type of the value that is computed for each member of a list.
#[derive(Clone, Copy, PartialEq)]
enum Key {
    Number,
    Condition,
    Anything,
}

/// Declares the table of functions: the name, an example, the documentation and the translation of each.
macro_rules! functions {
    ($($name:literal $form:literal $about:literal => $takes:expr;)*) => {
        /// Every function of the language.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            form: $form,
            about: $about,
            takes: $takes,
        }),*];
    };
}

/// Declares a function with checks of its own: how it is called, and the translation for each number of further arguments.
macro_rules! own {
    ($call:literal, |$c:ident, $first:pat_param, $at:pat_param| $($others:pat_param => $translated:expr),+) => {
        Takes::Own($call, |$c, $first, others, $at| match others {
            $($others => Some($translated),)+
            _ => None,
        })
    };
}

/// Declares a function whose arguments are not values.
macro_rules! written {
    ($call:literal, |$c:ident, $at:pat_param| $arguments:pat_param => $translated:expr) => {
        Takes::Written($call, |$c, arguments, $at| match arguments {
            $arguments => Some($translated),
            _ => None,
        })
    };
}

const OF_SEAT: &str = "`NAME(p)` with a seat";

functions! {
    "count" "count(hand(p))" "The number of members of a list."
        => Takes::List(|c, set, _| c.count_of(set));
    "size" "size(hand(p))" "The number of members of a list."
        => Takes::List(|c, set, _| c.count_of(set));
    "first" "first(row(p))" "The first member, or none."
        => Takes::List(|c, set, of| c.end_of(set, of, false));
    "the" "the(dragons where .owner = p)" "The one member, or none."
        => Takes::List(|c, set, of| c.end_of(set, of, false));
    "bottom" "bottom(deck)" "The first component of a zone, or none."
        => Takes::List(|c, set, of| c.end_of(set, of, false));
    "last" "last(row(p))" "The last member, or none."
        => Takes::List(|c, set, of| c.end_of(set, of, true));
    "top" "top(deck)" "The last component of a zone, or none."
        => Takes::List(|c, set, of| c.end_of(set, of, true));
    "reversed" "reversed(1..3)" "The list in reverse order."
        => Takes::List(|c, set, of| c.list_value(Set::Reversed(set), of));
    "shuffled" "shuffled(seats)" "The list in random order, in `let`, `each`, `=` or `return`."
        => written!("`NAME(list)`", |c, name| [_] => c.shuffled_in_expression(name));
    "unique" "unique([1, 1, 2])" "The distinct members of a list."
        => Takes::List(|c, set, of| c.list_value(Set::Unique(set), of));
    "sum" "sum(dice, .face)" "The sum of an expression over all members."
        => Takes::Key(Key::Number, |c, of, temp, (key, _)| c.int(Expr::Sum { of, temp, key }));
    "max" "max(dice, .face)" "The largest number of a list, or of two numbers."
        => Takes::Extreme(Binary::Max);
    "min" "min(3, 5)" "The smallest number of a list, or of two numbers."
        => Takes::Extreme(Binary::Min);
    "distinct" "distinct(cards, .color)"
        "The number of different values that an expression has over all members."
        => Takes::Key(Key::Anything, |c, of, temp, (key, _)| c.int(Expr::Distinct { of, temp, key }));
    "product" "product(dice, .face)"
        "The product of an expression over all members; 1 for an empty list."
        => Takes::Fold(Key::Number, Fold::Product);
    "median" "median(dice, .face)"
        "The median of an expression over all members, the lower one of two; 0 for an empty list."
        => Takes::Fold(Key::Number, Fold::Median);
    "count_adjacent" "count_adjacent(row(p), .color)"
        "The number of members with the same value as the member before."
        => Takes::Fold(Key::Anything, Fold::CountAdjacent);
    "most_alike" "most_alike(dice, .face)" "The number of members that share the most common value."
        => Takes::Fold(Key::Anything, Fold::MostAlike);
    "commonest" "commonest(tokens, .owner)"
        "The values that an expression has most often, each once: a majority, or those that share it. `none` does not count."
        => Takes::Key(Key::Anything, |c, of, temp, (key, ty)| c.commonest(of, temp, key, ty.of));
    "longest_run" "longest_run(dice, .face)" "The length of the longest run of consecutive numbers."
        => Takes::Fold(Key::Number, Fold::LongestRun);
    "keys" "keys(cards, .rank)"
        "The list of the values of an expression for each member; if they are lists, all of them in one."
        => own!("`NAME(cards, .rank)`", |c, list, _| [key] => c.keys_of(list, key));
    "any" "any(cards, .rank = 3)" "At least one member fulfills the condition."
        => Takes::Key(Key::Condition, |c, of, temp, (condition, _)| c.truth(Expr::Some(MemberTest { of, temp, condition })));
    "all" "all(cards, .rank < 9)" "All members fulfill the condition."
        => Takes::Key(Key::Condition, |c, of, temp, (condition, _)| c.truth(Expr::Every(MemberTest { of, temp, condition })));
    "abs" "abs(-1)" "The absolute value."
        => own!("`NAME(n)`", |c, number, name| [] => c.absolute(number, name));
    "revealed" "revealed(sum(hand(p), .rank))"
        "The value itself. Declares that the rules reveal it on purpose, to all or to one seat: `revealed(x, p)`."
        => own!("`NAME(x)`, or `NAME(x, p)` with the only seat that learns it", |c, value, name|
            [] => c.revealed(value, None, name),
            [to] => c.revealed(value, Some(to), name));
    "seat" "seat(2)" "A seat by its number."
        => own!("`NAME(1)`", |c, number, _| [] => c.seat_number(number));
    "seats_from" "seats_from(p)" "All seats, beginning with p."
        => Takes::One(OF_SEAT, Type::Seat, |c, seat| c.list_value(Set::SeatsFrom(seat), Some(Type::Seat)));
    "others" "others(p)" "All seats except p."
        => Takes::One(OF_SEAT, Type::Seat, |c, seat| c.list_value(Set::Others(seat), Some(Type::Seat)));
    "left" "left(p)" "The next seat in turn order."
        => Takes::One(OF_SEAT, Type::Seat, |c, seat| c.neighbor(seat, 1));
    "right" "right(p)" "The previous seat in turn order."
        => Takes::One(OF_SEAT, Type::Seat, |c, seat| c.neighbor(seat, -1));
    "index" "index([red, green], green)"
        "The position of a value in a list, from 1; 0 if it is not there."
        => Takes::ListAnd("`NAME(list, member)`", None, |c, (list, _), member| c.int(Expr::IndexOf(list, member)));
    "take" "take(deck, 3)" "The first n members of a list."
        => Takes::ListAnd("`NAME(list, 3)`", Some(Type::Int), |c, (list, of), n| c.list_value(Set::Take(list, n), of));
    "cycle" "cycle(seats, 5)" "The n-th member of a list that begins again after its last member."
        => Takes::ListAnd("`NAME(list, 3)`", Some(Type::Int), |c, (list, of), n| c.in_a_cycle(list, of, n));
    "knows" "knows(p, c)" "Whether the seat sees the front of a component now, or was shown it there."
        => Takes::Two("`NAME(p, c)`", [Type::Seat, Type::Component(None)], |c, (seat, _), component| c.truth(Expr::Knows { seat, component }));
    "beside" "beside(cell, north)" "The adjacent cell on a side."
        => Takes::Two("`NAME(cell, north)`", [Type::Cell, Type::Side], |c, (cell, _), side| c.cell_beside(cell, side));
    "at" "at(table, cell)" "The tile at a cell, or none."
        => Takes::Two("`NAME(table, cell)`", [Type::Zone(None), Type::Cell], |c, (zone, of), cell| c.tile_at(zone, of, cell));
    "opposite" "opposite(side)" "The opposite side."
        => Takes::One("`NAME(north)`", Type::Side, |c, side| c.opposite(side));
    "turned" "turned(side, 1)" "The side that is n sides further clockwise."
        => Takes::Two("`NAME(north, 1)`", [Type::Side, Type::Int], |c, (side, _), by| c.side_turned(side, by));
    "within" "within(x, 3, .neighbors)" "Everything that can be reached from x in at most n steps."
        => own!("`NAME(s, 2, .neighbors)`", |c, start, _| [steps, key] => c.within(start, steps, key));
    "step" "step(square, 1)" "The space next to a space in a direction, or none."
        => own!("`NAME(space, direction)`", |c, space, _| [way] => c.step(space, way));
    "steps" "steps(square, orthogonal)"
        "The spaces next to a space in these directions; without them, in those of its board."
        => own!("`NAME(space, orthogonal)`", |c, space, name|
            [] => c.steps(space, None, name),
            [ways] => c.steps(space, Some(ways), name));
    "line" "line(square, 1)" "All spaces in a direction, nearest first, without the space itself."
        => own!("`NAME(space, direction)`", |c, space, _| [way] => c.line(space, way));
    "slides" "slides(square, diagonal, it is free)"
        "In each of these directions, the spaces as long as the condition holds, and the first for which it does not."
        => own!("`NAME(space, orthogonal, it is free)`", |c, space, name|
            [passes] => c.slides(space, None, passes, name),
            [ways, passes] => c.slides(space, Some(ways), passes, name));
    "enclosed" "enclosed(square, compass, stone[it] = left(p), stone[it] = p)"
        "In each of these directions, the unbroken run of spaces that fulfill the first condition, if the space behind them fulfills the second."
        => own!("`NAME(space, compass, stone[it] = left(p), stone[it] = p)`", |c, space, name|
            [between, end] => c.enclosed(space, None, between, end, name),
            [ways, between, end] => c.enclosed(space, Some(ways), between, end, name));
    "group" "group(point, orthogonal, stone[it] = p)"
        "The connected spaces that fulfill a condition, from one or several spaces on; nothing from spaces that do not fulfill it."
        => own!("`NAME(space, orthogonal, stone[it] = p)`", |c, from, name|
            [condition] => c.group(from, None, condition, name),
            [ways, condition] => c.group(from, Some(ways), condition, name));
    "border" "border(point, orthogonal, stone[it] = p)"
        "The spaces next to a `group`, which do not belong to it."
        => own!("`NAME(space, orthogonal, stone[it] = p)`", |c, from, name|
            [condition] => c.border(from, None, condition, name),
            [ways, condition] => c.border(from, Some(ways), condition, name));
    "distance" "distance(a, b, orthogonal)"
        "The number of steps from one space to another in these directions, or the length of the shortest way along edges; -1 if there is no way."
        => own!("`NAME(a, b, orthogonal)`, or `NAME(a, b, tracks, .length)`", |c, from, name|
            [to] => c.distance(from, to, None, name),
            [to, ways] => c.distance(from, to, Some(ways), name),
            [to, edges, length] => c.length_of_way(from, to, edges, length, name));
    "longest_path" "longest_path(road where owner[it] = p)"
        "The length of the longest way along edges that takes none twice. A third argument says through which nodes it can lead."
        => own!("`NAME(edges)`, `NAME(edges, .length)` or `NAME(edges, .length, it is free)`", |c, edges, name|
            [] => c.longest_path(edges, None, None, name),
            [length] => c.longest_path(edges, Some(length), None, name),
            [length, passes] => c.longest_path(edges, Some(length), Some(passes), name));
    "groups" "groups(court, flag[it] is some)"
        "The first space of each `group`."
        => own!("`NAME(spaces, stone[it] = p)`", |c, spaces, name| [condition] => c.groups(spaces, condition, name));
    "touching" "touching(hex, corner)"
        "The corners, sides, spaces or ways that touch one."
        => own!("`NAME(space, corner)` with a family of zones", |c, space, name| [family] => c.touching(space, family, name));
    "up_to" "up_to(deck, it is dragon)"
        "The first members, up to the first one that fulfills the condition; all if none does."
        => own!("`NAME(deck, it is dragon)`", |c, list, _| [condition] => c.up_to(list, condition, true));
    "before" "before(deck, it is dragon)"
        "The members before the first one that fulfills the condition; all if none does."
        => own!("`NAME(deck, it is dragon)`", |c, list, _| [condition] => c.up_to(list, condition, false));
    "after" "after(go(a, b), safe(active))"
        "The value or list in the position after an effect that is not performed: the state stays the same, and there are no events and no decisions."
        => written!("`NAME(effect(a, b), value)` with an effect that is declared like a function", |c, name|
            [effect, value] => c.after(effect, value, name));
    "recorded" "recorded(board)"
        "How often a position has been recorded with the values that it has now: 0 for a new one."
        => written!("`NAME(board)` with a position that is declared under `positions`", |c, _|
            [position] => c.recorded(position));
    "begins_word" "begins_word(t, english)" "Whether a word of a list begins with these letters."
        => written!("`begins_word(t, english)` with a list of words", |c, _| [text, words] => c.begins(text, words));
    "next_letters" "next_letters(said, english)" "The letters, as values of their type, that follow these in words of a list."
        => written!("`next_letters(said, english)` with values named by letters and a list of words", |c, _| [said, words] => c.next_letters(said, words));
    "in_a_row" "in_a_row(s, .stone = p)"
        "The longest straight line through s whose spaces all fulfill the condition."
        => own!("`NAME(space, top(it).owner = active)`", |c, space, _|
            [condition] => c.in_a_row(space, condition));
}

/// Returns the row of a function.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Functions that are younger than games with a query of the same name: a query may hide them without a warning.
const LATER: [&str; 18] = [
    "next_letters",
    "recorded",
    "step",
    "steps",
    "line",
    "slides",
    "enclosed",
    "group",
    "border",
    "distance",
    "longest_path",
    "groups",
    "touching",
    "up_to",
    "before",
    "cycle",
    "shuffled",
    "revealed",
];

/// Returns whether authors know this name as that of a function, so that a query that hides it deserves a warning.
pub fn is_known_function(name: &str) -> bool {
    function(name).is_some() && !LATER.contains(&name)
}

pub fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name)
}
