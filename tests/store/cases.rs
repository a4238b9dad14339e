//! The contract, case by case. Each gets an empty store.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use wyrmgate::store::{
    Bytes, ChangeEntry, ChangeMark, Commit, Committed, Create, Created, Cursor, Idempotency,
    Imported, Index, IndexWatch, Item, ListQuery, Listing, Notification, Placement, Position,
    Recorded, Secret, Store, Subscription, Turn, WatchFigures, WatchTerms, session_id,
};

type S = Arc<dyn Store>;

pub fn bytes(text: &str) -> Bytes {
    text.as_bytes().into()
}

pub fn now_ms() -> u64 {
    wyrmgate::surroundings::now_ms()
}

fn at(revision: u64, version: u64) -> Position {
    Position { revision, version }
}

fn keyed(key: u8, content: u8) -> Option<Idempotency> {
    Some(Idempotency {
        key: [key; 32],
        fingerprint: [content; 32],
        answer: bytes("as first said"),
    })
}

fn places(placements: &[(&Index, u64)]) -> Listing {
    let place = |&(index, score): &(&Index, u64)| Placement {
        index: index.clone(),
        score,
    };
    Listing {
        placements: placements.iter().map(place).collect(),
    }
}

/// A session with something in every part.
fn full(session: &str) -> Create {
    let mut create = Create::new(session);
    create.fixed = bytes("fixed");
    create.status = bytes("status");
    create.snapshot = bytes("snapshot");
    create.secret = Some(Secret(bytes("secret")));
    create
}

async fn created(store: &S) -> String {
    let session = session_id(None).unwrap();
    assert_eq!(
        store.create(full(&session)).await.unwrap(),
        Created::Done(at(1, 0))
    );
    session
}

fn public(session: &str, revision: u64, entry: &str) -> Commit {
    let mut commit = Commit::new(session, revision);
    commit.entry = Some(bytes(entry));
    commit
}

pub async fn a_new_session_reads_back_as_written(store: S) {
    let session = session_id(None).unwrap();
    assert_eq!(store.load(&session).await.unwrap(), None);
    let mut create = full(&session);
    create.entry = Some(bytes("began"));
    assert_eq!(store.create(create).await.unwrap(), Created::Done(at(1, 1)));
    let record = store.load(&session).await.unwrap().unwrap();
    assert_eq!(record.position, at(1, 1));
    assert_eq!(record.fixed, bytes("fixed"));
    assert_eq!(record.status, bytes("status"));
    assert_eq!(record.snapshot, bytes("snapshot"));
    assert_eq!(record.expires_at_ms, None);
    let began = ChangeEntry {
        version: 1,
        mark: ChangeMark::default(),
        bytes: bytes("began"),
    };
    assert_eq!(store.events(&session, 0, 10).await.unwrap(), [began]);
}

pub async fn a_second_create_changes_nothing(store: S) {
    let session = created(&store).await;
    let before = store.load(&session).await.unwrap();
    let mut second = full(&session);
    second.snapshot = bytes("another");
    second.idempotency = keyed(1, 1);
    assert_eq!(store.create(second).await.unwrap(), Created::Exists);
    assert_eq!(store.load(&session).await.unwrap(), before);
    assert_eq!(store.recall(&session, &[1; 32]).await.unwrap(), None);
}

pub async fn a_retried_create_meets_the_first(store: S) {
    let key = [7; 32];
    let session = session_id(Some(&key)).unwrap();
    assert_eq!(session, session_id(Some(&key)).unwrap());
    let mut create = full(&session);
    create.idempotency = keyed(7, 1);
    assert_eq!(
        store.create(create.clone()).await.unwrap(),
        Created::Done(at(1, 0))
    );
    create.snapshot = bytes("another");
    create.idempotency = keyed(7, 2);
    let first = Recorded {
        version: 0,
        fingerprint: [1; 32],
        answer: bytes("as first said"),
    };
    assert_eq!(
        store.create(create).await.unwrap(),
        Created::Duplicate(first)
    );
    assert_eq!(
        store.load(&session).await.unwrap().unwrap().snapshot,
        bytes("snapshot")
    );
}

pub async fn a_commit_replaces_what_it_names_and_keeps_the_rest(store: S) {
    let session = created(&store).await;
    let mut first = public(&session, 1, "one");
    first.snapshot = Some(bytes("moved"));
    assert_eq!(
        store.commit(first).await.unwrap(),
        Committed::Done(at(2, 1))
    );
    let mut second = public(&session, 2, "two");
    second.status = Some(bytes("over"));
    assert_eq!(
        store.commit(second).await.unwrap(),
        Committed::Done(at(3, 2))
    );
    let record = store.load(&session).await.unwrap().unwrap();
    assert_eq!(record.position, at(3, 2));
    assert_eq!(record.fixed, bytes("fixed"));
    assert_eq!(record.status, bytes("over"));
    assert_eq!(record.snapshot, bytes("moved"));
    let versions: Vec<_> = store.events(&session, 0, 10).await.unwrap();
    assert_eq!(versions.len(), 2);
    assert_eq!(
        versions[1],
        ChangeEntry {
            version: 2,
            mark: ChangeMark::default(),
            bytes: bytes("two")
        }
    );
}

pub async fn a_secret_commit_leaves_the_version_alone(store: S) {
    let session = created(&store).await;
    let mut secret = Commit::new(&session, 1);
    secret.snapshot = Some(bytes("one has chosen"));
    assert_eq!(
        store.commit(secret).await.unwrap(),
        Committed::Done(at(2, 0))
    );
    assert_eq!(store.events(&session, 0, 10).await.unwrap(), []);
    assert_eq!(
        store.commit(public(&session, 2, "revealed")).await.unwrap(),
        Committed::Done(at(3, 1))
    );
}

