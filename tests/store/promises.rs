//! What a server of Redis promises, while it runs: readiness follows what it refuses, and its settings and its data are checked
//! again.

use std::sync::Arc;
use std::time::Duration;

use redis::cmd;
use tokio::time::{sleep, timeout};
use wyrmgate::store::{Create, Durability, Store, StoreError, open};

use crate::nodes::tell;
use crate::server::Server;

/// The time in which readiness must follow.
const TOLD: Duration = Duration::from_secs(2);
const FSYNC: [&str; 4] = ["--appendonly", "yes", "--appendfsync", "always"];

/// Waits until the readiness of a store is this one, and returns why it is not ready.
async fn becomes(store: &Arc<dyn Store>, is_ready: bool) -> Option<StoreError> {
    let told = async {
        loop {
            let probed = store.probe().await;
            if probed.is_ok() == is_ready {
                return probed.err();
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(TOLD, told)
        .await
        .expect("readiness has not followed")
}

async fn set(server: &Server, name: &str, value: &str) {
    tell::<()>(server, cmd("CONFIG").arg("SET").arg(name).arg(value)).await;
}

/// Ends all connections, as a restart or a failover does.
async fn disconnect(server: &Server) {
    for kind in ["normal", "pubsub"] {
        tell::<()>(server, cmd("CLIENT").arg("KILL").arg("TYPE").arg(kind)).await;
    }
}

#[tokio::test]
async fn readiness_follows_what_the_server_refuses() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    for (name, refusing, serving) in [
        ("min-replicas-to-write", "1", "0"), // NOREPLICAS
        ("maxmemory", "1", "0"),             // OOM
    ] {
        store
            .create(Create::new(&format!("before {name}")))
            .await
            .unwrap();
        set(&server, name, refusing).await;
        becomes(&store, false).await;
        assert!(store.create(Create::new("refused")).await.is_err());
        set(&server, name, serving).await;
        becomes(&store, true).await;
        store
            .create(Create::new(&format!("after {name}")))
            .await
            .unwrap();
    }
    // NOPERM
    tell::<()>(
        &server,
        cmd("ACL").arg("SETUSER").arg("default").arg("-evalsha"),
    )
    .await;
    becomes(&store, false).await;
    tell::<()>(
        &server,
        cmd("ACL").arg("SETUSER").arg("default").arg("+evalsha"),
    )
    .await;
    becomes(&store, true).await;
}

#[tokio::test]
async fn the_durability_follows_the_settings() {
    let server = Server::start_with(&FSYNC);
    let store = open(&server.url()).await.unwrap();
    let asking = open(&format!("{}?durability=fsync", server.url()))
        .await
        .unwrap();
    assert_eq!(store.durability(), Durability::Fsync);
    set(&server, "appendfsync", "everysec").await;
    disconnect(&server).await;
    let degraded = async {
        while store.durability() != Durability::Local {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(2 * TOLD, degraded)
        .await
        .expect("nobody has looked");
    becomes(&store, true).await;
    // Who has asked for more is not ready.
    let why = becomes(&asking, false).await.unwrap().to_string();
    assert!(why.contains("durability=fsync"), "{why}");
    set(&server, "appendfsync", "always").await;
    becomes(&asking, true).await;
}

/// The connection that listens goes on: only the next command finds its own closed.
#[tokio::test]
async fn the_settings_are_read_again_after_a_command_has_lost_its_connection() {
    let server = Server::start_with(&FSYNC);
    let store = open(&server.url()).await.unwrap();
    store.create(Create::new("before")).await.unwrap();
    set(&server, "appendfsync", "everysec").await;
    let normal = ["KILL", "TYPE", "normal", "SKIPME", "yes"];
    tell::<()>(&server, redis::cmd("CLIENT").arg(&normal)).await;
    let degraded = async {
        while store.durability() != Durability::Local {
            let _ = store.create(Create::new("during")).await;
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(2 * TOLD, degraded)
        .await
        .expect("nobody has looked");
}

#[tokio::test]
async fn a_server_that_begins_to_evict_is_not_ready() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    set(&server, "maxmemory-policy", "allkeys-lru").await;
    disconnect(&server).await;
    let mut why = None;
    while !matches!(why, Some(StoreError::Misconfigured(_))) {
        why = becomes(&store, false).await;
    }
    set(&server, "maxmemory-policy", "noeviction").await;
    becomes(&store, true).await;
}

#[tokio::test]
async fn a_server_that_comes_back_empty_is_noticed() {
    let mut server = Server::start_with(&FSYNC);
    let store = open(&server.url()).await.unwrap();
    store.create(Create::new("a")).await.unwrap();
    server.kill();
    server.restart();
    crate::nodes::until(async || store.load("a").await.is_ok_and(|found| found.is_some())).await;
    becomes(&store, true).await;

    tell::<()>(&server, &cmd("FLUSHALL")).await;
    disconnect(&server).await;
    let mut why = None;
    while !matches!(why, Some(StoreError::Misconfigured(_))) {
        why = becomes(&store, false).await;
    }
    assert!(why.unwrap().to_string().contains("came back empty"));
    // A node that starts now knows nothing of the data before.
    let anew = open(&server.url()).await.unwrap();
    becomes(&anew, true).await;
}

#[tokio::test]
async fn a_server_that_promises_nothing_may_begin_anew() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    tell::<()>(&server, &cmd("FLUSHALL")).await;
    disconnect(&server).await;
    sleep(Duration::from_millis(1_200)).await;
    becomes(&store, true).await;
}
