//! People who play a game with clocks over several nodes: they come back with the same key until they are answered, and
//! whoever is too slow is played for.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_local;
use tokio::time::{sleep, timeout};
use wyrmgate::dice::Dice;
use wyrmgate::metrics::Metrics;
use wyrmgate::rules::{Library, Ruleset};
use wyrmgate::session::{
    Answered, Answers, ChoiceId, ChoiceOrder, Claim, Clock, Duty, EventCursor, Happening, Key,
    Live, Made, Move, Order, Past, Refusal, Seat, Service, Stage, Terms, Token, Visibility,
};
use wyrmgate::store::{Bytes, Digest, Entry, Store, session_id};

use crate::clock;
use crate::history::{Break, Line, Outcome, mark_in};
use crate::world::{Node, World};

/// A small game of two with a default for each decision.
const GAME: &str = "wink";
const SEATS: u8 = 2;
/// For one decision.
const DECISION_MS: u64 = 700;
/// As the service has it: an answer on its way still counts.
const GRACE_MS: u64 = 250;
/// When nothing goes wrong, nobody is played for later than this.
const LATE_MS: u64 = 1_000;
/// A game that has not ended by then is left.
const MOVES_MAX: u64 = 12;

thread_local! {
    static LIBRARY: Arc<Library> = {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rules");
        Arc::new(Library::read(&folder).unwrap().0)
    };
}

fn ruleset() -> Arc<Ruleset> {
    LIBRARY.with(|library| library.game(GAME).unwrap())
}

/// What a node does for its people.
pub fn service(store: Arc<dyn Store>) -> Arc<Service> {
    let library = LIBRARY.with(Arc::clone);
    Arc::new(Service::new(
        store,
        library,
        Arc::new(Metrics::default()),
        Duration::from_secs(3_600),
    ))
}

struct Person {
    seat: u8,
    dice: RefCell<Dice>,
    token: RefCell<Option<Token>>,
    /// What is wanted, until it is known what has become of it.
    wish: RefCell<Option<(ChoiceId, Digest)>>,
    moves: Cell<u64>,
}

/// Notes each attempt right before it is written.
struct Noting {
    world: Rc<World>,
    session: String,
    key: Digest,
}

// The service asks for no more than this of whoever answers.
impl Answers for Noting {
    fn made(&self, made: &Made) -> Bytes {
        let mark = made.live.mark;
        self.world.history.borrow_mut().attempt(
            mark,
            &self.session,
            Some(self.key),
            made.is_public,
        );
        mark.to_string().as_bytes().into()
    }
}

fn digest(world: &World, words: &[u64]) -> Digest {
    let seed = [world.plan.seed, 7];
    let bytes: Vec<u8> = seed
        .iter()
        .chain(words)
        .flat_map(|word| word.to_le_bytes())
        .collect();
    *blake3::hash(&bytes).as_bytes()
}

fn key(digest: Digest) -> Key {
    Key {
        digest,
        fingerprint: digest,
    }
}

fn session(world: &World) -> String {
    session_id(Some(&digest(world, &[1]))).unwrap()
}

pub fn employ(world: &Rc<World>) {
    for seat in 1..=SEATS {
        let person = Rc::new(Person {
            seat,
            dice: RefCell::new(Dice::new(world.below(u64::MAX))),
            token: RefCell::default(),
            wish: RefCell::default(),
            moves: Cell::new(0),
        });
        let run = Rc::new(
            move |node: Node| -> futures_util::future::LocalBoxFuture<'static, ()> {
                Box::pin(play(node, person.clone()))
            },
        );
        world.employ(format!("seat {seat}"), true, run);
    }
    for at in 0..world.plan.nodes {
        let run = Rc::new(
            |node: Node| -> futures_util::future::LocalBoxFuture<'static, ()> {
                Box::pin(keep_time(node))
            },
        );
        world.employ_on(at, format!("clock of {at}"), false, run);
    }
    let line = Rc::new(RefCell::new(Line::default()));
    world
        .lines
        .borrow_mut()
        .push((session(world), line.clone()));
    let run = Rc::new(
        move |node: Node| -> futures_util::future::LocalBoxFuture<'static, ()> {
            Box::pin(listen(node, line.clone()))
        },
    );
    world.employ_on(0, "listener".to_owned(), false, run);
}

