//! Bytes of a state in which something is wrong are refused, or are a state that can be played in any way but a crash.

use super::found::LawFinding;
use super::make;
use super::rest::LawRest;
use wyrmgate_engine::{Collect, State, Viewer, pending, random_choice};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::{decision_docs, event_doc, view};

/// Number of damaged choices tried at each rest.
const DAMAGES: usize = 40;

/// Moves made in each damaged state that was loaded.
const MOVES: usize = 5;

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let bytes = rest.state.encode(rest.program);
    for _ in 0..DAMAGES {
        let damaged = damage(&bytes, rest.dice);
        if let Ok(state) = State::decode(rest.program, &damaged) {
            play_on(rest.program, state, rest.dice);
        }
    }
    Ok(())
}

/// Returns the bytes with one bit flipped; sometimes everything from there on is missing.
fn damage(bytes: &[u8], dice: &mut RandomBot) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    let at = dice.below(bytes.len() as u64) as usize;
    if let Some(byte) = damaged.get_mut(at) {
        *byte ^= 1 << dice.below(8);
    }
    if dice.below(4) == 0 {
        damaged.truncate(at);
    }
    damaged
}

fn play_on(program: &Program, mut state: State, dice: &mut RandomBot) {
    for _ in 0..MOVES {
        view(program, &state, Viewer::Seat(0));
        let Some(owed) = pending(program, &state).first().copied() else {
            return;
        };
        // Whatever these answer: a fault and a refusal are answers.
        let _ = decision_docs(program, &state, &owed, 5, 0);
        let choice = random_choice(program, &state, &owed, &mut |n| dice.below(n));
        let Ok(Some(choice)) = choice else { return };
        let mut events = Collect::default();
        let stepped = make(program, &mut state, &owed, &choice, &mut events);
        for event in &events.0 {
            event_doc(program, event, Viewer::Public);
        }
        if stepped.is_err() {
            return;
        }
    }
}
