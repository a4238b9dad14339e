//! A person who plays in several places: known again on another device, told when it is their turn, and forgotten.

use serde_json::{Value, json};

use crate::browser::{Browser, is_firefox, needs_chromium};
use crate::pointer::Pointer;
use crate::server::Server;
use crate::weight::settled;
use crate::{no_barriers, picture};

const PHONE: (u32, u32) = (360, 740);

/// Opens a table of tic-tac-toe by clicks, as Ann. Returns its id.
pub async fn opened(browser: &Browser, server: &Server) -> String {
    browser.open(&server.url).await;
    click(browser, "a[data-game=tic-tac-toe]").await;
    browser.find("[autocomplete=nickname]").await;
    browser.retype("[autocomplete=nickname]", "Ann").await;
    click(browser, "[data-create]").await;
    browser.find("html[data-seat='1']").await;
    let address = browser.address().await;
    address.rsplit('/').next().unwrap().to_owned()
}

/// Clicks where an element is, with the pointer.
pub async fn click(browser: &Browser, selector: &str) {
    browser.find(selector).await;
    let element = format!("document.querySelector({})", json!(selector));
    browser.click_in(&element).await;
}

/// Answers the question that the page asks.
pub async fn accept(browser: &Browser) {
    browser.answer(true).await;
}

/// Takes the second seat through the API. Returns its token.
pub async fn bob(server: &Server, id: &str) -> String {
    let seat = format!("/v1/sessions/{id}/seats/2");
    let claimed = server.put(&seat, json!({"name": "Bob"})).await;
    claimed["token"].as_str().unwrap().to_owned()
}

/// Makes the first choice there is.
async fn moves(server: &Server, id: &str, token: &str) {
    let path = format!("/v1/sessions/{id}");
    let view = server
        .get_as(&format!("{path}/view?include=actions"), token)
        .await;
    let choice = json!({"id": view["decisions"][0]["choices"][0]["id"]});
    server
        .post_as(&format!("{path}/moves"), token, choice)
        .await;
}

async fn has_title(browser: &Browser, title: &str) {
    let script = "return new Promise((done) => { const look = (tries) => tries === 0 || document.title === arguments[0] \
        ? done(document.title) : setTimeout(look, 50, tries - 1); look(200); })";
    assert_eq!(browser.run(script, json!([title])).await, title);
}

/// No token is part of an address that was asked for.
async fn keeps_its_tokens(browser: &Browser) {
    if is_firefox() {
        return; // it keeps no log of the network
    }
    let costs = settled(browser).await;
    let urls = &costs[&browser.window().await].requests;
    assert!(!urls.is_empty());
    assert!(urls.iter().all(|url| !url.contains("wg_")), "{urls:#?}");
}

/// The link for another device.
async fn link(browser: &Browser) -> String {
    click(browser, "[data-device]").await;
    browser.find(".code path[d^=M]").await;
    let read = "return document.querySelector('.device input').value";
    let link = browser.run(read, json!([])).await;
    link.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_person_comes_back_on_another_device_is_told_and_is_forgotten() {
    let server = Server::start("memory");
    let desktop = Browser::start().await;
    let id = opened(&desktop, &server).await;
    let other = bob(&server, &id).await;
    has_title(&desktop, "(1) ● Tic-tac-toe · Wyrmgate").await;
    click(&desktop, "a.home").await;
    desktop.find(".mine [data-owed=true]").await;
    has_title(&desktop, "(1) Wyrmgate").await;
    let link = link(&desktop).await;
    no_barriers(&desktop, "your games").await;
    picture(&desktop, "mine").await;
    click(&desktop, ".mine [data-owed=true]").await;
    desktop.find("html[data-seat='1'] .drawing .live").await;

    let phone = Browser::start().await;
    phone.become_window(PHONE, Pointer::Touch).await;
    phone.open(&link).await;
    phone.find(".mine [data-owed=true]").await;
    assert!(!phone.address().await.contains("wg_"));
    no_barriers(&phone, "your games on a phone").await;
    picture(&phone, "mine-phone").await;
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(phone.run(wide, json!([])).await, json!(0));
    click(&phone, ".mine [data-owed=true]").await;
    phone.find("html[data-seat='1'] .drawing .live").await;
    keeps_its_tokens(&phone).await;
    click(&phone, ".drawing .live").await;
    desktop.find("html[data-decision='']").await;
    settled(&phone).await[&phone.window().await].is_at_most("a move of a guest", 2, 8_000.0);
    has_title(&phone, "Tic-tac-toe · Wyrmgate").await;

    // Told in the list, while the table is open elsewhere.
    click(&phone, "a.home").await;
    phone.find(".mine [data-owed=false]").await;
    moves(&server, &id, &other).await;
    phone.find(".mine [data-owed=true]").await;
    has_title(&phone, "(1) Wyrmgate").await;
    desktop.find("html:not([data-decision=''])").await;
    keeps_its_tokens(&desktop).await;

    click(&phone, ".me summary").await;
    click(&phone, "[data-forget]").await;
    accept(&phone).await;
    phone.find("main:not(:has(.mine))").await;
    has_title(&phone, "Wyrmgate").await;
    let session = server.get_as(&format!("/v1/sessions/{id}"), "").await;
    assert_eq!(session["seats"][0]["status"], "open");
    keeps_its_tokens(&phone).await;
    // The other device is told that the seat is lost. It has opened the table and can still manage it, and nothing is owed there.
    desktop.find("[data-lost='1']").await;
    click(&desktop, "a.home").await;
    desktop.find(".mine [data-owed=false]").await;
}

#[tokio::test]
async fn a_link_of_another_player_replaces_the_one_here_only_after_a_question() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    opened(&browser, &server).await;
    let eve = server.post("/v1/players", json!({"name": "Eve"})).await;
    let link = format!("{}/#player={}", server.url, eve["token"].as_str().unwrap());
    let follow = format!("location.hash = '{}'", link.split_once('#').unwrap().1);
    browser.run(&follow, json!([])).await;
    browser.answer(false).await;
    browser.find(".mine [data-table]").await;
    browser.run(&follow, json!([])).await;
    accept(&browser).await;
    browser.find(".mine:not(:has([data-table]))").await;
    let name = "return document.querySelector('.me summary').innerText";
    assert_eq!(browser.run(name, json!([])).await, "You are Eve");
    click(&browser, ".me summary").await;
    browser.retype(".me input", "Eva").await;
    click(&browser, ".me [type=submit]").await;
    browser.find(".me [role=status]:not(:empty)").await;
    let token = eve["token"].as_str().unwrap();
    let me = server.get_as("/v1/players/me", token).await;
    assert_eq!(me["name"], "Eva");
    click(&browser, "[data-log-out]").await;
    accept(&browser).await;
    browser.find("main:not(:has(.mine))").await;
    let left = "return Object.values(localStorage).filter((value) => value.includes('wg_')).length";
    assert_eq!(browser.run(left, json!([])).await, 0);
}

