//! Doorbells across nodes: one subscription per session that somebody in this process listens to.

use std::sync::{Arc, OnceLock, Weak};

use redis::{FromRedisValue, PushInfo, PushKind};
use tokio::sync::{mpsc, oneshot};

use super::super::StoreError;
use super::super::doorbell::{Doorbell, Hub, Ring};
use super::connection::Connection;
use super::due::Due;
use super::fault::Fault;
use super::keys::{Keys, session_of_channel};
use super::link::News;

/// The bells of this process and the task that keeps the server's subscriptions in step with them.
pub(super) struct Bells {
    hub: Arc<Hub>,
    orders: mpsc::UnboundedSender<Order>,
    pushes: Pushes,
}

/// Done strictly one after the other, so that leaving and coming back cannot overtake each other.
enum Order {
    Subscribe(String, oneshot::Sender<Result<(), StoreError>>),
    /// To the channel that is no session's.
    Listen(String, oneshot::Sender<Result<(), StoreError>>),
    /// The server has ended a subscription: the channel's slot went to another one.
    SubscribeAgainIfHeard(String),
    UnsubscribeIfUnheard(String),
}

/// Where pushed messages go. What arrives before [`Bells::start`] has no listener and is dropped.
pub(super) type Pushes = Arc<OnceLock<Pushed>>;

/// Holds nothing alive: what is pushed must not keep a store that nobody uses.
pub(super) struct Pushed {
    hub: Weak<Hub>,
    orders: mpsc::WeakUnboundedSender<Order>,
    /// Who hears the channel that is no session's, and its name.
    due: OnceLock<(String, Weak<Due>)>,
}

/// The channel that is no session's.
#[derive(Clone)]
pub(super) struct Hearing {
    channel: String,
    orders: mpsc::UnboundedSender<Order>,
}

impl Hearing {
    pub(super) fn channel(&self) -> &str {
        &self.channel
    }

    /// Subscribes to it, which may be repeated.
    pub(super) fn ask(&self) -> oneshot::Receiver<Result<(), StoreError>> {
        let (done, answer) = oneshot::channel();
        // Nobody takes it if the store is gone.
        let _ = self.orders.send(Order::Listen(self.channel.clone(), done));
        answer
    }

    /// As [`Hearing::ask`], and waits until it is so.
    pub(super) async fn listen(&self) -> Result<(), StoreError> {
        let gone = |_| StoreError::Unavailable("the notifier has stopped".to_owned());
        self.ask().await.map_err(gone)?
    }
}

impl Bells {
    /// The bells ring when the connection is pushed something; `pushes` is where it looks for them.
    pub(super) fn start(connection: Connection, pushes: &Pushes) -> Self {
        let (orders, queue) = mpsc::unbounded_channel();
        let leave = orders.clone();
        let hub = Hub::with_notice(Box::new(move |session| {
            // Nothing to leave once the task is gone.
            let _ = leave.send(Order::UnsubscribeIfUnheard(session.to_owned()));
        }));
        // A store starts its bells once.
        let _ = pushes.set(Pushed {
            hub: Arc::downgrade(&hub),
            orders: orders.downgrade(),
            due: OnceLock::new(),
        });
        // The hub owns the queue's other end: the task ends with the last bell.
        tokio::spawn(keep_in_step(connection, Arc::downgrade(&hub), queue));
        Bells {
            hub,
            orders,
            pushes: pushes.clone(),
        }
    }

    pub(super) fn hearing(&self, channel: String) -> Hearing {
        Hearing {
            channel,
            orders: self.orders.clone(),
        }
    }

    /// What is said on its channel from now on is passed on.
    pub(super) fn pass_on(&self, channel: &str, due: &Arc<Due>) {
        if let Some(pushed) = self.pushes.get() {
            // A store has one.
            let _ = pushed.due.set((channel.to_owned(), Arc::downgrade(due)));
        }
    }

    /// A bell that already rings when this returns.
    pub(super) async fn join(&self, session: &str) -> Result<Doorbell, StoreError> {
        let away = || StoreError::Unavailable("the notifier has stopped".to_owned());
        let bell = self.hub.join(session);
        let (done, answer) = oneshot::channel();
        let order = Order::Subscribe(session.to_owned(), done);
        self.orders.send(order).map_err(|_| away())?;
        answer.await.map_err(|_| away())??;
        Ok(bell)
    }
}

