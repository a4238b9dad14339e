//! Making and checking choices.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;
use std::sync::Arc;

use serde_json::Value;

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::Token;
use crate::changing::call::{Answered, Call};
use crate::changing::free_text::FreeText;
use crate::changing::pending::writing::Attempt;
use crate::changing::pending::{PendingChange, rejected};
use crate::content::budget::budget;
use crate::content::cursor::EventCursor;
use crate::content::live::Live;
use crate::content::play::Play;
use crate::content::stage::Stage;
use crate::service::{Service, bot};
use wyrmgate_engine::{self as engine, Choice, Pending};

const SEATS_ONLY: &str =
    "only a seat can choose, and this credential belongs to no seat; send a seat token";

/// Names one listed choice: the position it was listed in, who was asked, and its number in the list. Of a decision about each
/// member of a list, the number of the member stands before that.
///
/// ```
/// # use wyrmgate_sessions::ChoiceId;
/// let id: ChoiceId = "12.1.3".parse().unwrap();
/// assert_eq!(id, ChoiceId { version: 12, seat: 1, member: 0, index: 3 });
/// assert_eq!(id.to_string(), "12.1.3");
/// let id: ChoiceId = "12.1.2.3".parse().unwrap();
/// assert_eq!((id.member, id.index), (2, 3));
/// assert_eq!(id.to_string(), "12.1.2.3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceId {
    pub version: u64,
    /// The seat, from 1.
    pub seat: u8,
    /// From 1; 0 for a decision that is not about members.
    pub member: u16,
    pub index: u64,
}

/// A choice as a client specifies it.
#[derive(Debug, Clone)]
pub enum ChoiceOrder {
    /// A listed choice. `Err` is an id that no list can contain.
    Listed(Result<ChoiceId, NoChoiceId>),
    /// `{"option": …, "args": {…}}`
    Described(Value),
}

/// A choice and the position to which it is tied.
#[derive(Debug, Clone)]
pub struct Move {
    pub choice: ChoiceOrder,
    /// The version that the move applies to.
    pub version: Option<u64>,
    /// Entity tags. One of them must be the caller's current one.
    pub if_match: Vec<String>,
    /// The seat that chooses. Must be the caller's own.
    pub seat: Option<u8>,
    /// The id of the decision, as [`decision_id`] returns it.
    pub decision: Option<String>,
}

/// Returns the id of the decision that a seat owes at a version. A seat owes at most one, for each member of a list.
pub fn decision_id(version: u64, seat: u8, member: u16) -> String {
    if member == 0 {
        return format!("{version}.{seat}");
    }
    format!("{version}.{seat}.{member}")
}

impl Service {
    /// Makes a move.
    pub async fn play(&self, call: Call<'_>, order: &Move) -> Result<Answered, Refusal> {
        let take = |attempt: &Attempt<'_>| {
            let by = attempt.permitted(|_, caller| Ok((caller.needs_seat(SEATS_ONLY)?, caller)));
            let ((seat, caller), change) = by?;
            order.made(change, caller, seat, call.key.is_some(), &self.free_text)
        };
        match self.write(call, &take).await {
            Err(Refusal::Stale { version }) => {
                Err(Box::pin(self.stale(call.session, order, version)).await?)
            }
            answer => answer,
        }
    }

    /// Returns the refusal for a move tied to a position that is past or lost.
    async fn stale(&self, id: &str, order: &Move, version: u64) -> Result<Refusal, Refusal> {
        let tags = order.if_match.iter();
        let cursors: Vec<_> = tags.filter_map(|tag| EventCursor::of_tag(tag)).collect();
        if !cursors.is_empty() {
            let live = self.load(id).await?;
            for cursor in cursors {
                self.confirm(&live, cursor, live.version()).await?;
            }
        }
        Ok(Refusal::Stale { version })
    }

    /// Checks whether a move would be accepted now. Changes nothing.
    pub async fn check(
        &self,
        id: &str,
        token: Option<&Token>,
        order: &Move,
    ) -> Result<(Arc<Live>, Result<(), Refusal>), Refusal> {
        let (live, caller) = self.look(id, token).await?;
        caller.needs_seat(SEATS_ONLY)?;
        let verdict = order.verdict(&live, caller, &self.free_text);
        Ok((live, verdict))
    }
}

impl Move {
    /// Makes the move of a seat.
    fn made(
        &self,
        mut change: PendingChange,
        caller: Caller,
        seat: u8,
        has_key: bool,
        free_text: &FreeText,
    ) -> Result<PendingChange, Refusal> {
        if !self.is_tied() && !has_key {
            return Err(Refusal::NotTied);
        }
        let (pending, choice) = self.resolve(&change.before, caller, seat)?;
        free_text.allows_choice(&change.before.program, &pending, &choice)?;
        match self.choice {
            ChoiceOrder::Listed(_) => change.take(&pending, &choice, false)?,
            ChoiceOrder::Described(_) => change.choose(&pending, &choice, false)?,
        }
        if change.status().has_bots() {
            change.play_bots(&mut bot()?);
        }
        Ok(change)
    }