/// What the program does in the background.
async fn keep_time(node: Node) {
    let mut watch = node.service.watch(Duty::Clocks).unwrap();
    while let Some(turn) = watch.next().await {
        let node = node.clone();
        spawn_local(async move {
            // One that fails is offered again.
            let _ = node
                .writing(node.service.perform(Duty::Clocks, &turn.session))
                .await;
        });
    }
}

async fn play(node: Node, me: Rc<Person>) {
    let below = |n: u64| me.dice.borrow_mut().below(n);
    loop {
        let patience = Duration::from_millis([300, 4_000][below(2) as usize]);
        let step = node.writing(step(&node, &me));
        if timeout(patience, step).await == Ok(true) {
            return;
        }
        // Now and then longer than the clock allows.
        let pause = [below(100), below(600), below(2_000)][below(3) as usize];
        sleep(Duration::from_millis(pause)).await;
    }
}

/// Whether the game is over, for this person.
async fn step(node: &Node, me: &Person) -> bool {
    let service = &node.service;
    let id = session(&node.world);
    let wish = *me.wish.borrow();
    if let Some((choice, key)) = wish {
        settle(node, me, &id, choice, key).await;
        return false;
    }
    let live = match service.load(&id).await {
        Ok(live) => live,
        Err(Refusal::NotFound) => {
            // Both come with the same key.
            let _ = service
                .create(&order(), Some(&key(digest(&node.world, &[1]))))
                .await;
            return false;
        }
        Err(_) => return false,
    };
    if live.stage() == Stage::Finished || me.moves.get() >= MOVES_MAX {
        return true;
    }
    let token = me.token.borrow().clone();
    if token.is_none() || live.caller(token.as_ref()).is_err() {
        sit_down(node, me, &id, &live).await;
    } else if live.owing(Some(me.seat)).contains(&me.seat) {
        let moves = me.moves.get() + 1;
        me.moves.set(moves);
        let choice = ChoiceId {
            version: live.version(),
            seat: me.seat,
            index: me.dice.borrow_mut().below(2),
        };
        let key = digest(&node.world, &[2, u64::from(me.seat), moves]);
        *me.wish.borrow_mut() = Some((choice, key));
    }
    false
}

fn order() -> Order {
    let clock = Clock {
        decision_ms: Some(DECISION_MS),
        game_ms: None,
        increment_ms: 0,
    };
    Order {
        ruleset: ruleset(),
        options: Default::default(),
        seats: vec![Seat::Open; usize::from(SEATS)],
        visibility: Visibility::Public,
        seed: None,
        terms: Terms {
            clock: Some(clock),
            ..Terms::default()
        },
        before: None,
    }
}

async fn sit_down(node: &Node, me: &Person, id: &str, live: &Live) {
    let claim = Claim {
        seat: me.seat,
        name: None,
        bot: None,
        renew: false,
        invite: None,
        entropy: None,
    };
    // A seat that was lost is taken anew, which is another wish.
    let digest = digest(&node.world, &[3, u64::from(me.seat), live.version()]);
    let noting = Noting {
        world: node.world.clone(),
        session: id.to_owned(),
        key: digest,
    };
    let claimed = node
        .service
        .claim(id, None, &claim, Some(&key(digest)), &noting)
        .await;
    if let Ok(claimed) = claimed {
        note(node, id, digest, &claimed.answered);
        *me.token.borrow_mut() = claimed.token;
    }
}

