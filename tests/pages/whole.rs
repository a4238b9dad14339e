//! Whole games by one means alone: a pointer that only clicks, and keys that never touch the page otherwise.
//!
//! `WYRMGATE_PAGES=whole` plays every game of the server in both ways on a desk and on a phone, against bots that choose at
//! random; `WYRMGATE_GAMES=chess,hex` these.

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
const PATIENCE: Duration = Duration::from_secs(60);
/// More choices than a game of one seat has.
const MOST: usize = 3_000;

/// Where to click next: on the board wherever something there can be clicked, in words only otherwise.
const PLACE: &str = r#"
    const [dice] = arguments;
    const list = (selector) => [...document.querySelectorAll(selector)].filter((part) => !part.disabled);
    const board = list(".drawing .live:not(.picked), .hand .live:not(.picked)").filter((part) => !part.querySelector(".live"));
    const words = list(".choices [data-choice], .choices [data-step]:not(.picked), .choices [data-given] input");
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
        chooses: part.matches(".live, [data-choice]:not(:disabled), [data-step]:not(:disabled), [data-given] input"),
        isGiven: part.matches("input"), isOnBoard: part.matches(".live"), isPicked: part.matches(".picked"),
        hasMain: Boolean(document.querySelector(".choices .choice.main")), isMain: part.matches(".main"),
    };
"#;

/// What is to be typed where the focus is: a number, a word, or nothing.
const WANTED: &str = r#"
    const part = document.activeElement;
    const word = () => [...String(arguments[0])].map((digit) => "aeioulmnrs"[digit]).join("");
    return part.matches("[data-given] input") ? part.min || word() : "";
"#;

/// What changes when something was chosen or picked.
const STATE: &str = r#"
    const { status, decision, version } = document.documentElement.dataset;
    const zoom = document.querySelector(".frame")?.className;
    return { status, decision, version, zoom, picks: document.querySelectorAll(".path li").length };
"#;

/// A window and what plays in it.
struct Way {
    means: Means,
    size: (u32, u32),
    pointer: Pointer,
    /// Played in every run of the tests.
    always: &'static str,
}

const DESK: (u32, u32) = (1280, 800);
const PHONE: (u32, u32) = (390, 844);

const WAYS: [Way; 4] = [
    Way {
        means: Means::Pointer,
        size: DESK,
        pointer: Pointer::Mouse,
        always: "connect-four",
    },
    Way {
        means: Means::Keys,
        size: PHONE,
        pointer: Pointer::Touch,
        always: "tic-tac-toe",
    },
    Way {
        means: Means::Pointer,
        size: PHONE,
        pointer: Pointer::Touch,
        always: "",
    },
    Way {
        means: Means::Keys,
        size: DESK,
        pointer: Pointer::Mouse,
        always: "",
    },
];

struct Player<'b> {
    browser: &'b Browser,
    way: &'b Way,
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
            self.browser.click_at(self.way.pointer, &[place]).await;
            self.give().await;
        }
        place.is_some()
    }

    /// Types what is wanted, if the focus is where a person gives something.
    async fn give(&mut self) {
        let dice = self.roll(1 << 20);
        let wanted = self.browser.run(WANTED, json!([dice])).await;
        let wanted = wanted.as_str().unwrap();
        if !wanted.is_empty() {
            self.browser.press(&format!("{wanted}\u{e007}")).await; // Enter
        }
    }

    /// Goes some way with Tab and the arrows, and presses Enter. Returns whether that chose anything.
    async fn press(&mut self) -> bool {
        for _ in 0..60 {
            // Tab
            let far = 1 + self.roll(8) as usize;
            self.browser.press(&"\u{e004}".repeat(far)).await;
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
                match focus["isGiven"] == json!(true) {
                    true => self.give().await,
                    false => self.browser.press("\u{e007}").await, // Enter
                }
                return true;
            }
        }
        false
    }

    /// Plays to the end. Returns how many choices and picks that took.
    async fn play(&mut self) -> Result<usize, String> {
        let mut last = Instant::now();
        for step in 0..MOST {
            let before = self.state().await;
            if before["status"] == json!("finished") {
                return Ok(step);
            }
            if last.elapsed() > PATIENCE {
                return Err(format!("stuck: {before}"));
            }
            let did = before["decision"] != json!("")
                && match self.way.means {
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
        Err("no end".to_owned())
    }
}

/// How wide the page is compared with its window, and whether what has the focus belongs to the card of the end.
const END: &str = r#"
    const { scrollWidth, clientWidth } = document.documentElement;
    return [Math.max(0, scrollWidth - clientWidth), Boolean(document.activeElement.closest(".result button, .result a"))];
"#;

async fn whole_game(
    server: &Server,
    browser: &Browser,
    game: &Value,
    way: &Way,
) -> Result<usize, String> {
    let counts = game["players"].as_array().unwrap().iter();
    let counts: Vec<u64> = counts.filter_map(Value::as_u64).collect();
    let seats = counts.iter().find(|count| **count > 1);
    let mut seats = vec!["random"; *seats.unwrap_or(&counts[0]) as usize];
    seats[0] = "open";
    let made = json!({"game": game["name"], "seats": seats, "seed": "05".repeat(32)});
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
    let dice = 11;
    let steps = Player { browser, way, dice }.play().await?;
    browser.find(".result[data-result=rules]").await;
    if way.means == Means::Keys {
        // The card of the end has the focus; its buttons follow.
        browser.press("\u{e004}\u{e004}").await;
    }
    let end = browser.run(END, json!([])).await;
    match end == json!([0, way.means == Means::Keys]) {
        true => Ok(steps),
        false => Err(format!("ends with {end}")),
    }
}

/// Plays what is wanted of one way. Returns what went wrong.
async fn all_games(server: &Server, games: &[Value], way: &Way) -> Vec<String> {
    let wanted = std::env::var("WYRMGATE_GAMES").unwrap_or_default();
    let is_wanted = |game: &&Value| {
        let name = game["name"].as_str().unwrap();
        name == way.always
            || match wanted.is_empty() {
                true => plays_everything(),
                false => wanted.split(',').any(|one| one == name),
            }
    };
    let mut wrong = Vec::new();
    let games: Vec<&Value> = games.iter().filter(is_wanted).collect();
    if games.is_empty() {
        return wrong;
    }
    let browser = Browser::start().await;
    browser.become_window(way.size, way.pointer).await;
    for game in games {
        let began = Instant::now();
        let told = whole_game(server, &browser, game, way).await;
        let line = format!("{} by {:?} at {:?}", game["name"], way.means, way.size);
        eprintln!("{line}: {told:?} after {:?}", began.elapsed());
        wrong.extend(told.err().map(|fault| format!("{line}: {fault}")));
    }
    wrong
}

#[tokio::test]
async fn whole_games_are_played_by_the_pointer_alone_and_by_the_keys_alone() {
    let server = Server::start("memory");
    let games = server.get_as("/v1/games?limit=100", "").await;
    let games = games["items"].as_array().unwrap();
    let ways = WAYS.iter().map(|way| all_games(&server, games, way));
    let wrong = futures_util::future::join_all(ways).await.concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
