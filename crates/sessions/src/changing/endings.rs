//! Ends that no rule describes: resignations, draws by agreement, games called off, and claims.

use crate::Refusal;
use crate::changing::call::{Answered, Call};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::Attempt;
use crate::content::live::Live;
use crate::content::log::{Declaration, Happening, LogEntry};
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::content::terms::{Endings, Resignations, may_agree_on_draw};
use crate::service::{Service, bot};
use wyrmgate_analysis::record::has_moved_twice;
use wyrmgate_engine::{self as engine, Choice, EndReason};
use wyrmgate_search::bot::Bot;
use wyrmgate_store::Position;

/// Maximum number of votes between two moves.
const VOTES_MAX: u64 = 7;
const SEATS_ONLY: &str = "only a seat can do this; send a seat token";

impl Service {
    /// Gives the game up for the caller's seat.
    pub async fn resign(&self, call: Call<'_>) -> Result<Answered, Refusal> {
        let resign = |attempt: &Attempt<'_>| {
            let (seat, mut change) = attempt.by_seat(SEATS_ONLY)?;
            let resignations = change.running_for(seat)?.resignations;
            change.declare(Some(seat), Declaration::Resigned);
            match resignations {
                Some(Resignations::Loses) => change.lose(seat, EndReason::Resigned)?,
                Some(Resignations::PlayedBy(bot)) => change.seat_bot(seat, bot)?,
                Some(Resignations::Never) | None => {
                    return Err(Refusal::Forbidden("this session allows no resignations"));
                }
            }
            Ok(change)
        };
        self.write(call, &resign).await
    }

    /// Offers a draw or answers an offer: `None` offers or accepts, and `false` declines or withdraws.
    pub async fn draw(&self, call: Call<'_>, agree: Option<bool>) -> Result<Answered, Refusal> {
        let draw = |attempt: &Attempt<'_>| {
            let (seat, mut change) = attempt.by_seat(SEATS_ONLY)?;
            if change.running_for(seat)?.draws != Some(true) {
                return Err(Refusal::Forbidden(
                    match may_agree_on_draw(change.program()) {
                        true => "this session allows no draws by agreement",
                        false => "the rules of this game allow no draws by agreement",
                    },
                ));
            }
            change.answer_draw(seat, agree)?;
            Ok(change)
        };
        self.write(call, &draw).await
    }

    /// Calls the game off: a seat before anybody has moved twice, the owner at any time.
    pub async fn abort(&self, call: Call<'_>) -> Result<Answered, Refusal> {
        let (live, _) = self.look(call.session, call.token).await?;
        let position = live.position;
        let moved_twice = self.moved_twice(&live).await?;
        let abort = |attempt: &Attempt<'_>| {
            let permitted = attempt.permitted(|_, caller| {
                caller.needs_player_or_owner("only a seat or the owner can call the game off")?;
                Ok(caller.seat())
            });
            let (seat, mut change) = permitted?;
            let endings = match seat {
                Some(seat) => change.running_for(seat)?,
                None => change.running()?,
            };
            change.is_still_at(position)?;
            let reason = match moved_twice {
                false => EndReason::Aborted,
                true => EndReason::Abandoned,
            };
            if seat.is_none() && moved_twice {
                change.before.may_be_called_off()?;
            }
            if seat.is_some() && !endings.aborts {
                return Err(Refusal::Forbidden(
                    "this session lets no seat call the game off",
                ));
            }
            if seat.is_some() && moved_twice {
                return Err(Refusal::NotNow(
                    "a seat has moved twice, so the game cannot be called off; resign instead"
                        .into(),
                ));
            }
            change.declare(seat, Declaration::Aborted);
            change.end(&[], reason)?;
            Ok(change)
        };
        self.write(call, &abort).await
    }

    /// Claims the win, or the freedom of the seats that owe a decision, because nobody there has answered for long.
    pub async fn claim_absence(&self, call: Call<'_>) -> Result<Answered, Refusal> {
        let (live, _) = self.look(call.session, call.token).await?;
        let position = live.position;
        // Votes of seats are no sign of those who are absent.
        let before = live.version().saturating_sub(VOTES_MAX + 1);
        let past = self
            .history(&live.id, before, VOTES_MAX as usize + 1)
            .await?;
        let last = past.iter().rfind(|past| !is_vote(&past.entry));
        let since_ms = last.map_or(u64::MAX, |past| past.entry.at_ms);
        let claim = |attempt: &Attempt<'_>| {
            let (seat, mut change) = attempt.by_seat(SEATS_ONLY)?;
            let endings = change.running_for(seat)?;
            change.is_still_at(position)?;
            let after_ms = endings.claims_after_ms.ok_or(Refusal::Forbidden(
                "this session allows no claims; see its `endings`",
            ))?;
            let from_ms = match change.before.facts.terms.clock {
                // Who is absent runs out of time.
                Some(_) if !change.before.owed_by_nobody() => u64::MAX,
                Some(_) | None => since_ms.saturating_add(after_ms),
            };
            change.claim(seat, from_ms, endings)?;
            Ok(change)
        };
        self.write(call, &claim).await
    }

    async fn moved_twice(&self, live: &Live) -> Result<bool, Refusal> {
        // Only the log counts: nobody may learn whether a secret answer has been given.
        let course = self.course(&live.id, live.version()).await?;
        Ok(has_moved_twice(
            course.moves.iter().map(|(_, made)| made.seat),
        ))
    }
}

