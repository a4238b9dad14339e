//! The work of the tools.

use std::time::{Duration, Instant};

use hyper::Method;
use rmcp::model::{ContentBlock, JsonObject};
use serde_json::{Map, Value, json};

use super::arguments::ToolArguments;
use super::client::{ApiRequest, ServerAnswer};
use super::desk::ModelDesk;
use super::picture::{self, PictureForm};
use super::tables::HeldSeat;
use super::texts::{cut, list, problem_text, segment, string, version_in};
use wyrmgate_authoring::brief;

/// The answer of a tool. The error is a sentence for the model.
type Content = Result<Vec<ContentBlock>, String>;

/// The letters that rules may take at once.
const LETTERS_MAX: usize = 6_000;
/// How long one request waits for a change.
const POLL_SECONDS: u64 = 20;
const WAIT_SECONDS: u64 = 30;
const WAIT_SECONDS_MAX: u64 = 50;

const NO_SEAT: &str = "you hold no seat there; take one with `join`, or see `my_games`";
const OVER: &str = "The game is over.\n";

fn no_choice(words: &str) -> String {
    format!("no choice contains `{words}`; call `look` for your choices")
}

fn text(text: String) -> Content {
    Ok(vec![ContentBlock::text(text)])
}

impl ModelDesk<'_> {
    pub(crate) async fn call(&self, name: &str, arguments: &JsonObject) -> Content {
        let arguments = &ToolArguments(arguments);
        match name {
            "games" => self.games(arguments).await,
            "rules" => {
                let words = arguments.text("words")?.unwrap_or_default();
                text(
                    self.rules(arguments.needed("game")?, words, LETTERS_MAX)
                        .await?,
                )
            }
            "new_table" => self.new_table(arguments).await,
            "join" => self.join(arguments).await,
            "look" => self.look(arguments).await,
            "move" => self.make_move(arguments).await,
            "wait" => self.wait(arguments).await,
            "end" => self.end(arguments).await,
            "my_games" => self.my_games().await,
            "result" => self.result(arguments).await,
            _ => Err(format!("there is no tool `{name}`")),
        }
    }

    /// Returns a good answer.
    async fn ask(&self, call: ApiRequest<'_>) -> Result<ServerAnswer, String> {
        let answer = self.api.call(call).await?;
        match answer.is_good() {
            true => Ok(answer),
            false => Err(problem_text(&answer.json()?)),
        }
    }

    async fn games(&self, arguments: &ToolArguments<'_>) -> Content {
        if let Some(game) = arguments.text("game")? {
            let fields = "title,about,players,options.name,options.text,options.values,options.default,variants.name,variants.title";
            let path = format!("/v1/games/{}?fields={fields}", segment(game));
            return text(cut(
                &self.ask(ApiRequest::get(path)).await?.text(),
                LETTERS_MAX,
            ));
        }
        let path = "/v1/games?limit=100&fields=items.name,items.title,items.players";
        let games = self.ask(ApiRequest::get(path)).await?.json()?;
        let games = list(&games, "items");
        let line = |game: &Value| {
            let name = string(game, "name");
            let players = game
                .get("players")
                .map(Value::to_string)
                .unwrap_or_default();
            format!("{name}: {}, players {players}\n", string(game, "title"))
        };
        text(games.iter().map(line).collect())
    }

    /// Returns the clauses that contain these words, or that have this id.
    pub(crate) async fn rules(
        &self,
        game: &str,
        words: &str,
        letters: usize,
    ) -> Result<String, String> {
        let path = format!("/v1/games/{}?fields=title,about,ruleset", segment(game));
        let found = self.ask(ApiRequest::get(path)).await?.json()?;
        let path = format!("/v1/rulesets/{}?fields=clauses", string(&found, "ruleset"));
        let clauses = self.ask(ApiRequest::get(path)).await?.json()?;
        let clauses = list(&clauses, "clauses");
        let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let lines = clauses
            .iter()
            .map(|clause| format!("{} {}\n", string(clause, "id"), string(clause, "text")));
        let has_all = |line: &String| {
            let line = line.to_lowercase();
            wanted.iter().all(|word| line.contains(word))
        };
        let lines: String = lines.filter(has_all).collect();
        if lines.is_empty() {
            return Err(format!("no clause of `{game}` contains `{words}`"));
        }
        let title = format!("{}. {}\n", string(&found, "title"), string(&found, "about"));
        let head = if wanted.is_empty() {
            title
        } else {
            String::new()
        };
        Ok(cut(&(head + &lines), letters))
    }

    async fn new_table(&self, arguments: &ToolArguments<'_>) -> Content {
        let game = arguments.needed("game")?;
        let seats = match arguments.number("seats")? {
            Some(seats) => seats,
            None => self.fewest_seats(game).await?,
        };
        let bots = arguments
            .number("bots")?
            .unwrap_or(seats.saturating_sub(1))
            .min(seats);
        let level = arguments.text("level")?.unwrap_or("greedy");
        let open = (bots..seats).map(|_| "open");
        let taken = (0..bots.min(8)).map(|_| level);
        let seats: Vec<&str> = open.take(8).chain(taken).collect();
        let mut body = Map::new();
        body.insert("game".into(), game.into());
        body.insert("seats".into(), json!(seats));
        if let Some(variant) = arguments.text("variant")? {
            body.insert("variant".into(), variant.into());
        }
        if let Some(options) = arguments.0.get("options") {
            body.insert("options".into(), options.clone());
        }
        if arguments.is_set("private") {
            body.insert("visibility".into(), "private".into());
        }
        let call = ApiRequest::send(Method::POST, "/v1/sessions", Value::Object(body));
        let made = self.ask(call).await?.json()?;
        let mut said = format!(
            "table {} with seats {}\n",
            string(&made, "id"),
            seats.join(", ")
        );
        if let Some(invite) = made.get("invite_code").and_then(Value::as_str) {
            said += &format!("invite {invite}\n");
        }
        text(said)
    }

    async fn fewest_seats(&self, game: &str) -> Result<u64, String> {
        let path = format!("/v1/games/{}?fields=players", segment(game));
        let found = self.ask(ApiRequest::get(path)).await?.json()?;
        let fewest = found
            .get("players")
            .and_then(|players| players.get(0)?.as_u64());
        Ok(fewest.unwrap_or(1))
    }

    async fn join(&self, arguments: &ToolArguments<'_>) -> Content {
        let table = arguments.needed("table")?;
        let invite = arguments.text("invite")?;
        let seat = match arguments.seat()? {
            Some(seat) => seat,
            None => self.open_seat(table, invite).await?,
        };
        let mut claim = Map::new();
        if let Some(name) = arguments.text("name")? {
            claim.insert("name".into(), name.into());
        }
        let path = format!("/v1/sessions/{}/seats/{seat}", segment(table));
        let call = ApiRequest::send(Method::PUT, path, Value::Object(claim)).with(invite);
        let taken = self.ask(call).await?.json()?;
        let held = HeldSeat {
            table: table.to_owned(),
            seat,
            token: string(&taken, "token").to_owned(),
            seen: 0,
            ids: None,
            are_numbers: false,
        };
        let seen = self.position(held, "").await?;
        text(format!("you have seat {seat}\n{seen}"))
    }

    async fn open_seat(&self, table: &str, invite: Option<&str>) -> Result<u8, String> {
        let path = format!("/v1/sessions/{}?fields=seats", segment(table));
        let found = self.ask(ApiRequest::get(path).with(invite)).await?.json()?;
        let seats = list(&found, "seats");
        let open = seats.iter().find(|seat| string(seat, "status") == "open");
        let number = open.and_then(|seat| u8::try_from(seat.get("seat")?.as_u64()?).ok());
        number.ok_or_else(|| "every seat is taken".to_owned())
    }

    fn held(&self, arguments: &ToolArguments<'_>) -> Result<HeldSeat, String> {
        let held = self
            .tables
            .find(arguments.text("table")?, arguments.seat()?);
        held.ok_or_else(|| NO_SEAT.to_owned())
    }

    async fn look(&self, arguments: &ToolArguments<'_>) -> Content {
        let table = arguments.text("table")?;
        let Some(held) = self.tables.find(table, arguments.seat()?) else {
            let table = table.ok_or(NO_SEAT)?;
            return self.watch(table, arguments.is_set("picture")).await;
        };
        let (table, seat) = (held.table.clone(), held.seat);
        let words = arguments.text("words")?.unwrap_or_default();
        let mut content = text(self.position(held, words).await?)?;
        if arguments.is_set("picture") {
            content.push(picture::shown(
                &self
                    .picture(&table, Some(seat), PictureForm::Pixels)
                    .await?,
            ));
        }
        Ok(content)
    }

    /// Shows a table at which the model has no seat.
    async fn watch(&self, table: &str, with_picture: bool) -> Content {
        let path = format!("/v1/sessions/{}/view", segment(table));
        let seen = self.ask(ApiRequest::get(path).in_text()).await;
        let seen = seen.map_err(|said| format!("{said}; `my_games` lists your tables"))?;
        let mut content = text(seen.text())?;
        if with_picture {
            content.push(picture::shown(
                &self.picture(table, None, PictureForm::Pixels).await?,
            ));
        }
        Ok(content)
    }

    /// Returns the position with the choices of a seat, or only the choices with certain words.
    async fn position(&self, mut held: HeldSeat, words: &str) -> Result<String, String> {
        let table = segment(&held.table);
        let path = match words {
            "" => format!("/v1/sessions/{table}/view?include=actions"),
            words => format!("/v1/sessions/{table}/actions?words={}", segment(words)),
        };
        let seen = self.ask(held.get(path).in_text()).await?.text();
        if !held.note(&seen) && !words.is_empty() {
            return Err(no_choice(words));
        }
        if held.seen == 0 {
            let path = format!("/v1/sessions/{table}?fields=version");
            let version = self.ask(held.get(path)).await?.json()?;
            held.seen = version.get("version").and_then(Value::as_u64).unwrap_or(0);
        }
        self.tables.keep(held);
        Ok(seen)
    }

    /// Draws a table as the model sees it from a seat there, if it has one.
    pub(crate) async fn picture(
        &self,
        table: &str,
        seat: Option<u8>,
        form: PictureForm,
    ) -> Result<ServerAnswer, String> {
        let held = self.tables.find(Some(table), seat);
        let token = held.as_ref().map(|held| held.token.as_str());
        let table = segment(table);
        let (name, width) = (form.file_name(), picture::WIDTH);
        let path = format!("/v1/sessions/{table}/{name}?size={width}");
        self.ask(ApiRequest::get(path).with(token)).await
    }

    async fn make_move(&self, arguments: &ToolArguments<'_>) -> Content {
        let mut held = self.held(arguments)?;
        let choice = self.choice(&held, &arguments.words("choice")?).await?;
        let path = format!(
            "/v1/sessions/{}/moves?include=actions,view",
            segment(&held.table)
        );
        let call = ApiRequest::send(Method::POST, path, choice);
        let answer = self
            .api
            .call(call.with(Some(&held.token)).in_text())
            .await?;
        if !answer.is_good() {
            let problem = answer.json()?;
            let is_stale = string(&problem, "code") == "stale-version";
            let now = if is_stale {
                self.position(held, "").await?
            } else {
                String::new()
            };
            return Err(format!("{}\n{now}", problem_text(&problem)));
        }
        let now = answer.text();
        held.seen = version_in(&now).unwrap_or(held.seen);
        let has_choices = held.note(&now);
        let advice = match has_choices {
            true => "",
            false if self.state(&held).await?.is_over => OVER,
            false => "Call `wait` for what comes next.\n",
        };
        self.tables.keep(held);
        text(now + advice)
    }

    /// Returns the choice that the model means, as a move.
    async fn choice(&self, held: &HeldSeat, meant: &str) -> Result<Value, String> {
        let meant = meant.trim();
        let bare = meant.trim_start_matches('#');
        let is_number = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && (bare != meant || !held.are_numbers) {
            let ids = held
                .ids
                .as_ref()
                .ok_or("you have seen no choices yet; call `look` first")?;
            return Ok(json!({"id": format!("{ids}.{bare}")}));
        }
        if meant.split('.').count() == 3
            && meant
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
        {
            return Ok(json!({"id": meant}));
        }
        self.choice_with(held, meant).await
    }

    async fn choice_with(&self, held: &HeldSeat, words: &str) -> Result<Value, String> {
        let table = segment(&held.table);
        let words_query = segment(words);
        let path = format!(
            "/v1/sessions/{table}/actions?words={words_query}&fields=version,items.template,items.choices.id,items.choices.label"
        );
        let found = self.ask(held.get(path)).await?.json()?;
        let choices = found
            .pointer("/items/0/choices")
            .and_then(Value::as_array)
            .cloned();
        let choices = choices.unwrap_or_default();
        let given = found.pointer("/items/0");
        let given = given.and_then(|decision| brief::giving(decision, words));
        let version = found.get("version").cloned().unwrap_or_default();
        let given = given.map(|mut choice| {
            if let Some(members) = choice.as_object_mut() {
                members.insert("version".to_owned(), version);
            }
            choice
        });
        let is_meant = |choice: &&Value| string(choice, "label").eq_ignore_ascii_case(words);
        let same: Vec<&Value> = choices.iter().filter(is_meant).collect();
        match (&same[..], &choices[..]) {
            ([only], _) => Ok(json!({"id": string(only, "id")})),
            ([], found) if given.is_some() && (found.is_empty() || is_number(words)) => {
                Ok(given.unwrap_or_default())
            }
            ([], [only]) => Ok(json!({"id": string(only, "id")})),
            ([], []) => Err(no_choice(words)),
            _ => {
                let listed = choices.iter().take(20).map(|choice| {
                    format!("{} {}\n", string(choice, "id"), string(choice, "label"))
                });
                Err(format!(
                    "several choices fit; use an id:\n{}",
                    listed.collect::<String>()
                ))
            }
        }
    }

    async fn wait(&self, arguments: &ToolArguments<'_>) -> Content {
        let held = self.held(arguments)?;
        let seconds = arguments.number("seconds")?.unwrap_or(WAIT_SECONDS);
        let until = Instant::now() + Duration::from_secs(seconds.clamp(1, WAIT_SECONDS_MAX));
        let mut seen = held.seen;
        let due = loop {
            let state = self.state(&held).await?;
            if state.is_due_for(held.seat) {
                break Some(state);
            }
            let left = until.saturating_duration_since(Instant::now()).as_secs();
            if left == 0 {
                break None;
            }
            seen = self
                .next_change(&held, seen.max(state.version), left.min(POLL_SECONDS))
                .await?;
        };
        let happened = self.happened(&held).await?;
        let now = match due {
            Some(state) => {
                let seen = self.position(HeldSeat { seen: 0, ..held }, "").await?;
                seen + if state.is_over { OVER } else { "" }
            }
            None => "Nothing to choose yet; call `wait` again.\n".to_owned(),
        };
        text(happened + &now)
    }

    /// Lists the seats that the model has taken, and, if its key is that of a player, those that the player had before.
    async fn my_games(&self) -> Content {
        if let Some(player) = self.api.player() {
            let path = "/v1/players/me/sessions?limit=50&fields=items.seat,items.session.id";
            let page = self.ask(ApiRequest::get(path)).await?.json()?;
            for item in list(&page, "items") {
                let table = item.pointer("/session/id").and_then(Value::as_str);
                let seat = item.get("seat").and_then(Value::as_u64);
                let seat = seat.and_then(|seat| u8::try_from(seat).ok());
                if let (Some(table), Some(seat)) = (table, seat) {
                    self.tables.meet(table, seat, player);
                }
            }
        }
        let mut lines = String::new();
        for held in self.tables.all() {
            let state = self.state(&held).await;
            let standing = match state {
                Ok(state) if state.is_over => "over",
                Ok(state) if state.is_due_for(held.seat) => "you have to choose",
                Ok(_) => "others have to choose",
                Err(_) => "no longer yours",
            };
            lines += &format!("table {}, seat {}: {standing}\n", held.table, held.seat);
        }
        match lines.is_empty() {
            true => Err("you have no games; open a table with `new_table`".to_owned()),
            false => text(lines),
        }
    }

    async fn state(&self, held: &HeldSeat) -> Result<TableState, String> {
        let path = format!(
            "/v1/sessions/{}/view?fields=version,status,owing",
            segment(&held.table)
        );
        let view = self.ask(held.get(path)).await?.json()?;
        let owing = list(&view, "owing");
        Ok(TableState {
            version: view.get("version").and_then(Value::as_u64).unwrap_or(0),
            is_over: string(&view, "status") == "finished",
            owing: owing.iter().filter_map(Value::as_u64).collect(),
        })
    }

    /// Waits for a change after a version. Returns the latest version that it saw.
    async fn next_change(&self, held: &HeldSeat, after: u64, seconds: u64) -> Result<u64, String> {
        let table = segment(&held.table);
        let path =
            format!("/v1/sessions/{table}/events?limit=1&after={after}&fields=items.version");
        let call = ApiRequest {
            wait: Some(seconds),
            ..held.get(path)
        };
        let page = self.ask(call).await?.json()?;
        let version = page.pointer("/items/0/version").and_then(Value::as_u64);
        Ok(version.unwrap_or(after))
    }

    /// Returns what happened since the model last looked; of a long list, only the end.
    async fn happened(&self, held: &HeldSeat) -> Result<String, String> {
        let table = segment(&held.table);
        let path = format!("/v1/sessions/{table}/events?limit=100&after={}", held.seen);
        let events = self.ask(held.get(path).in_text()).await?.text();
        let lines = events.lines().filter(|line| version_in(line).is_none());
        let lines: Vec<&str> = lines.collect();
        Ok(brief::ending(&lines))
    }

    async fn end(&self, arguments: &ToolArguments<'_>) -> Content {
        let held = self.held(arguments)?;
        let (resource, body) = match arguments.needed("how")? {
            "resign" => ("resignations", json!({})),
            "draw" => ("draw-offers", json!({})),
            "decline_draw" => ("draw-offers", json!({"agree": false})),
            "call_off" => ("abort", json!({})),
            other => return Err(format!("a game does not end by `{other}`")),
        };
        let path = format!("/v1/sessions/{}/{resource}", segment(&held.table));
        let call = ApiRequest::send(Method::POST, path, body);
        text(self.ask(call.with(Some(&held.token))).await?.text())
    }

    async fn result(&self, arguments: &ToolArguments<'_>) -> Content {
        let held = self.tables.find(arguments.text("table")?, None);
        let table = match (arguments.text("table")?, &held) {
            (Some(table), _) => table.to_owned(),
            (None, Some(held)) => held.table.clone(),
            (None, None) => return Err(NO_SEAT.to_owned()),
        };
        let fields = "game,status,version,seats,owing,outcome";
        let path = format!("/v1/sessions/{}?fields={fields}", segment(&table));
        let token = held.as_ref().map(|held| held.token.as_str());
        text(self.ask(ApiRequest::get(path).with(token)).await?.text())
    }
}

/// How a table stands for a seat.
struct TableState {
    version: u64,
    is_over: bool,
    owing: Vec<u64>,
}

impl TableState {
    fn is_due_for(&self, seat: u8) -> bool {
        self.is_over || self.owing.contains(&u64::from(seat))
    }
}

impl HeldSeat {
    /// Notes how the ids of the listed choices begin. Returns whether a text lists choices.
    fn note(&mut self, text: &str) -> bool {
        let begin = text.lines().find_map(|line| {
            let ids = line.rsplit(' ').next()?.strip_suffix(".N")?;
            ids.split('.')
                .all(|part| part.parse::<u64>().is_ok())
                .then(|| ids.to_owned())
        });
        let is_any = begin.is_some();
        self.are_numbers = text.contains(".N\n#");
        if let Some(version) = begin
            .as_ref()
            .and_then(|ids| ids.split('.').next()?.parse().ok())
        {
            self.seen = version;
        }
        self.ids = begin.or(self.ids.take());
        is_any
    }
}

fn is_number(words: &str) -> bool {
    words.trim().parse::<i64>().is_ok()
}
