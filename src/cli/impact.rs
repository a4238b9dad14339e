//! `wyrmgate impact`: the effect of a rules change on random games.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::many_games::{ManyGames, RandomGamesArgs, write_charts};
use super::progress::progress_bar;
use super::report::CommandReport;
use super::setup::{self, RulesArgs, find_game, pairs};
use super::stopped::Again;
use super::stopped_games::StoppedGames;
use super::{Stop, Verdict};
use crate::audit::{self, Impact};
use crate::laws::Setting;
use crate::program::Program;
use crate::rules::Ruleset;

const EXAMPLES: &str = "\
Examples:
  wyrmgate impact my-game long-night
  wyrmgate impact my-game+long-night my-game+long-night+storm
  wyrmgate impact my-game my-other-game --seats 2,3 --games 5000 --seed 7
  wyrmgate impact my-game my-game --other-option blocks=3 --svg impact.svg
  wyrmgate impact my-game long-night --json

Both games are played with the same seeds, game by game, and every seat chooses at random. Because both share much of \
their chance, the paired differences are more precise than the results of each side. Wins and draws have Wilson's \
intervals, their differences Agresti and Min's, and numbers Student's, all at the 95 % level. A star marks significant \
differences (p < 0.05 for all rows of a table together, by Holm's method).

The leader is determined at every decision: the seat that ranks first by `finish ranked by`, or by score. Without \
either, this row is omitted.

The exit code is 0 if all games ended, and 1 if one did not or the run was interrupted.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game by name or folder, optionally with overlays (`my-game+long-night`)
    base: String,
    /// Overlay of the game, the game with other overlays, or another game
    other: String,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    random: RandomGamesArgs,
    /// Option for both games; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setup::setting)]
    options: Vec<(String, String)>,
    /// Option for the first game only; repeatable
    #[arg(long = "base-option", value_name = "NAME=VALUE", value_parser = setup::setting)]
    base_options: Vec<(String, String)>,
    /// Option for the second game only; repeatable
    #[arg(long = "other-option", value_name = "NAME=VALUE", value_parser = setup::setting)]
    other_options: Vec<(String, String)>,
    /// Draw wins, differences and lengths as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a report with charts to this HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// One of the two compared games.
struct Side {
    /// The name as given by the user.
    name: String,
    ruleset: Ruleset,
    options: Vec<(String, String)>,
}

impl Side {
    fn new(args: &Args, name: &str, own: &[(String, String)]) -> Result<Side, Stop> {
        Ok(Side {
            name: name.to_owned(),
            ruleset: setup::ruleset(&find_game(name, &args.rules.rules)?)?,
            options: args.options.iter().chain(own).cloned().collect(),
        })
    }

    fn program(&self, seats: usize) -> Result<Program, Stop> {
        let setting = Setting {
            seats,
            options: self.options.iter().cloned().collect(),
        };
        let checked = &self.ruleset.checked;
        let setup = checked
            .setup(seats, &setting.options)
            .map_err(setup::refused)?;
        let program = checked.compile(&setup);
        program.ok_or_else(|| Stop::Failure(format!("the rules do not compile with {setting}")))
    }

    /// Formats as `my-game blocks=3`.
    fn title(&self) -> String {
        let options = self.options.iter();
        let options = options.map(|(name, value)| format!(" {name}={value}"));
        self.ruleset.name.clone() + &options.collect::<String>()
    }
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let base = Side::new(args, &args.base, &args.base_options)?;
    let other = Side::new(args, &other_name(args), &args.other_options)?;
    let seats = seats(args, &base, &other)?;
    let mut many = args.random.begin()?;
    let games = 2 * many.plan.games * seats.len() as u64;
    many.progress = progress_bar(games, "games");
    let mut rows = Vec::new();
    for seats in seats {
        if !many.is_stopped() {
            rows.push(compare(&base, &other, seats, &many)?);
        }
    }
    many.progress.finish_and_clear();
    let report = Report {
        args,
        sides: [&base, &other],
        rows,
        interrupted: many.is_stopped(),
        seed: many.seed,
    };
    report.print(args.json);
    let [base, other] = &report.titles();
    let charts = || audit::impact_svg(base, other, &report.rows);
    let title = format!("{base} and {other}");
    let (svg, html) = (args.svg.as_deref(), args.html.as_deref());
    write_charts(svg, html, &title, charts, || report.tables())?;
    Ok(Verdict::good_if(report.is_good()))
}

