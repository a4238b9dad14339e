//! What the servers of a cluster agree on: who holds which slot, where each of them is found, and which slot is on its way.

use std::collections::{BTreeMap, BTreeSet};

use super::PORT;
use super::resp::{Reply, bulk};

const SLOTS: u16 = 16_384;

/// Masters are numbered; each has two hosts, of which one serves.
pub struct Slots {
    masters: usize,
    /// By master.
    sides: Vec<usize>,
    /// Slots that are not where they were in the beginning.
    moved: BTreeMap<u16, usize>,
    pub moving: Option<Moving>,
}

/// A slot whose keys go over one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Moving {
    pub slot: u16,
    pub from: usize,
    pub to: usize,
    /// Decides which key goes first.
    pub order: u64,
}

/// Where the slot of a script's keys is on its way, for the master that runs the script.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Transit {
    Leaving,
    Arriving,
}

/// What a script may reach on a master: keys of its own slot, and of a slot on its way only keys that are there.
#[derive(Clone, Copy)]
pub struct Reach {
    pub slot: u16,
    pub transit: Option<Transit>,
}

impl Reach {
    /// Whether a command of a script is refused, as Redis does it: also for keys that the script was not given, and in the
    /// middle of it, after what it has already written.
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

/// The name of one of the two hosts of a master.
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

    /// The other host serves from now on.
    pub fn fail_over(&mut self, master: usize) {
        self.sides[master] = 1 - self.sides[master];
    }

    /// Where a master is found.
    pub fn host(&self, master: usize) -> String {
        host(master, self.sides[master])
    }

    pub fn owner(&self, slot: u16) -> usize {
        let at_first = || usize::from(slot) * self.masters / usize::from(SLOTS);
        self.moved.get(&slot).copied().unwrap_or_else(at_first)
    }

    /// What a script with keys of this slot may reach on a master.
    pub fn reach(&self, slot: u16, master: usize) -> Reach {
        let moving = self.moving.filter(|moving| moving.slot == slot);
        let transit = moving.and_then(|moving| match master {
            _ if master == moving.from => Some(Transit::Leaving),
            _ if master == moving.to => Some(Transit::Arriving),
            _ => None,
        });
        Reach { slot, transit }
    }

    /// All keys have gone over.
    pub fn settle(&mut self, moving: Moving) {
        self.moved.insert(moving.slot, moving.to);
        self.moving = None;
    }

    /// The answer to `CLUSTER SLOTS`.
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

/// The slot of a key: of what stands in its first braces, if it has any.
pub fn slot(key: &[u8]) -> u16 {
    let tag = key.split(|byte| *byte == b'{').nth(1);
    let tag = tag.and_then(|rest| {
        let end = rest.iter().position(|byte| *byte == b'}')?;
        (end > 0).then(|| &rest[..end])
    });
    crc16(tag.unwrap_or(key)) % SLOTS
}

/// As the protocol of clusters has it (XMODEM).
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

/// The keys that a request names, and whether they are names of channels.
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
