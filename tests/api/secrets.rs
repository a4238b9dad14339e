//! Hidden information stays hidden.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::support::{Server, Session, TRADE, bearing, config, expect, shipped, text};

/// The ids of the cards in a zone, as a viewer sees them.
fn ids(view: &Value, zone: &str) -> Vec<String> {
    let components = view["state"]["zones"][zone]["components"]
        .as_array()
        .unwrap();
    let ids = components
        .iter()
        .filter_map(|component| component["id"].as_str());
    ids.map(str::to_owned).collect()
}

#[tokio::test]
async fn hands_decks_and_seeds_appear_in_no_answer_to_another_seat() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let hand = ids(&session.view(&tokens[0]).await, "hand-1");
    assert_eq!(hand.len(), 3);
    for viewer in [Some(tokens[1].as_str()), None] {
        for rest in ["", "/view?include=actions", "/events", "/seats/1"] {
            let answer = session.ask(rest, viewer).send().await.unwrap();
            let answer = answer.text().await.unwrap();
            for card in &hand {
                assert!(
                    !answer.contains(&format!("\"{card}\"")),
                    "{rest}: {card} in {answer}"
                );
            }
            assert!(!answer.contains("seed"), "{answer}");
        }
    }
    // Another seat's card is not even an oracle: it cannot be named.
    let guess = json!({"version": 3, "args": {"c": hand[0]}});
    let order = session.move_by(&tokens[1], guess).await;
    let mine = expect(order, StatusCode::CONFLICT).await;
    let guess = json!({"version": 3, "args": {"c": "card-99"}});
    let order = session.move_by(&tokens[1], guess).await;
    let nobodys = expect(order, StatusCode::CONFLICT).await;
    assert_eq!(mine["reason"]["clauses"], nobodys["reason"]["clauses"]);
}

#[tokio::test]
async fn a_secret_answer_changes_nothing_that_others_see() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let look = async |viewer: Option<&str>| {
        let mut seen = Vec::new();
        for rest in ["", "/view?include=actions", "/events"] {
            let answer = session.ask(rest, viewer).send().await.unwrap();
            let tag = answer.headers().get("etag").cloned();
            seen.push((tag, answer.bytes().await.unwrap()));
        }
        seen
    };
    let before = (look(Some(&tokens[1])).await, look(None).await);
    let own_before = look(Some(&tokens[0])).await;
    let choices = session.choices(&tokens[0]).await;
    let secret = session.move_by(&tokens[0], json!({"id": choices[0]})).await;
    let receipt = expect(secret, StatusCode::OK).await;
    assert_eq!(receipt["secret"], true);
    assert_eq!(receipt["version"], 3);

    assert_eq!((look(Some(&tokens[1])).await, look(None).await), before);
    let own = look(Some(&tokens[0])).await;
    assert_ne!(
        own[1].0, own_before[1].0,
        "the seat itself sees that it has answered"
    );
    assert!(session.choices(&tokens[0]).await.is_empty());

    // The other's ids, listed before, are still good; with the last answer all is revealed.
    let choices = session.choices(&tokens[1]).await;
    let last = session.move_by(&tokens[1], json!({"id": choices[0]})).await;
    let receipt = expect(last, StatusCode::CREATED).await;
    assert_eq!(receipt["version"], 4);
    let chosen = json!([{"seat": 1, "bot": false}, {"seat": 2, "bot": false}]);
    assert_eq!(receipt["choices"], chosen);
}

/// The change that reveals all answers begins with those that were given earlier, by other seats.
#[tokio::test]
async fn the_receipt_of_the_last_secret_answer_is_for_the_seat_that_gave_it() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let choices = session.choices(&tokens[0]).await;
    let secret = session.move_by(&tokens[0], json!({"id": choices[0]})).await;
    expect(secret, StatusCode::OK).await;
    let choices = session.choices(&tokens[1]).await;
    let path = session.at("/moves?include=actions,view");
    let last = server.post(&path, json!({"id": choices[0]}));
    let last = last.bearer_auth(&tokens[1]).send().await.unwrap();
    let receipt = expect(last, StatusCode::CREATED).await;
    let (view, present) = (&receipt["view"], session.view(&tokens[1]).await);
    assert_eq!(view["seat"], 2);
    assert_eq!(view["state"], present["state"]);
    assert_eq!(ids(view, "hand-1"), Vec::<String>::new());
    assert_eq!(receipt["decisions"], present["decisions"]);
    assert_eq!(receipt["owing"], present["owing"]);
    let change = session.get("/events?after=3", Some(&tokens[1])).await;
    assert_eq!(receipt["events"], change["items"][0]["events"]);
}

#[tokio::test]
async fn a_secret_answer_cannot_be_given_twice() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let choices = session.choices(&tokens[0]).await;
    for (id, status) in [
        (&choices[0], StatusCode::OK),
        (&choices[1], StatusCode::CONFLICT),
    ] {
        let answer = session.move_by(&tokens[0], json!({"id": id})).await;
        expect(answer, status).await;
    }
}

