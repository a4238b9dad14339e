//! Players who are known across sessions: who they are, where they sit, what they are told, and what strangers cannot do.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use wyrmgate::api::OperatorScope;
use wyrmgate::config::{Config, CredentialFiles};
use wyrmgate::session::{Token, TokenRights};

use super::races::embedded;
use super::receiver::Receiver;
use super::streams::{Message, Reader};
use super::support::{Server, TOLL, TRADE, config, expect, refused, text};

/// A server with two operator keys that may act for players, and one that may not.
pub struct Club {
    pub server: Server,
    pub keys: [String; 3],
    _folder: tempfile::TempDir,
}

impl Club {
    async fn open(store: &str) -> Club {
        let store = store.to_owned();
        Club::with(Config { store, ..config() }).await
    }

    pub async fn with(config: Config) -> Club {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.yaml");
        let keys = [(); 3].map(|()| Token::random(TokenRights::Key).unwrap());
        let entry = |name: &str, key: &Token, scopes: &[OperatorScope]| json!({"name": name, "hash": key.hash(), "scopes": scopes});
        let both = [OperatorScope::Create, OperatorScope::Players];
        let entries = [
            entry("club", &keys[0], &both),
            entry("rival", &keys[1], &both),
            entry("plain", &keys[2], &[OperatorScope::Create]),
        ];
        std::fs::write(&file, json!({"keys": entries}).to_string()).unwrap();
        let config = Config {
            credentials: CredentialFiles {
                keys: Some(file),
                issuers: None,
            },
            ..config
        };
        Club {
            server: Server::with(config).await,
            keys: keys.map(|key| key.reveal()),
            _folder: folder,
        }
    }

    /// A request of the club, for this player.
    fn acting(&self, method: Method, path: &str, player: &str) -> RequestBuilder {
        let request = self.server.request(method, path);
        request.bearer_auth(&self.keys[0]).header("act-as", player)
    }

    async fn create(&self, wanted: Value) -> Value {
        let create = self.server.post("/v1/sessions", wanted);
        let created = create.bearer_auth(&self.keys[0]).send().await.unwrap();
        expect(created, StatusCode::CREATED).await
    }

    async fn id_of(&self, player: &str) -> String {
        let me = self.acting(Method::GET, "/v1/players/me", player);
        text(&ok(me).await, "id")
    }
}

pub async fn ok(request: RequestBuilder) -> Value {
    expect(request.send().await.unwrap(), StatusCode::OK).await
}

pub async fn guest(server: &Server, name: &str) -> (String, String) {
    let created = server.post("/v1/players", json!({"name": name}));
    let created = expect(created.send().await.unwrap(), StatusCode::CREATED).await;
    (text(&created, "id"), text(&created, "token"))
}

