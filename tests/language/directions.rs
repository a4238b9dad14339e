//! Membership of what lies in several directions, where the directions depend on the state: a look-up says in which direction
//! a space lies.

use crate::play::said;

const BOARD: &str = r#"
types: {piece: [pawn, knight, rook, queen, nobody]}
data:
  near: [[8, 1], [9, 16, 12], [], [], []]
  far: [[], [], orthogonal, compass, []]
  signed: [[-1, 7], [1, 1]]
zones:
  square: {each: {file: 1..5, rank: 1..4}, grid: [file, rank], coordinates: a1}
  isle: {each: {at: 1..6}, lines: "[[1, 2, 3, 4], [4, 5, 1]]"}
components:
  man: {plural: men, each: {of: piece}, in: box, fields: {is_a: piece, backward: bool}}
vars:
  wall: {each: square, type: bool}
  ways: {type: ints, most: 4}
queries:
  steps_of(man m, square s): steps(s, if m.backward then [5, 4] else near[m.is_a])
  slides_of(man m, square s): slides(s, far[m.is_a], not wall[it])
  targets(man m, square s): (steps_of(m, s) + slides_of(m, s)) where not wall[it] or it.file = 1
  walked(squares those, square s): some t in those has t = s
effects:
  differs(man m): |
    each s in [none] + square: each t in [none] + square:
      if (t in targets(m, s)) != walked(targets(m, s), t): say "{m} from {s} to {t}"
      if (t in slides(s, ways, it.rank != 3)) != walked(slides(s, ways, it.rank != 3), t): say "{s} to {t} along {ways}"
      if (t in steps(s, ways)) != walked(steps(s, ways), t): say "{s} to {t} by {ways}"
      if (t in steps_of(m, s)) != walked(steps_of(m, s), t): say "{m} steps from {s} to {t}"
      if t in targets(m, s): count_of += 1
"#;

/// The effects of `BOARD` belong to the same section.
fn told(play: &str) -> Vec<String> {
    let (sections, effects) = BOARD.split_once("effects:\n").unwrap();
    let effects: String = effects
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line)))
        .collect();
    said(&format!("{play}{effects}"), sections)
}

#[test]
fn a_space_is_among_those_that_a_walk_finds() {
    let told = told(
        r#"
play: |
  each m in men: m.is_a = m.of
  each s in [b2, d3, e1]: wall[s] = true
  each w in [1, 3, 14, 99, 0]:
    ways = [w, 3]
    each m in men: differs(m)
  each m in men: m.backward = true
  ways = []
  each m in men: differs(m)
  say "{count_of}"
"#,
    );
    assert_eq!(told, ["1805"]);
}

#[test]
fn a_space_to_which_two_lines_lead_is_found_along_either() {
    let told = told(
        r#"
play: |
  each w in 1..4:
    ways = [w]
    say "{isle(4) in slides(isle(1), ways, true)} {isle(1) in slides(isle(4), ways, true)} {isle(6) in slides(isle(1), ways, true)}"
"#,
    );
    assert_eq!(told, ["yes no no", "no yes no", "no yes no", "yes no no"]);
}

#[test]
fn numbers_that_are_none_are_members_like_others() {
    let told = told(
        r#"
play: |
  each n in [-1, 0, 1, 7]:
    ways = [2, 1]
    say "{n in keys(ways, signed[it])}"
"#,
    );
    assert_eq!(told, ["yes", "no", "yes", "yes"]);
}
