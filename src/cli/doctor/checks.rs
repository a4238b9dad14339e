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
    let own = env!("CARGO_PKG_VERSION");
    match &patient.running {
        Some(other) if other != own => warning(format!("{own}; {other} is running"), "restart it"),
        Some(_) | None => well(own),
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
    let check = format!("wyrmgate check {folder}");
    match Library::read(&patient.config.rules) {
        Err(error) => failure(format!("`{folder}`: {error}"), "correct `--rules`"),
        Ok((_, broken)) if !broken.is_empty() => warning("some games have errors", check),
        Ok((library, _)) => well(format!("{} games", library.games().len())),
    }
}

fn keys(patient: &Patient) -> Diagnosis {
    match api::check_credentials(&patient.config.credentials) {
        Err(error) => failure(error, "correct the file: until then, no entry is valid"),
        Ok(()) => well("the files of keys and issuers, if any, can be read"),
    }
}

fn store(patient: &Patient) -> Diagnosis {
    let advice = "see docs/storage.md";
    match &patient.store {
        Err(error) => failure(error, advice),
        Ok(look) if look.is_weak => warning(&look.found, advice),
        Ok(look) => well(&look.found),
    }
}

fn file(patient: &Patient) -> Diagnosis {
    let Some(path) = patient.file() else {
        return well("the store has no file here");
    };
    let (name, mode) = (path.display(), mode(path).unwrap_or(0o600));
    let found = format!("`{name}`, which holds seeds, has mode {mode:03o}");
    let advice = format!("chmod 600 {name}");
    match path.metadata() {
        Err(_) => well(format!("`{name}` does not exist yet")),
        Ok(of) if of.permissions().readonly() => failure(found, advice),
        Ok(_) if mode & 0o077 != 0 => warning(found, advice),
        Ok(_) => well(found),
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
    let skew = patient.store.as_ref().map(|look| look.ahead_ms);
    match skew {
        Err(_) => well("not compared, because the store cannot be opened"),
        Ok(skew) if skew <= SKEW_MAX_MS => well("the store's agrees with ours"),
        Ok(skew) => warning(
            format!("the store's differs by {skew} ms"),
            "set both by NTP",
        ),
    }
}

fn open_files(_: &Patient) -> Diagnosis {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let mut rows = limits.lines();
    let row = rows.find_map(|row| row.strip_prefix("Max open files"));
    let soft = row.and_then(|row| row.split_whitespace().next()?.parse::<u64>().ok());
    match soft {
        Some(few) if few < FILES_MIN => warning(format!("{few} at most"), "ulimit -n 65536"),
        Some(files) => well(format!("{files} files may be open; each is one")),
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
    let mut allowed = config.webhook_allow.iter();
    let silent = allowed.find_map(|allowed| match allowed {
        Exempt::Origin { host, port, .. } => silent(host, *port),
        Exempt::Host(_) | Exempt::Network(_) => None,
    });
    match silent {
        Some(silent) => warning(format!("nobody listens at {silent}"), "start it"),
        None => well("all origins of `--webhook-allow` answer"),
    }
}

/// Returns the address if nobody listens there.
fn silent(host: &str, port: u16) -> Option<String> {
    let mut addresses = (host, port).to_socket_addrs().into_iter().flatten();
    let answers = addresses.any(|at| TcpStream::connect_timeout(&at, PATIENCE).is_ok());
    (!answers).then(|| format!("{host}:{port}"))
}
