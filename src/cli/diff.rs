//! `wyrmgate diff`: the differences between two games, in clauses and values.

use serde_json::{Value, json};

use super::explain::{place, tree_of, value_json};
use super::setup::{RulesArgs, find_game, unreadable};
use super::{Stop, Verdict};
use crate::lang::Loaded;
use crate::lang::overlay::{Difference, differences};
use crate::lang::yaml::Node;

const EXAMPLES: &str = "\
Examples:
  wyrmgate diff my-game my-game+short
  wyrmgate diff my-game+short my-game+short+windy
  wyrmgate diff old/my-game rules/my-game --json

Values are compared, not lines: the order of keys and the notation do not matter.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game, optionally with overlays
    #[arg(value_name = "A")]
    first: String,
    /// Game to compare it with
    #[arg(value_name = "B")]
    second: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// One of the two games.
struct Side {
    name: String,
    loaded: Loaded,
    tree: Node,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let first = side(&args.first, args)?;
    let second = side(&args.second, args)?;
    let found = differences(&first.tree, &second.tree);
    let is_clause = |difference: &&Difference| {
        let mut keys = difference.path.0.iter();
        keys.next().is_some_and(|key| key == "clauses")
    };
    let (clauses, values): (Vec<_>, Vec<_>) = found.iter().partition(is_clause);
    if args.json {
        let told = |all: &[&Difference]| -> Vec<Value> {
            all.iter()
                .map(|difference| json_of(difference, &first, &second))
                .collect()
        };
        say!(
            "{}",
            json!({"a": first.name, "b": second.name, "clauses": told(&clauses), "values": told(&values)})
        );
        return Ok(Verdict::Good);
    }
    say!("{} → {}", first.name, second.name);
    tell("clauses", &clauses, &second);
    tell("values", &values, &second);
    if found.is_empty() {
        say!("  no difference");
    }
    Ok(Verdict::Good)
}

fn side(game: &str, args: &Args) -> Result<Side, Stop> {
    let stack = find_game(game, &args.rules.rules)?;
    let bundle = stack
        .bundle()
        .map_err(|error| unreadable(&stack.folder, &error))?;
    let loaded = bundle.load();
    Ok(Side {
        name: stack.name,
        tree: tree_of(&loaded, &stack.folder)?.clone(),
        loaded,
    })
}

fn tell(what: &str, differences: &[&Difference], second: &Side) {
    if differences.is_empty() {
        return;
    }
    say!("{what}");
    for difference in differences {
        let sign = match (&difference.was, &difference.now) {
            (Some(_), Some(_)) => '~',
            (None, _) => '+',
            (_, None) => '-',
        };
        let by = difference.now.as_ref();
        let by = by.map_or_else(String::new, |now| {
            format!("  ({})", place(&second.loaded.sources, now.span))
        });
        say!("  {sign} {}{by}", difference.path);
        for (mark, value) in [("-", &difference.was), ("+", &difference.now)] {
            for line in value.iter().flat_map(lines) {
                say!("      {mark} {line}");
            }
        }
    }
}

fn lines(value: &Node) -> Vec<String> {
    value.to_yaml().lines().map(str::to_owned).collect()
}

fn json_of(difference: &Difference, first: &Side, second: &Side) -> Value {
    let at = |node: &Option<Node>, side: &Side| {
        let node = node.as_ref();
        node.map(|node| place(&side.loaded.sources, node.span))
    };
    json!({
        "path": difference.path.to_string(),
        "was": difference.was.as_ref().map(value_json),
        "now": difference.now.as_ref().map(value_json),
        "was_at": at(&difference.was, first),
        "now_at": at(&difference.now, second),
    })
}
