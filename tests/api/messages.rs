//! Few and small messages: changes say who owes what, answers include what a program needs next, members are selected, and
//! texts are compact.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::support::{Server, Session, TOLL, TRADE, WINK, expect, refused, shipped, text};

async fn lines(session: &Session<'_>, rest: &str, token: Option<&str>) -> Vec<Value> {
    let asked = session
        .ask(rest, token)
        .header("accept", "application/jsonl");
    let lines = asked.send().await.unwrap().text().await.unwrap();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// An answer of which only a part was asked for, which the document does not describe.
async fn part(request: reqwest::RequestBuilder) -> Value {
    let response = request.send().await.unwrap();
    assert!(response.status().is_success(), "{}", response.status());
    response.json().await.unwrap()
}

async fn words(request: reqwest::RequestBuilder) -> String {
    let response = request.header("accept", "text/plain").send().await.unwrap();
    assert!(response.status().is_success(), "{}", response.status());
    assert_eq!(
        response.headers()["content-type"],
        "text/plain; charset=utf-8"
    );
    response.text().await.unwrap()
}

#[tokio::test]
async fn changes_say_who_owes_what_and_include_what_the_caller_needs() {
    let server = Server::start().await;
    let wanted = json!({"game": TRADE, "seats": ["open", "open", "random"], "clock": {"decision_ms": 60_000}});
    let session = server.create(wanted).await;
    let tokens = [session.claim(1).await, session.claim(2).await];
    session.play_for(2, &tokens, |of| of / 2).await;
    for (seat, token) in [
        (1, Some(tokens[0].as_str())),
        (2, Some(tokens[1].as_str())),
        (0, None),
    ] {
        let changes = lines(&session, "/events?include=actions,view", token).await;
        let page = session
            .get("/events?include=actions,view&limit=100", token)
            .await;
        assert_eq!(page["items"], json!(changes));
        for change in &changes {
            let version = change["version"].as_u64().unwrap();
            let mut then = session.get(&format!("/view?at={version}"), token).await;
            let mut view = change["view"].clone();
            assert_eq!(
                (&change["owing"], &change["status"]),
                (&then["owing"], &then["status"])
            );
            (then["deadlines"], view["deadlines"]) = (json!([]), json!([]));
            assert_eq!(view, then, "{version}");
            let due: Vec<&Value> = change["deadlines"]
                .as_array()
                .unwrap()
                .iter()
                .map(|of| &of["seat"])
                .collect();
            assert_eq!(json!(due), change["owing"]);
            let owes = change["owing"].as_array().unwrap().contains(&json!(seat));
            assert_eq!(
                change["decisions"].as_array().unwrap().len(),
                usize::from(owes),
                "{version}"
            );
        }
        let last = changes.last().unwrap();
        if seat > 0 {
            let now = session.get("/view?include=actions", token).await;
            assert_eq!(
                (&last["decisions"], &last["deadlines"]),
                (&now["decisions"], &now["deadlines"])
            );
        }
    }
}

#[tokio::test]
async fn a_program_plays_with_one_request_per_move() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TOLL, "seats": ["open", "random"]}))
        .await;
    let token = session.claim(1).await;
    let mut position = session.get("/view?include=actions", Some(&token)).await;
    let mut moves = 0;
    while position["status"] == "running" {
        let id = text(&position["decisions"][0]["choices"][0], "id");
        let made = session.server.post(
            &session.at("/moves?include=actions,view"),
            json!({"id": id}),
        );
        position = expect(
            made.bearer_auth(&token).send().await.unwrap(),
            StatusCode::CREATED,
        )
        .await;
        moves += 1;
        assert_eq!(position["view"]["version"], position["version"]);
        assert_eq!(position["view"]["owing"], position["owing"]);
    }
    assert!(moves > 1);
    assert_eq!(
        position["view"]["outcome"],
        session.get("", None).await["outcome"]
    );
    let wrong = session.server.post(
        &session.at("/moves?include=everything"),
        json!({"id": "1.1.1"}),
    );
    let problem = refused(wrong.bearer_auth(&token), 400, "malformed").await;
    assert!(
        text(&problem, "detail").contains("`everything`; use `actions`"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_seat_that_has_answered_in_secret_reads_that_it_owes_nothing() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TRADE).await;
    let choices = session.choices(&first).await;
    expect(
        session.move_by(&first, json!({"id": choices[0]})).await,
        StatusCode::OK,
    )
    .await;
    // A public change while the answer is secret.
    let renewed = session.server.put(&session.at("/tokens/owner"), json!({}));
    expect(
        renewed.bearer_auth(&session.owner).send().await.unwrap(),
        StatusCode::OK,
    )
    .await;
    let last = async |token: Option<&str>| {
        let changes = lines(&session, "/events?include=actions", token).await;
        changes.last().unwrap().clone()
    };
    let (own, other) = (last(Some(&first)).await, last(Some(&second)).await);
    assert_eq!(
        (&own["owing"], &own["decisions"]),
        (&json!([2]), &json!([]))
    );
    assert_eq!(other["owing"], json!([1, 2]));
    assert_eq!(other["decisions"][0]["seat"], 2);
    assert_eq!(last(None).await["owing"], json!([1, 2]));
}

