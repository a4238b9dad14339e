//! What stands for a choice answers to a real pointer in its whole place: in every game and variant, on a desk and on a
//! phone.
//!
//! By default a few games are looked at in a few positions. `WYRMGATE_PAGES=whole` looks at all games and variants in ten
//! positions each; `WYRMGATE_GAMES=chess,hex+large` at these.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::plays_everything;
use crate::pointer::{Place, Pointer};
use crate::server::Server;

/// These are looked at by default: tiles, glyphs with holes, arrows over squares, hexagons, walls between squares, tokens
/// that share a space, cards.
const SAMPLE: [&str; 7] = [
    "drakon",
    "chess",
    "hex",
    "quoridor",
    "backgammon",
    "mount-drago",
    "hearts",
];

/// Looks at the parts of the board with these numbers, or at all that can be chosen. The first one is brought into sight.
/// All that are in sight then are compared with what the browser finds in their middle and near their corners; the others
/// are left.
const SURVEY: &str = r#"
    const [wanted] = arguments;
    const drawing = document.querySelector(".drawing > svg");
    const parts = [...drawing.querySelectorAll(".live")];
    const nameOf = (part) => part.dataset.part || part.querySelector("title")?.textContent || "a part";
    const pointsOf = (area) => {
        const matrix = area.getScreenCTM();
        const { x, y, width, height } = area.getBBox();
        const corners = area.localName === "polygon" ? [...area.points]
            : [[x, y], [x + width, y], [x, y + height], [x + width, y + height]].map(([x, y]) => new DOMPoint(x, y));
        const middle = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(matrix);
        const inward = (corner) => {
            const at = corner.matrixTransform(matrix);
            return { x: middle.x + (at.x - middle.x) * 0.86, y: middle.y + (at.y - middle.y) * 0.86 };
        };
        return [middle, ...corners.map(inward)];
    };
    const told = { wrong: [], found: [], left: [] };
    return (async () => {
    for (const number of wanted ?? parts.keys()) {
        const part = parts[number];
        const area = part?.querySelector(":scope > .hit");
        if (!area) { told.wrong.push(`${part ? nameOf(part) : number} has no area`); continue; }
        const is_first = told.found.length + told.left.length === 0;
        if (is_first) {
            area.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
            // What follows the scrolling, such as the own hand below the board, has its place then.
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
            if (!drawing.isConnected) return null; // drawn again, in another size
        }
        const points = pointsOf(area).map(({ x, y }) => {
            const is_seen = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
            const below = is_seen ? document.elementFromPoint(x, y) : null;
            return { x, y, below, live: below?.closest(".drawing .live") ?? null };
        });
        const is_in_sight = points.every(({ below }) => below && drawing.contains(below));
        if (!is_first && !is_in_sight) { told.left.push(number); continue; }
        for (const [at, { x, y, below, live }] of points.entries()) {
            if (live && part.contains(live)) continue;
            const other = live ? nameOf(live) : below ? `<${below.localName} class="${below.getAttribute("class") ?? ""}">` : "nothing";
            told.wrong.push(`${nameOf(part)}: point ${at} at ${Math.round(x)},${Math.round(y)} is ${other}`);
        }
        // What lies in the middle of a part answers for itself.
        const { width, height } = area.getBoundingClientRect();
        const [{ x, y, live }] = points;
        told.found.push({ number, name: nameOf(part), x, y, least: Math.min(width, height),
            is_final: part.hasAttribute("data-choice"), is_covered: live !== part });
    }
    return told;
    })();
"#;

/// Keeps clicks from the page and notes which part of the board each of them reaches.
const CATCH: &str = r#"
    window.caught = [];
    window.catching ??= (() => {
        addEventListener("click", (event) => {
            if (!window.caught) return;
            const parts = [...document.querySelectorAll(".drawing .live")];
            window.caught.push(parts.indexOf(event.target.closest(".live")));
            event.stopImmediatePropagation();
            event.preventDefault();
        }, true);
        return true;
    })();
"#;

const CAUGHT: &str = "const caught = window.caught; window.caught = null; return caught;";

/// Whether a pick shows, and what looks as if it could be chosen although it cannot.
const PICKED: &str = r#"
    const marks = [...document.querySelectorAll(".drawing .mark")];
    const color = (mark) => getComputedStyle(mark).stroke;
    const live = new Set(marks.filter((mark) => mark.parentNode.matches(".live, .picked")).map(color));
    const stale = marks.filter((mark) => !mark.parentNode.matches(".live, .picked") && live.has(color(mark)));
    return {
        is_picked: document.querySelectorAll(".path li").length > 0,
        stale: stale.map((mark) => mark.parentNode.dataset.part),
    };
