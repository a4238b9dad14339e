//! Whole games by one means alone: a mouse that only clicks, and keys that never touch the page otherwise.
//!
//! `WYRMGATE_PAGES=whole` plays every game of the server in both ways, against bots that choose at random.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::plays_everything;
use crate::pointer::{Place, Pointer};
use crate::server::Server;

/// What is chosen with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Means {
    Pointer,
    Keys,
}

/// How long a window may take until something of the game has changed.
const PATIENCE: Duration = Duration::from_secs(20);
/// More choices than a game of one seat has.
const MOST: usize = 3_000;

/// Where to click next: on the board wherever something there can be clicked, in words only otherwise.
const PLACE: &str = r#"
    const [dice] = arguments;
    const list = (selector) => [...document.querySelectorAll(selector)].filter((part) => !part.disabled);
    const board = list(".drawing .live:not(.picked)").filter((part) => !part.querySelector(".live"));
    const words = list(".choices [data-choice], .choices [data-step]:not(.picked)");
    const main = list(".choices .choice.main");
    const all = main.length > 0 && dice % 3 === 0 ? main : board.length > 0 && !(main.length > 0 && dice % 3 === 1) ? board : words;
    // What is covered, or has moved away, is left to another time.
    for (let tries = 0; tries < Math.min(all.length, 12); tries += 1) {
        const part = all[(dice + tries) % all.length];
        const area = part.querySelector(":scope > .hit") ?? part;
        area.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { x, y, width, height } = area.getBoundingClientRect();
        const place = [x + width / 2, y + height / 2];
        if (part.contains(document.elementFromPoint(...place))) return place;
    }
    return null;
"#;

/// What has the focus: whether Enter chooses there, and whether it is on the board.
const FOCUS: &str = r#"
    const part = document.activeElement;
    return {
        chooses: part.matches(".live, [data-choice]:not(:disabled), [data-step]:not(:disabled)"),
        isOnBoard: part.matches(".live"), isPicked: part.matches(".picked"),
        hasMain: Boolean(document.querySelector(".choices .choice.main")), isMain: part.matches(".main"),
    };
"#;

/// What changes when something was chosen or picked.
const STATE: &str = r#"
    const { status, decision, version } = document.documentElement.dataset;
    return { status, decision, version, picks: document.querySelectorAll(".path li").length };
"#;

struct Player<'b> {
    browser: &'b Browser,
    dice: u64,
}

impl Player<'_> {
    fn roll(&mut self, sides: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.dice >> 33) % sides
    }

    async fn state(&self) -> Value {
        self.browser.run(STATE, json!([])).await
    }

    /// Clicks somewhere. Returns whether there was anything to click.
    async fn click(&mut self) -> bool {
        let dice = self.roll(1 << 20);
        let place = self.browser.run(PLACE, json!([dice])).await;
        let place: Option<Place> = serde_json::from_value(place).unwrap();
        if let Some(place) = place {
            self.browser.click_at(Pointer::Mouse, &[place]).await;
        }
        place.is_some()
    }

    /// Goes some way with Tab and the arrows, and presses Enter. Returns whether that chose anything.
    async fn press(&mut self) -> bool {
        for _ in 0..=self.roll(4) {
            self.browser.press("\u{e004}").await; // Tab
        }
        for _ in 0..200 {
            let focus = self.browser.run(FOCUS, json!([])).await;
            let is_wanted = focus["isMain"] == json!(true)
                || focus["isPicked"] == json!(false)
                    && (focus["hasMain"] == json!(false) || self.roll(3) == 0);
            if focus["chooses"] == json!(true) && is_wanted {
                if focus["isOnBoard"] == json!(true) {
                    let arrow =
                        ["\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}"][self.roll(4) as usize];
                    self.browser.press(arrow).await;
                }
                self.browser.press("\u{e007}").await; // Enter
                return true;
            }
            self.browser.press("\u{e004}").await;
        }
        false
    }

    /// Plays to the end. Returns how many choices and picks that took.
    async fn play(&mut self, game: &str, means: Means) -> usize {
        let mut last = Instant::now();
        for step in 0..MOST {
            let before = self.state().await;
            if before["status"] == json!("finished") {
                return step;
            }
            assert!(
                last.elapsed() < PATIENCE,
                "{game} by {means:?} is stuck: {before}"
            );
            let did = before["decision"] != json!("")
                && match means {
                    Means::Pointer => self.click().await,
                    Means::Keys => self.press().await,
                };
            for _ in 0..if did { 40 } else { 5 } {
                if self.state().await != before {
                    last = Instant::now();
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        panic!("{game} by {means:?} has no end");
    }
}

async fn whole_game(server: &Server, browser: &Browser, game: &Value, means: Means) {
    let name = game["name"].as_str().unwrap();
    let counts = game["players"].as_array().unwrap().iter();
    let counts: Vec<u64> = counts.filter_map(Value::as_u64).collect();
    let seats = counts
        .iter()
        .find(|count| **count > 1)
        .unwrap_or(&counts[0]);
    let seats: Vec<&str> = (0..*seats)
        .map(|at| if at == 0 { "open" } else { "random" })
        .collect();
    let made = json!({"game": name, "seats": seats, "seed": "05".repeat(32)});
    let made = server.post("/v1/sessions", made).await;
    let id = made["id"].as_str().unwrap();
    let claimed = server
        .put(&format!("/v1/sessions/{id}/seats/1"), json!({}))
        .await;
    let token = claimed["token"].as_str().unwrap();
    browser.open("about:blank").await;
    browser
        .open(&format!("{}/#/t/{id}/seat/1/{token}", server.url))
        .await;
    browser.find("html[data-decision] .drawing svg").await;
    let mut player = Player { browser, dice: 11 };
    let steps = player.play(name, means).await;
    eprintln!("{name} by {means:?}: {steps} steps");
    browser.find(".result[data-result=rules]").await;
    if means == Means::Keys {
        // The card of the end has the focus; its buttons follow.
        browser.press("\u{e004}\u{e004}").await;
        let is_there =
            "return Boolean(document.activeElement.closest('.result button, .result a'))";
        assert_eq!(
            browser.run(is_there, json!([])).await,
            json!(true),
            "{name}"
        );
    }
}

#[tokio::test]
async fn whole_games_are_played_by_the_pointer_alone_and_by_the_keys_alone() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    browser.become_window((1280, 900), Pointer::Mouse).await;
    let games = server.get_as("/v1/games?limit=100", "").await;
    let games = games["items"].as_array().unwrap();
    let wanted = std::env::var("WYRMGATE_GAMES").unwrap_or_default();
    for game in games {
        let name = game["name"].as_str().unwrap();
        let is_wanted = match wanted.is_empty() {
            true => plays_everything(),
            false => wanted.split(',').any(|one| one == name),
        };
        if is_wanted || name == "connect-four" {
            whole_game(&server, &browser, game, Means::Pointer).await;
        }
        if is_wanted || name == "tic-tac-toe" {
            whole_game(&server, &browser, game, Means::Keys).await;
        }
    }
}
