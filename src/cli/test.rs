//! `wyrmgate test`: runs the scenarios of a game and reports the covered clauses.

use std::path::Path;

use super::setup::{RulesArgs, from_here, is_colored, unreadable, with_variants};
use super::stopped::{Again, merge};
use super::{Stop, Verdict, watch};
use crate::lang::Stack;
use crate::rules::is_game;
use crate::scenario::suite::Below;
use crate::scenario::{report, suite};

const EXAMPLES: &str = "\
Examples:
  wyrmgate test rules
  wyrmgate test rules/my-game
  wyrmgate test my-game+short --with-base
  wyrmgate test my-game --scenario 'last stone'
  wyrmgate test rules --json
  wyrmgate test rules/my-game --watch

Scenarios are the files `scenarios/*.yaml` of a game; the scenarios of an overlay `short.yaml` are in \
`short.scenarios.yaml` beside it. A folder includes its games with all their variants. With `--with-base`, the \
scenarios of the game also run with the rules of the overlay; those that no longer hold are listed but do not count as \
failures, because an overlay exists to change something. The exit code is 0 if all scenarios pass and the rules have \
no errors, otherwise 1; with `--full`, also 1 if no passing scenario covers a clause.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game by name or folder, optionally with overlays (`my-game+short`), an overlay file, or a folder of games
    #[arg(value_name = "GAME", default_value = "rules")]
    game: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Run only scenarios whose name contains this text
    #[arg(long, value_name = "TEXT", conflicts_with = "full")]
    scenario: Option<String>,
    /// Fail if a clause is not covered by a scenario
    #[arg(long)]
    full: bool,
    /// Also run the scenarios of the game below an overlay, and list those that no longer hold
    #[arg(long)]
    with_base: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Run again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    watch: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    watch::run(args.watch, &args.game, &args.rules.rules, || once(args))
}

fn once(args: &Args) -> Result<Verdict, Stop> {
    let mut good = true;
    let mut games = Vec::new();
    let mut played = 0;
    for stack in with_variants(&args.game, &args.rules.rules)? {
        let outcome = suite::run_stack(&stack, args.scenario.as_deref())
            .map_err(|error| unreadable(&stack.folder, &error))?;
        played += outcome.played.len();
        let again = |scenario: &str| again(args, &stack, scenario).to_string();
        good &= outcome.passed() && (!args.full || outcome.coverage.missing.is_empty());
        if args.json {
            let mut told = report::to_json(&outcome, Some(&again));
            if args.with_base {
                merge(&mut told, serde_json::json!({"below": below(&stack)?}));
            }
            games.push(told);
        } else {
            say_inline!(
                "{}",
                report::to_text(&outcome, is_colored(&std::io::stdout()), Some(&again))
            );
            if args.with_base {
                below(&stack)?.iter().for_each(tell_below);
            }
        }
    }
    if args.json {
        say_json!({"ok": good, "games": games});
    }
    if let (Some(text), 0) = (&args.scenario, played) {
        return Err(Stop::usage(format!("no scenario has `{text}` in its name")));
    }
    Ok(Verdict::good_if(good))
}

/// Returns the command for a game of a folder (by its own folder) or a variant (by its file).
fn again(args: &Args, stack: &Stack, scenario: &str) -> Again {
    let again = Again::new("test");
    let again = match stack.overlays.last() {
        _ if !Path::new(&args.game).is_dir() => again.arg(&args.game),
        None if is_game(Path::new(&args.game)) => again.arg(&args.game),
        None => again.arg(from_here(&stack.folder).display()),
        Some(overlay) => again.arg(from_here(overlay).display()),
    };
    again.rules(&args.rules).flag("--scenario", scenario)
}

fn below(stack: &Stack) -> Result<Vec<Below>, Stop> {
    suite::run_below(stack).map_err(|error| unreadable(&stack.folder, &error))
}

fn tell_below(below: &Below) {
    let all = below.held + below.changed.len();
    say!(
        "  {all} scenarios of {}: {} still hold",
        below.game,
        below.held
    );
    for changed in &below.changed {
        say!("    no longer: {} ({})", changed.name, changed.place);
        say!("      {}", changed.reason);
    }
}
