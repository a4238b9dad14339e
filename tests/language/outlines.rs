//! Boards of any outline: zones that a condition leaves out.

use serde_json::json;

use crate::play::{begin, said};

/// The same hexagon twice: as an outline, and as a rectangle of which the rules look at a part only.
const TWICE: &str = r#"
data: {size: 3}
zones:
  comb: {each: {q: 1..5, r: 1..5}, if: abs(q + r - 2 * size) < size, grid: [q, r], directions: hexagonal}
  whole: {each: {q: 1..5, r: 1..5}, grid: [q, r], fields: {real: abs(q + r - 2 * size) < size}}
vars:
  stone: {each: comb, type: bool}
  mark: {each: whole, type: bool}
queries:
  twin(comb c): whole(c.q, c.r)
  back(whole w): comb(w.q, w.r)
  path(whole w): within(w, 99, steps(it, hexagonal) where .real)
"#;

#[test]
fn an_outlined_board_is_the_part_of_a_rectangle() {
    let told = said(
        r#"
play: |
  say "{count(comb)} {count(whole where .real)} {every w in whole has w.real = (back(w) is some)}"
  say "{every c in comb has count(steps(c)) = count(steps(twin(c), hexagonal) where .real)}"
  say "{every c in comb has every d in hexagonal has count(line(c, d)) = count(up_to(line(twin(c), d), not .real) where .real)}"
  say "{every c in comb has every d in 1..16 has twin(step(c, d)) = (if step(twin(c), d).real then step(twin(c), d) else none)}"
  say "{every c in comb has twin(c).real and back(twin(c)) = c}"
  say "{distance(comb(1, 3), comb(5, 3))} {distance(comb(1, 5), comb(5, 1))} {distance(comb(3, 1), comb(3, 3))}"
  say "{count(path(whole(1, 3)))} {count(within(comb(1, 3), 99, steps(it)))}"
  each c in comb where .q = 3 or .r < 3: stone[c] = true; mark[twin(c)] = true
  say "{every c in comb has count(group(c, stone[it])) = count(group(twin(c), hexagonal, mark[it]))}"
  say "{in_a_row(comb(3, 1), stone[it])} {in_a_row(comb(5, 1), stone[it])} {in_a_row(comb(1, 5), true)}"
  say "{comb(1, 1) is none} {stone[comb(1, 1)]} {comb(9, 9) is none} {count(comb where .q = 1)}"
"#,
        TWICE,
    );
    assert_eq!(
        told,
        [
            "19 19 yes",
            "yes",
            "yes",
            "yes",
            "yes",
            "4 4 2",
            "19 19",
            "yes",
            "5 3 5",
            "yes no yes 3"
        ]
    );
}

#[test]
fn a_gap_ends_lines_and_has_no_id() {
    let game = begin(
        r#"
play: |
  move card(1) to field(1, 1)
  say "{count(line(field(1, 2), 3))} {count(line(field(1, 1), 3))} {field(2, 2) is none} {in_a_row(field(1, 1), .row = 1)}"
  say "{in_a_row(field(1, 2), .row = 2)} {count(keys(field, .column))} {last(field).column}"
  choose f in field where .column != .row by seat(1) "Where?": finish drawn
"#,
        "zones:\n  field: {each: {column: 1..3, row: 1..3}, if: column != 2 or row != 2, grid: [column, row], coordinates: a1}",
    );
    assert_eq!(game.said(), ["0 2 yes 3", "1 8 3"]);
    let decision = game.decision(1);
    let ids = decision["choices"].as_array().unwrap().iter();
    let ids: Vec<_> = ids.map(|choice| choice["args"]["f"].clone()).collect();
    assert_eq!(
        ids,
        ["a2", "a3", "b1", "b3", "c1", "c2"].map(|id| json!(id))
    );
    assert_eq!(game.zone("a1")["components"].as_array().unwrap().len(), 1);
}

#[test]
fn a_zone_without_keys_can_be_left_out() {
    let told = said(
        r#"
play: |
  say "{attic is none} {count(attic)} {cellar is none} {top(attic) is none}"
  move top(deck) to attic
  say "{count(deck)}"
"#,
        "data: {high: false}\nzones:\n  attic: {if: high}\n  cellar: {if: not high}",
    );
    assert_eq!(told, ["yes 0 no yes", "6"]);
}
