//! Lists as values: of variables, with `most`, and of effects.

use serde_json::json;
use wyrmgate::engine::{FaultKind, Viewer};

use crate::play::{begin, said, try_begin};

const WORLD: &str = r#"
vars:
  row_now: {type: ints, most: 4}
  bids: {type: ints, each: seats, most: 3, see: owner}
  route: {type: spots, most: 6, start: "[spot(2), spot(1)]"}
  drawn: {type: cards, each: color, most: 5}
  by_number: {type: colors, each: 1..2, most: 2}
  debts: {type: ints, each: {from: seats, to: color}, most: 3, see: viewer = seat(1), start: "[6]"}
  tags: {type: cards, each: {of: seats, at: 2..3, whose: seats}, most: 2}
zones:
  spot: {each: {number: 1..3}, holds: card}
positions:
  whole: [row_now, bids]
queries:
  total(ints ns): sum(ns)
effects:
  adds(int n): row_now += n
"#;

#[test]
fn a_list_grows_and_shrinks_in_order() {
    let told = said(
        r#"
play: |
  say "{count(row_now)} {row_now is empty} {row_now[1]} {last(row_now)}"
  row_now += 3
  row_now += [1, 2]
  say "{row_now} {row_now[2]} {row_now[9]} {total(row_now)} {2 in row_now}"
  row_now -= 1
  row_now += 3
  say "{row_now}"
  row_now -= [3]
  say "{row_now} {row_now[2]}"
  row_now = row_now + row_now + [count(row_now)]
  say "{row_now}"
  row_now = reversed(row_now where it != 2)
  row_now[1] = 8
  row_now[1] -= 1
  say "{row_now}"
  row_now = []
  say "{count(row_now)}"
"#,
        WORLD,
    );
    assert_eq!(
        told,
        [
            "0 yes 0 0",
            "3, 1, 2 1 0 6 yes",
            "3, 2, 3",
            "2 0",
            "2, 2, 1",
            "7",
            "0"
        ]
    );
}

#[test]
fn every_key_has_a_list_of_its_own() {
    let told = said(
        r#"
play: |
  each p in seats: bids[p] += index(seats, p)
  bids[seat(2)] += [7, 8]
  seat(3).bids += 5
  bids[none] += 4
  say "{bids[seat(1)]} / {bids[seat(2)]} / {seat(3).bids} / {count(bids[none])}"
  bids[seat(2)][3] += 1
  say "{bids[seat(2)][3]} {max(seats, count(bids[it]))} {sum(keys(seats, bids[it]))}"
  drawn[red] = deck where .rank > 3
  drawn[blue] += top(deck)
  say "{sum(drawn[red], .rank)} {drawn[blue].rank} {some c in drawn[red] has c in drawn[blue]}"
  by_number[2] += red
  say "{count(by_number[1])} {by_number[2]} {count(by_number[7])}"
"#,
        WORLD,
    );
    assert_eq!(
        told,
        ["1 / 2, 7, 8 / 3, 5 / 0", "9 3 27", "15 6 yes", "0 red 0"]
    );
}

#[test]
fn every_combination_of_keys_has_a_list_of_its_own() {
    let told = said(
        r#"
play: |
  each p in seats: each k in color: debts[p][k] += [10 * index(seats, p) + index(color, k)]
  debts[seat(2)][blue] -= 6
  debts[seat(2)][blue][1] += 5
  debts[none][red] += 3
  say "{debts[seat(1)][red]} / {debts[seat(2)][blue]} / {debts[seat(3)][red][2]} / {count(debts[none][red])}"
  say "{every p in seats has every k in color has count(debts[p][k]) = (if p = seat(2) and k = blue then 1 else 2)}"
  tags[seat(3)][2][seat(1)] = take(deck, 2)
  tags[seat(3)][3][seat(1)] += top(deck)
  say "{sum(keys(seats, sum(tags[it][2][seat(1)], .rank)))} {tags[seat(3)][3][seat(1)][1].rank} {count(tags[seat(1)][9][seat(1)])}"
  debts[seat(3)][blue] = debts[seat(1)][red] + debts[seat(2)][blue]
  say "{debts[seat(3)][blue]}"
"#,
        WORLD,
    );
    assert_eq!(told, ["6, 11 / 27 / 31 / 0", "yes", "3 6 0", "6, 11, 27"]);
}

#[test]
fn clients_receive_a_list_for_each_combination_of_keys() {
    let game = begin(
        r#"
play: |
  debts[seat(2)][blue] += 4
  ask seat(1) "Go on?": finish drawn
"#,
        WORLD,
    );
    let seen = |viewer, name| game.var(name, viewer);
    let everybody = Viewer::omniscient();
    assert_eq!(
        seen(everybody, "debts-2"),
        json!({"red": [6], "blue": [6, 4]})
    );
    assert_eq!(seen(everybody, "debts-3"), json!({"red": [6], "blue": [6]}));
    assert_eq!(
        seen(Viewer::Seat(0), "debts-2"),
        json!({"red": [6], "blue": [6, 4]})
    );
    assert_eq!(seen(Viewer::Seat(1), "debts-2"), json!(null));
    assert_eq!(seen(everybody, "debts-2-1"), json!(null));
}

