//! The names under which a server without keys answers.
//!
//! Such a server trusts every client of its machine, and browsers there open pages of anybody. A page can give its own host
//! name the address of this machine (DNS rebinding); for the browser, the server then belongs to the page, which may read
//! everything. Only the header `Host` tells such requests apart: it has the page's name.

use std::net::{IpAddr, Ipv6Addr};

use actix_web::http::header::{HOST, HeaderMap};

use crate::api::request::app::App;

/// Returns whether a request was sent to a name that strangers cannot give to this machine: an address, a name without a dot,
/// a local name, or one that the operator has configured. Behind a proxy, and with keys, any name will do.
pub fn is_ours(app: &App, headers: &HeaderMap) -> bool {
    let config = &app.config;
    if app.keys.is_some() || config.open || config.proxies > 0 {
        return true;
    }
    let mut hosts = headers
        .get_all(HOST)
        .map(|host| host.to_str().ok().and_then(name_of));
    let host = match (hosts.next(), hosts.next()) {
        (None, _) => return true, // no browser
        (Some(Some(host)), None) => host,
        (Some(_), _) => return false,
    };
    let configured = config.allow_origins.iter().chain(&config.pages.public_url);
    let configured = configured.filter_map(|origin| origin.0.split_once("://"));
    let mut configured = configured.filter_map(|(_, authority)| name_of(authority));
    is_local(host) || configured.any(|name| name.eq_ignore_ascii_case(host))
}

/// Returns the host of an authority such as `localhost:8080` or `[::1]:8080`, and nothing for a text of another form: what
/// is read leniently here may be read in another way by a browser.
fn name_of(authority: &str) -> Option<&str> {
    let (name, rest) = match authority.strip_prefix('[') {
        Some(inner) => {
            let (address, rest) = inner.split_once(']')?;
            address.parse::<Ipv6Addr>().ok()?;
            (address, rest)
        }
        None => {
            let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            let (name, rest) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
            name.bytes().all(is_of_name).then_some(())?;
            (name, rest)
        }
    };
    let port = rest.strip_prefix(':').unwrap_or(rest);
    let is_port = rest.len() <= 6 && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_port && (rest.is_empty() || rest.starts_with(':'))).then_some(())?;
    Some(name.strip_suffix('.').unwrap_or(name))
}

fn is_local(name: &str) -> bool {
    let ends_in = |end: &&[u8]| {
        let tail = name.len().checked_sub(end.len());
        let tail = tail.and_then(|from| name.as_bytes().get(from..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    let ends: [&[u8]; 2] = [b".localhost", b".local"];
    !name.contains('.') || name.parse::<IpAddr>().is_ok() || ends.iter().any(ends_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_strangers_cannot_have_are_local() {
        let is_ours = |authority| name_of(authority).is_some_and(is_local);
        for ours in [
            "127.0.0.1:8080",
            "127.0.0.1",
            "[::1]:8080",
            "[::1]",
            "[::ffff:127.0.0.1]:80",
            "localhost",
            "localhost:8080",
            "localhost:",
            "LOCALHOST.",
            "games",
            "games:80",
            "my_games:80",
            "my.localhost",
            "box.local:8080",
            "",
        ] {
            assert!(is_ours(ours), "{ours}");
        }
        for other in [
            "evil.example",
            "evil.example:8080",
            "evil.example.",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "a.local.example:80",
            "[::1].evil.example",
            "[::1]evil.example:80",
            "[::1",
            "[::1]]",
            "[]",
            "[localhost]",
            "[evil.example]",
            "[::1%25lo]",
            "::1",
            "localhost:80.evil.example",
            "localhost:80:80",
            "localhost:+80",
            "localhost:123456",
            "localhost@evil.example",
            "evil.example@localhost",
            "localhost/evil.example",
            "localhost, evil.example",
            "localhost evil.example",
            "local%68ost",
            "evil.example\\.localhost",
        ] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
