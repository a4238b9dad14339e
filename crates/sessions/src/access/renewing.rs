//! Rotation of a session's own tokens: the owner token, the invite code and the spectator token.

use std::sync::Arc;

use crate::Refusal;
use crate::access::seats::owner_only;
use crate::access::token::{Kind, Token};
use crate::changing::pending::Change;
use crate::content::live::Live;
use crate::history::log::Happening;
use crate::service::{Answered, Describe, Key, Made, Service};
use crate::time::clock;

/// A renewed token.
#[derive(Debug, Clone)]
pub struct Renewed {
    pub answered: Answered<Made>,
    pub token: Token,
}

impl Service {
    /// Issues a new token of this kind and invalidates the old one on every node. The change is public, so that streams
    /// opened with the old token end at once.
    pub async fn renew(
        &self,
        id: &str,
        token: Option<&Token>,
        kind: Kind,
        key: Option<&Key>,
        describe: Describe<'_>,
    ) -> Result<Renewed, Refusal> {
        let (live, caller) = self.look(id, token).await?;
        owner_only(caller)?;
        live.hash_of(kind).ok_or(Refusal::NotFound)?;
        let new = self.new_token(id, kind, key).await?;
        let hash = new.hash();
        let renew = |live: &Arc<Live>| {
            let mut change = Change::of(live.clone(), clock::now_ms());
            change.renew_token(kind, hash);
            change.add_event(Happening::TokenRenewed { kind });
            change.hand_out(Some(new.clone()));
            Ok(change)
        };
        let answered = self.write(id, key, &renew, describe).await?;
        Ok(Renewed {
            answered,
            token: new,
        })
    }
    /// Returns a new token. With a key, the same request yields the same token even if two nodes serve it at once.
    async fn new_token(&self, id: &str, kind: Kind, key: Option<&Key>) -> Result<Token, Refusal> {
        match key {
            None => Ok(Token::random(kind)?),
            Some(key) => {
                let secrets = self.secrets(id).await?;
                let token_key = &secrets.token_key;
                Ok(Token::derived(kind, token_key, 0, &key.digest))
            }
        }
    }
}
