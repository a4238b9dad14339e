//! Connected spaces in what-ifs: whether a group has a free neighbor, what would be taken, whether the position would occur
//! again. [`begin`] plays each game in machine code, too, and compares it move by move.

use crate::play::begin;

/// Two seats place marks on a board of this form, and the third one moves marks away.
fn plays(zone: &str, queries: &str, condition: &str) {
    let sections = format!(
        r#"
zones:
  spot: {{{zone}}}
vars:
  mark: {{each: spot, type: seat}}
  weight: {{each: spot, type: int}}
positions:
  board: [mark]
queries:
  free(spot p): some q in border(p, mark[it] = mark[p]) has mark[q] = none
{queries}
clauses: {{TT-01: One.}}
"#
    );
    let effects = format!(
        r#"
play: |
  turns from seat(1):
    if active = seat(3):
      choose s in spot where mark[s] != none and count(group(s, mark[it] = mark[s])) > 4 "Which?": mark[s] = none
      else: weight[first(spot)] += 1
    else:
      choose s in spot where mark[s] = none and after(puts(it), {condition}) [TT-01] "Where?":
        puts(s)
        record board
      else: each s in spot where weight[s] mod 2 = 1: mark[s] = none
puts(spot p): |
  mark[p] = active
  weight[p] += 1
  each q in group(steps(p) where mark[it] != none and mark[it] != active and not free(it), mark[it] != none and mark[it] != active): mark[q] = none
"#
    );
    let game = begin(&effects, &sections);
    assert_eq!(game.waiting(), [1]);
}

const SQUARES: &str =
    "each: {column: 1..7, row: 1..6}, grid: [column, row], directions: orthogonal";
const HEXAGONS: &str =
    "each: {column: 1..5, row: 1..9}, grid: [column, row], directions: hexagonal";
/// More spaces than bits of two words.
const LARGE: &str =
    "each: {column: 1..13, row: 1..11}, grid: [column, row], directions: orthogonal";

#[test]
fn what_has_a_free_neighbor_can_be_placed() {
    for zone in [SQUARES, HEXAGONS, LARGE] {
        plays(zone, "", "free(s) and recorded(board) = 0");
    }
}

#[test]
fn positions_are_found_again_after_several_changes_of_a_word() {
    let condition =
        "recorded(board) = 0 and after(puts(s), recorded(board) = 0) and recorded(board) < 2";
    plays(SQUARES, "", condition);
}

#[test]
fn ways_are_long_and_narrow() {
    let queries = r#"
  reaches(spot p): some q in group(p, mark[it] != none) has q.column = 7 and q.row = 6
  near(spot p): p in group(spot(1, 1), mark[it] = mark[p])
"#;
    plays(SQUARES, queries, "free(s) and not (reaches(s) and near(s))");
}

#[test]
fn groups_are_counted_and_compared() {
    let queries = r#"
  members(spot p): count(group(p, mark[it] = mark[p]))
  alone(spot p): no q in border(p, mark[it] = mark[p]) has mark[q] != none
  rich(spot p): some q in group(p, mark[it] = mark[p]) has weight[q] * 30000 > 60000
"#;
    plays(SQUARES, queries, "members(s) < 6 or rich(s) or alone(s)");
    plays(HEXAGONS, queries, "members(s) in [1, 3, 5] or not rich(s)");
}

#[test]
fn searches_begin_nowhere_and_in_several_places() {
    let queries = r#"
  here(spot p): first(steps(p) where mark[it] = active)
  joins(spot p): some q in group(here(p), mark[it] = active) has mark[q] = active and q.row = 1
  around(spot p): some q in group(steps(p), mark[it] = none) has q.row = 6
  both(spot p): count(group(steps(p), mark[it] != none))
"#;
    plays(SQUARES, queries, "around(s) or joins(s) or both(s) > 9");
}

#[test]
fn lists_are_compared_with_what_searches_find() {
    let queries = r#"
  same(spot p): group(p, mark[it] = mark[p])
  next_to(spot p): border(p, mark[it] = mark[p])
  left_over(spot p): count(next_to(p) - same(first(steps(p))) - steps(p))
  shared(spot p): count(spot where it in next_to(p) and weight[it] < 2 and it not in same(first(spot)))
  outside(spot p): spot where mark[it] = mark[p] and it not in same(p)
  whole(spot p): every q in spot where mark[q] = mark[p] has q in same(p)
  strangers(spot p): no q in next_to(p) has q in group(spot where it.row = 1, mark[it] != none)
  met(spot p): some q in next_to(p) has mark[q] = none and q not in within(last(spot), 4, steps(it)) and q.row > 1
"#;
    for zone in [SQUARES, HEXAGONS, LARGE] {
        let condition = "left_over(s) + shared(s) > 1 or whole(s) or (strangers(s) and met(s) and outside(s) is not empty)";
        plays(zone, queries, condition);
    }
}

#[test]
fn members_outside_of_a_list_and_none_are_compared() {
    let queries = r#"
  near(spot p): keys([4, 2, 9], step(p, it)) where it in group(spot where .row < 3, .row < 3)
  far(spot p): keys([4, 2, 9, 1], step(p, it)) - group(spot where .row < 3, .row < 3)
  rows(spot p): (0..9) - keys(group(p, mark[it] = mark[p]), .row)
  some_rows(spot p): 0..9 where it in keys(group(p, mark[it] = mark[p]), it.row - 3)
"#;
    let condition = "count(near(s)) + count(far(s)) > 3 and sum(rows(s)) + sum(some_rows(s)) > 20 or last(far(s)) is none";
    plays(SQUARES, queries, condition);
}