pub async fn a_stale_commit_gets_what_is_there(store: S) {
    let session = created(&store).await;
    store.commit(public(&session, 1, "one")).await.unwrap();
    let present = store.load(&session).await.unwrap().unwrap();
    for revision in [0, 1, 3, u64::MAX >> 12] {
        let mut late = public(&session, revision, "late");
        late.snapshot = Some(bytes("lost"));
        late.status = Some(bytes("lost"));
        late.idempotency = keyed(1, 1);
        late.listing = Some(places(&[(&Index::OPEN, 1)]));
        late.expires_at_ms = Some(1);
        assert_eq!(
            store.commit(late).await.unwrap(),
            Committed::Stale(present.clone())
        );
    }
    assert_eq!(store.load(&session).await.unwrap(), Some(present));
    assert_eq!(store.events(&session, 0, 10).await.unwrap().len(), 1);
    assert_eq!(store.recall(&session, &[1; 32]).await.unwrap(), None);
    assert_eq!(listed(&store, &Index::OPEN).await, Vec::<String>::new());
}

/// A revision that was lost and written again by another writer has the same number.
pub async fn a_commit_on_another_history_is_stale(store: S) {
    let [ours, theirs] = [ChangeMark::draw().unwrap(), ChangeMark::draw().unwrap()];
    let session = session_id(None).unwrap();
    let mut create = full(&session);
    (create.mark, create.entry) = (ours, Some(bytes("began")));
    store.create(create).await.unwrap();
    let mut commit = public(&session, 1, "one");
    (commit.expected_mark, commit.mark) = (theirs, theirs);
    let Committed::Stale(present) = store.commit(commit.clone()).await.unwrap() else {
        panic!("written")
    };
    assert_eq!((present.mark, present.version_mark), (ours, ours));
    commit.expected_mark = ours;
    assert_eq!(
        store.commit(commit).await.unwrap(),
        Committed::Done(at(2, 2))
    );
    // A secret commit has a mark that no client receives.
    let mut secret = Commit::new(&session, 2);
    (secret.expected_mark, secret.mark) = (theirs, ours);
    assert_eq!(
        store.commit(secret).await.unwrap(),
        Committed::Done(at(3, 2))
    );
    let present = store.load(&session).await.unwrap().unwrap();
    assert_eq!((present.mark, present.version_mark), (ours, theirs));
    let entries = store.events(&session, 0, 9).await.unwrap();
    let marks: Vec<ChangeMark> = entries.iter().map(|entry| entry.mark).collect();
    assert_eq!(marks, [ours, theirs]);
}

pub async fn a_commit_on_nothing_is_absent(store: S) {
    let session = session_id(None).unwrap();
    let mut commit = public(&session, 0, "no");
    commit.idempotency = keyed(1, 1);
    assert_eq!(store.commit(commit).await.unwrap(), Committed::Absent);
    assert_eq!(store.load(&session).await.unwrap(), None);
    assert_eq!(store.recall(&session, &[1; 32]).await.unwrap(), None);
    assert_eq!(store.events(&session, 0, 1).await.unwrap(), []);
    assert!(!store.remove(&session).await.unwrap());
}

pub async fn a_known_key_wins_over_a_stale_revision(store: S) {
    let session = created(&store).await;
    let mut first = public(&session, 1, "one");
    first.idempotency = keyed(1, 5);
    store.commit(first.clone()).await.unwrap();
    store.commit(public(&session, 2, "two")).await.unwrap();
    let recorded = Recorded {
        version: 1,
        fingerprint: [5; 32],
        answer: bytes("as first said"),
    };
    first.idempotency = keyed(1, 6);
    for revision in [1, 3] {
        first.expected_revision = revision;
        let answer = store.commit(first.clone()).await.unwrap();
        assert_eq!(answer, Committed::Duplicate(recorded.clone()));
    }
    assert_eq!(
        store.recall(&session, &[1; 32]).await.unwrap(),
        Some(recorded)
    );
    assert_eq!(
        store.load(&session).await.unwrap().unwrap().position,
        at(3, 2)
    );
}

pub async fn a_key_is_known_in_its_own_session_only(store: S) {
    for _ in 0..2 {
        let session = created(&store).await;
        let mut commit = public(&session, 1, "one");
        commit.idempotency = keyed(1, 1);
        assert_eq!(
            store.commit(commit).await.unwrap(),
            Committed::Done(at(2, 1))
        );
        assert_eq!(store.recall(&session, &[2; 32]).await.unwrap(), None);
    }
}

/// Writers that read, add one and retry when stale: in the end, each addition has been made once.
pub async fn of_many_writers_one_wins_each_revision(store: S) {
    const WRITERS: u64 = 8;
    const WINS: u64 = 12;
    let session = created(&store).await;
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let (store, session) = (store.clone(), session.clone());
        writers.spawn(async move {
            let mut won = Vec::new();
            let mut revision = 1;
            while (won.len() as u64) < WINS {
                let entry = format!("{writer}");
                match store
                    .commit(public(&session, revision, &entry))
                    .await
                    .unwrap()
                {
                    Committed::Done(now) => {
                        assert_eq!(now.revision, revision + 1);
                        won.push(now.version);
                        revision = now.revision;
                    }
                    Committed::Stale(record) => revision = record.position.revision,
                    other => panic!("{other:?}"),
                }
            }
            (writer, won)
        });
    }
    let log = {
        let wins = writers.join_all().await;
        let log = store.events(&session, 0, 1000).await.unwrap();
        let all: BTreeSet<u64> = wins.iter().flat_map(|(_, won)| won.clone()).collect();
        assert_eq!(all, (1..=WRITERS * WINS).collect());
        for (writer, won) in wins {
            for version in won {
                assert_eq!(log[version as usize - 1].bytes, bytes(&writer.to_string()));
            }
        }
        log
    };
    assert_eq!(log.len() as u64, WRITERS * WINS);
}

