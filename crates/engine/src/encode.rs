//! Encodes states as bytes: a header that identifies them, then the words. Decoding checks everything that later code
//! relies on, so damaged bytes cause an error here and nowhere else.
//!
//! ```text
//! "WYRM"  format number (u16)  fingerprint of the program (u64)  postcard: seed, words, stack, outcome, history
//! ```
//!
//! The history is left out as long as it is empty, as in every game that records no positions.

use serde::{Deserialize, Serialize};
use wyrmgate_base::presume::Presume;

use crate::frame::{CALLER, EFFECT, END, FRAME_HEADER, RETURN_TO};
use crate::history::PositionHistory;
use crate::layout::{FLAGS_ALL, StateLayout, header};
use crate::limit::{CALL_DEPTH_MAX, CONTENTS_DEPTH_MAX, STATE_WORDS_MAX};
use crate::outcome::GameOutcome;
use crate::state::State;
use wyrmgate_program::{NONE, Program};

const MAGIC: &[u8; 4] = b"WYRM";
/// The number of this encoding.
pub const STATE_FORMAT: u16 = 1;
const HEADER_BYTES: usize = 14;
/// Maximum length of a state without its header: each word takes at most five bytes, and the rest is short.
const BODY_BYTES_MAX: usize = STATE_WORDS_MAX * 5 + 4_096;

/// Why bytes are not a state of this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// Not written by [`State::encode`].
    NotAState,
    /// Written by a version with this format number.
    Format(u16),
    /// A state of another program.
    OtherProgram,
    /// Cut off, too long, or words that contradict each other.
    Damaged,
}

#[derive(Deserialize)]
struct BodyIn {
    seed: [u8; 32],
    words: Vec<i32>,
    stack: Vec<i32>,
    outcome: Option<GameOutcome>,
}

impl State {
    /// Encodes the state.
    pub fn encode(&self, program: &Program) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode_onto(program, &mut bytes);
        bytes
    }

    /// Appends the encoded state to existing bytes.
    pub fn encode_onto(&self, program: &Program, bytes: &mut Vec<u8>) {
        // Most words take a byte, some take two.
        let room = HEADER_BYTES + self.seed.len() + self.words.len() * 3 / 2 + self.stack.len() * 2;
        bytes.reserve(room + 64);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&STATE_FORMAT.to_le_bytes());
        bytes.extend_from_slice(&fingerprint(program).to_le_bytes());
        bytes.extend_from_slice(&self.seed);
        put_words(bytes, &self.words);
        put_words(bytes, &self.stack);
        match self.outcome() {
            None => bytes.push(0),
            Some(outcome) => {
                bytes.push(1);
                put(bytes, outcome);
            }
        }
        if !self.history.is_empty() {
            put(bytes, &self.history);
        }
    }

    /// Decodes what [`State::encode`] wrote for the same program.
    pub fn decode(program: &Program, bytes: &[u8]) -> Result<State, DecodeError> {
        let body = check_header(program, bytes)?;
        if body.len() > BODY_BYTES_MAX {
            return Err(DecodeError::Damaged);
        }
        let (body, rest): (BodyIn, &[u8]) =
            postcard::take_from_bytes(body).map_err(|_| DecodeError::Damaged)?;
        let body_has_more = !rest.is_empty();
        let (history, rest): (PositionHistory, &[u8]) = match rest.is_empty() {
            true => (PositionHistory::default(), rest),
            false => postcard::take_from_bytes(rest).map_err(|_| DecodeError::Damaged)?,
        };
        if history.is_empty() && body_has_more {
            return Err(DecodeError::Damaged); // an empty one is not written
        }
        let state = State {
            seed: body.seed,
            words: body.words,
            stack: body.stack.into(),
            outcome: body.outcome.map(Box::new),
            history,
            layout: StateLayout::of(program),
            changes: Default::default(),
        };
        let sound = rest.is_empty()
            && words_fit(&state)
            && zones_are_sound(program, &state)
            && header_is_sound(program, &state)
            && outcome_is_sound(&state)
            && frames_are_sound(program, &state);
        if sound {
            Ok(state)
        } else {
            Err(DecodeError::Damaged)
        }
    }
}