#[tokio::test]
async fn a_guest_plays_with_one_token_in_all_sessions() {
    let server = Server::start().await;
    let (ann, token) = guest(&server, "Ann").await;
    let me = ok(server.get("/v1/players/me").bearer_auth(&token)).await;
    assert_eq!(me, json!({"id": ann, "name": "Ann"}));
    let session = server
        .create(json!({"game": TOLL, "seats": ["open", "open"]}))
        .await;
    let claim = server.put(&session.at("/seats/1"), json!({}));
    let claimed = claim.bearer_auth(&token).send().await.unwrap();
    let claimed = expect(claimed, StatusCode::CREATED).await;
    assert_eq!(
        (&claimed["name"], &claimed["player"]),
        (&json!("Ann"), &json!(ann))
    );
    let other = session.claim(2).await;
    let view = session.get("/view?include=actions", Some(&token)).await;
    assert_eq!((&view["seat"], &view["owing"]), (&json!(1), &json!([1])));
    let moved = session.move_by(&token, json!({"id": "3.1.0"})).await;
    assert_eq!(moved.status(), StatusCode::CREATED);
    let own = json!({"game": TOLL, "seats": [{"player": "me"}, "random"]});
    let own = server.post("/v1/sessions", own).bearer_auth(&token);
    let own = expect(own.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(own["seats"][0]["name"], "Ann");
    // The token of the seat still works, and the other seat is nobody's business.
    assert_eq!(session.view(&text(&claimed, "token")).await["seat"], 1);
    refused(
        session.order(&token, json!({"id": "4.1.0"})),
        409,
        "not-your-turn",
    )
    .await;
    assert_eq!(session.view(&other).await["seat"], 2);
}

#[tokio::test]
async fn a_player_is_nobody_in_particular_where_it_has_no_seat() {
    let server = Server::start().await;
    let (_, token) = guest(&server, "Ann").await;
    let (open, _) = server.duel(TOLL).await;
    assert_eq!(open.get("/view", Some(&token)).await["seat"], Value::Null);
    refused(open.order(&token, json!({"id": "3.1.0"})), 403, "forbidden").await;
    // To show another credential of the same player would not help; to show one at all would.
    refused(open.ask("/actions", Some(&token)), 403, "forbidden").await;
    refused(open.ask("/actions", None), 401, "unauthenticated").await;
    let remove = server.request(Method::DELETE, &open.at(""));
    refused(remove.bearer_auth(&token), 403, "forbidden").await;
    let private = json!({"game": TOLL, "visibility": "private"});
    let private = server.create(private).await;
    refused(private.ask("", Some(&token)), 404, "not-found").await;
    for method in [Method::GET, Method::DELETE] {
        refused(
            server.request(method, "/v1/players/me"),
            401,
            "unauthenticated",
        )
        .await;
    }
}

#[tokio::test]
async fn a_key_acts_for_players_of_its_own_and_for_no_others() {
    let club = Club::open("memory").await;
    let created = club
        .create(json!({"game": TOLL, "seats": [
            {"player": "ada", "name": "Ada"}, {"player": "bob", "name": "Bob"}]}))
        .await;
    assert_eq!(created["status"], "running");
    let (ada, bob) = (club.id_of("ada").await, club.id_of("bob").await);
    let players = [&created["seats"][0], &created["seats"][1]].map(|seat| seat["player"].clone());
    assert_eq!(players, [json!(ada), json!(bob)]);
    let path = format!("/v1/sessions/{}", text(&created, "id"));
    let moves = format!("{path}/moves");
    let by = |key: &str, player: &str| {
        let request = club.server.post(&moves, json!({"id": "1.1.0"}));
        request.bearer_auth(key).header("act-as", player)
    };
    // The same name under another key is another player.
    refused(by(&club.keys[1], "ada"), 403, "forbidden").await;
    refused(by(&club.keys[2], "ada"), 403, "forbidden").await;
    refused(by(&club.keys[0], "bob"), 403, "forbidden").await;
    refused(by(&club.keys[0], "ada;seat=2"), 403, "forbidden").await;
    refused(by(&club.keys[0], "ada;seat=9"), 400, "malformed").await;
    refused(by(&club.keys[0], "a b"), 400, "malformed").await;
    let (_, guest) = guest(&club.server, "Eve").await;
    refused(by(&guest, "ada"), 403, "forbidden").await;
    refused(by(&guest, "me"), 403, "forbidden").await;
    let anonymous = club.server.post(&moves, json!({"id": "1.1.0"}));
    refused(anonymous.header("act-as", "ada"), 401, "unauthenticated").await;
    let moved = by(&club.keys[0], "ada").send().await.unwrap();
    assert_eq!(moved.status(), StatusCode::CREATED);
    // A server without keys answers for nobody.
    let open = Server::start().await;
    let key = Token::random(TokenRights::Key).unwrap().reveal();
    let me = open.get("/v1/players/me").header("act-as", "ada");
    refused(me, 401, "unauthenticated").await;
    let me = open.get("/v1/players/me").header("act-as", "ada");
    refused(me.bearer_auth(key), 401, "unauthenticated").await;
}

#[tokio::test]
async fn a_key_acts_for_nobody_by_the_words_that_name_players_for_others() {
    let club = Club::open("memory").await;
    let ids = [club.id_of("ada").await, guest(&club.server, "Ann").await.0];
    for name in [
        "me",
        "me;host",
        &ids[0],
        &ids[1],
        &format!("{};seat=1", ids[0]),
    ] {
        let me = club.acting(Method::GET, "/v1/players/me", name);
        refused(me, 400, "malformed").await;
    }
    let plain = club.server.get("/v1/players/me").header("act-as", "me");
    refused(plain.bearer_auth(&club.keys[2]), 403, "forbidden").await;
    assert_ne!(club.id_of("Me").await, club.id_of("p_1").await);
}

#[tokio::test]
async fn streams_end_with_the_key_that_opened_them() {
    let club = Club::open("memory").await;
    let (id, token) = guest(&club.server, "Ann").await;
    let seats = json!([{"player": id}, {"player": "ada"}]);
    let session = club.create(json!({"game": TOLL, "seats": seats})).await;
    let at = |rest: &str| format!("/v1/sessions/{}{rest}", text(&session, "id"));
    let mut streams = Vec::new();
    for path in ["/v1/players/me/events", &at("/stream")] {
        let mut stream = Reader::open(club.acting(Method::GET, path, "ada")).await;
        assert_eq!(told(&mut stream).await.event, "snapshot");
        streams.push(stream);
    }
    let file = club._folder.path().join("keys.yaml");
    std::fs::write(&file, json!({"keys": []}).to_string()).unwrap();
    let is_known = async || {
        let me = club.acting(Method::GET, "/v1/players/me", "ada");
        me.send().await.unwrap().status() == StatusCode::OK
    };
    while is_known().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let claim = club.server.put(&at("/seats/1"), json!({}));
    let claimed = claim.bearer_auth(&token).send().await.unwrap();
    expect(claimed, StatusCode::CREATED).await;
    for stream in &mut streams {
        let next = tokio::time::timeout(Duration::from_secs(10), stream.next());
        assert!(next.await.expect("an end").is_none());
    }
}

#[tokio::test]
async fn who_has_two_seats_names_the_one_it_means() {
    let club = Club::open("memory").await;
    let created = club
        .create(json!({"game": TOLL, "seats": [{"player": "ada"}, {"player": "ada"}]}))
        .await;
    let view = format!("/v1/sessions/{}/view", text(&created, "id"));
    for (acting, seat) in [("ada", 1), ("ada;seat=1", 1), ("ada;seat=2", 2)] {
        let seen = ok(club.acting(Method::GET, &view, acting)).await;
        assert_eq!(seen["seat"], seat);
    }
}

#[tokio::test]
async fn the_player_who_opened_a_session_manages_it_on_any_device_and_nobody_else_does() {
    let server = Server::start().await;
    let (ann, token) = guest(&server, "Ann").await;
    let (_, other) = guest(&server, "Bob").await;
    let wanted =
        json!({"game": TOLL, "visibility": "private", "seats": [{"player": "me"}, "open"]});
    let create = server.post("/v1/sessions", wanted).bearer_auth(&token);
    let created = expect(create.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(created["host"], json!(ann));
    let at = |rest: &str| format!("/v1/sessions/{}{rest}", text(&created, "id"));
    let seat_bot = |token: &str, act_as: &str| {
        let seat = server.put(&at("/seats/2"), json!({"bot": "greedy"}));
        seat.bearer_auth(token).header("act-as", act_as)
    };
    refused(seat_bot(&token, "me"), 403, "forbidden").await;
    refused(seat_bot(&other, "me;host"), 404, "not-found").await;
    refused(seat_bot(&token, "me;hosts"), 400, "malformed").await;
    let seated = seat_bot(&token, "me;host").send().await.unwrap();
    expect(seated, StatusCode::CREATED).await;
    // A host manages, but plays only as a player.
    let order = |act_as: &str| {
        let order = server.post(&at("/moves"), json!({"id": "2.1.0"}));
        order.bearer_auth(&token).header("act-as", act_as)
    };
    refused(order("me;host"), 403, "forbidden").await;
    expect(order("me").send().await.unwrap(), StatusCode::CREATED).await;
    // Without a seat, the host needs to say nothing, and finds the session in its list.
    let leave = server.request(Method::DELETE, &at("/seats/1"));
    leave.bearer_auth(&token).send().await.unwrap();
    let list = ok(server.get("/v1/players/me/sessions").bearer_auth(&token)).await;
    assert_eq!(list["items"][0]["session"]["id"], created["id"], "{list}");
    let renew = |token: &str| {
        let renew = server.put(&at("/tokens/owner"), json!({}));
        renew.bearer_auth(token)
    };
    refused(renew(&other), 404, "not-found").await;
    ok(renew(&token)).await;
    // Forgotten, it is the host of nothing.
    let forget = server.request(Method::DELETE, "/v1/players/me");
    let forgotten = forget.bearer_auth(&token).send().await.unwrap();
    assert_eq!(forgotten.status(), StatusCode::NO_CONTENT);
    refused(renew(&token), 404, "not-found").await;
}

#[tokio::test]
async fn what_is_somebodys_own_is_nobody_elses_without_keys_too() {
    let server = Server::start().await;
    let [(_, ann), (_, bob)] = [guest(&server, "Ann").await, guest(&server, "Bob").await];
    let named = |token: Option<&str>| {
        let wanted = json!({"game": TOLL, "visibility": "private", "seats": [{"player": "me"}, "open"], "labels": {"external_id": "friday"}});
        let create = server.post("/v1/sessions", wanted);
        token.into_iter().fold(create, RequestBuilder::bearer_auth)
    };
    let created = async |token: &str| {
        expect(
            named(Some(token)).send().await.unwrap(),
            StatusCode::CREATED,
        )
        .await
    };
    let [first, again, other] = [
        created(&ann).await,
        created(&ann).await,
        created(&bob).await,
    ];
    assert_eq!(first["id"], again["id"]);
    assert_ne!(first["id"], other["id"]);
    let nobodys = json!({"game": TOLL, "labels": {"external_id": "friday"}});
    let refusal = refused(server.post("/v1/sessions", nobodys), 422, "unprocessable").await;
    assert_eq!(refusal["errors"][0]["pointer"], "/labels/external_id");
    // The owner manages the seat, and cannot become its player.
    let at = |rest: &str| format!("/v1/sessions/{}{rest}", text(&first, "id"));
    let renew = |token: &str| {
        let renew = server.put(&at("/seats/1"), json!({"renew": true}));
        renew.bearer_auth(token)
    };
    refused(renew(&text(&first, "owner_token")), 403, "forbidden").await;
    expect(renew(&ann).send().await.unwrap(), StatusCode::CREATED).await;
    // Of two credentials, nobody can say which is meant.
    let me = || server.get("/v1/players/me").bearer_auth(&ann);
    refused(me().bearer_auth(&bob), 400, "malformed").await;
    let twice = me().header("act-as", "me").header("act-as", "me");
    refused(twice, 400, "malformed").await;
}

#[tokio::test]
async fn a_seat_that_moves_twice_is_told_of_both_turns() {
    let server = Server::start().await;
    let (_, token) = guest(&server, "Ann").await;
    let rules = "game: twice\ntitle: Twice\nplayers: 2\neffects:\n  play: |\n    repeat 3 times:\n      choose n in 1..2 by seat(1) \"How many?\"\n    finish drawn\n";
    let upload = server.post("/v1/rulesets", json!({"files": {"twice.yaml": rules}}));
    let uploaded = upload.send().await.unwrap();
    let uploaded = expect(uploaded, StatusCode::CREATED).await;
    let mut stream = Reader::open(server.get("/v1/players/me/events").bearer_auth(&token)).await;
    assert_eq!(told(&mut stream).await.event, "snapshot");
    let wanted = json!({"ruleset": uploaded["digest"], "seats": [{"player": "me"}, "random"]});
    let create = server.post("/v1/sessions", wanted).bearer_auth(&token);
    let created = expect(create.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(told(&mut stream).await.event, "turn");
    let go = server.post(
        &format!("/v1/sessions/{}/moves", text(&created, "id")),
        json!({"args": {"n": 1}}),
    );
    let moved = go.bearer_auth(&token).header("idempotency-key", "once");
    expect(moved.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(told(&mut stream).await.event, "turn");
}

#[tokio::test]
async fn a_player_hears_of_an_invitation_declines_it_and_hears_when_a_seat_is_gone() {
    let server = Server::start().await;
    let (ann, token) = guest(&server, "Ann").await;
    let (_, other) = guest(&server, "Bob").await;
    let mut stream = Reader::open(server.get("/v1/players/me/events").bearer_auth(&token)).await;
    assert_eq!(told(&mut stream).await.event, "snapshot");
    let wanted = json!({"game": TOLL, "visibility": "private", "seats": [{"player": ann}, "open"]});
    let session = server.create(wanted).await;
    let heard = told(&mut stream).await;
    assert_eq!(heard.event, "invited");
    assert_eq!(heard.data["session"], session.created["id"]);
    assert_eq!(
        (&heard.data["seat"], &heard.data["owing"]),
        (&json!(1), &json!([]))
    );
    let seat = |token: &str| {
        let request = server.request(Method::DELETE, &session.at("/seats/1"));
        request.bearer_auth(token)
    };
    refused(seat(&other), 404, "not-found").await;
    let declined = seat(&token).send().await.unwrap();
    assert_eq!(declined.status(), StatusCode::NO_CONTENT);
    assert_eq!(told(&mut stream).await.event, "left");
    let list = ok(server.get("/v1/players/me/sessions").bearer_auth(&token)).await;
    assert_eq!(list["items"], json!([]));
    refused(seat(&token), 404, "not-found").await;
    // Who has asked may also stop to wait.
    let owner = text(&session.created, "owner_token");
    let reserve = server.put(&session.at("/seats/1"), json!({"reserve_for": ann}));
    expect(
        reserve.bearer_auth(&owner).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(told(&mut stream).await.event, "invited");
    assert_eq!(
        seat(&owner).send().await.unwrap().status(),
        StatusCode::NO_CONTENT
    );
    assert_eq!(told(&mut stream).await.event, "left");
    // A seat that the owner gives to a bot is gone, too.
    let reserve = server.put(&session.at("/seats/1"), json!({"reserve_for": ann}));
    expect(
        reserve.bearer_auth(&owner).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    assert_eq!(told(&mut stream).await.event, "invited");
    let claim = server
        .put(&session.at("/seats/1"), json!({}))
        .bearer_auth(&token);
    expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(told(&mut stream).await.event, "started");
    let bot = server.put(&session.at("/seats/1"), json!({"bot": "greedy"}));
    expect(
        bot.bearer_auth(&owner).send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    let heard = told(&mut stream).await;
    assert_eq!(
        (heard.event.as_str(), &heard.data["seat"]),
        ("left", &json!(1))
    );
}

#[tokio::test]
async fn a_reserved_seat_waits_for_its_player() {
    let server = Server::start().await;
    let (ann, token) = guest(&server, "Ann").await;
    let (_, other) = guest(&server, "Eve").await;
    for visibility in ["public", "private"] {
        let session = server
            .create(json!({"game": TOLL, "visibility": visibility,
                "seats": [{"player": ann}, "random"]}))
            .await;
        assert_eq!(session.created["seats"][0]["reserved_for"], json!(ann));
        let lobby = ok(server.get("/v1/sessions")).await;
        let listed = lobby["items"].as_array().unwrap().iter();
        let mut listed = listed.filter(|item| item["id"] == session.created["id"]);
        match listed.next() {
            Some(item) => assert_eq!(item["open_seats"], json!([])),
            None => assert_eq!(visibility, "private"),
        }
        let claim = |token: &str| {
            let claim = server.put(&session.at("/seats/1"), json!({}));
            claim.bearer_auth(token)
        };
        let (status, code) = match visibility {
            "public" => (403, "forbidden"),
            _ => (404, "not-found"),
        };
        refused(claim(&other), status, code).await;
        let list = server.get("/v1/players/me/sessions?status=waiting");
        let list = ok(list.bearer_auth(&token)).await;
        assert_eq!(list["items"][0]["session"]["id"], session.created["id"]);
        assert_eq!(list["items"][0]["seat"], Value::Null);
        let claimed = claim(&token).send().await.unwrap();
        let claimed = expect(claimed, StatusCode::CREATED).await;
        assert_eq!(claimed["reserved_for"], Value::Null);
        assert_eq!(session.get("", Some(&token)).await["status"], "running");
    }
}

#[tokio::test]
async fn a_seat_is_handed_over_or_given_to_a_bot() {
    let server = Server::start().await;
    let (_, ann) = guest(&server, "Ann").await;
    let (bob, bob_token) = guest(&server, "Bob").await;
    let session = server
        .create(json!({"game": TOLL, "seats": ["open", "open"]}))
        .await;
    let sit = |seat: u8, token: &str, body: Value| {
        let claim = server.put(&session.at(&format!("/seats/{seat}")), body);
        claim.bearer_auth(token)
    };
    let created = StatusCode::CREATED;
    expect(sit(1, &ann, json!({})).send().await.unwrap(), created).await;
    let other = session.claim(2).await;
    refused(
        sit(1, &other, json!({"reserve_for": bob})),
        403,
        "forbidden",
    )
    .await;
    let over = sit(1, &ann, json!({"reserve_for": bob}))
        .send()
        .await
        .unwrap();
    let over = expect(over, created).await;
    assert_eq!(
        (&over["status"], &over["reserved_for"], &over["token"]),
        (&json!("open"), &json!(bob), &Value::Null)
    );
    assert_eq!(session.get("/view", Some(&ann)).await["seat"], Value::Null);
    refused(sit(1, &ann, json!({})), 403, "forbidden").await;
    expect(sit(1, &bob_token, json!({})).send().await.unwrap(), created).await;
    assert_eq!(session.get("/view", Some(&bob_token)).await["seat"], 1);
    // The owner gives the seat of a person to a built-in player.
    refused(
        sit(1, &bob_token, json!({"bot": "random"})),
        403,
        "forbidden",
    )
    .await;
    let bot = sit(1, &session.owner, json!({"bot": "random"}));
    let bot = expect(bot.send().await.unwrap(), created).await;
    assert_eq!(
        (&bot["status"], &bot["bot"]),
        (&json!("bot"), &json!("random"))
    );
    let list = server
        .get("/v1/players/me/sessions")
        .bearer_auth(&bob_token);
    assert_eq!(ok(list).await["items"], json!([]));
}

#[tokio::test]
async fn a_player_finds_where_it_is_wanted_first() {
    for store in ["memory".to_owned(), embedded().1] {
        let club = Club::open(&store).await;
        let seats = json!([{"player": "ada"}, {"player": "bob"}]);
        let mut ids = Vec::new();
        for hours in [3, 1, 2] {
            let clock = json!({"decision_ms": hours * 3_600_000});
            let wanted = json!({"game": TOLL, "seats": seats, "clock": clock});
            ids.push(text(&club.create(wanted).await, "id"));
        }
        let waiting = json!({"game": TOLL, "seats": [{"player": "ada"}, "open"]});
        ids.push(text(&club.create(waiting).await, "id"));
        let list = async |player: &str, query: &str| {
            let path = format!("/v1/players/me/sessions{query}");
            let page = ok(club.acting(Method::GET, &path, player)).await;
            let items = page["items"].as_array().unwrap().iter();
            let known = |item: &Value| {
                let id = text(&item["session"], "id");
                let at = ids.iter().position(|known| *known == id).unwrap();
                (at, item["owes"] == true)
            };
            (items.map(known).collect::<Vec<_>>(), page["next"].clone())
        };
        let urgent = [(1, true), (2, true), (0, true), (3, false)];
        assert_eq!(list("ada", "").await.0, urgent);
        assert_eq!(list("ada", "?status=owing").await.0, urgent[..3]);
        assert_eq!(list("bob", "?status=owing").await.0, []);
        assert_eq!(list("bob", "?status=running").await.0.len(), 3);
        assert_eq!(list("ada", "?status=waiting").await.0, urgent[3..]);
        let (first, next) = list("ada", "?limit=2").await;
        assert_eq!(first, urgent[..2]);
        let rest = format!("?limit=2&cursor={}", next.as_str().unwrap());
        assert_eq!(list("ada", &rest).await.0, urgent[2..]);
        // After the move the other one is wanted; after the end nobody is.
        let moves = format!("/v1/sessions/{}/moves", ids[1]);
        let moved = club.acting(Method::POST, &moves, "ada");
        let moved = moved.json(&json!({"id": "1.1.0"})).send().await.unwrap();
        assert_eq!(moved.status(), StatusCode::CREATED);
        assert_eq!(list("bob", "?status=owing").await.0, [(1, true)]);
        assert_eq!(list("ada", "?status=running").await.0, [(1, false)]);
        let resign = format!("/v1/sessions/{}/resignations", ids[1]);
        ok(club.acting(Method::POST, &resign, "bob").json(&json!({}))).await;
        assert_eq!(list("bob", "?status=finished").await.0, [(1, false)]);
        let lines = club.acting(Method::GET, "/v1/players/me/sessions", "ada");
        let lines = lines.header("accept", "application/jsonl").send().await;
        let lines = lines.unwrap().text().await.unwrap();
        let lines = lines.lines().map(serde_json::from_str::<Value>);
        let results = lines.map(|line| line.unwrap()["session"]["outcome"]["winners"].clone());
        let none = Value::Null;
        let results: Vec<Value> = results.collect();
        assert_eq!(results, [none.clone(), none.clone(), none, json!([1])]);
    }
}

pub async fn told(reader: &mut Reader) -> Message {
    let message = tokio::time::timeout(Duration::from_secs(10), reader.next());
    message.await.expect("a message").expect("an open stream")
}

#[tokio::test]
async fn one_stream_tells_of_all_sessions_and_goes_on_where_it_ended() {
    for store in ["memory".to_owned(), embedded().1] {
        let club = Club::open(&store).await;
        let stream = |after: Option<&str>| {
            let stream = club.acting(Method::GET, "/v1/players/me/events", "bob");
            match after {
                Some(after) => stream.header("last-event-id", after),
                None => stream,
            }
        };
        let mut reader = Reader::open(stream(None)).await;
        let snapshot = told(&mut reader).await;
        assert_eq!(
            (snapshot.event.as_str(), &snapshot.data["sessions"]),
            ("snapshot", &json!([]))
        );
        let seats = json!([{"player": "ada"}, {"player": "bob"}]);
        let first = club.create(json!({"game": TOLL, "seats": seats})).await;
        let started = told(&mut reader).await;
        assert_eq!(
            (started.event.as_str(), &started.data["session"]),
            ("started", &first["id"])
        );
        let second = club.create(json!({"game": TOLL, "seats": seats})).await;
        assert_eq!(told(&mut reader).await.data["session"], second["id"]);
        let at =
            |session: &Value, rest: &str| format!("/v1/sessions/{}{rest}", text(session, "id"));
        let act = async |session: &Value, rest: &str, player: &str, body: Value| {
            let request = club.acting(Method::POST, &at(session, rest), player);
            let answer = request.json(&body).send().await.unwrap();
            assert!(answer.status().is_success());
        };
        act(&first, "/moves", "ada", json!({"id": "1.1.0"})).await;
        let turn = told(&mut reader).await;
        assert_eq!(
            (turn.event.as_str(), &turn.data["owing"]),
            ("turn", &json!([2]))
        );
        drop(reader);
        act(&second, "/resignations", "ada", json!({})).await;
        let view = at(&first, "/view?include=actions");
        let view = ok(club.acting(Method::GET, &view, "bob")).await;
        let choice = view["decisions"][0]["choices"][0]["id"].clone();
        act(&first, "/moves", "bob", json!({"id": choice})).await;
        let mut reader = Reader::open(stream(turn.cursor.as_deref())).await;
        let mut seen = Vec::new();
        while seen.len() < 5 {
            let message = told(&mut reader).await;
            seen.push((
                message.event,
                text(&message.data, "session"),
                message.data["version"].clone(),
            ));
        }
        // What it knew within the last seconds comes again, in order, and then what it missed.
        let missed = &seen[3..];
        assert_eq!(missed[0].0, "finished");
        assert_eq!(missed[0].1, text(&second, "id"));
        assert_eq!(
            (&missed[1].1, &missed[1].2),
            (&text(&first, "id"), &json!(3))
        );
    }
}

#[tokio::test]
async fn labels_find_a_session_again_and_make_it_once() {
    let club = Club::open("memory").await;
    let labels =
        json!({"metadata": {"round": 3}, "tags": ["spring", "spring"], "external_id": "t1-r3-b7"});
    let wanted = json!({"game": TOLL, "visibility": "private", "labels": labels});
    let created = club.create(wanted.clone()).await;
    assert_eq!(
        created["labels"],
        json!({"metadata": {"round": 3}, "tags": ["spring"], "external_id": "t1-r3-b7"})
    );
    let again = club.create(wanted.clone()).await;
    assert_eq!(
        (&again["id"], &again["owner_token"]),
        (&created["id"], &created["owner_token"])
    );
    let list = async |key: Option<&str>, query: &str| {
        let request = club.server.get(&format!("/v1/sessions?{query}"));
        let request = key.into_iter().fold(request, RequestBuilder::bearer_auth);
        let page = ok(request).await;
        page["items"].as_array().unwrap().clone()
    };
    for query in [
        "tag=spring",
        "external_id=t1-r3-b7",
        "tag=spring&status=waiting",
        "tag=spring&metadata=round:3",
        "external_id=t1-r3-b7&metadata=round:3",
    ] {
        let found = list(Some(&club.keys[0]), query).await;
        assert_eq!(
            (found.len(), &found[0]["id"]),
            (1, &created["id"]),
            "{query}"
        );
        assert!(list(Some(&club.keys[1]), query).await.is_empty());
        assert!(list(None, query).await.is_empty());
    }
    assert!(
        list(Some(&club.keys[0]), "tag=spring&status=finished")
            .await
            .is_empty()
    );
    for member in ["round:4", "around:3", "round:"] {
        for of in ["tag=spring", "external_id=t1-r3-b7"] {
            let query = format!("{of}&metadata={member}");
            let found = list(Some(&club.keys[0]), &query).await;
            assert!(found.is_empty(), "{query}");
        }
    }
    let asked = club.server.get("/v1/sessions?tag=spring&metadata=round");
    refused(asked.bearer_auth(&club.keys[0]), 400, "malformed").await;
    let long = json!({"game": TOLL, "labels": {"metadata": {"text": "x".repeat(2_048)}}});
    for (body, pointer) in [
        (long, "/labels/metadata"),
        (
            json!({"game": TOLL, "labels": {"tags": ["a b"]}}),
            "/labels/tags",
        ),
        (
            json!({"game": TOLL, "labels": {"external_id": ""}}),
            "/labels/external_id",
        ),
    ] {
        let request = club.server.post("/v1/sessions", body);
        let problem = refused(request.bearer_auth(&club.keys[0]), 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    // On a server without keys everybody could guess the name, and find a private session by it.
    let open = Server::start().await;
    refused(open.post("/v1/sessions", wanted), 422, "unprocessable").await;
}

#[tokio::test]
async fn many_sessions_are_created_and_read_at_once() {
    let club = Club::open("memory").await;
    let seats = json!([{"player": "ada"}, {"player": "bob"}]);
    let mut sessions = vec![json!({"game": TOLL, "seats": seats}); 40];
    sessions[7] = json!({"game": TRADE, "seats": ["open"]});
    let batch = |body: &[Value]| {
        let request = club
            .server
            .post("/v1/session-batches", json!({"sessions": body}));
        request
            .bearer_auth(&club.keys[0])
            .header("idempotency-key", "round-3")
    };
    let made = ok(batch(&sessions)).await;
    let items = made["items"].as_array().unwrap();
    assert_eq!(items.len(), 40);
    assert!(items[7]["problem"]["code"].is_string() && items[7]["session"].is_null());
    let again = ok(batch(&sessions)).await;
    assert_eq!(again, made);
    let others = items.iter().filter(|item| item["problem"].is_null());
    let ids: Vec<String> = others.map(|item| text(&item["session"], "id")).collect();
    let read = async |ids: &[String], token: &str| {
        let request = club
            .server
            .get(&format!("/v1/session-batches?ids={}", ids.join(",")));
        let read = ok(request.bearer_auth(token)).await;
        read["items"].as_array().unwrap().len()
    };
    assert_eq!(read(&ids, &club.keys[0]).await, 39);
    assert_eq!(
        read(&["nothing".to_owned(), ids[3].clone()], &club.keys[2]).await,
        1
    );
    let list = club.acting(Method::GET, "/v1/players/me/sessions?limit=100", "ada");
    assert_eq!(ok(list).await["items"].as_array().unwrap().len(), 39);
    let open = Server::start().await;
    let many = json!({"sessions": vec![json!({"game": TOLL}); 21]});
    refused(open.post("/v1/session-batches", many), 422, "unprocessable").await;
}

#[tokio::test]
async fn a_forgotten_player_is_named_nowhere() {
    for store in ["memory".to_owned(), embedded().1] {
        let server = Server::with(Config { store, ..config() }).await;
        let (ann, token) = guest(&server, "Annabel").await;
        let mut paths = Vec::new();
        for is_over in [true, false] {
            let session = server
                .create(json!({"game": TOLL, "seats": ["open", "random"]}))
                .await;
            let claim = server.put(&session.at("/seats/1"), json!({}));
            let claimed = claim.bearer_auth(&token).send().await.unwrap();
            expect(claimed, StatusCode::CREATED).await;
            if is_over {
                let resign = server.post(&session.at("/resignations"), json!({}));
                ok(resign.bearer_auth(&token)).await;
            }
            paths.push(session.path.clone());
        }
        let gone = server.request(Method::DELETE, "/v1/players/me");
        let gone = gone.bearer_auth(&token).send().await.unwrap();
        assert_eq!(gone.status(), StatusCode::NO_CONTENT);
        for path in &paths {
            for rest in ["", "/events", "/view", "/board.svg", "/board.txt"] {
                let shown = server.get(&format!("{path}{rest}")).send().await.unwrap();
                let shown = shown.text().await.unwrap();
                assert!(
                    !shown.contains("Annabel") && !shown.contains(&ann),
                    "{path}{rest}: {shown}"
                );
            }
        }
        let over = ok(server.get(&paths[0])).await;
        assert_eq!(
            (&over["seats"][0]["status"], &over["outcome"]["winners"]),
            (&json!("taken"), &json!([2]))
        );
        assert_eq!(
            ok(server.get(&paths[1])).await["seats"][0]["status"],
            "open"
        );
        let me = ok(server.get("/v1/players/me").bearer_auth(&token)).await;
        assert_eq!(me, json!({"id": ann}));
        let list = server.get("/v1/players/me/sessions").bearer_auth(&token);
        assert_eq!(ok(list).await["items"], json!([]));
    }
}

#[tokio::test]
async fn a_player_is_told_in_its_channel_of_all_its_games_and_of_its_own_turns() {
    let (programs, channel) = (Receiver::start().await, Receiver::start().await);
    let allowed = [&programs, &channel].map(|receiver| receiver.origin().parse().unwrap());
    let server = Server::with(Config {
        webhooks: true,
        webhook_allow: allowed.to_vec(),
        pages: wyrmgate::config::Pages {
            public_url: Some("https://play.example.org".parse().unwrap()),
            ..Default::default()
        },
        ..config()
    })
    .await;
    let [(_, ann), (_, bob)] = [guest(&server, "Ann").await, guest(&server, "Bob").await];
    let hook = |token: &str, body: Value| {
        server
            .put("/v1/players/me/webhook", body)
            .bearer_auth(token)
    };
    let play = async || {
        let session = server
            .create(json!({"game": TOLL, "seats": ["open", "open"]}))
            .await;
        for (seat, token) in [(1, &ann), (2, &bob)] {
            let claim = server.put(&session.at(&format!("/seats/{seat}")), json!({}));
            let claimed = claim.bearer_auth(token).send().await.unwrap();
            expect(claimed, StatusCode::CREATED).await;
        }
        session
    };
    // One session is there before the webhook, another one comes later.
    let first = play().await;
    let events = json!(["decision.owed", "session.finished"]);
    let wanted = json!({"url": programs.url(), "events": events});
    let set = ok(hook(&bob, wanted)).await;
    let wanted = json!({"url": channel.url(), "events": events, "format": "discord"});
    ok(hook(&ann, wanted)).await;
    let me = ok(server.get("/v1/players/me").bearer_auth(&ann)).await;
    assert_eq!(
        (&me["webhook"]["format"], &me["webhook"]["secret"]),
        (&json!("discord"), &Value::Null)
    );
    let second = play().await;
    for session in [&first, &second] {
        let view = session.get("/view?include=actions", Some(&ann)).await;
        let choice = view["decisions"][0]["choices"][0]["id"].clone();
        let moved = session.move_by(&ann, json!({"id": choice})).await;
        assert_eq!(moved.status(), StatusCode::CREATED);
    }
    let got = programs.wait(2).await;
    let secret = text(&set, "secret");
    for (got, session) in got.iter().zip([&first, &second]) {
        assert!(got.is_signed_with(&secret));
        assert_eq!(
            (got.of().as_str(), &got.json()["data"]["seats"]),
            ("decision.owed", &json!([2]))
        );
        assert_eq!(got.json()["data"]["session"], session.created["id"]);
    }
    // Ann was told of her own turn in the second session alone, and in words.
    let got = channel.wait(1).await;
    let said = format!(
        "Toll: it is your turn. https://play.example.org/#/t/{}",
        text(&second.created, "id")
    );
    assert_eq!(got[0].json()["content"], said);
    // The owner of the session sees nothing of them, and a player who leaves is told nothing more.
    let owned = first.get("/webhooks", Some(&first.owner)).await;
    assert_eq!(owned["items"], json!([]));
    let gone = server.request(Method::DELETE, "/v1/players/me/webhook");
    assert_eq!(
        gone.bearer_auth(&bob).send().await.unwrap().status(),
        StatusCode::NO_CONTENT
    );
    let resign = server.post(&second.at("/resignations"), json!({}));
    ok(resign.bearer_auth(&ann)).await;
    let got = channel.wait(2).await;
    assert!(
        got[1].json()["content"]
            .as_str()
            .unwrap()
            .starts_with("Toll: the game is over. ")
    );
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(programs.wait(2).await.len(), 2);
    let elsewhere = json!({"url": "http://10.0.0.1/", "events": events});
    refused(hook(&bob, elsewhere), 403, "webhook-refused").await;
}
