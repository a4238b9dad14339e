//! A cache of changes as watchers receive them: a change is computed once for all watchers who may see the same.
//!
//! The content of a change follows from the log, the reader's seat (or none), the language and the form. These are the
//! cache key, and nothing else about a reader enters the computation. Hundreds of watchers therefore cost one view, one
//! comparison and one text, and each of them a copy of a pointer.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::OnceCell;

use crate::api::session::additions::Extras;
use crate::api::session::rendered::RenderedChange;
use crate::api::shared::language::Listener;
use crate::api::shared::problem::Problem;
use wyrmgate_program::Language;
use wyrmgate_sessions::Live;
use wyrmgate_store::ChangeMark;

/// Number of cached changes, for watchers that ask a little later. Each holds a whole view.
const CACHED_MAX: usize = 512;

/// Everything that the content of a change depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChangeKey {
    session: Arc<str>,
    version: u64,
    /// Identifies the history, because a lost history can be rewritten.
    mark: ChangeMark,
    /// The viewer: a seat, or the public.
    seat: Option<u8>,
    language: Language,
    extras: Extras,
}

/// The most recent changes of sessions with watchers.
#[derive(Default)]
pub struct SharedChanges(Mutex<Cached>);

type Cell = Arc<OnceCell<Arc<RenderedChange>>>;

#[derive(Default)]
struct Cached {
    cells: HashMap<ChangeKey, Cell>,
    /// The keys, oldest first.
    order: VecDeque<ChangeKey>,
}

impl ChangeKey {
    pub fn of(
        live: &Live,
        listener: Listener,
        version: u64,
        mark: ChangeMark,
        extras: Extras,
    ) -> ChangeKey {
        ChangeKey {
            session: live.id.clone(),
            version,
            mark,
            seat: listener.caller.seat(),
            language: listener.language,
            extras,
        }
    }
}

impl SharedChanges {
    /// Returns the change if it is cached.
    pub fn cached(&self, key: &ChangeKey) -> Option<Arc<RenderedChange>> {
        self.0.lock().cells.get(key)?.get().cloned()
    }

    /// Returns the change. The first caller computes it and the others wait for the result.
    pub async fn rendered(
        &self,
        key: ChangeKey,
        compute: impl FnOnce() -> Result<RenderedChange, Problem>,
    ) -> Result<Arc<RenderedChange>, Problem> {
        let cell = self.cell(key);
        let rendered = cell.get_or_try_init(|| async { compute().map(Arc::new) });
        rendered.await.cloned()
    }

    fn cell(&self, key: ChangeKey) -> Cell {
        let mut cached = self.0.lock();
        if let Some(cell) = cached.cells.get(&key) {
            return cell.clone();
        }
        if cached.order.len() >= CACHED_MAX
            && let Some(oldest) = cached.order.pop_front()
        {
            cached.cells.remove(&oldest);
        }
        cached.order.push_back(key.clone());
        cached.cells.entry(key).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use actix_web::web::Bytes;

    use super::*;
    use crate::api::session::additions::Additions;

    fn key(seat: Option<u8>, language: u16, version: u64) -> ChangeKey {
        ChangeKey {
            session: "s".into(),
            version,
            mark: ChangeMark::default(),
            seat,
            language: Language(language),
            extras: Extras::default(),
        }
    }

    fn rendered() -> RenderedChange {
        RenderedChange {
            message: Bytes::new(),
            additions: Additions::default(),
            seen: None,
        }
    }

    #[tokio::test]
    async fn a_change_is_computed_once_for_all_who_may_see_the_same() {
        let (shared, computed) = (SharedChanges::default(), AtomicUsize::new(0));
        let render = async |key| {
            let compute = || {
                computed.fetch_add(1, Ordering::Relaxed);
                Ok(rendered())
            };
            shared.rendered(key, compute).await.unwrap();
        };
        for _ in 0..500 {
            render(key(None, 0, 4)).await;
        }
        assert_eq!(computed.load(Ordering::Relaxed), 1);
        for other in [
            key(Some(1), 0, 4),
            key(Some(2), 0, 4),
            key(None, 1, 4),
            key(None, 0, 5),
        ] {
            render(other).await;
        }
        assert_eq!(computed.load(Ordering::Relaxed), 5);
        // Old entries are evicted.
        for version in 6..6 + CACHED_MAX as u64 {
            render(key(None, 0, version)).await;
        }
        assert!(shared.cached(&key(None, 0, 4)).is_none());
        assert!(shared.0.lock().cells.len() <= CACHED_MAX);
    }
}
