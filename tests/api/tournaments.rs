//! Tournaments from their creation to the last standings, played by scripts over HTTP.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::races::embedded;
use super::ratings::Guest;
use super::support::{Server, TOLL, TRADE, config, expect, refused, text};

async fn create(server: &Server, host: &Guest, wanted: Value) -> String {
    let mut whole = json!({"name": "Sunday", "game": TOLL, "clock": {"game_ms": 240_000}});
    whole
        .as_object_mut()
        .unwrap()
        .extend(wanted.as_object().unwrap().clone());
    let create = server.post("/v1/tournaments", whole);
    let created = create.bearer_auth(&host.token).send().await.unwrap();
    let created = expect(created, StatusCode::CREATED).await;
    assert_eq!(created["status"], "waiting");
    format!("/v1/tournaments/{}", text(&created, "id"))
}

async fn join(server: &Server, path: &str, player: &Guest) -> Value {
    let join = server.request(Method::PUT, &format!("{path}/players/me"));
    let joined = join.bearer_auth(&player.token).send().await.unwrap();
    expect(joined, StatusCode::OK).await
}

async fn start(server: &Server, path: &str, host: &Guest) -> Value {
    let start = server.request(Method::POST, &format!("{path}/start"));
    let started = start.bearer_auth(&host.token).send().await.unwrap();
    expect(started, StatusCode::OK).await
}

async fn guests(server: &Server, count: usize) -> Vec<Guest> {
    let mut guests = Vec::new();
    for number in 0..count {
        guests.push(Guest::new(server, &format!("P{number}")).await);
    }
    guests
}

