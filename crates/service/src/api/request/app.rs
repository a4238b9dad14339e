//! What all requests of a process share.

use std::sync::{Arc, LazyLock};

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::api::request::access::{KeyRing, OperatorScope, OwnerKey};
use crate::api::request::heavy_work::HeavyWork;
use crate::api::request::issuers::{IssuerRing, SignedPlayer};
use crate::api::request::rates::ClientBuckets;
use crate::api::request::request_key::RunningKeys;
use crate::api::request::signal::Signal;
use crate::api::shared::problem::{Problem, ProblemCode};
use crate::config::Config;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_sessions::{Service, Token, TokenRights};

/// Returns the text of the credential that headers have, which need not be one.
pub fn credential(headers: &HeaderMap) -> Option<&str> {
    let (scheme, text) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| text.trim())
}

/// State that all requests of a process share.
pub struct App {
    pub service: Service,
    pub config: Config,
    /// Signals that the rules have been read.
    pub opening: Signal,
    pub shutdown: Signal,
    pub rates: Arc<ClientBuckets>,
    pub heavy: HeavyWork,
    /// Background work in progress: moves of bots, webhooks and due work.
    pub background: TaskTracker,
    pub running_keys: RunningKeys,
    /// The operator keys. `None` if none are configured; then every caller has every scope.
    pub keys: Option<KeyRing>,
    /// The issuers of signed tokens, if any are configured.
    pub issuers: Option<IssuerRing>,
    /// The OpenAPI document, built on first use because building it takes as long as the rest of the start.
    pub document: LazyLock<String>,
    /// Dropped after all that is above, when nobody uses the store any more.
    pub _in_use: TaskTrackerToken,
}

/// What keeps a stream open: the operator key, and the time until which the signed token is accepted (Unix seconds).
pub struct Admission {
    pub key: Option<OwnerKey>,
    pub until_s: Option<u64>,
}

impl App {
    /// Returns whether the credential that opened a stream would still open it.
    pub fn admits(&self, admission: &Admission) -> bool {
        let has = |key: &OwnerKey| self.keys.as_ref().is_some_and(|keys| keys.has(key));
        let is_early = |until: u64| now_ms() / 1_000 < until;
        admission.key.as_ref().is_none_or(has) && admission.until_s.is_none_or(is_early)
    }

    /// Waits until all games have been read, or will not be any more.
    pub async fn opened(&self) {
        tokio::select! {
            () = self.opening.given() => {}
            () = self.shutdown.given() => {}
        }
    }

    /// Returns the token that is sent as this text: one of the server, or that of the player whom a signed one names. Only that
    /// player may have a name.
    pub async fn identify(&self, text: &str) -> Result<SignedPlayer, Problem> {
        let issuers = self.issuers.as_ref().filter(|_| text.contains('.'));
        match (Token::parse(text), issuers) {
            (Some(token), _) => Ok(SignedPlayer {
                token: self.look_up(token)?,
                name: None,
                until_s: None,
            }),
            // In memory of its own: most tokens are not signed, and every request would be as large.
            (None, Some(issuers)) => Box::pin(issuers.player(text)).await,
            (None, None) => Err(Problem::new(ProblemCode::Unauthenticated)
                .detail("the credential is not a token of this server; check that it is complete")),
        }
    }

    /// Returns the operator key that a request brings.
    pub fn key_of(&self, headers: &HeaderMap) -> Option<OwnerKey> {
        let keys = self.keys.as_ref()?;
        let token = credential(headers).and_then(Token::parse)?;
        let is_key = token.kind() == TokenRights::Key;
        keys.find(&token).filter(|_| is_key)
    }

    /// Looks up an operator key. Session tokens are checked where they are used.
    pub fn look_up(&self, token: Token) -> Result<Token, Problem> {
        if token.kind() != TokenRights::Key {
            return Ok(token);
        }
        let found = self.keys.as_ref().and_then(|keys| keys.find(&token));
        match found {
            Some(key) if key.scopes.contains(&OperatorScope::Manage) => Ok(token.managing()),
            Some(_) => Ok(token),
            None => Err(Problem::new(ProblemCode::Unauthenticated)
                .detail("unknown key; ask the operator of the server for a valid one")),
        }
    }

    /// Returns the credential of a player for whom a key answers.
    pub fn player_of(&self, key: &Token, player: &str) -> Result<Token, Problem> {
        let found = self.keys.as_ref().and_then(|keys| keys.find(key));
        let found = found.filter(|key| key.scopes.contains(&OperatorScope::Players));
        let found = found.ok_or_else(|| {
            Problem::new(ProblemCode::Forbidden)
                .detail("only an operator key with the scope `players` can act for players")
        })?;
        Ok(Token::acting(key, &found.name, player))
    }
}
