//! `/v1/sessions/{id}/view`: the caller's view of the game. With `include=actions` it is enough to play.

use std::sync::Arc;

use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::request::call::{ApiCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::numbers;
use crate::api::response::respond;
use crate::api::session::include::{Included, IncludedPart};
use crate::api::session::position::{self, View};
use crate::api::session::sessions::SessionPath;
use crate::api::session::table::CallerTable;
use crate::api::session::text;
use crate::api::shared::language::Listener;
use wyrmgate_sessions::Live;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ViewQuery {
    /// The version to show. Defaults to the current version. Past versions have no decisions.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::past_version")]
    at: Option<u64>,
    /// Additional content of the response: `actions`, the decisions that the caller owes.
    #[param(value_type = Option<Vec<IncludedPart>>, style = Form, explode = false, inline)]
    include: Option<Included>,
    /// Waits for a few seconds until the session has reached this version.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    min_version: Option<u64>,
}

/// Get the caller's view of the game
///
/// With a seat token: everything that this seat may see. Without one: the public view. `Accept: text/plain` gets the same in
/// few words, for language models; with `include=actions` each choice carries the end of its id.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/view",
    operation_id = "getView", tag = "play", params(SessionPath, ViewQuery),
    responses((status = 200, description = "The caller's view of the game", content((View = "application/json"), (String = "text/plain")))),
    extensions(("x-lenient" = json!(true)),
        ("x-codes" = json!(["forbidden", "stale-version", "rules-budget-exceeded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get(call: ApiCall<SessionPath, ViewQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let (live, caller) = context
        .look_to_see(&path.session, query.min_version)
        .await?;
    let live = position::at(context.service(), &live, caller, query.at).await?;
    let is_past = query.at.is_some();
    let has_actions = query.include.is_some_and(|included| included.actions);
    let listener = context.listener(&live, caller);
    if text::is_wanted(&context.request) {
        return in_text(&context, live, listener, has_actions && !is_past).await;
    }
    respond::localized(&context.request, &live, listener, || {
        if has_actions && !is_past {
            return position::snapshot(&live, listener);
        }
        let mut view = position::describe(&live, listener);
        view.decisions = has_actions.then(Vec::new);
        Ok(view)
    })
}

async fn in_text(
    context: &JsonContext,
    live: Arc<Live>,
    listener: Listener,
    has_decisions: bool,
) -> Handled {
    let table = CallerTable::at(context, live, listener).await?;
    let live = &table.live;
    text::respond(&context.request, live, listener, || {
        let mut words = text::position(&table);
        if has_decisions {
            words += &text::decisions(live, listener, &position::owed(live, listener)?);
        }
        Ok(words)
    })
}
