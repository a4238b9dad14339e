//! A common interface to one server or a cluster.

use redis::aio::{ConnectionLike, ConnectionManager};
use redis::cluster_async::ClusterConnection;
use redis::{Cmd, Pipeline, PushInfo, PushKind, RedisFuture, RedisResult, Value};

use super::super::StoreError;
use super::limits::CALL;
use super::socket::Socket;

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
