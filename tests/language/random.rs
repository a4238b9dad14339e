//! Random programs: generated with their types, and run in every way there is. The program as it is written defines the
//! meaning; masks and the other faster forms, machine code and constants must agree with it in states and faults.
//!
//! `PROPTEST_CASES=10000` runs longer. A failing program shrinks to a small one.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use wyrmgate::bot::RandomBot;
use wyrmgate::compile::{Setup, compile, compile_as_written};
use wyrmgate::diagnostic::{Report, Sources};
use wyrmgate::engine::{Fault, FaultKind, eval_query};
use wyrmgate::lang::definition::Definition;
use wyrmgate::lang::load::load;
use wyrmgate::program::Program;
use wyrmgate::runner::Runner;

const HEAD: &str = "
game: test
title: Test
players: 2
bound: 1000
types:
  color: [red, blue, green]
  toll: bundle of color
data:
  tools: [{tool: pick, price: 3, paint: red}, {tool: rope, price: -2, paint: green}, {tool: lamp, price: 7, paint: red}]
zones:
  deck: {holds: card, see: nobody}
  row: {holds: card}
  hand: {each: {owner: seats}, holds: card, see: owner}
  square: {each: {x: 1..3, y: 1..3}, grid: [x, y], holds: card}
  plain: {each: {x: 1..9, y: 1..9}, grid: [x, y]}
  field: {each: {x: 1..12, y: 1..12}, grid: [x, y]}
components:
  card: {each: {color: color, rank: 1..4}, in: deck, fields: {cost: rank * 3 - 5, laps: int}}
