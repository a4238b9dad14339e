//! Commands that play many random games: their arguments, and a run that shows its progress and ends early if it has to.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;

use super::setup::{self, ThreadsArg, refused};
use super::{Stop, interrupt, page};
use crate::audit::Plan;
use crate::check::Checked;
use crate::laws::Setting;

/// The arguments of commands that play many random games.
#[derive(Debug, clap::Args)]
pub struct RandomGamesArgs {
    /// Number of games of each setting
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Stop after this time and report the results so far
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
    /// Numbers of seats [default: all that are possible]
    #[arg(long, value_delimiter = ',', value_name = "N,N…")]
    pub seats: Vec<usize>,
    /// Seed: a number or 64 hexadecimal digits [default: random, printed]
    #[arg(long, value_parser = seed_text)]
    seed: Option<String>,
    #[command(flatten)]
    threads: ThreadsArg,
}

/// Checks a seed and keeps its text for the commands in a report.
fn seed_text(text: &str) -> Result<String, String> {
    setup::seed(text).map(|_| text.to_owned())
}

/// A run of many games.
pub struct ManyGames {
    /// The seed as it was given, or a random number that is short enough to type.
    pub seed: String,
    pub plan: Plan,
    /// Becomes true at Ctrl-C or when the time is over; the command then reports the results so far.
    pub stop: Arc<AtomicBool>,
    pub progress: ProgressBar,
}

impl RandomGamesArgs {
    /// Begins a run. The caller shows its progress when the number of games is known.
    pub fn begin(&self) -> Result<ManyGames, Stop> {
        let seed = match &self.seed {
            Some(seed) => seed.clone(),
            None => {
                let [a, b, c, d, ..] = setup::fresh_seed()?;
                u32::from_le_bytes([a, b, c, d]).to_string()
            }
        };
        let plan = Plan {
            games: self.games,
            seed: setup::seed(&seed).map_err(Stop::Usage)?.0,
            threads: self.threads.number(),
            positions: false,
        };
        Ok(ManyGames {
            seed,
            plan,
            stop: interrupt::flag_within(self.seconds)?,
            progress: ProgressBar::hidden(),
        })
    }

    /// Returns the requested numbers of seats, or all that the game allows.
    pub fn seats_of(&self, checked: &Checked) -> Result<Vec<usize>, Stop> {
        let name = &checked.definition.name.text;
        match self.seats.iter().find(|n| !checked.seats.contains(n)) {
            Some(seats) => Err(Stop::Usage(format!("{name} does not allow {seats} seats"))),
            None if self.seats.is_empty() => Ok(checked.seats.clone()),
            None => Ok(self.seats.clone()),
        }
    }
}

impl ManyGames {
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Returns the settings with these options, if the game allows them.
pub fn settings_with(
    options: &[(String, String)],
    checked: &Checked,
    seats: &[usize],
) -> Result<Vec<Setting>, Stop> {
    let settings = seats.iter().map(|seats| {
        let options = options.iter().cloned().collect();
        let setup = checked.setup(*seats, &options).map_err(refused);
        let seats = *seats;
        setup.map(|_| Setting { seats, options })
    });
    settings.collect()
}

/// Writes the charts of a report into a file, and a page with charts and text into another, as far as these are named.
pub fn write_charts(
    svg: Option<&Path>,
    html: Option<&Path>,
    title: &str,
    charts: impl FnOnce() -> String,
    text: impl FnOnce() -> String,
) -> Result<(), Stop> {
    if svg.is_none() && html.is_none() {
        return Ok(());
    }
    let charts = charts();
    if let Some(file) = svg {
        setup::write(file, &charts)?;
    }
    if let Some(file) = html {
        page::write(file, title, &charts, &text())?;
    }
    Ok(())
}
