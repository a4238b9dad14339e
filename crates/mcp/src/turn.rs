//! A seat's turn: what happened, the position, and the choice that is made.

use std::time::{Duration, Instant};

use hyper::Method;
use serde_json::{Value, json};

use super::client::ApiRequest;
use super::desk::ModelDesk;
use super::tables::HeldSeat;
use super::texts::{
    in_words_of_tools, list, listed_choices, own_id, problem_text, segment, string, told_to,
    version_in,
};
use wyrmgate_authoring::brief::{closeness, giving};

/// How many seconds a move waits for what others do after it.
pub(crate) const PATIENCE: u64 = 5;
/// How long one request waits for a change.
const POLL_SECONDS: u64 = 20;
/// Most choices that are made for the model at once because there is no other.
const FORCED_MAX: usize = 20;
/// Most choices in a refusal, and how many words it leaves out to find them.
const CLOSE_MAX: usize = 12;
const LEFT_OUT_MAX: usize = 4;

const OVER: &str = "The game is over.\n";
const WAIT: &str = "Call `wait` for what comes next.\n";
const NOT_YOURS: &str = "it is not your turn; call `wait`";

/// The position as a seat sees it, and its version.
struct PositionText {
    text: String,
    version: u64,
}

impl ModelDesk<'_> {
    async fn position(&self, held: &HeldSeat) -> Result<PositionText, String> {
        let path = format!("/v1/sessions/{}/view?include=actions", segment(&held.table));
        let seen = self.ask(held.get(path).in_text()).await?;
        Ok(PositionText {
            text: seen.text(),
            version: seen.version,
        })
    }

    /// Shows the position. The next move or `wait` tells the events since the last text.
    pub(crate) async fn seen_now(&self, mut held: HeldSeat) -> Result<String, String> {
        let seen = self.position(&held).await?;
        let state = self.state(&held).await?;
        held.note(&seen.text);
        let said = in_words_of_tools(&seen.text) + state.advice(held.seat);
        self.tables.keep(held);
        Ok(said)
    }

    /// Tells what happened since the model last heard of the game, and the position after it: as soon as the seat has to
    /// choose or the game is over, and at last after some seconds. A choice without another one is made.
    pub(crate) async fn news(&self, mut held: HeldSeat, seconds: u64) -> Result<String, String> {
        let until = Instant::now() + Duration::from_secs(seconds);
        let mut forced = 0;
        let (seen, state) = loop {
            let seen = self.position(&held).await?;
            let state = self.state(&held).await?;
            let is_forced = own_id(&seen.text).filter(|_| forced < FORCED_MAX && seconds > 0);
            if state.version != seen.version {
                continue;
            }
            if let Some(id) = is_forced.filter(|_| state.is_due_for(held.seat)) {
                self.send(&held, json!({"id": id})).await.ok();
                forced += 1;
                continue;
            }
            let left = until.saturating_duration_since(Instant::now()).as_secs();
            if state.status != "running" || state.is_due_for(held.seat) || left == 0 {
                break (seen, state);
            }
            self.next_change(&held, seen.version, left.min(POLL_SECONDS))
                .await?;
        };
        let happened = self.happened(&held, seen.version).await?;
        held.seen = seen.version;
        held.note(&seen.text);
        let said = happened + &in_words_of_tools(&seen.text) + state.advice(held.seat);
        self.tables.keep(held);
        Ok(said)
    }

    /// Lists the events after the last version of which the model heard, to this one.
    async fn happened(&self, held: &HeldSeat, version: u64) -> Result<String, String> {
        let (table, mut at) = (segment(&held.table), held.seen);
        let mut lines = String::new();
        while at < version {
            let path = format!("/v1/sessions/{table}/events?limit=100&after={at}");
            let events = self.ask(held.get(path).in_text()).await?.text();
            let before = at;
            for line in events.lines() {
                at = version_in(line).unwrap_or(at);
                if at <= version && version_in(line).is_none() {
                    lines += &format!("{line}\n");
                }
            }
            if at == before {
                break;
            }
        }
        Ok(lines)
    }

    /// Makes the choice that the model means, and tells what follows.
    pub(crate) async fn choose(&self, held: HeldSeat, meant: &str) -> Result<String, String> {
        let choice = self.choice(&held, meant.trim()).await?;
        match self.send(&held, choice).await {
            Ok(()) => self.news(held, PATIENCE).await,
            Err(problem) if string(&problem, "code") == "stale-version" => {
                let now = self.news(held, 0).await?;
                Err(format!(
                    "stale-version: your move was not made, because the table has changed:\n{now}"
                ))
            }
            Err(problem) if string(&problem, "code") == "not-your-turn" => {
                Err(NOT_YOURS.to_owned())
            }
            Err(problem) => Err(problem_text(&problem)),
        }
    }

    /// Sends a choice. The error is the problem.
    async fn send(&self, held: &HeldSeat, choice: Value) -> Result<(), Value> {
        let path = format!("/v1/sessions/{}/moves?fields=version", segment(&held.table));
        let call = ApiRequest::send(Method::POST, path, choice);
        let failed = |said: String| json!({"code": "no-answer", "detail": said});
        let answer = self.api.call(call.with(Some(&held.token))).await;
        let answer = answer.map_err(failed)?;
        match answer.is_good() {
            true => Ok(()),
            false => Err(answer.json().map_err(failed)?),
        }
    }

    /// Returns the choice that the model means, as a move.
    async fn choice(&self, held: &HeldSeat, meant: &str) -> Result<Value, String> {
        let are_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = meant.trim_start_matches('#');
        if are_digits(number) {
            let ids = held.ids.as_ref();
            let ids = ids.ok_or("you have seen no choices yet; call `look` first")?;
            if number == meant {
                if let Some(given) = self.given(held, number).await? {
                    return Ok(given);
                }
                self.refuse_label(held, number).await?;
            }
            return Ok(json!({"id": format!("{ids}.{number}")}));
        }
        if matches!(meant.split('.').count(), 3 | 4) && meant.split('.').all(are_digits) {
            return Ok(json!({"id": meant}));
        }
        self.choice_with(held, meant).await
    }

    /// Returns the choice in which the model gives this value, if it can give one.
    async fn given(&self, held: &HeldSeat, meant: &str) -> Result<Option<Value>, String> {
        let table = segment(&held.table);
        let fields = "limit=1&fields=version,items.template";
        let path = format!("/v1/sessions/{table}/actions?{fields}");
        let found = self.ask(held.get(path)).await?.json()?;
        let decision = found.pointer("/items/0");
        let mut given = decision.and_then(|decision| giving(decision, meant));
        if let Some(members) = given.as_mut().and_then(Value::as_object_mut) {
            let version = found.get("version").cloned().unwrap_or_default();
            members.insert("version".to_owned(), version);
        }
        Ok(given)
    }

    /// Refuses a bare number that is the last word of another choice than the one with this number in the list.
    async fn refuse_label(&self, held: &HeldSeat, number: &str) -> Result<(), String> {
        let found = self.search(held, number).await?;
        let ends = |line: &&String| line.rsplit(' ').next() == Some(number);
        let mut labels = listed_choices(&found).filter(|(_, words)| ends(&words));
        let only = labels.next().filter(|_| labels.next().is_none());
        let Some((other, words)) = only.filter(|(other, _)| other != number) else {
            return Ok(());
        };
        Err(format!(
            "`{number}` could mean #{number} of the list, or `{words}`, which is #{other}; answer with `#{number}` or \
             `#{other}`"
        ))
    }

    /// Returns the choices with these words as text.
    async fn search(&self, held: &HeldSeat, words: &str) -> Result<String, String> {
        let table = segment(&held.table);
        let words: String = words.chars().take(200).collect();
        let path = format!("/v1/sessions/{table}/actions?words={}", segment(&words));
        Ok(self.ask(held.get(path).in_text()).await?.text())
    }

    pub(crate) async fn found_choices(
        &self,
        mut held: HeldSeat,
        words: &str,
    ) -> Result<String, String> {
        let found = self.search(&held, words).await?;
        if !held.note(&found) {
            return Err(self.nothing_with(&held, words).await?);
        }
        self.tables.keep(held);
        Ok(in_words_of_tools(&found))
    }

    async fn choice_with(&self, held: &HeldSeat, words: &str) -> Result<Value, String> {
        let found = self.search(held, words).await?;
        let Some(ids) = told_to(&found) else {
            if let Some(given) = self.given(held, words).await? {
                return Ok(given);
            }
            return Err(self.nothing_with(held, words).await?);
        };
        let distance = |label: &str| closeness(label, words);
        let least = listed_choices(&found)
            .filter_map(|(_, label)| distance(&label))
            .min();
        let closest = listed_choices(&found).filter(|(_, label)| distance(label) == least);
        match &closest.collect::<Vec<_>>()[..] {
            [(number, _)] => Ok(json!({"id": format!("{ids}.{number}")})),
            several => Err(format!(
                "several choices fit; answer with one of these:\n{}",
                lines(several)
            )),
        }
    }

    /// Says why no choice has these words, and which have the first of them.
    async fn nothing_with(&self, held: &HeldSeat, words: &str) -> Result<String, String> {
        if !self.state(held).await?.is_due_for(held.seat) {
            return Ok(NOT_YOURS.to_owned());
        }
        let mut said = format!("no choice contains `{words}`; call `look` for your choices");
        let all: Vec<&str> = words.split_whitespace().collect();
        for kept in (1..all.len()).rev().take(LEFT_OUT_MAX) {
            let less = all.iter().take(kept).copied().collect::<Vec<_>>().join(" ");
            let found = self.search(held, &less).await?;
            let near: Vec<(String, String)> = listed_choices(&found).collect();
            if !near.is_empty() {
                said += &format!(". With `{less}`:\n{}", lines(&near));
                break;
            }
        }
        Ok(said)
    }

    pub(crate) async fn state(&self, held: &HeldSeat) -> Result<TableState, String> {
        let path = format!(
            "/v1/sessions/{}/view?fields=version,status,owing",
            segment(&held.table)
        );
        let view = self.ask(held.get(path)).await?.json()?;
        let owing = list(&view, "owing");
        Ok(TableState {
            version: view.get("version").and_then(Value::as_u64).unwrap_or(0),
            status: string(&view, "status").to_owned(),
            owing: owing.iter().filter_map(Value::as_u64).collect(),
        })
    }

    /// Waits for a change after a version.
    async fn next_change(&self, held: &HeldSeat, after: u64, seconds: u64) -> Result<(), String> {
        let table = segment(&held.table);
        let path =
            format!("/v1/sessions/{table}/events?limit=1&after={after}&fields=items.version");
        let call = ApiRequest {
            wait: Some(seconds),
            ..held.get(path)
        };
        self.ask(call).await.map(|_| ())
    }
}

fn lines(choices: &[(String, String)]) -> String {
    let listed = choices.iter().take(CLOSE_MAX);
    let listed = listed.map(|(number, label)| format!("#{number} {label}\n"));
    let more = choices.len().saturating_sub(CLOSE_MAX);
    let more = (more > 0).then(|| format!("and {more} more\n"));
    listed.chain(more).collect()
}

/// How a table stands.
pub(crate) struct TableState {
    version: u64,
    status: String,
    owing: Vec<u64>,
}

impl TableState {
    pub fn is_over(&self) -> bool {
        self.status == "finished"
    }

    pub fn is_due_for(&self, seat: u8) -> bool {
        self.owing.contains(&u64::from(seat))
    }

    fn advice(&self, seat: u8) -> &'static str {
        match (self.is_over(), self.is_due_for(seat)) {
            (true, _) => OVER,
            (false, true) => "",
            (false, false) => WAIT,
        }
    }
}

impl HeldSeat {
    /// Notes how the ids of the listed choices begin. Returns whether a text lists choices.
    fn note(&mut self, text: &str) -> bool {
        let ids = told_to(text);
        let is_any = ids.is_some();
        self.ids = ids.or(self.ids.take());
        is_any
    }
}
