//! The report of `wyrmgate laws`: a row for each setting as soon as it is known, then lengths and totals.

use serde_json::{Value, json};

use super::super::bars::bar_lines;
use super::super::explain::place;
use super::super::many_games::ManyGames;
use super::super::stopped::placed;
use super::cause::Cause;
use super::reveals::RevealedLines;
use crate::cli::laws::args::{Args, Asked};
use crate::laws::{Compared, Plan, Proof, Setting, svg};
use crate::oddities::Oddities;
use crate::statistics::Counts;

/// Maximum number of bars in a histogram.
const BARS_MAX: u32 = 12;

/// The law that compares worlds.
const COMPARES: &str = "hidden";

/// Number of pairs of worlds below which the law may have missed much.
const PAIRS_FEW: u64 = 100;

/// The results of a setting, or none if it does not compile.
pub struct Row {
    pub setting: Setting,
    pub proof: Option<Proof>,
}

/// One game of the rules folder.
struct Game<'r> {
    asked: &'r Asked,
    causes: Vec<Cause>,
    compared: Compared,
    reveals: RevealedLines,
    odd: Oddities,
    bound: u32,
    settings: usize,
    rows: Vec<Value>,
    lengths: Counts,
}

pub struct Report<'r> {
    json: bool,
    many: &'r ManyGames,
    /// Names of the laws, and how often each was checked.
    looked: Vec<(&'static str, u64)>,
    games: Vec<Game<'r>>,
    /// Whether the law that compares worlds is among them.
    compares: bool,
    played: u64,
    broken: u64,
    /// Whether results are missing.
    interrupted: bool,
}

