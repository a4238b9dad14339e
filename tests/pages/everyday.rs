//! What a person meets at every table: boards that answer, a hand in sight, menus that close, moves ahead, an end that is explained.

use std::time::Duration;

use serde_json::json;

use crate::browser::{Browser, needs_chromium};
use crate::guests::click;
use crate::pointer::Pointer;
use crate::returning::{play, until, value};
use crate::server::Server;
use crate::weight::settled;
use crate::{all_quiet, no_barriers, picture};

/// A table of two seats with their tokens, the first of which a window takes.
pub struct Pair {
    id: String,
    tokens: [String; 2],
}

impl Pair {
    pub async fn open(server: &Server, browser: &Browser, game: &str) -> Pair {
        let made = json!({"game": game, "seats": ["open", "open"], "seed": "05".repeat(32)});
        let made = server.post("/v1/sessions", made).await;
        let id = made["id"].as_str().unwrap().to_owned();
        let mut tokens = [String::new(), String::new()];
        for (seat, token) in (1..).zip(&mut tokens) {
            let path = format!("/v1/sessions/{id}/seats/{seat}");
            let claimed = server
                .put(&path, json!({"name": (["Ann", "Bob"][seat - 1])}))
                .await;
            *token = claimed["token"].as_str().unwrap().to_owned();
        }
        let link = format!("{}/#/t/{id}/seat/1/{}", server.url, tokens[0]);
        browser.open(&link).await;
        browser.find("html[data-decision] .drawing svg").await;
        Pair { id, tokens }
    }

    /// Makes a choice whose label contains these words.
    pub async fn choose(&self, server: &Server, seat: usize, words: &str) {
        let (path, token) = (format!("/v1/sessions/{}", self.id), &self.tokens[seat - 1]);
        let view = server
            .get_as(&format!("{path}/view?include=actions"), token)
            .await;
        let choices = view["decisions"][0]["choices"].as_array().unwrap();
        let choice = choices
            .iter()
            .find(|choice| choice["label"].as_str().unwrap().contains(words));
        let body = json!({"id": choice.unwrap()["id"]});
        server.post_as(&format!("{path}/moves"), token, body).await;
    }
}

/// Clicks on a part of the board, with the pointer of the window.
async fn click_part(browser: &Browser, selector: &str) {
    browser.find(&format!(".drawing {selector}")).await;
    let part = format!(
        "document.querySelector({})",
        json!(format!(".drawing {selector}"))
    );
    browser
        .click_in(&format!(
            "({part}.querySelector(':scope > .hit') ?? {part})"
        ))
        .await;
}

/// Columns, points and dice are numbers in the rules, and places on the board.
#[tokio::test]
async fn a_column_and_a_point_are_clicked_on_the_board() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    Pair::open(&server, &browser, "connect-four").await;
    // Any hole of the column will do.
    click_part(&browser, "[id='square-3-5']").await;
    browser.find(".drawing [id='square-3-1'] .piece").await;
    let words = value(&browser, "document.querySelector('.log').innerText").await;
    assert!(words.as_str().unwrap().contains("Ann: 3"), "{words}");

    let table = Pair::open(&server, &browser, "backgammon").await;
    let path = format!("/v1/sessions/{}/view?include=actions", table.id);
    let mut view = server.get_as(&path, &table.tokens[0]).await;
    if view["decisions"][0].is_null() {
        let link = format!("{}/#/t/{}/seat/2/{}", server.url, table.id, table.tokens[1]);
        browser.open(&link).await;
        view = server.get_as(&path, &table.tokens[1]).await;
    }
    let (seat, args) = (
        &view["decisions"][0]["seat"],
        &view["decisions"][0]["choices"][0]["args"],
    );
    browser
        .find(&format!("html[data-seat='{seat}'] .drawing .live"))
        .await;
    let version = value(&browser, "document.documentElement.dataset.version").await;
    let die = format!(
        "[id='var:left_to_play'] .live:has(title[data-die='{}'])",
        args["d"]
    );
    let mark = "for (const title of document.querySelectorAll('.drawing [id=\"var:left_to_play\"] title')) \
        title.dataset.die = title.textContent.match(/\\d+$/)?.[0]";
    browser.run(mark, json!([])).await;
    click_part(&browser, &die).await;
    browser.find(".path li").await;
    click_part(&browser, &format!("[id='point-{seat}-{}']", args["far"])).await;
    until(
        &browser,
        &format!("document.documentElement.dataset.version !== {version}"),
    )
    .await;
    all_quiet(&browser, &server).await;
}

