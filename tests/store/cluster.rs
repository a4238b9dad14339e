//! Tests of a cluster: nodes notify each other across it, slots can move, a master can crash.

use std::time::Duration;

use redis::cmd;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use wyrmgate::store::{
    Commit, Committed, Create, Durability, Index, ListQuery, Listing, Notification, Placement,
    SessionRecord, Store, StoreError, open,
};

use crate::cases::{bytes, next_notification};
use crate::model::compare;
use crate::nodes::{Cluster, tell, until};
use crate::server::Server;

const PATIENCE: Duration = Duration::from_secs(20);

fn public(session: &str, revision: u64) -> Commit {
    let mut commit = Commit::new(session, revision);
    commit.entry = Some(bytes(&revision.to_string()));
    commit
}

fn listed(session: &str, score: u64) -> Create {
    let mut create = Create::new(session);
    create.listing = Listing {
        placements: vec![Placement {
            index: Index::OPEN,
            score,
        }],
    };
    create
}

async fn all_listed(store: &dyn Store) -> Vec<String> {
    let mut sessions = Vec::new();
    let mut after = None;
    loop {
        let query = ListQuery {
            index: Index::OPEN,
            after,
            limit: 50,
        };
        let page = store.list(query).await.unwrap();
        sessions.extend(page.items.into_iter().map(|item| item.session));
        after = page.next;
        if after.is_none() {
            return sessions;
        }
    }
}

#[tokio::test]
async fn a_cluster_answers_as_memory_does_and_nodes_hear_each_other() {
    let cluster = Cluster::start(3, 0).await;
    compare(open(&cluster.url()).await.unwrap(), 11).await;

    let (here, there) = (
        open(&cluster.url()).await.unwrap(),
        open(&cluster.url()).await.unwrap(),
    );
    cluster.forget_everything().await;
    the_documented_user_suffices_here_too(&cluster).await;
    // Enough that every master has some.
    for n in 0..12 {
        let session = format!("heard-{n}");
        here.create(Create::new(&session)).await.unwrap();
        let mut subscription = there.subscribe(&session).await.unwrap();
        here.commit(public(&session, 1)).await.unwrap();
        assert_eq!(
            next_notification(&mut subscription).await,
            Notification::Version(1)
        );
        here.remove(&session).await.unwrap();
        assert_eq!(
            next_notification(&mut subscription).await,
            Notification::Removed
        );
    }
}

#[tokio::test]
async fn each_thread_that_serves_has_one_connection_to_each_master() {
    const THREADS: usize = 3;
    const SESSIONS: u64 = 24;
    let cluster = Cluster::start(3, 0).await;
    let store = open(&cluster.url()).await.unwrap();
    for n in 0..SESSIONS {
        store.create(Create::new(&format!("s{n}"))).await.unwrap();
    }
    let before = connections(&cluster).await;
    let mut ends = Vec::new();
    let mut stops = Vec::new();
    for thread in 0..THREADS as u64 {
        let ((tell_end, end), (stop, stopped)) = (oneshot::channel(), oneshot::channel::<()>());
        let store = store.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().unwrap();
            runtime.block_on(async {
                // The first calls do not use it, while it is being opened.
                for round in 0..40 {
                    let session = format!("s{}", (round * THREADS as u64 + thread) % SESSIONS);
                    assert!(store.load(&session).await.unwrap().is_some());
                    sleep(Duration::from_millis(20)).await;
                }
                tell_end.send(()).unwrap();
                // The connection lasts as long as its thread.
                let _ = stopped.await;
            });
        });
        ends.push(end);
        stops.push(stop);
    }
    for end in ends {
        end.await.unwrap();
    }
    let with = before.iter().map(|count| count + THREADS);
    assert_eq!(connections(&cluster).await, with.collect::<Vec<_>>());
    drop(stops);
}

/// Counts the connections to each master, including that of this test.
async fn connections(cluster: &Cluster) -> Vec<usize> {
    let mut counts = Vec::new();
    for node in &cluster.nodes {
        let list: String = tell(node, cmd("CLIENT").arg("LIST")).await;
        counts.push(list.lines().count());
    }
    counts
}

