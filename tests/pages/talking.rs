//! People at a table write to each other.

use serde_json::json;

use crate::browser::{Browser, needs_chromium};
use crate::guests::{bob, click, opened};
use crate::server::Server;
use crate::{no_barriers, picture};

#[tokio::test]
async fn people_at_a_table_write_mute_and_delete() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let id = opened(&browser, &server).await;
    let other = bob(&server, &id).await;
    let path = format!("/v1/sessions/{id}/messages");
    let says = async |text: &str| {
        server.post_as(&path, &other, json!({"text": text})).await;
    };
    browser.find("html[data-status=running]").await;
    click(&browser, "[data-tab=talk]").await;
    browser.find(".talk form").await;
    // A game without teams offers none.
    assert!(browser.all(".talk select").await.is_empty());
    browser.retype(".talk input", "<b id=bold>Hello</b>").await;
    click(&browser, ".talk [type=submit]").await;
    browser.find(".talk [data-message]").await;
    let written = "return document.querySelector('.talk li').innerText";
    let written = browser.run(written, json!([])).await;
    assert!(written.as_str().unwrap().contains("<b id=bold>Hello</b>"));
    assert!(browser.all("#bold").await.is_empty());
    says("Hi!").await;
    browser.find("[data-message]:nth-child(2)").await;
    no_barriers(&browser, "messages").await;
    picture(&browser, "talk").await;
    // A message that comes while something else is shown is announced.
    click(&browser, "[data-tab=log]").await;
    browser.find("[data-tab=talk][data-new=false]").await;
    says("Your turn").await;
    click(&browser, "[data-tab=talk][data-new=true]").await;
    browser.find("[data-message]:nth-child(3)").await;
    // Whoever is muted stays muted in this browser.
    click(&browser, "[data-mute='2']").await;
    browser
        .find(".talk:not(:has([data-message]:nth-child(2)))")
        .await;
    browser.open(&format!("{}/#/", server.url)).await;
    browser.open(&format!("{}/#/t/{id}", server.url)).await;
    click(&browser, "[data-tab=talk]").await;
    browser.find(".talk [data-message]").await;
    assert_eq!(browser.all(".talk [data-message]").await.len(), 1);
    click(&browser, "[data-hear]").await;
    browser.find("[data-message]:nth-child(3)").await;
    click(&browser, "li:nth-child(2) [data-delete]").await;
    browser.find("li:nth-child(2) i").await;
    let read = server.get_as(&path, &other).await;
    assert_eq!(read["items"][1]["text"], json!(null));
}

/// Waits until the worker is at work, or for the notifications that it shows: their titles, words, tags and links.
const WORKER: &str = r#"
    const [path] = arguments;
    return (async () => {
        const registration = await navigator.serviceWorker.register(path);
        for (let tries = 0; tries < 200 && !registration.active; tries += 1) await new Promise((done) => setTimeout(done, 50));
        const shown = await registration.getNotifications();
        return shown.map(({ title, body, tag, data }) => [title, body, tag, data]);
    })();
"#;

#[tokio::test]
async fn a_browser_is_told_while_no_page_is_in_sight() {
    if !needs_chromium("messages are pushed") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&server.url).await;
    let permission = json!({"permission": {"name": "notifications"}, "setting": "granted", "origin": server.url});
    browser.cdp("Browser.setPermission", permission).await;
    let worker = json!(["/pages/worker.js"]);
    assert_eq!(browser.run(WORKER, worker.clone()).await, json!([]));
    browser.cdp("ServiceWorker.enable", json!({})).await;
    let push = |session: &str| {
        let data = json!({"type": "decision.owed", "session": session, "title": "Toll"});
        json!({"origin": server.url, "registrationId": "0", "data": data.to_string()})
    };
    // A page in sight needs none.
    browser
        .cdp("ServiceWorker.deliverPushMessage", push("seen"))
        .await;
    browser.open("about:blank").await;
    browser.cdp("ServiceWorker.enable", json!({})).await;
    browser
        .cdp("ServiceWorker.deliverPushMessage", push("unseen"))
        .await;
    browser.open(&format!("{}/#/", server.url)).await;
    let mut shown = json!([]);
    for _ in 0..100 {
        shown = browser.run(WORKER, worker.clone()).await;
        if shown != json!([]) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let link = format!("{}/#/t/unseen", server.url);
    assert_eq!(shown, json!([["Toll", "Your decision", "unseen", link]]));
}
