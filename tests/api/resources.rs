//! Catalog, lobby, sessions, and what all answers have in common.

use std::io::Read;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::support::{Server, Session, TOLL, TRADE, WINK, config, expect, fixtures, text};

async fn ok(server: &Server, path: &str) -> Value {
    expect(server.get(path).send().await.unwrap(), StatusCode::OK).await
}

#[tokio::test]
async fn the_entrance_leads_everywhere() {
    let server = Server::start().await;
    let root = ok(&server, "/v1").await;
    assert_eq!(root["name"], "wyrmgate");
    assert_eq!(root["durability"], "memory");
    for link in ["games", "sessions", "openapi"] {
        ok(&server, root["links"][link].as_str().unwrap()).await;
    }
    assert_eq!(ok(&server, "/livez").await["status"], "ok");
    assert_eq!(ok(&server, "/readyz").await["status"], "ok");
    let page = server.get("/docs").send().await.unwrap();
    assert!(page.url().path().ends_with("/docs/"));
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    for part in [
        "default-src 'none'",
        "script-src 'self';",
        "connect-src 'self'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    let page = page.text().await.unwrap();
    // What the policy permits is all that the page has: no script and no style of its own.
    assert!(!page.contains("<script>") && !page.contains("<style") && !page.contains("onload="));
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "{page}"
    );
}

#[tokio::test]
async fn the_files_of_the_documentation_page_are_the_same_compressed_and_plain() {
    let server = Server::start().await;
    let page = server.get("/docs/").send().await.unwrap();
    let page = page.text().await.unwrap();
    for file in ["swagger-ui.css", "swagger-ui-bundle.js", "start.js"] {
        assert!(page.contains(file), "{page}");
        let path = format!("/docs/{file}");
        let plain = server.get(&path).send().await.unwrap();
        assert_eq!(plain.headers().get("content-encoding"), None);
        let plain = plain.bytes().await.unwrap();
        let packed = server.get(&path).header("accept-encoding", "gzip");
        let packed = packed.send().await.unwrap();
        if packed.headers().contains_key("content-encoding") {
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(&*packed.bytes().await.unwrap())
                .read_to_end(&mut unpacked)
                .unwrap();
            assert!(plain == unpacked, "{file}");
            assert!(unpacked.len() > 100_000, "{file}");
        }
    }
}

#[tokio::test]
async fn the_served_document_is_the_committed_one() {
    let server = Server::start().await;
    let served = server.get("/openapi.json").send().await.unwrap();
    let served: Value = served.json().await.unwrap();
    let committed: Value =
        serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    assert_eq!(served, committed);
}

#[tokio::test]
async fn games_are_listed_with_their_options_and_rules() {
    let server = Server::start().await;
    let games = ok(&server, "/v1/games?limit=1").await;
    assert_eq!(games["items"][0]["name"], TOLL);
    let next = text(&games, "next");
    let rest = ok(&server, &format!("/v1/games?cursor={next}")).await;
    assert_eq!(rest["items"][0]["name"], TRADE);
    assert_eq!(rest["items"][1]["name"], WINK);
    assert_eq!(rest["next"], Value::Null);

    let trade = ok(&server, "/v1/games/trade").await;
    assert_eq!(trade["players"], json!([2, 3]));
    let hand_size = &trade["options"][0];
    assert_eq!(hand_size["name"], "hand_size");
    assert_eq!(hand_size["default"], 3);
    assert_eq!(
        (&hand_size["low"], &hand_size["high"]),
        (&json!(1), &json!(4))
    );
    assert_eq!(trade["options"][1]["default"], false);
    assert_eq!(trade["options"][2]["names"], json!(["all", "none"]));

    let rules = server
        .get(trade["ruleset_link"].as_str().unwrap())
        .send()
        .await
        .unwrap();
    let tag = rules.headers()["etag"].clone();
    let rules = expect(rules, StatusCode::OK).await;
    assert_eq!(rules["clauses"][1]["id"], "TRD-02");
    assert_eq!(rules["sources"][0]["path"], "trade/game.yaml");
    let actions = ok(&server, trade["actions_link"].as_str().unwrap()).await;
    assert_eq!(actions["ruleset"], trade["ruleset"], "{actions}");
    let again = server
        .get(trade["ruleset_link"].as_str().unwrap())
        .header("if-none-match", tag);
    assert_eq!(
        again.send().await.unwrap().status(),
        StatusCode::NOT_MODIFIED
    );
}

