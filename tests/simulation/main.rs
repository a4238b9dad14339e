//! Simulated faults: several nodes, a network and a Redis in one thread, in a time of their own, where a seed decides what
//! goes wrong and when. See `docs/storage.md`.

#![cfg(test)]

mod clock;
mod contract;
mod defects;
mod games;
mod history;
mod model;
mod plan;
mod wire;
mod world;

use std::time::Instant;

use plan::{Plan, Work};
use world::Tally;

#[test]
fn many() {
    let from: u64 = std::env::var("FROM").map_or(0, |t| t.parse().unwrap());
    let count: u64 = std::env::var("COUNT").map_or(50, |t| t.parse().unwrap());
    let began = Instant::now();
    let mut tally = Tally::default();
    let mut bad = 0;
    for seed in from..from + count {
        let plan = Plan::of(seed, Work::Contract);
        let outcome = world::run(&plan);
        tally.merge(&outcome.tally);
        if !outcome.problems.is_empty() {
            bad += 1;
            if bad < 6 {
                println!("{plan:?}\n  {:#?}", outcome.problems);
            }
        }
    }
    println!("{bad} bad of {count} in {:?}\n{tally}", began.elapsed());
    assert_eq!(bad, 0);
}
