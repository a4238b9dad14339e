//! What the page costs a person's connection: requests, and bytes as they were sent.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::playing::Table;
use crate::plays_everything;
use crate::server::Server;

/// What a window has loaded since it was asked last.
#[derive(Debug, Default)]
pub struct Cost {
    requests: Vec<String>,
    bytes: f64,
}

/// What each window has loaded since this was asked last.
pub async fn costs(browser: &Browser) -> HashMap<String, Cost> {
    let mut costs: HashMap<String, Cost> = HashMap::new();
    let mut streamed: HashMap<String, f64> = HashMap::new();
    for entry in browser.log("performance").await {
        let entry: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
        let cost = costs
            .entry(entry["webview"].as_str().unwrap().to_owned())
            .or_default();
        let params = &entry["message"]["params"];
        let id = params["requestId"].as_str().unwrap_or_default().to_owned();
        let length = params["encodedDataLength"].as_f64().unwrap_or_default();
        match entry["message"]["method"].as_str().unwrap() {
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap();
                cost.requests.push(url.to_owned());
            }
            "Network.dataReceived" => {
                cost.bytes += length;
                *streamed.entry(id).or_default() += length;
            }
            // All of it, with what came before.
            "Network.loadingFinished" => {
                cost.bytes += length - streamed.remove(&id).unwrap_or_default()
            }
            _ => {}
        }
    }
    costs
}

impl Cost {
    pub fn is_at_most(&self, what: &str, requests: usize, bytes: f64) {
        eprintln!(
            "{what}: {} requests, {} bytes",
            self.requests.len(),
            self.bytes
        );
        let is_small = self.requests.len() <= requests && self.bytes <= bytes;
        assert!(
            is_small,
            "{what}: {} requests: {self:#?}",
            self.requests.len()
        );
    }
}

/// Waits until nothing was loaded for some time.
pub async fn settled(browser: &Browser) {
    let count = "return performance.getEntriesByType('resource').length";
    let mut before = Value::Null;
    loop {
        let now = browser.run(count, json!([])).await;
        if now == before {
            return;
        }
        before = now;
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
}

#[tokio::test]
async fn the_lobby_is_loaded_with_few_requests() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.resize(1280, 800, false).await;
    browser.open(&server.url).await;
    browser.find(".card .picture svg").await;
    settled(&browser).await;
    let window = browser.window().await;
    costs(&browser).await[&window].is_at_most("the lobby", 15, 120_000.0);
    // What was not in sight is loaded when it comes there.
    let last = "document.querySelector('.card:last-child').scrollIntoView(); return 0";
    browser.run(last, json!([])).await;
    browser.find(".card:last-child .picture svg").await;
}

/// A whole game has about 45 changes, which cost 600 kB with the page itself.
#[tokio::test]
async fn a_game_of_drakon_on_a_phone_costs_as_much_as_a_photograph() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let windows = vec![browser.window().await, browser.new_window().await];
    for window in &windows {
        browser.switch_to(window).await;
        browser.resize(390, 844, true).await;
    }
    let table = Table::open(&browser, &server, "drakon", windows.clone()).await;
    table.play(if plays_everything() { 5_000 } else { 6 }).await;
    browser.switch_to(&windows[0]).await;
    settled(&browser).await;
    let version = "return Number(document.documentElement.dataset.version)";
    let changes = browser.run(version, json!([])).await.as_f64().unwrap();
    let cost = &costs(&browser).await[&windows[0]];
    let most = 90_000.0 + changes * 11_300.0;
    cost.is_at_most(
        &format!("{changes} changes of Drakon"),
        20 + 2 * changes as usize,
        most,
    );
}

/// Chooses with the keys what there is in words until the window owes nothing.
pub async fn choose(browser: &Browser) {
    let focus =
        "document.querySelector('.choices [data-choice], .choices [data-step]')?.focus(); return 0";
    browser.find("html[data-decision]").await;
    while browser.all("html[data-decision='']").await.is_empty() {
        browser.run(focus, json!([])).await;
        browser.press("\u{e007}").await; // Enter
    }
}

#[tokio::test]
async fn a_move_costs_each_window_two_requests() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.resize(1280, 800, false).await;
    let windows = vec![browser.window().await, browser.new_window().await];
    Table::open(&browser, &server, "chess", windows.clone()).await;
    for window in &windows {
        browser.switch_to(window).await;
        browser.find(".drawing g.piece").await;
        settled(&browser).await;
    }
    for turn in 0..4 {
        costs(&browser).await;
        browser.switch_to(&windows[turn % 2]).await;
        choose(&browser).await;
        for window in &windows {
            browser.switch_to(window).await;
            settled(&browser).await;
        }
        let costs = costs(&browser).await;
        for window in &windows {
            costs[window].is_at_most("a move of chess", 2, 8_000.0);
        }
    }
}
