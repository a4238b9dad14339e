//! Open tables of hexagons: six sides, and tiles turned by sixths.

use crate::play::said;

const TABLE: &str = "
zones:
  table: {grid: open hexagons, holds: card}
queries:
  around(cell c): keys(sides, beside(c, it))
  roads(card c): keys([east, north_west], turned(it, c.rotation))
  next(card c): keys(s in roads(c), at(table, beside(c.cell, s))) where it is some
";

#[test]
fn hexagons_have_six_sides() {
    let told = said(
        r#"
play: |
  say "{sides}"
  say "{opposite(north_east)} {opposite(west)} {turned(west, 1)} {turned(east, -2)} {turned(south_east, 13)}"
  say "{every s in sides has beside(beside(origin, s), opposite(s)) = origin}"
  say "{every s in sides has beside(beside(origin, s), turned(s, 2)) = beside(origin, turned(s, 1))}"
  say "{count(within(origin, 1, .around))} {count(within(origin, 2, .around))} {table.free_cells}"
  say "{beside(origin, north_east)} {beside(origin, south_east)} {beside(origin, south_west)} {beside(origin, north_west)}"
  finish drawn
"#,
        TABLE,
    );
    let expected = [
        "north east, east, south east, south west, west, north west",
        "south west east north west north west south west",
        "yes",
        "yes",
        "7 19 0,0",
        "0,-1 1,1 0,1 -1,-1",
    ];
    assert_eq!(told, expected);
}

#[test]
fn tiles_of_hexagons_turn_by_sixths() {
    let told = said(
        r#"
play: |
  move card(1) to table at origin turned 7
  move card(2) to table at beside(origin, south_east) turned -2
  say "{card(1).rotation} {card(2).rotation} {roads(card(1))}; {roads(card(2))}"
  say "{count(table.free_cells)} {first(next(card(1))) = card(2)} {count(within(card(1), 9, .next))}"
  turn of seat(1):
    repeat 3 times:
      choose c in table.free_cells, r in 0..5 where some s in sides has turned(s, r) = east and at(table, beside(c, s)) is some at random:
        move first(deck) to table at c turned r
  say "{count(table)} {count(table.free_cells) > 6}"
  finish drawn
"#,
        TABLE,
    );
    assert_eq!(
        told[0],
        "1 4 south east, north east; north west, south west"
    );
    assert_eq!(told[1], "8 yes 2");
    assert_eq!(told[2], "5 yes");
}
