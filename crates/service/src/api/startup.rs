//! Wires everything together, starts it and stops it.

use std::future::{Ready, ready};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use std::{io, thread};

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol};
use actix_server::{Server, ServerHandle};
use actix_service::{ServiceFactoryExt, fn_service, map_config};
use actix_web::dev::AppConfig;
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::{App as Application, HttpRequest, web};
use futures_util::future::LocalBoxFuture;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use crate::api::operation::{docs, pages, reload};
use crate::api::request::access::KeyRing;
use crate::api::request::app::App;
use crate::api::request::call::Handled;
use crate::api::request::heavy_work::HeavyWork;
use crate::api::request::issuers::IssuerRing;
use crate::api::request::request_key::RunningKeys;
use crate::api::request::reread::UnreadableFile;
use crate::api::request::signal::Signal;
use crate::api::serving::envelope::envelope;
use crate::api::serving::router::RouterFactory;
use crate::api::serving::transport_errors::{Client, IDLE_MAX, TransportErrors};
use crate::api::session::shared_changes::SharedChanges;
use crate::api::{DOCUMENT, PATTERNS, openapi_json, routes};
use crate::config::{Config, CredentialFiles};
use wyrmgate_authoring::rules::{BrokenRuleset, Library};
use wyrmgate_sessions::metrics::{Metrics, TimedStore};
use wyrmgate_sessions::webhook_sender::{Policy, Trust, TrustError, WebhookSender};
use wyrmgate_sessions::{Deliverer, Duty, FreeText, NoEntropy, Refusal, Schedule, Service};
use wyrmgate_store::{self as store, StoreError};

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(
        "cannot read the rules in `{folder}`: {error}; name their folder with `--rules` or `WYRMGATE_RULES`"
    )]
    Rules { folder: String, error: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot listen on `{address}`: {error}")]
    Listen { address: String, error: io::Error },
    #[error(transparent)]
    File(#[from] UnreadableFile),
    #[error(
        "`{0}` is reachable from other machines, and no keys are configured; add `--keys FILE`, or `--open` to let \
         everyone there create sessions"
    )]
    Open(SocketAddr),
    #[error("cannot read the forbidden words in `{file}`: {error}")]
    ForbiddenWords { file: String, error: io::Error },
    #[error("cannot send webhooks: {0}")]
    Webhooks(#[from] TrustError),
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
    #[error("the server failed: {0}")]
    Serve(#[from] io::Error),
}

/// A service that accepts connections. It serves while [`RunningService::run`] is awaited.
pub struct RunningService {
    /// The bound address, with the actual port.
    pub address: SocketAddr,
    /// The names of the available games.
    pub games: Vec<String>,
    /// Games with errors, which are not available.
    pub broken: Vec<Arc<BrokenRuleset>>,
    server: Server,
    stopper: Stopper,
    finishing: JoinHandle<()>,
    /// Has one entry until all threads have let go of the store.
    in_use: TaskTracker,
    stop_deadline: Duration,
}

/// Stops a service from outside.
#[derive(Clone)]
pub struct Stopper {
    server: ServerHandle,
    shutdown: Signal,
}

impl Stopper {
    /// Shuts down: streams end with `bye`, running requests finish, then everything closes.
    pub async fn stop(&self) {
        self.shutdown.give();
        self.server.stop(true).await;
    }
}

impl RunningService {
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Serves until stopped, and until the background work that has begun is done or its time is up. Then the store is
    /// closed, so that the next process can open its file.
    pub async fn run(self) -> Result<(), StartError> {
        self.server.await?;
        if self.stopper.shutdown.is_given() {
            // It fails only if it panicked, and then nothing is left to wait for.
            let _ = self.finishing.await;
        }
        // The threads that served end by themselves, some time after the server says that it has stopped.
        self.in_use.close();
        if timeout(self.stop_deadline, self.in_use.wait())
            .await
            .is_err()
        {
            tracing::warn!("stopped while work still used the store");
        }
        Ok(())
    }
}

/// Reads the rules, opens the store and binds the address. Each game can be played as soon as it has been read; requests
/// for others wait. Returns when all have been read. The future is boxed because the body of an `async fn` is compiled again
/// in each crate that awaits it, with all it awaits.
pub fn start(config: Config) -> LocalBoxFuture<'static, Result<RunningService, StartError>> {
    Box::pin(start_service(config))
}

