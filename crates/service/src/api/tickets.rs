//! `/v1/sessions/{id}/stream-tickets`: for browsers, whose `EventSource` sends no headers.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use serde::Serialize;
use utoipa::ToSchema;

use super::context::Context;
use super::extract::{Asked, MaySend, Nothing};
use super::path::Named;
use super::problem::Problem;
use super::respond;
use super::sessions::SessionPath;

/// What opens one stream.
#[derive(Serialize, ToSchema)]
pub struct StreamTicket {
    /// For `GET …/events?ticket=`. It opens one stream as its bearer may see it, once, and can do nothing else.
    ///
    /// Not in a repeated response to a caller without a credential of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_ticket_…")]
    ticket: Option<String>,
    /// Until when it can be used.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// Nothing has to be said.
#[derive(Default, serde::Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTicket {}

/// A ticket for one stream
///
/// Browsers cannot set headers on an `EventSource`, and tokens are never accepted in an address. A ticket may stand there:
/// it opens one stream, read-only, within 60 seconds, on any node, and is of no use afterwards. To resume, draw another
/// one and add `after`. The stream ends when the token that the ticket was drawn with is given out anew.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/stream-tickets",
    operation_id = "createStreamTicket", tag = "play", params(SessionPath), request_body = Option<NewTicket>,
    responses((status = 201, description = "The ticket", body = StreamTicket,
        headers(("Location" = String, description = "Where the stream is; the address contains the ticket")))),
    extensions(("x-codes" = json!(["malformed", "unauthenticated", "forbidden", "not-found", "too-large",
        "unsupported-media-type", "outcome-unknown"]))),
)]
pub async fn create(
    context: Context,
    path: Named<SessionPath>,
    _: Asked<Nothing>,
    body: MaySend<NewTicket>,
) -> Result<HttpResponse, Problem> {
    let MaySend(NewTicket {}) = body;
    let service = context.service();
    let ticket = service
        .ticket(&path.session, context.token.as_ref())
        .await?;
    let location = format!(
        "/v1/sessions/{}/events?ticket={}",
        path.session, ticket.text
    );
    let ticket = StreamTicket {
        ticket: Some(ticket.text),
        expires_at: respond::time(ticket.expires_at_ms),
    };
    let mut response = HttpResponse::build(StatusCode::CREATED);
    response.insert_header((LOCATION, location));
    respond::finish(response, &ticket)
}
