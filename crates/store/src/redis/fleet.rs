//! Which nodes exist, and which of them serves a bucket first.
//!
//! Nodes publish heartbeats. Each node computes the order in which live nodes serve a bucket by rendezvous hashing, so
//! that a node that joins or leaves changes little. The first node reads the bucket when something is due; the others
//! do so only if they have not heard in time that it did. Nodes need no agreement, and nothing is lost if two of them
//! see different fleets: both read the bucket, and one of the two writers wins.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;
use wyrmgate_base::dice::scattered;

/// Interval between heartbeats.
pub(super) const BEAT: Duration = Duration::from_secs(1);
/// A node that is silent for this long is considered gone.
const GONE: Duration = Duration::from_millis(2_500);
/// How long the second node waits for the first one before it reads a bucket, and all others for those two.
const SECOND_MS: u64 = 60;
const OTHERS_MS: u64 = 120;

/// The other live nodes.
pub(super) struct Fleet {
    /// The number of this node.
    pub(super) me: u64,
    peers: Mutex<HashMap<u64, Peer>>,
}

struct Peer {
    heard: Instant,
    /// The names of the lists that it watches.
    watches: Vec<String>,
}

impl Fleet {
    pub(super) fn new(me: u64) -> Fleet {
        Fleet {
            me,
            peers: Mutex::default(),
        }
    }

    pub(super) fn hear(&self, node: u64, watches: Vec<String>) {
        let heard = Instant::now();
        if node != self.me {
            self.peers.lock().insert(node, Peer { heard, watches });
        }
    }

    pub(super) fn forget(&self, node: u64) {
        self.peers.lock().remove(&node);
    }

    pub(super) fn forget_silent(&self) {
        self.peers
            .lock()
            .retain(|_, peer| peer.heard.elapsed() < GONE);
    }

    /// Returns how long this node waits for others when something is due in a bucket.
    pub(super) fn patience_ms(&self, index: &str, bucket: u16) -> u64 {
        self.patience_at(index, bucket, Instant::now())
    }

    fn patience_at(&self, index: &str, bucket: u16, now: Instant) -> u64 {
        let mine = weight(self.me, bucket);
        let peers = self.peers.lock();
        let watching = peers.iter().filter(|(_, peer)| {
            let is_alive = now.saturating_duration_since(peer.heard) < GONE;
            is_alive && peer.watches.iter().any(|name| name == index)
        });
        let before = watching.filter(|(node, _)| weight(**node, bucket) > mine);
        match before.count() {
            0 => 0,
            1 => SECOND_MS,
            _ => OTHERS_MS,
        }
    }
}

/// Returns a pseudorandom number that is the same on every node.
fn weight(node: u64, bucket: u16) -> u64 {
    scattered(node ^ (u64::from(bucket) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: [u64; 4] = [11, 22, 33, 44];

    /// Returns nodes that have all heard each other.
    fn fleets() -> Vec<Fleet> {
        let fleets: Vec<_> = NODES.into_iter().map(Fleet::new).collect();
        for fleet in &fleets {
            NODES
                .iter()
                .for_each(|node| fleet.hear(*node, vec!["t".to_owned()]));
        }
        fleets
    }

    #[test]
    fn each_bucket_has_one_first_and_one_second_node_and_all_have_some() {
        let fleets = fleets();
        let mut firsts = [0; NODES.len()];
        for bucket in 0..1024 {
            let mut patience: Vec<_> = fleets
                .iter()
                .map(|fleet| fleet.patience_ms("t", bucket))
                .collect();
            let first = patience.iter().position(|wait| *wait == 0).unwrap();
            firsts[first] += 1;
            patience.sort();
            assert_eq!(patience, [0, SECOND_MS, OTHERS_MS, OTHERS_MS]);
        }
        assert!(
            firsts.iter().all(|count| (200..312).contains(count)),
            "{firsts:?}"
        );
    }

    #[test]
    fn a_silent_node_and_one_that_watches_something_else_leave_their_buckets_to_others() {
        let fleets = fleets();
        let (now, later) = (Instant::now(), Instant::now() + GONE);
        let is_first =
            |index, at| (0..1024).all(|bucket| fleets[0].patience_at(index, bucket, at) == 0);
        assert!(!is_first("t", now));
        assert!(is_first("w", now));
        assert!(is_first("t", later));
    }
}
