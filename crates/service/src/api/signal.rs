//! How everybody learns that something has happened to the server: that its rules have been read, that it is about to stop.

use tokio::sync::watch;

/// Said once, heard by all.
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

    /// Waits until it is given; not at all if it was.
    pub async fn given(&self) {
        let mut receiver = self.sender.subscribe();
        // The sender lives as long as `self`, so this ends only when the value is true.
        let _ = receiver.wait_for(|given| *given).await;
    }
}
