//! Which conditions are asked of all members at once.

#[cfg(feature = "native")]
use wyrmgate::native::left_to_interpreter;
use wyrmgate::program::{Mask, Set, may_repeat_by_tables};

use crate::play::begin;

const BOARDS: &str = "
zones:
  room: {each: {column: 1..3, row: 1..3}, grid: [column, row]}
  place: {each: {across: 1..3, up: 1..3, column: 1..3, row: 1..3}, grid: [column, row]}
  field: {each: {x: 1..12, y: 1..12}, grid: [x, y]}
vars:
  full: {each: room, type: bool}
  mark: {each: place, type: seat}
  sown: {each: field, type: bool}
queries:
  home(place s): room(s.across, s.up)
";

/// Returns how many conditions are evaluated for one member after the other.
fn one_by_one(condition: &str) -> usize {
    let play = format!(
        "play: |\n  choose s in place where {condition} by seat(1) \"Where?\":\n    mark[s] = seat(1)\n"
    );
    let game = begin(&play, BOARDS);
    let masks = game.program().masks.iter();
    let each = masks.filter(|info| matches!(info.mask, Mask::Each { .. }));
    each.count()
}

#[test]
fn truth_values_and_what_several_members_share_are_asked_at_once() {
    for condition in [
        "not full[home(it)]",
        "full[room(it.row, 2)] and mark[it] = none",
        "mark[place(it.up, it.across, 1, 2)] = seat(2)",
        "mark[it] = none and some s in place has home(s) = home(it) and mark[s] = none",
        "no s in place has home(s) = room(it.column, it.row) and mark[s] = seat(1)",
    ] {
        assert_eq!(one_by_one(condition), 0, "{condition}");
    }
    assert!(one_by_one("mark[it] = none and count_of * it.row > 4") > 0);
}

/// Walks in several directions from a space have no space in common.
#[test]
fn slides_do_not_repeat_a_space() {
    let play = "play: |
  choose s in slides(field(4, 4), compass, not sown[it]) by seat(1) \"Where?\": sown[s] = true
";
    let game = begin(play, BOARDS);
    let program = game.program();
    let joined = (0..).zip(&program.sets);
    let joined = joined.filter(|(_, set)| matches!(set, Set::Joined { .. }));
    let repeat: Vec<bool> = joined
        .map(|(id, _)| may_repeat_by_tables(program, id))
        .collect();
    assert!(!repeat.is_empty() && !repeat.contains(&true), "{repeat:?}");
}

#[cfg(feature = "native")]
#[test]
fn lines_on_large_boards_and_draws_are_machine_code() {
    let play = "play: |
  choose f in field where not sown[it] by seat(1) \"Where?\":
    sown[f] = true
    if in_a_row(f, sown[it]) > 4: finish won by seat(1)
  finish drawn
";
    let game = begin(play, BOARDS);
    assert_eq!(left_to_interpreter(game.program()), Some(Vec::new()));
}

#[cfg(feature = "native")]
#[test]
fn what_is_left_to_the_interpreter_has_a_place() {
    let play = "play: |\n  say \"secret\" to seat(1)\n  shuffle deck\n";
    let game = begin(play, "");
    let left = left_to_interpreter(game.program()).unwrap();
    let places: Vec<&str> = left.iter().map(|line| game.text_of(line.span)).collect();
    assert_eq!(places, ["say \"secret\" to seat(1)"]);
}
