//! What brings people back: a game with one click, its end, bots that can be followed, and the ways to look at a table.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Browser, needs_chromium};
use crate::guests::{accept, click};
use crate::pointer::{Place, Pointer};
use crate::server::Server;
use crate::weight::settled;
use crate::{all_quiet, no_barriers, picture};

/// Begins a game against bots from the lobby, with one click.
pub async fn play(browser: &Browser, server: &Server, game: &str) -> String {
    browser.open("about:blank").await;
    browser.open(&server.url).await;
    click(browser, &format!("[data-play={game}]")).await;
    browser
        .find("html[data-status=running][data-seat] .drawing svg")
        .await;
    let address = browser.address().await;
    address.rsplit('/').next().unwrap().to_owned()
}

const SEAT: &str = "document.documentElement.dataset.seat";

pub async fn value(browser: &Browser, of: &str) -> Value {
    browser.run(&format!("return {of}"), json!([])).await
}

/// Waits until an expression of the page is true.
pub async fn until(browser: &Browser, is_so: &str) {
    let script = format!(
        "return new Promise((done) => {{ const look = (left) => ({is_so}) || left === 0 ? done(left > 0) : setTimeout(look, 20, left - 1); look(500); }})"
    );
    assert_eq!(browser.run(&script, json!([])).await, true, "{is_so}");
}

/// Clicks on the board until the game is over.
async fn to_the_end(browser: &Browser) {
    loop {
        browser
            .find("html:not([data-decision='']) .drawing .live, html[data-status=finished]")
            .await;
        if value(browser, "document.documentElement.dataset.status").await == "finished" {
            return;
        }
        let before = value(browser, "document.documentElement.dataset.version").await;
        click(browser, ".drawing .live").await;
        until(
            browser,
            &format!("document.documentElement.dataset.version !== {before}"),
        )
        .await;
    }
}

#[tokio::test]
async fn one_click_begins_a_game_and_the_end_offers_what_comes_next() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.open(&server.url).await;
    browser.find(".card .picture svg").await;
    assert!(!browser.all("[data-seek]").await.is_empty());
    // The strength is chosen with the keys, and remembered.
    browser
        .run(
            "document.querySelector('[data-strength]').focus()",
            json!([]),
        )
        .await;
    browser.press("ea").await;
    until(
        &browser,
        "document.querySelector('[data-play]').innerText.includes('easy')",
    )
    .await;
    no_barriers(&browser, "the lobby").await;
    picture(&browser, "lobby").await;
    play(&browser, &server, "tic-tac-toe").await;
    to_the_end(&browser).await;
    browser.find(".result[data-result=rules]").await;
    no_barriers(&browser, "the end of a game").await;
    picture(&browser, "result").await;
    let inside = "Boolean(document.activeElement.closest('.result'))";
    assert_eq!(
        value(&browser, inside).await,
        true,
        "the card has the focus"
    );
    let places = "[...document.querySelectorAll('.ranking .place')].length";
    assert_eq!(value(&browser, places).await, 2);
    click(&browser, "[data-look]").await;
    browser.find("main:not(:has(.result))").await;
    // Looking back begins where the game ended, at the slider.
    let slider = "document.activeElement.matches('.history input') && document.activeElement.value === document.activeElement.max";
    until(&browser, slider).await;
    // What was played is saved as an animation, and looked at with a bot.
    let saved = "const make = URL.createObjectURL; URL.createObjectURL = (file) => (window.saved = [file.type, file.size]) && make(file)";
    browser.run(saved, json!([])).await;
    click(&browser, "[data-film]").await;
    until(
        &browser,
        "window.saved?.[0] === 'image/gif' && window.saved[1] > 1000",
    )
    .await;
    click(&browser, ".slide button:first-child").await;
    click(&browser, "[data-analyse]").await;
    let advice = "document.querySelector('[data-analyse] + [role=status]').innerText";
    until(
        &browser,
        &format!("{advice}.startsWith('A strong bot would choose: ')"),
    )
    .await;
    browser.run("location.reload()", json!([])).await;
    browser.find(".history.over").await;
    assert!(browser.all(".result").await.is_empty(), "it was closed");

    play(&browser, &server, "tic-tac-toe").await;
    let easy = "document.querySelector('.people').innerText.includes('easy')";
    assert_eq!(value(&browser, easy).await, true);
    to_the_end(&browser).await;
    browser.find(".result").await;
    browser.press("\u{e00c}").await; // Escape
    browser.find("main:not(:has(.result))").await;
    click(&browser, "[data-rematch]").await;
    browser
        .find("html[data-status=running][data-seat='2']")
        .await;
    all_quiet(&browser, &server).await;
}

