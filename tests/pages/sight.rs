//! What is in sight when it matters: the newest line of the log, the own hand, what can be chosen, the text of a clause, the
//! focus of the keys.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::playing::Table;
use crate::plays_everything;
use crate::server::Server;

/// Games in which a person chooses among cards, dice or places; `./test` looks at the first ones.
const HANDS: [(&str, usize); 8] = [
    ("goofspiel", 2),
    ("hearts", 4),
    ("drakon", 2),
    ("magic-dragon", 2),
    ("mount-drago", 2),
    ("sneaky-dragons", 2),
    ("night-market", 2),
    ("yahtzee", 2),
];

/// Opens a game against bots at its first decision.
async fn open(browser: &Browser, server: &Server, game: &str, seats: usize) {
    let seats: Vec<&str> = (0..seats)
        .map(|at| if at == 0 { "open" } else { "random" })
        .collect();
    let wanted = json!({"game": game, "seats": seats, "seed": "07".repeat(32)});
    let id = server.post("/v1/sessions", wanted).await["id"].clone();
    let id = id.as_str().unwrap();
    let claimed = server
        .put(
            &format!("/v1/sessions/{id}/seats/1"),
            json!({"name": "Ann"}),
        )
        .await;
    let token = claimed["token"].as_str().unwrap();
    browser.open("about:blank").await;
    browser
        .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
        .await;
    browser.find(".drawing .live").await;
}

/// How many parts of the board that can be chosen there are, and how many of them a pointer reaches.
const REACHED: &str = r#"
    return new Promise((done) => setTimeout(() => {
        const parts = [...document.querySelectorAll(".drawing .live")];
        const shown = [...document.querySelectorAll(".hand:not([hidden]) .live")].map((part) => part.dataset.part);
        const isReached = (part) => {
            const { left, top, width, height } = part.getBoundingClientRect();
            const below = document.elementFromPoint(left + width / 2, top + height / 2);
            return shown.includes(part.dataset.part) || Boolean(below?.closest(".live, .drawing"));
        };
        const hidden = parts.filter((part) => !isReached(part)).map((part) => part.dataset.part);
        const log = document.querySelector(".panel").getBoundingClientRect();
        const box = document.querySelector(".more").getBoundingClientRect();
        done({ count: parts.length, hidden, spills: log.bottom - box.bottom, latest: document.querySelector(".latest")?.offsetHeight ?? 0 });
    }, 400));
"#;

#[tokio::test]
async fn on_a_phone_what_can_be_chosen_does_not_lie_behind_the_choices() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.resize(390, 844, true).await;
    let count = if plays_everything() { HANDS.len() } else { 4 };
    for (game, seats) in &HANDS[..count] {
        open(&browser, &server, game, *seats).await;
        let told = browser.run(REACHED, json!([])).await;
        assert!(told["count"].as_u64() > Some(0), "{game}: {told}");
        let hidden = told["hidden"].as_array().unwrap().len();
        assert!(hidden <= 1, "{game}: {told}");
        assert!(
            told["spills"].as_f64().unwrap() <= 0.0,
            "{game}: the log leaves its box: {told}"
        );
        assert!(
            told["latest"].as_f64() > Some(0.0),
            "{game}: the newest line is not in sight"
        );
    }
}

/// How far the end of the log lies below what is shown of it.
const BELOW: &str = r#"
    return new Promise((done) => setTimeout(() => {
        const panel = document.querySelector(".panel");
        done(panel.scrollHeight - panel.scrollTop - panel.clientHeight);
    }, 300));
"#;

#[tokio::test]
async fn the_newest_line_of_the_log_is_in_sight_when_a_decision_comes() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.resize(1280, 800, false).await;
    let windows = vec![browser.window().await, browser.new_window().await];
    let table = Table::open(&browser, &server, "sneaky-dragons", windows.clone()).await;
    for _ in 0..4 {
        table.play(2).await;
        for window in &windows {
            browser.switch_to(window).await;
            let below = browser.run(BELOW, json!([])).await;
            assert!(below.as_f64() < Some(2.0), "{below}");
        }
    }
}

#[tokio::test]
async fn the_focus_stays_where_somebody_plays() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    open(&browser, &server, "chess", 2).await;
    let focused = "const one = document.activeElement; return one.closest('.drawing') ? 'board' : one.closest('.choices') ? 'choices' : one.tagName";
    for (focus, place) in [
        (
            "document.querySelector('.choices [data-step]').focus(); return 0",
            "choices",
        ),
        (
            "document.querySelector('.drawing .live[tabindex]').focus(); return 0",
            "board",
        ),
    ] {
        browser.run(focus, json!([])).await;
        browser.press("\u{e007}").await; // Enter
        browser.find(".path li").await;
        assert_eq!(browser.run(focused, json!([])).await, json!(place));
        browser.press("\u{e00c}").await; // Escape
        let mut steps = Value::Null;
        while steps != json!(0) {
            steps = browser
                .run(
                    "return document.querySelectorAll('.path li').length",
                    json!([]),
                )
                .await;
        }
        assert_ne!(browser.run(focused, json!([])).await, json!("BODY"));
    }
}

/// How much of a clause that was asked for is in sight: the place of its text in the panel.
const CITED: &str = r#"
    const panel = document.querySelector(".panel").getBoundingClientRect();
    const [term, text] = [...document.querySelectorAll(".cited")].map((part) => part.getBoundingClientRect());
    return { above: panel.top - term.top, below: text.top + Math.min(text.height, 40) - panel.bottom };
"#;

#[tokio::test]
async fn a_clause_is_shown_with_its_text() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.resize(1280, 800, false).await;
    open(&browser, &server, "goofspiel", 2).await;
    browser.click(".choices .clause").await;
    browser.find(".cited + .cited").await;
    let shown = browser.run(CITED, json!([])).await;
    assert!(shown["above"].as_f64() <= Some(1.0), "{shown}");
    assert!(shown["below"].as_f64() <= Some(0.0), "{shown}");
}
