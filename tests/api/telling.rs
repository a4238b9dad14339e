//! What is told outside: to the holder of an operator key, once a day, and to browsers that are not open.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use wyrmgate::config::Config;

use super::players::Club;
use super::receiver::{Got, Receiver};
use super::support::{expect, refused, text};

/// The session and the event of each message.
fn told(got: &[Got]) -> Vec<(String, Value)> {
    let of = |got: &Got| (got.of(), got.json()["data"]["session"].clone());
    got.iter().map(of).collect()
}

#[tokio::test]
async fn the_holder_of_a_key_is_told_of_all_sessions_that_the_key_created() {
    let (all, tagged) = (Receiver::start().await, Receiver::start().await);
    let allowed = [&all, &tagged].map(|receiver| receiver.origin().parse().unwrap());
    let calling = Config {
        webhooks: true,
        webhook_allow: allowed.to_vec(),
        ..super::support::config()
    };
    let club = Club::with(calling).await;
    let server = &club.server;
    let hook = |key: usize, body: Value| {
        let put = server.put("/v1/keys/me/webhook", body);
        put.bearer_auth(&club.keys[key])
    };
    let create = async |key: usize, tags: Value| {
        let wanted = json!({"game": "toll", "seats": ["open", "open"], "visibility": "private", "labels": {"tags": tags}});
        let create = server.post("/v1/sessions", wanted);
        let created = create.bearer_auth(&club.keys[key]).send().await.unwrap();
        expect(created, StatusCode::CREATED).await
    };
    let finish = async |created: &Value| {
        let path = format!("/v1/sessions/{}", text(created, "id"));
        let mut tokens = Vec::new();
        for seat in [1, 2] {
            let body = json!({"invite_code": created["invite_code"]});
            let claim = server.put(&format!("{path}/seats/{seat}"), body);
            let claimed = expect(claim.send().await.unwrap(), StatusCode::CREATED).await;
            tokens.push(text(&claimed, "token"));
        }
        let resign = server.post(&format!("{path}/resignations"), json!({}));
        let resigned = resign.bearer_auth(&tokens[0]).send().await.unwrap();
        expect(resigned, StatusCode::OK).await;
    };
    let old = create(0, json!([])).await;
    let events = json!(["decision.owed", "session.finished"]);
    let wanted = json!({"url": all.url(), "events": events});
    let set = hook(0, wanted.clone()).send().await.unwrap();
    let set = expect(set, StatusCode::OK).await;
    assert_eq!(set["tags"], json!([]));
    // Another key is told of nothing but its own, with the tag that it names.
    let of_tag = json!({"url": tagged.url(), "events": ["session.finished"], "tags": ["cup"], "format": "slack"});
    let kept = expect(hook(1, of_tag).send().await.unwrap(), StatusCode::OK).await;
    assert_eq!(kept["tags"], json!(["cup"]));
    let [new, cup, other] = [
        create(0, json!(["cup"])).await,
        create(1, json!(["cup", "open"])).await,
        create(1, json!(["open"])).await,
    ];
    for created in [&old, &new, &cup, &other] {
        finish(created).await;
    }
    let got = all.wait(4).await;
    let id = |created: &Value| created["id"].clone();
    let mut found = told(&got);
    found.sort_by_key(|(event, session)| (*session != id(&old), event.clone()));
    let expected = [&old, &old, &new, &new].map(id);
    let events = ["decision.owed", "session.finished"];
    for (at, (event, session)) in found.iter().enumerate() {
        assert_eq!((event.as_str(), session), (events[at % 2], &expected[at]));
    }
    let secret = text(&set, "secret");
    assert!(got.iter().all(|got| got.is_signed_with(&secret)));
    // All seats matter to the holder of a key.
    let owed = got.iter().find(|got| got.of() == "decision.owed").unwrap();
    assert_eq!(owed.json()["data"]["seats"], json!([1]));
    let got = tagged.wait(1).await;
    assert_eq!(got[0].json()["text"], "Toll: the game is over.");
    // The owner of a session does not see it, and after its end nothing more is told.
    let hooks = server.get(&format!("/v1/sessions/{}/webhooks", text(&new, "id")));
    let hooks = hooks
        .bearer_auth(text(&new, "owner_token"))
        .send()
        .await
        .unwrap();
    assert_eq!(expect(hooks, StatusCode::OK).await["items"], json!([]));
    let last = create(0, json!([])).await;
    let gone = server.request(Method::DELETE, "/v1/keys/me/webhook");
    let gone = gone.bearer_auth(&club.keys[0]).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    finish(&last).await;
    finish(&create(0, json!([])).await).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!((all.got().len(), tagged.got().len()), (4, 1));
    // It needs a key, an address that may be called, and tags that sessions can have.
    let open = server.put("/v1/keys/me/webhook", wanted);
    refused(open, 401, "unauthenticated").await;
    let inside = json!({"url": "http://10.0.0.1/", "events": ["session.finished"]});
    refused(hook(2, inside), 403, "webhook-refused").await;
    let wrong = json!({"url": all.url(), "events": ["session.finished"], "tags": ["two words"]});
    refused(hook(0, wrong), 422, "unprocessable").await;
}
