//! Decisions: who decides, what can be chosen, and what follows.

use serde_json::json;
use wyrmgate::engine::Viewer;

use crate::play::{begin, said};

#[test]
fn every_form_of_what_is_chosen() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose c in deck where c.rank > 4: say "one {c.rank}"
    choose 2 c in deck where .rank < 4: say "two {sum(c, .rank)}"
    choose up to 2 c in deck: say "up to {count(c)}"
    choose any c in deck where .rank < 3: say "any {count(c)}"
    choose ordered c in deck where .rank < 3: say "order {first(c).rank} {last(c).rank}"
    choose ordered 2 c in deck: say "ordered {first(c).rank} {last(c).rank}"
    choose n in 1..3, c in deck where .rank > n: say "both {n} {c.rank}"
    choose k in color: say "{k}"
    choose p in others(active): say "{index(seats, p)}"
  finish drawn
"#,
        "",
    );
    let card = |rank: i32| json!(format!("card-{rank}"));
    let expected = [
        (json!({"c": card(5)}), 2),
        (json!({"c": [card(1), card(3)]}), 3),
        (json!({"c": []}), 22),
        (json!({"c": [card(2)]}), 4),
        (json!({"c": [card(2), card(1)]}), 2),
        (json!({"c": [card(6), card(2)]}), 30),
        (json!({"n": 3, "c": card(4)}), 12),
        (json!({"k": "blue"}), 2),
        (json!({"p": 3}), 2),
    ];
    for (args, count) in expected {
        assert_eq!(game.choices(1), count, "{args}");
        game.answer(1, "", args);
    }
    let told = [
        "one 5",
        "two 4",
        "up to 0",
        "any 1",
        "order 2 1",
        "ordered 6 2",
        "both 3 4",
        "blue",
        "3",
    ];
    assert_eq!(game.said(), told);
}

/// A last name with the same values whatever the earlier ones are, between options that list values, too.
#[test]
fn the_last_of_several_names_can_have_the_same_values_throughout() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    repeat 3 times:
      choose "Which?":
        option low n in 1..3, c in deck where .rank < n: say "low {n} {c.rank}"
        option both c in deck where c.rank < 4, n in 1..3, k in color: say "both {c.rank} {n} {k}"
        option none n in 1..3, k in color where count(deck) > 9: say "none"
        option high n in 2..4, c in reversed(deck) where .rank > count_of + 4: say "high {n} {c.rank}"
      count_of += 1
      move top(deck) to box
  finish drawn
"#,
        "",
    );
    assert_eq!(game.choices(1), 3 + 3 * 3 * 2 + 3 * 2);
    game.answer(1, "both", json!({"c": "card-2", "n": 3, "k": "blue"}));
    assert_eq!(game.choices(1), 3 + 3 * 3 * 2);
    game.answer(1, "low", json!({"n": 3, "c": "card-2"}));
    assert_eq!(game.said(), ["both 2 3 blue", "low 3 2"]);
}

#[test]
fn an_open_choice_skips_the_rest_of_its_block_or_goes_to_else() {
    let game = begin(
        r#"
play: |
  turn of seat(1):
    if count(deck) = 6:
      choose c in row
      say "never {c}"
    choose c in row:
      say "never {c}"
    else: say "nothing in the row"
    choose "Which?":
      option a "A {c}" c in row: say "{c}"
      option b "B" if row is not empty: say "b"
    else: say "no option"
  say "end"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.said(), ["nothing in the row", "no option", "end"]);
}

