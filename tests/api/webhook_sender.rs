//! The one who calls strangers' servers: whom it calls, and what it takes from them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::net::TcpListener;
use wyrmgate::webhook_sender::Ports;
use wyrmgate::webhook_sender::{Policy, Resolve, SendFailure, WebhookResponse, WebhookSender};

use super::receiver::{Receiver, message};

fn policy(allow: &[String]) -> Policy {
    Policy {
        allow: allow.iter().map(|text| text.parse().unwrap()).collect(),
        ports: vec!["1-65535".parse::<Ports>().unwrap()],
    }
}

/// Answers one thing after the other; the last one for ever.
struct Script(Arc<AtomicUsize>, Vec<Vec<SocketAddr>>);

#[async_trait]
impl Resolve for Script {
    async fn resolve(&self, _: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
        let at = self.0.fetch_add(1, Ordering::SeqCst);
        Ok(self.1[at.min(self.1.len() - 1)].clone())
    }
}

fn script(answers: &[&[(&str, u16)]]) -> (Arc<AtomicUsize>, Script) {
    let asked = Arc::new(AtomicUsize::new(0));
    let address = |(ip, port): &(&str, u16)| SocketAddr::new(ip.parse().unwrap(), *port);
    let answers = answers.iter().map(|all| all.iter().map(address).collect());
    (asked.clone(), Script(asked, answers.collect()))
}

#[tokio::test]
async fn a_host_is_looked_up_once_and_what_was_judged_is_called() {
    let receiver = Receiver::start().await;
    let port = receiver.port;
    // The first answer is another address of this machine, where nobody listens; a second look-up would lead to the receiver.
    let (asked, resolver) = script(&[&[("127.0.0.2", port)], &[("127.0.0.1", port)]]);
    let policy = policy(&[format!("http://rebinding.example:{port}")]);
    let sender = WebhookSender::unencrypted(policy).resolving(resolver);
    let url = format!("http://rebinding.example:{port}/");
    let target = sender.policy().target(&url).unwrap();
    let answer = sender.send(&target, message()).await;
    assert_eq!(answer, Err(SendFailure::Unreachable));
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert!(receiver.got().is_empty());
    // The next attempt looks again.
    assert_eq!(sender.send(&target, message()).await.unwrap().status, 204);
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    assert_eq!(receiver.got().len(), 1);
}

#[tokio::test]
async fn a_name_that_leads_to_this_machine_is_not_called() {
    let receiver = Receiver::start().await;
    let port = receiver.port;
    for answers in [
        &[("127.0.0.1", port)][..],
        &[("8.8.8.8", port), ("127.0.0.1", port)],
        &[("::1", port)],
        &[("::ffff:127.0.0.1", port)],
        &[("64:ff9b::7f00:1", port)],
        &[("169.254.169.254", port)],
        &[("0.0.0.0", port)],
    ] {
        let (_, resolver) = script(&[answers]);
        let sender = WebhookSender::unencrypted(policy(&[])).resolving(resolver);
        let url = format!("https://harmless.example:{port}/");
        let target = sender.policy().target(&url).unwrap();
        assert_eq!(
            sender.send(&target, message()).await,
            Err(SendFailure::Refused),
            "{answers:?}"
        );
    }
    assert!(receiver.got().is_empty());
}

#[tokio::test]
async fn the_name_of_this_machine_is_not_called() {
    let receiver = Receiver::start().await;
    let sender = WebhookSender::unencrypted(policy(&[]));
    let url = format!("https://localhost:{}/", receiver.port);
    let target = sender.policy().target(&url).unwrap();
    let answer = sender.send(&target, message()).await;
    assert_eq!(answer, Err(SendFailure::Refused));
}

#[tokio::test]
async fn redirects_are_told_and_not_followed() {
    let other = Receiver::start().await;
    let receiver = Receiver::start().await;
    receiver.answer(&format!(
        "307 Temporary Redirect\r\nLocation: {}",
        other.url()
    ));
    let sender = WebhookSender::unencrypted(policy(&[receiver.origin(), other.origin()]));
    let target = sender.policy().target(&receiver.url()).unwrap();
    let answer = sender.send(&target, message()).await;
    assert_eq!(answer.unwrap().status, 307);
    assert_eq!(receiver.got().len(), 1);
    assert!(other.got().is_empty());
}

