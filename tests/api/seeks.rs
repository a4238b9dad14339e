//! Finding each other: seeks, quick matches and challenges.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::players::{guest, ok, told};
use super::races::embedded;
use super::redis;
use super::streams::Reader;
use super::support::{Server, TOLL, TRADE, WINK, bearing, config, expect, refused, text};

/// Who seeks: a player, or somebody without an identity.
type Who<'w> = Option<&'w str>;

fn seeking(server: &Server, who: Who<'_>, wanted: Value) -> RequestBuilder {
    bearing(server.post("/v1/seeks", wanted), who)
}

async fn seek(server: &Server, who: Who<'_>, wanted: Value) -> Value {
    let found = seeking(server, who, wanted).send().await.unwrap();
    expect(found, StatusCode::CREATED).await
}

fn id(found: &Value) -> String {
    text(&found["session"], "id")
}

fn withdrawing(server: &Server, session: &str, who: Who<'_>) -> RequestBuilder {
    let request = server.request(Method::DELETE, &format!("/v1/seeks/{session}"));
    bearing(request, who)
}

async fn session(server: &Server, session: &str) -> Value {
    ok(server.get(&format!("/v1/sessions/{session}"))).await
}

/// Reads a session until its status is this.
async fn until(server: &Server, id: &str, status: &str) -> Value {
    for _ in 0..200 {
        let now = session(server, id).await;
        if now["status"] == status {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{id} does not become {status}");
}

async fn listed(server: &Server, query: &str) -> Vec<Value> {
    let page = ok(server.get(&format!("/v1/seeks{query}"))).await;
    page["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn two_who_seek_the_same_play_together_and_the_lobby_shows_who_waits() {
    let server = Server::start().await;
    let [(ann, ann_token), (bob, bob_token)] =
        [guest(&server, "Ann").await, guest(&server, "Bob").await];
    let first = seek(
        &server,
        Some(&ann_token),
        json!({"game": TOLL, "clock": {"game_ms": 60_000}}),
    )
    .await;
    assert_eq!(
        (&first["matched"], &first["token"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(first["session"]["status"], "waiting");
    assert!(first["session"]["expires_at"].is_string(), "{first}");
    assert_eq!(first["session"]["host"], Value::Null);
    let open = listed(&server, "").await;
    assert_eq!(open, listed(&server, &format!("?game={TOLL}")).await);
    assert_eq!(
        listed(&server, &format!("?game={WINK}")).await,
        Vec::<Value>::new()
    );
    assert_eq!(open.len(), 1);
    assert_eq!(open[0]["id"], first["session"]["id"]);
    assert_eq!(open[0]["players"], json!([{"name": "Ann", "player": ann}]));
    assert_eq!(open[0]["expires_at"], first["session"]["expires_at"]);
    assert_eq!(
        (&open[0]["seats"], &open[0]["rated"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(open[0]["clock"]["game_ms"], 60_000);
    let lobby = ok(server.get("/v1/sessions")).await;
    assert_eq!(lobby["items"][0]["id"], first["session"]["id"]);
    let mut stream =
        Reader::open(server.get("/v1/players/me/events").bearer_auth(&ann_token)).await;
    assert_eq!(told(&mut stream).await.event, "snapshot");
    let second = seek(
        &server,
        Some(&bob_token),
        json!({"game": TOLL, "clock": {"game_ms": 60_000}}),
    )
    .await;
    assert_eq!(
        (&second["matched"], id(&second)),
        (&json!(true), id(&first))
    );
    assert_eq!(second["session"]["status"], "running");
    assert_eq!(second["session"]["expires_at"], Value::Null);
    assert_eq!(second["seat"], json!(3 - first["seat"].as_u64().unwrap()));
    let seats = second["session"]["seats"].as_array().unwrap();
    assert!(seats.iter().any(|seat| seat["player"] == json!(bob)));
    let heard = told(&mut stream).await;
    let is_first = first["seat"] == 1;
    assert_eq!(heard.event, if is_first { "turn" } else { "moved" });
    assert_eq!(listed(&server, "").await, Vec::<Value>::new());
    refused(
        withdrawing(&server, &id(&first), Some(&ann_token)),
        409,
        "not-now",
    )
    .await;
}

#[tokio::test]
async fn people_without_an_identity_meet_and_play_with_their_tokens() {
    let server = Server::start().await;
    let first = seek(&server, None, json!({"game": TOLL, "name": "Ann"})).await;
    let second = seek(&server, None, json!({"game": TOLL, "name": "Bob"})).await;
    assert_eq!(id(&first), id(&second));
    for found in [&first, &second] {
        let view = server.get(&format!("/v1/sessions/{}/view", id(found)));
        let view = ok(view.bearer_auth(text(found, "token"))).await;
        assert_eq!(view["seat"], found["seat"]);
    }
    let names = second["session"]["seats"].as_array().unwrap();
    let mut names: Vec<&str> = names
        .iter()
        .map(|seat| seat["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["Ann", "Bob"]);
}

#[tokio::test]
async fn a_seek_meets_no_other_pool_and_never_its_own_player() {
    let server = Server::start().await;
    let (_, ann) = guest(&server, "Ann").await;
    let (_, bob) = guest(&server, "Bob").await;
    let plain = seek(&server, Some(&ann), json!({"game": TRADE})).await;
    let others = [
        json!({"game": WINK}),
        json!({"game": TRADE, "seats": 3}),
        json!({"game": TRADE, "options": {"hand_size": 2}}),
        json!({"game": TRADE, "clock": {"decision_ms": 60_000}}),
        json!({"game": TRADE, "endings": {"aborts": false}}),
        json!({"game": TRADE, "rated": true}),
    ];
    for other in others {
        let found = seek(&server, Some(&bob), other.clone()).await;
        assert_eq!(found["matched"], false, "{other}");
    }
    // The same by other words: a default that is stated.
    let again = json!({"game": TRADE, "seats": 2, "options": {"hand_size": 3}});
    let own = seek(&server, Some(&ann), again.clone()).await;
    assert_eq!(own["matched"], false);
    assert_ne!(id(&own), id(&plain));
    let take_own = server.put(
        &format!(
            "/v1/sessions/{}/seats/{}",
            id(&own),
            3 - own["seat"].as_u64().unwrap()
        ),
        json!({}),
    );
    refused(take_own.bearer_auth(&ann), 403, "forbidden").await;
    let met = seek(&server, Some(&bob), again).await;
    assert_eq!(
        (&met["matched"], id(&met)),
        (&json!(true), id(&plain)),
        "the oldest"
    );
    // A seat of the lobby can be taken, too.
    let take = server.put(
        &format!(
            "/v1/sessions/{}/seats/{}",
            id(&own),
            3 - own["seat"].as_u64().unwrap()
        ),
        json!({}),
    );
    expect(
        take.bearer_auth(&bob).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(session(&server, &id(&own)).await["status"], "running");
}

#[tokio::test]
async fn a_range_of_ratings_is_for_players_and_admits_nobody_without_a_rating() {
    let server = Server::start().await;
    let (_, ann) = guest(&server, "Ann").await;
    let (_, bob) = guest(&server, "Bob").await;
    let ranged = json!({"game": TOLL, "rating": {"least": 2_900, "most": 3_000}});
    refused(
        seeking(&server, None, ranged.clone()),
        401,
        "unauthenticated",
    )
    .await;
    refused(
        seeking(&server, None, json!({"game": TOLL, "rated": true})),
        401,
        "unauthenticated",
    )
    .await;
    for wrong in [
        json!({"least": 3, "most": 2}),
        json!({"least": -1}),
        json!({"most": 10_001}),
    ] {
        let wrong = json!({"game": TOLL, "rating": wrong});
        refused(seeking(&server, Some(&ann), wrong), 422, "unprocessable").await;
    }
    let first = seek(&server, Some(&ann), ranged.clone()).await;
    let trap = format!("/v1/sessions/{}/seats/{}", id(&first), first["seat"]);
    let trap = server.put(
        &trap,
        json!({"reserve_for": "p_00000000000000000000000000000000"}),
    );
    refused(trap.bearer_auth(&ann), 403, "forbidden").await;
    assert_eq!(listed(&server, "").await[0]["rating"], ranged["rating"]);
    let plain = seek(&server, Some(&bob), json!({"game": TOLL})).await;
    assert_eq!(plain["matched"], false);
    let take = server.put(
        &format!(
            "/v1/sessions/{}/seats/{}",
            id(&first),
            3 - first["seat"].as_u64().unwrap()
        ),
        json!({}),
    );
    refused(take.bearer_auth(&bob), 403, "forbidden").await;
    let other = seek(&server, Some(&bob), ranged).await;
    assert_eq!(other["matched"], false);
}

#[tokio::test]
async fn a_seek_is_withdrawn_by_its_seeker_alone_and_meets_nobody_after_that() {
    let server = Server::start().await;
    let (_, ann) = guest(&server, "Ann").await;
    let (_, bob) = guest(&server, "Bob").await;
    let mut stream = Reader::open(server.get("/v1/players/me/events").bearer_auth(&ann)).await;
    assert_eq!(told(&mut stream).await.event, "snapshot");
    let first = seek(&server, Some(&ann), json!({"game": TOLL})).await;
    assert_eq!(told(&mut stream).await.event, "started");
    refused(
        withdrawing(&server, &id(&first), Some(&bob)),
        403,
        "forbidden",
    )
    .await;
    refused(
        withdrawing(&server, &id(&first), None),
        401,
        "unauthenticated",
    )
    .await;
    let gone = withdrawing(&server, &id(&first), Some(&ann))
        .send()
        .await
        .unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    assert_eq!(told(&mut stream).await.event, "left");
    refused(
        withdrawing(&server, &id(&first), Some(&ann)),
        409,
        "session-over",
    )
    .await;
    assert_eq!(listed(&server, "").await, Vec::<Value>::new());
    assert_eq!(ok(server.get("/v1/sessions")).await["items"], json!([]));
    let mine = server.get("/v1/players/me/sessions").bearer_auth(&ann);
    assert_eq!(ok(mine).await["items"], json!([]));
    let over = session(&server, &id(&first)).await;
    assert_eq!(
        (&over["status"], &over["outcome"]["reason"]),
        (&json!("finished"), &json!("aborted"))
    );
    let take = server.put(&format!("/v1/sessions/{}/seats/1", id(&first)), json!({}));
    refused(take, 409, "session-over").await;
    for rest in ["/record", "/view", "/events", "/board.txt", "/actions"] {
        let asked = server.get(&format!("/v1/sessions/{}{rest}", id(&first)));
        let status = asked.send().await.unwrap().status().as_u16();
        assert!(status < 500, "{rest}: {status}");
    }
    let found = seek(&server, Some(&bob), json!({"game": TOLL})).await;
    assert_eq!(found["matched"], false);
    // Who leaves the seat has withdrawn, too.
    let leave = format!("/v1/sessions/{}/seats/{}", id(&found), found["seat"]);
    let left = server.request(Method::DELETE, &leave).bearer_auth(&bob);
    assert_eq!(left.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(listed(&server, "").await, Vec::<Value>::new());
    // Sessions that seek nobody are something else.
    let plain = server.create(json!({"game": TOLL})).await;
    refused(
        withdrawing(&server, &text(&plain.created, "id"), Some(&plain.owner)),
        404,
        "not-found",
    )
    .await;
}

#[tokio::test]
async fn a_session_that_waits_for_too_long_ends() {
    for store in ["memory".to_owned(), embedded().1] {
        let server = Server::with(Config { store, ..config() }).await;
        let (ann, token) = guest(&server, "Ann").await;
        for wrong in [0, 999, 604_800_001_u64] {
            let wrong = json!({"game": TOLL, "expires_after_ms": wrong});
            refused(seeking(&server, None, wrong), 422, "unprocessable").await;
        }
        let wanted = json!({"game": TOLL, "expires_after_ms": 1_000});
        let found = seek(&server, Some(&token), wanted.clone()).await;
        let begun = seek(
            &server,
            None,
            json!({"game": WINK, "expires_after_ms": 1_000}),
        )
        .await;
        seek(&server, None, json!({"game": WINK})).await;
        let invites =
            json!({"game": TOLL, "expires_after_ms": 1_000, "seats": [{"player": ann}, "open"]});
        let plain = server.create(invites).await;
        let events = until(&server, &id(&found), "finished").await;
        assert_eq!(events["outcome"]["reason"], "aborted");
        let log = ok(server.get(&format!("/v1/sessions/{}/events", id(&found)))).await;
        let last = log["items"].as_array().unwrap().last().unwrap();
        assert_eq!(last["events"], json!([{"type": "expired"}]));
        assert_eq!(
            until(&server, &text(&plain.created, "id"), "finished").await["host"],
            Value::Null
        );
        assert_eq!(listed(&server, "").await, Vec::<Value>::new());
        let mine = server.get("/v1/players/me/sessions").bearer_auth(&token);
        assert_eq!(ok(mine).await["items"], json!([]));
        assert_eq!(session(&server, &id(&begun)).await["status"], "running");
    }
}

#[tokio::test]
async fn more_than_two_come_one_by_one_and_the_last_one_begins() {
    let server = Server::start().await;
    let wanted = json!({"game": TRADE, "seats": 3});
    let mut found = Vec::new();
    for _ in 0..3 {
        found.push(seek(&server, None, wanted.clone()).await);
    }
    let matched: Vec<&Value> = found.iter().map(|found| &found["matched"]).collect();
    assert_eq!(matched, [false, true, true]);
    assert!(
        found.iter().all(|one| id(one) == id(&found[0])),
        "{found:?}"
    );
    let status: Vec<&Value> = found
        .iter()
        .map(|found| &found["session"]["status"])
        .collect();
    assert_eq!(status, ["waiting", "waiting", "running"]);
    // Who withdraws leaves the others to wait.
    let two = [
        seek(&server, None, wanted.clone()).await,
        seek(&server, None, wanted.clone()).await,
    ];
    let token = text(&two[0], "token");
    let gone = withdrawing(&server, &id(&two[0]), Some(&token))
        .send()
        .await
        .unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    assert_eq!(session(&server, &id(&two[0])).await["status"], "waiting");
    assert_eq!(
        listed(&server, "").await[0]["players"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    for _ in 0..2 {
        assert_eq!(id(&seek(&server, None, wanted.clone()).await), id(&two[0]));
    }
}

#[tokio::test]
async fn a_request_with_a_key_seeks_once_whichever_way_it_finds_others() {
    let server = Server::start().await;
    let (_, ann) = guest(&server, "Ann").await;
    let (_, bob) = guest(&server, "Bob").await;
    let keyed = |who: &str, key: &str| {
        seeking(&server, Some(who), json!({"game": TOLL})).header("idempotency-key", key)
    };
    let first = expect(keyed(&ann, "a").send().await.unwrap(), StatusCode::CREATED).await;
    let again = expect(keyed(&ann, "a").send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(first, again);
    assert_eq!(listed(&server, "").await.len(), 1);
    let met = expect(keyed(&bob, "b").send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!((&met["matched"], id(&met)), (&json!(true), id(&first)));
    let again = expect(keyed(&bob, "b").send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(met, again);
    let mine = ok(server.get("/v1/players/me/sessions").bearer_auth(&bob)).await;
    assert_eq!(mine["items"].as_array().unwrap().len(), 1);
    assert_eq!(listed(&server, "").await, Vec::<Value>::new());
}

/// Thirty people seek at the same moment, some of them with a key, some of them with an identity.
async fn a_crowd_meets(nodes: &[Server]) {
    let guests = join_all((0..30).map(|at| async move {
        let (_, token) = guest(&nodes[0], &format!("Guest {at}")).await;
        (at % 3 > 0).then_some(token)
    }))
    .await;
    let seeks = guests.iter().enumerate().map(|(at, who)| async move {
        let request = seeking(
            &nodes[at % nodes.len()],
            who.as_deref(),
            json!({"game": TOLL}),
        );
        let request = match at % 2 {
            0 => request.header("idempotency-key", format!("crowd-{at}")),
            _ => request,
        };
        expect(request.send().await.unwrap(), StatusCode::CREATED).await
    });
    let found = join_all(seeks).await;
    let mut tables: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (found, who) in found.iter().zip(&guests) {
        let token = who.clone().unwrap_or_else(|| text(found, "token"));
        let mut at = id(found);
        // Who waits in a session may come to another one.
        for _ in 0..400 {
            let now = session(&nodes[0], &at).await;
            match (&now["matched_in"], now["status"].as_str()) {
                (Value::String(next), _) => at = next.clone(),
                (_, Some("running")) => break,
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        let view = nodes[0].get(&format!("/v1/sessions/{at}/view"));
        let view = ok(view.bearer_auth(&token)).await;
        tables
            .entry(at)
            .or_default()
            .push(view["seat"].as_u64().unwrap());
        let Some(token) = who else { continue };
        let mine = ok(nodes[0].get("/v1/players/me/sessions").bearer_auth(token)).await;
        assert_eq!(mine["items"].as_array().unwrap().len(), 1, "{mine}");
    }
    assert_eq!(tables.len(), 15, "{tables:?}");
    for seats in tables.values_mut() {
        seats.sort_unstable();
        assert_eq!(*seats, [1, 2]);
    }
    assert_eq!(listed(&nodes[0], "").await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_meets_in_memory() {
    a_crowd_meets(&[Server::start().await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_meets_in_a_file() {
    let (_folder, store) = embedded();
    a_crowd_meets(&[Server::with(Config { store, ..config() }).await]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_meets_on_two_nodes() {
    let redis = redis::Server::start();
    let node = || Config {
        store: redis.url(),
        ..config()
    };
    a_crowd_meets(&[Server::with(node()).await, Server::with(node()).await]).await;
}

#[tokio::test]
async fn a_challenge_is_accepted_or_declined_and_the_challenger_hears_of_it() {
    let server = Server::start().await;
    let (_, ann) = guest(&server, "Ann").await;
    let (bob, bob_token) = guest(&server, "Bob").await;
    let streams =
        [&ann, &bob_token].map(|token| server.get("/v1/players/me/events").bearer_auth(token));
    let [mut challenger, mut challenged] = [
        Reader::open(streams[0].try_clone().unwrap()).await,
        Reader::open(streams[1].try_clone().unwrap()).await,
    ];
    assert_eq!(told(&mut challenger).await.event, "snapshot");
    assert_eq!(told(&mut challenged).await.event, "snapshot");
    let challenge = async |seats: Value| {
        let create = server.post("/v1/sessions", json!({"game": TRADE, "seats": seats}));
        expect(
            create.bearer_auth(&ann).send().await.unwrap(),
            StatusCode::CREATED,
        )
        .await
    };
    let seat = |method: Method, session: &Value, seat: u8| {
        let path = format!("/v1/sessions/{}/seats/{seat}", text(session, "id"));
        server.request(method, &path).bearer_auth(&bob_token)
    };
    let two = json!([{"player": "me"}, {"player": bob}]);
    let accepted = challenge(two.clone()).await;
    assert_eq!(told(&mut challenger).await.event, "started");
    assert_eq!(told(&mut challenged).await.event, "invited");
    let waiting = server
        .get("/v1/players/me/sessions?status=waiting")
        .bearer_auth(&bob_token);
    let waiting = ok(waiting).await;
    assert_eq!(waiting["items"][0]["session"]["id"], accepted["id"]);
    assert_eq!(waiting["items"][0]["seat"], Value::Null);
    expect(
        seat(Method::PUT, &accepted, 2).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(told(&mut challenger).await.event, "turn");
    assert_eq!(told(&mut challenged).await.event, "turn");

    let declined = challenge(two).await;
    assert_eq!(told(&mut challenger).await.event, "started");
    assert_eq!(told(&mut challenged).await.event, "invited");
    let gone = seat(Method::DELETE, &declined, 2).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    let heard = told(&mut challenger).await;
    assert_eq!(
        (heard.event.as_str(), &heard.data["session"]),
        ("declined", &declined["id"])
    );
    assert_eq!(
        session(&server, &text(&declined, "id")).await["status"],
        "finished"
    );
    for token in [&ann, &bob_token] {
        let list = ok(server.get("/v1/players/me/sessions").bearer_auth(token)).await;
        assert_eq!(
            list["items"].as_array().unwrap().len(),
            1,
            "the accepted one"
        );
    }
    // It ends with its challenger, and when the challenged one is forgotten.
    let withdrawn = challenge(json!([{"player": "me"}, {"player": bob}])).await;
    let path = format!("/v1/sessions/{}/seats/1", text(&withdrawn, "id"));
    let gone = server.request(Method::DELETE, &path).bearer_auth(&ann);
    assert_eq!(gone.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    let (cid, cid_token) = guest(&server, "Cid").await;
    let lost = challenge(json!([{"player": "me"}, {"player": cid}])).await;
    let forget = server.request(Method::DELETE, "/v1/players/me");
    let forgotten = forget.bearer_auth(&cid_token).send().await.unwrap();
    assert_eq!(forgotten.status(), StatusCode::NO_CONTENT);
    for challenge in [withdrawn, lost] {
        let now = session(&server, &text(&challenge, "id")).await;
        assert_eq!(now["status"], "finished", "{now}");
    }
    // Where others are asked, too, or may come, the session goes on without who declines.
    for third in [
        json!("open"),
        json!({"player": "p_00000000000000000000000000000000"}),
    ] {
        let more = challenge(json!([{"player": "me"}, {"player": bob}, third])).await;
        let gone = seat(Method::DELETE, &more, 2).send().await.unwrap();
        assert_eq!(gone.status(), StatusCode::NO_CONTENT);
        let now = session(&server, &text(&more, "id")).await;
        assert_eq!(
            (&now["status"], &now["seats"][1]["reserved_for"]),
            (&json!("waiting"), &Value::Null)
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_withdraws_while_another_one_comes_is_out_or_in_the_game() {
    let server = Server::start().await;
    for _ in 0..20 {
        let first = seek(&server, None, json!({"game": TOLL})).await;
        let withdraw = withdrawing(&server, &id(&first), Some(&text(&first, "token")));
        let come = seeking(&server, None, json!({"game": TOLL}));
        let (gone, found) = tokio::join!(withdraw.send(), come.send());
        let found = expect(found.unwrap(), StatusCode::CREATED).await;
        let is_in = id(&found) == id(&first);
        assert_eq!(found["matched"], is_in);
        let gone = gone.unwrap().status().as_u16();
        assert_eq!(gone, if is_in { 409 } else { 204 });
        let now = session(&server, &id(&first)).await;
        let status = if is_in { "running" } else { "finished" };
        assert_eq!(now["status"], status);
        if !is_in {
            let again = withdrawing(&server, &id(&found), Some(&text(&found, "token")));
            assert_eq!(again.send().await.unwrap().status(), StatusCode::NO_CONTENT);
        }
    }
}
