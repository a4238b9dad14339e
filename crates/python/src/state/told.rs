//! A state in words, what happens in words, and why a choice is refused.

use serde_json::{Value, json};

use super::GamePosition;
use crate::convert::{stopped, value_error};
use pyo3::prelude::*;
use wyrmgate_authoring::brief;
use wyrmgate_authoring::picture::{self, Sight};
use wyrmgate_engine::{self as engine, Event, Viewer};
use wyrmgate_program::Language;
use wyrmgate_view as view;

/// Choices that a text lists at most; the others are counted.
const LISTED_MAX: usize = 500;

impl GamePosition {
    /// Returns the position as a viewer reads it.
    pub(super) fn position(&self, seat: Option<i64>) -> PyResult<String> {
        let (program, language) = (&self.core.program, Language::default());
        let seen = view::view(program, self.words(), self.viewer(seat)?.reading(language));
        let mut sight = Sight::of(program, &seen, language);
        sight.seat = seat.map(|seat| seat as u32 + 1);
        Ok(picture::brief(&sight))
    }

    /// Returns the prompt and the choices of the seat that acts next, in about this number of letters. The id of choice 3 is
    /// `#.3`.
    pub(super) fn offered(&self, room: usize) -> PyResult<String> {
        let program = &self.core.program;
        let decision = view::decision_docs(program, self.words(), &self.due()?, LISTED_MAX, 0);
        let decision = brief::BriefDecision::of(decision.map_err(stopped)?);
        let words = picture::words::of("en");
        Ok(brief::answers(&decision, "#", words, room))
    }

    /// Returns a line for each event that this viewer sees.
    pub(super) fn lines(&self, events: &[Event], viewer: Viewer) -> Vec<String> {
        let program = &self.core.program;
        let docs = events.iter();
        let docs = docs.filter_map(|event| view::event_doc(program, event, viewer));
        let docs: Vec<Value> = docs.map(Value::from).collect();
        let made = || brief::Names::of(program, Language::default());
        brief::events(&docs, self.core.names.get_or_init(made))
    }

    /// Returns the number of the choice that a JSON document names, or why it is refused.
    pub(super) fn read(&self, choice: &str) -> PyResult<Value> {
        let (program, words, owed) = (&self.core.program, self.words(), self.due()?);
        let doc: Value = serde_json::from_str(choice).map_err(value_error)?;
        let refused = match view::choice_from_json(program, words, &owed, &doc) {
            Err(refused) => refused,
            Ok(choice) => match self.number_of(&owed, &choice)? {
                Some(number) => return Ok(json!({"number": number})),
                None => view::explain(program, words, &owed, &choice),
            },
        };
        let clauses = refused.clauses.iter();
        let clauses = clauses.filter_map(|id| program.prose.clauses.get(usize::from(*id)));
        let ids: Vec<&str> = clauses.map(|clause| clause.id.as_str()).collect();
        Ok(json!({"code": refused.code.name(), "message": refused.message, "clauses": ids}))
    }

    /// Returns the number of a choice among the legal ones.
    pub(super) fn number_of(
        &self,
        owed: &engine::Pending,
        wanted: &engine::Choice,
    ) -> PyResult<Option<u64>> {
        let (mut at, mut found) = (0, None);
        let listed = engine::for_each_choice(&self.core.program, self.words(), owed, &mut |one| {
            if one == wanted {
                found = Some(at);
                return std::ops::ControlFlow::Break(());
            }
            at += 1;
            std::ops::ControlFlow::Continue(())
        });
        listed.map_err(stopped)?;
        Ok(found)
    }
}
