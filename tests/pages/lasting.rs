//! The page keeps going: lost seats, damaged links, many windows, a rematch, a server below a path.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Browser, needs_chromium};
use crate::guests::{accept, click};
use crate::playing::Table;
use crate::proxy::show_below_a_path;
use crate::returning::{play, until, value};
use crate::server::Server;
use crate::weight::choose;
use crate::{plays_everything, requests};

/// Opens a session for two and claims its first seat. Returns the id and the token.
async fn seated(server: &Server, session: Value) -> (String, String) {
    let id = server.post("/v1/sessions", session).await["id"].clone();
    let id = id.as_str().unwrap().to_owned();
    let seat = format!("/v1/sessions/{id}/seats/1");
    let claimed = server.put(&seat, json!({"name": "Ann"})).await;
    (id, claimed["token"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn whoever_runs_out_of_time_watches_and_can_sit_down_again() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let session = json!({"game": "chess", "seats": ["open", "random"], "clock": {"decision_ms": 3_000, "at_end": "free"}});
    let (id, token) = seated(&server, session).await;
    let link = format!("{}/#/t/{id}/seat/1/{token}", server.url);
    browser.open(&link).await;
    browser.find("[data-lost='1']").await;
    browser.find("html:not([data-seat])").await;
    browser.find(".drawing g.piece").await;
    let told = browser
        .run(
            "return document.querySelector('[data-lost]').innerText",
            json!([]),
        )
        .await;
    assert!(told.as_str().unwrap().contains("time ran out"), "{told}");
    // A token that the server does not know is forgotten: the page is that of a spectator after it was loaded again, too.
    browser.run("location.reload()", json!([])).await;
    browser.find(".drawing g.piece").await;
    browser.find("html:not([data-seat])").await;
    browser.open(&link).await;
    browser.click("[data-again]").await;
    // The log says that somebody sat down again, however fast the time runs out once more.
    browser.find(".log li:nth-child(3)").await;
}

#[tokio::test]
async fn a_damaged_link_to_a_seat_shows_the_table_and_costs_nobody_a_seat() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let (id, token) = seated(
        &server,
        json!({"game": "chess", "seats": ["open", "random"]}),
    )
    .await;
    let damaged = format!("{}/#/t/{id}/seat/1/wg_s_damaged", server.url);
    browser.open(&damaged).await;
    browser.find("[data-lost='1']").await;
    browser.find(".drawing g.piece").await;
    let link = format!("{}/#/t/{id}/seat/1/{token}", server.url);
    browser.open(&link).await;
    browser.find("html[data-seat='1'] .drawing .live").await;
    // Whoever holds the seat and follows a damaged link keeps the seat.
    browser.open(&damaged).await;
    browser.find("html[data-seat='1'] .drawing .live").await;
    browser.open("about:blank").await;
    browser.open(&format!("{}/#/t/{id}", server.url)).await;
    browser.find("html[data-seat='1'] .drawing .live").await;
    // A table that nobody may see is none; there is a way back.
    let private = json!({"game": "chess", "visibility": "private"});
    let private = server.post("/v1/sessions", private).await["id"].clone();
    let private = private.as_str().unwrap();
    browser
        .open(&format!("{}/#/t/{private}/seat/1/wg_s_damaged", server.url))
        .await;
    browser.find("main [role=alert] ~ p a").await;
}

/// Browsers open six connections to a server: with a stream for each window, the sixth window could not do anything.
#[tokio::test]
async fn many_tables_are_open_in_one_browser() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let count = if plays_everything() { 30 } else { 8 };
    let mut windows = vec![browser.window().await];
    let mut tables = Vec::new();
    for number in 0..count {
        if number > 0 {
            windows.push(browser.new_window().await);
        }
        let (id, token) = seated(&server, json!({"game": "nim", "seats": ["open", "open"]})).await;
        let other = server
            .put(&format!("/v1/sessions/{id}/seats/2"), json!({}))
            .await;
        browser.switch_to(&windows[number]).await;
        browser
            .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
            .await;
        browser
            .find(".choices [data-choice], .choices [data-step]")
            .await;
        tables.push((id, other["token"].as_str().unwrap().to_owned()));
    }
    for window in &windows {
        browser.switch_to(window).await;
        choose(&browser).await;
    }
    // What the others do reaches every window.
    for ((id, token), window) in tables.iter().zip(&windows) {
        let path = format!("{}/v1/sessions/{id}", server.url);
        let client = reqwest::Client::new();
        let view = client
            .get(format!("{path}/view?include=actions"))
            .bearer_auth(token);
        let view: Value = view.send().await.unwrap().json().await.unwrap();
        let choice = &view["decisions"][0]["choices"][0]["id"];
        let made = client
            .post(format!("{path}/moves"))
            .bearer_auth(token)
            .json(&json!({"id": choice}));
        assert_eq!(made.send().await.unwrap().status(), 201);
        browser.switch_to(window).await;
        let version = view["version"].as_u64().unwrap() + 1;
        browser
            .find(&format!("html[data-version='{version}']"))
            .await;
    }
}

