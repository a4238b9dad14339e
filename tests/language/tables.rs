//! Tables in `data`: rows as values, columns as fields, and kinds made from rows.

use serde_json::json;
use wyrmgate::engine::Viewer;

use crate::play::{begin, said};

const SPELLS: &str = r#"
types:
  element: [fire, ice]
data:
  base: 2
  spells:
    - {spell: gust, title: A Gust, cost: base, of: ice, quick: true, hits: [1, 2], copies: 2}
    - {spell: bolt, title: "", cost: 5, of: fire, quick: false, hits: [], copies: 1}
    - {spell: wave, title: Wave, cost: 3 * base, of: ice, quick: true, hits: [4], copies: if base > 1 then 3 else 0}
  cheap: spells where .cost < 6
zones:
  pile: {each: {of: spells}, holds: charm, capacity: of.copies}
  attic: {holds: charm}
components:
  charm:
    from: spells
    in: pile(spell)
    fields: {dear: false}
    kinds:
      bolt: {fields: {dear: true}, queries: {worth(int n): n + me.cost}}
      curse: {in: attic}
    queries:
      worth(int n): n
vars:
  known: {each: spells, type: bool}
queries:
  costs(spells s): s.cost
"#;

#[test]
fn rows_are_values_whose_cells_are_fields() {
    let told = said(
        r#"
play: |
  each s in spells where s.cost > 2: say "{s}: {s.cost} {s.of} {s.quick} {count(s.hits)}"
  say "{spells[gust].cost} {spells[3].cost} {costs(spells[wave])} {sum(spells, .cost)} {max(spells.cost)}"
  say "{count(cheap)} {sum(cheap.hits)} {spells[9].cost} {spells[9].of is none}"
  known[bolt] = true
  let s = first(spells where known[it])
  if s is bolt and s.spell = bolt and s.known: say "{s} is known"
"#,
        SPELLS,
    );
    let expected = [
        "bolt: 5 fire no 0",
        "Wave: 6 ice yes 1",
        "2 6 6 13 6",
        "2 3 0 yes",
        "bolt is known",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_family_from_a_table_has_a_kind_for_each_row() {
    let told = said(
        r#"
play: |
  say "{count(charms)} {count(gusts)} {count(bolts)} {count(waves)} {count(curses)}"
  each p in pile: say "{p.of}: {count(p)} of {p.of.copies}, {top(p).cost} {top(p).of} {top(p).quick} {top(p).dear}"
  say "{gust(2).spell} {sum(charms, .worth(1))} {top(attic) is curse} {sum(waves.hits)}"
  if top(pile(bolt)) is bolt and top(pile(bolt)).spell = bolt and bolt.spell in [bolt, gust]: say "alike"
"#,
        SPELLS,
    );
    let expected = [
        "7 2 1 3 1",
        "A Gust: 2 of 2, 2 ice yes no",
        "bolt: 1 of 1, 5 fire no yes",
        "Wave: 3 of 3, 6 ice yes no",
        "A Gust 12 yes 12",
        "alike",
    ];
    assert_eq!(told, expected);
}

#[test]
fn rows_can_be_chosen_and_are_seen() {
    let mut game = begin(
        r#"
play: |
  choose s in spells where s.quick by seat(1) label "Cast {s} for {s.cost}" "Which?": known[s] = true
"#,
        SPELLS,
    );
    let labels = game.decision(1)["choices"].clone();
    let labels = labels.as_array().unwrap().iter();
    let labels: Vec<_> = labels.map(|choice| choice["label"].clone()).collect();
    assert_eq!(
        labels,
        [json!("Cast A Gust for 2"), json!("Cast Wave for 6")]
    );
    game.choose(1, "s", json!("wave"));
    let known = game.var("known", Viewer::Public);
    assert_eq!(known, json!({"gust": false, "bolt": false, "wave": true}));
}

#[test]
fn zones_beside_components_are_what_lies_in_them() {
    let told = said(
        r#"
play: |
  draw 2 from deck to hand(seat(1))
  draw 1 from deck to hand(seat(2))
  say "{count(deck + hand)} {count(hand + row)} {sum(row + hand, .rank)} {count(deck - hand)} {count(hand)}"
  each c in hand + deck where c.rank < 2: say "{c.rank}"
"#,
        "",
    );
    assert_eq!(told, ["6 3 15 3 3", "1"]);
}

#[test]
fn a_record_is_revealed_with_all_of_its_parts() {
    let told = said(
        r#"
play: |
  secret = wager(seat(2), 4)
  let w = revealed(secret)
  say "{w.amount} {revealed(secret).amount} {revealed(secret, seat(1)).by}"
  if revealed(secret) = wager(seat(2), 4): say "equal"
"#,
        "
types:
  wager: {by: seat, amount: int}
vars:
  secret: {type: wager, see: nobody}
",
    );
    assert_eq!(told, ["4 4 seat 2", "equal"]);
}