/// Notes when the board shows which version, and how many pieces.
const WATCH: &str = r#"
    window.shown = [];
    const note = () => {
        const drawn = document.querySelector(".drawing > svg");
        const count = drawn?.querySelectorAll(".piece:not(.absent)").length;
        const now = `${drawn?.dataset.version} ${count}`;
        if (window.shown.at(-1)?.now !== now) window.shown.push({ now, at: performance.now() });
        requestAnimationFrame(note);
    };
    note();
"#;

/// The times between what the board has shown, in milliseconds.
async fn steps(browser: &Browser) -> Vec<f64> {
    let script = "window.shown.slice(1).map(({ at }, number) => at - window.shown[number].at)";
    serde_json::from_value(value(browser, script).await).unwrap()
}

/// Returns whether the last change came a while after the one before. On a busy machine, one frame comes late and the next one
/// in time.
fn is_paused(steps: &[f64]) -> bool {
    let (long, short) = (300.0..3_000.0, 500.0);
    steps.last().is_some_and(|pause| long.contains(pause)) && steps.iter().any(|step| *step > short)
}

#[tokio::test]
async fn each_move_of_a_bot_is_shown_on_its_own_for_a_while() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    // An easy bot answers in the same change, a medium one in a change of its own.
    for (strength, key) in [("easy", "ea"), ("medium", "me")] {
        // On a busy machine, one's own move is drawn so late that the pause is over.
        let mut seen: Vec<Vec<f64>> = Vec::new();
        while !seen.last().is_some_and(|steps| is_paused(steps)) {
            assert!(seen.len() < 3, "{strength}: {seen:?}");
            browser.open(&server.url).await;
            browser.find("[data-strength]").await;
            browser
                .run(
                    "document.querySelector('[data-strength]').focus()",
                    json!([]),
                )
                .await;
            browser.press(key).await;
            play(&browser, &server, "hex").await;
            browser.find(".drawing .live").await;
            browser.run(WATCH, json!([])).await;
            click(&browser, ".drawing .live").await;
            until(&browser, "window.shown.length > 2").await;
            seen.push(steps(&browser).await);
        }

        // A key goes on at once, and chooses nothing.
        browser
            .find("html:not([data-decision='']) .drawing .live")
            .await;
        browser.run("window.shown = []", json!([])).await;
        click(&browser, ".drawing .live").await;
        until(&browser, "window.shown.length > 1").await;
        browser.press(" ").await;
        browser.find("html:not([data-decision=''])").await;
        let skipped = steps(&browser).await;
        assert!(skipped.last() < Some(&500.0), "{strength}: {skipped:?}");
    }
    browser.become_window((1280, 900), Pointer::Mouse).await; // which wants no motion
    play(&browser, &server, "hex").await;
    browser.find(".drawing .live").await;
    // A busy machine may be slow once; a pause would be there each time.
    let mut fastest = Duration::MAX;
    for version in [4, 6, 8, 10] {
        click(&browser, ".drawing .live").await;
        let began = std::time::Instant::now();
        let next =
            format!("html:not([data-decision='']) .drawing svg[data-version='{version}'] .live");
        browser.find(&next).await;
        fastest = fastest.min(began.elapsed());
    }
    assert!(fastest < Duration::from_millis(600), "{fastest:?}");
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn a_hint_is_what_a_strong_bot_would_choose() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let id = play(&browser, &server, "breakthrough").await;
    click(&browser, "[data-hint]").await;
    browser.find("[data-hinted]").await;
    browser.find(".drawing .hinted").await;
    no_barriers(&browser, "a hint").await;
    picture(&browser, "hint").await;
    // The fork that found it is gone, and says of itself that this is practice now.
    let listed = server.get_as("/v1/sessions?status=running", "").await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    assert_eq!(listed["items"][0]["id"], json!(id));
    assert_eq!(listed["items"][0]["practice"], true);
    // Among people there is none.
    let seats = json!(["open", "open"]);
    let made = server
        .post(
            "/v1/sessions",
            json!({"game": "breakthrough", "seats": seats, "forks": "always"}),
        )
        .await;
    let id = made["id"].as_str().unwrap();
    browser.open("about:blank").await;
    browser.open(&format!("{}/#/t/{id}", server.url)).await;
    click(&browser, "[data-take='2']").await;
    browser.find("html[data-seat='2'] [data-take='1']").await;
    click(&browser, "[data-take='1']").await;
    browser
        .find("html:not([data-decision='']) .choices [data-step]")
        .await;
    assert!(browser.all("[data-hint]").await.is_empty());
}

