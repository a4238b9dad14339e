//! Extractors for queries and bodies. They refuse unknown members, oversized bodies and slow clients, and point at the
//! part of the request that is wrong.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;

use crate::api::request::app::App;
use crate::api::request::numbers::make_whole;
use crate::api::request::object::Object;
use crate::api::request::{body_error, fields, pointer};
use crate::api::shared::accept::JSON;
use crate::api::shared::problem::{Problem, ProblemCode};

/// A JSON body.
pub struct Json<T>(pub T);

/// A JSON body that contains rules or many states and may therefore be larger.
pub struct LargeJson<T>(pub T);

/// Maximum size of a large body: the largest ruleset, with room for the JSON encoding of its texts, and many states.
const LARGE_BYTES_MAX: usize = 2 * 1024 * 1024;

/// An optional JSON body.
pub struct OptionalJson<T>(pub T);

/// Reads the query of a request. Unknown parameters are refused.
pub fn query_of<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, Problem> {
    let rest = fields::rest_of_query(request);
    let query = rest.as_deref().unwrap_or(request.query_string());
    let asked = web::Query::<T>::from_query(query);
    if let Some(name) = signed(query) {
        let digits = format!("`{name}` has a sign: write digits alone");
        return Err(Problem::malformed(&name, digits));
    }
    match asked {
        Ok(query) => Ok(query.into_inner()),
        Err(error) => Err(bad_query::<T>(query, &error.to_string())),
    }
}

/// Returns the name of a parameter that is a number with a plus sign, which the parser of numbers would accept.
fn signed(query: &str) -> Option<String> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(query).ok()?;
    let is_signed = |value: &str| {
        let digits = value.strip_prefix('+').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut pairs = pairs.into_inner().into_iter();
    pairs.find_map(|(name, value)| is_signed(&value).then_some(name))
}

/// Returns the problem for an invalid query. The parser does not say which parameter is wrong: it is the one that is wrong
/// alone, or the one that the message names because it is missing or stands there twice.
fn bad_query<T: DeserializeOwned>(query: &str, error: &str) -> Problem {
    let is_wrong = |pair: &&str| {
        let alone = web::Query::<T>::from_query(pair);
        alone.is_err_and(|alone| alone.to_string() == error)
    };
    let message = error.strip_prefix("Query deserialize error: ");
    let message = message.unwrap_or(error);
    let wrong = query.split('&').find(is_wrong);
    let wrong = wrong.filter(|_| !message.starts_with("missing field"));
    let wrong = wrong.and_then(|pair| pair.split('=').next());
    let name = wrong.or_else(|| message.split('`').nth(1));
    Problem::malformed(name.unwrap_or_default(), body_error::of_query(message))
}

type Extracting<T> = LocalBoxFuture<'static, Result<T, Problem>>;

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = Problem;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        parsed(ArrivingBody::of(request, payload), Json)
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for LargeJson<T> {
    type Error = Problem;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = ArrivingBody::up_to(Some(LARGE_BYTES_MAX), request, payload);
        parsed(body, LargeJson)
    }
}

/// Reads a body that must be there.
fn parsed<T: DeserializeOwned + 'static, B: 'static>(
    body: Result<ArrivingBody, Problem>,
    wrap: fn(T) -> B,
) -> Extracting<B> {
    Box::pin(async move {
        let body = body?;
        body.check_type()?;
        parse(&body.read().await?).map(wrap)
    })
}

impl<T: DeserializeOwned + Default + 'static> FromRequest for OptionalJson<T> {
    type Error = Problem;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = ArrivingBody::of(request, payload);
        Box::pin(async move {
            let body = body?;
            let typed = body.check_type();
            let bytes = body.read().await?;
            if bytes.is_empty() {
                return Ok(OptionalJson(T::default()));
            }
            typed?;
            parse(&bytes).map(OptionalJson)
        })
    }
}

/// Reads the whole body, up to the largest limit of any handler.
pub async fn read_body(request: &HttpRequest, payload: &mut Payload) -> Result<Bytes, Problem> {
    let body = ArrivingBody::up_to(Some(LARGE_BYTES_MAX), request, payload)?;
    body.read().await
}

/// Time for reading bytes that have arrived already.
const GRACE: Duration = Duration::from_millis(100);
/// How much of a body that is too large is read before it is refused (bytes).
const DISCARDED_MAX: usize = 8 << 20;
/// How long such a body is read.
const DISCARDING_MAX: Duration = Duration::from_secs(1);

/// A body that has not arrived yet.
struct ArrivingBody {
    payload: Payload,
    /// Whether it is JSON in UTF-8 that nobody has compressed.
    is_plain_json: bool,
    /// By what the request announces.
    is_too_large: bool,
    size_max: usize,
    deadline: Duration,
}

impl ArrivingBody {
    fn of(request: &HttpRequest, payload: &mut Payload) -> Result<ArrivingBody, Problem> {
        ArrivingBody::up_to(None, request, payload)
    }

