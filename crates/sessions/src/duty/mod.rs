//! Background work of nodes, by time. The store offers each due session to one of the nodes.

mod bots;
mod clocks;
mod digests;
mod results;
mod waits;
mod webhooks;

use std::time::Duration;

use crate::Refusal;
use crate::content::deadline;
use crate::service::Service;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_store::{Index, IndexWatch, Turn, WatchTerms};

wyrmgate_base::named_enum! {
    /// A kind of background work, with its name in metrics.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Duty {
        /// Play for seats that ran out of time, and carry out standing orders.
        Clocks = "clocks",
        /// Move built-in players whose moves are pending, because their node stopped or was overloaded.
        Bots = "pending_bots",
        /// Retry webhooks, and deliver those of nodes that have stopped.
        Webhooks = "webhooks",
        /// Tell players once a day how many games wait for them.
        Digests = "digests",
        /// Count the results of games in ratings and tournaments.
        Results = "results",
        /// Look for others for those who seek a game, and end sessions that have waited for too long.
        Waits = "waits",
        /// Restart simulations of nodes that have stopped.
        Simulations = "simulations",
    }
}

impl Duty {
    fn terms(self) -> WatchTerms {
        let usual = |index| WatchTerms {
            index,
            grace: Duration::ZERO,
            hold: Duration::from_secs(1),
            turns_max: 64,
            polled_per_second: 1,
        };
        match self {
            Duty::Clocks => WatchTerms {
                grace: deadline::GRACE,
                hold: Duration::from_millis(100),
                polled_per_second: 4,
                ..usual(Index::DEADLINES)
            },
            Duty::Bots => WatchTerms {
                grace: bots::PENDING_AFTER,
                hold: Duration::from_secs(4),
                ..usual(Index::BOTS)
            },
            Duty::Webhooks => WatchTerms {
                hold: Duration::from_secs(4),
                turns_max: 256,
                ..usual(Index::WEBHOOKS)
            },
            Duty::Digests => WatchTerms {
                hold: Duration::from_secs(4),
                ..usual(Index::DIGESTS)
            },
            Duty::Results => usual(Index::RESULTS),
            Duty::Waits => usual(Index::WAITS),
            Duty::Simulations => WatchTerms {
                turns_max: 16,
                ..usual(Index::LEASES)
            },
        }
    }
}

impl Service {
    /// Watches for sessions (or simulations) with due work of this kind. `None` if this node does not do it.
    pub fn watch(&self, duty: Duty) -> Option<IndexWatch> {
        let is_calling = matches!(duty, Duty::Webhooks | Duty::Digests);
        if is_calling && self.deliverer.is_none() {
            return None;
        }
        let watch = self.store.watch(duty.terms());
        self.metrics.watched(duty.name(), &watch);
        Some(watch)
    }

    /// Does the due work of a session. Does nothing if another node has done it.
    pub async fn perform(&self, duty: Duty, turn: &Turn) -> Result<(), Refusal> {
        let waited = Duration::from_millis(now_ms().saturating_sub(turn.score));
        let late = waited.saturating_sub(duty.terms().grace);
        self.metrics.waited(duty.name(), late);
        let id = turn.session.as_str();
        let done = match duty {
            Duty::Clocks => self.time_out(id).await.map(|_| ()),
            Duty::Bots => self.move_bots(id).await,
            Duty::Webhooks => self.deliver(id).await,
            Duty::Digests => self.send_digest(id).await,
            Duty::Results => self.count_results(id).await,
            Duty::Waits => self.wait_on(id).await,
            Duty::Simulations => self.take_over_simulation(id).await.map(|_| ()),
        };
        match done {
            Err(Refusal::NotFound) => Ok(()),
            done => done,
        }
    }
}
