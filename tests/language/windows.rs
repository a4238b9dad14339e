//! Deals: a decision of several seats that stays open until all decline; proposals that are records with bundles.

use serde_json::json;
use wyrmgate::engine::Viewer;

use crate::play::{Game, NotTaken, begin, said};

const WORLD: &str = r#"
types:
  good: [wood, ore]
  goods: bundle of good
  deal: {by: seat, gives: goods, wants: goods}
vars:
  owned: {each: seats, type: goods, start: 2 wood + 2 ore}
  offers: {type: deals, most: 6}
  standing: {type: deal, start: "deal(seat(2), 2 wood, 1 ore)"}
  noted: {each: {of: seats, on: good}, type: deal, see: viewer = of}
  lines: {type: deals, most: 2, start: "[deal(seat(1), 1 wood, 2 ore), deal(seat(3), 3 ore, 1 wood)]"}
queries:
  mirrored(deal d): deal(d.by, d.wants, d.gives)
"#;

const MARKET: &str = r#"
play: |
  any p in seats may choose "Deal?" until all decline up to 4 times:
    option offer "{b} for {w}" 1 b in owned[p], up to 2 w in goods: offers += deal(p, b, w)
    option take "{o.gives} for {o.wants}" o in offers where .by != p and .wants <= owned[p] and .gives <= owned[.by]:
      offers -= o
      owned[p] += o.gives
      owned[o.by] -= o.gives
      owned[p] -= o.wants
      owned[o.by] += o.wants
    option withdraw "Withdraw" o in offers where .by = p: offers -= o
    option close "Close" if p = seat(1): stop
  else: say "no deals"
  say "{owned[seat(1)]} | {owned[seat(2)]} | {count(offers)} open"
  choose n in 1..2 by seat(1)
"#;

fn ore() -> serde_json::Value {
    json!({"wood": 0, "ore": 1})
}

fn offer(game: &mut Game, seat: u8) {
    let wants = json!({"wood": 2, "ore": 0});
    game.answer(seat, "offer", json!({"b": ore(), "w": wants}));
}

#[test]
fn anybody_offers_takes_and_withdraws_until_all_decline() {
    let mut game = begin(MARKET, WORLD);
    assert_eq!(game.waiting(), [1, 2, 3]);
    game.answer(2, "decline", json!({}));
    assert_eq!(game.waiting(), [1, 3]);
    offer(&mut game, 3);
    assert_eq!(game.waiting(), [1, 2, 3], "all are asked again");
    let open = json!([{"by": 3, "gives": {"wood": 0, "ore": 1}, "wants": {"wood": 2, "ore": 0}}]);
    assert_eq!(game.var("offers", Viewer::Public), open);
    let taken = game.decision(1)["choices"].as_array().unwrap().clone();
    let taken = taken.iter().find(|choice| choice["option"] == "take");
    assert_eq!(taken.unwrap()["label"], "1 ore for 2 wood");
    game.answer(1, "take", json!({"o": 1}));
    assert_eq!(game.var("offers", Viewer::Public), json!([]));
    for seat in [1, 2, 3] {
        game.answer(seat, "decline", json!({}));
    }
    assert_eq!(game.said(), ["3 ore | 2 wood, 2 ore | 0 open"]);
}

#[test]
fn a_window_ends_by_its_limit_by_stop_or_because_nobody_wants_anything() {
    let mut game = begin(MARKET, WORLD);
    (0..4).for_each(|_| offer(&mut game, 2));
    assert_eq!(game.said(), ["2 wood, 2 ore | 2 wood, 2 ore | 4 open"]);
    let mut game = begin(MARKET, WORLD);
    offer(&mut game, 3);
    game.answer(1, "close", json!({}));
    assert_eq!(game.said(), ["2 wood, 2 ore | 2 wood, 2 ore | 1 open"]);
    let mut game = begin(MARKET, WORLD);
    for seat in [3, 1, 2] {
        game.answer(seat, "decline", json!({}));
    }
    assert_eq!(game.said()[0], "no deals");
}

#[test]
fn only_open_offers_can_be_taken_or_withdrawn() {
    let mut game = begin(MARKET, WORLD);
    offer(&mut game, 2);
    for (seat, option, number) in [
        (2, "take", 1),
        (1, "withdraw", 1),
        (1, "take", 2),
        (3, "take", 0),
        (2, "close", 1),
    ] {
        let args = json!({"o": number});
        let refused = game.try_answer(seat, option, args);
        assert!(matches!(refused, Err(NotTaken::Rejected(_))), "{option}");
    }
    game.answer(2, "withdraw", json!({"o": 1}));
    assert_eq!(game.var("offers", Viewer::Public), json!([]));
}

