//! DNS resolution.

use std::io;
use std::net::SocketAddr;

use async_trait::async_trait;

/// Resolves host names.
#[async_trait]
pub trait Resolve: Send + Sync + 'static {
    /// Returns all addresses of a named host, with this port.
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The resolver of the operating system.
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((host, port)).await?.collect())
    }
}
