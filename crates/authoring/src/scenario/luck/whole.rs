//! Forced results of random choices with several names or options, which chance draws as a whole.

use super::Forced;
use crate::scenario::{AUTHOR, ForcedResult, Located};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_engine::Choice;
use wyrmgate_program::SiteId;
use wyrmgate_view::name_of_value;

/// Maximum number of choices in a message.
const SHOWN_MAX: usize = 12;

/// The values of a choice by their names, as in `luck`.
type Named = Vec<(String, Vec<String>)>;

impl Forced<'_> {
    /// Returns the position of the choice with the forced values. Leaves a number to the draw, with a warning that shows
    /// the values.
    pub(super) fn whole_choice(&mut self, site: SiteId, choices: &[Choice]) -> Option<usize> {
        let Located { value, span } = self.queue.front()?;
        let span = *span;
        match value {
            ForcedResult::Free | ForcedResult::Top(_) => None,
            ForcedResult::Value(number) => {
                let at = number.parse::<usize>().ok()?.checked_sub(1)?;
                let named = written(&self.named(site, choices.get(at)?));
                self.warnings.push(by_number(span, at + 1, &named));
                None
            }
            ForcedResult::Named(wanted) => {
                let wanted = wanted.clone();
                self.queue.pop_front();
                self.with_values(site, choices, &wanted, span)
            }
        }
    }

    fn with_values(
        &mut self,
        site: SiteId,
        choices: &[Choice],
        wanted: &Named,
        span: Span,
    ) -> Option<usize> {
        let named = choices.iter().map(|choice| self.named(site, choice));
        let named: Vec<Named> = named.collect();
        let fits = |named: &&Named| wanted.iter().all(|value| named.contains(value));
        let fitting: Vec<&Named> = named.iter().filter(fits).collect();
        let (message, possible) = match fitting.as_slice() {
            [first, rest @ ..] if rest.iter().all(|other| other == first) => {
                return named.iter().position(|named| named == *first);
            }
            [] => ("this cannot be drawn here", named.iter().collect()),
            _ => ("this can mean several results", fitting),
        };
        let help = format!("possible here: {}", listed(&possible));
        self.refuse(span, message, help);
        None
    }

    fn named(&self, site: SiteId, choice: &Choice) -> Named {
        let Some(option) = self.program.option(site, choice.option) else {
            return Named::new();
        };
        let values = option.binders.iter().zip(&choice.args);
        let values = values.map(|(binder, arg)| {
            let name = |value| name_of_value(self.program, AUTHOR, value, binder.of).into_owned();
            let names = arg.values().iter().copied().map(name);
            (binder.name.clone(), names.collect())
        });
        let name = (!option.name.is_empty()).then(|| option.name.clone());
        let name = name.map(|name| ("option".to_owned(), vec![name]));
        name.into_iter().chain(values).collect()
    }
}

fn by_number(span: Span, number: usize, named: &str) -> Diagnostic {
    let message = format!("this is the number of a whole choice: {named} is number {number}");
    Diagnostic::warning("luck-by-number", span, message).help(format!("write `{named}`"))
}

/// Formats `{a: 3, b: 1}`.
fn written(named: &Named) -> String {
    let values = named.iter().map(|(name, values)| match values.as_slice() {
        [one] => format!("{name}: {one}"),
        several => format!("{name}: [{}]", several.join(", ")),
    });
    format!("{{{}}}", values.collect::<Vec<_>>().join(", "))
}

fn listed(possible: &[&Named]) -> String {
    let shown = possible.iter().take(SHOWN_MAX);
    let mut shown: Vec<String> = shown.map(|named| written(named)).collect();
    if possible.len() > SHOWN_MAX {
        shown.push("…".to_owned());
    }
    shown.join(" · ")
}
