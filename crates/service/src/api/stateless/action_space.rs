//! `/v1/rulesets/{digest}/actions`: a game as numbers, for programs that learn. The numbers are those of the Python package.

use crate::api::catalog::games;
use crate::api::request::call::{ApiCall, Handled};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::api::catalog::arguments::{ArgumentDoc, arguments};
use crate::api::catalog::rulesets::RulesetPath;
use crate::api::response::respond;
use crate::api::shared::problem::Problem;
use wyrmgate_analysis::explore::ends;
use wyrmgate_compile::check::OptionProblem;
use wyrmgate_program::Program;
use wyrmgate_sessions::Refusal;
use wyrmgate_spaces::{Measure, Returns, Spaces};

/// Maximum number of actions in words in one answer.
const NUMBERS_MAX: usize = 100;

/// The actions of a game, and what it is worth. They depend on the ruleset, the number of seats and the options alone.
#[derive(Serialize, ToSchema)]
pub struct ActionSpace {
    ruleset: String,
    game: String,
    #[schema(minimum = 1, maximum = 8)]
    seats: usize,
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    /// The number of actions. They are numbered from 0.
    size: u64,
    /// False: an action is a whole choice, whose number is `first` of its option, plus the number of its values among all
    /// that they could be; the last argument changes fastest. True, where there would be more than 2^20 choices: an action is
    /// a part. A choice is the number of its option in `choices`, then for each argument `first_part` plus the number of each
    /// value; after a list comes the last action of all, which ends it.
    factored: bool,
    /// The maximum number of actions in one choice. 1 unless the space is factored.
    #[schema(minimum = 1)]
    actions_in_choice: u64,
    /// The maximum number of actions in a game.
    max_game_length: u64,
    has_hidden_information: bool,
    has_chance: bool,
    /// Whether several seats can decide at once, in secret.
    has_simultaneous_decisions: bool,
    returns: ReturnsDoc,
    /// The options of all decisions, in the order of their numbers.
    choices: Vec<ChoiceSpace>,
    /// With `numbers`: these actions in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<ActionInWords>>,
}

/// The returns of the seats at the end of a game.
#[derive(Serialize, ToSchema)]
pub struct ReturnsDoc {
    measure: ReturnMeasure,
    /// Null if unknown.
    #[schema(required)]
    low: Option<f64>,
    #[schema(required)]
    high: Option<f64>,
    zero_sum: bool,
}

/// `result`: the winners share 1, the others share -1, and a drawn game is 0 for all. `points`: the number by which the
/// seats are ranked; it counts in games whose whole tree is small and in which the points of all seats always add up to zero.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReturnMeasure {
    Result,
    Points,
}

impl From<Returns> for ReturnsDoc {
    fn from(returns: Returns) -> ReturnsDoc {
        let (low, high) = returns.bounds.unzip();
        ReturnsDoc {
            measure: match returns.measure {
                Measure::Result => ReturnMeasure::Result,
                Measure::Points => ReturnMeasure::Points,
            },
            low,
            high,
            zero_sum: returns.is_zero_sum,
        }
    }
}

/// The choices of one option.
#[derive(Serialize, ToSchema)]
pub struct ChoiceSpace {
    /// The name of the decision.
    decision: String,
    /// Empty if the decision has only one option.
    option: String,
    /// The number of its first choice, unless the space is factored.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u64>,
    /// The number of its choices, unless the space is factored.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    args: Vec<ArgumentDoc>,
}

/// An action in words.
#[derive(Serialize, ToSchema)]
pub struct ActionInWords {
    number: u64,
    #[schema(example = "move: c=piece-3")]
    text: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ActionSpaceQuery {
    /// Number of seats. Defaults to the smallest that the game allows.
    #[param(minimum = 1, maximum = 8)]
    seats: Option<usize>,
    /// The options that differ from their defaults: names and values, separated by commas and colons.
    #[param(
        example = "length:5,windy:true",
        pattern = "^([^,:]*:[^,]*(,[^,:]*:[^,]*)*)?$"
    )]
    options: Option<String>,
    /// Up to 100 actions to describe in words, separated by commas.
    #[param(
        example = "0,1,17",
        pattern = "^ *[0-9]{1,18} *(, *[0-9]{1,18} *){0,99}$"
    )]
    numbers: Option<String>,
}

