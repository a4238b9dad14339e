//! Counts of the games in `rules/gallery/` against numbers that others have published. The deeper ones are in
//! `docs/counting.md`, with the commands that compute them.

#![cfg(test)]

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use wyrmgate::explore::Luck;
use wyrmgate::perft::{Plan, Progress, Tally, merged, walk};
use wyrmgate::program::Program;
use wyrmgate::rules::{Ruleset, find};
use wyrmgate::solve::{Method, Solution, solve};

fn program(game: &str, options: Value) -> Arc<Program> {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/gallery");
    let stack = find(game, &gallery).unwrap();
    let ruleset = Ruleset::from_stack(&stack).unwrap().unwrap();
    let options: Map<String, Value> = serde_json::from_value(options).unwrap();
    ruleset.program(2, &options).unwrap()
}

fn plan(depth: u32) -> Plan {
    Plan {
        depth,
        luck: Luck::Every,
        by_turns: false,
        information_sets: false,
        threads: 2,
    }
}

/// Every node of a game with its default options.
fn walked(game: &str, plan: &Plan) -> Tally {
    walk(&program(game, json!({})), plan, &Progress::default()).unwrap()
}

fn nodes(tally: &Tally) -> Vec<u128> {
    tally.plies.iter().map(|ply| ply.nodes).collect()
}

#[test]
fn every_game_of_tic_tac_toe() {
    let tally = walked("tic-tac-toe", &plan(9));
    assert_eq!(tally.nodes(), 549_946);
    assert_eq!(tally.terminals(), 255_168);
    let lengths: Vec<u128> = tally.plies.iter().map(|ply| ply.finished).collect();
    let published = [0, 0, 0, 0, 0, 1_440, 5_328, 47_952, 72_576, 127_872];
    assert_eq!(lengths, published);
}

#[test]
fn every_position_of_tic_tac_toe() {
    let tally = merged(&program("tic-tac-toe", json!({})), &plan(9), &mut |_, _| {}).unwrap();
    assert_eq!(tally.distinct, Some(5_478));
    assert_eq!(tally.nodes(), 549_946);
    assert_eq!(tally.terminals(), 255_168);
}

#[test]
fn connect_four() {
    let tally = walked("connect-four", &plan(5));
    assert_eq!(nodes(&tally), [1, 7, 49, 343, 2_401, 16_807]);
}

/// Positions: J. Tromp's numbers, A212693 of the On-Line Encyclopedia of Integer Sequences.
#[test]
fn positions_of_connect_four() {
    let program = program("connect-four", json!({}));
    let tally = merged(&program, &plan(7), &mut |_, _| {}).unwrap();
    let published = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536];
    assert_eq!(nodes(&tally), published);
    let positions: Vec<u64> = tally.plies.iter().map(|ply| ply.distinct).collect();
    assert_eq!(positions, [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859]);
}

#[test]
fn breakthrough_on_three_boards() {
    let counted = |game: &str, depth: u32| {
        let program = program(game, json!({}));
        nodes(&walk(&program, &plan(depth), &Progress::default()).unwrap())
    };
    assert_eq!(counted("breakthrough", 3), [1, 22, 484, 11_132]);
    assert_eq!(counted("breakthrough+six", 3), [1, 16, 256, 4_308]);
    assert_eq!(counted("breakthrough+five", 4), [1, 13, 156, 1_924, 23_084]);
}

/// The first position, and one with castling on both sides, pins, en passant and promotions.
#[test]
fn chess() {
    let kiwipete = format!(
        "{}/tests/fixtures/perft/kiwipete.yaml",
        env!("CARGO_MANIFEST_DIR")
    );
    assert_eq!(nodes(&walked("chess", &plan(3))), [1, 20, 400, 8_902]);
    assert_eq!(nodes(&walked(&kiwipete, &plan(2))), [1, 48, 2_039]);
}

/// Variants that are overlays; `docs/counting.md` has the sources.
#[test]
fn variants_of_chess() {
    for (variant, published) in [
        ("antichess", [1, 20, 400, 8_067]),
        ("atomic", [1, 20, 400, 8_902]),
        ("horde", [1, 8, 128, 1_274]),
        ("king-of-the-hill", [1, 20, 400, 8_902]),
        ("racing-kings", [1, 21, 421, 11_264]),
        ("three-check", [1, 20, 400, 8_902]),
    ] {
        let tally = walked(&format!("chess+{variant}"), &plan(3));
        assert_eq!(nodes(&tally), published, "{variant}");
    }
}

