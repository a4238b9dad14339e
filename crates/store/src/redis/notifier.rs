//! Doorbells across nodes: one subscription per session that somebody in this process listens to.
//!
//! A message that nobody receives is lost, so listeners must read again whenever that may have happened. They cannot know,
//! and polling would cost commands for each of them. Therefore **the node finds out for all of them.** It subscribes again
//! after a connection was lost, and repeats that until it succeeds. A connection can also die without an error. Therefore
//! the node sends itself a message by way of each master every few seconds, on the channel of one of the sessions that it
//! listens to. If it does not receive the message, it renews all subscriptions there. Each renewal notifies the subscribers.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use redis::{FromRedisValue, PushInfo, PushKind};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::super::StoreError;
use super::super::bulletin::Bulletin;
use super::super::notifier::{Notification, Notifier, Subscription};
use super::connection::Connection;
use super::due::DueEntries;
use super::hearing::{Hearing, SubscriptionOrder};
use super::keys::{Keys, session_of_channel};
use super::link::{News, OnNews};
use super::shards::Shards;

/// Interval between messages to itself.
const CHECK: Duration = Duration::from_secs(5);
/// Time within which a message to itself arrives.
const ECHO: Duration = Duration::from_secs(1);
/// Delay before a failed subscription is tried again.
const AGAIN: Duration = Duration::from_millis(300);
/// Prefix of messages to itself.
const PROBE: &str = "probe ";

/// The notifier of this process, and the task that keeps the server's subscriptions in step with it.
pub(super) struct RedisNotifier {
    hub: Arc<Notifier>,
    orders: mpsc::UnboundedSender<SubscriptionOrder>,
    pushes: Pushes,
}

/// The receiver of pushed messages. Messages before [`RedisNotifier::start`] are dropped.
#[derive(Clone, Default)]
pub(super) struct Pushes {
    receiver: Arc<OnceLock<Pushed>>,
    /// Set when a connection was lost.
    pub(super) lost: Arc<AtomicBool>,
}

impl Pushes {
    pub(super) fn handler(&self) -> impl OnNews + use<> {
        let pushes = self.clone();
        move |news: News| {
            pushes.lost.fetch_or(news.is_break(), Ordering::Relaxed);
            on_news(&pushes, news);
        }
    }
}

/// Holds only weak references, so that pushed messages do not keep an unused store alive.
pub(super) struct Pushed {
    hub: Weak<Notifier>,
    orders: mpsc::WeakUnboundedSender<SubscriptionOrder>,
    /// The receiver and the name of the channel for due work.
    due: OnceLock<(String, Weak<DueEntries>)>,
    /// The latest message to itself that arrived.
    echo: Arc<Bulletin<u64>>,
}

