//! The shared state of a cluster: which master has which slot, which host serves for each master, and which slot is
//! moving.

use std::collections::{BTreeMap, BTreeSet};

use super::PORT;
use super::resp::{Reply, bulk};

const SLOTS: u16 = 16_384;

/// Masters are numbered; each has two hosts, of which one serves.
pub struct Slots {
    masters: usize,
    /// The serving host by master.
    sides: Vec<usize>,
    /// The slots that have moved, with their masters.
    moved: BTreeMap<u16, usize>,
    pub moving: Option<Moving>,
}

/// A slot whose keys move one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Moving {
    pub slot: u16,
    pub from: usize,
    pub to: usize,
    /// Decides the order of the keys.
    pub order: u64,
}

/// The direction in which the slot of a script's keys is moving, seen from the master that runs the script.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Transit {
    Leaving,
    Arriving,
}

/// The keys that a script may access on a master: those of its own slot, and of a moving slot only those that are
/// present.
#[derive(Clone, Copy)]
pub struct Reach {
    pub slot: u16,
    pub transit: Option<Transit>,
}

impl Reach {
    /// Returns whether a command of a script is refused, as in Redis: also for keys that were not passed to the script,
    /// and even after the script has written.
    pub fn refuses(self, words: &[&[u8]], is_there: impl Fn(&[u8]) -> bool) -> bool {
        let (keys, are_channels) = keys(words);
        if keys.iter().any(|key| slot(key) != self.slot) {
            return true;
        }
        let is_missing = !are_channels && keys.iter().any(|key| !is_there(key));
        match self.transit {
            None => false,
            Some(Transit::Leaving) => is_missing,
            Some(Transit::Arriving) => is_missing && keys.len() > 1,
        }
    }
}

/// Returns the name of one of the two hosts of a master.
pub fn host(master: usize, side: usize) -> String {
    format!("redis-{master}{}", ["a", "b"][side])
}

impl Slots {
    pub fn new(masters: usize) -> Slots {
        Slots {
            masters,
            sides: vec![0; masters],
            moved: BTreeMap::new(),
            moving: None,
        }
    }

    pub fn side(&self, master: usize) -> usize {
        self.sides[master]
    }

    /// Lets the other host of a master serve from now on.
    pub fn fail_over(&mut self, master: usize) {
        self.sides[master] = 1 - self.sides[master];
    }

    /// Returns the host that serves for a master.
    pub fn host(&self, master: usize) -> String {
        host(master, self.sides[master])
    }

    pub fn owner(&self, slot: u16) -> usize {
        let at_first = || usize::from(slot) * self.masters / usize::from(SLOTS);
        self.moved.get(&slot).copied().unwrap_or_else(at_first)
    }

    /// Returns which keys a script with keys of this slot may access on a master.
    pub fn reach(&self, slot: u16, master: usize) -> Reach {
        let moving = self.moving.filter(|moving| moving.slot == slot);
        let transit = moving.and_then(|moving| match master {
            _ if master == moving.from => Some(Transit::Leaving),
            _ if master == moving.to => Some(Transit::Arriving),
            _ => None,
        });
        Reach { slot, transit }
    }

    /// Ends a move: all keys have moved.
    pub fn settle(&mut self, moving: Moving) {
        self.moved.insert(moving.slot, moving.to);
        self.moving = None;
    }

    /// Returns the answer to `CLUSTER SLOTS`.
    pub fn told(&self) -> Reply {
        let mut begins: BTreeSet<u16> = BTreeSet::from([0]);
        let at_first = (1..self.masters).map(|n| (n * usize::from(SLOTS)).div_ceil(self.masters));
        begins.extend(at_first.map(|slot| slot as u16));
        begins.extend(self.moved.keys().flat_map(|slot| [*slot, slot + 1]));
        begins.remove(&SLOTS);
        let ends = begins.iter().skip(1).copied().chain([SLOTS]);
        let server = |host: String| {
            let id = format!("{host:0<40}");
            Reply::Array(vec![bulk(&host), Reply::Int(i64::from(PORT)), bulk(id)])
        };
        let range = |(begin, end): (&u16, u16)| {
            let master = self.owner(*begin);
            let other = 1 - self.sides[master];
            Reply::Array(vec![
                Reply::Int(i64::from(*begin)),
                Reply::Int(i64::from(end - 1)),
                server(self.host(master)),
                server(host(master, other)),
            ])
        };
        Reply::Array(begins.iter().zip(ends).map(range).collect())
    }

    pub fn moved_to(&self, slot: u16, master: usize) -> Reply {
        Reply::Error(format!("MOVED {slot} {}:{PORT}", self.host(master)))
    }

    pub fn ask(&self, slot: u16, master: usize) -> Reply {
        Reply::Error(format!("ASK {slot} {}:{PORT}", self.host(master)))
    }
}

/// Returns the slot of a key: that of the text in its first braces, if there are any.
pub fn slot(key: &[u8]) -> u16 {
    let tag = key.split(|byte| *byte == b'{').nth(1);
    let tag = tag.and_then(|rest| {
        let end = rest.iter().position(|byte| *byte == b'}')?;
        (end > 0).then(|| &rest[..end])
    });
    crc16(tag.unwrap_or(key)) % SLOTS
}

/// Returns the checksum of the cluster protocol (CRC-16/XMODEM).
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

/// Returns the keys that a request names, and whether they are names of channels.
pub fn keys<'w>(words: &[&'w [u8]]) -> (Vec<&'w [u8]>, bool) {
    match words[0] {
        b"EVAL" | b"EVALSHA" => {
            let count: usize = std::str::from_utf8(words[2]).unwrap().parse().unwrap();
            (words[3..3 + count].to_vec(), false)
        }
        b"SPUBLISH" => (vec![words[1]], true),
        b"SSUBSCRIBE" | b"SUNSUBSCRIBE" => (words[1..].to_vec(), true),
        b"DEL" | b"UNLINK" | b"EXISTS" => (words[1..].to_vec(), false),
        b"PING" | b"TIME" | b"SCAN" | b"PUBLISH" | b"SUBSCRIBE" | b"UNSUBSCRIBE" | b"WAIT"
        | b"HELLO" | b"CLIENT" | b"SELECT" | b"AUTH" | b"CONFIG" | b"INFO" | b"CLUSTER"
        | b"ASKING" => (Vec::new(), false),
        _ => (vec![words[1]], false),
    }
}

#[test]
fn slots_are_those_of_the_protocol() {
    for key in ["123456789", "{7}s:abc", "a{b}{c}", "{}x", "plain"] {
        let known = redis::cluster_routing::Slot::for_key(key);
        assert_eq!(
            redis::cluster_routing::Slot::new(slot(key.as_bytes())),
            Some(known),
            "{key}"
        );
    }
}
