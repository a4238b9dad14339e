//! Rated games: who may play them, what they do to ratings, and who is listed among the best.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::races::embedded;
use super::streams::Reader;
use super::support::{Server, Session, TOLL, TRADE, config, expect, refused, text};

/// A guest: its id and its token.
pub struct Guest {
    pub id: String,
    pub token: String,
}

impl Guest {
    pub async fn new(server: &Server, name: &str) -> Guest {
        let created = server.post("/v1/players", json!({"name": name}));
        let created = expect(created.send().await.unwrap(), StatusCode::CREATED).await;
        Guest {
            id: text(&created, "id"),
            token: text(&created, "token"),
        }
    }

    pub async fn get(&self, server: &Server, path: &str) -> Value {
        let got = server.get(path).bearer_auth(&self.token).send().await;
        expect(got.unwrap(), StatusCode::OK).await
    }

    /// The rating in the only class that this player has played.
    async fn rating(&self, server: &Server) -> Value {
        let ratings = self.get(server, "/v1/players/me/ratings").await;
        assert_eq!(ratings["ratings"].as_array().unwrap().len(), 1, "{ratings}");
        ratings["ratings"][0].clone()
    }

    async fn sit(&self, session: &Session<'_>, seat: u8) {
        let claim = session
            .server
            .put(&session.at(&format!("/seats/{seat}")), json!({}));
        let claim = claim.bearer_auth(&self.token).send().await.unwrap();
        expect(claim, StatusCode::CREATED).await;
    }

    async fn resign(&self, session: &Session<'_>) {
        let resign = session
            .server
            .post(&session.at("/resignations"), json!({}))
            .bearer_auth(&self.token);
        expect(resign.send().await.unwrap(), StatusCode::OK).await;
    }
}

/// A rated game of these players, seat 1 first, which has begun.
async fn begun<'s>(server: &'s Server, game: &str, players: &[&Guest]) -> Session<'s> {
    let seats = vec!["open"; players.len()];
    let wanted =
        json!({"game": game, "seats": seats, "rated": true, "clock": {"game_ms": 240_000}});
    let session = server.create(wanted).await;
    assert_eq!(session.created["rated"], true);
    for (seat, player) in (1..).zip(players) {
        player.sit(&session, seat).await;
    }
    session
}

