//! The part of `--help` that describes the laws, generated from their list.

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
The law `hidden` plays the same steps in two worlds that a seat, or somebody without a seat, could not tell apart before: what \
was shuffled, rolled, drawn out of sight or answered in secret came out otherwise. It then compares everything that is told: \
events, views, who decides, choices with their order and labels, why others are refused, defaults, the end. A difference is a \
leak, unless the rules reveal it with `revealed(x)`. The report tells how many pairs of worlds were examined, and lists each \
`revealed` with how often it told two worlds apart; one that never did is not needed.";

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
            Look::AtRest { early, every, .. } if early < every => {
                format!("at one rest in {early} in the first {EARLY} games, then in {every}")
            }
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
