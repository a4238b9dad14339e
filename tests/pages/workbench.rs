//! The workbench: rules in an editor, played beside it.

use std::time::Duration;

use serde_json::json;

use crate::browser::Browser;
use crate::server::Server;
use crate::{all_quiet, no_barriers};

/// The cursor goes to the end of the file.
const TO_THE_END: &str = "const content = document.querySelector('.editor').shadowRoot.querySelector('.cm-content'); \
    content.focus(); getSelection().selectAllChildren(content); getSelection().collapseToEnd();";

pub async fn text(browser: &Browser, selector: &str) -> String {
    let script = "return document.querySelector(arguments[0])?.innerText || ''";
    let text = browser.run(script, json!([selector])).await;
    text.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_house_rule_is_written_checked_and_played() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&server.url).await;
    browser.click("header a[href$='workbench']").await;
    browser.click("[data-house='tic-tac-toe']").await;
    browser.find("html[data-check=valid]").await;
    browser.click(".trial .choices [data-choice$='.4']").await;
    // The person plays every seat in turn.
    browser.find(".trial .choices [data-choice$='.7']").await;
    until(&browser, IN_EDITOR).await;
    browser.run(TO_THE_END, json!([])).await;
    browser.press("# no change").await;
    browser.find("[data-replayed]:not(:empty)").await;
    assert_eq!(
        text(&browser, "[data-replayed]").await,
        "1 of 1 choices still apply."
    );
    no_barriers(&browser, "the workbench").await;
    browser.click("[data-tab=studies]").await;
    // The studies are those of the commands `audit` and `impact`.
    browser.click("[data-impact]").await;
    browser.find(".charts svg path.ink").await;
    let numbers = text(&browser, ".numbers").await;
    assert!(numbers.contains("2 seats, 200 games"), "{numbers}");
    assert!(numbers.contains("* significant"), "{numbers}");
    browser.click("[data-audit]:not([disabled])").await;
    until(
        &browser,
        "document.querySelector('.numbers').innerText.includes('reached: ')",
    )
    .await;
    browser.click("[data-link]").await;
    browser.find(".share [role=status]:not(:empty)").await;
    let link = browser.address().await;
    assert!(link.contains("/workbench#rules="), "{link}");
    all_quiet(&browser, &server).await;

    // The page shows the mistake with its place; the table stays as it was.
    browser.run(TO_THE_END, json!([])).await;
    browser.press("\u{E007}nonsense: 1").await;
    browser
        .find("html[data-check=invalid] .problems li.error")
        .await;
    let problems = text(&browser, ".problems").await;
    assert!(problems.contains("house.yaml line 6"), "{problems}");
    the_editor_helps(&browser, &server).await;
}