/// A window that nobody sees holds no stream, and learns what happens all the same.
const HIDE: &str = r#"
    Object.defineProperty(document, "hidden", { value: arguments[0], configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    await new Promise((done) => setTimeout(done, 300));
    const { held } = await navigator.locks.query();
    return held.filter(({ name }) => name.startsWith("wyrmgate")).length;
"#;

#[tokio::test]
async fn a_hidden_window_holds_no_stream() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let (id, token) = seated(&server, json!({"game": "nim", "seats": ["open", "random"]})).await;
    browser
        .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
        .await;
    browser
        .find(".choices [data-choice], .choices [data-step]")
        .await;
    let script = format!("return (async () => {{ {HIDE} }})()").replace("arguments[0]", "HIDDEN");
    let hide = async |is_hidden: bool| {
        let script = script.replace("HIDDEN", &is_hidden.to_string());
        browser.run(&script, json!([])).await
    };
    assert_eq!(hide(false).await, json!(1));
    assert_eq!(hide(true).await, json!(0));
    assert_eq!(hide(false).await, json!(1));
}

#[tokio::test]
async fn a_rematch_reaches_the_other_player() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let windows = vec![browser.window().await, browser.new_window().await];
    let table = Table::open(&browser, &server, "tic-tac-toe", windows.clone()).await;
    assert_eq!(table.play(100).await, "finished");
    browser.switch_to(&windows[0]).await;
    browser.click("[data-rematch]").await;
    browser.find("html[data-status=running][data-seat]").await;
    let rematch = browser.address().await;
    browser.switch_to(&windows[1]).await;
    browser.click("[data-rematch-ready]").await;
    browser.find("html[data-status=running][data-seat]").await;
    assert_eq!(browser.address().await, rematch);
}

#[tokio::test]
async fn everything_works_below_a_path_of_a_proxy() {
    let server = Server::start("memory");
    let below = show_below_a_path(&server.url);
    let browser = Browser::start().await;
    browser.open(&below).await;
    browser.find(".card .picture svg").await;
    browser.click("a[data-game=tic-tac-toe]").await;
    browser.find(".halves .picture svg").await;
    browser
        .click("[data-seating='2'] option[value=random]")
        .await;
    browser.click("[data-create]").await;
    browser.click(".choices [data-choice]").await;
    browser.find(".log .main").await;
    browser.click("[data-tab=rules]").await;
    browser.find(".rulebook dd").await;
    assert!(browser.address().await.starts_with(&below));
    browser.click("a.home").await;
    browser.find(".sessions a").await;
    for (link, shown) in [
        ("workbench", ".cm-content, select"),
        ("docs/", "#swagger-ui .info"),
    ] {
        browser.open(&below).await;
        browser.click(&format!(".bar a[href='{link}']")).await;
        browser.find(shown).await;
    }
    for url in requests(&browser.log("performance").await) {
        assert!(url.starts_with(&below) || url.starts_with("data:"), "{url}");
    }
}

