//! `/v1/sessions/{id}/moves` and `/action-checks`: make a choice, or check whether it is legal.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::extract::Json;
use crate::api::request::numbers;
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::change::GameEvent;
use crate::api::session::decisions::SessionDecision;
use crate::api::session::described::describe_events;
use crate::api::session::include::{Included, IncludedPart};
use crate::api::session::position::{self, View};
use crate::api::session::sessions::SessionPath;
use crate::api::session::table::CallerTable;
use crate::api::session::terms::{self, TimeLeft};
use crate::api::session::text;
use crate::api::shared::headers;
use crate::api::shared::language::{self, Accepted, Listener};
use crate::api::shared::problem::{Problem, ProblemCode, Reason};
use wyrmgate_sessions::{
    Call, Caller, ChoiceOrder, CommittedChange, Deadline, Live, LogEntry, LoggedMove, Move,
    Refusal, Stage, rfc3339,
};
use wyrmgate_view::Doc;

/// A choice: the `id` of a listed choice, or an explicit choice by `option` and `args`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"id": "12.1.3"}))]
pub struct NewMove {
    /// The id of a listed choice.
    id: Option<String>,
    /// The version that the move applies to.
    #[serde(default, deserialize_with = "numbers::version")]
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    version: Option<u64>,
    /// The seat that chooses. Must be the caller's seat.
    #[serde(default, deserialize_with = "numbers::whole")]
    #[schema(minimum = 1, maximum = 8)]
    seat: Option<u8>,
    /// The id of the decision to answer.
    decision: Option<String>,
    /// The option, if the decision has several.
    option: Option<String>,
    /// The chosen values, by name.
    #[schema(value_type = Option<Object>, additional_properties)]
    args: Option<Map<String, Value>>,
}

/// A move that was made.
#[derive(Serialize, ToSchema)]
pub struct MoveReceipt<'a> {
    /// The id of the session.
    session: &'a str,
    /// The version of the session after the move. A secret answer does not change it.
    #[schema(minimum = 1)]
    version: u64,
    /// The choices made, in order: answers that were secret until now, this move, and the moves of bots after it.
    choices: Vec<ChoiceMade>,
    /// Whether the answer is still secret: it is one of several that are revealed together.
    secret: bool,
    status: Stage,
    /// The seats that owe a decision after the move. Absent in receipts of moves that earlier versions of this program have
    /// logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    owing: Option<Vec<u8>>,
    /// When these seats run out of time, if the session has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlines: Option<Vec<Deadline>>,
    /// The time that each seat has left for the whole game, if that is limited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    times: Vec<TimeLeft>,
    #[schema(format = DateTime)]
    at: String,
    /// The events of the move, as far as the caller may know them.
    #[schema(value_type = Vec<GameEvent>)]
    events: Vec<Doc<'a>>,
    /// With `include=view`: the caller's view after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<View>,
    /// With `include=actions`: the decisions that the caller owes after the move, with up to 500 choices each.
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<Vec<SessionDecision>>,
}

#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MoveQuery {
    /// Parts of the game after the move: `view`, `actions` or `actions,view`. A repeated request with the same
    /// `Idempotency-Key` receives those of the first response.
    #[param(value_type = Option<Vec<IncludedPart>>, style = Form, explode = false, inline)]
    include: Option<Included>,
}

/// States that a seat has chosen, without the choice.
#[derive(Serialize, ToSchema)]
pub struct ChoiceMade {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// Whether a built-in player chose.
    bot: bool,
}

/// Whether a choice would be accepted now.
#[derive(Serialize, ToSchema)]
#[schema(as = Verdict)]
pub struct MoveVerdict {
    legal: bool,
    /// The version that the verdict applies to.
    #[schema(minimum = 1)]
    version: u64,
    /// The code of the problem that the move would receive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "illegal-choice")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// The rule that forbids the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct MovePath {
    /// The id of a session.
    session: String,
    /// The version after the move.
    #[param(minimum = 1)]
    number: u64,
}