fn is_vote(entry: &LogEntry) -> bool {
    let mut happenings = entry.happenings.iter();
    happenings.all(|happening| {
        matches!(happening, Happening::Declared { what, .. } if *what == Declaration::Voted)
    })
}

impl PendingChange {
    /// Returns how the game may end besides by its rules, if it is running.
    pub(super) fn running(&self) -> Result<Endings, Refusal> {
        match self.status().stage {
            Stage::Waiting => Err(Refusal::NotNow("the game has not begun".into())),
            Stage::Finished => Err(Refusal::SessionOver),
            Stage::Running => Ok(self.before.facts.terms.endings.completed(self.program())),
        }
    }

    /// Returns the same for a seat that is still in the game.
    fn running_for(&self, seat: u8) -> Result<Endings, Refusal> {
        match self.before.has_resigned(seat) {
            true => Err(Refusal::NotNow("this seat has resigned".into())),
            false => self.running(),
        }
    }

    /// Lets a seat lose: as the rules say, or else the other one of two sides wins.
    pub(crate) fn lose(&mut self, seat: u8, reason: EndReason) -> Result<(), Refusal> {
        let says_how = self.program().code.resigns.is_some();
        if says_how {
            let index = usize::from(seat.saturating_sub(1));
            let play = self.play().ok_or(Refusal::SessionOver)?;
            let choice = Choice::resigning(reason);
            let pending = engine::answered(play.state(), index, &choice);
            self.take(&pending.ok_or(Refusal::SessionOver)?, &choice, false)?;
        }
        let play = self.play().filter(|play| !play.is_over());
        let Some(play) = play else { return Ok(()) };
        let rest = match says_how {
            true => engine::sides_left(self.program(), play.state()),
            false => {
                let mut sides = engine::sides(self.program());
                sides.retain(|side| !side.contains(&seat.saturating_sub(1)));
                sides
            }
        };
        if let [side] = rest.as_slice() {
            let winners: Vec<u8> = side.iter().map(|of| of.saturating_add(1)).collect();
            return self.end(&winners, reason);
        }
        if self.status().has_bots() {
            self.play_bots(&mut bot()?);
        }
        Ok(())
    }

    /// Fails if the session has changed since the change was thought of.
    fn is_still_at(&self, position: Position) -> Result<(), Refusal> {
        let version = self.before.version();
        match self.before.position == position {
            true => Ok(()),
            false => Err(Refusal::Stale { version }),
        }
    }

    pub(crate) fn declare(&mut self, seat: Option<u8>, what: Declaration) {
        self.add_event(Happening::Declared { seat, what });
    }

    /// Lets a built-in player go on for a seat.
    pub(crate) fn seat_bot(&mut self, seat: u8, player: Bot) -> Result<(), Refusal> {
        self.put_on_seat(seat, Seat::Bot(player));
        self.add_event(Happening::SeatTaken {
            seat,
            name: None,
            bot: Some(player),
        });
        self.play_bots(&mut bot()?);
        Ok(())
    }

