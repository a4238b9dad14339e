//! Texts of games in the language of the client.

use reqwest::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, ETAG, IF_MATCH, IF_NONE_MATCH, VARY};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::support::{Server, TOLL, TRADE, expect, text};

const PROMPT: &str = "How many coins?";
const PREGUNTA: &str = "¿Cuántas monedas?";

fn header(response: &Response, name: impl reqwest::header::AsHeaderName) -> String {
    let value = response.headers().get(name);
    value.map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
}

async fn told(request: RequestBuilder, accepted: &str) -> (Response, String) {
    let response = request.header(ACCEPT_LANGUAGE, accepted).send().await;
    let response = response.unwrap();
    let language = header(&response, CONTENT_LANGUAGE);
    (response, language)
}

/// The answer, which must be in this language and say that it could be in others.
async fn told_in(language: &str, request: RequestBuilder, accepted: &str) -> Value {
    let (response, found) = told(request, accepted).await;
    assert_eq!(found, language, "for {accepted}");
    let vary = header(&response, VARY);
    assert!(vary.contains("Accept-Language"), "{vary}");
    expect(response, StatusCode::OK).await
}

#[tokio::test]
async fn a_decision_is_told_in_the_language_the_client_likes_best() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    for (accepted, language, prompt) in [
        ("es", "es", PREGUNTA),
        ("es-MX, en;q=0.5", "es", PREGUNTA),
        ("en;q=0.3, es;q=0.9", "es", PREGUNTA),
        ("fr, es;q=0.1", "es", PREGUNTA),
        ("en, es", "en", PROMPT),
        ("fr", "en", PROMPT),
        ("*", "en", PROMPT),
    ] {
        for path in ["/actions", "/view?include=actions"] {
            let told = told_in(language, session.ask(path, Some(&first)), accepted).await;
            let of_actions = &told["items"][0]["prompt"];
            let of_view = &told["decisions"][0]["prompt"];
            assert!([of_actions, of_view].contains(&&json!(prompt)), "{told}");
        }
    }
    let plain = session.get("/actions", Some(&first)).await;
    assert_eq!(plain["items"][0]["prompt"], PROMPT);
}

#[tokio::test]
async fn a_view_calls_things_in_the_language_of_its_reader() {
    let server = Server::start().await;
    let (session, _) = server.duel(TOLL).await;
    let view = told_in("es", session.ask("/view", None), "es").await;
    let zones = &view["state"]["zones"];
    assert_eq!(zones["purse-2"]["title"], "Bolsa 2");
    assert_eq!(zones["pile"]["components"][0]["title"], "Moneda");
    assert_eq!(zones["pile"]["components"][0]["id"], "coin-1");
    let view = told_in("en", session.ask("/view", None), "en").await;
    assert_eq!(view["state"]["zones"]["purse-2"]["title"], "Purse 2");
}

#[tokio::test]
async fn no_two_languages_share_an_entity_tag() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let digest = text(&session.created, "ruleset");
    for path in [session.at("/view"), format!("/v1/rulesets/{digest}")] {
        let get = || server.get(&path);
        let (english, _) = told(get(), "en").await;
        let (spanish, _) = told(get(), "es").await;
        let (english, spanish) = (header(&english, ETAG), header(&spanish, ETAG));
        assert_ne!(english, spanish);
        let (fresh, _) = told(get().header(IF_NONE_MATCH, &english), "es").await;
        assert_eq!(fresh.status(), StatusCode::OK, "{path}");
        let (known, _) = told(get().header(IF_NONE_MATCH, &spanish), "es").await;
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        assert!(header(&known, VARY).contains("Accept-Language"));
    }
    // A move is meant for what was seen, in whatever language.
    let (view, _) = told(session.ask("/view", Some(&first)), "es").await;
    let order = session.order(&first, json!({"args": {"n": 1}}));
    let order = order.header(IF_MATCH, header(&view, ETAG));
    assert_eq!(order.send().await.unwrap().status(), StatusCode::CREATED);
    let order = session.order(&first, json!({"args": {"n": 1}}));
    let stale = order.header(IF_MATCH, header(&view, ETAG));
    let stale = stale.send().await.unwrap().status();
    assert_eq!(stale, StatusCode::PRECONDITION_FAILED);
}

