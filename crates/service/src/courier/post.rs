//! One message to one server.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{self, HeaderMap};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::connect::{BoxedStream, Connect, SystemConnector};
use super::resolve::{Resolve, SystemResolver};
use super::target::{Policy, Target};
use super::tls::{Encryption, Trust, TrustError};

/// For everything from the look-up to the head of the answer.
const DEADLINE: Duration = Duration::from_secs(5);
/// For one address to take the connection.
const CONNECT: Duration = Duration::from_secs(2);
/// Whoever asks for a call must not learn by its time whether a name exists: one that is not called is told after so long.
const SILENCE: Duration = Duration::from_secs(1);
/// Of several addresses so many are tried.
const ADDRESSES_MAX: usize = 3;
/// More of an answer's head is not read.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// More of an answer's body is not waited for; what is read of it is thrown away.
const BODY_BYTES_MAX: usize = 16 * 1024;
/// Nor for longer.
const BODY_DEADLINE: Duration = Duration::from_millis(500);
/// Nobody is to keep us waiting longer by `Retry-After`.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(6 * 3600);

const USER_AGENT: &str = concat!("Wyrmgate/", env!("CARGO_PKG_VERSION"), " (webhooks)");

/// Sends messages.
pub struct Courier {
    policy: Policy,
    resolver: Box<dyn Resolve>,
    connector: Box<dyn Connect>,
    encryption: Option<Encryption>,
    deadline: Duration,
}

/// A message, signed.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The same for every attempt.
    pub id: String,
    /// Of this attempt, in Unix seconds.
    pub seconds: u64,
    /// What [`super::signatures`] makes.
    pub signatures: String,
    /// JSON.
    pub body: Vec<u8>,
    /// The trace that it belongs to, as W3C Trace Context writes it.
    pub traceparent: Option<String>,
}

/// What a server has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// It asks to be left alone for so long.
    pub retry_after: Option<Duration>,
}

/// Why nothing was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("the host has no address")]
    Unresolved,
    #[error("the host has an address that must not be called")]
    Refused,
    #[error("nobody takes the connection")]
    Unreachable,
    #[error("the server cannot prove who it is")]
    Untrusted,
    #[error("it took too long")]
    TimedOut,
    #[error("the answer is not understood")]
    Broken,
}

impl Courier {
    /// One that may call whom the policy allows. Fails if nothing can be encrypted, unless no address is to be.
    pub fn new(policy: Policy, trust: &Trust) -> Result<Courier, TrustError> {
        Ok(Courier {
            encryption: Some(Encryption::new(trust)?),
            ..Courier::unencrypted(policy)
        })
    }

    /// One that sends nothing to https addresses.
    pub fn unencrypted(policy: Policy) -> Courier {
        Courier {
            policy,
            resolver: Box::new(SystemResolver),
            connector: Box::new(SystemConnector),
            encryption: None,
            deadline: DEADLINE,
        }
    }

    /// Looks hosts up elsewhere.
    pub fn resolving(self, resolver: impl Resolve) -> Courier {
        Courier {
            resolver: Box::new(resolver),
            ..self
        }
    }

    /// Opens connections elsewhere.
    pub fn connecting(self, connector: impl Connect) -> Courier {
        Courier {
            connector: Box::new(connector),
            ..self
        }
    }

    /// Waits so long at most.
    pub fn within(self, deadline: Duration) -> Courier {
        Courier { deadline, ..self }
    }

    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Sends a message once.
    pub async fn post(&self, target: &Target, letter: Letter) -> Result<Answer, Failure> {
        let attempt = async {
            let stream = self.connect(target).await?;
            exchange(stream, request(target, letter)?).await
        };
        let attempt = timeout(self.deadline, attempt).await;
        let (response, _driver) = attempt.unwrap_or(Err(Failure::TimedOut))?;
        let answer = Answer {
            status: response.status().as_u16(),
            retry_after: retry_after(response.headers()),
        };
        // What was said is said; how its body ends does not matter.
        let _ = timeout(BODY_DEADLINE, swallow(response)).await;
        Ok(answer)
    }

    /// A connection to an address that was judged. There is no look-up after that.
    async fn connect(&self, target: &Target) -> Result<BoxedStream, Failure> {
        let judged = self.judged(target).await?;
        let stream = self.connect_to(&judged).await?;
        if !target.is_encrypted {
            return Ok(stream);
        }
        let encryption = self.encryption.as_ref().ok_or(Failure::Untrusted)?;
        let encrypted = encryption.encrypt(stream, &target.host).await;
        encrypted.map_err(|error| {
            tracing::debug!(%error, host = target.host, "a receiver is not trusted");
            Failure::Untrusted
        })
    }

    /// The addresses to be called. That there are none is told after the same time, whatever the reason; if the look-up took
    /// longer, the deadline passes.
    async fn judged(&self, target: &Target) -> Result<Vec<SocketAddr>, Failure> {
        let told_at = Instant::now() + SILENCE;
        let found = self.addresses(target).await;
        let judged = found.and_then(|found| {
            let judged = self.policy.all_of(target, found);
            judged.ok_or(Failure::Refused)
        });
        if judged.is_err() {
            match Instant::now() <= told_at {
                true => sleep_until(told_at).await,
                false => sleep(self.deadline).await,
            }
        }
        judged
    }

    async fn connect_to(&self, addresses: &[SocketAddr]) -> Result<BoxedStream, Failure> {
        for address in addresses.iter().take(ADDRESSES_MAX) {
            if let Ok(Ok(stream)) = timeout(CONNECT, self.connector.connect(*address)).await {
                return Ok(stream);
            }
        }
        Err(Failure::Unreachable)
    }

    async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, Failure> {
        if let Ok(address) = target.host.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(address, target.port)]);
        }
        let found = self.resolver.resolve(&target.host, target.port).await;
        match found {
            Ok(found) if !found.is_empty() => Ok(found),
            _ => Err(Failure::Unresolved),
        }
    }
}

fn request(target: &Target, letter: Letter) -> Result<Request<Full<Bytes>>, Failure> {
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(&target.path)
        .header(header::HOST, &target.authority)
        .header(header::USER_AGENT, USER_AGENT)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "*/*")
        .header(header::CONNECTION, "close")
        .header("webhook-id", letter.id)
        .header("webhook-timestamp", letter.seconds)
        .header("webhook-signature", letter.signatures);
    if let Some(trace) = letter.traceparent {
        request = request.header("traceparent", trace);
    }
    let body = Full::new(Bytes::from(letter.body));
    request.body(body).map_err(|_| Failure::Broken)
}

/// The head of the answer, and what keeps the connection going.
async fn exchange(
    stream: BoxedStream,
    request: Request<Full<Bytes>>,
) -> Result<(Response<Incoming>, Driver), Failure> {
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES_MAX)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|_| Failure::Broken)?;
    let driver = Driver::of(async move {
        let _ = connection.await; // what went wrong is told to the sender
    });
    let response = sender.send_request(request).await;
    let response = response.map_err(|error| {
        tracing::debug!(%error, "a receiver does not answer");
        Failure::Broken
    })?;
    Ok((response, driver))
}

/// Lets the receiver finish its answer, unless that is long.
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

/// In seconds; dates are not read.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    let wait = Duration::from_secs(seconds.trim().parse().ok()?);
    Some(wait.min(RETRY_AFTER_MAX))
}

/// A task that ends with its owner.
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