    fn answer_draw(&mut self, seat: u8, agree: Option<bool>) -> Result<(), Refusal> {
        let offer = self.status().draw_offer.clone();
        let is_own = offer.first() == Some(&seat);
        match (agree, offer.is_empty()) {
            (Some(_), true) => return Err(Refusal::NotNow("no draw is offered".into())),
            (Some(false), false) => {
                self.forget_draw();
                self.declare(
                    Some(seat),
                    match is_own {
                        true => Declaration::DrawWithdrawn,
                        false => Declaration::DrawDeclined,
                    },
                );
                return Ok(());
            }
            (_, false) if offer.contains(&seat) => return Ok(()),
            (_, false) => self.declare(Some(seat), Declaration::DrawAccepted),
            (None, true) => self.declare(Some(seat), Declaration::DrawOffered),
        }
        let seats = (1..).zip(&self.status().seats);
        let seats = seats.filter(|(seat, _)| !self.before.has_resigned(*seat));
        if !seats
            .clone()
            .all(|(_, seat)| matches!(seat, Seat::Taken { .. }))
        {
            return Err(Refusal::NotNow(
                "built-in players and open seats agree to no draw".into(),
            ));
        }
        let all = seats.count();
        self.status_mut().draw_offer.push(seat);
        if self.status().draw_offer.len() == all {
            self.end(&[], EndReason::Agreed)?;
        }
        Ok(())
    }

    /// Returns the people who can agree, before the time has come, that those who owe a decision are absent: all others, if there
    /// are several. Whether somebody has answered in secret does not matter, for nobody may learn that.
    fn voters(&self) -> Vec<u8> {
        let owing = self.play().map(|play| play.owing(self.program(), None));
        let owing = owing.unwrap_or_default();
        let seats = (1..).zip(&self.status().seats);
        let people = seats.filter(|(_, seat)| matches!(seat, Seat::Taken { .. }));
        let people = people.map(|(number, _)| number);
        let voters = people.filter(|of| !owing.contains(of) && !self.before.has_resigned(*of));
        voters.collect()
    }

    fn vote(&mut self, seat: u8) {
        if !self.status().roster.absence_votes.contains(&seat) {
            self.status_mut().roster.absence_votes.push(seat);
            self.declare(Some(seat), Declaration::Voted);
        }
    }

    fn claim(&mut self, seat: u8, from_ms: u64, endings: Endings) -> Result<(), Refusal> {
        if self.status().pause.is_on {
            return Err(Refusal::NotNow("the game is paused".into()));
        }
        let play = self.play().ok_or(Refusal::SessionOver)?;
        let owing = play.owing(self.program(), Some(seat));
        if owing.contains(&seat) {
            return Err(Refusal::NotNow("this seat owes a decision itself".into()));
        }
        if owing.iter().all(|of| self.status().bot(*of).is_some()) {
            return Err(Refusal::NotNow(
                "only built-in players owe a decision, and they are thinking".into(),
            ));
        }
        let left_ms = from_ms.saturating_sub(self.entry.at_ms);
        let mut voters = self.voters();
        if left_ms > 0 && voters.len() > 1 {
            self.vote(seat);
            let votes = &self.status().roster.absence_votes;
            voters.retain(|voter| !votes.contains(voter));
            if !voters.is_empty() {
                return Ok(());
            }
        } else if from_ms == u64::MAX {
            return Err(Refusal::NotNow(
                "the clock decides when somebody has been absent for too long".into(),
            ));
        } else if left_ms > 0 {
            let seconds = left_ms.div_ceil(1_000);
            return Err(Refusal::NotNow(format!(
                "the others still have {seconds} seconds before anybody can claim that they are absent"
            )));
        }
        self.declare(Some(seat), Declaration::Claimed);
        let loses = endings.resignations == Some(Resignations::Loses)
            && self.program().code.resigns.is_some();
        if self.program().seats == 2 && !loses {
            return self.end(&[seat], EndReason::Claimed);
        }
        // Who has answered in secret is there.
        let is_bot = |seat: u8| self.status().bot(seat).is_some();
        let is_absent = |seat: &u8| self.owed_by_seat(*seat).is_some() && !is_bot(*seat);
        let absent: Vec<u8> = owing.into_iter().filter(is_absent).collect();
        for absent in absent {
            if self.owed_by_seat(absent).is_none() {
                continue; // a built-in player has moved the game on
            }
            match endings.resignations {
                Some(Resignations::Loses) if loses => self.lose(absent, EndReason::Claimed)?,
                Some(Resignations::PlayedBy(bot)) => self.seat_bot(absent, bot)?,
                Some(Resignations::Never | Resignations::Loses) | None => {
                    self.leave_game(absent, EndReason::Claimed)?;
                }
            }
        }
        Ok(())
    }
}
