//! Tests of Redis: a server that could lose games is refused, outages are distinguished from refusals, a lost response is
//! recovered, and nodes notify each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};
use wyrmgate::store::{
    Commit, Committed, Create, Created, Durability, Idempotency, Index, ListQuery, Listing,
    Notification, Placement, Position, Secret, Store, StoreError, open, session_id,
};

use crate::cases::{bytes, next_notification, now_ms};
use crate::engines;
use crate::model::compare;
use crate::nodes::{tell, until};
use crate::server::Server;

const PATIENCE: Duration = Duration::from_secs(20);

fn public(session: &str, revision: u64) -> Commit {
    let mut commit = Commit::new(session, revision);
    commit.entry = Some(bytes(&revision.to_string()));
    commit
}

#[tokio::test]
async fn redis_answers_as_memory_does() {
    compare(engines::redis().await.store.clone(), 7).await;
}

#[tokio::test]
async fn a_server_that_evicts_is_refused() {
    let server = Server::start_with(&["--maxmemory-policy", "allkeys-lru"]);
    let Err(error) = open(&server.url()).await else {
        panic!("opened")
    };
    assert!(
        matches!(&error, StoreError::Misconfigured(why) if why.contains("noeviction")),
        "{error}"
    );
}

#[tokio::test]
async fn no_server_is_told_soon_and_without_the_password() {
    let began = Instant::now();
    for spec in [
        "redis://user:hunter2@127.0.0.1:1",
        "redis://user:hunter2@host:port",
    ] {
        let Err(error) = open(spec).await else {
            panic!("opened")
        };
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
    assert!(began.elapsed() < PATIENCE);
}

#[tokio::test]
async fn the_durability_is_what_the_server_is_set_to() {
    for (options, level) in [
        (&["--appendonly", "no"][..], Durability::Memory),
        (&["--appendonly", "yes"], Durability::Local),
        (
            &["--appendonly", "yes", "--appendfsync", "always"],
            Durability::Fsync,
        ),
    ] {
        let server = Server::start_with(options);
        assert_eq!(open(&server.url()).await.unwrap().durability(), level);
    }
}

#[tokio::test]
async fn a_level_the_server_does_not_reach_is_refused_at_once() {
    let server = Server::start_with(&["--appendonly", "yes"]);
    let asking = |level| format!("{}/?durability={level}", server.url());
    assert!(open(&asking("local")).await.is_ok());
    let Err(error) = open(&asking("fsync")).await else {
        panic!("opened")
    };
    assert!(
        matches!(&error, StoreError::Misconfigured(why) if why.contains("appendfsync")),
        "{error}"
    );
}

#[tokio::test]
async fn what_no_replica_has_is_not_acknowledged() {
    let server = Server::start();
    let master = server.port.to_string();
    let mut replica = Server::start_with(&["--replicaof", "127.0.0.1", &master]);
    let store = open(&format!("{}/?durability=replicated", server.url()))
        .await
        .unwrap();
    assert_eq!(store.durability(), Durability::Replicated);
    until(async || match store.create(Create::new("a")).await {
        Ok(Created::Done(_) | Created::Exists) => true,
        Err(StoreError::OutcomeUnknown(_)) => false, // the replica is not there yet
        other => panic!("{other:?}"),
    })
    .await;
    let mut commit = public("a", 1);
    commit.idempotency = Some(Idempotency {
        key: [1; 32],
        fingerprint: [0; 32],
        answer: bytes(""),
    });
    replica.kill();
    // Neither the write nor a retry is acknowledged while only one server has the write.
    for _ in 0..2 {
        let answer = store.commit(commit.clone()).await;
        assert!(
            matches!(&answer, Err(StoreError::OutcomeUnknown(why)) if why.contains("replica")),
            "{answer:?}"
        );
    }
    for _ in 0..2 {
        let answer = store.create(Create::new("b")).await;
        assert!(
            matches!(&answer, Err(StoreError::OutcomeUnknown(_))),
            "{answer:?}"
        );
    }
    for _ in 0..2 {
        let answer = store.remove("b").await;
        assert!(
            matches!(&answer, Err(StoreError::OutcomeUnknown(_))),
            "{answer:?}"
        );
    }
    replica.restart();
    until(async || match store.commit(commit.clone()).await {
        Ok(Committed::Duplicate(_)) => true,
        Err(StoreError::OutcomeUnknown(_)) => false,
        other => panic!("{other:?}"),
    })
    .await;
    assert_eq!(store.events("a", 0, 9).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_full_server_says_so_and_writes_nothing() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    store.create(Create::new("a")).await.unwrap();
    let client = redis::Client::open(server.url()).unwrap();
    let mut raw = client.get_multiplexed_async_connection().await.unwrap();
    let set = |value: &str| {
        redis::cmd("CONFIG")
            .arg("SET")
            .arg("maxmemory")
            .arg(value)
            .to_owned()
    };
    set("1").exec_async(&mut raw).await.unwrap();
    let refused = store.commit(public("a", 1)).await;
    assert!(matches!(refused, Err(StoreError::Full(_))), "{refused:?}");
    let refused = store.create(Create::new("b")).await;
    assert!(matches!(refused, Err(StoreError::Full(_))), "{refused:?}");
    assert_eq!(store.load("a").await.unwrap().unwrap().position.revision, 1);
    assert!(store.remove("a").await.unwrap());
    set("0").exec_async(&mut raw).await.unwrap();
    assert_eq!(store.load("b").await.unwrap(), None);
}

#[tokio::test]
async fn nodes_hear_each_other() {
    let server = Server::start();
    let (here, there) = (
        open(&server.url()).await.unwrap(),
        open(&server.url()).await.unwrap(),
    );
    here.create(Create::new("a")).await.unwrap();
    let mut subscription = there.subscribe("a").await.unwrap();
    here.commit(public("a", 1)).await.unwrap();
    assert_eq!(
        next_notification(&mut subscription).await,
        Notification::Version(1)
    );
    here.remove("a").await.unwrap();
    assert_eq!(
        next_notification(&mut subscription).await,
        Notification::Removed
    );
}

#[tokio::test]
async fn an_outage_is_told_and_survived() {
    let mut server = Server::start_with(&["--appendonly", "yes", "--appendfsync", "always"]);
    let store = open(&server.url()).await.unwrap();
    store.create(Create::new("a")).await.unwrap();
    assert_eq!(store.commit(public("a", 1)).await.unwrap(), done(2, 1));
    let mut subscription = store.subscribe("a").await.unwrap();
    server.kill();
    assert_eq!(
        timeout(PATIENCE, subscription.notified()).await.unwrap(),
        Notification::Missed
    );
    // For half a second, the write that was accepted last speaks for the server.
    until(async || matches!(store.probe().await, Err(StoreError::Unavailable(_)))).await;
    // Depending on the moment, the commit was certainly not sent, or its fate is unknown.
    let away = store.commit(public("a", 2)).await;
    let told = matches!(
        away,
        Err(StoreError::Unavailable(_) | StoreError::OutcomeUnknown(_))
    );
    assert!(told, "{away:?}");

    server.restart();
    let began = Instant::now();
    while store.probe().await.is_err() {
        assert!(began.elapsed() < PATIENCE, "the store did not come back");
        sleep(Duration::from_millis(20)).await;
    }
    // Nothing acknowledged is lost, the scripts are known again, notifications arrive again.
    assert_eq!(store.events("a", 0, 10).await.unwrap().len(), 1);
    assert_eq!(store.commit(public("a", 2)).await.unwrap(), done(3, 2));
    assert_eq!(
        next_notification(&mut subscription).await,
        Notification::Version(2)
    );
}

#[tokio::test]
async fn pages_of_a_long_list_have_every_session_once_and_in_order() {
    const SESSIONS: u64 = 2_500;
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let mut wanted = Vec::new();
    for n in 0..SESSIONS {
        // Some of the same age, and ages far apart at the end.
        let score = if n < 20 { n * n } else { 1_000 + n / 3 };
        let session = format!("s{:05}", n.wrapping_mul(7_919) % 100_000);
        let mut create = Create::new(&session);
        let index = Index::OPEN;
        create.listing.placements = vec![Placement { index, score }];
        store.create(create).await.unwrap();
        wanted.push((score, session));
    }
    wanted.sort();
    wanted.reverse();
    for limit in [1, 20, 100] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let index = Index::OPEN;
            let query = ListQuery {
                index,
                after,
                limit,
            };
            let page = store.list(query).await.unwrap();
            assert!(page.items.len() <= limit);
            let items = page.items.into_iter();
            found.extend(items.map(|item| (item.score, item.session)));
            after = page.next;
            if after.is_none() || limit == 1 && found.len() > 40 {
                break;
            }
        }
        assert_eq!(found, wanted[..found.len()], "pages of {limit}");
        assert!(limit == 1 || found.len() == wanted.len());
    }
}

