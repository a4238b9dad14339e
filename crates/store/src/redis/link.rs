//! A common interface to one server or a cluster.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, ready};
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::cluster_async::ClusterConnection;
use redis::{Client, Cmd, Pipeline, PushInfo, PushKind, RedisFuture, RedisResult, Value};

use super::super::StoreError;
use super::address::{Address, To, unusable};
use super::connection::{CALL, CONNECT, RESPONSE};
use super::renewal::{Connect, Renewed, Terms};
use super::socket::Socket;
use super::worker_connections::WorkerConnections;
use super::{sentinel, tls};

/// Number of attempts to reconnect before waiting calls fail. The next call tries again.
const RECONNECTS: usize = 4;
/// How often the cluster client retries a call, for redirections, migrating slots and lost nodes.
const CLUSTER_RETRIES: u32 = 8;
/// Delays between attempts, in milliseconds, growing from the first to the last.
const RETRY_FIRST_MS: u64 = 50;
const RETRY_LAST_MS: u64 = 400;
/// Time without a single response after which a client is replaced. Longer than a failover.
const SILENCE: Duration = Duration::from_secs(6);

/// Unsolicited events.
pub(super) enum News {
    /// A server has pushed something.
    Pushed(PushInfo),
    /// Another connection has taken over; it has no subscriptions yet.
    Renewed,
}

impl News {
    /// Returns whether a connection was lost. Another server may have taken over.
    pub(super) fn is_break(&self) -> bool {
        match self {
            News::Pushed(push) => push.kind == PushKind::Disconnection,
            News::Renewed => true,
        }
    }
}

/// A handler for such events.
pub(super) trait OnNews: Fn(News) + Clone + Send + Sync + 'static {}

impl<F: Fn(News) + Clone + Send + Sync + 'static> OnNews for F {}

/// A connection to one server that the caller creates and repairs; in a simulation, over a simulated network.
pub trait Wire: ConnectionLike + Send + Sync + 'static {
    /// Returns another handle of the same connection.
    fn handle(&self) -> Box<dyn Wire>;
    fn subscribe<'a>(&'a mut self, channel: &'a str) -> RedisFuture<'a, ()>;
    fn unsubscribe<'a>(&'a mut self, channel: &'a str) -> RedisFuture<'a, ()>;
}

/// The callback to which a [`Wire`] passes pushed messages.
pub type OnPush = Box<dyn Fn(PushInfo) + Send + Sync>;

impl Clone for Box<dyn Wire> {
    fn clone(&self) -> Self {
        self.handle()
    }
}

/// Clones are cheap and share one connection.
#[derive(Clone)]
pub(super) enum Link {
    Server(ConnectionManager),
    Wired(Box<dyn Wire>),
    /// Finds the node of a key, follows redirections, and may send a call twice.
    Cluster(ClusterConnection<Socket>),
}

impl Link {
    pub(super) async fn open(
        address: Address,
        on_news: impl OnNews,
    ) -> Result<Arc<Renewed>, StoreError> {
        let trusted = address.root_certificate;
        match address.to {
            To::Server(info) => {
                let client = tls::client(*info, trusted)?;
                let find: Find = Arc::new(move || Box::pin(ready(Ok(client.clone()))));
                open_server(find, SILENCE, on_news).await
            }
            To::Sentinel(sentinels) => {
                let find: Find = Arc::new(move || {
                    let client = sentinel::client(&sentinels, trusted.clone());
                    Box::pin(async move { client?.async_get_client().await })
                });
                // Only the sentinels know which server is worth an attempt.
                open_server(find, Duration::ZERO, on_news).await
            }
            To::Cluster(seeds) => {
                let builder =
                    || tls::trusting(ClusterClient::builder(seeds.clone()), trusted.clone());
                open_cluster(builder(), builder(), on_news).await
            }
        }
    }
}

/// Finds the server to connect to.
type Find = Arc<dyn Fn() -> BoxFuture<'static, RedisResult<Client>> + Send + Sync>;

