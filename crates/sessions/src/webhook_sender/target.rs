//! Webhook targets: parses a URL and checks it against the policy.

use std::net::{IpAddr, SocketAddr};

use hyper::Uri;

use super::allowed::{Exempt, Ports};
use super::forbidden::is_public;
use super::receiver::Receiver;

/// Maximum length of a webhook URL, in bytes.
pub const URL_BYTES_MAX: usize = 512;

/// The targets that the operator allows.
#[derive(Debug, Clone)]
pub struct Policy {
    pub allow: Vec<Exempt>,
    pub ports: Vec<Ports>,
}

/// A URL that passed every check that needs no DNS lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookTarget {
    pub(super) is_encrypted: bool,
    /// The host in lower case, without brackets.
    pub(super) host: String,
    pub(super) port: u16,
    /// The value of the header `Host`.
    pub(super) authority: String,
    pub(super) path: String,
    /// Whether the operator has listed the target, so that its addresses are not checked.
    is_exempt: bool,
}

/// Why a URL cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error(
        "malformed URL; write one like https://example.org/hooks, in ASCII and with at most 512 characters"
    )]
    Malformed,
    #[error("the URL must not contain a user name or a password")]
    Credentials,
    #[error("the URL must not contain a fragment (`#…`)")]
    Fragment,
    #[error("this server calls only https URLs")]
    Unencrypted,
    #[error("this server does not allow this port")]
    Port,
    #[error("this server allows only addresses on the public internet")]
    Address,
}

impl Unfit {
    /// Returns whether the URL is malformed. Otherwise the policy forbids it.
    pub fn is_malformed(self) -> bool {
        matches!(
            self,
            Unfit::Malformed | Unfit::Credentials | Unfit::Fragment
        )
    }
}

impl WebhookTarget {
    /// Returns the receiver at this target.
    pub fn receiver(&self) -> Receiver {
        Receiver::of(&self.host)
    }

    /// Returns the scheme and the authority.
    pub fn origin(&self) -> String {
        let scheme = if self.is_encrypted { "https" } else { "http" };
        format!("{scheme}://{}", self.authority)
    }

    /// Returns whether the target is called over TLS.
    pub fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }
}

impl Policy {
    /// Returns a policy for a URL that the operator has named: it allows its origin, which must be `https` or on this machine.
    pub fn of_operator(url: &str) -> Result<Policy, Unfit> {
        let (scheme, rest) = url.split_once("://").ok_or(Unfit::Malformed)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let origin = format!("{scheme}://{authority}").parse();
        let origin: Exempt = origin.map_err(|_| Unfit::Malformed)?;
        let is_here = |host: &str| {
            let address = host.parse::<IpAddr>();
            host == "localhost" || address.is_ok_and(|address| address.is_loopback())
        };
        match &origin {
            Exempt::Origin { scheme, host, .. } if scheme == "http" && !is_here(host) => {
                Err(Unfit::Unencrypted)
            }
            Exempt::Origin { .. } | Exempt::Host(_) | Exempt::Network(_) => Ok(Policy {
                allow: vec![origin],
                ports: Vec::new(),
            }),
        }
    }

    /// Parses a URL. The host is resolved before each call, not here.
    pub fn target(&self, url: &str) -> Result<WebhookTarget, Unfit> {
        if url.len() > URL_BYTES_MAX || !url.is_ascii() {
            return Err(Unfit::Malformed);
        }
        if url.contains('#') {
            return Err(Unfit::Fragment);
        }
        let uri: Uri = url.parse().map_err(|_| Unfit::Malformed)?;
        let (scheme, authority) = uri
            .scheme_str()
            .zip(uri.authority())
            .ok_or(Unfit::Malformed)?;
        if authority.as_str().contains('@') {
            return Err(Unfit::Credentials);
        }
        let usual = match scheme {
            "https" => 443,
            "http" => 80,
            _ => return Err(Unfit::Malformed),
        };
        let port = match port(authority.as_str())? {
            Some(port) => port,
            None => usual,
        };
        let host = host(authority.host())?;
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let target = WebhookTarget {
            is_encrypted: scheme == "https",
            is_exempt: self.is_exempt(scheme, &host, port),
            authority: authority.as_str().to_ascii_lowercase(),
            path: path.to_owned(),
            host,
            port,
        };
        self.judge(&target)?;
        Ok(target)
    }

