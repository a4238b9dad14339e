//! Shuffles, draws, moves and frames in machine code. Each of these games is also played by machine code and by the interpreter,
//! move by move: `begin` compares them.

#[cfg(feature = "native")]
use wyrmgate::native::left_to_interpreter;

use crate::play::{Game, begin};

const TABLE: &str = "
zones:
  shelf: {each: {at: 1..3}, holds: card, capacity: 2}
  pile: {each: {owner: seats}, holds: card, see: nobody}
  heap: {holds: sack}
  inside: {each: {of: sacks}, holds: card}
  large: {holds: tile, see: nobody}
components:
  sack: {copies: 2, in: heap}
  tile: {each: {number: 1..70}, in: large}
vars:
  total: int
";

/// Asserts that the interpreter has nothing to do.
fn is_all_code(game: &Game) {
    #[cfg(feature = "native")]
    assert_eq!(left_to_interpreter(game.program()), Some(Vec::new()));
    #[cfg(not(feature = "native"))]
    let _ = game;
}

#[test]
fn cards_move_between_zones_with_and_without_room() {
    let play = "play: |
  shuffle deck
  turns from seat(1):
    choose s in shelf \"Where?\":
      draw 1 from deck to s
      draw 2 from deck to s
      move top(s) to s
    draw 2 from deck to pile(active) face down
    draw 4 from pile(left(active)) to hand(active)
    choose c in hand(active) + [top(row)] where it is some \"Which?\":
      move c to inside(first(sacks))
      move c to row at bottom
      move c to row
    if hand(active) is not empty: move hand(active) to pile(active) at bottom
    move row to row
    move inside(first(sacks)) to deck face down
    each s in shelf: move s to deck
    total += count(row) * 3 + count(deck) + (if top(deck) is some then top(deck).rank else 0)
    shuffle deck
    if turn > 30: finish drawn
";
    begin(play, TABLE);
}

#[test]
fn many_components_are_shuffled_with_several_blocks_of_numbers() {
    let play = "play: |
  turns from seat(1):
    shuffle large
    choose n in 1..3 \"How many?\":
      total += n
      draw n from large to large
    total = (total * 7 + top(large).number) mod 1000
    if turn > 25: finish drawn
";
    is_all_code(&begin(play, TABLE));
}

#[test]
fn effects_call_effects_that_end_rest_and_call_others() {
    let play = "play: |
  shuffle deck
  each p in seats: draw 2 from deck to hand(p)
  turns from seat(1):
    active plays 3
    adds(total mod 5)
    deep(turn mod 9)
    if turn > 40: finish won by active
seat p plays int n: |
  let before = total
  adds(n)
  choose c in hand(p) where .rank > 0 \"Which?\":
    adds(c.rank)
    each q in others(p):
      adds(index(seats, q))
      if total mod 2 = 0: ask q \"Again?\": adds(7)
    move c to row
    draw 1 from deck to hand(p)
  if deck is empty: again
  total += before mod 3
adds(int n): |
  let more = [n, n + 1, 2]
  each m in more: total += m
  if total > 900: total = 1
again: |
  move row to deck
  shuffle deck
deep(int n): |
  let few = deck where .rank < 4
  if n > 0:
    deep(n - 1)
    adds(n + count(few))
";
    is_all_code(&begin(play, TABLE));
}

#[test]
fn effects_that_never_end_are_faults_at_the_same_place() {
    let play = "play: |
  turns from seat(1):
    choose n in 1..2 \"How deep?\": falls(n)
falls(int n): |
  total += n
  rises(n)
rises(int n): |
  total += 1
  falls(n)
";
    begin(play, TABLE);
}

#[test]
fn a_choice_from_one_list_is_taken_by_its_number() {
    let play = "play: |
  shuffle deck
  each p in seats: draw 4 from deck to hand(p)
  turns from seat(1):
    choose c in hand(active) where .rank != total \"Which?\":
      total = c.rank
      move c to row at bottom
    else: total = 0
    choose n in [total + 2, 5, total] \"Which number?\": total = n mod 7
    if every p in seats has hand(p) is empty: finish drawn
    if turn > 30: finish drawn
";
    is_all_code(&begin(play, TABLE));
}

