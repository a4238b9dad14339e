//! `wyrmgate store check`: reads a whole file of an embedded store and lists what is damaged.

use std::path::PathBuf;

use super::super::{Stop, Verdict};
use super::report::Progress;
use crate::store::{CheckReport, StoreError, check_file};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// File of an embedded store whose server is stopped
    file: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let progress = Progress::begin("checked");
    let report = check_file(&args.file, &mut || progress.advance());
    drop(progress);
    let report = report.map_err(|error| {
        let text = format!("{}: {error}", args.file.display());
        match error {
            StoreError::Misconfigured(_) => Stop::usage(text),
            StoreError::Unavailable(_)
            | StoreError::OutcomeUnknown(_)
            | StoreError::Corrupt(_)
            | StoreError::Full(_)
            | StoreError::Broken(_) => Stop::failure(text),
        }
    })?;
    match args.json {
        true => say!("{}", serde_json::to_string(&report).map_err(Stop::failure)?),
        false => print(&report),
    }
    Ok(Verdict::good_if(report.is_whole()))
}

fn print(report: &CheckReport) {
    let whole = &report.whole;
    say!(
        "{} sessions and {} rulesets are whole",
        whole.sessions,
        whole.blobs
    );
    for (what, damaged) in [
        ("session", &report.damaged_sessions),
        ("ruleset", &report.damaged_rulesets),
        ("table", &report.damaged_tables),
    ] {
        damaged
            .iter()
            .for_each(|name| say!("damaged {what}: {name}"));
    }
}
