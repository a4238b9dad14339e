//! The table at `/`, in a real browser: games played by clicks, phones, reconnecting, accessibility.
//!
//! Within `./test`, short games are played to the end and long ones for a while.
//! `WYRMGATE_PAGES=whole cargo test --test pages` plays all of them to the end.
//! `WYRMGATE_PICTURES=DIR` keeps pictures of the windows in a folder; `pictured.rs` makes them of all games.

#![cfg(test)]

mod browser;
mod debugger;
mod everyday;
mod files;
mod guests;
mod lasting;
mod members;
mod pictured;
mod playing;
mod pointer;
mod pointing;
mod proxy;
mod reading;
mod returning;
mod server;
mod sight;
mod speed;
mod talking;
mod weight;
mod whole;
mod wording;
mod workbench;

use browser::{Browser, is_firefox, needs_chromium};
use playing::Table;
use pointer::Pointer;
use serde_json::{Value, json};
use server::Server;

/// These are played to the end, as tic-tac-toe and Connect Four are by the tests below: game, seats.
const WHOLE: [(&str, usize); 2] = [("goofspiel", 2), ("sneaky-dragons", 2)];

/// These have long games, of which `./test` plays this many choices.
const PARTS: [(&str, usize, u32); 7] = [
    ("drakon", 2, 6),
    ("mount-drago", 2, 4),
    ("magic-dragon", 2, 6),
    ("way-of-the-dragon", 2, 6),
    ("chess", 2, 4),
    ("cribbage", 2, 4),
    ("hex", 2, 4),
];

/// More choices than any of these games has.
const TO_THE_END: u32 = 5_000;

fn plays_everything() -> bool {
    std::env::var("WYRMGATE_PAGES").is_ok_and(|wish| wish == "whole")
}

/// Plays two seats to the end and follows the game as a stream, with nothing but the file of the TypeScript package.
const PLAYS: &str = r#"
    const [source, url] = arguments;
    const file = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return import(file).then(async ({ Client, Problem }) => {
        const client = new Client(url);
        const { id } = await client.post("/v1/sessions", { body: { game: "tic-tac-toe", seats: ["open", "open"] } });
        const versions = [];
        const following = (async () => {
            for await (const { kind, data } of client.messages(id, { after: 0 })) {
                if (kind === "change") versions.push(data.version);
            }
        })();
        const choose = (decision) => decision.choices[0];
        const outcomes = await Promise.all([1, 2].map((seat) => client.play(id, seat, choose)));
        await following;
        const problem = await client.get("/v1/sessions/none").catch((error) => error);
        return { outcomes, versions, is_problem: problem instanceof Problem };
    });
"#;

#[tokio::test]
async fn the_typescript_package_plays_in_a_browser() {
    if !needs_chromium("a script of the driver imports a module") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&format!("{}/livez", server.url)).await;
    let client = include_str!("../../clients/typescript/src/index.js");
    let played = browser.run(PLAYS, json!([client, server.url])).await;
    assert_eq!(played["outcomes"][0]["winners"], json!([1]));
    assert_eq!(played["outcomes"][0], played["outcomes"][1]);
    assert_eq!(played["is_problem"], true);
    // Two seats are taken, and the first square that is free is taken until there is a row.
    let last = played["versions"].as_array().unwrap().len() as u64;
    let versions: Vec<u64> = (1..=last).collect();
    assert_eq!(played["versions"], json!(versions));
    assert!(last > 7, "{played}");
}

