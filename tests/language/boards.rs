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

const BOARDS: &str = "
zones:
  square: {each: {file: 1..8, rank: 1..8}, grid: [file, rank], coordinates: a1, holds: card, capacity: 1}
  hexagon: {each: {column: 1..3, row: 1..3}, grid: [column, row], directions: hexagonal}
  strip: {each: {side_of: color, x: 1..3, y: 1..2}, grid: [x, y], directions: compass}
  mill: {each: {at: 1..9}, lines: \"[[1, 2, 3], [3, 6, 9], [9, 8, 7], [7, 4, 1], [2, 5, 8]]\"}
vars:
  stone: {each: square, type: int}
  man: {each: mill, type: int}
queries:
  ways(square s): if s.file = 1 then orthogonal else [2]
";

#[test]
fn lines_and_steps_of_a_grid() {
    let told = said(
        r#"
play: |
  say "{steps(b2, orthogonal)}"
  say "{steps(a1, compass)} {steps(h8, [1, 2, 3])} {count(steps(square(9, 9), compass))}"
  say "{steps(b1, leaps)} {count(steps(d4, leaps))}"
  say "{line(c3, 4)} {line(c3, 9)} {count(line(c3, 0))} {count(line(c3, 17))} {count(line(c3, -3))}"
  say "{step(d4, 8)} {step(h1, 3) is none} {step(square(0, 1), 1) is none} {d4.step(5)}"
  say "{steps(a2, ways(a2))} {steps(b2, ways(b2))}"
  say "{count(square where count(steps(it, diagonal)) = 4)} {square(5, 4) = e4}"
  say "{first(line(a1, 1) where .rank mod 3 = 0)} {last(before(line(a1, 1), .rank = 5))} {last(up_to(line(a1, 1), .rank = 5))}"
"#,
        BOARDS,
    );
    assert_eq!(
        told,
        [
            "b3, c2, b1, a2",
            "a2, b2, b1 none 0",
            "c3, d2, a3 8",
            "d2, e1 d5, e7 0 0 0",
            "c5 yes yes d3",
            "a3, b2, a1 c3",
            "36 yes",
            "a3 a4 a5",
        ]
    );
}

#[test]
fn slides_end_at_the_first_space_that_does_not_fulfil_the_condition() {
    let told = said(
        r#"
play: |
  move card(1) to d6; move card(2) to f2
  say "{slides(d4, orthogonal, it is free)}"
  say "{slides(d4, [4], it is free)} {slides(d4, leaps, false).count} {count(slides(d4, ways(a1), it is free))}"
  stone[c4] = 1; stone[b4] = 1; stone[a4] = 2; stone[d5] = 1; stone[e4] = 2; stone[d3] = 1
  say "{enclosed(d4, compass, stone[it] = 1, stone[it] = 2)}"
  say "{enclosed(d4, orthogonal, stone[it] = 1, stone[it] = 0)}"
  say "{count(enclosed(a1, compass, stone[it] = 0, stone[it] = 0))}"
"#,
        BOARDS,
    );
    assert_eq!(
        told,
        [
            "d5, d6, e4, f4, g4, h4, d3, d2, d1, c4, b4, a4",
            "e3, f2 8 12",
            "c4, b4",
            "d5, d3",
            "0",
        ]
    );
}

#[test]
fn groups_borders_and_distances() {
    let told = said(
        r#"
play: |
  each s in [c3, c4, d4, f6]: stone[s] = 1
  say "{group(c3, orthogonal, stone[it] = 1)} {count(group(c2, orthogonal, stone[it] = 1))}"
  say "{border(c3, orthogonal, stone[it] = 1)}"
  say "{count(group([c3, f6], orthogonal, stone[it] = 1))} {count(group(a1, compass, stone[it] = 0))}"
  say "{count(group(c3, ways(b1), stone[it] = 1))} {count(border(c3, ways(b1), stone[it] = 1))}"
  say "{distance(a1, h8, compass)} {distance(a1, h8, orthogonal)} {distance(a1, b1, diagonal)} {distance(a1, b3, leaps)} {distance(a1, none, compass)}"
  say "{distance(hexagon(1, 1), hexagon(3, 3))} {steps(hexagon(2, 2))}"
  say "{steps(strip(red, 1, 1))} {distance(strip(red, 1, 1), strip(blue, 1, 1))} {in_a_row(strip(blue, 2, 2), .x > 1)}"
"#,
        BOARDS,
    );
    assert_eq!(
        told,
        [
            "c3, c4, d4 0",
            "d3, c2, b3, c5, b4, d5, e4",
            "4 60",
            "2 1",
            "7 14 -1 1 -1",
            "4 hexagon 2 3, hexagon 3 2, hexagon 3 1, hexagon 2 1, hexagon 1 2, hexagon 1 3",
            "strip red 1 2, strip red 2 2, strip red 2 1 -1 2",
        ]
    );
}

#[test]
fn boards_that_are_no_grids_have_lines() {
    let told = said(
        r#"
play: |
  say "{steps(mill(2))} {steps(mill(1))} {line(mill(1), 1)} {line(mill(9), 4)}"
  say "{distance(mill(4), mill(6))} {mill(5) in steps(mill(8))}"
  each at in [1, 2, 3, 5]: man[mill(at)] = 1
  say "{in_a_row(mill(1), man[it] = 1)} {in_a_row(mill(5), man[it] = 1)} {in_a_row(mill(4), man[it] = 1)}"
  say "{group(mill(5), man[it] = 1)} {border(mill(5), man[it] = 1)}"
"#,
        BOARDS,
    );
    assert_eq!(
        told,
        [
            "mill 3, mill 1, mill 5 mill 2, mill 4 mill 2, mill 3 mill 6, mill 3",
            "4 yes",
            "3 2 0",
            "mill 5, mill 2, mill 3, mill 1 mill 8, mill 6, mill 4",
        ]
    );
}

/// A query of the game hides the function of a board with its name.
#[test]
fn a_game_may_use_the_names_of_functions_of_boards() {
    let told = said(
        "play: say \"{line(3)} {steps(2)} {leaps}\"",
        "
queries:
  line(int n): n + 1
  steps(int n): n * 2
  leaps: 7
",
    );
    assert_eq!(told, ["4 4 7"]);
}

#[test]
fn ids_and_labels_are_coordinates() {
    let mut game = begin(
        "play: |\n  choose s in [a1, h8] \"Where to?\" by seat(1)\n  move top(deck) to s",
        BOARDS,
    );
    let decision = game.decision(1);
    assert_eq!(decision["choices"][1]["label"], "h8");
    assert_eq!(decision["choices"][1]["args"]["s"], "h8");
    game.choose(1, "s", json!("h8"));
    assert_eq!(game.told("moved")["to"], "h8");
    assert_eq!(game.zone("h8")["components"].as_array().unwrap().len(), 1);
}
