//! Ids of requests are unique among all nodes, so that one search finds one request in the logs of all of them.

use std::collections::HashSet;

use futures_util::future::join_all;
use reqwest::Client;

use crate::process::Process;

const NODES: usize = 4;
/// On each node, by each of as many clients.
const REQUESTS: usize = 100;

/// The ids of requests one after the other. Half of them are refused before any handler sees them.
async fn ids(client: &Client, url: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for number in 0..REQUESTS {
        let path = ["livez", "v1/nothing-of-the-kind"][number % 2];
        let answer = client.get(format!("{url}/{path}")).send().await.unwrap();
        ids.push(
            answer.headers()["x-request-id"]
                .to_str()
                .unwrap()
                .to_owned(),
        );
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_start_together_and_again_give_no_id_twice() {
    // In the same moment, so that a clock would tell them apart no better than a number of the process.
    let start = || -> Vec<Process> {
        std::thread::scope(|scope| {
            let starts = || Process::start("memory");
            let threads: Vec<_> = (0..NODES).map(|_| scope.spawn(starts)).collect();
            let nodes = threads.into_iter().map(|thread| thread.join().unwrap());
            nodes.collect()
        })
    };
    let client = Client::new();
    let mut all = HashSet::new();
    let mut names = HashSet::new();
    for _ in 0..2 {
        let nodes = start();
        let asked = nodes.iter().flat_map(|node| [&node.url; 2]);
        let of_nodes = join_all(asked.map(|url| ids(&client, url))).await;
        for ids in of_nodes {
            let name = ids[0].split_once('-').unwrap().0.to_owned();
            assert!(ids.iter().all(|id| id.starts_with(&name)), "{ids:?}");
            names.insert(u64::from_str_radix(&name, 16).unwrap());
            for id in ids {
                assert!(all.insert(id.clone()), "{id} was given twice");
            }
        }
    }
    assert_eq!(names.len(), 2 * NODES);
    // Random values differ in about half of the bits; counters and clocks would differ in few.
    let names: Vec<u64> = names.into_iter().collect();
    for (at, one) in names.iter().enumerate() {
        for other in &names[at + 1..] {
            assert!((one ^ other).count_ones() >= 8, "{one:016x} {other:016x}");
        }
    }
}
