//! Stream tickets: values that a browser puts into the URL of a stream, because it cannot set headers there.
//!
//! A ticket is sealed, so any node can read it and nobody can forge it. It opens one stream of one session, once,
//! within a minute. It contains the hash of the token that created it, never the token itself, so a ticket in a log
//! file reveals nothing. A stream that it has opened ends when that token is renewed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::{Bearer, Token, entropy};
use crate::content::encoding::{decode, encode};
use crate::content::live::Live;
use crate::service::Service;
use wyrmgate_base::hex;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_store::{Create, Created};

/// Lifetime of an unused ticket.
pub const TICKET_LIFETIME_MS: u64 = 60_000;
/// Additional time for which a used ticket is remembered, for nodes whose clocks differ.
const REMEMBERED_MS: u64 = 60_000;
const FORMAT: u8 = 2;
const SUBJECT: &[u8] = b"wyrmgate 1 stream ticket";
const PREFIX: &str = "wg_ticket_";

/// A ticket for its bearer.
#[derive(Debug, Clone)]
pub struct Ticket {
    pub text: String,
    pub expires_at_ms: u64,
}

/// The sealed content.
#[derive(Debug, Serialize, Deserialize)]
struct TicketContents {
    session: String,
    /// Who created it. `None` for the public.
    bearer: Option<Bearer>,
    expires_at_ms: u64,
    number: [u8; 32],
}

impl Service {
    /// Creates a ticket for a caller who may watch the session.
    pub async fn ticket(&self, id: &str, token: Option<&Token>) -> Result<Ticket, Refusal> {
        let (live, caller) = self.look(id, token).await?;
        self.visible(&live, caller).await?;
        let expires_at_ms = now_ms().saturating_add(TICKET_LIFETIME_MS);
        let contents = TicketContents {
            session: live.id.to_string(),
            bearer: token.map(Token::bearer),
            expires_at_ms,
            number: entropy()?,
        };
        let plain = encode(FORMAT, &contents)?;
        let sealed = self.sealer().await?.seal_bytes(SUBJECT, &plain)?;
        Ok(Ticket {
            text: format!("{PREFIX}{sealed}"),
            expires_at_ms,
        })
    }

    /// Admits the bearer of a ticket and marks it as used. Fails with [`Refusal::Unauthenticated`] if it is invalid,
    /// belongs to another session, has expired, or was used on any node.
    pub async fn admit(
        &self,
        id: &str,
        ticket: &str,
    ) -> Result<(Arc<Live>, Option<Bearer>, Caller), Refusal> {
        let contents = self.opened(ticket).await?;
        let is_late = contents.expires_at_ms <= now_ms();
        if is_late || contents.session != id {
            return Err(Refusal::Unauthenticated);
        }
        let live = self.load(id).await?;
        let caller = live.caller_of(contents.bearer.as_ref())?;
        self.take(&contents).await?;
        Ok((live, contents.bearer, caller))
    }

    async fn opened(&self, ticket: &str) -> Result<TicketContents, Refusal> {
        let sealed = ticket.strip_prefix(PREFIX);
        let sealed = sealed.ok_or(Refusal::Unauthenticated)?;
        let plain = self.sealer().await?.open_bytes(SUBJECT, sealed);
        let plain = plain.ok_or(Refusal::Unauthenticated)?;
        decode(FORMAT, &plain).map_err(|_| Refusal::Unauthenticated)
    }

    /// Marks a ticket as used: writes a record under its number, which can be created only once.
    async fn take(&self, ticket: &TicketContents) -> Result<(), Refusal> {
        // The name is longer than any session id, so the two cannot collide.
        let name = format!("ticket-{}", hex::encode(&ticket.number));
        let mut used = Create::new(&name);
        used.expires_at_ms = Some(ticket.expires_at_ms.saturating_add(REMEMBERED_MS));
        match self.store.create(used).await? {
            Created::Done(_) => Ok(()),
            Created::Duplicate(_) | Created::Exists | Created::Removed => {
                Err(Refusal::Unauthenticated)
            }
        }
    }
}
