//! Bundles: how many of each value of a type.

use serde_json::{Value, json};
use wyrmgate::engine::{FaultKind, Viewer};
use wyrmgate::picture::{self, Sight};
use wyrmgate::program::Language;
use wyrmgate::view::view;

use crate::play::{NotTaken, begin, said, try_begin};

const WORLD: &str = r#"
types:
  good: [wood, ore, wool]
  cargo: bundle of good
data:
  road: 1 wood + 1 ore
  prices: "[2 wood, 3 ore + 1 wool, 2 * road]"
vars:
  bank: {type: cargo, start: 5 wood + 4 ore}
  hold: {each: seats, type: cargo}
  first_ones: {each: seats, type: cargo, start: "[1 wood, 2 ore, 0 wool]"}
  trades: {type: cargos, most: 3}
  offers: {each: {from: seats, to: good}, type: cargo}
components:
  ship: {each: {number: 1..3}, fields: {price: "prices[number]", worth: sum(price)}}
queries:
  dearer(cargo a, cargo b): if sum(a) >= sum(b) then a else b
  rest(cargo b): bank - b
  needs(cargo b, good g): max(0, 2 - b[g])
effects:
  seat p pays cargo b: hold[p] -= b
  cargo gift(seat p): return hold[p] + 1 wool
"#;

