//! Killing the process at any moment loses nothing that was acknowledged.
//!
//! The writer is this test binary itself, run again with a path in the environment.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use wyrmgate::store::{ChangeEntry, ChangeMark, Commit, Committed, Create, Created, Secret, open};

use crate::cases::bytes;

const CHILD: &str = "WYRMGATE_TEST_CRASH_FILE";
const ROUNDS: usize = 4;
const WRITERS: usize = 6;

#[test]
fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wyrmgate.redb");
    let mut acknowledged = BTreeMap::new();
    for round in 0..ROUNDS {
        write_and_kill(&path, 40 + 60 * round, &mut acknowledged);
        check(&path, &acknowledged);
    }
}

/// Lets a child write until it has acknowledged this number of commits, kills it, and notes the highest acknowledged
/// version of each session.
fn write_and_kill(path: &Path, commits: usize, acknowledged: &mut BTreeMap<String, u64>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child_writes_until_killed", "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let mut note = |line: String| {
        let mut words = line.split(' ').skip_while(|word| *word != "ack").skip(1);
        let (Some(session), Some(version)) = (words.next(), words.next()) else {
            return 0;
        };
        acknowledged.insert(session.to_owned(), version.parse().unwrap());
        1
    };
    let mut seen = 0;
    while seen < commits {
        seen += note(lines.next().expect("the child stopped by itself"));
    }
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
    lines.for_each(|line| {
        note(line);
    });
}

#[tokio::main(flavor = "current_thread")]
async fn check(path: &Path, acknowledged: &BTreeMap<String, u64>) {
    let store = open(&format!("embedded:{}", path.display())).await.unwrap();
    assert!(acknowledged.len() >= WRITERS);
    for (session, version) in acknowledged {
        let record = store.load(session).await.unwrap().unwrap();
        let position = record.position;
        assert!(
            position.version >= *version,
            "{session}: {position:?}, acknowledged {version}"
        );
        assert_eq!(position.revision, position.version + 1);
        assert_eq!(
            record.snapshot,
            bytes(&format!("{session} at {}", position.version))
        );
        assert_eq!(
            store.secret(session).await.unwrap(),
            Some(Secret(bytes(session)))
        );
        let log = store.events(session, 0, usize::MAX).await.unwrap();
        let whole = (1..=position.version).map(|version| ChangeEntry {
            version,
            mark: ChangeMark::default(),
            bytes: bytes(&format!("{session} at {version}")),
        });
        assert_eq!(log, whole.collect::<Vec<_>>());
    }
}

/// Does nothing unless the test above runs it.
#[test]
fn child_writes_until_killed() {
    if let Some(path) = std::env::var_os(CHILD) {
        write_for_ever(Path::new(&path));
    }
}

#[tokio::main(flavor = "current_thread")]
async fn write_for_ever(path: &Path) {
    let store = open(&format!("embedded:{}", path.display())).await.unwrap();
    let writers = (0..WRITERS).map(|writer| {
        let (store, session) = (store.clone(), format!("{}-{writer}", std::process::id()));
        async move {
            let mut create = Create::new(&session);
            create.snapshot = bytes(&format!("{session} at 0"));
            create.secret = Some(Secret(bytes(&session)));
            assert!(matches!(
                store.create(create).await.unwrap(),
                Created::Done(_)
            ));
            for version in 1.. {
                let text = format!("{session} at {version}");
                let mut commit = Commit::new(&session, version);
                commit.snapshot = Some(bytes(&text));
                commit.entry = Some(bytes(&text));
                let answer = store.commit(commit).await.unwrap();
                assert!(matches!(answer, Committed::Done(now) if now.version == version));
                let mut out = std::io::stdout().lock();
                writeln!(out, "\nack {session} {version}").unwrap();
                out.flush().unwrap();
            }
        }
    });
    futures_util::future::join_all(writers).await;
}
