//! Who knows what: zones, faces, what was shown; in views, events, names and the order of choices.

use serde_json::{Value, json};
use wyrmgate::engine::{State, Viewer, see};
use wyrmgate::program::*;
use wyrmgate::view::{
    Doc, Knowledge, choice_from_json, decision_docs, event_doc, value_from_name, view,
};

use crate::build::{Build, begin, begin_with_events, binder, option, owed};

/// Seat 1's hand of three cards; seat 2 may choose one of them. `before`: what happens first.
fn blind_choice(before: impl FnOnce(&mut Build, ZoneId)) -> Program {
    let mut b = Build::new(2);
    let hand = b.zone("hand-1", See::Owner, Some(0));
    b.cards("card", 3, hand);
    let entry = b.here();
    before(&mut b, hand);
    // all cards, by number: the order must not tell what they are
    let (cards, slot) = (b.range(0, 2), b.slot());
    let card = binder(Type::Component(None), cards, BinderSize::One, 1, slot);
    let next = b.here() + 1;
    let site = b.site(1, vec![option("", vec![card], next)], next);
    b.op(Op::Choose(site));
    b.op(Op::FinishDrawn);
    b.play(entry)
}

fn shuffled() -> Program {
    blind_choice(|b, hand| {
        let zone = b.int(i32::from(hand));
        b.op(Op::Shuffle(zone));
    })
}

fn hand(program: &Program, state: &State, viewer: Viewer) -> Value {
    let doc = view(program, state, viewer);
    serde_json::to_value(&doc.zones["hand-1"]).unwrap()["components"].take()
}

#[test]
fn a_hand_is_its_owners() {
    let program = blind_choice(|_, _| {});
    let state = begin(&program);
    let own = hand(&program, &state, Viewer::Seat(0));
    assert_eq!(
        own[0],
        json!({"id": "card-1", "kind": "card", "title": "card 1", "rank": 1, "back": 1, "face": "up", "place": 1})
    );
    let backs = json!([
        {"back": 1, "place": 1}, {"back": 0, "place": 2}, {"back": 1, "place": 3}
    ]);
    assert_eq!(hand(&program, &state, Viewer::Seat(1)), backs);
    assert_eq!(hand(&program, &state, Viewer::Public), backs);
    assert_eq!(
        hand(&program, &state, Viewer::omniscient())[2]["id"],
        "card-3"
    );
}

#[test]
fn in_a_pile_the_back_of_the_top_one_can_be_read() {
    let seen = |see| {
        let mut b = Build::new(2);
        let pile = b.zone("hand-1", see, None);
        b.cards("card", 3, pile);
        let entry = b.here();
        let (numbers, slot) = (b.range(0, 2), b.slot());
        let number = binder(Type::Int, numbers, BinderSize::One, 1, slot);
        let next = b.here() + 1;
        let site = b.site(1, vec![option("", vec![number], next)], next);
        b.op(Op::Choose(site));
        b.op(Op::FinishDrawn);
        let program = b.play(entry);
        hand(&program, &begin(&program), Viewer::Seat(1))
    };
    assert_eq!(seen(See::Count), json!([{"back": 1, "place": 3}]));
    assert_eq!(seen(See::Nothing), json!([]));
}

#[test]
fn blind_choices_go_by_place() {
    let program = shuffled();
    let state = begin(&program);
    let doc = decision_docs(&program, &state, &owed(&program, &state), 9, 0).unwrap();
    let args: Vec<&Doc> = doc.choices.iter().map(|choice| &choice.args["x"]).collect();
    assert_eq!(args, ["hand-1#1", "hand-1#2", "hand-1#3"]);
    assert_eq!(doc.choices[1].label, "hand-1 №2");
    assert_eq!(doc.choices[1].refers, ["hand-1#2"]);
}

#[test]
fn hidden_components_have_no_other_name() {
    let program = shuffled();
    let state = begin(&program);
    let named = |viewer, name: &str| {
        let of = Type::Component(None);
        value_from_name(&program, &state, viewer, name, of)
    };
    assert_eq!(named(Viewer::Seat(1), "card-1"), None);
    assert!(named(Viewer::Seat(1), "hand-1#1").is_some());
    assert_eq!(named(Viewer::Seat(1), "hand-1#4"), None);
    assert_eq!(named(Viewer::Seat(1), "hand-1#0"), None);
    assert_eq!(named(Viewer::Seat(1), "nowhere#1"), None);
    assert_eq!(named(Viewer::Seat(0), "card-1"), Some(0));
    assert_eq!(
        named(Viewer::Seat(0), "hand-1#1"),
        None,
        "one choice, one name"
    );
    let by_id = json!({"args": {"x": "card-1"}});
    assert!(choice_from_json(&program, &state, &owed(&program, &state), &by_id).is_err());
}

