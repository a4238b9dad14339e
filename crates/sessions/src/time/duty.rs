//! Background work of nodes, by time. The store offers each due session to one of the nodes.

use std::time::Duration;

use crate::Refusal;
use crate::bots::thinking;
use crate::service::Service;
use crate::time::timing;
use wyrmgate_store::{Index, Watch, WatchTerms};

/// A kind of background work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Play for seats that ran out of time, and carry out standing orders.
    Clocks,
    /// Move built-in players whose moves are pending, because their node stopped or was overloaded.
    Bots,
    /// Retry webhooks, and deliver those of nodes that have stopped.
    Webhooks,
    /// Restart simulations of nodes that have stopped.
    Simulations,
}

impl Duty {
    pub const ALL: [Duty; 4] = [Duty::Clocks, Duty::Bots, Duty::Webhooks, Duty::Simulations];

    fn terms(self) -> WatchTerms {
        match self {
            Duty::Clocks => WatchTerms {
                index: Index::DEADLINES,
                grace: timing::GRACE,
                hold: Duration::from_millis(100),
                turns_max: 64,
                surveyed_per_second: 6,
            },
            Duty::Bots => WatchTerms {
                index: Index::BOTS,
                grace: thinking::PENDING_AFTER,
                hold: Duration::from_secs(4),
                turns_max: 64,
                surveyed_per_second: 1,
            },
            Duty::Webhooks => WatchTerms {
                index: Index::WEBHOOKS,
                grace: Duration::ZERO,
                hold: Duration::from_secs(4),
                turns_max: 256,
                surveyed_per_second: 1,
            },
            Duty::Simulations => WatchTerms {
                index: Index::LEASES,
                grace: Duration::ZERO,
                hold: Duration::from_secs(1),
                turns_max: 16,
                surveyed_per_second: 1,
            },
        }
    }
}

impl Service {
    /// Watches for sessions (or simulations) with due work of this kind. `None` if this node does not do it.
    pub fn watch(&self, duty: Duty) -> Option<Watch> {
        if duty == Duty::Webhooks && self.deliverer.is_none() {
            return None;
        }
        Some(self.store.watch(duty.terms()))
    }

    /// Does the due work of a session. Does nothing if another node has done it.
    pub async fn perform(&self, duty: Duty, id: &str) -> Result<(), Refusal> {
        let done = match duty {
            Duty::Clocks => self.time_out(id).await.map(|_| ()),
            Duty::Bots => self.move_pending_bots(id).await,
            Duty::Webhooks => self.deliver(id).await,
            Duty::Simulations => self.take_over_simulation(id).await.map(|_| ()),
        };
        match done {
            Err(Refusal::NotFound) => Ok(()),
            done => done,
        }
    }
}