pub async fn of_many_retries_one_is_applied(store: S) {
    let session = created(&store).await;
    let mut tries = JoinSet::new();
    for _ in 0..16 {
        let (store, mut commit) = (store.clone(), public(&session, 1, "once"));
        commit.idempotency = keyed(1, 1);
        tries.spawn(async move { store.commit(commit).await.unwrap() });
    }
    let answers = tries.join_all().await;
    let done = answers
        .iter()
        .filter(|answer| **answer == Committed::Done(at(2, 1)))
        .count();
    let doubles = answers
        .iter()
        .filter(|answer| matches!(answer, Committed::Duplicate(_)))
        .count();
    assert_eq!((done, doubles), (1, 15), "{answers:?}");
    assert_eq!(store.events(&session, 0, 10).await.unwrap().len(), 1);
}

pub async fn events_page_without_gap_or_repeat(store: S) {
    let session = created(&store).await;
    for revision in 1..=25 {
        store
            .commit(public(&session, revision, &revision.to_string()))
            .await
            .unwrap();
    }
    let mut seen = Vec::new();
    loop {
        let page = store.events(&session, seen.len() as u64, 10).await.unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 10);
        seen.extend(page.into_iter().map(|entry| entry.version));
    }
    assert_eq!(seen, (1..=25).collect::<Vec<_>>());
    assert_eq!(store.events(&session, 25, 10).await.unwrap(), []);
    assert_eq!(store.events(&session, u64::MAX, 10).await.unwrap(), []);
    assert_eq!(store.events(&session, 0, 0).await.unwrap(), []);
}

pub async fn a_secret_is_only_read_by_asking_for_it(store: S) {
    let session = created(&store).await;
    let secret = store.secret(&session).await.unwrap().unwrap();
    assert_eq!(secret.0, bytes("secret"));
    assert!(!format!("{secret:?}").contains("secret"));
    let open = Create::new("open");
    store.create(open).await.unwrap();
    assert_eq!(store.secret("open").await.unwrap(), None);
}

pub async fn a_removed_session_leaves_nothing(store: S) {
    let session = session_id(None).unwrap();
    let mut create = full(&session);
    create.entry = Some(bytes("began"));
    create.idempotency = keyed(1, 1);
    create.listing = places(&[(&Index::OPEN, 5)]);
    create.expires_at_ms = Some(now_ms() + 60_000);
    store.create(create.clone()).await.unwrap();
    assert!(store.remove(&session).await.unwrap());
    assert!(!store.remove(&session).await.unwrap());
    is_gone(&store, &session).await;
    // A create that was sent before and arrives late restores nothing.
    assert_eq!(store.create(create).await.unwrap(), Created::Removed);
    assert_eq!(
        store.create(Create::new(&session)).await.unwrap(),
        Created::Removed
    );
    is_gone(&store, &session).await;
}

async fn is_gone(store: &S, session: &str) {
    assert_eq!(store.load(session).await.unwrap(), None);
    assert_eq!(store.events(session, 0, 10).await.unwrap(), []);
    assert_eq!(store.secret(session).await.unwrap(), None);
    assert_eq!(store.recall(session, &[1; 32]).await.unwrap(), None);
    assert_eq!(listed(store, &Index::OPEN).await, Vec::<String>::new());
    assert_eq!(
        store.commit(public(session, 1, "late")).await.unwrap(),
        Committed::Absent
    );
}

pub async fn an_expired_session_is_gone_everywhere(store: S) {
    let session = session_id(None).unwrap();
    let mut create = full(&session);
    create.entry = Some(bytes("began"));
    create.idempotency = keyed(1, 1);
    create.listing = places(&[(&Index::OPEN, 5)]);
    let expires_at_ms = now_ms() + 300;
    create.expires_at_ms = Some(expires_at_ms);
    store.create(create.clone()).await.unwrap();
    let living = store.load(&session).await.unwrap().unwrap();
    assert_eq!(living.expires_at_ms, Some(expires_at_ms));
    sleep(Duration::from_millis(400)).await;
    is_gone(&store, &session).await;
    assert!(!store.remove(&session).await.unwrap());
    // The same retry now finds nothing to repeat and begins anew.
    create.expires_at_ms = None;
    assert_eq!(store.create(create).await.unwrap(), Created::Done(at(1, 1)));
    assert_eq!(listed(&store, &Index::OPEN).await, [session]);
}

pub async fn a_commit_can_move_the_expiry(store: S) {
    let (kept, shortened) = (session_id(None).unwrap(), session_id(None).unwrap());
    for session in [&kept, &shortened] {
        let mut create = full(session);
        create.listing = places(&[(&Index::OPEN, 5)]);
        create.entry = Some(bytes("began"));
        create.expires_at_ms = (*session == kept).then_some(now_ms() + 300);
        store.create(create).await.unwrap();
    }
    store.commit(public(&kept, 1, "for ever")).await.unwrap();
    let mut soon = public(&shortened, 1, "soon");
    soon.expires_at_ms = Some(now_ms() + 300);
    store.commit(soon).await.unwrap();
    sleep(Duration::from_millis(400)).await;
    assert_eq!(store.events(&kept, 0, 10).await.unwrap().len(), 2);
    assert!(store.secret(&kept).await.unwrap().is_some());
    assert_eq!(store.load(&shortened).await.unwrap(), None);
    assert_eq!(listed(&store, &Index::OPEN).await, [kept]);
}

