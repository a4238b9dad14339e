//! Orders to the thread that listens, and whether a channel of this node is heard.

use tokio::sync::{mpsc, oneshot};

use super::super::StoreError;

/// Executed strictly one after the other, so that unsubscribing and subscribing again cannot overtake each other.
pub(super) enum SubscriptionOrder {
    Subscribe(String, oneshot::Sender<Result<(), StoreError>>),
    /// Subscribes to the channel for due work.
    Listen(String, oneshot::Sender<Result<(), StoreError>>),
    /// The server ended a subscription because the slot of the channel has moved.
    SubscribeAgainIfHeard(String),
    UnsubscribeIfUnheard(String),
}

/// The channel for due work.
#[derive(Clone)]
pub(super) struct Hearing {
    pub(super) channel: String,
    pub(super) orders: mpsc::UnboundedSender<SubscriptionOrder>,
}

impl Hearing {
    /// Subscribes to it. May be repeated.
    pub(super) fn ask(&self) -> oneshot::Receiver<Result<(), StoreError>> {
        let (done, answer) = oneshot::channel();
        // The store may be gone.
        let _ = self
            .orders
            .send(SubscriptionOrder::Listen(self.channel.clone(), done));
        answer
    }

    /// Subscribes like [`Hearing::ask`], and waits for the subscription.
    pub(super) async fn listen(&self) -> Result<(), StoreError> {
        let gone = |_| StoreError::Unavailable("the notifier has stopped".to_owned());
        self.ask().await.map_err(gone)?
    }
}