/// Where the middles of these squares are in the window.
const MIDDLES: &str = "return arguments[0].map((id) => { \
    const at = document.querySelector(`.drawing [id=${id}] > rect`).getBoundingClientRect(); \
    return [at.x + at.width / 2, at.y + at.height / 2]; })";

#[tokio::test]
async fn the_board_turns_and_is_played_from_the_other_side() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let seats = json!({"game": "chess", "seats": ["random", "open"]});
    let id = server.post("/v1/sessions", seats).await["id"].clone();
    let id = id.as_str().unwrap();
    browser.open(&format!("{}/#/t/{id}", server.url)).await;
    click(&browser, "[data-take='2']").await;
    browser
        .find("html:not([data-decision='']) .drawing .live")
        .await;
    // Black sees its own men in front.
    let middles = browser
        .run(MIDDLES, json!([["a7", "a6", "a2", "h7"]]))
        .await;
    let [from, to, far, right]: [Place; 4] = serde_json::from_value(middles).unwrap();
    assert!(
        from.1 > far.1 && from.0 > right.0,
        "{from:?} {far:?} {right:?}"
    );
    browser.drag(from, to).await;
    until(
        &browser,
        "Number(document.documentElement.dataset.version) > 2",
    )
    .await;
    click(&browser, "[data-turn]").await;
    until(&browser, "document.querySelector('.drawing [id=a7]').getBoundingClientRect().y < document.querySelector('.drawing [id=a2]').getBoundingClientRect().y").await;
    picture(&browser, "turned").await;
    no_barriers(&browser, "a turned board").await;
    all_quiet(&browser, &server).await;
}

/// The cards of the own hand as they lie: from left to right, row by row.
const HAND: &str = r#"
    const at = (card) => { const { x, y } = card.getBoundingClientRect(); return Math.round(y / 20) * 10000 + x; };
    const cards = [...document.querySelectorAll('.drawing [id="hand-1"] .piece')];
    return cards.sort((one, other) => at(one) - at(other)).map((card) => card.id.split("-").slice(1));
"#;

#[tokio::test]
async fn a_hand_is_sorted_and_stays_so() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let game = "magic-dragon";
    play(&browser, &server, game).await;
    browser.find("[data-sort]").await;
    // Dragons by color and rank; spells lie beside them.
    let sorted = |hand: &Value| {
        let cards = hand.as_array().unwrap().iter();
        let rank = |card: &Value| card[1].as_str().unwrap().parse::<u8>().unwrap();
        let dragons = cards.filter(|card| card.as_array().unwrap().len() == 2);
        let dragons: Vec<(Value, u8)> = dragons.map(|card| (card[0].clone(), rank(card))).collect();
        let groups: Vec<_> = dragons.chunk_by(|one, other| one.0 == other.0).collect();
        let mut colors: Vec<String> = groups.iter().map(|of| of[0].0.to_string()).collect();
        colors.sort();
        colors.dedup();
        let by_rank = groups
            .iter()
            .all(|of| of.iter().is_sorted_by_key(|of| of.1));
        colors.len() == groups.len() && by_rank
    };
    click(&browser, "[data-sort]").await;
    browser.find("[data-sort][aria-pressed=true]").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let hand = browser.run(HAND, json!([])).await;
    assert_eq!(hand.as_array().unwrap().len(), 7);
    assert!(sorted(&hand), "{hand}");
    picture(&browser, "sorted").await;
    play(&browser, &server, game).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let hand = browser.run(HAND, json!([])).await;
    assert!(sorted(&hand), "{hand}");
}

