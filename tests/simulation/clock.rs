//! The clock, the randomness and the network of a simulation.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use tokio::runtime::{Handle, Id};
use wyrmgate::dice::Dice;
use wyrmgate::surroundings::{Connecting, Stream, Surroundings};

use crate::wire::Dialer;

/// The time at which a simulation begins, a little before a whole hour, because sessions expire at whole hours.
pub const ORIGIN_MS: u64 = 1_789_999_200_000 - TO_THE_HOUR_MS;
/// The time from the beginning to the next whole hour.
pub const TO_THE_HOUR_MS: u64 = 12_000;

thread_local! {
    /// The time while no host runs.
    static STOPPED_AT: Cell<u64> = const { Cell::new(0) };
}

/// Returns the true time, in Unix milliseconds.
pub fn now_ms() -> u64 {
    let elapsed = turmoil::sim_elapsed().map(|elapsed| elapsed.as_millis() as u64);
    ORIGIN_MS + elapsed.unwrap_or_else(|| STOPPED_AT.get())
}

/// Sets the time between steps, when no host runs.
pub fn stop_at(elapsed_ms: u64) {
    STOPPED_AT.set(elapsed_ms);
}

/// The surroundings that hosts get.
pub struct Simulated {
    dice: RefCell<Dice>,
    /// By how much the clocks of hosts are fast, by the runtime of their tasks.
    ahead_ms: RefCell<HashMap<Id, i64>>,
    /// The dialers of hosts, by the runtime of their tasks.
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

    /// Sets the dialer of the host on which this is called.
    pub fn set_dialer(&self, dialer: Dialer) {
        self.dialers
            .borrow_mut()
            .insert(Handle::current().id(), dialer);
    }

    /// Sets by how much the clock of the host on which this is called is fast.
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

    /// Most thoughts are short, and some last as long as the grace period of pending moves.
    fn work_takes(&self) -> Duration {
        let mut dice = self.dice.borrow_mut();
        let most = [3_000, 50, 50, 50, 50, 200, 200, 200][dice.below(8) as usize];
        Duration::from_millis(dice.below(most))
    }

    fn connect(&self, host: &str, _port: u16) -> Option<Connecting> {
        let dialer = self.dialers.borrow().get(&Handle::current().id())?.clone();
        let line = dialer.dial(host.to_owned());
        Some(Box::pin(async move {
            Ok(Box::new(line.await?) as Box<dyn Stream>)
        }))
    }
}