#[test]
fn a_seat_whose_time_is_up_declines_and_one_that_resigned_is_not_asked() {
    let mut game = begin(MARKET, WORLD);
    for seat in [1, 2, 3] {
        assert_eq!(
            game.run_out_of_time(seat).unwrap()["option"],
            json!("decline")
        );
    }
    assert_eq!(game.said()[0], "no deals");
    let mut game = begin(
        &format!("{MARKET}resigns(seat p): owned[p] = none\n"),
        WORLD,
    );
    offer(&mut game, 1);
    assert!(game.resign(3, 0));
    assert_eq!(game.waiting(), [1, 2]);
}

#[test]
fn a_limit_of_each_seat_leaves_the_others_theirs() {
    let limited = MARKET.replace("up to 4 times", "up to 2 times each");
    let mut game = begin(&limited, WORLD);
    offer(&mut game, 2);
    offer(&mut game, 2);
    assert_eq!(game.waiting(), [1, 3], "the other two may still choose");
    offer(&mut game, 3);
    offer(&mut game, 1);
    assert_eq!(game.waiting(), [1, 3]);
    offer(&mut game, 3);
    offer(&mut game, 1);
    assert_eq!(game.said(), ["2 wood, 2 ore | 2 wood, 2 ore | 6 open"]);
}

#[test]
fn bids_rise_as_long_as_anybody_wants() {
    let mut game = begin(
        r#"
play: |
  let price = 0
  any p in seats may choose n in price + 1..5 until all decline up to 9 times "More?":
    price = n
    say "{p}: {n}"
  choose n in 1..2 by seat(1)
"#,
        WORLD,
    );
    game.choose(2, "n", json!(2));
    game.choose(1, "n", json!(4));
    game.choose(3, "n", json!(5));
    assert_eq!(game.waiting(), [1]);
    assert_eq!(game.said(), ["seat 2: 2", "seat 1: 4", "seat 3: 5"]);
}

#[test]
fn a_part_of_a_record_is_a_bundle() {
    let told = said(
        r#"
play: |
  say "{standing.gives}; {standing.wants}; {standing.gives.wood} {standing.gives[ore]}"
  standing.gives += 1 ore
  standing.wants.ore += 2
  say "{standing.gives}; {standing.wants}; {sum(standing.gives)}"
  let other = mirrored(standing)
  other.gives -= 2 ore
  say "{other.gives}; {other.wants}; {2 wood + 1 ore <= other.wants}"
  offers = lines
  offers += other
  offers[2].wants = 2 wood + 2 ore
  offers[1].gives.wood += 4
  say "{offers[1].gives}; {offers[2].wants}; {last(offers).gives}; {count(offers where .gives.ore > 0)}"
  each o in offers where 1 wood <= o.wants: say "{o.by}: {o.gives}"
  offers -= deal(seat(3), 3 ore, 2 wood + 2 ore)
  noted[seat(2)][ore] = offers[1]
  noted[seat(2)][ore].gives -= 5 wood
  say "{count(offers)} {noted[seat(2)][ore].wants} {noted[seat(2)][ore].gives} {noted[seat(1)][wood] is none}"
"#,
        WORLD,
    );
    let wanted = [
        "2 wood; 1 ore; 2 0",
        "2 wood, 1 ore; 3 ore; 3",
        "1 ore; 2 wood, 1 ore; yes",
        "5 wood; 2 wood, 2 ore; 1 ore; 2",
        "seat 3: 3 ore",
        "seat 2: 1 ore",
        "2 2 ore none yes",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn bundles_in_records_are_seen_like_the_record() {
    let game = begin(
        "play: |\n  noted[seat(2)][ore] = standing\n  choose n in 1..2 by seat(1)\n",
        WORLD,
    );
    let all = json!({"by": 2, "gives": {"wood": 2, "ore": 0}, "wants": {"wood": 0, "ore": 1}});
    assert_eq!(game.var("standing", Viewer::Public), all);
    assert_eq!(game.var("noted-2", Viewer::Seat(1))["ore"], all);
    assert!(
        game.var("noted-2", Viewer::Seat(0))
            .to_string()
            .find('2')
            .is_none()
    );
}

#[test]
fn what_is_hidden_in_an_offer_stays_hidden() {
    let mut game = begin(
        r#"
play: |
  move card(4) to fan(seat(2))
  any p in seats may choose c in fan(p) "Offer it?" until all decline up to 3 times: on_table += lot(p, c)
  choose n in 1..2 by seat(1)
"#,
        r#"
types:
  lot: {by: seat, what: card}
zones:
  fan: {each: {owner: seats}, holds: card, see: owner}
vars:
  on_table: {type: lots, most: 3}
"#,
    );
    game.choose(2, "c", json!("card-4"));
    let own = game.var("on_table", Viewer::Seat(1));
    assert_eq!(own, json!([{"by": 2, "what": "card-4"}]));
    for viewer in [Viewer::Seat(0), Viewer::Public] {
        let seen = game.var("on_table", viewer);
        assert_eq!(seen[0]["by"], 2);
        assert!(!seen.to_string().contains("card-4"), "{seen}");
    }
    let told = game.told("chose").to_string();
    assert!(!told.contains("card-4"), "{told}");
}
