//! Counts of the games in `rules/gallery/` against numbers that others have published. The deeper ones are in
//! `rules/guide/costs.md`, with the commands that compute them.

#![cfg(test)]

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use wyrmgate::engine::{Seeded, Silent, eval_query, run_effect, start};
use wyrmgate::explore::{Explorer, Luck};
use wyrmgate::perft::{Plan, Progress, Tally, divide, merged, walk};
use wyrmgate::program::Program;
use wyrmgate::rules::{Ruleset, find};

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
        bulk: false,
        table: 0,
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

/// Six coins of two kinds are taken one after the other. Which coin of a kind is taken makes no difference, so it is
/// listed once, and positions in which only the order differs are one.
#[test]
fn like_components_are_equal() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/perft");
    let counted = |game: &str| {
        let stack = find(game, &rules).unwrap();
        let ruleset = Ruleset::from_stack(&stack).unwrap().unwrap();
        let program = ruleset.program(2, &Map::new()).unwrap();
        let tally = merged(&program, &plan(6), &mut |_, _| {}).unwrap();
        assert_eq!(
            nodes(&tally),
            nodes(&walk(&program, &plan(6), &Progress::default()).unwrap())
        );
        (nodes(&tally), tally.distinct.unwrap())
    };
    // 6! / (3! 3!) orders of kinds; 4 × 4 positions, and the one at the end.
    assert_eq!(counted("coins"), (vec![1, 2, 4, 8, 14, 20, 20], 16));
    let (apart, distinct) = counted("coins+in-order");
    assert_eq!(apart, [1, 6, 30, 120, 360, 720, 720]);
    assert!(distinct > 1_000, "{distinct}");
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

/// The counts of the World Othello Federation's engines; where nobody can place a disc, a turn passes.
#[test]
fn othello() {
    let turns = Plan {
        by_turns: true,
        ..plan(6)
    };
    let published = [1, 4, 12, 56, 244, 1_396, 8_200];
    assert_eq!(nodes(&walked("othello", &turns)), published);
    assert_eq!(nodes(&walked("othello", &plan(5))), published[..6]);
}

/// A jump that goes on is several decisions and one turn.
#[test]
fn draughts() {
    let turns = Plan {
        by_turns: true,
        ..plan(7)
    };
    let program = program("draughts", json!({}));
    let published = [1, 7, 49, 302, 1_469, 7_361, 36_768, 179_740];
    let tally = walk(&program, &turns, &Progress::default()).unwrap();
    assert_eq!(nodes(&tally), published);
    let tally = merged(&program, &turns, &mut |_, _| {}).unwrap();
    assert_eq!(nodes(&tally), published);
    let decisions = merged(&program, &plan(7), &mut |_, _| {}).unwrap();
    assert_eq!(nodes(&decisions)[7], 179_255);
    let moves = walked("draughts+whole-moves", &plan(5));
    assert_eq!(nodes(&moves), published[..6]);
}

/// Who can capture must capture as much as possible. Programs for this game count moves by what they do, so captures that
/// differ only in the way they go are one.
#[test]
fn international_draughts() {
    let turns = |depth| Plan {
        by_turns: true,
        ..plan(depth)
    };
    let game = program("international-draughts", json!({}));
    let tally = walk(&game, &turns(4), &Progress::default()).unwrap();
    assert_eq!(nodes(&tally), [1, 9, 81, 658, 4_265]);
    let woldouby = format!(
        "{}/tests/fixtures/perft/woldouby.yaml",
        env!("CARGO_MANIFEST_DIR")
    );
    let tally = merged(&program(&woldouby, json!({})), &turns(6), &mut |_, _| {}).unwrap();
    let positions: Vec<u64> = tally.plies.iter().map(|ply| ply.distinct).collect();
    assert_eq!(positions, [1, 6, 12, 30, 73, 215, 590]);
}

#[test]
fn shogi_xiangqi_and_swarm() {
    assert_eq!(nodes(&walked("shogi", &plan(3))), [1, 30, 900, 25_470]);
    let mini = nodes(&walked("shogi+mini", &plan(4)));
    assert_eq!(mini, [1, 14, 181, 2_512, 35_401]);
    assert_eq!(nodes(&walked("xiangqi", &plan(3))), [1, 44, 1_920, 79_666]);
    assert_eq!(nodes(&walked("swarm", &plan(4))), [1, 4, 96, 1_440, 21_600]);
}

/// Counted by another program (`rules/guide/costs.md`).
#[test]
fn oware() {
    let counted = nodes(&walked("oware", &plan(6)));
    assert_eq!(counted, [1, 6, 36, 190, 1_014, 5_219, 27_332]);
}

/// Counted by another program (`rules/guide/costs.md`). Every throw is followed.
#[test]
fn backgammon() {
    assert_eq!(nodes(&walked("backgammon", &plan(2))), [30, 200, 27_288]);
}

/// Without suicide, with positional superko; counted by another program (`rules/guide/costs.md`).
#[test]
fn go_on_small_boards() {
    let counted = |size: u32, depth: u32| {
        let program = program("go", json!({"size": size}));
        nodes(&walk(&program, &plan(depth), &Progress::default()).unwrap())
    };
    assert_eq!(counted(2, 8), [1, 5, 21, 68, 156, 316, 604, 1_088, 2_184]);
    assert_eq!(counted(3, 5), [1, 10, 91, 738, 5_281, 33_384]);
}

