//! `form=patch`: views by what changes in them.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::streams::Reader;
use super::support::{Server, Session, TRADE, config, expect, shipped};

fn applied(document: &mut Value, change: &Value) {
    let patch = serde_json::from_value(change["patch"].clone()).unwrap();
    let patch: json_patch::Patch = patch;
    json_patch::patch(document, &patch).unwrap();
}

async fn view_at(session: &Session<'_>, version: u64, token: Option<&str>) -> Value {
    let mut view = session.get(&format!("/view?at={version}"), token).await;
    // The present one has clocks, the log has none.
    view["deadlines"] = json!([]);
    view.as_object_mut().unwrap().remove("times");
    view
}

/// Every change of the session with its patch, as lines.
async fn lines(session: &Session<'_>, after: u64, token: Option<&str>) -> Vec<Value> {
    let rest = format!("/events?form=patch&after={after}");
    let lines = session
        .ask(&rest, token)
        .header("accept", "application/jsonl");
    let lines = lines.send().await.unwrap().text().await.unwrap();
    let lines = lines.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Applies every patch, and compares with the view of that version.
async fn follow(session: &Session<'_>, token: Option<&str>) -> usize {
    let mut document = Value::Null;
    let changes = lines(session, 0, token).await;
    for change in &changes {
        applied(&mut document, change);
        let version = change["version"].as_u64().unwrap();
        assert_eq!(
            document,
            view_at(session, version, token).await,
            "{version}"
        );
    }
    changes.len()
}

#[tokio::test]
async fn patches_lead_through_the_views_of_every_viewer_in_games_played_at_random() {
    let server = Server::start().await;
    for seed in 0..4_u64 {
        let wanted = json!({"game": TRADE, "seats": ["open", "random", "open"], "clock": {"game_ms": 60_000}});
        let session = server.create(wanted).await;
        let tokens = [session.claim(1).await, session.claim(3).await];
        let mut random = seed;
        let pick = |of: usize| {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (random >> 33) as usize % of
        };
        session.play_out(&tokens, pick).await;
        for token in [Some(tokens[0].as_str()), Some(tokens[1].as_str()), None] {
            assert!(follow(&session, token).await > 5);
        }
    }
}

#[tokio::test]
async fn patches_lead_through_the_shipped_games_too() {
    let mut config = config();
    config.rules = shipped();
    let server = Server::with(config).await;
    let games = server.get("/v1/games?limit=100").send().await.unwrap();
    let games = expect(games, StatusCode::OK).await;
    let names = games["items"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|game| game["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 5);
    for name in names {
        let wanted = json!({"game": name, "seed": "07".repeat(32)});
        let session = server.create(wanted).await;
        let seats = session.created["seats"].as_array().unwrap().len();
        let token = session.claim(1).await;
        for seat in 2..=seats {
            let bot = server.put(
                &session.at(&format!("/seats/{seat}")),
                json!({"bot": "random"}),
            );
            let bot = bot.bearer_auth(&session.owner).send().await.unwrap();
            expect(bot, StatusCode::CREATED).await;
        }
        for _ in 0..3 {
            let choices = session.choices(&token).await;
            let Some(id) = choices.get(choices.len() / 2) else {
                break;
            };
            session.move_by(&token, json!({"id": id})).await;
        }
        for viewer in [Some(token.as_str()), None] {
            follow(&session, viewer).await;
        }
    }
}

#[tokio::test]
async fn pages_lines_streams_and_long_polls_tell_the_same_patches() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    for token in [Some(tokens[0].as_str()), None] {
        let mut reader = Reader::open(session.ask("/events?form=patch", token)).await;
        let first = reader.next().await.unwrap();
        let mut document = first.data.clone();
        assert_eq!(document, view_at(&session, first.id.unwrap(), token).await);
        let poll = format!("/events?form=patch&after={}", first.id.unwrap());
        let poll = session.ask(&poll, token).header("prefer", "wait=10");
        let moving = async {
            for token in &tokens {
                let choices = session.choices(token).await;
                session.move_by(token, json!({"id": choices[0]})).await;
            }
        };
        let (polled, ()) = tokio::join!(poll.send(), moving);
        let polled = expect(polled.unwrap(), StatusCode::OK).await;
        let change = reader.next().await.unwrap();
        assert_eq!(change.data, polled["items"][0]);
        applied(&mut document, &change.data);
        assert_eq!(document, view_at(&session, change.id.unwrap(), token).await);
        assert_eq!(
            lines(&session, first.id.unwrap(), token).await[0],
            change.data
        );
        let resumed = format!(
            "/events?form=patch&after={}",
            first.cursor.as_ref().unwrap()
        );
        let mut reader = Reader::open(session.ask(&resumed, token)).await;
        assert_eq!(reader.next().await.unwrap(), first);
        assert_eq!(reader.next().await.unwrap(), change);
    }
}

#[tokio::test]
async fn a_patch_leads_back_where_something_was_undone() {
    let server = Server::start().await;
    let wanted = json!({"game": "toll", "seats": ["open", "open"], "undo": "free"});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    session.move_by(&tokens[0], json!({"id": "3.1.1"})).await;
    let undo = server
        .post(&session.at("/undos"), json!({}))
        .bearer_auth(&tokens[0]);
    expect(undo.send().await.unwrap(), StatusCode::OK).await;
    let choices = session.choices(&tokens[0]).await;
    session.move_by(&tokens[0], json!({"id": choices[0]})).await;
    for token in [Some(tokens[1].as_str()), None] {
        assert_eq!(follow(&session, token).await, 6);
    }
}
