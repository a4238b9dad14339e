//! A choice as a client sends it: the first two bytes select the position, the rest is JSON. An accepted choice is among the
//! listed ones, and a refused one changes nothing.

use serde_json::Value;
use wyrmgate::engine::{self, Seeded, Silent, StepError};

use super::table;

const LENGTH_MAX: usize = 4 << 10;
const POSITIONS: u8 = 16;

pub fn run(data: &[u8]) {
    let Some((&[seed, moves], json)) = data.split_first_chunk() else {
        return;
    };
    let Ok(json) = serde_json::from_slice::<Value>(json) else {
        return;
    };
    if data.len() > LENGTH_MAX {
        return;
    }
    let program = table::program();
    let state = table::played(program, seed % 4, usize::from(moves % POSITIONS));
    let owed = engine::pending(program, &state);
    let Some(pending) = owed.first() else {
        // A game that is over refuses everything.
        return;
    };
    let Ok(choice) = wyrmgate::view::choice_from_json(program, &state, pending, &json) else {
        return;
    };
    let is_legal = engine::is_legal(program, &state, pending, &choice).unwrap();
    let mut after = state.clone();
    let stepped = engine::step(
        program,
        &mut after,
        pending.index,
        &choice,
        &mut Seeded,
        &mut Silent,
    );
    match stepped {
        Ok(()) => {
            assert!(is_legal, "an illegal choice is played");
            let written = table::to_json(program, &state, pending, &choice);
            let again = wyrmgate::view::choice_from_json(program, &state, pending, &written);
            assert_eq!(again.unwrap(), choice, "{written}");
            let mut is_listed = false;
            engine::for_each_choice(program, &state, pending, &mut |listed| {
                is_listed |= *listed == choice;
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
            assert!(is_listed, "{written} is played and not listed");
        }
        Err(StepError::Refused(_)) => {
            assert!(!is_legal, "a legal choice is refused");
            assert_eq!(after, state, "a refused choice changes something");
        }
        Err(StepError::Fault(fault)) => panic!("{fault:?}"),
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let program = table::program();
    let mut seeds = Vec::new();
    for moves in 0..POSITIONS {
        let state = table::played(program, 1, usize::from(moves));
        let owed = engine::pending(program, &state);
        let Some(pending) = owed.first() else {
            continue;
        };
        for number in [0, 1, 3] {
            let choice = engine::nth_choice(program, &state, pending, number).unwrap();
            let Some(choice) = choice else { continue };
            let json = table::to_json(program, &state, pending, &choice);
            seeds.push([&[1, moves], json.to_string().as_bytes()].concat());
        }
    }
    seeds
}