#[test]
fn a_division_by_the_first_choice_adds_up() {
    for (game, by_turns, depth) in [("draughts", true, 4), ("kuhn-poker", false, 2)] {
        let program = program(game, json!({}));
        let plan = Plan {
            by_turns,
            ..plan(depth)
        };
        let whole = walk(&program, &plan, &Progress::default()).unwrap();
        let (mut sum, mut choices) = (0, 0);
        divide(&program, &plan, &mut |_, divided| {
            sum += nodes(&divided.tally)[depth as usize];
            choices += 1;
        })
        .unwrap();
        assert_eq!(sum, nodes(&whole)[depth as usize], "{game}");
        assert_eq!(choices, nodes(&whole)[1], "{game}");
    }
}

/// The scores of all 12,994,800 hands of cribbage with a starter. The rules score fifteens, pairs and runs of every
/// combination of ranks; flushes and jacks of the starter's suit are counted here, over all suits.
#[test]
fn every_hand_of_cribbage() {
    let hands = format!(
        "{}/tests/fixtures/perft/cribbage-hands.yaml",
        env!("CARGO_MANIFEST_DIR")
    );
    let program = program(&hands, json!({}));
    let mut state = start(&program, [1; 32], &mut Seeded, &mut Silent).unwrap();
    let mut hands = [0u64; 30];
    loop {
        run_effect(&program, &mut state, "next_hand", &mut Seeded, &mut Silent).unwrap();
        let ranks = eval_query(&program, &state, "ranks").unwrap();
        let rank = |place: u32| ranks / 14i32.pow(place) % 14;
        if rank(4) > 13 || ranks / 14i32.pow(4) > 13 {
            break;
        }
        let score = eval_query(&program, &state, "scored").unwrap();
        let hand = [rank(4), rank(3), rank(2), rank(1)];
        for (extra, count) in suits_of(hand, rank(0)) {
            hands[usize::try_from(score).unwrap() + extra] += count;
        }
    }
    let published = [
        1_009_008, 99_792, 2_813_796, 505_008, 2_855_676, 697_508, 1_800_268, 751_324, 1_137_236,
        361_224, 388_740, 51_680, 317_340, 19_656, 90_100, 9_168, 58_248, 11_196, 2_708, 0, 8_068,
        2_496, 444, 356, 3_680, 0, 0, 0, 76, 4,
    ];
    assert_eq!(hands.iter().sum::<u64>(), 12_994_800);
    assert_eq!(hands, published);
}

/// The points for a flush and a jack, with the number of ways to choose suits for these ranks in ascending order.
fn suits_of(hand: [i32; 4], starter: i32) -> Vec<(usize, u64)> {
    let mut ways = [0u64; 7];
    for suits in 0..1024u32 {
        let suit = |place: usize| suits >> (2 * place) & 3;
        // Cards of one rank in ascending order of suits, each once.
        let ascends = (1..4).all(|at| hand[at - 1] != hand[at] || suit(at - 1) < suit(at));
        let taken = (0..4).any(|at| hand[at] == starter && suit(at) == suit(4));
        if !ascends || taken {
            continue;
        }
        let flush = match (0..4).all(|at| suit(at) == suit(0)) {
            true if suit(4) == suit(0) => 5,
            true => 4,
            false => 0,
        };
        let jack = (0..4).any(|at| hand[at] == 11 && suit(at) == suit(4));
        ways[flush + usize::from(jack)] += 1;
    }
    let ways = ways.into_iter().enumerate();
    ways.filter(|(_, count)| *count > 0).collect()
}

/// Variants that are overlays; `rules/guide/costs.md` has the sources.
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

/// Without playing the last ply, ends in it are decisions; with a table, everything is the same.
#[test]
fn the_last_ply_and_known_positions_need_not_be_played() {
    for (game, depth) in [
        ("tic-tac-toe", 7),
        ("connect-four", 4),
        ("othello", 5),
        ("go", 2),
        ("pig", 3),
    ] {
        let whole = walked(game, &plan(depth));
        let known = walked(
            game,
            &Plan {
                table: 1,
                ..plan(depth)
            },
        );
        assert_eq!(known, whole, "{game}");
        let bulk = walked(
            game,
            &Plan {
                bulk: true,
                table: 1,
                ..plan(depth)
            },
        );
        assert_eq!(nodes(&bulk), nodes(&whole), "{game}");
        assert!(bulk.terminals() <= whole.terminals(), "{game}");
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

/// The number of information sets is that of OpenSpiel, which tells the cards of one rank apart, too.
#[test]
fn leduc_poker() {
    let tally = walked("leduc-poker", &with_information_sets(8));
    assert_eq!(tally.histories.len(), 936);
}

/// All 7,776 rolls of five dice: the number that scores on each of the lower lines.
#[test]
fn every_roll_of_yahtzee() {
    let program = program(
        &format!(
            "{}/tests/fixtures/perft/yahtzee-rolls.yaml",
            env!("CARGO_MANIFEST_DIR")
        ),
        json!({}),
    );
    let explorer = Explorer {
        program: &program,
        luck: Luck::Every,
        listens: false,
    };
    let lines = [
        "three",
        "four",
        "house",
        "small",
        "large",
        "five",
        "sum_of_all",
    ];
    let (mut rolls, mut worth) = ([0; 7], [0; 7]);
    explorer
        .starts(&mut |way| {
            for (at, line) in lines.iter().enumerate() {
                let points = eval_query(&program, way.after, line).unwrap();
                rolls[at] += i32::from(points > 0);
                worth[at] += points;
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(rolls, [1_656, 156, 300, 1_200, 240, 6, 7_776]);
    assert_eq!(
        worth[2..],
        [300 * 25, 1_200 * 30, 240 * 40, 6 * 50, 7_776 * 35 / 2]
    );
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
