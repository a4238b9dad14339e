//! Undos past replies: of bots at once, of people if all agree, past information only where the session allows it; and the
//! owner of a practice session, who goes back to any version.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::races::embedded;
use super::support::{Server, Session, TOLL, bearing, config, expect, refused, text};

/// Three take turns to count, and nothing is hidden.
const COUNT: &str = "game: count\ntitle: Count\nplayers: [3]\nbound: 100\nvars:\n  total: int\neffects:\n  play: |\n    \
    turns from seat(1):\n      choose n in 1..3 \"How many?\": total += n\n      if total >= 30: finish won by active\n";

/// The first chooses a number, then the second answers, who has two cards; then they go on.
fn answered(reply: &str) -> String {
    format!(
        "game: answered\ntitle: Answered\nplayers: [2]\nbound: 100\nzones:\n  deck: {{holds: card, see: nobody}}\n  \
         hand: {{each: {{owner: seats}}, holds: card, see: owner}}\n  row: {{holds: card}}\ncomponents:\n  \
         card: {{each: {{rank: 1..6}}, in: deck}}\nvars:\n  total: int\neffects:\n  play: |\n    shuffle deck\n    \
         draw 2 from deck to hand(seat(2))\n    repeat 2 times:\n      turn of seat(1):\n        \
         choose n in 1..3 \"A number\": total += n\n      turn of seat(2):\n{}    finish ranked by total\n",
        reply
            .lines()
            .map(|line| format!("        {line}\n"))
            .collect::<String>()
    )
}

const SHOWS: &str = "choose c in hand(active) \"A card\": move c to row";
const HIDES: &str = "choose c in hand(active) \"A card\": move c to row face down";
const COUNTS: &str = "choose k in 1..3 \"Another\": total += k";
/// What the second may do depends on its hand.
const BY_RANK: &str =
    "may choose c in hand(active) where c.rank > 3 \"A high card\": move c to row face down";

async fn ruleset(server: &Server, rules: &str) -> Value {
    let files = json!({"files": {"game.yaml": rules}});
    let kept = server.post("/v1/rulesets", files).send().await.unwrap();
    expect(kept, StatusCode::CREATED).await["digest"].clone()
}

fn undo(session: &Session<'_>, token: &str, body: Value) -> RequestBuilder {
    let request = session.server.post(&session.at("/undos"), body);
    bearing(request, Some(token))
}

async fn undone(session: &Session<'_>, token: &str, body: Value) -> Value {
    let answer = undo(session, token, body).send().await.unwrap();
    expect(answer, StatusCode::OK).await
}

async fn possible(session: &Session<'_>, token: &str) -> Value {
    session.get("/undos", Some(token)).await["possible"].clone()
}

/// Makes the first choice of a seat.
async fn choose(session: &Session<'_>, token: &str) {
    let id = session.choices(token).await.remove(0);
    expect(
        session.move_by(token, json!({"id": id})).await,
        StatusCode::CREATED,
    )
    .await;
}

