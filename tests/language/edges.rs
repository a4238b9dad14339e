//! Corners, sides and ways: what touches what, ways along them, and regions. `begin` and `said` play each game in code and in the
//! interpreter.

use crate::play::said;

const BOARDS: &str = r#"
data:
  tracks: {columns: [track, a, b, length], rows: [[north, 1, 2, 4], [loop, 2, 3, 1], [south, 3, 4, 1], [back, 4, 2, 1], [far, 5, 6, 7]]}
zones:
  hex: {each: {q: 1..2, r: 1..2}, grid: [q, r], directions: hexagonal}
  nook: {corners: hex, capacity: 1, holds: card}
  edge: {sides: hex}
  field: {each: {x: 1..3, y: 1..2}, grid: [x, y], directions: compass}
  post: {corners: field}
  fence: {sides: field}
  town: {each: {at: 1..6}}
  rail: {each: {of: tracks}, joins: "[town(of.a), town(of.b)]", fields: {length: of.length}}
vars:
  taken: {each: edge, type: bool}
  blocked: {each: nook, type: bool}
  sort: {each: field, type: int, start: "[1, 1, 2, 1, 2, 1]"}
"#;

#[test]
fn corners_and_sides_touch_spaces_and_each_other() {
    let told = said(
        r#"
play: |
  say "{count(hex)} {count(nook)} {count(edge)} {count(field)} {count(post)} {count(fence)}"
  say "{count(touching(hex(1, 2), nook))} {count(touching(hex(1, 2), edge))} {count(touching(field(2, 1), post))}"
  say "{every h in hex has every e in touching(h, edge) has h in touching(e, hex)}"
  say "{every e in edge has count(touching(e, nook)) = 2 and count(touching(e, hex)) in [1, 2]}"
  say "{every n in nook has every e in touching(n, edge) has n in touching(e, nook)}"
  say "{every n in nook has count(steps(n)) = count(touching(n, edge))} {max(nook, count(steps(it)))} {max(post, count(steps(it)))}"
  say "{every n in nook has every m in steps(n) has distance(n, m) = 1 and n in steps(m)}"
  say "{count(keys(nook, touching(it, hex)))} {count(keys(edge, touching(it, hex)))}"
  say "{max(edge, count(steps(it)))} {max(fence, count(steps(it)))}"
  finish drawn
"#,
        BOARDS,
    );
    let expected = [
        "4 16 19 6 12 17",
        "6 6 4",
        "yes",
        "yes",
        "yes",
        "yes 3 4",
        "yes",
        "24 24",
        "4 6",
    ];
    assert_eq!(told, expected);
}

#[test]
fn ways_join_zones_and_have_lengths() {
    let told = said(
        r#"
play: |
  say "{count(steps(town(2)))} {count(steps(rail(south)))} {count(touching(town(2), rail))} {count(touching(rail(loop), town))}"
  say "{distance(town(1), town(4), rail, .length)} {distance(town(1), town(4), rail where .of != back, .length)} {distance(town(1), town(4))}"
  say "{distance(town(1), town(5), rail, .length)} {distance(town(3), town(3), rail, .length)} {distance(none, town(3), rail, 1)}"
  say "{distance(town(1), town(3), rail, -5)} {distance(town(4), town(3), rail where it is free, 2 * .length)}"
  say "{longest_path(rail)} {longest_path(rail, .length)} {longest_path(rail where .length < 7, .length)} {longest_path(rail where .length > 9)}"
  say "{longest_path(rail where .length < 7, .length, it != town(2))} {longest_path(rail, 1, it.at < 2)}"
  say "{count(group(town(1), it != town(3)))} {count(groups(town, true))} {count(groups(rail, .length = 1))}"
  finish drawn
"#,
        BOARDS,
    );
    let expected = [
        "3 2 3 2", "5 6 2", "-1 0 -1", "0 2", "4 7 7 0", "4 1", "3 2 1",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_longest_way_changes_with_what_is_built() {
    let told = said(
        r#"
play: |
  let at = nook(1)
  each n in 1..5:
    let e = first(touching(at, edge) where not taken[it])
    taken[e] = true
    at = first(touching(e, nook) where it != at)
    say "{longest_path(edge where taken[it])}"
  blocked[first(touching(first(edge where taken[it]), nook) where count(touching(it, edge) where taken[it]) = 2)] = true
  say "{longest_path(edge where taken[it], 1, not blocked[it])}"
  finish drawn
"#,
        BOARDS,
    );
    assert_eq!(told[..5], ["1", "2", "3", "4", "5"]);
    assert!(["3", "4"].contains(&told[5].as_str()), "{told:?}");
}

#[test]
fn regions_are_listed_once_by_their_first_space() {
    let told = said(
        r#"
play: |
  say "{groups(field, sort[it] = 1)}"
  say "{groups(field where .x > 1, sort[it] = 2)} {count(groups(field where .x > 3, true))}"
  say "{keys(groups(town, it.at != 2), count(group(it, it.at != 2)))}"
  finish drawn
"#,
        BOARDS,
    );
    assert_eq!(told[0].split(',').count(), 1);
    assert_eq!(told[2], "1, 2, 2");
}