#[tokio::test]
async fn each_thread_that_serves_has_a_connection_of_its_own() {
    let server = Arc::new(Server::start());
    let store = open(&server.url()).await.unwrap();
    store.create(Create::new("a")).await.unwrap();
    let before = connections(&server).await;
    let (tell_end, end) = tokio::sync::oneshot::channel();
    let (server, thread_store) = (server.clone(), store.clone());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(serve_alone(&server, &*thread_store, before));
        tell_end.send(()).unwrap();
    });
    end.await.unwrap();
    // The thread that opens the shared connection drives it, and needs no other one.
    assert_eq!(store.commit(public("a", 3)).await.unwrap(), done(4, 3));
}

async fn serve_alone(server: &Server, store: &dyn Store, before: usize) {
    assert_eq!(store.commit(public("a", 1)).await.unwrap(), done(2, 1));
    until(async || connections(server).await == before + 1).await;
    let mut kill = redis::cmd("CLIENT");
    kill.arg("KILL").arg("TYPE").arg("normal");
    tell::<()>(server, &kill).await;
    until(async || store.probe().await.is_ok()).await;
    assert_eq!(store.commit(public("a", 2)).await.unwrap(), done(3, 2));
}

/// Returns the number of connections, including that of this test.
async fn connections(server: &Server) -> usize {
    let list: String = tell(server, redis::cmd("CLIENT").arg("LIST")).await;
    list.lines().count()
}

