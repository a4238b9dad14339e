//! `wyrmgate perft`: counts game trees.

use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::report::CommandReport;
use super::setup::{self, GameArgs, Seed, ThreadsArg};
use super::stopped::{Again, merge};
use super::{Stop, Verdict};
use crate::explore::{ExploreError, Luck};
use crate::perft::{self, Plan, Ply, Progress, Tally};
use crate::program::Program;
use crate::{hex, view};

const EXAMPLES: &str = "\
Examples:
  wyrmgate perft my-game --depth 4
  wyrmgate perft my-game --depth 12 --distinct --option size=6
  wyrmgate perft my-game --depth 5 --turns --divide
  wyrmgate perft my-game --information-sets --json

A ply is one decision. All outcomes of chance are expanded unless you set --seed. If chance has too many outcomes, as \
after shuffling a whole deck, a seed is the only way.";

/// Refresh interval of the progress bar.
const REFRESH: Duration = Duration::from_millis(200);

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Last ply to count [default: to the end of every game]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Merge equal positions and count them; reaches greater depths
    #[arg(long, conflicts_with = "information_sets")]
    distinct: bool,
    /// Count turns instead of decisions: a move of several decisions is one ply
    #[arg(long, conflicts_with = "information_sets")]
    turns: bool,
    /// Print how many nodes of the last ply follow each choice of the first decision
    #[arg(long, requires = "depth", conflicts_with_all = ["distinct", "information_sets"])]
    divide: bool,
    /// Count information sets: what the deciding seats can distinguish
    #[arg(long)]
    information_sets: bool,
    /// Play the choices of the last ply, too, to count the ends among its nodes; takes many times as long
    #[arg(long, requires = "depth", conflicts_with_all = ["distinct", "turns", "information_sets"])]
    ends: bool,
    /// Remember what follows from positions in a table of this size, for positions that come again
    #[arg(long, value_name = "MIB", default_value_t = 0, conflicts_with_all = ["distinct", "turns", "information_sets"])]
    hash: usize,
    /// Draw chance from this seed (a number or 64 hexadecimal digits) instead of expanding every outcome
    #[arg(long, value_parser = setup::seed)]
    seed: Option<Seed>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns whether the last ply is counted by the choices before it.
    fn counts_choices(&self) -> bool {
        let plays = self.ends || self.distinct || self.turns || self.information_sets;
        self.depth.is_some() && !plays
    }
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let game = args.game.load()?;
    match count_and_tell(args, &game.program) {
        Ok(()) => Ok(Verdict::Good),
        Err(ExploreError::Stopped(stopped)) => {
            let again = again(args, &game.program, stopped.decisions);
            game.case(&args.game, &stopped, again).print(args.json);
            Ok(Verdict::Problems)
        }
        Err(error @ (ExploreError::Chance | ExploreError::Limit(_))) => Err(Stop::failure(error)),
    }
}

/// Returns the command for the same walk, no deeper than the ply at which it stopped.
fn again(args: &Args, program: &Program, decisions: u32) -> Again {
    let again = args.game.again("perft", program);
    again
        .flag("--depth", decisions + 1)
        .set("--distinct", args.distinct)
        .set("--turns", args.turns)
        .set("--information-sets", args.information_sets)
        .set("--ends", args.ends)
        .given("--seed", args.seed.map(|seed| hex::encode(&seed.0)))
}

// ---- counting

fn count_and_tell(args: &Args, program: &Program) -> Result<(), ExploreError> {
    let plan = Plan {
        depth: args.depth.unwrap_or(program.identity.bound),
        luck: args.seed.map_or(Luck::Every, |seed| Luck::Seeded(seed.0)),
        by_turns: args.turns,
        information_sets: args.information_sets,
        bulk: args.counts_choices(),
        table: args.hash,
        threads: args.threads.number(),
    };
    if args.divide {
        return divide_and_tell(args, program, &plan);
    }
    let began = Instant::now();
    let tally = if args.distinct {
        merged(program, &plan)?
    } else {
        walk(program, &plan)?
    };
    let counted = Counted {
        program,
        plan: &plan,
        tally: &tally,
        seconds: began.elapsed().as_secs_f64(),
    };
    counted.print(args.json);
    Ok(())
}

