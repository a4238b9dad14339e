//! Positions that several sequences of choices lead to: what follows from them is counted once and remembered.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::tally::Ply;
use wyrmgate_engine::{PositionKey, PositionKeys, State};
use wyrmgate_program::Program;

/// The parts of a table, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// The size of an entry without its plies: the key, and the places that a hash map leaves free.
const ENTRY_BYTES: usize = 96;

/// Counts below positions, by the number of plies that are left. Shared by all threads of a walk.
pub(super) struct CountTable<'p> {
    positions: PositionKeys<'p>,
    shards: Vec<Mutex<CountShard>>,
    bytes_of_shard: usize,
}

#[derive(Default)]
struct CountShard {
    known: HashMap<Key, Box<[Ply]>>,
    bytes: usize,
}

type Key = (PositionKey, u32);

impl<'p> CountTable<'p> {
    pub fn new(program: &'p Program, mebibytes: usize) -> CountTable<'p> {
        CountTable {
            positions: PositionKeys::new(program),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes_of_shard: (mebibytes << 20) / SHARDS,
        }
    }

    /// Returns the key of a position with this many plies left.
    pub fn key(&self, state: &State, left: u32) -> Key {
        (self.positions.key(state), left)
    }

    /// Visits the plies below a position, from the next one on, if they are known.
    pub fn look_up(&self, key: &Key, visit: &mut dyn FnMut(&[Ply])) -> bool {
        let Some(shard) = self.shard(key) else {
            return false;
        };
        let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        shard.known.get(key).inspect(|plies| visit(plies)).is_some()
    }

    /// Remembers the plies below a position. A part of the table that is full is emptied first.
    pub fn remember(&self, key: Key, plies: Box<[Ply]>) {
        let bytes = ENTRY_BYTES + size_of_val::<[Ply]>(&plies);
        let Some(shard) = self.shard(&key) else {
            return;
        };
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if shard.bytes + bytes > self.bytes_of_shard {
            shard.known.clear();
            shard.bytes = 0;
        }
        shard.bytes += bytes;
        shard.known.insert(key, plies);
    }

    fn shard(&self, (key, _): &Key) -> Option<&Mutex<CountShard>> {
        let number = key.first().copied().map_or(0, usize::from);
        self.shards.get(number % SHARDS)
    }
}
