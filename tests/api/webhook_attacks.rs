//! Receivers of webhooks that mean harm: they answer bit by bit, without end or not at all, hold calls up, or point at what
//! they cannot reach themselves.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use wyrmgate::config::Config;
use wyrmgate::webhook_sender::{Policy, SendFailure, WebhookSender};

use super::receiver::{Receiver, message};
use super::support::{Server, Session, TOLL, config, expect, text};

/// The time limit of the calls below.
const LIMIT: Duration = Duration::from_millis(800);
/// Beyond the limit: for the end of a body, and for a slow machine.
const SOON_AFTER: Duration = Duration::from_millis(1_500);

/// A server that reads a request and then does as it likes, until the test is over.
struct Rogue {
    port: u16,
    task: JoinHandle<()>,
}

impl Rogue {
    async fn start<F, Done>(behave: F) -> Rogue
    where
        F: Fn(TcpStream) -> Done + Send + Sync + 'static,
        Done: Future<Output = std::io::Result<()>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let task = tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.read(&mut [0; 4096]).await;
                tokio::spawn(behave(stream));
            }
        });
        Rogue { port, task }
    }

    fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the result of one call, and its duration.
    async fn called(&self) -> (Result<u16, SendFailure>, Duration) {
        let policy = Policy {
            allow: vec![self.origin().parse().unwrap()],
            ports: Vec::new(),
        };
        let sender = WebhookSender::unencrypted(policy).within(LIMIT);
        let target = sender.policy().target(&self.origin()).unwrap();
        let began = Instant::now();
        let answer = sender.send(&target, message()).await;
        (answer.map(|answer| answer.status), began.elapsed())
    }
}

impl Drop for Rogue {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Writes this again and again, with a pause.
async fn repeat(mut stream: TcpStream, text: &[u8], pause: Duration) -> std::io::Result<()> {
    loop {
        stream.write_all(text).await?;
        tokio::time::sleep(pause).await;
    }
}

#[tokio::test]
async fn who_answers_bit_by_bit_or_without_end_is_given_up_in_time() {
    const BIT: Duration = Duration::from_millis(50);
    let bit_by_bit = Rogue::start(|mut stream| async move {
        for byte in b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n" {
            stream.write_all(&[*byte]).await?;
            tokio::time::sleep(BIT).await;
        }
        Ok(())
    });
    let headers = Rogue::start(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        repeat(stream, b"a: b\r\n", BIT).await
    });
    let provisional = Rogue::start(|stream| repeat(stream, b"HTTP/1.1 100 Continue\r\n\r\n", BIT));
    let never = Rogue::start(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
        Ok(())
    });
    for rogue in [
        bit_by_bit.await,
        headers.await,
        provisional.await,
        never.await,
    ] {
        let (answer, took) = rogue.called().await;
        assert_eq!(answer, Err(SendFailure::TimedOut));
        assert!(took >= LIMIT && took < LIMIT + SOON_AFTER, "{took:?}");
    }
    // Faster than the time limit, and bounded by its size.
    let flood = Rogue::start(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        repeat(stream, &b"a: b\r\n".repeat(1_000), Duration::ZERO).await
    });
    let (answer, took) = flood.await.called().await;
    assert_eq!(answer, Err(SendFailure::Broken));
    assert!(took < LIMIT + SOON_AFTER, "{took:?}");
}

#[tokio::test]
async fn once_the_status_is_known_the_body_holds_nobody_up() {
    let slowly = Rogue::start(|mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n";
        stream.write_all(head).await?;
        repeat(stream, b"a", Duration::from_millis(100)).await
    });
    let chunks = Rogue::start(|mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        stream.write_all(head).await?;
        repeat(stream, b"1\r\na\r\n", Duration::ZERO).await
    });
    let breaks_off = Rogue::start(|mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc";
        stream.write_all(head).await
    });
    for rogue in [slowly.await, chunks.await, breaks_off.await] {
        let (answer, took) = rogue.called().await;
        assert_eq!(answer, Ok(200));
        assert!(took < SOON_AFTER, "{took:?}");
    }
}

#[tokio::test]
async fn who_breaks_off_in_the_head_has_not_answered() {
    for part in ["", "HTT", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\ncontent-le"] {
        let rogue =
            Rogue::start(move |mut stream| async move { stream.write_all(part.as_bytes()).await });
        let (answer, took) = rogue.await.called().await;
        assert_eq!(answer, Err(SendFailure::Broken), "{part}");
        assert!(took < LIMIT + SOON_AFTER, "{took:?}");
    }
}

/// Lets webhooks call these places.
fn calling(origins: &[String]) -> Config {
    Config {
        webhooks: true,
        webhook_allow: origins.iter().map(|text| text.parse().unwrap()).collect(),
        webhook_retry: Duration::from_millis(100),
        ..config()
    }
}

