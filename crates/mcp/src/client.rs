//! Calls the HTTP API of a server.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, ETAG, HOST, HeaderMap, HeaderName, HeaderValue,
};
use hyper::{Method, Request, Uri};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;

use wyrmgate_sessions::webhook_sender::{BoxedStream, Encryption, Trust, TrustError};

/// Longer than any request may wait.
const DEADLINE: Duration = Duration::from_secs(75);
/// Maximum size of an answer.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A server with the HTTP API.
#[derive(Clone)]
pub struct Api {
    host: Arc<str>,
    port: u16,
    encryption: Option<Arc<Encryption>>,
    /// The operator key, if the server requires one. It is sent with requests that have no token.
    key: Option<Arc<str>>,
    /// Headers of every request.
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// Why there is no such server.
#[derive(Debug, thiserror::Error)]
pub enum NoApi {
    #[error("`{0}` is not the address of a server; use one such as `http://127.0.0.1:8080`")]
    Address(String),
    #[error(transparent)]
    Trust(#[from] TrustError),
}

/// A request.
pub struct ApiRequest<'c> {
    pub method: Method,
    /// The path with its query.
    pub path: String,
    /// The token of a seat or an invite code. Without one, the operator key is sent.
    pub token: Option<&'c str>,
    pub accept: &'static str,
    pub body: Option<Value>,
    /// How long to wait for a change, in seconds.
    pub wait: Option<u64>,
}

/// An answer that arrived.
pub struct ServerAnswer {
    pub status: u16,
    /// The version of the table that the answer shows, from its `ETag`; 0 without one.
    pub version: u64,
    pub bytes: Bytes,
}

impl ApiRequest<'_> {
    pub fn get(path: impl Into<String>) -> ApiRequest<'static> {
        ApiRequest {
            method: Method::GET,
            path: path.into(),
            token: None,
            accept: "application/json",
            body: None,
            wait: None,
        }
    }

    pub fn send(method: Method, path: impl Into<String>, body: Value) -> ApiRequest<'static> {
        ApiRequest {
            method,
            body: Some(body),
            ..ApiRequest::get(path)
        }
    }
}

impl<'c> ApiRequest<'c> {
    pub fn with(self, token: Option<&'c str>) -> ApiRequest<'c> {
        ApiRequest { token, ..self }
    }

    pub fn in_text(self) -> ApiRequest<'c> {
        ApiRequest {
            accept: "text/plain",
            ..self
        }
    }
}

impl ServerAnswer {
    pub fn is_good(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn json(&self) -> Result<Value, String> {
        let json = serde_json::from_slice(&self.bytes);
        json.map_err(|error| format!("the server's answer is not readable: {error}"))
    }
}

impl Api {
    /// Returns the server at an address such as `https://play.example.org`.
    pub fn at(address: &str, key: Option<&str>) -> Result<Api, NoApi> {
        let wrong = || NoApi::Address(address.to_owned());
        let uri: Uri = address.trim_end_matches('/').parse().map_err(|_| wrong())?;
        let host = uri.host().ok_or_else(wrong)?;
        let (usual_port, encryption) = match uri.scheme_str() {
            Some("http") => (80, None),
            Some("https") => (443, Some(Arc::new(Encryption::new(&Trust::System)?))),
            _ => return Err(wrong()),
        };
        Ok(Api {
            host: host.into(),
            port: uri.port_u16().unwrap_or(usual_port),
            encryption,
            key: key.map(Into::into),
            headers: Vec::new(),
        })
    }

    /// Returns the token of the player for whom the requests are made, if that is the key.
    pub fn player(&self) -> Option<&str> {
        self.key
            .as_deref()
            .filter(|key| key.starts_with("wg_player_"))
    }

    /// Returns the answer. The error is a sentence for the model.
    pub async fn call(&self, call: ApiRequest<'_>) -> Result<ServerAnswer, String> {
        let exchanged = timeout(DEADLINE, self.exchange(call)).await;
        let exchanged = exchanged.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        exchanged.map_err(|error| format!("the game server does not answer ({error}); try again"))
    }

    async fn exchange(&self, call: ApiRequest<'_>) -> io::Result<ServerAnswer> {
        let stream = self.connect().await?;
        let handshake = http1::handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = handshake.map_err(io::Error::other)?;
        let driver = tokio::spawn(connection).abort_handle();
        let answered = async {
            let request = self.request(call)?;
            let response = sender
                .send_request(request)
                .await
                .map_err(io::Error::other)?;
            let status = response.status().as_u16();
            let version = response.headers().get(ETAG).map_or(0, version_of);
            let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX);
            let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
            Ok(ServerAnswer {
                status,
                version,
                bytes: body,
            })
        };
        let answered = answered.await;
        driver.abort();
        answered
    }

    async fn connect(&self) -> io::Result<BoxedStream> {
        let stream = TcpStream::connect((&*self.host, self.port)).await?;
        let _ = stream.set_nodelay(true); // it works without, and later
        match &self.encryption {
            Some(encryption) => encryption.encrypt(Box::new(stream), &self.host).await,
            None => Ok(Box::new(stream)),
        }
    }

    fn request(&self, call: ApiRequest<'_>) -> io::Result<Request<Full<Bytes>>> {
        let mut request = Request::builder()
            .method(call.method)
            .uri(call.path)
            .header(HOST, format!("{}:{}", self.host, self.port))
            .header(ACCEPT, call.accept);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(token) = call.token.or(self.key.as_deref()) {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(wait) = call.wait {
            request = request.header("prefer", format!("wait={wait}"));
        }
        let body = match call.body {
            Some(body) => {
                request = request.header(CONTENT_TYPE, "application/json");
                Bytes::from(body.to_string())
            }
            None => Bytes::new(),
        };
        request.body(Full::new(body)).map_err(io::Error::other)
    }
}

fn version_of(tag: &HeaderValue) -> u64 {
    let tag = tag.to_str().unwrap_or_default();
    let digits = tag.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let digits = digits.split(|letter: char| !letter.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Returns the API on behalf of the client whose request came with these headers. Its calls repeat some of them.
pub fn on_behalf_of(api: &Api, headers: &HeaderMap, repeated: &[HeaderName]) -> Api {
    let bearer = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let key = bearer
        .and_then(|bearer| bearer.split_once(' '))
        .map(|(_, key)| key.trim().to_owned());
    let repeated = repeated.iter().filter_map(|name| {
        let value = headers.get(name)?;
        Some((name.clone(), value.clone()))
    });
    Api {
        key: key.map(Into::into),
        headers: repeated.collect(),
        ..api.clone()
    }
}
