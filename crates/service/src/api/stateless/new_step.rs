//! The body of a request for steps.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::api::catalog::games;
use crate::api::request::{numbers, object};
use crate::api::session::moves::NewMove;
use crate::api::shared::problem::Problem;
use crate::api::stateless::step_answer::{PARTS, StepPart};

/// Maximum number of parts in an action of a factored space.
const ACTIONS_MAX: usize = 1000;
/// Maximum number of perspectives in one answer.
const VIEWERS_MAX: usize = 10;

/// A step to take: a state to continue from, or a game to begin. With `steps`, a list of them; the other members then
/// hold for each step that does not have its own.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "demo", "seats": 2}))]
pub struct NewStep {
    /// A sealed state from the previous step. Without one, a new game begins.
    pub(super) state: Option<String>,
    /// The name of the game to begin.
    pub(super) game: Option<String>,
    /// The digest of the ruleset to begin a game with.
    pub(super) ruleset: Option<String>,
    /// Number of seats. Defaults to the smallest that the game allows.
    #[schema(minimum = 1, maximum = 8)]
    pub(super) seats: Option<u8>,
    #[serde(default)]
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    pub(super) options: Map<String, Value>,
    /// A seed of your own, in hexadecimal digits.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    pub(super) seed: Option<String>,
    /// Where a game begins: whether you decide what chance brings. Such a state has `chance` wherever chance decides.
    pub(super) explicit_chance: Option<bool>,
    /// The choice to make, like a move in a session, with its `seat`.
    #[serde(default, deserialize_with = "object::optional")]
    pub(super) choice: Option<NewMove>,
    /// The choice to make, by its number in the action space, for the first seat that owes a decision. In a factored space,
    /// the numbers of its parts from the option on; an incomplete choice changes nothing, and `actions` lists what can
    /// follow.
    #[schema(min_items = 1, max_items = 1000)]
    pub(super) action: Option<Vec<u32>>,
    /// Where the state has `chance`: the number of the outcome, from 0.
    #[schema(maximum = 2147483647)]
    pub(super) chance: Option<u32>,
    /// Whose perspective to return. Without one, the view is what everybody sees, and the decisions are those of all seats:
    /// for callers who play every seat. Do not pass that answer on to players; name a viewer for them.
    pub(super) viewer: Option<StepViewer>,
    /// Several perspectives to return, in place of `viewer`.
    #[schema(max_items = 10)]
    pub(super) viewers: Option<Vec<StepViewer>>,
    /// The parts to return. Defaults to `state`, `view`, `decisions` and `events`.
    pub(super) include: Option<Vec<StepPart>>,
    /// Requests sampled states that a seat cannot distinguish from the state after the step.
    #[serde(default, deserialize_with = "object::optional")]
    pub(super) imagine: Option<Imagine>,
    /// Steps that do not depend on each other, without lists of their own. Each is answered with its own result or problem.
    #[serde(default, deserialize_with = "object::optional_list")]
    #[schema(no_recursion, min_items = 1, max_items = 256)]
    pub(super) steps: Option<Vec<NewStep>>,
}

/// A seat, from 1, or the name of a viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[serde(untagged)]
pub enum StepViewer {
    Seat(u8),
    Named(ViewerName),
}

/// `public`: what everybody sees, as spectators of a session do. `owing`: what the first seat sees that owes a decision after the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ViewerName {
    Public,
    Owing,
}

impl<'de> Deserialize<'de> for StepViewer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<StepViewer, D::Error> {
        let value = Value::deserialize(from)?;
        let seat = value.as_u64().and_then(|seat| u8::try_from(seat).ok());
        let seat = seat.filter(|seat| (1..=8).contains(seat));
        match (seat, value.as_str()) {
            (Some(seat), _) => Ok(StepViewer::Seat(seat)),
            (_, Some("public")) => Ok(StepViewer::Named(ViewerName::Public)),
            (_, Some("owing")) => Ok(StepViewer::Named(ViewerName::Owing)),
            _ => Err(D::Error::custom(
                "a viewer is the number of a seat, from 1 to 8, `public` or `owing`",
            )),
        }
    }
}

