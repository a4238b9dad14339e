//! Parses the setting that names a Redis server or cluster.
//!
//! ```text
//! redis://[USER:PASSWORD@]HOST[:PORT][/DB][?durability=LEVEL]
//! redis+cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT…[?durability=LEVEL]
//! redis+sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT…/NAME[/DB][?durability=LEVEL&sentinel=USER:PASSWORD]
//! redis+unix:///PATH
//! ```
//!
//! `rediss` instead of `redis` enables TLS, if the program was built with it. `ca=FILE` in the query names the certificate
//! to trust instead of those of the system. The hosts of `redis+sentinel` are those of the sentinels; the user before them is
//! that of the servers.

use redis::{ConnectionInfo, IntoConnectionInfo, ProtocolVersion};

use super::super::{Durability, StoreError};

/// A parsed setting.
pub(super) struct Address {
    pub(super) to: To,
    /// The required durability of an acknowledged write. By default, whatever the server offers.
    pub(super) asked: Option<Durability>,
    /// The certificate (PEM) to trust instead of the system's.
    pub(super) root_certificate: Option<Vec<u8>>,
}

/// The server or cluster to connect to.
pub(super) enum To {
    Server(Box<ConnectionInfo>),
    /// Some of its nodes; the others are discovered.
    Cluster(Vec<ConnectionInfo>),
    Sentinel(Box<Sentinels>),
}

/// Who knows which server is the master.
pub(super) struct Sentinels {
    pub(super) hosts: Vec<ConnectionInfo>,
    /// The name under which they watch the master.
    pub(super) name: String,
    /// The user and the database of the servers. Its host is never used.
    pub(super) server: ConnectionInfo,
}

/// Returns whether a setting names Redis.
pub(in super::super) fn is_redis(spec: &str) -> bool {
    let schemes = [
        "redis://",
        "redis+unix://",
        "redis+cluster://",
        "redis+sentinel://",
        "rediss://",
        "rediss+cluster://",
        "rediss+sentinel://",
    ];
    schemes.iter().any(|scheme| spec.starts_with(scheme))
}

impl Address {
    /// Parses a setting. No error repeats it, because it may contain a password.
    pub(super) fn parse(spec: &str) -> Result<Self, StoreError> {
        let (place, query) = spec.split_once('?').unwrap_or((spec, ""));
        if place.starts_with("rediss") && cfg!(not(feature = "redis-tls")) {
            return Err(unusable(
                "this build has no TLS for Redis; build it with `--features redis-tls`",
            ));
        }
        let AddressQuery {
            asked,
            certificate,
            sentinel,
            rest,
        } = AddressQuery::parse(query)?;
        let root_certificate = certificate.map(read_certificate).transpose()?;
        let parts = place.split_once("://").unwrap_or_default();
        let to = match parts.0.split_once('+') {
            Some((scheme, "cluster")) => To::Cluster(seeds(scheme, parts.1, &rest)?),
            Some((scheme, "sentinel")) => To::Sentinel(Box::new(Sentinels::parse(
                scheme, parts.1, sentinel, &rest,
            )?)),
            _ => To::Server(Box::new(info(&with_query(place, &rest))?)),
        };
        Ok(Address {
            to,
            asked,
            root_certificate,
        })
    }
}

impl Sentinels {
    /// Parses what follows the scheme; `user` is that of the sentinels, with the password.
    fn parse(scheme: &str, place: &str, user: &str, query: &str) -> Result<Self, StoreError> {
        let missing = || {
            unusable(
                "write `redis+sentinel://HOST:PORT,HOST:PORT/NAME`, with the name of the master",
            )
        };
        let (of_server, hosts) = place.rsplit_once('@').unwrap_or(("", place));
        let (hosts, name) = hosts.split_once('/').ok_or_else(missing)?;
        let (name, database) = name.split_once('/').unwrap_or((name, ""));
        if name.is_empty() {
            return Err(missing());
        }
        let at = |user: &str, host: &str| match user {
            "" => host.to_owned(),
            user => format!("{user}@{host}"),
        };
        let server = format!("{scheme}://{}/{database}", at(of_server, "server"));
        Ok(Sentinels {
            hosts: seeds(scheme, &at(user, hosts), query)?,
            name: name.to_owned(),
            server: info(&with_query(&server, query))?,
        })
    }
}

