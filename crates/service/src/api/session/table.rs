//! The table as one caller sees it: what pictures and texts of a session are made from.

use std::sync::Arc;

use crate::api::request::context::JsonContext;
use crate::api::session::decisions::{self, ChoicesPart, SessionDecision};
use crate::api::session::described::describe_events;
use crate::api::session::position;
use crate::api::session::sessions::SessionPath;
use crate::api::shared::language::Listener;
use crate::api::shared::problem::Problem;
use wyrmgate_authoring::picture::{self, Sight};
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_sessions::{Live, LogEntry, Seat};
use wyrmgate_view::Doc;

/// A caller's view of a session, with the last change.
pub struct CallerTable {
    pub live: Arc<Live>,
    pub listener: Listener,
    is_past: bool,
    last: Option<LogEntry>,
}

impl CallerTable {
    /// Returns a session as it is, or as it was at an earlier version.
    pub async fn of(
        context: &JsonContext,
        path: &SessionPath,
        version: Option<u64>,
    ) -> Result<CallerTable, Problem> {
        let (live, caller) = context.look(&path.session, None).await?;
        let live = position::at(context.service(), &live, caller, version).await?;
        let listener = context.listener(&live, caller);
        let table = CallerTable::at(context, live, listener).await?;
        Ok(CallerTable {
            is_past: version.is_some(),
            ..table
        })
    }

    /// Returns a session as it is, with the change that led to it.
    pub async fn at(
        context: &JsonContext,
        live: Arc<Live>,
        listener: Listener,
    ) -> Result<CallerTable, Problem> {
        let before = live.version().saturating_sub(1);
        let last = context.service().history(&live.id, before, 1).await?;
        let mut last = last.into_iter();
        let last = last.find(|past| past.version == live.version());
        Ok(CallerTable::after(
            live,
            listener,
            last.map(|past| past.entry),
        ))
    }

    /// Returns a session after a change.
    pub fn after(live: Arc<Live>, listener: Listener, last: Option<LogEntry>) -> CallerTable {
        CallerTable {
            live,
            listener,
            is_past: false,
            last,
        }
    }

    /// Calls a function with all that the caller sees.
    pub fn see<R>(
        &self,
        decision: Option<&picture::Decision>,
        look: impl FnOnce(&Sight<'_>) -> R,
    ) -> R {
        let (live, listener) = (&self.live, self.listener);
        let seat = listener.caller.seat();
        let view = position::state(live, listener, &live.owing(seat));
        let (names, clocks) = (self.names(), self.clocks());
        let events = self.events();
        let play = live.play.as_ref();
        let answers = play.map(|play| picture::answers(&live.program, play.state()));
        let answers = answers.unwrap_or_default();
        look(&Sight {
            program: &live.program,
            view: view.as_ref(),
            language: listener.language,
            seat: seat.map(u32::from),
            names: &names,
            clocks: &clocks,
            events: &events,
            decision,
            answers: &answers,
        })
    }

    fn names(&self) -> Vec<Option<String>> {
        let seats = self.live.status.seats.iter();
        let name = |seat: &Seat| match seat {
            Seat::Taken { name, .. } => name.clone(),
            Seat::Bot(_) | Seat::Open => None,
        };
        seats.map(name).collect()
    }

    /// Returns the time that each seat has left: for its decision, if it owes one, or for the whole game.
    fn clocks(&self) -> Vec<Option<String>> {
        let deadlines = self.live.deadlines(self.listener.caller.seat());
        let times = self.live.times();
        let of = |seat: u8| {
            let deadline = deadlines.iter().find(|(owing, _)| *owing == seat);
            let left = deadline.map(|(_, at_ms)| at_ms.saturating_sub(now_ms()));
            let whole = || Some(times.get(usize::from(seat) - 1)?.left_ms);
            let seconds = left.or_else(whole)? / 1000;
            Some(format!("{}:{:02}", seconds / 60, seconds % 60))
        };
        let seats = self.live.facts.seats;
        (1..=seats).map(of).collect()
    }

    fn events(&self) -> Vec<Doc<'_>> {
        let entries = self.last.iter();
        entries
            .flat_map(|entry| describe_events(&self.live, entry, self.listener))
            .collect()
    }

    /// Returns what the caller owes now.
    pub fn decision(&self) -> Result<Option<picture::Decision>, Problem> {
        let seat = self.listener.caller.seat();
        let Some(seat) = seat.filter(|_| self.live.play.is_some() && !self.is_past) else {
            return Ok(None);
        };
        let part = ChoicesPart::FIRST;
        let owed = decisions::owed(&self.live, seat, self.listener.language, part)?;
        Ok(owed.as_ref().map(SessionDecision::to_draw))
    }
}
