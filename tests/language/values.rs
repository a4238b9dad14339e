//! Values: numbers at their edges, nothing, lists.

use serde_json::json;
use wyrmgate::engine::Viewer;

use crate::play::{begin, said, try_begin};

/// Returns the values of the expressions, as a text shows them.
fn worth(expressions: &[&str]) -> Vec<String> {
    let lines: String = expressions
        .iter()
        .map(|expression| format!("  say \"{{{expression}}}\"\n"))
        .collect();
    said(&format!("play: |\n{lines}"), "")
}

#[test]
fn numbers_at_their_edges() {
    let told = worth(&[
        "2147483647 - 2147483647",
        "-2147483647 - 1",
        "7 / -2",
        "-7 / 2",
        "-7 mod 3",
        "7 mod -3",
        "5 / 0",
        "5 mod 0",
        "abs(-2147483647)",
        "min(3, -3) * max(3, -3)",
    ]);
    assert_eq!(
        told,
        [
            "0",
            "-2147483648",
            "-3",
            "-3",
            "2",
            "-2",
            "0",
            "0",
            "2147483647",
            "-9"
        ]
    );
}

#[test]
fn constants_know_the_whole_language() {
    let told = said(
        r#"
play: |
  say "{first_one} {middle} {count(beyond)} {third} {sum(steps)} {best} {neighbor = seat(1)} {count(near)}"
  say "{sum(tile(2).ups)} {tile(3).reach} {count(tiles)} {rows[2][1]}"
"#,
        r#"
data:
  first_one: "first([1, 2, 3])"
  middle: median([9, 1, 5])
  beyond: "[1, 2, 3, 4] where it > 1 and not it = 3"
  third: "([7, 8, 9] sorted by most it)[3]"
  steps: "keys(1..3, it * first_one)"
  best: "last([3, 1, 2] with least it mod 3)"
  neighbor: left(seat(3))
  near: "within([1], 2, [it + 1])"
  rows: [[1, 2], [3]]
components:
  tile:
    each: {column: "unique([1, 2, 3, 2])"}
    if: "any(steps, it = 3)"
    fields: {ups: "keys(1..3, column + steps[it])", reach: "max(steps where it < column)"}
"#,
    );
    assert_eq!(told, ["1 5 2 7 6 3 yes 3", "12 2 3 3"]);
}

#[test]
fn constants_examine_lists_of_lists_like_any_list() {
    let told = said(
        r#"
play: |
  say "{how_full} {full[2]} {by_size[3]} {sizes} {of_three} {has_two} {longest[1]} {second} {third}"
  say "{sum(tile(2).own)} {tile(2).found} {added} {more[2]} {deeper}"
"#,
        r#"
data:
  rows: [[1, 2], [3], []]
  full: rows where it is not empty
  how_full: count(full)
  by_size: rows sorted by count(it)
  sizes: keys(rows, count(it))
  of_three: "sum(rows where 3 in it, it[1])"
  has_two: some row in rows has 2 in row
  longest: rows with most count(it)
  second: "if count(rows) = 3 then reversed(rows)[2] else rows[1]"
  third: "(if has_two then first(rows) else [5]) + [8]"
  added: "rows[1][2] + by_size[3][1] + full[2][1]"
  more: "take(rows, 1) + [[7]] + rows"
  deep: [[[1, 2], [3]], [[4]]]
  deeper: "deep[1][1]"
components:
  tile:
    each: {column: 1..3}
    fields: {own: "rows[column]", found: "count(rows where column in it)"}
"#,
    );
    assert_eq!(
        told,
        ["2 3 1, 2 2, 1, 0 3 yes 1, 2 3 1, 2, 8", "3 1 6 7 1, 2"]
    );
}