/// Returns all sessions of an index by pages of 3, and checks that no page is too long.
async fn listed(store: &S, index: &Index) -> Vec<String> {
    let mut sessions = Vec::new();
    let mut after = None;
    loop {
        let query = ListQuery {
            index: index.clone(),
            after,
            limit: 3,
        };
        let page = store.list(query).await.unwrap();
        assert!(page.items.len() <= 3);
        sessions.extend(page.items.into_iter().map(|item| item.session));
        match page.next {
            Some(next) => after = Some(Cursor::decode(&next.encode()).unwrap()),
            None => return sessions,
        }
    }
}

async fn list_one(store: &S, index: &Index, score: u64, status: &str) -> String {
    let session = session_id(None).unwrap();
    let mut create = Create::new(&session);
    create.status = bytes(status);
    create.listing = places(&[(index, score)]);
    store.create(create).await.unwrap();
    session
}

pub async fn a_list_is_in_order_and_pages_are_exact(store: S) {
    let mut expected = Vec::new();
    for score in (0..50).map(|n| n * 7 % 50) {
        expected.push((
            score,
            list_one(&store, &Index::OPEN, score, &score.to_string()).await,
        ));
    }
    expected.sort_by(|a, b| b.cmp(a));
    let expected: Vec<_> = expected.into_iter().map(|(_, session)| session).collect();
    assert_eq!(listed(&store, &Index::OPEN).await, expected);
    let query = ListQuery {
        index: Index::OPEN,
        after: None,
        limit: 2,
    };
    let page = store.list(query).await.unwrap();
    assert_eq!(
        (page.items[0].score, &page.items[0].status),
        (49, &bytes("49"))
    );
}

pub async fn a_list_of_equal_scores_pages_exactly(store: S) {
    let mut expected = BTreeSet::new();
    for _ in 0..40 {
        expected.insert(list_one(&store, &Index::OPEN, 5, "").await);
    }
    let seen = listed(&store, &Index::OPEN).await;
    assert_eq!(seen.len(), expected.len());
    assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
}

pub async fn a_cursor_survives_the_item_it_names(store: S) {
    let mut sessions = Vec::new();
    for score in 0..6 {
        sessions.push(list_one(&store, &Index::OPEN, score, "").await);
    }
    let query = ListQuery {
        index: Index::OPEN,
        after: None,
        limit: 2,
    };
    let first = store.list(query.clone()).await.unwrap();
    store.remove(&sessions[4]).await.unwrap();
    store.remove(&sessions[3]).await.unwrap();
    let second = store
        .list(ListQuery {
            after: first.next,
            ..query
        })
        .await
        .unwrap();
    let seen: Vec<_> = second.items.into_iter().map(|item| item.session).collect();
    assert_eq!(seen, [sessions[2].clone(), sessions[1].clone()]);
}

pub async fn a_listing_is_replaced_as_a_whole(store: S) {
    let session = list_one(&store, &Index::OPEN, 1, "open").await;
    let dragons = Index::RUNNING.of("dragons");
    let mut commit = Commit::new(&session, 1);
    commit.listing = Some(places(&[(&Index::RUNNING, 2), (&dragons, 3)]));
    store.commit(commit).await.unwrap();
    assert_eq!(listed(&store, &Index::OPEN).await, Vec::<String>::new());
    assert_eq!(
        listed(&store, &Index::RUNNING).await,
        std::slice::from_ref(&session)
    );
    // A commit without listings leaves them unchanged.
    store.commit(public(&session, 2, "move")).await.unwrap();
    let query = ListQuery {
        index: dragons.clone(),
        after: None,
        limit: 5,
    };
    let page = store.list(query).await.unwrap();
    assert_eq!(
        (page.items[0].score, &page.items[0].status),
        (3, &bytes("open"))
    );
    assert_eq!(page.next, None);
    let mut nowhere = Commit::new(&session, 3);
    nowhere.listing = Some(Listing::default());
    store.commit(nowhere).await.unwrap();
    assert_eq!(listed(&store, &Index::RUNNING).await, Vec::<String>::new());
    assert_eq!(listed(&store, &dragons).await, Vec::<String>::new());
}

/// Where somebody moves, its session moves within the lists of the players, while they look.
pub async fn a_session_that_moves_within_a_list_is_never_missing(store: S) {
    let index = Index::PLAYERS.of("ann");
    let session = list_one(&store, &index, 5, "moving").await;
    let moves = async {
        for score in [9, 5].into_iter().cycle().take(200) {
            move_to(&store, &session, &[(&index, score)]).await;
        }
    };
    let mut moves = std::pin::pin!(moves);
    let mut looks = 0;
    loop {
        tokio::select! {
            biased;
            found = listed(&store, &index) => assert_eq!(found, [session.as_str()]),
            () = &mut moves => break,
        }
        looks += 1;
        tokio::select! {
            biased;
            () = &mut moves => break,
            () = sleep(Duration::from_micros(looks % 7 * 100)) => {}
        }
    }
    assert_eq!(listed(&store, &index).await, [session.as_str()]);
}

