//! People and bots play a game with clocks through several nodes: people retry with the same key until they get an
//! answer, undo moves, and get default moves if they are too slow. A webhook receives all changes.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::task::spawn_local;
use tokio::time::{sleep, timeout};
use wyrmgate::dice::Dice;
use wyrmgate::metrics::Metrics;
use wyrmgate::rules::{Library, Ruleset};
use wyrmgate::session::{
    Answered, Call, Caller, ChoiceId, ChoiceOrder, Claim, Clock, CommittedChange, Describe, Duty,
    EventCursor, Happening, IdempotencyKey, Live, Move, PastChange, Refusal, Seat, Service,
    SessionOrder, Stage, Terms, Token, Undo, UndoOrder, Visibility, WebhookEvent, WebhookOrder,
};
use wyrmgate::store::{Bytes, ChangeEntry, Digest, Store, WatchGauge, session_id};

use crate::clock::{self, ORIGIN_MS, TO_THE_HOUR_MS};
use crate::history::{Break, Line, Outcome, mark_in};
use crate::hook::{self, Hook};
use crate::plan::SHORT_LIFE;
use crate::world::{Node, World};

/// A small game for two with a default for each decision.
const GAME: &str = "wink";
const SEATS: u8 = 2;
/// The time limit of a decision.
const DECISION_MS: u64 = 700;
/// The grace period of the service, during which an answer in transit still counts.
const GRACE_MS: u64 = 250;
/// The maximum delay of a time-out when nothing goes wrong.
const LATE_MS: u64 = 1_000;
/// The maximum delay of a bot whose node has failed: another node takes over after three seconds.
const BOT_LATE_MS: u64 = 3_000 + LATE_MS;
/// The time after which everything has arrived when nothing goes wrong any more.
const SETTLING: Duration = Duration::from_secs(8);
const WEBHOOK: &str = "hook";
/// The maximum number of reads of due work of one game, per second, kind of work and node.
const READS_MAX: u64 = 40;

static LIBRARY: LazyLock<Arc<Library>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rules");
    Arc::new(Library::read(&folder).unwrap().0)
});

/// Loads the games, unless they are loaded.
pub fn prepare() {
    LazyLock::force(&LIBRARY);
}

pub fn ruleset() -> Arc<Ruleset> {
    LIBRARY.game(GAME).unwrap()
}

/// Returns the session service of a node.
pub fn service(world: &World, store: Arc<dyn Store>) -> Arc<Service> {
    let library = LIBRARY.clone();
    let service = Service::new(
        store,
        library,
        Arc::new(Metrics::default()),
        world.plan.lifetime,
    );
    Arc::new(match world.hook {
        Some(_) => service.delivering_webhooks(hook::deliverer()),
        None => service,
    })
}

struct Person {
    seat: u8,
    dice: RefCell<Dice>,
    token: RefCell<Option<Token>>,
    /// The action that the person wants, until its result is known.
    wish: RefCell<Option<(Deed, Digest)>>,
    /// The version after the last choice, which may be undone.
    chosen: Cell<Option<u64>>,
    moves: Cell<u64>,
}

/// An action of a person.
#[derive(Clone, Copy)]
enum Deed {
    Choose(ChoiceId),
    /// Undoes to the state before this version.
    TakeBack(u64),
    /// Removes the whole session.
    Remove,
}

