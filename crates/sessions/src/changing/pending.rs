//! A pending change of a session. It is prepared on a copy and then written in one commit ([`writing`]).

mod matching;
mod outbox;
pub(crate) mod preparing;
mod replies;
pub(crate) mod writing;

use std::sync::Arc;

use crate::Refusal;
use crate::access::token::Token;
use crate::content::budget::budget;
use crate::content::live::{Live, bot_decision};
use crate::content::log::{Happening, LogEntry, LoggedMove};
use crate::content::play::{ChoiceResult, Play, append, seat_of};
use crate::content::seed::Secrets;
use crate::content::stage::Stage;
use crate::content::standing::Standing;
use crate::content::status::{PauseState, Seat, Status, UndoWish};
use crate::refusal::RefusalReason;
use crate::storing::players::PlayerProfile;
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_engine::{Choice, EndReason, Event, Fault, GameOutcome, Pending, Seeded, StepError};
use wyrmgate_program::Program;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_store::Position;
use wyrmgate_view::{Rejection, note_after};

/// Maximum number of bot moves in one change. Further moves follow in the next change.
const BOT_MOVES_MAX: usize = 100;

/// A change under construction.
pub(crate) struct PendingChange {
    pub before: Arc<Live>,
    status: Option<Status>,
    play: Option<Play>,
    /// The log entry so far.
    pub entry: LogEntry,
    is_public: bool,
    /// A credential that the change issues. Only the caller receives it, and only its hash is stored.
    pub token: Option<Token>,
}

const ALL_GIVEN: Refusal =
    Refusal::NotUndoable("this seat has no secret answer that could be withdrawn");

impl PendingChange {
    /// Begins the first change of a new session. No commit ever accepts it for a session that exists.
    pub fn first(session: Live, now_ms: u64) -> PendingChange {
        let position = Position::default();
        PendingChange::of(
            Arc::new(Live {
                position,
                ..session
            }),
            now_ms,
        )
    }

    /// Only [`writing`] begins changes of sessions that exist.
    fn of(before: Arc<Live>, now_ms: u64) -> PendingChange {
        PendingChange {
            before,
            status: None,
            play: None,
            entry: LogEntry {
                at_ms: now_ms,
                ..LogEntry::default()
            },
            is_public: false,
            token: None,
        }
    }

    /// Adds a public event.
    pub fn add_event(&mut self, happening: Happening) {
        self.is_public = true;
        self.entry.happenings.push(happening);
    }

    pub fn status(&self) -> &Status {
        self.status.as_ref().unwrap_or(&self.before.status)
    }

    pub fn status_mut(&mut self) -> &mut Status {
        let before = &self.before.status;
        self.status.get_or_insert_with(|| before.as_ref().clone())
    }

    /// Returns the time at which a seat runs out of time.
    pub fn deadline_of(&self, seat: u8) -> Option<u64> {
        let clock = self.before.facts.terms.clock.as_ref()?;
        self.status().deadline_ms(seat, clock)
    }

    pub fn put_on_seat(&mut self, number: u8, seat: Seat) {
        let (clock, now) = (self.before.facts.terms.clock, self.entry.at_ms);
        let status = self.status_mut();
        let is_person = matches!(seat, Seat::Taken { .. });
        let was_person = matches!(status.seat(number), Some(Seat::Taken { .. }));
        if let Some(place) = status.seat_mut(number) {
            *place = seat;
        }
        if is_person != was_person {
            status.undo = None; // the next player of the seat has neither requested it nor agreed
            status.draw_offer.clear();
            status.roster.absence_votes.clear();
            status.pause.wanted_by.clear();
        }
        if is_person != was_person
            && let Some(of_seat) = status
                .standing
                .get_mut(usize::from(number).saturating_sub(1))
        {
            *of_seat = Standing::default(); // nor has it given these
        }
        if let (Some(clock), Some(of_seat)) = (clock, status.clock_of_mut(number))
            && is_person != was_person
        {
            of_seat.change_hands(&clock, now, was_person);
        }
    }

    /// Opens a seat for another player.
    pub fn leave_seat(&mut self, seat: u8) {
        let player = self.status().seat(seat).and_then(Seat::player);
        self.put_on_seat(seat, Seat::Open);
        if let Some(player) = player {
            self.put_player_hooks(player, &PlayerProfile::default());
        }
        self.add_event(Happening::SeatLeft { seat });
    }

    pub fn is_due_to_begin(&self) -> bool {
        self.status().stage == Stage::Waiting && self.status().is_full()
    }

    /// Sets the entropy of a seat. It has no effect once the game has begun.
    pub fn bring(&mut self, seat: u8, value: Option<String>) {
        if self.status().stage == Stage::Waiting {
            self.status_mut().bring(seat, value);
        }
    }

