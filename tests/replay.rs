//! Records of every game in `rules/`, with every number of seats: they survive their text and replay to their end.

#![cfg(test)]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Map;
use wyrmgate::bot::{Bot, RandomBot};
use wyrmgate::engine::{self, Seeded, Silent, State, Viewer};
use wyrmgate::imagine::{History, Imagination, Made};
use wyrmgate::program::Program;
use wyrmgate::record::{Record, seed_from_number};
use wyrmgate::replay::{self, ReplayError, Rest};
use wyrmgate::rules::{Library, Ruleset, game_folders};
use wyrmgate::simulate::{self, Plan};

/// Games for each number of seats. The laws (tests/laws.rs) are tried on many more.
const GAMES: u64 = 1;

/// States are looked through now and then: some games have thousands.
const SOME: usize = 25;

/// A recorded game for each seed, game and number of seats, as read back from its text.
fn each_record(check: impl Fn(&Program, &Record)) {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let (library, broken) = Library::read(&rules).unwrap();
    assert!(broken.is_empty());
    for ruleset in library.games() {
        for seats in &ruleset.checked.seats {
            let program = ruleset.program(*seats, &Map::new()).unwrap();
            let options = ruleset.complete_options(*seats, &Map::new()).unwrap();
            for seed in (1..=GAMES).map(seed_from_number) {
                let mut bot = RandomBot::for_game(&seed);
                let (_, record) =
                    simulate::play_and_record(&program, seed, &options, &mut bot).unwrap();
                let text = serde_json::to_string(&record).unwrap();
                check(&program, &Record::from_json(&text).unwrap());
            }
        }
    }
}

fn replay_with(
    record: &Record,
    program: &Program,
    mut watch: impl FnMut(Rest<'_>),
) -> Result<engine::State, ReplayError> {
    replay::play(record, program, &mut |rest| {
        watch(rest);
        Ok(())
    })
}

#[test]
fn every_record_replays_to_the_outcome_it_states() {
    each_record(|program, record| {
        assert!(record.outcome.is_some());
        let state = replay_with(record, program, |_| {}).unwrap();
        assert!(state.outcome().is_some());
    });
}

#[test]
fn every_component_is_in_exactly_one_place_of_every_state_told() {
    each_record(|program, record| {
        replay_with(record, program, |rest| {
            if rest.number % SOME != 0 {
                return;
            }
            let view =
                serde_json::to_value(engine::view(program, rest.state, Viewer::All)).unwrap();
            let mut ids = Vec::new();
            collect_ids(&view["zones"], &mut ids);
            let different: BTreeSet<&String> = ids.iter().collect();
            assert_eq!(ids.len(), program.components.len());
            assert_eq!(different.len(), ids.len());
        })
        .unwrap();
    });
}

fn collect_ids(value: &serde_json::Value, ids: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(members) => {
            ids.extend(
                members
                    .get("id")
                    .and_then(|id| id.as_str())
                    .map(str::to_owned),
            );
            members.values().for_each(|member| collect_ids(member, ids));
        }
        serde_json::Value::Array(members) => {
            members.iter().for_each(|member| collect_ids(member, ids));
        }
        _ => {}
    }
}

#[test]
fn a_shorter_log_is_a_game_that_goes_on() {
    each_record(|program, record| {
        let mut record = record.clone();
        record.log.pop();
        assert!(matches!(
            replay_with(&record, program, |_| {}),
            Err(ReplayError::Outcome { played: None, .. })
        ));
        record.outcome = None;
        assert!(replay_with(&record, program, |_| {}).is_ok());
    });
}

#[test]
fn a_record_without_its_seed_cannot_be_replayed_yet() {
    each_record(|program, record| {
        let record = Record {
            seed: None,
            ..record.clone()
        };
        assert!(matches!(
            replay_with(&record, program, |_| {}),
            Err(ReplayError::Record(_))
        ));
    });
}

// ---- imagined worlds and the players that search them