impl RedisNotifier {
    /// Starts the notifier. Subscribers are notified when the connection receives a message through `pushes`.
    /// Starts the notifications of a store. `me` is this node's number.
    pub(super) fn start(
        connection: Connection,
        pushes: &Pushes,
        shards: &Arc<Shards>,
        me: u64,
    ) -> Self {
        let (orders, queue) = mpsc::unbounded_channel();
        let leave = orders.clone();
        let hub = Notifier::with_notice(Box::new(move |session| {
            // Nothing to unsubscribe once the task is gone.
            let _ = leave.send(SubscriptionOrder::UnsubscribeIfUnheard(session.to_owned()));
        }));
        let echo = Arc::new(Bulletin::new(0));
        // A store starts its notifier once.
        let _ = pushes.receiver.set(Pushed {
            hub: Arc::downgrade(&hub),
            orders: orders.downgrade(),
            due: OnceLock::new(),
            echo: echo.clone(),
        });
        let check = Check {
            connection: connection.clone(),
            shards: shards.clone(),
            hub: Arc::downgrade(&hub),
            orders: orders.downgrade(),
            echo,
            next: me,
        };
        tokio::spawn(check.now_and_then());
        // The notifier owns the other end of the queue, so the task ends with the last subscriber.
        tokio::spawn(keep_in_step(connection, Arc::downgrade(&hub), queue));
        RedisNotifier {
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

    /// Passes messages on its channel on from now on.
    pub(super) fn pass_on(&self, channel: &str, due: &Arc<DueEntries>) {
        if let Some(pushed) = self.pushes.receiver.get() {
            // A store has one.
            let _ = pushed.due.set((channel.to_owned(), Arc::downgrade(due)));
        }
    }

    /// Returns a subscription that is active when this returns.
    pub(super) async fn join(&self, session: &str) -> Result<Subscription, StoreError> {
        let away = || StoreError::Unavailable("the notifier has stopped".to_owned());
        let subscription = self.hub.join(session);
        let (done, answer) = oneshot::channel();
        let order = SubscriptionOrder::Subscribe(session.to_owned(), done);
        self.orders.send(order).map_err(|_| away())?;
        answer.await.map_err(|_| away())??;
        Ok(subscription)
    }
}

async fn keep_in_step(
    connection: Connection,
    hub: Weak<Notifier>,
    mut queue: mpsc::UnboundedReceiver<SubscriptionOrder>,
) {
    // Sessions whose subscriptions need a renewal. New subscriptions do not wait for them.
    let mut again: BTreeSet<String> = BTreeSet::new();
    let mut pause = Duration::ZERO;
    loop {
        let order = tokio::select! {
            biased;
            order = queue.recv() => match order {
                Some(order) => order,
                None => return,
            },
            () = sleep(pause), if !again.is_empty() => {
                let Some(session) = again.pop_first() else { continue };
                pause = Duration::ZERO;
                if let Some(hub) = hub.upgrade().filter(|hub| hub.is_heard(&session)) {
                    match connection.subscribe(&Keys::of(&session).channel()).await {
                        Ok(()) => hub.notify(&session, Notification::Missed),
                        Err(_) => {
                            pause = AGAIN;
                            again.insert(session);
                        }
                    }
                }
                continue;
            }
        };
        match order {
            SubscriptionOrder::Subscribe(session, done) => {
                let result = connection.subscribe(&Keys::of(&session).channel()).await;
                // The caller may have given up.
                let _ = done.send(result);
            }
            SubscriptionOrder::Listen(channel, done) => {
                let result = connection.listen(&channel).await;
                let _ = done.send(result);
            }
            SubscriptionOrder::SubscribeAgainIfHeard(session) => {
                again.insert(session);
            }
            SubscriptionOrder::UnsubscribeIfUnheard(session) => {
                if !hub.upgrade().is_some_and(|hub| hub.is_heard(&session)) {
                    // A superfluous subscription costs only a little traffic.
                    let _ = connection.unsubscribe(&Keys::of(&session).channel()).await;
                }
            }
        }
    }
}

/// Checks that messages on the channels of sessions arrive.
struct Check {
    connection: Connection,
    shards: Arc<Shards>,
    hub: Weak<Notifier>,
    orders: mpsc::WeakUnboundedSender<SubscriptionOrder>,
    echo: Arc<Bulletin<u64>>,
    /// Number of the latest message. Each node begins with a number of its own.
    next: u64,
}

impl Check {
    async fn now_and_then(mut self) {
        loop {
            sleep(CHECK).await;
            let Some(heard) = self.hub.upgrade().map(|hub| hub.heard()) else {
                return;
            };
            for sessions in self.by_master(heard).await {
                if !self.hears_itself(&sessions).await {
                    let count = sessions.len();
                    tracing::debug!(count, "notifications do not arrive: subscribing again");
                    subscribe_again(&self.orders, sessions);
                }
            }
        }
    }

    /// Groups sessions by the master of their channels.
    async fn by_master(&self, heard: Vec<String>) -> Vec<Vec<String>> {
        if heard.is_empty() {
            return Vec::new();
        }
        self.shards.learn(&self.connection).await;
        let mut of_bucket = std::collections::BTreeMap::<u16, Vec<String>>::new();
        for session in heard {
            let bucket = Keys::of(&session).bucket;
            of_bucket.entry(bucket).or_default().push(session);
        }
        let groups = self.shards.by_master(of_bucket.keys().copied().collect());
        let sessions = groups.into_iter().map(|buckets| {
            let sessions = buckets.iter().filter_map(|bucket| of_bucket.remove(bucket));
            sessions.flatten().collect()
        });
        sessions.collect()
    }

    async fn hears_itself(&mut self, sessions: &[String]) -> bool {
        let Some(session) = sessions.first() else {
            return true;
        };
        self.next = self.next.wrapping_add(1);
        let keys = Keys::of(session);
        let mut say = redis::cmd(self.connection.ring);
        say.arg(keys.channel())
            .arg(format!("{PROBE}{:x}", self.next));
        let heard = async {
            let (mut number, mut latest) = self.echo.latest();
            while latest != self.next {
                (number, latest) = self.echo.after(number).await;
            }
        };
        let said = async {
            match self
                .shards
                .say_on(&self.connection, &say, keys.bucket)
                .await
            {
                Ok(()) => heard.await,
                Err(_) => std::future::pending().await,
            }
        };
        let is_heard = timeout(ECHO, said).await.is_ok();
        // The subscription may have ended meanwhile.
        is_heard || !self.hub.upgrade().is_some_and(|hub| hub.is_heard(session))
    }
}

/// Renews subscriptions that are still needed.
fn subscribe_again(
    orders: &mpsc::WeakUnboundedSender<SubscriptionOrder>,
    sessions: impl IntoIterator<Item = String>,
) {
    let Some(orders) = orders.upgrade() else {
        return;
    };
    for session in sessions {
        // Nobody takes it if the store is gone.
        let _ = orders.send(SubscriptionOrder::SubscribeAgainIfHeard(session));
    }
}

/// Passes pushed messages on, and renews subscriptions when another connection has taken over.
fn on_news(pushes: &Pushes, news: News) {
    let Some(pushed) = pushes.receiver.get() else {
        return;
    };
    let Some(hub) = pushed.hub.upgrade() else {
        return;
    };
    match news {
        News::Pushed(push) => on_push(pushed, &hub, push),
        News::Renewed => {
            subscribe_again(&pushed.orders, hub.heard());
            if let (Some(orders), Some((channel, _))) = (pushed.orders.upgrade(), pushed.due.get())
            {
                let (done, _) = oneshot::channel();
                let _ = orders.send(SubscriptionOrder::Listen(channel.clone(), done));
            }
        }
    }
}

fn on_push(pushed: &Pushed, hub: &Notifier, push: PushInfo) {
    if let Some(due) = pushed.due_of(&push) {
        return on_push_due(&due, push);
    }
    match push.kind {
        PushKind::Message | PushKind::SMessage => ring(pushed, hub, push),
        // The subscription was renewed after a break; messages in between are lost.
        PushKind::Subscribe | PushKind::SSubscribe => {
            if let Some(session) = session_of(push) {
                hub.notify(&session, Notification::Missed);
            }
        }
        // Our own request, or the slot has moved.
        PushKind::SUnsubscribe => {
            let session = session_of(push).filter(|session| hub.is_heard(session));
            subscribe_again(&pushed.orders, session);
        }
        PushKind::Disconnection => {
            hub.notify_missed();
            // The client does so too, but does not report failures.
            subscribe_again(&pushed.orders, hub.heard());
            if let Some(due) = pushed.due() {
                due.doubt();
            }
        }
        _ => {}
    }
}

impl Pushed {
    fn due(&self) -> Option<Arc<DueEntries>> {
        self.due.get()?.1.upgrade()
    }

    /// Returns the receiver of a message on the channel for due work.
    fn due_of(&self, push: &PushInfo) -> Option<Arc<DueEntries>> {
        let (channel, due) = self.due.get()?;
        let said_on = String::from_redis_value_ref(push.data.first()?).ok()?;
        due.upgrade().filter(|_| said_on == *channel)
    }
}

fn on_push_due(due: &DueEntries, push: PushInfo) {
    match push.kind {
        PushKind::Message => {
            let text = push.data.into_iter().nth(1);
            if let Some(text) = text.and_then(|text| String::from_redis_value(text).ok()) {
                due.hear(&text);
            }
        }
        // The subscription was renewed after a break; messages in between are lost.
        _ => due.doubt(),
    }
}

fn ring(pushed: &Pushed, hub: &Notifier, push: PushInfo) {
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
    if let Some(number) = news.strip_prefix(PROBE) {
        if let Ok(number) = u64::from_str_radix(number, 16) {
            pushed.echo.replace(number);
        }
        return;
    }
    match news.parse() {
        Ok(version) => hub.notify(session, Notification::Version(version)),
        Err(_) if news == "removed" => hub.notify(session, Notification::Removed),
        Err(_) => hub.notify(session, Notification::Missed),
    }
}

/// Returns the session of a message's channel.
fn session_of(push: PushInfo) -> Option<String> {
    let channel = String::from_redis_value(push.data.into_iter().next()?).ok()?;
    session_of_channel(&channel).map(str::to_owned)
}
