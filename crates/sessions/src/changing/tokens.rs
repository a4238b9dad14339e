//! Rotation of a session's own tokens: the owner token, the invite code and the spectator token.

use crate::Refusal;
use crate::access::token::{Token, TokenRights};
use crate::changing::call::{Answered, Call};
use crate::changing::pending::writing::Attempt;
use crate::content::log::Happening;
use crate::service::Service;

impl Service {
    /// Issues a new token of this kind and invalidates the old one on every node. The change is public, so that streams
    /// opened with the old token end at once.
    pub async fn renew(&self, call: Call<'_>, kind: TokenRights) -> Result<Answered, Refusal> {
        let new = self.new_token(kind, call).await?;
        let hash = new.hash();
        let renew = |attempt: &Attempt<'_>| {
            let mut change = attempt.by_owner()?;
            change.before.hash_of(kind).ok_or(Refusal::NotFound)?;
            change.status_mut().renew(kind, hash);
            change.add_event(Happening::TokenRenewed { kind });
            change.token = Some(new.clone());
            Ok(change)
        };
        self.write(call, &renew).await
    }

    /// Returns a new token. With a key, the same request yields the same token even if two nodes serve it at once.
    async fn new_token(&self, kind: TokenRights, call: Call<'_>) -> Result<Token, Refusal> {
        match call.key {
            None => Ok(Token::random(kind)?),
            Some(key) => {
                let secrets = self.secrets(call.session).await?;
                let token_key = &secrets.token_key;
                Ok(Token::derived(kind, token_key, 0, &key.digest))
            }
        }
    }
}