#[tokio::test]
async fn members_of_every_json_answer_can_be_selected() {
    let server = Server::start().await;
    let session = server
        .create(json!({"game": TOLL, "seats": ["open", "random"]}))
        .await;
    let token = session.claim(1).await;
    let view = part(session.ask(
        "/view?include=actions&fields=version,decisions.choices.id",
        Some(&token),
    ))
    .await;
    let members: Vec<&String> = view.as_object().unwrap().keys().collect();
    assert_eq!(members, ["version", "decisions"]);
    let choice = &view["decisions"][0]["choices"][0];
    assert_eq!(choice.as_object().unwrap().len(), 1, "{choice}");
    let page = part(session.ask("/events?limit=1&fields=items.version,next", None)).await;
    assert_eq!(page["items"], json!([{"version": 1}]));
    assert!(page["next"].is_string());
    let lines = lines(&session, "/events?fields=version,owing", None).await;
    assert_eq!(lines[0], json!({"version": 1, "owing": []}));
    let games = part(server.get("/v1/games?fields=items.name")).await;
    assert_eq!(games["items"][0].as_object().unwrap().len(), 1);
    // Secrets are shown once, so they stay.
    let path = "/v1/sessions?fields=version";
    let made = part(server.post(path, json!({"game": TOLL, "visibility": "private"}))).await;
    let members: Vec<&String> = made.as_object().unwrap().keys().collect();
    assert_eq!(
        members,
        ["version", "owner_token", "invite_code", "spectator_token"]
    );
    // A write is selected from after its response is stored.
    let id = text(choice, "id");
    let make = || {
        let path = session.at("/moves?fields=version");
        let request = session
            .server
            .post(&path, json!({"id": id}))
            .bearer_auth(&token);
        request.header("idempotency-key", "one")
    };
    let made = part(make()).await;
    assert_eq!(made, json!({"version": made["version"]}));
    assert_eq!(part(make()).await, made);
    for (path, advice) in [
        ("/view?fields=versoin", "`session`, `version`"),
        ("/view?fields=version.x", "`version` has no members"),
        ("/view?fields=", "one of them is empty"),
        ("/events?fields=version", "it has `items`, `next`"),
        ("/board.svg?fields=version", "unknown parameter `fields`"),
    ] {
        let problem = refused(session.ask(path, Some(&token)), 400, "malformed").await;
        assert!(
            text(&problem, "detail").contains(advice),
            "{path}: {problem}"
        );
    }
    for (path, name, detail) in [
        (
            "/actions?limit=x",
            "limit",
            "expected a whole number from 0",
        ),
        ("/view?at=", "at", "expected a whole number from 0"),
        (
            "/board.png?theme=dark&size=99999",
            "size",
            "this number is too large",
        ),
        (
            "/board.svg?theme=pink",
            "theme",
            "`pink` is not possible here; possible: `light`, `dark`, `auto`",
        ),
        (
            "/actions?limit=1&limit=2",
            "limit",
            "`limit` is given twice",
        ),
        (
            "/events?after=-1",
            "after",
            "invalid cursor; use `next` from the previous page",
        ),
    ] {
        let problem = refused(session.ask(path, Some(&token)), 400, "malformed").await;
        let wrong = &problem["errors"][0];
        assert_eq!(
            (&wrong["pointer"], &wrong["detail"]),
            (&json!(name), &json!(detail))
        );
    }
    let below = session.order(&token, json!({"version": -1, "args": {"n": 1}}));
    let problem = refused(below, 400, "malformed").await;
    let detail = "expected a whole number from 0, found the number -1";
    assert_eq!(problem["errors"][0]["detail"], detail);
}

