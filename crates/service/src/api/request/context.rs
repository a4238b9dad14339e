//! The context of a request: the service and the caller.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest, web};

use crate::api::request::access::{OperatorScope, OwnerKey};
use crate::api::request::act_as::{ACT_AS, ActAs, ME};
use crate::api::request::app::{Admission, App};
use crate::api::request::client::{client_of, network};
use crate::api::request::issuers::SignedPlayer;
use crate::api::request::request_key::{self, RequestKey};
use crate::api::shared::headers;
use crate::api::shared::language::{Accepted, Listener};
use crate::api::shared::problem::{Problem, ProblemCode};
use crate::config::Config;
use wyrmgate_sessions::{
    Caller, IdempotencyKey, Live, PlayerId, Refusal, Service, Token, TokenRights,
};

/// A request with what is known of its sender.
pub struct JsonContext {
    pub request: HttpRequest,
    app: web::Data<App>,
    /// Who acts: the credential itself, or the player for whom an operator key answers.
    pub token: Option<Token>,
    /// The operator key of the request.
    operator: Option<Token>,
    /// The name by which the issuer of a signed token knows the player.
    pub issuer_name: Option<String>,
    /// Until when the signed token is accepted, in Unix seconds.
    until_s: Option<u64>,
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

    pub async fn of(request: &HttpRequest) -> Result<JsonContext, Problem> {
        let app = request.app_data::<web::Data<App>>();
        let app = app
            .ok_or_else(|| Problem::new(ProblemCode::Internal))?
            .clone();
        let known = request.extensions().get::<SignedPlayer>().cloned();
        let sender = match (known, bearer(request)?) {
            (Some(known), _) => Some(known),
            (None, Some(text)) => Some(app.identify(text).await?),
            (None, None) => None,
        };
        let until_s = sender.as_ref().and_then(|sender| sender.until_s);
        if let Some(signed) = sender.as_ref().filter(|_| until_s.is_some()) {
            // A request with an `Idempotency-Key` asks twice, and a signature is verified once.
            request.extensions_mut().insert(signed.clone());
        }
        let issuer_name = sender.as_ref().and_then(|sender| sender.name.clone());
        let token = sender.map(|sender| sender.token);
        let operator = token.clone();
        let operator = operator.filter(|token| token.kind() == TokenRights::Key);
        let token = acting(&app, request, token)?;
        Ok(JsonContext {
            request: request.clone(),
            app,
            token,
            operator,
            issuer_name,
            until_s,
            accepted: Accepted::of(request.headers()),
            request_key: request_key::left_with(request),
        })
    }
}

/// Returns the token in `Authorization`, or else something that is none: a malformed header is refused, whatever is requested.
fn bearer(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let Some(header) = only(request, &AUTHORIZATION)? else {
        return Ok(None);
    };
    let token = header.to_str().ok().and_then(|text| {
        let (scheme, token) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    Ok(Some(token.unwrap_or_default()))
}

/// Returns the header with this name. Of two, one may be the client's and one that of a proxy, and nobody can say which is meant.
fn only<'r>(
    request: &'r HttpRequest,
    name: &HeaderName,
) -> Result<Option<&'r HeaderValue>, Problem> {
    let mut all = request.headers().get_all(name);
    let first = all.next();
    match all.next() {
        Some(_) => Err(Problem::malformed(name.as_str(), "send this header once")),
        None => Ok(first),
    }
}

/// Returns the credential of the player that `Act-As` names, or else the one that was sent.
fn acting(
    app: &App,
    request: &HttpRequest,
    token: Option<Token>,
) -> Result<Option<Token>, Problem> {
    let Some(header) = only(request, &ACT_AS)? else {
        return Ok(token);
    };
    let header = header.to_str().ok().and_then(|text| text.parse().ok());
    let ActAs {
        player,
        seat,
        is_host,
    } = header.ok_or_else(|| {
        let form = "write `Act-As: NAME`, `Act-As: NAME;seat=2` or `Act-As: NAME;host`; a name has up to 64 letters, digits and `._:@|-`";
        Problem::malformed("Act-As", form)
    })?;
    let token = token.ok_or_else(|| Problem::new(ProblemCode::Unauthenticated))?;
    let token = match token.player() {
        Some(_) if player == ME => token,
        Some(_) => {
            let own = "a player acts for itself alone: `Act-As: me`";
            return Err(Problem::new(ProblemCode::Forbidden).detail(own));
        }
        None => {
            let acting = app.player_of(&token, &player)?;
            if player == ME || player.parse::<PlayerId>().is_ok() {
                let own = "an operator key acts for players by names of its own: neither `me` nor an id is one";
                return Err(Problem::malformed("Act-As", own));
            }
            acting
        }
    };
    Ok(Some(match seat {
        Some(seat) => token.at_seat(seat),
        None if is_host => token.managing(),
        None => token,
    }))
}

