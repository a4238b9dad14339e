//! Studies of the rules in an editor: what the commands `audit` and `impact` compute, with fewer games.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::{Value, json};

use super::buffers::{Desk, Home};
use super::{REQUEST_FAILED, RequestRefusal};
use crate::rules::{Bundle, Ruleset};
use wyrmgate_analysis::audit::{self, Impact, Plan, Run};
use wyrmgate_analysis::laws::{Setting, settings};
use wyrmgate_analysis::record::seed_from_number;
use wyrmgate_base::hex;

/// Games for each number of seats, unless the editor asks for another number, and the most.
const GAMES: u64 = 200;
const GAMES_MAX: u64 = 1000;

/// The progress of a study. A study that is stopped early has the results so far.
#[derive(Debug, Default)]
pub struct StudyProgress {
    pub done: AtomicU64,
    /// Number of games to play; 0 before it is known.
    pub all: AtomicU64,
    pub stop: AtomicBool,
}

impl StudyProgress {
    fn tell(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A study to run.
#[derive(Debug)]
pub struct Study {
    /// The rules with which these are compared. `None` for an audit.
    base: Option<Bundle>,
    bundle: Bundle,
    games: u64,
}

impl Desk {
    /// Prepares a study of the rules to which a file belongs: `wyrmgate/audit`, or `wyrmgate/impact`, which compares them
    /// with the game that they change.
    pub fn study(&self, method: &str, params: &Value) -> Result<Study, RequestRefusal> {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let path = uri.and_then(super::path_of).unwrap_or_default();
        let project = self.project(&path);
        let project = project.ok_or_else(|| refused("this file does not belong to a game"))?;
        let bundle = project.bundle().clone();
        let games = params.get("games").and_then(Value::as_u64);
        let below = || match &self.home {
            Home::Catalog(catalog) => original(&bundle, catalog),
            Home::Folder(_) => project.below(),
        };
        let base = match method {
            "wyrmgate/audit" => None,
            _ => Some(below().ok_or_else(|| refused("there is no game to compare with"))?),
        };
        Ok(Study {
            base,
            bundle,
            games: games.unwrap_or(GAMES).clamp(1, GAMES_MAX),
        })
    }
}

/// Returns the game of the catalog that these rules extend, with the variants between; or the one of which they are a copy.
fn original(bundle: &Bundle, catalog: &crate::rules::Catalog) -> Option<Bundle> {
    let mut names: Vec<&str> = bundle.name.split('+').collect();
    if names.len() > 1 {
        names.pop();
    }
    let (game, variants) = names.split_first()?;
    catalog.stacked(game, variants)
}

impl Study {
    /// Plays the games on this thread and one more.
    pub fn run(self, progress: &StudyProgress) -> Result<Value, RequestRefusal> {
        let own = ruleset(&self.bundle)?;
        let plan = Plan {
            games: self.games,
            seed: seed_from_number(1),
            threads: 1,
            positions: false,
        };
        match self.base {
            None => audit(&own, &plan, progress),
            Some(base) => impact(&ruleset(&base)?, &own, &plan, progress),
        }
    }
}

fn ruleset(bundle: &Bundle) -> Result<Ruleset, RequestRefusal> {
    Ruleset::from_bundle(bundle).map_err(|broken| {
        let first = broken.report.diagnostics.first();
        let first = first.map_or("", |first| &first.message);
        refused(&format!("{} has errors: {first}", broken.name))
    })
}

fn refused(message: &str) -> RequestRefusal {
    RequestRefusal {
        code: REQUEST_FAILED,
        message: message.to_owned(),
    }
}

fn refused_by<P: ToString>(problems: &[P]) -> RequestRefusal {
    let messages: Vec<String> = problems.iter().map(P::to_string).collect();
    refused(&messages.join("; "))
}

/// Audits the rules with every number of seats, and searches every option alone and some combinations for what they reach.
fn audit(
    ruleset: &Ruleset,
    plan: &Plan,
    progress: &StudyProgress,
) -> Result<Value, RequestRefusal> {
    let checked = &ruleset.checked;
    let first = checked.seats.iter().map(|seats| Setting {
        seats: *seats,
        options: std::collections::BTreeMap::new(),
    });
    let mut others = settings(checked, &checked.seats, &plan.seed);
    others.retain(|setting| !setting.options.is_empty());
    let run = Run {
        name: &ruleset.name,
        sources: &ruleset.sources,
        checked,
        seed: &hex::encode(&plan.seed),
        plan,
        first: first.collect(),
        others,
        stop: &progress.stop,
    };
    progress.all.store(run.games(), Ordering::Relaxed);
    let audit = run.play(&mut || progress.tell());
    let audit = audit.map_err(|problems| refused_by(&problems))?;
    let found = audit.findings.report.documents(run.sources);
    let charts = audit::svg(run.name, &audit.rows);
    Ok(
        json!({"svg": charts, "text": audit.text(), "findings": found, "interrupted": progress.is_stopped()}),
    )
}

/// Compares the rules with those that they change, for every number of seats that both allow.
fn impact(
    base: &Ruleset,
    own: &Ruleset,
    plan: &Plan,
    progress: &StudyProgress,
) -> Result<Value, RequestRefusal> {
    let seats = base.checked.seats.iter();
    let seats = seats.filter(|seats| own.checked.seats.contains(seats));
    let seats: Vec<usize> = seats.copied().collect();
    let all = 2 * plan.games * seats.len() as u64;
    progress.all.store(all, Ordering::Relaxed);
    let titles = [base.name.as_str(), own.name.as_str()];
    let mut rows = Vec::new();
    for seats in seats {
        if progress.is_stopped() {
            break;
        }
        let program = |ruleset: &Ruleset| {
            let made = ruleset.program(seats, &serde_json::Map::new());
            made.map_err(|problems| refused_by(&problems))
        };
        let (before, after) = (program(base)?, program(own)?);
        let play = |program| audit::play(program, plan, &progress.stop, &mut || progress.tell());
        rows.push(Impact::of(&play(&before), &play(&after), &plan.seed));
    }
    let text = audit::impact_text(titles, &rows, progress.is_stopped());
    let [base, own] = titles;
    let charts = audit::impact_svg(base, own, &rows);
    Ok(json!({"svg": charts, "text": text, "findings": [], "interrupted": progress.is_stopped()}))
}
