//! How many sessions of the protocol there may be. A session lives for hours and takes memory, and any client can open one.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

/// Maximum number of sessions of a node.
const SESSIONS_MAX: usize = 10_000;
/// Maximum number of sessions of one client. Hosts of models have many behind one address.
const OF_CLIENT_MAX: usize = 1_000;

/// The open sessions, with the client that opened each.
pub struct OpenSessions {
    manager: Arc<LocalSessionManager>,
    opened: Mutex<HashMap<Arc<str>, String>>,
    most: usize,
    most_of_client: usize,
}

impl OpenSessions {
    pub fn of(manager: Arc<LocalSessionManager>) -> OpenSessions {
        OpenSessions {
            manager,
            opened: Mutex::default(),
            most: SESSIONS_MAX,
            most_of_client: OF_CLIENT_MAX,
        }
    }

    /// Returns whether this client may open another session.
    pub async fn is_there(&self, client: &str) -> bool {
        let alive = self.manager.sessions.read().await;
        let mut opened = self.opened.lock();
        opened.retain(|id, _| alive.contains_key(id));
        let same = opened.values().filter(|of| *of == client);
        alive.len() < self.most && same.count() < self.most_of_client
    }

    pub fn note(&self, id: &str, client: String) {
        let mut opened = self.opened.lock();
        opened.insert(id.into(), client);
    }
}

#[cfg(test)]
mod tests {
    use rmcp::transport::streamable_http_server::session::SessionManager;

    use super::*;

    #[tokio::test]
    async fn one_client_cannot_take_all_the_room_and_ended_sessions_free_it() {
        let manager = Arc::new(LocalSessionManager::default());
        let room = OpenSessions {
            most: 3,
            most_of_client: 2,
            ..OpenSessions::of(manager.clone())
        };
        let (first, second) = ("first", "second");
        let mut kept = Vec::new();
        for client in [first, first, second] {
            assert!(room.is_there(client).await);
            let (id, transport) = manager.create_session().await.unwrap();
            room.note(&id, client.to_owned());
            kept.push((id, transport));
            let is_full = kept.len() >= 2;
            assert_eq!(room.is_there(first).await, !is_full);
        }
        assert!(!room.is_there(second).await, "the node is full");
        manager.close_session(&kept[0].0).await.unwrap();
        assert!(room.is_there(first).await);
    }
}
