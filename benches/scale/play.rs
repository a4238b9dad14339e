//! One session, played over HTTP as players do.

use jiff::Timestamp;
use serde_json::Value;

use crate::client::Client;
use crate::kinds::{DECISION_MS, Kind};

/// A session, as far as its players know it.
pub struct Played {
    pub id: String,
    pub tokens: Vec<String>,
    pub version: u64,
    /// The seat to move; `None` while a session waits for players, and when it is over.
    pub owing: Option<u64>,
    pub created_at_ms: i64,
    pub moves: usize,
}

impl Played {
    pub async fn play(client: &mut Client, kind: &Kind) -> Played {
        let clock = match kind.has_clock {
            true => format!(r#","clock":{{"decision_ms":{DECISION_MS}}}"#),
            false => String::new(),
        };
        let order = format!(
            r#"{{"game":"{}","seats":["open","open"]{clock}}}"#,
            kind.game
        );
        let session = parsed(client.call("POST", "/v1/sessions", "", &order).await);
        let created_at: Timestamp = text(&session, "created_at").parse().expect("a time");
        let mut played = Played {
            id: text(&session, "id").to_owned(),
            tokens: Vec::new(),
            version: 0,
            owing: None,
            created_at_ms: created_at.as_millisecond(),
            moves: 0,
        };
        for seat in 1..=kind.seats {
            let path = format!("/v1/sessions/{}/seats/{seat}", played.id);
            let claimed = parsed(client.call("PUT", &path, "", "{}").await);
            played.tokens.push(text(&claimed, "token").to_owned());
        }
        if kind.seats > 1 {
            let path = format!("/v1/sessions/{}", played.id);
            let now = parsed(client.call("GET", &path, "", "").await);
            played.follow(&now);
        }
        while played.moves < kind.moves && played.owing.is_some() {
            played.make_a_move(client).await;
        }
        played
    }

    /// Makes the first choice of the first seat that owes a decision, if there is one.
    pub async fn make_a_move(&mut self, client: &mut Client) {
        let Some(seat) = self.owing else {
            return;
        };
        let choice = format!(r#"{{"id":"{}.{seat}.0"}}"#, self.version);
        let path = format!("/v1/sessions/{}/moves", self.id);
        let token = &self.tokens[seat as usize - 1];
        let now = parsed(client.call("POST", &path, token, &choice).await);
        self.follow(&now);
        self.moves += 1;
    }

    pub fn follow(&mut self, now: &Value) {
        self.version = now["version"].as_u64().expect("a version");
        self.owing = now["owing"][0].as_u64();
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().expect("a text")
}

fn parsed(answer: &str) -> Value {
    serde_json::from_str(answer).expect("an answer in JSON")
}
