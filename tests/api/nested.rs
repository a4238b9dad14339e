//! Nothing that a client sends ends the process or gets an empty answer, however deep it nests.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::constructs::{CONSTRUCTS, FAR, crates};
use crate::support::{Server, expect, refused, text};

fn upload(files: &[String]) -> Value {
    let names = (0..files.len()).map(|number| format!("file-{number}.yaml"));
    let files: serde_json::Map<String, Value> =
        names.zip(files.iter().cloned().map(Value::from)).collect();
    json!({"files": files})
}

/// Asserts that an answer is good, or a problem of the client's, and never empty.
async fn answered(response: Response) -> StatusCode {
    let (status, path) = (response.status(), response.url().to_string());
    let body = response.bytes().await.unwrap();
    assert!(!status.is_server_error(), "{path}: {status} {body:?}");
    let may_be_empty = [StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED];
    assert!(
        !body.is_empty() || may_be_empty.contains(&status),
        "{path}: {status} and nothing else"
    );
    status
}

#[tokio::test]
async fn rules_that_nest_are_played_or_refused() {
    let server = Server::start().await;
    for construct in CONSTRUCTS {
        for depth in [construct.most, construct.most + 1, FAR] {
            let files = upload(&(construct.write)(depth));
            let sent = server.post("/v1/rulesets", files).send().await.unwrap();
            if sent.status() == StatusCode::UNPROCESSABLE_ENTITY
                || sent.status() == StatusCode::PAYLOAD_TOO_LARGE
            {
                answered(sent).await;
                continue;
            }
            let sent = expect(sent, StatusCode::CREATED).await;
            let digest = text(&sent, "digest");
            for rest in ["board.svg", "board.png", "rulebook", "actions"] {
                let path = format!("/v1/rulesets/{digest}/{rest}");
                answered(server.get(&path).send().await.unwrap()).await;
            }
            let wanted = json!({"ruleset": digest, "seats": 2, "imagine": {"seat": 1, "count": 2}});
            answered(server.post("/v1/steps", wanted).send().await.unwrap()).await;
        }
    }
    expect(server.get("/livez").send().await.unwrap(), StatusCode::OK).await;
}

/// The operations that read JSON, by the document of the service.
fn operations_with_bodies() -> Vec<(Method, String)> {
    let document: Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if operation.get("requestBody").is_some() {
                let method = method.to_uppercase().parse().unwrap();
                found.push((method, path.clone()));
            }
        }
    }
    assert!(found.len() > 10, "{found:?}");
    found
}

#[tokio::test]
async fn bodies_that_nest_are_read_or_refused() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(crate::support::TRADE).await;
    let id = session.path.rsplit('/').next().unwrap().to_owned();
    for (method, path) in operations_with_bodies() {
        let path = path
            .replace("{session}", &id)
            .replace("{seat}", "1")
            .replace("{kind}", "owner");
        for depth in [20, 127, 128, 129, FAR] {
            for (open, inner, close) in [
                ("[", "1", "]"),
                ("{\"id\":", "1", "}"),
                ("{\"files\":[", "1", "]}"),
            ] {
                let body = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
                let member = format!(
                    "{{\"args\":{body},\"options\":{body},\"files\":{body},\"choice\":{body}}}"
                );
                for body in [body, member] {
                    let sent = server.request(method.clone(), &path).bearer_auth(&first);
                    let sent = sent.header("content-type", "application/json").body(body);
                    answered(sent.send().await.unwrap()).await;
                }
            }
        }
    }
    let deep = vec!["a"; FAR / 4].join(".");
    answered(
        session
            .ask(&format!("?fields={deep}"), None)
            .send()
            .await
            .unwrap(),
    )
    .await;
    session.view(&first).await;
}

/// Plays the game in which components come to lie in components, and reads it in every form.
#[tokio::test]
async fn components_in_components_are_shown_in_every_form() {
    let server = Server::start().await;
    let sent = server
        .post("/v1/rulesets", upload(&crates(32)))
        .send()
        .await
        .unwrap();
    let digest = text(&expect(sent, StatusCode::CREATED).await, "digest");
    let (session, [first, _]) = server.duel_of(json!({"ruleset": digest})).await;
    let moved = session
        .move_by(&first, json!({"id": session.choices(&first).await[0]}))
        .await;
    assert_eq!(moved.status(), StatusCode::CREATED);
    for rest in [
        "",
        "/view",
        "/view?at=1",
        "/view?fields=state",
        "?fields=status",
        "/board.svg",
        "/board.png",
        "/board.txt",
        "/events?form=patch&after=0",
        "/events?include=view&after=0",
        "/events?include=view&after=0&fields=items.view.state.zones",
    ] {
        let answer = session.ask(rest, Some(&first)).send().await.unwrap();
        assert_eq!(answered(answer).await, StatusCode::OK, "{rest}");
    }
    let lines = session.ask("/events?form=patch&fields=version,patch", Some(&first));
    let lines = lines
        .header("accept", "application/jsonl")
        .send()
        .await
        .unwrap();
    assert_eq!(
        lines.text().await.unwrap().lines().count(),
        session.version().await as usize
    );
    let undo = server
        .post(&session.at("/undos"), json!({}))
        .bearer_auth(&first);
    answered(undo.send().await.unwrap()).await;
}

#[tokio::test]
async fn components_too_deep_in_components_are_a_fault_of_the_rules() {
    let server = Server::start().await;
    let sent = server
        .post("/v1/rulesets", upload(&crates(1_500)))
        .send()
        .await
        .unwrap();
    let digest = text(&expect(sent, StatusCode::CREATED).await, "digest");
    let (session, [first, _]) = server.duel_of(json!({"ruleset": digest})).await;
    let choice = json!({"id": session.choices(&first).await[0]});
    let problem = refused(session.order(&first, choice), 422, "rules-budget-exceeded").await;
    assert_eq!(problem["limit"], "contents");
    assert_eq!(problem["reason"]["line"], 9, "{problem}");
    let picture = session
        .ask("/board.svg", Some(&first))
        .send()
        .await
        .unwrap();
    assert_eq!(answered(picture).await, StatusCode::OK);
}
