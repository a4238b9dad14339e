//! Damaged parts of a stored session: the first byte selects the part. A damaged part is an error, and a state that can be
//! read can also be shown and continued.

use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{State, fingerprint};
use wyrmgate::session::{LogEntry, Play, SessionFacts, Status};
use wyrmgate::store::PortableReader;

use super::table;

const LENGTH_MAX: usize = 16 << 10;
/// Length of a state in a snapshot, then the head of a state.
const LENGTH_BYTES: usize = 4;
const FINGERPRINT_AT: usize = LENGTH_BYTES + 6;
const MOVES: usize = 4;

pub fn run(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    if data.len() > LENGTH_MAX {
        return;
    }
    match kind % 5 {
        0 => snapshot(rest),
        1 => {
            if let Ok(status) = Status::decode(rest) {
                let written = status.encode().unwrap();
                let again = Status::decode(&written).unwrap();
                assert_eq!(again.encode().unwrap(), written);
            }
        }
        2 => {
            if let Ok(entry) = LogEntry::decode(rest) {
                LogEntry::decode(&entry.encode().unwrap()).unwrap();
            }
        }
        3 => {
            if let Ok(facts) = SessionFacts::decode(rest) {
                SessionFacts::decode(&facts.encode().unwrap()).unwrap();
            }
        }
        _ => {
            let mut reader = PortableReader::default();
            for line in rest.split_inclusive(|byte| *byte == b'\n') {
                if reader.line(line).is_err() {
                    return;
                }
            }
            let _ = reader.finish();
        }
    }
}

/// With the fingerprint of the program, which nobody guesses.
fn snapshot(bytes: &[u8]) {
    let program = table::program();
    let mut bytes = bytes.to_vec();
    if let Some(place) = bytes.get_mut(FINGERPRINT_AT..FINGERPRINT_AT + 8) {
        place.copy_from_slice(&fingerprint(program).to_le_bytes());
    }
    let Ok(play) = Play::decode(program, &bytes) else {
        return;
    };
    let written = play.encode(program).unwrap();
    let again = Play::decode(program, &written).unwrap();
    assert_eq!(again.state(), play.state());
    let mut state: State = play.state().clone();
    let mut bot = RandomBot::new(1);
    for _ in 0..MOVES {
        table::shown(program, &state);
        let owed = play_on(program, &mut state, &mut bot);
        if !owed {
            break;
        }
    }
}

/// A damaged state may owe a decision without a choice; it may not stop the process.
fn play_on(program: &wyrmgate::program::Program, state: &mut State, bot: &mut RandomBot) -> bool {
    use wyrmgate::engine::{self, Seeded, Silent};
    let owed = engine::pending(program, state);
    let Some(pending) = owed.first() else {
        return false;
    };
    let Ok(Some(choice)) = bot.choose(program, state, pending) else {
        return false;
    };
    let (chance, observer) = (&mut Seeded, &mut Silent);
    engine::step(program, state, pending.index, &choice, chance, observer).is_ok()
}

pub fn seeds() -> Vec<Vec<u8>> {
    let program = table::program();
    let mut seeds = Vec::new();
    for moves in [0, 1, 2, 5, 9] {
        let play = Play::of_state(table::played(program, 1, moves));
        seeds.push([&[0], &*play.encode(program).unwrap()].concat());
    }
    let hash = "0".repeat(64);
    let taken = format!(r#"{{"taken":{{"token":"{hash}","name":"Ann"}}}}"#);
    seeds.push(format!("\x01{{\"stage\":\"running\",\"seats\":[{taken},\"open\"]}}").into_bytes());
    seeds.push([&[2], &*LogEntry::default().encode().unwrap()].concat());
    seeds.push(b"\x03{\"format\":1}".to_vec());
    seeds.push(b"\x04{}".to_vec());
    seeds.push(b"\x05{\"wyrmgate_store\":1}\n{\"blob\":\"9f\",\"bytes\":\"\"}\n".to_vec());
    seeds
}