#[tokio::test]
async fn the_seed_is_promised_at_the_beginning_and_shown_at_the_end() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    session.play_out(&tokens, |_| 0).await;
    let record = session.get("/record", None).await;
    let seed = text(&record, "seed");
    assert_eq!(record["fairness"]["secret"], seed);
    let bytes: Vec<u8> = (0..64)
        .step_by(2)
        .map(|at| u8::from_str_radix(&seed[at..at + 2], 16).unwrap())
        .collect();
    let promised = text(&session.created, "commitment");
    assert_eq!(blake3::hash(&bytes).to_hex().as_str(), promised);
    assert_eq!(record["log"].as_array().unwrap().len(), 6);
    assert_eq!(session.created["practice"], false);
}

#[tokio::test]
async fn what_seats_bring_is_mixed_into_the_seed() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TRADE, "seats": ["open", "open"]}))
        .await;
    let brought = ["a1".repeat(32), "b2".repeat(32)];
    let mut tokens = Vec::new();
    for (seat, entropy) in (1..).zip(&brought) {
        let claim = server.put(
            &session.at(&format!("/seats/{seat}")),
            json!({"entropy": entropy}),
        );
        let claimed = expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
        tokens.push(text(&claimed, "token"));
    }
    let shown = session.get("", None).await;
    let expected = json!([{"seat": 1, "value": brought[0]}, {"seat": 2, "value": brought[1]}]);
    assert_eq!(shown["entropy"], expected);
    assert_eq!(shown["commitment"], session.created["commitment"]);

    session.play_out(&tokens, |_| 0).await;
    let record = session.get("/record", None).await;
    assert_eq!(record["fairness"]["entropy"], expected);
    assert_eq!(record["fairness"]["commitment"], shown["commitment"]);
    assert_ne!(record["fairness"]["secret"], record["seed"]);
    assert!(!record["chance"].as_array().unwrap().is_empty());
    // A session that continues from it checks the same commitment.
    let mut cut = record.clone();
    cut["log"].as_array_mut().unwrap().truncate(1);
    cut.as_object_mut().unwrap().remove("outcome");
    server
        .create(json!({"record": cut, "seats": ["open", "open"]}))
        .await;
    for (at, value) in [
        ("/fairness/secret", json!("0".repeat(64))),
        ("/fairness/entropy/0/value", json!("0".repeat(64))),
        ("/chance/0/number", json!(9)),
    ] {
        let mut touched = cut.clone();
        *touched.pointer_mut(at).unwrap() = value;
        let refused = server.post("/v1/sessions", json!({"record": touched}));
        let problem = expect(
            refused.send().await.unwrap(),
            StatusCode::UNPROCESSABLE_ENTITY,
        )
        .await;
        assert_eq!(problem["errors"][0]["pointer"], "/record", "{at}");
    }
}

fn leaving(server: &Server, session: &Session<'_>, token: &str) -> reqwest::RequestBuilder {
    let leave = server.request(reqwest::Method::DELETE, &session.at("/seats/1"));
    bearing(leave, Some(token))
}

#[tokio::test]
async fn entropy_is_for_people_who_sit_down_in_time() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TRADE, "seats": ["open", "open"]}))
        .await;
    let entropy = "c3".repeat(32);
    let bad = server.put(&session.at("/seats/1"), json!({"entropy": "c3"}));
    expect(bad.send().await.unwrap(), StatusCode::BAD_REQUEST).await;
    let claim = server.put(&session.at("/seats/1"), json!({"entropy": entropy}));
    let claimed = expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
    let leave = leaving(&server, &session, &text(&claimed, "token"));
    expect(leave.send().await.unwrap(), StatusCode::NO_CONTENT).await;
    assert_eq!(session.get("", None).await["entropy"], json!([]));
    let first = session.claim(1).await;
    session.claim(2).await;
    let leave = leaving(&server, &session, &first);
    expect(leave.send().await.unwrap(), StatusCode::NO_CONTENT).await;
    let late = server.put(&session.at("/seats/1"), json!({"entropy": entropy}));
    let problem = expect(late.send().await.unwrap(), StatusCode::UNPROCESSABLE_ENTITY).await;
    assert_eq!(problem["errors"][0]["pointer"], "/entropy");
}

#[tokio::test]
async fn a_seed_of_ones_own_is_practice_and_gives_the_same_game_again() {
    let server = Server::start().await;
    let seed = "0123456789abcdef".repeat(4);
    let mut hands = Vec::new();
    for _ in 0..2 {
        let wanted = json!({"game": TRADE, "seed": seed, "seats": ["open", "random"]});
        let session = server.create(wanted).await;
        assert_eq!(session.created["practice"], true);
        let token = session.claim(1).await;
        hands.push(ids(&session.view(&token).await, "hand-1"));
    }
    assert_eq!(hands[0], hands[1]);
}