#[test]
fn names_in_the_bodies_of_options_do_not_meet() {
    let mut game = begin(
        r#"
play: |
  turn of seat(2):
    repeat 2 times:
      choose "Which?":
        option low "Low {c}" c in deck where .rank < 3:
          let list = deck where .rank > c.rank
          let n = count(list)
          say "low {n} {first(list).rank}"
        option high "High {n}" n in 4..6, c in deck where .rank >= n if count(deck) = 6 and c.rank = n:
          let half = n / 2
          say "high {half} {c.rank}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.choices(2), 5);
    game.answer(2, "low", json!({"c": "card-2"}));
    game.answer(2, "high", json!({"n": 5, "c": "card-5"}));
    assert_eq!(game.said(), ["low 4 3", "high 2 5"]);
    assert!(game.is_over());
}

#[test]
fn lists_chosen_in_a_loop_are_given_back() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    repeat 300 times:
      choose any c in deck "Some"
      let doubled = c + c
      count_of += count(doubled)
      if count(c) = 6: stop
  say "{count_of}"
  finish drawn
"#,
        "",
    );
    let all: Vec<String> = (1..=6).map(|rank| format!("card-{rank}")).collect();
    for _ in 0..100 {
        game.choose(1, "c", json!(all[..3]));
    }
    game.choose(1, "c", json!(all));
    assert_eq!(game.said(), ["612"]);
}

#[test]
fn seats_choose_at_once_and_in_secret() {
    let mut game = begin(
        r#"
play: |
  each p in seats: draw 2 from deck to hand(p)
  each p in seats_from(seat(2)) chooses c in hand(p), n in 0..1 "Pass"
  each p in seats:
    say "{index(seats, p)} passes {c[p].rank} {n[p]}"
    move c[p] to hand(left(p))
  finish drawn
"#,
        "",
    );
    assert_eq!(game.waiting(), [1, 2, 3]);
    game.answer(2, "", json!({"c": "card-3", "n": 1}));
    assert_eq!(game.waiting(), [1, 3]);
    assert_eq!(game.said(), Vec::<String>::new());
    game.answer(1, "", json!({"c": "card-6", "n": 0}));
    game.answer(3, "", json!({"c": "card-1", "n": 1}));
    assert_eq!(
        game.said(),
        ["1 passes 6 0", "2 passes 3 1", "3 passes 1 1"]
    );
}

#[test]
fn lists_are_chosen_in_secret_and_who_had_no_choice_has_an_empty_one() {
    let mut game = begin(
        r#"
play: |
  draw 3 from deck to hand(seat(1))
  draw 1 from deck to hand(seat(3))
  each p in seats chooses 1 c in hand(p) where .rank < 6
  each p in seats: say "{count(c[p])} {sum(c[p], .rank)}"
  repeat 2 times:
    each p in [seat(1), seat(3)] chooses n in 1..p.hand.count
    say "{n[seat(1)]} {n[seat(2)]} {n[none]} {n[seat(3)]}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.waiting(), [1, 3]);
    game.choose(3, "c", json!(["card-3"]));
    game.choose(1, "c", json!(["card-4"]));
    assert_eq!(game.said(), ["1 4", "0 0", "1 3"]);
    for n in [3, 2] {
        game.choose(1, "n", json!(n));
        game.choose(3, "n", json!(1));
    }
    assert_eq!(game.said()[3..], ["3 0 0 1", "2 0 0 1"]);
}

#[test]
fn a_moved_victim_decides_in_the_middle_of_my_effect() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    card(1) is sent to seat(2)
    say "back to {index(seats, active)}"
  finish drawn
card c is sent to seat p: |
  move c to hand(p)
  p answers for c
  say "sent"
seat p answers for card c: |
  choose n in 1..c.rank + 1 by p "How far?"
  each q in others(p):
    ask q "Follow?": say "{index(seats, q)} follows {n}"
"#,
        "",
    );
    assert_eq!(game.waiting(), [2]);
    game.choose(2, "n", json!(2));
    assert_eq!(game.waiting(), [3]);
    game.yes(3);
    assert_eq!(game.waiting(), [1]);
    game.no(1);
    assert_eq!(game.said(), ["3 follows 2", "sent", "back to 1"]);
}

#[test]
fn dice_are_kept_and_rolled_again() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    roll dice
    repeat 2 times:
      choose any again in dice "Again?"
      if again is empty: stop
      let kept = dice - again
      let before = keys(kept, .face)
      roll again
      say "{count(kept)} {every i in 1..count(kept) has kept[i].face = before[i]}"
  finish drawn
"#,
        "",
    );
    game.choose(1, "again", json!(["die-1", "die-3"]));
    game.choose(1, "again", json!([]));
    assert_eq!(game.said(), ["1 yes"]);
    assert!(game.is_over());
}

