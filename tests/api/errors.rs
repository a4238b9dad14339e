//! Every row of the table of problems that a client can cause.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::support::{Server, TOLL, bearing, config, expect, refused, text};

#[tokio::test]
async fn broken_json_unknown_members_and_wrong_types_are_malformed_and_pointed_at() {
    let server = Server::start().await;
    let bodies = [
        (r#"{"game": "toll""#, ""),
        (r#"{"game": "toll", "colour": 1}"#, "/colour"),
        (r#"{"game": 7}"#, "/game"),
        (
            r#"{"game": "toll", "seats": ["open", "robot"]}"#,
            "/seats/1",
        ),
        (r#"{"game": "toll", "seed": "abc"}"#, "/seed"),
        (r#"{}"#, ""),
        (r#"[]"#, ""),
    ];
    for (body, pointer) in bodies {
        let request = server.request(Method::POST, "/v1/sessions");
        let request = request
            .header("content-type", "application/json")
            .body(body);
        let problem = refused(request, 400, "malformed").await;
        if !pointer.is_empty() {
            assert_eq!(problem["errors"][0]["pointer"], pointer, "{body}");
        }
    }
}

/// The library that reads bodies would take the values for members in their order.
#[tokio::test]
async fn lists_of_values_are_no_objects() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let token = session.claim(1).await;
    let orders = |body| server.put(&session.at("/standing-orders"), body);
    let requests = [
        (
            server.post("/v1/steps", json!({"steps": [["toll"]]})),
            "/steps/0",
        ),
        (
            server.post("/v1/steps", json!({"game": "toll", "choice": ["1.1"]})),
            "/choice",
        ),
        (
            server.post("/v1/steps", json!({"game": "toll", "imagine": [1, 1]})),
            "/imagine",
        ),
        (
            server.post(
                "/v1/sessions",
                json!({"game": "toll", "spectators": ["live"]}),
            ),
            "/spectators",
        ),
        (orders(json!({"orders": [["wink"]]})), "/orders/0"),
        (
            orders(json!({"orders": [{"answer": [true]}]})),
            "/orders/0/answer",
        ),
        (
            orders(json!({"orders": [{"answer": {"only": true}, "if": [["/a", "=", 1]]}]})),
            "/orders/0/if/0",
        ),
    ];
    for (request, pointer) in requests {
        let problem = refused(request.bearer_auth(&token), 400, "malformed").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
}

#[tokio::test]
async fn setups_that_a_game_does_not_have_are_unprocessable_and_pointed_at() {
    let server = Server::start().await;
    for (body, pointer) in [
        (
            json!({"game": "trade", "options": {"hand_size": 9}}),
            "/options/hand_size",
        ),
        (
            json!({"game": "trade", "options": {"hand_size": true}}),
            "/options/hand_size",
        ),
        (
            json!({"game": "trade", "options": {"hand": 1}}),
            "/options/hand",
        ),
        (json!({"game": "toll", "seats": ["open"]}), "/seats"),
        (
            json!({"game": "toll", "seats": vec!["open"; 300]}),
            "/seats",
        ),
    ] {
        let request = server.post("/v1/sessions", body);
        let problem = refused(request, 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
}

#[tokio::test]
async fn a_setup_that_the_rules_forbid_is_refused_with_their_clauses() {
    let server = Server::start().await;
    let (four, two) = (
        json!(["open", "open", "open", "open"]),
        json!(["open", "open"]),
    );
    let cases = [
        (json!({"game": "trade", "seats": four}), "/seats", "TRD-03"),
        (
            json!({"game": "trade", "seats": two, "options": {"kept": "none"}}),
            "/options/kept",
            "TRD-04",
        ),
    ];
    for (body, pointer, clause) in cases {
        let request = server.request(Method::POST, "/v1/sessions").json(&body);
        let problem = refused(request, 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
        assert_eq!(problem["reason"]["clauses"][0]["id"], clause);
        assert!(problem["reason"]["clauses"][0]["text"].is_string());
        assert_eq!(problem["reason"]["message"], problem["detail"]);
    }
}

#[tokio::test]
async fn unknown_query_parameters_are_refused_everywhere() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TOLL).await;
    let paths = [
        "/v1",
        "/v1/games",
        "/v1/games/toll",
        "/v1/sessions",
        "/livez",
        "/readyz",
    ];
    for path in paths {
        let problem = refused(server.get(&format!("{path}?colour=red")), 400, "malformed").await;
        assert_eq!(problem["errors"][0]["pointer"], "colour");
    }
    for rest in [
        "", "/view", "/actions", "/events", "/seats/1", "/moves/1", "/record",
    ] {
        let request = session.ask(&format!("{rest}?colour=red"), Some(&token));
        refused(request, 400, "malformed").await;
    }
}

#[tokio::test]
async fn limits_and_cursors_that_are_not_ours_are_malformed() {
    let server = Server::start().await;
    for query in [
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=%2F%2F",
        "status=dreaming",
        "open_seats_min=0",
        "open_seats_min=9",
        "tag=%3B",
    ] {
        for other in ["", "&external_id=room"] {
            let request = server.get(&format!("/v1/sessions?{query}{other}"));
            refused(request, 400, "malformed").await;
        }
    }
    refused(server.get("/?at=0"), 400, "malformed").await;
    let session = server.create(json!({"game": TOLL})).await;
    let list = server.post(&session.at("/stream-tickets"), json!([]));
    refused(list, 400, "malformed").await;
    let above = server.get(&session.at("?min_version=9007199254740992"));
    refused(above, 400, "malformed").await;
}

#[tokio::test]
async fn credentials_are_checked() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TOLL).await;
    let (_, [other, _]) = server.duel(TOLL).await;
    let choice = json!({"version": 3, "args": {"n": 1}});

    // No credential, one that cannot be ours, one of another session.
    let anonymous = server.post(&session.at("/moves"), choice.clone());
    refused(anonymous, 401, "unauthenticated").await;
    let request = session.ask("/actions", None);
    refused(request, 401, "unauthenticated").await;
    for wrong in ["nonsense", &other] {
        let request = session.order(wrong, choice.clone());
        refused(request, 401, "unauthenticated").await;
    }
    let response = session.ask("/view", Some("nonsense")).send().await.unwrap();
    assert!(response.headers().contains_key("www-authenticate"));

    // A valid one, for something else.
    let request = session.order(&session.owner, choice.clone());
    refused(request, 403, "forbidden").await;
    let mut meant = choice.clone();
    meant["seat"] = json!(2);
    refused(session.order(&token, meant), 403, "forbidden").await;
    let leave = server.request(Method::DELETE, &session.at("/seats/2"));
    refused(leave.bearer_auth(&token), 403, "forbidden").await;
    let remove = server.request(Method::DELETE, &session.path);
    refused(remove.bearer_auth(&token), 403, "forbidden").await;
    let remove = server.request(Method::DELETE, &session.path);
    refused(remove, 401, "unauthenticated").await;
}

#[tokio::test]
async fn what_is_absent_and_what_is_private_look_the_same() {
    let server = Server::start().await;
    let wanted = json!({"game": TOLL, "visibility": "private", "seats": ["open", "random"]});
    let session = server.create(wanted).await;
    let absent = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA";
    for rest in [
        "", "/view", "/actions", "/events", "/record", "/seats/1", "/moves/1",
    ] {
        let mut answers = Vec::new();
        for path in [absent, &session.path] {
            let request = server
                .get(&format!("{path}{rest}"))
                .header("x-request-id", "same");
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::NOT_FOUND);
            answers.push(answer.bytes().await.unwrap());
        }
        assert_eq!(answers[0], answers[1], "{rest}");
    }
    let listed = server
        .get("/v1/sessions?status=waiting")
        .send()
        .await
        .unwrap();
    assert_eq!(expect(listed, StatusCode::OK).await["items"], json!([]));

    // With the invite code the seat can be taken, and the seat's token opens everything.
    let claim = server.put(&session.at("/seats/1"), json!({}));
    refused(claim, 404, "not-found").await;
    let invite = session.created["invite_code"].clone();
    let claim = server.put(&session.at("/seats/1"), json!({"invite_code": invite}));
    let claimed = expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
    session.get("/view", claimed["token"].as_str()).await;
    session.get("", Some(&session.owner)).await;
}

#[tokio::test]
async fn seats_are_taken_once() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let first = session.claim(1).await;
    let again = server.put(&session.at("/seats/1"), json!({}));
    refused(again, 409, "seat-taken").await;
    let beyond = server.put(&session.at("/seats/3"), json!({}));
    refused(beyond, 404, "not-found").await;
    session.claim(2).await;
    let full = server.put(&session.at("/seats/2"), json!({}));
    refused(full, 409, "session-full").await;

    // A seat that was left can be taken again, and its old token is of no use.
    let leave = server.request(Method::DELETE, &session.at("/seats/1"));
    let left = leave.bearer_auth(&first).send().await.unwrap();
    assert_eq!(left.status(), StatusCode::NO_CONTENT);
    refused(
        session.ask("/actions", Some(&first)),
        401,
        "unauthenticated",
    )
    .await;
    let second = session.claim(1).await;
    assert!(!session.choices(&second).await.is_empty());
}

#[tokio::test]
async fn a_finished_session_takes_no_moves_and_no_players() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    session.play_out(&tokens, |count| count - 1).await;
    let late = session.order(&tokens[0], json!({"version": 7, "args": {"n": 1}}));
    refused(late, 409, "session-over").await;
    let leave = server.request(Method::DELETE, &session.at("/seats/1"));
    refused(leave.bearer_auth(&tokens[0]), 409, "session-over").await;
}

#[tokio::test]
async fn a_record_is_sealed_until_the_end() {
    let server = Server::start().await;
    let (session, _) = server.duel(TOLL).await;
    refused(session.ask("/record", None), 409, "session-running").await;
}

#[tokio::test]
async fn moves_out_of_turn_are_refused() {
    let server = Server::start().await;
    let waiting = server.create(json!({"game": TOLL})).await;
    let early = waiting.claim(1).await;
    let request = waiting.order(&early, json!({"version": 2, "args": {"n": 1}}));
    refused(request, 409, "not-your-turn").await;

    let (session, [_, second]) = server.duel(TOLL).await;
    let request = session.order(&second, json!({"version": 3, "args": {"n": 1}}));
    refused(request, 409, "not-your-turn").await;
}

#[tokio::test]
async fn an_illegal_choice_is_told_the_clause_and_its_place_and_changes_nothing() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let before = session.get("/view", Some(&first)).await;
    let request = session.order(&first, json!({"version": 3, "args": {"n": 4}}));
    let problem = refused(request, 409, "illegal-choice").await;
    let reason = &problem["reason"];
    assert_eq!(reason["clauses"][0]["id"], "TOL-01");
    assert_eq!(
        reason["clauses"][0]["text"],
        "Nobody may take more than three coins."
    );
    assert_eq!(reason["file"], "toll/game.yaml");
    assert_eq!(reason["line"], 15);
    for id in ["3.1.99", "nonsense", "3.1", "03.1.0", "3.1.0.0"] {
        let request = session.order(&first, json!({"id": id}));
        refused(request, 409, "illegal-choice").await;
    }
    for args in [
        json!({"m": 1}),
        json!({}),
        json!({"n": "x"}),
        json!({"n": [1]}),
    ] {
        let request = session.order(&first, json!({"version": 3, "args": args}));
        refused(request, 422, "unprocessable").await;
    }
    assert_eq!(session.get("/view", Some(&first)).await, before);
    let events = session.get("/events", None).await;
    assert_eq!(events["items"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_move_is_tied_to_a_position() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let loose = session.order(&first, json!({"args": {"n": 1}}));
    refused(loose, 428, "precondition-required").await;
    let any = session.order(&first, json!({"args": {"n": 1}}));
    refused(any.header("if-match", "*"), 428, "precondition-required").await;

    let stale = session.order(&first, json!({"version": 2, "args": {"n": 1}}));
    let problem = refused(stale, 412, "stale-version").await;
    assert_eq!(problem["version"], 3);
    let stale = session.order(&first, json!({"id": "2.1.0"}));
    refused(stale, 412, "stale-version").await;
    let stale = session.order(&first, json!({"args": {"n": 1}, "decision": "2.1"}));
    refused(stale, 412, "stale-version").await;
    let others = session.ask("/view", Some(&second)).send().await.unwrap();
    let others = others.headers()["etag"].clone();
    let stale = session
        .order(&first, json!({"args": {"n": 1}}))
        .header("if-match", others);
    refused(stale, 412, "stale-version").await;

    let seen = session.ask("/view", Some(&first)).send().await.unwrap();
    let seen = seen.headers()["etag"].clone();
    let move_ = session
        .order(&first, json!({"args": {"n": 1.0}}))
        .header("if-match", seen);
    let receipt = expect(move_.send().await.unwrap(), StatusCode::CREATED).await;
    assert_eq!(receipt["version"], 4);
    let move_ = session.order(&second, json!({"args": {"n": 1}, "decision": "4.2"}));
    expect(move_.send().await.unwrap(), StatusCode::CREATED).await;
}

#[tokio::test]
async fn numbers_in_queries_have_no_sign_and_an_end() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    for query in [
        "/view?at=%2B1",
        "/view?min_version=%2B1",
        "/events?after=%2B1",
        "/events?after=99999999999999999999",
        "/events?after=9007199254740992",
        "/events?limit=%2B1",
    ] {
        refused(session.ask(query, None), 400, "malformed").await;
    }
}

#[tokio::test]
async fn bodies_must_be_json_small_and_in_time() {
    let mut config = config();
    config.body_deadline = Duration::from_millis(300);
    let server = Server::with(config).await;
    let create = || server.request(Method::POST, "/v1/sessions");
    let untyped = create().body(r#"{"game": "toll"}"#);
    refused(untyped, 415, "unsupported-media-type").await;
    let other = create()
        .header("content-type", "text/plain")
        .body(r#"{"game": "toll"}"#);
    refused(other, 415, "unsupported-media-type").await;
    let toll = json!({"game": TOLL}).to_string();
    let compressed = create().header("content-encoding", "gzip");
    for unread in [
        compressed.header("content-type", "application/json"),
        create().header("content-type", "application/json; charset=utf-16"),
    ] {
        refused(unread.body(toll.clone()), 415, "unsupported-media-type").await;
    }
    let plain = create().header("content-encoding", "identity");
    let plain = plain.header("content-type", r#"application/json; charset="UTF-8""#);
    expect(plain.body(toll).send().await.unwrap(), StatusCode::CREATED).await;
    let huge = format!(r#"{{"game": "{}"}}"#, "x".repeat(100_000));
    let huge = create()
        .header("content-type", "application/json")
        .body(huge);
    refused(huge, 413, "too-large").await;
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let deep = create()
        .header("content-type", "application/json")
        .body(deep);
    refused(deep, 400, "malformed").await;

    // A body that drips.
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = "POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let length = stream.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains(r#""code":"timeout""#), "{answer}");
}

#[tokio::test]
async fn wrong_methods_and_unknown_paths_are_told_apart() {
    let server = Server::start().await;
    for (method, path, allow) in [
        (Method::POST, "/", "GET, HEAD"),
        (Method::POST, "/v1/games", "GET, HEAD"),
        (Method::DELETE, "/v1/sessions", "GET, POST, HEAD"),
        (Method::PATCH, "/v1/sessions/x", "GET, DELETE, HEAD"),
        (Method::GET, "/v1/sessions/x/moves", "POST"),
        (Method::PUT, "/openapi.json", "GET, HEAD"),
    ] {
        let request = server.request(method.clone(), path);
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["allow"], allow, "{method} {path}");
        refused(server.request(method, path), 405, "method-not-allowed").await;
    }
    for path in [
        "/v2",
        "/pages/none.js",
        "/v1/",
        "/v1/session",
        "/v1/sessions/x/y",
        "/favicon.ico",
    ] {
        let response = server.get(path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(problem["code"], "not-found");
    }
    for path in [
        "/v1/games/chess",
        "/v1/rulesets/abc",
        "/v1/sessions/x",
        "/problems/none",
    ] {
        refused(server.get(path), 404, "not-found").await;
    }
    refused(
        server.post("/v1/sessions", json!({"game": "chess"})),
        404,
        "not-found",
    )
    .await;
}

#[tokio::test]
async fn only_where_there_are_several_forms_one_can_be_refused() {
    let server = Server::start().await;
    for path in ["/v1", "/v1/games", "/v1/sessions", "/livez"] {
        let request = server.get(path).header("accept", "text/event-stream");
        expect(request.send().await.unwrap(), StatusCode::OK).await;
    }
    let (session, _) = server.duel(TOLL).await;
    let events = session.ask("/events", None);
    refused(events.header("accept", "text/html"), 406, "not-acceptable").await;
    let events = session.ask("/events", None);
    let events = events.header("accept", "text/html, */*;q=0.1");
    expect(events.send().await.unwrap(), StatusCode::OK).await;
}

#[tokio::test]
async fn a_version_that_does_not_come_is_stale() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let request = session.ask("/view?min_version=99", Some(&first));
    let problem = refused(request.header("prefer", "wait=0"), 412, "stale-version").await;
    assert_eq!(problem["version"], 3);
    // A malformed request is refused without waiting.
    let request = session.ask("/actions?cursor=x&min_version=99", Some(&first));
    refused(request, 400, "malformed").await;
}

#[tokio::test]
async fn every_problem_is_explained() {
    let server = Server::start().await;
    for code in wyrmgate::api::ProblemCode::ALL {
        let row = code.row();
        let response = server
            .get(&format!("/problems/{}", row.code))
            .send()
            .await
            .unwrap();
        let explained = expect(response, StatusCode::OK).await;
        assert_eq!(explained["status"], row.status);
        assert!(explained["advice"].is_string());
    }
}

#[tokio::test]
async fn no_problem_shows_a_path_of_the_machine_or_a_token() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TOLL).await;
    let home = env!("CARGO_MANIFEST_DIR");
    for body in [
        json!({"version": 3, "args": {"n": 4}}),
        json!({"id": "1.1.1"}),
        json!(7),
    ] {
        let request = bearing(server.post(&session.at("/moves"), body), Some(&token));
        let text = request.send().await.unwrap().text().await.unwrap();
        assert!(
            !text.contains(home) && !text.contains(&token[8..]),
            "{text}"
        );
    }
}

#[tokio::test]
async fn what_is_not_even_a_request_is_answered_with_a_problem_too() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::start().await;
    let many: String = (0..200).map(|n| format!("x-{n}: 1\r\n")).collect();
    let requests = [
        ("what is this\r\n\r\n".to_owned(), 400, "malformed"),
        (
            "GET /v1 HTTP/1.1\r\nbad header\r\n\r\n".to_owned(),
            400,
            "malformed",
        ),
        (
            format!("GET /v1 HTTP/1.1\r\nhost: x\r\n{many}\r\n"),
            431,
            "headers-too-large",
        ),
        (
            format!("GET /v1 HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(200_000)),
            431,
            "headers-too-large",
        ),
    ];
    let address = server.url.strip_prefix("http://").unwrap();
    let first = "GET /livez HTTP/1.1\r\nhost: x\r\n\r\n";
    let later = requests
        .clone()
        .map(|(request, status, code)| (first.to_owned() + &request, status, code));
    for (request, status, code) in requests.into_iter().chain(later) {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let answer = answer.rsplit_once("HTTP/1.1 ").unwrap().1;
        assert!(answer.starts_with(&format!("{status} ")), "{answer}");
        assert!(answer.contains("application/problem+json"), "{answer}");
        for header in [
            "ratelimit-policy: \"list\";q=",
            "ratelimit: \"list\";r=",
            "cache-control: no-store",
        ] {
            assert!(answer.contains(header), "{header}: {answer}");
        }
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let problem: Value = serde_json::from_str(body).unwrap();
        assert_eq!(problem["code"], code);
        assert!(answer.contains(problem["request_id"].as_str().unwrap()));
    }
}

#[tokio::test]
async fn names_show_everything_that_is_in_them() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let claim = |name: &str| server.put(&session.at("/seats/1"), json!({"name": name}));
    for name in [
        "Ada\u{202e}adA",
        "A\u{200b}da",
        "\u{2066}Ada",
        "A\u{ad}da",
        "   ",
        "\u{3164}",
        "A\nda",
    ] {
        let problem = refused(claim(name), 422, "unprocessable").await;
        assert_eq!(problem["errors"][0]["pointer"], "/name", "{name:?}");
    }
    let problem = refused(claim("\u{202e}x"), 422, "unprocessable").await;
    assert!(text(&problem, "detail").contains("U+202E"));
    expect(
        claim("Zoë 李 🐉").send().await.unwrap(),
        StatusCode::CREATED,
    )
    .await;
    let hidden = format!("extends: {TOLL}\nchange: {{title: \"Toll\u{202e}\"}}\n");
    let upload = server.post(
        "/v1/ruleset-checks",
        json!({"files": {"house.yaml": hidden}}),
    );
    let problem = refused(upload, 422, "invalid-ruleset").await;
    let found = &problem["diagnostics"][0];
    assert_eq!(found["code"], "invisible-character", "{found}");
}

#[tokio::test]
async fn a_record_with_unknown_members_is_malformed() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    session.play_out(&tokens, |_| 0).await;
    let record = session.get("/record", Some(&tokens[0])).await;
    let create = |record: Value| server.post("/v1/sessions", json!({"record": record}));
    let mut unknown = record.clone();
    unknown["moves"] = json!([]);
    let mut inside = record.clone();
    inside["log"][0]["why"] = json!("because");
    let mut other_type = record.clone();
    other_type["seats"] = json!("two");
    for wrong in [unknown, inside, other_type] {
        let problem = refused(create(wrong), 400, "malformed").await;
        assert_eq!(problem["errors"][0]["pointer"], "/record");
    }
    let mut untrue = record;
    untrue["log"][0]["seat"] = json!(2);
    refused(create(untrue), 422, "unprocessable").await;
}