/// The two ways to count agree, and so do one thread and two.
#[test]
fn merging_and_threads_change_no_count() {
    for (game, options, depth) in [
        ("breakthrough+five", json!({}), 3),
        ("nim", json!({}), 3),
        ("pig", json!({"target": 10}), 3),
        ("goofspiel", json!({"ranks": 3}), 6),
        ("kuhn-poker", json!({}), 3),
    ] {
        let program = program(game, options);
        let walked = walk(&program, &plan(depth), &Progress::default()).unwrap();
        let alone = Plan {
            threads: 1,
            ..plan(depth)
        };
        let alone = walk(&program, &alone, &Progress::default()).unwrap();
        assert_eq!(walked, alone, "{game}");
        let merged = merged(&program, &plan(depth), &mut |_, _| {}).unwrap();
        let counts = |tally: &Tally| {
            let plies = tally.plies.iter();
            let counts = plies.map(|ply| (ply.nodes, ply.finished, ply.chance));
            counts.collect::<Vec<_>>()
        };
        assert_eq!(counts(&walked), counts(&merged), "{game}");
    }
}

fn with_information_sets(depth: u32) -> Plan {
    Plan {
        information_sets: true,
        ..plan(depth)
    }
}

#[test]
fn kuhn_poker() {
    let tally = walked("kuhn-poker", &with_information_sets(3));
    assert_eq!(tally.chance(), 4);
    assert_eq!(tally.decisions(), 24);
    assert_eq!(tally.terminals(), 30);
    assert_eq!(tally.histories.len(), 12);
}

#[test]
fn liars_dice() {
    let tally = merged(&program("liars-dice", json!({})), &plan(13), &mut |_, _| {}).unwrap();
    assert_eq!(tally.chance(), 7);
    assert_eq!(tally.decisions(), 147_456);
    assert_eq!(tally.terminals(), 147_420);
}

/// The seat that answers second has not seen the first answer: as many sets as cards, not as pairs of cards.
#[test]
fn a_secret_answer_is_in_nobodys_information() {
    let program = program("goofspiel", json!({"ranks": 3}));
    let tally = walk(&program, &with_information_sets(1), &Progress::default()).unwrap();
    assert_eq!(nodes(&tally), [3, 9]);
    assert_eq!(tally.histories.len(), 6);
}

#[test]
fn a_seed_leaves_chance_one_way() {
    let seeded = Plan {
        luck: Luck::Seeded([7; 32]),
        ..plan(3)
    };
    let tally = walked("kuhn-poker", &seeded);
    assert_eq!(tally.chance(), 0);
    assert_eq!(tally.decisions() + tally.terminals(), 9);
}

#[test]
fn the_value_of_kuhn_poker() {
    let program = program("kuhn-poker", json!({}));
    let solution = solve(&program, Method::Regret, 1_000, &mut |_| {}).unwrap();
    let Solution::Regret(found) = solution else {
        panic!("{solution:?}");
    };
    assert!((found.value + 1.0 / 18.0).abs() < 1e-3, "{found:?}");
    assert!(found.nash_conv < 1e-2, "{found:?}");
    assert!(
        (found.uniform_nash_conv - 11.0 / 12.0).abs() < 1e-9,
        "{found:?}"
    );
}

fn value_of(game: &str, options: Value) -> f64 {
    let solution = solve(&program(game, options), Method::Values, 0, &mut |_| {}).unwrap();
    let Solution::Values(found) = solution else {
        panic!("{solution:?}");
    };
    found.value
}

#[test]
fn tic_tac_toe_is_a_draw() {
    assert_eq!(value_of("tic-tac-toe", json!({})), 0.0);
}

/// By hand, for two points: holding 0 is never better than rolling, so each seat rolls once and holds unless it is a 1.
/// With w the chance of whoever is to roll: w = 5/6 + 1/6 · (1 − w), so w = 6/7.
#[test]
fn the_shortest_game_of_pig() {
    let first_wins = (value_of("pig", json!({"target": 2})) + 1.0) / 2.0;
    assert!((first_wins - 6.0 / 7.0).abs() < 1e-8, "{first_wins}");
}

#[test]
fn what_cannot_be_solved_says_why() {
    let refused = |game: &str, options: Value, method| {
        let error = solve(&program(game, options), method, 1, &mut |_| {}).unwrap_err();
        error.to_string()
    };
    let at_once = refused("goofspiel", json!({"ranks": 3}), Method::Values);
    assert!(at_once.contains("`regret`"), "{at_once}");
}
