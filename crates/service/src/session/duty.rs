//! What nodes do by themselves when its time has come. The store offers each session in its time, to one of the nodes.

use std::time::Duration;

use super::service::Service;
use super::{Refusal, thinking, timing};
use wyrmgate_store::{Index, Watch, WatchTerms};

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Playing for those whose time is up, and giving the answers that were given in advance.
    Clocks,
    /// Letting built-in players move that another node has left waiting, or this one had no room for.
    Bots,
    /// Calling webhooks again, or instead of a node that has gone away.
    Webhooks,
    /// Beginning simulations anew whose node has gone away.
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
                grace: thinking::LEFT_LYING,
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
    /// The sessions (or simulations) in which something of this kind is to be done, as its time comes. `None` if this node
    /// does not do it.
    pub fn watch(&self, duty: Duty) -> Option<Watch> {
        if duty == Duty::Webhooks && self.posting.is_none() {
            return None;
        }
        Some(self.store.watch(duty.terms()))
    }

    /// Does what is to be done in a session. Nothing, if somebody else has done it.
    pub async fn perform(&self, duty: Duty, id: &str) -> Result<(), Refusal> {
        let done = match duty {
            Duty::Clocks => self.time_out(id).await.map(|_| ()),
            Duty::Bots => self.move_bots_left(id).await,
            Duty::Webhooks => self.deliver(id).await,
            Duty::Simulations => self.take_over_simulation(id).await.map(|_| ()),
        };
        match done {
            Err(Refusal::NotFound) => Ok(()),
            done => done,
        }
    }
}
