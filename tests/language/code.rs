//! Precomputed and cached values of the engine. Each of these games is also played by machine code and by the
//! interpreter, move by move: `begin` compares them.

#[cfg(feature = "native")]
use wyrmgate::native::left_to_interpreter;

use crate::play::{Game, begin};
use serde_json::json;

const BOARD: &str = "
clauses: {TT-01: One., TT-02: Two.}
zones:
  field: {each: {x: 1..14, y: 1..12}, grid: [x, y]}
  secret: {each: {owner: seats}, holds: card, see: viewer = owner or shown and owner = dummy}
vars:
  shown: bool
  dummy: {type: seat, start: seat(3)}
  mark: {each: field, type: seat}
  been: {each: field, type: bool, lasts: turn}
  guard: {each: seats, type: int, start: \"keys(seats, index(seats, it) * 2)\", lasts: until_turn}
  stock: {type: int, start: 2}
queries:
  held(int r): count(cards where .zone = secret(active) and .rank = r)
  run(int low, int n): every r in low..low + n - 1 has held(r) >= 1
";

/// Asserts that the interpreter has nothing to do.
#[cfg(feature = "native")]
fn is_all_code(game: &Game) {
    assert_eq!(left_to_interpreter(game.program()), Some(Vec::new()));
}

#[test]
fn who_sees_cards_by_the_state_is_asked_in_code() {
    let play = "play: |
  shuffle deck
  each p in seats: draw 2 from deck to secret(p)
  turns from seat(1):
    choose c in secret(dummy) by seat(1) \"Which?\": move c to row
    shown = not shown
    dummy = left(dummy)
    if every p in seats has secret(p) is empty: finish drawn
";
    let game = begin(play, BOARD);
    #[cfg(feature = "native")]
    is_all_code(&game);
    // Of what it does not see, it can name the place only.
    let choices = game.decision(1)["choices"].to_string();
    assert!(choices.contains("secret-3#"), "{choices}");
}

#[test]
fn what_depends_on_one_number_is_remembered() {
    let play = "play: |
  shuffle deck
  turns from seat(1):
    if deck is not empty: draw 1 from deck to secret(active)
    choose \"What?\":
      option lay n in 1..4, low in 1..6 where it + n <= 7 and run(it, n):
        each r in low..low + n - 1: move secret(active) where .rank = r to row
      option pass \"Pass\" default: count_of += 1
    if count_of > 20: finish drawn
";
    let game = begin(play, BOARD);
    #[cfg(feature = "native")]
    is_all_code(&game);
    assert_eq!(game.choices(1), 2, "the card that was drawn, or nothing");
}

#[test]
fn values_of_a_turn_are_reset_in_code() {
    let play = "play: |
  turns from seat(1):
    choose f in field where not been[it] and mark[it] != active \"Where?\": mark[f] = active; been[f] = true
    choose f in field where not been[it] \"Where?\": been[f] = true; guard[left(active)] += f.x
    choose n in 1..2 where it + guard[active] != 7 \"How many?\": guard[active] += n
    if turn > 40: finish won by active
";
    let game = begin(play, BOARD);
    #[cfg(feature = "native")]
    is_all_code(&game);
}

#[test]
fn members_that_never_pass_are_left_out_and_refused_by_their_clause() {
    let play = "play: |
  turns from seat(1):
    choose \"Where?\":
      option put f in field where .x > 12 [TT-01] and stock > 0 [TT-02], n in 1..2: stock -= 1
      option pass \"Pass\" default: count_of += 1
    if count_of > 3: finish drawn
";
    let mut game = begin(play, BOARD);
    assert_eq!(game.choices(1), 2 * 24 + 1, "two columns of twelve");
    let place = |x: u32| json!({"f": format!("field-{x}-1"), "n": 1});
    assert_eq!(game.forbidden_by(1, "put", place(12)), ["TT-01"]);
    game.answer(1, "put", place(13));
    game.answer(2, "put", place(14));
    assert_eq!(game.choices(3), 1, "nothing is left to put");
    assert_eq!(game.forbidden_by(3, "put", place(13)), ["TT-02"]);
}

#[test]
fn components_are_swapped_passed_on_turned_and_shown_in_code() {
    let play = r#"play: |
  shuffle deck
  each p in seats: draw 3 from deck to hand(p) face down
  turns from seat(1):
    choose c in hand(active), k in 1..4 "Which, and where?":
      move c to hand(left(active)) at k face down
    let all = hand(active)
    if all is not empty:
      turn all face up
      show first(all) to others(active)
      swap first(all) with first(hand(right(active)))
    rotate hand
    count_of += 1
    if hand(active) is not empty: laid(reversed(hand(active)), count_of)
    if count_of > 12: finish drawn
laid(cards all, int n): |
  turn all face down
  each c in all where .rank > n: c.laps += n
"#;
    let play = play.replace("right(active)", "left(left(active))");
    let game = begin(&play, "");
    #[cfg(feature = "native")]
    is_all_code(&game);
}

#[test]
fn simultaneous_answers_of_several_members_are_found_in_code() {
    let play = r#"play: |
  shuffle deck
  each p in seats: draw 2 from deck to hand(p)
  repeat:
    each p in seats chooses ordered 2 c in hand(p) "Which two?"
    each p in seats: move c[p] to row
    each p in seats chooses any d in row where .rank > index(seats, p) "What comes back?"
    count_of += 1
    move row to deck
    shuffle deck
    each p in seats: draw 2 from deck to hand(p)
    if count_of > 6: finish drawn
"#;
    let game = begin(play, "");
    #[cfg(feature = "native")]
    is_all_code(&game);
    assert_eq!(game.choices(2), 2, "two cards in either order");
}

/// Who sees a space depends on what stands beside it, so the condition is evaluated for one space after the other.
#[test]
fn a_seat_chooses_among_cards_that_it_sees_by_a_condition_on_the_position() {
    let sections = r#"
zones:
  spot: {each: {column: 1..4, row: 1..3}, grid: [column, row], holds: card, see: "lit(viewer, spot(column, row)) and column < 4 or watched[spot(column, row)] = viewer"}
  cave: {each: {owner: seats}, holds: card, see: "count(cave(owner)) > 1 and viewer = owner or viewer != owner and count(deck) < 3"}
vars:
  mark: {each: spot, type: seat}
  watched: {each: spot, type: seat}
queries:
  lit(seat p, spot s): mark[s] = p or some t in group(s, orthogonal, mark[it] = none) has mark[t] = p or some t in steps(s, orthogonal) has mark[t] = p
"#;
    let game = begin(
        r#"
play: |
  each c in deck where .rank < 5: move c to spot(c.rank, 1)
  turns from seat(1):
    choose "What?":
      option marks s in spot where mark[s] = none: mark[s] = active
      option moves c in cards where .zone is spot, s in spot where s is free and s.row > c.spot.row: move c to s
      option turns c in cards where .zone is spot and .rank > 2: move c to c.spot face down
      option hides c in deck: move c to cave(active)
      option takes c in cave(left(active)): move c to deck
      option watches c in spot(2, 2): watched[spot(2, 2)] = active
      option none: watched[spot(turn mod 4 + 1, 1)] = left(active)
    if turn > 40: finish drawn
"#,
        sections,
    );
    assert_eq!(game.waiting(), [1]);
}
