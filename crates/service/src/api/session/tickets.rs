//! `/v1/sessions/{id}/stream-tickets`: tickets for browsers, whose `EventSource` cannot send headers.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::request::call::{BodyCall, Handled};
use crate::api::request::extract::OptionalJson;
use crate::api::response::respond;
use crate::api::session::sessions::SessionPath;
use wyrmgate_sessions::rfc3339;

/// A ticket that opens one stream.
#[derive(Serialize, ToSchema)]
pub struct StreamTicket {
    /// Value for `GET …/events?ticket=`. It opens one stream, once, with the access of the caller, and does nothing
    /// else.
    ///
    /// Absent from a replayed response to a caller without a credential of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_ticket_…")]
    ticket: Option<String>,
    /// When the ticket expires.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// No fields.
#[derive(Default, serde::Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTicket {}

/// Create a ticket for one stream
///
/// Browsers cannot set headers on an `EventSource`, and tokens are never accepted in a URL. A ticket is accepted there:
/// it opens one read-only stream on any node within 60 seconds, and is then used up. To resume, create another ticket
/// and add `after`. The stream ends when the token that created the ticket is renewed.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/stream-tickets",
    operation_id = "createStreamTicket", tag = "play", params(SessionPath), request_body = Option<NewTicket>,
    responses((status = 201, description = "The stream ticket", body = StreamTicket,
        headers(("Location" = String, description = "URL of the stream, including the ticket")))),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn create(call: BodyCall<OptionalJson<NewTicket>, SessionPath>) -> Handled {
    let (context, path, OptionalJson(NewTicket {})) = (call.context, call.path, call.body);
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
        expires_at: rfc3339(ticket.expires_at_ms),
    };
    let mut response = HttpResponse::build(StatusCode::CREATED);
    response.insert_header((LOCATION, location));
    respond::finish(response, &ticket)
}
