//! `wyrmgate doctor`: says what keeps a server from running well, and what to do about it.

mod checks;
mod finding;
mod patient;

use serde_json::{Value, json};

use self::checks::CHECKS;
use self::finding::{Diagnosis, Grade};
use self::patient::Patient;
use super::report::CommandReport;
use super::{Stop, Verdict, serve};

const EXAMPLES: &str = "\
Examples:
  wyrmgate doctor
  sudo -u wyrmgate wyrmgate doctor --config /etc/wyrmgate/wyrmgate.yaml --json

It takes the settings of `wyrmgate serve`, changes nothing, and can run beside the server; run it as the user of the server. \
The exit code is 0 if all is well, 1 after warnings, and 2 after failures.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    server: serve::Args,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The diagnoses with the names of their checks.
struct DoctorReport(Vec<(&'static str, Diagnosis)>);

impl DoctorReport {
    fn grade(&self) -> Grade {
        let grades = self.0.iter().map(|(_, Diagnosis(grade, ..))| *grade);
        grades.max().unwrap_or(Grade::Well)
    }
}

impl CommandReport for DoctorReport {
    fn json(&self) -> Value {
        let rows = self.0.iter().map(|(check, Diagnosis(grade, found, advice))| {
            json!({"check": check, "result": grade.name(), "found": found, "advice": advice})
        });
        json!({"result": self.grade().name(), "checks": rows.collect::<Vec<_>>()})
    }

    fn text(&self) -> String {
        let rows = self
            .0
            .iter()
            .map(|(check, Diagnosis(grade, found, advice))| {
                let row = format!("{:<8} {check:<10} {found}\n", grade.name());
                match advice.as_str() {
                    "" => row,
                    advice => format!("{row}{:20}{advice}\n", ""),
                }
            });
        rows.collect()
    }
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    let patient = Patient::examine(args.server)?;
    let rows = CHECKS.iter().map(|(name, look)| (*name, look(&patient)));
    let report = DoctorReport(rows.collect());
    report.print(args.json);
    match report.grade() {
        Grade::Well => Ok(Verdict::Good),
        Grade::Warning => Ok(Verdict::Problems),
        Grade::Failure => Err(Stop::usage("the server cannot run well like this")),
    }
}
