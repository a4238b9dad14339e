//! The client that a request comes from.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::http::header::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client of requests whose proxies name none that can be read. They share a limit, because nothing tells them apart.
const UNREADABLE: Client = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// A client address. For IPv6, the network prefix, because a household has a whole network.
pub type Client = IpAddr;

/// Returns the address of the client: the peer, or the address that the outermost trusted proxy saw. Clients choose what
/// comes before that address, in the same header, so bytes that are not text must not make it unreadable.
pub fn client_of(peer: Option<SocketAddr>, headers: &HeaderMap, proxies: usize) -> Option<IpAddr> {
    let peer = peer.map(|peer| peer.ip());
    let Some(back) = proxies.checked_sub(1) else {
        return peer;
    };
    let forwarded = headers.get_all(FORWARDED_FOR);
    let seen = forwarded.flat_map(|header| header.as_bytes().split(|byte| *byte == b','));
    let seen: Vec<&[u8]> = seen.collect();
    if seen.is_empty() {
        return peer;
    }
    let address = seen.iter().rev().nth(back).and_then(|text| address(text));
    Some(address.unwrap_or(UNREADABLE))
}

/// Parses an address as proxies write it, some of them with a port.
fn address(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let with_port = || text.parse().ok().map(|of: SocketAddr| of.ip());
    text.parse().ok().or_else(with_port)
}

/// Returns the client that an address belongs to: for IPv6, its network.
pub fn network(address: IpAddr) -> Client {
    match address {
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None if v6.is_loopback() => address,
            None => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
        },
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    #[test]
    fn a_client_cannot_hide_what_a_proxy_says_of_it() {
        let peer = SocketAddr::from(([127, 0, 0, 1], 4000));
        let of = |headers: &[&[u8]], proxies| {
            let mut all = HeaderMap::new();
            for header in headers {
                let value = HeaderValue::from_bytes(header).unwrap();
                all.append(HeaderName::from_static(FORWARDED_FOR), value);
            }
            client_of(Some(peer), &all, proxies).unwrap()
        };
        let client = IpAddr::from([203, 0, 113, 7]);
        for headers in [
            &[&b"203.0.113.7"[..]][..],
            &[b"127.0.0.1, 203.0.113.7"],
            &[b"\xff\xfe, 203.0.113.7"],
            &[b"\xff", b"203.0.113.7"],
            &[b"203.0.113.7:50123"],
        ] {
            assert_eq!(of(headers, 1), client, "{headers:?}");
        }
        assert_eq!(of(&[b"203.0.113.7, 10.0.0.1"], 2), client);
        // Too few proxies, or nothing that is an address: never taken for this machine, which has no limit.
        assert_eq!(of(&[b"203.0.113.7"], 2), UNREADABLE);
        assert_eq!(of(&[b"unknown"], 1), UNREADABLE);
        assert_eq!(of(&[], 1), peer.ip());
        assert_eq!(of(&[b"203.0.113.7"], 0), peer.ip());
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let one = network("2001:db8::1".parse().unwrap());
        assert_eq!(one, network("2001:db8::ffff:2".parse().unwrap()));
        assert_eq!(
            network("::ffff:10.0.0.1".parse().unwrap()),
            IpAddr::from([10, 0, 0, 1])
        );
    }
}