#[tokio::test]
async fn a_reserved_seat_is_offered_to_its_player_alone() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let eve = server.post("/v1/players", json!({"name": "Eve"})).await;
    let mut paths = Vec::new();
    for visibility in ["public", "private"] {
        let seats = json!([{"player": eve["id"]}, "open"]);
        let session = json!({"game": "tic-tac-toe", "seats": seats, "visibility": visibility});
        let id = server.post("/v1/sessions", session).await["id"].clone();
        paths.push(format!("#/t/{}", id.as_str().unwrap()));
    }
    browser.open(&format!("{}/{}", server.url, paths[0])).await;
    browser.find("[data-reserved='1']").await;
    assert!(browser.all("[data-take='1']").await.is_empty());
    no_barriers(&browser, "a reserved seat").await;
    browser.open("about:blank").await;
    let token = eve["token"].as_str().unwrap();
    browser
        .open(&format!("{}/#player={token}", server.url))
        .await;
    for path in paths {
        click(&browser, &format!(".mine [href='{path}']")).await;
        click(&browser, "[data-take='1']").await;
        browser.find("html[data-seat='1']").await;
        click(&browser, "a.home").await;
    }
}

#[tokio::test]
async fn a_private_table_is_the_players_and_a_rematch_follows_to_another_device() {
    let server = Server::start("memory");
    let desktop = Browser::start().await;
    desktop.open(&server.url).await;
    click(&desktop, "a[data-game=tic-tac-toe]").await;
    click(&desktop, ".check input").await;
    click(&desktop, "[data-create]").await;
    desktop.find("html[data-seat='1']").await;
    let address = desktop.address().await;
    let id = address.rsplit('/').next().unwrap();
    click(&desktop, "[data-take='2']").await;
    desktop.find("html[data-status=running]").await;
    click(&desktop, "a.home").await;
    let link = link(&desktop).await;
    let token = link.split_once('=').unwrap().1;
    let resign = format!("/v1/sessions/{id}/resignations");
    server.post_as(&resign, token, json!({})).await;
    let phone = Browser::start().await;
    phone.become_window(PHONE, Pointer::Touch).await;
    phone.open(&link).await;
    click(&phone, ".mine [data-table]").await;
    click(&phone, "[data-rematch]").await;
    phone.find("html[data-status=running][data-seat]").await;
    phone.find(".sit option:nth-child(3)").await;
}

/// The titles of the notifications that are shown, as soon as there are some.
const SHOWN: &str = r#"
    return (async () => {
        for (let tries = 0; tries < 500; tries += 1) {
            const all = await navigator.serviceWorker.getRegistrations();
            const shown = (await Promise.all(all.map((one) => one.getNotifications()))).flat();
            if (shown.length > 0) return shown.map(({ title, tag }) => [title, tag]);
            await new Promise((done) => setTimeout(done, 50));
        }
        return [];
    })();
"#;

#[tokio::test]
async fn a_person_is_notified_of_a_table_out_of_sight() {
    if !needs_chromium("a permission is given") {
        return;
    }
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let id = opened(&browser, &server).await;
    let other = bob(&server, &id).await;
    let permission = json!({"permission": {"name": "notifications"}, "setting": "granted", "origin": server.url});
    browser.cdp("Browser.setPermission", permission).await;
    // A table in sight needs none.
    browser.find(".drawing .live").await;
    click(&browser, ".drawing .live").await;
    browser.find("html[data-decision='']").await;
    moves(&server, &id, &other).await;
    click(&browser, ".drawing .live").await;
    browser.find("html[data-decision='']").await;
    let count = "return navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.getNotifications()))).then((all) => all.flat().length)";
    assert_eq!(browser.run(count, json!([])).await, 0);
    click(&browser, "a.home").await;
    browser.find(".mine [data-owed=false]").await;
    // The browser gives the lock of a table in sight back a moment later.
    let left = "return new Promise((done) => { const look = async () => (await navigator.locks.query()).held\
        .some(({ name }) => name.startsWith('wyrmgate.table.')) ? setTimeout(look, 20) : done(true); look(); })";
    browser.run(left, json!([])).await;
    moves(&server, &id, &other).await;
    let shown: Value = browser.run(SHOWN, json!([])).await;
    assert_eq!(shown, json!([["Tic-tac-toe", id]]));
    keeps_its_tokens(&browser).await;
}
