//! Work that takes long: it has a queue of its own, a named budget, and ends with its request.

use std::time::{Duration, Instant};

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::support::{Server, Session, TOLL, TRADE, config, expect, refused, shipped, text};

/// After each choice something is worked out from a hidden deck that never tells anything: there is much to be tried before
/// it is known that nobody has learned anything.
const PONDER: &str = "game: ponder\ntitle: Ponder\nplayers: [2]\nbound: 50\nzones:\n  deck: {holds: card, see: nobody}\n\
    components:\n  card: {each: {rank: 1..89}, in: deck}\nvars:\n  total: int\n  most: int\neffects:\n  play: |\n    \
    most = 200\n    shuffle deck\n    turn of seat(1):\n      repeat 4 times:\n        choose n in 1..2:\n          \
    repeat 8000 times: total = n + count(deck where (total * 3 + .rank) mod 5 + \
    (total * 5 + .rank) mod 7 + (total * 7 + .rank) mod 11 > most)\n    finish drawn\n";

/// A choice after which the rules compute until a limit stops them.
const TOIL: &str = "game: toil\ntitle: Toil\nplayers: [2]\nbound: 50\nzones:\n  deck: {holds: card, see: nobody}\n\
    components:\n  card: {each: {rank: 1..89}, in: deck}\nvars:\n  total: int\neffects:\n  play: |\n    turn of seat(1):\n      \
    choose n in 1..2:\n        repeat 30000 times: total = n + count(deck where \
    (total * 3 + .rank) mod 5 + (total * 5 + .rank) mod 7 + (total * 7 + .rank) mod 11 + (total * 11 + .rank) mod 13 + \
    (total * 13 + .rank) mod 17 + (total * 17 + .rank) mod 19 + (total * 19 + .rank) mod 23 > 200)\n    finish drawn\n";

/// Far into a game for six of which much is hidden: where worlds are hard to find.
async fn hard() -> (Server, String) {
    let server = Server::with(Config {
        rules: shipped(),
        ..config()
    })
    .await;
    let seed = "7".repeat(64);
    let wanted = json!({"game": "sneaky-dragons", "seats": 6, "seed": seed});
    let mut last = step(&server, wanted).await;
    for number in 0..150 {
        let Some(decision) = last["decisions"].get(0) else {
            break;
        };
        let choices = decision["choices"].as_array().unwrap();
        let id = &choices[(number * 7) % choices.len()]["id"];
        let choice = json!({"seat": decision["seat"], "id": id});
        last = step(&server, json!({"state": last["state"], "choice": choice})).await;
    }
    let state = text(&last, "state");
    (server, state)
}

async fn step(server: &Server, wanted: Value) -> Value {
    let answer = server.post("/v1/steps", wanted).send().await.unwrap();
    expect(answer, StatusCode::OK).await
}

fn imagine(server: &Server, state: &str) -> RequestBuilder {
    let wanted = json!({"state": state, "imagine": {"seat": 1, "count": 64}});
    server.post("/v1/steps", wanted)
}

#[tokio::test]
async fn imagining_has_a_budget_ends_with_its_request_and_keeps_nobody_waiting() {
    let (server, state) = hard().await;
    let began = Instant::now();
    let answer = imagine(&server, &state).send().await.unwrap();
    let took = began.elapsed();
    let status = answer.status();
    let answer: Value = answer.json().await.unwrap();
    let found = answer["worlds"].as_array().map_or(0, Vec::len);
    if status == StatusCode::OK {
        assert!(found > 0 || answer["worlds_limit"].is_null());
    } else {
        assert_eq!(answer["code"], "rules-budget-exceeded", "{answer}");
        assert_eq!(answer["limit"], "imagine-time");
    }
    assert!(took < Duration::from_secs(9), "{took:?}");
    if took < Duration::from_secs(4) {
        return; // easier than it was meant to be: nothing to be broken off
    }
    // The client goes away, and with it the work.
    let gone = tokio::time::timeout(Duration::from_millis(400), imagine(&server, &state).send());
    assert!(gone.await.is_err());
    tokio::time::sleep(Duration::from_millis(200)).await;
    let began = Instant::now();
    let easy = json!({"game": TRADE, "seats": 2, "imagine": {"seat": 1, "count": 1}});
    let answer = server.post("/v1/steps", easy).send().await.unwrap();
    assert!(matches!(
        answer.status(),
        StatusCode::OK | StatusCode::NOT_FOUND
    ));
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    // The queue is full; other requests are still served.
    let all: Vec<_> = (0..40)
        .map(|_| tokio::spawn(imagine(&server, &state).send()))
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let began = Instant::now();
    let games = server.get("/v1/games").send().await.unwrap();
    assert_eq!(games.status(), StatusCode::OK);
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    let mut refused = 0;
    for one in all {
        let answer = one.await.unwrap().unwrap();
        if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
            assert!(answer.headers().contains_key("retry-after"));
            let problem: Value = answer.json().await.unwrap();
            assert_eq!(problem["code"], "overloaded");
            refused += 1;
        }
    }
    assert!(refused >= 20, "{refused}");
}

