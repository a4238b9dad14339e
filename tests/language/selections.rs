//! Conditions on all members that are chosen together, in decisions and in expressions.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;
use serde_json::json;
use wyrmgate::compile::{Setup, compile};
use wyrmgate::diagnostic::{Report, Sources};
use wyrmgate::engine::{
    BoundValue, Choice, Collect, FaultKind, Pending, Seeded, State, count_choices, eval_query,
    for_each_choice, for_each_offer, is_legal, nth_choice, pending, random_choice, start,
};
use wyrmgate::lang::load::load;
use wyrmgate::program::Program;

use crate::play::{begin, said, try_begin};

/// `count(s)` is about what lies in a space; what has no meaning for that is about all spaces that are chosen.
#[test]
fn a_condition_on_all_chosen_spaces_needs_no_list_of_another_name() {
    let mut game = begin(
        r#"
play: |
  move card(1) to spot(2, 2)
  turn of seat(1):
    choose 2 s in spot where distinct(s, .column) = 1 and count(s) = 0: say "a column {count(s)}"
    choose any s in spot where sum(s, .row) = 6 and few(s, 2): say "rows {count(s)}"
  say "{count(2 s in spot where distinct(s, .column) = 1)}"
  finish drawn
"#,
        "zones:\n  spot: {each: {column: 1..3, row: 1..3}, grid: [column, row], holds: card}\n\
         queries:\n  few(spots ss, int n): count(ss) <= n",
    );
    // Three in each column, except of those with the space in the middle, which is not empty.
    assert_eq!(game.choices(1), 7);
    game.answer(1, "", json!({"s": ["spot-1-1", "spot-1-2"]}));
    // Two in the last row.
    assert_eq!(game.choices(1), 3);
    game.answer(1, "", json!({"s": ["spot-1-3", "spot-2-3"]}));
    assert_eq!(game.said(), ["a column 2", "rows 2", "9"]);
}

#[test]
fn a_condition_that_uses_the_name_as_a_list_is_about_all_that_are_chosen() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose any c in deck where .rank > 1 and sum(c, .rank) = 7: say "sum {count(c)}"
    choose 3 c in deck where distinct(c, .rank) = 3 and longest_run(c, .rank) = 3: say "run"
    choose up to 2 c in deck where card(6) in c: say "with {count(c)}"
    choose any c in deck, n in 1..3 if sum(c, .rank) = 5 and n < 3 and n = count(c): say "two {n}"
    choose any n in [1, 2, 3] where sum(n) = 3 and n > 1: say "numbers {count(n)}"
    choose any c in deck where at_most(c, 2): say "at most {sum(c, .rank)}"
  finish drawn
"#,
        "queries:\n  at_most(cards cs, int n): sum(cs, .rank) <= n",
    );
    let card = |rank: i32| json!(format!("card-{rank}"));
    let expected = [
        (json!({"c": [card(2), card(5)]}), 2),
        (json!({"c": [card(2), card(3), card(4)]}), 4),
        (json!({"c": [card(6)]}), 6),
        (json!({"c": [card(2), card(3)], "n": 2}), 3),
        (json!({"n": [3]}), 1),
        (json!({"c": [card(2)]}), 3),
    ];
    for (args, count) in expected {
        assert_eq!(game.choices(1), count, "{args}");
        game.answer(1, "", args);
    }
    let told = ["sum 2", "run", "with 1", "two 2", "numbers 1", "at most 2"];
    assert_eq!(game.said(), told);
}

#[test]
fn a_refusal_of_a_selection_cites_its_condition() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose any c in deck where .rank < 5 [TT-01] and sum(c, .rank) = 7 [TT-02] and calm(c), n in 1..2 if count(c) > n [TT-04]: return
"#,
        "
clauses: {TT-01: One., TT-02: Two., TT-03: Three., TT-04: Four.}
queries:
  calm(cards cs): not card(1) in cs [TT-03]
",
    );
    let mut forbidden = |cards: &[i32], n: i32| {
        let cards: Vec<String> = cards.iter().map(|rank| format!("card-{rank}")).collect();
        let clauses = game.forbidden_by(1, "", json!({"c": cards, "n": n}));
        clauses.join(" ")
    };
    assert_eq!(forbidden(&[2, 5], 1), "TT-01");
    assert_eq!(forbidden(&[2, 3], 1), "TT-02");
    assert_eq!(forbidden(&[1, 2, 4], 1), "TT-03");
    assert_eq!(forbidden(&[3, 4], 2), "TT-04");
}