#[test]
fn what_was_shown_is_known_until_it_moves() {
    let show = |b: &mut Build| {
        let one = b.range(1, 1);
        b.op(Op::Show {
            what: one,
            to: one,
            secretly: false,
        });
    };
    let program = blind_choice(|b, _| show(b));
    let state = begin(&program);
    let seen = hand(&program, &state, Viewer::Seat(1));
    assert_eq!(seen[1]["id"], "card-2");
    assert_eq!(seen[0]["id"], Value::Null);
    assert_eq!(hand(&program, &state, Viewer::Public)[1]["id"], Value::Null);
    // known ones come first in choices
    let doc = decision_docs(&program, &state, &owed(&program, &state), 9, 0).unwrap();
    let args: Vec<&Doc> = doc.choices.iter().map(|choice| &choice.args["x"]).collect();
    assert_eq!(args, ["card-2", "hand-1#1", "hand-1#3"]);

    let program = blind_choice(|b, hand| {
        show(b);
        let (what, to) = (b.int(1), b.int(i32::from(hand)));
        b.op(Op::Move(ComponentMove {
            what,
            to,
            place: MovePlace::Top,
            face_down: false,
        }));
    });
    let seen = hand(&program, &begin(&program), Viewer::Seat(1));
    assert_eq!(seen[2]["id"], Value::Null);
}

/// Cards moved from an open row to each kind of zone, one face down.
fn moves_between(to: See, face_down: bool) -> (Program, Vec<wyrmgate::engine::Event>) {
    let mut b = Build::new(2);
    let from = b.zone("deck", See::Count, None);
    b.cards("card", 2, from);
    let to = b.zone("row", to, Some(0));
    let (what, zone) = (b.int(0), b.int(i32::from(to)));
    let entry = b.op(Op::Move(ComponentMove {
        what,
        to: zone,
        place: MovePlace::Top,
        face_down,
    }));
    b.op(Op::FinishDrawn);
    let program = b.play(entry);
    let (_, events) = begin_with_events(&program);
    (program, events)
}

#[test]
fn a_move_is_told_to_those_who_see_it() {
    let component = |to, face_down, viewer| {
        let (program, events) = moves_between(to, face_down);
        event_doc(&program, &events[1], viewer).map(|doc| Value::from(doc)["component"].clone())
    };
    let known = Some(json!("card-1"));
    let unknown = Some(Value::Null);
    assert_eq!(component(See::All, false, Viewer::Public), known);
    assert_eq!(component(See::All, true, Viewer::Seat(0)), unknown);
    assert_eq!(component(See::Owner, false, Viewer::Seat(0)), known);
    assert_eq!(component(See::Owner, true, Viewer::Seat(0)), known);
    assert_eq!(component(See::Owner, false, Viewer::Seat(1)), unknown);
    assert_eq!(component(See::Top, false, Viewer::Public), known);
    assert_eq!(component(See::Count, true, Viewer::omniscient()), known);
    assert_eq!(component(See::Nothing, true, Viewer::Public), unknown);
}

#[test]
fn only_the_top_of_a_pile() {
    let mut b = Build::new(2);
    let pile = b.zone("pile", See::Top, None);
    b.cards("card", 3, pile);
    let site = b.site(0, vec![option("", Vec::new(), 0)], 0);
    let entry = b.op(Op::Choose(site));
    let program = b.play(entry);
    let doc = view(&program, &begin(&program), Viewer::Public);
    let components = &doc.zones["pile"].components;
    assert_eq!(components.len(), 1, "not even the backs of the others");
    assert_eq!(components[0]["id"], "card-3");
    assert_eq!(components[0]["place"], 3);
}

