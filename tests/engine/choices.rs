//! Subsets, sequences and several names: counted, numbered, drawn and tested alike.

use std::ops::ControlFlow;

use wyrmgate::engine::{
    BoundValue, Choice, Label, RejectCode, Rng, State, count_choices, for_each_choice, is_legal,
    nth_choice, random_choice,
};
use wyrmgate::program::*;
use wyrmgate::view::explain;

use crate::build::{Build, SEED, begin, binder, condition, option, owed};

/// A game that waits for one decision of seat 1 with these options.
fn waiting(make: impl FnOnce(&mut Build) -> Vec<SiteOption>) -> (Program, State) {
    let mut b = Build::new(2);
    let options = make(&mut b);
    let site = b.site(0, options, 1);
    let entry = b.op(Op::Choose(site));
    b.op(Op::FinishDrawn);
    b.program.prose.clauses.push(ClauseInfo {
        id: "SML-01".into(),
        text: Localized::default(),
    });
    let program = b.play(entry);
    let state = begin(&program);
    (program, state)
}

fn all(program: &Program, state: &State) -> Vec<Choice> {
    let mut all = Vec::new();
    for_each_choice(program, state, &owed(program, state), &mut |choice| {
        all.push(choice.clone());
        ControlFlow::Continue(())
    })
    .unwrap();
    all
}

/// The values of the only name, choice by choice; everything else must agree with them.
fn lists(count: impl FnOnce(&mut Build) -> BinderSize) -> Vec<Vec<i32>> {
    let (program, state) = waiting(|b| {
        let (numbers, slots) = (b.range(1, 4), b.slots(2));
        let count = count(b);
        vec![option(
            "",
            vec![binder(Type::Int, numbers, count, 1, slots)],
            1,
        )]
    });
    let all = all(&program, &state);
    agree(&program, &state, &all);
    all.iter()
        .map(|choice| choice.args[0].values().to_vec())
        .collect()
}

/// Counting, numbering, drawing and testing say the same as listing.
fn agree(program: &Program, state: &State, all: &[Choice]) {
    let owed = owed(program, state);
    let count = count_choices(program, state, &owed).unwrap();
    assert_eq!(count, all.len() as u64);
    for (number, choice) in all.iter().enumerate() {
        let nth = nth_choice(program, state, &owed, number as u64).unwrap();
        assert_eq!(nth.as_ref(), Some(choice));
        assert!(is_legal(program, state, &owed, choice).unwrap());
    }
    assert_eq!(nth_choice(program, state, &owed, count), Ok(None));
    let mut rng = Rng::new(SEED, Label::Choose, 0);
    let mut drawn = vec![0; all.len()];
    for _ in 0..all.len() * 200 {
        let choice = random_choice(program, state, &owed, &mut |n| rng.below_u64(n));
        let choice = choice.unwrap().unwrap();
        drawn[all.iter().position(|other| *other == choice).unwrap()] += 1;
    }
    assert!(
        drawn.iter().all(|count| (130..270).contains(count)),
        "{drawn:?}"
    );
}

#[test]
fn one() {
    assert_eq!(lists(|_| BinderSize::One), [[1], [2], [3], [4]]);
}

#[test]
fn any_subset_counts_in_binary() {
    let subsets = lists(|_| BinderSize::Any);
    assert_eq!(subsets.len(), 16);
    assert_eq!(subsets[..4], [vec![], vec![1], vec![2], vec![1, 2]]);
    assert_eq!(subsets[15], [1, 2, 3, 4]);
}

fn many(b: &mut Build, least: i32, most: i32, ordered: bool) -> BinderSize {
    BinderSize::Many {
        least: b.int(least),
        most: b.int(most),
        ordered,
    }
}

#[test]
fn subsets_of_a_size_go_as_in_a_dictionary() {
    let pairs = lists(|b| many(b, 2, 2, false));
    assert_eq!(pairs, [[1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]]);
    assert_eq!(lists(|b| many(b, 1, 2, false)).len(), 4 + 6);
    assert_eq!(lists(|b| many(b, 3, 9, false)).len(), 4 + 1);
    assert_eq!(lists(|b| many(b, -5, 0, false)), [Vec::<i32>::new()]);
}

