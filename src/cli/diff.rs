//! `wyrmgate diff`: the differences between two games, in clauses and values.

use serde_json::{Value, json};

use super::explain::{place, tree_of, value_json};
use super::setup::{RulesArgs, find_game, loaded};
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
        say_json!({"a": first.name, "b": second.name, "clauses": told(&clauses), "values": told(&values)});
        return Ok(Verdict::Good);
    }
    say!("{} → {}", first.name, second.name);
    print("clauses", &clauses, &second);
    print("values", &values, &second);
    if found.is_empty() {
        say!("  no difference");
    }
    Ok(Verdict::Good)
}

fn side(game: &str, args: &Args) -> Result<Side, Stop> {
    let stack = find_game(game, &args.rules.rules)?;
    let loaded = loaded(&stack)?;
    Ok(Side {
        name: stack.name,
        tree: tree_of(&loaded, &stack.folder)?.clone(),
        loaded,
    })
}

fn print(what: &str, differences: &[&Difference], second: &Side) {
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
        for (mark, line) in lines_of(difference) {
            say!("      {mark} {line}");
        }
    }
}

/// Returns the lines of both values: all of them if one is short, and otherwise those that differ, with one line around
/// them.
fn lines_of(difference: &Difference) -> Vec<(char, String)> {
    let [was, now] = [&difference.was, &difference.now].map(|value| match value {
        Some(value) => lines(value),
        None => Vec::new(),
    });
    let is_short = was.len().min(now.len()) <= SHORT;
    if is_short {
        let was = was.into_iter().map(|line| ('-', line));
        return was.chain(now.into_iter().map(|line| ('+', line))).collect();
    }
    let all = aligned(&was, &now);
    let changed = |at: usize| all.get(at).is_some_and(|(mark, _)| *mark != ' ');
    let near = |at: usize| changed(at) || changed(at + 1) || at > 0 && changed(at - 1);
    let mut shown = Vec::new();
    for (at, (mark, line)) in all.iter().enumerate() {
        if near(at) {
            shown.push((*mark, line.clone()));
        } else if shown.last().is_none_or(|(mark, _)| *mark != '…') {
            shown.push(('…', String::new()));
        }
    }
    shown
}

/// The number of lines up to which a value is shown as a whole.
const SHORT: usize = 3;

/// Aligns two texts by their longest common sequence of lines.
fn aligned(was: &[String], now: &[String]) -> Vec<(char, String)> {
    let width = now.len() + 1;
    let mut common = vec![0u32; (was.len() + 1) * width];
    let at = |row: usize, column: usize| row * width + column;
    let count = |common: &[u32], row, column| common.get(at(row, column)).copied().unwrap_or(0);
    for (row, one) in was.iter().enumerate().rev() {
        for (column, other) in now.iter().enumerate().rev() {
            let longest = match one == other {
                true => count(&common, row + 1, column + 1) + 1,
                false => count(&common, row + 1, column).max(count(&common, row, column + 1)),
            };
            if let Some(place) = common.get_mut(at(row, column)) {
                *place = longest;
            }
        }
    }
    let (mut all, mut row, mut column) = (Vec::new(), 0, 0);
    loop {
        match (was.get(row), now.get(column)) {
            (Some(one), Some(other)) if one == other => {
                all.push((' ', one.clone()));
                row += 1;
                column += 1;
            }
            (Some(one), other)
                if other.is_none()
                    || count(&common, row + 1, column) >= count(&common, row, column + 1) =>
            {
                all.push(('-', one.clone()));
                row += 1;
            }
            (_, Some(other)) => {
                all.push(('+', other.clone()));
                column += 1;
            }
            (_, None) => return all,
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