pub async fn indexes_do_not_mix(store: S) {
    let one = list_one(&store, &Index::OPEN, 1, "").await;
    let two = list_one(&store, &Index::OPEN.of("a"), u64::MAX >> 1, "").await;
    let three = list_one(&store, &Index::OPEN.of("ab"), 0, "").await;
    assert_eq!(listed(&store, &Index::OPEN).await, [one]);
    assert_eq!(listed(&store, &Index::OPEN.of("a")).await, [two]);
    assert_eq!(listed(&store, &Index::OPEN.of("ab")).await, [three]);
    assert_eq!(listed(&store, &Index::FINISHED).await, Vec::<String>::new());
}

/// Returns the next notification that is not only a request to compare versions.
pub async fn next_notification(subscription: &mut Subscription) -> Notification {
    let ring = async {
        loop {
            match subscription.notified().await {
                Notification::Missed => {}
                ring => return ring,
            }
        }
    };
    timeout(Duration::from_secs(5), ring)
        .await
        .expect("no notification")
}

pub async fn a_bell_rings_for_public_commits(store: S) {
    let (session, other) = (created(&store).await, created(&store).await);
    let mut subscriptions = [
        store.subscribe(&session).await.unwrap(),
        store.subscribe(&session).await.unwrap(),
    ];
    drop(store.subscribe(&session).await.unwrap());
    store.commit(public(&other, 1, "elsewhere")).await.unwrap();
    store.commit(Commit::new(&session, 1)).await.unwrap();
    store.commit(public(&session, 2, "here")).await.unwrap();
    for subscription in &mut subscriptions {
        assert_eq!(
            next_notification(subscription).await,
            Notification::Version(1)
        );
    }
    // There are no other subscribers; the session can be left and subscribed to again.
    drop(subscriptions);
    let mut subscription = store.subscribe(&session).await.unwrap();
    store.commit(public(&session, 3, "again")).await.unwrap();
    assert_eq!(
        next_notification(&mut subscription).await,
        Notification::Version(2)
    );
}

pub async fn a_bell_rings_for_removal(store: S) {
    let session = created(&store).await;
    let mut subscription = store.subscribe(&session).await.unwrap();
    store.remove(&session).await.unwrap();
    assert_eq!(
        next_notification(&mut subscription).await,
        Notification::Removed
    );
}

pub async fn a_blob_stays(store: S) {
    let digest = [9; 32];
    assert_eq!(store.blob(&digest).await.unwrap(), None);
    store.put_blob(&digest, bytes("rules")).await.unwrap();
    store.put_blob(&digest, bytes("rules")).await.unwrap();
    assert_eq!(store.blob(&digest).await.unwrap(), Some(bytes("rules")));
}

pub async fn everything(store: &S) -> Vec<Item> {
    let mut items = store.export().await.unwrap();
    let mut all = Vec::new();
    while let Some(item) = items.recv().await {
        all.push(item.unwrap());
    }
    all.sort_by_key(|item| match item {
        Item::Session(image) => (0, image.session.clone()),
        Item::Blob(digest, _) => (1, format!("{digest:?}")),
    });
    all
}

/// The export of one engine can be imported by another; here by the same engine after it has lost its data.
pub async fn what_is_exported_can_be_imported(store: S) {
    let mut images = Vec::new();
    for n in 0..5u8 {
        let session = session_id(None).unwrap();
        let mut create = full(&session);
        create.mark = ChangeMark::draw().unwrap();
        create.entry = Some(bytes("began"));
        create.secret = (n % 2 == 0).then(|| Secret(bytes("secret")));
        create.idempotency = keyed(n, 1);
        create.listing = places(&[(&Index::OPEN, n.into())]);
        create.expires_at_ms = (n % 2 == 1).then(|| now_ms() + 60_000);
        let mut commit = public(&session, 1, "one");
        (commit.expected_mark, commit.mark) = (create.mark, ChangeMark::draw().unwrap());
        (commit.idempotency, commit.expires_at_ms) = (keyed(n + 10, 1), create.expires_at_ms);
        store.create(create).await.unwrap();
        store.commit(commit).await.unwrap();
        images.push(session);
    }
    store.put_blob(&[9; 32], bytes("rules")).await.unwrap();
    let before = everything(&store).await;
    assert_eq!(before.len(), 6);
    let open = ListQuery {
        index: Index::OPEN,
        after: None,
        limit: 9,
    };
    let lists = store.list(open.clone()).await.unwrap();
    // Existing sessions are left alone.
    store.remove(&images[0]).await.unwrap();
    let mut changed = Commit::new(&images[1], 2);
    let present = store.load(&images[1]).await.unwrap().unwrap();
    (changed.expected_mark, changed.expires_at_ms) = (present.mark, present.expires_at_ms);
    store.commit(changed).await.unwrap();
    for item in before.clone() {
        let expected = match &item {
            Item::Session(image) if image.session == images[0] => Imported::Written,
            Item::Session(image) if image.session == images[1] => Imported::Different,
            _ => Imported::Same,
        };
        assert_eq!(
            item.clone().import(&*store).await.unwrap(),
            expected,
            "{item:?}"
        );
    }
    store.remove(&images[1]).await.unwrap();
    for item in before.clone() {
        item.import(&*store).await.unwrap();
    }
    assert_eq!(everything(&store).await, before);
    assert_eq!(store.list(open).await.unwrap(), lists);
    // It continues where it was.
    let Item::Session(image) = &before[0] else {
        panic!()
    };
    let mut next = public(&image.session, 2, "two");
    next.expected_mark = image.record.mark;
    assert_eq!(store.commit(next).await.unwrap(), Committed::Done(at(3, 3)));
}

