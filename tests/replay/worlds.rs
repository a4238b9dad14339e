//! Sampled worlds look like the true one, differ where they can, and do not depend on the truth.

use wyrmgate::bot::RandomBot;
use wyrmgate::dice::Dice;
use wyrmgate::engine::{self, State, Viewer};
use wyrmgate::imagine::Imagination;
use wyrmgate::program::Program;

use super::{each_game, history, history_of, program, shipped, written};

/// Games in which worlds are not always found; see `docs/bots.md`. In a market, many deals have shown who owns which crops.
const WORLDS_MISSING: [&str; 1] = ["harvest-home"];

/// Positions of a random game of every shipped game, seen by its first and its last seat.
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
    missed.retain(|(game, _)| !WORLDS_MISSING.contains(&&**game));
    assert!(missed.is_empty(), "no world found: {missed:?}");
}

/// Two games that a seat cannot tell apart give the same worlds for the same dice.
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
            // Later it has worlds to continue, and its twin has none.
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

/// Continued worlds look like the true one, whatever the seat has learned since they were made.
#[test]
fn worlds_are_taken_further_as_the_game_goes_on() {
    each_game(&mut |program| {
        if WORLDS_MISSING.contains(&program.name().as_str()) {
            return;
        }
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

/// All chambers of Drakon hold figures. Cards in hands and in the pile are sampled like plain cards.
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

/// Returns the ids of the components in a zone.
fn lying(program: &Program, state: &State, zone: &str) -> Vec<String> {
    let view = serde_json::to_value(whole(program, state)).unwrap();
    let lying = view["zones"][zone]["components"].as_array().unwrap();
    lying.iter().map(|card| card["id"].to_string()).collect()
}

/// Over many games, samples agree with the truth as often as plain chance would: the other hand and the next draw.
#[test]
fn imagined_hands_and_draws_are_true_as_often_as_by_chance() {
    const GAMES: u8 = 96;
    const WORLDS: usize = 16;
    let program = shipped("drakon");
    let (mut shared, mut expected, mut variance) = (0.0, 0.0, 0.0);
    let (mut draws, mut expected_draws) = (0.0, 0.0);
    for game in 0..GAMES {
        let (truth, history) = history_of([game; 32], &program, usize::from(game % 4));
        let mut imagination = Imagination::new(&program, &history, 0).unwrap();
        let hand = lying(&program, &truth, "hand-2");
        let next = lying(&program, &truth, "pile").pop().unwrap();
        let held = hand.len() as f64;
        let hidden = held + lying(&program, &truth, "pile").len() as f64;
        let mut dice = Dice::new(u64::from(game));
        for _ in 0..WORLDS {
            let world = imagination.world(&mut dice).unwrap();
            let other = lying(&program, &world, "hand-2");
            shared += other.iter().filter(|card| hand.contains(card)).count() as f64;
            draws += f64::from(lying(&program, &world, "pile").last() == Some(&next));
            let share = held / hidden;
            expected += held * share;
            variance += held * share * (1.0 - share) * (hidden - held) / (hidden - 1.0);
            expected_draws += 1.0 / hidden;
        }
    }
    let worlds = usize::from(GAMES) * WORLDS;
    println!(
        "{worlds} worlds: {shared} cards of the other hand are true, by chance {expected:.1} ± {:.1}; \
         {draws} next draws, by chance {expected_draws:.1}",
        variance.sqrt()
    );
    assert!((shared - expected).abs() < 4.0 * variance.sqrt() + 1.0);
    assert!(draws < expected_draws + 4.0 * expected_draws.sqrt() + 1.0);
}

/// Open suspects, one of whom chance has made the culprit.
const CULPRIT: &str = "
players: 2
bound: 30
zones:
  room: {holds: suspect}
  accused: {holds: suspect}
vars:
  culprit: {type: suspect, see: nobody}
components:
  suspect: {each: {age: 1..6}, in: room}
effects:
  play: |
    choose s in suspects at random
    culprit = s
    turns from seat(1):
      choose s in room \"Whom do you accuse?\":
        if s = culprit: finish won by active
        else: move s to accused
      if turn > 4: finish drawn
";

/// A choice of chance among open components is as hidden as one among hidden components.
#[test]
fn who_did_it_is_imagined_among_all_who_can_have_done_it() {
    let program = written(CULPRIT);
    let mut seeds = (0..=u8::MAX).map(|seed| history_of([seed; 32], &program, 2));
    let (truth, history) = seeds
        .find(|(truth, history)| truth.outcome().is_none() && history.made.len() == 2)
        .unwrap();
    let mut imagination = Imagination::new(&program, &history, 0).unwrap();
    let culprit = |state: &State| {
        let view = serde_json::to_value(whole(&program, state)).unwrap();
        view["vars"]["culprit"].to_string()
    };
    let mut dice = Dice::new(8);
    let mut imagined = std::collections::BTreeMap::<String, u32>::new();
    for _ in 0..200 {
        let world = imagination.world(&mut dice).unwrap();
        *imagined.entry(culprit(&world)).or_default() += 1;
    }
    // Two of six are cleared.
    assert_eq!(imagined.len(), 4, "{imagined:?}");
    let evenly = imagined.values().all(|times| (25..=85).contains(times));
    assert!(evenly, "{imagined:?}, and in truth {}", culprit(&truth));
}
