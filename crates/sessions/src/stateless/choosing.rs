//! Which choice of a stateless game a request means: by its id, its description, or its number in the action space.

use crate::Refusal;
use crate::changing::moves::{ChoiceId, ChoiceOrder, NoChoiceId};
use crate::content::budget::stateless_budget;
use crate::stateless::stepping::StatelessGame;
use wyrmgate_engine::{self as engine, Choice, Pending};
use wyrmgate_spaces::{Legal, SeatPosition, SpaceError, Spaces};

impl StatelessGame {
    /// Makes a choice for a seat.
    pub fn choose(&mut self, seat: u8, order: &ChoiceOrder) -> Result<(), Refusal> {
        let pending = self.owed(seat)?;
        let choice = self.choice(seat, &pending, order)?;
        self.make(seat, &pending, &choice)
    }

    fn owed(&self, seat: u8) -> Result<Pending, Refusal> {
        let owes = match self.outcomes() {
            None => "this seat does not owe a decision",
            Some(_) => "chance decides; send `chance` with the number of an outcome",
        };
        self.owed_by(seat).ok_or(Refusal::NotYourTurn(owes))
    }

    /// Makes the choice with this number in the action space. In a factored space, these are parts of a choice; returns
    /// false if more must follow.
    pub fn act(&mut self, seat: u8, action: &[u32]) -> Result<bool, Refusal> {
        let pending = self.owed(seat)?;
        let legal = self.legal(&pending)?;
        let (begun, last) = match action.split_last() {
            Some((last, begun)) => (begun, *last),
            None => return Ok(false),
        };
        let choice = match (legal.choice(begun, last), &self.play) {
            (Some(number), Some(play)) => {
                let found = play.nth_choice(&self.program, &pending, number as u64);
                found.map_err(|fault| stateless_budget(&self.ruleset, fault))?
            }
            _ => None,
        };
        if let Some(choice) = choice {
            self.make(seat, &pending, &choice)?;
            return Ok(true);
        }
        let spaces = Spaces::of(&self.program);
        if legal.can_go_on(begun, last) && spaces.actions.is_factored() {
            return Ok(false);
        }
        let words = spaces.actions.describe(&self.program, u64::from(last));
        let words = words.map_or_else(
            || format!("; there are {}", spaces.actions.size()),
            |words| format!(" ({words})"),
        );
        Err(Refusal::not_offered(format!(
            "action {last}{words} is not legal here"
        )))
    }

    /// Lists the numbers of the choices of a decision.
    pub fn legal(&self, pending: &Pending) -> Result<Legal, Refusal> {
        let mut legal = Legal::default();
        let Some(state) = self.state() else {
            return Ok(legal);
        };
        let look = SeatPosition {
            program: &self.program,
            state,
            seat: pending.seat,
        };
        let spaces = Spaces::of(&self.program);
        match spaces.actions.list_of(look, pending, &mut legal) {
            Ok(()) => Ok(legal),
            Err(SpaceError::Fault(fault)) => Err(stateless_budget(&self.ruleset, fault)),
            Err(SpaceError::NoNumber(none)) => {
                Err(Refusal::unprocessable("/include", none.to_string()))
            }
        }
    }

    fn choice(&self, seat: u8, pending: &Pending, order: &ChoiceOrder) -> Result<Choice, Refusal> {
        let Some(state) = self.state() else {
            return Err(Refusal::NotYourTurn("the game has not begun"));
        };
        match order {
            ChoiceOrder::Described(choice) => {
                wyrmgate_view::choice_from_json(&self.program, state, pending, choice)
                    .map_err(|rejection| self.rejected(rejection))
            }
            ChoiceOrder::Listed(id) => {
                let listed = self.listed(seat, pending, id)?;
                let unknown = "no choice has this id; list the choices again";
                listed.ok_or_else(|| Refusal::not_offered(unknown))
            }
        }
    }

    fn listed(
        &self,
        seat: u8,
        pending: &Pending,
        id: &Result<ChoiceId, NoChoiceId>,
    ) -> Result<Option<Choice>, Refusal> {
        let Ok(id) = id else { return Ok(None) };
        let member = self.state().map_or(0, |state| {
            engine::member_number(&self.program, state, pending)
        });
        if id.version != self.version() || id.member != member {
            return Err(Refusal::Stale {
                version: self.version(),
            });
        }
        if id.seat != seat {
            return Err(Refusal::NotYourTurn(
                "the choice was listed for another seat than the one that decides; send its `seat`",
            ));
        }
        let Some(play) = &self.play else {
            return Ok(None);
        };
        let found = play.nth_choice(&self.program, pending, id.index);
        found.map_err(|fault| stateless_budget(&self.ruleset, fault))
    }
}
