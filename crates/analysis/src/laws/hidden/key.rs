//! Streams of random numbers, and the keys of single results.

use std::collections::HashMap;

use wyrmgate_base::dice::Dice;
use wyrmgate_engine::Draw;

/// A stream of random numbers: its kind ([`DIE`] and so on), and the number of the die, the decision or the zone.
pub(super) type Stream = (u8, u16);

/// A stream, and the number of draws from it, including this one.
pub(super) type Key = (Stream, u32);

const DIE: u8 = 0;

const VALUE: u8 = 1;

pub(super) const CHOICE: u8 = 2;

const SHUFFLE: u8 = 3;

/// Returns the key of a choice at random: its ordinal at this site.
pub(super) fn key_of_choice(site: u16, count: u32) -> Key {
    ((VALUE, site), count)
}

pub(super) fn key_of_roll(die: u16, count: u32) -> Key {
    ((DIE, die), count)
}

pub(super) fn next(counts: &mut HashMap<Stream, u32>, stream: Stream) -> Key {
    let count = counts.entry(stream).or_default();
    *count += 1;
    (stream, *count)
}

pub(super) fn stream_of(what: Draw<'_>) -> Stream {
    match what {
        Draw::Die { die, .. } => (DIE, die),
        Draw::Value { site, .. } => (VALUE, site),
        Draw::Choice { site } => (CHOICE, site),
        Draw::Shuffle { zone } => (SHUFFLE, zone),
    }
}

pub(super) fn dice_of(seed: u64, ((what, which), count): Key) -> Dice {
    let name = u64::from(what) << 48 | u64::from(which) << 32 | u64::from(count);
    Dice::new(seed ^ name.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
