//! A decoded session at one revision. It is immutable; a change creates a new one.

use std::sync::Arc;

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::{Bearer, Token, TokenHash, TokenRights};
use crate::content::cursor::EventCursor;
use crate::content::facts::{SessionFacts, Visibility};
use crate::content::play::{Play, seat_of};
use crate::content::stage::Stage;
use crate::content::status::{Seat, Status};
use crate::content::waiting::SeekTerms;
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_engine::Pending;
use wyrmgate_program::Program;
use wyrmgate_search::bot::Bot;
use wyrmgate_store::{ChangeMark, Position, SessionRecord};

/// A session at one revision.
#[derive(Debug, Clone)]
pub struct Live {
    pub id: Arc<str>,
    pub position: Position,
    /// The mark of the revision, which identifies the history.
    pub mark: ChangeMark,
    /// The mark of the version.
    pub version_mark: ChangeMark,
    pub facts: Arc<SessionFacts>,
    pub ruleset: Arc<Ruleset>,
    pub program: Arc<Program>,
    pub status: Arc<Status>,
    /// The game. `None` until every seat is taken.
    pub play: Option<Arc<Play>>,
}

impl Live {
    /// Decodes a stored record, except for its game.
    pub fn decode(
        id: &str,
        record: &SessionRecord,
        facts: SessionFacts,
        ruleset: Arc<Ruleset>,
    ) -> Result<Live, Refusal> {
        let program = ruleset
            .program(usize::from(facts.seats), &facts.options)
            .map_err(|problems| Refusal::Ruleset(format!("{problems:?}")))?;
        let status = Arc::new(Status::decode(&record.status)?);
        let live = Live {
            id: id.into(),
            position: record.position,
            mark: record.mark,
            version_mark: record.version_mark,
            facts: Arc::new(facts),
            ruleset,
            program,
            status,
            play: None,
        };
        live.still_exists()?;
        Ok(live)
    }

    pub fn version(&self) -> u64 {
        self.position.version
    }

    /// Returns the cursor of the current version in this history.
    pub fn cursor(&self) -> EventCursor {
        EventCursor {
            version: self.version(),
            mark: Some(self.version_mark),
        }
    }

    /// Fails if the session is being removed: to everybody, it is gone.
    pub(crate) fn still_exists(&self) -> Result<(), Refusal> {
        match self.status.is_removed {
            true => Err(Refusal::NotFound),
            false => Ok(()),
        }
    }

    pub fn stage(&self) -> Stage {
        self.status.stage
    }

    /// Returns whom the session takes in, while it seeks players.
    pub fn seek(&self) -> Option<&SeekTerms> {
        seek_of(&self.facts, &self.status)
    }

    /// Returns whether the session ended before its game began.
    pub fn is_closed(&self) -> bool {
        self.status.roster.wait.is_closed
    }

    /// Returns whether someone may have known the random numbers, from the seed, a fork or an undo.
    pub fn is_practice(&self) -> bool {
        self.facts.practice || self.status.is_practice()
    }

    /// Returns the role that this credential has here. To strangers, a private session does not exist.
    pub fn caller(&self, token: Option<&Token>) -> Result<Caller, Refusal> {
        self.caller_of(token.map(Token::bearer).as_ref())
    }

    /// Returns the caller of a token that was verified earlier.
    pub fn caller_of(&self, bearer: Option<&Bearer>) -> Result<Caller, Refusal> {
        // An operator key grants no access to a session by itself, but does not hide public information either.
        let bearer = bearer.filter(|bearer| bearer.kind != TokenRights::Key || bearer.manages);
        let known = bearer.and_then(|bearer| self.known(bearer));
        let private = self.facts.visibility == Visibility::Private;
        match (known, bearer) {
            (Some(caller), _) => Ok(caller),
            (None, _) if private => Err(Refusal::NotFound),
            // A player is somebody everywhere, and nobody in particular where it has no seat.
            (None, Some(bearer)) if bearer.player().is_some() => Ok(Caller::Public),
            (None, Some(_)) => Err(Refusal::Unauthenticated),
            (None, None) => Ok(Caller::Public),
        }
    }

    fn known(&self, bearer: &Bearer) -> Option<Caller> {
        let is_theirs = || {
            let hash = self.hash_of(bearer.kind);
            hash.is_some_and(|hash| hash.matches(&bearer.hash))
        };
        match bearer.kind {
            TokenRights::Seat => self.status.seat_of(&bearer.hash).map(Caller::Seat),
            TokenRights::Player => self.role_of(bearer),
            TokenRights::Key => bearer.manages.then_some(Caller::Owner),
            TokenRights::Owner => is_theirs().then_some(Caller::Owner),
            TokenRights::Spectator => is_theirs().then_some(Caller::Public),
            TokenRights::Invite => is_theirs().then_some(Caller::Guest),
        }
    }