/// Picking none of several dice is a choice.
#[tokio::test]
async fn nothing_is_chosen_with_one_click_on_the_board() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let table = Pair::open(&server, &browser, "yahtzee").await;
    browser.find(".drawing .choice.live").await;
    click_part(&browser, ".choice.live").await;
    browser.find("html:not([data-version='3'])").await;
    let path = format!("/v1/sessions/{}/events?after=3", table.id);
    let events = server.get_as(&path, &table.tokens[0]).await;
    let chose = &events["items"][0]["events"][0];
    assert_eq!(chose["args"]["d"], json!([]), "{events}");
    all_quiet(&browser, &server).await;
}

/// What lies in the free part of the window, between the bar and the choices.
const IN_SIGHT: &str = r#"
    const top = document.querySelector(".bar").getBoundingClientRect().bottom;
    const bottom = document.querySelector(".hand svg").getBoundingClientRect().top;
    const board = document.querySelector(".drawing .board").getBoundingClientRect();
    const cards = [...document.querySelectorAll(".hand .piece")].map((card) => card.getBoundingClientRect());
    const sheet = document.querySelector(".right > .choices").getBoundingClientRect().top;
    return {
        trick: board.top >= top - 1 && board.bottom <= bottom + 1,
        cards: cards.filter((card) => card.left >= 0 && card.right <= innerWidth && card.top >= bottom && card.bottom <= sheet + 1).length,
    };
"#;

#[tokio::test]
async fn a_phone_shows_the_trick_and_the_own_hand_together() {
    let server = Server::start("memory");
    let phone = Browser::start().await;
    phone.become_window((390, 844), Pointer::Touch).await;
    play(&phone, &server, "hearts").await;
    phone.find(".hand:not([hidden]) .live").await;
    until(&phone, &format!("(() => {{ {IN_SIGHT} }})().trick")).await;
    let told = phone.run(IN_SIGHT, json!([])).await;
    assert_eq!(told, json!({"trick": true, "cards": 13}));
    picture(&phone, "hand-phone").await;
    // A queen is called so wherever she is named.
    let numbers = "/Card \\w+ 1[1-4]/.test(document.body.innerText)";
    assert_eq!(value(&phone, numbers).await, false);
    let queen = "document.querySelector('.choices').innerText.match(/Card \\w+ [JQKA]/) !== null";
    assert_eq!(value(&phone, queen).await, true);
    // Each card of the hand answers to a finger, though others lie over it.
    for picked in 1..=3 {
        let card = "(() => { const card = document.querySelector('.hand .live:not(.picked)').getBoundingClientRect(); return [card.left + 10, card.top + card.height / 2] })()";
        let place = value(&phone, card).await;
        let place: (f64, f64) = serde_json::from_value(place).unwrap();
        phone.click_at(Pointer::Touch, &[place]).await;
        until(
            &phone,
            &format!("document.querySelectorAll('.path li').length === {picked}"),
        )
        .await;
    }
    no_barriers(&phone, "a hand on a phone").await;
}

#[tokio::test]
async fn what_a_tap_has_brought_closer_goes_back_after_the_choice() {
    let server = Server::start("memory");
    let phone = Browser::start().await;
    phone.become_window((390, 844), Pointer::Touch).await;
    play(&phone, &server, "quoridor").await;
    let small = "[...document.querySelectorAll('.drawing .live')].find((part) => { \
        const { width, height } = (part.querySelector(':scope > .hit') ?? part).getBoundingClientRect(); return Math.min(width, height) < 24; })";
    until(&phone, &format!("Boolean({small})")).await;
    settled(&phone).await;
    let version = value(&phone, "document.documentElement.dataset.version").await;
    // The picture may be drawn again between two taps: its part is known by its name.
    let name = value(&phone, &format!("{small}.dataset.part")).await;
    let part = format!("document.querySelector(`.drawing .live[data-part={name}]`)");
    let tap = async || {
        let area = format!("({part}.querySelector(':scope > .hit') ?? {part})");
        let place = phone.middle_of(&area).await;
        phone.click_at(Pointer::Touch, &[place]).await;
    };
    tap().await;
    phone.find(".frame:not(.zoom-0)").await;
    assert!(phone.all(".path li").await.is_empty(), "it is only closer");
    tap().await;
    // A place of walls is chosen with its direction.
    let chosen = format!(
        "document.documentElement.dataset.version !== {version} || document.querySelector('.path li')"
    );
    until(&phone, &format!("Boolean({chosen})")).await;
    if !phone.all(".path li").await.is_empty() {
        let choice = phone.middle_of("document.querySelector('.choices [data-choice]')");
        let choice = choice.await;
        phone.click_at(Pointer::Touch, &[choice]).await;
    }
    until(
        &phone,
        &format!("document.documentElement.dataset.version !== {version}"),
    )
    .await;
    phone.find(".frame.zoom-0").await;
}