async fn start_service(config: Config) -> Result<RunningService, StartError> {
    let library = Arc::new(Library::default());
    let reading = read_rules(&library, &config.rules);
    let store = store::open(&config.store).await?;
    let metrics = Arc::new(Metrics::default());
    let store = Arc::new(TimedStore::new(store, metrics.clone()));
    let mut service = Service::new(store, library.clone(), metrics, config.session_lifetime);
    let free_text = FreeText::of_setting(&config.free_text);
    service = service.allowing_texts(free_text.map_err(|error| StartError::ForbiddenWords {
        file: config.free_text.clone(),
        error,
    })?);
    if config.webhooks {
        service = service.delivering_webhooks(deliverer(&config)?);
    }
    let CredentialFiles { keys, issuers } = &config.credentials;
    let keys = keys.as_deref().map(KeyRing::open).transpose()?;
    let issuers = issuers.as_deref().map(IssuerRing::open).transpose()?;
    let listener = listen(&config.listen)?;
    let address = listener.local_addr()?;
    if keys.is_none() && !config.open && !address.ip().is_loopback() {
        return Err(StartError::Open(address));
    }
    let (in_use, stop_deadline) = (TaskTracker::new(), config.stop_deadline);
    let app = web::Data::new(App {
        service,
        rates: Arc::default(),
        config,
        opening: Signal::default(),
        shutdown: Signal::default(),
        heavy: HeavyWork::default(),
        background: TaskTracker::new(),
        running_keys: RunningKeys::default(),
        keys,
        issuers,
        document: LazyLock::new(openapi_json),
        _in_use: in_use.token(),
    });
    let server = serve_on(listener, app.clone())?;
    let server = serve_while_reading(server, reading, &app.config.rules).await?;
    app.opening.give();
    work_beside(&app);
    let (folder, shutdown) = (app.config.rules.clone(), app.shutdown.clone());
    reload::watch(library.clone(), folder, shutdown.clone());
    let games = library.games();
    Ok(RunningService {
        address,
        games: games.iter().map(|game| game.name.clone()).collect(),
        broken: library.catalog().broken.clone(),
        stopper: Stopper {
            server: server.handle(),
            shutdown,
        },
        server,
        finishing: actix_web::rt::spawn(finish_work(app)),
        in_use,
        stop_deadline,
    })
}

/// Serves until all rules have been read. Stops the server if they cannot be.
async fn serve_while_reading(
    mut server: Server,
    reading: oneshot::Receiver<io::Result<()>>,
    folder: &Path,
) -> Result<Server, StartError> {
    let read = tokio::select! {
        read = reading => read,
        served = &mut server => return Err(StartError::Serve(served.err().unwrap_or_else(interrupted))),
    };
    if let Err(error) = read.unwrap_or_else(|_| Err(interrupted())) {
        let (_, _) = tokio::join!(server.handle().stop(false), server);
        let folder = folder.display().to_string();
        return Err(StartError::Rules { folder, error });
    }
    Ok(server)
}

/// Reads the rules on separate threads. Those end afterwards and so release their memory.
fn read_rules(library: &Arc<Library>, folder: &Path) -> oneshot::Receiver<io::Result<()>> {
    let (sender, receiver) = oneshot::channel();
    let (library, folder) = (library.clone(), folder.to_owned());
    library.expect_games();
    thread::spawn(move || {
        let read = library.open(&folder);
        // The receiver may have failed for another reason.
        let _ = sender.send(read);
    });
    receiver
}

/// Returns the error for a task that ended without an answer.
fn interrupted() -> io::Error {
    io::Error::other("the startup was interrupted")
}

/// Starts the background tasks of a server.
fn work_beside(app: &web::Data<App>) {
    for duty in Duty::ALL {
        until_stopped(app, attend(app.clone(), duty));
    }
    until_stopped(app, move_bots(app.clone()));
    if app.config.webhooks {
        until_stopped(app, call_webhooks(app.clone()));
    }
}

/// Starts a task that ends where it waits when the server stops.
fn until_stopped(app: &App, task: impl Future<Output = ()> + 'static) {
    let shutdown = app.shutdown.clone();
    actix_web::rt::spawn(async move {
        tokio::select! {
            () = shutdown.given() => {}
            () = task => {}
        }
    });
}

/// Starts work for one session that a stopping server finishes first.
fn begin(app: &App, work: impl Future<Output = ()> + 'static) {
    actix_web::rt::spawn(app.background.track_future(work));
}

/// Waits for the background work of a server that stops, as long as for its requests. What a node breaks off stays leased to
/// it for some seconds, in which no other node does it.
async fn finish_work(app: web::Data<App>) {
    app.shutdown.given().await;
    app.background.close();
    let deadline = app.config.stop_deadline;
    if timeout(deadline, app.background.wait()).await.is_err() {
        let left = app.background.len();
        tracing::warn!(left, "stopped before all background work was done");
    }
}

/// Carries out what is due in any session of the store, when its time comes.
async fn attend(app: web::Data<App>, duty: Duty) {
    if duty == Duty::Clocks {
        // Before it knows whether others were there, a new node can end no decision, and must not keep others from it.
        app.service.store().awake_since_ms().await;
    }
    let Some(mut watch) = app.service.watch(duty) else {
        return;
    };
    while let Some(turn) = watch.next().await {
        let worker = app.clone();
        begin(&app, async move {
            if let Err(refusal) = worker.service.perform(duty, &turn).await {
                tracing::warn!(session = turn.session, ?duty, %refusal, "cannot carry out due work");
            }
        });
    }
}

/// Lets built-in players move after every change made by this node.
async fn move_bots(app: web::Data<App>) {
    while let Some(id) = app.service.next_for_bots().await {
        let worker = app.clone();
        begin(&app, async move {
            match worker.service.move_bots(&id).await {
                Ok(()) | Err(Refusal::NotFound) => {}
                Err(refusal) => {
                    tracing::warn!(session = %id, %refusal, "cannot move built-in players");
                }
            }
        });
    }
}

