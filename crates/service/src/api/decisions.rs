//! A decision that a seat owes, with its choices: one shape for all games.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::numbers::WHOLE_MAX;
use super::problem::Problem;
use crate::session::{ChoiceId, Live, Refusal, decision_id};
use wyrmgate_engine::{Pending, State};
use wyrmgate_program::{Language, Program};

/// What a seat is asked. The list of choices is exact: a choice is accepted if and only if it is listed.
#[derive(Serialize, ToSchema)]
pub struct Decision {
    /// Names the decision in this position.
    #[schema(example = "12.1")]
    id: String,
    /// Names the place in the rules: the same whenever and whoever is asked there. For standing orders.
    #[schema(example = "take_turn")]
    name: String,
    /// Who decides.
    #[schema(minimum = 1, maximum = 8)]
    seat: u32,
    /// What is asked, in words.
    #[schema(required)]
    prompt: Option<String>,
    #[schema(value_type = DecisionKind)]
    kind: wyrmgate_view::DecisionKind,
    /// How many choices there are in all; 2^53 − 1 stands for at least so many.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    count: u64,
    /// Whether `choices` holds all of them.
    complete: bool,
    /// The clauses of the rules that this decision carries out.
    clauses: Vec<String>,
    /// Names of the options that have choices. `decline` is among them where all other choices may be declined.
    options: Vec<String>,
    choices: Vec<Choice>,
    /// Where `choices` holds only a part of a long list: what occurs in the list, option by option. A choice is named by
    /// `option` and `args` as well as by its id; not every combination need be one (`action-checks` tells).
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<Vec<ChoiceTemplate>>,
}

/// What can be chosen with one option.
#[derive(Serialize, ToSchema)]
pub struct ChoiceTemplate {
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<String>,
    args: Vec<ChoiceDomain>,
}

/// What one name of a choice can stand for.
#[derive(Serialize, ToSchema)]
pub struct ChoiceDomain {
    name: String,
    /// A list of them is chosen.
    many: bool,
    /// The order of the list matters.
    ordered: bool,
    /// Null where there are more than a thousand.
    #[schema(required)]
    values: Option<Vec<Value>>,
}

/// The form of a decision, so that a client can show a fitting control.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its schema is used")]
pub enum DecisionKind {
    /// One of several things.
    Pick,
    /// Any number of things.
    Subset,
    /// Things in an order.
    Order,
    /// A number.
    Amount,
    /// A place on a grid, with a rotation.
    Placement,
    /// A way from space to space.
    Path,
    YesNo,
    /// A value by name: a colour, a side.
    Value,
}

/// One answer to a decision.
#[derive(Serialize, ToSchema)]
pub struct Choice {
    /// Enough to make the move. Of this position only.
    #[schema(example = "12.1.3")]
    id: String,
    /// Its option, where the decision has options.
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<String>,
    /// What is chosen, by name.
    #[schema(value_type = Object, additional_properties)]
    args: Map<String, Value>,
    /// In words.
    #[schema(example = "Move on fire by 3")]
    label: String,
    /// Ids of the components and zones it speaks of.
    refers: Vec<String>,
}

/// Which part of the list of choices.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub offset: u64,
    pub limit: usize,
}

/// The decision this seat owes, if it owes one.
pub fn owed(
    live: &Live,
    seat: u8,
    language: Language,
    part: Part,
) -> Result<Option<Decision>, Problem> {
    let Some(play) = &live.play else {
        return Ok(None);
    };
    let Some(pending) = play.owed_by(&live.program, seat) else {
        return Ok(None);
    };
    let (program, state) = (&live.program, play.state());
    of(program, state, live.version(), &pending, language, part).map(Some)
}

/// One decision of a state.
pub fn of(
    program: &Program,
    state: &State,
    version: u64,
    pending: &Pending,
    language: Language,
    part: Part,
) -> Result<Decision, Problem> {
    let Part { offset, limit } = part;
    let doc = wyrmgate_view::decision_docs_in(language, program, state, pending, limit, offset);
    let doc = doc.map_err(|fault| Refusal::Budget { fault, place: None })?;
    let mut decision = decision(version, pending.seat.saturating_add(1), doc);
    if !decision.complete {
        let template = wyrmgate_view::template(program, state, pending);
        let template = template.map_err(|fault| Refusal::Budget { fault, place: None })?;
        decision.template = Some(template.into_iter().map(ChoiceTemplate::from).collect());
    }
    Ok(decision)
}

impl From<wyrmgate_view::TemplateOption> for ChoiceTemplate {
    fn from(of: wyrmgate_view::TemplateOption) -> ChoiceTemplate {
        let domain = |arg: wyrmgate_view::TemplateArg| ChoiceDomain {
            name: arg.name,
            many: arg.many,
            ordered: arg.ordered,
            values: arg
                .values
                .map(|all| all.into_iter().map(Value::from).collect()),
        };
        ChoiceTemplate {
            option: of.option,
            args: of.args.into_iter().map(domain).collect(),
        }
    }
}

fn decision(version: u64, seat: u8, doc: wyrmgate_view::DecisionDoc) -> Decision {
    let choice = |choice: wyrmgate_view::ChoiceDoc| Choice {
        id: ChoiceId {
            version,
            seat,
            index: choice.index,
        }
        .to_string(),
        option: choice.option,
        args: choice.args.into(),
        label: choice.label,
        refers: choice.refers,
    };
    Decision {
        id: decision_id(version, seat),
        name: doc.name,
        seat: doc.seat,
        prompt: doc.prompt,
        kind: doc.kind,
        count: doc.count.min(WHOLE_MAX.unsigned_abs()),
        complete: doc.complete,
        clauses: doc.clauses,
        options: doc.options,
        choices: doc.choices.into_iter().map(choice).collect(),
        template: None,
    }
}

impl Decision {
    /// How many choices there are.
    pub fn count(&self) -> u64 {
        self.count
    }
}
