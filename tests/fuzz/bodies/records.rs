//! A record as somebody sends it: read, and played again.

use wyrmgate::engine;
use wyrmgate::hex;
use wyrmgate::record::{Entry, FORMAT, Record};
use wyrmgate::replay;

use super::table;

const LENGTH_MAX: usize = 16 << 10;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if text.len() > LENGTH_MAX {
        return;
    }
    let Ok(mut record) = Record::from_json(text) else {
        return;
    };
    let written = serde_json::to_string(&record).unwrap();
    let again = Record::from_json(&written).unwrap();
    assert!(again == record, "{written}");
    let program = table::program();
    record.ruleset = program.identity.digest.clone();
    let mut rests = 0;
    let played = replay::play(&record, program, &mut |_| {
        rests += 1;
        Ok::<(), replay::ReplayError>(())
    });
    if let Ok(state) = played {
        assert_eq!(rests, record.log.len() + 1);
        let beginning = replay::play_beginning(&record, program).unwrap();
        assert_eq!(beginning, state);
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let program = table::program();
    let mut seeds = Vec::new();
    for moves in [0, 1, 5, 12] {
        let mut record = Record {
            format: FORMAT,
            game: program.identity.game.clone(),
            ruleset: program.identity.digest.clone(),
            seats: program.seats as u8,
            options: Default::default(),
            seed: Some(hex::encode(&[1; 32])),
            fairness: None,
            log: Vec::new(),
            chance: None,
            outcome: None,
            past_information: false,
        };
        let mut state = table::played(program, 1, 0);
        for number in 0..moves {
            let owed = engine::pending(program, &state);
            let Some(pending) = owed.first() else { break };
            let count = engine::count_choices(program, &state, pending).unwrap();
            let choice = engine::nth_choice(program, &state, pending, number % count);
            let choice = choice.unwrap().unwrap();
            let json = table::to_json(program, &state, pending, &choice);
            let entry = Entry::new(pending.seat + 1, pending.index, json);
            record.log.push(entry.unwrap());
            table::step(program, &mut state, pending, number).unwrap();
        }
        record.outcome = state.outcome().map(From::from);
        seeds.push(serde_json::to_vec(&record).unwrap());
    }
    seeds
}