    fn judge(&self, target: &WebhookTarget) -> Result<(), Unfit> {
        let is_named = self.names_origin(target);
        if !target.is_encrypted && !is_named {
            return Err(Unfit::Unencrypted);
        }
        if !is_named && !self.ports.iter().any(|ports| ports.contains(target.port)) {
            return Err(Unfit::Port);
        }
        match target.host.parse() {
            Ok(address) if !self.may_call(target, address) => Err(Unfit::Address),
            _ => Ok(()),
        }
    }

    fn names_origin(&self, target: &WebhookTarget) -> bool {
        let scheme = if target.is_encrypted { "https" } else { "http" };
        self.allow
            .iter()
            .any(|exempt| is_origin(exempt, scheme, &target.host, target.port))
    }

    fn is_exempt(&self, scheme: &str, host: &str, port: u16) -> bool {
        self.allow.iter().any(|exempt| match exempt {
            Exempt::Host(name) => name == host,
            Exempt::Network(_) => false,
            Exempt::Origin { .. } => is_origin(exempt, scheme, host, port),
        })
    }

    /// Returns whether this address of a target may be called.
    pub(super) fn may_call(&self, target: &WebhookTarget, address: IpAddr) -> bool {
        let is_allowed = |exempt: &Exempt| match exempt {
            Exempt::Network(network) => network.contains(address),
            _ => false,
        };
        target.is_exempt || is_public(address) || self.allow.iter().any(is_allowed)
    }

    /// Returns the addresses of a host, or none if one of them must not be called.
    pub(super) fn all_of(
        &self,
        target: &WebhookTarget,
        found: Vec<SocketAddr>,
    ) -> Option<Vec<SocketAddr>> {
        let may = |address: &SocketAddr| self.may_call(target, address.ip());
        found.iter().all(may).then_some(found)
    }
}

fn is_origin(exempt: &Exempt, of: &str, name: &str, number: u16) -> bool {
    match exempt {
        Exempt::Origin { scheme, host, port } => scheme == of && host == name && *port == number,
        _ => false,
    }
}

/// Returns the explicit port. An empty or invalid port is an error.
fn port(authority: &str) -> Result<Option<u16>, Unfit> {
    let after_host = match authority.rfind(']') {
        Some(at) => authority.get(at + 1..).unwrap_or_default(),
        None => authority
            .find(':')
            .and_then(|at| authority.get(at..))
            .unwrap_or_default(),
    };
    match after_host.strip_prefix(':') {
        None if after_host.is_empty() => Ok(None),
        None => Err(Unfit::Malformed),
        Some(port) => match port.parse() {
            Ok(0) | Err(_) => Err(Unfit::Malformed),
            Ok(port) => Ok(Some(port)),
        },
    }
}

