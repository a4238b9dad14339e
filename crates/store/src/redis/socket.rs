//! The connections of a cluster client to single servers.
//!
//! The client opens them by itself, whenever it learns of a server. This is the only place where it can be given another
//! network than the operating system's, as in a simulation.

use std::io;

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster_async::Connect;
use redis::{
    AsyncConnectionConfig, Cmd, ConnectionAddr, IntoConnectionInfo, Pipeline, RedisFuture, Value,
};
use tokio::time::timeout;
use wyrmgate_runtime::surroundings::{self, Connecting};

use super::limits::CONNECT;

/// Clones share one connection.
#[derive(Clone)]
pub(super) struct Socket(MultiplexedConnection);

impl Connect for Socket {
    fn connect_with_config<'a, T>(info: T, config: AsyncConnectionConfig) -> RedisFuture<'a, Self>
    where
        T: IntoConnectionInfo + Send + 'a,
    {
        Box::pin(async move {
            let info = info.into_connection_info()?;
            let Some(connecting) = elsewhere(info.addr()) else {
                let connection = MultiplexedConnection::connect_with_config(info, config).await?;
                return Ok(Socket(connection));
            };
            let late = |_| io::Error::from(io::ErrorKind::TimedOut);
            let opening = async {
                let stream = connecting.await?;
                MultiplexedConnection::new_with_config(info.redis_settings(), stream, config).await
            };
            let (connection, driver) = timeout(CONNECT, opening).await.map_err(late)??;
            tokio::spawn(driver);
            Ok(Socket(connection))
        })
    }
}

/// Returns `None` if the connection leads over the network of the operating system.
fn elsewhere(address: &ConnectionAddr) -> Option<Connecting> {
    match address {
        ConnectionAddr::Tcp(host, port) => surroundings::connect(host, *port),
        _ => None,
    }
}

impl ConnectionLike for Socket {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        self.0.req_packed_command(command)
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        self.0.req_packed_commands(commands, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.0.get_db()
    }
}