#[test]
fn a_condition_over_the_viewer() {
    // seen by all but seat 1
    let mut b = Build::new(3);
    let (viewer, first) = (b.expr(Expr::Temp(0)), b.int(0));
    let condition = b.binary(Binary::NotEqual, viewer, first);
    let forehead = b.zone("forehead", See::If(condition), None);
    b.cards("card", 1, forehead);
    let site = b.site(0, vec![option("", Vec::new(), 0)], 0);
    let entry = b.op(Op::Choose(site));
    let program = b.play(entry);
    let state = begin(&program);
    let knows = |viewer| {
        let doc = view(&program, &state, viewer);
        doc.zones["forehead"].components[0].get("id").is_some()
    };
    assert!(!knows(Viewer::Seat(0)));
    assert!(knows(Viewer::Seat(1)));
    // Any seat can look without saying who it is.
    assert!(!knows(Viewer::Public));
    assert!(knows(Viewer::omniscient()));
}

#[test]
fn what_lies_in_a_hidden_component_is_hidden_with_it() {
    let mut b = Build::new(2);
    let hand = b.zone("hand-1", See::Owner, Some(0));
    let inner = b.zone("card-1.cards", See::All, None);
    b.cards("card", 1, hand);
    b.cards("coin", 1, inner);
    b.program.zones[usize::from(inner)].inside = Some(0);
    b.program.components[0].holds = Some(inner);
    let site = b.site(0, vec![option("", Vec::new(), 0)], 0);
    let entry = b.op(Op::Choose(site));
    let program = b.play(entry);
    let state = begin(&program);
    let text = |viewer| serde_json::to_string(&view(&program, &state, viewer)).unwrap();
    assert!(text(Viewer::Seat(0)).contains("coin-1"));
    assert!(!text(Viewer::Seat(1)).contains("coin-1"));
    let of = Type::Component(None);
    let named = value_from_name(&program, &state, Viewer::Seat(1), "coin-1", of);
    assert_eq!(named, None);
}

#[test]
fn variables_are_seen_as_declared() {
    let mut b = Build::new(2);
    let own = b.var_of("bid", Type::Int, Some(Type::Seat), 2, 7, See::Owner);
    b.var_of("secret", Type::Int, None, 1, 5, See::Nothing);
    b.var_of("trump", Type::Enum(0), None, 1, 1, See::All);
    let value = b.int(9);
    let entry = b.op(Op::SetWord { offset: own, value });
    let site = b.site(0, vec![option("", Vec::new(), 0)], 0);
    b.op(Op::Choose(site));
    let program = b.play(entry);
    let (state, events) = begin_with_events(&program);
    let vars = |viewer| serde_json::to_value(view(&program, &state, viewer).vars).unwrap();
    assert_eq!(
        vars(Viewer::Seat(0)),
        json!({"bid": [9, null], "trump": "playing"})
    );
    assert_eq!(
        vars(Viewer::Seat(1)),
        json!({"bid": [null, 7], "trump": "playing"})
    );
    assert_eq!(vars(Viewer::Public), json!({"trump": "playing"}));
    let all = json!({"bid": [9, 7], "secret": 5, "trump": "playing"});
    assert_eq!(vars(Viewer::omniscient()), all);
    let set = json!({"type": "set", "name": "bid", "of": 1, "value": 9});
    let told = event_doc(&program, &events[1], Viewer::Seat(0));
    assert_eq!(told.map(Value::from), Some(set));
    assert_eq!(event_doc(&program, &events[1], Viewer::Seat(1)), None);
}

/// Who asks about what does not exist gets the answer of those who may know nothing.
#[test]
fn what_does_not_exist_is_known_to_nobody() {
    let program = blind_choice(|_, _| {});
    let state = begin(&program);
    let known = Knowledge::of_start(&program, &state, &[], u16::MAX);
    let components = program.components.len() as i32;
    assert!(known.knows(Viewer::Seat(0), 0));
    for nothing in [
        components.max(program.zones.len() as i32),
        1_000,
        -1,
        i32::MAX,
        i32::MIN,
    ] {
        assert_eq!(see::viewers(&program, &state, nothing), 0, "{nothing}");
        assert_eq!(see::back_readers(&program, &state, nothing), 0, "{nothing}");
        assert_eq!(
            see::viewers_of_zone(&program, &state, nothing),
            0,
            "{nothing}"
        );
        assert_eq!(see::noticing(&program, &state, nothing), 0, "{nothing}");
        for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Public] {
            assert!(!known.knows(viewer, nothing), "{nothing}");
            assert!(
                !see::sees_as(&program, &state, viewer, nothing),
                "{nothing}"
            );
            assert!(
                !see::reads_back(&program, &state, viewer, nothing),
                "{nothing}"
            );
        }
    }
    assert_eq!(see::viewers_of_var(&program, &state, usize::MAX, 0), 0);
}
