//! The ids of requests that bring none.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use wyrmgate_base::hex;

/// The ids that one node gives. The first half names the node: 64 bits from the operating system, so that the logs of many
/// nodes can be searched together, also where they have the same process number and started in the same moment. The second
/// half numbers the request, but tells nobody how many there were: a spectator with a delay could count the requests of the
/// players.
struct Ids {
    node: String,
    secret: RandomState,
    count: AtomicU64,
}

impl Ids {
    fn new() -> Ids {
        let node = RandomState::new().hash_one("node");
        Ids {
            node: format!("{node:016x}-"),
            secret: RandomState::new(),
            count: AtomicU64::new(0),
        }
    }

    /// It is written by hand because every request has one.
    fn next(&self) -> String {
        let number = self
            .secret
            .hash_one(self.count.fetch_add(1, Ordering::Relaxed));
        let mut id = String::with_capacity(2 * self.node.len());
        id.push_str(&self.node);
        hex::push(&mut id, &number.to_be_bytes());
        id
    }
}

/// Returns an id that no other request has, on this node or another.
pub fn fresh_id() -> String {
    static IDS: LazyLock<Ids> = LazyLock::new(Ids::new);
    IDS.next()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn many_nodes_give_no_id_twice() {
        let nodes: Vec<Ids> = (0..100).map(|_| Ids::new()).collect();
        let ids = nodes
            .iter()
            .flat_map(|node| (0..1_000).map(|_| node.next()));
        let ids: Vec<String> = ids.collect();
        let different: HashSet<&String> = ids.iter().collect();
        assert_eq!(different.len(), 100 * 1_000);
        let first_halves: HashSet<&str> = ids.iter().map(|id| &id[..16]).collect();
        assert_eq!(first_halves.len(), 100);
    }

    #[test]
    fn threads_of_a_node_get_no_id_twice_and_cannot_count_requests() {
        let all = std::thread::scope(|scope| {
            let ask = || (0..5_000).map(|_| fresh_id()).collect::<Vec<_>>();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            let answers = threads.into_iter().map(|thread| thread.join().unwrap());
            answers.flatten().collect::<Vec<_>>()
        });
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 20_000);
        assert_eq!(
            all.iter().map(|id| &id[..17]).collect::<HashSet<_>>().len(),
            1
        );
        // Numbers that grow would be greater every time; these are about half the time.
        let greater = all.windows(2).filter(|two| two[0] < two[1]).count();
        assert!((9_000..11_000).contains(&greater), "{greater}");
    }
}