#[tokio::test]
async fn a_table_is_opened_joined_by_link_played_to_the_end_and_replayed_by_clicks() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&server.url).await;
    browser.click("a[data-game=tic-tac-toe]").await;
    no_barriers(&browser, "a new table").await;
    browser.click("[data-create]").await;
    browser
        .find("html[data-status=waiting][data-seat='1']")
        .await;
    no_barriers(&browser, "a table that waits").await;
    let link = browser.address().await;
    assert!(!link.contains("wg_"), "a token in {link}");

    let first = browser.window().await;
    let second = browser.new_window().await;
    browser.switch_to(&second).await;
    browser.open(&link).await;
    // The window shares its storage with the first one: it could sit at the same seat, and takes another.
    browser.click("[data-take='2']").await;
    browser
        .find("html[data-status=running][data-seat='2']")
        .await;
    for (window, square) in [(&first, 4), (&second, 0), (&first, 1), (&second, 2)] {
        browser.switch_to(window).await;
        browser.find("[data-choice]").await;
        browser
            .click(&format!(".drawing [data-choice$='.{square}']"))
            .await;
        browser.find("html[data-decision='']").await;
    }
    browser.switch_to(&first).await;
    let table = Table {
        browser: &browser,
        windows: vec![first.clone(), second.clone()],
        pointer: Pointer::Mouse,
    };
    table.play(TO_THE_END).await;
    browser.switch_to(&first).await;
    browser.find("html[data-status=finished]").await;
    browser.click("[data-verify]").await;
    browser.find("[data-verified]").await;
    no_barriers(&browser, "a finished game").await;

    browser.click(".history button:first-child").await;
    browser.find(".history .main").await;
    browser.open(&server.url).await;
    browser.find(".sessions a").await;
    no_barriers(&browser, "the lobby").await;
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn games_are_played_by_clicks_in_two_windows() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let parts = PARTS.iter().map(|(game, seats, steps)| {
        let steps = if plays_everything() {
            TO_THE_END
        } else {
            *steps
        };
        (*game, *seats, steps)
    });
    let whole = WHOLE
        .iter()
        .map(|(game, seats)| (*game, *seats, TO_THE_END));
    let mut windows = vec![browser.window().await, browser.new_window().await];
    for (game, seats, steps) in whole.chain(parts) {
        windows.truncate(seats);
        let table = Table::open(&browser, &server, game, windows.clone()).await;
        let status = table.play(steps).await;
        browser.switch_to(&windows[0]).await;
        no_barriers(&browser, game).await;
        picture(&browser, game).await;
        assert!(
            steps < TO_THE_END || status == "finished",
            "{game}: {status}"
        );
        all_quiet(&browser, &server).await;
    }
}

/// Which cards of the own hand can be clicked, and what clicks on three alike members pick where two may be chosen.
const LIKE_CARDS: &str = r#"
    return (async () => {
        const { stepsOf } = await import("/pages/steps.js");
        const lists = [[], ["a"], ["a", "b"]];
        const choices = lists.map((c, at) => ({ id: `1.1.${at}`, args: { c }, label: "", refers: c }));
        const decision = { kind: "subset", alike: [["a", "b", "x"]] };
        const title = (name, value) => value;
        const steps = (picks) => stepsOf(decision, choices, picks, title);
        const click = (picks, part) => steps(picks).pickOf({ part, ids: ["1.1.1", "1.1.2"] });
        const isOpen = (picks, part) => steps(picks).isOpen(click(picks, part));
        const one = click([], "x");
        const two = click([one], "x");
        const back = click([one, two], "a");
        const cards = [...document.querySelectorAll('g.piece[id^="penny"], g.piece[id^="rag"]')];
        const live = [...new Set(cards.filter((card) => card.classList.contains("live")).map((card) => card.id))];
        const open = [isOpen([], "x"), isOpen([one], "x"), isOpen([one, two], "x")];
        return { picked: [one.value, two.value, back.value], open, live, version: document.documentElement.dataset.version };
    })();
"#;

/// Of like cards only the first one is listed; a person may click any of them.
#[tokio::test]
async fn each_of_several_like_cards_can_be_clicked() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let windows = vec![browser.new_window().await, browser.window().await];
    let table = Table::open(&browser, &server, "night-market", windows).await;
    browser.switch_to(&table.windows[0]).await;
    browser.find("g.piece.live").await;
    let told: Value = browser.run(LIKE_CARDS, json!([])).await;
    assert_eq!(told["picked"], json!(["a", "b", "b"]));
    assert_eq!(told["open"], json!([true, true, false]), "up to two");
    let live = told["live"].as_array().unwrap();
    assert_eq!(live.len(), 5, "all cards of a first hand: {told}");
    let last = live.last().unwrap().as_str().unwrap();
    browser.click(&format!("g.piece[id='{last}']")).await;
    let version = &told["version"];
    browser
        .find(&format!("html:not([data-version={version}])"))
        .await;
    // The seat's own area below the board is as high as its frames, also while cards move there.
    let spare = browser.run(SPARE, json!([])).await;
    assert!(spare.as_f64().is_some_and(|spare| spare < 10.0), "{spare}");
}

/// How much higher the part below the board is than the frames in it.
const SPARE: &str = r#"
    const own = document.querySelector(".hand svg");
    const frames = [...own.querySelectorAll("g.zone > rect")].map((frame) => frame.getAttribute("y") * 1);
    const ends = [...own.querySelectorAll("g.zone > rect")].map((frame) => frame.getAttribute("y") * 1 + frame.getAttribute("height") * 1);
    return own.viewBox.baseVal.height - (Math.max(...ends) - Math.min(...frames));
