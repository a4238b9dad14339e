//! The table of checks. A new check is a row.

use std::fs::Metadata;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use super::super::{Stop, serve, telemetry};
use super::Finding;
use super::patient::{OpenStore, Patient};
use crate::api;
use crate::rules::Library;
use crate::session::webhook_sender::Exempt;
use crate::store::Durability;
use crate::surroundings::now_ms;

pub struct Check {
    pub name: &'static str,
    pub look: fn(&Patient) -> Finding,
}

const fn check(name: &'static str, look: fn(&Patient) -> Finding) -> Check {
    Check { name, look }
}

/// Every check, in the order of the report.
pub const CHECKS: [Check; 10] = [
    check("version", version),
    check("settings", settings),
    check("rules", rules),
    check("address", address),
    check("keys", keys),
    check("store", store),
    check("file", file),
    check("clock", clock),
    check("streams", open_files),
    check("webhooks", webhooks),
];

/// With fewer open files, hundreds of watchers fill them.
const FILES_MIN: u64 = 4096;
/// Clocks that differ by more show in the deadlines of players.
const SKEW_MAX_MS: u64 = 500;
const PATIENCE: Duration = Duration::from_secs(3);

fn version(patient: &Patient) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    let (arch, system) = (std::env::consts::ARCH, std::env::consts::OS);
    match &patient.server {
        Some(server) if server.version != own => Finding::warning(
            format!(
                "this is wyrmgate {own}, and the server that runs is {}",
                server.version
            ),
            "restart the server with this version, or use the program of the server",
        ),
        Some(_) => Finding::ok(format!(
            "wyrmgate {own} for {arch} {system}, as the server that runs"
        )),
        None => Finding::ok(format!(
            "wyrmgate {own} for {arch} {system}; no server runs at {}",
            patient.config.listen
        )),
    }
}

fn settings(patient: &Patient) -> Finding {
    let level = telemetry::refuse_unknown_levels(&patient.config.log);
    let unread = serve::unread_variables();
    let slip = unread.iter().find_map(|variable| {
        let meant = variable.meant.as_ref()?;
        Some((
            format!("there is no variable `{}`", variable.name),
            format!("did you mean `{meant}`?"),
        ))
    });
    match (&patient.unreadable, level, slip) {
        (Some(why), ..) => Finding::failure(
            why,
            "correct the settings file; the checks below leave it out",
        ),
        (None, Err(Stop::Usage(why) | Stop::Failure(why)), _) => {
            Finding::failure(why, "write one of these, or leave the setting out")
        }
        (None, _, Some((found, advice))) => Finding::failure(found, advice),
        (None, _, None) if !unread.is_empty() => {
            let names: Vec<&str> = unread.iter().map(|variable| &*variable.name).collect();
            Finding::warning(
                format!("nothing reads {}", names.join(", ")),
                "unset them, or see docs/operation.md for the names of all settings",
            )
        }
        (None, _, None) => Finding::ok("every setting can be read"),
    }
}

fn rules(patient: &Patient) -> Finding {
    let folder = patient.config.rules.display();
    match Library::read(&patient.config.rules) {
        Err(error) => Finding::failure(
            format!("cannot read the rules in `{folder}`: {error}"),
            "name their folder with `--rules` or `WYRMGATE_RULES`",
        ),
        Ok((_, broken)) if !broken.is_empty() => {
            let names: Vec<&str> = broken.iter().map(|broken| &*broken.name).collect();
            Finding::warning(
                format!("{} in `{folder}` have errors", names.join(", ")),
                format!("run `wyrmgate check {folder}`"),
            )
        }
        Ok((library, _)) => match library.games().len() {
            0 => Finding::failure(
                format!("`{folder}` has no game"),
                "name another folder with `--rules`",
            ),
            games => Finding::ok(format!("{games} games in `{folder}`")),
        },
    }
}

fn address(patient: &Patient) -> Finding {
    let config = &patient.config;
    let listen = &config.listen;
    if let Some(server) = &patient.server {
        return match server.is_ready {
            true => Finding::ok(format!("the server at {listen} is ready")),
            false => Finding::failure(
                format!("the server at {listen} is not ready"),
                "its log says why; most often, it is the store",
            ),
        };
    }
    match TcpListener::bind(listen).and_then(|listener| listener.local_addr()) {
        Err(error) => Finding::failure(
            format!("cannot listen on {listen}: {error}"),
            "choose another `--listen`",
        ),
        Ok(bound) if bound.ip().is_loopback() => {
            Finding::ok(format!("{listen} is free, for this machine only"))
        }
        Ok(_) if config.credentials.keys.is_none() && !config.open => Finding::failure(
            format!("other machines reach {listen}, and there are no keys"),
            "add `--keys FILE`, or `--open` to let everyone create sessions",
        ),
        Ok(_) if config.open => Finding::warning(
            format!("whoever reaches {listen} may create sessions"),
            "that is what `--open` says; with `--keys`, it takes a key",
        ),
        Ok(_) => Finding::ok(format!("{listen} is free")),
    }
}

fn keys(patient: &Patient) -> Finding {
    let files = &patient.config.credentials;
    if let Err(error) = api::check_credentials(files) {
        return Finding::failure(
            error,
            "correct the file; until then, none of its entries is valid",
        );
    }
    let named: Vec<&Path> = [&files.keys, &files.issuers]
        .into_iter()
        .flatten()
        .map(|file| &**file)
        .collect();
    let is_open = |file: &&&Path| mode(file).is_some_and(|mode| mode & 0o022 != 0);
    match (named.is_empty(), named.iter().find(is_open)) {
        (true, _) => Finding::ok("no keys and no issuers are configured"),
        (false, Some(file)) => Finding::warning(
            format!("others can write `{}`", file.display()),
            format!("chmod 640 {}", file.display()),
        ),
        (false, None) => Finding::ok("the files can be read"),
    }
}