#[test]
fn sequences() {
    let pairs = lists(|b| many(b, 2, 2, true));
    assert_eq!(pairs.len(), 12);
    assert_eq!(pairs[..4], [[1, 2], [1, 3], [1, 4], [2, 1]]);
    let orders = lists(|_| BinderSize::Permutation);
    assert_eq!(orders.len(), 24);
    assert_eq!(orders[23], [4, 3, 2, 1]);
}

#[test]
fn more_than_there_are_is_no_choice() {
    let (_, state) = waiting(|b| {
        let (numbers, slots) = (b.range(1, 4), b.slots(2));
        let count = many(b, 5, 5, false);
        vec![option(
            "",
            vec![binder(Type::Int, numbers, count, 1, slots)],
            1,
        )]
    });
    assert!(state.outcome().is_some(), "it went on to `otherwise`");
}

/// `low`: 1..3; `pair` under a condition: x in 1..3 and y in x..3 where y is not 2; `never`: closed.
fn three_options() -> (Program, State) {
    waiting(|b| {
        let numbers = b.range(1, 3);
        let (one, other) = (b.slot(), b.slot());
        let low = option(
            "low",
            vec![binder(Type::Int, numbers, BinderSize::One, 1, one)],
            1,
        );
        let x = binder(Type::Int, numbers, BinderSize::One, 1, one);
        let (from, to) = (b.expr(Expr::Temp(1)), b.int(3));
        let rest = b.set(Set::Range(from, to));
        let mut y = binder(Type::Int, rest, BinderSize::One, 2, other);
        let (value, two) = (b.expr(Expr::Temp(2)), b.int(2));
        let test = b.binary(Binary::NotEqual, value, two);
        y.filters.push(condition(test, vec![0]));
        let pair = option("pair", vec![x, y], 1);
        let mut never = option("never", Vec::new(), 1);
        let no = b.int(0);
        never.conditions.push(condition(no, vec![0]));
        vec![low, pair, never]
    })
}

fn choice(option: u16, args: &[i32]) -> Choice {
    Choice {
        option,
        args: args.iter().map(|&value| BoundValue::One(value)).collect(),
    }
}

#[test]
fn several_options_and_names() {
    let (program, state) = three_options();
    let all = all(&program, &state);
    let expected = [
        choice(0, &[1]),
        choice(0, &[2]),
        choice(0, &[3]),
        choice(1, &[1, 1]),
        choice(1, &[1, 3]),
        choice(1, &[2, 3]),
        choice(1, &[3, 3]),
    ];
    assert_eq!(all, expected);
    agree(&program, &state, &all);
}

#[test]
fn refusals_name_the_clause() {
    let (program, state) = three_options();
    let owed = owed(&program, &state);
    let refused = |option, args: &[i32]| {
        let rejection = explain(&program, &state, &owed, &choice(option, args));
        assert_eq!(rejection.code, RejectCode::IllegalChoice);
        (rejection.message, rejection.clauses)
    };
    let clause = vec![0];
    assert_eq!(
        refused(1, &[2, 2]),
        ("`2` is not allowed as `x` now".into(), clause.clone())
    );
    assert_eq!(
        refused(2, &[]),
        ("this option is not open now".into(), clause)
    );
    assert_eq!(refused(0, &[9]).0, "`9` cannot be chosen as `x`");
    assert_eq!(refused(1, &[3, 1]).0, "`1` cannot be chosen as `x`");
    assert_eq!(refused(7, &[]).0, "there is no such option");
    assert_eq!(
        refused(0, &[]).0,
        "the values do not have the form that this decision asks for"
    );
}

#[test]
fn refused_lists() {
    let (program, state) = waiting(|b| {
        let (numbers, slots) = (b.range(1, 4), b.slots(2));
        let count = many(b, 2, 3, false);
        vec![option(
            "",
            vec![binder(Type::Int, numbers, count, 1, slots)],
            1,
        )]
    });
    let owed = owed(&program, &state);
    let refused = |values: &[i32]| {
        let args = [BoundValue::Many(values.into())].into_iter().collect();
        explain(&program, &state, &owed, &Choice { option: 0, args }).message
    };
    assert_eq!(refused(&[1]), "`x` needs at least 2");
    assert_eq!(refused(&[1, 2, 3, 4]), "`x` takes at most 3");
    assert_eq!(refused(&[1, 1]), "`1` is chosen twice as `x`");
    assert_eq!(
        refused(&[2, 1]),
        "the members of `x` are not in their order"
    );
    assert_eq!(refused(&[1, 5]), "`5` cannot be chosen as `x`");
}

