//! `/v1/sessions`: the lobby, and single sessions.

use std::sync::Arc;

use crate::api::catalog::games;
use crate::api::request::call::{ApiCall, Handled, NoParameters};
use crate::api::request::context::JsonContext;
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::display_name::look_of;
use crate::api::request::{lists, numbers};
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::labels::{self, NewLabels, external_key};
use crate::api::session::ratings::RatedSession;
use crate::api::session::terms::{SessionTimes, Spectators, TableRequests};
use crate::api::shared::problem::Problem;
use wyrmgate_analysis::record;
use wyrmgate_engine::{EndReason, GameOutcome};
use wyrmgate_sessions::{
    Bot, Caller, Clock, Endings, Forks, Live, LobbyEntry, PlayerId, Refusal, Replies, Seat,
    SessionLabels, Stage, Status, Undo, Visibility, game_and_variant, index, rfc3339, tag_index,
};
use wyrmgate_store::{Index, session_id};

/// A session with its public information.
#[derive(Serialize, ToSchema)]
pub struct Session {
    /// Opaque id. It grants no access by itself.
    id: String,
    /// The player who opened the session, and manages it with `Act-As: me;host`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$")]
    host: Option<PlayerId>,
    /// The name of its game.
    game: String,
    /// The variant of the game, or several, as in `short+windy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    /// The digest of its ruleset.
    ruleset: String,
    /// Every option of the game with its value.
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    visibility: Visibility,
    spectators: Spectators,
    undo: Undo,
    forks: Forks,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    replies: Replies,
    endings: Endings,
    #[serde(flatten)]
    rated: RatedSession,
    #[serde(flatten)]
    seed: SessionSeed,
    /// What its creator attached to it.
    #[serde(skip_serializing_if = "NewLabels::is_empty")]
    #[schema(required = false)]
    labels: NewLabels,
    status: Stage,
    /// Grows by one with every public change. For spectators with a delay: the last version that they may see.
    #[schema(minimum = 1)]
    version: u64,
    seats: Vec<SeatState>,
    /// The seats that owe a decision.
    #[schema(example = json!([2]))]
    owing: Vec<u8>,
    #[serde(flatten)]
    requests: TableRequests,
    #[serde(flatten)]
    times: SessionTimes,
    /// The outcome, once the game is over.
    #[schema(required, value_type = Option<SessionOutcome>)]
    outcome: Option<record::Outcome>,
    #[serde(flatten)]
    course: SessionCourse,
    #[schema(format = DateTime)]
    created_at: String,
}

/// Until when a session waits for players, and which sessions follow it.
#[derive(Serialize, ToSchema)]
pub struct SessionCourse {
    /// When the session ends unless its game has begun by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// The session in which the player of this one sits now, with the same token: two that sought the same game became one.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_in: Option<String>,
    /// The id of the rematch, once a player has requested it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch: Option<String>,
}

impl SessionCourse {
    fn of(live: &Live) -> SessionCourse {
        let until = live.facts.waits.until_ms;
        let until = until.filter(|_| live.stage() == Stage::Waiting);
        SessionCourse {
            expires_at: until.map(rfc3339),
            matched_in: live.status.roster.wait.matched_in().map(str::to_owned),
            rematch: None,
        }
    }
}

/// Whether anybody may have known the random numbers, and what proves that nobody has changed them.
#[derive(Serialize, ToSchema)]
pub struct SessionSeed {
    /// True if someone may have known the random numbers: the creator chose the seed, or the session was forked before
    /// its end. Never becomes false again.
    practice: bool,
    /// BLAKE3 hash of the secret, in hexadecimal digits. The record of the finished game reveals the secret and the
    /// seed.
    #[schema(min_length = 64, max_length = 64)]
    commitment: String,
    /// Entropy that seats contributed before the game began.
    #[schema(value_type = Vec<SeatEntropy>)]
    entropy: Vec<record::Entropy>,
}

/// The entropy of one seat. It is combined with the server's secret; see `docs/record-format.md`.
#[derive(Serialize, ToSchema)]
pub struct SeatEntropy {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    #[schema(min_length = 64, max_length = 64)]
    value: String,
}

