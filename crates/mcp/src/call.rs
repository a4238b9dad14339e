//! The work of the tools.

use hyper::Method;
use rmcp::model::{ContentBlock, JsonObject};
use serde_json::{Map, Value, json};

use super::arguments::ToolArguments;
use super::client::{ApiRequest, ServerAnswer};
use super::described;
use super::desk::ModelDesk;
use super::picture::{self, PictureForm};
use super::tables::HeldSeat;
use super::texts::{NO_SEAT, list, problem_text, segment, string, whole_lines};
use super::turn::PATIENCE;

/// The answer of a tool. The error is a sentence for the model.
type Content = Result<Vec<ContentBlock>, String>;

/// The letters that rules may take at once.
const LETTERS_MAX: usize = 6_000;
const WAIT_SECONDS: u64 = 30;
const WAIT_SECONDS_MAX: u64 = 50;

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
                let variant = arguments.text("variant")?;
                let game = arguments.needed("game")?;
                text(self.rules(game, variant, words, LETTERS_MAX).await?)
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
    pub(crate) async fn ask(&self, call: ApiRequest<'_>) -> Result<ServerAnswer, String> {
        let answer = self.api.call(call).await?;
        match answer.is_good() {
            true => Ok(answer),
            false => Err(problem_text(&answer.json()?)),
        }
    }

    async fn games(&self, arguments: &ToolArguments<'_>) -> Content {
        if let Some(game) = arguments.text("game")? {
            let path = format!("/v1/games/{}", segment(game));
            let game = self.ask(ApiRequest::get(path)).await?.json()?;
            return text(described::game(&game));
        }
        let path = "/v1/games?limit=100&fields=items.name,items.title,items.players";
        let games = self.ask(ApiRequest::get(path)).await?.json()?;
        let games = list(&games, "items");
        let line = |game: &Value| {
            let name = string(game, "name");
            let seats = described::seats(game);
            format!("{name}: {}, {seats}\n", string(game, "title"))
        };
        text(games.iter().map(line).collect())
    }

    /// Returns the clauses that contain these words, or those whose ids they are.
    pub(crate) async fn rules(
        &self,
        game: &str,
        variant: Option<&str>,
        words: &str,
        letters: usize,
    ) -> Result<String, String> {
        let path = format!("/v1/games/{}", segment(game));
        let found = self.ask(ApiRequest::get(path)).await?.json()?;
        let found = match variant {
            Some(variant) => {
                let variants = list(&found, "variants").iter();
                let named = variants.clone().find(|of| string(of, "name") == variant);
                let names = variants.map(|of| format!("`{}`", string(of, "name")));
                let names = names.collect::<Vec<_>>().join(", ");
                named
                    .ok_or_else(|| format!("`{game}` has no variant `{variant}`; it has {names}"))?
            }
            None => &found,
        };
        let fields = "clauses,kinds.title,kinds.text";
        let path = format!("/v1/rulesets/{}?fields={fields}", string(found, "ruleset"));
        let ruleset = self.ask(ApiRequest::get(path)).await?.json()?;
        let clauses = list(&ruleset, "clauses").iter();
        let kinds = list(&ruleset, "kinds").iter();
        let kinds = kinds.filter(|kind| !string(kind, "text").is_empty());
        let printed =
            kinds.map(|kind| format!("{}: {}", string(kind, "title"), string(kind, "text")));
        let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let is_id = |word: &String| {
            let mut ids = clauses.clone().map(|clause| string(clause, "id"));
            ids.any(|id| id.eq_ignore_ascii_case(word))
        };
        let are_ids = !wanted.is_empty() && wanted.iter().all(is_id);
        let lines =
            clauses.map(|clause| format!("{} {}", string(clause, "id"), string(clause, "text")));
        let is_wanted = |line: &String| {
            let line = line.to_lowercase();
            let id = line.split(' ').next().unwrap_or_default();
            match are_ids {
                true => wanted.iter().any(|word| word == id),
                false => wanted.iter().all(|word| line.contains(word)),
            }
        };
        let lines: Vec<String> = lines.chain(printed).filter(is_wanted).collect();
        if lines.is_empty() {
            return Err(format!("no clause of `{game}` contains `{words}`"));
        }
        let title = format!("{}. {}", string(found, "title"), string(found, "about"));
        let title = wanted.is_empty().then_some(title);
        let lines: Vec<String> = title.into_iter().chain(lines).collect();
        let (kept, left) = whole_lines(&lines, letters);
        if left.is_empty() {
            return Ok(kept);
        }
        let ids = left.iter().filter_map(|line| line.split(' ').next());
        let ids = ids.collect::<Vec<_>>().join(" ");
        Ok(format!(
            "{kept}There is more: `words` takes these ids: {ids}\n"
        ))
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
        let (table, invite) = (string(&made, "id"), made.get("invite_code"));
        let invite = invite.and_then(Value::as_str);
        let mut said = format!("table {table}\n");
        if let Some(invite) = invite {
            said += &format!("invite {invite}\n");
        }
        let sits = arguments.0.get("sit") != Some(&Value::Bool(false));
        if bots < seats.len() as u64 && sits {
            said += &self.sit(table, 1, invite, arguments).await?;
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
            None => {
                if let Some(held) = self.tables.find(Some(table), None) {
                    return text(self.news(held, PATIENCE).await?);
                }
                self.open_seat(table, invite).await?
            }
        };
        text(self.sit(table, seat, invite, arguments).await?)
    }

    /// Takes a seat, and tells what there is to see.
    async fn sit(
        &self,
        table: &str,
        seat: u8,
        invite: Option<&str>,
        arguments: &ToolArguments<'_>,
    ) -> Result<String, String> {
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
        };
        let news = self.news(held, PATIENCE).await?;
        Ok(format!("You have seat {seat}.\n{news}"))
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
            let table = table.filter(|_| !arguments.0.contains_key("seat"));
            let table = table.ok_or(NO_SEAT)?;
            return self.watch(table, arguments.is_set("picture")).await;
        };
        let (table, seat) = (held.table.clone(), held.seat);
        let mut content = text(match arguments.text("words")? {
            Some(words) => self.found_choices(held, words).await?,
            None => self.seen_now(held).await?,
        })?;
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
        let held = self.held(arguments)?;
        text(self.choose(held, &arguments.words("choice")?).await?)
    }

    async fn wait(&self, arguments: &ToolArguments<'_>) -> Content {
        let held = self.held(arguments)?;
        let seconds = arguments.number("seconds")?.unwrap_or(WAIT_SECONDS);
        text(self.news(held, seconds.clamp(1, WAIT_SECONDS_MAX)).await?)
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
            let standing = match &state {
                Ok(state) if state.is_over() => "over",
                Ok(state) if state.is_due_for(held.seat) => "you have to choose",
                Ok(_) => "others have to choose",
                Err(_) => "no longer yours",
            };
            let path = format!("/v1/sessions/{}?fields=game", segment(&held.table));
            let found = self
                .ask(held.get(path))
                .await
                .and_then(|found| found.json());
            let game =
                found.map_or_else(|_| String::new(), |found| string(&found, "game").to_owned());
            let (table, seat) = (&held.table, held.seat);
            lines += &format!("table {table}, {game}, seat {seat}: {standing}\n");
        }
        match lines.is_empty() {
            true => Err("you have no games; open a table with `new_table`".to_owned()),
            false => text(lines),
        }
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
        self.ask(call.with(Some(&held.token))).await?;
        text(self.news(held, 0).await?)
    }

    async fn result(&self, arguments: &ToolArguments<'_>) -> Content {
        let held = self.tables.find(arguments.text("table")?, None);
        let table = match (arguments.text("table")?, &held) {
            (Some(table), _) => table.to_owned(),
            (None, Some(held)) => held.table.clone(),
            (None, None) => return Err(NO_SEAT.to_owned()),
        };
        let path = format!(
            "/v1/sessions/{}?fields=game,status,seats,owing,outcome",
            segment(&table)
        );
        let token = held.as_ref().map(|held| held.token.as_str());
        let found = self.ask(ApiRequest::get(path).with(token)).await?;
        text(described::table(&found.json()?))
    }
}
