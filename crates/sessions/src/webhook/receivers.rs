//! How many calls of a node one receiver can occupy.
//!
//! A call lasts as long as the receiver likes, up to its time limit. Without a share for each receiver, one that never
//! answers would stop the webhooks of all sessions, because anybody can create many sessions that call it.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::webhook_sender::Receiver;

/// Maximum number of concurrent calls to one receiver.
const CALLS_MAX: usize = 16;
/// Maximum number of concurrent calls to all receivers whose names come from one provider: half of a node's calls. Such names
/// often cost nothing, and cannot take up the other half.
const PROVIDER_CALLS_MAX: usize = 32;
/// Maximum wait for one of them to end. Short, because the caller has a lease and occupies a place of the node.
const PATIENCE: Duration = Duration::from_secs(1);
/// Number of receivers beyond which those that nobody calls are forgotten.
const KNOWN_MAX: usize = 256;

/// The receivers that are being called, and their providers.
#[derive(Default)]
pub(crate) struct Receivers {
    known: Mutex<HashMap<LimitShare, Weak<Semaphore>>>,
}

/// Those who share a limit of concurrent calls.
#[derive(Clone, PartialEq, Eq, Hash)]
enum LimitShare {
    Receiver(String),
    Provider(String),
}

/// A call that is allowed, until this is dropped.
pub(crate) struct CallPermit {
    _of_receiver: OwnedSemaphorePermit,
    _of_provider: Option<OwnedSemaphorePermit>,
}

impl LimitShare {
    fn calls_max(&self) -> usize {
        match self {
            LimitShare::Receiver(_) => CALLS_MAX,
            LimitShare::Provider(_) => PROVIDER_CALLS_MAX,
        }
    }
}

impl Receivers {
    /// Waits for a call to this receiver to be allowed. Returns `None` if it or its provider is too busy.
    pub(crate) async fn turn(&self, receiver: Receiver) -> Option<CallPermit> {
        let both = async {
            Some(CallPermit {
                _of_receiver: self.permit(LimitShare::Receiver(receiver.name)).await?,
                _of_provider: match receiver.provider {
                    Some(provider) => Some(self.permit(LimitShare::Provider(provider)).await?),
                    None => None,
                },
            })
        };
        timeout(PATIENCE, both).await.ok()?
    }

    async fn permit(&self, share: LimitShare) -> Option<OwnedSemaphorePermit> {
        self.of(share).acquire_owned().await.ok()
    }

    fn of(&self, share: LimitShare) -> Arc<Semaphore> {
        let mut known = self.known.lock();
        if let Some(calls) = known.get(&share).and_then(Weak::upgrade) {
            return calls;
        }
        if known.len() >= KNOWN_MAX {
            known.retain(|_, calls| calls.strong_count() > 0);
        }
        let calls = Arc::new(Semaphore::new(share.calls_max()));
        known.insert(share, Arc::downgrade(&calls));
        calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn turn(receivers: &Receivers, host: &str) -> Option<CallPermit> {
        receivers.turn(Receiver::of(host)).await
    }

    #[tokio::test]
    async fn one_receiver_cannot_take_the_share_of_another() {
        for (slow, good) in [
            ("slow.example", "good.example"),
            ("slow.co.uk", "good.co.uk"),
            ("slow.github.io", "good.github.io"),
        ] {
            let receivers = Receivers::default();
            let mut turns = Vec::new();
            for number in 0..CALLS_MAX {
                let name = format!("{number}.{slow}");
                turns.push(turn(&receivers, &name).await.unwrap());
            }
            assert!(turn(&receivers, slow).await.is_none());
            assert!(turn(&receivers, good).await.is_some());
            turns.pop();
            assert!(turn(&receivers, slow).await.is_some());
        }
    }

    #[tokio::test]
    async fn names_that_a_provider_gives_away_have_a_share_in_common() {
        let receivers = Receivers::default();
        let mut turns = Vec::new();
        for number in 0..PROVIDER_CALLS_MAX {
            let name = format!("made-up-{number}.duckdns.org");
            turns.push(turn(&receivers, &name).await.unwrap());
        }
        assert!(turn(&receivers, "another.duckdns.org").await.is_none());
        assert!(turn(&receivers, "good.example").await.is_some());
        turns.pop();
        assert!(turn(&receivers, "another.duckdns.org").await.is_some());
    }

    #[tokio::test]
    async fn receivers_that_nobody_calls_are_forgotten() {
        let receivers = Receivers::default();
        let _turn = turn(&receivers, "kept.example").await.unwrap();
        for number in 0..3 * KNOWN_MAX {
            drop(
                turn(&receivers, &format!("{number}.example"))
                    .await
                    .unwrap(),
            );
        }
        let known = receivers.known.lock();
        assert!(known.len() <= KNOWN_MAX + 1, "{}", known.len());
        let kept = LimitShare::Receiver("kept.example".into());
        assert!(known[&kept].upgrade().is_some());
    }
}
