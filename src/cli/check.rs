//! `wyrmgate check`: reports every problem in the rules, with its place.

use std::io;
use std::path::PathBuf;

use super::setup::{RulesArgs, is_colored, unreadable, with_variants};
use super::stopped::merge;
use super::{Stop, Verdict, watch};
use crate::check;
use crate::diagnostic::{Diagnostic, Report, Severity, Sources, Span};
use crate::lang::Stack;

const EXAMPLES: &str = "\
Examples:
  wyrmgate check rules
  wyrmgate check rules/my-game
  wyrmgate check my-game+short
  wyrmgate check house.yaml
  wyrmgate check rules --json
  wyrmgate check rules/my-game --watch

The exit code is 0 if there are no errors (warnings are allowed), otherwise 1.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game by name or folder, optionally with overlays (`my-game+short`), an overlay file, or a folder of games
    #[arg(value_name = "GAME", default_value = "rules")]
    game: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Run again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    watch: bool,
}

/// The rules of one game, with all their problems.
struct Checked {
    game: String,
    /// The folder of the game and its variants.
    folder: PathBuf,
    digest: String,
    sources: Sources,
    report: Report,
    /// Problems that are reported with another game of the folder, because a game inherits the mistakes of its base.
    elsewhere: Vec<Elsewhere>,
}

/// A problem that is reported with another game.
struct Elsewhere {
    game: String,
    severity: Severity,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    watch::run(args.watch, &args.game, &args.rules.rules, || once(args))
}

fn once(args: &Args) -> Result<Verdict, Stop> {
    let mut games = Vec::new();
    for stack in with_variants(&args.game, &args.rules.rules)? {
        games.push(check(&stack).map_err(|error| unreadable(&stack.folder, &error))?);
    }
    let good = games.iter().all(|game| !game.report.has_errors());
    tell_once(&mut games);
    if args.json {
        let games: Vec<_> = games.iter().map(json_of).collect();
        say_json!({"ok": good, "games": games});
    } else {
        let color = is_colored(&io::stdout());
        for checked in &games {
            say_inline!("{}", checked.report.render(&checked.sources, color));
            say!("{}: {}", checked.game, summary(checked));
        }
    }
    Ok(Verdict::good_if(good))
}

/// Reports a problem that several games of a folder share only with the first of them, and names the others there.
fn tell_once(games: &mut [Checked]) {
    let mut rest = games;
    while let Some((first, others)) = rest.split_first_mut() {
        let folder = first.folder.clone();
        for diagnostic in &mut first.report.diagnostics {
            let mut affected = Vec::new();
            for other in others.iter_mut().filter(|other| other.folder == folder) {
                if other.take(diagnostic, &first.sources) {
                    affected.push(other.game.as_str());
                    other.elsewhere.push(Elsewhere {
                        game: first.game.clone(),
                        severity: diagnostic.severity,
                    });
                }
            }
            if !affected.is_empty() {
                let note = format!("this is also in {}", affected.join(", "));
                diagnostic.notes.push(note);
            }
        }
        rest = others;
    }
}

impl Checked {
    /// Removes the same problem: at the same place, or about the same unknown name, which an overlay may also miss.
    /// Returns whether it was there.
    fn take(&mut self, wanted: &Diagnostic, sources: &Sources) -> bool {
        let path = |sources: &Sources, span: Span| {
            let source = sources.get(span.file);
            source.map(|source| (source.path.clone(), span.start, span.end))
        };
        let place = path(sources, wanted.span);
        let before = self.report.diagnostics.len();
        let own = &self.sources;
        self.report.diagnostics.retain(|known| {
            if let Some(name) = &wanted.unknown
                && missing_name(known) == Some(name)
            {
                return false;
            }
            let same = known.code == wanted.code && known.message == wanted.message;
            !(same && path(own, known.span) == place)
        });
        self.report.diagnostics.len() < before
    }
}

/// Returns the name that does not exist, if that is the problem: an unknown name, or one that an overlay misses.
fn missing_name(problem: &Diagnostic) -> Option<&str> {
    let vanished = || problem.message.split('`').nth(1);
    let is_vanished = problem.code == "vanished-target";
    let unknown = problem.unknown.as_deref();
    unknown.or_else(|| is_vanished.then(vanished).flatten())
}

fn check(stack: &Stack) -> io::Result<Checked> {
    let mut loaded = stack.bundle()?.load();
    if let Some(definition) = &loaded.definition {
        let checked = check::check(definition, &mut loaded.report);
        if let Some(checked) = checked {
            check::warn(&checked, &mut loaded.report);
        }
    }
    loaded.history.annotate(&mut loaded.report, &loaded.sources);
    Ok(Checked {
        game: stack.name.clone(),
        folder: stack.folder.clone(),
        digest: loaded.sources.digest(),
        sources: loaded.sources,
        report: loaded.report,
        elsewhere: Vec::new(),
    })
}

fn json_of(checked: &Checked) -> serde_json::Value {
    let mut diagnostics = serde_json::json!(checked.report.documents(&checked.sources));
    let documents = diagnostics.as_array_mut().into_iter().flatten();
    for (document, diagnostic) in documents.zip(&checked.report.diagnostics) {
        merge(document, serde_json::json!({"notes": diagnostic.notes}));
    }
    let [errors, warnings] = checked.inherited();
    serde_json::json!({
        "game": checked.game,
        "ruleset": checked.digest,
        "ok": errors == 0 && !checked.report.has_errors(),
        "diagnostics": diagnostics,
        // Reported with the games on which it is based.
        "inherited": {"errors": errors, "warnings": warnings},
    })
}

impl Checked {
    fn own(&self) -> [usize; 2] {
        count(self.report.diagnostics.iter().map(|known| known.severity))
    }

    /// Counts what is reported with other games.
    fn inherited(&self) -> [usize; 2] {
        count(self.elsewhere.iter().map(|known| known.severity))
    }
}

/// Counts errors and warnings.
fn count(all: impl Iterator<Item = Severity>) -> [usize; 2] {
    let (errors, warnings): (Vec<_>, Vec<_>) = all.partition(|known| *known == Severity::Error);
    [errors.len(), warnings.len()]
}

/// Formats as `no problems`, `2 errors and 1 warning`, or `1 error, and 1 error of my-game`.
fn summary(checked: &Checked) -> String {
    let own = numbers(checked.own());
    let mut games: Vec<&str> = checked.elsewhere.iter().map(|e| e.game.as_str()).collect();
    games.dedup();
    match numbers(checked.inherited()) {
        None => own.unwrap_or_else(|| "no problems".into()),
        Some(inherited) => {
            let own = own.unwrap_or_else(|| "no problems of its own".into());
            format!("{own}, and {inherited} of {}", games.join(" and "))
        }
    }
}

/// Returns `None` if there are none.
fn numbers([errors, warnings]: [usize; 2]) -> Option<String> {
    match (errors, warnings) {
        (0, 0) => None,
        (0, _) => Some(counted(warnings, "warning")),
        (_, 0) => Some(counted(errors, "error")),
        _ => {
            let errors = counted(errors, "error");
            Some(format!("{errors} and {}", counted(warnings, "warning")))
        }
    }
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