#[test]
fn zones_in_a_list_are_members_and_not_their_contents() {
    let told = said(
        r#"
play: |
  move top(deck) to spot(3)
  route += spot(3)
  route -= spot(1)
  say "{route} {count(route)} {count(last(route))}"
"#,
        WORLD,
    );
    assert_eq!(told, ["spot 2, spot 3 2 1"]);
}

#[test]
fn what_cannot_be_stored_is_a_fault_at_its_statement() {
    for (line, place) in [
        ("row_now = [1, 2, 3, 4]\n  row_now += 5", "row_now += 5"),
        ("row_now = 1..5", "row_now = 1..5"),
        ("row_now[1] = 5", "row_now[1] = 5"),
        ("row_now += 1\n  row_now[2] = 5", "row_now[2] = 5"),
        ("row_now += 1\n  row_now[0] = 5", "row_now[0] = 5"),
        ("by_number[round + 3] += red", "by_number[round + 3] += red"),
        ("by_number[round + 3] = []", "by_number[round + 3] = []"),
        (
            "tags[seat(1)][round + 4][seat(2)] = []",
            "tags[seat(1)][round + 4][seat(2)] = []",
        ),
        (
            "debts[seat(1)][red] += [1, 2, 3]",
            "debts[seat(1)][red] += [1, 2, 3]",
        ),
    ] {
        let Err((fault, text)) = try_begin(&format!("play: |\n  {line}\n  finish drawn"), WORLD)
        else {
            panic!("no fault: {line}")
        };
        assert_eq!((fault.kind, text.as_str()), (FaultKind::Key, place));
    }
}

/// Former members of a list leave no trace.
#[test]
fn equal_lists_are_equal_positions() {
    let told = said(
        r#"
play: |
  row_now += 3
  record whole
  row_now += 9
  say "{recorded(whole)} {after(adds(1), row_now)} {after(adds(1), recorded(whole))}"
  row_now -= 9
  bids[seat(1)] = [5, 6]
  bids[seat(1)] = []
  say "{recorded(whole)}"
"#,
        WORLD,
    );
    assert_eq!(told, ["0 3, 9, 1 0", "1"]);
}

#[test]
fn a_view_shows_lists_to_those_who_may_know() {
    let game = begin(
        r#"
play: |
  row_now = [4, 2]
  bids[seat(2)] = [7]
  drawn[red] += card(3)
  ask seat(1) "Go on?": finish drawn
"#,
        WORLD,
    );
    let everybody = Viewer::omniscient();
    assert_eq!(game.var("row_now", everybody), json!([4, 2]));
    assert_eq!(game.var("bids", everybody), json!([[], [7], []]));
    assert_eq!(
        game.var("drawn", everybody),
        json!({"red": ["card-3"], "blue": []})
    );
    assert_eq!(game.var("route", everybody), json!(["spot-2", "spot-1"]));
    assert_eq!(game.var("bids", Viewer::Seat(1)), json!([null, [7], null]));
    assert_eq!(game.var("bids-1", everybody), json!(null));
    let told = game.all_told("set");
    assert!(told.contains(&json!({"type": "set", "name": "row_now", "value": 2})));
    assert!(told.contains(&json!({"type": "set", "name": "row_now-1", "value": 4})));
    let hidden = |doc: &&serde_json::Value| doc["name"].as_str().unwrap().starts_with("bids");
    assert_eq!(told.iter().find(hidden), None);
}

#[test]
fn the_result_of_an_effect_can_be_a_list() {
    let effects = r#"
play: |
  let one = options_of(3)
  let none_at_all = options_of(0)
  let both = twice(2)
  say "{one} / {count(none_at_all)} / {both}"
  let cards_found = best_of(deck)
  each c in cards_found: move c to row
  say "{count(row)} {sum(cards_found, .rank)}"
  each n in twice(1):
    each m in options_of(n): count_of += m
  say "{count_of}"
ints options_of(int n): |
  if n > 0: return 1..n
ints twice(int n): |
  let first_half = options_of(n)
  let second_half = options_of(n + 1)
  return first_half + second_half
cards best_of(cards cs): |
  return cs with most .rank
"#;
    let told = said(effects, WORLD);
    assert_eq!(told, ["1, 2, 3 / 0 / 1, 2, 1, 2, 3", "1 6", "5"]);
}

