//! Matches standing orders against decisions, using only what the seat itself may see.

use serde_json::{Map, Value};

use crate::content::log::{Happening, LogEntry};
use crate::content::standing::{
    Comparison, EventTest, PresetAnswer, StandingAnswer, ValueRelation,
};
use wyrmgate_base::presume::Presume;
use wyrmgate_engine::{self as engine, Choice, Pending, State, Viewer};
use wyrmgate_program::Program;
use wyrmgate_runner::choices;
use wyrmgate_view::Doc;

/// Maximum number of choices searched for the one that an order describes.
const CHOICES_MAX: usize = 500;

/// A decision that a seat owes, with its context.
pub(super) struct OwedDecision<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    pub pending: &'a Pending,
    /// The change that led to the decision, if available.
    pub opened_by: Option<&'a LogEntry>,
}

impl OwedDecision<'_> {
    /// Returns the first order that applies.
    pub fn answered_by(&self, orders: &[PresetAnswer]) -> Option<usize> {
        orders.iter().position(|order| self.fits(order))
    }

    fn fits(&self, order: &PresetAnswer) -> bool {
        let site = self.program.site(self.pending.site);
        let name = site.map_or("", |site| site.name.as_str());
        let is_meant = order.decision.as_ref().is_none_or(|meant| meant == name);
        is_meant
            && order
                .event
                .as_ref()
                .is_none_or(|event| self.came_with(event))
            && self.hold(&order.conditions)
            && self.choice(&order.answer).is_some()
    }

    fn viewer(&self) -> Viewer {
        Viewer::Seat(self.pending.seat)
    }

    fn came_with(&self, wanted: &EventTest) -> bool {
        let happenings = self.opened_by.into_iter();
        let mut told = happenings
            .flat_map(|entry| &entry.happenings)
            .filter_map(|happening| match happening {
                Happening::Game(event) => {
                    wyrmgate_view::event_doc(self.program, event, self.viewer())
                }
                _ => None,
            });
        told.any(|doc| {
            let doc = Value::from(doc);
            let mut members = wanted.members.iter();
            doc.get("type").and_then(Value::as_str) == Some(&wanted.of)
                && members.all(|(name, value)| doc.get(name) == Some(value))
        })
    }

    fn hold(&self, conditions: &[Comparison]) -> bool {
        if conditions.is_empty() {
            return true;
        }
        let view = wyrmgate_view::view(self.program, self.state, self.viewer());
        let view = serde_json::to_value(view).presume("views serialize to JSON");
        view.is_ok_and(|view| conditions.iter().all(|condition| condition.holds(&view)))
    }

    /// Returns the choice that an answer selects here.
    pub fn choice(&self, answer: &StandingAnswer) -> Option<Choice> {
        let (program, state, pending) = (self.program, self.state, self.pending);
        match answer {
            StandingAnswer::Only => {
                let (site, menu) = (
                    program.site(pending.site)?,
                    choices(program, state, pending),
                );
                menu.ok().filter(|menu| menu.count() == 1)?.choice(site, 0)
            }
            StandingAnswer::Choice { option, args } => {
                let described = self.described(option.as_deref(), args);
                described.or_else(|| self.listed(option.as_deref(), args))
            }
        }
    }

    /// Finds a choice by its complete description, however long the list is.
    fn described(&self, option: Option<&str>, args: &Map<String, Value>) -> Option<Choice> {
        let mut choice = Map::new();
        choice.extend(option.map(|option| ("option".to_owned(), option.into())));
        choice.insert("args".to_owned(), Value::Object(args.clone()));
        let (program, state, pending) = (self.program, self.state, self.pending);
        let choice = Value::Object(choice);
        let choice = wyrmgate_view::choice_from_json(program, state, pending, &choice).ok()?;
        let is_legal = engine::is_legal(program, state, pending, &choice).ok()?;
        is_legal.then_some(choice)
    }

    /// Returns the first listed choice that contains the given values.
    fn listed(&self, option: Option<&str>, args: &Map<String, Value>) -> Option<Choice> {
        let (program, state, pending) = (self.program, self.state, self.pending);
        let doc = wyrmgate_view::decision_docs(program, state, pending, CHOICES_MAX, 0).ok()?;
        let mut choices = doc.choices.iter();
        let found = choices.find(|choice| {
            let mut args = args.iter();
            option.is_none_or(|option| choice.option.as_deref() == Some(option))
                && args.all(|(name, value)| choice.args.get(name) == Some(&Doc::from(value)))
        })?;
        engine::nth_choice(program, state, pending, found.index).ok()?
    }
}

impl Comparison {
    /// Evaluates the comparison. It is false if the value is absent or hidden.
    fn holds(&self, view: &Value) -> bool {
        let Some(found) = view.pointer(&self.at).filter(|found| !found.is_null()) else {
            return false;
        };
        let order = found.as_i64().zip(self.value.as_i64());
        let order = order.map(|(found, value)| found.cmp(&value));
        match self.is {
            ValueRelation::Equal => *found == self.value,
            ValueRelation::NotEqual => *found != self.value,
            ValueRelation::Less => order.is_some_and(|order| order.is_lt()),
            ValueRelation::LessOrEqual => order.is_some_and(|order| order.is_le()),
            ValueRelation::More => order.is_some_and(|order| order.is_gt()),
            ValueRelation::MoreOrEqual => order.is_some_and(|order| order.is_ge()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn comparisons_are_of_what_is_there() {
        let view = json!({"scores": [3, 5], "phase": "dusk", "vars": {"hidden": null}});
        let holds = |at: &str, is, value| {
            let at = at.to_owned();
            Comparison { at, is, value }.holds(&view)
        };
        assert!(holds("/scores/1", ValueRelation::More, json!(4)));
        assert!(!holds("/scores/1", ValueRelation::Less, json!(5)));
        assert!(holds("/scores/1", ValueRelation::LessOrEqual, json!(5)));
        assert!(holds("/phase", ValueRelation::Equal, json!("dusk")));
        assert!(holds("/phase", ValueRelation::NotEqual, json!("dawn")));
        for is in [
            ValueRelation::Equal,
            ValueRelation::NotEqual,
            ValueRelation::Less,
        ] {
            assert!(!holds("/vars/hidden", is, json!(1)));
            assert!(!holds("/nowhere", is, json!(1)));
        }
        assert!(!holds("/phase", ValueRelation::More, json!(1)));
    }
}