/// A number of states that are consistent with everything that a seat has observed since the game began, for bots that
/// search without cheating. Each state has fresh random numbers.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Imagine {
    #[schema(minimum = 1, maximum = 8)]
    pub(super) seat: u8,
    #[schema(minimum = 1, maximum = 64)]
    pub(super) count: usize,
}

impl NewStep {
    /// Refuses members that exclude each other, and lists that are too long.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let made = [
            self.choice.is_some(),
            self.action.is_some(),
            self.chance.is_some(),
        ];
        if made.into_iter().filter(|is| *is).count() > 1 {
            let one = "send only one of `choice`, `action` and `chance`";
            return Err(Problem::malformed("", one));
        }
        let numbers = self.action.as_ref().map_or(1, Vec::len);
        if !(1..=ACTIONS_MAX).contains(&numbers) {
            let range = format!("an action must have between 1 and {ACTIONS_MAX} numbers");
            return Err(Problem::malformed("/action", range));
        }
        let mut numbers = self.action.iter().flatten().chain(&self.chance);
        if numbers.any(|number| i32::try_from(*number).is_err()) {
            let range = format!(
                "the number of a choice or an outcome is at most {}",
                i32::MAX
            );
            return Err(Problem::malformed("", range));
        }
        if self.viewer.is_some() && self.viewers.is_some() {
            let either = "send either `viewer` or `viewers`";
            return Err(Problem::malformed("/viewers", either));
        }
        if self.viewers.as_ref().map_or(0, Vec::len) > VIEWERS_MAX {
            let range = format!("there can be up to {VIEWERS_MAX} viewers");
            return Err(Problem::malformed("/viewers", range));
        }
        if !self.seats.is_none_or(|seats| (1..=8).contains(&seats)) {
            let range = "a game has between 1 and 8 seats";
            return Err(Problem::unprocessable("/seats", range));
        }
        if !self.options.values().all(is_option) {
            let wanted = "the value of an option is an integer, a truth value or a name";
            return Err(Problem::unprocessable("/options", wanted));
        }
        if let Some(choice) = &self.choice {
            choice.check()?;
        }
        let seed = numbers::seed(self.seed.as_deref())?;
        if self.explicit_chance == Some(true) && seed.is_some() {
            let either = "with `explicit_chance` you decide, not a seed; remove `seed`";
            return Err(Problem::malformed("/seed", either));
        }
        Ok(())
    }

    /// Returns this step, with the common members where it has none of its own.
    pub(super) fn with(self, common: &NewStep) -> NewStep {
        let options = match self.options.is_empty() {
            true => common.options.clone(),
            false => self.options,
        };
        // What excludes each other is replaced together.
        let has_viewer = self.viewer.is_some() || self.viewers.is_some();
        let is_made = self.choice.is_some() || self.action.is_some() || self.chance.is_some();
        let has_chance = self.seed.is_some() || self.explicit_chance.is_some();
        NewStep {
            state: self.state.or_else(|| common.state.clone()),
            game: self.game.or_else(|| common.game.clone()),
            ruleset: self.ruleset.or_else(|| common.ruleset.clone()),
            seats: self.seats.or(common.seats),
            options,
            seed: self.seed.or(common.seed.clone().filter(|_| !has_chance)),
            explicit_chance: self
                .explicit_chance
                .or(common.explicit_chance.filter(|_| !has_chance)),
            choice: self.choice.or(common.choice.clone().filter(|_| !is_made)),
            action: self.action.or(common.action.clone().filter(|_| !is_made)),
            chance: self.chance.or(common.chance.filter(|_| !is_made)),
            viewer: self.viewer.or(common.viewer.filter(|_| !has_viewer)),
            viewers: self
                .viewers
                .or(common.viewers.clone().filter(|_| !has_viewer)),
            include: self.include.or_else(|| common.include.clone()),
            imagine: None,
            steps: None,
        }
    }

    pub(super) fn parts(&self) -> Vec<StepPart> {
        self.include.clone().unwrap_or_else(|| PARTS.to_vec())
    }
}

/// Returns whether an option of some game can have this value.
fn is_option(value: &Value) -> bool {
    let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
    let is_integer = |number: f64| number.fract() == 0.0 && range.contains(&number);
    value.is_boolean() || value.is_string() || value.as_f64().is_some_and(is_integer)
}