/// See `the_documented_user_suffices`.
async fn the_documented_user_suffices_here_too(cluster: &Cluster) {
    for node in &cluster.nodes {
        tell::<()>(node, &crate::redis::documented_user()).await;
    }
    let url = cluster.url().replace("://", "://wyrmgate:change-me@");
    let store = open(&url).await.unwrap();
    crate::cases::a_removed_session_leaves_nothing(store.clone()).await;
    crate::cases::a_listing_is_replaced_as_a_whole(store.clone()).await;
    crate::cases::a_bell_rings_for_public_commits(store.clone()).await;
    crate::cases::what_could_not_be_served_is_offered_again_and_holds_up_nobody(store.clone())
        .await;
    crate::cases::a_blob_stays(store).await;
}

#[tokio::test]
async fn a_master_that_evicts_is_refused() {
    let cluster = Cluster::start(3, 0).await;
    let policy = ["SET", "maxmemory-policy", "allkeys-lru"];
    tell::<()>(&cluster.nodes[1], cmd("CONFIG").arg(&policy)).await;
    let Err(error) = open(&cluster.url()).await else {
        panic!("opened")
    };
    assert!(
        matches!(&error, StoreError::Misconfigured(why) if why.contains("noeviction")),
        "{error}"
    );
    a_slot_may_move(&cluster).await;
}

/// Moves a slot to another master while the store runs, as an operator would.
async fn a_slot_may_move(cluster: &Cluster) {
    let policy = ["SET", "maxmemory-policy", "noeviction"];
    tell::<()>(&cluster.nodes[1], cmd("CONFIG").arg(&policy)).await;
    let store = open(&cluster.url()).await.unwrap();
    for n in 0..40 {
        store
            .create(listed(&format!("moved-{n}"), n))
            .await
            .unwrap();
    }
    let mut subscription = store.subscribe("moved-7").await.unwrap();
    assert_eq!(all_listed(&*store).await.len(), 40);
    move_slot_of(cluster, "moved-7").await;
    for n in 0..40 {
        let session = format!("moved-{n}");
        let done = store.commit(public(&session, 1)).await.unwrap();
        assert!(matches!(done, Committed::Done(_)), "{session}: {done:?}");
    }
    assert_eq!(all_listed(&*store).await.len(), 40);
    // Notifications arrive again, whether or not this commit caused one.
    let heard = async {
        for revision in 2.. {
            store.commit(public("moved-7", revision)).await.unwrap();
            let ring = timeout(Duration::from_millis(200), subscription.notified()).await;
            if ring == Ok(Notification::Version(revision)) {
                return;
            }
        }
    };
    timeout(PATIENCE, heard).await.expect("no notification");
}

/// The steps of a resharding: importing, migrating, the keys, the new owner.
async fn move_slot_of(cluster: &Cluster, session: &str) {
    let moving = Resharding::of(cluster, session).await;
    moving.begin().await;
    moving.migrate(&moving.keys().await).await;
    moving.end().await;
}

/// A slot that is moving from one master to another.
struct Resharding<'c> {
    slot: u16,
    from: &'c Server,
    to: &'c Server,
    from_id: String,
    to_id: String,
}

impl Resharding<'_> {
    /// Returns the move of the slot of a session.
    async fn of<'c>(cluster: &'c Cluster, session: &str) -> Resharding<'c> {
        let mut key = String::new();
        let mut from = 0;
        for (number, node) in cluster.nodes.iter().enumerate() {
            let keys: Vec<String> = tell(node, cmd("KEYS").arg(format!("*s:{session}"))).await;
            if let Some(found) = keys.into_iter().next() {
                (key, from) = (found, number);
            }
        }
        let (from, to) = (&cluster.nodes[from], &cluster.nodes[(from + 1) % 3]);
        Resharding {
            slot: tell(from, cmd("CLUSTER").arg("KEYSLOT").arg(&key)).await,
            from_id: tell(from, cmd("CLUSTER").arg("MYID")).await,
            to_id: tell(to, cmd("CLUSTER").arg("MYID")).await,
            from,
            to,
        }
    }

    async fn set(&self, on: &Server, state: &str, id: &str) {
        let mut set = cmd("CLUSTER");
        set.arg("SETSLOT").arg(self.slot).arg(state).arg(id);
        tell::<()>(on, &set).await;
    }

    async fn begin(&self) {
        self.set(self.to, "IMPORTING", &self.from_id).await;
        self.set(self.from, "MIGRATING", &self.to_id).await;
    }

    async fn end(&self) {
        for node in [self.to, self.from] {
            self.set(node, "NODE", &self.to_id).await;
        }
    }

    /// Returns the keys that have not moved yet.
    async fn keys(&self) -> Vec<String> {
        let of_slot = ["GETKEYSINSLOT", &self.slot.to_string(), "100"].map(str::to_owned);
        tell(self.from, cmd("CLUSTER").arg(&of_slot)).await
    }

    async fn migrate(&self, keys: &[String]) {
        let mut migrate = cmd("MIGRATE");
        let to = ("127.0.0.1", self.to.port, "", 0, 2000);
        migrate.arg(to.0).arg(to.1).arg(to.2).arg(to.3).arg(to.4);
        migrate.arg("KEYS").arg(keys);
        tell::<redis::Value>(self.from, &migrate).await;
    }
}

