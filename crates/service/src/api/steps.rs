//! `/v1/steps`: stateless games. The client keeps the sealed state and receives views of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::access::Scope;
use super::context::Context;
use super::decisions::{self, Decision};
use super::events::{GameEvent, describe_all};
use super::extract::{Json, NoQuery, Query};
use super::games;
use super::language;
use super::moves::{NewMove, choice_of};
use super::problem::{Code, Problem};
use super::respond;
use super::sessions::{Outcome, SessionStatus, outcome_of};
use crate::session::{Play, Refusal, StatelessGame, WORLDS_MAX, hex};
use wyrmgate_engine::Viewer;
use wyrmgate_program::Language;
use wyrmgate_runtime::queue::Unfinished;
use wyrmgate_view::{Doc, ViewDoc};

/// Maximum number of choices listed for each decision.
const CHOICES_MAX: usize = 500;

/// A step to take: a state to continue from, or a game to begin.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "demo", "seats": 2}))]
pub struct NewStep {
    /// A sealed state from the previous step. Without one, a new game begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// The name of the game to begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The digest of the ruleset to begin a game with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    /// Number of seats. Defaults to the smallest that the game allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 8)]
    seats: Option<u8>,
    #[serde(default)]
    #[schema(value_type = std::collections::HashMap<String, super::games::OptionValue>)]
    options: Map<String, Value>,
    /// A seed of your own, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    seed: Option<String>,
    /// The choice to make, like a move in a session, with its `seat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choice: Option<NewMove>,
    /// The seat whose view and events to return. Defaults to the public view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 8)]
    viewer: Option<u8>,
    /// Requests sampled states that a seat cannot distinguish from the state after the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    imagine: Option<Imagine>,
}

/// A number of states that are consistent with everything that a seat has observed since the game began, for bots that
/// search without cheating. Each state has fresh random numbers.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Imagine {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    #[schema(minimum = 1, maximum = 64)]
    count: usize,
}

/// The game after the step.
#[derive(Serialize, ToSchema)]
pub struct Step<'a> {
    /// The sealed state. Only servers that share this store can read or change it.
    state: String,
    ruleset: String,
    /// Number of decisions made. It ties choice ids to this state.
    #[schema(minimum = 0)]
    version: u64,
    status: SessionStatus,
    /// The seats that owe a decision.
    owing: Vec<u8>,
    #[schema(value_type = super::state::GameState)]
    view: ViewDoc,
    /// The owed decisions. With a viewer, only the viewer's own.
    decisions: Vec<Decision>,
    /// The events of this step, as far as the viewer may know them.
    #[schema(value_type = Vec<GameEvent>)]
    events: Vec<Doc<'a>>,
    /// With `imagine`: sealed sampled states. They are found by rejection sampling that never reads hidden information,
    /// so there may be fewer than requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    worlds: Option<Vec<String>>,
    /// The budget that ran out before enough states were found. Absent if states are merely hard to find. If the budget
    /// runs out before the first state, the response is `rules-budget-exceeded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "imagine-time")]
    worlds_limit: Option<&'static str>,
    #[schema(required)]
    outcome: Option<Outcome>,
}

/// Take a step of a stateless game
///
/// Returns the same decisions, events and views as a session, but stores nothing. Use it for training, for search, or
/// for clients that keep games themselves.
#[utoipa::path(
    post, path = "/v1/steps",
    operation_id = "step", tag = "play", request_body = NewStep,
    responses((status = 200, description = "The state after the step", body = Step)),
    extensions(("x-codes" = json!(["malformed", "unprocessable", "unauthenticated", "forbidden", "not-found", "session-over",
        "not-your-turn", "illegal-choice", "stale-version", "too-large", "unsupported-media-type",
        "rules-budget-exceeded"])), ("x-language" = json!(true))),
)]
pub async fn step(
    context: Context,
    _: HttpRequest,
    _: Query<NoQuery>,
    body: Json<NewStep>,
) -> Result<HttpResponse, Problem> {
    context.require(Scope::Simulate)?;
    let Json(wanted) = body;
    let mut game = match &wanted.state {
        Some(state) => unsealed(&context, state, &wanted).await?,
        None => begun(&context, &wanted).await?,
    };
    if let Some(viewer) = wanted.viewer
        && (viewer == 0 || usize::from(viewer) > game.program.seats)
    {
        return Err(Problem::unprocessable(
            "/viewer",
            "unknown seat; seats are numbered from 1",
        ));
    }
    if let Some(choice) = wanted.choice {
        choose(&mut game, choice)?;
    }
    let worlds = match wanted.imagine {
        Some(imagine) => Some(worlds(&context, &game, imagine).await?),
        None => None,
    };
    let language = context.accepted.among(&game.program.languages);
    let state = context.service().seal(&game).await?;
    let step = describe(&game, state, worlds, wanted.viewer, language)?;
    let mut response = respond::ok(&step)?;
    let tag = language::tag_of(&game.program.languages, language);
    language::say(&mut response, [tag]);
    Ok(response)
}

