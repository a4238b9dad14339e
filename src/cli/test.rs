//! `wyrmgate test`: the scenarios beside the rules, and which clauses they show.

use std::path::PathBuf;

use super::setup::{games_of, is_coloured, unreadable};
use super::{Stop, Verdict};
use crate::scenario::{report, suite};

const EXAMPLES: &str = "\
Examples:
  wyrmgate test rules
  wyrmgate test rules/my-game
  wyrmgate test rules --json

Scenarios are the files `scenarios/*.yaml` of a game. The exit code is 0 if all of them pass and the rules
have no errors, 1 if not; with `--full`, also if there is a clause that no passing scenario shows.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// One game's folder, or a folder of games
    #[arg(value_name = "DIR", default_value = "rules")]
    dir: PathBuf,
    /// Ask for every clause to be shown by a scenario
    #[arg(long)]
    full: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut good = true;
    let mut games = Vec::new();
    for folder in games_of(&args.dir)? {
        let outcome = suite::run_folder(&folder).map_err(|error| unreadable(&folder, &error))?;
        good &= outcome.passed() && (!args.full || outcome.coverage.missing.is_empty());
        if args.json {
            games.push(report::to_json(&outcome));
        } else {
            say_on!(
                "{}",
                report::to_text(&outcome, is_coloured(&std::io::stdout()))
            );
        }
    }
    if args.json {
        say!("{}", serde_json::json!({"ok": good, "games": games}));
    }
    Ok(Verdict::good_if(good))
}