async fn open_server(
    find: Find,
    silence: Duration,
    on_news: impl OnNews,
) -> Result<Arc<Renewed>, StoreError> {
    let config = ConnectionManagerConfig::new()
        .set_response_timeout(Some(RESPONSE))
        .set_connection_timeout(Some(CONNECT))
        .set_number_of_retries(RECONNECTS)
        .set_min_delay(Duration::from_millis(RETRY_FIRST_MS))
        .set_max_delay(Duration::from_millis(RETRY_LAST_MS));
    let terms = Terms::after(silence);
    let of_workers = (find.clone(), config.clone(), terms.clone());
    let worker_connections = WorkerConnections::new(Box::new(move || {
        let (find, config, terms) = of_workers.clone();
        // The connections of worker threads have no subscriptions, so their replacement is not reported.
        Box::pin(Renewed::open(to_server(find, config), terms, None, || ()))
    }));
    let listening = config
        .set_automatic_resubscription()
        .set_push_sender(sender(on_news.clone()));
    let on_renewal = move || on_news(News::Renewed);
    in_time(Renewed::open(
        to_server(find, listening),
        terms,
        Some(worker_connections),
        on_renewal,
    ))
    .await
}

fn to_server(find: Find, config: ConnectionManagerConfig) -> Connect {
    Box::new(move || {
        let (client, config) = (find(), config.clone());
        Box::pin(async move {
            let server = ConnectionManager::new_with_config(client.await?, config).await?;
            Ok(Link::Server(server))
        })
    })
}

fn to_cluster(client: ClusterClient) -> Connect {
    Box::new(move || {
        let client = client.clone();
        // The usual one for its own type of connections.
        Box::pin(async move { Ok(Link::Cluster(client.get_async_generic_connection().await?)) })
    })
}

async fn open_cluster(
    builder: ClusterClientBuilder,
    of_lanes: ClusterClientBuilder,
    on_news: impl OnNews,
) -> Result<Arc<Renewed>, StoreError> {
    let patient = |builder: ClusterClientBuilder| {
        builder
            .response_timeout(RESPONSE)
            .overall_response_timeout(Some(CALL))
            .connection_timeout(CONNECT)
            .retries(CLUSTER_RETRIES)
            .min_retry_wait(RETRY_FIRST_MS)
            .max_retry_wait(RETRY_LAST_MS)
    };
    let unbuilt = |error: redis::RedisError| unusable(error.category());
    let terms = Terms::after(SILENCE);
    let of_workers = terms.clone();
    let of_lanes = patient(of_lanes).build().map_err(unbuilt)?;
    let client = patient(builder).push_sender(sender(on_news.clone()));
    let client = client.build().map_err(unbuilt)?;
    let worker_connections = WorkerConnections::new(Box::new(move || {
        let (connect, terms) = (to_cluster(of_lanes.clone()), of_workers.clone());
        Box::pin(Renewed::open(connect, terms, None, || ()))
    }));
    let on_renewal = move || on_news(News::Renewed);
    in_time(Renewed::open(
        to_cluster(client),
        terms,
        Some(worker_connections),
        on_renewal,
    ))
    .await
}

fn sender(on_news: impl OnNews) -> impl Fn(PushInfo) -> Result<(), ()> + Send + Sync + 'static {
    move |push| {
        on_news(News::Pushed(push));
        Ok(())
    }
}

pub(super) async fn in_time<T>(
    connecting: impl Future<Output = RedisResult<T>>,
) -> Result<T, StoreError> {
    match tokio::time::timeout(CALL, connecting).await {
        Ok(Ok(link)) => Ok(link),
        Ok(Err(error)) => Err(StoreError::Unavailable(error.to_string())),
        Err(_) => Err(StoreError::Unavailable("cannot connect in time".to_owned())),
    }
}

impl ConnectionLike for Link {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Link::Server(server) => server.req_packed_command(command),
            Link::Wired(wire) => wire.req_packed_command(command),
            Link::Cluster(cluster) => cluster.req_packed_command(command),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Link::Server(server) => server.req_packed_commands(commands, offset, count),
            Link::Wired(wire) => wire.req_packed_commands(commands, offset, count),
            Link::Cluster(cluster) => cluster.req_packed_commands(commands, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Link::Server(server) => server.get_db(),
            Link::Wired(wire) => wire.get_db(),
            Link::Cluster(cluster) => cluster.get_db(),
        }
    }
}
