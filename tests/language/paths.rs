//! Decisions of several steps, each of which depends on those before: `path s from k in steps(it)`; and members that
//! repeat: `repeated 5 c in S`.

use serde_json::{Value, json};
use wyrmgate::engine::FaultKind;

use crate::play::{Game, begin, try_begin};

/// Ways from place to place: 2 4, 3 5 6 and 4 lead from 1 to an end.
const WORLD: &str = r#"
clauses: {TT-01: One., TT-02: Two.}
data:
  ways: [[2, 3, 4], [4], [5], [], [6], []]
"#;

fn walk(decision: &str) -> Game {
    let play = format!("play: |\n  turn of seat(1):\n    {decision}\n  finish drawn\n");
    begin(&play, WORLD)
}

fn listed(game: &Game) -> Vec<Value> {
    let decision = game.decision(1);
    let choices = decision["choices"].as_array().unwrap();
    choices
        .iter()
        .map(|choice| choice["args"].clone())
        .collect()
}

#[test]
fn a_path_ends_where_nothing_follows() {
    let mut game = walk(r#"choose path way from 1 in ways[it] "Where?": say "{way}""#);
    assert_eq!(
        listed(&game),
        [[2, 4].as_slice(), &[3, 5, 6], &[4]].map(|way| json!({ "way": way }))
    );
    assert_eq!(game.decision(1)["kind"], "path");
    game.reload();
    game.choose(1, "way", json!([3, 5, 6]));
    assert_eq!(game.said(), ["3, 5, 6"]);
}

#[test]
fn a_path_has_a_stated_length() {
    let lengths = [("2", 2), ("up to 2", 6), ("any", 7), ("0", 1), ("4", 0)];
    for (length, count) in lengths {
        let decision = format!("choose path {length} way from 1 in ways[it]: return");
        let game = walk(&format!("{decision}\n    ask seat(1) \"And?\": return"));
        match count {
            0 => assert_eq!(game.decision(1)["kind"], "yes-no"),
            count => assert_eq!(game.choices(1), count, "{length}"),
        }
    }
}

#[test]
fn conditions_are_about_a_step_or_about_the_path() {
    let text = "choose path way from 1 in ways[it] where it != 4 [TT-01] and count(way) < 3 if sum(way) > 2 [TT-02]: return";
    let mut game = walk(text);
    assert_eq!(listed(&game), [json!({"way": [3, 5, 6]})]);
    let forbidden = |game: &mut Game, way: Value| {
        let clauses = game.forbidden_by(1, "", json!({ "way": way }));
        clauses.join(" ")
    };
    assert_eq!(forbidden(&mut game, json!([2, 4])), "TT-01");
    assert_eq!(forbidden(&mut game, json!([2])), "TT-02");
    for way in [json!([3, 5]), json!([3, 6]), json!([]), json!([3, 5, 6, 6])] {
        assert_eq!(forbidden(&mut game, way.clone()), "", "{way}");
    }
}

#[test]
fn a_step_can_ask_for_the_position_after_those_before() {
    let effects = r#"
play: |
  turn of seat(1):
    count_of = 1
    choose path way from card(1) in after(steps_along(way), deck where .rank in ways[count_of] and .rank != mine[seat(1)]): say "{count(way)} {count_of}"
  finish drawn
steps_along(cards cs): |
  each c in cs: count_of = c.rank; mine[seat(1)] += 1
"#;
    let mut game = begin(effects.trim(), WORLD);
    let ways = listed(&game);
    assert_eq!(
        ways,
        [
            ["card-2", "card-4"].as_slice(),
            &["card-3", "card-5", "card-6"],
            &["card-4"]
        ]
        .map(|way| json!({ "way": way }))
    );
    game.choose(1, "way", json!(["card-2", "card-4"]));
    assert_eq!(game.said(), ["2 1"]);
}

#[test]
fn paths_stand_beside_other_names_and_are_chosen_in_secret() {
    let mut game = walk(
        "choose n in 1..3, path up to 2 way from n in ways[it] where it not in way, k in 1..count(way): say \"{n} {k}\"",
    );
    assert_eq!(game.choices(1), (3 + 2 * 2) + 1 + (1 + 2));
    game.answer(1, "", json!({"n": 3, "way": [5, 6], "k": 2}));
    assert_eq!(game.said(), ["3 2"]);
    let play = r#"
play: |
  each p in seats chooses path way from p.index_of in ways[it] "Where?"
  each p in seats: say "{way[p]}"
  finish drawn
"#;
    let mut game = begin(
        play.trim(),
        &format!("{WORLD}queries:\n  index_of(seat p): index(seats, p)\n"),
    );
    game.choose(3, "way", json!([5, 6]));
    game.choose(1, "way", json!([4]));
    game.reload();
    game.choose(2, "way", json!([4]));
    assert_eq!(game.said(), ["4", "4", "5, 6"]);
}

#[test]
fn a_path_without_end_exceeds_a_limit() {
    for decision in [
        "path way",
        "path any way",
        "path 101 way",
        "repeated 101 way",
    ] {
        let from = if decision.contains("path") {
            " from 1"
        } else {
            ""
        };
        let text = format!("choose {decision}{from} in [1]: return");
        let play = format!("play: |\n  turn of seat(1):\n    {text}\n  finish drawn\n");
        let fault = try_begin(&play, WORLD).map(|_| ());
        match decision {
            // A hundred steps are possible.
            "path any way" => assert!(fault.is_ok()),
            _ => assert_eq!(
                fault.unwrap_err().0.kind,
                FaultKind::Enumeration,
                "{decision}"
            ),
        }
    }
}

#[test]
fn members_repeat() {
    let mut game = walk(
        r#"choose repeated 3 c in deck where .rank < 4 [TT-01] "Deal": say "{count(c where .rank = 1)} {count(unique(c))}""#,
    );
    assert_eq!(game.choices(1), 10);
    let card = |rank: i32| json!(format!("card-{rank}"));
    let first = listed(&game);
    assert_eq!(first[0], json!({"c": [card(1), card(1), card(1)]}));
    assert_eq!(first[1], json!({"c": [card(1), card(1), card(2)]}));
    let forbidden = game.forbidden_by(1, "", json!({"c": [card(4), card(4), card(4)]}));
    assert_eq!(forbidden, ["TT-01"]);
    assert_eq!(
        game.forbidden_by(1, "", json!({"c": [card(1), card(1)]})),
        [""; 0]
    );
    // Their order does not matter.
    game.answer(1, "", json!({"c": [card(3), card(1), card(3)]}));
    assert_eq!(game.said(), ["1 2"]);
}

#[test]
fn many_divisions_are_counted_and_drawn() {
    let game = walk("choose repeated 20 c in deck if sum(c, .rank) = 70: return");
    assert_eq!(game.choices(1), divisions(6, 20, 70));
    let drawn = walk("choose repeated up to 4 n in 1..3 at random\n    say \"{count(n) < 5}\"");
    assert_eq!(drawn.said(), ["yes"]);
}

/// In how many ways numbers up to `most`, this many, have this sum.
fn divisions(most: usize, count: usize, sum: usize) -> u64 {
    let mut ways = vec![vec![0u64; sum + 1]; count + 1];
    ways[0][0] = 1;
    for number in 1..=most {
        for taken in 1..=count {
            for total in number..=sum {
                ways[taken][total] += ways[taken - 1][total - number];
            }
        }
    }
    ways[count][sum]
}
