//! The end of a session whose game has not begun.

use crate::changing::pending::PendingChange;
use crate::content::log::Declaration;
use crate::content::stage::Stage;
use crate::content::status::{Seat, Status};
use crate::storing::players::PlayerProfile;

impl PendingChange {
    /// Ends a session that waits. It says nothing of its players any more; their tokens still show how it ended.
    pub(crate) fn close(&mut self, seat: Option<u8>, why: Declaration) {
        let players: Vec<_> = self
            .status()
            .seats
            .iter()
            .filter_map(Seat::player)
            .collect();
        for player in players {
            self.put_player_hooks(player, &PlayerProfile::default());
        }
        let at_ms = self.entry.at_ms;
        let status = self.status_mut();
        status.stage = Stage::Finished;
        for of in &mut status.seats {
            if let Seat::Taken { name, player, .. } = of {
                (*name, *player) = (None, None);
            }
        }
        let roster = &mut status.roster;
        roster.host = None;
        roster.reserved.clear();
        roster.finished_at_ms = Some(at_ms);
        roster.wait.look_at_ms = None;
        roster.wait.is_closed = true;
        if why != Declaration::Matched {
            roster.wait.moves_to = None;
        }
        self.declare(seat, why);
    }

    /// Ends a session that seeks players if nobody is left there, and a challenge if its challenger has left.
    pub(super) fn close_if_deserted(&mut self) {
        let before = &self.before.status;
        let host = before.roster.host;
        let had_host = host.is_some_and(|host| before.seats_of(host).next().is_some());
        let is_challenge = had_host && !before.roster.reserved.is_empty();
        let is_seek = self.before.facts.waits.seek.is_some() || is_challenge;
        let status = self.status();
        let is_waiting = status.stage == Stage::Waiting;
        let is_taken = |seat: &Seat| matches!(seat, Seat::Taken { .. });
        if is_seek && is_waiting && !status.seats.iter().any(is_taken) {
            self.close(None, Declaration::Withdrawn);
        }
    }

    /// Ends a challenge that was declined: nobody is left but the player who opened the session, and nobody else was asked.
    pub(super) fn close_if_declined(&mut self, seat: u8) {
        if is_of_one(self.status()) {
            self.close(Some(seat), Declaration::Declined);
        }
    }
}

/// Returns whether a session waits for one more, and only the player who opened it is there.
fn is_of_one(status: &Status) -> bool {
    let (roster, open) = (&status.roster, status.open_seats().count());
    let mut players = status.seats.iter().filter_map(Seat::player);
    let is_host = |player| roster.host == Some(player);
    let is_there = players.next().is_some_and(is_host) && players.all(is_host);
    status.stage == Stage::Waiting && roster.reserved.is_empty() && open == 1 && is_there
}
