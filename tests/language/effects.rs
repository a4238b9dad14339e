//! Effects and queries: how they are called, lists passed on, kinds asked, cards that copy others.

use serde_json::json;

use crate::play::{begin, said};

const KINDS: &str = r#"
zones:
  book: {holds: spell}
components:
  spell:
    in: book
    queries:
      power: 1
      reach(int n): me.power * n
    kinds:
      bolt:
        queries: {power: 3}
        effects: {cast(seat p): 'say "bolt {index(seats, p)}"'}
      heal:
        queries: {reach(int n): 2}
        effects: {cast(seat p): 'say "heal {index(seats, p)}"'}
      mirror:
        queries: {reach(int n): 0}
        effects:
          cast(seat p): |
            choose s in spells where s is not mirror by active "Which spell?"
            s.cast(p)
queries:
  strong(spell s): s.power > 2
"#;

#[test]
fn lists_are_passed_on_and_outlive_what_they_were_made_of() {
    let told = said(
        r#"
play: |
  let low = deck where .rank < 4
  move low to row
  pass low on 2
  pass [] on 1
pass(cards cs, int n): say "{n} {count(cs)} {sum(cs, .rank)}"
pass cards cs on int n: |
  let twice = cs + cs
  each i in 1..n: pass(twice, i)
  if n > 1: pass cs on n - 1
"#,
        "",
    );
    assert_eq!(told, ["1 6 12", "2 6 12", "1 6 12", "1 0 0"]);
}

#[test]
fn what_is_written_on_backs_is_told_where_they_can_be_read() {
    let sections = r#"
zones:
  pile: {holds: note, see: nobody}
  table: {holds: note}
components:
  note: {copies: 3, in: pile, back: [mark], fields: {mark: int, secret: int}}
"#;
    let game = begin(
        r#"
play: |
  each n in notes: n.mark = 7
  each n in notes: n.secret = 8
  move note(3) to table face down
  note(3).mark = 9
  choose k in 1..2
"#,
        sections,
    );
    let told = game.all_told("set");
    let marks = told.iter().map(|set| (&set["component"], &set["value"]));
    assert!(marks.eq([
        (&json!("pile#3"), &json!(7)),
        (&json!("table#1"), &json!(9))
    ]));
}

#[test]
fn a_card_does_what_another_card_does() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    mirror.cast(seat(1))
    each s in spells: s.cast(seat(3))
  finish drawn
"#,
        KINDS,
    );
    assert_eq!(game.choices(1), 2);
    game.choose(1, "s", json!("bolt"));
    assert_eq!(game.said(), ["bolt 1", "bolt 3", "heal 3"]);
    game.choose(1, "s", json!("heal"));
    assert_eq!(game.said()[3..], ["heal 3"]);
    assert!(game.is_over());
}

#[test]
fn queries_of_kinds_answer_by_kind_and_family() {
    let told = said(
        r#"
play: |
  each s in spells: say "{s.power} {s.reach(2)} {s is strong}"
  let nobody = the(spells where .power > 90)
  say "{nobody.power} {nobody.reach(2)} {nobody is strong}"
"#,
        KINDS,
    );
    assert_eq!(told, ["3 6 yes", "1 2 no", "1 0 no", "0 0 no"]);
}

#[test]
fn a_stack_that_changes_its_owner_takes_its_cards_along() {
    let told = said(
        r#"
play: |
  move card(1) to stack(1).cards
  move card(4) to stack(1).cards
  move stack(1) to area(seat(1))
  say "{card(4).holder.area.owner = seat(1)} {top(stack(1).cards).rank}"
  move area(seat(1)) to area(seat(2))
  say "{sum(area(seat(2)), count(.cards))} {card(1).holder = stack(1)} {area(seat(1)) is empty}"
  move stack(1) to box
  say "{count(stack(1).cards)}"
"#,
        "zones:\n  area: {each: {owner: seats}, holds: stack}\ncomponents:\n  stack: {copies: 2, holds: {cards: card}}\n",
    );
    assert_eq!(told, ["yes 4", "2 yes yes", "2"]);
}

#[test]
fn parameters_are_copies() {
    let told = said(
        r#"
play: |
  let n = 3
  grow(n)
  say "{n}"
grow(int n): |
  n += 1
  say "{n}"
"#,
        "",
    );
    assert_eq!(told, ["4", "3"]);
}

#[test]
fn a_query_in_a_filter_in_a_query_keeps_its_names_apart() {
    let told = said(
        r#"
play: |
  say "{sum(pairs(3), .rank)} {count(cards where above(it, cards) = 2)} {best([4, 9, 2])} {best([])}"
"#,
        r#"
queries:
  pairs(int n): cards where some c in cards has c.rank + it.rank = n
  above(card c, cards cs): count(cs where .rank > c.rank)
  best(ints ns): max(ns, if some m in ns has m > it then 0 else it)
"#,
    );
    assert_eq!(told, ["3 1 9 0"]);
}

/// Runes in the order 3, 1, 2 in a zone that is seen like this, all moved elsewhere: the order in which they come there.
fn gone_through(see: &str) -> Vec<String> {
    let sections = format!(
        r#"
zones:
  bag: {{holds: rune{see}}}
  stone: {{holds: rune}}
  chest: {{holds: rune}}
components:
  rune: {{each: {{power: 1..3}}, in: chest}}
queries:
  bagged: runes where .zone = bag
"#
    );
    let effects = r#"
play: |
  each n in [3, 1, 2]: move rune(n) to bag
  each r in bagged: say "{r.power}"
  move runes where .zone = bag to stone
  each r in stone: say "{r.power}"
"#;
    said(effects, &sections)
}