#[tokio::test]
async fn a_card_says_its_words_to_a_mouse_to_the_keys_and_to_a_finger() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    play(&browser, &server, "drakon").await;
    let card = ".drawing [id='hand-1'] .piece";
    browser.find(card).await;
    settled(&browser).await;
    let place = browser
        .middle_of(&format!("document.querySelector(\"{card}\")"))
        .await;
    browser.point_at(place).await;
    browser.find(".tip p:not(:empty)").await;
    no_barriers(&browser, "the words of a card").await;
    picture(&browser, "words").await;
    browser.press("\u{e00c}").await; // Escape
    browser.find("main:not(:has(.tip))").await;
    // Heroes are chosen; then cards can be, with the keys too.
    click(&browser, ".choices [data-choice]").await;
    browser
        .find(".drawing [id='hand-1'] .piece.live[tabindex]")
        .await;
    browser.press("\u{e004}").await; // Tab
    let focus = "document.querySelector('.drawing [id=\"hand-1\"] .piece.live').focus()";
    browser.run(focus, json!([])).await;
    browser.find(".tip p:not(:empty)").await;

    let phone = Browser::start().await;
    phone.become_window((390, 844), Pointer::Touch).await;
    play(&phone, &server, "drakon").await;
    phone.find(card).await;
    settled(&phone).await;
    let place = phone
        .middle_of(&format!("document.querySelector(\"{card}\")"))
        .await;
    phone.hold_at(place, Duration::from_millis(900)).await;
    phone.find(".tip p:not(:empty)").await;
    picture(&phone, "words-phone").await;
    assert!(phone.all(".path li").await.is_empty(), "nothing is picked");
}

#[tokio::test]
async fn a_link_leads_to_a_position_and_is_a_code_for_a_camera() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let id = play(&browser, &server, "tic-tac-toe").await;
    to_the_end(&browser).await;
    click(&browser, "[data-close]").await;
    click(&browser, ".history [aria-label=Previous]").await;
    click(&browser, "[data-share]").await;
    click(&browser, "[data-here]").await;
    browser.find(".share .code path[d^=M]").await;
    no_barriers(&browser, "a link to share").await;
    picture(&browser, "share").await;
    let link = value(
        &browser,
        "document.querySelector('.share input[readonly]').value",
    )
    .await;
    let link = link.as_str().unwrap();
    let version = link.rsplit('/').next().unwrap();
    let public = format!("{}/?t={id}&at={version}#/t/{id}/at/{version}", server.url);
    assert_eq!(link, public);
    let other = Browser::start().await;
    other.open(link).await;
    other
        .find(&format!(".drawing svg[data-version='{version}']"))
        .await;
    other.find(".history .main").await;
    assert!(
        other.all(".result").await.is_empty(),
        "a reader looks at the position"
    );
}