#[test]
fn what_is_asked_of_nothing_among_numbers_is_zero() {
    let told = worth(&[
        "first(keys(row, .rank))",
        "last(keys(row, .rank))",
        "keys(deck, .rank)[9]",
        "(3..5)[0]",
        "[4, 5][3]",
        "first([-1])",
        "[-1, -1][2]",
        "the(row).rank",
        "mine[none]",
        "max(keys(row, .rank))",
        "card(9).rank",
        "index(deck, card(9))",
        "if first(keys(row, .rank = 1)) then 1 else 2",
    ]);
    assert_eq!(
        told,
        [
            "0", "0", "0", "0", "0", "-1", "-1", "0", "0", "0", "0", "0", "2"
        ]
    );
}

#[test]
fn lists_in_order() {
    let told = worth(&[
        "sum(deck where .rank > 2 sorted by most .rank, .rank)",
        "first(deck sorted by .rank mod 3).rank",
        "count(deck with most .rank mod 2)",
        "sum(take(reversed(deck), 2), .rank)",
        "(deck - [card(1)])[1].rank",
        "count(deck + row)",
        "distinct(deck, .rank / 2)",
        "3 in keys(deck, .rank)",
        "card(3) not in row",
        "no c in deck has c.rank > 6",
        "every c in row has c.rank > 6",
        "count(unique(keys(deck, .rank mod 2)))",
    ]);
    assert_eq!(
        told,
        [
            "18", "3", "3", "11", "2", "6", "4", "yes", "yes", "yes", "yes", "2"
        ]
    );
}

#[test]
fn a_binder_may_be_used_in_all_its_filters() {
    let told = said(
        r#"
play: |
  each c in deck where c.rank > 2 sorted by most c.rank mod 4: say "{c.rank}"
  if some c in deck where c.rank > 5 has c.rank = 6: say "some"
  count_of = count(deck where some d in deck has d.rank = it.rank + 1 and d.rank > 3)
  say "{count_of}"
"#,
        "",
    );
    assert_eq!(told, ["3", "6", "5", "4", "some", "3"]);
}

#[test]
fn chance_and_faces_change_only_what_they_should() {
    let told = said(
        r#"
play: |
  card(2).laps += 2
  card(2).keeper = seat(3)
  card(9).laps = 5
  mine[none] = 4
  each c in deck: c.laps -= 1
  say "{sum(deck, .laps)} {index(seats, card(2).keeper)} {card(1).keeper is none}"
  move card(2) to row face down
  say "{card(2) is face_down} {card(2).laps}"
"#,
        "",
    );
    assert_eq!(told, ["-4 3 yes", "yes 1"]);
}

/// A variable with several keys has a value for each combination, and no others.
#[test]
fn variables_can_have_several_keys() {
    let sections = r#"
vars:
  debt: {each: {of: 2..4, to: color, by: card}, type: int, start: 1, lasts: turn}
  pair: {each: {a: seats, b: seats}, type: color, see: owner}
positions:
  all: [debt]
"#;
    let told = said(
        r#"
play: |
  record all
  turn of seat(1):
    each n in 2..4:
      each c in color: debt[n][c][card(n)] += n * 10 + index(color, c)
    say "{debt[2][red][card(2)]} {debt[4][blue][card(4)]} {debt[4][blue][card(3)]} {debt[5][red][card(1)]}"
    say "{debt[2][none][card(1)]} {debt[1][red][card(1)]} {recorded(all)}"
    debt[3][red][none] = 9
  say "{debt[4][blue][card(4)]} {recorded(all)}"
  each p in seats: pair[p][left(p)] = blue
  say "{pair[seat(3)][seat(1)]} {pair[seat(1)][seat(1)]}"
"#,
        sections,
    );
    assert_eq!(told, ["22 43 1 0", "0 0 0", "1 1", "blue none"]);
    let (fault, at) = try_begin(
        "play: debt[3][red][card(1)] = 1; debt[count_of][red][card(1)] = 1",
        sections,
    )
    .err()
    .unwrap();
    assert!(at.contains("count_of"), "{at} {fault:?}");
}

