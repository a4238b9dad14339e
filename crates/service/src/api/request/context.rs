//! The context of a request: the service and the caller.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::AUTHORIZATION;
use actix_web::{HttpRequest, web};

use crate::api::request::access::OperatorScope;
use crate::api::request::app::App;
use crate::api::request::client::{client_of, network};
use crate::api::request::request_key::{self, RequestKey};
use crate::api::shared::headers;
use crate::api::shared::language::{Accepted, Listener};
use crate::api::shared::problem::{Problem, ProblemCode};
use crate::config::Config;
use wyrmgate_sessions::{Caller, IdempotencyKey, Live, Service, Token, TokenRights};

/// A request with what is known of its sender.
pub struct JsonContext {
    pub request: HttpRequest,
    app: web::Data<App>,
    pub token: Option<Token>,
    pub accepted: Accepted,
    /// Present for a write with an `Idempotency-Key`.
    pub request_key: Option<Rc<RequestKey>>,
}

impl JsonContext {
    pub fn service(&self) -> &Service {
        &self.app.service
    }

    pub fn config(&self) -> &Config {
        &self.app.config
    }

    /// Returns the caller as a reader of this session.
    pub fn listener(&self, live: &Live, caller: Caller) -> Listener {
        Listener::new(live, caller, &self.accepted)
    }

    pub fn app(&self) -> &web::Data<App> {
        &self.app
    }

    /// Returns the `Idempotency-Key` in the form that the session layer uses.
    pub fn key(&self) -> Option<&IdempotencyKey> {
        self.request_key.as_ref().map(|request| &request.key)
    }

    pub fn of(request: &HttpRequest) -> Result<JsonContext, Problem> {
        let app = request.app_data::<web::Data<App>>();
        let app = app
            .ok_or_else(|| Problem::new(ProblemCode::Internal))?
            .clone();
        let token = bearer(request)?;
        let token = token.map(|token| app.look_up(token)).transpose()?;
        Ok(JsonContext {
            request: request.clone(),
            app,
            token,
            accepted: Accepted::of(request.headers()),
            request_key: request_key::left_with(request),
        })
    }
}

/// Returns the token in `Authorization`. A malformed token is refused, whatever is requested.
fn bearer(request: &HttpRequest) -> Result<Option<Token>, Problem> {
    let Some(header) = request.headers().get(AUTHORIZATION) else {
        return Ok(None);
    };
    let token = header.to_str().ok().and_then(|text| {
        let (scheme, token) = text.split_once(' ')?;
        scheme
            .eq_ignore_ascii_case("bearer")
            .then(|| Token::parse(token.trim()))?
    });
    match token {
        Some(token) => Ok(Some(token)),
        None => Err(Problem::new(ProblemCode::Unauthenticated)
            .detail("the credential is not a token of this server; check that it is complete")),
    }
}

impl JsonContext {
    /// Returns who asks, to share out what is scarce: the name of the operator key, or else the address.
    pub fn caller(&self) -> String {
        let key = self.app.keys.as_ref().zip(self.token.as_ref());
        if let Some(key) = key.and_then(|(keys, token)| keys.find(token)) {
            return key.name;
        }
        let proxies = self.config().proxies;
        let (peer, headers) = (self.request.peer_addr(), self.request.headers());
        let address = client_of(peer, headers, proxies);
        address
            .map(|address| network(address).to_string())
            .unwrap_or_default()
    }

    /// Returns whether the caller shows an operator key.
    pub fn holds_key(&self) -> bool {
        let kind = self.token.as_ref().map(Token::kind);
        kind == Some(TokenRights::Key)
    }

    /// Fails unless this key, which came in another way than by a header, has the scope. See [`JsonContext::require`].
    #[cfg(feature = "pages")]
    pub fn allows(&self, key: &str, scope: OperatorScope) -> Result<(), Problem> {
        let token = Token::parse(key).ok_or_else(|| Problem::new(ProblemCode::Unauthenticated))?;
        let token = self.app.look_up(token)?;
        JsonContext {
            request: self.request.clone(),
            app: self.app.clone(),
            token: Some(token),
            accepted: self.accepted.clone(),
            request_key: None,
        }
        .require(scope)
    }

    /// Fails unless the caller has this scope. Without configured keys, every caller has it.
    pub fn require(&self, scope: OperatorScope) -> Result<(), Problem> {
        let Some(keys) = &self.app.keys else {
            return Ok(());
        };
        let Some(token) = &self.token else {
            return Err(Problem::new(ProblemCode::Unauthenticated)
                .detail("an operator key is required; send it as `Authorization: Bearer`"));
        };
        let key = Some(token).filter(|token| token.kind() == TokenRights::Key);
        match key.and_then(|token| keys.find(token)) {
            Some(key) if key.scopes.contains(&scope) => Ok(()),
            _ => Err(Problem::new(ProblemCode::Forbidden).detail(
                "the key lacks the required scope; ask the operator of the server for another one",
            )),
        }
    }
}

/// Default time for which `min_version` waits.
const PATIENCE: Duration = Duration::from_secs(5);

impl JsonContext {
    /// Returns a session and the caller. With a version, waits until the caller may know of it, because spectators can be
    /// delayed.
    pub async fn look(
        &self,
        id: &str,
        min_version: Option<u64>,
    ) -> Result<(Arc<Live>, Caller), Problem> {
        let (live, caller) = self.service().look(id, self.token.as_ref()).await?;
        let Some(wanted) = min_version else {
            return Ok((live, caller));
        };
        let patience = headers::wait(&self.request).unwrap_or(PATIENCE);
        let live = tokio::select! {
            live = self.service().wait_to_know(live, caller, wanted, patience) => live?,
            () = self.app.shutdown.given() => return Err(Problem::new(ProblemCode::Draining)),
        };
        // The seat may have changed hands in the meantime.
        let caller = live.caller(self.token.as_ref())?;
        let known = self.service().known(&live, caller).await?;
        if known < wanted {
            let stale = Problem::new(ProblemCode::StaleVersion).version(known);
            return Err(stale
                .detail("timed out waiting until this caller may see `min_version`; try again"));
        }
        Ok((live, caller))
    }

    /// Returns a session and the caller, who must be allowed to see the game. See [`JsonContext::look`].
    pub async fn look_to_see(
        &self,
        id: &str,
        min_version: Option<u64>,
    ) -> Result<(Arc<Live>, Caller), Problem> {
        let (live, caller) = self.service().look(id, self.token.as_ref()).await?;
        live.may_watch(caller)?;
        match min_version {
            Some(_) => self.look(id, min_version).await,
            None => Ok((live, caller)),
        }
    }
}