/// Returns one address per node, with the parameters that all of them share.
fn seeds(scheme: &str, nodes: &str, query: &str) -> Result<Vec<ConnectionInfo>, StoreError> {
    let (user, hosts) = match nodes.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), nodes),
    };
    let hosts = hosts.trim_end_matches('/').split(',');
    hosts
        .map(|host| info(&with_query(&format!("{scheme}://{user}{host}"), query)))
        .collect()
}

fn with_query(place: &str, query: &str) -> String {
    match query {
        "" => place.to_owned(),
        query => format!("{place}?{query}"),
    }
}

/// Parses a URL. Uses RESP3 whatever the URL says, because notifications arrive on the same connection.
fn info(url: &str) -> Result<ConnectionInfo, StoreError> {
    let info = url
        .into_connection_info()
        .map_err(|error| unusable(error.category()))?;
    let settings = info
        .redis_settings()
        .clone()
        .set_protocol(ProtocolVersion::RESP3);
    Ok(info.set_redis_settings(settings))
}

pub(super) fn unusable(why: &str) -> StoreError {
    StoreError::Misconfigured(format!("invalid Redis address: {why}"))
}

/// Our own parameters, and the rest.
#[derive(Default)]
struct AddressQuery<'q> {
    asked: Option<Durability>,
    certificate: Option<&'q str>,
    /// The user of the sentinels, with the password.
    sentinel: &'q str,
    rest: String,
}

impl<'q> AddressQuery<'q> {
    fn parse(query: &'q str) -> Result<Self, StoreError> {
        let mut read = AddressQuery::default();
        let mut rest = Vec::new();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("durability", level)) => read.asked = Some(level_called(level)?),
                Some(("ca", file)) => read.certificate = Some(file),
                Some(("sentinel", user)) => read.sentinel = user,
                // The library reads the others, but says nothing about one that it does not know.
                Some(("protocol" | "db" | "user" | "pass", _)) => rest.push(parameter),
                Some(_) | None => {
                    return Err(unusable(
                        "the parameters are `durability`, `ca` and `sentinel`",
                    ));
                }
            }
        }
        read.rest = rest.join("&");
        Ok(read)
    }
}

fn read_certificate(file: &str) -> Result<Vec<u8>, StoreError> {
    std::fs::read(file).map_err(|error| unusable(&format!("`ca={file}`: {error}")))
}

fn level_called(name: &str) -> Result<Durability, StoreError> {
    let level = Durability::ALL
        .into_iter()
        .find(|level| level.name() == name);
    level.ok_or_else(|| unusable("`durability` must be `memory`, `local`, `fsync` or `replicated`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_has_several_seeds() {
        let address = Address::parse("redis+cluster://u:p@a:1,b:2?durability=replicated").unwrap();
        assert_eq!(address.asked, Some(Durability::Replicated));
        let To::Cluster(seeds) = address.to else {
            panic!("not a cluster")
        };
        let told: Vec<_> = seeds.iter().map(|seed| seed.addr().to_string()).collect();
        assert_eq!(told, ["a:1", "b:2"]);
        assert_eq!(seeds[1].redis_settings().username(), Some("u"));
    }

    #[test]
    fn sentinels_have_a_name_for_the_master_and_a_user_of_their_own() {
        let read = Sentinels::parse("redis", "u:p@a:1,b:2/games/3", ":watch", "").unwrap();
        let hosts: Vec<_> = read
            .hosts
            .iter()
            .map(|host| host.addr().to_string())
            .collect();
        assert_eq!(hosts, ["a:1", "b:2"]);
        let password = |of: &ConnectionInfo| of.redis_settings().password().map(str::to_owned);
        assert_eq!(password(&read.hosts[0]).as_deref(), Some("watch"));
        assert_eq!(password(&read.server).as_deref(), Some("p"));
        assert_eq!(
            (&*read.name, read.server.redis_settings().db()),
            ("games", 3)
        );
        assert!(Sentinels::parse("redis", "a:1", "", "").is_err());
    }

    #[test]
    fn a_refused_address_is_not_repeated() {
        for spec in [
            "redis://u:hunter2@host:port",
            "redis+cluster://u:hunter2@a:1,b:port",
            "redis+cluster://u:hunter2@",
            "redis+sentinel://u:hunter2@a:1",
            "redis+sentinel://u:hunter2@a:1/?sentinel=:hunter2",
            "redis://u:hunter2@host?durability=eternal",
            "redis://host?durabilty=replicated&hunter2",
        ] {
            let Err(error) = Address::parse(spec) else {
                panic!("{spec} was accepted")
            };
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
