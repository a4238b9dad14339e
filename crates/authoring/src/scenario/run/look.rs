//! Steps that compare what viewers see: `sees`, `events`, `over`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::ScenarioRunner;
use crate::scenario::{Located, Over, Sees, compare};
use wyrmgate_analysis::record;
use wyrmgate_base::diagnostic::{Diagnostic, Span, did_you_mean};
use wyrmgate_engine::{self as engine, Viewer};
use wyrmgate_program::Program;

/// Maximum number of choices searched for what should be hidden.
const CHOICES_MAX: usize = 1000;

impl ScenarioRunner<'_> {
    pub(super) fn sees(&mut self, sees: &Sees, span: Span) {
        let seats = self.program.seats;
        if sees.seat.is_some_and(|seat| usize::from(seat) > seats) {
            let sides = (format!("a seat from 1 to {seats}"), "another");
            return self.differs("sees", span, "there is no such seat", sides);
        }
        let seat = sees.seat.map(|seat| seat - 1);
        let viewer = seat.map_or(Viewer::Public, Viewer::Seat);
        let view = wyrmgate_view::view(self.program, &self.state, viewer);
        let view = wyrmgate_view::as_json(&view);
        if let Some(wanted) = &sees.view {
            for difference in compare::differences(wanted, &view) {
                let message = format!("the view differs at `{}`", difference.path);
                let sides = (difference.expected, difference.found);
                self.differs("sees", span, message, sides);
            }
        }
        self.events_for(viewer, &sees.events, span);
        self.no_events_for(viewer, &sees.no_events);
        let told = [view, self.own_decisions(sees.seat)];
        let is_told = |id: &&String| told.iter().any(|part| compare::mentions(part, id));
        self.known(&sees.hides, span);
        for id in sees.hides.iter().filter(is_told) {
            let message = format!("`{id}` is visible");
            self.differs("hides", span, message, ("hidden", "seen"));
        }
    }

    /// Reports names that do not exist. Those would be hidden from everyone and prove nothing.
    fn known(&mut self, names: &[String], span: Span) {
        let known = names_of(self.program);
        for name in names.iter().filter(|name| !known.contains(name.as_str())) {
            let message = format!("the game has nothing named `{name}`");
            let mut unknown = Diagnostic::error("hides", span, message);
            if let Some(near) = did_you_mean(name, known.iter().copied()) {
                unknown = unknown.help(format!("did you mean `{near}`?"));
            }
            self.fail(unknown, "a component, zone, variable or value", name);
        }
    }

    /// Returns the choices offered to a seat, which reveal something too.
    fn own_decisions(&self, seat: Option<u8>) -> Value {
        let owed = engine::pending(self.program, &self.state);
        let own = owed.iter().filter(|pending| Some(pending.seat + 1) == seat);
        let docs = own.filter_map(|pending| {
            wyrmgate_view::decision_docs(self.program, &self.state, pending, CHOICES_MAX, 0).ok()
        });
        wyrmgate_view::as_json(&docs.collect::<Vec<_>>())
    }

    /// Compares events as this viewer receives them.
    pub(super) fn events_for(&mut self, viewer: Viewer, wanted: &[Located<Value>], span: Span) {
        let found = self.happened(viewer);
        let values: Vec<Value> = wanted.iter().map(|at| at.value.clone()).collect();
        let Some(missing) = compare::first_missing(&values, &found) else {
            return;
        };
        let place = wanted.iter().find(|at| at.value == *missing);
        let span = place.map_or(span, |at| at.span);
        let happened: Vec<String> = found.iter().map(compare::short).collect();
        let sides = (compare::short(missing), happened.join("\n"));
        let message = "this did not happen, or not in this order";
        self.differs("events", span, message, sides);
    }

    pub(super) fn no_events_for(&mut self, viewer: Viewer, unwanted: &[Located<Value>]) {
        let found = self.happened(viewer);
        for at in unwanted {
            let mut found = found.iter();
            if let Some(event) = found.find(|found| compare::contains(&at.value, found)) {
                let sides = ("no such event", compare::short(event));
                self.differs("events", at.span, "this happened", sides);
            }
        }
    }

    /// Returns all events since the last play, as this viewer receives them.
    fn happened(&self, viewer: Viewer) -> Vec<Value> {
        let events = self.watch.events.iter();
        let docs = events.filter_map(|event| wyrmgate_view::event_doc(self.program, event, viewer));
        docs.map(Value::from).collect()
    }

    pub(super) fn over(&mut self, over: &Over, span: Span) {
        let Some(outcome) = self.state.outcome().map(record::Outcome::from) else {
            let sides = ("over", self.who_owes());
            return self.differs("over", span, "the game is not over", sides);
        };
        if let Some(winners) = &over.winners
            && *winners != outcome.winners
        {
            let winner = |winners: &[u8]| format!("winners {winners:?}");
            let sides = (winner(winners), winner(&outcome.winners));
            self.differs("over", span, "the winners differ", sides);
        }
        if let Some(drawn) = over.drawn
            && drawn != outcome.drawn
        {
            let says = |drawn| if drawn { "drawn" } else { "not drawn" };
            let message = format!("the game is {}", says(outcome.drawn));
            let sides = (says(drawn), says(outcome.drawn));
            self.differs("over", span, message, sides);
        }
        if let Some(ranking) = &over.ranking {
            self.ranking(ranking, &outcome, span);
        }
    }

    pub(super) fn ranking(&mut self, wanted: &[Value], outcome: &record::Outcome, span: Span) {
        let keys = outcome.ranking.iter().map(|rank| &rank.keys);
        let found = match wanted.iter().all(Value::is_array) {
            true => wyrmgate_view::as_json(&keys.collect::<Vec<_>>()),
            false => wyrmgate_view::as_json(&outcome.ranking),
        };
        let wanted = Value::Array(wanted.to_vec());
        if !compare::contains(&wanted, &found) {
            let diagnostic = Diagnostic::error("over", span, "the ranking differs");
            self.fail(diagnostic, compare::short(&wanted), compare::short(&found));
        }
    }
}

/// Returns every name that a view can contain.
fn names_of(program: &Program) -> BTreeSet<&str> {
    let parts = program.vars.iter().filter_map(|one| one.part.as_ref());
    let parts = parts.flat_map(|part| [Some(part), part.within.as_deref()]);
    let parts = parts.flatten();
    let parts = parts.flat_map(|part| [part.variable.as_str(), part.part.as_str()]);
    let vars = program.vars.iter().map(|one| one.name.as_str());
    let vars = vars.chain(parts);
    let values = program.enums.iter().flat_map(|one| &one.values);
    let others = vars.chain(values.map(String::as_str));
    let all = program.component_names().chain(program.zone_names());
    all.chain(others).collect()
}