fn done(revision: u64, version: u64) -> Committed {
    Committed::Done(Position { revision, version })
}

#[tokio::test]
async fn an_answer_that_got_lost_is_found_again() {
    let server = Server::start();
    let cutter = Cutter::start(server.port).await;
    let store = open(&cutter.url()).await.unwrap();
    let rival = open(&server.url()).await.unwrap();

    let mut create = Create::new("a");
    create.secret = Some(Secret(bytes("seed")));
    store
        .create(Create::new("warm up: the script is known"))
        .await
        .unwrap();
    cutter.cut_next_answer();
    let created = Created::Done(Position {
        revision: 1,
        version: 0,
    });
    assert_eq!(store.create(create).await.unwrap(), created);

    // Without a key and with one.
    for revision in 1..5 {
        store.probe().await.ok();
        let mut commit = public("a", revision);
        if revision % 2 == 0 {
            let (key, fingerprint) = ([revision as u8; 32], [0; 32]);
            commit.idempotency = Some(Idempotency {
                key,
                fingerprint,
                answer: bytes(""),
            });
        }
        cutter.cut_next_answer();
        assert_eq!(
            store.commit(commit).await.unwrap(),
            done(revision + 1, revision)
        );
    }
    assert_eq!(rival.events("a", 0, 10).await.unwrap().len(), 4);

    // A stale commit whose answer is lost is still known to be stale.
    cutter.cut_next_answer();
    assert!(matches!(
        store.commit(public("a", 2)).await.unwrap(),
        Committed::Stale(_)
    ));
    cutter.cut_next_answer();
    assert!(store.remove("a").await.unwrap());
    assert_eq!(cutter.cuts(), 7);
}

