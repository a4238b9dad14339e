//! The trusted certificates of encrypted connections.

use redis::cluster::ClusterClientBuilder;
use redis::sentinel::SentinelClientBuilder;
use redis::{Client, ConnectionInfo};

use super::super::StoreError;
use super::address::unusable;

/// Creates a client that trusts one certificate, or those of the system.
#[cfg(feature = "redis-tls")]
pub(super) fn client(info: ConnectionInfo, trusted: Option<Vec<u8>>) -> Result<Client, StoreError> {
    prepare();
    let client = match trusted {
        Some(certificate) => Client::build_with_tls(info, certificates(certificate)),
        None => Client::open(info),
    };
    client.map_err(|error| unusable(&error.to_string()))
}

#[cfg(not(feature = "redis-tls"))]
pub(super) fn client(info: ConnectionInfo, _: Option<Vec<u8>>) -> Result<Client, StoreError> {
    Client::open(info).map_err(|error| unusable(error.category()))
}

#[cfg(feature = "redis-tls")]
pub(super) fn trusting(
    builder: ClusterClientBuilder,
    trusted: Option<Vec<u8>>,
) -> ClusterClientBuilder {
    prepare();
    match trusted {
        Some(certificate) => builder.certs(certificates(certificate)),
        None => builder,
    }
}

#[cfg(not(feature = "redis-tls"))]
pub(super) fn trusting(builder: ClusterClientBuilder, _: Option<Vec<u8>>) -> ClusterClientBuilder {
    builder
}

#[cfg(feature = "redis-tls")]
pub(super) fn of_sentinels(
    to: SentinelClientBuilder,
    trusted: Option<Vec<u8>>,
) -> SentinelClientBuilder {
    prepare();
    match trusted.map(certificates) {
        Some(trusted) => to
            .set_client_to_sentinel_certificates(trusted.clone())
            .set_client_to_redis_certificates(trusted),
        None => to,
    }
}

#[cfg(not(feature = "redis-tls"))]
pub(super) fn of_sentinels(to: SentinelClientBuilder, _: Option<Vec<u8>>) -> SentinelClientBuilder {
    to
}

#[cfg(feature = "redis-tls")]
fn certificates(root: Vec<u8>) -> redis::TlsCertificates {
    redis::TlsCertificates {
        client_tls: None,
        root_cert: Some(root),
    }
}

/// Installs the cryptography of this program, unless other code already has.
#[cfg(feature = "redis-tls")]
fn prepare() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}
