//! One server or a cluster behind one face.

use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::cluster_async::ClusterConnection;
use redis::{Client, Cmd, Pipeline, PushInfo, RedisFuture, RedisResult, Value};

use super::super::StoreError;
use super::address::{Address, To, unusable};
use super::connection::{CALL, CONNECT, RESPONSE};
use super::tls;

/// Attempts to reconnect before waiting calls are told; the next call tries again.
const RECONNECTS: usize = 4;
/// How often a cluster's client repeats a call: redirections, a slot that is on the move, a lost node.
const CLUSTER_RETRIES: u32 = 8;
/// Waits between attempts, in milliseconds; they grow from the first to the last.
const RETRY_FIRST_MS: u64 = 50;
const RETRY_LAST_MS: u64 = 400;

/// What is done with messages that the server sends unasked.
pub(super) trait OnPush: Fn(PushInfo) + Send + Sync + 'static {}

impl<F: Fn(PushInfo) + Send + Sync + 'static> OnPush for F {}

/// A connection shared by all callers; clones are cheap.
#[derive(Clone)]
pub(super) enum Link {
    Server(ConnectionManager),
    /// Finds the node of a key by itself, follows redirections, and may send a call twice.
    Cluster(ClusterConnection),
}

impl Link {
    pub(super) async fn open(address: Address, on_push: impl OnPush) -> Result<Self, StoreError> {
        let trusted = address.root_certificate;
        match address.to {
            To::Server(info) => open_server(tls::client(*info, trusted)?, on_push).await,
            To::Cluster(seeds) => {
                let builder = tls::trusting(ClusterClient::builder(seeds), trusted);
                open_cluster(builder, on_push).await
            }
        }
    }
}

async fn open_server(client: Client, on_push: impl OnPush) -> Result<Link, StoreError> {
    let config = ConnectionManagerConfig::new()
        .set_response_timeout(Some(RESPONSE))
        .set_connection_timeout(Some(CONNECT))
        .set_number_of_retries(RECONNECTS)
        .set_min_delay(std::time::Duration::from_millis(RETRY_FIRST_MS))
        .set_max_delay(std::time::Duration::from_millis(RETRY_LAST_MS))
        .set_automatic_resubscription()
        .set_push_sender(sender(on_push));
    in_time(ConnectionManager::new_with_config(client, config))
        .await
        .map(Link::Server)
}

async fn open_cluster(
    builder: ClusterClientBuilder,
    on_push: impl OnPush,
) -> Result<Link, StoreError> {
    let client = builder
        .response_timeout(RESPONSE)
        .overall_response_timeout(Some(CALL))
        .connection_timeout(CONNECT)
        .retries(CLUSTER_RETRIES)
        .min_retry_wait(RETRY_FIRST_MS)
        .max_retry_wait(RETRY_LAST_MS)
        .push_sender(sender(on_push))
        .build()
        .map_err(|error| unusable(error.category()))?;
    in_time(client.get_async_connection())
        .await
        .map(Link::Cluster)
}

fn sender(on_push: impl OnPush) -> impl Fn(PushInfo) -> Result<(), ()> + Send + Sync + 'static {
    move |push| {
        on_push(push);
        Ok(())
    }
}

async fn in_time<T>(connecting: impl Future<Output = RedisResult<T>>) -> Result<T, StoreError> {
    match tokio::time::timeout(CALL, connecting).await {
        Ok(Ok(link)) => Ok(link),
        Ok(Err(error)) => Err(StoreError::Unavailable(error.to_string())),
        Err(_) => Err(StoreError::Unavailable("no connection in time".to_owned())),
    }
}

impl ConnectionLike for Link {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Link::Server(server) => server.req_packed_command(command),
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
            Link::Cluster(cluster) => cluster.req_packed_commands(commands, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Link::Server(server) => server.get_db(),
            Link::Cluster(cluster) => cluster.get_db(),
        }
    }
}