#[tokio::test]
async fn a_session_is_created_with_its_options_and_found_in_the_lobby() {
    let server = Server::start().await;
    let wanted = json!({"game": TRADE, "options": {"hand_size": 2.0, "kept": "none"}, "seats": ["open", "random", "open"]});
    let created = server.post("/v1/sessions", wanted).send().await.unwrap();
    assert_eq!(created.headers()["durability"], "memory");
    let location = created.headers()["location"].to_str().unwrap().to_owned();
    let created = expect(created, StatusCode::CREATED).await;
    assert_eq!(
        created["options"],
        json!({"hand_size": 2, "rich": false, "kept": "none"})
    );
    assert_eq!(created["status"], "waiting");
    let seats = json!([{"seat": 1, "status": "open"}, {"seat": 2, "status": "bot", "bot": "random"}, {"seat": 3, "status": "open"}]);
    assert_eq!(created["seats"], seats);

    let session = ok(&server, &location).await;
    assert_eq!(session["id"], created["id"]);
    assert_eq!(session.get("owner_token"), None, "shown once");
    let lobby = ok(&server, "/v1/sessions?game=trade&open_seats=true").await;
    assert_eq!(lobby["items"][0]["id"], created["id"]);
    assert_eq!(lobby["items"][0]["open_seats"], json!([1, 3]));
    let lobby = ok(&server, "/v1/sessions?game=trade&open_seats_min=2").await;
    assert_eq!(lobby["items"][0]["id"], created["id"]);
    for none in [
        "game=toll",
        "open_seats_min=3",
        "status=running",
        "status=finished&game=trade",
    ] {
        let lobby = ok(&server, &format!("/v1/sessions?{none}")).await;
        assert_eq!(lobby["items"], json!([]), "{none}");
    }
}

#[tokio::test]
async fn the_lobby_pages_newest_first() {
    let server = Server::start().await;
    let mut ids = Vec::new();
    for _ in 0..7 {
        let session = server.create(json!({"game": TOLL})).await;
        ids.push(text(&session.created, "id"));
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    ids.reverse();
    let mut found = Vec::new();
    let mut path = Some("/v1/sessions?limit=3".to_owned());
    while let Some(page) = path {
        let response = server.get(&page).send().await.unwrap();
        let link = response
            .headers()
            .get("link")
            .map(|link| link.to_str().unwrap().to_owned());
        let body = expect(response, StatusCode::OK).await;
        found.extend(
            body["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|item| text(item, "id")),
        );
        path = link.map(|link| {
            assert!(link.ends_with("; rel=\"next\""), "{link}");
            link[1..link.find('>').unwrap()].to_owned()
        });
        assert_eq!(path.is_some(), body["next"].is_string());
    }
    assert_eq!(found, ids);
}

#[tokio::test]
async fn a_session_moves_through_the_lists_as_it_is_played() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    let running = ok(&server, "/v1/sessions?status=running").await;
    assert_eq!(running["items"][0]["id"], session.created["id"]);
    session.play_out(&tokens, |_| 0).await;
    let finished = ok(&server, "/v1/sessions?status=finished").await;
    assert_eq!(finished["items"][0]["id"], session.created["id"]);
    let running = ok(&server, "/v1/sessions?status=running").await;
    assert_eq!(running["items"], json!([]));
}

#[tokio::test]
async fn the_owner_seats_bots_and_removes_the_session() {
    let server = Server::start().await;
    let session = server.create(json!({"game": TOLL})).await;
    let bot = server.put(&session.at("/seats/2"), json!({"bot": "random"}));
    let seated = bot.bearer_auth(&session.owner).send().await.unwrap();
    let seated = expect(seated, StatusCode::CREATED).await;
    assert_eq!(seated["bot"], "random");
    assert_eq!(seated.get("token"), None);
    let remove = server
        .request(Method::DELETE, &session.path)
        .bearer_auth(&session.owner);
    assert_eq!(
        remove.send().await.unwrap().status(),
        StatusCode::NO_CONTENT
    );
    let gone = server.get(&session.path).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn tags_name_what_a_viewer_sees() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TOLL).await;
    for rest in [
        "",
        "/view",
        "/view?include=actions",
        "/actions",
        "/events",
        "/seats/1",
    ] {
        let tag = async |token: &str| {
            let answer = session.ask(rest, Some(token)).send().await.unwrap();
            answer.headers()["etag"].to_str().unwrap().to_owned()
        };
        let first = tag(&tokens[0]).await;
        assert!(first.starts_with('"'), "strong");
        assert_ne!(first, tag(&tokens[1]).await, "{rest}");
        let known = session
            .ask(rest, Some(&tokens[0]))
            .header("if-none-match", &first);
        let known = known.send().await.unwrap();
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED, "{rest}");
        assert_eq!(known.headers()["etag"], first);
        assert_eq!(known.bytes().await.unwrap().len(), 0);
    }
    let before = session.ask("/view", Some(&tokens[1])).send().await.unwrap();
    let before = before.headers()["etag"].clone();
    expect(
        session.move_by(&tokens[0], json!({"id": "3.1.0"})).await,
        StatusCode::CREATED,
    )
    .await;
    let after = session
        .ask("/view", Some(&tokens[1]))
        .header("if-none-match", before);
    assert_eq!(after.send().await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn head_mirrors_get() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TOLL).await;
    for path in [
        "/v1",
        "/v1/games",
        "/v1/sessions",
        "/livez",
        "/openapi.json",
        &session.path,
    ] {
        let get = server.get(path).send().await.unwrap();
        let head = server.request(Method::HEAD, path).send().await.unwrap();
        assert_eq!(head.status(), get.status(), "{path}");
        for name in ["content-type", "etag", "content-length"] {
            assert_eq!(
                head.headers().get(name),
                get.headers().get(name),
                "{path} {name}"
            );
        }
    }
    let absent = server
        .request(Method::HEAD, "/v1/games/chess")
        .send()
        .await
        .unwrap();
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);
    let stream = server
        .request(Method::HEAD, &session.at("/events"))
        .bearer_auth(&token);
    let stream = stream
        .header("accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    assert_eq!(stream.bytes().await.unwrap().len(), 0);
}