#[tokio::test]
async fn colors_and_sound_are_as_a_person_wants_them() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    play(&browser, &server, "nim").await;
    click(&browser, "[data-settings] summary").await;
    browser
        .run(
            "document.querySelector('[data-theme-choice]').focus()",
            json!([]),
        )
        .await;
    browser.press("d").await;
    browser.find("html[data-theme=dark]").await;
    let ground = "getComputedStyle(document.documentElement).backgroundColor";
    assert_eq!(value(&browser, ground).await, "rgb(25, 26, 31)");
    until(&browser, "performance.getEntriesByType('resource').some(({ name }) => name.includes('board.svg') && name.includes('theme=dark'))").await;
    no_barriers(&browser, "dark colors").await;
    assert_eq!(
        value(&browser, "document.querySelector('[data-sound]').checked").await,
        false
    );
    click(&browser, "[data-sound]").await;
    assert_eq!(
        value(&browser, "localStorage['wyrmgate.sound']").await,
        "true"
    );
    picture(&browser, "settings").await;
    browser.run("location.reload()", json!([])).await;
    browser.find("html[data-theme=dark] .drawing svg").await;
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn clocks_of_all_seats_are_shown_and_resigning_is_asked_about() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let session =
        json!({"game": "chess", "seats": ["open", "random"], "clock": {"game_ms": 9_000}});
    let id = server.post("/v1/sessions", session).await["id"].clone();
    let id = id.as_str().unwrap();
    browser.open(&format!("{}/#/t/{id}", server.url)).await;
    click(&browser, "[data-take='1']").await;
    browser.find(".drawing .live").await;
    assert_eq!(browser.all(".people .clock").await.len(), 2);
    assert_eq!(browser.all(".people .clock.running.hurry").await.len(), 1);
    let resign = async || {
        browser.click("details:has([data-end]) summary").await;
        browser.click("[data-end=resign]").await;
    };
    resign().await;
    browser.answer(false).await;
    assert_eq!(
        value(&browser, "document.documentElement.dataset.status").await,
        "running"
    );
    resign().await;
    accept(&browser).await;
    browser.find(".result[data-result=resigned]").await;
}

#[tokio::test]
async fn the_first_game_is_helped_by_the_rules_until_somebody_knows_them() {
    let server = Server::start("memory");
    let phone = Browser::start().await;
    phone.become_window((390, 844), Pointer::Touch).await;
    play(&phone, &server, "hearts").await;
    click(&phone, "[data-first] summary").await;
    phone.find("[data-first][open] li").await;
    no_barriers(&phone, "a first game").await;
    picture(&phone, "first-phone").await;
    let wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(value(&phone, wide).await, 0);
    click(&phone, "[data-learned]").await;
    phone.find("main:not(:has([data-first]))").await;
    play(&phone, &server, "hearts").await;
    phone.find(".drawing .live").await;
    assert!(phone.all("[data-first]").await.is_empty());
}

#[tokio::test]
async fn a_table_is_shown_in_frames_of_the_pages_that_may() {
    let policy = async |server: &Server, path: &str| {
        let client = reqwest::Client::new();
        let got = client
            .get(format!("{}{path}", server.url))
            .header("accept", "text/html");
        let got = got.send().await.unwrap();
        let policy = got.headers().get("content-security-policy");
        (
            got.status().as_u16(),
            policy.map(|text| text.to_str().unwrap().to_owned()),
        )
    };
    let closed = Server::start("memory");
    assert_eq!(policy(&closed, "/embed/").await.0, 404);
    let server = Server::start_with(
        "memory",
        &["--embed-origins", "https://a.example,http://b.example:81"],
    );
    let (status, embedded) = policy(&server, "/embed/").await;
    assert_eq!(status, 200);
    let embedded = embedded.unwrap();
    assert!(embedded.starts_with("default-src 'none'"), "{embedded}");
    assert!(
        embedded.ends_with("frame-ancestors https://a.example http://b.example:81"),
        "{embedded}"
    );
    let own = policy(&server, "/").await.1.unwrap();
    assert!(own.ends_with("frame-ancestors 'none'"), "{own}");
    let made = server
        .post(
            "/v1/sessions",
            json!({"game": "chess", "seats": ["random", "random"]}),
        )
        .await;
    let browser = Browser::start().await;
    let id = made["id"].as_str().unwrap();
    browser
        .open(&format!("{}/embed/#/t/{id}", server.url))
        .await;
    browser.find(".drawing .piece").await;
    assert_eq!(
        value(&browser, "document.querySelector('.home').offsetHeight").await,
        0
    );
    no_barriers(&browser, "a table in a frame").await;
    all_quiet(&browser, &server).await;
}

