//! `wyrmgate doctor`: says what keeps a server from running well, and what to do about it.

mod checks;
mod patient;

use serde_json::{Value, json};

use self::checks::CHECKS;
use self::patient::Patient;
use super::report::CommandReport;
use super::{Stop, Verdict, serve};

const EXAMPLES: &str = "\
Examples:
  wyrmgate doctor
  wyrmgate doctor --config /etc/wyrmgate/wyrmgate.yaml
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

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Grade {
    Ok,
    Warning,
    Failure,
}

/// What a check has found.
struct Finding {
    grade: Grade,
    found: String,
    /// What to do about it; empty if nothing.
    advice: String,
}

impl Finding {
    fn ok(found: impl ToString) -> Finding {
        Finding::of(Grade::Ok, found, "")
    }

    fn warning(found: impl ToString, advice: impl ToString) -> Finding {
        Finding::of(Grade::Warning, found, advice)
    }

    fn failure(found: impl ToString, advice: impl ToString) -> Finding {
        Finding::of(Grade::Failure, found, advice)
    }

    fn of(grade: Grade, found: impl ToString, advice: impl ToString) -> Finding {
        Finding {
            grade,
            found: found.to_string(),
            advice: advice.to_string(),
        }
    }
}

/// The findings with the names of their checks.
struct Diagnosis(Vec<(&'static str, Finding)>);

impl Diagnosis {
    fn grade(&self) -> Grade {
        let grades = self.0.iter().map(|(_, finding)| finding.grade);
        grades.max().unwrap_or(Grade::Ok)
    }
}

impl CommandReport for Diagnosis {
    fn json(&self) -> Value {
        let rows = self.0.iter().map(
            |(
                check,
                Finding {
                    grade,
                    found,
                    advice,
                },
            )| {
                json!({"check": check, "result": grade, "found": found, "advice": advice})
            },
        );
        json!({"result": self.grade(), "checks": rows.collect::<Vec<_>>()})
    }

    fn text(&self) -> String {
        let rows = self.0.iter().map(|(check, finding)| {
            let grade = match finding.grade {
                Grade::Ok => "ok",
                Grade::Warning => "warning",
                Grade::Failure => "failure",
            };
            let row = format!("{grade:<8} {check:<10} {}\n", finding.found);
            match finding.advice.is_empty() {
                true => row,
                false => format!("{row}{:20}{}\n", "", finding.advice),
            }
        });
        rows.collect()
    }
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    let patient = Patient::examine(args.server)?;
    let rows = CHECKS.iter();
    let diagnosis = Diagnosis(
        rows.map(|check| (check.name, (check.look)(&patient)))
            .collect(),
    );
    diagnosis.print(args.json);
    match diagnosis.grade() {
        Grade::Ok => Ok(Verdict::Good),
        Grade::Warning => Ok(Verdict::Problems),
        Grade::Failure => Err(Stop::usage("the server cannot run well like this")),
    }
}