#[test]
fn chance_decides_like_anybody() {
    let game = begin(
        r#"
play: |
  choose p in seats where it = seat(2) at random
  choose 2 c in deck at random
  choose any d in row at random
  say "{index(seats, p)} {count(c)} {count(d)}"
  choose c in row at random:
    say "never"
  else: say "nothing"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.said(), ["2 2 0", "nothing"]);
}

/// A list is what chance draws from: what stands in it three times is three times as likely, by every way a list is made.
#[test]
fn chance_counts_what_stands_in_a_list_several_times() {
    let told = said(
        r#"
play: |
  repeat 400 times:
    choose n in [1, 2, 2, 2] at random
    if n = 1: mine[seat(1)] += 1
    choose m in many at random
    if m = 1: mine[seat(2)] += 1
    choose 2 k in [1, 2, 2, 2] where k < 3 at random
    if 1 in k: mine[seat(3)] += 1
  each p in seats: say "{mine[p]}"
  finish drawn
"#,
        "queries:\n  many: keys(1..4, min(2, it))",
    );
    let counted: Vec<i32> = told.iter().map(|text| text.parse().unwrap()).collect();
    // five standard deviations around a quarter, a quarter and a half of 400
    for (count, wanted) in counted.iter().zip([100, 100, 200]) {
        assert!((wanted - 50..=wanted + 50).contains(count), "{counted:?}");
    }
}

/// A seat has each choice once, however often it occurs in the list.
#[test]
fn people_choose_from_each_member_once() {
    let game = begin(
        "play: |\n  choose n in [1, 2, 2, 2] by seat(1)\n  finish drawn",
        "",
    );
    assert_eq!(game.choices(1), 2);
}

/// The advice that is given where a condition means all that are chosen.
#[test]
fn a_second_name_is_a_condition_on_all_that_are_chosen() {
    let game = begin(
        "play: |\n  choose any c in deck, n in [sum(c, .rank)] where n = 3 by seat(1)\n  finish drawn",
        "",
    );
    // 1 + 2, and 3
    assert_eq!(game.choices(1), 2);
}

#[test]
fn what_is_said_to_some_is_said_to_them_alone() {
    let game = begin(
        "play: |\n  say \"psst\" to seat(2)\n  say \"hello\" to others(seat(2))\n  finish drawn",
        "",
    );
    assert_eq!(game.said_to(Viewer::Seat(1)), ["psst"]);
    assert_eq!(game.said_to(Viewer::Seat(0)), ["hello"]);
    assert_eq!(game.said_to(Viewer::Public), Vec::<String>::new());
}

#[test]
fn a_check_over_all_that_is_chosen_leaves_the_rest() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose "Pay seven":
      option pay "Pay {c}" any c in deck if sum(c, .rank) = 7 and row is empty: say "{count(c)}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.choices(1), 4);
    assert!(game.try_answer(1, "pay", json!({"c": ["card-1"]})).is_err());
    game.answer(1, "pay", json!({"c": ["card-1", "card-2", "card-4"]}));
    assert_eq!(game.said(), ["3"]);
}

#[test]
fn what_may_be_declined_has_one_choice_more() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    may choose c in deck where c.rank > 4 "One?": say "one {c.rank}"
    else: say "declined one"
    may choose 2 c in deck where .rank < 4: say "two {sum(c, .rank)}"
    else: say "declined two"
    may choose n in 1..2, c in deck where .rank = n by seat(2):
      say "both {n} {c.rank}"
    may choose "What?":
      option low "Low {c}" c in deck where .rank < 3: say "low {c.rank}"
      option none_of_it "Nothing" if row is not empty: say "never"
    else: say "declined all"
    if count(deck) = 6:
      may choose c in deck
      say "last {c.rank}"
    say "end"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.choices(1), 3);
    game.choose(1, "c", json!("card-5"));
    assert_eq!(game.choices(1), 4);
    game.answer(1, "decline", json!({}));
    assert_eq!(game.waiting(), [2]);
    game.reload();
    assert_eq!(game.choices(2), 3);
    game.answer(2, "", json!({"n": 2, "c": "card-2"}));
    assert_eq!(game.choices(1), 3);
    assert!(game.try_answer(1, "", json!({"c": "card-1"})).is_err());
    game.answer(1, "decline", json!({}));
    game.answer(1, "decline", json!({}));
    assert_eq!(
        game.said(),
        ["one 5", "declined two", "both 2 2", "declined all", "end"]
    );
}