/// Each combination of the keys is seen by those whom the condition names.
#[test]
fn who_sees_a_variable_can_depend_on_any_of_its_keys() {
    let game = begin(
        r#"
play: |
  each p in seats:
    note[p][left(p)] = 7
    tags[p][2] += 4
  ask seat(1) "Go on?": finish drawn
"#,
        r#"
vars:
  note: {each: {from: seats, to: seats}, type: int, see: viewer = from or viewer = to}
  tags: {each: {from: seats, number: 1..2}, type: ints, most: 2, see: viewer = from and number = 2}
"#,
    );
    let second = Viewer::Seat(1);
    assert_eq!(game.var("note-1", second), json!([null, 7, null]));
    assert_eq!(game.var("note-2", second), json!([0, 0, 7]));
    assert_eq!(game.var("note-3", second), json!([null, 0, null]));
    let tags = |viewer| (game.var("tags-1", viewer), game.var("tags-2", viewer));
    assert_eq!(
        tags(Viewer::omniscient()),
        (json!([[], [4]]), json!([[], [4]]))
    );
    assert_eq!(tags(second), (json!(null), json!([null, [4]])));
}

#[test]
fn a_zone_beside_a_list_stands_for_what_lies_in_it() {
    let told = said(
        r#"
play: |
  draw 3 from deck to hand(seat(1))
  draw 2 from deck to hand(seat(2))
  say "{count(later(seat(1)))} {count(later(seat(2)))} {count(earlier(seat(1)))} {count(earlier(seat(2)))}"
"#,
        r#"
queries:
  later(seat p): if p = seat(1) then hand(p) where .place > 1 else hand(p)
  earlier(seat p): if p = seat(1) then hand(p) else (hand(p) where .place > 1)
"#,
    );
    assert_eq!(told, ["2 2 3 1"]);
}

#[test]
fn a_field_can_use_the_fields_above() {
    let told = said(
        r#"
play: |
  say "{count(step where .wide)} {step(2).double} {sum(gems where .heavy, .weight)} {gem(3).heavy}"
"#,
        r#"
zones:
  step: {each: {at: 1..4}, fields: {double: at * 2, wide: double > 5}}
components:
  gem: {each: {size: 1..4}, fields: {weight: size * size, heavy: weight > 5}}
"#,
    );
    assert_eq!(told, ["2 4 25 yes"]);
}

#[test]
fn the_commonest_values_are_a_majority_or_share_it() {
    let told = said(
        r#"
play: |
  say "{commonest([3, 1, 3, 2, 1])} / {commonest([5])} / {count(commonest([] + take([1], 0)))}"
  say "{count(commonest(cards, .keeper))}"
  card(1).keeper = seat(2)
  card(2).keeper = seat(3)
  card(3).keeper = seat(3)
  say "{count(commonest(cards, .keeper))} {commonest(cards where .rank != 4, .keeper)[1] = seat(3)}"
  card(4).keeper = seat(2)
  say "{count(commonest(cards, .keeper))} {every p in commonest(c in cards, c.keeper) has p in others(seat(1))}"
  say "{commonest(cards where .rank > 1, .rank / 3)} {commonest(cards, .rank > 2)[1]}"
  each p in commonest(keys(seats, commonest(cards, .keeper) where it = seat(2))): say "{index(seats, p)}"
"#,
        "",
    );
    assert_eq!(told, ["3, 1 / 5 / 0", "0", "1 yes", "2 yes", "1 yes", "2"]);
}

#[test]
fn a_field_can_use_the_lists_of_fields_above() {
    let sections = r#"
data:
  rows: [[1, 4], [], [2]]
zones:
  step:
    each: {at: 1..3}
    fields:
      ups: "rows[at]"
      more: "ups + [at]"
      highest: max(more)
      odd: "if at mod 2 = 1 then more else [0]"
      has_two: 2 in ups
      second: "ups[2]"
      doubled: keys(ups, it * at)
      copy: doubled
components:
  gem: {each: {size: 1..3}, fields: {marks: "1..size", sum_of: sum(marks), alone: count(marks) = 1}}
"#;
    let told = said(
        r#"
play: |
  say "{sum(keys(step, .highest))} {count(step(1).more)} {step(2).more} {step(3).odd} {step(2).odd}"
  say "{count(step where .has_two)} {step(1).second} {step(2).second} {step(1).copy} {count(step(2).copy)}"
  say "{sum(gems, .sum_of)} {count(gems where .alone)} {gem(3).marks}"
"#,
        sections,
    );
    assert_eq!(told, ["9 3 2 2, 3 0", "1 4 0 1, 4 0", "10 1 1, 2, 3"]);
}

