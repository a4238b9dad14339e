//! `/v1/players/me/sessions`: the sessions of a player, the most urgent first.

use std::collections::VecDeque;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data};
use futures_util::future::join_all;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::app::App;
use crate::api::request::call::{ApiCall, Handled, NoParameters};
use crate::api::request::lists;
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::session::sessions::{self, Session};
use crate::api::shared::accept::{self, JSON, JSON_LINES};
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{Caller, Live, PlayerId, Refusal, Service, Urgency, player_index};
use wyrmgate_store::Cursor;

/// A session of a player, as that player sees it.
#[derive(Serialize, ToSchema)]
pub struct PlayerSession {
    /// The seat of the player, the first one of several. Null if a seat is only reserved.
    #[schema(required, minimum = 1, maximum = 8)]
    seat: Option<u8>,
    /// Whether the player owes a decision.
    owes: bool,
    session: Session,
}

impl PlayerSession {
    async fn of(
        service: &Service,
        live: &Arc<Live>,
        player: PlayerId,
    ) -> Result<PlayerSession, Refusal> {
        let seats: Vec<u8> = live.status.seats_of(player).collect();
        let mut owing = seats.iter();
        let owes = owing.any(|seat| live.owing(Some(*seat)).contains(seat));
        let seat = seats.first().copied();
        let mut session = sessions::describe(live, seat);
        if seat.is_none() {
            let known = service.as_known(live, Caller::Guest).await?;
            session = session.known_to(Caller::Guest, known.as_ref().unwrap_or(live));
        }
        Ok(PlayerSession {
            seat,
            owes,
            session,
        })
    }
}

page_schema!("A page of the sessions of a player.", "Cursor of the next page.", PlayerSessionPage: PlayerSession);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PlayerSessionList {
    /// Only sessions that are this to the player.
    #[param(inline)]
    status: Option<Urgency>,
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    #[param(pattern = "^[0-9a-f]{16}[A-Za-z0-9_-]+$")]
    cursor: Option<String>,
}

/// List the sessions of the player who calls
///
/// First those in which the player owes a decision, the earliest deadline first; then those that others play on, those that wait
/// for players, and those that are over, each from the newest on. As `application/jsonl`: all of them, one per line.
#[utoipa::path(
    get, path = "/v1/players/me/sessions",
    operation_id = "listPlayerSessions", tag = "players", params(PlayerSessionList),
    responses((status = 200, description = "The sessions, in the media type that the client accepts", content(
        (PlayerSessionPage = "application/json"), (PlayerSession = "application/jsonl")))),
)]
pub async fn list(call: ApiCall<NoParameters, PlayerSessionList>) -> Handled {
    let (context, query) = (call.context, call.query);
    let player = context.player()?;
    let first = query
        .status
        .map(|urgency| Cursor::before(*urgency.scores().end()));
    let list = PlayerList {
        player,
        urgency: query.status,
    };
    let after = lists::cursor(query.cursor.as_deref())?.or(first);
    let form = accept::best(&context.request, &[JSON, JSON_LINES])?;
    if form == JSON_LINES {
        return Ok(list.lines(context.app().clone(), after));
    }
    let limit = lists::limit(query.limit)?;
    let page = list.page(context.service(), after, limit).await?;
    let page = ListPage {
        items: page.items,
        next: page.next.map(|cursor| cursor.encode()),
    };
    respond::page(&context.request, &page)
}

/// The sessions of a player, or those that are one thing to it.
pub struct PlayerList {
    pub player: PlayerId,
    pub urgency: Option<Urgency>,
}

/// A page of such a list.
pub struct PlayerListPage {
    pub items: Vec<PlayerSession>,
    next: Option<Cursor>,
}

impl PlayerList {
    pub async fn page(
        &self,
        service: &Service,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<PlayerListPage, Problem> {
        let query = player_index(self.player).page(after, limit);
        let mut page = service.list(query).await?;
        if let Some(urgency) = self.urgency {
            let count = page.items.len();
            page.items
                .retain(|listed| urgency.scores().contains(&listed.score));
            page.next = page.next.filter(|_| page.items.len() == count);
        }
        let loaded = page
            .items
            .iter()
            .map(|listed| service.load(&listed.session));
        let mut items = Vec::with_capacity(page.items.len());
        for loaded in join_all(loaded).await {
            match loaded {
                Ok(live) => items.push(PlayerSession::of(service, &live, self.player).await?),
                // It has gone since.
                Err(Refusal::NotFound) => {}
                Err(refusal) => return Err(refusal.into()),
            }
        }
        Ok(PlayerListPage {
            items,
            next: page.next,
        })
    }

    /// Returns all sessions, one per line. They are read as the client takes them.
    fn lines(self, app: Data<App>, first: Option<Cursor>) -> HttpResponse {
        let list = Arc::new(self);
        let reading = (Some(first), VecDeque::new());
        let lines = unfold(reading, move |(mut at, mut ready)| {
            let (app, list) = (app.clone(), list.clone());
            async move {
                while ready.is_empty() {
                    let page = list.page(&app.service, at.take()?, lists::LIMIT_MAX).await;
                    let page = page.and_then(|page| {
                        let lines = page.items.iter().map(line);
                        Ok((lines.collect::<Result<Vec<_>, _>>()?, page.next))
                    });
                    match page {
                        Ok((lines, next)) => {
                            ready.extend(lines);
                            at = next.map(Some);
                        }
                        Err(problem) => {
                            return Some((
                                Err(std::io::Error::other(problem.to_string())),
                                (None, ready),
                            ));
                        }
                    }
                }
                Some((Ok(ready.pop_front()?), (at, ready)))
            }
        });
        HttpResponse::Ok()
            .content_type(JSON_LINES)
            .insert_header((CACHE_CONTROL, "private, no-cache"))
            .streaming(lines)
    }
}

fn line(session: &PlayerSession) -> Result<Bytes, Problem> {
    let mut line = respond::bytes(session)?;
    line.push(b'\n');
    Ok(line.into())
}
