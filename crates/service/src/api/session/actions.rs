//! `/v1/sessions/{id}/actions`: the decisions that this caller owes, with their choices in pages.

use crate::api::request::call::{ApiCall, Handled};
use crate::api::request::{lists, numbers};
use actix_web::http::header::LINK;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::lists::LIMIT_MAX;
use crate::api::response::respond;
use crate::api::session::decisions::{self, ChoicesPart, SessionDecision};
use crate::api::session::sessions::SessionPath;
use crate::api::session::text;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_program::Language;
use wyrmgate_sessions::{Caller, Live, Stage};

/// Number of choices that are searched for words.
const SEARCHED: usize = 4000;

/// The decisions that the caller owes.
#[derive(Serialize, ToSchema)]
pub struct Actions {
    /// The id of the session.
    session: String,
    #[schema(minimum = 1)]
    version: u64,
    status: Stage,
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// The owed decisions, each with a page of its choices. A seat owes at most one decision at a time.
    items: Vec<SessionDecision>,
    /// The cursor of the next page of choices.
    #[schema(required)]
    next: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ActionsQuery {
    /// Maximum number of choices in the page.
    #[param(minimum = 1, maximum = 100, default = 100)]
    limit: Option<usize>,
    /// `next` from the previous page. Valid for one version only.
    #[param(pattern = r"^[0-9]{1,18}\.[0-9]{1,18}$")]
    cursor: Option<String>,
    /// Waits for a few seconds until the session has reached this version.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    min_version: Option<u64>,
    /// Only choices whose label contains all of these words, in any order and case. Searches the first 4,000 choices;
    /// `count` stays the number of all. Cannot be combined with `cursor`.
    #[param(max_length = 200, example = "fire water")]
    words: Option<String>,
}

/// List the decisions that this caller owes
///
/// Every choice that the caller has now, with its `id` for a move, its label and its arguments. Empty if the caller
/// owes nothing. `Accept: text/plain` gets the choices in few words, each with the end of its id.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/actions",
    operation_id = "getActions", tag = "play", params(SessionPath, ActionsQuery),
    responses((status = 200, description = "The owed decisions, with a page of their choices", content((Actions = "application/json"), (String = "text/plain")))),
    extensions(("x-lenient" = json!(true)),
        ("x-codes" = json!(["unprocessable", "forbidden", "stale-version", "rules-budget-exceeded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get(call: ApiCall<SessionPath, ActionsQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    // Refuse invalid queries before waiting for a version.
    let (part, listed_at) = part(&query)?;
    let (live, caller) = context.look(&path.session, query.min_version).await?;
    let seat = seat_of(caller, context.token.is_some())?;
    still_at(&live, listed_at)?;
    let listener = context.listener(&live, caller);
    let actions = match &query.words {
        Some(words) => search(&live, seat, listener.language, part, words)?,
        None => list(&live, seat, listener.language, part)?,
    };
    if text::is_wanted(&context.request) {
        return text::respond(&context.request, &live, listener, || {
            Ok(text::decisions(&live, listener, &actions.items))
        });
    }
    let next = actions.next.clone();
    let mut response = respond::localized(&context.request, &live, listener, || Ok(actions))?;
    let link = next.map(|next| respond::next_link(&context.request, "cursor", &next).parse());
    if let Some(Ok(link)) = link {
        response.headers_mut().insert(LINK, link);
    }
    Ok(response)
}

fn seat_of(caller: Caller, has_credential: bool) -> Result<u8, Problem> {
    match caller {
        Caller::Seat(seat) => Ok(seat),
        Caller::Public if !has_credential => Err(Problem::new(ProblemCode::Unauthenticated)
            .detail("only seats owe decisions; send a seat token")),
        Caller::Public | Caller::Owner | Caller::Guest => Err(Problem::new(ProblemCode::Forbidden).detail(
            "only seats owe decisions, and this credential belongs to no seat; send a seat token",
        )),
    }
}

/// Lists the choices that contain these words.
fn search(
    live: &Live,
    seat: u8,
    language: Language,
    part: ChoicesPart,
    words: &str,
) -> Result<Actions, Problem> {
    let all = ChoicesPart {
        offset: 0,
        limit: SEARCHED,
    };
    let mut actions = list(live, seat, language, all)?;
    for decision in &mut actions.items {
        decision.keep_with(words, part.limit);
    }
    actions.next = None;
    Ok(actions)
}

fn list(live: &Live, seat: u8, language: Language, part: ChoicesPart) -> Result<Actions, Problem> {
    let decision = decisions::owed(live, seat, language, part)?;
    let count = decision.as_ref().map_or(0, SessionDecision::count);
    let end = part.offset.saturating_add(part.limit as u64);
    Ok(Actions {
        session: live.id.to_string(),
        version: live.version(),
        status: live.stage(),
        seat,
        items: decision.into_iter().collect(),
        next: (end < count).then(|| format!("{}.{end}", live.version())),
    })
}

/// Returns the requested part of the list, and the version at which it was listed.
fn part(query: &ActionsQuery) -> Result<(ChoicesPart, Option<u64>), Problem> {
    let limit = lists::limit(Some(query.limit.unwrap_or(LIMIT_MAX)))?;
    if query.words.is_some() && query.cursor.is_some() {
        let either = "`words` and `cursor` exclude each other; send only one of them";
        return Err(Problem::unprocessable("words", either));
    }
    let Some(cursor) = &query.cursor else {
        return Ok((ChoicesPart { offset: 0, limit }, None));
    };
    let read = || {
        let (version, offset) = cursor.split_once('.')?;
        Some((version.parse().ok()?, offset.parse().ok()?))
    };
    let (version, offset) = read().ok_or_else(lists::bad_cursor)?;
    Ok((ChoicesPart { offset, limit }, Some(version)))
}

fn still_at(live: &Live, listed_at: Option<u64>) -> Result<(), Problem> {
    if listed_at.is_none_or(|version| version == live.version()) {
        return Ok(());
    }
    let stale = Problem::new(ProblemCode::StaleVersion).version(live.version());
    Err(stale.detail("the cursor belongs to another version; list the choices again"))
}
