//! The names under which a server without keys answers.
//!
//! Such a server trusts every client of its machine, and browsers there open pages of anybody. A page can give its own host
//! name the address of this machine (DNS rebinding); for the browser, the server then belongs to the page, which may read
//! everything. Only the header `Host` tells such requests apart: it has the page's name.

use std::net::IpAddr;

use actix_web::http::header::{HOST, HeaderMap};

use crate::api::request::context::App;

/// Returns whether a request was sent to a name that strangers cannot give to this machine: an address, a name without a dot,
/// a local name, or one that the operator has configured. Behind a proxy, and with keys, any name will do.
pub fn is_ours(app: &App, headers: &HeaderMap) -> bool {
    let config = &app.config;
    if app.keys.is_some() || config.open || config.proxies > 0 {
        return true;
    }
    let host = headers.get(HOST).map(|host| host.to_str());
    let Some(host) = host else {
        return true; // no browser
    };
    let host = name_of(host.unwrap_or_default());
    let configured = config.allow_origins.iter().chain(&config.public_url);
    let mut configured = configured.filter_map(|origin| origin.0.split_once("://"));
    is_local(host) || configured.any(|(_, authority)| name_of(authority).eq_ignore_ascii_case(host))
}

/// Returns the host of an authority such as `localhost:8080` or `[::1]:8080`.
fn name_of(authority: &str) -> &str {
    let inner = authority
        .strip_prefix('[')
        .and_then(|it| it.split_once(']'));
    let name = match inner {
        Some((address, _)) => address,
        None => authority.split(':').next().unwrap_or_default(),
    };
    name.strip_suffix('.').unwrap_or(name)
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
        for ours in [
            "127.0.0.1:8080",
            "127.0.0.1",
            "[::1]:8080",
            "localhost",
            "localhost:8080",
            "LOCALHOST.",
            "games",
            "games:80",
            "my.localhost",
            "box.local:8080",
            "",
        ] {
            assert!(is_local(name_of(ours)), "{ours}");
        }
        for other in [
            "evil.example",
            "evil.example:8080",
            "evil.example.",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "a.local.example:80",
        ] {
            assert!(!is_local(name_of(other)), "{other}");
        }
    }
}
