//! Copies that clients keep: when the service says that one is still current, it is what would be sent.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::support::{TOLL, bearing, expect, text};
use super::writes::{Place, writes};

/// Reads of a session that carry an entity tag.
const READS: [&str; 9] = [
    "",
    "/view",
    "/actions",
    "/board.svg",
    "/board.txt",
    "/events",
    "/record",
    "/seats/1",
    "/standing-orders",
];

/// Who reads, and what it has read: the address, the entity tag and the body.
struct Copy {
    token: Option<String>,
    path: String,
    tag: String,
    body: String,
}

/// Removes how much time is left, which a copy may have from the moment at which it was made.
fn timeless(body: &str) -> String {
    let Ok(mut document) = serde_json::from_str(body) else {
        let is_time = |word: &&str| !word.contains(':') && !word.contains("remaining");
        return body.split_whitespace().filter(is_time).collect();
    };
    forget_times(&mut document);
    document.to_string()
}

fn forget_times(document: &mut Value) {
    match document {
        Value::Object(members) => {
            members.retain(|name, _| !name.ends_with("_ms") && name != "clocks");
            members.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

async fn copies(place: &Place, session: &str, tokens: &[String]) -> Vec<Copy> {
    let mut copies = Vec::new();
    for token in tokens.iter().map(Some).chain([None]) {
        for read in READS {
            let path = format!("{session}{read}");
            let request = bearing(place.server.get(&path), token.map(String::as_str));
            let response = request.send().await.unwrap();
            if response.status() != StatusCode::OK {
                continue;
            }
            let tag = response.headers()["etag"].to_str().unwrap().to_owned();
            copies.push(Copy {
                token: token.cloned(),
                path,
                tag,
                body: response.text().await.unwrap(),
            });
        }
    }
    copies
}

/// Returns the copies that are said to be current and are not.
async fn stale(place: &Place, copies: &[Copy]) -> Vec<String> {
    let mut stale = Vec::new();
    for copy in copies {
        let read = || bearing(place.server.get(&copy.path), copy.token.as_deref());
        let asked = read().header("if-none-match", &copy.tag);
        if asked.send().await.unwrap().status() != StatusCode::NOT_MODIFIED {
            continue;
        }
        let now = read().send().await.unwrap().text().await.unwrap();
        if timeless(&now) != timeless(&copy.body) {
            stale.push(format!("{}\n  was {}\n  is  {now}", copy.path, copy.body));
        }
    }
    stale
}

#[tokio::test]
async fn what_is_said_to_be_current_is_what_would_be_sent_after_every_write() {
    let place = Place::open().await;
    let mut found = Vec::new();
    let mut kept = 0;
    for (operation, _) in writes() {
        let Some(write) = place.write(&operation).await else {
            continue;
        };
        let mut parts = write.path.splitn(5, '/');
        let (Some("sessions"), Some(id)) = (parts.nth(2), parts.next()) else {
            continue;
        };
        let session = format!("/v1/sessions/{id}");
        let copies = copies(&place, &session, &write.readers).await;
        kept += copies.len();
        let made = place
            .send(&write, &write.body, Some("once"))
            .send()
            .await
            .unwrap();
        assert!(
            made.status().is_success(),
            "{operation}: {}",
            made.text().await.unwrap()
        );
        let stale = stale(&place, &copies).await;
        found.extend(
            stale
                .into_iter()
                .map(|stale| format!("{operation}: {stale}")),
        );
    }
    assert!(kept > 300, "{kept}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A guest: its id and its credential.
async fn guest(place: &Place) -> (String, String) {
    let made = place.server.post("/v1/players", json!({"name": "Ann"}));
    let made = expect(made.send().await.unwrap(), StatusCode::CREATED).await;
    (text(&made, "id"), text(&made, "token"))
}

#[tokio::test]
async fn what_is_said_to_be_current_is_what_would_be_sent_whatever_becomes_of_players() {
    let place = Place::open().await;
    for (is_over, is_forgotten) in [(false, false), (false, true), (true, true)] {
        let (player, token) = guest(&place).await;
        let (session, owner) = place.create(json!({"game": TOLL})).await;
        let seat = |number: u8| format!("{session}/seats/{number}");
        if is_forgotten {
            let claim = place.server.put(&seat(1), json!({})).bearer_auth(&token);
            expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
        }
        if is_over {
            place.claim(&session, 2).await;
            let end = place.server.post(&format!("{session}/abort"), json!({}));
            expect(
                end.bearer_auth(&owner).send().await.unwrap(),
                StatusCode::OK,
            )
            .await;
        }
        let copies = copies(&place, &session, std::slice::from_ref(&owner)).await;
        assert!(copies.len() > 8);
        let change = match is_forgotten {
            true => place
                .server
                .request(Method::DELETE, "/v1/players/me")
                .bearer_auth(&token),
            false => {
                let reserve = place.server.put(&seat(1), json!({"reserve_for": player}));
                reserve.bearer_auth(&owner)
            }
        };
        let made = change.send().await.unwrap();
        assert!(made.status().is_success(), "{}", made.text().await.unwrap());
        let stale = stale(&place, &copies).await;
        assert!(
            stale.is_empty(),
            "{is_over} {is_forgotten}: {}",
            stale.join("\n")
        );
    }
}

#[tokio::test]
async fn a_host_who_is_forgotten_is_in_no_copy_that_is_said_to_be_current() {
    let place = Place::open().await;
    let zoe = |method, path: &str| {
        let request = place.server.request(method, path);
        request.bearer_auth(&place.key).header("act-as", "zoe")
    };
    let create = zoe(Method::POST, "/v1/sessions").json(&json!({"game": TOLL}));
    let created = expect(create.send().await.unwrap(), StatusCode::CREATED).await;
    assert!(created["host"].is_string());
    let session = format!("/v1/sessions/{}", text(&created, "id"));
    let copies = copies(&place, &session, &[text(&created, "owner_token")]).await;
    let forgotten = zoe(Method::DELETE, "/v1/players/me").send().await.unwrap();
    assert_eq!(forgotten.status(), StatusCode::NO_CONTENT);
    let stale = stale(&place, &copies).await;
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}