    /// Creates a reader with its own limit, or the configured one.
    fn up_to(
        size_max: Option<usize>,
        request: &HttpRequest,
        payload: &mut Payload,
    ) -> Result<ArrivingBody, Problem> {
        let app = request.app_data::<web::Data<App>>();
        let config = &app
            .ok_or_else(|| Problem::new(ProblemCode::Internal))?
            .config;
        let size_max = size_max.unwrap_or(config.body_max);
        let announced = request.headers().get(CONTENT_LENGTH);
        let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        Ok(ArrivingBody {
            is_too_large: announced.is_some_and(|length| length > size_max as u64),
            payload: payload.take(),
            is_plain_json: is_plain_json(request),
            size_max,
            deadline: config.body_deadline,
        })
    }

    fn check_type(&self) -> Result<(), Problem> {
        let wanted = "the body must have `Content-Type: application/json`, in UTF-8 and without a `Content-Encoding`";
        match self.is_plain_json {
            true => Ok(()),
            false => Err(Problem::new(ProblemCode::UnsupportedMediaType).detail(wanted)),
        }
    }

    async fn read(mut self) -> Result<Bytes, Problem> {
        let mut bytes = Bytes::new();
        let size_max = self.size_max;
        if self.is_too_large {
            discard(&mut self.payload).await;
            return Err(too_large(size_max));
        }
        let reading = async {
            while let Some(chunk) = self.payload.next().await {
                let chunk = chunk.map_err(|error| {
                    Problem::malformed("", format!("cannot read the body: {error}"))
                })?;
                if bytes.len() + chunk.len() > size_max {
                    discard(&mut self.payload).await;
                    return Err(too_large(size_max));
                }
                bytes = joined(bytes, chunk);
            }
            Ok(bytes)
        };
        let mut reading = pin!(reading);
        // A body that arrived with the head needs no timer.
        if let Some(read) = at_once(reading.as_mut()).await {
            return read;
        }
        if let Ok(read) = tokio::time::timeout(self.deadline, reading.as_mut()).await {
            return read;
        }
        // The deadline may have passed while this process was paused; bytes that arrived in the meantime count as in
        // time.
        match tokio::time::timeout(GRACE, reading).await {
            Ok(read) => read,
            Err(_) => Err(Problem::new(ProblemCode::Timeout)),
        }
    }
}

fn is_plain_json(request: &HttpRequest) -> bool {
    let header = |name| {
        request
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap_or("?"))
    };
    let encoding = header(CONTENT_ENCODING).unwrap_or("identity");
    let mut parameters = header(CONTENT_TYPE).unwrap_or_default().split(';').skip(1);
    let is_utf8 = |parameter: &str| {
        let charset = parameter.trim().to_ascii_lowercase();
        let charset = charset
            .strip_prefix("charset=")
            .map(|name| name.trim_matches('"'));
        charset.is_none_or(|name| name == "utf-8" || name == "utf8")
    };
    request.content_type().eq_ignore_ascii_case(JSON)
        && encoding.trim().eq_ignore_ascii_case("identity")
        && parameters.all(is_utf8)
}

/// Reads and drops what still arrives of a body that is refused: a client that is writing would see a broken connection instead
/// of the answer.
async fn discard(payload: &mut Payload) {
    let mut left = DISCARDED_MAX;
    let discarding = async {
        while left > 0
            && let Some(Ok(chunk)) = payload.next().await
        {
            left = left.saturating_sub(chunk.len());
        }
    };
    // Who sends more, or slowly, is answered all the same.
    let _ = tokio::time::timeout(DISCARDING_MAX, discarding).await;
}

/// Most bodies are a single chunk, which is not copied.
fn joined(before: Bytes, chunk: Bytes) -> Bytes {
    if before.is_empty() {
        return chunk;
    }
    let mut bytes = BytesMut::from(before);
    bytes.extend_from_slice(&chunk);
    bytes.freeze()
}

/// Returns the output of work that is done when it is polled for the second time: the framework reads a body that arrived
/// with the head only after it has polled the handler once.
async fn at_once<T>(mut work: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    let mut is_first = true;
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if is_first => {
            is_first = false;
            context.waker().wake_by_ref();
            Poll::Pending
        }
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

fn too_large(size_max: usize) -> Problem {
    Problem::new(ProblemCode::TooLarge)
        .detail(format!("the body exceeds the limit of {size_max} bytes"))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let parsed = serde_json::from_slice(bytes).map(|Object(body)| body);
    parsed.or_else(|error| {
        let as_whole = parse_whole(bytes);
        as_whole.ok_or_else(|| {
            let place = pointer::of(bytes, error.line(), error.column());
            Problem::malformed(&place, body_error::words(&error))
        })
    })
}

/// Parses a body in which whole numbers may be written as 5.0, which JSON does not distinguish from 5.
fn parse_whole<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut value = serde_json::from_slice(bytes).ok()?;
    if !make_whole(&mut value) {
        return None;
    }
    serde_json::from_value(value).ok().map(|Object(body)| body)
}
