//! The part of `--help` that describes the laws, generated from their table.

use crate::laws::{COMBINATIONS, EARLY, LAWS, Look, VALUES_MAX, VIOLATIONS_MAX};

const EXAMPLES: &str = "\
Examples:
  wyrmgate laws my-game
  wyrmgate laws rules --games 2000 --seed 7 --svg lengths.svg
  wyrmgate laws my-game --seats 2,3 --option blocks=3 --games 50 --thorough
  wyrmgate laws my-game --seats 3 --seed 7 --game 431";

pub fn text() -> String {
    let parts = [
        EXAMPLES.to_owned(),
        settings(),
        laws(),
        HIDDEN.to_owned(),
        ending(),
    ];
    parts.join("\n\n")
}

const HIDDEN: &str = "\
The law `hidden` plays the same steps in two worlds that a seat, or a viewer without a seat, could not tell apart before: \
shuffles, rolls, unseen draws or secret answers had other results. It then compares everything that the viewer receives: events, \
views, who decides, choices with their order and labels, reasons of refusals, defaults, the end. A difference is a leak, unless \
the rules declare it with `revealed(x)`. The report states how many pairs of worlds were examined. It lists each `revealed` and \
how often it distinguished two worlds; one that never did is not needed.";

fn settings() -> String {
    format!(
        "Settings for every number of seats: the defaults; each option alone, with each of its other values, or with its two \
         extremes if it has more than {VALUES_MAX}; and {COMBINATIONS} combinations of random values for all options, derived \
         from the seed. Combinations that the game does not allow are skipped."
    )
}

fn laws() -> String {
    let lines = LAWS.iter().map(|law| {
        let share = match law.look {
            Look::Playing => "always".to_owned(),
            Look::AtRest { early, every, .. } if early < every => {
                format!("at one rest in {early} in the first {EARLY} games, then at one in {every}")
            }
            Look::AtRest { every, .. } => format!("at one rest in {every}"),
            Look::Game { every, .. } => format!("in one game in {every}"),
        };
        format!("  {:<10}{} ({share})", law.name, law.sentence)
    });
    let lines: Vec<String> = lines.collect();
    format!(
        "Laws, and how often each is checked (always with --thorough):\n{}",
        lines.join("\n")
    )
}

fn ending() -> String {
    format!(
        "Every seat chooses at random. The same seed gives the same games, on any number of threads and with any selection of \
         laws. A setting ends after {VIOLATIONS_MAX} games that break a law. The exit code is 0 if all laws hold in all games, \
         and 1 if a law is broken or the run was interrupted or out of time; the report then contains the findings so far."
    )
}