#[tokio::test]
async fn the_page_can_be_installed_and_its_last_state_read_without_a_connection() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("embedded:{}", folder.path().join("store.redb").display());
    let mut server = Server::start(&store);
    let browser = Browser::start().await;
    play(&browser, &server, "chess").await;
    let manifest = value(
        &browser,
        "document.querySelector('link[rel=manifest]').href",
    )
    .await;
    let manifest = reqwest::get(manifest.as_str().unwrap()).await.unwrap();
    assert_eq!(
        manifest.headers()["content-type"],
        "application/manifest+json"
    );
    let ready = "return navigator.serviceWorker.ready.then(() => new Promise((done) => { \
        const look = () => navigator.serviceWorker.controller ? done(true) : setTimeout(look, 50); look(); }))";
    assert_eq!(browser.run(ready, json!([])).await, true);
    let pieces = "document.querySelectorAll('.drawing .piece').length";
    assert_eq!(value(&browser, pieces).await, 32);
    server.kill();
    browser.run("location.reload()", json!([])).await;
    browser.find(".drawing .piece").await;
    browser.find(".notices .lost").await;
    assert_eq!(value(&browser, pieces).await, 32);
    picture(&browser, "offline").await;
    server.start_again(&store);
    browser.find(".notices:not(:has(.lost))").await;
    browser.find(".drawing .live").await;
    browser.log("browser").await; // it has told of the connection that was lost
}

#[tokio::test]
async fn two_people_who_want_the_same_game_meet_with_one_click_each() {
    let server = Server::start("memory");
    let [one, other] = [Browser::start().await, Browser::start().await];
    for browser in [&one, &other] {
        browser.open(&server.url).await;
        click(browser, "[data-seek=tic-tac-toe]").await;
    }
    for browser in [&one, &other] {
        browser
            .find("html[data-status=running][data-seat] .drawing svg")
            .await;
    }
    assert_eq!(one.address().await, other.address().await);
    let seats = [value(&one, SEAT).await, value(&other, SEAT).await];
    assert!(seats == ["1", "2"] || seats == ["2", "1"], "{seats:?}");
    all_quiet(&one, &server).await;
    all_quiet(&other, &server).await;
}

/// Two seeks of one moment may each open a table, and then one of them moves to the other.
#[tokio::test]
async fn who_waited_at_a_table_that_has_moved_is_taken_along() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let url = format!("{}/v1/seeks", server.url);
    for _ in 0..200 {
        let seek = || async {
            let sent = reqwest::Client::new()
                .post(&url)
                .json(&json!({"game": "tic-tac-toe"}))
                .send();
            sent.await.unwrap().json::<Value>().await.unwrap()
        };
        let (one, other) = tokio::join!(seek(), seek());
        for seat in [one, other] {
            let id = seat["session"]["id"].as_str().unwrap();
            let session = server.get_as(&format!("/v1/sessions/{id}"), "").await;
            let Some(new) = session["matched_in"].as_str() else {
                continue;
            };
            let (number, token) = (&seat["seat"], seat["token"].as_str().unwrap());
            let link = format!("{}/#/t/{id}/seat/{number}/{token}", server.url);
            browser.open(&link).await;
            browser
                .find("html[data-status=running][data-seat] .drawing svg")
                .await;
            assert!(browser.address().await.ends_with(new));
            return;
        }
    }
    panic!("no table has moved");
}

/// What comes late must not move a button away under a finger.
#[tokio::test]
async fn the_games_stay_where_they_appear() {
    if !needs_chromium("each page is watched from its beginning") {
        return;
    }
    let server = Server::start("memory");
    let phone = Browser::start().await;
    phone.become_window((390, 844), Pointer::Touch).await;
    play(&phone, &server, "hearts").await;
    let watch = "window.tops = new Set(); const look = () => { \
        const button = document.querySelector('[data-play]'); \
        if (button) window.tops.add(Math.round(button.getBoundingClientRect().top)); \
        requestAnimationFrame(look); }; look();";
    let watch = json!({"source": watch});
    phone
        .cdp("Page.addScriptToEvaluateOnNewDocument", watch)
        .await;
    phone.open("about:blank").await;
    phone.open(&server.url).await;
    phone.find(".mine [data-table]").await;
    phone.find(".card .picture svg").await;
    settled(&phone).await;
    let tops = value(&phone, "[...window.tops]").await;
    assert_eq!(tops.as_array().unwrap().len(), 1, "{tops}");
}
