//! States as bytes.

use wyrmgate::engine::{DecodeError, State};
use wyrmgate::program::*;

use crate::build::{Build, begin, option};

fn game() -> Program {
    let mut b = Build::new(2);
    let deck = b.zone("deck", See::Count, None);
    b.cards("card", 9, deck);
    let list = b.slots(2);
    let numbers = b.range(1, 5);
    let entry = b.op(Op::LetList(list, numbers));
    let site = b.site(0, vec![option("", Vec::new(), 2)], 2);
    b.op(Op::Choose(site));
    b.op(Op::FinishDrawn);
    b.play(entry)
}

#[test]
fn a_state_reads_back_as_written() {
    let program = game();
    let state = begin(&program);
    assert_eq!(State::decode(&program, &state.encode(&program)), Ok(state));
}

#[test]
fn bytes_say_what_they_are() {
    let program = game();
    let bytes = begin(&program).encode(&program);
    assert_eq!(&bytes[..6], b"WYRM\x01\x00");
    let decode = |bytes: &[u8]| State::decode(&program, bytes).unwrap_err();
    assert_eq!(decode(b""), DecodeError::NotAState);
    assert_eq!(decode(b"{}"), DecodeError::NotAState);
    let mut other = bytes.clone();
    other[4] = 9;
    assert_eq!(decode(&other), DecodeError::Format(9));
    other = bytes.clone();
    other.push(0);
    assert_eq!(decode(&other), DecodeError::Damaged);
    for end in 4..bytes.len() {
        decode(&bytes[..end]);
    }
}

#[test]
fn another_program_refuses_it() {
    let program = game();
    let bytes = begin(&program).encode(&program);
    let mut other = program.clone();
    other.identity.digest = "other".into();
    assert_eq!(
        State::decode(&other, &bytes),
        Err(DecodeError::OtherProgram)
    );
}

#[test]
fn every_flipped_bit_is_refused_or_sound() {
    let program = game();
    let bytes = begin(&program).encode(&program);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            if let Ok(state) = State::decode(&program, &damaged) {
                assert!(State::decode(&program, &state.encode(&program)).is_ok());
            }
        }
    }
}
