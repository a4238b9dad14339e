//! Planned failovers: no acknowledged write is lost, and writes are accepted within three seconds of the new master.
//!
//! Once or twice each; `WYRMGATE_FAILOVERS=50 cargo test --release --test store failovers` repeats them.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::time::Duration;

use redis::cmd;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};
use wyrmgate::store::{Commit, Committed, Create, Idempotency, Store, StoreError, open};

use crate::cases::bytes;
use crate::nodes::{Cluster, tell, until};
use crate::server::{Server, free_port};

/// The time in which writes must be accepted after a failover.
const BACK: Duration = Duration::from_secs(3);
/// The time in which readiness must follow.
const TOLD: Duration = Duration::from_secs(2);
/// Writes between two failovers.
const BETWEEN: u64 = 20;

fn times(by_default: usize) -> usize {
    let wanted = std::env::var("WYRMGATE_FAILOVERS").ok();
    wanted.map_or(by_default, |times| times.parse().unwrap())
}

/// Somebody who writes one session without a pause.
struct Writer {
    acknowledged: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<()>,
}

impl Writer {
    async fn start(store: Arc<dyn Store>, session: &str) -> Writer {
        until(async || store.create(Create::new(session)).await.is_ok()).await;
        let (acknowledged, is_over) = (Arc::new(AtomicU64::new(1)), Arc::default());
        let task = write(
            store,
            session.to_owned(),
            acknowledged.clone(),
            Arc::clone(&is_over),
        );
        let task = tokio::spawn(task);
        Writer {
            acknowledged,
            is_over,
            task,
        }
    }

    /// Waits for some more acknowledged writes.
    async fn goes_on(&self) {
        let now = self.acknowledged.load(Ordering::SeqCst);
        until(async || self.acknowledged.load(Ordering::SeqCst) > now + BETWEEN).await;
    }