/// Normalizes a host to lower case, without brackets. A host that ends in a number must be a complete IPv4 address,
/// because other parsers also read `127.1` and `0x7f.1` as addresses.
fn host(text: &str) -> Result<String, Unfit> {
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    if let Some(inner) = inner {
        let address: std::net::Ipv6Addr = inner.parse().map_err(|_| Unfit::Malformed)?;
        return Ok(address.to_string());
    }
    let host = text.to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    if host.is_empty() || host.len() > 253 || !host.bytes().all(is_letter) || host.contains("..") {
        return Err(Unfit::Malformed);
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
    if is_number && host.parse::<std::net::Ipv4Addr>().is_err() {
        return Err(Unfit::Malformed);
    }
    Ok(host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(allow: &[&str]) -> Policy {
        Policy {
            allow: allow.iter().map(|text| text.parse().unwrap()).collect(),
            ports: vec![Ports::only(443)],
        }
    }

    #[test]
    fn strangers_are_called_at_public_https_addresses_only() {
        let policy = policy(&[]);
        for good in [
            "https://example.org",
            "https://EXAMPLE.org:443/a?b=c",
            "https://8.8.8.8/",
            "https://[2606:4700::1]/",
        ] {
            assert!(policy.target(good).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("http://example.org/", Unfit::Unencrypted),
            ("https://example.org:8443/", Unfit::Port),
            ("https://u:p@example.org/", Unfit::Credentials),
            ("https://example.org@127.0.0.1/", Unfit::Credentials),
            ("https://example.org/#a", Unfit::Fragment),
            ("https://127.0.0.1/", Unfit::Address),
            ("https://169.254.169.254/latest/meta-data", Unfit::Address),
            ("https://[::1]/", Unfit::Address),
            ("https://[::ffff:127.0.0.1]/", Unfit::Address),
            ("https://127.1/", Unfit::Malformed),
            ("https://2130706433/", Unfit::Malformed),
            ("https://0x7f.0.0.1/", Unfit::Malformed),
            ("https://0x7f000001/", Unfit::Malformed),
            ("https://0177.0.0.1/", Unfit::Malformed),
            ("https://127.0.0.1./", Unfit::Address),
            ("https://exa mple.org/", Unfit::Malformed),
            ("https://ex%61mple.org/", Unfit::Malformed),
            ("https://exämple.org/", Unfit::Malformed),
            ("https://example.org:0/", Unfit::Malformed),
            ("https://example.org:x/", Unfit::Malformed),
            ("https:///", Unfit::Malformed),
            ("/hooks", Unfit::Malformed),
            ("ftp://example.org/", Unfit::Malformed),
            ("file:///etc/passwd", Unfit::Malformed),
            ("gopher://example.org/", Unfit::Malformed),
            ("", Unfit::Malformed),
        ] {
            assert_eq!(policy.target(bad), Err(why), "{bad}");
        }
    }

    #[test]
    fn names_of_one_domain_and_addresses_of_one_network_are_one_receiver() {
        let policy = policy(&[]);
        let receiver = |url: &str| policy.target(url).unwrap().receiver();
        let one = receiver("https://example.org/a");
        for same in [
            "https://EXAMPLE.org/",
            "https://a.example.org./b",
            "https://b.c.example.org/",
        ] {
            assert_eq!(receiver(same), one, "{same}");
        }
        for other in [
            "https://example.com/",
            "https://org/",
            "https://8.8.8.8/",
            "https://8.8.4.4/",
        ] {
            assert_ne!(receiver(other), one, "{other}");
        }
        assert_ne!(receiver("https://8.8.8.8/"), receiver("https://8.8.4.4/"));
        assert_eq!(
            receiver("https://[2606:4700::1]/"),
            receiver("https://[2606:4700::ffff:1]/")
        );
        assert_ne!(
            receiver("https://[2606:4700::1]/"),
            receiver("https://[2606:4700:1::1]/")
        );
    }

    #[test]
    fn what_the_operator_has_named_is_called() {
        let policy = policy(&["http://127.0.0.1:9000", "10.1.0.0/16", "hooks.internal"]);
        for good in [
            "http://127.0.0.1:9000/a",
            "https://10.1.2.3/",
            "https://hooks.internal/",
        ] {
            assert!(policy.target(good).is_ok(), "{good}");
        }
        for bad in [
            "http://127.0.0.1:9001/",
            "https://127.0.0.1:9000/",
            "https://10.2.0.1/",
            "http://hooks.internal/",
        ] {
            assert!(policy.target(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_an_operator_names_is_called_over_tls_or_on_this_machine() {
        for good in [
            "https://login.example.org/keys",
            "https://10.1.2.3:8443/keys?set=1",
            "http://127.0.0.1:8080/keys",
            "http://[::1]:8080/keys",
            "http://localhost/keys",
        ] {
            let policy = Policy::of_operator(good).unwrap();
            assert!(policy.target(good).is_ok(), "{good}");
            assert!(policy.target("https://other.example/").is_err());
        }
        for bad in ["http://login.example.org/keys", "http://10.1.2.3/keys"] {
            assert_eq!(Policy::of_operator(bad).err(), Some(Unfit::Unencrypted));
        }
        for bad in ["ftp://a/keys", "https://user@a/keys", "keys.json"] {
            assert_eq!(Policy::of_operator(bad).err(), Some(Unfit::Malformed));
        }
    }

    #[test]
    fn one_private_address_of_several_spoils_them_all() {
        let policy = policy(&[]);
        let target = policy.target("https://example.org/").unwrap();
        let found = |addresses: &[&str]| {
            let found = addresses.iter().map(|text| text.parse().unwrap()).collect();
            policy.all_of(&target, found).is_some()
        };
        assert!(found(&["8.8.8.8:443", "[2606:4700::1]:443"]));
        assert!(!found(&["8.8.8.8:443", "127.0.0.1:443"]));
    }
}
