//! Opens the connection of a store, to one server or to a cluster.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, ready};
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::{Client, PushInfo, RedisResult};

use super::super::{Durability, StoreError};
use super::address::{Address, To, unusable};
use super::connection::{Connection, REPLICA, agree};
use super::inspect::inspect;
use super::keys::channel_of_due;
use super::limits::{CALL, CONNECT, RESPONSE};
use super::link::{Link, News, OnNews, Wire, in_time};
use super::renewal::{Connect, RenewalTerms, Renewed};
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
    let listening = config
        .clone()
        .set_automatic_resubscription()
        .set_push_sender(sender(on_news.clone()));
    let listening = to_server(find.clone(), listening);
    let of_workers = move || to_server(find.clone(), config.clone());
    open(listening, of_workers, silence, on_news).await
}

/// Opens the connection that listens; `of_workers` leads to those of the worker threads.
async fn open(
    listening: Connect,
    of_workers: impl Fn() -> Connect + Send + Sync + 'static,
    silence: Duration,
    on_news: impl OnNews,
) -> Result<Arc<Renewed>, StoreError> {
    let terms = RenewalTerms::after(silence);
    let own_terms = terms.clone();
    // The connections of worker threads have no subscriptions, so their replacement is not reported.
    let worker_connections = WorkerConnections::new(Box::new(move || {
        Box::pin(Renewed::open(of_workers(), own_terms.clone(), None, || ()))
    }));
    let on_renewal = move || on_news(News::Renewed);
    let opening = Renewed::open(listening, terms, Some(worker_connections), on_renewal);
    in_time(opening).await
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
    let of_lanes = patient(of_lanes).build().map_err(unbuilt)?;
    let client = patient(builder).push_sender(sender(on_news.clone()));
    let client = client.build().map_err(unbuilt)?;
    let of_workers = move || to_cluster(of_lanes.clone());
    open(to_cluster(client), of_workers, SILENCE, on_news).await
}

fn sender(on_news: impl OnNews) -> impl Fn(PushInfo) -> Result<(), ()> + Send + Sync + 'static {
    move |push| {
        on_news(News::Pushed(push));
        Ok(())
    }
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

impl Connection {
    /// Opens a connection, and verifies that every master can be trusted with games.
    pub(super) async fn open(
        address: Address,
        on_news: impl OnNews,
    ) -> Result<(Self, Durability), StoreError> {
        let asked = address.asked;
        let links = Link::open(address, on_news).await?;
        Connection::verified(links, asked).await
    }

    /// Uses a link to one server that the caller has made.
    pub(super) async fn over(
        wire: Box<dyn Wire>,
        asked: Option<Durability>,
    ) -> Result<(Self, Durability), StoreError> {
        Connection::verified(Renewed::never(Link::Wired(wire)), asked).await
    }

    async fn verified(
        links: Arc<Renewed>,
        asked: Option<Durability>,
    ) -> Result<(Self, Durability), StoreError> {
        let mut connection = Connection {
            asked,
            accepted: Arc::default(),
            is_in_doubt: Arc::default(),
            patience: REPLICA,
            is_cluster: matches!(links.shared(), Link::Cluster(_)),
            channel_of_due: channel_of_due(links.shared().get_db()).into(),
            links,
            ring: "PUBLISH",
        };
        let found = inspect(&connection).await?;
        if found.sharded_channels {
            connection.ring = "SPUBLISH";
        }
        let durability = agree(asked, found.durability)?;
        Ok((connection, durability))
    }
}