    pub fn begin(&mut self, secrets: &Secrets) -> Result<(), Refusal> {
        let seed = secrets.game_seed(&self.status().entropy)?;
        let (play, happenings) =
            Play::begin(&self.before.program, seed).map_err(|fault| self.budget(fault))?;
        self.is_public = true;
        self.entry.happenings.extend(happenings);
        self.status_mut().stage = Stage::Running;
        self.note_contestants();
        self.play = Some(play);
        self.notice_the_end();
        Ok(())
    }

    pub fn program(&self) -> &Program {
        &self.before.program
    }

    pub fn owed_by_seat(&self, seat: u8) -> Option<Pending> {
        self.play()?.owed_by(&self.before.program, seat)
    }

    /// Returns the current state of the game.
    pub fn play(&self) -> Option<&Play> {
        self.play.as_ref().or(self.before.play.as_deref())
    }

    /// Opens an undo request.
    pub fn wish_undo(&mut self, wish: UndoWish) {
        let (seat, to) = (wish.seat, wish.to);
        let is_new = self
            .status()
            .undo
            .as_ref()
            .is_none_or(|open| open.seat != seat || open.to != to);
        self.status_mut().undo = Some(wish);
        if is_new {
            self.add_event(Happening::UndoWished { seat, to });
        }
    }

    pub fn forget_undo(&mut self) {
        if self.status().undo.is_some() {
            self.status_mut().undo = None;
        }
    }

    /// Withdraws the offer of a draw.
    pub fn forget_draw(&mut self) {
        if !self.status().draw_offer.is_empty() {
            self.status_mut().draw_offer.clear();
        }
    }

    fn forget_votes(&mut self) {
        if !self.status().roster.absence_votes.is_empty() {
            self.status_mut().roster.absence_votes.clear();
        }
    }

    /// Restores the game as it was at a version. `informs` tells whether someone may have learned something since.
    pub fn go_back(&mut self, play: Play, how: Happening, informs: bool) {
        self.forget_undo();
        self.forget_draw();
        self.forget_votes();
        self.play = Some(play);
        let status = self.status_mut();
        status.stage = Stage::Running;
        status.roster.finished_at_ms = None;
        status.undid_information |= informs;
        self.add_event(how);
        self.notice_the_end();
    }

    /// Gives all seats as much time as at the beginning.
    pub fn reset_clocks(&mut self) {
        self.status_mut().clocks.clear();
    }

    /// Starts from a game in progress: a fork or a record.
    pub fn resume(&mut self, play: Play, moves: Vec<LoggedMove>) {
        self.add_event(Happening::Resumed);
        self.entry.moves = moves;
        self.status_mut().stage = Stage::Running;
        self.play = Some(play);
        self.notice_the_end();
    }

    /// Validates a choice and makes it.
    pub fn choose(
        &mut self,
        pending: &Pending,
        choice: &Choice,
        by_bot: bool,
    ) -> Result<(), Refusal> {
        let valid = self.game()?.validate(self.program(), pending, choice);
        valid.map_err(|error| self.stopped(pending, error))?;
        self.take(pending, choice, by_bot)
    }

    /// Makes a choice from the list of this position, which needs no validation.
    pub fn take(
        &mut self,
        pending: &Pending,
        choice: &Choice,
        by_bot: bool,
    ) -> Result<(), Refusal> {
        let mut play = self.taken_play()?;
        let note = play.note(self.program(), pending, choice);
        let step = play.advance(&mut Seeded, self.program(), pending, choice, by_bot);
        let note = note.map(|note| note + note_after(self.program(), play.state()));
        self.play = Some(play);
        match step.map_err(|error| self.stopped(pending, error))? {
            ChoiceResult::Secret => {}
            ChoiceResult::Public { moves, happenings } => {
                self.publish(moves, happenings);
                if let Some(note) = note {
                    self.entry.note(note);
                }
            }
        }
        Ok(())
    }

    /// Withdraws the last secret answer of a seat. Nobody else learns of it.
    pub fn withdraw(&mut self, seat: u8) -> Result<(), Refusal> {
        let mut play = self.taken_play()?;
        let withdrawn = play.withdraw(self.program(), seat);
        self.play = Some(play);
        let budget = |error| match error {
            StepError::Fault(fault) => self.budget(fault),
            StepError::Refused(_) => ALL_GIVEN,
        };
        if !withdrawn.map_err(budget)? {
            return Err(ALL_GIVEN);
        }
        if let Some(clock) = self.status_mut().clock_of_mut(seat) {
            clock.answers_again();
        }
        Ok(())
    }