/// A seat and its player.
#[derive(Serialize, ToSchema)]
pub struct SeatState {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    status: SeatStatus,
    /// Display name of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Present and true if another player of the session has a name that looks the same. Show the number of the seat with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    same_name: bool,
    /// The built-in player in this seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BotName>)]
    bot: Option<Bot>,
    /// The player in this seat, if it is known across sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$")]
    player: Option<PlayerId>,
    /// The player who alone can take this seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$")]
    reserved_for: Option<PlayerId>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeatStatus {
    /// Anyone can take it.
    Open,
    /// Taken by a person or an external program.
    Taken,
    /// Taken by a built-in player.
    Bot,
}

/// A built-in player.
#[derive(Serialize, ToSchema)]
#[expect(dead_code, reason = "only the schema is used")]
pub enum BotName {
    /// Chooses uniformly among its legal choices.
    #[serde(rename = "random")]
    Random,
    /// Takes the choice with the best immediate score.
    #[serde(rename = "greedy")]
    Greedy,
    /// Searches a little ahead.
    #[serde(rename = "search-1")]
    Search1,
    #[serde(rename = "search-2")]
    Search2,
    /// Searches for as long as the server allows.
    #[serde(rename = "search-3")]
    Search3,
    /// Takes the default that the rules declare, or else the first choice.
    #[serde(rename = "default")]
    Default,
}

/// The outcome of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = Outcome)]
pub struct SessionOutcome {
    /// The seats that won. Empty if the game was drawn.
    winners: Vec<u8>,
    drawn: bool,
    /// The ranking, best seat first.
    ranking: Vec<SeatRank>,
    reason: OutcomeReason,
}

/// Why the game is over: by its rules; a seat resigned; all agreed on a draw; a seat ran out of time; a seat was absent; it was
/// called off before a seat had moved twice; or later.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only the schema is used")]
pub enum OutcomeReason {
    Rules,
    Resigned,
    Agreed,
    Time,
    Claimed,
    Aborted,
    Abandoned,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Rank)]
pub struct SeatRank {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// Place in the ranking, from 1. Tied seats share a place.
    #[schema(minimum = 1, maximum = 8)]
    place: u8,
    /// The compared values, in order of importance.
    keys: Vec<i32>,
}

/// A session as listed in the lobby.
#[derive(Serialize, ToSchema)]
pub struct SessionSummary {
    id: String,
    game: String,
    /// The variant of the game, or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    ruleset: String,
    status: Stage,
    /// Number of seats.
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    /// The seats that anyone can take.
    open_seats: Vec<u8>,
    practice: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

page_schema!("A page of sessions.", "Cursor of the next page.", SessionPage: SessionSummary);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SessionList {
    /// Only sessions of this game.
    game: Option<String>,
    /// Only sessions with this tag, private ones too; see `labels` of a new session.
    #[param(pattern = "^[A-Za-z0-9._:@|-]{1,64}$")]
    tag: Option<String>,
    /// Only sessions whose `metadata` has this member, such as `room:12`; its value is a text, a number or a truth value. Pages may have
    /// fewer items. Name a `tag`, too, where there are many sessions.
    #[param(pattern = ":")]
    metadata: Option<String>,
    /// Only the session that this operator key gave this name.
    #[param(pattern = "^[A-Za-z0-9._:@|-]{1,64}$")]
    external_id: Option<String>,
    /// Only sessions at this stage. Defaults to `waiting`, and to any stage with `tag` or `external_id`.
    #[param(inline)]
    status: Option<Stage>,
    /// Only sessions with an open seat. A page may then have fewer items than `limit` although there is a next page.
    open_seats: Option<bool>,
    /// Only sessions with at least so many open seats: `2` finds a table for two friends. Pages may have fewer items, too.
    #[param(minimum = 1, maximum = 8)]
    open_seats_min: Option<u8>,
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    #[param(pattern = "^[0-9a-f]{16}[A-Za-z0-9_-]+$")]
    cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SessionPath {
    /// The id of a session.
    pub session: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MinVersion {
    /// Waits for a few seconds until the session has reached this version.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    pub min_version: Option<u64>,
}

/// List public sessions, newest first
///
/// The lobby: sessions that everybody may see, with filters by game, stage and open seats.
#[utoipa::path(
    get, path = "/v1/sessions",
    operation_id = "listSessions", tag = "sessions", params(SessionList),
    responses((status = 200, description = "A page of sessions", body = SessionPage)),
)]
pub async fn list(ApiCall { context, query, .. }: ApiCall<NoParameters, SessionList>) -> Handled {
    let any = u8::from(query.open_seats == Some(true));
    let fewest = match query.open_seats_min {
        Some(fewest @ 1..=8) => fewest,
        None => any,
        Some(_) => {
            let range = "`open_seats_min` must be between 1 and 8";
            return Err(Problem::malformed("open_seats_min", range));
        }
    };
    let fits = |summary: &LobbyEntry| {
        let is_labelled = query.tag.is_some() || query.external_id.is_some();
        let stage = query.status.or((!is_labelled).then_some(Stage::Waiting));
        let game = game_and_variant(&summary.game).0;
        summary.open_seats.len() >= usize::from(fewest)
            && stage.is_none_or(|stage| stage == summary.stage)
            && query.game.as_deref().is_none_or(|wanted| wanted == game)
    };
    let index = query.index(&context)?;
    let after = lists::cursor(query.cursor.as_deref())?;
    let limit = lists::limit(query.limit)?;
    if let Some(id) = &query.external_id {
        let found = external(&context, id).await?.into_iter();
        let items = found.filter(|(_, summary)| fits(summary));
        let items = items.map(|(id, summary)| summarize(id, summary)).collect();
        let items = query.labelled(&context, items).await?;
        return respond::page(&context.request, &ListPage { items, next: None });
    }
    let page = context.service().list(index.page(after, limit)).await?;
    let mut items = Vec::with_capacity(page.items.len());
    for listed in page.items {
        let summary = LobbyEntry::read(&listed).map_err(Refusal::Store)?;
        if fits(&summary) {
            items.push(summarize(listed.session, summary));
        }
    }
    let items = query.labelled(&context, items).await?;
    let next = page.next.map(|cursor| cursor.encode());
    respond::page(&context.request, &ListPage { items, next })
}

impl SessionList {
    fn index(&self, context: &JsonContext) -> Result<Index, Problem> {
        if let Some(tag) = &self.tag {
            return match labels::is_word(tag) {
                true => Ok(tag_index(&labels::key_of(context), tag)),
                false => Err(Problem::malformed("tag", labels::WORD)),
            };
        }
        let index = index(self.status.unwrap_or(Stage::Waiting));
        Ok(match &self.game {
            Some(game) => index.of(game),
            None => index,
        })
    }