/// The session once its result counts.
async fn counted(session: &Session<'_>) -> Value {
    for _ in 0..200 {
        let now = session.get("", None).await;
        if now["ratings"].is_array() {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the result does not count");
}

#[tokio::test]
async fn a_rated_game_moves_the_ratings_of_both_once() {
    let (_folder, on_disk) = embedded();
    for store in ["memory".to_owned(), on_disk] {
        let config = Config { store, ..config() };
        let server = Server::with(config.clone()).await;
        let (ann, ben) = (
            Guest::new(&server, "Ann").await,
            Guest::new(&server, "Ben").await,
        );
        let session = begun(&server, TOLL, &[&ann, &ben]).await;
        let stream = server.get("/v1/players/me/events").bearer_auth(&ann.token);
        let mut stream = Reader::open(stream).await;
        ben.resign(&session).await;
        let after = counted(&session).await;
        let told = stream.until("rated").await;
        let told: Vec<&str> = told.iter().map(|message| message.event.as_str()).collect();
        assert_eq!(told, ["snapshot", "finished", "rated"]);
        let changes = &after["ratings"];
        let first = json!({"rating": 1500, "deviation": 350, "provisional": true, "games": 0});
        for seat in 0..2 {
            assert_eq!(changes[seat]["before"], first);
        }
        let of = |seat: usize| changes[seat]["after"]["rating"].as_i64().unwrap();
        assert_eq!((of(0), of(1)), (1662, 1338), "as Glicko-2 says");
        let ann_now = ann.rating(&server).await;
        assert_eq!(
            (&ann_now["game"], &ann_now["clock"], &ann_now["games"]),
            (&json!(TOLL), &json!("blitz"), &json!(1))
        );
        let path = format!("/v1/players/{}", ben.id);
        let ben_seen = ann.get(&server, &path).await;
        assert_eq!(ben_seen["name"], "Ben");
        assert_eq!(ben_seen["ratings"][0]["rating"], 1338);
        // Another node looks for work that is left, and counts nothing twice.
        let second = begun(&server, TOLL, &[&ben, &ann]).await;
        ann.resign(&second).await;
        let after = counted(&second).await;
        assert_eq!(after["ratings"][0]["before"]["rating"], 1338);
        assert_eq!(ann.rating(&server).await["games"], 2);
        assert_eq!(ben.rating(&server).await["games"], 2);
    }
}

#[tokio::test]
async fn three_are_rated_by_their_places() {
    let server = Server::start().await;
    let guests = [
        Guest::new(&server, "Ann").await,
        Guest::new(&server, "Ben").await,
        Guest::new(&server, "Cid").await,
    ];
    let session = begun(&server, TRADE, &[&guests[0], &guests[1], &guests[2]]).await;
    // Who leaves comes last, whatever becomes of the seat.
    let leave = server.request(reqwest::Method::DELETE, &session.at("/seats/2"));
    let left = leave.bearer_auth(&guests[1].token).send().await.unwrap();
    assert_eq!(left.status(), StatusCode::NO_CONTENT);
    // A built-in player goes on for the others, and nobody else.
    let dan = Guest::new(&server, "Dan").await;
    let claim = server.put(&session.at("/seats/2"), json!({}));
    let claim = claim.bearer_auth(&dan.token).send().await.unwrap();
    expect(claim, StatusCode::CONFLICT).await;
    let tokens = [0, 1, 2].map(|at: usize| guests[at].token.clone());
    session.play_out(&tokens, |_| 0).await;
    let after = counted(&session).await;
    let change = |seat: usize| {
        let of = &after["ratings"][seat];
        of["after"]["rating"].as_i64().unwrap() - of["before"]["rating"].as_i64().unwrap()
    };
    let places = after["outcome"]["ranking"].as_array().unwrap();
    let place = |seat: u64| places.iter().find(|row| row["seat"] == seat).unwrap()["place"].clone();
    assert_eq!(
        change(0) > change(2),
        place(1).as_u64() < place(3).as_u64(),
        "{after}"
    );
    assert!(
        change(1) < 0 && change(1) < change(0).min(change(2)),
        "{after}"
    );
    assert!((change(0) + change(1) + change(2)).abs() <= 2, "{after}");
    assert_eq!(guests[1].rating(&server).await["games"], 1);
}

/// Nobody is spared a loss by going away, whoever is to move.
#[tokio::test]
async fn who_leaves_a_rated_game_has_lost_it() {
    let server = Server::start().await;
    for (leaver, forgets) in [(0, false), (1, false), (0, true)] {
        let guests = [
            Guest::new(&server, "Ann").await,
            Guest::new(&server, "Ben").await,
        ];
        let session = begun(&server, TOLL, &[&guests[0], &guests[1]]).await;
        let pause = server.put(&session.at("/pause"), json!({"paused": true}));
        refused(pause.bearer_auth(&session.owner), 409, "not-now").await;
        let path = match forgets {
            true => "/v1/players/me".to_owned(),
            false => session.at(&format!("/seats/{}", leaver + 1)),
        };
        let leave = server.request(reqwest::Method::DELETE, &path);
        let left = leave.bearer_auth(&guests[leaver].token).send().await;
        assert_eq!(left.unwrap().status(), StatusCode::NO_CONTENT);
        let after = counted(&session).await;
        let outcome = &after["outcome"];
        assert_eq!(
            (&outcome["winners"], &outcome["reason"]),
            (&json!([2 - leaver]), &json!("resigned"))
        );
        let other = &guests[1 - leaver];
        assert!(other.rating(&server).await["rating"].as_i64() > Some(1500));
        if forgets {
            assert!(!after.to_string().contains("Ann"), "{after}");
            assert!(!after.to_string().contains(&guests[0].id), "{after}");
            let rows = after["ratings"].as_array().unwrap();
            assert!(rows.iter().all(|row| row["seat"] == 2), "{after}");
        } else {
            assert!(guests[leaver].rating(&server).await["rating"].as_i64() < Some(1500));
        }
    }
}

#[tokio::test]
async fn what_is_called_off_does_not_count() {
    let server = Server::start().await;
    let (ann, ben) = (
        Guest::new(&server, "Ann").await,
        Guest::new(&server, "Ben").await,
    );
    let session = begun(&server, TOLL, &[&ann, &ben]).await;
    let abort = server.post(&session.at("/abort"), json!({}));
    let abort = abort.bearer_auth(&ann.token).send().await.unwrap();
    expect(abort, StatusCode::OK).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let after = session.get("", None).await;
    assert_eq!(
        (&after["status"], &after["ratings"]),
        (&json!("finished"), &Value::Null)
    );
    let ratings = ann.get(&server, "/v1/players/me/ratings").await;
    assert_eq!(ratings["ratings"], json!([]));
}

#[tokio::test]
async fn only_players_take_part_and_nobody_replaces_them() {
    let server = Server::start().await;
    let (ann, ben) = (
        Guest::new(&server, "Ann").await,
        Guest::new(&server, "Ben").await,
    );
    let create = |wanted: Value| {
        let mut whole = json!({"game": TOLL, "rated": true, "seats": ["open", "open"]});
        whole
            .as_object_mut()
            .unwrap()
            .extend(wanted.as_object().unwrap().clone());
        server.post("/v1/sessions", whole).bearer_auth(&ann.token)
    };
    for (wanted, pointer) in [
        (json!({"seats": ["open", "random"]}), "/seats/1"),
        (
            json!({"seats": [{"player": "me"}, {"player": "me"}]}),
            "/seats/1",
        ),
        (json!({"seed": "00".repeat(32)}), "/rated"),
        (json!({"forks": "always"}), "/forks"),
        (json!({"undo": "anything_agreed"}), "/undo"),
        (
            json!({"clock": {"game_ms": 60_000, "at_end": "bot"}}),
            "/clock/at_end",
        ),
    ] {
        let problem = refused(create(wanted), 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    // Rules of one's own may let one win.
    let files = json!({"toll.yaml": format!("extends: {TOLL}\nchange: {{title: {TOLL}}}\n")});
    let uploaded = server.post("/v1/rulesets", json!({"files": files}));
    let uploaded = expect(uploaded.send().await.unwrap(), StatusCode::CREATED).await;
    let wanted = json!({"ruleset": uploaded["digest"], "rated": true});
    let foreign = server.post("/v1/sessions", wanted);
    let problem = refused(foreign, 422, "unprocessable").await;
    assert_eq!(problem["errors"][0]["pointer"], "/ruleset", "{problem}");
    let session = server
        .create(json!({"game": TOLL, "rated": true, "seats": ["open", "open"]}))
        .await;
    let seat = |number: u8| session.at(&format!("/seats/{number}"));
    refused(server.put(&seat(1), json!({})), 403, "player-required").await;
    let bot = server.put(&seat(1), json!({"bot": "random"}));
    refused(bot.bearer_auth(&session.owner), 403, "forbidden").await;
    ann.sit(&session, 1).await;
    let again = server.put(&seat(2), json!({})).bearer_auth(&ann.token);
    refused(again, 403, "forbidden").await;
    ben.sit(&session, 2).await;
    // The game has begun: the owner decides nothing any more.
    let free = server.request(reqwest::Method::DELETE, &seat(1));
    refused(free.bearer_auth(&session.owner), 409, "not-now").await;
    let hand = server.put(&seat(1), json!({"reserve_for": ben.id}));
    refused(hand.bearer_auth(&session.owner), 409, "not-now").await;
    let remove = server.request(reqwest::Method::DELETE, &session.path);
    refused(remove.bearer_auth(&session.owner), 409, "not-now").await;
    for token in [&ann.token, &ben.token, &ann.token, &ben.token] {
        let choices = session.choices(token).await;
        session.move_by(token, json!({"id": choices[0]})).await;
    }
    let abort = server.post(&session.at("/abort"), json!({}));
    refused(abort.bearer_auth(&session.owner), 409, "not-now").await;
    ann.resign(&session).await;
    counted(&session).await;
    let again = server.post("/v1/sessions", json!({"rematch_of": session.created["id"]}));
    let again = again.bearer_auth(&ben.token).send().await.unwrap();
    let again = expect(again, StatusCode::CREATED).await;
    assert_eq!(
        (&again["rated"], &again["seats"][0]["player"]),
        (&json!(true), &json!(ben.id))
    );
    let fork = server.post(&session.at("/forks"), json!({"version": 3}));
    let fork = fork.bearer_auth(&ben.token).send().await.unwrap();
    let fork = expect(fork, StatusCode::CREATED).await;
    assert_eq!(fork["rated"], Value::Null, "a fork is practice");
    let remove = server.request(reqwest::Method::DELETE, &session.path);
    let removed = remove.bearer_auth(&session.owner).send().await.unwrap();
    assert_eq!(removed.status(), StatusCode::NO_CONTENT);
    assert_eq!(
        ann.rating(&server).await["games"],
        1,
        "it counts nevertheless"
    );
}

/// Plays until the ratings of these two are no longer provisional; the first one wins two of three.
async fn settle(server: &Server, strong: &Guest, weak: &Guest) {
    for game in 0..30 {
        let session = begun(server, TOLL, &[strong, weak]).await;
        match game % 3 {
            0 => strong.resign(&session).await,
            _ => weak.resign(&session).await,
        }
        counted(&session).await;
        let mut known = true;
        for player in [strong, weak] {
            known &= player.rating(server).await["provisional"].is_null();
        }
        if known && game > 3 {
            return;
        }
    }
    panic!("the ratings are still provisional");
}

#[tokio::test]
async fn the_best_are_listed_until_they_are_forgotten() {
    let server = Server::start().await;
    let (ann, ben, new) = (
        Guest::new(&server, "Ann").await,
        Guest::new(&server, "Ben").await,
        Guest::new(&server, "New").await,
    );
    settle(&server, &ann, &ben).await;
    let session = begun(&server, TOLL, &[&new, &ben]).await;
    ben.resign(&session).await;
    counted(&session).await;
    let path = format!("/v1/games/{TOLL}/leaderboard?clock=blitz");
    let list = async |more: &str| {
        let page = server.get(&format!("{path}{more}")).send().await.unwrap();
        expect(page, StatusCode::OK).await
    };
    let names = |page: &Value| {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|item| text(item, "name")).collect::<Vec<_>>()
    };
    let page = list("").await;
    assert_eq!(
        names(&page),
        ["Ann", "Ben"],
        "without the provisional one: {page}"
    );
    assert_eq!(page["items"][0]["player"], ann.id);
    let first = list("&limit=1").await;
    let next = text(&first, "next");
    assert_eq!(names(&first), ["Ann"]);
    assert_eq!(
        names(&list(&format!("&limit=1&cursor={next}")).await),
        ["Ben"]
    );
    let rename = server.put("/v1/players/me", json!({"name": "Anna"}));
    let renamed = rename.bearer_auth(&ann.token).send().await.unwrap();
    expect(renamed, StatusCode::OK).await;
    assert_eq!(names(&list("").await), ["Anna", "Ben"]);
    let forget = server.request(reqwest::Method::DELETE, "/v1/players/me");
    let forgotten = forget.bearer_auth(&ann.token).send().await.unwrap();
    assert_eq!(forgotten.status(), StatusCode::NO_CONTENT);
    assert_eq!(names(&list("").await), ["Ben"]);
    let seen = server.get(&format!("/v1/players/{}", ann.id));
    let seen = expect(seen.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(seen, json!({"id": ann.id, "ratings": []}));
    let other = server.get(&format!("/v1/games/{TOLL}/leaderboard?clock=rapid"));
    let other = expect(other.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(other["items"], json!([]));
    refused(
        server.get("/v1/games/nothing/leaderboard?clock=blitz"),
        404,
        "not-found",
    )
    .await;
    refused(server.get("/v1/players/p_1"), 404, "not-found").await;
}
