//! One-time signals to all tasks, for example that the rules have been read or that the server is about to stop.

use tokio::sync::watch;

/// A signal that is given once and that every waiter receives.
#[derive(Debug, Clone)]
pub struct Signal {
    sender: watch::Sender<bool>,
}

impl Default for Signal {
    fn default() -> Self {
        Signal {
            sender: watch::Sender::new(false),
        }
    }
}

impl Signal {
    pub fn give(&self) {
        self.sender.send_replace(true);
    }

    pub fn is_given(&self) -> bool {
        *self.sender.borrow()
    }

    /// Waits until the signal is given. Returns at once if it was given before.
    pub async fn given(&self) {
        let mut receiver = self.sender.subscribe();
        // The sender lives as long as `self`, so this returns only when the value is true.
        let _ = receiver.wait_for(|given| *given).await;
    }
}
