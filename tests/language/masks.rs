//! Which conditions are asked of all members at once.

#[cfg(feature = "native")]
use wyrmgate::native::left_to_interpreter;
use wyrmgate::program::{Mask, Set, may_repeat_by_tables};

use crate::play::{begin, said};

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
fn variables_of_members_are_asked_at_once() {
    for condition in ["mark[it] = none", "mark[it] != seat(2) and it.row > 1"] {
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

/// Values with two keys lie one after the other as long as both are keys; behind the last one they are all the same.
#[test]
fn values_of_a_run_of_keys_are_compared_with_a_number() {
    let rows = ["<", "<=", ">", ">=", "=", "!="].map(|compare| {
        format!(
            "      say \"{{count(1..14 where tally[q][it] {compare} w)}} {{count(1..9 where w {compare} tally[q][it])}} {{sum(3..12 where tally[q][it] {compare} w)}} {{first(5..30 where tally[q][it + 1 - 2] {compare} 1)}}\"\n"
        )
    });
    let play = format!(
        "play: |
  each p in seats:
    each r in 1..9: tally[p][r] = (r * r + index(seats, p)) mod 5 - 1
  each w in -1..3:
    each n in 0..4:
      let q = seats[n]
{}",
        rows.concat()
    );
    let sections = "vars: {tally: {each: {of: seats, rank: 1..9}, type: int}}";
    let tally = |q: i32, r: i32| match (1..=3).contains(&q) && (1..=9).contains(&r) {
        true => (r * r + q) % 5 - 1,
        false => 0,
    };
    let mut expected = Vec::new();
    for w in -1..=3 {
        for q in 0..=4 {
            for compare in [i32::lt, i32::le, i32::gt, i32::ge, i32::eq, i32::ne] {
                let holds = |r: &i32| compare(&tally(q, *r), &w);
                let mirrored = (1..=9).filter(|r| compare(&w, &tally(q, *r)));
                let first = (5..=30).find(|r| compare(&tally(q, *r - 1), &1));
                let (count, sum) = (
                    (1..=14).filter(holds).count(),
                    (3..=12).filter(holds).sum::<i32>(),
                );
                let mirrored = mirrored.count();
                expected.push(format!("{count} {mirrored} {sum} {}", first.unwrap_or(0)));
            }
        }
    }
    assert_eq!(said(&play, sections), expected);
}

const COPIES: &str = "
components:
  coin: {each: {worth: 1..7}, copies: if worth = 6 then 2 else 4, in: purse}
zones:
  purse: {holds: coin}
  spent: {holds: coin}
queries:
  held(int r): count(purse where .worth = r)
";

/// The copies of a component lie side by side, so the rows of their values are apart by as many bits as there are copies.
#[test]
fn copies_are_counted_for_all_values_at_once() {
    let play = "play: |
  move coins to purse
  turns from seat(1):
    choose \"Which?\":
      option least w in 0..5, r in 0..9 where held(r) >= w: say \"{w} {r}\"
      option exactly w in 0..5, r in 1..7 where held(r) = w: say \"{w} {r}\"
      option runs w in 1..4, n in 2..4, r in 1..6 where r + n <= 8 and every k in r..r + n - 1 has held(k) >= w: say \"{w} {n} {r}\"
    choose c in purse at random
    move c to spent
    if purse is empty: finish drawn
";
    let game = begin(play, COPIES);
    let held = |r: i32| {
        [0, 4, 4, 4, 4, 4, 2, 4]
            .get(r as usize)
            .copied()
            .unwrap_or(0)
    };
    let mut expected = 0;
    for w in 0..=5 {
        expected += (0..=9).filter(|r| held(*r) >= w).count();
        expected += (1..=7).filter(|r| held(*r) == w).count();
        for n in (2..=4).filter(|_| (1..=4).contains(&w)) {
            let runs = (1..=6).filter(|r| r + n <= 8 && (*r..*r + n).all(|k| held(k) >= w));
            expected += runs.count();
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
    assert_eq!(game.choices(1), 9);
}