impl JsonContext {
    /// Returns who asks, to share out what is scarce: the name of the operator key, or else the address.
    pub fn caller(&self) -> String {
        if let Some(key) = self.operator_key() {
            return key.name;
        }
        let proxies = self.config().proxies;
        let (peer, headers) = (self.request.peer_addr(), self.request.headers());
        let address = client_of(peer, headers, proxies);
        address
            .map(|address| network(address).to_string())
            .unwrap_or_default()
    }

    /// Returns the operator key of the caller.
    pub fn operator_key(&self) -> Option<OwnerKey> {
        let (keys, token) = self.app.keys.as_ref().zip(self.operator.as_ref())?;
        keys.find(token)
    }

    /// Returns what a stream that the caller opens depends on.
    pub fn admission(&self) -> Admission {
        Admission {
            key: self.operator_key(),
            until_s: self.until_s,
        }
    }

    /// Returns whether the caller shows an operator key.
    pub fn holds_key(&self) -> bool {
        self.operator.is_some()
    }

    /// Returns the player who calls.
    pub fn player(&self) -> Result<PlayerId, Problem> {
        let player = self.token.as_ref().and_then(Token::player);
        player.ok_or_else(|| {
            Problem::new(ProblemCode::Unauthenticated)
                .detail("this requires the credential of a player; `POST /v1/players` creates one")
        })
    }

    /// Returns the player that a request names: `me`, an id, or a name that the holder of an operator key has chosen; and
    /// whether the caller acts for that player.
    pub fn named_player(&self, name: &str) -> Result<(PlayerId, bool), Problem> {
        if name == ME {
            return Ok((self.player()?, true));
        }
        if let Ok(id) = name.parse::<PlayerId>() {
            let own = self.token.as_ref().and_then(Token::player);
            return Ok((id, own == Some(id)));
        }
        let named: Result<ActAs, _> = name.parse();
        let is_name = named.is_ok_and(|named| named.seat.is_none() && !named.is_host);
        let key = self.operator.as_ref().filter(|_| is_name).ok_or_else(|| {
            let form = "name a player by `me`, by its id (`p_…`), or, with an operator key, by a name of yours";
            Problem::unprocessable("/seats", form)
        })?;
        let token = self.app.player_of(key, name)?;
        let id = token.player().ok_or(Refusal::Unauthenticated)?;
        Ok((id, true))
    }

    /// Fails unless this key, which came in another way than by a header, has the scope. See [`JsonContext::require`].
    #[cfg(feature = "pages")]
    pub fn allows(&self, key: &str, scope: OperatorScope) -> Result<(), Problem> {
        let token = Token::parse(key).ok_or_else(|| Problem::new(ProblemCode::Unauthenticated))?;
        let token = self.app.look_up(token)?;
        JsonContext {
            request: self.request.clone(),
            app: self.app.clone(),
            token: None,
            operator: Some(token),
            issuer_name: None,
            until_s: None,
            accepted: self.accepted.clone(),
            request_key: None,
        }
        .require(scope)
    }

    /// Fails unless the caller has this scope. Without configured keys, every caller has it.
    pub fn require(&self, scope: OperatorScope) -> Result<(), Problem> {
        if self.app.keys.is_none() {
            return Ok(());
        }
        if self.token.is_none() && self.operator.is_none() {
            return Err(Problem::new(ProblemCode::Unauthenticated)
                .detail("an operator key is required; send it as `Authorization: Bearer`"));
        }
        match self.operator_key() {
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