/// A change that moves the session in its list.
fn placed(session: &str, record: &SessionRecord) -> Commit {
    let revision = record.position.revision;
    let mut commit = public(session, revision);
    commit.expected_mark = record.mark;
    commit.listing = Some(listed(session, revision).listing);
    commit
}

/// The keys of a slot move one by one, lists first, while sessions are changed, created and removed. A script that
/// accessed a list on the other master would stop half-way, or create a second one.
#[tokio::test]
async fn no_write_stops_half_way_while_the_keys_of_a_slot_move() {
    const SESSION: &str = "moved";
    let cluster = Cluster::start(3, 0).await;
    let store = open(&cluster.url()).await.unwrap();
    store.create(listed(SESSION, 0)).await.unwrap();
    let record = store.load(SESSION).await.unwrap().unwrap();
    store.commit(placed(SESSION, &record)).await.unwrap();
    let moving = Resharding::of(&cluster, SESSION).await;
    moving.begin().await;
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            for _ in 0..12 {
                let record = store.load(SESSION).await.unwrap().unwrap();
                // It may wait until the slot has moved, or be refused, but it must not do half of its work.
                let _ = store.commit(placed(SESSION, &record)).await;
                sleep(Duration::from_millis(20)).await;
            }
        }
    });
    let mut keys = moving.keys().await;
    assert!(keys.len() > 2, "{keys:?}");
    keys.sort_by_key(|key| key.contains(':'));
    for key in keys {
        moving.migrate(&[key]).await;
        sleep(Duration::from_millis(150)).await;
    }
    assert_eq!(moving.keys().await, Vec::<String>::new());
    moving.end().await;
    writer.await.unwrap();

    let record = store.load(SESSION).await.unwrap().unwrap();
    let done = store.commit(placed(SESSION, &record)).await.unwrap();
    assert_eq!(done, Committed::Done(record.position.after(true)));
    let log = store.events(SESSION, 0, 100).await.unwrap();
    assert_eq!(log.len() as u64, record.position.version + 1);
    let open = ListQuery {
        index: Index::OPEN,
        after: None,
        limit: 10,
    };
    let places = store.list(open).await.unwrap();
    let scores: Vec<u64> = places.items.iter().map(|place| place.score).collect();
    assert_eq!(scores, [record.position.revision]);
}

#[tokio::test]
async fn a_failover_loses_nothing_that_was_replicated() {
    let mut cluster = Cluster::start(3, 3).await;
    let url = format!("{}?durability=replicated", cluster.url());
    let store = open(&url).await.unwrap();
    assert_eq!(store.durability(), Durability::Replicated);
    const SESSIONS: u64 = 24;
    for n in 0..SESSIONS {
        store.create(listed(&format!("s{n}"), n)).await.unwrap();
        let done = store.commit(public(&format!("s{n}"), 1)).await.unwrap();
        assert!(matches!(done, Committed::Done(_)));
    }
    cluster.nodes[0].kill();
    // A third of the sessions is unavailable for a while, but not lost.
    for n in 0..SESSIONS {
        let session = format!("s{n}");
        until(async || store.load(&session).await.is_ok()).await;
        assert_eq!(store.events(&session, 0, 9).await.unwrap().len(), 1);
    }
    until(async || store.probe().await.is_ok()).await;
    assert_eq!(all_listed(&*store).await.len() as u64, SESSIONS);
    // The master that took over has no replica any more, so it accepts the write and cannot guarantee it.
    let mut unconfirmed = 0;
    for n in 0..SESSIONS {
        match store.commit(public(&format!("s{n}"), 2)).await {
            Ok(Committed::Done(_)) => {}
            Err(StoreError::OutcomeUnknown(why)) => {
                assert!(why.contains("replica"), "{why}");
                unconfirmed += 1;
            }
            other => panic!("{other:?}"),
        }
        if unconfirmed > 0 {
            break;
        }
    }
    assert_eq!(unconfirmed, 1);
    sleep(Duration::ZERO).await;
}
