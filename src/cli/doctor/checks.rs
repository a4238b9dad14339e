//! The table of checks. A new check is a row.

use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use super::super::{Stop, serve, telemetry};
use super::finding::{Diagnosis, failure, warning, well};
use super::patient::Patient;
use crate::api;
use crate::rules::Library;
use crate::session::webhook_sender::Exempt;
use crate::store::Durability;

type Look = fn(&Patient) -> Diagnosis;

/// Every check with its name, in the order of the report.
pub const CHECKS: [(&str, Look); 9] = [
    ("version", version),
    ("settings", settings),
    ("rules", rules),
    ("keys", keys),
    ("store", store),
    ("file", file),
    ("clock", clock),
    ("streams", open_files),
    ("webhooks", webhooks),
];

/// With fewer open files, hundreds of watchers fill them.
const FILES_MIN: u64 = 4096;
/// Clocks that differ by more show in the deadlines of players.
const SKEW_MAX_MS: u64 = 500;
const PATIENCE: Duration = Duration::from_secs(3);

fn version(patient: &Patient) -> Diagnosis {
    let own = format!("this is wyrmgate {}", env!("CARGO_PKG_VERSION"));
    match &patient.running {
        None => well(format!(
            "{own}, and no server runs at {}",
            patient.config.listen
        )),
        Some(other) if other == env!("CARGO_PKG_VERSION") => {
            well(format!("{own}, like the server that runs"))
        }
        Some(other) => warning(
            format!("{own}, and the server that runs is {other}"),
            "restart the server",
        ),
    }
}

fn settings(patient: &Patient) -> Diagnosis {
    if let Some(why) = &patient.unreadable {
        return failure(why, "correct the file; the checks below leave it out");
    }
    if let Err(Stop::Usage(why)) = telemetry::refuse_unknown_levels(&patient.config.log) {
        return failure(why, "write one of these, or leave the setting out");
    }
    let unread = serve::unread_variables();
    let names: Vec<&str> = unread.iter().map(|(name, _)| &**name).collect();
    let found = format!("nothing reads {}", names.join(", "));
    match unread.iter().find_map(|(_, meant)| meant.as_ref()) {
        Some(meant) => failure(found, format!("did you mean `{meant}`?")),
        None if unread.is_empty() => well("every setting can be read"),
        None => warning(found, "unset them; docs/operation.md lists all settings"),
    }
}

fn rules(patient: &Patient) -> Diagnosis {
    let folder = patient.config.rules.display();
    match Library::read(&patient.config.rules) {
        Err(error) => failure(
            format!("cannot read `{folder}`: {error}"),
            "name another folder with `--rules`",
        ),
        Ok((library, broken)) => match (library.games().len(), broken.len()) {
            (games, 0) => well(format!("{games} games in `{folder}`")),
            (_, broken) => warning(
                format!("{broken} games have errors"),
                format!("run `wyrmgate check {folder}`"),
            ),
        },
    }
}

fn keys(patient: &Patient) -> Diagnosis {
    match api::check_credentials(&patient.config.credentials) {
        Err(error) => failure(error, "correct the file: until then, no entry is valid"),
        Ok(()) => well("the files of keys and issuers, if any, can be read"),
    }
}

fn store(patient: &Patient) -> Diagnosis {
    match &patient.store {
        Err(error) => failure(
            error,
            "nothing can be played without it; see docs/storage.md",
        ),
        Ok(look) if look.durability == Some(Durability::Memory) => warning(
            &look.found,
            "sessions are lost with the process; see docs/storage.md",
        ),
        Ok(look) => well(&look.found),
    }
}

fn file(patient: &Patient) -> Diagnosis {
    let Some(path) = patient.file() else {
        return well("the store has no file here");
    };
    let name = path.display();
    match (path.metadata(), mode(path)) {
        (Err(_), _) => well(format!("`{name}` does not exist yet")),
        (Ok(found), _) if found.permissions().readonly() => failure(
            format!("`{name}` cannot be written"),
            format!("chmod 600 {name}"),
        ),
        (Ok(_), Some(mode)) if mode & 0o077 != 0 => warning(
            format!("others can open `{name}`, which holds seeds ({mode:03o})"),
            format!("chmod 600 {name}"),
        ),
        (Ok(found), _) => well(format!(
            "`{name}` is its owner's alone, {} bytes",
            found.len()
        )),
    }
}

#[cfg(unix)]
fn mode(file: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(file.metadata().ok()?.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<u32> {
    None
}

fn clock(patient: &Patient) -> Diagnosis {
    match &patient.store {
        Err(_) => well("not compared, because the store cannot be opened"),
        Ok(look) if look.ahead_ms <= SKEW_MAX_MS => well("the store's agrees with ours"),
        Ok(look) => warning(
            format!("the store's is {} ms away from ours", look.ahead_ms),
            "set both by NTP",
        ),
    }
}

fn open_files(_: &Patient) -> Diagnosis {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let row = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let soft = row.and_then(|row| row.split_whitespace().next()?.parse::<u64>().ok());
    match soft {
        Some(files) if files < FILES_MIN => warning(
            format!("{files} files may be open; every stream is one"),
            "raise it: `ulimit -n 65536`, `LimitNOFILE=`",
        ),
        Some(files) => well(format!("{files} files may be open")),
        None => well("the limit of open files is not known on this system"),
    }
}

fn webhooks(patient: &Patient) -> Diagnosis {
    let config = &patient.config;
    if !config.webhooks {
        return well("webhooks are off");
    }
    if let Err(error) = api::check_webhooks(config) {
        return failure(error, "the server does not send webhooks like this");
    }
    let silent = config
        .webhook_allow
        .iter()
        .find_map(|allowed| match allowed {
            Exempt::Origin { host, port, .. } if !answers(host, *port) => {
                Some(format!("{host}:{port}"))
            }
            Exempt::Origin { .. } | Exempt::Host(_) | Exempt::Network(_) => None,
        });
    match (silent, &config.public_url) {
        (Some(silent), _) => warning(
            format!("nobody listens at {silent}"),
            "start it, or correct `--webhook-allow`",
        ),
        (None, None) => warning("links in webhooks are relative", "set `--public-url`"),
        (None, Some(_)) => well("whoever `--webhook-allow` names as an origin listens"),
    }
}

fn answers(host: &str, port: u16) -> bool {
    let mut addresses = (host, port).to_socket_addrs().into_iter().flatten();
    addresses.any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok())
}
