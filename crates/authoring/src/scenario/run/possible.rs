//! Suggests possible choices in messages about a choice that is not accepted.

use std::ops::ControlFlow;

use serde_json::{Map, Value};

use super::ScenarioRunner;
use crate::scenario::{AUTHOR, ScenarioChoice, compare};
use wyrmgate_engine::{self as engine, Pending, Viewer};
use wyrmgate_program::Type;
use wyrmgate_view::Doc;

/// Maximum number of choices in a message.
const SHOWN_MAX: usize = 12;

/// Maximum number of choices searched for similar ones.
const LOOKED_AT_MAX: usize = 10_000;

impl ScenarioRunner<'_> {
    /// Returns the first choices of a decision.
    pub(super) fn some_choices(&self, pending: &Pending) -> String {
        self.listed(pending, SHOWN_MAX + 1, |_| 0)
    }

    /// Returns the choices most similar to a rejected one, and the names to write for components that the seat knows by
    /// another name.
    pub(super) fn instead_of(&self, pending: &Pending, choice: &ScenarioChoice) -> String {
        let likeness = |possible: &Map<String, Value>| {
            let same = choice.args.iter();
            let same = same.filter(|(name, value)| possible.get(*name) == Some(*value));
            let option = possible.get("option").and_then(Value::as_str);
            let of_option = choice.option.is_none() || option == choice.option.as_deref();
            same.count() + usize::from(of_option)
        };
        let possible = self.listed(pending, LOOKED_AT_MAX, likeness);
        let mut advice = format!("possible here: {possible}");
        for (name, value) in &choice.args {
            for written in values(value) {
                if let Some(called) = self.called_otherwise(pending, written) {
                    let seat = pending.seat + 1;
                    advice = format!(
                        "seat {seat} sees `{written}` as `{called}`: write `{name}: {called}`; {advice}"
                    );
                }
            }
        }
        advice
    }

    /// Returns the seat's name for a component that was written by its own name or its place.
    fn called_otherwise(&self, pending: &Pending, written: &str) -> Option<String> {
        let (program, state) = (self.program, &self.state);
        let (of, doc) = (Type::Component(None), Doc::from(written));
        let component = wyrmgate_view::value_from_json(program, state, AUTHOR, &doc, of)?;
        let seat = Viewer::Seat(pending.seat);
        let called = wyrmgate_view::value_to_json(program, state, seat, component, of);
        let called = called.as_str()?;
        (called != written).then(|| called.to_owned())
    }

    /// Returns the most similar choices among the first ones.
    fn listed(
        &self,
        pending: &Pending,
        looked_at_max: usize,
        likeness: impl Fn(&Map<String, Value>) -> usize,
    ) -> String {
        let mut found = Vec::new();
        let listed = engine::for_each_choice(self.program, &self.state, pending, &mut |choice| {
            let written = self.written(pending, choice);
            found.push((likeness(&written), written));
            match found.len() < looked_at_max {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        if let Err(fault) = listed {
            return wyrmgate_view::sentence(&fault);
        }
        // The sort is stable, so equally similar choices stay in order.
        found.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
        let is_whole = found.len() <= SHOWN_MAX;
        let shown = found.into_iter().take(SHOWN_MAX);
        let shown = shown.map(|(_, written)| compare::short(&written.into()));
        match shown.collect::<Vec<String>>().as_slice() {
            [] => "nothing".into(),
            shown if is_whole => shown.join(" · "),
            shown => format!("{} · …", shown.join(" · ")),
        }
    }

    /// Formats a choice as in a scenario, with the names that the deciding seat sees.
    pub(super) fn written(&self, pending: &Pending, choice: &engine::Choice) -> Map<String, Value> {
        let (program, state) = (self.program, &self.state);
        let viewer = Viewer::Seat(pending.seat);
        let json = wyrmgate_view::choice_to_json(program, state, pending, choice, viewer);
        let json = Value::from(json);
        let mut flat = Map::new();
        if let Some(option) = json.get("option").filter(|option| !option.is_null()) {
            flat.insert("option".into(), option.clone());
        }
        if let Some(args) = json.get("args").and_then(Value::as_object) {
            flat.extend(args.clone());
        }
        flat
    }
}

/// Returns the names in a value: itself, or the members of a list.
fn values(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(members) => members.iter().filter_map(Value::as_str).collect(),
        _ => value.as_str().into_iter().collect(),
    }
}