#[test]
fn twenty_cards_and_forty_are_counted_at_once() {
    for (count, sum, expected) in [(20, 7, 5), (20, 105, 15_272), (40, 410, 3_999_999_999)] {
        let text = format!(
            "{HEAD}  card: {{each: {{rank: 1..{count}}}, in: deck}}\n\
             effects:\n  play: |\n    turn of seat(1):\n      choose any c in deck where sum(c, .rank) = {sum}: return\n"
        );
        let (program, state) = waiting(&text);
        let pending = owed(&program, &state);
        let counted = count_choices(&program, &state, &pending).unwrap();
        let known = subsets_with_sum(count, sum);
        assert_eq!(counted, known, "{count} cards, sum {sum}");
        if expected < 1_000_000 {
            assert_eq!(known, expected);
        }
        let last = nth_choice(&program, &state, &pending, counted - 1).unwrap();
        assert!(is_legal(&program, &state, &pending, &last.unwrap()).unwrap());
        let drawn = random_choice(&program, &state, &pending, &mut |n| n / 2).unwrap();
        assert!(is_legal(&program, &state, &pending, &drawn.unwrap()).unwrap());
    }
}

/// How many subsets of 1..=count have this sum.
fn subsets_with_sum(count: usize, sum: usize) -> u64 {
    let mut ways = vec![0u64; sum + 1];
    ways[0] = 1;
    for number in 1..=count {
        for total in (number..=sum).rev() {
            ways[total] += ways[total - number];
        }
    }
    ways[sum]
}

#[test]
fn selections_are_counted_and_compared_in_expressions() {
    let told = said(
        r#"
play: |
  say "{count(any c in deck where sum(c, .rank) = 7)} {count(2 c in deck)} {count(up to 2 c in deck where .rank < 4)}"
  say "{max(any c in deck where sum(c, .rank) < 9, count(c))} {min(2 c in deck, sum(c, .rank))}"
  say "{sum(2 c in deck where .rank < 4, sum(c, .rank))} {any(3 c in deck, sum(c, .rank) = 15)} {all(2 c in deck, sum(c, .rank) > 3)}"
  let n = 3
  say "{count(n c in deck where longest_run(c, .rank) = n)} {max(3 c in deck where sum(c, .rank) > 99, 1)}"
  say "{count(any c in deck where product(c, .rank) = 12)} {count(2 n in [1, 2, 3, 4] where sum(n) = 5)}"
  say "{sum(x in deck, count(any c in deck where sum(c, .rank) = x.rank))}"
"#,
        "",
    );
    let expected = ["4 15 7", "3 3", "12 yes no", "4 0", "4 2", "13"];
    assert_eq!(told, expected);
}

#[test]
fn a_member_of_a_list_can_have_a_name() {
    let told = said(
        r#"
play: |
  say "{count(x in deck where count(deck where .rank > x.rank) = 2)}"
  say "{sum(x in deck where x.rank > 4, x.rank * count(y in deck where y.rank < x.rank))}"
  say "{first(x in deck sorted by most x.rank).rank} {count(x in deck with least abs(x.rank - 3))}"
  say "{sum(keys(x in 1..3, keys(y in 1..x, x * y)))} {max(x in 1..4, 5 * x - x * x)}"
  say "{any(x in deck, all(y in deck, x.rank >= y.rank))} {distinct(x in deck, x.rank mod 4)}"
"#,
        "",
    );
    assert_eq!(told, ["1", "50", "6 1", "25 6", "yes 4"]);
}

#[test]
fn let_names_a_value_or_a_list_that_is_evaluated_once() {
    let told = said(
        r#"
play: |
  say "{let n = count(deck); n * n + n} {spread(deck)} {count(high)}"
  say "{count(deck where let r = .rank; r * r > 4 * r and r < 6)} {let a = 2; let b = a + 1; a * b}"
  say "{let cs = deck where .rank > 3; sum(cs, .rank) + count(cs)} {sum(x in 1..3, let y = x * x; y + sum(z in 1..y, y))}"
  if let n = count(row); n = 0: say "empty"
"#,
        "
queries:
  spread(cards cs): let low = min(cs, .rank); let high = max(cs, .rank); high - low
  high: let most = max(deck, .rank); let some_of = deck where .rank > most - 2; some_of where .rank < 9
",
    );
    assert_eq!(told, ["42 5 2", "1 6", "18 112", "empty"]);
}