#[test]
fn what_is_hidden_is_gone_through_as_it_lies() {
    assert_eq!(gone_through(""), ["1", "2", "3", "1", "2", "3"]);
    assert_eq!(
        gone_through(", see: nobody"),
        ["3", "1", "2", "3", "1", "2"]
    );
}

#[test]
fn nobody_else_is_told_where_in_a_hand_a_card_was() {
    let sections = r#"
zones:
  fist: {each: {owner: seats}, holds: rune, see: owner}
  veil: {holds: rune, see: nobody}
components:
  rune: {each: {power: 1..3}, in: fist(seat(1))}
"#;
    let game = begin(
        "play: |\n  move rune(2) to veil\n  choose k in 1..2",
        sections,
    );
    let told = game.all_told("moved");
    assert_eq!(told[0]["from"], "fist-1");
    assert_eq!(
        (&told[0]["component"], &told[0]["from_place"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(told[0]["to_place"], json!(1));
}

/// Returns the hands of the seats, which begin with one, two and three cards, after these lines.
fn hands_after(lines: &str, sections: &str) -> Vec<String> {
    let effects = format!(
        r#"
play: |
  move [card(1)] to hand(seat(1))
  move [card(2), card(3)] to hand(seat(2))
  move [card(4), card(5), card(6)] to hand(seat(3))
  turn card(2) face down
  {}
  each p in seats: say "{{keys(hand(p), .rank)}}"
"#,
        lines.replace('\n', "\n  ")
    );
    said(&effects, sections)
}

#[test]
fn zones_of_a_list_pass_their_contents_on_at_the_same_time() {
    let left = ["4, 5, 6", "1", "2, 3"];
    assert_eq!(hands_after("rotate hand", ""), left);
    let right = ["2, 3", "4, 5, 6", "1"];
    assert_eq!(hands_after("rotate reversed(hand)", ""), right);
    assert_eq!(
        hands_after("rotate hand; rotate hand; rotate hand", ""),
        ["1", "2, 3", "4, 5, 6"]
    );
    let two = "rotate keys(seats where index(seats, it) < 3, hand(it))";
    assert_eq!(hands_after(two, ""), ["2, 3", "1", "4, 5, 6"]);
}

#[test]
fn what_is_passed_on_keeps_its_face_and_a_zone_passes_on_once() {
    let faces = "rotate [hand(seat(1)), hand(seat(2)), hand(seat(1))]\nsay \"{count(hand(seat(1)) where it is face_down)}\"";
    assert_eq!(hands_after(faces, "")[0], "1");
    let with_none = "rotate [hand(seat(1)), hand(seat(9)), hand(seat(2))]";
    assert_eq!(hands_after(with_none, ""), ["2, 3", "1", "4, 5, 6"]);
}

#[test]
fn contents_that_do_not_fit_stay_and_so_do_all_others() {
    let sections = r#"
zones:
  small: {each: {at: 1..2}, capacity: 2}
  nest: {}
components:
  stack: {copies: 2, holds: {inside: card}, in: nest}
"#;
    let stay = ["1", "2, 3", "4, 5, 6"];
    let small = "rotate [hand(seat(1)), hand(seat(3)), small(1)]";
    assert_eq!(hands_after(small, sections), stay);
    let fits = "rotate [hand(seat(2)), small(1)]";
    assert_eq!(hands_after(fits, sections), ["1", "none", "4, 5, 6"]);
    let inside = "rotate [hand(seat(1)), nest, stack(2).inside]";
    assert_eq!(hands_after(inside, sections), stay);
}

#[test]
fn handlers_meet_a_rotation_as_a_whole() {
    let sections = r#"
handlers:
  before rotate(zones z): {if: count(z) = 2, do: prevent}
  after rotate(zones z): say "{count(z)}"
"#;
    let told = hands_after(
        "rotate hand\nrotate [hand(seat(1)), hand(seat(2))]",
        sections,
    );
    assert_eq!(told, ["3", "4, 5, 6", "1", "2, 3"]);
}

#[test]
fn an_effect_returns_a_result_to_a_let() {
    let mut game = begin(
        r#"
play: |
  turn of seat(1):
    let n = bid(seat(1))
    let many = stands(n)
    let few = stands(1)
    say "{n} {many} {few} {count_of}"
    let who = nobody(3)
    if who is none: say "nobody"
    let next = nobody(1)
    let all = sum_down(4)
    say "{all} {next = seat(2)}"
  finish drawn
int bid(seat p): |
  choose n in 1..3 by p "How many?"
  return n
bool stands(int n): |
  count_of += n
  as seat(2):
    if n > 1: return true
seat nobody(int n): |
  let few = stands(1)
  if n = 2: return
  if n = 1: return seat(2)
int sum_down(int n): |
  if n < 1: return 0
  let rest = sum_down(n - 1)
  return rest + n
"#,
        "",
    );
    game.answer(1, "", json!({"n": 3}));
    assert_eq!(game.said(), ["3 yes no 4", "nobody", "10 yes"]);
}

/// Code after a condition that does not hold is not run.
#[test]
fn results_are_conditions() {
    let told = said(
        r#"
play: |
  count_of = 0
  if stands(1) and stands(2) and not stands(3): say "never"
  else: say "{count_of}"
  if count_of = 0 and stands(100): say "never"
  else if not stands(1): say "{count_of}"
  if passes_on(2) [TT-01]: say "{count_of}"
  repeat 2 times:
    if not stands(4): next
    say "{count_of}"
  finish drawn
bool stands(int n): |
  count_of += n
  return n > 1
bool passes_on(int n): |
  if n = 5: return not stands(n)
  return stands(n)
"#,
        "clauses: {TT-01: One.}\n",
    );
    assert_eq!(told, ["1", "2", "4", "8", "12"]);
}