async fn settle(node: &Node, me: &Person, id: &str, choice: ChoiceId, digest: Digest) {
    let wanted = Move {
        choice: ChoiceOrder::Listed(Ok(choice)),
        version: None,
        if_match: Vec::new(),
        seat: None,
        decision: None,
    };
    let noting = Noting {
        world: node.world.clone(),
        session: id.to_owned(),
        key: digest,
    };
    let token = me.token.borrow().clone();
    let answer = node
        .service
        .play(id, token.as_ref(), &wanted, Some(&key(digest)), &noting)
        .await;
    match answer {
        Ok(answered) => note(node, id, digest, &answered),
        // It may have been made or not: the same again.
        Err(Refusal::Store(_) | Refusal::Overloaded | Refusal::KeyInFlight) => return,
        // Too late, or not theirs any more.
        Err(_) => {}
    }
    *me.wish.borrow_mut() = None;
}

fn note(node: &Node, id: &str, key: Digest, answered: &Answered<Made>) {
    let mut history = node.world.history.borrow_mut();
    match answered {
        Answered::Fresh(made) => history.outcome(made.live.mark, Outcome::Done(made.live.position)),
        Answered::Replayed(answer) => {
            let recorded = wyrmgate::store::Recorded {
                version: 0,
                fingerprint: key,
                answer: answer.clone(),
            };
            history.replays.push((id.to_owned(), key, recorded));
        }
    }
}