    fn verdict(
        &self,
        live: &Arc<Live>,
        caller: Caller,
        free_text: &FreeText,
    ) -> Result<(), Refusal> {
        let seat = caller.needs_seat(SEATS_ONLY)?;
        let (pending, choice) = self.resolve(live, caller, seat)?;
        free_text.allows_choice(&live.program, &pending, &choice)?;
        let play = live.play.as_ref().ok_or(Refusal::SessionOver)?;
        let state = play.state();
        let is_legal = engine::is_legal(&live.program, state, &pending, &choice);
        if is_legal.map_err(|fault| budget(live, fault))? {
            return Ok(());
        }
        let why = wyrmgate_view::explain(&live.program, state, &pending, &choice);
        Err(rejected(live, why))
    }

    fn is_tied(&self) -> bool {
        let listed = matches!(self.choice, ChoiceOrder::Listed(_));
        let named = self.version.is_some() || self.decision.is_some();
        listed || named || !self.if_match.is_empty()
    }

    /// Returns the decision and the choice, if the move is tied to this position.
    fn resolve(&self, live: &Live, caller: Caller, seat: u8) -> Result<(Pending, Choice), Refusal> {
        if self.seat.is_some_and(|meant| meant != seat) {
            return Err(Refusal::Forbidden(
                "the credential belongs to another seat; use the token of this seat",
            ));
        }
        let play = match (&live.play, live.stage()) {
            (_, Stage::Finished) => return Err(Refusal::SessionOver),
            (None, _) => {
                return Err(Refusal::NotYourTurn(
                    "the game begins when every seat is taken",
                ));
            }
            (Some(play), _) => play,
        };
        if live.status.pause.is_on {
            return Err(Refusal::NotNow("the game is paused".into()));
        }
        self.is_for(live, caller, seat)?;
        let pending = play
            .owed_by(&live.program, seat)
            .ok_or(Refusal::NotYourTurn("this seat does not owe a decision"))?;
        let choice = match &self.choice {
            ChoiceOrder::Listed(id) => listed(live, play, &pending, id)?,
            ChoiceOrder::Described(choice) => {
                wyrmgate_view::choice_from_json(&live.program, play.state(), &pending, choice)
                    .map_err(|rejection| rejected(live, rejection))?
            }
        };
        Ok((pending, choice))
    }

    /// Returns whether the move is tied to the current position.
    fn is_for(&self, live: &Live, caller: Caller, seat: u8) -> Result<(), Refusal> {
        let version = live.version();
        let id = match &self.choice {
            ChoiceOrder::Listed(Ok(id)) => Some(id),
            _ => None,
        };
        let meant = self.version.into_iter().chain(id.map(|id| id.version));
        let tag_differs = || !self.if_match.contains(&live.tag(caller));
        let decision = self.decision.as_ref();
        let owed = live
            .play
            .as_ref()
            .and_then(|play| Some((play.owed_by(&live.program, seat)?, play)));
        let member = owed.map_or(0, |(owed, play)| {
            engine::member_number(&live.program, play.state(), &owed)
        });
        let other = decision.filter(|meant| **meant != decision_id(version, seat, member));
        let is_of_now = |meant: &String| meant.starts_with(&format!("{version}."));
        let is_own = |meant: &String| meant.starts_with(&decision_id(version, seat, 0));
        if meant.into_iter().any(|meant| meant != version)
            || id.is_some_and(|id| id.seat == seat && id.member != member)
            || other.is_some_and(|meant| !is_of_now(meant) || is_own(meant))
            || (!self.if_match.is_empty() && tag_differs())
        {
            return Err(Refusal::Stale { version });
        }
        if other.is_some() {
            return Err(Refusal::NotYourTurn(
                "the decision belongs to another seat; this seat does not owe it",
            ));
        }
        if id.is_some_and(|id| id.seat != seat) {
            return Err(Refusal::Forbidden(
                "the choice was listed for another seat; use the id of a choice listed for yours",
            ));
        }
        Ok(())
    }
}

fn listed(
    live: &Live,
    play: &Play,
    pending: &Pending,
    id: &Result<ChoiceId, NoChoiceId>,
) -> Result<Choice, Refusal> {
    let found = match id {
        Ok(id) => play
            .nth_choice(&live.program, pending, id.index)
            .map_err(|fault| budget(live, fault))?,
        Err(NoChoiceId) => None,
    };
    found.ok_or_else(|| Refusal::not_offered("no choice has this id; list the choices again"))
}

impl fmt::Display for ChoiceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}",
            decision_id(self.version, self.seat, self.member),
            self.index
        )
    }
}

/// The error for a text that is not a choice id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoChoiceId;

impl FromStr for ChoiceId {
    type Err = NoChoiceId;

    fn from_str(text: &str) -> Result<Self, NoChoiceId> {
        let (decision, index) = text.rsplit_once('.').ok_or(NoChoiceId)?;
        let mut parts = decision.splitn(3, '.');
        let (version, seat) = (parts.next().unwrap_or_default(), parts.next());
        let member = parts.next().map(part::<NonZeroU16>).transpose()?;
        Ok(ChoiceId {
            version: part(version)?,
            seat: part(seat.unwrap_or_default())?,
            member: member.map_or(0, NonZeroU16::get),
            index: part(index)?,
        })
    }
}

/// Parses a number in our canonical form: digits only, no leading zero.
fn part<T: FromStr>(text: &str) -> Result<T, NoChoiceId> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || (text.len() > 1 && text.starts_with('0')) {
        return Err(NoChoiceId);
    }
    text.parse().map_err(|_| NoChoiceId)
}