#[test]
fn nobody_is_asked_to_decline_where_there_is_nothing() {
    let game = begin(
        r#"
play: |
  turn of seat(1):
    may choose c in row: say "never"
    else: say "nothing in the row"
    may choose "Which?":
      option a "A {c}" c in row: say "never"
      option b "B" if row is not empty: say "never"
    else: say "no option"
    each p in seats may choose c in hand(p)
    say "{c[seat(1)] = none}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.said(), ["nothing in the row", "no option", "yes"]);
}

#[test]
fn who_declines_in_secret_has_chosen_nothing() {
    let mut game = begin(
        r#"
play: |
  each p in seats: draw 1 from deck to hand(p)
  each p in seats may choose c in hand(p) "Pass?"
  each p in seats: say "{c[p].rank}"
  each p in seats may choose any c in hand(p)
  each p in seats: say "{count(c[p])}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.choices(3), 2);
    game.answer(2, "decline", json!({}));
    assert_eq!(game.waiting(), [1, 3]);
    assert_eq!(game.said(), Vec::<String>::new());
    game.choose(1, "c", json!("card-6"));
    game.answer(3, "decline", json!({}));
    assert_eq!(game.said(), ["6", "0", "0"]);
    for seat in 1..=3 {
        game.answer(seat, "decline", json!({}));
    }
    assert_eq!(game.said()[3..], ["0", "0", "0"]);
}

#[test]
fn a_choice_that_may_be_declined_shows_itself_as_one() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    may choose n in 2..3 "How far?"
    say "{n}"
  finish drawn
"#,
        "",
    );
    let doc = game.decision(1);
    assert_eq!(doc["kind"], "amount");
    assert_eq!(doc["options"], json!(["decline"]));
    assert_eq!(doc["choices"][0]["args"], json!({"n": 2}));
    assert_eq!(
        doc["choices"][2],
        json!({"index": 2, "option": "decline", "args": {}, "label": "decline", "refers": []})
    );
    game.answer(1, "decline", json!({}));
    assert_eq!(game.told("chose")["option"], "decline");
}

#[test]
fn labels_speak_in_titles_and_say_that_a_list_is_empty() {
    let game = begin(
        r#"
play: |
  turn of seat(1):
    choose "Which?":
      option take "Take {t} with {marks(t)}" t in tiles: return
"#,
        "
types: {shade: {dark: {title: in the dark}, light: {}}}
components:
  tile: {title: Tile, each: {shade: shade}, in: shelf}
zones: {shelf: {holds: tile}}
queries:
  marks(tile t): 1..2 where t.shade = dark
",
    );
    let doc = game.decision(1);
    let label = |n: usize| doc["choices"][n]["label"].as_str().unwrap();
    assert_eq!(label(0), "Take Tile in the dark with 1, 2");
    assert_eq!(label(1), "Take Tile light with none");
}

#[test]
fn a_refusal_names_all_that_failed() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose c in deck where c.rank > 5 [AAA-01] or c.rank < 2 [AAA-02]
    choose c in deck where it is extreme [AAA-03]
    choose c in deck where not (it is extreme or c.rank = 3 [AAA-04])
    choose c in deck where not (c.rank > 2 [AAA-01] and c.rank < 5 [AAA-02])
    choose "Which?":
      option a c in deck if c.rank > 5 [AAA-01] or c.rank < 2 [AAA-02] and c.rank < 9 [AAA-03]: say "{c}"
      option b if deck is empty [AAA-01] or row is not empty [AAA-02]: say "b"
  finish drawn
"#,
        "
queries:
  extreme(card c): c.rank > 5 [AAA-01] or c.rank < 2 [AAA-02]