async fn keep_in_step(
    connection: Connection,
    hub: Weak<Hub>,
    mut queue: mpsc::UnboundedReceiver<Order>,
) {
    while let Some(order) = queue.recv().await {
        match order {
            Order::Subscribe(session, done) => {
                let result = connection.subscribe(&Keys::of(&session).channel()).await;
                // Nobody waits if the caller gave up.
                let _ = done.send(result.map_err(Fault::of_read));
            }
            Order::Listen(channel, done) => {
                let result = connection.listen(&channel).await;
                let _ = done.send(result.map_err(Fault::of_read));
            }
            Order::SubscribeAgainIfHeard(session) => {
                if let Some(hub) = hub.upgrade().filter(|hub| hub.is_heard(&session)) {
                    // Without it, whoever listens still looks by itself now and then.
                    let _ = connection.subscribe(&Keys::of(&session).channel()).await;
                    hub.ring(&session, Ring::Missed);
                }
            }
            Order::UnsubscribeIfUnheard(session) => {
                if !hub.upgrade().is_some_and(|hub| hub.is_heard(&session)) {
                    // A subscription too many costs a little traffic and nothing else.
                    let _ = connection.unsubscribe(&Keys::of(&session).channel()).await;
                }
            }
        }
    }
}

/// Passes on what the server pushed; subscribes again where another connection has taken over.
pub(super) fn on_news(pushes: &Pushes, news: News) {
    let Some(pushed) = pushes.get() else {
        return;
    };
    let Some(hub) = pushed.hub.upgrade() else {
        return;
    };
    match news {
        News::Pushed(push) => on_push(pushed, &hub, push),
        News::Renewed => {
            if let Some(orders) = pushed.orders.upgrade() {
                for session in hub.heard() {
                    let _ = orders.send(Order::SubscribeAgainIfHeard(session));
                }
                if let Some((channel, _)) = pushed.due.get() {
                    let (done, _) = oneshot::channel();
                    let _ = orders.send(Order::Listen(channel.clone(), done));
                }
            }
        }
    }
}

fn on_push(pushed: &Pushed, hub: &Hub, push: PushInfo) {
    if let Some(due) = pushed.due_of(&push) {
        return on_push_due(&due, push);
    }
    match push.kind {
        PushKind::Message | PushKind::SMessage => ring(hub, push),
        // Subscribed again after a break: what was said meanwhile is lost.
        PushKind::Subscribe | PushKind::SSubscribe => {
            if let Some(session) = session_of(push) {
                hub.ring(&session, Ring::Missed);
            }
        }
        // Ours, or because the slot has moved.
        PushKind::SUnsubscribe => {
            let session = session_of(push).filter(|session| hub.is_heard(session));
            if let (Some(session), Some(orders)) = (session, pushed.orders.upgrade()) {
                let _ = orders.send(Order::SubscribeAgainIfHeard(session));
            }
        }
        PushKind::Disconnection => {
            hub.ring_missed();
            if let Some(due) = pushed.due() {
                due.doubt();
            }
        }
        _ => {}
    }
}

impl Pushed {
    fn due(&self) -> Option<Arc<Due>> {
        self.due.get()?.1.upgrade()
    }

    /// Who is to hear it, if it was said on the channel that is no session's.
    fn due_of(&self, push: &PushInfo) -> Option<Arc<Due>> {
        let (channel, due) = self.due.get()?;
        let said_on = String::from_redis_value_ref(push.data.first()?).ok()?;
        due.upgrade().filter(|_| said_on == *channel)
    }
}

fn on_push_due(due: &Due, push: PushInfo) {
    match push.kind {
        PushKind::Message => {
            let text = push.data.into_iter().nth(1);
            if let Some(text) = text.and_then(|text| String::from_redis_value(text).ok()) {
                due.hear(&text);
            }
        }
        // Subscribed again after a break: what was said meanwhile is lost.
        _ => due.doubt(),
    }
}

fn ring(hub: &Hub, push: PushInfo) {
    let mut words = push
        .data
        .into_iter()
        .filter_map(|word| String::from_redis_value(word).ok());
    let (Some(channel), Some(news)) = (words.next(), words.next()) else {
        return;
    };
    let Some(session) = session_of_channel(&channel) else {
        return;
    };
    match news.parse() {
        Ok(version) => hub.ring(session, Ring::Version(version)),
        Err(_) if news == "removed" => hub.ring(session, Ring::Removed),
        Err(_) => hub.ring(session, Ring::Missed),
    }
}

/// The session whose channel a message is about.
fn session_of(push: PushInfo) -> Option<String> {
    let channel = String::from_redis_value(push.data.into_iter().next()?).ok()?;
    session_of_channel(&channel).map(str::to_owned)
}