#[tokio::test]
async fn choices_come_in_pages_that_make_the_whole_list() {
    let server = Server::start().await;
    let (session, [token, _]) = server.duel(TOLL).await;
    let whole = session.choices(&token).await;
    let mut found = Vec::new();
    let mut rest = "/actions?limit=2".to_owned();
    loop {
        let page = session.get(&rest, Some(&token)).await;
        let choices = page["items"][0]["choices"].as_array().unwrap();
        found.extend(choices.iter().map(|choice| text(choice, "id")));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        rest = format!("/actions?limit=2&cursor={next}");
    }
    assert_eq!(found, whole);
    assert_eq!(whole.len(), 3);
}

#[tokio::test]
async fn a_choice_can_be_tested_without_consequence() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let check = async |token: &str, body: Value| {
        let check = server
            .post(&session.at("/action-checks"), body)
            .bearer_auth(token);
        expect(check.send().await.unwrap(), StatusCode::OK).await
    };
    let legal = check(&first, json!({"args": {"n": 3}})).await;
    assert_eq!(legal, json!({"legal": true, "version": 3}));
    let listed = check(&first, json!({"id": "3.1.0"})).await;
    assert_eq!(listed["legal"], true);
    let illegal = check(&first, json!({"args": {"n": 5}})).await;
    assert_eq!(illegal["code"], "illegal-choice");
    assert_eq!(illegal["reason"]["clauses"][0]["id"], "TOL-01");
    let early = check(&second, json!({"args": {"n": 1}})).await;
    assert_eq!(early["code"], "not-your-turn");
    let stale = check(&first, json!({"id": "2.1.0"})).await;
    assert_eq!(stale["code"], "stale-version");
    assert_eq!(session.version().await, 3);
}

#[tokio::test]
async fn a_receipt_can_be_read_again() {
    let server = Server::start().await;
    let (session, [first, second]) = server.duel(TOLL).await;
    let made = session.move_by(&first, json!({"id": "3.1.1"})).await;
    let location = made.headers()["location"].to_str().unwrap().to_owned();
    let receipt = expect(made, StatusCode::CREATED).await;
    assert_eq!(receipt["owing"], json!([2]));
    let rest = location.strip_prefix(&session.path).unwrap();
    assert_eq!(session.get(rest, Some(&first)).await, receipt);
    assert_eq!(session.get(rest, Some(&second)).await["version"], 4);
    let none = session.ask("/moves/1", Some(&first)).send().await.unwrap();
    expect(none, StatusCode::NOT_FOUND).await;
}

#[tokio::test]
async fn a_request_is_named_in_its_answer() {
    let server = Server::start().await;
    let given = server
        .get("/v1")
        .header("x-request-id", "my-own-name")
        .send()
        .await
        .unwrap();
    assert_eq!(given.headers()["x-request-id"], "my-own-name");
    let one = server.get("/v1").send().await.unwrap();
    let other = server.get("/v1").send().await.unwrap();
    assert_ne!(
        one.headers()["x-request-id"],
        other.headers()["x-request-id"]
    );
}