/// Appends a value. Writing plain numbers into memory cannot fail; if it ever did, the bytes would read as damaged.
fn put(bytes: &mut Vec<u8>, value: &impl Serialize) {
    let written = postcard::to_stdvec(value).presume("numbers-can-be-written");
    bytes.extend(written.unwrap_or_default());
}

/// Encodes a list of numbers like postcard: its length, then each number, with small ones of either sign in one byte. A
/// state is encoded with every move, and the general encoder takes five times as long.
fn put_words(bytes: &mut Vec<u8>, words: &[i32]) {
    put_varint(bytes, words.len() as u64);
    for some in words.chunks(AT_ONCE) {
        let mut short = [0; AT_ONCE];
        let mut all = 0;
        for (short, word) in short.iter_mut().zip(some) {
            let number = zigzag(*word);
            all |= number;
            *short = number as u8;
        }
        match short.get(..some.len()).filter(|_| all < 0x80) {
            Some(short) => bytes.extend_from_slice(short),
            None => some
                .iter()
                .for_each(|word| put_varint(bytes, u64::from(zigzag(*word)))),
        }
    }
}

/// The number of words that are tried together as single bytes, which takes a few instructions.
const AT_ONCE: usize = 16;

/// Encodes 0, -1, 1, -2 … as 0, 1, 2, 3 …
fn zigzag(word: i32) -> u32 {
    ((word << 1) ^ (word >> 31)).cast_unsigned()
}

/// Writes seven bits per byte, the lowest first; the highest bit of a byte says that more follow.
fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn check_header<'b>(program: &Program, bytes: &'b [u8]) -> Result<&'b [u8], DecodeError> {
    let (magic, rest) = bytes.split_first_chunk().ok_or(DecodeError::NotAState)?;
    if magic != MAGIC {
        return Err(DecodeError::NotAState);
    }
    let (format, rest) = rest.split_first_chunk().ok_or(DecodeError::Damaged)?;
    let format = u16::from_le_bytes(*format);
    if format != STATE_FORMAT {
        return Err(DecodeError::Format(format));
    }
    let (print, body) = rest.split_first_chunk().ok_or(DecodeError::Damaged)?;
    if u64::from_le_bytes(*print) != fingerprint(program) {
        return Err(DecodeError::OtherProgram);
    }
    Ok(body)
}

/// Identifies a program by its ruleset, its setup and the shape of its parts.
pub fn fingerprint(program: &Program) -> u64 {
    *program.caches.fingerprint.get_or_init(|| hash_of(program))
}

fn hash_of(program: &Program) -> u64 {
    let mut hash = Fnv::default();
    hash.text(&program.identity.game);
    hash.text(&program.identity.digest);
    for option in &program.identity.options {
        hash.text(&option.name);
        hash.number(i64::from(option.value));
    }
    let sizes = [
        program.seats,
        program.kinds.len(),
        program.components.len(),
        program.families.len(),
        program.zones.len(),
        program.vars.len(),
        program.room.var_words,
        program.exprs.len(),
        program.sets.len(),
        program.code.ops.len(),
        program.effects.len(),
        program.sites.len(),
    ];
    for size in sizes {
        hash.number(size as i64);
    }
    hash.0
}

/// FNV-1a.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn number(&mut self, number: i64) {
        self.bytes(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.bytes(text.as_bytes());
    }
}

// ---- what must hold of a state at rest

fn words_fit(state: &State) -> bool {
    state.words.len() == state.layout.words() && state.size_in_words() <= STATE_WORDS_MAX
}

/// Returns whether every component lies in exactly one zone, and lists agree in both directions.
fn zones_are_sound(program: &Program, state: &State) -> bool {
    let mut found = 0usize;
    for zone in 0..state.layout.zones as i32 {
        let mut previous = NONE;
        let mut count = 0;
        let mut at = state.zone_first(zone);
        while at != NONE {
            let sound = state.is_component(at)
                && state.zone_of(at) == zone
                && state.previous(at) == previous
                && found < state.layout.components;
            if !sound {
                return false;
            }
            found += 1;
            count += 1;
            previous = at;
            at = state.next(at);
        }
        if state.zone_last(zone) != previous || state.zone_count(zone) != count {
            return false;
        }
    }
    found == state.layout.components
        && (0..found as i32).all(|component| {
            component_is_sound(state, component) && is_outside_itself(program, state, component)
        })
}

