//! Finds options that can never change, because no setting fulfills their conditions.

use super::checked::Checked;
use super::option::OptionFact;
use super::options::{holds, option_world};
use super::setups::with_defaults;
use crate::compile::Setup;
use wyrmgate_base::diagnostic::{Diagnostic, Report};
use wyrmgate_lang::ast::Expr;
use wyrmgate_lang::definition::OptionDef;

/// The maximum number of settings to try.
const SETUPS_MAX: i64 = 2_000;
/// The maximum number of values of an option to try.
const VALUES_MAX: i64 = 12;

/// Warns about options whose conditions can never hold.
pub fn warn(checked: &Checked, report: &mut Report) {
    let conditional = |(option, _): &(&OptionDef, &OptionFact)| !option.requires.is_empty();
    let options = checked.definition.options.iter().zip(&checked.options);
    for (option, fact) in options.filter(conditional) {
        let Some(setups) = setups(checked, fact) else {
            continue;
        };
        let ever = |conditions: &[&Expr]| {
            setups.iter().any(|setup| {
                let world = option_world(&checked.options, setup);
                conditions.iter().all(|condition| holds(&world, condition))
            })
        };
        let all: Vec<&Expr> = option.requires.iter().collect();
        if ever(&all) {
            continue;
        }
        let alone = all.iter().find(|condition| !ever(&[condition]));
        let (place, message) = match (alone, all.last()) {
            (Some(one), _) => (one.span, "this can never hold"),
            (None, Some(last)) => (
                last.span,
                "this and the other conditions never hold together",
            ),
            (None, None) => continue,
        };
        let message = format!("{message}: `{}` could never be changed", fact.name);
        let help = "compare with values that the options allow";
        report.push(Diagnostic::warning("never-allowed", place, message).help(help));
    }
}

/// Returns every setting that changes the option; `None` if there are too many, or none can be determined.
fn setups(checked: &Checked, changed: &OptionFact) -> Option<Vec<Setup>> {
    let values = |fact: &OptionFact| -> Option<Vec<i32>> {
        let count = fact.shape.count();
        (count <= VALUES_MAX).then(|| (0..count).map(|n| fact.shape.nth(n)).collect())
    };
    if more_than(checked, changed, SETUPS_MAX) {
        return None;
    }
    let seats = checked.seats.iter();
    let mut all: Vec<Setup> = seats.map(|seats| with_defaults(*seats)).collect();
    for fact in &checked.options {
        let values = values(fact)?;
        let next = all.iter().flat_map(|setup| {
            let default = fact.default_for(setup.seats);
            let is_tried = move |value: &&i32| fact.name != changed.name || **value != default;
            values.iter().filter(is_tried).map(move |value| {
                let mut setup = setup.clone();
                setup.options.insert(fact.name.clone(), *value);
                setup
            })
        });
        all = next.collect();
    }
    (!all.is_empty()).then_some(all)
}

/// Returns whether there are more settings than the limit, without listing them.
fn more_than(checked: &Checked, changed: &OptionFact, most: i64) -> bool {
    let mut settings = checked.seats.len() as i64;
    checked.options.iter().any(|fact| {
        let is_changed = fact.name == changed.name;
        let values = fact.shape.count() - i64::from(is_changed);
        settings = settings.saturating_mul(values);
        settings > most
    })
}
