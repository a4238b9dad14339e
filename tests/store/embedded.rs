//! Tests of a file: it persists after closing, it is recognized, and only one process opens it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use wyrmgate::store::{
    Commit, Committed, Create, Idempotency, Index, ListQuery, Listing, Placement, Store,
    StoreError, open,
};

use crate::cases::bytes;

/// Opens a store. A process that another test starts holds our open files until it is another program, so what was closed
/// just now can still be locked for a moment.
async fn open_file(path: &Path) -> Result<Arc<dyn Store>, StoreError> {
    let address = format!("embedded:{}", path.display());
    for _ in 0..20 {
        match open(&address).await {
            Err(StoreError::Misconfigured(why)) if why.contains("another process") => {}
            opened => return opened,
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    open(&address).await
}

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folders/wyrmgate.redb");
    let store = open_file(&path).await.unwrap();
    let mut create = Create::new("a");
    create.fixed = bytes("fixed");
    create.listing = Listing {
        placements: vec![Placement {
            index: Index::OPEN,
            score: 1,
        }],
    };
    store.create(create).await.unwrap();
    let mut commit = Commit::new("a", 1);
    commit.entry = Some(bytes("one"));
    let answer = bytes("answer");
    commit.idempotency = Some(Idempotency {
        key: [1; 32],
        fingerprint: [2; 32],
        answer,
    });
    store.commit(commit.clone()).await.unwrap();
    store.put_blob(&[3; 32], bytes("blob")).await.unwrap();
    let before = store.load("a").await.unwrap();
    drop(store);

    let store = open_file(&path).await.unwrap();
    assert_eq!(store.load("a").await.unwrap(), before);
    assert_eq!(store.events("a", 0, 9).await.unwrap().len(), 1);
    assert_eq!(store.blob(&[3; 32]).await.unwrap(), Some(bytes("blob")));
    assert!(matches!(
        store.commit(commit).await.unwrap(),
        Committed::Duplicate(_)
    ));
    let query = ListQuery {
        index: Index::OPEN,
        after: None,
        limit: 9,
    };
    assert_eq!(
        store.list(query).await.unwrap().items[0].fixed,
        bytes("fixed")
    );
}

#[tokio::test]
async fn a_second_opener_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wyrmgate.redb");
    let _store = open_file(&path).await.unwrap();
    let Err(error) = open_file(&path).await else {
        panic!("opened twice")
    };
    assert!(matches!(error, StoreError::Misconfigured(_)), "{error}");
}

#[tokio::test]
async fn another_programs_file_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "milk, bread, eggs").unwrap();
    assert!(open_file(&path).await.is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "milk, bread, eggs");
}

#[tokio::test]
async fn a_file_of_a_later_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wyrmgate.redb");
    drop(open_file(&path).await.unwrap());
    {
        let db = redb::Database::open(&path).unwrap();
        let write = db.begin_write().unwrap();
        let meta = redb::TableDefinition::<&str, u64>::new("meta");
        write
            .open_table(meta)
            .unwrap()
            .insert("format", 99)
            .unwrap();
        write.commit().unwrap();
    }
    let Err(error) = open_file(&path).await else {
        panic!("opened format 99")
    };
    assert!(error.to_string().contains("format 99"), "{error}");
}

#[tokio::test]
async fn an_unknown_setting_is_refused_without_repeating_it() {
    for spec in [
        "",
        "mongo",
        "embedded:",
        "memory:x",
        "http://user:hunter2@host",
    ] {
        let Err(error) = open(spec).await else {
            panic!("opened {spec}")
        };
        assert!(matches!(error, StoreError::Misconfigured(_)), "{error}");
        assert!(!error.to_string().contains("hunter2"));
    }
}