#[test]
fn a_result_waits_for_decisions() {
    let mut game = begin(
        r#"
play: |
  let chosen = picks(seat(2))
  say "{chosen}"
  ask seat(1) "Go on?": finish drawn
cards picks(seat p): |
  choose 2 c in deck by p "Which?"
  return c
"#,
        WORLD,
    );
    game.choose(2, "c", json!(["card-2", "card-5"]));
    assert_eq!(game.said(), ["card 2, card 5"]);
}

// ---- lists of an effect

#[test]
fn a_list_of_an_effect_grows_and_shrinks() {
    let told = said(
        r#"
play: |
  let found = []
  say "{count(found)} {found is empty}"
  each c in cards where c.rank > 2: found += c
  say "{count(found)} {sum(found, .rank)} {last(found).rank}"
  found -= found where it.rank = 3
  say "{count(found)} {every c in found has c.rank > 3}"
  let steps = [4, 1]
  steps += [2, 2]
  steps += 7
  steps[1] -= 1
  say "{steps} {steps[5]} {steps[6]} {total(steps)}"
  steps -= 2
  say "{steps}"
  steps = reversed(steps) + steps
  say "{steps}"
  steps = []
  say "{count(steps)} {sum(steps)}"
  steps += row_now
  steps += 9
  say "{steps}"
"#,
        WORLD,
    );
    let few = &told[3..];
    assert_eq!(
        few,
        [
            "3, 1, 2, 2, 7 7 0 15",
            "3, 1, 7",
            "7, 1, 3, 3, 1, 7",
            "0 0",
            "9"
        ]
    );
    assert_eq!(told[0], "0 yes");
}

#[test]
fn lists_of_effects_keep_their_members_in_loops() {
    let told = said(
        r#"
play: |
  let seen = [0]
  let chosen_ones = []
  repeat 3 times:
    let inner = [count(seen)]
    inner += 10
    each n in inner: seen += n
    choose p in seats where p not in chosen_ones at random
    chosen_ones += p
  say "{seen} / {count(chosen_ones)} / {every p in seats has p in chosen_ones}"
  repeat:
    if count(seen) > 12: stop
    seen += last(seen)
  say "{count(seen)} {seen[13]}"
  let others = firsts(seat(2))
  others += 5
  say "{others}"
ints firsts(seat p): |
  let chosen = []
  each q in seats: if q != p: chosen += index(seats, q)
  return chosen
"#,
        WORLD,
    );
    assert_eq!(
        told,
        ["0, 1, 10, 3, 10, 5, 10 / 3 / yes", "13 10", "1, 3, 5"]
    );
}

#[test]
fn a_list_of_an_effect_knows_its_members_before_it_has_any() {
    let told = said(
        r#"
play: |
  let best = []
  repeat 3 times:
    if max(best) < 2: best += count(best) + 1
  say "{best}"
  let held = deck
  held -= top(deck)
  held += card(1)
  say "{count(held)} {count(deck)} {sum(held, .rank)}"
  let where_to = hand(seat(1))
  where_to = hand(seat(2))
  say "{where_to is empty}"
"#,
        WORLD,
    );
    assert_eq!(told, ["1, 2", "6 6 16", "yes"]);
}

#[test]
fn a_what_if_runs_effects_whose_lists_grow() {
    let told = said(
        r#"
play: |
  say "{after(collects(2), row_now)} {count(row_now)}"
  collects(4)
  say "{row_now} {count([1, 2, 3] where after(collects(it), count(row_now)) > 2)}"
  each n in 1..3: if after(collects(n), max(row_now)) = 3: say "{n}"
collects(int n): |
  let found = [0]
  each k in 1..n: if k mod 2 = n mod 2: found += k
  found -= 0
  row_now = found
"#,
        WORLD,
    );
    assert_eq!(told, ["2 0", "2, 4 0", "3"]);
}

#[test]
fn a_list_of_an_effect_is_kept_over_a_decision() {
    let mut game = begin(
        r#"
play: |
  let asked = []
  each p in seats:
    ask p "Do you?": asked += p
    else: asked = asked + asked
  say "{count(asked)} {asked[1] = seat(1)} {last(asked) = seat(3)}"
"#,
        WORLD,
    );
    game.yes(1);
    game.no(2);
    game.yes(3);
    assert_eq!(game.said(), ["3 yes yes"]);
}

#[test]
fn a_list_of_an_effect_has_room_for_a_hundred_members() {
    let begun = |times: u32| {
        let effects = format!(
            "play: |\n  let xs = []\n  repeat {times} times: xs += 1\n  say \"{{sum(xs)}}\"\n"
        );
        try_begin(&effects, WORLD).map(|game| game.said())
    };
    assert_eq!(begun(100).unwrap_or_default(), ["100"]);
    let Err((fault, text)) = begun(101) else {
        panic!("no fault");
    };
    assert_eq!((fault.kind, text.as_str()), (FaultKind::Key, "xs += 1"));
}
