//! What machine code does for several members at once. Each game is also played by the interpreter, which compares states.

#[cfg(feature = "native")]
use wyrmgate::native::left_to_interpreter;

use crate::play::{begin, said, try_begin};

const FIELDS: &str = "
zones:
  field: {each: {x: 1..9, y: 1..9}, grid: [x, y]}
vars:
  heat: {each: {of: 1..4, to: field}, type: int}
  number: {each: {of: 1..70}, type: int}
queries:
  all_heat: sum(k in 1..4, sum(s in field, heat[k][s] * s.x))
";

#[test]
fn a_loop_gives_many_words_the_same_value() {
    let told = said(
        r#"
play: |
  each k in 1..4: each s in field: heat[k][s] = k
  say "{all_heat}"
  let n = 3
  each s in field: heat[n][s] = 0 - n
  say "{all_heat} {heat[2][field(9, 9)]} {heat[3][field(1, 1)]} {heat[4][field(1, 1)]}"
  each k in 1..9: number[k + 61] = 5
  each k in 1..66: number[k] = number[k] + k
  each k in 5..7: number[k] = n
  each k in 1..70: number[71 - k] = number[71 - k] + 1
  each k in 1..70: number[if n > 2 then 7 else k] = k
  say "{number[1]} {number[6]} {number[7]} {number[61]} {number[62]} {number[66]} {number[70]}"
"#,
        FIELDS,
    );
    assert_eq!(told, ["4050", "1620 2 -3 4", "2 4 70 62 68 72 6"]);
}

#[test]
fn a_loop_stops_at_the_first_number_that_stands_for_no_word() {
    for (loop_text, wrong) in [
        ("each k in 1..70: number[k + 4] = 1", "number[k + 4]"),
        ("each k in 1..20: number[k - 3] = 1", "number[k - 3]"),
        (
            "each s in field: heat[count_of][s] = 1",
            "heat[count_of][s]",
        ),
    ] {
        let play = format!("play: |\n  {loop_text}\n");
        let Err((_, place)) = try_begin(&play, FIELDS) else {
            panic!("{loop_text}");
        };
        assert!(place.contains(wrong) || wrong.contains(&place), "{place}");
    }
}

#[test]
fn a_loop_in_a_what_if_is_undone() {
    let told = said(
        r#"
play: |
  each s in field: heat[1][s] = 1
  count_of = after(heats(2, 3), all_heat)
  say "{count_of} {all_heat}"
heats(int k, int n): |
  each s in field: heat[k][s] = n
"#,
        FIELDS,
    );
    assert_eq!(told, ["1620 405"]);
}

#[test]
fn short_lists_have_members_and_extremes() {
    let told = said(
        r#"
play: |
  each c in deck:
    let n = c.rank - 2
    let k = 7 - c.rank
    say "{[n, k, 5][n]} {max([n, k, 3])} {min([n, k, 3])} {max([n, 0 - k], abs(it))}"
"#,
        "",
    );
    let first = [
        "0 6 -1 6", "0 5 0 5", "1 4 1 4", "3 3 2 3", "5 3 2 3", "0 4 1 4",
    ];
    assert_eq!(told, first);
}

#[test]
fn ranks_of_which_a_hand_has_some_number_are_found_at_once() {
    let sections = r#"
zones:
  heap: {holds: tile}
  rack: {each: {owner: seats}, holds: tile}
components:
  tile: {each: {suit: 1..4, value: 1..12}, if: value < 11 or suit = 2, in: heap}
vars:
  asked: int
queries:
  held(seat p, int r): count(rack(p) where .value = r)
"#;
    let game = begin(
        r#"
play: |
  shuffle heap
  each p in seats: draw 16 from heap to rack(p)
  turns from seat(1):
    asked = turn mod 7 - 1
    choose "Which?":
      option enough r in 1..12 where held(active, r) >= asked: takes(r)
      option more r in 1..12 where held(active, r) > asked: takes(r)
      option exactly r in 1..12 where held(active, r) = asked: takes(r)
      option other r in 1..12 where held(active, r) != asked: takes(r)
      option fewer r in 1..12 where held(active, r) < asked: takes(r)
      option most w in -1..5, r in 1..12 where held(active, r) <= w: takes(r)
      option run w in 1..3, n in 2..3, h in 1..12 where every r in h..h + n - 1 has held(active, r) >= w: takes(h)
    if turn > 60: finish drawn
takes(int r): |
  each t in rack(active) where .value = r: move t to rack(left(active))
"#,
        sections,
    );
    assert_eq!(game.waiting(), [1]);
}

#[test]
fn five_names_of_an_option_depend_on_each_other() {
    let game = begin(
        r#"
play: |
  turns from seat(1):
    choose "Which?":
      option numbers a in 0..2, b in a..2, c in b - 1..2, d in 1..3, e in 0..d where a + b + c + d + e > mine[active]:
        count_of = a * 10000 + b * 1000 + c * 100 + d * 10 + e
        mine[active] += a
      option none
    if turn > 30: finish drawn
"#,
        "",
    );
    assert_eq!(game.waiting(), [1]);
}

/// The question after the effect has more parts than other operations have room for.
#[cfg(feature = "native")]
#[test]
fn long_questions_after_effects_are_machine_code() {
    let sections = "
vars:
  weight: {each: {of: 1..3}, type: int}
queries:
  one(int n): (weight[1] + n) mod 7 + (weight[2] + n) mod 5 + (weight[3] * n) mod 11
  two(int n): one(n) + one(n + 1) + one(n + 2) + one(n + 3)
  three(int n): two(n) + two(n + 4) + two(n + 8) + two(n + 12)
";
    let game = begin(
        r#"
play: |
  count_of = after(weighs(2), three(1) + three(2))
  choose n in 1..9 where after(weighs(it), three(it)) > 100 by seat(1) "Which?": count_of += n
weighs(int n): weight[2] = n
"#,
        sections,
    );
    assert_eq!(left_to_interpreter(game.program()), Some(Vec::new()));
}
