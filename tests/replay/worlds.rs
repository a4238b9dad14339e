//! Imagined worlds: they look as the true one does, they differ where they can, and they know nothing of the truth.

use wyrmgate::bot::RandomBot;
use wyrmgate::dice::Dice;
use wyrmgate::engine::{self, State, Viewer};
use wyrmgate::imagine::Imagination;
use wyrmgate::program::Program;

use super::{each_game, history, program, shipped};

/// Positions of a random game of every shipped game, in the eyes of its first and its last seat.
fn each_position(choices: &[usize], check: &mut dyn FnMut(&Program, Imagination<'_>)) {
    each_game(&mut |program| {
        for choices in choices {
            let (truth, history) = history(program, *choices);
            if truth.outcome().is_some() || engine::pending(program, &truth).len() > 1 {
                continue;
            }
            for seat in [0, program.seats as u8 - 1] {
                check(program, Imagination::new(program, &history, seat).unwrap());
            }
        }
    });
}

fn whole(program: &Program, state: &State) -> wyrmgate::view::ViewDoc {
    wyrmgate::view::view(program, state, Viewer::omniscient())
}

#[test]
fn worlds_look_as_the_true_one_does_to_their_seat_and_differ_elsewhere() {
    let mut dice = Dice::new(1);
    let (mut found, mut different, mut missed) = (0, 0, Vec::new());
    each_position(&[0, 7, 31, 60], &mut |program, mut imagination| {
        let eyes = Viewer::Seat(imagination.seat());
        let seen = wyrmgate::view::view(program, imagination.truth(), eyes);
        for _ in 0..3 {
            let Some(world) = imagination.world(&mut dice) else {
                missed.push((program.name(), imagination.choices()));
                continue;
            };
            found += 1;
            assert_eq!(
                wyrmgate::view::view(program, &world, eyes),
                seen,
                "{}",
                program.name()
            );
            let truth = whole(program, imagination.truth());
            different += u32::from(whole(program, &world) != truth);
            let bytes = world.encode(program);
            assert!(State::decode(program, &bytes).is_ok());
        }
    });
    assert!(different > 20, "{different} of {found}");
    assert!(missed.is_empty(), "no world found: {missed:?}");
}

/// Two games that a seat cannot tell apart: for the same dice it imagines the same.
#[test]
fn what_is_imagined_does_not_depend_on_what_is_hidden() {
    let (mut twins, mut different) = (0, 0);
    each_position(&[0, 19], &mut |program, mut imagination| {
        for number in 0..2 {
            let Some(mut twin) = imagination.twin(&mut Dice::new(number)) else {
                continue;
            };
            twins += 1;
            different +=
                u32::from(whole(program, twin.truth()) != whole(program, imagination.truth()));
            // Later it has worlds to take further, and its twin has none.
            if number == 0 {
                let worlds = imagination.worlds(2, &mut Dice::new(8));
                assert!(worlds == twin.worlds(2, &mut Dice::new(8)));
            }
            for seed in 10..12 {
                let here = imagination.world(&mut Dice::new(seed));
                let there = twin.world(&mut Dice::new(seed));
                assert_eq!(
                    here,
                    there,
                    "{} after {}",
                    program.name(),
                    imagination.choices()
                );
            }
        }
    });
    assert!(twins > 30 && different > 8, "{different} of {twins}");
}

#[test]
fn what_a_seat_cannot_know_is_imagined_evenly() {
    let program = program("kuhn-poker");
    let (truth, history) = history(&program, 0);
    let mut imagination = Imagination::new(&program, &history, 0).unwrap();
    let all = |state: &State| format!("{:?}", whole(&program, state).zones);
    let mut dice = Dice::new(5);
    let worlds: Vec<String> = (0..200)
        .map(|_| all(&imagination.world(&mut dice).unwrap()))
        .collect();
    let true_ones = worlds.iter().filter(|world| **world == all(&truth)).count();
    // The other player has one of two cards, and one of the two is left.
    assert!((70..=130).contains(&true_ones), "{true_ones} of 200");
}

#[test]
fn a_hidden_die_shows_anything_and_ones_own_shows_what_it_shows() {
    let program = program("liars-dice");
    let (_, history) = history(&program, 0);
    let mut imagination = Imagination::new(&program, &history, 0).unwrap();
    let mut dice = Dice::new(2);
    let faces = |state: &State| -> Vec<String> {
        let view = serde_json::to_value(whole(&program, state)).unwrap();
        let zones = view["zones"].as_object().unwrap();
        let cups = zones
            .values()
            .flat_map(|zone| zone["components"].as_array().unwrap().clone());
        cups.map(|die| die.to_string()).collect()
    };
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..60 {
        seen.insert(faces(&imagination.world(&mut dice).unwrap()));
    }
    assert_eq!(seen.len(), 6, "one die of six faces is hidden: {seen:?}");
}

/// Worlds that are taken further look as the true one does, whatever has become known since they were made.
#[test]
fn worlds_are_taken_further_as_the_game_goes_on() {
    each_game(&mut |program| {
        let (_, history) = history(program, 40);
        let mut dice = Dice::new(6);
        let mut imagination = Imagination::begin(program, history.seed, 0).unwrap();
        for (number, made) in history.made.iter().enumerate() {
            imagination.observe(made).unwrap();
            let truth = imagination.truth();
            let is_open = made.secret
                && engine::pending(program, truth)
                    .iter()
                    .any(|owed| owed.secret);
            if number % 4 != 0 || truth.outcome().is_some() || is_open {
                continue;
            }
            let seen = wyrmgate::view::view(program, imagination.truth(), Viewer::Seat(0));
            let worlds = imagination.worlds(2, &mut dice);
            assert_eq!(worlds.len(), 2, "{} after {number}", program.name());
            for world in worlds {
                assert_eq!(wyrmgate::view::view(program, &world, Viewer::Seat(0)), seen);
            }
        }
    });
}

#[test]
fn a_seat_goes_on_observing() {
    let program = program("goofspiel");
    let (_, history) = history(&program, 8);
    let mut stepwise = Imagination::begin(&program, history.seed, 1).unwrap();
    for made in &history.made {
        stepwise.observe(made).unwrap();
    }
    let mut whole = Imagination::new(&program, &history, 1).unwrap();
    let mut bot = RandomBot::new(9);
    let mut same = bot.clone();
    assert_eq!(stepwise.world(bot.dice()), whole.world(same.dice()));
}

/// All chambers of Drakon hold figures. What is in hands and in the pile is imagined like plain cards.
#[test]
fn what_holds_others_is_imagined_like_plain_cards() {
    let program = shipped("drakon");
    for choices in [0, 12] {
        let (truth, history) = history(&program, choices);
        let mut imagination = Imagination::new(&program, &history, 0).unwrap();
        let hidden = |state: &State| {
            let view = serde_json::to_value(whole(&program, state)).unwrap();
            let ids = |zone: &str| -> Vec<String> {
                let lying = view["zones"][zone]["components"].as_array().unwrap();
                lying.iter().map(|card| card["id"].to_string()).collect()
            };
            (ids("hand-2"), ids("pile").pop())
        };
        let (hand, next) = hidden(&truth);
        let mut dice = Dice::new(4);
        let worlds: Vec<_> = (0..24)
            .map(|_| hidden(&imagination.world(&mut dice).unwrap()))
            .collect();
        let same_hand = worlds.iter().filter(|(other, _)| *other == hand).count();
        let same_next = worlds.iter().filter(|(_, other)| *other == next).count();
        assert!(same_hand <= 1 && same_next <= 3, "{same_hand} {same_next}");
    }
}
