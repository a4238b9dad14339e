//! The answer to a step of a stateless game: the parts that the caller selects, for one viewer or several.

use crate::api::session::state;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::session::change::GameEvent;
use crate::api::session::decisions::{self, SessionDecision};
use crate::api::session::described::describe_all;
use crate::api::session::sessions::SessionOutcome;
use crate::api::shared::problem::{Problem, ProblemDocument};
use serde_json::value::RawValue;
use wyrmgate_analysis::explore::ends;
use wyrmgate_analysis::record;
use wyrmgate_engine::{Pending, Viewer};
use wyrmgate_program::Language;
use wyrmgate_sessions::{Stage, StatelessGame};
use wyrmgate_spaces::Spaces;
use wyrmgate_view::{Doc, ViewDoc};

/// The game after a step; or, for a list of steps, the answers to each of them; or, in such a list, the problem of a step.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = Step)]
pub struct StepAnswer<'a> {
    /// The sealed state. Only servers that share this store can read or change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// Number of decisions made. It ties choice ids to this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Stage>,
    /// The seats that owe a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owing: Option<Vec<u8>>,
    /// The seat whose perspective this is. Null for what everybody sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 8)]
    pub viewer: Option<Option<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<state::GameState>)]
    pub view: Option<ViewDoc<Box<RawValue>>>,
    /// The owed decisions. With a viewer, only the viewer's own; the public has none. Without one, those of all seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<SessionDecision>>,
    /// The events of this step, as far as the viewer may know them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<GameEvent>>)]
    pub events: Option<Vec<Doc<'a>>>,
    /// With `include: ["actions"]`: the numbers of the actions that are legal next for the viewer, or, without a viewer, for
    /// the first seat that owes a decision. `/v1/rulesets/{digest}/actions` explains the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<u32>>,
    /// With `include: ["mask"]`: the same as bits in Base64. Bit `n % 8` of byte `n / 8` is set if action `n` is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "BQ==")]
    pub mask: Option<String>,
    /// With several viewers: what each of them sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perspectives: Option<Vec<Perspective<'a>>>,
    /// In a factored action space: the parts of a choice that has been begun. Send them again with the next part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun: Option<Vec<u32>>,
    /// Present where chance decides and the caller decides for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<ChanceNode>,
    /// With `include: ["returns"]`: what the game is worth to each seat, from seat 1. 0 before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returns: Option<Vec<f64>>,
    /// With `imagine`: sealed sampled states. They are found by rejection sampling that never reads hidden information,
    /// so there may be fewer than requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worlds: Option<Vec<String>>,
    /// The budget that ran out before enough states were found. Absent if states are merely hard to find. If the budget
    /// runs out before the first state, the response is `rules-budget-exceeded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "imagine-time")]
    pub worlds_limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SessionOutcome>)]
    pub outcome: Option<Option<record::Outcome>>,
    /// For a list of steps: the answer to each of them, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    pub steps: Option<Vec<StepAnswer<'a>>>,
    /// In the answer to a list: why this step was not made. The other members are absent then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ProblemDocument>)]
    pub problem: Option<Problem>,
}

/// The part of a step that one of several viewers sees.
#[derive(Default, Serialize, ToSchema)]
pub struct Perspective<'a> {
    /// The seat. Null for what everybody sees.
    #[schema(required, minimum = 1, maximum = 8)]
    viewer: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<state::GameState>)]
    view: Option<ViewDoc<Box<RawValue>>>,
    /// The decisions that this viewer owes. The public owes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<Vec<SessionDecision>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<GameEvent>>)]
    events: Option<Vec<Doc<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<String>,
}

/// A place where chance decides.
#[derive(Serialize, ToSchema)]
pub struct ChanceNode {
    /// The number of outcomes, which are equally likely. The next step names one of them in `chance`, from 0.
    #[schema(minimum = 2)]
    outcomes: u32,
}

/// A part of the answer to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepPart {
    /// The sealed state, without which nobody can go on.
    State,
    View,
    Decisions,
    Events,
    /// The numbers of the legal actions; with `decisions` also the number of each choice.
    Actions,
    /// The same as bits.
    Mask,
    /// The return of each seat.
    Returns,
}

/// The parts without a selection.
pub const PARTS: [StepPart; 4] = [
    StepPart::State,
    StepPart::View,
    StepPart::Decisions,
    StepPart::Events,
];

/// The parts of the answer that a caller selects.
pub struct Wish {
    pub parts: Vec<StepPart>,
    /// The seats whose perspective is wanted, from 1; `None` for everybody's.
    pub viewers: Vec<Option<u8>>,
    /// Whether the caller named no viewer: then it gets the decisions of all seats.
    pub has_all_decisions: bool,
    /// Whether the caller named several viewers.
    pub is_list: bool,
    pub language: Language,
    /// The parts of a choice that has been begun, in a factored space.
    pub begun: Vec<u32>,
}

