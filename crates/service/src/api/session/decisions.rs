//! Decisions that seats owe, with their choices. All games use the same shape.

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::api::request::numbers::WHOLE_MAX;
use crate::api::shared::problem::Problem;
use wyrmgate_authoring::brief::{BriefChoice, BriefDecision, closeness};
use wyrmgate_authoring::picture;
use wyrmgate_engine::{Pending, State, member_number};
use wyrmgate_program::{Language, Program};
use wyrmgate_sessions::{ChoiceId, Live, Refusal, choices, decision_id};
use wyrmgate_spaces::Legal;
use wyrmgate_view::{TemplateOption, decision_docs_of};

/// A decision that a seat owes. The list of choices is exact: a choice is accepted if and only if it is listed. A number
/// from more than 1,024, or a text, is given instead: `template` has `minimum` and `maximum`, or `max_length`, and the list
/// has examples.
#[derive(Serialize, ToSchema)]
#[schema(as = Decision)]
pub struct SessionDecision {
    /// Identifies the decision at this position.
    #[schema(example = "12.1")]
    id: String,
    /// Identifies the place in the rules. It is the same for every seat and every time. Standing orders refer to it.
    #[schema(example = "take_turn")]
    name: String,
    /// The seat that decides.
    #[schema(minimum = 1, maximum = 8)]
    seat: u32,
    /// The question in words.
    #[schema(required)]
    prompt: Option<String>,
    #[schema(value_type = SessionDecisionKind)]
    kind: wyrmgate_view::DecisionKind,
    /// Total number of choices. 2^53 − 1 means at least that many. Of a name that is given, examples count.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    count: u64,
    /// Whether `choices` lists all of them.
    complete: bool,
    /// The clauses of the rules that this decision implements.
    clauses: Vec<String>,
    /// Names of the options that have choices. Includes `decline` if the seat may decline all other choices.
    options: Vec<String>,
    /// Groups of components that nothing distinguishes for this seat, such as equal cards in its hand. Choices refer to the
    /// first ones of each group. Let a person who points at another one choose the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    alike: Vec<Vec<String>>,
    choices: Vec<OfferedChoice>,
    /// Whether the choices are what a search has found.
    #[serde(skip)]
    is_search: bool,
    /// Present if `choices` lists only a part. Describes, for each option, the values that occur in the list. You can name a choice by `option` and `args` as well as by its id. Not every combination is a choice; ask
    /// `action-checks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<ChoiceTemplate>>)]
    template: Option<Vec<TemplateOption>>,
}

impl SessionDecision {
    /// Returns the decision for a text, and how the ids of its choices begin.
    pub fn to_read(&self) -> (BriefDecision, &str) {
        let choices = self.choices.iter().map(|choice| BriefChoice {
            number: choice.reading.number,
            words: choice.label.clone(),
            cuts: choice.reading.cuts.clone(),
            same_as: choice.reading.same_as,
            is_ambiguous: choice.reading.is_ambiguous,
            refers: choice.refers.clone(),
        });
        let read = BriefDecision {
            prompt: self.prompt.clone(),
            count: self.count,
            is_search: self.is_search,
            choices: choices.collect(),
            described: json!({"template": self.template}),
        };
        (read, &self.id)
    }

    /// Returns the decision for a picture.
    pub fn to_draw(&self) -> picture::Decision {
        let choices = self.choices.iter().map(|choice| {
            let args = choice.args.values().filter_map(Value::as_str);
            let cells = args.filter(|text| picture::is_cell(text));
            picture::PicturedChoice {
                id: choice.id.clone(),
                option: choice.option.clone(),
                label: choice.label.clone(),
                refers: choice
                    .refers
                    .iter()
                    .cloned()
                    .chain(cells.map(str::to_owned))
                    .chain(choice.places.iter().cloned())
                    .collect(),
            }
        });
        picture::Decision {
            prompt: self.prompt.clone(),
            count: self.count,
            alike: self.alike.clone(),
            choices: choices.collect(),
        }
    }
}

/// The choices of one option.
#[derive(Serialize, ToSchema)]
pub struct ChoiceTemplate {
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<String>,
    args: Vec<ChoiceDomain>,
}

/// The values that one name of a choice can have.
#[derive(Serialize, ToSchema)]
pub struct ChoiceDomain {
    name: String,
    /// Whether the value is a list.
    many: bool,
    /// Whether the order of the list matters.
    ordered: bool,
    /// Whether a value can occur more than once in the list.
    repeats: bool,
    /// Present if any number up to `maximum` is given, and `values` are examples. A condition of the rules can still
    /// refuse one.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<i32>,
    /// Present if a text of up to so many characters is given, and `values` are examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<i32>,
    /// Null if there are more than a thousand.
    #[schema(required)]
    values: Option<Vec<Value>>,
}

/// The form of a decision, so that a client can show a suitable control.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only the schema is used")]
#[schema(as = DecisionKind)]
pub enum SessionDecisionKind {
    /// One of several items.
    Pick,
    /// Any number of items.
    Subset,
    /// Items in an order.
    Order,
    /// A number.
    Amount,
    /// A place on a grid and a rotation.
    Placement,
    /// A path from space to space.
    Path,
    YesNo,
    /// A named value, such as a color or a side.
    Value,
    /// A text.
    Text,
}

