//! The hosts, networks and ports that an operator allows webhooks to call, as settings state them.

use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A webhook target that is allowed although the general rules forbid it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exempt {
    /// `http://127.0.0.1:9000`: this scheme, host and port, whatever its address.
    Origin {
        scheme: String,
        host: String,
        port: u16,
    },
    /// `hooks.internal`: a host, whatever its address.
    Host(String),
    /// `10.0.0.0/8` or `10.1.2.3`: addresses.
    Network(Network),
}

/// All addresses with the same leading bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    /// Length of the prefix in bits.
    prefix: u8,
}

/// `443` or `8000-8999`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ports(RangeInclusive<u16>);

impl Network {
    pub const fn new(first: IpAddr, prefix: u8) -> Network {
        Network { first, prefix }
    }

    pub fn contains(&self, address: IpAddr) -> bool {
        let (first, other, width) = match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(other)) => {
                (first.to_bits().into(), other.to_bits().into(), 32)
            }
            (IpAddr::V6(first), IpAddr::V6(other)) => (first.to_bits(), other.to_bits(), 128),
            _ => return false,
        };
        let differing: u128 = first ^ other;
        let rest = u32::from(width - self.prefix.min(width));
        differing.checked_shr(rest).unwrap_or(0) == 0
    }
}

impl Ports {
    pub fn only(port: u16) -> Ports {
        Ports(port..=port)
    }

    pub fn contains(&self, port: u16) -> bool {
        self.0.contains(&port)
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Network, String> {
        let wrong = || format!("`{text}` is not a network; write one like 10.0.0.0/8 or fd00::/8");
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let first: IpAddr = address.parse().map_err(|_| wrong())?;
        let width = if first.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().map_err(|_| wrong())?,
            None => width,
        };
        if prefix > width {
            return Err(wrong());
        }
        Ok(Network { first, prefix })
    }
}

impl FromStr for Exempt {
    type Err = String;

    fn from_str(text: &str) -> Result<Exempt, String> {
        let wrong = || {
            format!(
                "`{text}` is not a webhook target; write an origin like http://127.0.0.1:9000, a host, or a network like 10.0.0.0/8"
            )
        };
        let text = text.to_ascii_lowercase();
        if let Some((scheme, authority)) = text.split_once("://") {
            return origin(scheme, authority).ok_or_else(wrong);
        }
        if let Ok(network) = text.parse() {
            return Ok(Exempt::Network(network));
        }
        match is_host(&text) {
            true => Ok(Exempt::Host(text)),
            false => Err(wrong()),
        }
    }
}

fn origin(scheme: &str, authority: &str) -> Option<Exempt> {
    let usual = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let colon = authority
        .rfind(':')
        .filter(|at| !authority.get(*at..).unwrap_or_default().contains(']'));
    let (host, port) = match colon.and_then(|at| authority.split_at_checked(at)) {
        Some((host, port)) => (host, port.get(1..)?.parse().ok()?),
        None => (authority, usual),
    };
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let is_address = address.is_some_and(|address| address.parse::<IpAddr>().is_ok());
    (is_address || is_host(host)).then(|| Exempt::Origin {
        scheme: scheme.to_owned(),
        host: address.unwrap_or(host).to_owned(),
        port,
    })
}

fn is_host(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    !text.is_empty() && text.bytes().all(is_letter)
}

impl FromStr for Ports {
    type Err = String;

    fn from_str(text: &str) -> Result<Ports, String> {
        let wrong = || {
            format!("`{text}` is not a port or a range of ports; write one like 443 or 8000-8999")
        };
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let first: u16 = first.parse().map_err(|_| wrong())?;
        let last: u16 = last.parse().map_err(|_| wrong())?;
        if first == 0 || last < first {
            return Err(wrong());
        }
        Ok(Ports(first..=last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_contains_what_begins_like_it() {
        let holds = |network: &str, address: &str| {
            let network: Network = network.parse().unwrap();
            network.contains(address.parse().unwrap())
        };
        assert!(holds("10.0.0.0/8", "10.255.0.1"));
        assert!(!holds("10.0.0.0/8", "11.0.0.0"));
        assert!(holds("0.0.0.0/0", "8.8.8.8"));
        assert!(!holds("0.0.0.0/0", "::1"));
        assert!(holds("fd00::/8", "fdab::1"));
        assert!(holds("::1", "::1") && !holds("::1", "::2"));
        for wrong in ["10.0.0.0/33", "10.0.0/8", "fd00::/129", ""] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn exemptions_are_origins_hosts_and_networks() {
        let of = |text: &str| text.parse::<Exempt>();
        let origin = |scheme: &str, host: &str, port| Exempt::Origin {
            scheme: scheme.into(),
            host: host.into(),
            port,
        };
        assert_eq!(
            of("http://127.0.0.1:9000"),
            Ok(origin("http", "127.0.0.1", 9000))
        );
        assert_eq!(
            of("https://Hooks.Example"),
            Ok(origin("https", "hooks.example", 443))
        );
        assert_eq!(of("http://[::1]:80"), Ok(origin("http", "::1", 80)));
        assert_eq!(of("https://[::1]"), Ok(origin("https", "::1", 443)));
        assert_eq!(
            of("hooks.internal"),
            Ok(Exempt::Host("hooks.internal".into()))
        );
        assert!(matches!(of("10.0.0.0/8"), Ok(Exempt::Network(_))));
        for wrong in [
            "",
            "ftp://a",
            "http://a/b",
            "http://a:b",
            "a b",
            "http://u@a",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ports_are_one_or_a_range() {
        let of = |text: &str| text.parse::<Ports>();
        assert!(of("443").unwrap().contains(443));
        assert!(of("8000-8999").unwrap().contains(8123));
        for wrong in ["", "0", "9-8", "65536", "a"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