pub async fn any_bytes_are_kept(store: S) {
    let all: Bytes = (0..=255u8).cycle().take(300_000).collect();
    let session = session_id(None).unwrap();
    let mut create = Create::new(&session);
    create.fixed = all.clone();
    create.status = all.clone();
    create.snapshot = all.clone();
    create.secret = Some(Secret(all.clone()));
    create.entry = Some(all.clone());
    create.listing = places(&[(&Index::OPEN, 1)]);
    let idempotency = Idempotency {
        key: [0; 32],
        fingerprint: [b':'; 32],
        answer: all.clone(),
    };
    create.idempotency = Some(idempotency);
    store.create(create).await.unwrap();
    let record = store.load(&session).await.unwrap().unwrap();
    assert!(record.fixed == all && record.status == all && record.snapshot == all);
    assert!(store.secret(&session).await.unwrap().unwrap().0 == all);
    assert!(store.events(&session, 0, 1).await.unwrap()[0].bytes == all);
    let recorded = store.recall(&session, &[0; 32]).await.unwrap().unwrap();
    assert!(recorded.answer == all && recorded.fingerprint == [b':'; 32]);
    let query = ListQuery {
        index: Index::OPEN,
        after: None,
        limit: 1,
    };
    let listed = store.list(query).await.unwrap().items.remove(0);
    assert!(listed.fixed == all && listed.status == all);
}

pub async fn the_store_is_well(store: S) {
    store.probe().await.unwrap();
    assert!(!store.durability().to_string().is_empty());
    let facts = store.facts().await.unwrap();
    assert!(facts.version.len() > 5, "{facts:?}");
    let skew = facts.clock_ms.abs_diff(wyrmgate::surroundings::now_ms());
    assert!(skew < 10_000, "{facts:?}");
}

/// The maximum delay of a turn.
const LATE_MS: u64 = 1_000;
const GRACE_MS: u64 = 50;

pub fn watch_deadlines(store: &S) -> IndexWatch {
    store.watch(WatchTerms {
        index: Index::DEADLINES,
        grace: Duration::from_millis(GRACE_MS),
        hold: Duration::from_millis(150),
        turns_max: 4,
        polled_per_second: 6,
    })
}

/// Returns the next turn, which must come in time.
async fn next_turn(watch: &mut IndexWatch) -> Turn {
    let turn = timeout(Duration::from_secs(10), watch.next()).await;
    let turn = turn.expect("no turn comes").unwrap();
    let (due, now) = (turn.score + GRACE_MS, now_ms());
    assert!(now >= due, "{} ms early", due - now);
    assert!(now < due + LATE_MS, "{} ms late", now - due);
    turn
}

async fn nothing_comes(watch: &mut IndexWatch, milliseconds: u64) {
    let turn = timeout(Duration::from_millis(milliseconds), watch.next()).await;
    assert!(turn.is_err(), "{turn:?}");
}

/// Moves a session to another place in the index, or removes it.
async fn move_to(store: &S, session: &str, places_after: &[(&Index, u64)]) {
    let record = store.load(session).await.unwrap().unwrap();
    let mut commit = Commit::new(session, record.position.revision);
    commit.listing = Some(places(places_after));
    let done = store.commit(commit).await.unwrap();
    assert!(matches!(done, Committed::Done(_)), "{done:?}");
}

pub async fn what_waits_is_offered_in_its_time(store: S) {
    let now = now_ms();
    let mut expected = Vec::new();
    for score in [now + 900, now - 5_000, now + 600, now + 60_000] {
        expected.push((score, list_one(&store, &Index::DEADLINES, score, "t").await));
    }
    expected.sort();
    expected.pop();
    // Other indexes are not watched.
    list_one(&store, &Index::BOTS, now, "b").await;
    let mut watch = watch_deadlines(&store);
    let turn = timeout(Duration::from_secs(10), watch.next())
        .await
        .unwrap()
        .unwrap();
    assert_eq!((turn.score, turn.session.clone()), expected[0]);
    move_to(&store, &turn.session, &[]).await;
    drop(turn);
    for expected in &expected[1..] {
        let turn = next_turn(&mut watch).await;
        assert_eq!((turn.score, turn.session.clone()), *expected);
        move_to(&store, &turn.session, &[]).await;
    }
    nothing_comes(&mut watch, 300).await;
}

