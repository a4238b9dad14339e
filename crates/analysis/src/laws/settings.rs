//! Which numbers of seats and which options are played.

use std::collections::BTreeMap;
use std::fmt;

use wyrmgate_compile::check::{Checked, Shape};
use wyrmgate_search::bot::RandomBot;

/// An option with more values than this is tried at its two ends.
pub const VALUES_MAX: i64 = 8;

/// Number of combinations of options that are drawn for each number of seats.
pub const COMBINATIONS: usize = 8;

/// Maximum number of draws: combinations that the game does not allow, or that were drawn before, are drawn again.
const DRAWS_MAX: usize = 50 * COMBINATIONS;

/// Seats and options as written; options that are not named have their defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub seats: usize,
    pub options: BTreeMap<String, String>,
}

/// `defaults`, `blocks=3 loser=1`
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.options.is_empty() {
            return f.write_str("defaults");
        }
        let options = self.options.iter();
        let written: Vec<String> = options
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        f.write_str(&written.join(" "))
    }
}

/// Returns for each of these numbers of seats that the game allows: the defaults; every option alone, changed to each of
/// its other values, or to its ends if it has many; and [`COMBINATIONS`] of random values for all options. Combinations
/// that the game does not allow are left out. The same seed gives the same combinations.
pub fn settings(checked: &Checked, seats: &[usize], seed: &[u8; 32]) -> Vec<Setting> {
    let mut all = Vec::new();
    for seats in checked.seats.iter().filter(|n| seats.contains(n)) {
        let mut sets = vec![BTreeMap::new()];
        sets.extend(each_alone(checked));
        sets.retain(|options| checked.setup(*seats, options).is_ok());
        add_combinations(checked, *seats, seed, &mut sets);
        all.extend(sets.into_iter().map(|options| Setting {
            seats: *seats,
            options,
        }));
    }
    all
}

fn each_alone(checked: &Checked) -> impl Iterator<Item = BTreeMap<String, String>> {
    checked.options.iter().flat_map(|option| {
        let values = values_of(&option.shape).into_iter();
        let others = values.filter(|value| *value != option.default);
        others.map(|value| BTreeMap::from([(option.name.clone(), option.shape.show(value))]))
    })
}

fn values_of(shape: &Shape) -> Vec<i32> {
    let many = shape.count();
    let numbers = if many <= VALUES_MAX {
        (0..many).collect()
    } else {
        vec![0, many - 1]
    };
    numbers
        .into_iter()
        .map(|number| shape.nth(number))
        .collect()
}

fn add_combinations(
    checked: &Checked,
    seats: usize,
    seed: &[u8; 32],
    sets: &mut Vec<BTreeMap<String, String>>,
) {
    let mut dice = RandomBot::for_game(&blake3::derive_key("wyrmgate 1 combinations", seed));
    let most = sets.len() + COMBINATIONS;
    for _ in 0..DRAWS_MAX {
        if sets.len() == most {
            return;
        }
        let drawn = combination(checked, &mut dice);
        if !sets.contains(&drawn) && checked.setup(seats, &drawn).is_ok() {
            sets.push(drawn);
        }
    }
}

/// Returns a random value for every option; those at their default are not named.
fn combination(checked: &Checked, dice: &mut RandomBot) -> BTreeMap<String, String> {
    let mut options = BTreeMap::new();
    for option in &checked.options {
        let number = dice.below(option.shape.count().max(1) as u64);
        let value = option.shape.nth(number as i64);
        if value != option.default {
            options.insert(option.name.clone(), option.shape.show(value));
        }
    }
    options
}