/// Waits until this seat owes a decision.
async fn until_owing(session: &Session<'_>, seat: u8) -> Value {
    for _ in 0..400 {
        let view = session.get("/view", None).await;
        if view["owing"] == json!([seat]) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("seat {seat} never owes a decision");
}

/// The record, as it was taken up again: then all in it holds.
async fn verified_record(session: &Session<'_>) -> Value {
    let record = session.get("/record", None).await;
    session.server.create(json!({"record": record})).await;
    record
}

#[tokio::test]
async fn against_a_bot_a_choice_is_undone_with_the_reply_to_it() {
    let (_folder, path) = embedded();
    for (store, bot) in [("memory".to_owned(), "random"), (path, "search-1")] {
        let server = Server::with(wyrmgate::config::Config { store, ..config() }).await;
        let session = server
            .create(json!({"game": TOLL, "seats": ["open", bot]}))
            .await;
        let me = session.claim(1).await;
        let before = session.get("/view", Some(&me)).await;
        assert_eq!(possible(&session, &me).await, json!([]));
        refused(undo(&session, &me, json!({})), 409, "not-undoable").await;
        choose(&session, &me).await;
        until_owing(&session, 1).await;
        let to = before["version"].clone();
        assert_eq!(
            possible(&session, &me).await,
            json!([{"to": to, "needs": "nobody"}])
        );
        choose(&session, &me).await;
        until_owing(&session, 1).await;
        let all = possible(&session, &me).await;
        assert_eq!(
            (all.as_array().unwrap().len(), &all[1]["to"]),
            (2, &to),
            "{all}"
        );
        // The last own choice is the one that is still in effect.
        for _ in 0..2 {
            assert_eq!(undone(&session, &me, json!({})).await["open"], Value::Null);
        }
        let after = session.get("/view", Some(&me)).await;
        assert_eq!(
            (&after["state"], &after["owing"]),
            (&before["state"], &before["owing"])
        );
        while session.get("", None).await["status"] == "running" {
            if !session.choices(&me).await.is_empty() {
                choose(&session, &me).await;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let record = verified_record(&session).await;
        assert_eq!(record.get("past_information"), None);
        assert_eq!(session.get("", None).await["practice"], false);
    }
}

#[tokio::test]
async fn a_reply_that_reveals_something_is_not_undone() {
    let server = Server::start().await;
    for (reply, is_free) in [(SHOWS, false), (HIDES, true), (COUNTS, true)] {
        let wanted = json!({"ruleset": ruleset(&server, &answered(reply)).await, "seats": ["open", "random"]});
        let session = server.create(wanted).await;
        let me = session.claim(1).await;
        choose(&session, &me).await;
        let list = possible(&session, &me).await;
        if is_free {
            assert_eq!(list, json!([{"to": 2, "needs": "nobody"}]), "{reply}");
            undone(&session, &me, json!({})).await;
        } else {
            assert_eq!(list, json!([]), "{reply}");
            refused(undo(&session, &me, json!({})), 409, "not-undoable").await;
        }
    }
}

/// Where a seat was told the same, it gets the same answer, whatever is hidden from it.
#[tokio::test]
async fn an_undo_past_replies_tells_nothing_of_what_is_hidden() {
    let server = Server::start().await;
    for reply in [HIDES, BY_RANK] {
        let digest = ruleset(&server, &answered(reply)).await;
        let mut answers: BTreeMap<String, (StatusCode, Value)> = BTreeMap::new();
        let mut same = 0;
        for seed in 0..16 {
            let wanted = json!({"ruleset": digest, "seats": ["open", "random"], "seed": format!("{seed:064x}")});
            let session = server.create(wanted).await;
            let me = session.claim(1).await;
            choose(&session, &me).await;
            let view = session.get("/view", Some(&me)).await;
            let events = session.get("/events?after=0&limit=100", Some(&me)).await;
            let told = events["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it["events"].to_string());
            let known = format!("{} {}", view["state"], told.collect::<String>());
            let list = possible(&session, &me).await;
            let answer = (
                undo(&session, &me, json!({}))
                    .send()
                    .await
                    .unwrap()
                    .status(),
                list,
            );
            if let Some(other) = answers.insert(known.clone(), answer.clone()) {
                assert_eq!(other, answer, "{reply}: {known}");
                same += 1;
            }
        }
        assert!(same > 4, "{reply}: {same} of 16 were told the same");
    }
}

#[tokio::test]
async fn people_agree_to_an_undo_of_their_replies_and_bots_do_not_have_to() {
    let server = Server::start().await;
    let digest = ruleset(&server, COUNT).await;
    let table = async |undo: &str| {
        let wanted = json!({"ruleset": digest, "seats": ["open", "open", "random"], "undo": undo});
        let session = server.create(wanted).await;
        let people = [session.claim(1).await, session.claim(2).await];
        choose(&session, &people[0]).await;
        choose(&session, &people[1]).await;
        (session, people)
    };
    let (session, [first, second]) = table("free").await;
    refused(undo(&session, &first, json!({})), 409, "not-undoable").await;
    assert_eq!(possible(&session, &first).await, json!([]));
    assert_eq!(
        possible(&session, &second).await,
        json!([{"to": 4, "needs": "nobody"}])
    );
    undone(&session, &second, json!({})).await;
    assert_eq!(session.get("/view", None).await["owing"], json!([2]));
    assert_eq!(
        possible(&session, &first).await,
        json!([{"to": 3, "needs": "nobody"}])
    );

    let (session, [first, second]) = table("agreed").await;
    assert_eq!(
        possible(&session, &first).await,
        json!([{"to": 3, "needs": "agreement"}])
    );
    let open = undone(&session, &first, json!({})).await;
    assert_eq!(open["open"], json!({"seat": 1, "to": 3, "agreed": []}));
    assert_eq!(
        session.get("/undos", Some(&second)).await["open"],
        open["open"]
    );
    let agreed = undone(&session, &second, json!({"agree": true})).await;
    assert_eq!(agreed["open"], Value::Null);
    assert_eq!(session.get("/view", None).await["owing"], json!([1]));
    // What was undone is no version to go to any more.
    refused(
        undo(&session, &first, json!({"to": 4})),
        409,
        "not-undoable",
    )
    .await;
    let over = session.play_out(&[first, second], |_| 0).await;
    assert_eq!(
        (&over["status"], &over["practice"]),
        (&json!("finished"), &json!(false))
    );
    assert_eq!(
        verified_record(&session).await.get("past_information"),
        None
    );
}

#[tokio::test]
async fn past_information_only_where_all_agreed_to_that_and_the_record_says_so() {
    let server = Server::start().await;
    let digest = ruleset(&server, &answered(SHOWS)).await;
    let table = async |undo: &str| {
        let (session, people) = server
            .duel_of(json!({"ruleset": digest, "undo": undo}))
            .await;
        choose(&session, &people[0]).await;
        choose(&session, &people[1]).await;
        (session, people)
    };
    let (session, [first, _]) = table("agreed").await;
    refused(undo(&session, &first, json!({})), 409, "not-undoable").await;
    assert_eq!(session.version().await, 5, "the other learns nothing of it");

    let (session, [first, second]) = table("anything_agreed").await;
    assert_eq!(
        possible(&session, &first).await,
        json!([{"to": 3, "needs": "agreement"}])
    );
    undone(&session, &first, json!({})).await;
    assert_eq!(session.get("", None).await["practice"], false);
    undone(&session, &second, json!({"agree": true})).await;
    assert_eq!(session.get("", None).await["practice"], true);
    session.play_out(&[first, second], |_| 0).await;
    assert_eq!(verified_record(&session).await["past_information"], true);

    // Bots always agree.
    let wanted = json!({"ruleset": digest, "seats": ["open", "random"], "undo": "anything_agreed"});
    let session = server.create(wanted).await;
    let me = session.claim(1).await;
    choose(&session, &me).await;
    assert_eq!(
        possible(&session, &me).await,
        json!([{"to": 2, "needs": "nobody"}])
    );
    undone(&session, &me, json!({})).await;
    assert_eq!(session.get("", None).await["practice"], true);
}

#[tokio::test]
async fn the_owner_of_a_practice_session_goes_back_to_any_version() {
    let (_folder, store) = embedded();
    for store in ["memory".to_owned(), store] {
        let server = Server::with(wyrmgate::config::Config { store, ..config() }).await;
        let wanted = json!({"game": TOLL, "seed": "7".repeat(64), "clock": {"game_ms": 600_000}});
        let (session, [first, second]) = server.duel_of(wanted).await;
        let owner = session.owner.clone();
        let start = session.get("/view", Some(&first)).await;
        assert_eq!(possible(&session, &owner).await, json!([]));
        for token in [&first, &second, &first] {
            choose(&session, token).await;
        }
        let third = session.get("/view", Some(&first)).await;
        let nearest = json!([5, 4, 3].map(|to| json!({"to": to, "needs": "nobody"})));
        assert_eq!(possible(&session, &owner).await, nearest);
        refused(
            bearing(server.post(&session.at("/undos"), json!({"to": 3})), None),
            401,
            "unauthenticated",
        )
        .await;
        refused(session.ask("/undos", None), 401, "unauthenticated").await;
        refused(undo(&session, &owner, json!({})), 422, "unprocessable").await;
        refused(
            undo(&session, &owner, json!({"to": 6})),
            409,
            "not-undoable",
        )
        .await;
        refused(
            undo(&session, &owner, json!({"to": 2})),
            409,
            "not-undoable",
        )
        .await;
        let back = undone(&session, &owner, json!({"to": 3})).await;
        assert_eq!((&back["version"], &back["open"]), (&json!(7), &Value::Null));
        let events = session.get("/events?after=6", None).await;
        assert_eq!(
            events["items"][0]["events"],
            json!([{"type": "rolled-back", "to": 3}])
        );
        assert_eq!(
            session.get("/view", Some(&first)).await["state"],
            start["state"]
        );
        // Also to what was undone: a seat cannot, the owner can.
        refused(
            undo(&session, &first, json!({"to": 6})),
            409,
            "not-undoable",
        )
        .await;
        undone(&session, &owner, json!({"to": 6})).await;
        assert_eq!(
            session.get("/view", Some(&first)).await["state"],
            third["state"]
        );
        assert_eq!(
            session.get("/view?at=7", Some(&first)).await["state"],
            start["state"]
        );

        let over = session
            .play_out(&[first.clone(), second.clone()], |_| 0)
            .await;
        assert_eq!(over["status"], "finished");
        refused(undo(&session, &first, json!({})), 409, "session-over").await;
        let end = session.version().await;
        undone(&session, &owner, json!({"to": end - 2})).await;
        let again = session.get("", None).await;
        assert_eq!(
            (&again["status"], &again["outcome"]),
            (&json!("running"), &Value::Null)
        );
        refused(session.ask("/record", None), 409, "session-running").await;
        for (status, count) in [("running", 1), ("finished", 0)] {
            let list = server
                .get(&format!("/v1/sessions?status={status}"))
                .send()
                .await
                .unwrap();
            let list = expect(list, StatusCode::OK).await;
            assert_eq!(list["items"].as_array().unwrap().len(), count, "{status}");
        }
        let view = session.get("/view", Some(&first)).await;
        assert_eq!(view["deadlines"].as_array().unwrap().len(), 1);
        let over = session.play_out(&[first, second], |_| 0).await;
        let record = verified_record(&session).await;
        assert_eq!(
            (&record["outcome"], &record["past_information"]),
            (&over["outcome"], &json!(true))
        );
    }
}

#[tokio::test]
async fn the_owner_goes_back_nowhere_else() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    choose(&session, &first).await;
    refused(
        undo(&session, &session.owner, json!({"to": 3})),
        403,
        "forbidden",
    )
    .await;
    assert_eq!(possible(&session, &session.owner).await, json!([]));
    let (other, _) = server.duel(TOLL).await;
    refused(
        undo(&session, &other.owner, json!({"to": 3})),
        401,
        "unauthenticated",
    )
    .await;
    let wanted = json!({"game": TOLL, "seed": "7".repeat(64), "undo": "never"});
    let (session, [first, _]) = server.duel_of(wanted).await;
    choose(&session, &first).await;
    refused(
        undo(&session, &session.owner, json!({"to": 3})),
        403,
        "forbidden",
    )
    .await;
    assert_eq!(possible(&session, &first).await, json!([]));
    let waiting = server
        .create(json!({"game": TOLL, "seed": "7".repeat(64)}))
        .await;
    refused(
        undo(&waiting, &waiting.owner, json!({"to": 1})),
        409,
        "not-undoable",
    )
    .await;
    let problem = undo(&session, &first, json!({"agree": true}));
    assert_eq!(
        text(&refused(problem, 403, "forbidden").await, "code"),
        "forbidden"
    );
}