    /// Asserts that a write is acknowledged in time.
    async fn is_back(&self) {
        let (now, began) = (self.acknowledged.load(Ordering::SeqCst), Instant::now());
        // The first of them may have been acknowledged by the master of before.
        let back = async {
            while self.acknowledged.load(Ordering::SeqCst) < now + 2 {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(BACK, back).await.expect("writes are still refused");
        println!("back after {:?}", began.elapsed());
    }

    async fn end(self) {
        self.goes_on().await;
        self.is_over.store(true, Ordering::SeqCst);
        self.task.await.unwrap();
    }
}

async fn write(
    store: Arc<dyn Store>,
    session: String,
    acknowledged: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
) {
    let mut revision = 1;
    while !is_over.load(Ordering::SeqCst) {
        let mut commit = Commit::new(&session, revision);
        commit.entry = Some(bytes(&revision.to_string()));
        let mut key = [0; 32];
        key[..8].copy_from_slice(&revision.to_le_bytes());
        commit.idempotency = Some(Idempotency {
            key,
            fingerprint: [0; 32],
            answer: bytes(""),
        });
        match store.commit(commit).await {
            Ok(Committed::Done(_) | Committed::Duplicate(_)) => {
                revision += 1;
                acknowledged.store(revision, Ordering::SeqCst);
            }
            Ok(other) => panic!("acknowledged writes are lost at {revision}: {other:?}"),
            Err(StoreError::Unavailable(_) | StoreError::OutcomeUnknown(_)) => {
                sleep(Duration::from_millis(10)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
    let log = store.events(&session, 0, usize::MAX).await.unwrap();
    let versions: Vec<u64> = log.iter().map(|entry| entry.version).collect();
    assert_eq!(versions, (1..revision).collect::<Vec<_>>());
}

/// A proxy whose new connections lead to another server after a switch. Open ones stay as they are.
struct Switch {
    port: u16,
    target: Arc<AtomicU16>,
}

impl Switch {
    async fn start(server: &Server) -> Switch {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let target = Arc::new(AtomicU16::new(server.port));
        let to = target.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let to = ("127.0.0.1", to.load(Ordering::SeqCst));
                tokio::spawn(async move {
                    if let Ok(mut server) = TcpStream::connect(to).await {
                        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                    }
                });
            }
        });
        Switch { port, target }
    }
}

/// Two servers, of which one replicates the other.
struct Pair([Server; 2]);

impl Pair {
    async fn start() -> Pair {
        let with = ["--appendonly", "no", "--repl-diskless-sync-delay", "0"];
        let pair = Pair([Server::start_with(&with), Server::start_with(&with)]);
        follow(&pair.0[1], &pair.0[0]).await;
        pair.is_in_step(1).await;
        pair
    }

    /// Waits until the replica has everything.
    async fn is_in_step(&self, replica: usize) {
        let number = async |server: &Server, name: &str| -> Option<u64> {
            let info: String = tell(server, cmd("INFO").arg("replication")).await;
            let line = info.lines().find_map(|line| line.strip_prefix(name));
            line?.parse().ok()
        };
        until(async || {
            let had = number(&self.0[replica], "slave_repl_offset:").await;
            had.is_some() && had == number(&self.0[1 - replica], "master_repl_offset:").await
        })
        .await;
    }

    /// Makes the replica the master, as operators do: writes pause until it has everything.
    async fn swap(&self, master: usize, meanwhile: impl FnOnce()) {
        let (old, new) = (&self.0[master], &self.0[1 - master]);
        let pause = ["PAUSE", "10000", "WRITE"];
        tell::<()>(old, cmd("CLIENT").arg(&pause)).await;
        self.is_in_step(1 - master).await;
        tell::<()>(new, cmd("REPLICAOF").arg("NO").arg("ONE")).await;
        meanwhile();
        follow(old, new).await;
        tell::<()>(old, cmd("CLIENT").arg("UNPAUSE")).await;
    }
}

async fn follow(replica: &Server, master: &Server) {
    let mut follow = cmd("REPLICAOF");
    follow.arg("127.0.0.1").arg(master.port);
    tell::<()>(replica, &follow).await;
}

#[tokio::test]
async fn an_address_that_leads_to_a_new_master_while_connections_stay_open() {
    let pair = Pair::start().await;
    let switch = Switch::start(&pair.0[0]).await;
    let store = open(&format!("redis://127.0.0.1:{}", switch.port)).await;
    let store = store.unwrap();
    let writer = Writer::start(store.clone(), "a").await;
    for number in 0..times(2) {
        writer.goes_on().await;
        let (master, next) = (number % 2, (number + 1) % 2);
        let port = pair.0[next].port;
        pair.swap(master, || switch.target.store(port, Ordering::SeqCst))
            .await;
        writer.is_back().await;
        store.probe().await.unwrap();
    }
    writer.end().await;
}

/// Nobody writes: the node must find out by itself that it reads from a replica.
#[tokio::test]
async fn a_node_that_only_reads_follows_too() {
    let pair = Pair::start().await;
    // Only nodes call scripts.
    let has_node = async || {
        let list: String = tell(&pair.0[1], cmd("CLIENT").arg("LIST")).await;
        list.contains("cmd=evalsha")
    };
    let switch = Switch::start(&pair.0[0]).await;
    let store = open(&format!("redis://127.0.0.1:{}", switch.port)).await;
    let (_store, port) = (store.unwrap(), pair.0[1].port);
    assert!(!has_node().await);
    pair.swap(0, || switch.target.store(port, Ordering::SeqCst))
        .await;
    let follows = async {
        while !has_node().await {
            sleep(Duration::from_millis(20)).await;
        }
    };
    // Nothing is asked of it meanwhile, so a busy machine may take its time.
    timeout(3 * BACK, follows)
        .await
        .expect("the node still reads from the replica");
}

#[tokio::test]
async fn a_master_that_becomes_a_replica_for_a_while() {
    let pair = Pair::start().await;
    let store = open(&pair.0[0].url()).await.unwrap();
    let writer = Writer::start(store.clone(), "a").await;
    for _ in 0..times(1) {
        writer.goes_on().await;
        pair.swap(0, || ()).await;
        let told = async {
            while store.probe().await.is_ok() {
                sleep(Duration::from_millis(20)).await
            }
        };
        timeout(TOLD, told)
            .await
            .expect("the node takes itself for ready");
        pair.swap(1, || ()).await;
        writer.is_back().await;
        store.probe().await.unwrap();
    }
    writer.end().await;
}

/// A server that knows the master.
struct Sentinel {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Sentinel {
    fn start(master: &Server) -> Sentinel {
        let folder = tempfile::tempdir().unwrap();
        let (port, file) = (free_port(), folder.path().join("sentinel.conf"));
        let settings = format!(
            "port {port}\nbind 127.0.0.1\ndir {}\nsentinel monitor games 127.0.0.1 {} 1\n\
             sentinel down-after-milliseconds games 500\nsentinel failover-timeout games 1000\n",
            folder.path().display(),
            master.port
        );
        std::fs::write(&file, settings).unwrap();
        let child = Command::new("redis-server")
            .arg(&file)
            .arg("--sentinel")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Sentinel {
            child,
            port,
            _folder: folder,
        }
    }

    async fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> redis::RedisResult<T> {
        let client = redis::Client::open(format!("redis://127.0.0.1:{}", self.port))?;
        let mut connection = client.get_multiplexed_async_connection().await?;
        cmd("SENTINEL")
            .arg(words)
            .query_async(&mut connection)
            .await
    }

    async fn master(&self) -> Option<String> {
        let (_, port): (String, String) =
            self.ask(&["GET-MASTER-ADDR-BY-NAME", "games"]).await.ok()?;
        Some(port)
    }

    /// Waits until it knows a replica that it may promote, and promotes it.
    async fn fail_over(&self) {
        let before = self.master().await;
        until(async || self.ask::<()>(&["FAILOVER", "games"]).await.is_ok()).await;
        until(async || self.master().await != before).await;
    }
}

impl Drop for Sentinel {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_failover_by_sentinel() {
    let mut pair = Pair::start().await;
    let sentinel = Sentinel::start(&pair.0[0]);
    until(async || sentinel.master().await.is_some()).await;
    let url = format!(
        "redis+sentinel://127.0.0.1:1,127.0.0.1:{}/games",
        sentinel.port
    );
    let store = open(&url).await.unwrap();
    let writer = Writer::start(store.clone(), "a").await;
    for number in 0..times(1) {
        writer.goes_on().await;
        let (old, new) = (&pair.0[number % 2], &pair.0[1 - number % 2]);
        let pause = ["PAUSE", "60000", "WRITE"];
        tell::<()>(old, cmd("CLIENT").arg(&pause)).await;
        pair.is_in_step(1 - number % 2).await;
        sentinel.fail_over().await;
        // Sentinel cannot tell the old master while it pauses, and would lose what it writes afterwards.
        follow(old, new).await;
        tell::<()>(old, cmd("CLIENT").arg("UNPAUSE")).await;
        writer.is_back().await;
    }
    writer.end().await;

    // Unplanned: the master dies.
    let master: u16 = sentinel.master().await.unwrap().parse().unwrap();
    let dead = pair.0.iter_mut().find(|server| server.port == master);
    dead.unwrap().kill();
    until(async || sentinel.master().await != Some(master.to_string())).await;
    let back = async {
        while store.create(Create::new("b")).await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(BACK, back).await.expect("no master");
}

#[tokio::test]
async fn a_failover_within_a_cluster() {
    let cluster = Cluster::start(3, 3).await;
    let store = open(&cluster.url()).await.unwrap();
    let mut writers = Vec::new();
    for number in 0..6 {
        writers.push(Writer::start(store.clone(), &format!("s{number}")).await);
    }
    for number in 0..times(2) {
        for writer in &writers {
            writer.goes_on().await;
        }
        let (shard, round) = (number % 3, number / 3);
        let replica = &cluster.nodes[if round % 2 == 0 { shard + 3 } else { shard }];
        tell::<()>(replica, cmd("CLUSTER").arg("FAILOVER")).await;
        until(async || {
            let role: String = tell(replica, cmd("INFO").arg("replication")).await;
            role.contains("role:master")
        })
        .await;
        for writer in &writers {
            writer.is_back().await;
        }
        store.probe().await.unwrap();
    }
    for writer in writers {
        writer.end().await;
    }
}
