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

const CARDS: &str = "
components:
  tile: {each: {suit: 1..3, rank: 1..6}, copies: if rank = 4 then 2 else 1, in: rack}
zones:
  rack: {holds: tile}
  gone: {holds: tile}
queries:
  held(int r): count(rack where .rank = r)
  run(int w, int n, int h): every r in h..h + n - 1 has held(r) >= w
  gap(int n, int h): some r in h..h + n - 1 has held(r) = 0
  reaches(int n, int h): every r in h..h + n - 1 has r mod 5 > 0 and held(r) > 0
";

/// Runs of numbers that begin at a name and are as long as another one says; `every` of none holds.
#[test]
fn runs_of_numbers_are_asked_at_once() {
    let play = "play: |
  move tiles to rack
  move tile(1, 2, 1) to gone
  move tile(2, 2, 1) to gone
  each r in [5, 3]: move tile(1, r, 1) to gone
  turns from seat(1):
    choose \"Which?\":
      option runs w in 2..4, n in 0..5, h in 1..6 where h + n <= 7 and run(w, n, h): say \"{w} {n} {h}\"
      option gaps n in 1..5, h in 1..6 where gap(n, h): say \"{n} {h}\"
      option short n in 1..2, h in 1..6 where reaches(n, h): say \"{n} {h}\"
    move top(rack) to gone
    if rack is empty: finish drawn
";
    let game = begin(play, CARDS);
    let masks = &game.program().masks;
    let by_others = masks
        .iter()
        .filter(|info| matches!(info.mask, Mask::RelatedBy { .. }));
    assert_eq!(by_others.count(), 3);
    // How many tiles of each rank lie on the rack.
    let held = |r: i32| {
        [0, 3, 1, 2, 6, 2, 3, 0]
            .get(r as usize)
            .copied()
            .unwrap_or(0)
    };
    let mut expected = 0;
    for h in 1..=6 {
        let every = |n: i32, holds: &dyn Fn(i32) -> bool| (h..h + n).all(holds);
        for n in 0..=5 {
            let runs = (2..=4).filter(|w| every(n, &|r| held(r) >= *w));
            expected += if h + n <= 7 { runs.count() } else { 0 };
            expected += usize::from(n > 0 && !every(n, &|r| held(r) > 0));
            let is_short = (1..=2).contains(&n);
            expected += usize::from(is_short && every(n, &|r| r % 5 > 0 && held(r) > 0));
        }
    }
    assert_eq!(game.choices(1), expected as u64);
}

/// What nobody may ask about must not be evaluated if it can fail.
#[test]
fn runs_with_conditions_that_can_overflow_are_asked_as_written() {
    let play = "play: |
  choose n in 1..3, h in 1..6 where h + n < 6 and every r in h..h + n - 1 has (if r > 5 then 2147483647 else 1) + r > 0 by seat(1): say \"{n} {h}\"
  finish drawn
";
    let game = begin(play, "");
    let mut masks = game.program().masks.iter();
    assert!(!masks.any(|info| matches!(info.mask, Mask::RelatedBy { .. })));
    assert_eq!(game.choices(1), 9);
}