/// Sessions that look for players are in lists for people and for nodes. Of two who take the last seat, one succeeds, and the
/// lists know it at once.
pub async fn a_seek_is_listed_and_offered_until_one_commit_takes_it(store: S) {
    let (pool, game) = (Index::POOLS.of("chess-15"), Index::SEEKS.of("chess"));
    let now = now_ms();
    let mut seeks = Vec::new();
    for age in [2, 1, 3] {
        let mut ids = std::iter::repeat_with(|| session_id(None).unwrap());
        let session = ids.find(|id| pool.takes(id)).unwrap();
        let mut create = Create::new(&session);
        let lists = [(&game, now - age), (&pool, age), (&Index::WAITS, now + age)];
        create.listing = places(&lists);
        store.create(create).await.unwrap();
        seeks.push(session);
    }
    let [second, youngest, oldest] = <[String; 3]>::try_from(seeks).unwrap();
    let oldest_first = [&oldest, &second, &youngest].map(String::clone);
    let newest_first = [&youngest, &second, &oldest].map(String::clone);
    assert_eq!(listed(&store, &pool).await, oldest_first);
    assert_eq!(listed(&store, &game).await, newest_first);
    assert_eq!(
        listed(&store, &Index::POOLS.of("chess-1")).await,
        Vec::<String>::new()
    );
    let revision = store
        .load(&oldest)
        .await
        .unwrap()
        .unwrap()
        .position
        .revision;
    let takes = [1, 2].map(|taker| {
        let mut take = public(&oldest, revision, "taken");
        take.listing = Some(Listing::default());
        take.idempotency = keyed(taker, taker);
        take
    });
    let [one, other] = takes.map(|take| store.commit(take));
    let (one, other) = futures_util::future::join(one, other).await;
    let taken = [one.unwrap(), other.unwrap()];
    let is_done = |committed: &&Committed| matches!(committed, Committed::Done(_));
    assert_eq!(taken.iter().filter(is_done).count(), 1, "{taken:?}");
    assert_eq!(listed(&store, &pool).await, [second.as_str(), &youngest]);
    let mut watch = store.watch(WatchTerms {
        index: Index::WAITS,
        grace: Duration::from_millis(GRACE_MS),
        hold: Duration::from_millis(150),
        turns_max: 4,
        polled_per_second: 6,
    });
    // Their times are close to each other, and they may lie in shards of which one is read later.
    let mut offered = Vec::new();
    for _ in 0..2 {
        let turn = timeout(Duration::from_secs(10), watch.next()).await;
        offered.push(turn.unwrap().unwrap().session.clone());
        move_to(&store, offered.last().unwrap(), &[]).await;
    }
    offered.sort();
    let mut expected = [youngest.clone(), second.clone()];
    expected.sort();
    assert_eq!(offered, expected);
    nothing_comes(&mut watch, 300).await;
    // A decision under a key that changes nothing is a decision.
    let revision = store
        .load(&second)
        .await
        .unwrap()
        .unwrap()
        .position
        .revision;
    let mut refused = Commit::new(&second, revision);
    refused.idempotency = keyed(3, 3);
    let decided = store.commit(refused.clone()).await.unwrap();
    assert!(matches!(decided, Committed::Done(_)), "{decided:?}");
    refused.expected_mark = Default::default();
    let again = store.commit(refused).await.unwrap();
    assert!(matches!(again, Committed::Duplicate(_)), "{again:?}");
}

pub async fn what_comes_earlier_is_not_overslept_and_what_moved_is_not_early(store: S) {
    let now = now_ms();
    let late = list_one(&store, &Index::DEADLINES, now + 3_600_000, "t").await;
    let mut watch = watch_deadlines(&store);
    nothing_comes(&mut watch, 300).await;
    // Earlier than all others, placed by a create and by a commit.
    for session in [None, Some(late)] {
        let score = now_ms() + 300;
        let session = match session {
            None => list_one(&store, &Index::DEADLINES, score, "t").await,
            Some(late) => {
                move_to(&store, &late, &[(&Index::DEADLINES, score)]).await;
                late
            }
        };
        let turn = next_turn(&mut watch).await;
        assert_eq!((turn.score, &turn.session), (score, &session));
        move_to(&store, &session, &[]).await;
    }
    // Moved to a later time before its time has come.
    let moved = list_one(&store, &Index::DEADLINES, now_ms() + 200, "t").await;
    let score = now_ms() + 700;
    move_to(&store, &moved, &[(&Index::DEADLINES, score)]).await;
    let turn = next_turn(&mut watch).await;
    assert_eq!((turn.score, &turn.session), (score, &moved));
}

pub async fn every_timed_index_wakes_those_who_sleep(store: S) {
    for index in [Index::DEADLINES, Index::BOTS, Index::RESULTS] {
        let mut watch = store.watch(WatchTerms {
            index: index.clone(),
            grace: Duration::from_millis(GRACE_MS),
            hold: Duration::from_millis(150),
            turns_max: 4,
            polled_per_second: 1,
        });
        nothing_comes(&mut watch, 300).await;
        let score = now_ms() + 200;
        let session = list_one(&store, &index, score, "r").await;
        let turn = next_turn(&mut watch).await;
        assert_eq!((turn.score, &turn.session), (score, &session), "{index:?}");
        // Whoever has done the work has it taken out, by any other change, too.
        move_to(
            &store,
            &session,
            &[(&Index::RATINGS.of("game:blitz"), 1_500)],
        )
        .await;
        drop(turn);
        nothing_comes(&mut watch, 300).await;
    }
    let query = ListQuery {
        index: Index::RATINGS.of("game:blitz"),
        after: None,
        limit: 10,
    };
    let ranked = store.list(query).await.unwrap().items;
    assert_eq!(ranked.len(), 3);
    assert!(
        ranked
            .iter()
            .all(|of| of.score == 1_500 && of.status == bytes("r"))
    );
}

pub async fn what_could_not_be_served_is_offered_again_and_holds_up_nobody(store: S) {
    let now = now_ms();
    for number in 0..6 {
        list_one(&store, &Index::DEADLINES, now - 100 + number, "t").await;
    }
    let mut watch = watch_deadlines(&store);
    let mut offered: Vec<String> = Vec::new();
    while offered.iter().collect::<BTreeSet<_>>().len() < 6 {
        let turn = timeout(Duration::from_secs(10), watch.next())
            .await
            .unwrap()
            .unwrap();
        offered.push(turn.session.clone());
    }
    // A removed session leaves nothing.
    for session in offered.iter().collect::<BTreeSet<_>>() {
        store.remove(session).await.unwrap();
    }
    let mut calm = 0;
    while calm < 3 {
        match timeout(Duration::from_millis(300), watch.next()).await {
            Ok(turn) => drop(turn),
            Err(_) => calm += 1,
        }
    }
    // At most the agreed number of turns is out at the same time.
    for _ in 0..6 {
        list_one(&store, &Index::DEADLINES, now_ms(), "t").await;
    }
    let mut turns = Vec::new();
    for _ in 0..4 {
        turns.push(next_turn(&mut watch).await);
    }
    nothing_comes(&mut watch, 300).await;
    move_to(&store, &turns[0].session, &[]).await;
    turns.remove(0);
    turns.push(next_turn(&mut watch).await);
    let names: BTreeSet<_> = turns.iter().map(|turn| &turn.session).collect();
    assert_eq!(names.len(), 4, "one was offered twice");
}