#[tokio::test]
async fn of_an_answer_the_status_and_the_wish_to_be_left_alone_are_read() {
    let receiver = Receiver::start().await;
    receiver.answer("503 Service Unavailable\r\nRetry-After: 120");
    let sender = WebhookSender::unencrypted(policy(&[receiver.origin()]));
    let target = sender.policy().target(&receiver.url()).unwrap();
    let answer = sender.send(&target, message()).await.unwrap();
    let retry_after = Some(Duration::from_secs(120));
    assert_eq!(
        answer,
        WebhookResponse {
            status: 503,
            retry_after
        }
    );
    let got = &receiver.got()[0];
    assert_eq!(got.line, "POST /hooks?from=wyrmgate HTTP/1.1");
    assert_eq!(got.header("host"), format!("127.0.0.1:{}", receiver.port));
    assert_eq!(got.header("content-type"), "application/json");
    assert!(got.header("user-agent").starts_with("Wyrmgate/"));
    assert!(
        got.headers
            .keys()
            .all(|name| name != "authorization" && name != "cookie")
    );
}

#[tokio::test]
async fn who_does_not_answer_in_time_or_at_all_is_given_up() {
    let receiver = Receiver::start().await;
    receiver.answer("silence");
    let allow = policy(&[receiver.origin(), "http://127.0.0.1:1".into()]);
    let sender = WebhookSender::unencrypted(allow).within(Duration::from_millis(300));
    let target = sender.policy().target(&receiver.url()).unwrap();
    let began = Instant::now();
    assert_eq!(
        sender.send(&target, message()).await,
        Err(SendFailure::TimedOut)
    );
    assert!(began.elapsed() < Duration::from_secs(2));
    let nobody = sender.policy().target("http://127.0.0.1:1/").unwrap();
    assert_eq!(
        sender.send(&nobody, message()).await,
        Err(SendFailure::Unreachable)
    );
}

#[tokio::test]
async fn what_is_not_http_or_has_no_end_does_no_harm() {
    let sender =
        |port: u16| WebhookSender::unencrypted(policy(&[format!("http://127.0.0.1:{port}")]));
    let endless = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n";
    for (text, expected) in [("SSH-2.0-OpenSSH_9.6\r\n", None), (endless, Some(200))] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let speaking = tokio::spawn(async move {
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            stream.write_all(text.as_bytes()).await.unwrap();
            while stream.write_all(&[b'a'; 4096]).await.is_ok() {}
        });
        let sender = sender(port);
        let target = sender
            .policy()
            .target(&format!("http://127.0.0.1:{port}/"))
            .unwrap();
        let answer = sender.send(&target, message()).await;
        match expected {
            Some(status) => assert_eq!(answer.unwrap().status, status),
            None => assert_eq!(answer, Err(SendFailure::Broken)),
        }
        speaking.abort();
    }
}

#[cfg(feature = "tls")]
#[tokio::test]
async fn an_encrypted_receiver_has_to_prove_its_name() {
    use std::sync::Mutex;

    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::TlsAcceptor;
    use wyrmgate::webhook_sender::Trust;

    use super::receiver::serve;

    let certificate = include_str!("../fixtures/tls/cert.pem");
    let key = include_bytes!("../fixtures/tls/key.pem");
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(
        rustls::crypto::ring::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_no_client_auth()
    .with_single_cert(
        vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()],
        PrivateKeyDer::from_pem_slice(key).unwrap(),
    )
    .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let got = Arc::new(Mutex::new(Vec::new()));
    let notes = got.clone();
    let serving = tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            if let Ok(stream) = acceptor.accept(stream).await {
                serve(stream, &notes, &Mutex::new("200 OK".into())).await;
            }
        }
    });
    let (_, resolver) = script(&[&[("127.0.0.1", port)]]);
    let trust = Trust::Pem(certificate.into());
    let sender = WebhookSender::new(policy(&["127.0.0.0/8".into()]), &trust).unwrap();
    let sender = sender.resolving(resolver);
    let post = async |host: &str| {
        let target = sender
            .policy()
            .target(&format!("https://{host}:{port}/"))
            .unwrap();
        sender.send(&target, message()).await
    };
    assert_eq!(post("hooks.example").await.unwrap().status, 200);
    assert_eq!(post("others.example").await, Err(SendFailure::Untrusted));
    assert_eq!(post("127.0.0.1").await, Err(SendFailure::Untrusted));
    assert_eq!(got.lock().unwrap().len(), 1);
    serving.abort();
}
