//! Models that are played over HTTP, and copies of them until there are enough.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::stream::{self, StreamExt};
use serde_json::Value;
use wyrmgate::store::{Image, Item, Store, session_id};

use crate::client::Client;
use crate::servers::Redis;

const MODELS: usize = 200;
/// Imports at the same time.
const AT_ONCE: usize = 128;
/// A game that goes on longer counts as over.
const MOVES_MAX: usize = 400;
/// Copies that are measured with; more need not be remembered.
const REMEMBERED: usize = 200_000;

pub struct Models {
    played: Vec<Model>,
    images: HashMap<String, Image>,
    copies: Vec<Copied>,
    written: usize,
    /// What Redis used when there were only the models, in bytes.
    pub memory_before: f64,
}

struct Model {
    id: String,
    tokens: Vec<String>,
    version: u64,
    owing: Option<u64>,
    moves: usize,
}

/// A running session that moves can be made in.
#[derive(Clone)]
pub struct Copied {
    pub id: String,
    pub tokens: Arc<[String]>,
}

impl Models {
    pub async fn play(address: &str, game: &str) -> Models {
        let mut client = Client::connect(address).await;
        let mut played = Vec::new();
        for number in 0..MODELS {
            played.push(Model::play(&mut client, game, number).await);
        }
        Models {
            played,
            images: HashMap::new(),
            copies: Vec::new(),
            written: 0,
            memory_before: 0.0,
        }
    }

    pub async fn read(&mut self, store: &dyn Store) {
        let ids: std::collections::HashSet<_> =
            self.played.iter().map(|model| model.id.clone()).collect();
        let mut items = store.export().await.expect("the store is read");
        while let Some(item) = items.recv().await {
            if let Item::Session(image) = item.expect("the store is read")
                && ids.contains(&image.session)
            {
                self.images.insert(image.session.clone(), *image);
            }
        }
        assert_eq!(self.images.len(), MODELS);
    }

    pub fn count(&self) -> usize {
        self.played.len()
    }

    /// Copies, those that no move can be made in included.
    pub fn written(&self) -> usize {
        self.written
    }

    pub fn moves_on_average(&self) -> usize {
        let running = self.played.iter().filter(|model| model.owing.is_some());
        let moves: Vec<_> = running.map(|model| model.moves).collect();
        moves.iter().sum::<usize>() / moves.len().max(1)
    }

    pub fn copies(&self) -> &[Copied] {
        &self.copies
    }

    /// The next copy of the next model.
    fn copy(&mut self) -> Image {
        let model = &self.played[self.written % MODELS];
        let mut image = self.images[&model.id].clone();
        image.session = session_id(None).expect("randomness");
        if model.owing.is_some() && self.copies.len() < REMEMBERED {
            self.copies.push(Copied {
                id: image.session.clone(),
                tokens: model.tokens.clone().into(),
            });
        }
        self.written += 1;
        image
    }
}

impl Model {
    /// Of ten models five are being played, two with a clock besides, one waits for a player, and two are over.
    async fn play(client: &mut Client, game: &str, number: usize) -> Model {
        let clock = match number % 10 {
            5 | 6 => r#","clock":{"decision_ms":259200000}"#,
            _ => "",
        };
        let order = format!(r#"{{"game":"{game}","seats":["open","open"]{clock}}}"#);
        let session = parsed(client.call("POST", "/v1/sessions", "", &order).await);
        let id = session["id"].as_str().expect("an id").to_owned();
        let mut model = Model {
            id,
            tokens: Vec::new(),
            version: 0,
            owing: None,
            moves: 0,
        };
        let seats = if number % 10 == 7 { 1 } else { 2 };
        for seat in 1..=seats {
            let path = format!("/v1/sessions/{}/seats/{seat}", model.id);
            let claimed = parsed(client.call("PUT", &path, "", "{}").await);
            model
                .tokens
                .push(claimed["token"].as_str().expect("a token").to_owned());
        }
        let moves = match number % 10 {
            7 => 0,
            8 | 9 => MOVES_MAX,
            _ => 2 + number % 37,
        };
        model.make(client, moves).await;
        model
    }

    async fn make(&mut self, client: &mut Client, moves: usize) {
        let path = format!("/v1/sessions/{}", self.id);
        let mut now = parsed(client.call("GET", &path, "", "").await);
        loop {
            self.version = now["version"].as_u64().expect("a version");
            self.owing = now["owing"][0].as_u64();
            let Some(seat) = self.owing.filter(|_| self.moves < moves) else {
                return;
            };
            let choice = format!(r#"{{"id":"{}.{seat}.0"}}"#, self.version);
            let token = self.tokens[seat as usize - 1].clone();
            let path = format!("{path}/moves");
            now = parsed(client.call("POST", &path, &token, &choice).await);
            self.moves += 1;
        }
    }
}

/// Until there are so many, or the memory is used up.
pub async fn fill(
    store: &Arc<dyn Store>,
    models: &mut Models,
    count: usize,
    redis: &Redis,
    gigabytes: f64,
) {
    if models.written == 0 {
        models.memory_before = redis.memory().await;
    }
    let began = Instant::now();
    let mut told = Instant::now();
    let before = models.written;
    while models.written < count {
        let batch = (count - models.written).min(10_000);
        let images: Vec<_> = (0..batch).map(|_| models.copy()).collect();
        write(store, images).await;
        if redis.memory().await > gigabytes * 1e9 {
            println!("the memory is used up at {} sessions", models.written);
            return;
        }
        if told.elapsed() > Duration::from_secs(10) {
            told = Instant::now();
            println!("  {} of {count} sessions", models.written);
        }
    }
    let rate = (models.written - before) as f64 / began.elapsed().as_secs_f64();
    println!("{} sessions, filled at {rate:.0}/s", models.written);
}

async fn write(store: &Arc<dyn Store>, images: Vec<Image>) {
    let imports = stream::iter(images).map(|image| {
        let store = store.clone();
        tokio::spawn(async move { store.import(image).await.expect("it is written") })
    });
    let mut imports = imports.buffer_unordered(AT_ONCE);
    while let Some(done) = imports.next().await {
        done.expect("it is written");
    }
}

/// Sessions that end in a while, one after the other.
pub async fn expiring(
    store: &Arc<dyn Store>,
    models: &Models,
    count: usize,
    from_ms: u64,
    within: Duration,
) {
    let images = (0..count).map(|number| {
        let model = &models.played[number % MODELS];
        let mut image = models.images[&model.id].clone();
        image.session = session_id(None).expect("randomness");
        let at = within.as_millis() as u64 * number as u64 / count as u64;
        image.record.expires_at_ms = Some(from_ms + at);
        image
    });
    write(store, images.collect()).await;
}

pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("after 1970").as_millis() as u64
}

fn parsed(answer: &str) -> Value {
    serde_json::from_str(answer).expect("an answer in JSON")
}
