//! Asks the sentinels which Redis is the master.

use redis::sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType};
use redis::{ConnectionAddr, ConnectionInfo, ProtocolVersion, RedisResult, TlsMode};

use super::address::Sentinels;
use super::tls;

/// Creates a client that asks them. A certificate is trusted instead of those of the system.
pub(super) fn client(of: &Sentinels, trusted: Option<Vec<u8>>) -> RedisResult<SentinelClient> {
    let hosts = of.hosts.iter().map(|host| host.addr().clone());
    let server = of.server.redis_settings();
    let mut to = SentinelClientBuilder::new(hosts, &of.name, SentinelServerType::Master)?
        .set_client_to_redis_protocol(ProtocolVersion::RESP3)
        .set_client_to_redis_db(server.db());
    if let Some(user) = server.username() {
        to = to.set_client_to_redis_username(user);
    }
    if let Some(password) = server.password() {
        to = to.set_client_to_redis_password(password);
    }
    let of_sentinels = of.hosts.first().map(ConnectionInfo::redis_settings);
    if let Some(user) = of_sentinels.and_then(|of| of.username()) {
        to = to.set_client_to_sentinel_username(user);
    }
    if let Some(password) = of_sentinels.and_then(|of| of.password()) {
        to = to.set_client_to_sentinel_password(password);
    }
    if matches!(of.server.addr(), ConnectionAddr::TcpTls { .. }) {
        to = tls::of_sentinels(to.set_client_to_redis_tls_mode(TlsMode::Secure), trusted);
    }
    to.build()
}
