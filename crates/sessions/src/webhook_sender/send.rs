//! Sends one message to one server.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{self, HeaderMap};
use hyper::http::request;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::connect::{BoxedStream, Connect, SystemConnector};
use super::resolve::{Resolve, SystemResolver};
use super::target::{Policy, WebhookTarget};
use super::tls::{Encryption, Trust, TrustError};

/// Time limit for everything from the DNS lookup to the head of the response.
const DEADLINE: Duration = Duration::from_secs(5);
/// Time limit for connecting to one address.
const CONNECT: Duration = Duration::from_secs(2);
/// Minimum time before an unresolved or forbidden host is reported, so that the owner of a session cannot infer from
/// the time whether a name exists.
const SILENCE: Duration = Duration::from_secs(1);
/// Maximum number of addresses to try for a host.
const ADDRESSES_MAX: usize = 3;
/// Maximum size of the head of a response.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// Maximum size of a response body to wait for. Its content is discarded.
const BODY_BYTES_MAX: usize = 16 * 1024;
/// Time limit for that body.
const BODY_DEADLINE: Duration = Duration::from_millis(500);
/// Maximum `Retry-After` that is honored.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(6 * 3600);

/// How long a push service keeps a message for a browser that it does not reach.
const PUSH_SECONDS: u64 = 86_400;

const USER_AGENT: &str = concat!("Wyrmgate/", env!("CARGO_PKG_VERSION"), " (webhooks)");

/// Sends webhook messages.
pub struct WebhookSender {
    policy: Policy,
    resolver: Box<dyn Resolve>,
    connector: Box<dyn Connect>,
    encryption: Option<Encryption>,
    deadline: Duration,
}

/// A signed message.
#[derive(Debug, Clone)]
pub struct SignedMessage {
    /// The message id, the same for every attempt.
    pub id: String,
    /// The time of this attempt, in Unix seconds.
    pub seconds: u64,
    /// The value of [`super::signatures`].
    pub signatures: String,
    /// The JSON body.
    pub body: Vec<u8>,
    /// The trace of the message, in the format of W3C Trace Context.
    pub traceparent: Option<String>,
}

/// A message that only one browser can read.
#[derive(Debug, Clone)]
pub struct SealedMessage {
    /// From [`super::BrowserKeys::seal`].
    pub body: Vec<u8>,
    /// From [`super::ServerKey::authorization`].
    pub authorization: String,
}

/// The response of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookResponse {
    pub status: u16,
    /// How long the server asks us to wait.
    pub retry_after: Option<Duration>,
}

/// Why there was no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendFailure {
    #[error("the host has no address")]
    Unresolved,
    #[error("the host has an address that webhooks may not call")]
    Refused,
    #[error("the host refuses the connection")]
    Unreachable,
    #[error("the certificate of the server is invalid")]
    Untrusted,
    #[error("the request timed out")]
    TimedOut,
    #[error("the response is not valid HTTP, or not as expected")]
    Broken,
}

impl WebhookSender {
    /// Creates a sender for targets that the policy allows. Fails if TLS is unavailable, unless the policy allows no
    /// https address.
    pub fn new(policy: Policy, trust: &Trust) -> Result<WebhookSender, TrustError> {
        Ok(WebhookSender {
            encryption: Some(Encryption::new(trust)?),
            ..WebhookSender::unencrypted(policy)
        })
    }

    /// Creates a sender that refuses https addresses.
    pub fn unencrypted(policy: Policy) -> WebhookSender {
        WebhookSender {
            policy,
            resolver: Box::new(SystemResolver),
            connector: Box::new(SystemConnector),
            encryption: None,
            deadline: DEADLINE,
        }
    }

    /// Replaces the resolver.
    pub fn resolving(self, resolver: impl Resolve) -> WebhookSender {
        WebhookSender {
            resolver: Box::new(resolver),
            ..self
        }
    }

    /// Replaces the connector.
    pub fn connecting(self, connector: impl Connect) -> WebhookSender {
        WebhookSender {
            connector: Box::new(connector),
            ..self
        }
    }

    /// Sets the time limit.
    pub fn within(self, deadline: Duration) -> WebhookSender {
        WebhookSender { deadline, ..self }
    }

    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Sends a message once.
    pub async fn send(
        &self,
        target: &WebhookTarget,
        message: SignedMessage,
    ) -> Result<WebhookResponse, SendFailure> {
        self.post(target, signed(target, message)?).await
    }

    /// Sends a message to a push service once.
    pub async fn push(
        &self,
        target: &WebhookTarget,
        message: SealedMessage,
    ) -> Result<WebhookResponse, SendFailure> {
        let request = head(target, Method::POST)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header("ttl", PUSH_SECONDS)
            .header(header::AUTHORIZATION, message.authorization)
            .body(Full::new(Bytes::from(message.body)));
        self.post(target, request.map_err(|_| SendFailure::Broken)?)
            .await
    }

    async fn post(
        &self,
        target: &WebhookTarget,
        request: Request<Full<Bytes>>,
    ) -> Result<WebhookResponse, SendFailure> {
        let attempt = async {
            let stream = self.connect(target).await?;
            exchange(stream, request).await
        };
        let attempt = timeout(self.deadline, attempt).await;
        let (response, _driver) = attempt.unwrap_or(Err(SendFailure::TimedOut))?;
        let answer = WebhookResponse {
            status: response.status().as_u16(),
            retry_after: retry_after(response.headers()),
        };
        // The status is known; the end of the body does not matter.
        let _ = timeout(BODY_DEADLINE, swallow(response)).await;
        Ok(answer)
    }

