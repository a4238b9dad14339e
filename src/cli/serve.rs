//! `wyrmgate serve`: runs the service.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Arg, CommandFactory, FromArgMatches};

use super::setup::complain_of;
use super::{Cli, Stop, Verdict, telemetry};
use crate::api::{self, RunningService};
use crate::config::{Config, SettingsFile};
use crate::diagnostic::did_you_mean;

const EXAMPLES: &str = "\
Examples:
  wyrmgate serve
  wyrmgate serve --listen 127.0.0.1:9000 --rules my-rules
  wyrmgate serve --store memory
  wyrmgate serve --config wyrmgate.yaml --log info
  wyrmgate serve --webhooks --webhook-allow http://127.0.0.1:9000
  WYRMGATE_STORE=redis://127.0.0.1/ wyrmgate serve
  wyrmgate serve --store redis+sentinel://10.0.0.5:26379,10.0.0.6:26379/games
  wyrmgate serve --store 'redis+cluster://10.0.0.5:6379,10.0.0.6:6379?durability=replicated'

A flag overrides its environment variable, the variable overrides the file, and the file overrides the default. The \
YAML file uses the names of the flags, with `_` for `-`; docs/operation.md lists all settings. Ctrl-C or SIGTERM stops \
the server after it has answered running requests, within three seconds.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, mut_args(with_variable))]
pub struct Args {
    /// YAML file with settings
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    pub(super) settings: Config,
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    refuse_misspelled_variables()?;
    let config = settings(args, "serve")?;
    let _telling = telemetry::start(&config)?;
    api::serve(config, announce).map_err(Stop::failure)?;
    Ok(Verdict::Good)
}

/// The prefix of our variables.
const OURS: &str = "WYRMGATE_";

/// Reads the variable with the name of the setting, too.
fn with_variable(setting: Arg) -> Arg {
    let variable = format!("{OURS}{}", setting.get_id().as_str().to_uppercase());
    setting.env(variable)
}

/// Returns the variables with our prefix that nothing reads, each with the one that is nearly the same. Kubernetes sets some of
/// its own for a service of our name.
pub(super) fn unread_variables() -> Vec<(String, Option<String>)> {
    let known = variables(&Cli::command());
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let set = set.filter_map(|name| Some(name.strip_prefix(OURS)?.to_owned()));
    let unread = set.filter(|name| !known.contains(name)).map(|name| {
        let meant = did_you_mean(&name, known.iter().map(String::as_str));
        (
            format!("{OURS}{name}"),
            meant.map(|meant| format!("{OURS}{meant}")),
        )
    });
    let of_kubernetes = ["WYRMGATE_PORT", "WYRMGATE_SERVICE_"];
    let is_foreign = |name: &str| of_kubernetes.iter().any(|begin| name.starts_with(begin));
    unread
        .filter(|(name, meant)| meant.is_some() || !is_foreign(name))
        .collect()
}

/// Refuses a variable that is nearly one of ours, and names others that nothing reads.
fn refuse_misspelled_variables() -> Result<(), Stop> {
    for (name, meant) in unread_variables() {
        match meant {
            Some(meant) => {
                return Err(Stop::usage(format!(
                    "there is no variable `{name}`; did you mean `{meant}`?"
                )));
            }
            None => complain!("warning: nothing reads the variable `{name}`"),
        }
    }
    Ok(())
}

/// Returns the variables that any command reads, without their prefix.
fn variables(command: &clap::Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(Arg::get_env);
    let own = own.filter_map(|name| Some(name.to_str()?.strip_prefix(OURS)?.to_owned()));
    own.chain(command.get_subcommands().flat_map(variables))
        .collect()
}

/// Returns the settings of a command that takes them.
pub(super) fn settings(args: Args, command: &str) -> Result<Config, Stop> {
    let Some(file) = &args.config else {
        return Ok(args.settings);
    };
    let stated = SettingsFile::read(file).map_err(Stop::usage)?;
    let cli = Cli::command().mut_subcommand(command, |command| stated.as_defaults(command));
    let matches = cli.get_matches();
    match matches
        .subcommand_matches(command)
        .map(Config::from_arg_matches)
    {
        Some(read) => Ok(read.unwrap_or_else(|error| error.exit())),
        None => Ok(args.settings),
    }
}

fn announce(running: &RunningService) {
    for broken in &running.broken {
        complain_of(&broken.report, &broken.sources);
        complain!("warning: `{}` has errors and is not available", broken.name);
    }
    let (games, address) = (running.games.join(", "), running.address);
    #[cfg(unix)]
    tell_systemd();
    // The reader of stdout may have closed it; keep serving.
    let _ = writeln!(
        io::stdout(),
        "wyrmgate serves {games}\n  listening on  http://{address}\n  documentation http://{address}/docs/"
    );
}

/// Tells a service manager that waits for it that the service is ready (`Type=notify`). Nobody else is told anything.
#[cfg(unix)]
fn tell_systemd() {
    if let Some(address) = std::env::var_os("NOTIFY_SOCKET") {
        let socket = std::os::unix::net::UnixDatagram::unbound();
        if let Err(error) = socket.and_then(|socket| socket.send_to(b"READY=1", address)) {
            tracing::warn!(%error, "cannot tell the service manager that the service is ready");
        }
    }
}