impl<'r> Report<'r> {
    pub fn new(args: &Args, many: &'r ManyGames, plan: &Plan) -> Report<'r> {
        Report {
            json: args.json,
            many,
            looked: plan.laws.iter().map(|law| (law.name, 0)).collect(),
            games: Vec::new(),
            compares: plan.laws.iter().any(|law| law.name == COMPARES),
            played: 0,
            broken: 0,
            interrupted: false,
        }
    }

    pub fn is_good(&self) -> bool {
        self.broken == 0 && !self.interrupted
    }

    pub fn begin(&mut self, asked: &'r Asked, settings: usize) {
        let game = Game {
            asked,
            causes: Vec::new(),
            compared: Compared::default(),
            reveals: RevealedLines::default(),
            odd: Oddities::default(),
            bound: 0,
            settings,
            rows: Vec::new(),
            lengths: Counts::default(),
        };
        let name = asked.ruleset.name.clone();
        self.many.progress.set_message(name.clone());
        self.print(|| {
            format!(
                "{name}, {settings} settings, seed {}\n  seats    games      min   median      p95      max  longest     options",
                self.many.seed
            )
        });
        self.games.push(game);
    }

    pub fn add(&mut self, row: Row) {
        let Some(game) = self.games.last_mut() else {
            return;
        };
        let Some(proof) = &row.proof else {
            self.broken += 1;
            game.rows.push(row_json(&row));
            let (seats, setting) = (row.setting.seats, row.setting);
            return self.print(|| format!("  {seats:>5}  does not compile  {setting}"));
        };
        game.bound = proof.bound;
        game.lengths.merge(&proof.lengths);
        game.rows.push(row_json(&row));
        game.compared.pairs += proof.compared.pairs;
        game.compared.hides |= proof.compared.hides;
        game.reveals.add(&proof.reveals);
        let words = format!("{} seats, {}", row.setting.seats, row.setting);
        game.odd.merge(&proof.odd, &words);
        for violation in &proof.violations {
            Cause::add(&mut game.causes, &row.setting, violation);
        }
        self.played += proof.games;
        self.broken += proof.games_broken;
        for ((_, sum), looked) in self.looked.iter_mut().zip(&proof.looked) {
            *sum += looked;
        }
        self.print(|| row_line(&row.setting, proof));
    }

    pub fn end_game(&self) {
        let Some(game) = self.games.last() else {
            return;
        };
        self.print(|| {
            let (games, bound) = (game.lengths.total(), game.bound);
            let head = format!("  lengths of {games} games, in decisions (bound {bound})");
            let bars = game.lengths.bars(BARS_MAX);
            let (causes, sources) = (game.causes.iter(), &game.asked.ruleset.sources);
            let causes = causes.map(|cause| cause.text(game.asked, &self.many.seed, game.settings));
            [head]
                .into_iter()
                .chain(bar_lines(&bars, 7))
                .chain(self.compared_line(game))
                .chain(game.reveals.lines(game.asked, &game.compared))
                .chain(game.odd.lines(|span| place(sources, span)))
                .chain(causes)
                .collect::<Vec<_>>()
                .join("\n")
                + "\n"
        });
    }

    /// Prints the totals, or everything as JSON.
    pub fn end(&mut self) {
        self.interrupted = self.many.is_stopped();
        if self.json {
            return say!("{}", self.to_json());
        }
        for (law, looked) in &self.looked {
            if *looked > 0 {
                say!("  {law:<10} checked {looked} times");
            }
        }
        let broken = match self.broken {
            0 => "all laws hold".to_owned(),
            broken => format!("laws are broken in {broken} of them"),
        };
        say!("{} games, seed {}: {broken}", self.played, self.many.seed);
        if self.interrupted {
            say!("interrupted or out of time: the remaining games were not played");
        }
    }

    pub fn svg(&self) -> String {
        let games = self.games.iter();
        let games: Vec<(&str, &Counts)> = games
            .map(|g| (g.asked.ruleset.name.as_str(), &g.lengths))
            .collect();
        svg(&games)
    }

    fn print(&self, text: impl FnOnce() -> String) {
        if !self.json {
            self.many.progress.suspend(|| say!("{}", text()));
        }
    }

    /// Returns the line about what the law that compares worlds could compare.
    fn compared_line(&self, game: &Game<'_>) -> Option<String> {
        let Compared { pairs, hides, .. } = game.compared;
        if !self.compares {
            return None;
        }
        Some(match (hides, pairs) {
            (false, _) => format!("  {COMPARES}: nothing in this game is hidden"),
            (true, 0) => format!(
                "  WARNING {COMPARES}: examined 0 pairs of worlds, although this game hides something: the law proves nothing; play more games"
            ),
            (true, pairs @ ..PAIRS_FEW) => format!(
                "  WARNING {COMPARES}: examined only {pairs} pairs of worlds; play more games, or use --thorough"
            ),
            (true, pairs) => format!("  {COMPARES}: examined {pairs} pairs of worlds"),
        })
    }

    fn to_json(&self) -> Value {
        let looked = self.looked.iter();
        let looked = looked.map(|(law, times)| ((*law).to_owned(), json!(times)));
        let looked: serde_json::Map<String, Value> = looked.collect();
        json!({
            "ok": self.is_good(),
            "seed": self.many.seed,
            "interrupted": self.interrupted,
            "played": self.played,
            "broken": self.broken,
            "looked": looked,
            "games": self.games.iter().map(|game| game_json(game, self.many)).collect::<Vec<_>>(),
        })
    }
}

fn row_line(setting: &Setting, proof: &Proof) -> String {
    let lengths = &proof.lengths;
    let longest = proof.longest.as_ref();
    let most = longest.map_or(0, |longest| longest.decisions);
    let longest = longest.map_or(String::new(), |it| format!("game {}", it.game.number));
    format!(
        "  {:>5}  {:>7}  {:>7}  {:>7}  {:>7}  {most:>7}  {longest:<10}  {setting}",
        setting.seats,
        proof.games,
        lengths.least(),
        lengths.percentile(50),
        lengths.percentile(95),
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

fn game_json(game: &Game<'_>, many: &ManyGames) -> Value {
    let (causes, seed) = (game.causes.iter(), &many.seed);
    let causes: Vec<Value> = causes.map(|cause| cause.json(game.asked, seed)).collect();
    json!({
        "game": game.asked.ruleset.name,
        "ruleset": game.asked.ruleset.digest,
        "causes": causes,
        "compared": {"pairs": game.compared.pairs, "hides": game.compared.hides},
        "reveals": game.reveals.json(game.asked, &game.compared),
        "noticed": game.odd.json(&many.plan.seed, |span, more| placed(span, &game.asked.ruleset.sources, more)),
        "bound": game.bound,
        "settings": game.settings,
        "rows": game.rows,
        "decisions": spread(&game.lengths),
        "lengths": game.lengths.bars(BARS_MAX),
    })
}
