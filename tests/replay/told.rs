//! References to hidden components: events and views name one the same way, and never by its place in a hand.

use std::sync::Arc;

use serde_json::{Value, json};
use wyrmgate::engine::{self, Collect, Event, Seeded, State, Viewer};
use wyrmgate::program::Program;
use wyrmgate::view::event_with_label;

use super::written;

/// A game for two with a deck, hands and a row; `more` are declarations of its own, `play` what seat 1 does.
fn game(more: &str, play: &str) -> Arc<Program> {
    written(&format!(
        "players: [2]\nbound: 50\nzones:\n  deck: {{holds: card, see: nobody}}\n  \
         hand: {{each: {{owner: seats}}, holds: card, see: owner}}\n  row: {{holds: card}}\n  bank: {{holds: coin}}\n\
         {more}\neffects:\n  play: |\n    shuffle deck\n    each p in seats: draw 3 from deck to hand(p)\n    \
         turn of seat(1):\n{play}\n    finish drawn\n"
    ))
}

const CARD: &str =
    "components:\n  card: {each: {rank: 1..9}, in: deck}\n  coin: {copies: 3, in: bank}\n";
const BOX: &str = "components:\n  card: {each: {rank: 1..9}, in: deck, holds: {coins: coin}}\n  \
                   coin: {copies: 3, in: bank}\n";

/// Returns the game after this number of first choices, with all events.
fn after(program: &Program, choices: usize) -> (State, Vec<Event>) {
    let mut heard = Collect::default();
    let mut state = engine::start(program, [7; 32], &mut Seeded, &mut heard).unwrap();
    for _ in 0..choices {
        let owed = engine::pending(program, &state)[0];
        let choice = engine::nth_choice(program, &state, &owed, 0)
            .unwrap()
            .unwrap();
        engine::step(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut heard,
        )
        .unwrap();
    }
    (state, heard.0)
}

/// Returns the last event of a type, as a viewer receives it.
fn last(program: &Program, events: &[Event], of: &str, viewer: Viewer) -> Option<Value> {
    let docs = events.iter().rev();
    let docs =
        docs.filter_map(|event| wyrmgate::view::event_doc(program, event, viewer).map(Value::from));
    docs.into_iter().find(|doc| doc["type"] == of)
}

fn vars(program: &Program, state: &State, viewer: Viewer) -> Value {
    serde_json::to_value(wyrmgate::view::view(program, state, viewer).vars).unwrap()
}

const OWNER: Viewer = Viewer::Seat(0);
const OTHER: Viewer = Viewer::Seat(1);

#[test]
fn a_choice_from_a_hand_tells_others_no_place() {
    for play in [
        "      choose c in hand(active): move c to deck at bottom",
        "      choose c in hand(active): move c to row face down",
    ] {
        let program = game(CARD, play);
        let (_, events) = after(&program, 1);
        let chose = |viewer| last(&program, &events, "chose", viewer).unwrap()["args"]["c"].clone();
        assert!(chose(OWNER).as_str().unwrap().starts_with("card-"));
        for viewer in [OTHER, Viewer::Public] {
            assert_eq!(chose(viewer), Value::Null, "{play}");
            let moved = last(&program, &events, "moved", viewer).unwrap();
            assert_eq!(
                (&moved["component"], &moved["from_place"]),
                (&Value::Null, &Value::Null)
            );
            assert_eq!(moved["from"], "hand-1");
        }
    }
}

/// The label of a choice says as much as its reader may know: a rank would name a hidden card, but everybody can count what
/// lies on the table.
#[test]
fn a_choice_is_told_by_its_label() {
    let play = "      choose \"What?\":\n        option lay \"Lay {c}, worth {c.rank + 10}, beside {count(row)}\" \
                c in hand(active): move c to deck at bottom";
    let program = game(CARD, play);
    let (_, events) = after(&program, 1);
    let label = |viewer| label(&program, &events, viewer);
    let known = last(&program, &events, "chose", OWNER).unwrap();
    let rank = known["args"]["c"].as_str().unwrap().replace("card-", "");
    let worth = format!(", worth {}, beside 0", rank.parse::<i32>().unwrap() + 10);
    assert!(label(OWNER).ends_with(&worth), "{}", label(OWNER));
    for viewer in [OTHER, Viewer::Public] {
        assert_eq!(label(viewer), "Lay hand 1, worth …, beside 0");
    }
}