    /// Returns those of the sessions whose metadata has the wanted member. Lists do not have the metadata, so the sessions are loaded.
    async fn labelled(
        &self,
        context: &JsonContext,
        items: Vec<SessionSummary>,
    ) -> Result<Vec<SessionSummary>, Problem> {
        let Some(member) = &self.metadata else {
            return Ok(items);
        };
        let form = || Problem::malformed("metadata", "write `metadata=room:12`");
        let (name, wanted) = member.split_once(':').ok_or_else(form)?;
        let loaded = join_all(items.iter().map(|item| context.service().load(&item.id))).await;
        let mut fit = Vec::new();
        for (item, live) in items.into_iter().zip(loaded) {
            let text = |value: &Value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            };
            let is_fit = |live: Arc<Live>| {
                let value = live.facts.labels.metadata.get(name);
                value.is_some_and(|value| text(value) == wanted)
            };
            match live.map(is_fit) {
                Ok(true) => fit.push(item),
                Ok(false) | Err(Refusal::NotFound) => {}
                Err(refusal) => return Err(refusal.into()),
            }
        }
        Ok(fit)
    }
}

/// Returns the session to which the caller's operator key, or else the player, gave a name.
async fn external(
    context: &JsonContext,
    id: &str,
) -> Result<Option<(String, LobbyEntry)>, Problem> {
    let labels = SessionLabels {
        external_id: Some(id.to_owned()).filter(|id| labels::is_word(id)),
        key: labels::key_of(context),
        ..SessionLabels::default()
    };
    let host = context.player().ok();
    let key = external_key(&labels, host);
    let key = key.ok_or_else(|| Problem::malformed("external_id", labels::WORD))?;
    let id = session_id(Some(&key.digest)).map_err(Refusal::Store)?;
    match context.service().load(&id).await {
        Ok(live) => {
            let is_own = context.holds_key() || host.is_some();
            let is_shown = is_own || live.facts.visibility == Visibility::Public;
            Ok(is_shown.then(|| (id, LobbyEntry::of(&live.facts, &live.status))))
        }
        Err(Refusal::NotFound) => Ok(None),
        Err(refusal) => Err(refusal.into()),
    }
}

/// Get a session
///
/// Seats, stage, clocks and outcome. The owner also sees what only the owner may know.
#[utoipa::path(
    get, path = "/v1/sessions/{session}",
    operation_id = "getSession", tag = "sessions", params(SessionPath, MinVersion),
    responses((status = 200, description = "The session", body = Session)),
    extensions(("x-codes" = json!(["stale-version"])), ("x-tag" = json!(true))),
)]
pub async fn get(call: ApiCall<SessionPath, MinVersion>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let (live, caller) = context.look(&path.session, query.min_version).await?;
    let session = describe(&live, caller.seat());
    match context.service().as_known(&live, caller).await? {
        None if live.stage() == Stage::Finished => {
            let course = SessionCourse {
                rematch: context.service().rematch_of(&live).await?,
                ..session.course
            };
            respond::tagged_by_content(&context.request, &Session { course, ..session })
        }
        None => respond::tagged(&context.request, &live.tag(caller), || Ok(session)),
        Some(known) => {
            respond::tagged_by_content(&context.request, &session.known_to(caller, &known))
        }
    }
}