vars:
  a: int
  b: int
  mine: {each: seats, type: int}
  lit: {each: square, type: bool}
  dry: {each: plain, type: bool}
  sown: {each: field, type: seat}
  xs: {type: ints, most: 6}
  ys: {type: ints, each: seats, most: 5, start: \"[4, 1]\"}
  drawn: {type: cards, each: color, most: 8}
  zs: {type: ints, each: {of: seats, to: color}, most: 4, start: \"[2]\"}
  load: {type: toll, start: 3 red + 1 green}
  loads: {type: toll, each: seats, start: 2 blue}
positions:
  place: \"[a, mine, xs, ys, keys(square, count(it)), zs, active]\"
queries:
  dear(card c): c.cost > a
  full: some s in square has count(s) > a
  of_color(color k): cards where .color = k
  inside(squares ss): count(square where it in ss and (some t in near(it) has t not in ss))
  near(square s): square where abs(.x - s.x) + abs(.y - s.y) = 1
";

// ---- programs

/// The type of `it` at the place of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Within {
    Nothing,
    Number,
    Card,
    Square,
}

const WITHIN: [Within; 4] = [
    Within::Nothing,
    Within::Number,
    Within::Card,
    Within::Square,
];

type Text = BoxedStrategy<String>;

/// Expressions of each type, up to some depth.
#[derive(Clone)]
struct Level {
    number: Text,
    truth: Text,
    color: Text,
    card: Text,
    square: Text,
    seat: Text,
    numbers: Text,
    cards: Text,
    squares: Text,
}

fn words(words: &[&'static str]) -> Text {
    proptest::sample::select(words.to_vec())
        .prop_map(str::to_owned)
        .boxed()
}

/// A pattern whose `#` are filled in order.
fn filled(pattern: &'static str, parts: &[&Text]) -> Text {
    let parts: Vec<Text> = parts.iter().map(|part| (*part).clone()).collect();
    parts
        .prop_map(move |parts| {
            let mut parts = parts.into_iter();
            let mut text = String::new();
            for c in pattern.chars() {
                match c {
                    '#' => text.push_str(&parts.next().unwrap()),
                    c => text.push(c),
                }
            }
            text
        })
        .boxed()
}

fn one_of(all: Vec<Text>) -> Text {
    proptest::strategy::Union::new(all).boxed()
}

/// Without what looks at the state if it is `pure`.
fn leaves(within: Within, pure: bool) -> Level {
    let state = |words_of: &[&'static str]| match pure {
        true => Vec::new(),
        false => vec![words(words_of)],
    };
    let mut number = vec![
        words(&["0", "1", "2", "3", "-1", "7"]),
        words(&["2147483647"]),
    ];
    number.truncate(if pure { 1 } else { 2 });
    number.extend(state(&[
        "a",
        "b",
        "mine[seat(1)]",
        "xs[2]",
        "ys[seat(2)][1]",
        "zs[seat(1)][blue][1]",
        "load.red",
        "sum(loads[active])",
        "count(row)",
        "count(deck)",
    ]));
    let mut truth = vec![words(&["true", "false"])];
    truth.extend(state(&["a > b", "row is empty", "load <= loads[seat(2)]"]));
    let mut color = vec![words(&["red", "blue", "green"])];
    let mut card = state(&[
        "card(red, 1)",
        "card(blue, 3)",
        "top(deck)",
        "top(row)",
        "first(hand(active))",
    ]);
    let mut square = state(&["square(1, 1)", "square(2, 3)", "square(9, 9)"]);
    match within {
        Within::Nothing => {}
        Within::Number => number.push(words(&["it"])),
        Within::Card => {
            number.push(words(&["it.rank", ".cost", ".laps"]));
            truth.push(words(&["dear(it)", "it in row"]));
            color.push(words(&[".color"]));
            card.push(words(&["it"]));
        }
        Within::Square => {
            number.push(words(&["it.x", ".y", "count(it)"]));
            truth.push(words(&["it is free"]));
            truth.push(words(&[
                "lit[it]",
                "lit[square(it.y, 2)]",
                "not lit[square(it.x, it.y + 1)]",
            ]));
            square.push(words(&["it"]));
        }
    }
    let none = || vec![words(&["none"])];
    let or_none = |all: Vec<Text>| if all.is_empty() { none() } else { all };
    let lists = |all: &[&'static str]| match pure {
        true => words(&["[]"]),
        false => words(all),
    };
    Level {
        number: one_of(number),
        truth: one_of(truth),
        color: one_of(color),
        card: one_of(or_none(card)),
        square: one_of(or_none(square)),
        seat: words(match pure {
            true => &["seat(1)", "seat(2)", "seat(9)"],
            false => &["seat(1)", "seat(2)", "active"],
        }),
        numbers: words(match pure {
            true => &["1..4", "[3, 1, 2]", "[]", "[5]", "0..-1"],
            false => &[
                "1..4",
                "[3, 1, 2]",
                "[]",
                "0..-1",
                "xs",
                "ys[active]",
                "zs[active][red]",
            ],
        }),
        cards: lists(&["cards", "row", "deck", "hand(active)", "drawn[red]"]),
        squares: lists(&["square"]),
    }
}

fn deeper(below: &BTreeMap<usize, Level>, within: Within, pure: bool) -> Level {
    let of = |within: Within| &below[&(within as usize)];
    let (o, n, c, s) = (
        of(within),
        of(Within::Number),
        of(Within::Card),
        of(Within::Square),
    );
    let mut number = vec![
        o.number.clone(),
        filled("(# + #)", &[&o.number, &o.number]),
        filled("(# - #)", &[&o.number, &o.number]),
        filled("(# * #)", &[&o.number, &o.number]),
        filled("(# / #)", &[&o.number, &o.number]),
        filled("(# mod #)", &[&o.number, &o.number]),
        filled("max(#, #)", &[&o.number, &o.number]),
        filled("abs(#)", &[&o.number]),
        filled("(if # then # else #)", &[&o.truth, &o.number, &o.number]),
        filled("count(#)", &[&o.numbers]),
        filled("sum(#, #)", &[&o.numbers, &n.number]),
        filled("max(#, #)", &[&o.numbers, &n.number]),
        filled("product(#)", &[&o.numbers]),
        filled("median(#, #)", &[&o.numbers, &n.number]),
        filled("count_adjacent(#)", &[&o.numbers]),
        filled("most_alike(#, #)", &[&o.numbers, &n.number]),
        filled("longest_run(#)", &[&o.numbers]),
        filled("distinct(#, #)", &[&o.numbers, &n.number]),
        filled("first(#)", &[&o.numbers]),
        filled("(#)[#]", &[&o.numbers, &o.number]),
        filled("index(#, #)", &[&o.numbers, &o.number]),
        filled("[5, 6, 7][#]", &[&o.color]),
        filled("(let n = #; n * n - #)", &[&o.number, &o.number]),
        filled(
            "(let ns = #; count(ns) + max(ns, #))",
            &[&o.numbers, &n.number],
        ),
        filled("sum(n in #, n + #)", &[&o.numbers, &n.number]),
        filled("tools[#].price", &[&o.number]),
        filled(
            "count(tools where .paint = # and .price > #)",
            &[&o.color, &o.number],
        ),
        filled("sum(t in tools, t.price * #)", &[&o.number]),
    ];
    let mut truth = vec![
        o.truth.clone(),
        filled("(# < #)", &[&o.number, &o.number]),
        filled("(# = #)", &[&o.number, &o.number]),
        filled("(# >= #)", &[&o.number, &o.number]),
        filled("(# and #)", &[&o.truth, &o.truth]),
        filled("(# or #)", &[&o.truth, &o.truth]),
        filled("(not #)", &[&o.truth]),
        filled("(# = #)", &[&o.color, &o.color]),
        filled("(# = #)", &[&o.seat, &o.seat]),
        filled("(# in #)", &[&o.number, &o.numbers]),
        filled("any(#, #)", &[&o.numbers, &n.truth]),
        filled("all(#, #)", &[&o.numbers, &n.truth]),
    ];
    let mut numbers = vec![
        o.numbers.clone(),
        filled("[#, #]", &[&o.number, &o.number]),
        filled("(# where #)", &[&o.numbers, &n.truth]),
        filled("keys(#, #)", &[&o.numbers, &n.number]),
        filled("(# sorted by #)", &[&o.numbers, &n.number]),
        filled("(# sorted by most #)", &[&o.numbers, &n.number]),
        filled("(# with most #)", &[&o.numbers, &n.number]),
        filled("(# + #)", &[&o.numbers, &o.numbers]),
        filled("(# - #)", &[&o.numbers, &o.numbers]),
        filled("reversed(#)", &[&o.numbers]),
        filled("unique(#)", &[&o.numbers]),
        filled("take(#, #)", &[&o.numbers, &o.number]),
        filled("within(#, 2, [it + 1, it - 1])", &[&o.numbers]),
        filled("up_to(#, #)", &[&o.numbers, &n.truth]),
        filled("before(#, #)", &[&o.numbers, &n.truth]),
        filled("(tools where .price != #).price", &[&o.number]),
    ];
    let (mut card, mut cards, mut square, mut squares) = (
        vec![o.card.clone()],
        vec![o.cards.clone()],
        vec![o.square.clone()],
        vec![o.squares.clone()],
    );
    if !pure {
        number.extend([
            filled("count(#)", &[&o.cards]),
            filled("sum(#, #)", &[&o.cards, &c.number]),
            filled("min(#, #)", &[&o.squares, &s.number]),
            filled("longest_run(#, #)", &[&o.cards, &c.number]),
            filled("ys[#][#]", &[&o.seat, &o.number]),
            filled("zs[#][#][#]", &[&o.seat, &o.color, &o.number]),
            filled("loads[#][#]", &[&o.seat, &o.color]),
            filled("sum(loads[#] + # * load)", &[&o.seat, &o.number]),
            filled("(load - # * #).blue", &[&o.number, &o.color]),
            filled("after(adds(#), #)", &[&o.number, &o.number]),
            filled("#.rank", &[&o.card]),
            filled("#.laps", &[&o.card]),
            filled("#.place", &[&o.card]),
            filled("in_a_row(#, #)", &[&o.square, &s.truth]),
            filled(
                "count(any c in take(#, 5) where sum(c, .rank) > #)",
                &[&o.cards, &o.number],
            ),
            filled(
                "max(up to 2 c in take(#, 5) where distinct(c, .color) = count(c), sum(c, #))",
                &[&o.cards, &c.number],
            ),
            filled(
                "sum(2 c in # where distinct(c, .color) = 1 or sum(c, .rank) > 6, max(c, #))",
                &[&o.cards, &c.number],
            ),
            filled(
                "(let cs = #; count(cs) + sum(cs, #))",
                &[&o.cards, &c.number],
            ),
            filled("in_a_row(plain(#, #), dry[it])", &[&o.number, &o.number]),
            filled(
                "in_a_row(field(#, #), sown[it] = # or .x = #)",
                &[&o.number, &o.number, &o.seat, &o.number],
            ),
            filled(
                "(let cs = #; count(cards where it not in cs and #))",
                &[&o.cards, &c.truth],
            ),
            filled("(let ss = #; count(square - ss))", &[&o.squares]),
            filled("inside(#)", &[&o.squares]),
            filled("distance(#, #, orthogonal)", &[&o.square, &o.square]),
            filled("recorded(place)", &[]),
            filled("after(lays(#, #), recorded(place))", &[&o.card, &o.square]),
            filled(
                "after(gathers(#, #), #)",
                &[&o.square, &o.number, &o.number],
            ),
            filled("count(1..300 where it mod 7 = 3 and it > #)", &[&o.number]),
        ]);
        truth.extend([
            filled("after(lays(#, #), #)", &[&o.card, &o.square, &o.truth]),
            filled("after(gathers(#, #), #)", &[&o.square, &o.number, &o.truth]),
            filled("dear(#)", &[&o.card]),
            filled("(# in #)", &[&o.card, &o.cards]),
            filled("(# is empty)", &[&o.cards]),
            filled("(# in #)", &[&o.square, &o.squares]),
            filled("full", &[]),
            filled("lit[#]", &[&o.square]),
            filled("(every t in near(#) has lit[t])", &[&o.square]),
            filled("any(#, #)", &[&o.cards, &c.truth]),
            filled("all(#, #)", &[&o.squares, &s.truth]),
            filled("(some t in # has t.x > #)", &[&o.squares, &o.number]),
        ]);
        numbers.extend([
            filled("keys(#, #)", &[&o.cards, &c.number]),
            filled("keys(#, #)", &[&o.squares, &s.number]),
        ]);
        card.extend([
            filled("first(#)", &[&o.cards]),
            filled("last(#)", &[&o.cards]),
            filled("top(#)", &[&o.square]),
        ]);
        cards.extend([
            filled("(# where #)", &[&o.cards, &c.truth]),
            filled("(# sorted by #)", &[&o.cards, &c.number]),
            filled("(# with least #)", &[&o.cards, &c.number]),
            filled("of_color(#)", &[&o.color]),
            filled("drawn[#]", &[&o.color]),
            filled("take(#, #)", &[&o.cards, &o.number]),
            filled("(# - #)", &[&o.cards, &o.cards]),
            filled("(# + #)", &[&o.cards, &o.squares]),
        ]);
        square.extend([
            filled("first(#)", &[&o.squares]),
            filled("step(#, #)", &[&o.square, &o.number]),
        ]);
        squares.extend([
            filled("(# where #)", &[&o.squares, &s.truth]),
            filled("near(#)", &[&o.square]),
            filled("(let s = #; near(s) - [s])", &[&o.square]),
            filled("within(#, 2, near(it))", &[&o.square]),
            filled("within(#, #, near(it))", &[&o.squares, &o.number]),
            filled("(# + #)", &[&o.squares, &o.squares]),
            filled("take(#, #)", &[&o.squares, &o.number]),
            filled("(# - #)", &[&o.squares, &o.squares]),
            filled("(# where it in #)", &[&o.squares, &o.squares]),
            filled(
                "(# where # and it not in #)",
                &[&o.squares, &s.truth, &o.squares],
            ),
            filled("steps(#, compass)", &[&o.square]),
            filled("steps(#, #)", &[&o.square, &o.numbers]),
            filled("line(#, #)", &[&o.square, &o.number]),
            filled("slides(#, compass, #)", &[&o.square, &s.truth]),
            filled("slides(#, #, #)", &[&o.square, &o.numbers, &s.truth]),
            filled(
                "enclosed(#, compass, #, #)",
                &[&o.square, &s.truth, &s.truth],
            ),
            filled("group(#, orthogonal, #)", &[&o.squares, &s.truth]),
            filled("border(#, diagonal, #)", &[&o.square, &s.truth]),
            filled("border(#, #, #)", &[&o.square, &o.numbers, &s.truth]),
        ]);
    }
    Level {
        number: one_of(number),
        truth: one_of(truth),
        color: one_of(vec![
            o.color.clone(),
            filled("(if # then # else #)", &[&o.truth, &o.color, &o.color]),
            filled("tools[#].paint", &[&o.number]),
        ]),
        card: one_of(card),
        square: one_of(square),
        seat: one_of(vec![
            o.seat.clone(),
            filled("left(#)", &[&o.seat]),
            filled("right(#)", &[&o.seat]),
        ]),
        numbers: one_of(numbers),
        cards: one_of(cards),
        squares: one_of(squares),
    }
}

fn level(depth: u32, pure: bool) -> Level {
    let all = |of: &dyn Fn(Within) -> Level| -> BTreeMap<usize, Level> {
        let levels = WITHIN
            .into_iter()
            .map(|within| (within as usize, of(within)));
        levels.collect()
    };
    let mut levels = all(&|within| leaves(within, pure));
    for _ in 0..depth {
        let below = levels;
        levels = all(&|within| deeper(&below, within, pure));
    }
    levels[&(Within::Nothing as usize)].clone()
}

/// Statements, one a line.
fn statement(level: &Level) -> Text {
    let l = level;
    one_of(vec![
        filled("a = #", &[&l.number]),
        filled("b += #", &[&l.number]),
        filled("mine[#] = #", &[&l.seat, &l.number]),
        filled("active scores #", &[&l.number]),
        filled("load += # * #", &[&l.number, &l.color]),
        filled("load = loads[#] + # * load", &[&l.seat, &l.number]),
        filled("loads[#] -= load", &[&l.seat]),
        filled("loads[#][#] = #", &[&l.seat, &l.color, &l.number]),
        filled("loads[#].green -= #", &[&l.seat, &l.number]),
        filled("each k in load: a += load[k] * #", &[&l.number]),
        filled(
            "choose up to 2 bundle in load: loads[#] += bundle",
            &[&l.seat],
        ),
        filled("move # to row", &[&l.cards]),
        filled("move # to hand(#)", &[&l.card, &l.seat]),
        filled("move # to # at bottom", &[&l.card, &l.square]),
        filled("draw # from deck to hand(#)", &[&l.number, &l.seat]),
        filled("xs = #", &[&l.numbers]),
        filled("xs = take(#, 6)", &[&l.numbers]),
        filled("xs += #", &[&l.number]),
        filled("xs += #", &[&l.numbers]),
        filled("xs -= #", &[&l.numbers]),
        filled("xs[#] += 1", &[&l.number]),
        filled("ys[#] = take(#, 5)", &[&l.seat, &l.numbers]),
        filled("ys[#] += #", &[&l.seat, &l.number]),
        filled("zs[#][#] = take(#, 4)", &[&l.seat, &l.color, &l.numbers]),
        filled("zs[#][#] += #", &[&l.seat, &l.color, &l.number]),
        filled(
            "zs[#][#][#] = #",
            &[&l.seat, &l.color, &l.number, &l.number],
        ),
        filled("ys[#][#] = #", &[&l.seat, &l.number, &l.number]),
        filled("drawn[#] = take(#, 8)", &[&l.color, &l.cards]),
        filled("drawn[#] -= #", &[&l.color, &l.card]),
        filled("let ns = some_of(#); a = count(ns)", &[&l.numbers]),
        filled("if #: a = #", &[&l.truth, &l.number]),
        filled("each c in #: c.laps += #", &[&l.cards, &l.number]),
        filled("each n in #: b = n - #", &[&l.numbers, &l.number]),
        filled("shuffle deck", &[]),
        filled("lit[#] = #", &[&l.square, &l.truth]),
        filled("dry[plain(#, #)] = #", &[&l.number, &l.number, &l.truth]),
        filled(
            "each p in plain where (.x + .y) mod 5 > #: dry[p] = #",
            &[&l.number, &l.truth],
        ),
        filled(
            "each f in field where .x mod 3 = #: sown[f] = #",
            &[&l.number, &l.seat],
        ),
        filled(
            "choose s in square where not lit[it] and # \"Light?\": lit[s] = true",
            &[&l.truth],
        ),
        filled(
            "choose s in square where not lit[it] and # at random: lit[s] = true",
            &[&l.truth],
        ),
        filled(
            "choose n in 1..100 where n mod 7 = a mod 7 and # at random: b = n",
            &[&l.truth],
        ),
        filled("record place", &[]),
        filled("choose c in # \"Which?\": move c to row", &[&l.cards]),
        filled(
            "choose c in # where # \"Which?\": c.laps = #",
            &[&l.cards, &l.truth, &l.number],
        ),
        filled(
            "choose s in # \"Where?\": move top(deck) to s",
            &[&l.squares],
        ),
        filled(
            "choose s in # where full or after(lays(top(row), it), #) \"Where?\": move top(row) to s",
            &[&l.squares, &l.truth],
        ),
        filled("choose n in # \"How many?\": a = n", &[&l.numbers]),
        filled(
            "choose n in 1..300 where n mod 50 = 7 and n > # \"How many?\": a = n",
            &[&l.number],
        ),
        filled(
            "choose any c in take(#, 4) \"Whom?\": b = count(c)",
            &[&l.cards],
        ),
        filled(
            "choose any c in take(#, 4) if sum(c, .rank) > # \"Whom?\": b = count(c)",
            &[&l.cards, &l.number],
        ),
        filled(
            "choose 2 c in # where sum(c, .rank) = # or # \"Whom?\": a = sum(c, .cost)",
            &[&l.cards, &l.number, &l.truth],
        ),
        filled("ask # \"Yes?\": b = #", &[&l.seat, &l.number]),
        filled("let ns = shuffled(#); a = first(ns)", &[&l.numbers]),
        filled("xs = shuffled(take(#, 6))", &[&l.numbers]),
        filled(
            "each c in shuffled(take(#, 4)): c.laps += #",
            &[&l.cards, &l.number],
        ),
        filled(
            "choose n in # label \"{n}\" \"How many?\": a = n",
            &[&l.numbers],
        ),
    ])
}

// ---- running them

fn definition(text: &str) -> Option<Definition> {
    let files = [("test/game.yaml".to_owned(), text.to_owned())];
    let (definition, report) = load(&mut Sources::default(), &files, "test/game.yaml");
    definition.filter(|_| !report.has_errors())
}

fn setup() -> Setup {
    Setup {
        seats: 2,
        ..Setup::default()
    }
}

/// The program as it is written and as it is played; `None` if the rules are refused (a `none` where a type is needed).
fn programs(text: &str) -> Option<[Program; 2]> {
    let definition = definition(text)?;
    let mut report = Report::default();
    let written = compile_as_written(&definition, &setup(), &mut report)?;
    let played = compile(&definition, &setup(), &mut report)?;
    Some([written, played])
}

/// Returns the result of a runner for the comparison. Faster forms use less and may meet a limit later or never:
/// `None`.
fn told<T>(result: Result<T, Fault>) -> Option<Result<T, String>> {
    let is_limit = |fault: &Fault| matches!(fault.kind, FaultKind::Fuel | FaultKind::Enumeration);
    match result {
        Err(fault) if is_limit(&fault) => None,
        result => Some(result.map_err(|fault| format!("{:?} at {:?}", fault.kind, fault.span))),
    }
}

/// Plays the same game in all runners, and compares states, numbers of choices and faults.
fn play_alike(
    written: &Program,
    runners: &mut [Runner<'_>],
    seed: u64,
) -> Result<(), TestCaseError> {
    let mut bot = RandomBot::new(seed);
    let mut results: Vec<_> = runners
        .iter_mut()
        .map(|runner| told(runner.begin([3; 32])))
        .collect();
    for _ in 0..60 {
        if results.iter().any(Option::is_none) {
            return Ok(());
        }
        prop_assert!(
            results.windows(2).all(|pair| pair[0] == pair[1]),
            "faults: {results:?}"
        );
        if results.iter().flatten().any(Result::is_err) {
            return Ok(());
        }
        let states: Vec<_> = runners
            .iter()
            .map(|runner| runner.state().encode(written))
            .collect();
        prop_assert!(
            states.windows(2).all(|pair| pair[0] == pair[1]),
            "states differ"
        );
        let counts: Vec<_> = runners
            .iter_mut()
            .map(|runner| told(runner.count()))
            .collect();
        if counts.iter().any(Option::is_none) {
            return Ok(());
        }
        prop_assert!(
            counts.windows(2).all(|pair| pair[0] == pair[1]),
            "choices: {counts:?}"
        );
        let (Some(Some(Ok(count @ 1..))), Some(_)) = (counts.first(), runners[0].pending()) else {
            return Ok(());
        };
        let number = bot.below(*count);
        results = runners
            .iter_mut()
            .map(|runner| told(runner.take(number)))
            .collect();
    }
    Ok(())
}

/// An effect of what-ifs with a loop, a call and changes of several kinds.
const GATHERS: &str = "  gathers(square s, int n): |
    a += n
    mine[active] = n
    each c in hand(active) where c.laps < n:
      c.laps = n
      lays(c, s)
    if n > 1: lays(top(row), s)
  adds(int n): |
    if count(xs) < 6: xs += n
    ys[active] = take(reversed(ys[active]) + [n], 3)
  ints some_of(ints ns): |
    adds(count(ns))
    if count(ns) > 1: return take(ns where it != a, 3)
";

/// A board that is a rectangle, or one with a gap.
fn head(has_gap: bool) -> String {
    match has_gap {
        true => HEAD.replace("grid: [x, y]", "if: x < 3 or y != 2, grid: [x, y]"),
        false => HEAD.to_owned(),
    }
}

fn game_of(statements: &[String], has_gap: bool) -> String {
    let head = head(has_gap);
    let body: String = statements
        .iter()
        .map(|line| format!("      {line}\n"))
        .collect();
    format!(
        "{head}effects:\n  lays(card c, square s): move c to s\n{GATHERS}  play: |\n    repeat 3 times:\n     turn of left(seat(2)):\n{body}"
    )
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(
            std::env::var("PROPTEST_CASES")
                .ok()
                .and_then(|cases| cases.parse().ok())
                .unwrap_or(cases),
        )
    }
}

/// Plays a program in every execution there is, and compares them. `false` if the rules are refused.
fn runs_alike(statements: &[String], has_gap: bool) -> Result<bool, TestCaseError> {
    let Some([written, played]) = programs(&game_of(statements, has_gap)) else {
        return Ok(false);
    };
    let mut runners = vec![
        Runner::new(&written).unwrap(),
        Runner::new(&played).unwrap(),
    ];
    #[cfg(feature = "native")]
    {
        for runner in &mut runners {
            runner.interpret();
        }
        let mut fast = Runner::new(&played).unwrap();
        fast.translate();
        runners.push(fast);
    }
    for seed in 0..2 {
        play_alike(&written, &mut runners, seed)?;
    }
    Ok(true)
}

/// Random programs mean in every execution what they mean as written.
#[test]
fn random_programs_play_alike_in_every_execution() {
    let statements = proptest::collection::vec(statement(&level(3, false)), 1..6);
    let (tried, accepted) = (Cell::new(0), Cell::new(0));
    let mut runner = proptest::test_runner::TestRunner::new(config(200));
    let games = (statements, proptest::bool::ANY);
    let result = runner.run(&games, |(statements, has_gap)| {
        tried.set(tried.get() + 1);
        accepted.set(accepted.get() + u32::from(runs_alike(&statements, has_gap)?));
        Ok(())
    });
    if let Err(failed) = result {
        panic!("{failed}");
    }
    let (tried, accepted) = (tried.get(), accepted.get());
    assert!(
        accepted * 2 > tried,
        "{accepted} of {tried} programs are accepted"
    );
}

/// The directions of a region are listed while the member is known from which they lead.
#[test]
fn regions_may_extend_in_directions_that_are_searched_for() {
    for region in ["group", "border"] {
        let statement = format!(
            "choose s in {region}(square(2, 3), within(ys[active], 2, [it + 1, it - 1]), (1 < it.x)) \"Where?\": move top(deck) to s"
        );
        assert!(runs_alike(&[statement], false).unwrap(), "{region}");
    }
}

/// A list that can overflow is evaluated even if a condition excludes all its members.
#[test]
fn lists_that_can_overflow_are_evaluated_whatever_they_are_filtered_by() {
    for list in [
        "(cards sorted by .rank + 2147483647) where lit[square(1, 1)]",
        "take(cards, max((2147483647 * 2147483647), 0)) where left(right(active)) = left(seat(1))",
    ] {
        let statement = format!("choose c in {list} \"Which?\": a += 1");
        assert!(runs_alike(&[statement], false).unwrap(), "{list}");
    }
}

/// If a part of a condition can overflow, all executions evaluate it for the same members.
#[test]
fn what_can_overflow_is_asked_in_the_order_in_which_it_is_written() {
    for domain in [
        "(cards where it.cost * 2147483647 > 0) where .color = red",
        "(cards where it.cost * 2147483647 > 0) where square(1, 1) = square(2, 3)",
        "(of_color(red) where after(gathers(square(1, 1), 2147483647), it in row)) where square(9, 9) in [square(1, 1)]",
        "cards where it.cost + a > 0 and it.rank > 9",
        "cards where (if it.cost + a > 0 then it.rank > 9 else it.rank > 8)",
        "cards where it.laps + a > 0 and it in row and it.rank > 2",
        "cards where it.rank > 2 and it in row and it.laps + a > 0",
    ] {
        let choice = format!("choose c in {domain} \"Which?\": c.laps = 2");
        let statements = ["a = 2147483647".to_owned(), choice];
        assert!(runs_alike(&statements, false).unwrap(), "{domain}");
    }
}

/// A fault names the place where it was written, also in the arguments of a query, which stand in a row and are copied.
#[test]
fn a_fault_in_an_argument_has_its_place_in_every_execution() {
    let statement = "choose n in 1..300 where n mod 50 = 7 and n > (reversed(1..4))[after(gathers(square(1, 1), \
                     (2147483647 * 2)), recorded(place))] \"How many?\": a = n";
    assert!(runs_alike(&[statement.to_owned()], false).unwrap());
}

/// What is subtracted from a list is evaluated while the list is walked, and may itself walk others.
#[test]
fn a_list_without_the_result_of_a_search_is_the_same_in_every_execution() {
    let statements = [
        "drawn[(if true then red else red)] = take(of_color(red), 8)",
        "drawn[(if after(lays(card(red, 1), square(1, 1)), row is empty) then red else red)] -= first(((cards sorted by 0) - cards))",
    ];
    assert!(runs_alike(&statements.map(str::to_owned), false).unwrap());
}

/// The temps of a list outlive its translation.
#[test]
fn lists_that_bind_names_are_walked_while_others_are_bound() {
    let game = |query: &str| {
        let text = format!(
            "{HEAD}  asked: {query}\neffects:\n  play: |\n    ask seat(1) \"Go on?\": finish drawn\n"
        );
        let programs = programs(&text).unwrap();
        programs.map(|program| {
            let mut runner = Runner::new(&program).unwrap();
            runner.begin([3; 32]).unwrap();
            eval_query(&program, runner.state(), "asked")
        })
    };
    for (query, value) in [
        ("sum(keys((let s = square(2, 3); near(s) - [s]), 5))", 15),
        ("sum(keys([1, 3], [it + 1, it]), it * 2)", 20),
        ("sum(keys(x in [1, 3], let y = x * 2; [y, x]), it + 1)", 16),
        ("count((let n = 2; 1..5 where it > n) where it < 5)", 2),
    ] {
        assert_eq!(game(query), [Some(value); 2], "{query}");
    }
}

/// A constant is worth what the same expression is worth in play.
#[test]
fn random_constants_are_worth_what_they_are_worth_in_play() {
    let expressions = proptest::collection::vec(level(3, true).number, 1..8);
    let mut runner = proptest::test_runner::TestRunner::new(config(200));
    let result = runner.run(&expressions, |expressions| {
        let (mut data, mut queries) = (String::from("data:\n"), String::new());
        for (number, expression) in expressions.iter().enumerate() {
            // An expression that overflows as a constant also overflows in play.
            let alone =
                format!("{HEAD}data:\n  k: \"{expression}\"\neffects:\n  play: finish drawn\n");
            if programs(&alone).is_none() {
                continue;
            }
            data.push_str(&format!("  k{number}: \"{expression}\"\n"));
            // A variable keeps the expression from being worked out beforehand.
            queries.push_str(&format!("  constant{number}: k{number}\n"));
            queries.push_str(&format!("  played{number}: {expression}\n"));
        }
        let text = format!(
            "{HEAD}{queries}{data}effects:\n  play: |\n    ask seat(1) \"Go on?\": finish drawn\n"
        );
        let Some([written, _]) = programs(&text) else {
            return Ok(());
        };
        let mut runner = Runner::new(&written).unwrap();
        runner.begin([3; 32]).unwrap();
        for (number, expression) in expressions.iter().enumerate() {
            let value =
                |name: &str| eval_query(&written, runner.state(), &format!("{name}{number}"));
            prop_assert_eq!(value("constant"), value("played"), "{}", expression);
        }
        Ok(())
    });
    if let Err(failed) = result {
        panic!("{failed}");
    }
}
