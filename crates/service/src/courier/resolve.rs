//! The addresses of a host.

use std::io;
use std::net::SocketAddr;

use async_trait::async_trait;

/// Looks hosts up.
#[async_trait]
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of a host that has a name, with this port.
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// As the operating system does.
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((host, port)).await?.collect())
    }
}