#[test]
fn effects_take_lists_and_components_are_turned_over_and_shown() {
    let play = "play: |
  shuffle deck
  each p in seats: draw 4 from deck to hand(p) face down
  turns from seat(1):
    turn top(hand(active)) face up
    turn hand(left(active)) face down
    turn row face up
    show top(hand(active)) to [left(active)]
    show hand(active) where .rank = 3 to seats
    gives(hand(active) where .rank > 2, total, [left(active), active, left(active)])
    gives([], 3, others(active))
    choose c in hand(active) \"Which?\": move c to row
    if every p in seats has hand(p) is empty: finish drawn
    if turn > 30: finish drawn
gives(cards cs, int n, seats who): |
  let more = count(cs) + n
  each p in who: ask p \"More?\": total = (more + index(seats, p)) mod 11
  choose c in cs where it is face_up or total mod 2 = 0 \"Which of them?\":
    turn c face down
    total += c.rank
";
    is_all_code(&begin(play, TABLE));
}

#[test]
fn contents_of_a_zone_are_choices_whether_they_are_seen_or_not() {
    let play = "play: |
  shuffle deck
  each p in seats: draw 1 from deck to hand(p)
  each p in seats: draw 1 from deck to pile(p) face down
  turns from seat(1):
    choose c in hand(active) \"Which of your own?\":
      total = (total * 3 + c.rank) mod 1000
      move c to row face down
    choose c in row \"Which of these?\": move c to deck at bottom
    choose c in pile(left(active)) \"Which of theirs?\": move c to hand(active)
    choose c in hand(left(active)) at random:
      total = (total * 5 + c.rank) mod 1000
      move c to row
    choose c in deck at random: move c to pile(active)
    if turn > 30: finish drawn
";
    begin(play, TABLE);
}

#[test]
fn several_seats_choose_from_zones_at_once() {
    let play = "play: |
  shuffle deck
  each p in seats: draw 2 from deck to hand(p)
  repeat 12 times:
    each p in seats chooses c in hand(p) \"Which card?\"
    each p in seats where c[p] is some:
      total = (total * 7 + c[p].rank) mod 1000
      move c[p] to row
    each p in others(seat(1)) chooses n in 1..5 \"Which number?\"
    each p in others(seat(1)): total += n[p]
    choose c in row at random: move c to hand(seat(total mod 2 + 1))
    each p in seats chooses t in row where .rank > 1 \"Which of these?\"
    each p in seats where t[p] is some: total += t[p].rank
  finish drawn
";
    begin(play, TABLE);
}

/// Of components that a seat cannot identify, code takes the one that lies where the interpreter would take it.
#[test]
fn choices_among_hidden_cards_are_in_physical_order() {
    let play = "play: |
  shuffle deck
  each p in seats: draw 1 from deck to hand(p)
  each p in seats: draw 1 from deck to pile(p) face down
  shuffle large
  turns from seat(1):
    choose c in cards where .rank > 1 at random:
      total = (total * 5 + c.rank) mod 1000
      move c to row
    choose t in large where .number mod 3 = 1 at random:
      total = (total * 7 + t.number) mod 1000
      move t to large
    choose c in pile(left(active)) + row + deck where .rank != 2 \"Which of these?\":
      total = (total * 3 + c.rank) mod 1000
      move c to pile(active) face down
    choose c in pile(active) where .rank > 2, n in 1..2 \"Which, and how often?\":
      total = (total * 11 + c.rank * n) mod 1000
      move c to deck face down
    choose 2 c in pile(left(active)) + deck \"Which two?\": each d in c: total = (total * 13 + d.rank) mod 1000
    if turn > 30: finish drawn
";
    begin(play, TABLE);
}
