//! A queue of sessions for which this node has work.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc};

/// Maximum number of sessions in a queue. Others are found through the index.
const WAITING_MAX: usize = 1_024;

/// Sessions that wait for this node.
pub(crate) struct SessionQueue {
    sender: mpsc::Sender<Arc<str>>,
    receiver: Mutex<mpsc::Receiver<Arc<str>>>,
}

impl Default for SessionQueue {
    fn default() -> SessionQueue {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        SessionQueue {
            sender,
            receiver: Mutex::new(receiver),
        }
    }
}

impl SessionQueue {
    pub fn push(&self, session: &Arc<str>) {
        // If the queue is full, the session is found later through the index.
        let _ = self.sender.try_send(session.clone());
    }

    /// Returns the next session. For one reader.
    pub async fn next(&self) -> Option<Arc<str>> {
        self.receiver.lock().await.recv().await
    }
}