/// A new game of two that tells this address of all changes, and the id of the webhook.
async fn telling<'s>(server: &'s Server, url: &str) -> (Session<'s>, String) {
    let order = json!({"game": TOLL, "seats": ["open", "open"]});
    let session = server.create(order).await;
    let wanted = json!({"url": url, "events": ["session.changed"]});
    let order = server.post(&session.at("/webhooks"), wanted);
    let created = order.bearer_auth(&session.owner).send().await.unwrap();
    let webhook = expect(created, StatusCode::CREATED).await;
    let id = text(&webhook, "id");
    (session, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_never_answers_does_not_stop_the_webhooks_of_others() {
    const SESSIONS: usize = 150;
    let never = Rogue::start(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
        Ok(())
    });
    let (never, good) = (never.await, Receiver::start().await);
    // Another receiver has another name.
    let good_url = format!("http://localhost:{}", good.port);
    let server = Server::with(calling(&[never.origin(), good_url.clone()])).await;
    let url = never.origin();
    // One after the other: a connection that a client opened and does not use is closed by the server.
    for _ in 0..SESSIONS {
        let (session, _) = telling(&server, &url).await;
        session.claim(1).await;
    }
    let (session, id) = telling(&server, &good_url).await;
    let began = Instant::now();
    session.claim(1).await;
    good.wait(1).await;
    // Without shares it waited for the calls of two rounds to time out: ten seconds.
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
    let path = format!("/webhooks/{id}");
    let webhook = session.get(&path, Some(&session.owner)).await;
    assert_eq!(webhook["failures"], 0);
}

/// A receiver that takes its time, so that messages wait.
async fn slow() -> (Rogue, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let count = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let rogue = Rogue::start(move |mut stream| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move {
            tokio::time::sleep(Duration::from_millis(400)).await;
            let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
            stream.write_all(answer).await
        }
    });
    (rogue.await, count)
}

/// Changes the session so often that messages wait.
async fn change_often(session: &Session<'_>) {
    for _ in 0..4 {
        session.claim(1).await;
        let leave = session
            .server
            .request(reqwest::Method::DELETE, &session.at("/seats/1"));
        let left = leave.bearer_auth(&session.owner).send().await.unwrap();
        assert!(left.status().is_success(), "{}", left.status());
    }
}

#[tokio::test]
async fn a_session_or_webhook_that_is_removed_calls_nobody_any_more() {
    use std::sync::atomic::Ordering;
    for is_session in [true, false] {
        let (receiver, count) = slow().await;
        let server = Server::with(calling(&[receiver.origin()])).await;
        let (session, id) = telling(&server, &receiver.origin()).await;
        change_often(&session).await;
        let began = Instant::now();
        // The first message was sent by itself; all that waited meanwhile belong to one round.
        while count.load(Ordering::SeqCst) < 2 {
            assert!(began.elapsed() < Duration::from_secs(5), "nothing is sent");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let path = match is_session {
            true => session.at(""),
            false => session.at(&format!("/webhooks/{id}")),
        };
        let remove = server.request(reqwest::Method::DELETE, &path);
        let removed = remove.bearer_auth(&session.owner).send().await.unwrap();
        assert_eq!(removed.status(), StatusCode::NO_CONTENT);
        let sent = count.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(1_800)).await;
        let later = count.load(Ordering::SeqCst);
        assert!(later <= sent + 1, "{sent} before, {later} after");
    }
}

/// A webhook to the server itself arrives as the request of a stranger, which the server rejects.
#[tokio::test]
async fn a_server_that_calls_itself_does_nothing() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let own = format!("http://127.0.0.1:{port}");
    let config = Config {
        listen: format!("127.0.0.1:{port}"),
        ..calling(std::slice::from_ref(&own))
    };
    let server = Server::with(config).await;
    let (target, _) = telling(&server, "https://example.org/").await;
    let before = target.get("", None).await;
    let paths = [
        "/v1/sessions",
        "/v1/rulesets",
        "/v1/ruleset-checks",
        "/v1/steps",
        "/v1/simulations",
        &target.at("/moves"),
        &target.at("/forks"),
        &target.at("/undos"),
        &target.at("/webhooks"),
    ];
    for path in paths {
        let (session, id) = telling(&server, &format!("{own}{path}")).await;
        let ping = server.post(&session.at(&format!("/webhooks/{id}/pings")), json!({}));
        let ping = ping.bearer_auth(&session.owner).send().await.unwrap();
        let delivery = expect(ping, StatusCode::OK).await;
        let status = delivery["status"].as_u64();
        assert!(
            status.is_some_and(|status| (400..500).contains(&status)),
            "{path}: {delivery}"
        );
    }
    assert_eq!(target.get("", None).await, before);
    let all = server.get("/v1/sessions?limit=100").send().await.unwrap();
    let all: Value = expect(all, StatusCode::OK).await;
    assert_eq!(all["items"].as_array().unwrap().len(), paths.len() + 1);
}