/// Due work lies in many buckets, each of which must be read.
#[tokio::test]
async fn a_server_that_is_gone_is_asked_for_due_work_seldom() {
    let mut server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let due = now_ms() + 1_500;
    for _ in 0..200 {
        let mut create = Create::new(&session_id(None).unwrap());
        create.listing.placements = vec![Placement {
            index: Index::DEADLINES,
            score: due,
        }];
        store.create(create).await.unwrap();
    }
    let watch = crate::cases::watch_deadlines(&store);
    sleep(Duration::from_millis(500)).await;
    server.kill();
    sleep(Duration::from_millis(due.saturating_sub(now_ms()) + 3_000)).await;
    let figures = watch.gauge().read().unwrap();
    assert!((1..=120).contains(&figures.failures), "{figures:?}");
}

#[tokio::test]
async fn places_of_expired_sessions_are_tidied_away() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let mut watch = crate::cases::watch_deadlines(&store);
    tokio::spawn(async move { while watch.next().await.is_some() {} });
    let mut create = Create::new("a");
    create.listing = Listing {
        placements: vec![Placement {
            index: Index::OPEN,
            score: 1,
        }],
    };
    create.expires_at_ms = Some(now_ms() + 100);
    store.create(create).await.unwrap();
    sleep(Duration::from_millis(150)).await;
    let query = ListQuery {
        index: Index::OPEN,
        after: None,
        limit: 5,
    };
    assert_eq!(store.list(query).await.unwrap().items, []);
    // The server removes expired keys at times of its own; an empty list is no key.
    let began = Instant::now();
    while !keys(&server).await.is_empty() {
        assert!(began.elapsed() < PATIENCE, "something was left behind");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Expired sessions leave the lists even if nobody reads them, whatever happened to the session before.
#[tokio::test]
async fn nothing_is_left_of_sessions_that_expire() {
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let listing = |index: &Index, score| Listing {
        placements: [index.clone(), index.of("a-game"), Index::DEADLINES]
            .map(|index| Placement { index, score })
            .to_vec(),
    };
    let soon = Some(now_ms() + 600);
    for number in 0..20 {
        let mut create = Create::new(&format!("session-{number}"));
        create.listing = listing(&Index::OPEN, now_ms());
        create.expires_at_ms = if number % 2 == 0 { soon } else { None };
        store.create(create).await.unwrap();
        let mut commit = public(&format!("session-{number}"), 1);
        commit.listing = (number % 3 == 0).then(|| listing(&Index::FINISHED, now_ms()));
        commit.expires_at_ms = soon;
        store.commit(commit).await.unwrap();
    }
    let mut removed = Create::new("removed");
    removed.listing = listing(&Index::OPEN, 1);
    removed.expires_at_ms = Some(now_ms() + 3_600_000);
    store.create(removed).await.unwrap();
    assert!(store.remove("removed").await.unwrap());
    let mut watch = crate::cases::watch_deadlines(&store);
    tokio::spawn(async move { while watch.next().await.is_some() {} });
    // Only the name of the removed session is kept for a while.
    until(async || keys(&server).await.len() == 1).await;
    let left = keys(&server).await;
    assert!(left[0].ends_with("s:removed"), "{left:?}");
}

#[tokio::test]
async fn every_key_of_a_session_ends_with_it() {
    const HOUR_MS: u64 = 3_600_000;
    let server = Server::start();
    let store = open(&server.url()).await.unwrap();
    let began = now_ms();
    let in_hours = |hours| Some(began + hours * HOUR_MS);
    let mut create = Create::new("a");
    create.secret = Some(Secret(bytes("seed")));
    create.expires_at_ms = in_hours(1);
    store.create(create).await.unwrap();
    assert_eq!(hours_of_keys(&server).await, [1; 2]); // the log and the answers are still to come
    for (revision, hours, keys) in [(1, 1, 3), (2, 1, 4), (3, 2, 4)] {
        let mut commit = public("a", revision);
        commit.expires_at_ms = in_hours(hours);
        commit.idempotency = (revision == 2).then(|| Idempotency {
            key: [1; 32],
            fingerprint: [0; 32],
            answer: bytes(""),
        });
        let committed = store.commit(commit).await.unwrap();
        assert_eq!(committed, done(revision + 1, revision));
        assert_eq!(hours_of_keys(&server).await, vec![hours; keys]);
    }
}

/// Returns the remaining time of each key in hours, rounded; 0 for one that does not expire.
async fn hours_of_keys(server: &Server) -> Vec<u64> {
    let mut hours = Vec::new();
    for key in keys(server).await {
        let milliseconds: i64 = tell(server, redis::cmd("PTTL").arg(key)).await;
        hours.push((milliseconds.max(0) as f64 / 3_600_000.0).round() as u64);
    }
    hours
}

/// Returns the keys of a server, besides the identity of the store.
async fn keys(server: &Server) -> Vec<String> {
    let keys: Vec<String> = tell(server, redis::cmd("KEYS").arg("*")).await;
    let is_of_session = |key: &String| !key.ends_with("identity");
    keys.into_iter().filter(is_of_session).collect()
}

/// A proxy in front of a server that can drop an answer and close the connection.
struct Cutter {
    port: u16,
    armed: Arc<AtomicBool>,
    cuts: Arc<std::sync::atomic::AtomicUsize>,
}

impl Cutter {
    async fn start(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let cutter = Cutter {
            port,
            armed: Arc::default(),
            cuts: Arc::default(),
        };
        let (armed, cuts) = (cutter.armed.clone(), cutter.cuts.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, server, armed.clone(), cuts.clone()));
            }
        });
        cutter
    }

    fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    fn cut_next_answer(&self) {
        self.armed.store(true, Ordering::SeqCst);
    }

    fn cuts(&self) -> usize {
        self.cuts.load(Ordering::SeqCst)
    }
}