"#;

#[tokio::test]
async fn drakon_is_played_in_a_window_of_the_size_of_a_phone() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let window = browser.window().await;
    let second = browser.new_window().await;
    for window in [&second, &window] {
        browser.switch_to(window).await;
        browser.become_window((390, 844), Pointer::Touch).await;
    }
    let mut table = Table::open(&browser, &server, "drakon", vec![window.clone(), second]).await;
    table.pointer = Pointer::Touch;
    let steps = if plays_everything() { TO_THE_END } else { 8 };
    table.play(steps).await;
    browser.switch_to(&window).await;
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    let over = browser.run(wide, json!([])).await;
    assert_eq!(over, json!(0), "the page is wider than the window");
    no_barriers(&browser, "a phone").await;
    picture(&browser, "phone").await;
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn a_page_goes_on_without_loss_when_the_server_is_killed_and_starts_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("embedded:{}", folder.path().join("store.redb").display());
    let mut server = Server::start(&store);
    let browser = Browser::start().await;
    let windows = vec![browser.window().await, browser.new_window().await];
    let table = Table::open(&browser, &server, "connect-four", windows.clone()).await;
    table.play(3).await;
    browser.switch_to(&windows[0]).await;
    server.kill();
    browser.find(".lost").await;
    server.start_again(&store);
    let back = "return new Promise(done => { const look = () => document.querySelector('.lost') ? setTimeout(look, 50) : done(true); look(); })";
    browser.run(back, json!([])).await;
    assert_eq!(table.play(TO_THE_END).await, "finished");
    // Every change is in the log, each once and in order.
    browser.switch_to(&windows[0]).await;
    let versions =
        "return [...document.querySelectorAll('.log .when')].map(when => Number(when.textContent))";
    let versions = browser.run(versions, json!([])).await;
    let versions: Vec<u64> = serde_json::from_value(versions).unwrap();
    let last = *versions.last().unwrap();
    assert_eq!(versions, (2..=last).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_private_table_is_joined_by_its_link_which_then_leaves_the_address() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let made = server
        .post(
            "/v1/sessions",
            json!({"game": "nim", "visibility": "private"}),
        )
        .await;
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    let (id, invite) = (text("id"), text("invite_code"));
    browser
        .open(&format!("{}/#/t/{id}/invite/{invite}", server.url))
        .await;
    browser.click("[data-take='1']").await;
    browser.find("html[data-seat='1']").await;
    assert!(!browser.address().await.contains("wg_"));
    if is_firefox() {
        return; // it keeps no log of the network
    }
    let requests = requests(&browser.log("performance").await);
    assert!(requests.iter().any(|url| url.ends_with("/seats/1")));
    assert!(
        requests
            .iter()
            .all(|url| !url.split('#').next().unwrap().contains("wg_"))
    );
}

/// The texts of uploaded rules are texts, in pictures, rulebooks, choices and logs.
#[tokio::test]
async fn rules_cannot_bring_scripts_into_the_page() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let name = "<img src=x onerror='window.evil = 1'>";
    let evil = format!("<script>window.evil = 1</script>{name}");
    let house = format!("extends: tic-tac-toe\ntitle: \"{evil}\"\nabout: \"{evil}\"\n");
    let files = json!({"files": {"house.yaml": house}});
    let digest = server.post("/v1/rulesets", files).await["digest"].clone();
    let digest = digest.as_str().unwrap();
    browser
        .open(&format!("{}/#/rules/{digest}", server.url))
        .await;
    browser.find(".rulebook h2").await;
    // Its entries are there, and its pictures have the colors of both themes.
    browser.find(".rulebook dd").await;
    let both = "return [...document.querySelectorAll('.rulebook svg *')].filter((part) => part.style.fill.includes('light-dark')).length";
    let both = browser.run(both, json!([])).await;
    assert!(both.as_u64() > Some(9), "{both}");
    let session = json!({"ruleset": digest, "seats": ["open", "random"]});
    let id = server.post("/v1/sessions", session).await["id"].clone();
    let id = id.as_str().unwrap();
    let seat = format!("/v1/sessions/{id}/seats/1");
    let claimed = server.put(&seat, json!({"name": name})).await;
    let token = claimed["token"].as_str().unwrap();
    browser
        .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
        .await;
    browser.find(".drawing .live").await;
    browser.find(".log li").await;
    let evil = browser.run("return window.evil ?? null", json!([])).await;
    assert_eq!(evil, Value::Null);
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn keys_alone_choose_and_step_back() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let windows = vec![browser.window().await, browser.new_window().await];
    Table::open(&browser, &server, "chess", windows.clone()).await;
    browser.switch_to(&windows[0]).await;
    browser.find(".drawing .live").await;
    let focus = "document.querySelector('.drawing .live[role=button]').focus(); return 0";
    browser.run(focus, json!([])).await;
    browser.press("\u{e014}\u{e007}").await; // right, Enter
    browser.find(".path li").await;
    browser.press("\u{e00c}").await; // Escape
    let waiting = "return document.querySelectorAll('.path li').length";
    assert_eq!(browser.run(waiting, json!([])).await, json!(0));
    browser.run(focus, json!([])).await;
    browser.press("\u{e014}\u{e007}").await;
    browser.find(".choices [data-choice]").await;
    browser
        .run(
            "document.querySelector('.choices [data-choice]').focus(); return 0",
            json!([]),
        )
        .await;
    browser.press("\u{e007}").await;
    browser.find("html[data-decision='']").await;
}

