//! How everybody learns that the server is about to stop.

use tokio::sync::watch;

/// Said once, heard by all.
#[derive(Debug, Clone)]
pub struct Shutdown {
    sender: watch::Sender<bool>,
}

impl Default for Shutdown {
    fn default() -> Self {
        Shutdown {
            sender: watch::Sender::new(false),
        }
    }
}

impl Shutdown {
    pub fn begin(&self) {
        self.sender.send_replace(true);
    }

    pub fn has_begun(&self) -> bool {
        *self.sender.borrow()
    }

    /// Waits until it begins.
    pub async fn begun(&self) {
        let mut receiver = self.sender.subscribe();
        // The sender lives as long as `self`, so this ends only when the value is true.
        let _ = receiver.wait_for(|begun| *begun).await;
    }
}
