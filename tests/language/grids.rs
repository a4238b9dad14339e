//! Open grids: free places and what lies at them, near and far apart.

use serde_json::json;

use crate::play::begin;

/// Places two tiles this far apart, to the east and to the south; returns the texts, and the cells that could join the
/// second one.
fn two_tiles(apart: usize) -> (Vec<String>, serde_json::Value) {
    let effects = format!(
        r#"
play: |
  say "{{table.free_cells}}"
  move tile(1) to table at origin
  let k = origin
  repeat {apart} times: k = beside(beside(k, east), south)
  move tile(2) to table at k turned 1
  say "{{count(table.free_cells)}} {{at(table, k)}} {{at(table, origin)}} {{at(table, beside(k, north)) is none}}"
  turn of seat(1):
    choose c in table.free_cells where at(table, beside(c, north)) is some "Below which?"
    move tile(3) to table at c
    say "{{at(table, beside(tile(3).cell, north))}} {{count(table.free_cells)}}"
  finish drawn
"#
    );
    let mut game = begin(
        &effects,
        "
zones: {table: {grid: open, holds: tile}}
components: {tile: {copies: 3}}
",
    );
    let decision = game.decision(1);
    game.choose(1, "c", json!(format!("{apart},{}", apart + 1)));
    (game.said(), decision["choices"].clone())
}

#[test]
fn free_places_are_the_same_for_tiles_near_and_far_apart() {
    for apart in [2, 40, 300, 5000] {
        let (said, choices) = two_tiles(apart);
        assert_eq!(said, ["0,0", "8 tile tile yes", "tile 10"], "{apart}");
        let places = choices.as_array().unwrap().iter();
        let places: Vec<_> = places.map(|choice| choice["args"]["c"].clone()).collect();
        let second = format!("{apart},{}", apart + 1);
        assert_eq!(places, [json!("0,1"), json!(second)], "{apart}");
    }
}

#[test]
fn a_free_place_beside_two_tiles_is_one() {
    let (said, choices) = two_tiles(1);
    assert_eq!(said, ["0,0", "6 tile tile yes", "tile 8"]);
    assert_eq!(choices.as_array().unwrap().len(), 2);
}