#[tokio::test]
async fn a_new_picture_leaves_the_focus_where_it_was() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let windows = vec![browser.window().await, browser.new_window().await];
    Table::open(&browser, &server, "chess", windows.clone()).await;
    browser.switch_to(&windows[0]).await;
    browser.find(".drawing .live").await;
    let focus = "document.querySelector('.drawing .live[role=button]').focus();
        document.querySelector('.drawing > svg').classList.add('old');
        document.querySelector('.frame').style.width = '500px';
        return document.activeElement.dataset.part";
    let before = browser.run(focus, json!([])).await;
    browser.find(".drawing > svg:not(.old) .live").await;
    let after = "return document.activeElement.dataset.part || ''";
    assert_eq!(browser.run(after, json!([])).await, before);
}

#[tokio::test]
async fn an_operator_can_serve_the_api_alone() {
    let server = Server::start_with("memory", &["--no-pages"]);
    let client = reqwest::Client::new();
    let page = client
        .get(&server.url)
        .header("accept", "text/html,*/*;q=0.8");
    let page = page.send().await.unwrap();
    assert_eq!(page.headers()["content-type"], "application/json");
    let script = client.get(format!("{}/pages/app.js", server.url));
    assert_eq!(script.send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn browsers_get_the_page_and_programs_the_index() {
    let server = Server::start("memory");
    let get = async |accept: &str| {
        let request = reqwest::Client::new()
            .get(&server.url)
            .header("accept", accept);
        request.send().await.unwrap()
    };
    let browser = get("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8").await;
    assert_eq!(
        browser.headers()["content-type"],
        "text/html; charset=utf-8"
    );
    let policy = browser.headers()["content-security-policy"]
        .to_str()
        .unwrap();
    assert!(
        policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    for accept in ["*/*", "application/json"] {
        let index: Value = get(accept).await.json().await.unwrap();
        assert_eq!(index["links"]["games"], "/v1/games");
    }
}

// ---- what must hold everywhere

/// No error in the console, and no request to another server.
async fn all_quiet(browser: &Browser, server: &Server) {
    let console = browser.log("browser").await;
    assert!(console.is_empty(), "{console:#?}");
    for url in requests(&browser.log("performance").await) {
        let is_ours = url.starts_with(&server.url) || url.starts_with("data:");
        assert!(is_ours || url.starts_with("about:"), "{url}");
        assert!(!url.contains("wg_"), "a token in {url}");
    }
}

fn requests(log: &[Value]) -> Vec<String> {
    let messages = log.iter().filter_map(|entry| {
        let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
        let message = &message["message"];
        let is_request = message["method"] == "Network.requestWillBeSent";
        let url = message["params"]["request"]["url"].as_str()?;
        (is_request && !url.starts_with("chrome")).then(|| url.to_owned())
    });
    messages.collect()
}

/// No barrier that axe-core knows of.
async fn no_barriers(browser: &Browser, place: &str) {
    let is_there = browser.run("return typeof axe", json!([])).await;
    if is_there == "undefined" {
        browser.run(files::AXE, json!([])).await;
    }
    let script = "return axe.run(document).then(found => found.violations.map(one => \
        [one.id, one.help, ...one.nodes.slice(0, 3).map(node => node.html.slice(0, 300))]))";
    let found = browser.run(script, json!([])).await;
    assert_eq!(found, json!([]), "{place}: {found:#}");
}

async fn picture(browser: &Browser, name: &str) {
    if let Ok(folder) = std::env::var("WYRMGATE_PICTURES") {
        browser.screenshot(&format!("{folder}/{name}.png")).await;
    }
}
