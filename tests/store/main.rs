//! One contract, run on every engine, and tests of single engines.

#![cfg(test)]

mod cases;
mod cluster;
mod crash;
mod damaged;
mod embedded;
mod engines;
mod failovers;
mod fleets;
mod model;
mod nodes;
mod promises;
mod redis;
mod rotten;
mod server;
mod silence;
#[cfg(feature = "redis-tls")]
mod tls;
mod torn;
mod upgrades;

/// Every case on every engine, each on a fresh store.
macro_rules! contract {
    ($($case:ident),* $(,)?) => {
        mod on_memory { $(#[tokio::test] async fn $case() {
            let engine = crate::engines::memory().await;
            crate::cases::$case(engine.store.clone()).await;
        })* }
        mod on_embedded { $(#[tokio::test] async fn $case() {
            let engine = crate::engines::embedded().await;
            crate::cases::$case(engine.store.clone()).await;
        })* }
        mod on_redis { $(#[tokio::test] async fn $case() {
            let engine = crate::engines::redis().await;
            crate::cases::$case(engine.store.clone()).await;
        })* }
        // Forming a cluster takes seconds, so one serves all cases, one after the other.
        mod on_redis_cluster { #[tokio::test] async fn every_case() {
            let cluster = crate::nodes::Cluster::start(3, 0).await;
            $(
                println!("{}", stringify!($case)); // shown if it fails
                cluster.forget_everything().await;
                let store = wyrmgate::store::open(&cluster.url()).await.unwrap();
                crate::cases::$case(store).await;
            )*
        } }
    };
}

cases::every_case!(contract);
