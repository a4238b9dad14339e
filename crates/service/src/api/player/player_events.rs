//! `/v1/players/me/events`: what happens in all sessions of a player, as one stream.

use std::collections::VecDeque;

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::{Instant, timeout_at};
use utoipa::{IntoParams, ToSchema};

use crate::api::player::player_sessions::{PlayerList, PlayerSession};
use crate::api::request::app::{Admission, App};
use crate::api::request::call::{ApiCall, Handled, NoParameters};
use crate::api::session::ratings::RatingChange;
use crate::api::session::rendered::message;
use crate::api::session::sessions::{self, SessionOutcome};
use crate::api::shared::accept::EVENT_STREAM;
use crate::api::shared::headers;
use crate::api::shared::problem::Problem;
use wyrmgate_analysis::record;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_sessions::metrics::OpenStream;
use wyrmgate_sessions::{
    Deadline, PlayerEvent, PlayerId, PlayerNews, PlayerWatch, Stage, game_and_variant, rfc3339,
};

/// Number of sessions in the first message.
const FIRST: usize = 20;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PlayerEventsQuery {
    /// The id of the last message that the client has: a moment in Unix milliseconds.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    after: Option<u64>,
}

/// The first message: where the player is wanted most.
#[derive(Serialize, ToSchema)]
pub struct PlayerSnapshot {
    sessions: Vec<PlayerSession>,
}

/// A change of one of the sessions of a player.
#[derive(Serialize, ToSchema)]
pub struct PlayerMessage {
    /// The id of the session.
    session: String,
    game: String,
    /// The version of the session after the change. With `session`, it identifies the message.
    #[schema(minimum = 1)]
    version: u64,
    #[schema(format = DateTime)]
    at: String,
    /// The seat that the player has, has left or may take.
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Stage>,
    /// The seats that owe a decision after the change.
    owing: Vec<u8>,
    /// When they run out of time.
    deadlines: Vec<Deadline>,
    /// The outcome, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SessionOutcome>)]
    outcome: Option<record::Outcome>,
    /// In `rated`: what the game did to the ratings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    ratings: Vec<RatingChange>,
}

impl PlayerMessage {
    fn of(news: &PlayerNews) -> PlayerMessage {
        let (live, past) = (&news.live, &news.past);
        let after = past.entry.after.as_ref();
        let owed = || {
            after
                .into_iter()
                .flat_map(|after| after.owed_for(Some(news.seat)))
        };
        PlayerMessage {
            session: live.id.to_string(),
            game: game_and_variant(&live.facts.game).0.to_owned(),
            version: past.version,
            at: rfc3339(past.entry.at_ms),
            seat: news.seat,
            status: after.map(|after| after.stage),
            owing: owed().map(|owed| owed.seat).collect(),
            deadlines: owed().filter_map(Deadline::of).collect(),
            outcome: past
                .entry
                .finished
                .then(|| sessions::outcome(live))
                .flatten(),
            ratings: match news.event == PlayerEvent::Rated {
                true => RatingChange::all(live),
                false => Vec::new(),
            },
        }
    }
}

/// Stream what happens in the sessions of the player who calls
///
/// Server-sent events. First a `snapshot` of the most urgent sessions, unless the stream is resumed. Then a message for each change,
/// named by the most important thing that it means to the player: `finished`, `rated` (the result counts for ratings), `turn`
/// (the player owes a decision), `offer` (of a draw, a pause or an undo), `started`, `invited` (a seat is reserved for the
/// player), `declined` (the only one whom it invited declined), `left` (it has no seat there any more) or `moved`. `bye` means
/// the server is stopping. New sessions are part of the stream as soon as the player is wanted there.
///
/// The id of a message is a moment. After `Last-Event-ID` or `after`, the stream repeats what happened in the ten seconds before it,
/// so that nothing is missing: a client that has seen a `version` of a `session` ignores it. The stream ends, like all streams, when
/// the operator key is removed or the signed token expires.
#[utoipa::path(
    get, path = "/v1/players/me/events",
    operation_id = "streamPlayerEvents", tag = "players",
    params(PlayerEventsQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last message received, to resume"),
    ),
    responses((status = 200, description = "What happens, without an end", body = ref("#/components/schemas/PlayerStreamMessage"), content_type = "text/event-stream")),
)]
pub async fn stream(call: ApiCall<NoParameters, PlayerEventsQuery>) -> Handled {
    let (context, query) = (call.context, call.query);
    let player = context.player()?;
    let header = context.request.headers().get(headers::LAST_EVENT_ID);
    let last = header.map(|last| {
        let last = last.to_str().ok().and_then(|text| text.parse().ok());
        last.ok_or_else(|| {
            let wanted = "invalid event id; use the id of the last message received";
            Problem::malformed("Last-Event-ID", wanted)
        })
    });
    let since = last.transpose()?.or(query.after);
    let app = context.app().clone();
    let watch = app.service.watch_player(player, since).await?;
    let mut ready = VecDeque::new();
    if since.is_none() {
        ready.push_back(first(&app, player).await?);
    }
    let reader = PlayerReader {
        watch,
        ready,
        comment_at: Instant::now() + app.config.heartbeat,
        admission: context.admission(),
        is_done: false,
        _open: app.service.metrics().stream(),
        app,
    };
    Ok(HttpResponse::Ok()
        .content_type(EVENT_STREAM)
        .insert_header((CACHE_CONTROL, "no-cache, no-transform"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(messages(reader)))
}

async fn first(app: &App, player: PlayerId) -> Result<Bytes, Problem> {
    // Before reading: a change in between is then told again.
    let now = now_ms();
    let list = PlayerList {
        player,
        urgency: None,
    };
    let page = list.page(&app.service, None, FIRST).await?;
    let snapshot = PlayerSnapshot {
        sessions: page.items,
    };
    Ok(message("snapshot", Some(&now), &snapshot)?.into())
}

struct PlayerReader {
    app: Data<App>,
    watch: PlayerWatch,
    ready: VecDeque<Bytes>,
    comment_at: Instant,
    admission: Admission,
    is_done: bool,
    /// Counts the stream as open while it lives.
    _open: OpenStream,
}

fn messages(reader: PlayerReader) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    unfold(reader, |mut reader| async move {
        let message = reader.next().await?;
        Some((Ok(message), reader))
    })
}

impl PlayerReader {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                self.comment_at = Instant::now() + self.app.config.heartbeat;
                return Some(message);
            }
            if self.is_done || !self.app.admits(&self.admission) {
                return None;
            }
            if let Some(news) = self.watch.news() {
                let data = PlayerMessage::of(&news);
                let told = message(news.event.name(), Some(&news.past.entry.at_ms), &data);
                self.is_done = told.is_err();
                self.ready.extend(told.ok().map(Bytes::from));
                continue;
            }
            let shutdown = self.app.shutdown.clone();
            tokio::select! {
                woken = timeout_at(self.comment_at, self.watch.wait()) => match woken {
                    Ok(wakeup) => {
                        if let Err(refusal) = self.watch.read_on(&self.app.service, wakeup).await {
                            tracing::warn!(%refusal, "a stream of a player ended early");
                            self.is_done = true;
                        }
                    }
                    Err(_) => self.ready.push_back(Bytes::from_static(b": still here\n\n")),
                },
                () = shutdown.given() => {
                    let bye = message("bye", None, &json!({"retry_ms": 2_000}));
                    self.ready.extend(bye.ok().map(Bytes::from));
                    self.is_done = true;
                }
            }
        }
    }
}
