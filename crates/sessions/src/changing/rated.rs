//! The rules of rated games, and of all whose results count elsewhere: who may play, and who may end them.
//!
//! All contestants are players, and nobody takes the place of another one. Who leaves comes last.

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::changing::create::SessionOrder;
use crate::changing::pending::PendingChange;
use crate::content::contest::Contest;
use crate::content::live::Live;
use crate::content::log::Declaration;
use crate::content::results::counts;
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::content::terms::{Forks, TimeEnd, Undo, can_lose};
use crate::service::Service;
use wyrmgate_engine::EndReason;
use wyrmgate_search::bot::Bot;

impl Service {
    /// Refuses an order for a rated session whose game could not be rated.
    pub(super) async fn may_be_rated(&self, order: &SessionOrder) -> Result<(), Refusal> {
        let wrong = |pointer: &str, reason: &str| Err(Refusal::unprocessable(pointer, reason));
        if order.seed.is_some() || order.before.is_some() {
            return wrong("/rated", "a practice session cannot be rated");
        }
        if order.terms.forks == Forks::Always {
            return wrong("/forks", "a rated game cannot be forked before its end");
        }
        let at_end = order.terms.clock.and_then(|clock| clock.at_end);
        if matches!(at_end, Some(TimeEnd::Bot | TimeEnd::Random)) {
            return wrong("/clock/at_end", "in a rated game nobody plays for a player");
        }
        if order.terms.undo == Undo::AnythingAgreed {
            return wrong("/undo", "in a rated game nobody goes back past information");
        }
        let mut players: Vec<PlayerId> = order.reserved.iter().map(|of| of.player).collect();
        for (at, seat) in order.seats.iter().enumerate() {
            match seat {
                Seat::Open => {}
                Seat::Taken {
                    player: Some(player),
                    ..
                } if !players.contains(player) => players.push(*player),
                Seat::Taken { .. } | Seat::Bot(_) => {
                    let wanted = "in a rated session each seat is open or of another player";
                    return wrong(&format!("/seats/{at}"), wanted);
                }
            }
        }
        // A tournament goes on by the rules with which it began.
        let current = match &order.labels.tournament {
            Some(_) => Some(order.ruleset.clone()),
            None => self.game(&order.ruleset.name).await,
        };
        if current.is_none_or(|current| current.digest != order.ruleset.digest) {
            return wrong(
                "/ruleset",
                "rated games have the current rules of a game or of one of its variants",
            );
        }
        Ok(())
    }
}

impl Live {
    /// Returns whether the result counts elsewhere: for ratings or in a tournament.
    fn is_contest(&self) -> bool {
        self.facts.terms.rated || self.facts.labels.tournament.is_some()
    }

    /// Refuses to seat somebody whose results cannot be counted.
    pub(super) fn may_contest(
        &self,
        player: Option<PlayerId>,
        bot: Option<Bot>,
    ) -> Result<(), Refusal> {
        if !self.is_contest() {
            return Ok(());
        }
        if bot.is_some() {
            return Err(Refusal::Forbidden(
                "built-in players take no part in a game that counts",
            ));
        }
        let player = player.ok_or(Refusal::PlayerRequired)?;
        match self.status.seats_of(player).next() {
            Some(_) => Err(Refusal::Forbidden(
                "in a game that counts each player has one seat, and you have yours",
            )),
            None => Ok(()),
        }
    }

    /// Refuses to replace a player whose game counts.
    pub(super) fn is_not_contested(&self) -> Result<(), Refusal> {
        match self.is_contest() && self.stage() == Stage::Running {
            true => Err(Refusal::NotNow(
                "the game counts for its players, and nobody can be replaced".into(),
            )),
            false => Ok(()),
        }
    }

    /// Refuses to call a game off that counts, unless the session is that of an operator key, which plays no part in it.
    pub(super) fn may_be_called_off(&self) -> Result<(), Refusal> {
        let is_apart = !self.facts.labels.key.is_empty() && self.status.roster.host.is_none();
        match is_apart {
            true => Ok(()),
            false => self.is_not_contested(),
        }
    }

    /// Refuses to remove a session whose result is not counted yet.
    pub(super) fn may_be_removed(&self) -> Result<(), Refusal> {
        if self.due_contest().is_some() {
            let soon = "the results are being counted; try again in a second";
            return Err(Refusal::NotNow(soon.into()));
        }
        match &self.facts.labels.tournament {
            Some(_) => self.is_not_contested(),
            None => self.may_be_called_off(),
        }
    }
}

impl PendingChange {
    /// Frees a seat. Who leaves a running game whose result counts gives it up: the others do not wait for somebody else.
    pub(crate) fn leave_game(&mut self, seat: u8, reason: EndReason) -> Result<(), Refusal> {
        let is_running = self.play().is_some_and(|play| !play.is_over());
        let is_in = self.before.is_contest() && !self.before.has_resigned(seat);
        if !is_in || !is_running || self.before.stage() != Stage::Running {
            self.leave_seat(seat);
            return Ok(());
        }
        if reason == EndReason::Resigned {
            self.declare(Some(seat), Declaration::Resigned);
        }
        match can_lose(self.program()) {
            true => self.lose(seat, reason),
            false => self.seat_bot(seat, self.before.facts.terms.endings.successor()),
        }
    }

    /// Notes for whom the result counts.
    pub(super) fn note_contestants(&mut self) {
        if self.before.is_contest() {
            let contest = Contest::of(self.status().seats.iter().map(Seat::player));
            self.status_mut().roster.contest = Some(Box::new(contest));
        }
    }

    /// Returns the contest to change it, if its results wait.
    pub(crate) fn due_contest(&mut self) -> Option<&mut Contest> {
        self.before.due_contest()?;
        self.status_mut().roster.contest.as_deref_mut()
    }

    /// Has the results of a game that is over worked off, if they count.
    pub(super) fn note_results(&mut self) {
        let outcome = self.play().and_then(|play| play.state().outcome());
        let is_due = outcome.is_some_and(counts) || self.before.facts.labels.tournament.is_some();
        let at_ms = self.entry.at_ms;
        let contest = &mut self.status_mut().roster.contest;
        match contest {
            Some(contest) if is_due => contest.due_at_ms = Some(at_ms),
            Some(_) => *contest = None,
            None => {}
        }
    }
}