/// One possible answer to a decision.
#[derive(Serialize, ToSchema)]
#[schema(as = Choice)]
pub struct OfferedChoice {
    /// Identifies the choice; a move needs nothing else. Valid at this position only.
    #[schema(example = "12.1.3")]
    id: String,
    /// The option, if the decision has options.
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<String>,
    /// The chosen values, by name.
    #[schema(value_type = Object, additional_properties)]
    args: Map<String, Value>,
    /// The choice in words.
    #[schema(example = "Move on fire by 3")]
    label: String,
    /// The choice in the notation of the game, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Nf3")]
    notation: Option<String>,
    /// Ids of the components and zones that the choice refers to.
    refers: Vec<String>,
    /// For pictures: the places of which it names a key.
    #[serde(skip)]
    places: Vec<String>,
    #[serde(skip)]
    reading: ChoiceReading,
    /// In the answer to a step with `include: ["actions"]`: the number of the choice in the action space; in a factored
    /// space, the numbers of its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Vec<u32>>,
}

/// What texts need of a choice.
struct ChoiceReading {
    number: u64,
    cuts: Vec<usize>,
    same_as: Option<u64>,
    is_ambiguous: bool,
}

/// A part of the list of choices.
#[derive(Debug, Clone, Copy)]
pub struct ChoicesPart {
    pub offset: u64,
    pub limit: usize,
}

impl ChoicesPart {
    /// The choices in views, pictures and steps; `actions` returns the rest of a longer list.
    pub const FIRST: ChoicesPart = ChoicesPart {
        offset: 0,
        limit: 500,
    };
}

/// Returns the decision that this seat owes, if any.
pub fn owed(
    live: &Live,
    seat: u8,
    language: Language,
    part: ChoicesPart,
) -> Result<Option<SessionDecision>, Problem> {
    let Some(play) = &live.play else {
        return Ok(None);
    };
    let Some(pending) = play.owed_by(&live.program, seat) else {
        return Ok(None);
    };
    let (program, state) = (&live.program, play.state());
    of(program, state, live.version(), &pending, language, part).map(Some)
}

/// Returns one decision of a state.
pub fn of(
    program: &Program,
    state: &State,
    version: u64,
    pending: &Pending,
    language: Language,
    part: ChoicesPart,
) -> Result<SessionDecision, Problem> {
    let ChoicesPart { offset, limit } = part;
    let menu = choices(program, state, pending);
    let doc = menu
        .and_then(|menu| decision_docs_of(&menu, language, program, state, pending, limit, offset));
    let doc = doc.map_err(|fault| Refusal::Budget { fault, place: None })?;
    if let Some(kind) = doc.untold {
        wyrmgate_sessions::untold(&program.name(), kind);
    }
    let of = ChoiceId {
        version,
        seat: pending.seat.saturating_add(1),
        member: member_number(program, state, pending),
        index: 0,
    };
    let mut decision = decision(of, doc);
    if !decision.complete {
        let template = wyrmgate_view::template(program, state, pending);
        let template = template.map_err(|fault| Refusal::Budget { fault, place: None })?;
        decision.template = Some(template);
    }
    Ok(decision)
}

fn decision(of: ChoiceId, doc: wyrmgate_view::DecisionDoc) -> SessionDecision {
    let choice = |choice: wyrmgate_view::ChoiceDoc| OfferedChoice {
        id: ChoiceId {
            index: choice.index,
            ..of
        }
        .to_string(),
        option: choice.option,
        args: choice.args.into(),
        label: choice.label,
        notation: choice.notation,
        refers: choice.refers,
        places: choice.places,
        reading: ChoiceReading {
            number: choice.index,
            cuts: choice.cuts,
            same_as: choice.same_as,
            is_ambiguous: choice.is_ambiguous,
        },
        action: None,
    };
    SessionDecision {
        id: decision_id(of.version, of.seat, of.member),
        name: doc.name,
        seat: doc.seat,
        prompt: doc.prompt,
        kind: doc.kind,
        count: doc.count.min(WHOLE_MAX.unsigned_abs()),
        complete: doc.complete,
        clauses: doc.clauses,
        options: doc.options,
        alike: doc.alike,
        is_search: false,
        choices: doc.choices.into_iter().map(choice).collect(),
        template: None,
    }
}

impl SessionDecision {
    /// Keeps up to `limit` choices whose label contains all of these words, in any order and case, those that they mean most
    /// closely first.
    pub fn keep_with(&mut self, words: &str, limit: usize) {
        let had = self.choices.len();
        let found = self.choices.drain(..);
        // Texts add what a choice refers to, where several read alike.
        let told =
            |choice: &OfferedChoice| format!("{} ({})", choice.label, choice.refers.join(", "));
        let found = found.filter_map(|choice| {
            let distance = closeness(&choice.label, words);
            Some((
                distance.or_else(|| closeness(&told(&choice), words))?,
                choice,
            ))
        });
        let mut found: Vec<(u8, OfferedChoice)> = found.collect();
        found.sort_by_key(|(distance, _)| *distance);
        found.truncate(limit);
        self.choices = found.into_iter().map(|(_, choice)| choice).collect();
        self.complete = self.complete && self.choices.len() == had;
        self.is_search = true;
    }

    /// Adds the number of each listed choice, beginning with the first of the decision.
    pub fn number(&mut self, legal: &Legal) {
        for (number, choice) in self.choices.iter_mut().enumerate() {
            choice.action = legal.of_choice(number).map(<[u32]>::to_vec);
        }
    }

    /// Returns the number of choices.
    pub fn count(&self) -> u64 {
        self.count
    }
}