fn store(patient: &Patient) -> Finding {
    let weak = "sessions are lost with the process; docs/storage.md says what keeps them";
    match &patient.store {
        Err(error) => Finding::failure(
            error,
            "see docs/storage.md; nothing can be played without the store",
        ),
        Ok(OpenStore::InUse) => Finding::ok("the server has opened it"),
        Ok(OpenStore::File) => Finding::ok("the file has the format of this version"),
        Ok(OpenStore::New) => Finding::ok("there is no file yet; the server creates it"),
        Ok(OpenStore::Opened { facts, durability }) => match durability {
            Durability::Memory => {
                Finding::warning(format!("{}, durability {durability}", facts.version), weak)
            }
            Durability::Local | Durability::Fsync | Durability::Replicated => Finding::ok(format!(
                "{}, durability {durability}, can be written",
                facts.version
            )),
        },
    }
}

fn file(patient: &Patient) -> Finding {
    let Some(path) = patient.file() else {
        return Finding::ok("the store has no file here");
    };
    let name = path.display();
    let Ok(found) = path.metadata() else {
        let folder = path
            .parent()
            .filter(|folder| *folder != Path::new(""))
            .unwrap_or(Path::new("."));
        return match folder.metadata() {
            Ok(found) if found.permissions().readonly() => Finding::failure(
                format!("cannot write to `{}`", folder.display()),
                "choose another `--store`",
            ),
            Ok(_) => Finding::ok(format!("`{name}` can be created")),
            Err(_) => Finding::warning(
                format!("there is no folder `{}`", folder.display()),
                "the server creates it; check that the path is right",
            ),
        };
    };
    match mode(path) {
        _ if found.permissions().readonly() => Finding::failure(
            format!("`{name}` cannot be written"),
            format!("chmod 600 {name}"),
        ),
        Some(mode) if mode & 0o077 != 0 => Finding::warning(
            format!("others can open `{name}`, which holds seeds and hands (mode {mode:03o})"),
            format!("chmod 600 {name}"),
        ),
        Some(_) | None => Finding::ok(format!(
            "`{name}` belongs to its owner, {} bytes",
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

fn clock(patient: &Patient) -> Finding {
    let written = || {
        patient
            .file()?
            .metadata()
            .and_then(|found: Metadata| found.modified())
            .ok()
    };
    let written = written().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let written = written.and_then(|at| u64::try_from(at.as_millis()).ok());
    let (now, advice) = (
        now_ms(),
        "set both clocks by NTP: deadlines and expiry follow them",
    );
    match (&patient.store, written) {
        (Ok(OpenStore::Opened { facts, .. }), _) => match facts.clock_ms.abs_diff(now) {
            skew if skew > SKEW_MAX_MS => Finding::warning(
                format!("the clock of the store differs by {skew} ms from ours"),
                advice,
            ),
            skew => Finding::ok(format!("the store's differs by {skew} ms from ours")),
        },
        (_, Some(at)) if at > now.saturating_add(SKEW_MAX_MS) => Finding::warning(
            format!(
                "the file was written {} ms in the future",
                at.saturating_sub(now)
            ),
            advice,
        ),
        (Err(_), _) => Finding::ok("not compared, because the store cannot be opened"),
        (Ok(_), _) => Finding::ok("the store has ours"),
    }
}

fn open_files(_: &Patient) -> Finding {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let row = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let limit = row
        .and_then(|row| row.split_whitespace().next())
        .and_then(|soft| soft.parse::<u64>().ok());
    match limit {
        Some(limit) if limit < FILES_MIN => Finding::warning(
            format!("{limit} files may be open, and every stream is one"),
            "raise it with `ulimit -n 65536`, or `LimitNOFILE=` of the unit",
        ),
        Some(limit) => Finding::ok(format!("{limit} files may be open")),
        None => Finding::ok("the limit of open files is not known on this system"),
    }
}

fn webhooks(patient: &Patient) -> Finding {
    let config = &patient.config;
    if !config.webhooks {
        return Finding::ok("webhooks are off");
    }
    if let Err(error) = api::check_webhooks(config) {
        return Finding::failure(error, "the server does not start like this");
    }
    let origins = config
        .webhook_allow
        .iter()
        .filter_map(|allowed| match allowed {
            Exempt::Origin { host, port, .. } => Some((host.as_str(), *port)),
            Exempt::Host(_) | Exempt::Network(_) => None,
        });
    let silent: Vec<String> = origins
        .filter(|(host, port)| !answers(host, *port))
        .map(|(host, port)| format!("{host}:{port}"))
        .collect();
    match (silent.is_empty(), &config.public_url) {
        (false, _) => Finding::warning(
            format!("nobody listens at {}", silent.join(", ")),
            "start the receivers, or correct `--webhook-allow`",
        ),
        (true, None) => Finding::warning("links in webhooks are relative", "set `--public-url`"),
        (true, Some(_)) => Finding::ok("the receivers of `--webhook-allow` can be reached"),
    }
}

fn answers(host: &str, port: u16) -> bool {
    let addresses = (host, port).to_socket_addrs();
    let mut addresses = addresses.into_iter().flatten();
    addresses.any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok())
}