/// A card that lies open after the choice is named, and so are values that follow from it. Values that only its owner may
/// count are not.
#[test]
fn a_label_names_the_card_that_everybody_sees_next() {
    let label_of = "\"Lay {c}, worth {c.rank + 10}, of {sum(hand(active), .rank)}\"";
    let lay = |to: &str| {
        let play = format!(
            "      choose \"What?\":\n        option lay {label_of} c in hand(active): move c to {to}"
        );
        let program = game(CARD, &play);
        let (_, events) = after(&program, 1);
        [OWNER, OTHER].map(|viewer| label(&program, &events, viewer))
    };
    let [own, other] = lay("row");
    let (told, sum) = own.rsplit_once(' ').unwrap();
    assert!(sum.parse::<i32>().is_ok(), "{own}");
    assert_eq!(other, format!("{told} …"), "{own}");
    let [own, other] = lay("row face down");
    assert!(own.starts_with("Lay card"), "{own}");
    assert_eq!(other, "Lay hand 1, worth …, of …");
}

/// The event of a choice names the side that a die showed then, before it is rolled again.
#[test]
fn chosen_dice_are_told_by_the_sides_that_were_offered() {
    let die = "  die: {plural: dice, copies: 2, faces: 1..6, in: tray}\n";
    let more = format!("  tray: {{holds: die}}\n{CARD}{die}");
    let program = game(&more, "      roll dice\n      choose d in dice: roll d");
    let (_, before) = after(&program, 0);
    let rolled = last(&program, &before, "rolled", OTHER).unwrap();
    let (_, events) = after(&program, 1);
    for viewer in [OWNER, OTHER, Viewer::Public] {
        let face = &rolled["dice"][0]["face"];
        assert_eq!(label(&program, &events, viewer), face.to_string());
    }
}

fn label(program: &Program, events: &[Event], viewer: Viewer) -> String {
    let docs = events
        .iter()
        .enumerate()
        .rev()
        .filter_map(|(at, event)| event_with_label(program, event, &events[at + 1..], viewer));
    let mut docs = docs.map(Value::from);
    let chose = docs.find(|doc| doc["type"] == "chose").unwrap();
    chose["label"].as_str().unwrap().to_owned()
}

#[test]
fn a_card_that_is_played_does_not_tell_where_in_the_hand_it_was() {
    let program = game(CARD, "      choose c in hand(active): move c to row");
    let (_, events) = after(&program, 1);
    let moved = |viewer| last(&program, &events, "moved", viewer).unwrap();
    assert_eq!(moved(OWNER)["from_place"], 1);
    for viewer in [OTHER, Viewer::Public] {
        assert_eq!(moved(viewer)["component"], moved(OWNER)["component"]);
        assert_eq!(moved(viewer)["from_place"], Value::Null);
        assert_eq!(moved(viewer)["to_place"], 1);
    }
}

#[test]
fn where_in_a_hand_a_card_lies_that_was_shown_is_not_told() {
    let play = "      choose c in hand(active): show c to seat(2)\n      choose n in 1..2";
    let program = game(CARD, play);
    let (state, events) = after(&program, 1);
    let shown = last(&program, &events, "shown", Viewer::Public).unwrap();
    assert_eq!(shown["components"], json!([null]));
    let view =
        |viewer| serde_json::to_value(wyrmgate::view::view(&program, &state, viewer)).unwrap();
    let seen = view(OTHER)["zones"]["hand-1"]["components"].clone();
    assert_eq!(
        (seen.as_array().unwrap().len(), &seen[0]["place"]),
        (1, &json!(1))
    );
}

#[test]
fn a_value_that_is_a_component_is_told_as_views_show_it() {
    for (value, others) in [
        ("top(deck)", json!("deck#3")),
        ("first(hand(active))", Value::Null),
        ("first(row)", json!("card-5")),
    ] {
        let more = format!("{CARD}vars: {{note: card}}");
        let play = format!(
            "      move card(5) to row\n      choose n in 1..2: note = {value}\n      choose n in 1..2"
        );
        let program = game(&more, &play);
        let (state, events) = after(&program, 1);
        for viewer in [OWNER, OTHER, Viewer::Public, Viewer::omniscient()] {
            let told = last(&program, &events, "set", viewer).unwrap();
            let seen = vars(&program, &state, viewer);
            assert_eq!(told["value"], seen["note"], "{value} {viewer:?}");
        }
        let seen = vars(&program, &state, OTHER)["note"].clone();
        if value != "top(deck)" {
            assert_eq!(seen, others, "{value}");
        } else {
            assert!(seen.as_str().unwrap().starts_with("deck#"), "{seen}");
        }
    }
}

#[test]
fn what_is_noted_of_a_card_is_known_to_those_who_know_the_card() {
    let more = format!("{CARD}vars: {{mark: {{each: card, type: int}}}}");
    let play = "      choose c in hand(active): mark[c] = 4\n      choose n in 1..2";
    let program = game(&more, play);
    let (state, events) = after(&program, 1);
    let told = last(&program, &events, "set", OWNER).unwrap();
    let card = told["of"].as_str().unwrap();
    assert_eq!(
        (
            vars(&program, &state, OWNER)["mark"][card].clone(),
            &told["value"]
        ),
        (json!(4), &json!(4))
    );
    for viewer in [OTHER, Viewer::Public] {
        assert_eq!(last(&program, &events, "set", viewer), None);
        assert_eq!(vars(&program, &state, viewer)["mark"].get(card), None);
    }
}