#[tokio::test]
async fn editing_the_rules_breaks_no_game_in_progress() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("rules/toll");
    std::fs::create_dir_all(&game).unwrap();
    let file = game.join("game.yaml");
    let text_of_game = std::fs::read_to_string(fixtures().join("toll/game.yaml")).unwrap();
    std::fs::write(&file, &text_of_game).unwrap();
    let mut config = config();
    config.rules = folder.path().join("rules");
    config.store = format!("embedded:{}", folder.path().join("sessions.redb").display());
    let server = Server::with(config.clone()).await;
    let (session, tokens) = server.duel(TOLL).await;
    let (path, digest) = (session.path.clone(), session.created["ruleset"].clone());
    drop(session);
    drop(server);

    std::fs::write(&file, text_of_game.replace("copies: 10", "copies: 1")).unwrap();
    let server = Server::with(config).await;
    ok(
        &server,
        &format!("/v1/rulesets/{}", digest.as_str().unwrap()),
    )
    .await;
    let old = Session {
        server: &server,
        path,
        owner: String::new(),
        created: Value::Null,
    };
    assert_eq!(old.get("", None).await["ruleset"], digest);
    assert_eq!(old.choices(&tokens[0]).await.len(), 3, "ten coins, as ever");
    old.play_out(&tokens, |_| 0).await;
    let new = server.create(json!({"game": TOLL})).await;
    assert_ne!(new.created["ruleset"], digest);
    let pinned = server.create(json!({"ruleset": digest})).await;
    assert_eq!(pinned.created["ruleset"], digest);
}

#[tokio::test]
async fn the_schemas_of_a_ruleset_fit_what_its_games_tell() {
    let server = Server::start().await;
    let notes = include_str!("../fixtures/lawful/secret-notes/game.yaml");
    let with_lists = json!({"files": {"game.yaml": notes}});
    let with_lists = server
        .post("/v1/rulesets", with_lists)
        .send()
        .await
        .unwrap();
    let with_lists = expect(with_lists, StatusCode::CREATED).await;
    let with_lists = text(&with_lists, "digest");
    let games = [TRADE, TOLL, WINK].map(|game| json!({"game": game}));
    for wanted in games.into_iter().chain([json!({"ruleset": with_lists})]) {
        let (session, tokens) = server.duel_of(wanted.clone()).await;
        let game = wanted.to_string();
        let digest = text(&session.created, "ruleset");
        let ruleset = server
            .get(&format!("/v1/rulesets/{digest}"))
            .send()
            .await
            .unwrap();
        let ruleset = expect(ruleset, StatusCode::OK).await;
        let schema = |name: &str| jsonschema::validator_for(&ruleset["schemas"][name]).unwrap();
        let (view, choice, event) = (schema("view"), schema("choice"), schema("event"));
        let names: Vec<&str> = ruleset["decisions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|decision| decision["name"].as_str().unwrap())
            .collect();
        loop {
            let mut moved = false;
            for token in &tokens {
                let seen = session.view(token).await;
                view.validate(&seen["state"])
                    .unwrap_or_else(|error| panic!("{game}: {error}"));
                for decision in seen["decisions"].as_array().unwrap() {
                    assert!(names.contains(&decision["name"].as_str().unwrap()));
                    assert!(decision.get("template").is_none(), "the list is complete");
                    for listed in decision["choices"].as_array().unwrap() {
                        choice
                            .validate(listed)
                            .unwrap_or_else(|error| panic!("{game}: {error}"));
                    }
                    let id = &decision["choices"][0]["id"];
                    session.move_by(token, json!({"id": id})).await;
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
        let events = session.get("/events?limit=100", Some(&tokens[0])).await;
        for told in events["items"].as_array().unwrap() {
            for told in told["events"].as_array().unwrap() {
                event
                    .validate(told)
                    .unwrap_or_else(|error| panic!("{game}: {error}"));
            }
        }
        // A schema that fits everything says nothing.
        assert!(!view.is_valid(&json!({"game": game})));
        assert!(
            !choice.is_valid(
                &json!({"id": "1.1.1", "label": "", "refers": [], "args": {"nothing": 1}})
            )
        );
    }
}

#[tokio::test]
async fn a_part_of_a_long_list_comes_with_what_occurs_in_all_of_it() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let page = session.get("/actions?limit=1", Some(&tokens[0])).await;
    let decision = &page["items"][0];
    assert_eq!(
        (&decision["count"], &decision["complete"]),
        (&json!(3), &json!(false))
    );
    let template = &decision["template"][0];
    assert!(template.get("option").is_none());
    assert_eq!(template["args"][0]["name"], "c");
    assert_eq!(template["args"][0]["many"], false);
    let mut values = template["args"][0]["values"].as_array().unwrap().clone();
    let view = session.view(&tokens[0]).await;
    let choices = view["decisions"][0]["choices"].as_array().unwrap();
    let mut listed: Vec<Value> = choices
        .iter()
        .map(|choice| choice["args"]["c"].clone())
        .collect();
    values.sort_by_key(Value::to_string);
    listed.sort_by_key(Value::to_string);
    assert_eq!(values, listed);
}