/// Resigns all games of the present round for all but the best seat of each table: the player with the lowest number wins.
async fn play_round(server: &Server, guests: &[Guest], tables: &Value) {
    for table in tables.as_array().unwrap() {
        let Some(session) = table["session"].as_str() else {
            continue;
        };
        let number = |seat: &Value| {
            let mut all = guests.iter();
            all.position(|guest| seat["player"] == guest.id.as_str())
        };
        let seats = table["seats"].as_array().unwrap().iter();
        let numbers: Vec<usize> = seats.filter_map(number).collect();
        let best = numbers.iter().min().unwrap();
        for loser in numbers.iter().filter(|of| *of != best) {
            let path = format!("/v1/sessions/{session}/resignations");
            let mut tries = 0;
            loop {
                let resign = server.post(&path, json!({}));
                let resigned = resign.bearer_auth(&guests[*loser].token).send();
                let status = resigned.await.unwrap().status();
                if status == StatusCode::OK {
                    break;
                }
                tries += 1;
                assert!(tries < 200 && status == StatusCode::NOT_FOUND, "{status}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

/// The tournament once this many rounds have begun, or once it is over.
async fn at_round(server: &Server, path: &str, rounds: usize) -> Value {
    for _ in 0..400 {
        let now = server.get(path).send().await.unwrap();
        let now = expect(now, StatusCode::OK).await;
        let is_there = now["pairings"].as_array().unwrap().len() >= rounds;
        if now["status"] == "finished" || is_there {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("round {rounds} does not begin");
}

async fn play(server: &Server, path: &str, guests: &[Guest]) -> Value {
    let mut round = 1;
    loop {
        let now = at_round(server, path, round).await;
        if now["status"] == "finished" {
            return now;
        }
        play_round(server, guests, &now["pairings"][round - 1]).await;
        round += 1;
    }
}

fn names(tournament: &Value) -> Vec<String> {
    let places = tournament["standings"].as_array().unwrap().iter();
    places.map(|place| text(place, "name")).collect()
}

#[tokio::test]
async fn six_play_a_rated_round_robin() {
    let (_folder, on_disk) = embedded();
    for store in ["memory".to_owned(), on_disk] {
        let server = Server::with(Config { store, ..config() }).await;
        let guests = guests(&server, 6).await;
        let wanted = json!({"format": "round-robin", "rated": true, "players": ["me"]});
        let path = create(&server, &guests[0], wanted).await;
        for guest in &guests[1..] {
            join(&server, &path, guest).await;
        }
        let foreign = server.request(Method::POST, &format!("{path}/start"));
        refused(foreign.bearer_auth(&guests[1].token), 403, "forbidden").await;
        let started = start(&server, &path, &guests[0]).await;
        assert_eq!(
            (&started["status"], &started["rounds"]),
            (&json!("running"), &json!(5))
        );
        let late = Guest::new(&server, "Late").await;
        let join = server.request(Method::PUT, &format!("{path}/players/me"));
        refused(join.bearer_auth(&late.token), 409, "not-now").await;
        let over = play(&server, &path, &guests).await;
        assert_eq!(names(&over), ["P0", "P1", "P2", "P3", "P4", "P5"]);
        let points: Vec<f64> = (0..6)
            .map(|at| over["standings"][at]["points"].as_f64().unwrap())
            .collect();
        assert_eq!(points, [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
        let tables = over["pairings"].as_array().unwrap().iter();
        assert_eq!(
            tables.flat_map(|round| round.as_array().unwrap()).count(),
            15
        );
        for guest in &guests {
            let ratings = guest.get(&server, "/v1/players/me/ratings").await;
            assert_eq!(ratings["ratings"][0]["games"], 5);
        }
        let tag = text(&over, "tag");
        let found = server.get(&format!("/v1/sessions?tag={tag}&limit=100"));
        let found = expect(found.send().await.unwrap(), StatusCode::OK).await;
        assert_eq!(found["items"].as_array().unwrap().len(), 15);
        let id = text(&found["items"][0], "id");
        let session = server.get(&format!("/v1/sessions/{id}"));
        let session = expect(session.send().await.unwrap(), StatusCode::OK).await;
        assert!(path.ends_with(&text(&session, "tournament")), "{session}");
    }
}

#[tokio::test]
async fn a_swiss_tournament_goes_on_without_those_who_leave() {
    let server = Server::start().await;
    let guests = guests(&server, 7).await;
    let wanted = json!({"format": "swiss", "rounds": 3});
    let path = create(&server, &guests[0], wanted).await;
    for guest in &guests {
        join(&server, &path, guest).await;
    }
    let leave = server.request(Method::DELETE, &format!("{path}/players/me"));
    let left = leave.bearer_auth(&guests[6].token).send().await.unwrap();
    assert_eq!(left.status(), StatusCode::NO_CONTENT);
    let mine = guests[6].get(&server, "/v1/tournaments?player=me").await;
    assert_eq!(mine["items"], json!([]));
    join(&server, &path, &guests[6]).await;
    let first = start(&server, &path, &guests[0]).await;
    assert_eq!(
        first["pairings"][0].as_array().unwrap().len(),
        4,
        "with a bye"
    );
    assert_eq!(first["pairings"][0][3]["seats"][0]["name"], "P6");
    // One withdraws, and another one is forgotten: both lose what they are playing.
    play_round(&server, &guests, &first["pairings"][0]).await;
    let second = at_round(&server, &path, 2).await;
    let withdraw = server.request(Method::DELETE, &format!("{path}/players/me"));
    let left = withdraw.bearer_auth(&guests[4].token).send().await.unwrap();
    assert_eq!(left.status(), StatusCode::NO_CONTENT);
    let forget = server.request(Method::DELETE, "/v1/players/me");
    let forgotten = forget.bearer_auth(&guests[5].token).send().await.unwrap();
    assert_eq!(forgotten.status(), StatusCode::NO_CONTENT);
    let tables = second["pairings"][1].as_array().unwrap().iter();
    let of_others = tables.filter(|table| !table.to_string().contains(&guests[5].id));
    let of_others: Vec<Value> = of_others.cloned().collect();
    play_round(&server, &guests, &json!(of_others)).await;
    let third = at_round(&server, &path, 3).await;
    let seats = third["pairings"][2].to_string();
    // Ids of sessions may contain `P4`, too.
    let is_seated = |name: &str| seats.contains(&format!("\"{name}\""));
    assert!(!is_seated("P4") && !is_seated("P5"), "{seats}");
    play_round(&server, &guests, &third["pairings"][2]).await;
    let over = at_round(&server, &path, 4).await;
    assert_eq!(over["status"], "finished");
    assert_eq!(over["standings"][0]["name"], "P0");
    assert!(!over.to_string().contains(&guests[5].id));
    let listed = server.get("/v1/tournaments?limit=1").send().await.unwrap();
    let listed = expect(listed, StatusCode::OK).await;
    assert_eq!(listed["items"][0]["status"], "finished");
}

#[tokio::test]
async fn three_sit_at_a_table_of_neighbours() {
    let server = Server::start().await;
    let guests = guests(&server, 6).await;
    let wanted = json!({"game": TRADE, "seats": 3, "format": "swiss", "rounds": 2,
        "options": {"hand_size": 1}, "clock": {"decision_ms": 200}});
    let path = create(&server, &guests[0], wanted).await;
    for guest in &guests {
        join(&server, &path, guest).await;
    }
    start(&server, &path, &guests[0]).await;
    // Nobody comes: the server moves at random when their time is up.
    let over = at_round(&server, &path, 3).await;
    assert_eq!(over["status"], "finished");
    let points = over["standings"].as_array().unwrap().iter();
    let sum: f64 = points.map(|place| place["points"].as_f64().unwrap()).sum();
    assert_eq!(sum, 6.0, "one and a half at each of four tables");
    assert_eq!(over["pairings"][1][0]["seats"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn what_does_not_fit_is_no_tournament() {
    let server = Server::start().await;
    let host = Guest::new(&server, "Ann").await;
    let whole = json!({"name": "Sunday", "game": TOLL, "format": "swiss", "rounds": 3, "clock": {"game_ms": 60_000}});
    for (member, value, pointer) in [
        ("rounds", json!(33), "/rounds"),
        ("format", json!("round-robin"), "/rounds"),
        ("seats", json!(3), "/seats"),
        ("seats", json!(1), "/seats"),
        ("clock", json!({"increment_ms": 1}), "/clock"),
        (
            "players",
            json!([format!("p_{}", "0".repeat(32))]),
            "/players/0",
        ),
        ("name", json!(" "), "/name"),
    ] {
        let mut wanted = whole.clone();
        wanted[member] = value;
        let create = server.post("/v1/tournaments", wanted);
        let problem = refused(create.bearer_auth(&host.token), 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    refused(
        server.post("/v1/tournaments", whole.clone()),
        401,
        "unauthenticated",
    )
    .await;
    refused(server.get("/v1/tournaments/nothing"), 404, "not-found").await;
    let path = create(&server, &host, json!({"format": "round-robin"})).await;
    let few = server.request(Method::POST, &format!("{path}/start"));
    refused(few.bearer_auth(&host.token), 409, "not-now").await;
}

fn end(server: &Server, path: &str, of: &Guest) -> reqwest::RequestBuilder {
    server.request(Method::DELETE, path).bearer_auth(&of.token)
}

#[tokio::test]
async fn its_creator_ends_a_tournament_or_takes_it_along() {
    let server = Server::start().await;
    let guests = guests(&server, 3).await;
    let [host, ann, ben] = guests.as_slice() else {
        panic!("three guests")
    };
    let path = create(&server, host, json!({"format": "swiss", "rounds": 5})).await;
    join(&server, &path, ann).await;
    join(&server, &path, ben).await;
    let begun = start(&server, &path, host).await;
    refused(end(&server, &path, ann), 403, "forbidden").await;
    let nobody = server.request(Method::DELETE, &path);
    refused(nobody, 401, "unauthenticated").await;
    // The game that goes on is played and counts; there is no second round.
    let ended = end(&server, &path, host).send().await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    play_round(&server, &guests, &begun["pairings"][0]).await;
    let over = loop {
        let over = server.get(&path).send().await.unwrap();
        let over = expect(over, StatusCode::OK).await;
        if over["standings"][0]["games"] == 1 {
            break over;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(over["status"], "finished");
    assert_eq!(over["pairings"].as_array().unwrap().len(), 1);
    assert_eq!(names(&over)[0], "P1");

    // Who has created tournaments finds them, and leaves none behind that nobody can start.
    let waiting = create(&server, host, json!({"format": "round-robin"})).await;
    let listed = server
        .get("/v1/tournaments?player=me")
        .bearer_auth(&host.token);
    let listed = expect(listed.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2, "{listed}");
    let forget = server.request(Method::DELETE, "/v1/players/me");
    let forgotten = forget.bearer_auth(&host.token).send().await.unwrap();
    assert_eq!(forgotten.status(), StatusCode::NO_CONTENT);
    let left = expect(server.get(&waiting).send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(
        (&left["status"], &left["creator"]),
        (&json!("finished"), &Value::Null)
    );
}