/// Times are not part of the game.
pub fn timeless(text: &str) -> String {
    let mut parts = text.split("at\":\"20");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| {
        text + "at\":\"" + part.split_once('Z').unwrap().1
    })
}

/// A version's mark is drawn at random, whatever the game.
pub fn without_mark(tag: &str) -> String {
    let parts = tag.split('-');
    let is_mark = |part: &&str| part.len() == 12 && part.bytes().all(|b| b.is_ascii_hexdigit());
    parts
        .filter(|part| !is_mark(part))
        .collect::<Vec<_>>()
        .join("-")
}

/// Everything seat 1 can ask for, but for what names the session.
async fn answers_to_seat_1(session: &Session<'_>, tokens: &[String]) -> Vec<String> {
    let mut answers = Vec::new();
    let mut take = |text: String| {
        let id = session.created["id"].as_str().unwrap();
        let commitment = session.created["commitment"].as_str().unwrap();
        let text = text.replace(id, "ID").replace(commitment, "COMMITMENT");
        answers.push(timeless(&text));
    };
    let tries = [
        json!({"version": 3, "args": {"c": "card-1"}}),
        json!({"version": 3, "args": {"c": "hand-2#1"}}),
        json!({"version": 3, "args": {"c": "deck#1"}}),
        json!({"id": "3.1.1"}),
    ];
    for body in &tries {
        let order = session
            .order(&tokens[0], body.clone())
            .header("x-request-id", "same");
        take(order.send().await.unwrap().text().await.unwrap());
    }
    for secret in [false, true] {
        if secret {
            // The other one answers in secret: still nothing to be seen.
            let choices = session.choices(&tokens[1]).await;
            session.move_by(&tokens[1], json!({"id": choices[0]})).await;
        }
        for rest in [
            "",
            "/view?include=actions",
            "/actions",
            "/events",
            "/moves/1",
            "/seats/2",
        ] {
            let ask = session
                .ask(rest, Some(&tokens[0]))
                .header("x-request-id", "same");
            let answer = ask.send().await.unwrap();
            let tag = format!("{:?}", answer.headers().get("etag"));
            take(answer.text().await.unwrap() + &without_mark(&tag));
        }
    }
    answers
}

#[tokio::test]
async fn answers_are_byte_equal_over_states_that_a_seat_cannot_tell_apart() {
    let server = Server::start().await;
    let mut by_hand: std::collections::HashMap<String, Vec<(String, Vec<String>)>> =
        Default::default();
    for number in 0..60 {
        let wanted =
            json!({"game": TRADE, "options": {"hand_size": 1}, "seed": format!("{number:064x}")});
        let session = server.create(wanted).await;
        let tokens = [session.claim(1).await, session.claim(2).await];
        let own = ids(&session.view(&tokens[0]).await, "hand-1").remove(0);
        let hidden = ids(&session.view(&tokens[1]).await, "hand-2").remove(0);
        let answers = answers_to_seat_1(&session, &tokens).await;
        by_hand.entry(own).or_default().push((hidden, answers));
    }
    let mut compared = 0;
    by_hand.remove("card-1"); // then naming it was a move
    for games in by_hand.values() {
        for pair in games.windows(2) {
            if pair[0].0 != pair[1].0 {
                for (one, other) in pair[0].1.iter().zip(&pair[1].1) {
                    assert_eq!(one, other);
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 10, "{compared}");
}

/// The chambers of Drakon hold figures. Imagined states say no more of them than of plain cards.
#[tokio::test]
async fn imagined_states_do_not_hold_the_true_hands_of_what_holds_others() {
    let mut config = config();
    config.rules = shipped();
    let server = Server::with(config).await;
    let step = async |wanted: Value| {
        let answer = server.post("/v1/steps", wanted).send().await.unwrap();
        expect(answer, StatusCode::OK).await
    };
    let hand = |step: &Value| ids(&json!({"state": step["view"]}), "hand-2");
    let wanted = json!({"game": "drakon", "seats": 2, "viewer": 2});
    let truth = step(wanted).await;
    assert_eq!(hand(&truth).len(), 4);
    let wanted = json!({"state": truth["state"], "imagine": {"seat": 1, "count": 8}});
    let imagined = step(wanted).await;
    let worlds = imagined["worlds"].as_array().unwrap();
    assert_eq!(worlds.len(), 8);
    let mut hands = Vec::new();
    for world in worlds {
        hands.push(hand(&step(json!({"state": world, "viewer": 2})).await));
    }
    assert!(!hands.contains(&hand(&truth)), "{hands:?}");
    hands.sort();
    hands.dedup();
    assert!(hands.len() > 6, "{hands:?}");
}
