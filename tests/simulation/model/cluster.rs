//! All servers of a schedule: one, or the masters of a cluster.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};
use std::rc::{Rc, Weak};

use super::server::{CrashAt, Member, Server, Shared};
use super::slots::{Moving, Slots, host};

/// The host of a server that is not part of a cluster.
pub const ALONE: &str = "redis";

/// The result of moving the next key of a slot.
pub enum Step {
    Moved,
    /// Both masters have a key of this name.
    Busy(String),
    /// No key was left: the slot belongs to the other master now.
    Settled,
}

pub struct Servers {
    all: Vec<Shared>,
    slots: Option<Rc<RefCell<Slots>>>,
    /// The server that gets this script crashes.
    pub crash_at: CrashAt,
}

impl Servers {
    /// Creates the servers with `make`.
    pub fn new(masters: usize, mut make: impl FnMut() -> Server) -> Servers {
        let all: Vec<Shared> = (0..masters)
            .map(|_| Rc::new(RefCell::new(make())))
            .collect();
        let crash_at = CrashAt::default();
        for server in &all {
            server.borrow_mut().crash_at = crash_at.clone();
        }
        let slots = (masters > 1).then(|| Rc::new(RefCell::new(Slots::new(masters))));
        if let Some(slots) = &slots {
            let weak: Vec<Weak<_>> = all.iter().map(Rc::downgrade).collect();
            for (number, server) in all.iter().enumerate() {
                server.borrow_mut().join(Member {
                    number,
                    slots: slots.clone(),
                    all: weak.clone(),
                });
            }
        }
        Servers {
            all,
            slots,
            crash_at,
        }
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn is_cluster(&self) -> bool {
        self.slots.is_some()
    }

    pub fn server(&self, number: usize) -> &Shared {
        &self.all[number]
    }

    pub fn each(&self) -> impl Iterator<Item = std::cell::Ref<'_, Server>> {
        self.all.iter().map(|server| server.borrow())
    }

    /// Returns all hosts: the number of the server, the number of the host of that server, and the name.
    pub fn hosts(&self) -> Vec<(usize, usize, String)> {
        if !self.is_cluster() {
            return vec![(0, 0, ALONE.to_owned())];
        }
        let sides = |number: usize| [0, 1].map(|side| (number, side, host(number, side)));
        (0..self.all.len()).flat_map(sides).collect()
    }

    /// Returns the host that serves for a server now.
    pub fn host(&self, number: usize) -> String {
        match &self.slots {
            Some(slots) => slots.borrow().host(number),
            None => ALONE.to_owned(),
        }
    }

    /// Lets the standby host of a server take over.
    pub fn fail_over(&self, number: usize) {
        if let Some(slots) = &self.slots {
            slots.borrow_mut().fail_over(number);
        }
    }

    /// Begins to move the slot of a session to the next server. `None` if there is no session yet, or another slot is
    /// moving.
    pub fn begin_to_move(&self, chance: u64) -> Option<Moving> {
        let mut slots = self.slots.as_ref()?.borrow_mut();
        let used: BTreeSet<u16> = self
            .each()
            .flat_map(|server| server.slots_in_use())
            .collect();
        if used.is_empty() || slots.moving.is_some() {
            return None;
        }
        let slot = *used.iter().nth(chance as usize % used.len())?;
        let from = slots.owner(slot);
        let to = (from + 1) % self.all.len();
        let moving = Moving {
            slot,
            from,
            to,
            order: chance,
        };
        slots.moving = Some(moving);
        Some(moving)
    }

    /// Moves one key.
    pub fn move_a_key(&self, moving: Moving) -> Step {
        let (from, to) = (&self.all[moving.from], &self.all[moving.to]);
        let key = from.borrow().key_of(moving);
        if let Some(key) = key {
            let is_busy = from.borrow_mut().hand_over(&key, &mut to.borrow_mut());
            return match is_busy {
                true => Step::Busy(String::from_utf8_lossy(&key).into_owned()),
                false => Step::Moved,
            };
        }
        if let Some(slots) = &self.slots {
            slots.borrow_mut().settle(moving);
        }
        from.borrow_mut().hand_over_slot(moving);
        Step::Settled
    }

    pub fn has_lost(&self) -> bool {
        self.each().any(|server| server.has_lost)
    }

    /// Returns whether any write was ever lost, if only for a while.
    pub fn has_fallen_back(&self) -> bool {
        self.each().any(|server| server.has_fallen_back)
    }

    /// Returns the marks of changes that were written and are lost.
    pub fn lost(&self) -> BTreeSet<Vec<u8>> {
        self.each().flat_map(|server| server.lost.clone()).collect()
    }

    /// Returns whether no script will be repeated.
    pub fn is_quiet(&self) -> bool {
        self.each().all(|server| server.to_repeat == 0)
    }

    /// Returns when a change was written, by its mark.
    pub fn written_at(&self, mark: &[u8]) -> Option<u64> {
        let at = |server: std::cell::Ref<'_, Server>| Some(server.written.get(mark)?.0);
        self.each().filter_map(at).min()
    }

    pub fn contradictions(&self, now_ms: u64) -> Vec<String> {
        let of_each = self.each().map(|server| server.contradictions(now_ms));
        of_each.flatten().collect()
    }

    /// Returns the last moment at which nodes have something to do.
    pub fn last_due(&self, now_ms: u64) -> Option<u64> {
        self.each()
            .filter_map(|server| server.last_due(now_ms))
            .max()
    }

    /// Returns a digest that is equal for two identical runs.
    pub fn digest(&self) -> u64 {
        let mut digest = DefaultHasher::new();
        self.each()
            .for_each(|server| digest.write_u64(server.digest.finish()));
        digest.finish()
    }

    /// Returns the requests and answers of all servers, in the order of time.
    pub fn course(&self) -> Vec<String> {
        let mut course = Vec::new();
        for (number, server) in self.all.iter().enumerate() {
            let lines = server.borrow_mut().course.take().unwrap_or_default();
            course.extend(lines.into_iter().map(|(at, line)| (at, number, line)));
        }
        course.sort_by_key(|(at, ..)| *at);
        let is_cluster = self.is_cluster();
        let show = |(at, number, line)| match is_cluster {
            true => format!("{at:>7} {number} {line}"),
            false => format!("{at:>7} {line}"),
        };
        course.into_iter().map(show).collect()
    }
}