/// Prints the choices of the first decision with the nodes of the last ply below each, as they are counted.
fn divide_and_tell(args: &Args, program: &Program, plan: &Plan) -> Result<(), ExploreError> {
    let (mut rows, mut sum) = (Vec::new(), 0u128);
    let mut failed = None;
    perft::divide(program, plan, &mut |state, divided| {
        let nodes = divided.tally.plies.get(plan.depth as usize);
        let nodes = nodes.map_or(0, |ply| ply.nodes);
        sum += nodes;
        let listed = view::decision_docs(program, state, &divided.pending, 1, divided.index);
        match listed.map(|decision| decision.choices.into_iter().next()) {
            Ok(Some(choice)) if args.json => {
                let mut row = json!(choice);
                merge(&mut row, json!({"nodes": number(nodes)}));
                rows.push(row);
            }
            Ok(choice) => {
                let label = choice.map_or_else(String::new, |choice| choice.label);
                say!("{label:<40}{:>26}", grouped(nodes));
            }
            Err(fault) => failed = failed.take().or(Some(fault)),
        }
    })?;
    if let Some(fault) = failed {
        return Err(fault.into());
    }
    if args.json {
        say_json!({
            "game": program.name(),
            "seats": program.seats,
            "depth": plan.depth,
            "choices": rows,
            "nodes": number(sum),
        });
    } else {
        say!("\n{:<40}{:>26}", "nodes", grouped(sum));
    }
    Ok(())
}

fn walk(program: &Program, plan: &Plan) -> Result<Tally, ExploreError> {
    let progress = Progress::default();
    thread::scope(|scope| {
        scope.spawn(|| show(&progress));
        perft::walk(program, plan, &progress)
    })
}

/// Shows the progress on standard error, if that is a terminal, until the walk is over.
fn show(progress: &Progress) {
    use std::sync::atomic::Ordering::Relaxed;
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} branches, {msg}, {eta} left");
    let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
    while !progress.over.load(Relaxed) {
        bar.set_length(progress.branches.load(Relaxed) as u64);
        bar.set_position(progress.done.load(Relaxed) as u64);
        let nodes = grouped(progress.nodes.load(Relaxed).into());
        bar.set_message(format!("{nodes} nodes"));
        thread::sleep(REFRESH);
    }
    bar.finish_and_clear();
}

fn merged(program: &Program, plan: &Plan) -> Result<Tally, ExploreError> {
    let bar = ProgressBar::new_spinner();
    let tally = perft::merged(program, plan, &mut |ply, positions| {
        let positions = grouped(positions as u128);
        bar.set_message(format!("ply {ply}: {positions} positions"));
        bar.tick();
    });
    bar.finish_and_clear();
    tally
}

struct Counted<'c> {
    program: &'c Program,
    plan: &'c Plan,
    tally: &'c Tally,
    seconds: f64,
}

impl CommandReport for Counted<'_> {
    fn text(&self) -> String {
        let (name, seats) = (self.program.name(), self.program.seats);
        let (options, seconds) = (options_of(self.program), self.seconds);
        let mut lines = vec![
            format!("{name}, {seats} seats{options}, {seconds:.1} s"),
            String::new(),
            self.row("ply", "nodes", "finished", "positions"),
        ];
        for (number, ply) in self.tally.plies.iter().enumerate() {
            let nodes = grouped(ply.nodes);
            let finished = self.finished(number).map_or("?".to_owned(), grouped);
            let distinct = grouped(ply.distinct.into());
            lines.push(self.row(&number.to_string(), &nodes, &finished, &distinct));
        }
        lines.push(String::new());
        for (what, count) in self.sums() {
            let count = count.map_or("?".to_owned(), grouped);
            lines.push(format!("{what:<18}{count:>26}"));
        }
        lines.push(String::new());
        let conventions = self.conventions().into_iter();
        lines.extend(conventions.map(|line| format!("  {line}")));
        lines.join("\n") + "\n"
    }

    fn json(&self) -> Value {
        let plies = self.tally.plies.iter().enumerate();
        let plies = plies.map(|(number, ply)| self.json_of(number, ply));
        let mut doc = json!({
            "game": self.program.name(),
            "seats": self.program.seats,
            "depth": self.plan.depth,
            "seconds": self.seconds,
            "plies": plies.collect::<Vec<_>>(),
            "convention": self.conventions().join(" "),
        });
        for (what, count) in self.sums() {
            merge(&mut doc, json!({what.replace(' ', "_"): count.map(number)}));
        }
        doc
    }
}