/// Returns a session as the caller may see it.
pub async fn seen(context: &JsonContext, id: &str) -> Result<Session, Refusal> {
    let service = context.service();
    let (live, caller) = service.look(id, context.token.as_ref()).await?;
    let session = describe(&live, caller.seat());
    Ok(match service.as_known(&live, caller).await? {
        Some(known) => session.known_to(caller, &known),
        None => session,
    })
}

impl Session {
    /// Replaces what depends on the course of the game by what a delayed spectator or a guest may know of it.
    pub fn known_to(self, caller: Caller, known: &Live) -> Session {
        Session {
            version: known.version(),
            owing: match known.may_watch(caller) {
                Ok(()) => known.owing(None),
                Err(_) => Vec::new(),
            },
            times: SessionTimes::default(),
            requests: TableRequests::default(),
            outcome: self.outcome.filter(|_| caller != Caller::Guest),
            rated: match caller {
                Caller::Guest => self.rated.before_the_end(),
                Caller::Public | Caller::Owner | Caller::Seat(_) => self.rated,
            },
            ..self
        }
    }
}

/// Delete a session and all of its data
///
/// For the owner of the session.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}",
    operation_id = "removeSession", tag = "sessions", params(SessionPath),
    responses((status = 204, description = "Deleted")),
    extensions(("x-codes" = json!(["forbidden", "not-now"]))),
)]
pub async fn remove(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let (token, key) = (context.token.as_ref(), context.key());
    context.service().remove(&path.session, token, key).await?;
    Ok(StoredResponse::empty().respond())
}

/// Returns the session as one viewer may see it. Only `owing` can differ between viewers.
pub fn describe(live: &Live, viewer: Option<u8>) -> Session {
    let facts = &live.facts;
    let (game, variant) = game_and_variant(&facts.game);
    Session {
        id: live.id.to_string(),
        host: live.status.roster.host,
        game: game.to_owned(),
        variant: variant.map(str::to_owned),
        ruleset: facts.ruleset.clone(),
        options: facts.options.clone(),
        visibility: facts.visibility,
        spectators: facts.terms.spectators.into(),
        undo: facts.terms.undo,
        forks: facts.terms.forks,
        clock: facts.terms.clock,
        replies: facts.terms.replies,
        endings: facts.terms.endings.completed(&live.program),
        rated: RatedSession::of(live),
        seed: SessionSeed {
            practice: live.is_practice(),
            commitment: facts.commitment.clone(),
            entropy: live.status.entropy.clone(),
        },
        labels: NewLabels::of(&facts.labels),
        status: live.stage(),
        version: live.version(),
        seats: (1..=facts.seats)
            .filter_map(|number| seat_state(number, &live.status))
            .collect(),
        owing: live.owing(viewer),
        requests: TableRequests::of(live),
        times: SessionTimes::of(live, viewer),
        outcome: outcome(live),
        course: SessionCourse::of(live),
        created_at: rfc3339(facts.created_at_ms),
    }
}

/// Returns one seat of a session.
pub fn seat_state(number: u8, of: &Status) -> Option<SeatState> {
    let seats = &of.seats;
    let at = usize::from(number).checked_sub(1)?;
    let (status, name, bot) = match seats.get(at)? {
        Seat::Open => (SeatStatus::Open, None, None),
        Seat::Taken { name, .. } => (SeatStatus::Taken, name.clone(), None),
        Seat::Bot(bot) => (SeatStatus::Bot, None, Some(*bot)),
    };
    let look = name.as_deref().map(look_of);
    let others = seats.iter().enumerate().filter(|(other, _)| *other != at);
    let mut others = others.filter_map(|(_, seat)| match seat {
        Seat::Taken { name, .. } => name.as_deref().map(look_of),
        Seat::Open | Seat::Bot(_) => None,
    });
    Some(SeatState {
        seat: number,
        status,
        same_name: look.is_some_and(|look| others.any(|other| other == look)),
        name,
        bot,
        player: of.seat(number).and_then(Seat::player),
        reserved_for: of.reserved_for(number),
    })
}

/// Returns the outcome of the game, once it is over. A session that ended while it waited was called off.
pub fn outcome(live: &Live) -> Option<record::Outcome> {
    if live.is_closed() {
        let seats = usize::from(live.facts.seats);
        let called_off = GameOutcome::outside_of_rules(seats, &[], EndReason::Aborted);
        return Some(record::Outcome::from(&called_off));
    }
    let outcome = live.play.as_ref()?.state().outcome();
    outcome.map(record::Outcome::from)
}

fn summarize(id: String, summary: LobbyEntry) -> SessionSummary {
    let (game, variant) = game_and_variant(&summary.game);
    SessionSummary {
        id,
        game: game.to_owned(),
        variant: variant.map(str::to_owned),
        ruleset: summary.ruleset,
        status: summary.stage,
        seats: summary.seats,
        open_seats: summary.open_seats,
        practice: summary.practice,
        created_at: rfc3339(summary.created_at_ms),
    }
}