clauses: {AAA-01: One., AAA-02: Two., AAA-03: Three., AAA-04: Four.}
",
    );
    let card = |rank: i32| json!({ "c": format!("card-{rank}") });
    let both = ["AAA-01", "AAA-02"];
    assert_eq!(game.clauses_against(1, "", card(3)), both);
    game.answer(1, "", card(6));
    assert_eq!(game.clauses_against(1, "", card(3)), both);
    game.answer(1, "", card(1));
    assert_eq!(game.clauses_against(1, "", card(1)), ["AAA-02"]);
    assert_eq!(game.clauses_against(1, "", card(3)), ["AAA-04"]);
    game.answer(1, "", card(2));
    assert_eq!(game.clauses_against(1, "", card(3)), both);
    game.answer(1, "", card(2));
    assert_eq!(game.clauses_against(1, "a", card(3)), both);
    assert_eq!(game.clauses_against(1, "b", json!({})), both);
}

#[test]
fn a_default_is_the_first_choice_or_the_first_that_fulfills_its_condition() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose n in 1..3 default: say "first {n}"
    choose n in 1..9, c in deck where .rank > n "Which?" default where n = 2 and c.rank = 5 by seat(2):
      say "both {n} {c.rank}"
    choose any c in deck where .rank < 4 default where count(c) = 2: say "any {sum(c, .rank)}"
    choose "Which?":
      option one "One {n}" n in 1..2: say "one"
      option two "Two {n}" n in 5..7 default where n > 5: say "two {n}"
    ask "Well?" default yes: say "yes"
    ask "Well?" default no: say "never"
    else: say "no"
    may choose n in 1..2 default where n = 2: say "may {n}"
    may choose n in 1..2: say "never {n}"
    else: say "declined"
  finish drawn
"#,
        "",
    );
    for seat in [1, 2, 1, 1, 1, 1, 1, 1] {
        assert!(game.run_out_of_time(seat).is_some());
    }
    let told = [
        "first 1", "both 2 5", "any 3", "two 6", "yes", "no", "may 2", "declined",
    ];
    assert_eq!(game.said(), told);
}

#[test]
fn what_is_not_to_be_had_is_no_default() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose n in 1..3: say "{n}"
    choose n in 1..3 default where n > 3: say "{n}"
    may choose n in 1..3 default where n > 3: say "never"
    else: say "declined"
    choose "Which?":
      option one "One" if count_of > 0 default: say "one"
      option two "Two": say "two"
  finish drawn
"#,
        "",
    );
    for _ in 0..2 {
        assert_eq!(game.run_out_of_time(1), None);
        game.answer(1, "", json!({"n": 1}));
    }
    assert_eq!(game.run_out_of_time(1).unwrap()["option"], "decline");
    assert_eq!(game.run_out_of_time(1), None);
}

#[test]
fn in_secret_every_seat_has_its_own_default() {
    let mut game = begin(
        r#"
play: |
  each p in seats chooses n in 1..9 "How many?" default where n = index(seats, p) + 1
  each p in seats: say "{n[p]}"
  finish drawn
"#,
        "",
    );
    for seat in [2, 3, 1] {
        game.run_out_of_time(seat).unwrap();
    }
    assert_eq!(game.said(), ["2", "3", "4"]);
}

#[test]
fn spaces_chosen_one_after_the_other_are_a_path() {
    let sections = "zones:\n  space: {each: {at: 1..5}, track: at}\n";
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    choose a in space, b in space where b.at = a.at + 1: say "{a.at} {b.at}"
    choose c in deck, a in space where a.at = 1, b in space where b.at > a.at: say "{c.rank} {b.at}"
    choose a in space: say "{a.at}"
    choose c in deck, a in space: say "{a.at}"
  finish drawn
"#,
        sections,
    );
    for kind in ["path", "path", "pick", "pick"] {
        assert_eq!(game.decision(1)["kind"], kind);
        assert_eq!(game.decision(1)["name"].as_str().unwrap()[..4], *"play");
        game.answer_first(1);
    }
}

