//! `wyrmgate serve`: runs the service.

use std::io::{self, Write};
use std::path::PathBuf;

use super::setup::complain_of;
use super::{Stop, Verdict, telemetry};
use crate::api::{self, Running};
use crate::config::{Config, Settings, SettingsError};

const EXAMPLES: &str = "\
Examples:
  wyrmgate serve
  wyrmgate serve --listen 127.0.0.1:9000 --rules my-rules
  wyrmgate serve --store memory
  wyrmgate serve --config wyrmgate.yaml --log info
  wyrmgate serve --webhooks --webhook-allow http://127.0.0.1:9000
  WYRMGATE_STORE=redis://127.0.0.1/ wyrmgate serve
  wyrmgate serve --store 'redis+cluster://10.0.0.5:6379,10.0.0.6:6379?durability=replicated'

A flag overrides its environment variable, the variable overrides the file, and the file overrides the default. The \
YAML file uses the names of the flags, with `_` for `-`; docs/operation.md lists all settings. Ctrl-C or SIGTERM stops \
the server after it has answered running requests, within three seconds.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// YAML file with settings
    #[arg(long, env = "WYRMGATE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    let config = configure(args)?;
    let _telling = telemetry::start(&config)?;
    api::serve(config, announce).map_err(Stop::failure)?;
    Ok(Verdict::Good)
}

fn configure(args: Args) -> Result<Config, Stop> {
    let file = args.config.as_deref().map(Settings::read).transpose();
    let file = file.map_err(|error: SettingsError| Stop::usage(error))?;
    Ok(args.settings.or(file.unwrap_or_default()).resolve())
}

fn announce(running: &Running) {
    for broken in &running.broken {
        complain_of(&broken.report, &broken.sources);
        complain!("warning: `{}` has errors and is not available", broken.name);
    }
    let (games, address) = (running.games.join(", "), running.address);
    // The reader of stdout may have closed it; keep serving.
    let _ = writeln!(
        io::stdout(),
        "wyrmgate serves {games}\n  listening on  http://{address}\n  documentation http://{address}/docs/"
    );
}
