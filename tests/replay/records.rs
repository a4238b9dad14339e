//! Records of every game in `rules/`, with every number of seats: they survive their text and replay to their end.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};
use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{self, Viewer};
use wyrmgate::hex;
use wyrmgate::program::Program;
use wyrmgate::record::{self, Entropy, Fairness, Operation, Record, seed_from_number};
use wyrmgate::replay::{self, ReplayError, Rest};
use wyrmgate::rules::{Library, Ruleset};
use wyrmgate::simulate;

use crate::support::command::wyrmgate;

/// Games for each number of seats. The laws (tests/laws.rs) are tried on many more.
const GAMES: u64 = 1;

/// States are looked through now and then: some games have thousands.
const SOME: usize = 25;

/// A recorded game for each seed, game and number of seats, as read back from its text.
pub fn each_record(check: impl Fn(&Program, &Record)) {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let (library, broken) = Library::read(&rules).unwrap();
    assert!(broken.is_empty());
    for ruleset in library.games() {
        for seats in &ruleset.checked.seats {
            let program = ruleset.program(*seats, &Map::new()).unwrap();
            let options = ruleset.complete_options(*seats, &Map::new()).unwrap();
            for seed in (1..=GAMES).map(seed_from_number) {
                let bot = RandomBot::for_game(&seed);
                let (_, record) = simulate::play_and_record(&program, seed, &options, bot).unwrap();
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
            let view = serde_json::to_value(wyrmgate::view::view(
                program,
                rest.state,
                Viewer::omniscient(),
            ))
            .unwrap();
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
        record.chance = None; // it may tell of what came after the last choice
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

// ---- the chance of a record, checked without its rules

const VERIFIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/verify_record.py");

/// A game of two at random, its seed promised as a session does it.
fn promised_record(folder: &str) -> (std::sync::Arc<Program>, Record) {
    let ruleset = Ruleset::from_folder(&Path::new("rules").join(folder));
    let ruleset = ruleset.unwrap().unwrap();
    let program = ruleset.program(2, &Map::new()).unwrap();
    let options = ruleset.complete_options(2, &Map::new()).unwrap();
    let secret = seed_from_number(11);
    let entropy = vec![Entropy {
        seat: 2,
        value: hex::encode(&seed_from_number(12)),
    }];
    let seed = record::mixture(&secret, &entropy).unwrap();
    let bot = RandomBot::new(1);
    let (_, mut record) = simulate::play_and_record(&program, seed, &options, bot).unwrap();
    record.fairness = Some(Fairness {
        commitment: record::commitment_of(&secret),
        secret: hex::encode(&secret),
        entropy,
    });
    (program, record)
}

/// Returns the output of the verifier, or its complaint.
fn verify(record: &Value, more: &[&str]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    std::fs::write(&file, record.to_string()).unwrap();
    let mut python = Command::new("python3");
    python.arg(VERIFIER).arg(file).args(more);
    let output = python.output().expect("python3 can be run");
    let text = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        Some(0) => Ok(text),
        Some(1) => Err(text),
        other => panic!("{other:?}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
fn the_verifier_has_about_two_hundred_lines() {
    let text = std::fs::read_to_string(VERIFIER).unwrap();
    assert!(text.lines().count() <= 200);
}

#[test]
fn records_of_shuffles_rolls_and_draws_are_good_to_both() {
    let mut kinds = BTreeSet::new();
    for game in [
        "magic-dragon",
        "drakon",
        "way-of-the-dragon",
        "gallery/goofspiel",
    ] {
        let (program, record) = promised_record(game);
        let promised = record.fairness.as_ref().unwrap().commitment.clone();
        let json = serde_json::to_value(&record).unwrap();
        let told = verify(&json, &[&promised]).unwrap();
        assert!(told.contains("the seed is as promised"), "{told}");
        kinds.extend(
            ["shuffle", "roll", "draw"]
                .into_iter()
                .filter(|kind| told.contains(kind)),
        );
        replay_with(&record, &program, |_| {}).unwrap();
        let other = record::commitment_of(&seed_from_number(1));
        let wrong = verify(&json, &[&other]).unwrap_err();
        assert!(wrong.contains("not the one that was published"), "{wrong}");
    }
    assert_eq!(kinds.len(), 3);
}

/// Where the first operation of a kind has what is to be touched.
fn place(record: &Value, kind: &str, rest: &str) -> String {
    let chance = record["chance"].as_array().unwrap();
    let of_kind = |operation: &Value| operation["result"].get(kind).is_some();
    let at = chance.iter().position(of_kind).unwrap();
    format!("/chance/{at}/result/{kind}{rest}")
}

#[test]
fn whoever_touches_a_record_is_found_out_by_both() {
    let touched = |game: &str, touch: &dyn Fn(&mut Value), complaint: &str| {
        let (program, record) = promised_record(game);
        let mut json = serde_json::to_value(&record).unwrap();
        touch(&mut json);
        let wrong = verify(&json, &[]).unwrap_err();
        assert!(wrong.contains(complaint), "{game}: {wrong}");
        let record = Record::from_json(&json.to_string()).unwrap();
        assert!(
            replay_with(&record, &program, |_| {}).is_err(),
            "{complaint}"
        );
    };
    let put = |json: &mut Value, at: &str, value: Value| *json.pointer_mut(at).unwrap() = value;
    let (dice, cards) = ("way-of-the-dragon", "magic-dragon");
    let digits = |number| Value::from(hex::encode(&seed_from_number(number)));

    let secret = |json: &mut Value| put(json, "/fairness/secret", digits(13));
    touched(dice, &secret, "is not the commitment");
    let commitment = |json: &mut Value| put(json, "/fairness/commitment", digits(13));
    touched(dice, &commitment, "is not the commitment");
    let entropy = |json: &mut Value| put(json, "/fairness/entropy/0/value", digits(13));
    touched(dice, &entropy, "does not follow");
    let seat = |json: &mut Value| put(json, "/fairness/entropy/0/seat", 1.into());
    touched(dice, &seat, "does not follow");
    let seed = |json: &mut Value| put(json, "/seed", digits(13));
    touched(dice, &seed, "does not follow");
    let unfair = |json: &mut Value| {
        json.as_object_mut().unwrap().remove("fairness");
        put(json, "/seed", digits(13));
    };
    touched(dice, &unfair, "the seed ");

    let face = |json: &mut Value| {
        let die = place(json, "roll", "/0");
        let die = json.pointer_mut(&die).unwrap();
        let shown = die["face"].clone();
        let faces = die["faces"].as_array().unwrap();
        die["face"] = faces.iter().find(|face| **face != shown).unwrap().clone();
    };
    touched(dice, &face, "the seed rolls");
    let order = |json: &mut Value| {
        let order = place(json, "shuffle", "/order");
        json.pointer_mut(&order)
            .unwrap()
            .as_array_mut()
            .unwrap()
            .swap(0, 3);
    };
    touched(cards, &order, "another order");
    let twice = |json: &mut Value| {
        let chance = json["chance"].as_array_mut().unwrap();
        chance.insert(0, chance[0].clone());
    };
    touched(dice, &twice, "was there before");
}

#[test]
fn a_record_that_hides_or_invents_chance_does_not_replay() {
    let (program, record) = promised_record("way-of-the-dragon");
    let with = |touch: &dyn Fn(&mut Vec<Operation>)| {
        let mut record = record.clone();
        touch(record.chance.as_mut().unwrap());
        replay_with(&record, &program, |_| {}).unwrap_err()
    };
    let hidden = with(&|chance| drop(chance.remove(1)));
    assert!(matches!(hidden, ReplayError::Chance { .. }), "{hidden}");
    let cut = with(&|chance| drop(chance.pop()));
    assert!(
        matches!(cut, ReplayError::Chance { recorded: None, .. }),
        "{cut}"
    );
    let invented = with(&|chance| chance.push(chance[0].clone()));
    assert!(
        matches!(invented, ReplayError::NoChance { .. }),
        "{invented}"
    );
}

#[test]
fn a_record_may_keep_silent_about_chance() {
    let (program, mut record) = promised_record("way-of-the-dragon");
    record.chance = None;
    replay_with(&record, &program, |_| {}).unwrap();
}

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/records");

/// Records of all versions, by file.
fn kept() -> Vec<(String, Record)> {
    let versions = std::fs::read_dir(KEPT)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let folders = versions.filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (
            path.display().to_string(),
            Record::from_json(&text).unwrap(),
        )
    };
    files.map(|entry| read(entry.unwrap().path())).collect()
}

#[test]
fn records_of_earlier_versions_are_replayed_or_compared() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let (library, _) = Library::read(&rules).unwrap();
    let kept = kept();
    for ruleset in library.games() {
        let own: Vec<_> = kept
            .iter()
            .filter(|(_, record)| record.game == ruleset.name)
            .collect();
        assert!(!own.is_empty(), "no record of {}", ruleset.name);
        for (file, record) in own {
            let program = ruleset
                .program(record.seats.into(), &record.options)
                .unwrap();
            if record.ruleset == ruleset.digest {
                replay_with(record, &program, |_| {})
                    .unwrap_or_else(|error| panic!("{file}: {error}"));
            } else {
                let differs = replay::against(record, None, &program);
                differs.unwrap_or_else(|error| panic!("{file}: {error}"));
            }
        }
    }
}

/// A copy of a game, with the line ends of Windows.
fn on_windows(game: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("rules/gallery")
        .join(game);
    let to = folder.path().join(game);
    std::fs::create_dir(&to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let text = std::fs::read_to_string(&path)
                .unwrap()
                .replace('\n', "\r\n");
            std::fs::write(to.join(path.file_name().unwrap()), text).unwrap();
        }
    }
    folder
}

#[test]
fn a_record_is_replayed_with_the_same_rules_whatever_their_line_ends() {
    let windows = on_windows("nim");
    let record = format!("{KEPT}/0.1.0/nim.json");
    let rules = windows.path().to_str().unwrap();
    let replayed = wyrmgate(&["replay", &record, "--rules", rules]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
    // Earlier versions hashed the line ends.
    let there = Ruleset::from_folder(&windows.path().join("nim"))
        .unwrap()
        .unwrap();
    let mut old: Value = serde_json::from_str(&std::fs::read_to_string(&record).unwrap()).unwrap();
    assert_eq!(old["ruleset"], there.digest.as_str());
    let [as_written, _] = there.sources.earlier_digests();
    assert_ne!(as_written, there.digest);
    old["ruleset"] = as_written.into();
    let file = windows.path().join("old.json");
    std::fs::write(&file, old.to_string()).unwrap();
    for rules in [rules, "rules"] {
        let replayed = wyrmgate(&["replay", file.to_str().unwrap(), "--rules", rules]);
        assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
    }
}

#[test]
fn a_record_of_other_rules_is_refused_with_the_way_to_compare_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(format!("{KEPT}/0.1.0/nim.json")).unwrap();
    let mut other: Value = serde_json::from_str(&text).unwrap();
    other["ruleset"] = "0".repeat(64).into();
    let file = folder.path().join("other.json");
    std::fs::write(&file, other.to_string()).unwrap();
    let refused = wyrmgate(&["replay", file.to_str().unwrap()]);
    assert_eq!(refused.code, 1);
    let again = format!("wyrmgate replay --against nim {}", file.display());
    assert!(refused.err.contains(&again), "{}", refused.err);
    let compared = wyrmgate(&["replay", "--against", "nim", file.to_str().unwrap()]);
    assert_eq!(compared.code, 0, "{}{}", compared.out, compared.err);
}
