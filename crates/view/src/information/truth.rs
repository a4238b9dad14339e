//! What each seat was told, shown and asked in the true game, to compare other courses with it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::gain::InformationGain;
use crate::decision::{DecisionDoc, decision_docs};
use crate::doc::Doc;
use crate::event_doc::event_doc;
use crate::json::choice_to_json;
use crate::knowledge::bit;
use crate::view::docs::ViewDoc;
use crate::view::view;
use wyrmgate_engine::{Event, State, Viewer, Viewers, default_choice, pending};
use wyrmgate_program::Program;

/// A value for each choice and seat.
type BySeat<T> = BTreeMap<(usize, Viewers), Rc<T>>;

/// A cache of what each seat was told and shown. Every attempt is compared with it.
pub(super) struct Truth<'l> {
    gain: &'l InformationGain<'l>,
    /// Views before each choice (the last is the present one), by choice and seat.
    views: RefCell<BySeat<ViewDoc>>,
    /// Events of each choice, by choice and seat.
    told: RefCell<BySeat<Vec<Doc<'l>>>>,
    /// Decisions owed before each choice, by choice and seat.
    asked: RefCell<BySeat<Vec<Asked>>>,
}

/// A decision as its seat gets it; `None` if listing its choices exceeds a limit. What is played for the seat in silence.
type Asked = (Option<DecisionDoc>, Option<Doc<'static>>);

/// Choices of a decision that are compared.
const CHOICES: usize = 50;

pub(super) fn asked(program: &Program, state: &State, viewer: Viewer) -> Vec<Asked> {
    let owed = pending(program, state);
    let mine = owed.iter().filter(|owed| Viewer::Seat(owed.seat) == viewer);
    mine.map(|owed| {
        let doc = decision_docs(program, state, owed, CHOICES, 0);
        let default = default_choice(program, state, owed);
        let default = default.map(|choice| choice_to_json(program, state, owed, &choice, viewer));
        (doc.ok(), default)
    })
    .collect()
}

impl<'l> Truth<'l> {
    pub(super) fn of(gain: &'l InformationGain<'l>) -> Truth<'l> {
        Truth {
            gain,
            views: RefCell::default(),
            told: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// Returns whether the viewer sees the same in this state as before choice `number`, and is asked the same.
    pub(super) fn is_received(&self, viewer: Viewer, number: usize, there: &State) -> bool {
        self.is_seen(viewer, number, there) && self.is_asked(viewer, number, there)
    }

    /// Returns whether the viewer owes the same decisions in this state as before choice `number`, with the same choices.
    pub(super) fn is_asked(&self, viewer: Viewer, number: usize, there: &State) -> bool {
        let program = self.gain.program;
        let asked = |state: &State| asked(program, state, viewer);
        let truly = || asked(self.gain.before(number));
        *kept(&self.asked, (number, bit(viewer)), truly) == asked(there)
    }

    /// Returns whether the viewer is told the same of these events as of choice `number`.
    pub(super) fn is_told(&self, viewer: Viewer, number: usize, events: &[Event]) -> bool {
        let Some(moment) = self.gain.moments.get(number) else {
            return false;
        };
        let program = self.gain.program;
        let truly = || docs(program, &moment.events, viewer);
        moment.events == *events
            || *kept(&self.told, (number, bit(viewer)), truly) == docs(program, events, viewer)
    }

    /// Returns whether the viewer sees the same in this state as before choice `number`.
    pub(super) fn is_seen(&self, viewer: Viewer, number: usize, there: &State) -> bool {
        let program = self.gain.program;
        let truly = || view(program, self.gain.before(number), viewer);
        *kept(&self.views, (number, bit(viewer)), truly) == view(program, there, viewer)
    }
}

/// Returns a value that is made once.
fn kept<T>(of: &RefCell<BySeat<T>>, key: (usize, Viewers), make: impl FnOnce() -> T) -> Rc<T> {
    let known = of.borrow().get(&key).cloned();
    known.unwrap_or_else(|| {
        let made = Rc::new(make());
        of.borrow_mut().insert(key, made.clone());
        made
    })
}

pub(super) fn docs<'d>(program: &'d Program, events: &'d [Event], viewer: Viewer) -> Vec<Doc<'d>> {
    let told = |event| event_doc(program, event, viewer);
    events.iter().filter_map(told).collect()
}
