//! What games did that is no error, but hardly meant: decisions that were left out, draws from empty zones.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::laws::{GameId, Setting};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_compile::names::walk::{blocks, texts};
use wyrmgate_engine::{Event, Observer, Oddity};
use wyrmgate_lang::ast::StmtKind;
use wyrmgate_lang::definition::Definition;

/// The oddities of the games of one setting. It can watch games as they are played.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Oddities {
    counts: BTreeMap<(Span, Oddity), OddityCount>,
    /// The game that is played.
    game: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct OddityCount {
    times: u64,
    games: u64,
    /// The numbers of the first game and of the last one that was counted.
    first: u64,
    last: u64,
}

impl Oddities {
    /// Begins a game. Numbers start at 1 and are unique.
    pub fn begin_game(&mut self, number: u64) {
        self.game = number;
    }

    /// Adds other games of the same setting.
    pub fn merge(&mut self, other: &Oddities) {
        for (key, count) in &other.counts {
            let own = self.counts.entry(*key).or_insert(OddityCount {
                first: count.first,
                ..OddityCount::default()
            });
            own.times += count.times;
            own.games += count.games;
            own.first = own.first.min(count.first);
        }
    }
}

impl Observer for Oddities {
    fn wants_events(&self) -> bool {
        false
    }

    fn event(&mut self, _: Event) {}

    fn wants_clauses(&self) -> bool {
        false
    }

    fn odd(&mut self, what: Oddity, place: Option<Span>) {
        let Some(place) = place else { return };
        let game = self.game;
        let count = self.counts.entry((place, what)).or_insert(OddityCount {
            first: game,
            ..OddityCount::default()
        });
        count.times += 1;
        count.games += u64::from(count.last != game);
        count.last = game;
    }
}

/// The oddities of a game in all settings, each with its first game.
#[derive(Debug, Default)]
pub struct NoticedOddities {
    rows: BTreeMap<(Span, Oddity), NoticedRow>,
}

#[derive(Debug)]
struct NoticedRow {
    times: u64,
    games: u64,
    first: GameId,
    setting: Setting,
}

impl NoticedOddities {
    /// Adds the oddities of one setting. `seed` is that of the run.
    pub fn add(
        &mut self,
        seed: &[u8; 32],
        setting: &Setting,
        found: &Oddities,
        rules: &Definition,
    ) {
        let meant = skipped_on_purpose(rules);
        for ((place, what), count) in &found.counts {
            let is_meant = match what {
                Oddity::Untold(_) => true, // reported as a fault
                Oddity::Skipped => meant.contains(place),
                Oddity::DrawnFromEmpty | Oddity::DrawnShort | Oddity::Unfinished => false,
            };
            if is_meant {
                continue;
            }
            let row = self.rows.entry((*place, *what));
            let row = row.or_insert_with(|| NoticedRow {
                times: 0,
                games: 0,
                first: GameId::of(seed, count.first),
                setting: setting.clone(),
            });
            row.times += count.times;
            row.games += count.games;
        }
    }

    /// Returns lines for a report. `place` describes a place of the rules.
    pub fn lines(&self, place: impl Fn(Span) -> String) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.rows.is_empty() {
            lines.push("  noticed; no errors, but perhaps not meant:".to_owned());
        }
        for ((span, what), row) in &self.rows {
            let (_, words) = in_words(*what);
            lines.push(format!("    {}: {words}", place(*span)));
            lines.push(format!(
                "      {} times in {} games, first in game {} with {} seats, {}",
                row.times, row.games, row.first.number, row.setting.seats, row.setting
            ));
        }
        lines
    }

    /// Returns the rows as JSON. `placed` adds a place of the rules.
    pub fn json(&self, placed: impl Fn(Span, Value) -> Value) -> Vec<Value> {
        let rows = self.rows.iter().map(|((span, what), row)| {
            let more = json!({
                "what": in_words(*what).0,
                "times": row.times,
                "games": row.games,
                "game": row.first.number,
                "seed": row.first.seed,
                "seats": row.setting.seats,
                "options": row.setting.options,
            });
            placed(*span, more)
        });
        rows.collect()
    }
}

/// Returns the name of an oddity, and a sentence.
const fn in_words(what: Oddity) -> (&'static str, &'static str) {
    match what {
        Oddity::Untold(_) => ("untold", "a text could not be made"),
        Oddity::Skipped => (
            "skipped",
            "nobody had a choice, so the decision was left out; `else:` says what happens then",
        ),
        Oddity::DrawnFromEmpty => ("drawn-from-empty", "there was nothing left to draw"),
        Oddity::DrawnShort => ("drawn-short", "fewer were left than were to be drawn"),
        Oddity::Unfinished => (
            "unfinished",
            "the rules came to their end without `finish`, which is a draw",
        ),
    }
}

/// Returns the places of decisions whose rules say what happens without a choice.
fn skipped_on_purpose(rules: &Definition) -> Vec<Span> {
    let mut places = Vec::new();
    for text in texts(rules) {
        blocks(text, &mut |block| {
            for statement in block {
                let is_meant = if let StmtKind::Choose(choose) = &statement.kind {
                    choose.may || choose.otherwise.is_some() || choose.sequence.is_some()
                } else {
                    matches!(statement.kind, StmtKind::Ask { .. })
                };
                places.extend(is_meant.then_some(statement.span));
            }
        });
    }
    places
}
