//! Decisions: the owing seats, secrecy, chance, and the continuation of the game.

use serde_json::{Value, json};
use wyrmgate::engine::{
    BoundValue, Choice, Event, RejectCode, SeenValue, StepError, Viewer, pending,
};
use wyrmgate::program::*;
use wyrmgate::view::{DecisionKind, choice_from_json, decision_docs, event_doc, view};

use crate::build::{Build, answer, begin, begin_with_events, binder, condition, option, owed};

fn one(value: i32) -> Choice {
    Choice {
        option: 0,
        args: [BoundValue::One(value)].into_iter().collect(),
    }
}

/// Both seats choose a number in secret (seat p from 0..p + 1); then each scores it.
fn secret() -> Program {
    let mut b = Build::new(3);
    let (low, seat, more) = (b.int(0), b.expr(Expr::Temp(0)), b.int(1));
    let high = b.binary(Binary::Add, seat, more);
    let numbers = b.set(Set::Range(low, high));
    let answers = b.slots(SEATS_MAX as u16);
    let number = binder(Type::Int, numbers, BinderSize::One, 1, answers);
    let site = b.site(0, vec![option("", vec![number], 1)], 1);
    let seats = b.range(0, 1);
    let entry = b.op(Op::ChooseEach { site, seats });
    for seat in 0..3 {
        let index = b.int(seat);
        let by = b.expr(Expr::LocalAt(LocalByIndex {
            base: answers,
            index,
            default: 0,
        }));
        b.op(Op::Score { seat: index, by });
    }
    b.op(Op::FinishDrawn);
    b.play(entry)
}

#[test]
fn several_seats_answer_at_once_and_in_secret() {
    let program = secret();
    let mut state = begin(&program);
    let seats: Vec<u8> = pending(&program, &state)
        .iter()
        .map(|owed| owed.seat)
        .collect();
    assert_eq!(seats, [0, 1]);
    assert!(owed(&program, &state).secret);

    let events = answer(&program, &mut state, 1, &one(2)).unwrap();
    assert_eq!(owed(&program, &state).seat, 0);
    assert_eq!(
        view(&program, &state, Viewer::omniscient()).scores,
        [0, 0, 0]
    );
    let told = |viewer| event_doc(&program, &events[0], viewer).map(Value::from);
    assert_eq!(told(Viewer::Seat(0)), None);
    assert_eq!(told(Viewer::Public), None);
    let chose = json!({"type": "chose", "args": {"x": 2}, "seat": 2});
    assert_eq!(told(Viewer::Seat(1)), Some(chose));

    let refused = answer(&program, &mut state, 0, &one(2));
    assert!(matches!(refused, Err(StepError::Refused(_))));
    answer(&program, &mut state, 0, &one(1)).unwrap();
    assert_eq!(
        view(&program, &state, Viewer::omniscient()).scores,
        [1, 2, 0]
    );
    assert!(state.outcome().is_some());
    assert_eq!(state.decisions_made(), 2);
}

#[test]
fn there_is_nothing_to_decide_when_the_game_is_over() {
    let program = secret();
    let mut state = begin(&program);
    let code = |result| match result {
        Err(StepError::Refused(refused)) => refused.code(),
        other => panic!("{other:?}"),
    };
    let nobodys = answer(&program, &mut state, 2, &one(0));
    assert_eq!(code(nobodys), RejectCode::NotYourTurn);
    answer(&program, &mut state, 0, &one(0)).unwrap();
    answer(&program, &mut state, 0, &one(0)).unwrap();
    assert_eq!(
        code(answer(&program, &mut state, 0, &one(0))),
        RejectCode::SessionOver
    );
}

/// Seat 1 rolls any of three dice, or passes.
fn dice() -> Program {
    let mut b = Build::new(2);
    let tray = b.zone("tray", See::All, None);
    b.dice(3, tray);
    let all = b.zone_set(tray);
    let slots = b.slots(2);
    let any = binder(Type::Component(Some(0)), all, BinderSize::Any, 1, slots);
    let site = b.site(0, Vec::new(), 2);
    let entry = b.op(Op::Choose(site));
    let chosen = b.set(Set::Local(slots));
    let target = b.op(Op::Roll(chosen));
    b.op(Op::FinishDrawn);
    let pass = b.here() - 1;
    b.program.sites[0].options = vec![
        option("roll", vec![any], target),
        option("pass", Vec::new(), pass),
    ];
    b.play(entry)
}

#[test]
fn a_subset_is_bound_as_a_list() {
    let program = dice();
    let mut state = begin(&program);
    let json = json!({"option": "roll", "args": {"x": ["die-3", "die-1"]}});
    let choice = choice_from_json(&program, &state, &owed(&program, &state), &json).unwrap();
    assert_eq!(choice.args[0].values(), [0, 2], "in the order of the dice");
    let events = answer(&program, &mut state, 0, &choice).unwrap();
    let rolled = events.iter().find_map(|event| match event {
        Event::Rolled { dice } => Some(
            dice.iter()
                .map(|(die, _)| die.component_for(Viewer::omniscient()).unwrap())
                .collect(),
        ),
        _ => None,
    });
    assert_eq!(rolled, Some(vec![0, 2]));
}

