//! Many at once.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use serde_json::json;

use super::support::{Server, TOLL, config, text};

const RIVALS: usize = 40;

#[tokio::test]
async fn of_many_moves_on_one_version_exactly_one_succeeds() {
    for store in ["memory".to_owned(), embedded().1] {
        let mut config = config();
        config.store = store;
        let server = Server::with(config).await;
        let (session, [first, _]) = server.duel(TOLL).await;
        let orders = (0..RIVALS)
            .map(|n| session.order(&first, json!({"version": 3, "args": {"n": n % 3 + 1}})));
        let running: Vec<_> = orders.map(|order| tokio::spawn(order.send())).collect();
        let mut statuses = Vec::new();
        for answer in running {
            statuses.push(answer.await.unwrap().unwrap().status());
        }
        let won = |status: &&StatusCode| **status == StatusCode::CREATED;
        let lost = |status: &&StatusCode| **status == StatusCode::PRECONDITION_FAILED;
        assert_eq!(statuses.iter().filter(won).count(), 1);
        assert_eq!(statuses.iter().filter(lost).count(), RIVALS - 1);
        assert_eq!(session.version().await, 4);
    }
}

#[tokio::test]
async fn of_many_claims_of_one_seat_exactly_one_succeeds() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let claims = (0..RIVALS).map(|_| server.put(&session.at("/seats/1"), json!({})));
    let running: Vec<_> = claims.map(|claim| tokio::spawn(claim.send())).collect();
    let mut tokens = BTreeSet::new();
    for answer in running {
        let answer = answer.await.unwrap().unwrap();
        if answer.status() == StatusCode::CREATED {
            tokens.insert(text(&answer.json().await.unwrap(), "token"));
        }
    }
    assert_eq!(tokens.len(), 1);
}

#[tokio::test]
async fn the_same_key_at_once_has_one_effect() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let order = || {
        let order = session.order(&first, json!({"args": {"n": 1}}));
        order.header("idempotency-key", "once")
    };
    let running: Vec<_> = (0..RIVALS).map(|_| tokio::spawn(order().send())).collect();
    for answer in running {
        let answer = answer.await.unwrap().unwrap();
        let status = answer.status();
        if status == StatusCode::CONFLICT {
            assert!(answer.headers().contains_key("retry-after"));
            let problem: serde_json::Value = answer.json().await.unwrap();
            assert_eq!(problem["code"], "idempotency-in-flight");
        } else {
            assert_eq!(status, StatusCode::CREATED);
        }
    }
    assert_eq!(session.version().await, 4);
}

/// A store on disk that lasts as long as the folder.
pub fn embedded() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sessions.redb");
    (folder, format!("embedded:{}", path.display()))
}