/// Builds the webhook sender. Fails if no certificate is trusted, because then no https address could be called.
fn deliverer(config: &Config) -> Result<Deliverer, StartError> {
    let policy = Policy {
        allow: config.webhook_allow.clone(),
        ports: config.webhook_ports.clone(),
    };
    let sender = WebhookSender::new(policy, &Trust::System)?;
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let schedule = Schedule {
        retry_ms: milliseconds(config.webhook_retry),
        give_up_ms: milliseconds(config.webhook_give_up),
        ..Schedule::default()
    };
    let public_url = config
        .pages
        .public_url
        .as_ref()
        .map(|origin| origin.0.as_str());
    Ok(Deliverer::new(sender, schedule, public_url)?)
}

/// Calls webhooks after every change made by this node.
async fn call_webhooks(app: web::Data<App>) {
    while let Some(id) = app.service.next_for_webhooks().await {
        let worker = app.clone();
        begin(&app, async move {
            match worker.service.deliver(&id).await {
                Ok(()) | Err(Refusal::NotFound) => {}
                Err(refusal) => {
                    tracing::warn!(session = %id, %refusal, "cannot call webhooks");
                }
            }
        });
    }
}

/// Reads the files of credentials, as a start does.
pub fn check_credentials(files: &CredentialFiles) -> Result<(), StartError> {
    files.keys.as_deref().map(KeyRing::open).transpose()?;
    files.issuers.as_deref().map(IssuerRing::open).transpose()?;
    Ok(())
}

/// Prepares to send webhooks, as a start does.
pub fn check_webhooks(config: &Config) -> Result<(), StartError> {
    deliverer(config).map(drop)
}

fn listen(address: &str) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).map_err(|error| StartError::Listen {
        address: address.to_owned(),
        error,
    })
}

fn serve_on(listener: TcpListener, app: web::Data<App>) -> io::Result<Server> {
    let address = listener.local_addr()?;
    let workers = app.config.workers;
    let stop_deadline = app.config.stop_deadline.as_secs().max(1);
    let draining = app.shutdown.clone();
    let served = app.clone();
    let shared_changes = web::Data::new(SharedChanges::default());
    let application = move || {
        Application::new()
            .app_data(app.clone())
            .app_data(shared_changes.clone())
            .configure(docs::register)
            .configure(|config| {
                if !app.config.pages.no_pages {
                    pages::register(config, &app.config.pages.embed_origins);
                }
            })
            .default_service(web::to(unknown))
            .wrap(RouterFactory {
                routes: Rc::new(routes()),
                patterns: &PATTERNS,
                document: &DOCUMENT,
            })
            .wrap(from_fn(envelope))
    };
    let connections = move || {
        let draining = draining.clone();
        let draining = move || {
            let draining = draining.clone();
            async move { draining.given().await }
        };
        let http = HttpService::build()
            .keep_alive(IDLE_MAX)
            .client_request_timeout(Duration::ZERO) // see `transport_errors`
            .local_addr(address)
            .graceful_shutdown_signal(draining)
            // A client that closes its side has left, and work for it ends.
            .h1_allow_half_closed(false)
            .finish(map_config(application(), move |()| AppConfig::default()));
        let app = served.clone();
        fn_service(move |stream| wired(stream, &app)).and_then(http)
    };
    let server = Server::build()
        .workers(workers)
        .shutdown_timeout(stop_deadline)
        .disable_signals();
    Ok(server.listen("http", listener, connections)?.run())
}

/// Answers requests for what is neither a resource nor anything else.
async fn unknown(request: HttpRequest) -> Handled {
    Err(PATTERNS.unknown(request.path()))
}

type Connection = (TransportErrors<TcpStream>, Protocol, Option<SocketAddr>);

fn wired(stream: TcpStream, app: &web::Data<App>) -> Ready<Result<Connection, DispatchError>> {
    // Responses are small and written at once; Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let peer = stream.peer_addr().ok();
    let client = Client {
        app: app.clone(),
        peer,
    };
    let connection = TransportErrors::new(stream, Some(client));
    ready(Ok((connection, Protocol::Http1, peer)))
}

/// Serves until the process receives a signal to stop. Calls `announce` once requests are answered.
pub fn serve(config: Config, announce: impl FnOnce(&RunningService)) -> Result<(), StartError> {
    actix_web::rt::System::new().block_on(async {
        let running = start(config).await?;
        announce(&running);
        let stopper = running.stopper();
        actix_web::rt::spawn(async move {
            asked_to_stop().await;
            stopper.stop().await;
        });
        running.run().await
    })
}

/// Waits for Ctrl-C or SIGTERM.
async fn asked_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // A file that grows beyond a limit of the process is a full disk, which the store survives. The signal with this
        // number would end the process.
        let _survived = signal(SignalKind::from_raw(25));
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    // If no handler can be installed, the default action still applies.
    let _ = tokio::signal::ctrl_c().await;
}
