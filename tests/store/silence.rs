//! A connection that falls silent without being closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use wyrmgate::store::{Create, Notification, open, session_id};

use crate::server::Server;

/// A proxy that forwards everything, until it falls silent for all connections that exist then.
struct Between {
    port: u16,
    silences: Arc<AtomicU64>,
}

impl Between {
    async fn start(server: &str) -> Between {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let silences = Arc::new(AtomicU64::new(0));
        let (server, seen) = (server.to_owned(), silences.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                let ((from_client, to_client), (from_server, to_server)) =
                    (client.into_split(), server.into_split());
                tokio::spawn(pass_on(from_client, to_server, seen.clone()));
                tokio::spawn(pass_on(from_server, to_client, seen.clone()));
            }
        });
        Between { port, silences }
    }

    fn fall_silent(&self) {
        self.silences.fetch_add(1, Ordering::SeqCst);
    }
}

async fn pass_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, silences: Arc<AtomicU64>) {
    let before = silences.load(Ordering::SeqCst);
    let mut bytes = vec![0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if silences.load(Ordering::SeqCst) == before && to.write_all(&bytes[..count]).await.is_err()
        {
            return;
        }
    }
}

#[tokio::test]
async fn a_connection_that_falls_silent_without_an_end_is_replaced() {
    let server = Server::start();
    let address = server.url().replace("redis://", "");
    let between = Between::start(&address).await;
    let store = open(&format!("redis://127.0.0.1:{}", between.port))
        .await
        .unwrap();
    let session = session_id(None).unwrap();
    store.create(Create::new(&session)).await.unwrap();
    let mut subscription = store.subscribe(&session).await.unwrap();
    between.fall_silent();
    let answered = async {
        while store.load(&session).await.is_err() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), answered)
        .await
        .expect("nobody has connected anew");
    // Notifications arrive over the new connection too.
    let heard = async {
        loop {
            assert!(store.remove(&session).await.is_ok());
            if timeout(Duration::from_secs(2), subscription.notified())
                .await
                .is_ok()
            {
                return;
            }
        }
    };
    timeout(Duration::from_secs(10), heard)
        .await
        .expect("no notification");
}

/// Without any requests, the store must find out by itself that the connection is silent.
#[tokio::test]
async fn who_only_listens_is_told_when_the_connection_had_fallen_silent() {
    let server = Server::start();
    let address = server.url().replace("redis://", "");
    let between = Between::start(&address).await;
    let store = open(&format!("redis://127.0.0.1:{}", between.port))
        .await
        .unwrap();
    let session = session_id(None).unwrap();
    store.create(Create::new(&session)).await.unwrap();
    let mut subscription = store.subscribe(&session).await.unwrap();
    between.fall_silent();
    let other = open(&server.url()).await.unwrap();
    assert!(other.remove(&session).await.unwrap());
    let heard = timeout(Duration::from_secs(40), subscription.notified()).await;
    assert_eq!(heard.expect("no notification"), Notification::Missed);
}