async fn unsealed(
    context: &Context,
    state: &str,
    wanted: &NewStep,
) -> Result<StatelessGame, Problem> {
    let begins = wanted.game.is_some() || wanted.ruleset.is_some() || wanted.seed.is_some();
    if begins || wanted.seats.is_some() || !wanted.options.is_empty() {
        return Err(Problem::malformed(
            "/state",
            "a state contains its game, seats, options and seed; remove these members",
        ));
    }
    match context.service().unseal(state).await {
        Err(Refusal::NotFound) => Err(Problem::new(Code::NotFound)
            .detail("the state was not sealed by this server, or its rules no longer exist; begin a new game")),
        unsealed => Ok(unsealed?),
    }
}

async fn begun(context: &Context, wanted: &NewStep) -> Result<StatelessGame, Problem> {
    let service = context.service();
    let ruleset = match (&wanted.game, &wanted.ruleset) {
        (Some(game), None) => service.library().game(game),
        (None, Some(digest)) => service.ruleset(digest).await?,
        _ => {
            let wanted = "send exactly one of `state`, `game` and `ruleset`";
            return Err(Problem::malformed("", wanted));
        }
    };
    let ruleset = ruleset.ok_or_else(|| {
        let catalog = service.library().catalog();
        games::unknown_game_or_ruleset(&catalog, wanted.game.as_deref(), wanted.ruleset.as_deref())
    })?;
    let fewest = ruleset.checked.seats.first().copied().unwrap_or(1);
    let seats = wanted.seats.map_or(fewest, usize::from);
    let seed = wanted.seed.as_deref().map(|text| {
        let bad = || Problem::malformed("/seed", "a seed must have exactly 64 hexadecimal digits");
        hex::decode(text).ok_or_else(bad)
    });
    Ok(service.begin_stateless(ruleset, seats, &wanted.options, seed.transpose()?)?)
}

fn choose(game: &mut StatelessGame, choice: NewMove) -> Result<(), Problem> {
    if game.play.is_over() {
        return Err(Problem::new(Code::SessionOver));
    }
    let owing = game.owing();
    let (seat, choice) = choice_of(choice)?;
    let only = owing.first().copied().filter(|_| owing.len() == 1);
    let several = || Problem::unprocessable("/choice/seat", "several seats decide; send `seat`");
    let seat = seat.or(only).ok_or_else(several)?;
    Ok(game.choose(seat, &choice)?)
}

/// Sampled states, and the budget that ran out before enough were found.
struct Worlds {
    sealed: Vec<String>,
    limit: Option<&'static str>,
}

/// Samples states. States found before the budget ran out are returned; finding none is a problem.
async fn worlds(
    context: &Context,
    game: &StatelessGame,
    imagine: Imagine,
) -> Result<Worlds, Problem> {
    let Imagine { seat, count } = imagine;
    if !(1..=WORLDS_MAX).contains(&count) {
        let range = format!("the number of sampled states must be between 1 and {WORLDS_MAX}");
        return Err(Problem::malformed("/imagine/count", range));
    }
    let found: Arc<Mutex<Vec<Play>>> = Arc::default();
    let imagining = &context.app().heavy.imagining;
    let done = {
        let (game, found) = (game.clone(), found.clone());
        imagining.run(move || game.imagine(seat, count, &mut |world| lock(&found).push(world)))
    };
    let done = done.await;
    let worlds = std::mem::take(&mut *lock(&found));
    let limit = match done {
        Ok(imagined) => imagined.map(|()| None)?,
        Err(Unfinished::Spent { limit, .. }) if !worlds.is_empty() => Some(limit),
        Err(unfinished) => return Err(unfinished.into()),
    };
    let sealed = context.service().seal_worlds(game, worlds).await?;
    Ok(Worlds { sealed, limit })
}

/// Locks a list even if a thread panicked, because a list that only grows is always valid.
fn lock<T>(list: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

fn describe(
    game: &StatelessGame,
    state: String,
    worlds: Option<Worlds>,
    viewer: Option<u8>,
    language: Language,
) -> Result<Step<'_>, Problem> {
    let (program, play) = (&game.program, &game.play);
    let reader = match viewer {
        Some(seat) => Viewer::Seat(seat.saturating_sub(1)),
        None => Viewer::Public,
    }
    .reading(language);
    let owing = game.owing();
    let asked = owing
        .iter()
        .filter(|seat| viewer.is_none_or(|viewer| viewer == **seat));
    let mut decisions = Vec::new();
    for seat in asked {
        let part = decisions::Part {
            offset: 0,
            limit: CHOICES_MAX,
        };
        let Some(pending) = game.owed_by(*seat) else {
            continue;
        };
        let version = game.version();
        decisions.push(decisions::of(
            program,
            play.state(),
            version,
            &pending,
            language,
            part,
        )?);
    }
    Ok(Step {
        state,
        ruleset: game.ruleset.digest.clone(),
        version: game.version(),
        status: if play.is_over() {
            SessionStatus::Finished
        } else {
            SessionStatus::Running
        },
        owing,
        view: wyrmgate_view::view(program, play.state(), reader),
        decisions,
        events: describe_all(program, &game.happenings, reader),
        worlds_limit: worlds.as_ref().and_then(|worlds| worlds.limit),
        worlds: worlds.map(|worlds| worlds.sealed),
        outcome: play.state().outcome().map(outcome_of),
    })
}