#[test]
fn a_query_uses_itself_as_deep_as_it_says() {
    let queries = "
queries:
  int steps(int n) up to 5 deep: if n < 1 then 0 else 1 + steps(n - 1)
  cards chain(card c) up to 9 deep: if c is none then [] else [c] + chain(card(c.rank + 1))
  bool even(int n) up to 9 deep: n = 0 or odd(n - 1)
  bool odd(int n) up to 9 deep: n != 0 and even(n - 1)
  int best(cards h) up to 7 deep:
    if h is empty then 0 else let c = first(h);
    max(best(h - [c]), max(any m in h where c in m and meld(m), sum(m, .rank) + best(h - m)))
  meld(cards m): count(m) > 1 and longest_run(m, .rank) = count(m) and sum(m, .rank) != 9
";
    let told = said(
        r#"
play: |
  say "{steps(4)} {count(chain(card(3)))} {sum(chain(card(2)), .rank)} {even(6)} {odd(4)} {first(chain(card(5))).rank}"
  say "{best(deck where .rank != 3)} {best(deck where .rank mod 2 = 0)} {best(deck)} {best(deck where .rank < 4)}"
"#,
        queries,
    );
    assert_eq!(told, ["4 4 20 yes no 5", "18 0 21 6"]);
    let fault = try_begin("play: |\n  count_of = steps(5)", queries);
    let (fault, place) = fault.err().unwrap();
    assert_eq!(fault.kind, FaultKind::Depth);
    assert_eq!(place, "count_of = steps(5)");
}

/// Machine code finds the same selections and follows the same queries as the interpreter, with the same results
/// remembered, and stops at the same depth: `begin` compares them.
#[test]
fn choices_depend_on_selections_and_on_queries_that_use_themselves() {
    let queries = "
queries:
  int best(cards h) up to 6 deep:
    if h is empty then 0 else let c = first(h);
    max(best(h - [c]), max(any m in h where c in m and meld(m), sum(m, .rank) + best(h - m)))
  meld(cards m): count(m) > 1 and longest_run(m, .rank) = count(m) and sum(m, .rank) != 9
  int steps(int n, cards h) up to 5 deep: if n < 1 then count(h) else 1 + steps(n - 1, h - [first(h)])
  int left_over(int n) up to 9 deep: if n < 2 then n else right_over(n - 2) + 1
  int right_over(int n) up to 9 deep: if n < 2 then 0 - n else left_over(n - 1)
  ways(card c, cards h):
    count(any m in h where c in m and sum(m, .rank) < 9) + max(2 m in h where most_alike(m, .rank) = 1, min(m, .rank))
    + sum(up to 2 m in h where not (c in m), max(m, .rank)) + if any(3 m in h, meld(m)) then 1 else 0
";
    let effects = r#"
play: |
  repeat 12 times:
    shuffle deck
    let few = take(deck, 4)
    turn of seat(1):
      choose c in deck where best(deck - [c]) > 9 or ways(c, few) mod 2 = 1:
        count_of = best(few - [c]) + ways(c, deck) + left_over(c.rank) + if all(2 m in few, best(m) > 0) then 1 else 0
    turn of seat(2):
      choose c in deck where steps(DEEP, few - [c]) > 3: mine[seat(2)] = c.rank
"#;
    for deep in ["c.rank mod 5", "c.rank"] {
        begin(&effects.replace("DEEP", deep), queries);
    }
}

#[test]
fn a_let_in_a_condition_is_blamed_like_its_parts() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose c in deck where let r = .rank; r > 2 [TT-01] and r < 5 [TT-02]: return
"#,
        "clauses: {TT-01: One., TT-02: Two.}",
    );
    assert_eq!(game.choices(1), 2);
    for (rank, clause) in [(1, "TT-01"), (6, "TT-02")] {
        let args = json!({"c": format!("card-{rank}")});
        assert_eq!(game.forbidden_by(1, "", args), [clause]);
    }
}

// ---- random conditions

const HEAD: &str = "
game: test
title: Test
players: 2
types: {color: [red, blue, green]}
zones: {deck: {holds: card}, row: {holds: card}}
vars: {a: int, b: int}
components:
";

