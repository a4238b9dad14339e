//! The stream of chance is pinned: a changed number here breaks every stored game. The numbers were worked out by
//! another implementation of ChaCha12 (key: the seed; nonce: label × 2⁴⁸ + count; block counter from 0).

use wyrmgate::engine::{Chance, Draw, Event, Label, Rng, Seeded, Silent, start};
use wyrmgate::program::*;

use crate::build::{Build, SEED, begin, begin_with_events};

fn numbers(label: Label, count: u32, n: u32) -> Vec<u32> {
    let mut rng = Rng::new(SEED, label, count);
    (0..12).map(|_| rng.below(n)).collect()
}

#[test]
fn the_stream_is_pinned() {
    assert_eq!(numbers(Label::Roll, 0, 6), GOLDEN_ROLL);
    assert_eq!(numbers(Label::Roll, 1, 6), GOLDEN_NEXT_ROLL);
    assert_eq!(numbers(Label::Shuffle, 0, 52), GOLDEN_SHUFFLE);
}

const GOLDEN_ROLL: [u32; 12] = [1, 5, 5, 3, 0, 4, 3, 4, 3, 1, 4, 2];
const GOLDEN_NEXT_ROLL: [u32; 12] = [0, 0, 5, 4, 1, 2, 0, 5, 4, 2, 3, 4];
const GOLDEN_SHUFFLE: [u32; 12] = [36, 35, 9, 29, 23, 41, 3, 36, 4, 13, 14, 12];

#[test]
fn numbers_are_below_and_even() {
    let mut counts = [0u32; 6];
    let mut rng = Rng::new(SEED, Label::Choose, 0);
    for _ in 0..60_000 {
        counts[rng.below(6) as usize] += 1;
    }
    assert!(
        counts.iter().all(|count| count.abs_diff(10_000) < 400),
        "{counts:?}"
    );
    assert_eq!(rng.below(0), 0);
    assert_eq!(rng.below(1), 0);
    assert!(rng.below_u64(u64::MAX) < u64::MAX);
}

/// Ten cards are shuffled, then two dice rolled.
fn shuffle_and_roll() -> Program {
    let mut b = Build::new(2);
    let deck = b.zone("deck", See::Count, None);
    b.cards("card", 10, deck);
    let tray = b.zone("tray", See::All, None);
    b.dice(2, tray);
    let zone = b.int(i32::from(deck));
    let entry = b.op(Op::Shuffle(zone));
    let dice = b.zone_set(tray);
    b.op(Op::Roll(dice));
    b.op(Op::FinishDrawn);
    b.play(entry)
}

fn order(events: &[Event]) -> Vec<u16> {
    let shuffled = events.iter().find_map(|event| match event {
        Event::Shuffled { order, .. } => Some(order.clone()),
        _ => None,
    });
    shuffled.unwrap()
}

fn faces(events: &[Event]) -> Vec<i32> {
    let rolled = events.iter().find_map(|event| match event {
        Event::Rolled { dice } => Some(dice.iter().map(|(_, face)| *face).collect()),
        _ => None,
    });
    rolled.unwrap()
}

#[test]
fn a_shuffle_and_a_roll_are_pinned() {
    let program = shuffle_and_roll();
    let (state, events) = begin_with_events(&program);
    assert_eq!(order(&events), GOLDEN_ORDER);
    assert_eq!(faces(&events), GOLDEN_FACES);
    assert_eq!(state.draws_made(), 2);
}

const GOLDEN_ORDER: [u16; 10] = [2, 8, 6, 3, 4, 5, 7, 1, 9, 0];
const GOLDEN_FACES: [i32; 2] = [1, 1];

/// Answers beyond what there is, and an order that loses a card.
struct Rogue;

impl Chance for Rogue {
    fn draw(&mut self, _: &mut Rng, _: u32, _: Draw<'_>) -> u32 {
        u32::MAX
    }
    fn shuffle(&mut self, _: &mut Rng, _: ZoneId, order: &mut [i32]) {
        order.fill(0);
    }
}

#[test]
fn forced_chance_cannot_break_a_game() {
    let program = shuffle_and_roll();
    let mut events = wyrmgate::engine::Collect::default();
    start(&program, SEED, &mut Rogue, &mut events).unwrap();
    assert_eq!(order(&events.0), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(faces(&events.0), [6, 6]);
}

#[test]
fn another_seed_is_another_game() {
    let program = shuffle_and_roll();
    let one = begin(&program);
    let other = start(&program, [43; 32], &mut Seeded, &mut Silent).unwrap();
    assert_ne!(one.encode(&program), other.encode(&program));
}
