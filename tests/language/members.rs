//! A secret choice for each member of a list: a seat answers for one after the other, others at any time.

use serde_json::json;
use wyrmgate::engine::{Viewer, ask_again, member_number, pending, stays_secret};

use crate::play::{Game, begin};

const ORDERS: &str = r#"
play: |
  each p in seats: draw index(seats, p) from deck to hand(p)
  orders
  say "{mine[seat(1)]} {mine[seat(2)]} {mine[seat(3)]}"
  choose k in 1..2 by seat(1)
orders: |
  each p in seats chooses for each c in hand(p) where .rank != 3 "What does it do?":
    option stay "{c} stays": say "{p}: {c.rank} stays"
    option swap "{c} for {d}" d in deck where .rank < c.rank: say "{p}: {c.rank} for {d.rank}"
    option add "{c} adds {n}" n in 1..2 if p != seat(2): mine[p] += n * c.rank
  each p in seats: mine[p] += 100
"#;

/// Seat 1 has the card of rank 6, seat 2 those of 5 and 4, seat 3 those of 3, 2 and 1, of which the first is not asked about.
fn orders() -> Game {
    begin(ORDERS, "")
}

#[test]
fn each_seat_answers_for_its_members_at_its_own_pace() {
    let mut game = orders();
    assert_eq!(game.waiting(), [1, 2, 3]);
    assert_eq!(
        game.choices(2),
        1,
        "only to stay: no card is left in the deck"
    );
    let first = game.decision(3)["choices"][0].clone();
    assert_eq!(first["args"], json!({"c": "card-2"}));
    assert_eq!(first["label"], "card 2 stays");
    assert_eq!(first["refers"], json!(["card-2"]));
    game.answer(3, "add", json!({"c": "card-2", "n": 2}));
    assert_eq!(game.waiting(), [1, 2, 3], "it owes another");
    assert!(game.try_answer(3, "stay", json!({"c": "card-2"})).is_err());
    game.answer(3, "add", json!({"c": "card-1", "n": 1}));
    assert_eq!(game.waiting(), [1, 2]);
    game.answer(2, "stay", json!({"c": "card-5"}));
    assert!(
        game.try_answer(2, "add", json!({"c": "card-4", "n": 1}))
            .is_err()
    );
    game.answer(2, "stay", json!({"c": "card-4"}));
    assert_eq!(game.said(), Vec::<String>::new(), "nothing happens yet");
    game.answer(1, "add", json!({"c": "card-6", "n": 1}));
    assert_eq!(
        game.said(),
        ["seat 2: 5 stays", "seat 2: 4 stays", "106 100 105"]
    );
}

#[test]
fn what_was_answered_is_asked_again_as_if_it_had_not_been_given() {
    let mut game = orders();
    let before = game.state().clone();
    game.answer(3, "add", json!({"c": "card-2", "n": 2}));
    game.answer(2, "stay", json!({"c": "card-5"}));
    game.answer(2, "stay", json!({"c": "card-4"}));
    let mut state = game.state().clone();
    state.forget_decisions(3);
    ask_again(game.program(), &mut state).unwrap();
    assert!(state == before);
}

#[test]
fn the_number_of_the_member_is_known_and_the_last_answer_ends_the_secret() {
    let mut game = orders();
    let asked = |game: &Game, seat: usize| {
        let owed = pending(game.program(), game.state());
        member_number(game.program(), game.state(), &owed[seat])
    };
    assert_eq!(
        [asked(&game, 0), asked(&game, 1), asked(&game, 2)],
        [1, 1, 1]
    );
    game.answer(1, "stay", json!({"c": "card-6"}));
    game.answer(2, "stay", json!({"c": "card-5"}));
    assert_eq!(asked(&game, 0), 2);
    game.answer(2, "stay", json!({"c": "card-4"}));
    let owed = pending(game.program(), game.state());
    game.answer(3, "stay", json!({"c": "card-2"}));
    assert!(
        stays_secret(&owed, &owed[0], game.state()),
        "it owes one more"
    );
    game.answer(3, "stay", json!({"c": "card-1"}));
    assert!(!stays_secret(&owed, &owed[0], game.state()));
    assert_eq!(asked(&game, 0), 0, "an ordinary decision");
}

#[test]
fn members_may_be_numbers_seats_and_colors_and_may_be_declined() {
    let play = r#"
play: |
  each p in seats may choose for each q in others(p), n in 1..3 where n > index(seats, q) "How much?": mine[q] += n
  each p in seats chooses for each k in color, n in 1..2 if n = 1 or k is red: mine[p] += n * 10
  each p in seats chooses for each n in 5..4, m in 1..2: mine[p] += 1000
  else: say "nobody is asked"
  say "{mine[seat(1)]} {mine[seat(2)]} {mine[seat(3)]}"
  choose k in 1..2 by seat(1)
"#;
    let mut game = begin(play, "");
    assert_eq!(game.waiting(), [1, 2, 3]);
    game.answer(1, "", json!({"q": 2, "n": 3}));
    assert_eq!(
        game.waiting(),
        [2, 3],
        "of seat 3, there is nothing to choose"
    );
    game.answer(2, "decline", json!({}));
    game.answer(3, "", json!({"q": 1, "n": 2}));
    game.answer(3, "", json!({"q": 2, "n": 3}));
    for seat in [1, 2, 3] {
        game.answer(seat, "", json!({"k": "red", "n": 2}));
        game.answer(seat, "", json!({"k": "blue", "n": 1}));
    }
    assert_eq!(
        game.said_to(Viewer::Public),
        ["nobody is asked", "32 36 30"]
    );
}

#[test]
fn a_seat_that_resigns_makes_all_begin_again() {
    let play = format!("{ORDERS}resigns(seat p): move hand(p) to row\n");
    let mut game = begin(&play, "");
    game.answer(3, "stay", json!({"c": "card-2"}));
    game.answer(2, "stay", json!({"c": "card-5"}));
    assert!(game.resign(1, 2));
    assert_eq!(game.waiting(), [2, 3]);
    for (seat, card) in [(2, 5), (3, 2), (2, 4), (3, 1)] {
        game.answer(seat, "stay", json!({"c": format!("card-{card}")}));
    }
    assert_eq!(game.said().last().unwrap(), "100 100 100");
    assert!(game.is_over(), "seat 1 is asked no more");
}