    /// Ends the game outside of its rules. The winners are numbered from 1.
    pub fn end(&mut self, winners: &[u8], reason: EndReason) -> Result<(), Refusal> {
        let winners: Vec<u8> = winners.iter().map(|seat| seat.saturating_sub(1)).collect();
        let outcome = GameOutcome::outside_of_rules(self.program().seats, &winners, reason);
        let mut play = self.taken_play()?;
        play.end(outcome.clone());
        self.play = Some(play);
        let finished = Happening::Game(Event::Finished(outcome));
        self.publish(Vec::new(), vec![finished]);
        Ok(())
    }

    /// Returns the game, to replace it by a later position.
    fn taken_play(&mut self) -> Result<Play, Refusal> {
        match self.play.take() {
            Some(play) => Ok(play),
            None => self.game().cloned(),
        }
    }

    fn game(&self) -> Result<&Play, Refusal> {
        self.play()
            .ok_or(Refusal::NotYourTurn("the game has not begun"))
    }

    fn stopped(&self, pending: &Pending, error: StepError) -> Refusal {
        match (error, self.game()) {
            (StepError::Refused(refused), Ok(play)) => {
                let (program, state) = (self.program(), play.state());
                let rejection = Rejection::of(program, state, pending.seat, refused);
                rejected(&self.before, rejection)
            }
            (StepError::Refused(_), Err(refusal)) => refusal,
            (StepError::Fault(fault), _) => self.budget(fault),
        }
    }

    fn publish(&mut self, moves: Vec<LoggedMove>, happenings: Vec<Happening>) {
        self.is_public = true;
        self.forget_undo();
        self.forget_draw();
        self.forget_votes();
        append(&mut self.entry.moves, moves);
        append(&mut self.entry.happenings, happenings);
        self.notice_the_end();
    }

    fn notice_the_end(&mut self) {
        if self.play.as_ref().is_some_and(Play::is_over) {
            let at_ms = self.entry.at_ms;
            let status = self.status_mut();
            status.stage = Stage::Finished;
            status.roster.finished_at_ms = Some(at_ms);
            status.pause = PauseState::default();
            self.entry.finished = true;
            self.note_results();
        }
    }

    /// Lets bots decide until none of them owes a decision.
    pub fn play_bots(&mut self, bot: &mut RandomBot) {
        for _ in 0..BOT_MOVES_MAX {
            let Some((pending, choice)) = self.next_of_bots(bot) else {
                return;
            };
            let play = self.play.clone();
            if let Err(refusal) = self.take(&pending, &choice, true) {
                // The rules have a fault and the game cannot continue here; the move of the person is still valid.
                tracing::error!(session = %self.before.id, %refusal, "a bot failed to move");
                self.play = play;
                return;
            }
        }
    }

    fn next_of_bots(&self, bot: &mut RandomBot) -> Option<(Pending, Choice)> {
        let play = self.play()?;
        let program = &self.before.program;
        let pending = bot_decision(program, play, self.status(), |bot| !bot.thinks())?;
        let player = self.status().bot(seat_of(&pending))?;
        match player.at_once(program, play.state(), &pending, bot.dice()) {
            Ok(choice) => Some((pending, choice?)),
            Err(fault) => {
                let refusal = self.budget(fault);
                tracing::error!(session = %self.before.id, %refusal, "a bot failed to choose");
                None
            }
        }
    }

    fn budget(&self, fault: Fault) -> Refusal {
        budget(&self.before, fault)
    }

    pub fn is_empty(&self) -> bool {
        self.play.is_none() && self.status.is_none() && !self.is_public
    }
}

/// Returns the refusal for a rejected choice.
pub(crate) fn rejected(live: &Live, rejection: Rejection) -> Refusal {
    rejected_by(&live.ruleset, &live.program, rejection)
}

pub(crate) fn rejected_by(ruleset: &Ruleset, program: &Program, rejection: Rejection) -> Refusal {
    use wyrmgate_engine::RejectCode;
    match rejection.code {
        RejectCode::NotYourTurn => Refusal::NotYourTurn("this seat does not owe this decision"),
        RejectCode::SessionOver => Refusal::SessionOver,
        RejectCode::Malformed => Refusal::unprocessable("/args", rejection.message),
        RejectCode::IllegalChoice => {
            Refusal::IllegalChoice(Box::new(reason(ruleset, program, rejection)))
        }
    }
}

fn reason(ruleset: &Ruleset, program: &Program, rejection: Rejection) -> RefusalReason {
    let clauses = rejection.clauses.iter();
    RefusalReason {
        message: rejection.message,
        clauses: clauses
            .filter_map(|id| ruleset.clause(program, *id))
            .collect(),
        place: rejection.span.and_then(|span| ruleset.place(span)),
    }
}