/// Records each attempt immediately before it is written. The service needs nothing else of the caller.
fn noting(node: &Node, session: &str, key: Digest) -> impl Fn(&CommittedChange) -> Bytes {
    let (world, session) = (node.world.clone(), session.to_owned());
    move |made| {
        let mark = made.live.mark;
        let mut history = world.history.borrow_mut();
        history.attempt(mark, &session, Some(key), made.is_public);
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

fn key(digest: Digest) -> IdempotencyKey {
    IdempotencyKey {
        digest,
        fingerprint: digest,
    }
}

fn session(world: &World) -> String {
    session_id(Some(&digest(world, &[1]))).unwrap()
}

pub fn employ(world: &Rc<World>) {
    for seat in 1..=people(world) {
        let person = Rc::new(Person {
            seat,
            dice: RefCell::new(Dice::new(world.below(u64::MAX))),
            token: RefCell::default(),
            wish: RefCell::default(),
            chosen: Cell::default(),
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
                Box::pin(work_beside(node))
            },
        );
        world.employ_on(at, format!("duties of {at}"), false, run);
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

/// Returns the number of seats of people; bots have the others.
fn people(world: &World) -> u8 {
    SEATS - u8::from(world.plan.bot.is_some())
}

/// Does what becomes due.
pub fn attend(node: &Node, duties: impl IntoIterator<Item = Option<Duty>>) {
    for duty in duties.into_iter().flatten() {
        if let Some(mut watch) = node.service.watch(duty) {
            spawn_local(count_reads(node.clone(), duty, watch.gauge()));
            let node = node.clone();
            spawn_local(async move {
                while let Some(turn) = watch.next().await {
                    let node = node.clone();
                    spawn_local(async move {
                        // Failed work is offered again.
                        let done = node.service.perform(duty, &turn);
                        let _ = node.writing(done).await;
                    });
                }
            });
        }
    }
}

/// Runs the background work of a node.
async fn work_beside(node: Node) {
    let plan = &node.world.plan;
    // Each watch begins with a thousand lists, so only those that this game needs are watched.
    let bots = plan.bot.map(|_| Duty::Bots);
    let webhooks = plan.has_webhook.then_some(Duty::Webhooks);
    attend(&node, [Some(Duty::Clocks), bots, webhooks]);
    let bots = async {
        while let Some(id) = node.service.next_for_bots().await {
            let node = node.clone();
            spawn_local(async move { node.writing(node.service.move_bots(&id)).await });
        }
    };
    let webhooks = async {
        while let Some(id) = node.service.next_for_webhooks().await {
            let node = node.clone();
            spawn_local(async move { node.writing(node.service.deliver(&id)).await });
        }
    };
    futures_util::future::join(bots, webhooks).await;
    // Without webhooks, no work remains.
}

/// Checks that a node does not read due work in a loop, whatever is due, takes long or fails.
async fn count_reads(node: Node, duty: Duty, gauge: WatchGauge) {
    let mut before = 0;
    while let Some(figures) = gauge.read() {
        let reads = figures.reads - before;
        if reads > READS_MAX {
            let what = format!("a node reads {duty:?} {reads} times in a second: {figures:?}");
            node.world.problem(what);
        }
        before = figures.reads;
        sleep(Duration::from_secs(1)).await;
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
        // Sometimes longer than the clock allows.
        let pause = [below(100), below(600), below(2_000)][below(3) as usize];
        sleep(Duration::from_millis(pause)).await;
    }
}

/// Takes one step of a person; returns whether the game is over for this person.
async fn step(node: &Node, me: &Person) -> bool {
    let service = &node.service;
    let id = session(&node.world);
    // A player who comes or writes after the hour would begin a new session whose end nobody awaits.
    if is_short_lived(node) && clock::now_ms() > ORIGIN_MS + TO_THE_HOUR_MS {
        return true;
    }
    let wish = *me.wish.borrow();
    if let Some((deed, key)) = wish {
        settle(node, me, &id, deed, key).await;
        return false;
    }
    let was_removed = node.world.is_removed(&id);
    let live = match service.load(&id).await {
        Ok(live) => live,
        // A person who has played there finds that the session has expired.
        Err(Refusal::NotFound) if is_forgotten(node, me) => return true,
        Err(Refusal::NotFound) => return create(node, &id).await,
        Err(_) => return false,
    };
    node.world.came_back(&id, was_removed, "is loaded");
    if live.stage() == Stage::Finished || me.moves.get() >= node.world.plan.moves {
        let has_it_removed = node.world.plan.removes && me.seat == 1;
        if has_it_removed {
            *me.wish.borrow_mut() = Some((Deed::Remove, digest(&node.world, &[5])));
        }
        return !has_it_removed;
    }
    let token = me.token.borrow().clone();
    if node.world.hook.is_some() && live.status.webhooks.is_none() {
        add_webhook(node, me, &id, &live).await;
    }
    if token.is_none() || live.caller(token.as_ref()).is_err() {
        sit_down(node, me, &id, &live).await;
        return false;
    }
    let chosen = me.chosen.take();
    let regrets = node.world.plan.may_undo && me.dice.borrow_mut().below(2) == 0;
    let deed = match chosen.filter(|_| regrets) {
        Some(version) => Deed::TakeBack(version),
        None if live.owing(Some(me.seat)).contains(&me.seat) => Deed::Choose(ChoiceId {
            version: live.version(),
            seat: me.seat,
            member: 0,
            index: me.dice.borrow_mut().below(2),
        }),
        None => return false,
    };
    let moves = me.moves.get() + 1;
    me.moves.set(moves);
    let key = digest(&node.world, &[2, u64::from(me.seat), moves]);
    *me.wish.borrow_mut() = Some((deed, key));
    false
}

fn is_short_lived(node: &Node) -> bool {
    node.world.plan.lifetime == SHORT_LIFE
}

fn is_forgotten(node: &Node, me: &Person) -> bool {
    is_short_lived(node) && me.token.borrow().is_some()
}

/// Creates the game. Both people use the same key. Returns whether the game exists no more.
async fn create(node: &Node, id: &str) -> bool {
    let world = &node.world;
    let was_removed = world.is_removed(id);
    let order = order(world);
    let key = key(digest(world, &[1]));
    match node.service.create(&order, Some(&key)).await {
        Ok(creation) => {
            world.came_back(id, was_removed, "is created again");
            *world.owner.borrow_mut() = Some(creation.owner);
            false
        }
        Err(Refusal::NotFound) => world.removals.has_begun(id),
        Err(_) => false,
    }
}

/// Removes the game as its owner, who retries with the same key; returns whether it is removed.
async fn remove(node: &Node, id: &str, digest: Digest) -> bool {
    let world = &node.world;
    let is_again = world.removals.has_begun(id);
    if world.owner.borrow().is_none() && !is_again {
        // The creator got no answer; the same key gets the same token again.
        create(node, id).await;
    }
    let Some(owner) = world.owner.borrow().clone() else {
        return false;
    };
    world.removals.begin(id);
    let key = key(digest);
    match node.service.remove(id, Some(&owner), Some(&key)).await {
        Ok(()) => {
            world.count("sessions removed");
            if is_again {
                world.count("removals that were asked for again");
            }
            world.removals.end(id);
            true
        }
        Err(Refusal::Store(_) | Refusal::Overloaded | Refusal::KeyInFlight) => false,
        Err(refusal) => {
            world.problem(format!("a session cannot be removed: {refusal}"));
            true
        }
    }
}

/// Adds the webhook, if this person knows the owner's token. Each person uses a key of their own.
async fn add_webhook(node: &Node, me: &Person, id: &str, live: &Live) {
    let order = WebhookOrder {
        format: Default::default(),
        url: hook::url(),
        events: vec![
            WebhookEvent::Changed,
            WebhookEvent::Started,
            WebhookEvent::Finished,
            WebhookEvent::Owed,
        ],
    };
    let owner = node.world.owner.borrow().clone();
    let digest = digest(&node.world, &[4, u64::from(me.seat), live.version()]);
    let noting = noting(node, id, digest);
    let key = key(digest);
    let call = call(id, owner.as_ref(), &key, &noting);
    let added = node.service.add_webhook(call, WEBHOOK, &order).await;
    if let Ok(answered) = added {
        note(node, id, digest, &answered);
    }
}

fn order(world: &World) -> SessionOrder {
    let clock = Clock {
        decision_ms: Some(DECISION_MS),
        ..Clock::default()
    };
    SessionOrder {
        reserved: Vec::new(),
        host: None,
        labels: Default::default(),
        ruleset: ruleset(),
        options: Default::default(),
        seats: std::iter::repeat_n(Seat::Open, usize::from(people(world)))
            .chain(world.plan.bot.map(Seat::Bot))
            .collect(),
        visibility: Visibility::Public,
        seed: None,
        terms: Terms {
            // Sessions to which time-outs write do not expire.
            clock: Some(clock).filter(|_| world.plan.lifetime != SHORT_LIFE),
            undo: match world.plan.may_undo {
                true => Undo::Free,
                false => Undo::Never,
            },
            ..Terms::default()
        },
        waits: Default::default(),
        before: None,
    }
}

async fn sit_down(node: &Node, me: &Person, id: &str, live: &Live) {
    let claim = Claim {
        player: None,
        reserve_for: None,
        profile: Default::default(),
        seat: me.seat,
        name: None,
        bot: None,
        renew: false,
        invite: None,
        secret: None,
        entropy: None,
    };
    // Taking a lost seat again is another wish.
    let digest = digest(&node.world, &[3, u64::from(me.seat), live.version()]);
    let noting = noting(node, id, digest);
    let key = key(digest);
    let call = call(id, None, &key, &noting);
    let claimed = node.service.claim(call, &claim).await;
    if let Ok(claimed) = claimed {
        note(node, id, digest, &claimed.answered);
        *me.token.borrow_mut() = claimed.token;
    }
}

/// Returns a change that can be retried.
fn call<'a>(
    session: &'a str,
    token: Option<&'a Token>,
    key: &'a IdempotencyKey,
    describe: Describe<'a>,
) -> Call<'a> {
    Call {
        session,
        token,
        key: Some(key),
        describe,
    }
}

async fn settle(node: &Node, me: &Person, id: &str, deed: Deed, digest: Digest) {
    let noting = noting(node, id, digest);
    let (token, key) = (me.token.borrow().clone(), key(digest));
    let call = call(id, token.as_ref(), &key, &noting);
    let was_removed = node.world.is_removed(id);
    let answer = match deed {
        Deed::Remove => {
            if remove(node, id, digest).await {
                *me.wish.borrow_mut() = None;
            }
            return;
        }
        Deed::Choose(choice) => {
            let wanted = Move {
                choice: ChoiceOrder::Listed(Ok(choice)),
                version: None,
                if_match: Vec::new(),
                seat: None,
                decision: None,
            };
            node.service.play(call, &wanted).await
        }
        Deed::TakeBack(version) => {
            let order = UndoOrder::Ask(Some(version - 1));
            node.service.undo(call, order).await
        }
    };
    match answer {
        Ok(answered) => {
            node.world.came_back(id, was_removed, "answers a move");
            note(node, id, digest, &answered);
            if let (Deed::Choose(_), Answered::Fresh(made)) = (deed, &answered) {
                me.chosen.set(made.is_public.then_some(made.live.version()));
            }
        }
        // The move may have been made or not: retry it.
        Err(Refusal::Store(_) | Refusal::Overloaded | Refusal::KeyInFlight) => {
            node.world.count("requests to be sent again");
            return;
        }
        // Too late, or the decision of another seat now.
        Err(_) => {}
    }
    *me.wish.borrow_mut() = None;
}

fn note(node: &Node, id: &str, key: Digest, answered: &Answered<CommittedChange>) {
    let mut history = node.world.history.borrow_mut();
    match answered {
        Answered::Fresh(made) => history.outcome(made.live.mark, Outcome::Done(made.live.position)),
        Answered::Replayed(answer) => {
            node.world.count("retries told of the first attempt");
            let recorded = wyrmgate::store::Recorded {
                version: 0,
                fingerprint: key,
                answer: answer.clone(),
            };
            history.replays.push((id.to_owned(), key, recorded));
        }
    }
}

async fn next_version(node: &Node, id: &str, version: u64) -> Result<Arc<Live>, Refusal> {
    let (live, patience) = (node.service.load(id).await?, Duration::from_secs(20));
    let waited = node
        .service
        .wait_to_know(live, Caller::Public, version, patience);
    waited.await
}

/// Waits for the next version, then reads from the last one shown, as a stream does.
async fn listen(node: Node, line: Rc<RefCell<Line>>) {
    let id = session(&node.world);
    loop {
        let cursor = cursor(&line.borrow());
        let Ok(live) = next_version(&node, &id, cursor.version + 1).await else {
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        match node.service.history_after(&live, cursor, 100).await {
            Ok(past) => show(&node, &id, &line, &past),
            Err(Refusal::HistoryRewritten { .. }) => {
                // A session that is gone is reported like one that has changed.
                let is_over = node.world.may_be_gone(&id);
                if !is_over && !node.world.servers.has_lost() {
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

fn show(node: &Node, id: &str, line: &RefCell<Line>, past: &[PastChange]) {
    let entry = |past: &PastChange| ChangeEntry {
        version: past.version,
        mark: past.mark,
        bytes: Bytes::default(),
    };
    let mut line = line.borrow_mut();
    // The entry shown last comes first, as `extend` requires.
    let last = line.seen.last().map(|(version, mark)| ChangeEntry {
        version: *version,
        mark: *mark,
        bytes: Bytes::default(),
    });
    let entries: Vec<ChangeEntry> = last.into_iter().chain(past.iter().map(entry)).collect();
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

/// Returns the session and its log at one moment.
async fn read(node: &Node, id: &str) -> (Arc<Live>, Vec<PastChange>) {
    loop {
        if let Ok(live) = node.service.load(id).await
            && let Ok(log) = node.service.history(id, 0, 1_000).await
            && log
                .last()
                .is_some_and(|last| last.mark == live.version_mark)
        {
            return (live, log);
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Returns the session and its log if nothing is in progress: listeners have seen everything, the webhook has received
/// everything, and no bot is to move. A moment later, the next time-out may be in progress.
async fn settled(node: &Node, id: &str) -> Option<(Arc<Live>, Vec<PastChange>)> {
    let world = &node.world;
    let (live, log) = read(node, id).await;
    let seen = world.lines.borrow()[0].1.borrow().version();
    let is_told = match (&world.hook, &live.status.webhooks) {
        (Some(hook), Some(_)) => untold(hook, id, &log).is_empty(),
        _ => true,
    };
    let bots_wait = live.status.bots_since_ms.is_some();
    let shown = seen == live.version();
    let is_over = world.servers.is_quiet() && shown && is_told && !bots_wait;
    is_over.then_some((live, log))
}

/// Returns the number of changes that the webhook has not received, and the time of the next attempt.
async fn still_to_tell(node: &Node, id: &str) -> Option<(usize, Option<u64>)> {
    let (live, log) = read(node, id).await;
    let webhooks = live.status.webhooks.as_ref()?;
    let untold = untold(node.world.hook.as_ref()?, id, &log).len();
    (untold > 0).then(|| (untold, webhooks.due_at_ms()))
}

/// Returns the session and its log, once nothing is in progress or nothing changes any more. The checks report what is
/// missing then.
async fn at_last(node: &Node, id: &str) -> (Arc<Live>, Vec<PastChange>) {
    let becoming = || async {
        loop {
            match settled(node, id).await {
                Some(found) => return found,
                None => sleep(Duration::from_millis(50)).await,
            }
        }
    };
    let mut before = None;
    loop {
        if let Ok(found) = timeout(SETTLING, becoming()).await {
            return found;
        }
        let Some(left) = still_to_tell(node, id).await else {
            return read(node, id).await;
        };
        // Work that has just become due is in progress.
        let settling = SETTLING.as_millis() as u64;
        let is_late = |at_ms: u64| at_ms.saturating_add(settling) <= clock::now_ms();
        if before.replace(left) == Some(left) && left.1.is_none_or(is_late) {
            return read(node, id).await;
        }
    }
}

async fn audit(node: Node) {
    let world = &node.world;
    let id = session(world);
    // Messages in transit arrive, and a person who is too slow times out at least once.
    sleep(world.plan.latency * 3 + Duration::from_millis(DECISION_MS + GRACE_MS + LATE_MS)).await;
    if world.may_be_gone(&id) {
        return judge_gone(&node, &id).await;
    }
    let (live, log) = at_last(&node, &id).await;
    world
        .tally
        .borrow_mut()
        .add("changes made", log.len() as u64);
    judge_log(world, &live, &log);
    judge_clocks(world, &live, &log);
    judge_effects(world, &log);
    judge_bots(world, &live);
    judge_webhook(world, &live, &log);
    judge_course(&node, &live).await;
    let contradictions = world.servers.contradictions(clock::now_ms());
    for contradiction in contradictions {
        world.problem(contradiction);
    }
}

/// Checks that a session that was removed or has expired is gone everywhere, and that the webhook receives nothing more.
async fn judge_gone(node: &Node, id: &str) {
    let world = &node.world;
    if !is_gone_in_time(node, id).await {
        return;
    }
    if world.plan.lifetime == SHORT_LIFE {
        // Nobody is notified when a session expires: nodes find out when they scan everything, which otherwise takes a
        // while.
        world.break_all_lines();
    }
    let told = |world: &World| world.hook.as_ref().map(|hook| hook.told.borrow().len());
    let before = told(world);
    let now_ms = clock::now_ms();
    let last_due = world.servers.last_due(now_ms).unwrap_or(now_ms);
    sleep(SETTLING + Duration::from_millis(last_due.saturating_sub(now_ms))).await;
    if told(world) != before {
        world.problem(format!("{id} is gone, and the webhook is told of it"));
    }
    if world.removals.has_begun(id) && !create(node, id).await {
        world.problem(format!("{id} was removed, and its key creates it again"));
    }
    for contradiction in world.servers.contradictions(clock::now_ms()) {
        world.problem(contradiction);
    }
}

/// Returns whether the session is gone, and reports a problem if not, unless a server has lost its removal.
async fn is_gone_in_time(node: &Node, id: &str) -> bool {
    let world = &node.world;
    let patience = SETTLING.saturating_add(match world.plan.lifetime {
        SHORT_LIFE => Duration::from_millis(TO_THE_HOUR_MS),
        _ => Duration::ZERO,
    });
    let gone = async {
        while !matches!(node.service.load(id).await, Err(Refusal::NotFound)) {
            sleep(Duration::from_millis(100)).await;
        }
    };
    let is_gone = timeout(patience, gone).await.is_ok();
    // A session that was written after the hour expires at the next one.
    let record = node.store.load(id).await.ok().flatten();
    let expiry = record.and_then(|record| record.expires_at_ms);
    let is_later = expiry.is_some_and(|at| at > ORIGIN_MS + TO_THE_HOUR_MS);
    if world.plan.lifetime == SHORT_LIFE && is_later {
        return false;
    }
    if !is_gone && !world.servers.has_fallen_back() {
        world.problem(format!("{id} should be gone, and is there"));
    }
    is_gone
}

fn judge_bots(world: &World, live: &Live) {
    let late = clock::now_ms().saturating_sub(BOT_LATE_MS);
    if live.status.bots_since_ms.is_some_and(|since| since < late) {
        world.problem("a built-in player owes a decision, and does not move");
    }
}

/// Checks that each move of the log was legal, and that all of them lead to the present state.
async fn judge_course(node: &Node, live: &Arc<Live>) {
    let world = &node.world;
    let log = node.service.history(&live.id, 0, 1_000).await;
    let happenings = log.iter().flatten().flat_map(|past| &past.entry.happenings);
    let undone = happenings.filter(|it| matches!(it, Happening::Undone { .. }));
    let undone = undone.count() as u64;
    world.tally.borrow_mut().add("moves taken back", undone);
    if let Err(refusal) = node.service.playback(live, live.version()).await {
        world.problem(format!("the log cannot be played again: {refusal}"));
    }
    if live.stage() != Stage::Finished {
        return;
    }
    world.count("games played to their end");
    let outcome = live.play.as_ref().and_then(|play| play.state().outcome());
    match node.service.record(live).await {
        Ok(record) if record.outcome == outcome.map(Into::into) => {}
        Ok(record) => world.problem(format!(
            "the record ends with {:?}, and the game with {outcome:?}",
            record.outcome
        )),
        Err(Refusal::Store(_)) => {}
        Err(refusal) => world.problem(format!("there is no record: {refusal}")),
    }
}

/// Returns the changes that the webhook has not received.
fn untold(hook: &Hook, id: &str, log: &[PastChange]) -> Vec<u64> {
    let told = hook.told.borrow();
    let versions: Vec<(u64, u64)> = told
        .iter()
        .filter(|(_, body)| body["type"] == "session.changed" && body["data"]["session"] == id)
        .map(|(_, body)| {
            let at: u64 = unix_ms(body["timestamp"].as_str().unwrap());
            (body["data"]["version"].as_u64().unwrap(), at)
        })
        .collect();
    // The first change received is the one with which the webhook began. Changes that a store has lost do not count: it
    // may have lost the webhook, too.
    let is_kept = |told: &&(u64, u64)| {
        log.iter()
            .any(|past| (past.version, past.entry.at_ms) == **told)
    };
    let kept = versions.iter().filter(is_kept);
    let first = kept.map(|(version, _)| *version).min();
    let due = log
        .iter()
        .filter(|past| first.is_some_and(|first| past.version >= first));
    due.filter(|past| !versions.contains(&(past.version, past.entry.at_ms)))
        .map(|past| past.version)
        .collect()
}

fn unix_ms(text: &str) -> u64 {
    let time: jiff::Timestamp = text.parse().unwrap();
    time.as_millisecond() as u64
}

fn judge_webhook(world: &World, live: &Live, log: &[PastChange]) {
    let Some(hook) = &world.hook else { return };
    for problem in hook.problems.borrow().iter() {
        world.problem(problem);
    }
    let times = hook.times.borrow();
    let again: u64 = times.values().map(|times| times - 1).sum();
    {
        let mut tally = world.tally.borrow_mut();
        tally.add("webhook messages", times.len() as u64);
        tally.add("webhook messages that came again", again);
    }
    if live.status.webhooks.is_none() {
        return;
    }
    let untold = untold(hook, &live.id, log);
    if !untold.is_empty() {
        let told = hook.told.borrow();
        let said: Vec<_> = told
            .iter()
            .map(|(_, body)| (&body["type"], &body["data"]["version"], &body["timestamp"]))
            .collect();
        world.problem(format!(
            "the webhook was never told of versions {untold:?}, but of {said:?}"
        ));
    }
    if !world.lost().is_empty() {
        return; // what was lost was told of, and its numbers were given again
    }
    let told = hook.told.borrow();
    let versions = told
        .iter()
        .map(|(_, body)| body["data"]["version"].as_u64());
    if !versions.is_sorted() {
        world.problem("the webhook was told of a version before an earlier one");
    }
}

fn judge_log(world: &World, live: &Live, log: &[PastChange]) {
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

/// Checks the times of time-outs. In this game, the time of a decision begins with the change before, so the time of a
/// time-out shows whether it was early, or about a decision that had already timed out. Only an undo does not extend the
/// time.
fn judge_clocks(world: &World, live: &Live, log: &[PastChange]) {
    let mut since = 0;
    for pair in log.windows(2) {
        let [before, past] = pair else { continue };
        let is_undone = |it: &Happening| matches!(it, Happening::Undone { .. });
        if !before.entry.happenings.iter().any(is_undone) {
            since = before.entry.at_ms;
        }
        if !past.entry.happenings.iter().any(is_time_out) {
            continue;
        }
        world.count("time-outs");
        let deadline = since + DECISION_MS;
        let (by_node, truly) = (
            past.entry.at_ms,
            world.servers.written_at(past.mark.to_string().as_bytes()),
        );
        if by_node < deadline + GRACE_MS {
            world.history.borrow_mut().problem(format!(
                "version {} times out {} ms after the decision began",
                past.version,
                by_node.saturating_sub(before.entry.at_ms)
            ));
        }
        if truly.is_some_and(|at| at < deadline) {
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

fn judge_effects(world: &World, log: &[PastChange]) {
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
    // The log has no entries for secret changes.
    let public = |mark: &_| {
        let attempt = history.attempts.get(mark);
        attempt.is_none_or(|attempt| attempt.is_public)
    };
    for (mark, attempt) in &history.attempts {
        let Outcome::Done(position) = attempt.outcome else {
            continue;
        };
        if !attempt.is_public {
            continue;
        }
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
        if public(&mark) && !lost.contains(&mark) && effects.get(key) != Some(&mark) {
            problems.push(format!(
                "a retry was told of {mark}, which has had no effect"
            ));
        }
    }
    history.problems.extend(problems);
    let seen = world.lines.borrow()[0].1.borrow().seen.clone();
    let all: Vec<_> = log.iter().map(|past| (past.version, past.mark)).collect();
    // A time-out may happen at this moment.
    if !all.starts_with(&seen) || seen.len() + 1 < all.len() {
        history.problems.push(format!(
            "a listener has been shown {seen:?}, and not {all:?}"
        ));
    }
}
