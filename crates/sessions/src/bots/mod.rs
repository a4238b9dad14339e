//! What a node keeps of the built-in players that play on it.

mod minds;

use tokio::sync::Semaphore;
use wyrmgate_runtime::queue::cores;

use crate::queue::SessionQueue;
use minds::Minds;

/// The built-in players of a node.
pub(crate) struct Thinkers {
    /// The sessions in which they have to move.
    pub queue: SessionQueue,
    /// Limits the number of concurrent searches.
    pub thoughts: Semaphore,
    pub minds: Minds,
}

impl Default for Thinkers {
    fn default() -> Thinkers {
        Thinkers {
            queue: SessionQueue::default(),
            thoughts: Semaphore::new(cores()),
            minds: Minds::default(),
        }
    }
}
