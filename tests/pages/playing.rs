//! Two windows at one table, and a player with a real pointer.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use crate::browser::Browser;
use crate::pointer::{Place, Pointer};
use crate::server::Server;

/// What the window shows and, with a number that was drawn, where to click next: on the board or in words, at random. It knows nothing but `data-choice`,
/// the elements that lead there, and the attributes of the root.
const NEXT: &str = r#"
    const [dice] = arguments;
    const root = document.documentElement.dataset;
    const told = { status: root.status, decision: root.decision };
    if (dice === null || !root.decision || root.status === "finished") return told;
    const list = (selector) => [...document.querySelectorAll(selector)].filter((part) => !part.disabled);
    const on_board = list(".drawing .live");
    const in_words = list(".choices [data-choice], .choices [data-step]");
    const all = on_board.length > 0 && dice % 2 === 0 ? on_board : in_words;
    if (all.length === 0) return told;
    const part = all[Math.floor(dice / 2) % all.length];
    const area = part.querySelector(":scope > .hit") ?? part;
    area.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { x, y, width, height } = area.getBoundingClientRect();
    const place = [x + width / 2, y + height / 2];
    const below = document.elementFromPoint(...place)?.closest(".live, [data-choice], [data-step]");
    const is_small = Math.min(width, height) < 24 && matchMedia("(pointer: coarse)").matches;
    return { ...told, place, is_last: Boolean(below?.hasAttribute("data-choice")) && !is_small };
"#;

#[derive(Debug, Deserialize)]
struct Next {
    status: Option<String>,
    decision: Option<String>,
    place: Option<Place>,
    #[serde(default)]
    is_last: bool,
}

impl Next {
    fn is_over(&self) -> bool {
        self.status.as_deref() == Some("finished")
    }

    fn owes_nothing(&self) -> bool {
        self.decision.as_deref() == Some("")
    }
}

/// How long a window may take to show what follows from a click.
const PATIENCE: Duration = Duration::from_secs(20);

/// A table whose seats are windows of one browser.
pub struct Table<'b> {
    pub browser: &'b Browser,
    pub windows: Vec<String>,
    pub pointer: Pointer,
}

impl<'b> Table<'b> {
    /// Opens a table through the API, with a seed, and sits down in every window.
    pub async fn open(
        browser: &'b Browser,
        server: &Server,
        game: &str,
        windows: Vec<String>,
    ) -> Table<'b> {
        let seats = vec!["open"; windows.len()];
        let wanted = json!({"game": game, "seats": seats, "seed": "07".repeat(32)});
        let made = server.post("/v1/sessions", wanted).await;
        let id = made["id"].as_str().unwrap();
        for (seat, window) in (1..).zip(&windows) {
            let path = format!("/v1/sessions/{id}/seats/{seat}");
            let name = ["Ann", "Bob", "Cy"][seat - 1];
            let claimed = server.put(&path, json!({"name": name})).await;
            let token = claimed["token"].as_str().unwrap();
            browser.switch_to(window).await;
            let link = format!("{}/#/t/{id}/seat/{seat}/{token}", server.url);
            browser.open(&link).await;
            browser.find(&format!("html[data-seat='{seat}']")).await;
        }
        let pointer = Pointer::Mouse;
        Table {
            browser,
            windows,
            pointer,
        }
    }

    /// Plays at most this many choices. Returns the status of the game.
    pub async fn play(&self, most: u32) -> String {
        let (mut left, mut dice) = (most, u64::from(most));
        let mut last = Instant::now();
        loop {
            for window in &self.windows {
                self.browser.switch_to(window).await;
                let (made, status) = self.play_here(left, &mut dice).await;
                left -= made;
                if made > 0 {
                    last = Instant::now();
                }
                if status == "finished" || left == 0 {
                    return status;
                }
                // The others' changes are on their way to this window.
                assert!(last.elapsed() < PATIENCE, "nobody can go on: {status}");
            }
        }
    }

    /// Clicks until this window owes no decision, the game is over, or enough choices were made. Returns their number and
    /// the status of the game.
    async fn play_here(&self, most: u32, dice: &mut u64) -> (u32, String) {
        let (mut made, mut began) = (0, Instant::now());
        loop {
            *dice = (*dice * 1103515245 + 12345) % 2147483648;
            let next = self.next(Some(*dice >> 8)).await;
            if next.is_over() || next.owes_nothing() || made == most {
                return (made, next.status.unwrap_or_default());
            }
            assert!(began.elapsed() < PATIENCE, "stuck: {next:?}");
            let Some(place) = next.place else {
                continue; // the choices are on their way
            };
            self.browser.click_at(self.pointer, &[place]).await;
            if next.is_last && self.goes_on_from(&next).await {
                (made, began) = (made + 1, Instant::now());
            }
        }
    }

    async fn next(&self, dice: Option<u64>) -> Next {
        let next = self.browser.run(NEXT, json!([dice])).await;
        serde_json::from_value(next).unwrap()
    }

    /// Waits until the window shows another decision. `false` if it does not, because it was drawn again before the click.
    async fn goes_on_from(&self, before: &Next) -> bool {
        let began = Instant::now();
        while began.elapsed() < PATIENCE / 8 {
            let now = self.next(None).await;
            if now.is_over() || now.decision != before.decision {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        false
    }
}