/// Returns `my-game+long-night`, also if only `long-night` was given.
fn other_name(args: &Args) -> String {
    let as_overlay = format!("{}+{}", args.base, args.other.trim_start_matches('+'));
    match find_game(&args.other, &args.rules.rules) {
        Err(_) if find_game(&as_overlay, &args.rules.rules).is_ok() => as_overlay,
        _ => args.other.clone(),
    }
}

fn seats(args: &Args, base: &Side, other: &Side) -> Result<Vec<usize>, Stop> {
    let mut seats = args.random.seats_of(&base.ruleset.checked)?;
    let of_other = args.random.seats_of(&other.ruleset.checked)?;
    seats.retain(|seats| of_other.contains(seats));
    if seats.is_empty() {
        let message = "no number of seats is allowed by both";
        return Err(Stop::Usage(message.into()));
    }
    Ok(seats)
}

fn compare(base: &Side, other: &Side, seats: usize, many: &ManyGames) -> Result<Impact, Stop> {
    let programs = [base.program(seats)?, other.program(seats)?];
    let [base, other] = &programs;
    let play = |program| {
        audit::play(program, &many.plan, &many.stop, &mut || {
            many.progress.inc(1)
        })
    };
    Ok(Impact::of(&play(base), &play(other), &many.plan.seed))
}

struct Report<'a> {
    args: &'a Args,
    sides: [&'a Side; 2],
    seed: String,
    rows: Vec<Impact>,
    interrupted: bool,
}

impl Report<'_> {
    fn is_good(&self) -> bool {
        !self.interrupted && self.rows.iter().all(|row| row.failed == [0, 0])
    }

    fn tables(&self) -> String {
        let [base, other] = &self.titles();
        let tables = audit::impact_text([base, other], &self.rows, self.interrupted);
        format!("{base} and {other}, seed {}\n\n{tables}", self.seed)
    }

    fn titles(&self) -> [String; 2] {
        self.sides.map(Side::title)
    }

    /// Returns the games of both sides that stopped.
    fn stopped<'r>(&'r self, row: &'r Impact) -> [StoppedGames<'r>; 2] {
        let [base, other] = self.sides;
        let [of_base, of_other] = &row.failures;
        [(base, of_base), (other, of_other)].map(|(side, failures)| {
            let again = Again::new("simulate").game(&side.name, &self.args.rules);
            let again = again
                .flag("--seats", row.seats)
                .options(pairs(&side.options));
            StoppedGames {
                failures,
                sources: &side.ruleset.sources,
                which: setup::which(&side.ruleset.name, row.seats, pairs(&side.options)),
                again: again.flag("--seed", &self.seed),
            }
        })
    }
}

impl CommandReport for Report<'_> {
    fn text(&self) -> String {
        let stopped = self.rows.iter().flat_map(|row| self.stopped(row));
        let stopped: String = stopped.map(|games| games.text()).collect();
        format!("{}\n{stopped}", self.tables())
    }

    fn json(&self) -> Value {
        let sides = self.sides.iter().map(|side| {
            let ruleset = &side.ruleset;
            json!({"title": side.title(), "game": ruleset.name, "ruleset": ruleset.digest})
        });
        let sides: Vec<Value> = sides.collect();
        let rows = self.rows.iter().map(|row| {
            let [base, other] = row.failed;
            let [of_base, of_other] = self.stopped(row).map(|games| games.json());
            json!({
                "seats": row.seats,
                "games": row.games,
                "failed": {"base": base, "other": other},
                "failures": {"base": of_base, "other": of_other},
                "measures": row.measures,
                "uses": row.uses,
            })
        });
        json!({
            "ok": self.is_good(),
            "seed": self.seed,
            "interrupted": self.interrupted,
            "base": sides.first(),
            "other": sides.last(),
            "rows": rows.collect::<Vec<_>>(),
        })
    }
}
