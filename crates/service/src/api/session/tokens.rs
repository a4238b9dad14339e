//! `/v1/sessions/{id}/tokens/{kind}`: rotates tokens that were lost or leaked.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::call::{BodyCall, Handled};
use crate::api::request::extract::OptionalJson;
use crate::api::response::stored_response::StoredResponse;
use wyrmgate_sessions::{Call, CommittedChange, Token, TokenRights};

/// A token of the session itself. Seat tokens are renewed at their seats.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenKind {
    /// The token for managing the session.
    Owner,
    /// The invite code of a private session.
    Invite,
    /// The token for watching a private session.
    Spectator,
}

/// A renewed token.
#[derive(Serialize, ToSchema)]
pub struct RenewedToken {
    kind: TokenKind,
    /// The version of the session after the change.
    #[schema(minimum = 1)]
    version: u64,
    /// The new token. Shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required, example = "wg_watch_…")]
    token: Option<String>,
}

/// No fields.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TokenPath {
    /// The id of a session.
    session: String,
    /// The kind of token.
    #[param(inline)]
    kind: TokenKind,
}

impl TokenKind {
    fn of(self) -> TokenRights {
        match self {
            TokenKind::Owner => TokenRights::Owner,
            TokenKind::Invite => TokenRights::Invite,
            TokenKind::Spectator => TokenRights::Spectator,
        }
    }
}

/// Rotate a token of the session
///
/// The old token stops working on every node, and streams that it opened end. For the owner of the session.
#[utoipa::path(
    put, path = "/v1/sessions/{session}/tokens/{kind}",
    operation_id = "renewToken", tag = "sessions", params(TokenPath), request_body = Option<NewToken>,
    responses((status = 200, description = "The new token", body = RenewedToken)),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn renew(call: BodyCall<OptionalJson<NewToken>, TokenPath>) -> Handled {
    let (context, path, OptionalJson(NewToken {})) = (call.context, call.path, call.body);
    let kind = path.kind;
    let describe = |made: &CommittedChange| renewed(kind, made);
    let renew = async |call: Call<'_>| context.service().renew(call, kind.of()).await;
    context.change(&path.session, describe, renew).await
}

fn renewed(kind: TokenKind, made: &CommittedChange) -> StoredResponse {
    let body = RenewedToken {
        kind,
        version: made.live.version(),
        token: made.token.as_ref().map(Token::reveal),
    };
    StoredResponse::new(StatusCode::OK, None, &body)
}