#[test]
fn a_value_of_a_zone_or_component_is_seen_by_its_owner() {
    let game = begin(
        r#"
play: |
  bid_on[hand(seat(2))] = 7
  strength[pawn(seat(1))] = 3
  ask seat(1) "Go on?": finish drawn
"#,
        r#"
components:
  pawn: {each: {owner: seats}, in: table}
zones:
  table: {}
vars:
  bid_on: {each: hand, type: int, see: owner}
  strength: {each: pawn, type: int, see: owner}
"#,
    );
    let seen = |viewer, name| game.var(name, viewer);
    assert_eq!(seen(Viewer::Seat(1), "bid_on"), json!({"hand-2": 7}));
    assert_eq!(seen(Viewer::Seat(0), "bid_on"), json!({"hand-1": 0}));
    assert_eq!(seen(Viewer::Seat(0), "strength"), json!({"pawn-1": 3}));
    assert_eq!(seen(Viewer::Public, "strength"), json!(null));
}

/// Keys are bits or counters if there can be few different ones, and are gathered otherwise.
#[test]
fn keys_of_few_and_of_many_values_are_counted_alike() {
    let told = said(
        r#"
play: |
  each i in 1..3: xs += [i * 20, 4 - i]
  say "{distinct(cards, .rank)} {distinct(cards, .rank mod 2)} {distinct(cards, .rank * 100)} {distinct(xs)}"
  say "{most_alike(cards, .rank mod 4)} {most_alike(cards, .rank * 100)} {most_alike(xs, it mod 3)}"
  say "{longest_run(cards, .rank - 3)} {longest_run(cards, .rank * 2)} {longest_run(xs)} {longest_run(xs, it mod 64)}"
  say "{wide(cards)} {wide(cards where .rank > 6)} {count(c in cards where most_alike(cards where .rank < c.rank, .rank mod 2) > 1)}"
"#,
        r#"
vars:
  xs: {type: ints, most: 8}
queries:
  wide(cards c): distinct(c, .rank) * 100 + most_alike(c, .rank mod 2) * 10 + longest_run(c, .rank)
"#,
    );
    assert_eq!(told, ["6 2 6 6", "2 1 2", "6 1 3 3", "636 0 3",]);
}

/// A single value is a list of one member, and `none` is a list of none.
#[test]
fn nothing_is_an_empty_list() {
    let told = said(
        r#"
play: |
  each x in none: say "not {x}"
  let kept = first(hand(seat(1)))
  each c in kept: say "not {c}"
  each c in first(hand(seat(1))): say "not {c}"
  each p in lead: say "not {p}"
  each p in seat(9): say "not {p}"
  say "{count(none)} {count(lead)} {sum(none)} {first(none)} {none in none} {seat(1) in lead} {count([1] + none)}"
  choose x in none by seat(1): say "not {x}"
  else: say "nothing to choose"
  choose p in lead by seat(1): say "not {p}"
  else: say "nobody to choose"
  lead = seat(2)
  each p in lead: say "{p}"
  each n in mine[seat(1)]..0: say "{n}"
  say "{count(lead)} {seat(2) in lead} {count(seat(2))}"
"#,
        "vars: {lead: seat}",
    );
    let wanted = [
        "0 0 0 none no no 1",
        "nothing to choose",
        "nobody to choose",
        "seat 2",
        "0",
        "1 yes 1",
    ];
    assert_eq!(told, wanted);
}
