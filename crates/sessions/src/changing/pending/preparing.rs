//! The end of a pending change: what follows from it is added, and it becomes a commit.

use std::sync::Arc;

use crate::Refusal;
use crate::changing::call::CommittedChange;
use crate::changing::pending::PendingChange;
use crate::content::clock::{SeatClock, Turned};
use crate::content::live::{Live, bot_decision};
use crate::content::log::{After, Owed};
use crate::content::outbox::Lease;
use crate::content::play::Play;
use crate::storing::listing::listing;
use wyrmgate_store::{ChangeMark, Commit};

/// A change that is ready to be written.
pub(crate) struct Prepared {
    pub made: CommittedChange,
    /// What is written, except for the response and the expiry.
    pub commit: Commit,
    /// The fuel that the rules consumed.
    pub fuel: u64,
}

impl PendingChange {
    /// Serializes the change and returns it with the resulting session. `lease` names the node that will deliver its
    /// webhooks, if this one can, and until when others leave them alone.
    pub fn prepare(mut self, lease: Option<Lease>) -> Result<Prepared, Refusal> {
        self.turn_clocks();
        self.schedule_replies()?;
        self.note_bots();
        if self.is_public {
            self.entry.after = Some(self.after());
        }
        self.add_outbox_entry(lease);
        let PendingChange {
            before,
            status,
            mut play,
            mut entry,
            is_public,
            token,
        } = self;
        let fuel = play.as_mut().map_or(0, Play::take_fuel);
        let mark = ChangeMark::draw()?;
        let is_listed_anew =
            status.is_some() || (play.is_some() && !before.status.players().is_empty());
        let mut commit = Commit::new(&before.id, before.position.revision);
        (commit.expected_mark, commit.mark) = (before.mark, mark);
        if let Some(status) = &status {
            commit.status = Some(status.encode()?);
        }
        if let Some(play) = &play {
            commit.snapshot = Some(play.encode(&before.program)?);
        }
        let live = Live {
            position: before.position.after(is_public),
            mark,
            version_mark: if is_public { mark } else { before.version_mark },
            status: status.map_or_else(|| before.status.clone(), Arc::new),
            play: play.map_or_else(|| before.play.clone(), |play| Some(Arc::new(play))),
            ..before.as_ref().clone()
        };
        if is_public {
            entry.times = live.times();
            commit.entry = Some(entry.encode()?);
        }
        if is_listed_anew {
            commit.listing = Some(listing(&live));
        }
        let made = CommittedChange {
            live: Arc::new(live),
            entry,
            is_public,
            token,
        };
        Ok(Prepared { made, commit, fuel })
    }

    /// Updates the clocks of the seats.
    fn turn_clocks(&mut self) {
        let (Some(clock), Some(after)) = (self.before.facts.terms.clock, self.play()) else {
            return;
        };
        if self.status().pause.is_on {
            return;
        }
        let program = &self.before.program;
        let owed = |play: &Play, seat| play.owed_by(program, seat).is_some();
        let turned = (1..=self.before.facts.seats).map(|seat| {
            let owes = owed(after, seat);
            let before = self.before.play.as_ref();
            let owed = before.is_some_and(|play| owed(play, seat));
            // Its answer in secret was forgotten.
            let decides_again =
                owes && self.is_public && before.is_some_and(|play| play.has_answered(seat));
            let mut moves = self.entry.moves.iter();
            Turned {
                moved: decides_again || moves.any(|made| made.seat == seat),
                answered: owed && !owes && after.has_answered(seat),
                owes: owes || after.has_answered(seat),
            }
        });
        let turned: Vec<Turned> = turned.collect();
        let now = self.entry.at_ms;
        let clocks = &mut self.status_mut().clocks;
        clocks.resize(turned.len(), SeatClock::full(&clock));
        for (of_seat, turned) in clocks.iter_mut().zip(turned) {
            of_seat.turn(&clock, now, turned);
        }
    }

    /// Records since when a bot owes a decision, so that nodes can find pending moves.
    fn note_bots(&mut self) {
        let play = self.play();
        let owes =
            play.and_then(|play| bot_decision(self.program(), play, self.status(), |_| true));
        let owes = owes.is_some();
        let noted = self.status().bots_since_ms;
        let now = self.entry.at_ms;
        if owes && (noted.is_none() || self.play.is_some()) {
            self.status_mut().bots_since_ms = Some(now);
        } else if !owes && noted.is_some() {
            self.status_mut().bots_since_ms = None;
        }
    }

    /// Returns what holds after this change.
    pub fn after(&self) -> After {
        let owing = self.play().map(|play| {
            let seats = play.owing(self.program(), None).into_iter();
            let owed = seats.map(|seat| Owed {
                seat,
                deadline_ms: self.deadline_of(seat),
                answered: play.has_answered(seat),
            });
            owed.collect()
        });
        After::new(self.status().stage, owing.unwrap_or_default())
    }
}
