//! The context of a request: the service and the caller.

use std::future::{Ready, ready};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::api::operation::access::{KeyRing, Scope};
use crate::api::request::accept::{self, JSON};
use crate::api::request::caller::CallerSecret;
use crate::api::request::client::{client_of, network};
use crate::api::request::headers;
use crate::api::request::heavy_work::HeavyWork;
use crate::api::request::language::{Accepted, Listener};
use crate::api::request::rates::Rates;
use crate::api::response::idempotency::{self, RequestKey, RunningKeys};
use crate::api::response::problem::{Code, Problem};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::shared_changes::SharedChanges;
use crate::api::signal::Signal;
use crate::config::Config;
use wyrmgate_sessions::{Answered, Call, Caller, Key, Kind, Live, Made, Refusal, Service, Token};
use wyrmgate_store::Bytes;

/// State that all requests of a process share.
pub struct App {
    pub service: Service,
    pub config: Config,
    /// Signals that the rules have been read.
    pub opening: Signal,
    pub shutdown: Signal,
    pub rates: Arc<Rates>,
    pub heavy: HeavyWork,
    /// Background work in progress: moves of bots, webhooks and due work.
    pub background: TaskTracker,
    pub running_keys: RunningKeys,
    pub shared_changes: SharedChanges,
    pub caller_secret: CallerSecret,
    /// The operator keys. `None` if none are configured; then every caller has every scope.
    pub keys: Option<KeyRing>,
    /// The OpenAPI document, built on first use because building it takes as long as the rest of the start.
    pub document: OnceLock<String>,
    /// Dropped after all that is above, when nobody uses the store any more.
    pub _in_use: TaskTrackerToken,
}

impl App {
    /// Waits until all games have been read, or will not be any more.
    pub async fn opened(&self) {
        tokio::select! {
            () = self.opening.given() => {}
            () = self.shutdown.given() => {}
        }
    }
}

/// The context of a request whose response is JSON.
pub struct Context {
    app: web::Data<App>,
    pub token: Option<Token>,
    pub accepted: Accepted,
    /// Present for a write with an `Idempotency-Key`.
    pub request_key: Option<RequestKey>,
}

/// The context of a request whose response has several media types.
pub struct AnyContext(pub Context);

impl Context {
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
    pub fn key(&self) -> Option<&Key> {
        self.request_key.as_ref().map(RequestKey::key)
    }

    /// Changes a session for the caller. The response is stored in the same commit, if the request has a key.
    pub async fn change(
        &self,
        session: &str,
        describe: impl Fn(&Made) -> StoredResponse,
        change: impl AsyncFnOnce(Call<'_>) -> Result<Answered<Made>, Refusal>,
    ) -> Result<HttpResponse, Problem> {
        let storing = self.storing(&describe);
        let answered = change(Call {
            session,
            token: self.token.as_ref(),
            key: self.key(),
            describe: &storing,
        });
        match (answered.await?, &self.request_key) {
            (Answered::Fresh(made), _) => Ok(describe(&made).respond()),
            (Answered::Replayed(bytes), Some(key)) => StoredResponse::replay(&bytes, key),
            (Answered::Replayed(_), None) => Err(Problem::new(Code::Internal)),
        }
    }

    /// Returns the callback that stores the response in the same commit as the change, if the request has a key.
    pub fn storing<'c, T>(
        &'c self,
        describe: impl Fn(&T) -> StoredResponse + 'c,
    ) -> impl Fn(&T) -> Bytes + 'c {
        move |done| match &self.request_key {
            Some(key) => describe(done).encode(key),
            None => Bytes::default(),
        }
    }

    pub fn of(request: &HttpRequest) -> Result<Context, Problem> {
        let app = request.app_data::<web::Data<App>>();
        let app = app.ok_or_else(|| Problem::new(Code::Internal))?.clone();
        let token = bearer(request)?;
        let token = token.map(|token| app.look_up(token)).transpose()?;
        Ok(Context {
            app,
            token,
            accepted: Accepted::of(request.headers()),
            request_key: idempotency::left_with(request),
        })
    }
}

impl FromRequest for Context {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let accepted = accept::best(request, &[JSON]).map(|_| ());
        ready(accepted.and_then(|()| Context::of(request)))
    }
}

impl FromRequest for AnyContext {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Context::of(request).map(AnyContext))
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
        None => Err(Problem::new(Code::Unauthenticated)
            .detail("the credential is not a token of this server; check that it is complete")),
    }
}