impl Wish {
    pub fn has(&self, part: StepPart) -> bool {
        self.parts.contains(&part)
    }

    /// Describes a game. The caller seals the state and adds it.
    pub fn describe<'g>(&self, game: &'g StatelessGame) -> Result<StepAnswer<'g>, Problem> {
        let (program, outcome) = (
            &game.program,
            game.state().and_then(|state| state.outcome()),
        );
        let outcome = outcome.filter(|_| game.is_over());
        let status = match outcome {
            Some(_) => Stage::Finished,
            None => Stage::Running,
        };
        let returns = self.has(StepPart::Returns).then(|| {
            let mut returns = vec![0.0; program.seats];
            if let Some(outcome) = outcome {
                let worth = Spaces::of(program).returns(program, ends);
                worth.write(outcome, &mut returns);
            }
            returns
        });
        let mut step = StepAnswer {
            ruleset: Some(game.ruleset.digest.clone()),
            version: Some(game.version()),
            status: Some(status),
            owing: Some(game.owing()),
            chance: game.outcomes().map(|outcomes| ChanceNode { outcomes }),
            begun: Some(self.begun.clone()).filter(|begun| !begun.is_empty()),
            returns,
            outcome: Some(outcome.map(record::Outcome::from)),
            ..StepAnswer::default()
        };
        let seen = self.viewers.iter().map(|viewer| self.seen(game, *viewer));
        let mut seen = seen.collect::<Result<Vec<Perspective<'_>>, Problem>>()?;
        match seen.pop() {
            Some(only) if !self.is_list => {
                step.viewer = Some(only.viewer);
                step.view = only.view;
                step.decisions = only.decisions;
                step.events = only.events;
                step.actions = only.actions;
                step.mask = only.mask;
            }
            last => {
                seen.extend(last);
                step.perspectives = Some(seen);
            }
        }
        Ok(step)
    }

    fn seen<'g>(
        &self,
        game: &'g StatelessGame,
        viewer: Option<u8>,
    ) -> Result<Perspective<'g>, Problem> {
        let reader = match viewer {
            Some(seat) => Viewer::Seat(seat.saturating_sub(1)),
            None => Viewer::Public,
        }
        .reading(self.language);
        let (actions, mask) = self.numbers(game, viewer)?;
        let view = game.state().filter(|_| self.has(StepPart::View));
        Ok(Perspective {
            viewer,
            view: view.map(|state| wyrmgate_view::view_to_send(&game.program, state, reader)),
            decisions: self.decisions(game, viewer)?,
            events: self
                .has(StepPart::Events)
                .then(|| describe_all(&game.program, &game.happenings, &[], reader)),
            actions,
            mask,
        })
    }

    fn decisions(
        &self,
        game: &StatelessGame,
        viewer: Option<u8>,
    ) -> Result<Option<Vec<SessionDecision>>, Problem> {
        let Some(state) = game.state().filter(|_| self.has(StepPart::Decisions)) else {
            return Ok(None);
        };
        let part = decisions::ChoicesPart::FIRST;
        let (program, version) = (&game.program, game.version());
        let asked = game
            .pending()
            .into_iter()
            .filter(|owed| self.asks(owed, viewer));
        let described = asked.map(|owed| {
            let mut decision = decisions::of(program, state, version, &owed, self.language, part)?;
            if self.has(StepPart::Actions) {
                decision.number(&game.legal(&owed)?);
            }
            Ok(decision)
        });
        described
            .collect::<Result<Vec<SessionDecision>, Problem>>()
            .map(Some)
    }

    /// Returns the legal actions of a viewer as numbers and as bits, if they are wanted.
    fn numbers(
        &self,
        game: &StatelessGame,
        viewer: Option<u8>,
    ) -> Result<(Option<Vec<u32>>, Option<String>), Problem> {
        if !self.has(StepPart::Actions) && !self.has(StepPart::Mask) {
            return Ok((None, None));
        }
        let mut pending = game.pending().into_iter();
        let numbers = match pending.find(|owed| self.asks(owed, viewer)) {
            Some(owed) => game.legal(&owed)?.next(&self.begun),
            None => Vec::new(),
        };
        let mask = self.has(StepPart::Mask).then(|| {
            let size = Spaces::of(&game.program).actions.size();
            let mut bits = vec![0u8; size.div_ceil(8) as usize];
            for number in &numbers {
                if let Some(byte) = bits.get_mut(*number as usize / 8) {
                    *byte |= 1 << (number % 8);
                }
            }
            BASE64_STANDARD.encode(bits)
        });
        Ok((Some(numbers).filter(|_| self.has(StepPart::Actions)), mask))
    }

    /// Returns whether a viewer may see the choices of a decision. The public may not: they name what the seat holds.
    fn asks(&self, owed: &Pending, viewer: Option<u8>) -> bool {
        viewer.map_or(self.has_all_decisions, |seat| {
            seat == owed.seat.saturating_add(1)
        })
    }
}
