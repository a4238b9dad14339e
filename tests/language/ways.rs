//! Ways that must still be there after something has been built: code follows the paths that it has found, goes around what
//! cuts them, and searches only then. `begin` plays each of these games in code and in the interpreter, move by move.

use crate::play::begin;

const GROUND: &str = "
zones:
  field: {each: {x: 1..7, y: 1..6}, grid: [x, y], directions: orthogonal}
data:
  onward: [[2, 3], [4, 7], [5, 6], [8], [8, 3], [9, 2], [10, 1], [11, 12], [12], [11, 6], [10], [5, 7]]
vars:
  wall: {each: field, type: bool}
  gone: {each: 1..12, type: bool}
  post: {each: seats, type: field}
  hole: int
queries:
  open(field f): \"not wall[f]\"
  crosses(seat p): some f in group(post[p], not wall[it]) has f.x = 7
";

/// A turn of each kind until nothing can be done.
fn play(option: &str, effects: &str) {
    let play = format!(
        "play: |
  post[seat(1)] = field(1, 2); post[seat(2)] = field(1, 5); post[seat(3)] = field(4, 3)
  turns from seat(1):
    choose \"What?\":
{option}
    else: finish drawn
    if turn = 150: finish drawn
{effects}"
    );
    begin(&play, GROUND);
}

#[test]
fn walls_may_not_cut_the_last_way() {
    for size in ["0..1", "-1..2"] {
        let option = format!(
            "      option build f in field, d in {size} where open(f) and after(builds(f, d), crosses(seat(1)) and crosses(seat(2))): builds(f, d)"
        );
        play(
            &option,
            "builds(field f, int d): \"wall[f] = true; wall[field(f.x + d, f.y + 1 - d)] = true\"\n",
        );
    }
}

#[test]
fn ways_begin_where_somebody_has_gone_and_open_again() {
    let options = "      option build f in field where every p in seats has post[p] != f, d in 0..2 where after(builds(f, d), every p in seats has crosses(p)): builds(f, d)
      option go f in field where open(f) and it.y != post[active].y: post[active] = f; wall[field(f.x, post[active].y - 1)] = false";
    play(
        options,
        "builds(field f, int d): \"wall[f] = not wall[f]; wall[field(f.x + d, f.y + 2 - d)] = true\"\n",
    );
}

#[test]
fn what_is_supposed_moves_where_the_way_begins() {
    let options = "      option jump f in field, g in field where .x = 3 and after(jumps(f, g), crosses(active)): jumps(f, g)";
    play(
        options,
        "jumps(field f, field g): \"post[active] = f; wall[g] = true; wall[field(g.x + 1, g.y)] = open(f)\"\n",
    );
}

#[test]
fn ways_in_one_direction_only() {
    // What a search comes to from the cut is not all that it comes to from where it begins.
    let end = "some k in within([1, 3 + hole], 50, onward[it] where not gone[it]) has k >= 11";
    let options = format!(
        "      option close n in 1..12, m in 1..12 where it != n and not gone[n] and after(closes(n, m), {end}): closes(n, m)
      option open n in 1..12 where gone[it] and turn mod 3 = 0: gone[n] = false; hole = n mod 4"
    );
    play(
        &options,
        "closes(int n, int m): \"gone[n] = true; gone[m] = true\"\n",
    );
}