#[test]
fn values_that_must_go_together() {
    // any subset of 1..4 with a sum of 5
    let (program, state) = waiting(|b| {
        let (numbers, slots) = (b.range(1, 4), b.slots(2));
        let chosen = b.set(Set::Temp(1));
        let it = b.expr(Expr::Temp(3));
        let sum = b.expr(Expr::Sum {
            of: chosen,
            temp: 3,
            key: it,
        });
        let five = b.int(5);
        let test = b.binary(Binary::Equal, sum, five);
        let mut any = binder(Type::Int, numbers, BinderSize::Any, 1, slots);
        any.together.push(condition(test, vec![0]));
        vec![option("", vec![any], 1)]
    });
    let all = all(&program, &state);
    agree(&program, &state, &all);
    let paid: Vec<&[i32]> = all.iter().map(|choice| choice.args[0].values()).collect();
    assert_eq!(paid, [&[2, 3][..], &[1, 4][..]]);
    let args = [BoundValue::Many([1, 2][..].into())].into_iter().collect();
    let refused = explain(
        &program,
        &state,
        &owed(&program, &state),
        &Choice { option: 0, args },
    );
    assert_eq!(refused.message, "these cannot be chosen together");
    assert_eq!(refused.clauses, [0]);
}

#[test]
fn a_value_listed_twice_is_one_choice() {
    let (program, state) = waiting(|b| {
        let (one, other) = (b.range(1, 3), b.range(2, 4));
        let both = b.set(Set::Concat(one, other));
        let slot = b.slot();
        vec![option(
            "",
            vec![binder(Type::Int, both, BinderSize::One, 1, slot)],
            1,
        )]
    });
    assert_eq!(all(&program, &state).len(), 4);
}

#[test]
fn large_domains_are_drawn_from_without_a_list() {
    let (program, state) = waiting(|b| {
        let (numbers, slots) = (b.range(1, 60), b.slots(2));
        let any = binder(Type::Int, numbers, BinderSize::Any, 1, slots);
        let five = many(b, 5, 5, true);
        let five = binder(Type::Int, numbers, five, 1, slots);
        vec![option("any", vec![any], 1), option("five", vec![five], 1)]
    });
    let owed = owed(&program, &state);
    let count = count_choices(&program, &state, &owed).unwrap();
    assert_eq!(count, (1 << 60) + 60 * 59 * 58 * 57 * 56);
    for number in [0, 1, (1 << 60) - 1, 1 << 60, count - 1] {
        let choice = nth_choice(&program, &state, &owed, number)
            .unwrap()
            .unwrap();
        assert!(is_legal(&program, &state, &owed, &choice).unwrap());
    }
}

/// Of a long range, some numbers are listed and every one is legal that passes the conditions.
#[test]
fn a_number_of_a_long_range_is_given() {
    let long = |low: i32, high: i32, modulus: i32| {
        waiting(move |b| {
            let (numbers, slots) = (b.range(low, high), b.slots(1));
            let mut name = binder(Type::Int, numbers, BinderSize::One, 1, slots);
            let (it, modulus, one) = (b.expr(Expr::Temp(1)), b.int(modulus), b.int(1));
            let rest = b.expr(Expr::Binary(Binary::Modulo, it, modulus));
            let test = b.expr(Expr::Binary(Binary::Equal, rest, one));
            name.filters = vec![condition(test, Vec::new())];
            vec![option("", vec![name], 1)]
        })
    };
    for (low, high, modulus) in [
        (-600_000, 600_000, 2),
        (0, i32::MAX, 5_000_000),
        (1, 1_025, 1_024),
    ] {
        let (program, state) = long(low, high, modulus);
        let listed = all(&program, &state);
        assert!((1..=16).contains(&listed.len()), "{low}: {listed:?}");
        agree(&program, &state, &listed);
        let owed = owed(&program, &state);
        let choice = |number| Choice {
            option: 0,
            args: [BoundValue::One(number)].into_iter().collect(),
        };
        let legal = |number| is_legal(&program, &state, &owed, &choice(number)).unwrap();
        let number = low + (1 - low).rem_euclid(modulus);
        assert!(legal(number) && !legal(number + 1));
        assert!(!legal(low.saturating_sub(modulus)));
    }
    // One number fewer is a list.
    let (program, state) = long(0, 1_023, 2);
    assert_eq!(all(&program, &state).len(), 512);
}
