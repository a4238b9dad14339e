//! The report of `wyrmgate laws`: a row for every setting as soon as it is known, then lengths and totals.

use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::super::Stop;
use super::Args;
use crate::laws::{Plan, Proof, Setting, Violation, svg};
use crate::rules::Ruleset;
use crate::statistics::{Bar, Counts};

/// Bars of a histogram.
const BARS_MAX: u32 = 12;

/// The longest bar, in characters.
const BAR_WIDTH: u64 = 40;

/// Violations of a setting that are told in text; JSON has all.
const VIOLATIONS_TOLD: usize = 3;

/// What the games of a setting showed; nothing, if it does not compile.
pub struct Row {
    pub setting: Setting,
    pub proof: Option<Proof>,
}

/// One game of the rules folder.
struct Game {
    name: String,
    digest: String,
    bound: u32,
    settings: usize,
    rows: Vec<Value>,
    lengths: Counts,
}

pub struct Report {
    json: bool,
    seed: String,
    /// Names of the laws, and how often each was looked at.
    looked: Vec<(&'static str, u64)>,
    games: Vec<Game>,
    played: u64,
    broken: u64,
    /// What is still to be said about some of the games is not known.
    pub interrupted: bool,
}

impl Report {
    pub fn new(args: &Args, seed: String, plan: &Plan) -> Report {
        Report {
            json: args.json,
            seed,
            looked: plan.laws.iter().map(|law| (law.name, 0)).collect(),
            games: Vec::new(),
            played: 0,
            broken: 0,
            interrupted: false,
        }
    }

    pub fn is_good(&self) -> bool {
        self.broken == 0 && !self.interrupted
    }

    pub fn begin(&mut self, ruleset: &Ruleset, settings: usize, progress: &ProgressBar) {
        let game = Game {
            name: ruleset.name.clone(),
            digest: ruleset.digest.clone(),
            bound: 0,
            settings,
            rows: Vec::new(),
            lengths: Counts::default(),
        };
        let name = game.name.clone();
        progress.set_message(name.clone());
        self.tell(progress, || {
            format!(
                "{name}, {settings} settings, seed {}\n  seats    games      min   median      p95      max  longest     options",
                self.seed
            )
        });
        self.games.push(game);
    }

    pub fn add(&mut self, row: Row, progress: &ProgressBar) {
        let Some(game) = self.games.last_mut() else {
            return;
        };
        let Some(proof) = &row.proof else {
            self.broken += 1;
            game.rows.push(row_json(&row));
            let line = format!(
                "  {:>5}  does not compile  {}",
                row.setting.seats, row.setting
            );
            return self.tell(progress, || line);
        };
        game.bound = proof.bound;
        game.lengths.merge(&proof.lengths);
        game.rows.push(row_json(&row));
        let name = game.name.clone();
        self.played += proof.games;
        self.broken += proof.games_broken;
        for ((_, sum), looked) in self.looked.iter_mut().zip(&proof.looked) {
            *sum += looked;
        }
        self.tell(progress, || {
            let mut lines = vec![row_line(&row.setting, proof)];
            lines.extend(self.violation_lines(&name, &row.setting, proof));
            lines.join("\n")
        });
    }

    pub fn end_game(&self, progress: &ProgressBar) {
        let Some(game) = self.games.last() else {
            return;
        };
        self.tell(progress, || {
            let head = format!(
                "  lengths of {} games, in decisions (bound {})",
                game.lengths.total(),
                game.bound
            );
            let bars = game.lengths.bars(BARS_MAX);
            let most = bars.iter().map(|bar| bar.times).max().unwrap_or(1).max(1);
            let bars = bars.iter().map(|bar| bar_line(bar, most));
            [head]
                .into_iter()
                .chain(bars)
                .collect::<Vec<_>>()
                .join("\n")
                + "\n"
        });
    }

    /// The totals, or the whole as JSON.
    pub fn end(&self) -> Result<(), Stop> {
        if self.json {
            say!("{}", self.to_json());
            return Ok(());
        }
        for (law, looked) in &self.looked {
            if *looked > 0 {
                say!("  {law:<10} looked at {looked} times");
            }
        }
        let broken = match self.broken {
            0 => "all laws hold".to_owned(),
            broken => format!("laws are broken in {broken} of them"),
        };
        say!("{} games, seed {}: {broken}", self.played, self.seed);
        if self.interrupted {
            say!("interrupted: the other games were not played");
        }
        Ok(())
    }