impl Counted<'_> {
    fn row(&self, ply: &str, nodes: &str, finished: &str, distinct: &str) -> String {
        let row = format!("{ply:>4}{nodes:>26}{finished:>26}");
        match self.tally.distinct {
            Some(_) => format!("{row}{distinct:>14}"),
            None => row,
        }
    }

    /// Returns whether it is unknown which nodes of the last ply are ends, because nobody played its choices.
    fn is_last_unplayed(&self) -> bool {
        let last = self.tally.plies.get(self.plan.depth as usize);
        self.plan.counts_choices(self.program) && last.is_some_and(|last| last.nodes > 0)
    }

    /// Returns how many nodes of a ply are ends, if that is known.
    fn finished(&self, ply: usize) -> Option<u128> {
        let is_known = ply < self.plan.depth as usize || !self.is_last_unplayed();
        let ply = self.tally.plies.get(ply).filter(|_| is_known);
        ply.map(|ply| ply.finished)
    }

    /// Returns the counts of all plies; `None` is unknown.
    fn sums(&self) -> Vec<(&'static str, Option<u128>)> {
        let tally = self.tally;
        let played = |count| Some(count).filter(|_| !self.is_last_unplayed());
        let mut sums = vec![
            ("nodes", Some(tally.nodes())),
            ("leaves", Some(tally.leaves(self.plan.depth))),
            ("decision nodes", played(tally.decisions())),
            ("chance nodes", Some(tally.chance())),
            ("terminal nodes", played(tally.terminals())),
        ];
        let positions = tally.distinct.map(u128::from);
        sums.extend(positions.map(|count| ("positions", Some(count))));
        if self.plan.information_sets {
            sums.push(("information sets", Some(tally.histories.len() as u128)));
        }
        sums
    }

    /// Describes the counting conventions.
    fn conventions(&self) -> Vec<&'static str> {
        let mut lines = vec![
            "A ply is one decision; its nodes are the rests of the game after that many decisions, including the root: decisions and",
            "ends, one for each sequence of choices and outcomes. Seats that decide at the same time answer in seat order.",
            "Leaves are ends and the decisions of the last ply.",
        ];
        if self.plan.by_turns {
            lines.push("With --turns, a ply is one turn instead: positions within a turn do not count, and a turn without a decision counts as one node.");
        }
        lines.push(match self.plan.luck {
            Luck::Every => {
                "Chance nodes are draws with several outcomes: each die, each card of a shuffle, each choice at random."
            }
            Luck::Seeded(_) => "Chance follows the seed: one outcome of every draw.",
        });
        if self.is_last_unplayed() {
            lines.push("The last ply was counted by the choices before it; which of its nodes are ends is not known. --ends plays them, too.");
        }
        if self.tally.distinct.is_some() {
            lines.push("A position is everything that determines how the game can continue: no history, no counters that no rule reads. Components");
            lines.push("keep their identity even if they look alike.");
        }
        if self.plan.information_sets {
            lines.push("An information set is everything that the deciding seat has been told and has chosen: perfect recall.");
        }
        lines
    }

    fn json_of(&self, place: usize, ply: &Ply) -> Value {
        let mut doc = json!({
            "nodes": number(ply.nodes),
            "finished": self.finished(place).map(number),
            "chance": number(ply.chance),
        });
        if self.tally.distinct.is_some() {
            merge(&mut doc, json!({"positions": ply.distinct}));
        }
        doc
    }
}

/// Returns a number in JSON, or a string if it is too large for most parsers.
fn number(count: u128) -> Value {
    match u64::try_from(count) {
        Ok(small) => small.into(),
        Err(_) => count.to_string().into(),
    }
}

/// Formats as `5,478`.
fn grouped(count: u128) -> String {
    let digits = count.to_string();
    let head = digits.len() % 3;
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == head {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats every declared option with its value: `, size 6`.
fn options_of(program: &Program) -> String {
    let options = program.identity.options.iter();
    options
        .map(|option| format!(", {} {}", option.name, option.value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let shown = [0, 7, 549, 5_478, 255_168, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "7", "549", "5,478", "255,168", "1,234,567"]);
    }

    #[test]
    fn numbers_too_large_for_json_are_texts() {
        assert_eq!(number(7), json!(7));
        assert_eq!(number(1 << 64), json!("18446744073709551616"));
    }
}