/// A random game of so many choices, as a history.
fn history(program: &Program, choices: usize) -> (State, History) {
    let seed = [9; 32];
    let mut dice = RandomBot::new(3);
    let mut state = engine::start(program, seed, &mut Seeded, &mut Silent).unwrap();
    let mut history = History {
        seed,
        made: Vec::new(),
    };
    let mut held = Vec::new();
    while history.made.len() < choices {
        let owed = engine::pending(program, &state);
        let Some(first) = owed.first() else { break };
        let choice = dice.choose(program, &state, first).unwrap().unwrap();
        let made = Made {
            seat: first.seat,
            secret: first.secret,
            choice: choice.clone(),
        };
        engine::step(program, &mut state, 0, &choice, &mut Seeded, &mut Silent).unwrap();
        held.push(made);
        if !(first.secret && owed.len() > 1) {
            history.made.append(&mut held);
        }
    }
    (state, history)
}

#[test]
fn imagined_worlds_look_as_the_true_one_does_to_their_seat_and_differ_elsewhere() {
    let mut dice = RandomBot::new(1);
    let mut different = 0;
    for folder in game_folders(Path::new("rules")).unwrap() {
        let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
        let seats = ruleset.checked.seats[0];
        let program = ruleset.program(seats, &Map::new()).unwrap();
        for choices in [0, 7, 23] {
            let (truth, history) = history(&program, choices);
            if truth.outcome().is_some() || engine::pending(&program, &truth).len() > 1 {
                continue;
            }
            let imagination = Imagination::new(&program, &history, 0).unwrap();
            let eyes = Viewer::Seat(0);
            let seen = engine::view(&program, &truth, eyes);
            for _ in 0..3 {
                let world = imagination.world(&mut dice);
                assert_eq!(
                    engine::view(&program, &world, eyes),
                    seen,
                    "{}",
                    ruleset.name
                );
                let whole = |state| engine::view(&program, state, Viewer::All);
                different += u32::from(whole(&world) != whole(&truth));
                let bytes = world.encode(&program);
                assert!(State::decode(&program, &bytes).is_ok());
            }
        }
    }
    assert!(different > 20, "{different}");
}

fn program(name: &str) -> std::sync::Arc<Program> {
    let folder = Path::new("rules/gallery").join(name);
    let ruleset = Ruleset::from_folder(&folder).unwrap().unwrap();
    ruleset.program(2, &Map::new()).unwrap()
}

#[test]
fn what_a_seat_cannot_know_is_imagined_evenly() {
    let program = program("kuhn-poker");
    let (truth, history) = history(&program, 0);
    let imagination = Imagination::new(&program, &history, 0).unwrap();
    let all = |state: &State| format!("{:?}", engine::view(&program, state, Viewer::All).zones);
    let mut dice = RandomBot::new(5);
    let worlds: Vec<String> = (0..60)
        .map(|_| all(&imagination.world(&mut dice)))
        .collect();
    let true_ones = worlds.iter().filter(|world| **world == all(&truth)).count();
    // The other player has one of two cards.
    assert!((15..=45).contains(&true_ones), "{true_ones} of 60");
}

fn wins_against_random(game: &str, player: Bot, games: u64) -> u64 {
    let plan = Plan {
        games,
        seed: [4; 32],
        threads: 2,
        players: vec![player, Bot::Random],
        records: None,
    };
    let summary = simulate::run(&program(game), &plan, &mut |_| {});
    assert_eq!(summary.failed, 0, "{:?}", summary.failures);
    summary
        .players
        .iter()
        .find(|wins| wins.player == player)
        .unwrap()
        .share
        .count
}

#[test]
fn a_bot_that_searches_beats_one_that_does_not() {
    assert!(wins_against_random("tic-tac-toe", Bot::Search1, 20) >= 15);
    assert!(wins_against_random("connect-four", Bot::Search1, 10) >= 8);
}

#[test]
fn a_greedy_bot_takes_points() {
    assert!(wins_against_random("goofspiel", Bot::Greedy, 20) >= 10);
}
