//! `/v1/sessions/{id}/messages`: what the people at a table write to each other.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::display_name::shown_text;
use crate::api::request::extract::Json;
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::SessionPath;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{MessageOrder, TableMessage, rfc3339};

/// Maximum length of a message, in characters.
const LETTERS_MAX: usize = 300;

/// A message to write.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": "Good luck!"}))]
pub struct NewMessage {
    /// One line, without control characters.
    #[schema(min_length = 1, max_length = 300)]
    text: String,
    #[serde(default)]
    to: MessageReaders,
}

/// Who can read a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageReaders {
    /// The seats, the owner, and spectators who watch live.
    #[default]
    Table,
    /// The seats that play together with the writer, if the rules have a query `team` of a seat.
    Team,
}

/// The receipt of a message.
#[derive(Serialize, ToSchema)]
pub struct MessageReceipt {
    id: String,
    #[schema(format = DateTime)]
    at: String,
}

/// A message as this reader may see it.
#[derive(Serialize, ToSchema)]
pub struct ReadMessage {
    id: String,
    #[schema(format = DateTime)]
    at: String,
    /// Who wrote it. Absent if it was the owner of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 8)]
    seat: Option<u8>,
    /// The name of its writer at that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    to: MessageReaders,
    /// Null if it was deleted. It is text, never markup.
    #[schema(required)]
    text: Option<String>,
}

/// The messages of a table.
#[derive(Serialize, ToSchema)]
pub struct MessagePage {
    items: Vec<ReadMessage>,
    /// Always null.
    #[schema(required)]
    next: Option<String>,
    /// The seats that read what the caller writes to its team. Empty if it has none.
    team: Vec<u8>,
}

impl ReadMessage {
    pub fn of(message: &TableMessage) -> ReadMessage {
        ReadMessage {
            id: message.id.clone(),
            at: rfc3339(message.at_ms),
            seat: message.seat,
            name: message.name.clone(),
            to: match message.team {
                Some(_) => MessageReaders::Team,
                None => MessageReaders::Table,
            },
            text: message.text.clone(),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MessagesQuery {
    /// Seats whose messages you do not want to read: `2,3`.
    #[param(pattern = "^([1-8](,[1-8])*)?$")]
    mute: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct MessagePath {
    /// The id of a session.
    session: String,
    /// The id of a message.
    message: String,
}

/// List the messages of a table
///
/// The latest 100 that the caller may read, oldest first. They are no part of the game, of its events or of its record.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/messages",
    operation_id = "listMessages", tag = "play", params(SessionPath, MessagesQuery),
    responses((status = 200, description = "The messages", body = MessagePage)),
    extensions(("x-codes" = json!(["forbidden"])), ("x-tag" = json!(true))),
)]
pub async fn list(call: ApiCall<SessionPath, MessagesQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let (live, caller) = context.look(&path.session, None).await?;
    live.may_read_messages(caller)?;
    let muted = muted(query.mute.as_deref().unwrap_or_default())?;
    let (board, _) = context.service().messages(&path.session).await?;
    let is_wanted = |message: &&TableMessage| !message.seat.is_some_and(|by| muted.contains(&by));
    let messages = board.read_by(caller).into_iter().filter(is_wanted);
    let page = MessagePage {
        items: messages.map(ReadMessage::of).collect(),
        next: None,
        team: live.team_of(caller).unwrap_or_default(),
    };
    respond::tagged_by_content(&context.request, &page)
}

/// Reads a list of seats.
fn muted(text: &str) -> Result<Vec<u8>, Problem> {
    let seats = text.split(',').filter(|seat| !seat.is_empty());
    let seats = seats.map(|seat| seat.parse().ok().filter(|seat| (1..=8).contains(seat)));
    let seats: Option<Vec<u8>> = seats.collect();
    seats.ok_or_else(|| Problem::malformed("mute", "`mute` must be numbers of seats, as in `2,3`"))
}

/// Write a message
///
/// For seats and the owner of the session, at most ten a minute. Streams with `messages=true` receive it as `message`.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/messages",
    operation_id = "writeMessage", tag = "play", params(SessionPath), request_body = NewMessage,
    responses((status = 201, description = "Written", body = MessageReceipt,
        headers(("Location" = String, description = "URL of the message")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden"]))),
)]
pub async fn write(call: BodyCall<Json<NewMessage>, SessionPath>) -> Handled {
    let (context, path, Json(wanted)) = (call.context, call.path, call.body);
    let text = shown_text("message", &wanted.text, LETTERS_MAX);
    let order = MessageOrder {
        text: text.map_err(|wrong| Problem::unprocessable("/text", wrong))?,
        to_team: wanted.to == MessageReaders::Team,
    };
    let (service, token) = (context.service(), context.token.as_ref());
    let written = service.write_message(&path.session, token, &order).await?;
    let location = format!("/v1/sessions/{}/messages/{}", path.session, written.id);
    // A response may be kept for repeated requests: it says nothing that can be deleted or forgotten.
    let receipt = MessageReceipt {
        at: rfc3339(written.at_ms),
        id: written.id,
    };
    let mut response = HttpResponse::build(StatusCode::CREATED);
    response.insert_header((LOCATION, location));
    respond::finish(response, &receipt)
}

/// Delete a message
///
/// For the owner of the session. Its readers see that it was deleted.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}/messages/{message}",
    operation_id = "deleteMessage", tag = "play", params(MessagePath),
    responses((status = 204, description = "Deleted")),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn remove(ApiCall { context, path, .. }: ApiCall<MessagePath>) -> Handled {
    let (service, token) = (context.service(), context.token.as_ref());
    let removed = service.delete_message(&path.session, token, &path.message);
    removed.await?;
    Ok(StoredResponse::empty().respond())
}