/// What a player does besides moves: a pause, a draw that is declined, a resignation.
#[tokio::test]
async fn people_pause_and_end_a_game_by_the_page() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let endings = json!({"draws": true});
    let session = json!({"game": "tic-tac-toe", "seats": ["open", "open"], "endings": endings,
        "clock": {"game_ms": 600_000}});
    let (id, token) = seated(&server, session).await;
    let seat = format!("/v1/sessions/{id}/seats/2");
    let other = server.put(&seat, json!({"name": "Bob"})).await["token"].clone();
    let other = other.as_str().unwrap();
    let act = |rest: &str| format!("/v1/sessions/{id}{rest}");
    browser
        .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
        .await;
    let menu = async |of: &str| {
        browser.click("details:has([data-end]) summary").await;
        browser.click(&format!("[data-end='{of}']")).await;
    };
    menu("pause").await;
    browser.find(".asked button").await;
    let paused = json!({"paused": true});
    server.put_as(&act("/pause"), other, paused).await;
    browser.find(".asked button.main").await;
    browser.click(".asked button.main").await;
    browser.find(".notices:not(:has(.asked))").await;
    server.post_as(&act("/draw-offers"), other, json!({})).await;
    browser.find("[data-agree]").await;
    browser.click(".asked button:not(.main)").await;
    browser.find(".notices:not(:has(.asked))").await;
    menu("resign").await;
    accept(&browser).await;
    browser.find("html[data-status='finished']").await;
    let state = browser
        .run(
            "return document.querySelector('.state').innerText",
            json!([]),
        )
        .await;
    assert_eq!(state, "Bob won: resignation");
}

/// A table of two people, of which the other one moves through the API.
struct Duel {
    id: String,
    other: String,
}

impl Duel {
    async fn open(server: &Server, browser: &Browser, more: Value) -> Duel {
        let mut session = json!({"game": "breakthrough", "seats": ["open", "open"]});
        let more = more.as_object().unwrap().clone();
        session.as_object_mut().unwrap().extend(more);
        let (id, token) = seated(server, session).await;
        let seat = format!("/v1/sessions/{id}/seats/2");
        let other = server.put(&seat, json!({})).await["token"].clone();
        let other = other.as_str().unwrap().to_owned();
        let link = format!("{}/#/t/{id}/seat/1/{token}", server.url);
        browser.open(&link).await;
        browser
            .find("html[data-decision]:not([data-decision='']) .drawing .live")
            .await;
        Duel { id, other }
    }

    /// Makes the first choice that the other seat has. Returns the version after it.
    async fn answer(&self, server: &Server) -> u64 {
        let path = format!("/v1/sessions/{}", self.id);
        let (view, moves) = (
            format!("{path}/view?include=actions"),
            format!("{path}/moves"),
        );
        let view = server.get_as(&view, &self.other).await;
        let choice = json!({"id": view["decisions"][0]["choices"][0]["id"]});
        let made = server.post_as(&moves, &self.other, choice).await;
        made["version"].as_u64().unwrap()
    }
}

/// Waits until it is one's turn again in this version, and plays on.
async fn goes_on(browser: &Browser, version: u64) {
    let due = format!("html[data-version='{version}']:not([data-decision='']) .drawing .live");
    browser.find(&due).await;
    browser.find(".notices:not(:has(.lost))").await;
    choose(browser).await;
}

/// From now on, timers of more than 1.2 seconds are kept until `WAITS_END` runs.
const SHORT_WAITS: &str = r#"
    window.later = setTimeout;
    window.held = [];
    window.setTimeout = (work, ms, ...rest) => (ms > 1200 ? held.push(work) : later(work, ms, ...rest));
"#;
const WAITS_END: &str = "window.setTimeout = later; held.forEach((work) => work())";

