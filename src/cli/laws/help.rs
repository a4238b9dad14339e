//! What `--help` says about the laws: it is written from the list of them.

use crate::laws::{COMBINATIONS, LAWS, Look, VALUES_MAX, VIOLATIONS_MAX};

const EXAMPLES: &str = "\
Examples:
  wyrmgate laws my-game
  wyrmgate laws rules --games 2000 --seed 7 --svg lengths.svg
  wyrmgate laws my-game --seats 2,3 --option blocks=3 --games 50 --thorough
  wyrmgate laws my-game --seats 3 --seed 7 --game 431";

pub fn text() -> String {
    [EXAMPLES.to_owned(), settings(), laws(), ending()].join("\n\n")
}

fn settings() -> String {
    format!(
        "Settings: for every number of seats the defaults; every option alone, changed to each of its other values, or to \
         its two ends if it has more than {VALUES_MAX}; and {COMBINATIONS} combinations of random values for all options, \
         which follow from the seed. What the game does not allow together is left out."
    )
}

fn laws() -> String {
    let lines = LAWS.iter().map(|law| {
        let share = match law.look {
            Look::Playing => "always".to_owned(),
            Look::AtRest { every, .. } => format!("at one rest in {every}"),
            Look::Game { every, .. } => format!("in one game in {every}"),
        };
        format!("  {:<10}{} ({share})", law.name, law.sentence)
    });
    let lines: Vec<String> = lines.collect();
    format!(
        "Laws, and how often each is looked at; always with --thorough:\n{}",
        lines.join("\n")
    )
}

fn ending() -> String {
    format!(
        "Every seat chooses at random. The same seed gives the same games, on any number of threads, whichever laws are \
         looked at. A setting is left after {VIOLATIONS_MAX} games that break a law. The exit code is 0 if all laws hold in \
         all games, 1 if one is broken or the run was interrupted; then what was found so far is told."
    )
}