#[test]
fn bundles_are_added_compared_and_read_in_one_line() {
    let told = said(
        r#"
play: |
  say "{bank}; {hold[seat(1)]}; {bank.wood} {bank[ore]} {sum(bank)} {count(bank)}"
  hold[seat(1)] = 2 wood + 1 ore + 3 wool
  hold[seat(1)] += road
  seat(1) pays 1 wood
  seat(1) pays 1 wool + 1 ore
  say "{hold[seat(1)]}"
  hold[seat(1)].wool += 2
  hold[seat(1)][ore] = 7
  each g in good: hold[seat(1)][g] -= 1
  say "{hold[seat(1)]}; {2 * road + 1 wool}; {rest(road)}"
  say "{road <= bank} {bank <= road} {bank >= road} {2 wood = road} {road - 1 wood - 1 ore = none} {road - road is empty}"
  let b = dearer(road, prices[2])
  b.wood += 9
  say "{b} {needs(b, wood)} {needs(b, ore) + needs(b, wool)} {wool in b} {wood in road} {wool in road}"
  let got = gift(seat(1))
  say "{got}; {cargo([ore, ore, wood])}; {road <= cargo([ore, wood])}; {cargo([wool]) <= road}"
  say "{ship(1).price} {ship(2).price.ore} {ship(3).price[wood]} {ship(2).worth}; {first_ones[seat(2)]}"
  trades += road
  trades += 2 wool
  trades[1].wood += 1
  say "{count(trades)} {sum(trades.wood)} {first(trades)} {(2 wool) in trades}"
  offers[seat(1)][ore] = 3 wood
  offers[seat(1)][ore][wool] += 1
  say "{offers[seat(1)][ore]} {offers[seat(2)][ore]}"
"#,
        WORLD,
    );
    let wanted = [
        "5 wood, 4 ore; none; 5 4 9 2",
        "2 wood, 1 ore, 2 wool",
        "1 wood, 6 ore, 3 wool; 2 wood, 2 ore, 1 wool; 4 wood, 3 ore",
        "yes no yes no yes yes",
        "9 wood, 3 ore, 1 wool 0 1 yes yes no",
        "1 wood, 6 ore, 4 wool; 1 wood, 2 ore; yes; no",
        "2 wood 3 2 4; 2 ore",
        "2 2 2 wood, 1 ore yes",
        "3 wood, 1 wool none",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn taking_more_than_there_is_is_a_fault_with_its_place() {
    for (line, place) in [
        ("bank -= 6 wood", "bank -= 6 wood"),
        ("bank.ore -= 5", "bank.ore -= 5"),
        ("bank[wood] = bank.wool - 1", "bank[wood] = bank.wool - 1"),
        ("let b = bank - 2 * prices[2]", "bank - 2 * prices[2]"),
        ("let b = (bank.wool - 1) * wood", "(bank.wool - 1) * wood"),
    ] {
        let begun = try_begin(&format!("play: {line}"), WORLD);
        let (fault, text) = begun.err().unwrap();
        assert_eq!(fault.kind, FaultKind::Lacking, "{line}");
        assert_eq!(text, place, "{line}");
    }
    let begun = try_begin("play: |\n  let n = 2147483647\n  bank += n * wood", WORLD);
    assert_eq!(begun.err().unwrap().0.kind, FaultKind::Overflow);
}

/// Returns the bundles that can be chosen.
fn choices(binder: &str) -> Vec<Value> {
    let game = begin(
        &format!("play: |\n  choose {binder} by seat(1)\n  say \"{{b}}\"\n"),
        WORLD,
    );
    if game.waiting().is_empty() {
        return Vec::new();
    }
    let decision = game.decision(1);
    let choices = decision["choices"].as_array().unwrap().iter();
    choices.map(|choice| choice["args"]["b"].clone()).collect()
}

#[test]
fn a_part_of_a_bundle_is_chosen_once_whatever_the_order() {
    let all = choices("3 b in 2 wood + 1 ore + 5 wool where b.wool < 2");
    let wanted = [
        json!({"wood": 1, "ore": 1, "wool": 1}),
        json!({"wood": 2, "ore": 0, "wool": 1}),
        json!({"wood": 2, "ore": 1, "wool": 0}),
    ];
    assert_eq!(all, wanted);
    assert_eq!(choices("any b in 2 wood + 1 ore").len(), 6);
    assert_eq!(choices("up to 2 b in bank").len(), 6);
    assert_eq!(choices("2 b in cargo").len(), 6);
    assert_eq!(
        choices("2 b in cargo where b <= bank and wood in b").len(),
        2
    );
    assert_eq!(choices("10 b in bank").len(), 0);
}

#[test]
fn players_see_and_send_bundles_as_objects() {
    let mut game = begin(
        r#"
play: |
  choose up to 2 b in bank by seat(1)
  hold[seat(1)] = b
  say "{b}"
  choose up to 1 c in bank by seat(1)
"#,
        WORLD,
    );
    let bank = game.var("bank", Viewer::Public);
    assert_eq!(bank, json!({"wood": 5, "ore": 4, "wool": 0}));
    for (bundle, told) in [
        (json!({"gold": 1}), "`b` has no `gold`"),
        (json!(["wood"]), "`b` is an object of numbers"),
        (
            json!({"wood": "two"}),
            "\"two\" cannot be chosen as `b.wood`",
        ),
    ] {
        let refused = game.try_answer(1, "", json!({ "b": bundle })).unwrap_err();
        let NotTaken::Rejected(refused) = refused else {
            panic!("a fault");
        };
        assert_eq!(refused.message, told);
    }
    game.try_answer(1, "", json!({"b": {"wood": 3}}))
        .unwrap_err();
    game.answer(1, "", json!({"b": {"wood": 1, "ore": 1}}));
    assert_eq!(game.said(), ["1 wood, 1 ore"]);
    let hold = game.var("hold", Viewer::Public);
    assert_eq!(hold[0], json!({"wood": 1, "ore": 1, "wool": 0}));
    let chose = game.told("chose");
    assert_eq!(chose["args"]["b"], json!({"wood": 1, "ore": 1, "wool": 0}));
}

#[test]
fn each_seat_chooses_a_bundle_in_secret() {
    let mut game = begin(
        r#"
play: |
  each p in seats chooses 1 b in 2 wood
  each p in seats: hold[p] += b[p] + 1 ore
  say "{b[seat(2)]} and {hold[seat(1)]}"
"#,
        WORLD,
    );
    for seat in 1..=3 {
        game.answer(seat, "", json!({"b": {"wood": 1}}));
    }
    assert_eq!(game.said(), ["1 wood and 1 wood, 1 ore"]);
}

#[test]
fn choices_without_a_label_name_what_they_take_by_its_title() {
    let goods = WORLD.replace(
        "good: [wood, ore, wool]",
        "good: {wood: {title: Timber}, ore: {title: Raw ore}, wool: {}}",
    );
    let labels = |sections: &str, binder: &str| {
        let game = begin(
            &format!("play: |\n  choose {binder} by seat(1)\n  say \"x\"\n"),
            sections,
        );
        let choices = game.decision(1)["choices"].clone();
        let choices = choices.as_array().unwrap().iter();
        choices
            .map(|choice| choice["label"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        labels(&goods, "any b in 1 wood + 1 ore"),
        ["none", "1 Raw ore", "1 Timber", "1 Timber, 1 Raw ore"]
    );
    assert_eq!(
        labels(&goods, "any b in 1 wool, n in 1..2"),
        ["none, 1", "none, 2", "1 wool, 1", "1 wool, 2"]
    );
    let rows = "
types: {book: bundle of spells}
data: {spells: [{spell: fog, title: Thick fog}, {spell: hail, title: Hail}]}
";
    assert_eq!(
        labels(rows, "1 b in 1 fog + 1 hail"),
        ["1 Hail", "1 Thick fog"]
    );
}

#[test]
fn lists_of_bundles_and_backs_are_drawn_in_words() {
    let crates = "zones: {yard: {holds: crate}}\ncomponents:\n  crate: {each: {of: good}, in: yard, fields: {toll: 2 * of}, back: [toll]}\n";
    let sections = WORLD.replace("components:\n", crates).replace(
        "  offers:",
        "  spare: {each: seats, type: cargos, most: 2}\n  offers:",
    );
    let game = begin(
        r#"
play: |
  turn crates face down
  trades += road
  trades += 3 wool
  spare[seat(2)] += 2 ore
  choose n in 1..2 by seat(1)
  finish drawn
"#,
        &sections,
    );
    let view = view(game.program(), game.state(), Viewer::Seat(0));
    let sight = Sight::of(game.program(), &view, Language::default());
    let drawn = picture::text(&sight, 200);
    for part in ["trades 1 wood, 1 ore; 3 wool", "spare 2 ore", "toll 2 wood"] {
        assert!(drawn.contains(part), "no `{part}` in\n{drawn}");
    }
    assert!(!drawn.contains("{\""), "{drawn}");
}