    /// Returns what is at a target, if it is at most as large as stated.
    pub async fn read(
        &self,
        target: &WebhookTarget,
        bytes_max: usize,
    ) -> Result<Vec<u8>, SendFailure> {
        let attempt = async {
            let stream = self.connect(target).await?;
            let question = head(target, Method::GET).body(Full::default());
            let question = question.map_err(|_| SendFailure::Broken)?;
            let (response, _driver) = exchange(stream, question).await?;
            if response.status() != StatusCode::OK {
                return Err(SendFailure::Broken);
            }
            let body = Limited::new(response.into_body(), bytes_max).collect();
            let body = body.await.map_err(|_| SendFailure::Broken)?;
            Ok(body.to_bytes().into())
        };
        let attempt = timeout(self.deadline, attempt).await;
        attempt.unwrap_or(Err(SendFailure::TimedOut))
    }

    /// Connects to an address that passed the policy. No second lookup follows.
    async fn connect(&self, target: &WebhookTarget) -> Result<BoxedStream, SendFailure> {
        let judged = self.judged(target).await?;
        let stream = self.connect_to(&judged).await?;
        if !target.is_encrypted {
            return Ok(stream);
        }
        let encryption = self.encryption.as_ref().ok_or(SendFailure::Untrusted)?;
        let encrypted = encryption.encrypt(stream, &target.host).await;
        encrypted.map_err(|error| {
            tracing::debug!(%error, host = target.host, "the certificate of a webhook receiver is invalid");
            SendFailure::Untrusted
        })
    }

    /// Returns the addresses to try. If there are none, this is reported after a fixed time, whatever the reason; a
    /// longer lookup runs into the deadline.
    async fn judged(&self, target: &WebhookTarget) -> Result<Vec<SocketAddr>, SendFailure> {
        let told_at = Instant::now() + SILENCE;
        let found = self.addresses(target).await;
        let judged = found.and_then(|found| {
            let judged = self.policy.all_of(target, found);
            judged.ok_or(SendFailure::Refused)
        });
        if judged.is_err() {
            match Instant::now() <= told_at {
                true => sleep_until(told_at).await,
                false => sleep(self.deadline).await,
            }
        }
        judged
    }

    async fn connect_to(&self, addresses: &[SocketAddr]) -> Result<BoxedStream, SendFailure> {
        for address in addresses.iter().take(ADDRESSES_MAX) {
            if let Ok(Ok(stream)) = timeout(CONNECT, self.connector.connect(*address)).await {
                return Ok(stream);
            }
        }
        Err(SendFailure::Unreachable)
    }

    async fn addresses(&self, target: &WebhookTarget) -> Result<Vec<SocketAddr>, SendFailure> {
        if let Ok(address) = target.host.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(address, target.port)]);
        }
        let found = self.resolver.resolve(&target.host, target.port).await;
        match found {
            Ok(found) if !found.is_empty() => Ok(found),
            _ => Err(SendFailure::Unresolved),
        }
    }
}

fn signed(
    target: &WebhookTarget,
    message: SignedMessage,
) -> Result<Request<Full<Bytes>>, SendFailure> {
    let mut request = head(target, Method::POST)
        .header(header::CONTENT_TYPE, "application/json")
        .header("webhook-id", message.id)
        .header("webhook-timestamp", message.seconds)
        .header("webhook-signature", message.signatures);
    if let Some(trace) = message.traceparent {
        request = request.header("traceparent", trace);
    }
    let body = Full::new(Bytes::from(message.body));
    request.body(body).map_err(|_| SendFailure::Broken)
}

/// Returns the beginning of a request, alike for every purpose.
fn head(target: &WebhookTarget, method: Method) -> request::Builder {
    Request::builder()
        .method(method)
        .uri(&target.path)
        .header(header::HOST, &target.authority)
        .header(header::USER_AGENT, USER_AGENT)
        .header(header::ACCEPT, "*/*")
        .header(header::CONNECTION, "close")
}

/// Returns the head of the response and the task that drives the connection.
async fn exchange(
    stream: BoxedStream,
    request: Request<Full<Bytes>>,
) -> Result<(Response<Incoming>, Driver), SendFailure> {
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES_MAX)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|_| SendFailure::Broken)?;
    let driver = Driver::of(async move {
        let _ = connection.await; // the sender reports the error
    });
    let response = sender.send_request(request).await;
    let response = response.map_err(|error| {
        tracing::debug!(%error, "a webhook receiver does not respond");
        SendFailure::Broken
    })?;
    Ok((response, driver))
}

/// Reads the body, so that the receiver can finish its response, up to a limit.
async fn swallow(response: Response<Incoming>) {
    let mut body = response.into_body();
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read += frame.data_ref().map_or(0, |data| data.len());
        if read > BODY_BYTES_MAX {
            return;
        }
    }
}

/// Returns `Retry-After` in seconds. Dates are ignored.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    let wait = Duration::from_secs(seconds.trim().parse().ok()?);
    Some(wait.min(RETRY_AFTER_MAX))
}

/// A task that is aborted when its owner is dropped.
struct Driver(tokio::task::AbortHandle);

impl Driver {
    fn of(work: impl Future<Output = ()> + Send + 'static) -> Driver {
        Driver(tokio::spawn(work).abort_handle())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}
