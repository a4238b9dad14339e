//! The workbench: rules in an editor, played beside it.

use serde_json::json;

use crate::browser::Browser;
use crate::server::Server;
use crate::{all_quiet, no_barriers};

/// The cursor goes to the end of the file.
const TO_THE_END: &str = "const content = document.querySelector('.editor').shadowRoot.querySelector('.cm-content'); \
    content.focus(); getSelection().selectAllChildren(content); getSelection().collapseToEnd();";

async fn text(browser: &Browser, selector: &str) -> String {
    let script = "return document.querySelector(arguments[0])?.innerText || ''";
    let text = browser.run(script, json!([selector])).await;
    text.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_house_rule_is_written_checked_and_played() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&server.url).await;
    browser.click("header a[href='/workbench']").await;
    browser.click("[data-house='tic-tac-toe']").await;
    browser.find("html[data-check=valid]").await;
    browser.click(".trial .choices [data-choice$='.4']").await;
    // The person plays every seat in turn.
    browser.find(".trial .choices [data-choice$='.7']").await;
    browser.run(TO_THE_END, json!([])).await;
    browser.press("# no change").await;
    browser.find("[data-replayed]:not(:empty)").await;
    assert_eq!(
        text(&browser, "[data-replayed]").await,
        "1 of 1 choices still apply."
    );
    no_barriers(&browser, "the workbench").await;
    browser.click("[data-tab=studies]").await;
    browser.click("[data-impact]").await;
    browser.find(".chart .interval").await;
    browser.click("[data-link]").await;
    browser.find(".share [role=status]:not(:empty)").await;
    let link = browser.address().await;
    assert!(link.contains("/workbench#rules="), "{link}");
    all_quiet(&browser, &server).await;

    // What is wrong is said, with its place; the table stays as it was.
    browser.run(TO_THE_END, json!([])).await;
    browser.press("\u{E007}nonsense: 1").await;
    browser
        .find("html[data-check=invalid] .problems li.error")
        .await;
    let problems = text(&browser, ".problems").await;
    assert!(problems.contains("house.yaml line 6"), "{problems}");
}

/// A page of another server could open a WebSocket here in the name of somebody who visits it.
#[tokio::test]
async fn only_pages_of_this_server_reach_the_language_server() {
    let server = Server::start("memory");
    let own = server.url.clone();
    for (origin, status) in [
        (own.as_str(), 101),
        ("http://elsewhere.example", 403),
        ("null", 403),
    ] {
        let request = reqwest::Client::new()
            .get(format!("{own}/workbench/language-server"))
            .header("origin", origin)
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        assert_eq!(request.send().await.unwrap().status(), status, "{origin}");
    }
}