fn component_is_sound(state: &State, component: i32) -> bool {
    let flags = state.flags(component);
    flags & !FLAGS_ALL == 0
        && (0..state.layout.cells.count()).contains(&state.turned(component))
        && (NONE..1 << 30).contains(&state.cell_of(component))
}

/// Returns whether a component does not contain itself, and lies no deeper in others than the limit.
fn is_outside_itself(program: &Program, state: &State, component: i32) -> bool {
    let mut at = component;
    for _ in 0..=CONTENTS_DEPTH_MAX {
        let zone = state.zone_of(at).max(0) as usize;
        let holder = program.zones.get(zone).and_then(|info| info.inside);
        match holder {
            None => return true,
            Some(holder) => at = i32::from(holder),
        }
    }
    false
}

fn header_is_sound(program: &Program, state: &State) -> bool {
    let site = state.head(header::SITE);
    let owing = state.head(header::OWING);
    let secret = state.head(header::SECRET);
    let seats = 1i32 << program.seats.min(8);
    if state.is_finished() {
        return site == NONE && owing == 0 && secret == 0 && state.stack.is_empty();
    }
    let one = owing.count_ones() == 1;
    let asked = usize::try_from(site)
        .ok()
        .and_then(|site| program.sites.get(site));
    let races = asked.is_some_and(|site| site.first.is_some());
    let counts_answers = asked.is_some_and(|site| site.members().is_some());
    (0..program.sites.len() as i32).contains(&site)
        && (1..seats).contains(&owing)
        && (secret == 1 || (secret == 0 && (one || races)) || (secret > 1 && counts_answers))
        && address_is_sound(program, state.head(header::PC))
}

fn address_is_sound(program: &Program, address: i32) -> bool {
    (0..=program.code.ops.len() as i32).contains(&address)
}

fn outcome_is_sound(state: &State) -> bool {
    let Some(outcome) = state.outcome() else {
        return true;
    };
    let is_seat = |seat: u8| usize::from(seat) < state.layout.seats;
    outcome.winners.iter().all(|&seat| is_seat(seat))
        && outcome.ranking.iter().all(|row| is_seat(row.seat))
}

/// Checks the frames from the running one down to the first: each lies completely below the one it called.
fn frames_are_sound(program: &Program, state: &State) -> bool {
    if state.is_finished() {
        return true;
    }
    let depth = state.head(header::DEPTH);
    if !(1..=CALL_DEPTH_MAX).contains(&depth) {
        return false;
    }
    let mut top = state.stack.len();
    let mut base = state.head(header::BASE);
    for left in (0..depth).rev() {
        let Ok(at) = usize::try_from(base) else {
            return false;
        };
        let Some(size) = frame_size(program, state, at) else {
            return false;
        };
        if at + size > top {
            return false;
        }
        let return_to = state.slot(at + RETURN_TO);
        let returns = if left == 0 {
            at == 0 && return_to == END
        } else {
            address_is_sound(program, return_to)
        };
        if !returns {
            return false;
        }
        top = at;
        base = state.slot(at + CALLER);
    }
    true
}

fn frame_size(program: &Program, state: &State, at: usize) -> Option<usize> {
    if at + FRAME_HEADER > state.stack.len() {
        return None;
    }
    let effect = usize::try_from(state.slot(at + EFFECT)).ok()?;
    let info = program.effects.get(effect)?;
    Some(FRAME_HEADER + usize::from(info.slots))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_postcard_writes_them() {
        let edges = [0, -1, 63, -64, 64, -65, 8191, -8192, i32::MAX, i32::MIN];
        for length in [0, 1, 15, 16, 17, 40, 200] {
            for long in 0..=length {
                let word = |at: usize| match at % 7 == long % 7 {
                    true => edges.get(at % edges.len()).copied().unwrap_or_default(),
                    false => at as i32 % 60 - 30,
                };
                let words: Vec<i32> = (0..length).map(word).collect();
                let mut bytes = Vec::new();
                put_words(&mut bytes, &words);
                assert_eq!(Ok(bytes), postcard::to_stdvec(&words), "{words:?}");
            }
        }
    }
}