/// Make a move
///
/// Tie the move to a position with a choice id, `version`, `If-Match` or an `Idempotency-Key`. A refused move changes
/// nothing. With `include=actions,view` the response contains what a program needs for its next move. `Accept: text/plain`
/// gets all this in few words.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/moves",
    operation_id = "makeMove", tag = "play", params(SessionPath, MoveQuery), request_body = NewMove,
    responses(
        (status = 201, description = "The move is made and public", content((MoveReceipt = "application/json"), (String = "text/plain")),
            headers(("Location" = String, description = "URL of the receipt"))),
        (status = 200, description = "The secret answer is recorded and becomes public when all seats have answered", content((MoveReceipt = "application/json"), (String = "text/plain"))),
    ),
    extensions(("x-lenient" = json!(true)),
        ("x-codes" = json!(["unprocessable", "forbidden", "session-over", "not-your-turn", "not-now", "illegal-choice", "text-refused",
            "stale-version", "rules-budget-exceeded", "precondition-required", "history-rewritten"])),
        ("x-if-match" = json!(true)), ("x-language" = json!(true))),
)]
pub async fn make(call: ApiCall<SessionPath, MoveQuery, Json<NewMove>>) -> Handled {
    let (context, path, query, Json(wanted)) = (call.context, call.path, call.query, call.body);
    let included = query.include.unwrap_or_default();
    let is_text = text::is_wanted(&context.request);
    let token = context.token.as_ref();
    let if_match = headers::if_match(&context.request);
    let order = order(wanted, if_match)?;
    let describe = |made: &CommittedChange| {
        // A move that reveals secret answers begins with those of others, so only the credential says who reads this.
        let caller = made.live.caller(token).unwrap_or(Caller::Public);
        let listener = context.listener(&made.live, caller);
        let response = kept(made, listener, included);
        let response = match is_text {
            true => response.in_text(in_text(made, listener, included)),
            false => response,
        };
        response.in_language(listener.tag(&made.live))
    };
    let play = async |call: Call<'_>| context.service().play(call, &order).await;
    context.change(&path.session, describe, play).await
}

/// Describes the change and what was asked for, in few words.
fn in_text(made: &CommittedChange, listener: Listener, included: Included) -> String {
    let live = &made.live;
    let mut words = text::version(live.version());
    if made.is_public {
        words += &text::events(live, listener, &made.entry);
    }
    if included.view {
        let table = CallerTable::after(live.clone(), listener, Some(made.entry.clone()));
        words += &text::position(&table);
    }
    if included.actions {
        let owed = position::owed(live, listener).unwrap_or_default();
        words += &text::decisions(live, listener, &owed);
    }
    words
}

fn order(wanted: NewMove, if_match: Vec<String>) -> Result<Move, Problem> {
    let (version, seat, decision) = (wanted.version, wanted.seat, wanted.decision.clone());
    let (_, choice) = choice_of(wanted)?;
    Ok(Move {
        choice,
        version,
        if_match,
        seat,
        decision,
    })
}

impl NewMove {
    /// Refuses what cannot be a choice in any game.
    pub fn check(&self) -> Result<(), Problem> {
        let is_described = self.option.is_some() || self.args.is_some();
        if self.id.is_some() == is_described {
            let either = "send either the `id` of a choice or its `option` and `args`";
            return Err(Problem::malformed("", either));
        }
        if !self.seat.is_none_or(|seat| (1..=8).contains(&seat)) {
            return Err(Problem::malformed(
                "/seat",
                "seats have numbers from 1 to 8",
            ));
        }
        Ok(())
    }
}

/// Returns the choice and its seat.
pub fn choice_of(wanted: NewMove) -> Result<(Option<u8>, ChoiceOrder), Problem> {
    wanted.check()?;
    let choice = match wanted.id {
        Some(id) => ChoiceOrder::Listed(id.parse()),
        None => ChoiceOrder::Described(described(wanted.option, wanted.args)),
    };
    Ok((wanted.seat, choice))
}

fn described(option: Option<String>, args: Option<Map<String, Value>>) -> Value {
    let mut choice = Map::new();
    if let Some(option) = option {
        choice.insert("option".into(), option.into());
    }
    choice.insert("args".into(), Value::Object(args.unwrap_or_default()));
    Value::Object(choice)
}

fn kept(made: &CommittedChange, listener: Listener, included: Included) -> StoredResponse {
    let caller = listener.caller;
    let mut receipt = receipt(&made.live, made.live.version(), &made.entry, listener);
    receipt.include(&made.live, listener, included);
    if !made.is_public {
        // Only public changes note what holds after them.
        receipt.owing = Some(made.live.owing(caller.seat()));
        receipt.deadlines = Some(terms::deadlines(&made.live, caller.seat()));
        receipt.secret = true;
        let own = |seat| ChoiceMade { seat, bot: false };
        receipt.choices = caller.seat().map(own).into_iter().collect();
        return StoredResponse::new(StatusCode::OK, None, &receipt);
    }
    let mut digits = itoa::Buffer::new();
    let version = digits.format(receipt.version);
    let location = ["/v1/sessions/", &made.live.id, "/moves/", version].concat();
    StoredResponse::new(StatusCode::CREATED, Some(location), &receipt)
}