const DECK: &str =
    "  card: {each: {color: color, rank: 1..3}, in: deck, fields: {cost: rank * 3 - 5}}
queries:
  same(cards cs, int n): distinct(cs, .color) = n
  spread(cards cs): max(cs, .rank) - min(cs, .rank)
";

fn waiting(text: &str) -> (Program, State) {
    let files = [("test/game.yaml".to_owned(), text.to_owned())];
    let mut sources = Sources::default();
    let (definition, mut report) = load(&mut sources, &files, "test/game.yaml");
    let setup = Setup {
        seats: 2,
        ..Setup::default()
    };
    let program = definition.and_then(|definition| {
        let mut problems = Report::default();
        let program = compile(&definition, &setup, &mut problems);
        report.diagnostics.extend(problems.diagnostics);
        program
    });
    let program = program.unwrap_or_else(|| panic!("{}", report.render(&sources, false)));
    let state = start(&program, [3; 32], &mut Seeded, &mut Collect::default()).unwrap();
    (program, state)
}

fn owed(program: &Program, state: &State) -> Pending {
    pending(program, state)[0]
}

fn number() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(vec![
        "count(c)",
        "sum(c, .rank)",
        "sum(c, .cost)",
        "max(c, .rank)",
        "min(c, .cost)",
        "distinct(c, .color)",
        "distinct(c, .rank)",
        "longest_run(c, .rank)",
        "longest_run(c, .cost)",
        "most_alike(c, .color)",
        "most_alike(c where .rank > 1, .rank)",
        "count(c where .rank > 1)",
        "sum(c where .color = red, .rank)",
        "max(c where .color = red, .cost)",
        "sum(keys(c, .rank))",
        "product(c, .rank)",
        "first(c).rank",
        "spread(c)",
        "(let n = sum(c, .rank); n * n - count(c))",
        "(let n = a + 1; sum(c, .rank * n))",
        "a",
        "-1",
        "0",
        "1",
        "2",
        "3",
        "5",
        "8",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(2, 6, 2, |of| {
        let op = proptest::sample::select(vec!["+", "-", "*", "/", "mod"]);
        prop_oneof![
            (of.clone(), op, of.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (of.clone(), of.clone()).prop_map(|(a, b)| format!("max({a}, {b})")),
            of.prop_map(|a| format!("abs({a})")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let compare = proptest::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let leaf = prop_oneof![
        6 => (number(), compare, number()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        1 => proptest::sample::select(vec![
            "card(red, 1) in c",
            "any(c, .rank = 2)",
            "all(c, .cost < 3)",
            "(some x in c has x.color = blue)",
            "(every x in c has x.rank < 3)",
            "(no x in c has x.rank = 1)",
            "same(c, 2)",
            "(c where .rank > 2) is empty",
        ]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(2, 6, 2, |of| {
        prop_oneof![
            (of.clone(), of.clone()).prop_map(|(a, b)| format!("({a} and {b})")),
            (of.clone(), of.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
            of.clone().prop_map(|a| format!("(not ({a}))")),
            (of.clone(), of.clone(), of)
                .prop_map(|(a, b, c)| format!("(if {a} then {b} else {c})")),
        ]
    })
}

/// Every selection that fulfills the condition is listed, counted, drawn and legal, and no other one; in an expression
/// there are as many.
#[test]
fn random_conditions_on_selections_are_exact() {
    let amount = proptest::sample::select(vec![
        "any",
        "2",
        "3",
        "up to 4",
        "ordered 2",
        "repeated 3",
        "repeated up to 2",
    ]);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(
            std::env::var("PROPTEST_CASES")
                .ok()
                .and_then(|cases| cases.parse().ok())
                .unwrap_or(150),
        )
    });
    let result = runner.run(&(amount, condition()), |(amount, condition)| {
        exact_for(amount, &condition)
    });
    if let Err(failed) = result {
        panic!("{failed}");
    }
}

/// Selections of different sizes were taken for one when all members were visited that occur in any of them.
#[test]
fn members_of_selections_that_differ_in_size_only() {
    let condition = "(all(c, .cost < 3) and max(c, .rank) < abs((count(c) - distinct(c, .color))))";
    exact_for("any", condition).unwrap();
}

fn exact_for(amount: &str, condition: &str) -> Result<(), TestCaseError> {
    // `count(c)` makes every condition one on the selection.
    let whole = format!("(if {condition} then count(c) >= 0 else false)");
    // Expressions have subsets only.
    let is_subset = !amount.contains("ordered") && !amount.contains("repeated");
    let asked = match is_subset {
        false => "0".to_owned(),
        true => format!("count({amount} c in deck where {whole})"),
    };
    let text = format!(
        "{HEAD}{DECK}  asked: {asked}\neffects:\n  play: |\n    b = asked\n    turn of seat(1):\n      \
             choose \"Which?\":\n        option take {amount} c in deck if {whole}: return\n        option pass: return\n"
    );
    let (program, state) = waiting(&text);
    #[cfg(feature = "native")]
    {
        crate::play::machine_code_agrees(&program);
        crate::play::machine_code_agrees(&waiting(&behind_a_number(amount, &whole)).0);
    }
    exact(&program, &state)?;
    if is_subset {
        let pending = owed(&program, &state);
        let count = count_choices(&program, &state, &pending).unwrap();
        let asked = eval_query(&program, &state, "asked");
        prop_assert_eq!(asked, Some(count as i32 - 1), "{}", text);
    }
    Ok(())
}

/// A game whose selections come behind a number and beside other options: machine code finds these, and the interpreter the
/// selections.
#[cfg(feature = "native")]
fn behind_a_number(amount: &str, condition: &str) -> String {
    format!(
        "{HEAD}{DECK}effects:\n  play: |\n    repeat 8 times:\n      turn of seat(1):\n        choose \"Which?\":\n          \
             option take m in 1..4 where m != 2, {amount} c in deck where .rank > m if {condition}:\n            \
             b += m * count(c)\n          option plain m in 1..3: b += m\n          option pass: return\n    finish drawn\n"
    )
}

fn exact(program: &Program, state: &State) -> Result<(), TestCaseError> {
    let pending = owed(program, state);
    let mut listed = Vec::new();
    for_each_choice(program, state, &pending, &mut |choice| {
        listed.push(choice.clone());
        ControlFlow::Continue(())
    })
    .unwrap();
    let count = count_choices(program, state, &pending).unwrap();
    prop_assert_eq!(count, listed.len() as u64);
    for (number, choice) in listed.iter().enumerate() {
        let nth = nth_choice(program, state, &pending, number as u64).unwrap();
        prop_assert_eq!(nth.as_ref(), Some(choice));
        prop_assert!(is_legal(program, state, &pending, choice).unwrap());
    }
    let all: BTreeSet<Vec<i32>> = listed.iter().flat_map(chosen).collect();
    // All subsets, and for sequences also the other order of two.
    let members: Vec<i32> = (0..9).collect();
    for bits in 0..1u32 << members.len() {
        let subset: Vec<i32> = members
            .iter()
            .copied()
            .filter(|bit| bits >> bit & 1 != 0)
            .collect();
        for values in [subset.to_vec(), subset.into_iter().rev().collect()] {
            let values: Vec<i32> = values;
            let choice = Choice {
                option: 0,
                args: [BoundValue::Many(values.as_slice().into())]
                    .into_iter()
                    .collect(),
            };
            let legal = is_legal(program, state, &pending, &choice).unwrap();
            prop_assert_eq!(legal, all.contains(&values), "{:?}", values);
        }
    }
    // Sequences in which members repeat.
    for code in 0..4i32.pow(3) {
        let values = [code % 4, code / 4 % 4, code / 16];
        for size in 2..=3 {
            let values = values[..size].to_vec();
            let choice = Choice {
                option: 0,
                args: [BoundValue::Many(values.as_slice().into())]
                    .into_iter()
                    .collect(),
            };
            let legal = is_legal(program, state, &pending, &choice).unwrap();
            prop_assert_eq!(legal, all.contains(&values), "{:?}", values);
        }
    }
    let mut offered = BTreeSet::new();
    for_each_offer(program, state, &pending, &mut |offer| {
        offer.for_each_value(&mut |_, value| {
            offered.insert(value);
        });
    })
    .unwrap();
    let occurring: BTreeSet<i32> = all.into_iter().flatten().collect();
    prop_assert!(offered.is_superset(&occurring));
    Ok(())
}

fn chosen(choice: &Choice) -> Option<Vec<i32>> {
    let of_first = choice.option == 0;
    of_first.then(|| choice.args.first().map(|arg| arg.values().to_vec()))?
}
