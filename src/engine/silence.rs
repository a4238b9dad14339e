//! What the rules say of a seat that does not decide in time.

use crate::engine::choice::{Choice, Pending};
use crate::engine::choices::is_legal;
use crate::engine::state::State;
use crate::program::{DECLINE, Program};

/// The choice that the rules declare for silence: of a decision that may be declined, to decline; of a question, no.
/// `None` where they declare nothing.
pub fn default_choice(program: &Program, state: &State, pending: &Pending) -> Option<Choice> {
    let site = program.sites.get(usize::from(pending.site))?;
    let silent =
        |name: &str| (site.may_decline && name == DECLINE) || (site.is_ask && name == "no");
    let option = site
        .options
        .iter()
        .rposition(|option| silent(&option.name))?;
    let choice = Choice {
        option: u16::try_from(option).ok()?,
        ..Choice::default()
    };
    let legal = is_legal(program, state, pending, &choice);
    legal.unwrap_or(false).then_some(choice)
}
