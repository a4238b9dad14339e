//! `wyrmgate check`: every problem of the rules, at its place.

use std::io;

use super::setup::{RulesArgs, is_coloured, unreadable, with_variants};
use super::{Stop, Verdict, watch};
use crate::check;
use crate::diagnostic::{Report, Severity, Sources};
use crate::lang::Stack;

const EXAMPLES: &str = "\
Examples:
  wyrmgate check rules
  wyrmgate check rules/my-game
  wyrmgate check my-game+short
  wyrmgate check house.yaml
  wyrmgate check rules --json
  wyrmgate check rules/my-game --watch

The exit code is 0 if there are no errors (warnings are allowed), 1 if there are.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A game by name or folder, perhaps with overlays (`my-game+short`), an overlay's file, or a folder of games
    #[arg(value_name = "GAME", default_value = "rules")]
    game: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Do it again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    watch: bool,
}

/// The rules of one game, with every problem they have.
struct Checked {
    game: String,
    digest: String,
    sources: Sources,
    report: Report,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    if !args.watch {
        return once(args);
    }
    let paths = watch::paths(&args.game, &args.rules.rules)?;
    watch::watch(&paths, || once(args))
}

fn once(args: &Args) -> Result<Verdict, Stop> {
    let mut good = true;
    let mut games = Vec::new();
    for stack in with_variants(&args.game, &args.rules.rules)? {
        let checked = check(&stack).map_err(|error| unreadable(&stack.folder, &error))?;
        good &= !checked.report.has_errors();
        if args.json {
            games.push(json_of(&checked));
        } else {
            let color = is_coloured(&io::stdout());
            say_on!("{}", checked.report.render(&checked.sources, color));
            say!("{}: {}", checked.game, summary(&checked.report));
        }
    }
    if args.json {
        say!("{}", serde_json::json!({"ok": good, "games": games}));
    }
    Ok(Verdict::good_if(good))
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
        digest: loaded.sources.digest(),
        sources: loaded.sources,
        report: loaded.report,
    })
}

fn json_of(checked: &Checked) -> serde_json::Value {
    serde_json::json!({
        "game": checked.game,
        "ruleset": checked.digest,
        "ok": !checked.report.has_errors(),
        "diagnostics": checked.report.to_json(&checked.sources),
    })
}

/// `no problems`, `2 errors and 1 warning`.
fn summary(report: &Report) -> String {
    let errors = report
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .count();
    let warnings = report.diagnostics.len() - errors;
    match (errors, warnings) {
        (0, 0) => "no problems".into(),
        (0, _) => counted(warnings, "warning"),
        (_, 0) => counted(errors, "error"),
        _ => format!(
            "{} and {}",
            counted(errors, "error"),
            counted(warnings, "warning")
        ),
    }
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