/// A session in which the first seat has made a choice, and its token.
async fn moved(server: &Server, rules: Value) -> (Session<'_>, String) {
    let mut wanted = json!({"seats": ["open", "open"], "undo": "free"});
    let both = wanted.as_object_mut().unwrap();
    both.extend(rules.as_object().unwrap().clone());
    let session = server.create(wanted).await;
    let first = session.claim(1).await;
    session.claim(2).await;
    let choice = session.choices(&first).await.remove(0);
    let moved = session.move_by(&first, json!({"id": choice})).await;
    expect(moved, StatusCode::CREATED).await;
    (session, first)
}

#[tokio::test]
async fn an_undo_has_a_budget_and_ends_with_its_request() {
    let server = Server::start().await;
    let files = json!({"files": {"game.yaml": PONDER}});
    let kept = server.post("/v1/rulesets", files).send().await.unwrap();
    let kept = expect(kept, StatusCode::CREATED).await;
    let (hard, seat) = moved(&server, json!({"ruleset": kept["digest"]})).await;
    let undo = |session: &Session<'_>, seat: &str| {
        let order = server.post(&session.at("/undos"), json!({}));
        order.bearer_auth(seat)
    };
    let began = Instant::now();
    let problem = refused(undo(&hard, &seat), 422, "rules-budget-exceeded").await;
    assert_eq!(problem["limit"], "undo-time", "{problem}");
    let limits = expect(server.get("/v1").send().await.unwrap(), StatusCode::OK).await;
    let budget = limits["limits"]["undo_ms"].as_u64().unwrap();
    let took = began.elapsed().as_millis() as u64;
    assert!((budget..budget + 3_000).contains(&took), "{took} ms");
    // The clients go away, and with them the work of all of them: the next one is served.
    let gone = (0..std::thread::available_parallelism().unwrap().get())
        .map(|_| tokio::spawn(undo(&hard, &seat).send()))
        .collect::<Vec<_>>();
    tokio::time::sleep(Duration::from_millis(400)).await;
    gone.iter().for_each(|one| one.abort());
    let (easy, seat) = moved(&server, json!({"game": TOLL})).await;
    let began = Instant::now();
    expect(undo(&easy, &seat).send().await.unwrap(), StatusCode::OK).await;
    let took = began.elapsed();
    assert!(took < Duration::from_secs(3), "{took:?}");
}

/// Finished steps of a list are answered when its time is over; the others name the exhausted budget.
#[tokio::test]
async fn a_list_of_steps_has_a_budget_of_time() {
    let server = Server::start().await;
    let files = json!({"files": {"game.yaml": TOIL}});
    let made = server.post("/v1/rulesets", files).send().await.unwrap();
    let made = expect(made, StatusCode::CREATED).await;
    let begun = json!({"ruleset": made["digest"], "seed": "7".repeat(64)});
    let begun = step(&server, begun).await;
    let toil = json!({"choice": {"id": begun["decisions"][0]["choices"][0]["id"]}});
    let mut steps = vec![json!({})];
    steps.resize(256, toil);
    let began = Instant::now();
    let list = json!({"state": begun["state"], "steps": steps});
    let all = step(&server, list).await;
    assert!(began.elapsed() < Duration::from_secs(20));
    let all = all["steps"].as_array().unwrap();
    assert_eq!(all.len(), 256);
    assert_eq!(all[0]["status"], "running");
    let (early, late) = (&all[1]["problem"], &all[255]["problem"]);
    assert_eq!(early["code"], "rules-budget-exceeded", "{early}");
    assert_ne!(early["limit"], "step-time", "{early}");
    assert_eq!(late["code"], "rules-budget-exceeded", "{late}");
    assert_eq!(late["limit"], "step-time", "{late}");
}