#[tokio::test]
async fn menus_undo_and_offer_draws_by_pointer_and_close_after_use() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let table = Pair::open(&server, &browser, "chess").await;
    table.choose(&server, 1, "e4").await;
    browser.find("html[data-decision='']").await;
    click(&browser, ".undo:has([aria-label=Undo]) summary").await;
    click(&browser, ".undo [data-undo]").await;
    browser.find(".asked, html:not([data-decision=''])").await;
    assert!(
        browser.all(".bar details[open]").await.is_empty(),
        "the menu of undos is closed"
    );
    // The other one agrees.
    let undos = format!("/v1/sessions/{}/undos", table.id);
    if !browser.all(".asked").await.is_empty() {
        server
            .post_as(&undos, &table.tokens[1], json!({"agree": true}))
            .await;
    }
    browser.find("html:not([data-decision=''])").await;
    // A menu closes beside it, and with Escape.
    for closes in ["main", "Escape"] {
        click(&browser, ".undo:has([data-end]) summary").await;
        browser.find(".undo[open] [data-end=draw]").await;
        match closes {
            "main" => click(&browser, ".choices h2").await,
            _ => browser.press("\u{e00c}").await,
        }
        until(&browser, "!document.querySelector('.bar details[open]')").await;
    }
    click(&browser, ".undo:has([data-end]) summary").await;
    click(&browser, "[data-end=draw]").await;
    browser.find(".asked").await;
    assert!(browser.all(".bar details[open]").await.is_empty());
    let offer = format!("/v1/sessions/{}/draw-offers", table.id);
    server
        .post_as(&offer, &table.tokens[1], json!({"agree": true}))
        .await;
    browser.find(".result[data-result=agreed]").await;
    no_barriers(&browser, "a game that was drawn").await;
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn a_move_ahead_is_made_when_it_is_ones_turn() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let table = Pair::open(&server, &browser, "chess").await;
    table.choose(&server, 1, "e4").await;
    browser.find("html[data-decision='']").await;
    browser.find(".drawing svg[data-version='4']").await;
    let plan = async || {
        click_part(&browser, "[id=d2] .piece").await;
        browser.find(".piece.planned").await;
        click_part(&browser, "[id=d4]").await;
        browser.find("[data-planned]").await;
    };
    plan().await;
    let orders = format!("/v1/sessions/{}/standing-orders", table.id);
    let count = async || {
        server.get_as(&orders, &table.tokens[0]).await["orders"]
            .as_array()
            .unwrap()
            .len()
    };
    until(&browser, "document.querySelectorAll('.planned').length > 1").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(count().await, 1);
    no_barriers(&browser, "a move ahead").await;
    picture(&browser, "ahead").await;
    // It is taken back, and planned again.
    click(&browser, "[data-planned] button").await;
    browser.find("main:not(:has([data-planned]))").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(count().await, 0);
    plan().await;
    table.choose(&server, 2, "e5").await;
    browser.find(".drawing [id=d4] .piece").await;
    browser.find("html[data-decision='']").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(count().await, 0, "an order is carried out once");
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn a_page_without_a_network_says_so_at_once() {
    if !needs_chromium("the network is taken away") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    play(&browser, &server, "chess").await;
    let network = async |is_off: bool| {
        let params = json!({"offline": is_off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        browser
            .cdp("Network.emulateNetworkConditions", params)
            .await;
    };
    let watch = "window.told = null; addEventListener('offline', () => { const at = performance.now(); \
        const look = () => document.querySelector('.notices .lost') ? window.told = performance.now() - at : setTimeout(look, 5); look(); })";
    browser.run(watch, json!([])).await;
    network(true).await;
    until(&browser, "window.told !== null").await;
    let told = value(&browser, "window.told").await;
    assert!(told.as_f64().unwrap() < 500.0, "{told} ms");
    network(false).await;
    browser.find(".notices:not(:has(.lost))").await;
    browser.log("browser").await; // it has told of the connection that was lost
}

#[tokio::test]
async fn the_end_says_by_how_much_and_the_log_folds_what_is_small() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let made = json!({"game": "goofspiel", "seats": ["open", "random"], "seed": "05".repeat(32)});
    let made = server.post("/v1/sessions", made).await;
    let id = made["id"].as_str().unwrap();
    let claimed = server
        .put(&format!("/v1/sessions/{id}/seats/1"), json!({}))
        .await;
    let token = claimed["token"].as_str().unwrap();
    browser
        .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
        .await;
    browser.find(".drawing .live").await;
    let path = format!("/v1/sessions/{id}");
    loop {
        let view = server
            .get_as(&format!("{path}/view?include=actions"), token)
            .await;
        let Some(decision) = view["decisions"].as_array().unwrap().first().cloned() else {
            break;
        };
        let body = json!({"id": decision["choices"][0]["id"]});
        server.post_as(&format!("{path}/moves"), token, body).await;
    }
    browser.find(".result[data-result=rules]").await;
    let view = server.get_as(&format!("{path}/view"), token).await;
    let scores: Vec<i64> = serde_json::from_value(view["state"]["scores"].clone()).unwrap();
    let margin = value(
        &browser,
        "document.querySelector('[data-margin]').innerText",
    )
    .await;
    assert_eq!(
        margin,
        json!(format!("By {} points.", (scores[0] - scores[1]).abs()))
    );
    // The clauses say why it ended.
    browser.find("[data-why] [data-clause]").await;
    picture(&browser, "margin").await;
    // Several small things of one change are one line, which opens.
    play(&browser, &server, "cribbage").await;
    click(&browser, ".log details summary").await;
    browser.find(".log details[open] p").await;
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn a_link_to_a_public_table_tells_programs_what_it_shows() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let table = Pair::open(&server, &browser, "chess").await;
    click(&browser, "[data-share]").await;
    let link = value(
        &browser,
        "document.querySelector('.share input[readonly]').value",
    )
    .await;
    let link = link.as_str().unwrap();
    assert_eq!(link, format!("{}/?t={1}#/t/{1}", server.url, table.id));
    let read = async |url: &str| {
        let sent = reqwest::Client::new()
            .get(url)
            .header("accept", "text/html")
            .send();
        sent.await.unwrap().text().await.unwrap()
    };
    let page = read(link).await;
    assert!(
        page.contains("property=\"og:title\" content=\"Chess\""),
        "{page}"
    );
    assert!(
        page.contains("property=\"og:description\" content=\"Ann – Bob\""),
        "{page}"
    );
    let image = format!(
        "property=\"og:image\" content=\"/v1/sessions/{}/board.png\"",
        table.id
    );
    assert!(page.contains(&image), "{page}");
    // What is private stays so.
    let private = json!({"game": "nim", "visibility": "private"});
    let private = server.post("/v1/sessions", private).await;
    let id = private["id"].as_str().unwrap();
    assert!(
        !read(&format!("{}/?t={id}", server.url))
            .await
            .contains("Nim")
    );
    // The picture is that of everybody, as pixels.
    let kept = "window.copied = null; navigator.clipboard.write = async ([item]) => { window.copied = (await item.getType('image/png')).size; }";
    browser.run(kept, json!([])).await;
    click(&browser, "[data-picture]").await;
    until(&browser, "window.copied > 1000").await;
    no_barriers(&browser, "a link to share").await;
    let other = Browser::start().await;
    other.open(link).await;
    other.find(".drawing .piece").await;
    assert_eq!(
        other.address().await,
        format!("{}/#/t/{}", server.url, table.id)
    );
    all_quiet(&browser, &server).await;
}

/// Those who play on agree, with one click each, to go on without somebody who does not answer.
#[tokio::test]
async fn people_go_on_without_somebody_who_is_absent() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let made = json!({"game": "pig", "seats": ["open", "open", "open"]});
    let made = server.post("/v1/sessions", made).await;
    let path = format!("/v1/sessions/{}", made["id"].as_str().unwrap());
    let mut tokens = Vec::new();
    for (seat, name) in (1..).zip(["Ann", "Bob", "Cleo"]) {
        let seat = format!("{path}/seats/{seat}");
        let claimed = server.put(&seat, json!({"name": name})).await;
        tokens.push(claimed["token"].as_str().unwrap().to_owned());
    }
    let id = made["id"].as_str().unwrap();
    let link = format!("{}/#/t/{id}/seat/2/{}", server.url, tokens[1]);
    browser.open(&link).await;
    browser.find(".drawing svg").await;
    server
        .post_as(&format!("{path}/claims"), &tokens[2], json!({}))
        .await;
    browser.find(".notices [data-agree]").await;
    let asked = value(&browser, "document.querySelector('.notices').innerText").await;
    assert!(
        asked.as_str().unwrap().contains("Cleo wants to go on"),
        "{asked}"
    );
    no_barriers(&browser, "a vote").await;
    click(&browser, ".notices [data-agree]").await;
    until(&browser, "!document.querySelector('.notices [data-agree]')").await;
    let now = server.get_as(&path, &tokens[1]).await;
    assert_eq!(now["owing"], json!([2]), "the absent one has lost: {now}");
    all_quiet(&browser, &server).await;
}
