//! What games did that is no error, but hardly meant: decisions that were left out, draws from empty zones.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::simulate::seed_of_game;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_base::hex;
use wyrmgate_engine::{Event, Observer, Oddity};

/// The oddities of many games, by place. It can watch games as they are played.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Oddities {
    rows: BTreeMap<(Span, Oddity), OddityRow>,
    /// The number of the game that is played, from 1.
    pub game: u64,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct OddityRow {
    times: u64,
    games: u64,
    /// The numbers of the first game, in this setting, and of the last one that was counted.
    first: u64,
    last: u64,
    setting: String,
}

impl Oddities {
    /// Adds the games of a setting.
    pub fn merge(&mut self, other: &Oddities, setting: &str) {
        for (key, row) in &other.rows {
            let own = self.rows.entry(*key).or_insert(OddityRow {
                first: row.first,
                setting: setting.to_owned(),
                ..OddityRow::default()
            });
            own.times += row.times;
            own.games += row.games;
            if own.setting == setting {
                own.first = own.first.min(row.first);
            }
        }
    }

    /// Returns lines for a report. `place` describes a place of the rules.
    pub fn lines(&self, place: impl Fn(Span) -> String) -> Vec<String> {
        let lines = self.rows.iter().map(|((span, what), row)| {
            let OddityRow { times, games, first, setting, .. } = row;
            let (place, words) = (place(*span), in_words(*what).1);
            format!("  NOTICED {words}\n    {place}\n    {times} times in {games} games, first in game {first}, {setting}")
        });
        lines.collect()
    }

    /// Returns the rows as JSON. `placed` adds a place of the rules; `seed` is that of the run.
    pub fn json(&self, seed: &[u8; 32], placed: impl Fn(Span, Value) -> Value) -> Vec<Value> {
        let rows = self.rows.iter().map(|((span, what), row)| {
            let game_seed = hex::encode(&seed_of_game(seed, row.first));
            let more = json!({
                "what": in_words(*what).0, "times": row.times, "games": row.games,
                "game": row.first, "seed": game_seed, "setting": row.setting,
            });
            placed(*span, more)
        });
        rows.collect()
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
        let row = self.rows.entry((place, what)).or_default();
        row.first = if row.times == 0 { game } else { row.first };
        row.games += u64::from(row.last != game);
        (row.times, row.last) = (row.times + 1, game);
    }
}

/// Returns the name of an oddity, and a sentence.
const fn in_words(what: Oddity) -> (&'static str, &'static str) {
    match what {
        Oddity::Skipped => ("skipped", "nobody had a choice, and there is no `else:`"),
        Oddity::DrawnFromEmpty => ("drawn-from-empty", "there was nothing left to draw"),
        Oddity::DrawnShort => ("drawn-short", "fewer were left than were to be drawn"),
        Oddity::Unfinished => ("unfinished", "the rules ended without `finish`: a draw"),
        Oddity::Stayed => ("stayed", "a component stayed: its new zone was full"),
    }
}
