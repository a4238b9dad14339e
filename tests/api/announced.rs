//! An undo never goes back past what a seat was told of a hidden pile. Overlays of shipped games announce the top of the
//! pile after a choice (`tests/fixtures/undo/announced.yaml`). The test has its own idea of what is news, which knows
//! nothing of how the engine finds it: an announcement is news to a seat if another component of the pile that the seat
//! has never seen, nor been told of, would have been announced otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use reqwest::StatusCode;
use serde_json::{Value, json};
use wyrmgate::config::Config;
use wyrmgate::engine::{
    self, AssignmentTarget, Choice, Collect, Event, Pending, Seeded, State, Viewer,
};
use wyrmgate::program::Program;
use wyrmgate::rules::{Ruleset, variant};
use wyrmgate::view::event_doc;

use super::information::Game;
use super::support::{Server, Session, config, expect, shipped};

/// Games of each overlay, and choices of each game.
const GAMES: u8 = 12;
const CHOICES: usize = 60;
/// The same over HTTP.
const HTTP_GAMES: u8 = 2;
const HTTP_CHOICES: usize = 12;

pub struct Announcing {
    pub game: String,
    pub seats: usize,
    pub pile: String,
    pub when: String,
    pub tells: bool,
    /// The overlay as YAML.
    pub text: String,
}

impl Announcing {
    pub fn all() -> Vec<Announcing> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/undo/announced.yaml");
        let text = std::fs::read_to_string(file).unwrap();
        let all: Vec<Value> = serde_yaml::from_str(&text).unwrap();
        let read = |one: &Value| {
            let game = one["game"].as_str().unwrap();
            Announcing {
                game: game.to_owned(),
                seats: one["seats"].as_u64().unwrap() as usize,
                pile: one["pile"].as_str().unwrap().to_owned(),
                when: one["when"].as_str().unwrap().to_owned(),
                tells: one["tells"].is_null(),
                text: format!("extends: {game}\nadd: {}\n", one["add"]), // JSON is YAML
            }
        };
        all.iter().map(read).collect()
    }

    fn program(&self) -> Arc<Program> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("announced.yaml");
        std::fs::write(&file, &self.text).unwrap();
        let stack = variant(&shipped().join(&self.game), &file, &shipped()).unwrap();
        let loaded = Ruleset::from_stack(&stack).unwrap();
        let ruleset = loaded.unwrap_or_else(|broken| panic!("{}", broken.findings()));
        ruleset.program(self.seats, &Default::default()).unwrap()
    }
}

/// The announcements about the component on top: texts that begin with "Told", and the variable `told`.
type Told = (BTreeSet<String>, Option<i32>);

/// A choice, what was announced after it, and of which component.
struct Announced {
    told: Told,
    top: i32,
}

struct Observed<'p> {
    program: &'p Program,
    pile: i32,
    /// By seat: the components that it has seen at any time.
    seen: Vec<BTreeSet<i32>>,
    /// Components that were announced.
    announced: BTreeSet<i32>,
}

