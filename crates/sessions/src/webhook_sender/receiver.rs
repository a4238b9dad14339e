//! Who receives webhooks: the same for all targets that one person can easily have, so that nobody gets a share of a node for
//! each name they make up.

use std::net::IpAddr;

use psl::Type;

/// The receiver of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Receiver {
    /// The domain that somebody has registered, or a network.
    pub name: String,
    /// The domain of the provider that lets strangers have names below its own, often for nothing.
    pub provider: Option<String>,
}

impl Receiver {
    /// Returns the receiver at a host, which is a name or an address.
    pub fn of(host: &str) -> Receiver {
        match host.parse() {
            Ok(address) => Receiver {
                name: network(address),
                provider: None,
            },
            Err(_) => Receiver {
                name: psl::domain_str(host).unwrap_or(host).to_owned(),
                provider: provider(host),
            },
        }
    }
}

fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// Below `co.uk`, a registry registers domains. Below `github.io`, somebody does who has registered that one.
fn provider(host: &str) -> Option<String> {
    let suffix = psl::suffix(host.as_bytes())?;
    let is_private = suffix.typ() == Some(Type::Private);
    let text = is_private.then(|| psl::suffix_str(host)).flatten();
    text.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receiver(host: &str) -> (String, Option<String>) {
        let Receiver { name, provider } = Receiver::of(host);
        (name, provider)
    }

    #[test]
    fn names_below_a_registered_domain_are_one_receiver() {
        for (host, name) in [
            ("example.org", "example.org"),
            ("a.b.example.org", "example.org"),
            ("a.co.uk", "a.co.uk"),
            ("hooks.b.co.uk", "b.co.uk"),
            ("games.school.nz", "games.school.nz"),
            ("shop.example.com.au", "example.com.au"),
            // Names of no list, such as those of a company's own network.
            ("a.hooks.internal", "hooks.internal"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(receiver(host), (name.to_owned(), None), "{host}");
        }
    }

    #[test]
    fn customers_of_a_provider_are_told_apart_and_have_it_in_common() {
        for (host, name, provider) in [
            ("alice.github.io", "alice.github.io", "github.io"),
            ("x.bob.duckdns.org", "bob.duckdns.org", "duckdns.org"),
            ("duckdns.org", "duckdns.org", "duckdns.org"),
        ] {
            let expected = (name.to_owned(), Some(provider.to_owned()));
            assert_eq!(receiver(host), expected, "{host}");
        }
    }
}