/// A computer that sleeps runs no script, and its connections are gone when it wakes.
#[tokio::test]
async fn a_page_that_slept_or_was_without_a_network_shows_what_happened_and_goes_on() {
    if !needs_chromium("the page is frozen, and the network taken away") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let duel = Duel::open(&server, &browser, json!({})).await;
    let network = async |is_off: bool| {
        let network = json!({"offline": is_off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        let command = "Network.emulateNetworkConditions";
        browser.cdp(command, network).await;
    };
    let sleep = async |state: &str| {
        let state = json!({"state": state});
        browser.cdp("Page.setWebLifecycleState", state).await;
    };
    for falls_asleep in [true, false] {
        choose(&browser).await;
        network(true).await;
        browser.find(".notices .lost").await;
        // By now it waits long until it tries again. Who wakes does not wait for that.
        tokio::time::sleep(Duration::from_secs(5)).await;
        browser.run(SHORT_WAITS, json!([])).await;
        if falls_asleep {
            sleep("frozen").await;
        }
        let version = duel.answer(&server).await;
        network(false).await;
        if falls_asleep {
            sleep("active").await;
        }
        goes_on(&browser, version).await;
        browser.run(WAITS_END, json!([])).await;
        let version = duel.answer(&server).await;
        browser
            .find(&format!("html[data-version='{version}']"))
            .await;
    }
    browser.log("browser").await; // it has told of the connection that was lost
}

/// The clock of a computer may be wrong, and may be set while somebody plays.
#[tokio::test]
async fn the_time_left_is_that_of_the_server_whatever_the_clock_of_the_computer_says() {
    if !needs_chromium("the clock is wrong from the beginning") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let wrong = "window.skew = 7_200_000; const right = Date.now.bind(Date); Date.now = () => right() + window.skew;";
    let wrong = json!({"source": wrong});
    browser
        .cdp("Page.addScriptToEvaluateOnNewDocument", wrong)
        .await;
    let clock = json!({"clock": {"game_ms": 3_600_000}});
    let duel = Duel::open(&server, &browser, clock).await;
    let seconds = async |at: &str| {
        let left = "document.querySelector('.people .clock.running').innerText.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)";
        let left = value(&browser, left).await.as_f64().unwrap();
        assert!((3_400.0..=3_600.0).contains(&left), "{at}: {left} s");
    };
    seconds("two hours ahead").await;
    for skew in [0, -7_200_000] {
        browser
            .run(&format!("window.skew = {skew}"), json!([]))
            .await;
        // The clock on the page ticks four times a second.
        tokio::time::sleep(Duration::from_millis(600)).await;
        seconds(&format!("set to {skew}")).await;
        choose(&browser).await;
        let version = duel.answer(&server).await;
        browser
            .find(&format!(
                "html[data-version='{version}']:not([data-decision=''])"
            ))
            .await;
        seconds(&format!("set to {skew}, after a move")).await;
    }
}

#[tokio::test]
async fn the_buttons_of_the_browser_lead_back_and_forth_between_tables_and_the_lobby() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let id = play(&browser, &server, "tic-tac-toe").await;
    let go = async |by: i32, to: &str| {
        browser.run(&format!("history.go({by})"), json!([])).await;
        browser.find(to).await;
    };
    click(&browser, "a.home").await;
    browser.find("[data-play=nim]").await;
    click(&browser, "[data-play=nim]").await;
    let table = "html[data-status=running][data-seat]:not([data-decision='']) .choices";
    browser.find(table).await;
    let other = browser.address().await;
    assert!(!other.ends_with(&id));
    go(-1, ".card [data-play]").await;
    assert_eq!(
        value(&browser, "document.documentElement.dataset.seat ?? ''").await,
        ""
    );
    go(-1, ".drawing [id='square-2-2'].live").await;
    assert!(browser.address().await.ends_with(&id));
    // It is the table as it is now, and can be played.
    choose(&browser).await;
    go(2, table).await;
    assert_eq!(browser.address().await, other);
    go(-2, ".drawing .piece").await;
    until(&browser, "document.documentElement.dataset.version > 2").await;
}