"#;

#[derive(Debug, Deserialize)]
struct Part {
    number: usize,
    name: String,
    x: f64,
    y: f64,
    /// The lesser of width and height, in CSS pixels.
    least: f64,
    is_final: bool,
    is_covered: bool,
}

impl Part {
    fn middle(&self) -> Place {
        (self.x, self.y)
    }
}

#[derive(Debug, Deserialize)]
struct Survey {
    wrong: Vec<String>,
    found: Vec<Part>,
    left: Vec<usize>,
}

/// The least width and height of what a finger chooses, in CSS pixels.
const FINGER: f64 = 24.0;

/// Random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % count.max(1)
    }
}

/// A session whose seats are windows, and which also moves through the API.
struct Match<'t> {
    server: &'t Server,
    browser: &'t Browser,
    name: &'t str,
    pointer: Pointer,
    id: String,
    tokens: Vec<String>,
    windows: &'t [String],
    wrong: Vec<String>,
}

impl<'t> Match<'t> {
    async fn open(
        (server, browser): (&'t Server, &'t Browser),
        (name, seats): (&'t str, usize),
        (windows, pointer): (&'t [String], Pointer),
        seed: u8,
    ) -> Match<'t> {
        let (game, variant) = name.split_once('+').unwrap_or((name, ""));
        let mut wanted = json!({"game": game, "seats": vec!["open"; seats], "seed": format!("{seed:02x}").repeat(32)});
        if !variant.is_empty() {
            wanted["variant"] = json!(variant);
        }
        let made = server.post("/v1/sessions", wanted).await;
        let id = made["id"].as_str().unwrap().to_owned();
        let mut tokens = Vec::new();
        for seat in 1..=seats {
            let path = format!("/v1/sessions/{id}/seats/{seat}");
            let claimed = server.put(&path, json!({})).await;
            tokens.push(claimed["token"].as_str().unwrap().to_owned());
        }
        for (seat, (window, token)) in (1..).zip(windows.iter().zip(&tokens)) {
            browser.switch_to(window).await;
            let link = format!("{}/#/t/{id}/seat/{seat}/{token}", server.url);
            browser.open(&link).await;
        }
        let wrong = Vec::new();
        Match {
            server,
            browser,
            name,
            pointer,
            id,
            tokens,
            windows,
            wrong,
        }
    }

    /// Returns a seat that is to decide, with its view.
    async fn owing(&self) -> Option<(usize, Value)> {
        let path = format!("/v1/sessions/{}/view?include=actions", self.id);
        for (seat, token) in (1..).zip(&self.tokens) {
            let view = self.server.get_as(&path, token).await;
            if !view["decisions"].as_array()?.is_empty() {
                return Some((seat, view));
            }
        }
        None
    }

    /// Makes this many random choices through the API. Returns whether the game goes on.
    async fn skip(&self, count: usize, dice: &mut Dice) -> bool {
        for _ in 0..count {
            let Some((seat, view)) = self.owing().await else {
                return false;
            };
            let decision = &view["decisions"][0];
            let token = &self.tokens[seat - 1];
            let path = format!("/v1/sessions/{}/actions?limit=100", self.id);
            let listed = match decision["choices"].as_array() {
                Some(choices) if !choices.is_empty() => decision.clone(),
                _ => self.server.get_as(&path, token).await["items"][0].clone(),
            };
            let choices = listed["choices"].as_array().unwrap();
            let choice = &choices[dice.below(choices.len())];
            let path = format!("/v1/sessions/{}/moves", self.id);
            let body =
                json!({"id": choice["id"], "version": view["version"], "decision": decision["id"]});
            self.server.post_as(&path, token, body).await;
        }
        self.owing().await.is_some()
    }

    fn fail(&mut self, at: &str, what: impl std::fmt::Display) {
        let line = format!("{} ({:?}, {at}): {what}", self.name, self.pointer);
        self.wrong.push(line);
    }

    /// Looks at the position with the pointer of the seat that is to decide, and plays on with it.
    async fn look(&mut self, dice: &mut Dice) {
        let Some((seat, view)) = self.owing().await else {
            return;
        };
        let version = view["version"].to_string();
        let at = format!("version {version}, seat {seat}");
        self.browser.switch_to(&self.windows[seat - 1]).await;
        let drawn = format!(
            "html[data-seat='{seat}'][data-version='{version}'] .drawing > svg[data-version='{version}']"
        );
        self.browser.find(&drawn).await;
        let parts = self.survey(&at).await;
        let steps: Vec<&Part> = parts
            .iter()
            .filter(|part| !part.is_final && !part.is_covered)
            .collect();
        let tried = if plays_everything() { 3 } else { 1 };
        for _ in 0..tried.min(steps.len()) {
            let number = steps[dice.below(steps.len())].number;
            self.pick(&at, number).await;
        }
        let finals: Vec<&Part> = parts
            .iter()
            .filter(|part| part.is_final && !part.is_covered)
            .collect();
        if !finals.is_empty() {
            let number = finals[dice.below(finals.len())].number;
            self.play(&at, number).await;
        }
    }

    /// Looks at every part that can be chosen, and clicks in the middle of each, without an effect.
    async fn survey(&mut self, at: &str) -> Vec<Part> {
        let mut all = Vec::new();
        let mut wanted = Value::Null;
        loop {
            let told = self.told(&wanted).await;
            for wrong in told.wrong {
                self.fail(at, wrong);
            }
            self.click_on_all(at, &told.found).await;
            all.extend(told.found);
            if told.left.is_empty() {
                return all;
            }
            wanted = json!(told.left);
        }
    }

    async fn told(&self, wanted: &Value) -> Survey {
        loop {
            let told = self.browser.run(SURVEY, json!([wanted])).await;
            if !told.is_null() {
                return serde_json::from_value(told).unwrap();
            }
        }
    }

    async fn click_on_all(&mut self, at: &str, parts: &[Part]) {
        let parts: Vec<&Part> = parts.iter().filter(|part| !part.is_covered).collect();
        let places: Vec<Place> = parts.iter().map(|part| part.middle()).collect();
        if places.is_empty() {
            return;
        }
        self.browser.run(CATCH, json!([])).await;
        self.browser.click_at(self.pointer, &places).await;
        let caught = self.browser.run(CAUGHT, json!([])).await;
        let numbers: Vec<usize> = parts.iter().map(|part| part.number).collect();
        if caught != json!(numbers) {
            let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
            self.fail(
                at,
                format!("clicks on {names:?} {numbers:?} reached {caught}"),
            );
        }
    }

    /// Brings a part into sight and returns it.
    async fn sight(&self, number: usize) -> Option<Part> {
        self.told(&json!([number])).await.found.into_iter().next()
    }

    /// Taps on a part that is too small for a finger bring it closer.
    async fn tap(&mut self, at: &str, number: usize) -> Option<Part> {
        let part = self.sight(number).await?;
        if self.pointer == Pointer::Mouse || part.least >= FINGER {
            self.browser.click_at(self.pointer, &[part.middle()]).await;
            return Some(part);
        }
        self.browser.click_at(self.pointer, &[part.middle()]).await;
        self.browser.find(".frame:not(.zoom-0)").await;
        // A larger picture is on its way.
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        let told = self.browser.run(PICKED, json!([])).await;
        if told["is_picked"] == true {
            self.fail(
                at,
                format!(
                    "{} was picked, although it is only {} high",
                    part.name, part.least
                ),
            );
        }
        let part = self.sight(number).await?;
        if part.least < FINGER {
            self.fail(
                at,
                format!("{} is {} high after a tap", part.name, part.least),
            );
        }
        self.browser.click_at(self.pointer, &[part.middle()]).await;
        Some(part)
    }

    /// Picks a part and steps back.
    async fn pick(&mut self, at: &str, number: usize) {
        let Some(part) = self.tap(at, number).await else {
            return self.fail(at, format!("part {number} is gone"));
        };
        let told = self.browser.run(PICKED, json!([])).await;
        if told["is_picked"] != true {
            return self.fail(at, format!("{} was not picked", part.name));
        }
        if told["stale"] != json!([]) {
            self.fail(
                at,
                format!(
                    "{} is picked, and these still look possible: {}",
                    part.name, told["stale"]
                ),
            );
        }
        self.browser.press("\u{e00c}").await; // Escape
        let back = self.browser.run(PICKED, json!([])).await;
        if back["is_picked"] == true {
            self.fail(at, format!("Escape leaves {} picked", part.name));
        }
    }

    /// Makes the choice of a part.
    async fn play(&mut self, at: &str, number: usize) {
        let before = self
            .browser
            .run(
                "return document.documentElement.dataset.decision",
                json!([]),
            )
            .await;
        let Some(part) = self.tap(at, number).await else {
            return self.fail(at, format!("part {number} is gone"));
        };
        let began = std::time::Instant::now();
        loop {
            let now = self
                .browser
                .run(
                    "return document.documentElement.dataset.decision",
                    json!([]),
                )
                .await;
            if now != before {
                return;
            }
            if began.elapsed().as_secs() > 5 {
                return self.fail(at, format!("{} made no choice", part.name));
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }
}

/// The games to look at, and with how many seats.
async fn games(server: &Server) -> Vec<(String, usize)> {
    let mut all = Vec::new();
    let listed = server.get_as("/v1/games?limit=100", "").await;
    for game in listed["items"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let seats = game["players"][0].as_u64().unwrap() as usize;
        let variants = game["variants"].as_array().unwrap().iter();
        let variants =
            variants.map(|variant| format!("{name}+{}", variant["name"].as_str().unwrap()));
        let names = std::iter::once(name.to_owned()).chain(variants);
        all.extend(names.map(|name| (name, seats.max(2))));
    }
    let wanted = std::env::var("WYRMGATE_GAMES").unwrap_or_default();
    let wanted: Vec<&str> = wanted.split(',').filter(|name| !name.is_empty()).collect();
    let is_wanted = |name: &str| match wanted.is_empty() {
        true => plays_everything() || SAMPLE.contains(&name),
        false => wanted.contains(&name),
    };
    all.retain(|(name, _)| is_wanted(name));
    all
}

/// Looks at positions of all games to be looked at in a window of this size.
async fn look_at_games(size: (u32, u32), pointer: Pointer) {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let mut windows = vec![browser.window().await];
    let games = games(&server).await;
    assert!(!games.is_empty());
    let most = games.iter().map(|(_, seats)| *seats).max().unwrap();
    while windows.len() < most {
        windows.push(browser.new_window().await);
    }
    for window in &windows {
        browser.switch_to(window).await;
        browser.become_window(size, pointer).await;
    }
    let positions = if plays_everything() { 10 } else { 2 };
    let mut dice = Dice(7);
    let mut wrong = Vec::new();
    for (name, seats) in &games {
        let mut seed = 7;
        let table = (
            (&server, &browser),
            (name.as_str(), *seats),
            (&windows[..], pointer),
        );
        let mut game = Match::open(table.0, table.1, table.2, seed).await;
        for _ in 0..positions {
            if !game.skip(dice.below(6), &mut dice).await {
                wrong.append(&mut game.wrong);
                seed += 1;
                game = Match::open(table.0, table.1, table.2, seed).await;
            }
            game.look(&mut dice).await;
        }
        wrong.append(&mut game.wrong);
    }
    assert!(
        wrong.is_empty(),
        "{} mistakes:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[tokio::test]
async fn every_choice_on_a_board_answers_to_the_mouse_in_its_whole_place() {
    look_at_games((1280, 800), Pointer::Mouse).await;
}

#[tokio::test]
async fn every_choice_on_a_board_answers_to_a_finger_on_a_phone() {
    look_at_games((390, 844), Pointer::Touch).await;
}

#[tokio::test]
async fn a_piece_is_dragged_to_where_it_goes_or_put_back() {
    let server = Server::start("memory");
    let browser = Browser::start().await;
    let windows = vec![browser.window().await, browser.new_window().await];
    let game = Match::open(
        (&server, &browser),
        ("chess", 2),
        (&windows, Pointer::Mouse),
        7,
    );
    let game = game.await;
    browser.switch_to(&windows[0]).await;
    browser.find(".drawing [id=e2] .piece.live").await;
    let middles = "return ['e2', 'e4', 'e6'].map((id) => { \
        const at = document.querySelector(`.drawing [id=${id}]`).getBoundingClientRect(); \
        return [at.x + at.width / 2, at.y + at.height / 2]; })";
    let middles = browser.run(middles, json!([])).await;
    let [from, to, elsewhere]: [Place; 3] = serde_json::from_value(middles).unwrap();
    browser.drag(from, elsewhere).await;
    let back = "return [document.querySelectorAll('.path li').length, document.querySelectorAll('.ghost').length]";
    assert_eq!(browser.run(back, json!([])).await, json!([0, 0]));
    browser.drag(from, to).await;
    browser.find("html[data-decision='']").await;
    assert_eq!(game.owing().await.unwrap().0, 2);
}