/// Each seat chooses one of several kinds of choice; what follows is done seat by seat, in the order of the list.
#[test]
fn options_are_chosen_in_secret_and_done_one_after_the_other() {
    let mut game = begin(
        r#"
play: |
  each p in seats: draw 1 from deck to hand(p)
  each p in seats_from(seat(2)) chooses "Strike, give or wait?":
    option strike "Strike {q} {n}" q in others(p), n in 1..2:
      mine[q] += n
      say "{index(seats, p)} strikes {index(seats, q)}"
    option give "Give {c}" any c in hand(p):
      say "{index(seats, p)} gives {count(c)} of {sum(c, .rank)}"
    option wait "Wait" if p != seat(1): say "{index(seats, p)} waits"
  say "{mine[seat(1)]} {mine[seat(2)]} {mine[seat(3)]}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.waiting(), [1, 2, 3]);
    assert_eq!((game.choices(1), game.choices(2)), (6, 7));
    game.answer(3, "give", json!({"c": ["card-4"]}));
    game.answer(1, "strike", json!({"q": 3, "n": 2}));
    assert_eq!(game.said(), Vec::<String>::new());
    game.answer(2, "wait", json!({}));
    let told = ["2 waits", "3 gives 1 of 4", "1 strikes 3", "0 0 2"];
    assert_eq!(game.said(), told);
}

#[test]
fn who_declines_one_of_several_secret_options_does_nothing() {
    let mut game = begin(
        r#"
play: |
  repeat 2 times:
    each p in [seat(1), seat(2)] may choose "What?":
      option add "Add {n}" n in 1..3: mine[p] += n
      option leave "Leave": say "{index(seats, p)} leaves"
    say "{mine[seat(1)]} {mine[seat(2)]}"
  finish drawn
"#,
        "",
    );
    game.answer(1, "add", json!({"n": 3}));
    game.answer(2, "decline", json!({}));
    game.answer(2, "leave", json!({}));
    game.answer(1, "decline", json!({}));
    assert_eq!(game.said(), ["3 0", "2 leaves", "3 0"]);
}

/// The first answer decides, and the decisions of the others end.
#[test]
fn the_first_of_several_seats_decides() {
    let mut game = begin(
        r#"
play: |
  each p in seats: draw 1 from deck to hand(p)
  repeat 2 times:
    any p in others(seat(1)) may choose c in hand(p) "Play one?":
      say "{index(seats, p)} plays {c.rank}"
      move c to row
    else: say "nobody plays"
  any p in seats chooses "Which?":
    option low "Low {n}" n in 1..2 if p != seat(3): say "{index(seats, p)} low {n}"
    option high "High" if p = seat(3): say "{index(seats, p)} high"
  ask any p in seats "Again?": say "{index(seats, p)} again"
  else: say "no more"
  ask any p in others(seat(2)) "Again?": say "{index(seats, p)} again"
  else: say "no more"
  mine[seat(2)] = 4
  ask any p in seats where mine[p] < 3 and p != seat(3) "You?": say "{index(seats, p)} asked"
  each p in seats where mine[p] > 3 chooses n in [7] "What?"
  say "{n[seat(2)]} {n[seat(1)]}"
  finish drawn
"#,
        "",
    );
    assert_eq!(game.waiting(), [2, 3]);
    game.answer(2, "decline", json!({}));
    assert_eq!(game.waiting(), [3]);
    game.answer(3, "", json!({"c": "card-4"}));
    assert_eq!(game.waiting(), [2]);
    game.answer(2, "decline", json!({}));
    assert_eq!(game.waiting(), [1, 2, 3]);
    game.answer(2, "low", json!({"n": 1}));
    for seat in [3, 1] {
        game.answer(seat, "no", json!({}));
    }
    game.answer(2, "yes", json!({}));
    game.answer(1, "no", json!({}));
    game.answer(3, "no", json!({}));
    assert_eq!(game.waiting(), [1]);
    game.yes(1);
    assert_eq!(game.waiting(), [2]);
    game.choose(2, "n", json!(7));
    let told = [
        "3 plays 4",
        "nobody plays",
        "2 low 1",
        "2 again",
        "no more",
        "1 asked",
        "7 0",
    ];
    assert_eq!(game.said(), told);
    assert!(game.is_over());
}

/// A seat without a choice gets a decision nevertheless, so that others learn nothing.
#[test]
fn seats_are_asked_in_any_case() {
    let mut game = begin(
        r#"
play: |
  draw 1 from deck to hand(seat(1))
  may choose c in hand(seat(2)) by seat(2) "One?" in any case: say "never"
  else: say "nothing"
  each p in seats may choose c in hand(p) "One?" in any case
  say "{c[seat(1)].rank} {c[seat(2)] is none}"
  any p in seats may choose c in hand(p) where c.rank < 6 in any case "One?": say "never"
  else: say "nobody"
  may choose c in hand(seat(2)) by seat(2) "One?": say "never"
  finish drawn
"#,
        "",
    );
    assert_eq!((game.waiting(), game.choices(2)), (vec![2], 1));
    game.answer(2, "decline", json!({}));
    assert_eq!(game.waiting(), [1, 2, 3]);
    game.answer(3, "decline", json!({}));
    game.answer(2, "decline", json!({}));
    game.answer(1, "", json!({"c": "card-6"}));
    assert_eq!(game.waiting(), [1, 2, 3]);
    for seat in [2, 1, 3] {
        game.answer(seat, "decline", json!({}));
    }
    assert_eq!(game.said(), ["nothing", "6 yes", "nobody"]);
    assert!(game.is_over());
}

/// How often each member is drawn, in one game of many draws.
#[test]
fn chance_weighs_members() {
    let told = said(
        r#"
play: |
  repeat 600 times:
    choose n in 1..4 where n != 3 at random weighted by n * n - 1
    mine[if n = 2 then seat(1) else if n = 4 then seat(2) else seat(3)] += 1
    choose c in deck at random weighted by if .rank > 4 then .rank - 4 else 0
    if c.rank = 6: count_of += 1
    if c.rank < 5: say "never"
  say "{mine[seat(1)] in 60..140} {mine[seat(2)] in 460..540} {mine[seat(3)]} {count_of in 350..450}"
  choose c in row at random weighted by 1: say "never"
  choose c in deck at random weighted by 0: say "never"
  finish drawn
"#,
        "",
    );
    assert_eq!(told, ["yes yes 0 yes"]);
}

/// Lists with repeated members: chance draws each of them once.
#[test]
fn chance_draws_several_of_a_list_with_repeated_members() {
    let told = said(
        r#"
play: |
  let twice = 0
  repeat 300 times:
    choose 2 n in [1, 1, 1, 2] at random
    if sum(n) = 2: twice += 1
    if count(n) != 2 or sum(n) > 3: say "never"
  say "{twice in 110..190}"
  finish drawn
"#,
        "",
    );
    assert_eq!(told, ["yes"]);
}

/// Numbers alone would say nothing.
#[test]
fn captions_without_labels_say_where_things_go_and_how_they_turn() {
    let mut game = begin(
        r#"
play: |
  move tile(2) to land at origin
  turn of seat(1):
    choose c in deck where .rank = 1, s in spot: move c to s
    choose a in spot where it is not empty, b in spot where it is empty: move top(a) to b
    choose c in land.free_cells, r in 0..3: move tile(1) to land at c turned r
    choose i in 1..2, k in 1..2: say "{i} {k}"
  finish drawn
"#,
        "
zones: {spot: {each: {number: 1..2}, holds: card}, land: {grid: open, holds: tile}}
components: {tile: {each: {number: 1..2}}}
",
    );
    for caption in ["card 1 → spot 2", "spot 2 → spot 1", "-1,0 ↻180°", "1, 2"] {
        let doc = game.decision(1);
        let choices = doc["choices"].as_array().unwrap();
        let labels = choices.iter().map(|choice| choice["label"].clone());
        let labels: Vec<_> = labels.collect();
        let at = labels.iter().position(|label| label == caption);
        let at = at.unwrap_or_else(|| panic!("{caption}: {labels:?}"));
        game.try_answer(1, "", choices[at]["args"].clone()).unwrap();
    }
}
