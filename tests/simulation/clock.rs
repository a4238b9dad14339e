//! The time of a simulation, chance that its seed decides, and its network.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use tokio::runtime::{Handle, Id};
use wyrmgate::dice::Dice;
use wyrmgate::surroundings::{Connecting, Stream, Surroundings};

use crate::wire::Dialer;

/// Some day in 2026, a little before a whole hour: the service lets sessions expire at whole hours.
pub const ORIGIN_MS: u64 = 1_789_999_200_000 - TO_THE_HOUR_MS;
/// From the beginning to the next whole hour.
pub const TO_THE_HOUR_MS: u64 = 12_000;

thread_local! {
    /// While no host runs.
    static STOPPED_AT: Cell<u64> = const { Cell::new(0) };
}

/// The true time, in Unix milliseconds.
pub fn now_ms() -> u64 {
    let elapsed = turmoil::sim_elapsed().map(|elapsed| elapsed.as_millis() as u64);
    ORIGIN_MS + elapsed.unwrap_or_else(|| STOPPED_AT.get())
}

/// Between steps nobody asks a host.
pub fn stop_at(elapsed_ms: u64) {
    STOPPED_AT.set(elapsed_ms);
}

/// What hosts are told instead.
pub struct Simulated {
    dice: RefCell<Dice>,
    /// How far the clocks of hosts are ahead, by the runtime that their tasks run on.
    ahead_ms: RefCell<HashMap<Id, i64>>,
    /// How hosts open connections, in the same way.
    dialers: RefCell<HashMap<Id, Dialer>>,
}

impl Simulated {
    pub fn new(seed: u64) -> Rc<Simulated> {
        Rc::new(Simulated {
            dice: RefCell::new(Dice::new(seed)),
            ahead_ms: RefCell::default(),
            dialers: RefCell::default(),
        })
    }

    /// From now on, for the host that this is called on.
    pub fn set_dialer(&self, dialer: Dialer) {
        self.dialers
            .borrow_mut()
            .insert(Handle::current().id(), dialer);
    }

    /// From now on, for the host that this is called on.
    pub fn set_ahead(&self, ms: i64) {
        self.ahead_ms
            .borrow_mut()
            .insert(Handle::current().id(), ms);
    }
}

impl Surroundings for Simulated {
    fn now_ms(&self) -> u64 {
        let host = Handle::try_current().ok();
        let ahead = host.and_then(|host| self.ahead_ms.borrow().get(&host.id()).copied());
        now_ms().saturating_add_signed(ahead.unwrap_or(0))
    }

    fn fill(&self, bytes: &mut [u8]) {
        let mut dice = self.dice.borrow_mut();
        for part in bytes.chunks_mut(32) {
            part.copy_from_slice(&dice.bytes()[..part.len()]);
        }
    }

    fn connect(&self, host: &str, _port: u16) -> Option<Connecting> {
        let dialer = self.dialers.borrow().get(&Handle::current().id())?.clone();
        let line = dialer.dial(host.to_owned());
        Some(Box::pin(async move {
            Ok(Box::new(line.await?) as Box<dyn Stream>)
        }))
    }
}
