//! Boards: sides, open tables, what can be reached; and constants that are lists.

use serde_json::json;

use crate::play::{begin, said};

#[test]
fn sides_turn_both_ways() {
    let told = said(
        r#"
play: |
  each n in [0, 1, 5, -1, -6, 2147483647, -2147483647]: say "{turned(east, n)}"
  say "{opposite(west)} {turned(none, 1) = none} {opposite(none) = none}"
"#,
        "",
    );
    let turned = ["east", "south", "south", "north", "west", "north", "south"];
    assert_eq!(told[..7], turned);
    assert_eq!(told[7], "east yes yes");
}

#[test]
fn what_can_be_reached_comes_nearest_first_and_once() {
    let told = said(
        r#"
play: |
  say "{within(spot(1), 0, .next)}"
  say "{within(spot(1), 1, .next)}"
  say "{within(spot(1), 2, .next)}"
  say "{within(spot(1), 99, .next)}"
  say "{within(spot(1), 2147483647, .successor)}"
  say "{count(within(spot(1), -1, .next))} {count(within(spot(99), 3, .next))}"
  say "{within([spot(5), spot(2), spot(5)], 1, .successor)}"
  say "{some s in within(spot(1), 2, .next) has s.number = 4} {spot(5) in spot(1).within(2, .next)}"
  say "{count(within(card(1), 2, .higher))} {sum(within(card(1), 2, .higher), .rank)}"
  say "{count(within(origin, 3, .around))} {first(within(origin, 3, .around)) = origin}"
  say "{count(keys(within(spot(1), 2, .next) where it != spot(1), count(within(it, 1, .next))))}"
"#,
        "
zones:
  spot: {each: {number: 1..6}, holds: card}
queries:
  next(spot s): spot where it.number in [s.number * 2, s.number + 1]
  successor(spot s): spot(s.number mod 6 + 1)
  higher(card c): deck where .rank = c.rank + 1 or .rank = c.rank + 3
  around(cell c): keys(sides, beside(c, it))
",
    );
    assert_eq!(
        told,
        [
            "spot 1",
            "spot 1, spot 2",
            "spot 1, spot 2, spot 3, spot 4",
            "spot 1, spot 2, spot 3, spot 4, spot 6, spot 5",
            "spot 1, spot 2, spot 3, spot 4, spot 5, spot 6",
            "0 0",
            "spot 5, spot 2, spot 6, spot 3",
            "yes no",
            "5 15",
            "25 yes",
            "3",
        ]
    );
}

#[test]
fn an_open_table_begins_at_its_origin() {
    let told = said(
        r#"
play: |
  say "{origin in table.free_cells} {count(table.free_cells)}"
  move card(1) to table at origin turned 1
  say "{card(1).cell = origin} {count(table.free_cells)} {at(table, origin) = card(1)}"
"#,
        "zones:\n  table: {grid: open, holds: card}",
    );
    assert_eq!(told, ["yes 1", "yes 4 yes"]);
}

#[test]
fn a_constant_field_may_be_a_list() {
    let mut game = begin(
        r#"
play: |
  each t in tiles: say "{count(t.doors)} {north in t.doors} {count(t.doors where it = turned(north, 1))}"
  say "{count(first(tiles where .shape is closed and .shape is bend).doors)} {door_sets[bend]} {count(door_sets[9])} {prices[closed]} {[7, 8][seat(2)]}"
  say "{corner(bend, 2).doors} {corner(bend, 1).tolls} {count(plain(round_one, 2).doors)}"
  say "{gate(2).exits}"
  turn of seat(1):
    choose s in first(tiles).doors "Which door?"
    choose n in corner(bend, 1).tolls
    say "{s} {n}"
  finish drawn
"#,
        "
types:
  shape: [round_one, bend, closed]
data:
  door_sets: [[north, east, south], [north, east], []]
  prices: [3, 2, 1]
zones:
  gate: {each: {number: 1..2}, fields: {exits: \"if number = 1 then [] else [west, east]\"}}
  heap: {holds: tile}
components:
  tile:
    each: {shape: shape}
    in: heap
    fields: {doors: \"door_sets[shape]\"}
    kinds:
      plain: {copies: \"[2, 1, 1][shape]\"}
      corner: {each: {shape: [bend], turn: 1..2}, fields: {doors: [north, west], tolls: [5, 5, turn]}}
",
    );
    assert_eq!(
        game.said(),
        [
            "3 yes 1",
            "3 yes 1",
            "2 yes 1",
            "0 no 0",
            "2 yes 0",
            "2 yes 0",
            "0 north, east 0 1 8",
            "north, west 5, 5, 1 3",
            "west, east",
        ]
    );
    assert_eq!(game.choices(1), 3);
    game.choose(1, "s", json!("east"));
    assert_eq!(game.choices(1), 2);
    game.choose(1, "n", json!(5));
    assert_eq!(game.said().last().unwrap(), "east 5");
    let heap = game.zone("heap");
    assert_eq!(heap["components"][2]["doors"], json!(["north", "east"]));
    assert_eq!(game.zone("gate-1")["fields"]["exits"], json!([]));
}