async fn pass(
    mut client: TcpStream,
    server: u16,
    armed: Arc<AtomicBool>,
    cuts: Arc<std::sync::atomic::AtomicUsize>,
) {
    let mut server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
    let (mut up, mut down) = ([0; 65536], [0; 65536]);
    loop {
        tokio::select! {
            Ok(length @ 1..) = client.read(&mut up) => server.write_all(&up[..length]).await.unwrap(),
            Ok(length @ 1..) = server.read(&mut down) => {
                if armed.swap(false, Ordering::SeqCst) {
                    cuts.fetch_add(1, Ordering::SeqCst);
                    return;
                }
                client.write_all(&down[..length]).await.unwrap();
            }
            else => return,
        }
    }
}

/// Returns the command in `docs/storage.md` that creates a user for the store.
pub fn documented_user() -> redis::Cmd {
    const DOCUMENT: &str = include_str!("../../docs/storage.md");
    let mut lines = DOCUMENT.lines();
    let rule = lines.find(|line| line.contains("ACL SETUSER")).unwrap();
    let mut words = rule.split_whitespace();
    let mut setuser = redis::cmd(words.next().unwrap());
    setuser.arg(words.collect::<Vec<_>>());
    setuser
}

/// The user that `docs/storage.md` recommends can do everything that the store needs, and nothing with other keys.
#[tokio::test]
async fn the_documented_user_suffices() {
    let server = Server::start();
    tell::<()>(&server, &documented_user()).await;

    let url = format!("redis://wyrmgate:change-me@127.0.0.1:{}", server.port);
    let store = open(&url).await.unwrap();
    crate::cases::a_removed_session_leaves_nothing(store.clone()).await;
    crate::cases::a_listing_is_replaced_as_a_whole(store.clone()).await;
    crate::cases::a_commit_can_move_the_expiry(store.clone()).await;
    crate::cases::what_could_not_be_served_is_offered_again_and_holds_up_nobody(store.clone())
        .await;
    crate::cases::a_bell_rings_for_public_commits(store.clone()).await;
    crate::cases::a_blob_stays(store.clone()).await;

    let mut limited = redis::Client::open(url)
        .unwrap()
        .get_multiplexed_async_connection()
        .await
        .unwrap();
    let foreign = redis::cmd("GET").arg("somebody-else").to_owned();
    let refused = foreign.exec_async(&mut limited).await.unwrap_err();
    assert_eq!(refused.code(), Some("NOPERM"));
}
