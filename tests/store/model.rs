//! Random histories: every engine must answer as the memory engine does.

use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};
use wyrmgate::store::{
    Bytes, Commit, Create, Cursor, Idempotency, Index, ListQuery, Listing, Placement, Secret, Store,
};

use crate::engines;

const STEPS: usize = 600;
/// The number of steps after which other names are used, because the name of a removed session stays reserved.
const STEPS_OF_A_NAME: usize = 60;
const INDEXES: [Index; 3] = [Index::OPEN, Index::RUNNING, Index::DEADLINES];

#[tokio::test]
async fn embedded_answers_as_memory_does() {
    for seed in 0..3 {
        compare(engines::embedded().await.store.clone(), seed).await;
    }
}

/// Plays one history on both and compares every answer.
pub async fn compare(store: Arc<dyn Store>, seed: u64) {
    let memory = engines::memory().await;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for step in 0..STEPS {
        let place = format!("seed {seed}, step {step}");
        both(
            &store,
            &memory.store,
            &mut random,
            &place,
            step / STEPS_OF_A_NAME,
        )
        .await;
    }
}

async fn both(
    store: &Arc<dyn Store>,
    model: &Arc<dyn Store>,
    random: &mut ChaCha8Rng,
    place: &str,
    generation: usize,
) {
    let session = format!("session{generation}-{}", random.random_range(0..6));
    macro_rules! same {
        ($method:ident($($argument:expr),*)) => {
            let expected = model.$method($($argument),*).await.unwrap();
            let found = store.$method($($argument),*).await.unwrap();
            assert_eq!(found, expected, "{place}: {}", stringify!($method));
        };
    }
    match random.random_range(0..20) {
        0..3 => {
            let create = create(&session, random);
            same!(create(create.clone()));
        }
        3..11 => {
            let commit = commit(&session, random);
            same!(commit(commit.clone()));
        }
        11 => {
            same!(remove(&session));
        }
        12 => {
            let (after, limit) = (random.random_range(0..5), random.random_range(0..5));
            same!(events(&session, after, limit));
        }
        13 => {
            let key = [random.random_range(0..9); 32];
            same!(recall(&session, &key));
        }
        14 => {
            same!(secret(&session));
        }
        15..18 => list(store, model, random, place).await,
        _ => {
            same!(load(&session));
        }
    }
}

/// Pages may be divided differently; their contents together must be the same.
async fn list(
    store: &Arc<dyn Store>,
    model: &Arc<dyn Store>,
    random: &mut ChaCha8Rng,
    place: &str,
) {
    let index = &INDEXES[random.random_range(0..3)];
    let limit = random.random_range(1..5);
    let mut whole = [Vec::new(), Vec::new()];
    for (store, items) in [store, model].into_iter().zip(&mut whole) {
        let mut after: Option<Cursor> = None;
        loop {
            let page = store
                .list(ListQuery {
                    index: index.clone(),
                    after,
                    limit,
                })
                .await
                .unwrap();
            items.extend(page.items);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
    }
    assert_eq!(whole[0], whole[1], "{place}: list");
}

fn create(session: &str, random: &mut ChaCha8Rng) -> Create {
    let mut create = Create::new(session);
    create.fixed = some_bytes(random);
    create.status = some_bytes(random);
    create.snapshot = some_bytes(random);
    create.secret = maybe(random, |random| Secret(some_bytes(random)));
    create.entry = maybe(random, some_bytes);
    create.listing = listing(random);
    create.idempotency = maybe(random, idempotency);
    create.expires_at_ms = maybe(random, expiry);
    create
}

fn commit(session: &str, random: &mut ChaCha8Rng) -> Commit {
    let mut commit = Commit::new(session, random.random_range(1..6));
    commit.status = maybe(random, some_bytes);
    commit.snapshot = maybe(random, some_bytes);
    commit.entry = maybe(random, some_bytes);
    commit.listing = maybe(random, listing);
    commit.idempotency = maybe(random, idempotency);
    commit.expires_at_ms = maybe(random, expiry);
    commit
}

fn maybe<T>(random: &mut ChaCha8Rng, make: impl FnOnce(&mut ChaCha8Rng) -> T) -> Option<T> {
    random.random_bool(0.5).then(|| make(random))
}

fn some_bytes(random: &mut ChaCha8Rng) -> Bytes {
    let mut bytes = vec![0; random.random_range(0..20)];
    random.fill_bytes(&mut bytes);
    bytes.into()
}

fn idempotency(random: &mut ChaCha8Rng) -> Idempotency {
    let key = [random.random_range(0..9); 32];
    let fingerprint = [random.random(); 32];
    Idempotency {
        key,
        fingerprint,
        answer: some_bytes(random),
    }
}

/// Far in the future, because this test is not about time.
fn expiry(random: &mut ChaCha8Rng) -> u64 {
    4_000_000_000_000 + random.random_range(0..3u64)
}

fn listing(random: &mut ChaCha8Rng) -> Listing {
    let mut placements = Vec::new();
    for index in &INDEXES {
        placements.extend(maybe(random, |random| Placement {
            index: index.clone(),
            score: random.random_range(0..6),
        }));
    }
    Listing { placements }
}