    /// Returns the role of a player: the seat that it means, or else its first one. A host without a seat manages the session,
    /// and one who is awaited in a private session may come in.
    fn role_of(&self, bearer: &Bearer) -> Option<Caller> {
        let player = bearer.player()?;
        let is_host = self.status.roster.host == Some(player);
        if bearer.manages {
            return is_host.then_some(Caller::Owner);
        }
        let mut seats = self.status.seats_of(player);
        let seat = seats.find(|seat| bearer.seat.is_none_or(|meant| meant == *seat));
        let is_awaited = || {
            let mut reserved = self.status.roster.reserved.iter();
            self.facts.visibility == Visibility::Private
                && reserved.any(|reservation| reservation.player == player)
        };
        match seat {
            Some(seat) => Some(Caller::Seat(seat)),
            None if is_host && bearer.seat.is_none() => Some(Caller::Owner),
            None => is_awaited().then_some(Caller::Guest),
        }
    }

    /// Returns the hash of the session's token of this kind, if it has one.
    pub fn hash_of(&self, kind: TokenRights) -> Option<&TokenHash> {
        let first = match kind {
            TokenRights::Owner => Some(&self.facts.owner),
            TokenRights::Invite => self.facts.invite.as_ref(),
            TokenRights::Spectator => self.facts.watch.as_ref(),
            TokenRights::Seat | TokenRights::Key | TokenRights::Player => None,
        };
        first.map(|first| self.status.renewed(kind).unwrap_or(first))
    }

    /// Returns whether a seat has left the game as its rules say.
    pub fn has_resigned(&self, seat: u8) -> bool {
        let play = self.play.as_deref();
        play.is_some_and(|play| play.has_resigned(&self.program, seat))
    }

    /// Returns the seats that owe a decision, as far as the viewer may know.
    pub fn owing(&self, viewer: Option<u8>) -> Vec<u8> {
        let play = self.play.as_deref();
        play.map_or_else(Vec::new, |play| play.owing(&self.program, viewer))
    }

    /// Returns whether seats owe decisions at which nobody sits.
    pub(crate) fn owed_by_nobody(&self) -> bool {
        let is_open = |seat: &u8| matches!(self.status.seat(*seat), Some(Seat::Open));
        self.owing(None).iter().any(is_open)
    }

    /// Returns a decision that a bot owes, of those that are meant.
    pub(crate) fn owed_by_bot(&self, is_meant: impl Fn(Bot) -> bool) -> Option<Pending> {
        bot_decision(&self.program, self.play.as_deref()?, &self.status, is_meant)
    }

    /// Returns a decision of a searching bot, unless a faster bot has to move first.
    pub(crate) fn owed_by_thinker(&self) -> Option<(Pending, Bot)> {
        if self.owed_by_bot(|bot| !bot.thinks()).is_some() {
            return None;
        }
        let pending = self.owed_by_bot(Bot::thinks)?;
        Some((pending, self.status.bot(seat_of(&pending))?))
    }

    /// Returns the entity tag of what this viewer sees. Two states with the same tag look the same to the viewer.
    pub fn tag(&self, caller: Caller) -> String {
        let version = self.cursor();
        let Some(seat) = caller.seat() else {
            return format!("\"{version}-p\"");
        };
        let answered = match &self.play {
            Some(play) if play.has_answered(seat) => "+".to_owned(),
            Some(play) if play.is_amid(seat) => format!("+{}", play.given(seat).count()),
            Some(_) | None => String::new(),
        };
        format!("\"{version}-s{seat}{answered}\"")
    }
}

/// Returns a decision that a bot owes in a game, of those that are meant.
pub(crate) fn bot_decision(
    program: &Program,
    play: &Play,
    status: &Status,
    is_meant: impl Fn(Bot) -> bool,
) -> Option<Pending> {
    let mut pending = play.pending(program).into_iter();
    pending.find(|owed| status.bot(seat_of(owed)).is_some_and(&is_meant))
}
/// Returns whom a session takes in, while it seeks players.
pub(crate) fn seek_of<'f>(facts: &'f SessionFacts, status: &Status) -> Option<&'f SeekTerms> {
    let is_open = status.stage == Stage::Waiting && !status.roster.wait.is_moving();
    facts.waits.seek.as_ref().filter(|_| is_open)
}
