//! Outgoing connections.

use std::io;
use std::net::SocketAddr;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// A bidirectional byte stream.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

pub type BoxedStream = Box<dyn Stream>;

/// Opens connections.
#[async_trait]
pub trait Connect: Send + Sync + 'static {
    async fn connect(&self, address: SocketAddr) -> io::Result<BoxedStream>;
}

/// Opens TCP connections of the operating system.
pub struct SystemConnector;

#[async_trait]
impl Connect for SystemConnector {
    async fn connect(&self, address: SocketAddr) -> io::Result<BoxedStream> {
        let stream = TcpStream::connect(address).await?;
        let _ = stream.set_nodelay(true); // optional: without it, packets are only later
        Ok(Box::new(stream))
    }
}