#[test]
fn choices_in_json_must_have_the_right_form() {
    let program = dice();
    let state = begin(&program);
    let code = |json| {
        choice_from_json(&program, &state, &owed(&program, &state), &json)
            .unwrap_err()
            .code
    };
    for malformed in [
        json!([]),
        json!({}),
        json!({"option": 3}),
        json!({"option": "roll"}),
        json!({"option": "roll", "args": []}),
        json!({"option": "roll", "args": {"x": "die-1"}}),
        json!({"option": "roll", "args": {"x": [1]}}),
        json!({"option": "pass", "args": {"x": []}}),
        json!({"option": "pass", "extra": 1}),
    ] {
        assert_eq!(
            code(malformed.clone()),
            RejectCode::Malformed,
            "{malformed}"
        );
    }
    for illegal in [
        json!({"option": "fly"}),
        json!({"option": "roll", "args": {"x": ["die-9"]}}),
    ] {
        assert_eq!(
            code(illegal.clone()),
            RejectCode::IllegalChoice,
            "{illegal}"
        );
    }
}

#[test]
fn a_decision_as_its_seat_sees_it() {
    let program = dice();
    let state = begin(&program);
    let doc = decision_docs(&program, &state, &owed(&program, &state), 2, 7).unwrap();
    let doc = serde_json::to_value(doc).unwrap();
    let expected = json!({
        "id": "d0", "name": "", "seat": 1, "prompt": null, "kind": "pick", "count": 9, "complete": false,
        "clauses": [], "options": ["roll", "pass"],
        "choices": [
            {"index": 7, "option": "roll", "args": {"x": ["die-1", "die-2", "die-3"]},
             "label": "roll die 1, die 2, die 3", "refers": ["die-1", "die-2", "die-3"]},
            {"index": 8, "option": "pass", "args": {}, "label": "pass", "refers": []},
        ],
    });
    assert_eq!(doc, expected);
}

#[test]
fn kinds_of_decisions() {
    let kind = |of: Type, count: fn(&mut Build) -> BinderSize| {
        let mut b = Build::new(2);
        let (numbers, slots) = (b.range(0, 3), b.slots(2));
        let count = count(&mut b);
        let site = b.site(
            0,
            vec![option("", vec![binder(of, numbers, count, 1, slots)], 1)],
            1,
        );
        let entry = b.op(Op::Choose(site));
        b.op(Op::FinishDrawn);
        let program = b.play(entry);
        let state = begin(&program);
        decision_docs(&program, &state, &owed(&program, &state), 0, 0)
            .unwrap()
            .kind
    };
    assert_eq!(kind(Type::Int, |_| BinderSize::One), DecisionKind::Amount);
    assert_eq!(
        kind(Type::Enum(0), |_| BinderSize::One),
        DecisionKind::Value
    );
    assert_eq!(
        kind(Type::Zone(None), |_| BinderSize::One),
        DecisionKind::Pick
    );
    assert_eq!(
        kind(Type::Cell, |_| BinderSize::One),
        DecisionKind::Placement
    );
    assert_eq!(kind(Type::Seat, |_| BinderSize::Any), DecisionKind::Subset);
    assert_eq!(
        kind(Type::Seat, |_| BinderSize::Permutation),
        DecisionKind::Order
    );
}

#[test]
fn chance_answers_at_once() {
    let mut b = Build::new(2);
    let (numbers, slots) = (b.range(1, 9), b.slots(2));
    let (least, most) = (b.int(3), b.int(3));
    let count = BinderSize::Many {
        least,
        most,
        ordered: false,
    };
    let site = b.site(
        0,
        vec![option(
            "",
            vec![binder(Type::Int, numbers, count, 1, slots)],
            1,
        )],
        1,
    );
    let entry = b.op(Op::ChooseAtRandom(site));
    b.op(Op::FinishDrawn);
    let program = b.play(entry);
    let (state, events) = begin_with_events(&program);
    assert!(state.outcome().is_some());
    let drawn = events.iter().find_map(|event| match event {
        Event::Drawn { args, .. } => Some(args[0].clone()),
        _ => None,
    });
    let values: Vec<i32> = drawn
        .unwrap()
        .iter()
        .map(|value| match value {
            SeenValue::Plain(value) => *value,
            SeenValue::Component(_) | SeenValue::Inside(_) => panic!("a number"),
        })
        .collect();
    assert_eq!(values.len(), 3);
    assert!(values.is_sorted_by(|one, other| one < other), "{values:?}");
    assert_eq!(event_doc(&program, &events[1], Viewer::Seat(0)), None);
}

#[test]
fn clauses_are_told_as_they_are_carried_out() {
    struct Cited(Vec<ClauseId>);
    impl wyrmgate::engine::Observer for Cited {
        fn event(&mut self, _: Event) {}
        fn clause(&mut self, clause: ClauseId) {
            self.0.push(clause);
        }
    }
    let mut b = Build::new(2);
    let (numbers, slot, yes) = (b.range(1, 2), b.slot(), b.int(1));
    let mut number = binder(Type::Int, numbers, BinderSize::One, 1, slot);
    number.filters.push(condition(yes, vec![4]));
    let site = b.site(0, vec![option("", vec![number], 1)], 1);
    let entry = b.op(Op::Choose(site));
    b.op(Op::FinishDrawn);
    b.program.code.cites[1] = vec![5];
    let program = b.play(entry);
    let mut state = begin(&program);
    let mut cited = Cited(Vec::new());
    let mut chance = wyrmgate::engine::Seeded;
    wyrmgate::engine::step(&program, &mut state, 0, &one(1), &mut chance, &mut cited).unwrap();
    assert_eq!(cited.0, [4, 5]);
}
