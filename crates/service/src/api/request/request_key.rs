//! The `Idempotency-Key` of a request, as the router leaves it for the handler.

use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest};
use parking_lot::Mutex;

use wyrmgate_sessions::IdempotencyKey;
use wyrmgate_store as store;

/// Where the first response to a keyed request is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyScope {
    /// In the session that the path names, by the commit that makes the change.
    Session,
    /// In the new session.
    NewSession,
    /// In a record of its own.
    Server,
}

/// The `Idempotency-Key` of a request, with everything that identifies the request.
pub struct RequestKey {
    pub key: IdempotencyKey,
    pub scope: KeyScope,
    /// The session that the path names.
    pub session: Option<String>,
    /// The key that seals the secrets of the response. `None` if the caller has neither a token of its own nor a secret that
    /// it has chosen.
    pub secret: Option<[u8; 32]>,
    /// Whether the commit of the change has stored the response.
    pub is_recorded: Cell<bool>,
    /// Held until the request is answered.
    pub _running: RunningRequest,
}

/// Keys whose requests this node is serving.
#[derive(Default, Clone)]
pub struct RunningKeys(Arc<Mutex<HashSet<store::Digest>>>);

/// A request that this node is serving.
pub struct RunningRequest {
    keys: RunningKeys,
    name: store::Digest,
}

impl RunningKeys {
    /// Registers a request. Returns `None` if a request with this key is already running.
    pub fn begin(&self, name: store::Digest) -> Option<RunningRequest> {
        let is_new = self.0.lock().insert(name);
        is_new.then(|| RunningRequest {
            keys: self.clone(),
            name,
        })
    }
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.keys.0.lock().remove(&self.name);
    }
}

/// Returns the key that the router attached to a request.
pub fn left_with(request: &HttpRequest) -> Option<Rc<RequestKey>> {
    request.extensions().get::<Rc<RequestKey>>().cloned()
}
