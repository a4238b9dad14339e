//! Addresses outside the public internet, which a webhook of a session owner must not reach.
//!
//! The list follows IANA's special-purpose address registries. For IPv6, only addresses allocated to the public
//! internet count as public, minus those that represent something else. An address that embeds another one (mapped,
//! 6to4, Teredo, NAT64) is never public, because it would be a second route to a private address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::allowed::Network;

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Network {
    Network::new(IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix)
}

const fn v6(a: u16, b: u16, prefix: u8) -> Network {
    Network::new(IpAddr::V6(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0)), prefix)
}

/// Networks of IPv4 that are not public, and the reason.
const NOT_PUBLIC: [(Network, &str); 16] = [
    (v4(0, 0, 0, 0, 8), "this network"),
    (v4(10, 0, 0, 0, 8), "private"),
    (
        v4(100, 64, 0, 0, 10),
        "shared address space of a provider (CGNAT)",
    ),
    (v4(127, 0, 0, 0, 8), "loopback"),
    (v4(168, 63, 129, 16, 32), "cloud metadata"),
    (v4(169, 254, 0, 0, 16), "link-local; cloud metadata"),
    (v4(172, 16, 0, 0, 12), "private"),
    (v4(192, 0, 0, 0, 24), "protocols"),
    (v4(192, 0, 2, 0, 24), "documentation"),
    (v4(192, 88, 99, 0, 24), "6to4 relays"),
    (v4(192, 168, 0, 0, 16), "private"),
    (v4(198, 18, 0, 0, 15), "benchmarking"),
    (v4(198, 51, 100, 0, 24), "documentation"),
    (v4(203, 0, 113, 0, 24), "documentation"),
    (v4(224, 0, 0, 0, 4), "multicast"),
    (v4(240, 0, 0, 0, 4), "reserved; broadcast"),
];

/// The IPv6 block allocated to the public internet.
const GLOBAL: Network = v6(0x2000, 0, 3);

/// Networks within that block that are not public, and the reason.
const NOT_GLOBAL: [(Network, &str); 4] = [
    (v6(0x2001, 0, 23), "IETF protocols; Teredo"),
    (v6(0x2001, 0xdb8, 32), "documentation"),
    (v6(0x2002, 0, 16), "6to4: embeds an IPv4 address"),
    (v6(0x3fff, 0, 20), "documentation"),
];

/// Returns whether this is an address of the public internet.
pub fn is_public(address: IpAddr) -> bool {
    let is_in = |table: &[(Network, &str)]| table.iter().any(|(of, _)| of.contains(address));
    match address {
        IpAddr::V4(_) => !is_in(&NOT_PUBLIC),
        IpAddr::V6(_) => GLOBAL.contains(address) && !is_in(&NOT_GLOBAL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSED: &str = "
        0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
        168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.0.192 192.0.2.1 192.88.99.1
        192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
        :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1
        2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1
        fec0::1 ff02::1 ff0e::1";

    const CALLED: &str = "
        1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 128.0.0.1 168.63.129.17 172.15.255.255 172.32.0.1
        192.0.1.1 192.167.1.1 198.17.1.1 198.20.0.1 223.255.255.255 2001:200::1 2001:4860:4860::8888 2606:4700::1111
        2a00:1450::1 3ffe:ffff::1";

    fn addresses(text: &str) -> impl Iterator<Item = IpAddr> {
        text.split_whitespace().map(|text| text.parse().unwrap())
    }

    #[test]
    fn what_is_not_on_the_public_internet_is_not_called() {
        for address in addresses(REFUSED) {
            assert!(!is_public(address), "{address}");
        }
    }

    #[test]
    fn what_is_on_the_public_internet_is_called() {
        for address in addresses(CALLED) {
            assert!(is_public(address), "{address}");
        }
    }
}
