//! `wyrmgate store check`: reads a whole file of an embedded store and lists what is damaged.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::super::progress::progress_line;
use super::super::report::CommandReport;
use super::super::{Stop, Verdict};
use crate::store::{CheckReport, Counts, StoreError, check_file};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// File of an embedded store whose server is stopped
    file: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let progress = progress_line("checked");
    let report = check_file(&args.file, &mut || progress.inc(1));
    progress.finish_and_clear();
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
    report.print(args.json);
    Ok(Verdict::good_if(report.is_whole()))
}

impl CommandReport for CheckReport {
    fn json(&self) -> Value {
        json!(self)
    }

    fn text(&self) -> String {
        let Counts { sessions, blobs } = self.whole;
        let whole = format!("{sessions} sessions and {blobs} rulesets are whole\n");
        let damaged = [
            ("session", &self.damaged_sessions),
            ("ruleset", &self.damaged_rulesets),
            ("table", &self.damaged_tables),
        ];
        let damaged = damaged.into_iter().flat_map(|(what, names)| {
            let names = names.iter();
            names.map(move |name| format!("damaged {what}: {name}\n"))
        });
        whole + &damaged.collect::<String>()
    }
}