impl App {
    /// Looks up an operator key. Session tokens are checked where they are used.
    fn look_up(&self, token: Token) -> Result<Token, Problem> {
        if token.kind() != Kind::Key {
            return Ok(token);
        }
        let found = self.keys.as_ref().and_then(|keys| keys.find(&token));
        match found {
            Some(key) if key.scopes.contains(&Scope::Manage) => Ok(token.managing()),
            Some(_) => Ok(token),
            None => Err(Problem::new(Code::Unauthenticated)
                .detail("unknown key; ask the operator of the server for a valid one")),
        }
    }
}

impl Context {
    /// Returns who asks, to share out what is scarce: the name of the operator key, or else the address.
    pub fn caller(&self, request: &HttpRequest) -> String {
        let key = self.app.keys.as_ref().zip(self.token.as_ref());
        if let Some(key) = key.and_then(|(keys, token)| keys.find(token)) {
            return key.name;
        }
        let proxies = self.config().proxies;
        let address = client_of(request.peer_addr(), request.headers(), proxies);
        address
            .map(|address| network(address).to_string())
            .unwrap_or_default()
    }

    /// Returns whether the caller shows an operator key.
    pub fn holds_key(&self) -> bool {
        let kind = self.token.as_ref().map(Token::kind);
        kind == Some(Kind::Key)
    }

    /// Fails unless this key, which came in another way than by a header, has the scope. See [`Context::require`].
    #[cfg(feature = "pages")]
    pub fn allows(&self, key: &str, scope: Scope) -> Result<(), Problem> {
        let token = Token::parse(key).ok_or_else(|| Problem::new(Code::Unauthenticated))?;
        let token = self.app.look_up(token)?;
        Context {
            app: self.app.clone(),
            token: Some(token),
            accepted: self.accepted.clone(),
            request_key: None,
        }
        .require(scope)
    }

    /// Fails unless the caller has this scope. Without configured keys, every caller has it.
    pub fn require(&self, scope: Scope) -> Result<(), Problem> {
        let Some(keys) = &self.app.keys else {
            return Ok(());
        };
        let Some(token) = &self.token else {
            return Err(Problem::new(Code::Unauthenticated)
                .detail("an operator key is required; send it as `Authorization: Bearer`"));
        };
        let key = Some(token).filter(|token| token.kind() == Kind::Key);
        match key.and_then(|token| keys.find(token)) {
            Some(key) if key.scopes.contains(&scope) => Ok(()),
            _ => Err(Problem::new(Code::Forbidden).detail(
                "the key lacks the required scope; ask the operator of the server for another one",
            )),
        }
    }
}

/// Default time for which `min_version` waits.
const PATIENCE: Duration = Duration::from_secs(5);

impl Context {
    /// Returns a session and the caller. With a version, waits until the caller may know of it, because spectators can be
    /// delayed.
    pub async fn look(
        &self,
        request: &HttpRequest,
        id: &str,
        min_version: Option<u64>,
    ) -> Result<(Arc<Live>, Caller), Problem> {
        let (live, caller) = self.service().look(id, self.token.as_ref()).await?;
        let Some(wanted) = min_version else {
            return Ok((live, caller));
        };
        let patience = headers::wait(request).unwrap_or(PATIENCE);
        let live = tokio::select! {
            live = self.service().wait_to_know(live, caller, wanted, patience) => live?,
            () = self.app.shutdown.given() => return Err(Problem::new(Code::Draining)),
        };
        // The seat may have changed hands in the meantime.
        let caller = live.caller(self.token.as_ref())?;
        let known = self.service().known(&live, caller).await?;
        if known < wanted {
            let stale = Problem::new(Code::StaleVersion).version(known);
            return Err(stale
                .detail("timed out waiting until this caller may see `min_version`; try again"));
        }
        Ok((live, caller))
    }

    /// Returns a session and the caller, who must be allowed to see the game. See [`Context::look`].
    pub async fn look_to_see(
        &self,
        request: &HttpRequest,
        id: &str,
        min_version: Option<u64>,
    ) -> Result<(Arc<Live>, Caller), Problem> {
        let (live, caller) = self.service().look(id, self.token.as_ref()).await?;
        live.may_watch(caller)?;
        match min_version {
            Some(_) => self.look(request, id, min_version).await,
            None => Ok((live, caller)),
        }
    }
}