    pub fn svg(&self) -> String {
        let games = self.games.iter();
        let games: Vec<(&str, &Counts)> = games.map(|g| (g.name.as_str(), &g.lengths)).collect();
        svg(&games)
    }

    fn tell(&self, progress: &ProgressBar, text: impl FnOnce() -> String) {
        if !self.json {
            progress.suspend(|| say!("{}", text()));
        }
    }

    fn violation_lines(&self, game: &str, setting: &Setting, proof: &Proof) -> Vec<String> {
        let mut lines = Vec::new();
        for violation in proof.violations.iter().take(VIOLATIONS_TOLD) {
            lines.push(format!(
                "         BROKEN {}: {} (after {} decisions)",
                violation.law, violation.found, violation.decisions
            ));
            lines.push(format!(
                "         {}",
                self.command(game, setting, violation)
            ));
        }
        let more = proof.violations.len().saturating_sub(VIOLATIONS_TOLD);
        if more > 0 {
            lines.push(format!("         and {more} more"));
        }
        lines
    }

    /// What shows the violation again.
    fn command(&self, game: &str, setting: &Setting, violation: &Violation) -> String {
        let options = setting.options.iter();
        let options: String = options
            .map(|(name, value)| format!(" --option {name}={value}"))
            .collect();
        let defaults = if options.is_empty() {
            " --defaults"
        } else {
            ""
        };
        format!(
            "wyrmgate laws {game} --seats {}{options}{defaults} --seed {} --game {}",
            setting.seats, self.seed, violation.game.number
        )
    }

    fn to_json(&self) -> Value {
        let looked = self.looked.iter();
        let looked: serde_json::Map<String, Value> = looked
            .map(|(law, times)| ((*law).to_owned(), (*times).into()))
            .collect();
        json!({
            "ok": self.is_good(),
            "seed": self.seed,
            "interrupted": self.interrupted,
            "played": self.played,
            "broken": self.broken,
            "looked": looked,
            "games": self.games.iter().map(game_json).collect::<Vec<_>>(),
        })
    }
}

fn row_line(setting: &Setting, proof: &Proof) -> String {
    let lengths = &proof.lengths;
    let longest = proof.longest.as_ref();
    let longest = longest.map_or(String::new(), |longest| {
        format!("game {}", longest.game.number)
    });
    format!(
        "  {:>5}  {:>7}  {:>7}  {:>7}  {:>7}  {:>7}  {longest:<10}  {setting}",
        setting.seats,
        proof.games,
        lengths.least(),
        lengths.percentile(50),
        lengths.percentile(95),
        proof
            .longest
            .as_ref()
            .map_or(0, |longest| longest.decisions),
    )
}

fn bar_line(bar: &Bar, most: u64) -> String {
    let width = (bar.times * BAR_WIDTH).div_ceil(most) as usize;
    format!(
        "  {:>7} to {:>7}  {:>8}  {}",
        bar.from,
        bar.to,
        bar.times,
        "█".repeat(width)
    )
}

fn row_json(row: &Row) -> Value {
    let Some(proof) = &row.proof else {
        return json!({"seats": row.setting.seats, "options": row.setting.options, "compiles": false});
    };
    json!({
        "seats": row.setting.seats,
        "options": row.setting.options,
        "games": proof.games,
        "broken": proof.games_broken,
        "decisions": spread(&proof.lengths),
        "longest": proof.longest,
        "violations": proof.violations,
    })
}

fn spread(lengths: &Counts) -> Value {
    json!({
        "min": lengths.least(),
        "median": lengths.percentile(50),
        "p95": lengths.percentile(95),
        "max": lengths.most(),
    })
}

fn game_json(game: &Game) -> Value {
    json!({
        "game": game.name,
        "ruleset": game.digest,
        "bound": game.bound,
        "settings": game.settings,
        "rows": game.rows,
        "decisions": spread(&game.lengths),
        "lengths": game.lengths.bars(BARS_MAX).iter().map(bar_json).collect::<Vec<_>>(),
    })
}

fn bar_json(bar: &Bar) -> Value {
    json!({"from": bar.from, "to": bar.to, "games": bar.times})
}