#[tokio::test]
async fn texts_carry_ids_that_answer_and_show_no_more_than_json() {
    let mut config = super::support::config();
    config.rules = shipped();
    let server = Server::with(config).await;
    for game in ["tic-tac-toe", "magic-dragon", "drakon"] {
        let session = server
            .create(json!({"game": game, "seats": ["open", "random"]}))
            .await;
        let token = session.claim(1).await;
        let mut told = words(session.ask("/view?include=actions", Some(&token))).await;
        for _ in 0..8 {
            let Some(ids) = told
                .lines()
                .find_map(|line| line.rsplit(' ').next()?.strip_suffix(".N"))
            else {
                break;
            };
            let view = session.get("/view?include=actions", Some(&token)).await;
            let choice = &view["decisions"][0]["choices"][0];
            assert_eq!(text(choice, "id"), format!("{ids}.0"), "{told}");
            let made = session.server.post(
                &session.at("/moves?include=view,actions"),
                json!({"id": format!("{ids}.0")}),
            );
            told = words(made.bearer_auth(&token)).await;
            assert!(told.starts_with("version "), "{told}");
            assert!(told.chars().count() < 8_000);
        }
        let watched = words(session.ask("/view", None)).await;
        assert!(!watched.contains(".N"), "{watched}");
        assert!(
            words(session.ask("/events?limit=2", None))
                .await
                .starts_with("version 1\n")
        );
    }
    // The hand of another seat is in no text.
    let session = server
        .create(json!({"game": "magic-dragon", "seats": ["open", "open"]}))
        .await;
    let (first, second) = (session.claim(1).await, session.claim(2).await);
    let (own, theirs) = (
        words(session.ask("/view", Some(&first))).await,
        words(session.ask("/view", Some(&second))).await,
    );
    // Each dragon exists once.
    let dragons = |text: &str| -> Vec<String> {
        let hand = text
            .lines()
            .find(|line| line.contains("Hand") && line.contains('['))
            .unwrap();
        let cards = hand.split('[').filter(|card| card.starts_with("Dragon"));
        cards
            .map(|card| card.trim_end_matches(['*', ']', ' ']).to_owned())
            .collect()
    };
    assert!(!dragons(&own).is_empty());
    for card in dragons(&theirs) {
        assert!(!own.contains(&card), "{card} in {own}");
    }
    // Everything else gets JSON, as ever.
    for accept in [
        "*/*",
        "text/event-stream",
        "image/png",
        "application/json, text/plain;q=0.5",
    ] {
        let seen = session
            .ask("/view", None)
            .header("accept", accept)
            .send()
            .await
            .unwrap();
        assert_eq!(
            seen.headers()["content-type"],
            "application/json",
            "{accept}"
        );
    }
}

#[tokio::test]
async fn choices_are_found_by_their_words() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(WINK).await;
    let all = session.get("/actions", Some(&first)).await;
    let label = text(&all["items"][0]["choices"][0], "label");
    let words = label.to_uppercase().replace(' ', "%20");
    let found = session.ask(&format!("/actions?words={words}"), Some(&first));
    let found = expect(found.send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(found["items"][0]["count"], all["items"][0]["count"]);
    let labels = found["items"][0]["choices"].as_array().unwrap();
    assert!(
        !labels.is_empty()
            && labels
                .iter()
                .all(|choice| text(choice, "label").contains(&label))
    );
    let none = session.get("/actions?words=quagga", Some(&first)).await;
    assert_eq!(
        (&none["items"][0]["choices"], &none["items"][0]["complete"]),
        (&json!([]), &json!(false))
    );
    refused(
        session.ask("/actions?words=a&cursor=1.1", Some(&first)),
        422,
        "unprocessable",
    )
    .await;
}

#[tokio::test]
async fn what_is_not_found_lists_what_exists() {
    let server = Server::start().await;
    let ask = async |request| refused(request, 404, "not-found").await;
    let game = ask(server.get("/v1/games/trad")).await;
    assert!(
        game["available"]
            .as_array()
            .unwrap()
            .contains(&json!(TRADE)),
        "{game}"
    );
    assert!(
        text(&game, "detail")
            .starts_with("there is no game `trad`; did you mean `trade`? Available: "),
        "{game}"
    );
    let made = ask(server.post("/v1/sessions", json!({"game": "nothing"}))).await;
    assert_eq!(made["available"], game["available"]);
    let variant =
        ask(server.post("/v1/sessions", json!({"game": TRADE, "variant": "nothing"}))).await;
    assert!(
        text(&variant, "detail").contains("variant of `trade`"),
        "{variant}"
    );
    let digest = ask(server.get("/v1/rulesets/0")).await;
    assert_eq!(
        digest["available"].as_array().unwrap().len(),
        game["available"].as_array().unwrap().len()
    );
    let path = server.get("/v1/session").send().await.unwrap();
    assert_eq!(path.status(), StatusCode::NOT_FOUND);
    let path: Value = path.json().await.unwrap();
    assert!(
        path["available"]
            .as_array()
            .unwrap()
            .contains(&json!("/v1/sessions")),
        "{path}"
    );
    assert!(
        text(&path, "detail").contains("did you mean `/v1/sessions`"),
        "{path}"
    );
    let session = server
        .create(json!({"game": TOLL, "visibility": "private"}))
        .await;
    let seat = ask(session.ask("/seats/9", Some(&session.owner))).await;
    assert_eq!(seat["available"], json!(["1", "2"]));
    // A private session is as absent as one that never was.
    let mut private = ask(session.ask("", None)).await;
    let mut absent = ask(server.get("/v1/sessions/yXw0v2Jc3kq9l1Fh5nTz8A")).await;
    (private["request_id"], absent["request_id"]) = (json!(""), json!(""));
    assert_eq!(private, absent);
}
