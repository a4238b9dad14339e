//! The embedded store's file, damaged. An input is a list of patches of a sound file: four bytes for the place, one for the
//! length, the bytes; a length of 255 cuts the file off there. Opening and reading is an error or an answer.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::time::timeout;
use wyrmgate::store::{self, Commit, Create, Store};

const PATCHES_MAX: usize = 64;
const CUT: u8 = 255;
/// Nobody waits for an answer so long.
const PATIENCE: Duration = Duration::from_secs(10);

struct Bench {
    runtime: Runtime,
    folder: tempfile::TempDir,
    /// A sound file.
    file: Vec<u8>,
    sessions: Vec<String>,
}

static BENCH: LazyLock<Bench> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    // In memory, where there is such a place: nothing here has to outlast the process.
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    let folder = folder.unwrap();
    let path = folder.path().join("sound.redb");
    let sessions = runtime.block_on(fill(&path));
    let file = std::fs::read(&path).unwrap();
    Bench {
        runtime,
        folder,
        file,
        sessions,
    }
});

fn spec(path: &Path) -> String {
    format!("embedded:{}", path.display())
}

async fn fill(path: &Path) -> Vec<String> {
    let store = store::open(&spec(path)).await.unwrap();
    let mut sessions = Vec::new();
    for number in 0..6u8 {
        let id = store::session_id(None).unwrap();
        let mut new = Create::new(&id);
        new.snapshot = vec![number; 300].into();
        store.create(new).await.unwrap();
        for revision in 1..=u64::from(number) {
            let mut commit = Commit::new(&id, revision);
            commit.snapshot = Some(vec![number + 1; 400].into());
            commit.entry = Some(b"something happened".as_slice().into());
            store.commit(commit).await.unwrap();
        }
        sessions.push(id);
    }
    sessions
}

pub fn run(data: &[u8]) {
    let bench = &*BENCH;
    let mut file = bench.file.clone();
    patch(&mut file, data);
    let path = bench.folder.path().join("damaged.redb");
    std::fs::write(&path, &file).unwrap();
    bench.runtime.block_on(use_it(&path, &bench.sessions));
}

fn patch(file: &mut Vec<u8>, mut data: &[u8]) {
    for _ in 0..PATCHES_MAX {
        let Some((&[a, b, c, d, length], rest)) = data.split_first_chunk() else {
            return;
        };
        let at = u32::from_le_bytes([a, b, c, d]) as usize % file.len().max(1);
        if length == CUT {
            file.truncate(at);
            data = rest;
            continue;
        }
        let (bytes, rest) = rest.split_at(usize::from(length).min(rest.len()));
        if let Some(place) = file.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        data = rest;
    }
}

async fn use_it(path: &Path, sessions: &[String]) {
    let Ok(store) = store::open(&spec(path)).await else {
        return;
    };
    if timeout(PATIENCE, ask(&*store, sessions)).await.is_err() {
        // Its writer would be waited for.
        std::mem::forget(Arc::clone(&store));
        panic!("the store does not answer");
    }
}

async fn ask(store: &dyn Store, sessions: &[String]) {
    for session in sessions {
        let loaded = store.load(session).await;
        let _ = store.events(session, 0, 10).await;
        if let Ok(Some(record)) = loaded {
            let mut commit = Commit::new(session, record.position.revision);
            commit.snapshot = Some(b"after".as_slice().into());
            let _ = store.commit(commit).await;
        }
    }
    let mut new = Create::new(&store::session_id(None).unwrap());
    new.snapshot = b"new".as_slice().into();
    if let Err(error) = store.create(new).await {
        // It refuses, and is there to do so.
        let text = error.to_string();
        assert!(!text.contains("the writer"), "{text}");
    }
    let _ = store.probe().await;
}

pub fn seeds() -> Vec<Vec<u8>> {
    let length = BENCH.file.len() as u32;
    let patch =
        |at: u32, bytes: &[u8]| [&at.to_le_bytes()[..], &[bytes.len() as u8], bytes].concat();
    let cut = |at: u32| [&at.to_le_bytes()[..], &[CUT]].concat();
    let mut seeds = vec![Vec::new(), cut(0), cut(length / 2), cut(length - 1)];
    for at in [0, 9, 10, 64, 128, 192, 256, 320, 4096, 8192, length - 64] {
        seeds.push(patch(at, &[0xFF]));
        seeds.push(patch(at, &[0; 8]));
    }
    seeds
}