#[tokio::test]
async fn a_refusal_quotes_the_rules_in_the_language_of_the_client() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let order = || session.order(&first, json!({"version": 3, "args": {"n": 5}}));
    let clause = |problem: &Value| problem["reason"]["clauses"][0].clone();
    let (refused, language) = told(order(), "es").await;
    assert_eq!(language, "es");
    let refused = expect(refused, StatusCode::CONFLICT).await;
    let spanish = json!({"id": "TOL-01", "text": "Nadie puede tomar más de tres monedas."});
    assert_eq!(clause(&refused), spanish);
    let (refused, language) = told(order(), "en").await;
    assert_eq!(language, "en");
    let refused = expect(refused, StatusCode::CONFLICT).await;
    assert_eq!(
        clause(&refused)["text"],
        "Nobody may take more than three coins."
    );
    // The check says the same.
    let check = server.post(
        &session.at("/action-checks"),
        json!({"version": 3, "args": {"n": 5}}),
    );
    let verdict = told_in("es", check.bearer_auth(&first), "es").await;
    assert_eq!(clause(&verdict), spanish);
}

#[tokio::test]
async fn a_repeated_request_gets_its_first_answer_in_its_first_language() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    for (args, status) in [(5, StatusCode::CONFLICT), (1, StatusCode::CREATED)] {
        let order = || {
            let order = session.order(&first, json!({"args": {"n": args}}));
            order.header("Idempotency-Key", format!("key-{args}"))
        };
        let (fresh, language) = told(order(), "es").await;
        assert_eq!((fresh.status(), language.as_str()), (status, "es"));
        let fresh = fresh.text().await.unwrap();
        let (again, language) = told(order(), "en").await;
        assert_eq!(language, "es");
        assert_eq!(header(&again, "idempotent-replayed"), "true");
        let again: Value = again.json().await.unwrap();
        let fresh: Value = serde_json::from_str(&fresh).unwrap();
        assert_eq!(again["reason"], fresh["reason"]);
        assert_eq!(again["events"], fresh["events"]);
    }
}

#[tokio::test]
async fn what_is_said_is_told_to_everyone_in_their_language_in_every_form() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let (made, language) = told(
        session.order(&first, json!({"version": 3, "args": {"n": 2}})),
        "es",
    )
    .await;
    assert_eq!(language, "es");
    let made: Value = made.json().await.unwrap();
    let said = "Juega 2 el jugador 1";
    assert!(made["events"].to_string().contains(said), "{made}");
    for (accepted, said) in [("es", said), ("en", "seat 1 plays 2")] {
        let (receipt, language) = told(session.ask("/moves/4", None), accepted).await;
        assert_eq!(language, accepted);
        assert!(receipt.text().await.unwrap().contains(said));
        for form in ["application/json", "application/jsonl", "text/event-stream"] {
            let ask = session.ask("/events?after=3", None).header("Accept", form);
            let (mut response, language) = told(ask, accepted).await;
            assert_eq!(language, accepted, "{form}");
            assert!(header(&response, VARY).contains("Accept-Language"));
            let mut text = String::new();
            while !text.contains(said) {
                let chunk = response.chunk().await.unwrap();
                let chunk = chunk.unwrap_or_else(|| panic!("no `{said}` in {form}: {text}"));
                text += &String::from_utf8_lossy(&chunk);
            }
        }
    }
}

#[tokio::test]
async fn the_catalog_tells_each_game_as_well_as_it_can() {
    let server = Server::start().await;
    let games = told_in("es, en", server.get("/v1/games"), "es").await;
    assert_eq!(games["items"][0]["title"], "Peaje");
    assert_eq!(games["items"][0]["languages"], json!(["en", "es"]));
    assert_eq!(games["items"][1]["title"], "Trade");
    let toll = told_in("es", server.get("/v1/games/toll"), "es").await;
    assert!(text(&toll, "about").starts_with("Gana"));
    told_in("en", server.get(&format!("/v1/games/{TRADE}")), "es").await;
}

#[tokio::test]
async fn a_ruleset_is_described_in_the_language_of_its_reader() {
    let server = Server::start().await;
    let toll = server.get("/v1/games/toll").send().await.unwrap();
    let toll = expect(toll, StatusCode::OK).await;
    let path = format!("/v1/rulesets/{}", text(&toll, "ruleset"));
    let rules = told_in("es", server.get(&path), "es").await;
    assert_eq!(
        rules["clauses"][2]["text"],
        "Gana quien toma la última moneda."
    );
    let zones = rules["zones"].as_array().unwrap();
    assert!(zones.iter().any(|zone| zone["title"] == "Bolsa"));
    assert_eq!(rules["kinds"][0]["title"], "Moneda");
    let rules = told_in("en", server.get(&path), "de").await;
    assert_eq!(rules["kinds"][0]["title"], "Coin");
}
