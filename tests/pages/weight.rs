//! What the page costs a person's connection: requests, and bytes as they were sent.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::browser::{Browser, needs_chromium};
use crate::playing::Table;
use crate::plays_everything;
use crate::server::Server;

/// What a window has loaded since it was asked last.
#[derive(Debug, Default)]
pub struct Cost {
    pub requests: Vec<String>,
    /// Bytes that came, by address.
    bytes: HashMap<String, f64>,
}

/// A request of a window.
#[derive(Debug)]
struct Request {
    window: String,
    url: String,
    bytes: f64,
    is_whole: bool,
}

/// Waits until nothing was loaded for some time and nothing is on its way. Returns what each window has loaded since
/// this was asked last.
pub async fn settled(browser: &Browser) -> HashMap<String, Cost> {
    let mut costs: HashMap<String, Cost> = HashMap::new();
    let mut requests: HashMap<String, Request> = HashMap::new();
    let begun = Instant::now();
    loop {
        let mut is_quiet = true;
        for entry in browser.log("performance").await {
            let entry: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let window = entry["webview"].as_str().unwrap();
            let cost = costs.entry(window.to_owned()).or_default();
            let params = &entry["message"]["params"];
            let id = params["requestId"].as_str().unwrap_or_default();
            let length = params["encodedDataLength"].as_f64().unwrap_or_default();
            let method = entry["message"]["method"].as_str().unwrap();
            is_quiet &= !method.starts_with("Network.");
            if method == "Network.requestWillBeSent" {
                let url = params["request"]["url"].as_str().unwrap();
                cost.requests.push(url.to_owned());
            }
            // A stream goes on from before.
            let request = requests.entry(id.to_owned()).or_insert_with(|| Request {
                window: window.to_owned(),
                url: params["request"]["url"]
                    .as_str()
                    .unwrap_or("a stream")
                    .to_owned(),
                bytes: 0.0,
                is_whole: false,
            });
            match method {
                // Parts are told late when a page has much to do.
                "Network.dataReceived" if !request.is_whole => request.bytes += length,
                // All of it, with what came before.
                "Network.loadingFinished" => (request.bytes, request.is_whole) = (length, true),
                "Network.loadingFailed" => request.is_whole = true,
                _ => {}
            }
        }
        let is_arriving = |request: &Request| !request.is_whole && !is_stream(&request.url);
        if is_quiet && !requests.values().any(is_arriving) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{requests:?}");
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
    for request in requests.into_values() {
        let cost = costs.entry(request.window).or_default();
        *cost.bytes.entry(request.url).or_default() += request.bytes;
    }
    costs
}

/// Streams stay open.
fn is_stream(url: &str) -> bool {
    url == "a stream" || url.contains("/stream") || url.contains("/players/me/events")
}

impl Cost {
    pub fn is_at_most(&self, what: &str, requests: usize, bytes: f64) {
        let sent: f64 = self.bytes.values().sum();
        eprintln!("{what}: {} requests, {sent} bytes", self.requests.len());
        let is_small = self.requests.len() <= requests && sent <= bytes;
        assert!(
            is_small,
            "{what}: {} requests: {self:#?}",
            self.requests.len()
        );
    }
}

#[tokio::test]
async fn the_lobby_is_loaded_with_few_requests() {
    if !needs_chromium("the log of the network is read") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.resize(1280, 800, false).await;
    browser.open(&server.url).await;
    browser.find(".card .picture svg").await;
    let window = browser.window().await;
    settled(&browser).await[&window].is_at_most("the lobby", 15, 120_000.0);
    // What was not in sight is loaded when it comes there.
    let last = "document.querySelector('.card:last-child').scrollIntoView(); return 0";
    browser.run(last, json!([])).await;
    browser.find(".card:last-child .picture svg").await;
}

/// A whole game has about 45 changes, which cost 600 kB with the page itself.
#[tokio::test]
async fn a_game_of_drakon_on_a_phone_costs_as_much_as_a_photograph() {
    if !needs_chromium("the log of the network is read") {
        return;
    }
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
    let cost = &settled(&browser).await[&windows[0]];
    let version = "return Number(document.documentElement.dataset.version)";
    let changes = browser.run(version, json!([])).await.as_f64().unwrap();
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
    if !needs_chromium("the log of the network is read") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.resize(1280, 800, false).await;
    let windows = vec![browser.window().await, browser.new_window().await];
    Table::open(&browser, &server, "chess", windows.clone()).await;
    for window in &windows {
        browser.switch_to(window).await;
        browser.find(".drawing g.piece").await;
    }
    settled(&browser).await;
    for turn in 0..5 {
        browser.switch_to(&windows[turn % 2]).await;
        choose(&browser).await;
        // The other window has the move, too.
        browser.switch_to(&windows[1 - turn % 2]).await;
        browser.find("html:not([data-decision=''])").await;
        let costs = settled(&browser).await;
        // Chromium may tell the size of a stream's first message only with the second one.
        for window in windows.iter().filter(|_| turn > 0) {
            costs[window].is_at_most("a move of chess", 2, 8_000.0);
        }
    }
}