impl MoveReceipt<'_> {
    /// Adds what the caller sees and owes now. The move is made: if the rules cannot list the next choices, the receipt has
    /// none, and `GET …/actions` says why.
    fn include(&mut self, live: &Live, listener: Listener, included: Included) {
        if included.view {
            let mut view = position::describe(live, listener);
            if included.actions {
                view.given = position::given(live, listener).unwrap_or_default();
            }
            self.view = Some(view);
        }
        if included.actions {
            self.decisions = position::owed(live, listener).ok();
        }
    }
}

fn receipt<'a>(
    live: &'a Live,
    version: u64,
    entry: &'a LogEntry,
    listener: Listener,
) -> MoveReceipt<'a> {
    let status = if entry.finished {
        Stage::Finished
    } else {
        Stage::Running
    };
    let viewer = listener.caller.seat();
    let owed = || entry.after.as_ref().map(|after| after.owed_for(viewer));
    MoveReceipt {
        session: &live.id,
        version,
        choices: entry.moves.iter().map(chosen).collect(),
        secret: false,
        status,
        owing: owed().map(|owed| owed.map(|owed| owed.seat).collect()),
        deadlines: owed().map(|owed| owed.filter_map(Deadline::of).collect()),
        times: terms::times(&entry.times),
        at: rfc3339(entry.at_ms),
        events: describe_events(live, entry, listener),
        view: None,
        decisions: None,
    }
}

fn chosen(made: &LoggedMove) -> ChoiceMade {
    ChoiceMade {
        seat: made.seat,
        bot: made.by_bot,
    }
}

/// Get a move
///
/// A move that was made, with its choice as far as the caller may know it.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/moves/{number}",
    operation_id = "getMove", tag = "play", params(MovePath),
    responses((status = 200, description = "The receipt of the move", body = MoveReceipt)),
    extensions(("x-codes" = json!(["forbidden"])), ("x-language" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<MovePath>) -> Handled {
    let service = context.service();
    let token = context.token.as_ref();
    let (live, caller) = service.look(&path.session, token).await?;
    let before = path.number.checked_sub(1);
    let before = before.ok_or_else(|| Problem::new(ProblemCode::NotFound))?;
    let unmade = || {
        Problem::new(ProblemCode::NotFound)
            .detail("no move led to this version; take the number from `version` of a receipt")
    };
    if path.number > service.visible(&live, caller).await? {
        return Err(unmade());
    }
    let past = service.history(&live.id, before, 1).await?;
    let past = past.first().filter(|past| !past.entry.moves.is_empty());
    let past = past.ok_or_else(unmade)?;
    let listener = context.listener(&live, caller);
    let response = respond::ok(&receipt(&live, past.version, &past.entry, listener))?;
    Ok(language::said(response, [listener.tag(&live)]))
}

/// Check whether a choice is legal
///
/// Returns the rule that forbids the choice, if any, but never its consequences. Changes nothing.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/action-checks",
    operation_id = "checkAction", tag = "play", params(SessionPath), request_body = NewMove,
    responses((status = 200, description = "Whether the choice is legal", body = MoveVerdict)),
    extensions(("x-codes" = json!(["unprocessable", "forbidden"])), ("x-if-match" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn check(call: BodyCall<Json<NewMove>, SessionPath>) -> Handled {
    let (context, path, body) = (call.context, call.path, call.body);
    let order = order(body.0, headers::if_match(&context.request))?;
    let service = context.service();
    let token = context.token.as_ref();
    let (live, verdict) = service.check(&path.session, token, &order).await?;
    let verdict = judged(&live, verdict, &context.accepted)?;
    let response = respond::ok(&verdict)?;
    let quoted = verdict
        .reason
        .is_some_and(|reason| !reason.clauses.is_empty());
    let language = context.accepted.among(&live.program.prose.languages);
    let tag = language::tag_of(&live.program.prose.languages, language);
    Ok(language::said(response, Some(tag).filter(|_| quoted)))
}

fn judged(
    live: &Live,
    verdict: Result<(), Refusal>,
    accepted: &Accepted,
) -> Result<MoveVerdict, Problem> {
    let version = live.version();
    let problem = match verdict {
        Ok(()) => None,
        Err(
            refusal @ (Refusal::IllegalChoice(_)
            | Refusal::TextRefused(_)
            | Refusal::NotYourTurn(_)
            | Refusal::SessionOver
            | Refusal::Stale { .. }
            | Refusal::Budget { .. }),
        ) => Some(Problem::from(refusal).localized(accepted).into_document()),
        Err(refusal) => return Err(refusal.into()),
    };
    Ok(match problem {
        None => MoveVerdict {
            legal: true,
            version,
            code: None,
            detail: None,
            reason: None,
        },
        Some(problem) => MoveVerdict {
            legal: false,
            version,
            code: Some(problem.code),
            detail: problem.detail,
            reason: problem.reason,
        },
    })
}