/// Get the action space of a ruleset
///
/// A number for every choice that can ever occur, the length of the game, and what its ends are worth. `POST /v1/steps`
/// takes these numbers and lists those that are legal.
#[utoipa::path(
    get, path = "/v1/rulesets/{digest}/actions",
    operation_id = "getActionSpace", tag = "games", params(RulesetPath, ActionSpaceQuery),
    responses((status = 200, description = "The action space", body = ActionSpace)),
    extensions(("x-codes" = json!(["unprocessable", "rules-budget-exceeded"]))),
)]
pub async fn get(call: ApiCall<RulesetPath, ActionSpaceQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let ruleset = games::named(context.service(), None, Some(&path.digest), "").await?;
    let fewest = ruleset.checked.seats.first().copied().unwrap_or(1);
    let seats = query.seats.unwrap_or(fewest);
    let given = options(query.options.as_deref().unwrap_or_default())?;
    let refused = |problems: Vec<OptionProblem>| Problem::from(Refusal::of_options(problems));
    let options = ruleset.complete_options(seats, &given).map_err(refused)?;
    let program = ruleset.program(seats, &given).map_err(refused)?;
    let numbers = query.numbers.as_deref().map(numbers).transpose()?;
    let digest = ruleset.digest.clone();
    let describe = move || {
        let actions = numbers
            .map(|numbers| in_words(&program, &numbers))
            .transpose()?;
        Ok::<ActionSpace, Problem>(ActionSpace {
            ruleset: digest,
            options,
            actions,
            ..describe(&program)
        })
    };
    // The bounds of returns are found by walking through the whole tree of a small game.
    let space = context.app().heavy.stepping.run(describe).await??;
    respond::ok(&space)
}

fn describe(program: &Program) -> ActionSpace {
    let spaces = Spaces::of(program);
    let actions = &spaces.actions;
    let is_factored = actions.is_factored();
    let options = program.sites.iter().filter(|site| !site.name.is_empty());
    let options = options.flat_map(|site| &site.options);
    let choices = actions.options().iter().zip(options);
    let choices = choices.map(|(option, declared)| ChoiceSpace {
        decision: option.decision.clone(),
        option: option.option.clone(),
        first: Some(option.first).filter(|_| !is_factored),
        size: option.size,
        args: arguments(program, &spaces, option, &declared.binders),
    });
    ActionSpace {
        ruleset: String::new(),
        game: program.name(),
        seats: program.seats,
        options: Map::new(),
        size: actions.size(),
        factored: is_factored,
        actions_in_choice: actions.most_parts(),
        max_game_length: spaces.max_game_length,
        has_hidden_information: program.can_hide(),
        has_chance: spaces.has_chance,
        has_simultaneous_decisions: spaces.has_simultaneous_decisions,
        returns: spaces.returns(program, ends).into(),
        choices: choices.collect(),
        actions: None,
    }
}

fn in_words(program: &Program, numbers: &[u64]) -> Result<Vec<ActionInWords>, Problem> {
    let spaces = Spaces::of(program);
    let word = |number: &u64| {
        let text = spaces.actions.describe(program, *number);
        let text = text.ok_or_else(|| {
            let size = spaces.actions.size();
            let range = format!("there is no action {number}; there are {size}, from 0");
            Problem::unprocessable("numbers", range)
        })?;
        Ok(ActionInWords {
            number: *number,
            text,
        })
    };
    numbers.iter().map(word).collect()
}

/// Reads options such as `length:5,windy:true`.
fn options(text: &str) -> Result<Map<String, Value>, Problem> {
    let pairs = text.split(',').filter(|_| !text.is_empty());
    let option = |pair: &str| {
        let wrong = "options are written like `length:5,windy:true`";
        let pair = pair.split_once(':');
        let (name, value) = pair.ok_or_else(|| Problem::malformed("options", wrong))?;
        let value = match (value, value.parse::<i64>()) {
            ("true" | "false", _) => (value == "true").into(),
            (_, Ok(number)) => number.into(),
            (name, Err(_)) => name.into(),
        };
        Ok((name.to_owned(), value))
    };
    pairs.map(option).collect()
}

fn numbers(text: &str) -> Result<Vec<u64>, Problem> {
    let numbers: Result<Vec<u64>, _> = text.split(',').map(|one| one.trim().parse()).collect();
    match numbers {
        Ok(numbers) if numbers.len() <= NUMBERS_MAX => Ok(numbers),
        _ => Err(Problem::malformed(
            "numbers",
            format!("`numbers` has up to {NUMBERS_MAX} numbers of actions, separated by commas"),
        )),
    }
}