pub async fn what_expires_before_its_time_is_not_offered(store: S) {
    let mut create = full(&session_id(None).unwrap());
    let now = now_ms();
    create.listing = places(&[(&Index::DEADLINES, now + 400)]);
    create.expires_at_ms = Some(now + 200);
    store.create(create).await.unwrap();
    let living = list_one(&store, &Index::DEADLINES, now + 800, "t").await;
    let mut watch = watch_deadlines(&store);
    // An engine that keeps the places of expired sessions may offer one once, and then removes the place.
    let turn = loop {
        let turn = next_turn(&mut watch).await;
        if turn.session == living {
            break turn;
        }
        assert_eq!(store.load(&turn.session).await.unwrap(), None);
    };
    move_to(&store, &turn.session, &[]).await;
    drop(turn);
    nothing_comes(&mut watch, 300).await;
}

fn figures(watch: &IndexWatch) -> WatchFigures {
    watch.gauge().read().unwrap()
}

/// A game of bots moves its place with each choice, long before it is due.
pub async fn work_is_not_read_during_its_grace(store: S) {
    let mut watch = store.watch(WatchTerms {
        index: Index::BOTS,
        grace: Duration::from_millis(400),
        hold: Duration::from_secs(4),
        turns_max: 4,
        polled_per_second: 1,
    });
    let began = now_ms();
    let session = list_one(&store, &Index::BOTS, began, "b").await;
    while now_ms() < began + 1_500 {
        sleep(Duration::from_millis(30)).await;
        move_to(&store, &session, &[(&Index::BOTS, now_ms())]).await;
    }
    let figures = figures(&watch);
    assert!(figures.reads <= 8, "{figures:?}");
    assert!(figures.wake_ups <= 60 + 4 * figures.polls, "{figures:?}");
    let turn = timeout(Duration::from_secs(10), watch.next()).await;
    assert_eq!(turn.expect("no turn comes").unwrap().session, session);
}

pub async fn long_and_fruitless_turns_cost_few_reads(store: S) {
    let mut watch = store.watch(WatchTerms {
        index: Index::DEADLINES,
        grace: Duration::from_millis(GRACE_MS),
        hold: Duration::from_millis(40),
        turns_max: 4,
        polled_per_second: 1,
    });
    let session = list_one(&store, &Index::DEADLINES, now_ms(), "t").await;
    let turn = next_turn(&mut watch).await;
    sleep(Duration::from_millis(1_500)).await;
    let long = figures(&watch);
    assert!(long.reads <= 16, "{long:?}");
    assert!(long.due == 1 && long.oldest_ms >= 1_000, "{long:?}");
    drop(turn);
    // Nobody does the work: the session is offered again later and later.
    let (began, mut turns) = (now_ms(), 0);
    while now_ms() < began + 1_500 {
        if let Ok(turn) = timeout(Duration::from_millis(100), watch.next()).await {
            drop(turn);
            turns += 1;
        }
    }
    let fruitless = figures(&watch).reads - long.reads;
    assert!((2..=4).contains(&turns), "{turns} turns");
    assert!(fruitless <= 12, "{fruitless} reads");
    store.remove(&session).await.unwrap();
}

/// Passes the names of all cases to a macro that turns them into tests.
macro_rules! every_case {
    ($make_tests:ident) => {
        $make_tests![
            a_new_session_reads_back_as_written,
            a_second_create_changes_nothing,
            a_retried_create_meets_the_first,
            a_commit_replaces_what_it_names_and_keeps_the_rest,
            a_secret_commit_leaves_the_version_alone,
            a_stale_commit_gets_what_is_there,
            a_commit_on_another_history_is_stale,
            a_commit_on_nothing_is_absent,
            a_known_key_wins_over_a_stale_revision,
            a_key_is_known_in_its_own_session_only,
            of_many_writers_one_wins_each_revision,
            of_many_retries_one_is_applied,
            events_page_without_gap_or_repeat,
            a_secret_is_only_read_by_asking_for_it,
            a_removed_session_leaves_nothing,
            an_expired_session_is_gone_everywhere,
            a_commit_can_move_the_expiry,
            a_list_is_in_order_and_pages_are_exact,
            a_list_of_equal_scores_pages_exactly,
            a_cursor_survives_the_item_it_names,
            a_listing_is_replaced_as_a_whole,
            a_session_that_moves_within_a_list_is_never_missing,
            indexes_do_not_mix,
            a_seek_is_listed_and_offered_until_one_commit_takes_it,
            what_waits_is_offered_in_its_time,
            what_comes_earlier_is_not_overslept_and_what_moved_is_not_early,
            every_timed_index_wakes_those_who_sleep,
            what_could_not_be_served_is_offered_again_and_holds_up_nobody,
            what_expires_before_its_time_is_not_offered,
            work_is_not_read_during_its_grace,
            long_and_fruitless_turns_cost_few_reads,
            a_bell_rings_for_public_commits,
            a_bell_rings_for_removal,
            a_blob_stays,
            what_is_exported_can_be_imported,
            any_bytes_are_kept,
            the_store_is_well,
        ];
    };
}
pub(crate) use every_case;