#[test]
fn a_field_that_names_a_card_is_told_like_any_value() {
    let card = CARD.replace("in: bank}", "in: bank, fields: {lies_under: card}}");
    let play =
        "      choose n in 1..2: coin(1).lies_under = first(hand(active))\n      choose n in 1..2";
    let program = game(&card, play);
    let (_, events) = after(&program, 1);
    let told = |viewer| last(&program, &events, "set", viewer).unwrap()["value"].clone();
    assert!(told(OWNER).as_str().unwrap().starts_with("card-"));
    assert_eq!(
        (told(OTHER), told(Viewer::Public)),
        (Value::Null, Value::Null)
    );
}

/// Neither events nor views nor choices say a name of a hidden component, or of the zone in it.
#[test]
fn what_lies_in_a_hidden_component_has_no_name_that_says_whose_it_is() {
    let more = format!("{BOX}vars: {{note: zone, one: coin}}");
    let play = "      choose c in hand(active): move coin(1) to c.coins\n      \
                choose n in 1..2: note = hand(active)[1].coins\n      \
                choose n in 1..2: one = coin(1)\n      choose f in coins where .zone != bank by seat(2)\n      \
                choose n in 1..2";
    let program = game(&more, play);
    for choices in 0..=4 {
        let (state, events) = after(&program, choices);
        let hidden: Vec<String> = serde_json::to_value(wyrmgate::view::view(
            &program, &state, OWNER,
        ))
        .unwrap()["zones"]["hand-1"]["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| format!("\"{}", card["id"].as_str().unwrap()))
            .collect();
        let docs = events
            .iter()
            .filter_map(|event| wyrmgate::view::event_doc(&program, event, OTHER));
        let mut told: Vec<String> = docs.map(|doc| Value::from(doc).to_string()).collect();
        told.push(serde_json::to_string(&wyrmgate::view::view(&program, &state, OTHER)).unwrap());
        for owed in engine::pending(&program, &state)
            .iter()
            .filter(|owed| owed.seat == 1)
        {
            let doc = wyrmgate::view::decision_docs(&program, &state, owed, 9, 0).unwrap();
            assert_eq!(doc.count, 1);
            let name = doc.choices[0].args["f"].as_str().unwrap();
            assert!(
                name.starts_with("hand-1#") && name.ends_with(".coins#1"),
                "{name}"
            );
            let of = wyrmgate::program::Type::Component(None);
            let found = wyrmgate::view::value_from_name(&program, &state, OTHER, name, of);
            assert!(found.is_some());
            told.push(serde_json::to_string(&doc).unwrap());
        }
        for text in &told {
            assert!(
                !hidden.iter().any(|name| text.contains(name.as_str())),
                "{choices}: {text}"
            );
        }
    }
}

#[test]
fn a_condition_over_the_viewer_concerns_seats() {
    let zone = "  brow: {each: {owner: seats}, holds: card, see: viewer != owner}";
    let text = CARD.replace("components:", &format!("{zone}\ncomponents:"));
    let play = "      choose n in 1..2:\n        draw 1 from deck to brow(active)\n        choose n in 1..2";
    let program = game(&text, play);
    let (state, _) = after(&program, 1);
    let seen = |viewer| {
        let view = serde_json::to_value(wyrmgate::view::view(&program, &state, viewer)).unwrap();
        view["zones"]["brow-1"]["components"]
            .to_string()
            .contains("card-")
    };
    assert_eq!(
        (seen(OWNER), seen(OTHER), seen(Viewer::Public)),
        (false, true, false)
    );
}

/// Logs of earlier versions are readable, and reveal no more than their sights allow.
#[test]
fn events_as_they_were_written_before_are_read() {
    use wyrmgate::engine::{EventSight, SeenComponent};
    // component, who may know, zone, place: as numbers of postcard
    let read: SeenComponent = postcard::from_bytes(&[5, 2, 1, 6]).unwrap();
    let sight = EventSight {
        by: 2,
        ..EventSight::default()
    };
    assert_eq!(read.sight(), sight);
    assert_eq!(read.component_for(OTHER), Some(5));
    assert_eq!(read.component_for(Viewer::Public), None);
    assert_eq!(read.place_for(OTHER), None);
    assert_eq!(read.place_for(Viewer::omniscient()), Some((1, 3)));
    let whole = EventSight {
        by: 0x101,
        placed: 0x1ff,
        located: 0x80,
    };
    let bytes = postcard::to_stdvec(&whole).unwrap();
    assert_eq!(postcard::from_bytes::<EventSight>(&bytes).unwrap(), whole);
}