impl<'p> Observed<'p> {
    fn begin(program: &'p Program, pile: &str, state: &State) -> Observed<'p> {
        let mut observed = Observed {
            program,
            pile: zone_of(program, pile),
            seen: vec![BTreeSet::new(); program.seats],
            announced: BTreeSet::new(),
        };
        observed.look(state);
        observed
    }

    fn look(&mut self, state: &State) {
        for (seat, seen) in (0..).zip(&mut self.seen) {
            let components = 0..self.program.components.len() as i32;
            seen.extend(components.filter(|one| engine::sees(self.program, state, seat, *one)));
        }
    }

    /// Returns the announcements after this choice, without a shuffle of the pile.
    fn announced(&self, before: &State, pending: Pending, choice: &Choice) -> Option<Announced> {
        let mut after = before.clone();
        let mut heard = Collect::default();
        let chance = &mut Seeded;
        let (program, index) = (self.program, pending.index);
        engine::step(program, &mut after, index, choice, chance, &mut heard).unwrap();
        let lies = |state: &State| state.members(self.pile).collect::<Vec<i32>>();
        let top = *lies(before).last()?;
        let told = told(program, &after, &heard.0);
        let is_announced = !told.0.is_empty() || told.1.is_some();
        (is_announced && lies(before) == lies(&after)).then_some(Announced { told, top })
    }

    /// Is it news to any seat? `facts` says how every component would be announced.
    fn is_news(&self, state: &State, announced: &Announced, facts: &BTreeMap<i32, Told>) -> bool {
        let is_unknown =
            |seat: &BTreeSet<i32>, one: &i32| !seat.contains(one) && !self.announced.contains(one);
        let differs = |one: &i32| facts.get(one).is_some_and(|told| *told != announced.told);
        self.seen.iter().any(|seat| {
            let mut others = state.members(self.pile).filter(|one| is_unknown(seat, one));
            is_unknown(seat, &announced.top) && others.any(|one| differs(&one))
        })
    }
}

/// The only zone of this name.
fn zone_of(program: &Program, name: &str) -> i32 {
    let family = program.families.iter().find(|family| family.name == name);
    i32::from(family.unwrap().first)
}

fn told(program: &Program, after: &State, events: &[Event]) -> Told {
    let docs = events
        .iter()
        .filter_map(|event| event_doc(program, event, Viewer::Public));
    let texts = docs.filter_map(|doc| {
        let doc = serde_json::to_value(doc).unwrap();
        let text = doc["text"].as_str()?;
        text.starts_with("Told").then(|| text.to_owned())
    });
    let given = events.iter().rev().find_map(|event| match event {
        Event::Given {
            to: AssignmentTarget::Var { var, .. },
            ..
        } => program.var(*var).filter(|var| var.name == "told"),
        _ => None,
    });
    (texts.collect(), given.map(|var| after.var(var.offset)))
}

/// How every component is announced, as far as it happened in some games.
fn facts(program: &Program, pile: &str) -> BTreeMap<i32, Told> {
    let mut facts = BTreeMap::new();
    for seed in 100..140 {
        let mut game = Game::begin(program, seed);
        let observed = Observed::begin(program, pile, game.state());
        for _ in 0..CHOICES {
            let Some((pending, choice)) = game.next() else {
                break;
            };
            if let Some(announced) = observed.announced(game.state(), pending, &choice) {
                let known = facts.insert(announced.top, announced.told.clone());
                assert!(known.is_none_or(|known| known == announced.told));
            }
            game.take(pending, choice);
        }
    }
    facts
}

/// How often something was announced.
#[derive(Debug, Default)]
struct Count {
    news: u32,
    old: u32,
    /// Of the old ones, those that can be taken back.
    free: u32,
}

fn play(
    announcing: &Announcing,
    program: &Program,
    facts: &BTreeMap<i32, Told>,
    count: &mut Count,
    seed: u8,
) {
    let mut game = Game::begin(program, seed);
    let mut observed = Observed::begin(program, &announcing.pile, game.state());
    for number in 0..CHOICES {
        let Some((pending, choice)) = game.next() else {
            break;
        };
        if let Some(announced) = observed.announced(game.state(), pending, &choice) {
            let is_news = observed.is_news(game.state(), &announced, facts);
            let informs = game.is_informative(pending, &choice);
            let (name, when, told) = (&announcing.game, &announcing.when, &announced.told);
            assert!(
                informs || !is_news,
                "{name}, {when}: choice {number} of seed {seed} announced {told:?}, and can be taken back"
            );
            count.news += u32::from(is_news);
            count.old += u32::from(!is_news);
            count.free += u32::from(!informs);
            observed.announced.insert(announced.top);
        }
        game.take(pending, choice);
        observed.look(game.state());
    }
}

#[test]
fn no_undo_goes_back_past_an_announced_component_of_a_hidden_pile() {
    for announcing in Announcing::all() {
        let (program, mut count) = (announcing.program(), Count::default());
        let facts = facts(&program, &announcing.pile);
        (0..GAMES).for_each(|seed| play(&announcing, &program, &facts, &mut count, seed));
        println!("{}, {}: {count:?}", announcing.game, announcing.when);
        match announcing.tells {
            true => assert!(count.news > 4, "{}: {count:?}", announcing.when),
            false => assert!(
                count.news == 0 && count.free > 4,
                "{}: {count:?}",
                announcing.when
            ),
        }
    }
}

/// The same over HTTP, by the session's own undo.
#[tokio::test]
async fn over_http_too() {
    let server = Server::with(Config {
        rules: shipped(),
        ..config()
    })
    .await;
    let (mut refused, mut undone) = (0, 0);
    for announcing in Announcing::all() {
        let files = json!({"files": {"announced.yaml": announcing.text}});
        let kept = server.post("/v1/rulesets", files).send().await.unwrap();
        let kept = expect(kept, StatusCode::CREATED).await;
        for seed in 0..HTTP_GAMES {
            let seats = vec!["open"; announcing.seats];
            let seed = format!("{seed:064x}");
            let wanted =
                json!({"ruleset": kept["digest"], "seats": seats, "undo": "free", "seed": seed});
            let session = server.create(wanted).await;
            let mut tokens = Vec::new();
            for seat in 1..=announcing.seats {
                tokens.push(session.claim(seat as u8).await);
            }
            let mut told = BTreeSet::new();
            for number in 0..HTTP_CHOICES {
                let Some((token, choices)) = to_move(&session, &tokens).await else {
                    break;
                };
                let version = session.version().await;
                let id = &choices[(number * 5) % choices.len()];
                expect(
                    session.move_by(token, json!({"id": id})).await,
                    StatusCode::CREATED,
                )
                .await;
                let news = told_since(&session, version).await;
                if !news.iter().any(|text| told.insert(text.clone())) {
                    continue;
                }
                let undo = server.post(&session.at("/undos"), json!({"to": version}));
                let status = undo.bearer_auth(token).send().await.unwrap().status();
                match announcing.tells {
                    true => assert_eq!(
                        status,
                        StatusCode::CONFLICT,
                        "{}: {news:?}",
                        announcing.when
                    ),
                    false => assert!(status == StatusCode::OK || status == StatusCode::CONFLICT),
                }
                match status {
                    StatusCode::OK => undone += 1,
                    _ => refused += 1,
                }
            }
        }
    }
    println!("{refused} refused, {undone} undone");
    assert!(refused > 10 && undone > 0, "{refused} {undone}");
}

/// A seat that owes a decision, and what it can choose.
async fn to_move<'t>(
    session: &Session<'_>,
    tokens: &'t [String],
) -> Option<(&'t String, Vec<String>)> {
    for token in tokens {
        let choices = session.choices(token).await;
        if !choices.is_empty() {
            return Some((token, choices));
        }
    }
    None
}

/// Returns the public announcements after a version.
async fn told_since(session: &Session<'_>, version: u64) -> Vec<String> {
    let page = session.get(&format!("/events?after={version}"), None).await;
    let changes = page["items"].as_array().unwrap().iter();
    let events = changes.flat_map(|change| change["events"].as_array().unwrap());
    let told = events.filter_map(|event| match event["type"].as_str()? {
        "said" => Some(event["text"].as_str()?.to_owned()).filter(|text| text.starts_with("Told")),
        "set" => (event["var"] == "told").then(|| event["value"].to_string()),
        _ => None,
    });
    told.collect()
}