/// As a stream does it: wait for the next version, then read on from the last one shown.
async fn listen(node: Node, line: Rc<RefCell<Line>>) {
    let id = session(&node.world);
    loop {
        let cursor = cursor(&line.borrow());
        let waited = node
            .service
            .wait(&id, cursor.version + 1, Duration::from_secs(20))
            .await;
        let Ok(live) = waited else {
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        match node.service.history_after(&live, cursor, 100).await {
            Ok(past) => show(&node, &id, &line, &past),
            Err(Refusal::HistoryRewritten { .. }) => {
                if node.world.server.borrow().lost.is_empty() {
                    node.world.problem(
                        "a listener was told of a rewritten history, and nothing was lost",
                    );
                }
                node.world
                    .count("listeners told that history was rewritten");
                *line.borrow_mut() = Line::default();
            }
            Err(_) => {}
        }
        sleep(Duration::from_millis(10)).await;
    }
}

fn cursor(line: &Line) -> EventCursor {
    let last = line.seen.last();
    EventCursor {
        version: line.version(),
        mark: last.map(|(_, mark)| *mark),
    }
}

fn show(node: &Node, id: &str, line: &RefCell<Line>, past: &[Past]) {
    let entry = |past: &Past| Entry {
        version: past.version,
        mark: past.mark,
        bytes: Bytes::default(),
    };
    let mut line = line.borrow_mut();
    // The one shown last leads, as `extend` wants it.
    let last = line.seen.last().map(|(version, mark)| Entry {
        version: *version,
        mark: *mark,
        bytes: Bytes::default(),
    });
    let entries: Vec<Entry> = last.into_iter().chain(past.iter().map(entry)).collect();
    if let Err(Break::Gap(what)) = line.extend(&entries) {
        node.world
            .problem(format!("{id}: a listener was shown {what}"));
    }
}

pub fn employ_auditor(world: &Rc<World>) {
    let run = Rc::new(
        |node: Node| -> futures_util::future::LocalBoxFuture<'static, ()> { Box::pin(audit(node)) },
    );
    world.employ("auditor".to_owned(), true, run);
}

async fn audit(node: Node) {
    sleep(Duration::from_millis(3_000)).await;
    let world = &node.world;
    let id = session(world);
    let (live, log) = loop {
        if let Ok(live) = node.service.load(&id).await
            && let Ok(log) = node.service.history(&id, 0, 1_000).await
            && log
                .last()
                .is_some_and(|last| last.mark == live.version_mark)
        {
            break (live, log);
        }
        sleep(Duration::from_millis(100)).await;
    };
    world
        .tally
        .borrow_mut()
        .add("changes made", log.len() as u64);
    judge_log(world, &live, &log);
    judge_clocks(world, &live, &log);
    judge_effects(world, &log);
}

fn judge_log(world: &World, live: &Live, log: &[Past]) {
    for (past, version) in log.iter().zip(1..) {
        if past.version != version {
            world.problem(format!(
                "the log goes on with version {} where {version} is due",
                past.version
            ));
        }
    }
    if live.version() != log.len() as u64 {
        world.problem(format!(
            "version {} and {} entries",
            live.version(),
            log.len()
        ));
    }
}

fn is_time_out(happening: &Happening) -> bool {
    matches!(happening, Happening::TimedOut { .. })
}

/// In this game each change begins the time of the next decision, so a time-out says by its time whether it was early, or
/// of a decision that had been timed out already.
fn judge_clocks(world: &World, live: &Live, log: &[Past]) {
    let server = world.server.borrow();
    for pair in log.windows(2) {
        let [before, past] = pair else { continue };
        if !past.entry.happenings.iter().any(is_time_out) {
            continue;
        }
        world.count("time-outs");
        let deadline = before.entry.at_ms + DECISION_MS;
        let (by_node, truly) = (
            past.entry.at_ms,
            server.written.get(past.mark.to_string().as_bytes()),
        );
        if by_node < deadline + GRACE_MS {
            world.history.borrow_mut().problem(format!(
                "version {} times out {} ms after the change before it",
                past.version,
                by_node.saturating_sub(before.entry.at_ms)
            ));
        }
        if truly.is_some_and(|(at, _)| *at < deadline) {
            world.history.borrow_mut().problem(format!(
                "version {} is timed out before its deadline",
                past.version
            ));
        }
    }
    let late = live
        .deadlines(None)
        .into_iter()
        .find(|(_, at)| at + GRACE_MS + LATE_MS < clock::now_ms());
    if let Some((seat, at)) = late {
        let ms = clock::now_ms() - at;
        world.history.borrow_mut().problem(format!(
            "seat {seat} has been late for {ms} ms, and nobody plays for it"
        ));
    }
}

fn judge_effects(world: &World, log: &[Past]) {
    let lost = world.lost();
    let mut problems = Vec::new();
    let mut history = world.history.borrow_mut();
    let place = |mark| {
        log.iter()
            .find(|past| past.mark == mark)
            .map(|past| past.version)
    };
    let mut effects = std::collections::BTreeMap::new();
    for past in log {
        let key = history
            .attempts
            .get(&past.mark)
            .and_then(|attempt| attempt.key);
        if let Some(other) = key.and_then(|key| effects.insert(key, past.mark)) {
            problems.push(format!(
                "{other} and {} are two effects of one key",
                past.mark
            ));
        }
    }
    for (mark, attempt) in &history.attempts {
        let Outcome::Done(position) = attempt.outcome else {
            continue;
        };
        match place(*mark) {
            Some(version) if version == position.version => {}
            None if lost.contains(mark) && world.plan.may_lose => {}
            other => problems.push(format!(
                "{mark} was acknowledged as {position:?}, and is {other:?}"
            )),
        }
    }
    for (_, key, recorded) in &history.replays {
        let mark = mark_in(&recorded.answer);
        if !lost.contains(&mark) && effects.get(key) != Some(&mark) {
            problems.push(format!(
                "a retry was told of {mark}, which has had no effect"
            ));
        }
    }
    history.problems.extend(problems);
    let seen = world.lines.borrow()[0].1.borrow().seen.clone();
    let all: Vec<_> = log.iter().map(|past| (past.version, past.mark)).collect();
    // A time-out may come at this very moment.
    if !all.starts_with(&seen) || seen.len() + 1 < all.len() {
        history.problems.push(format!(
            "a listener has been shown {seen:?}, and not {all:?}"
        ));
    }
}
