//! A line: steps of a game as they were first played, seen by one viewer.

use std::cell::OnceCell;

use serde_json::Value;

use super::course::ChanceRecorder;
use super::glance::Glance;
use super::information::Information;
use super::writes::Unseen;
use wyrmgate_engine::{Choice, Event, Fault, Pending, Revelation, State, Viewer, noting};
use wyrmgate_program::Program;
use wyrmgate_view::InformationGain;

pub(super) struct PlayedLine<'p> {
    pub program: &'p Program,
    pub viewer: Viewer,
    /// The state before the line; `None` if it begins with the game.
    pub base: Option<State>,
    pub course: ChanceRecorder,
    /// The first rest, and one after each step.
    pub points: Vec<LinePoint>,
    /// The components that the viewer sees.
    pub glance: Glance,
    /// The secret answers by step.
    pub answers: Vec<Option<SecretAnswer>>,
    /// The steps that the viewer asks to take back, in some lines from the beginning: one of its own, and replies to it.
    pub asks_back: Option<AskedBack>,
    /// Whether it may; computed at the first comparison.
    pub(super) goes_back: OnceCell<bool>,
    /// The writes and moves of the rules that the viewer never sees, computed at first use.
    pub unseen: OnceCell<Unseen>,
    /// Whether there is anything that the viewer may not know.
    pub hides: bool,
}

/// Steps that a viewer asks to take back, from its own to the last reply.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedBack {
    pub first: usize,
    pub last: usize,
}

impl AskedBack {
    /// Returns whether the viewer may take them back, in a game that was followed as far as that.
    pub fn is_granted(&self, viewer: Viewer, gain: &InformationGain<'_>) -> bool {
        let Viewer::Seat(asker) = viewer else {
            return false;
        };
        let mut steps = self.first..=self.last;
        !steps.any(|step| gain.is_informative_for(step, asker))
    }
}

/// A rest, with the way to it.
pub(super) struct LinePoint {
    pub state: State,
    /// All events on the way.
    pub heard: Vec<Event>,
    /// The values that the rules revealed on purpose on the way.
    pub revealed: Vec<Revelation>,
    /// The information of the viewer and the values revealed in it, computed at the first comparison.
    pub(super) information: OnceCell<(Result<Information, Fault>, Vec<Revelation>)>,
    /// Legal and illegal choices that the viewer tries.
    pub tries: Vec<(Pending, Choice)>,
    /// Such choices as clients send them, and standing orders state them; they may name what is hidden.
    pub sent: Vec<(Pending, Value)>,
    /// The first choice of another part of a long list, which is compared too.
    pub page: u64,
    /// Whether all information of the viewer is compared here, not only its events.
    pub is_close: bool,
    /// The step that was taken from here.
    pub taken: Option<(Pending, Choice)>,
}

impl LinePoint {
    /// Returns the information of the viewer and the values that the rules reveal on purpose in it.
    pub fn information(
        &self,
        line: &PlayedLine<'_>,
    ) -> &(Result<Information, Fault>, Vec<Revelation>) {
        let information = || {
            Information::of(
                line.program,
                &self.state,
                line.viewer,
                (&self.tries, &self.sent),
                self.page,
            )
        };
        self.information.get_or_init(|| noting(information))
    }
}

/// A secret answer that could have been another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct SecretAnswer {
    /// The rest at which the decision is complete, so that it may show; `None`: it must not.
    pub shows_at: Option<usize>,
    /// It names components that the viewer sees, and could name other ones of those.
    pub is_open: bool,
    /// It names hidden components that the viewer sees later, so only numbers beside them could differ.
    pub is_seen: bool,
    /// The rest at which the decision is complete, if it names components with numbers beside them.
    pub completed_at: Option<usize>,
}
