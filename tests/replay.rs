//! Records of every game in `rules/`, with every number of seats: they survive their text and replay to their end.

#![cfg(test)]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Map;
use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{self, Viewer};
use wyrmgate::program::Program;
use wyrmgate::record::{Record, seed_from_number};
use wyrmgate::replay::{self, ReplayError, Rest};
use wyrmgate::rules::Library;
use wyrmgate::simulate;

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
