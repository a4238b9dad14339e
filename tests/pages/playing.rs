//! Two windows at one table, and a player that clicks.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::server::Server;

/// Clicks at random until this window owes no decision, the game is over, or it has clicked enough choices. It knows
/// nothing but `data-choice`, the elements that lead there, and the attributes of the root.
const CLICKER: &str = r#"
const [most, seed] = arguments;
let dice = seed;
const draw = (n) => { dice = (dice * 1103515245 + 12345) % 2147483648; return Math.floor(dice / 65536) % n; };
const root = document.documentElement.dataset;
const pause = () => new Promise((done) => setTimeout(done, 2));
const click = (part) => part.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
const list = (selector) => [...document.querySelectorAll(selector)].filter((part) => !part.disabled);
const wait = async (is_so) => {
  const end = performance.now() + 20000;
  while (!is_so()) {
    if (performance.now() > end) throw new Error(`stuck: ${JSON.stringify({...root})} ${document.body.innerText}`);
    await pause();
  }
};
const over = () => root.status === "finished";
return (async () => {
  let made = 0;
  await wait(() => root.status !== undefined && root.decision !== undefined);
  while (made < most && !over() && root.decision !== "") {
    const decision = root.decision;
    const on_board = list(".drawing .live");
    const in_words = list(".choices [data-choice], .choices [data-step]");
    const all = on_board.length > 0 && draw(2) === 0 ? on_board : in_words;
    if (all.length === 0) { await pause(); continue; }
    const part = all[draw(all.length)];
    const is_last = part.hasAttribute("data-choice");
    click(part);
    await pause();
    if (!is_last) continue;
    made += 1;
    await wait(() => over() || root.decision !== decision);
  }
  return {made, status: root.status, version: Number(root.version)};
})();
"#;

/// A table whose seats are windows of one browser.
pub struct Table<'b> {
    pub browser: &'b Browser,
    pub windows: Vec<String>,
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
        Table { browser, windows }
    }

    /// Plays at most this many choices. Returns the status of the game.
    pub async fn play(&self, most: u32) -> String {
        let (mut left, mut idle) = (u64::from(most), 0);
        loop {
            for (at, window) in self.windows.iter().enumerate() {
                self.browser.switch_to(window).await;
                let args = json!([left, at as u64 + left]);
                let told: Value = self.browser.run(CLICKER, args).await;
                let made = told["made"].as_u64().unwrap();
                left -= made;
                idle = if made == 0 { idle + 1 } else { 0 };
                let status = told["status"].as_str().unwrap();
                if status == "finished" || left == 0 {
                    return status.to_owned();
                }
                if idle > self.windows.len() {
                    // The others' changes are on their way to this window.
                    assert!(idle < 400, "nobody can go on: {told}");
                    tokio::time::sleep(std::time::Duration::from_millis(25)).await;
                }
            }
        }
    }
}