/// Waits until an expression is true in the page.
pub async fn until(browser: &Browser, expression: &str) {
    let began = std::time::Instant::now();
    // The element may not exist yet.
    let script = format!("try {{ return Boolean({expression}) }} catch {{ return false }}");
    while browser.run(&script, json!([])).await != true {
        assert!(began.elapsed().as_secs() < 40, "never: {expression}");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// Words of the editor, which is in a shadow root.
pub const IN_EDITOR: &str = "document.querySelector('.editor').shadowRoot";

/// The language server helps in the browser: hover, rename, repairs, and lines that no scenario reaches.
async fn the_editor_helps(browser: &Browser, server: &Server) {
    let game = "game: heap\ntitle: Heap\nplayers: 2\nvars:\n  pile: {type: int, start: 12}\neffects:\n  play: |\n    \
        repeat:\n      turn of seat(1):\n        choose n in 1..3 where n <= pile \"How many?\": pile -= n\n        \
        if pile = 0:\n          finish won by seat(1)\n        if pile > 99: p\u{456}le = 9\n";
    let scenarios = "- scenario: One move\n  steps:\n    - play: {n: 1}\n";
    let work = json!({"game": null, "files": {"game.yaml": game, "one.scenarios.yaml": scenarios}});
    let store = "localStorage.setItem('wyrmgate.workbench', JSON.stringify(arguments[0]))";
    browser.run(store, json!([work])).await;
    browser.open("about:blank").await;
    browser.open(&format!("{}/workbench", server.url)).await;
    browser.find("html[data-check=invalid]").await;
    // A repair replaces a look-alike letter.
    let action = format!("{IN_EDITOR}.querySelector('.cm-diagnosticAction')");
    let is_there = format!("return Boolean({action})");
    browser.find(".editor").await;
    while browser.run(&is_there, json!([])).await != true {
        browser.click(".editor").await;
        browser.press_with("\u{e009}\u{e008}", 'M').await; // Control, Shift
    }
    browser.click_in(&action).await;
    browser.find("html[data-check=valid]").await;
    // Rename changes every occurrence.
    browser.run("window.prompt = () => 'rest'", json!([])).await;
    let place = format!(
        "const word = [...{IN_EDITOR}.querySelectorAll('.cm-content *')].find((one) => one.textContent === 'pile' && \
         !one.children.length); const at = document.createRange(); at.setStart(word.firstChild || word, 1); \
         {IN_EDITOR}.querySelector('.cm-content').focus(); getSelection().removeAllRanges(); getSelection().addRange(at);"
    );
    browser.run(&place, json!([])).await;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    browser.press("\u{e032}").await; // F2
    let content = format!("{IN_EDITOR}.querySelector('.cm-content').textContent");
    until(
        browser,
        &format!("{content}.includes('rest -= n') && !{content}.includes('pile')"),
    )
    .await;
    browser.find("html[data-check=valid]").await;
    // Hover shows a text about the name under the pointer, which must rest for a while.
    let word = format!(
        "[...{IN_EDITOR}.querySelectorAll('.cm-content *')].find((one) => one.textContent === 'rest' && !one.children.length)"
    );
    let place = browser.middle_of(&word).await;
    browser.point_at(place).await;
    let hover =
        format!("{IN_EDITOR}.querySelector('.cm-tooltip-hover')?.textContent.includes('int')");
    until(browser, &hover).await;
    // The first move is reached, the victory is not.
    browser.click("[data-tab=scenarios]").await;
    browser.find("[data-scenario='One move'].passed").await;
    until(
        browser,
        &format!("{IN_EDITOR}.querySelector('.cm-lint-marker-info')"),
    )
    .await;
    // A new game of the user begins without errors.
    browser.click("[data-leave]").await;
    browser.click("[data-own]").await;
    until(browser, &format!("{content}.includes('my-game')")).await;
    browser.find("html[data-check=valid] .trial").await;
}

/// A page of another origin must not open a WebSocket on behalf of its visitor.
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

/// Anybody can open a connection and say nothing, before any key is asked for.
#[tokio::test]
async fn silent_connections_of_one_caller_do_not_stop_the_workbench_for_others() {
    let server = Server::start_with("memory", &["--proxies", "1"]);
    let client = reqwest::Client::builder().http1_only().build().unwrap();
    let open = async |caller: &str| {
        let request = client
            .get(format!("{}/workbench/language-server", server.url))
            .header("x-forwarded-for", caller)
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response)
    };
    let mut silent = Vec::new();
    for _ in 0..16 {
        let (status, connection) = open("203.0.113.1").await;
        assert_eq!(status, 101);
        silent.push(connection);
    }
    assert_eq!(open("203.0.113.1").await.0, 503, "it has enough");
    assert_eq!(open("203.0.113.2").await.0, 101, "others have places");
    let closed = async {
        while open("203.0.113.1").await.0 != 101 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let closed = tokio::time::timeout(Duration::from_secs(15), closed).await;
    closed.expect("silent connections keep their places");
}

/// What somebody typed is there again after something else; a house rule begins with a line of the original.
#[tokio::test]
async fn works_are_kept_and_the_original_is_changed_by_a_click() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&format!("{}/workbench", server.url)).await;
    browser.click("[data-house='nim']").await;
    browser.find("html[data-check=valid]").await;
    // A line of the original becomes a change.
    browser.click("[data-tab=base]").await;
    browser.click("[data-change='bound']").await;
    let content = format!("{IN_EDITOR}.querySelector('.cm-content').innerText");
    let changed = format!("{content}.includes('change:\\n  bound: 16')");
    until(&browser, &changed).await;
    browser.find("html[data-check=valid]").await;
    no_barriers(&browser, "the original").await;
    all_quiet(&browser, &server).await;
    // With errors, the table says that it is older than the text.
    browser.click("[data-tab=table]").await;
    browser.run(TO_THE_END, json!([])).await;
    browser.press("\u{E007}nonsense: 1").await;
    browser.find(".older:not(:empty)").await;
    browser.log("browser").await; // the server refused the rules
    // Another work, and the first one again.
    browser.click("[data-leave]").await;
    browser.click("[data-own]").await;
    browser.find("html[data-check=valid]").await;
    browser.run(TO_THE_END, json!([])).await;
    // A line below one that begins a block is indented.
    browser
        .press("\u{E007}clauses:\u{E007}OWN-01: Take up to three.")
        .await;
    until(
        &browser,
        &format!("{content}.includes('clauses:\\n  OWN-01')"),
    )
    .await;
    browser.click("[data-leave]").await;
    let count = "document.querySelectorAll('[data-work]').length";
    until(&browser, &format!("{count} === 2")).await;
    browser.click(".starts li:nth-child(2) [data-work]").await;
    until(&browser, &format!("{content}.includes('nonsense: 1')")).await;
    browser.find("html[data-check=invalid]").await;
    browser.log("browser").await;
    // A work is removed only after a question.
    browser.click("[data-leave]").await;
    for answer in [false, true] {
        let answered =
            "window.confirm = (question) => { window.asked = question; return arguments[0]; }";
        let script = answered.replace("arguments[0]", &answer.to_string());
        browser.run(&script, json!([])).await;
        browser.click(".starts li:first-child [data-discard]").await;
        until(&browser, "window.asked").await;
        let left = if answer { 1 } else { 2 };
        until(&browser, &format!("{count} === {left}")).await;
    }
    all_quiet(&browser, &server).await;
}
