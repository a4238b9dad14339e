//! Writers that compete for the same sessions through several nodes, and listeners who must miss nothing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use wyrmgate::dice::Dice;
use wyrmgate::store::{
    ChangeEntry, ChangeMark, Commit, Committed, Create, Created, Digest, Durability, Idempotency,
    Index, ListQuery, ListedSession, Listing, Placement, Position, Secret, SessionRecord,
    StoreError, session_id,
};

use crate::clock::{self, ORIGIN_MS};
use crate::history::{Break, Final, Line, Outcome, mark_in};
use crate::world::{Node, World};

/// The interval at which a listener polls, in case a notification is lost.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// The time after which a listener must know of a change, besides the time that messages take.
const PROMPT: Duration = Duration::from_millis(150);
/// The number of remaining wishes at which a player removes a session.
const REMOVED_BEFORE: u64 = 1;
/// The number of digits of a mark, which each change appends to the state.
const STEP: usize = ChangeMark::DIGITS;
/// The number of attempts of a change when others write in between, as in the session service.
const TRIES: usize = 16;
/// Longer than the maximum delay of a script and the time that a listener needs.
const SETTLING: Duration = Duration::from_millis(3_500);

/// Something that a player wants to do, until its result is known.
#[derive(Clone)]
struct Wish {
    session: usize,
    key: Option<Digest>,
    is_public: bool,
    /// The session expires at the end of this hour, counted from the beginning; 0 for never.
    forgotten_after: u64,
    /// Whether the session is to be removed instead of changed.
    is_removal: bool,
}

struct Player {
    number: u64,
    dice: RefCell<Dice>,
    left: Cell<u64>,
    wish: RefCell<Option<Wish>>,
    /// The last known record of each session.
    known: RefCell<BTreeMap<usize, SessionRecord>>,
}

fn digest(words: &[u64]) -> Digest {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    *blake3::hash(&bytes).as_bytes()
}

fn session_key(world: &World, session: usize) -> Digest {
    digest(&[world.plan.seed, 1, session as u64])
}

fn session(world: &World, number: usize) -> String {
    session_id(Some(&session_key(world, number))).unwrap()
}

pub fn employ(world: &Rc<World>) {
    for number in 0..world.plan.players {
        let player = Rc::new(Player {
            number,
            dice: RefCell::new(Dice::new(world.below(u64::MAX))),
            left: Cell::new(world.plan.moves),
            wish: RefCell::default(),
            known: RefCell::default(),
        });
        let run = Rc::new(
            move |node: Node| -> futures_util::future::LocalBoxFuture<'static, ()> {
                Box::pin(play(node, player.clone()))
            },
        );
        world.employ(format!("player {number}"), true, run);
    }
    for number in 0..world.plan.sessions as usize {
        for at in [0, 0, 1] {
            let line = Rc::new(RefCell::new(Line::default()));
            world
                .lines
                .borrow_mut()
                .push((session(world, number), line.clone()));
            let run = Rc::new(
                move |node: Node| -> futures_util::future::LocalBoxFuture<'static, ()> {
                    Box::pin(listen(node, number, line.clone()))
                },
            );
            world.employ_on(at, format!("listener {at} of {number}"), false, run);
        }
    }
}

async fn play(node: Node, me: Rc<Player>) {
    let below = |n: u64| me.dice.borrow_mut().below(n);
    loop {
        let wish = match me.wish.borrow().clone() {
            Some(wish) => wish,
            None if me.left.get() == 0 => return,
            None => {
                let number = me.left.get();
                me.left.set(number - 1);
                me.new_wish(&node.world, number)
            }
        };
        // A request without a key must not be repeated.
        let may_repeat = wish.key.is_some() || wish.is_removal;
        *me.wish.borrow_mut() = may_repeat.then(|| wish.clone());
        let patience = [300, 4_000, 60_000][below(3) as usize];
        let attempt = node.writing(attempt(&node, &me, &wish));
        // A client that loses patience disconnects during the request.
        if timeout(Duration::from_millis(patience), attempt).await == Ok(true) {
            *me.wish.borrow_mut() = None;
        }
        sleep(Duration::from_millis(below(200))).await;
    }
}

impl Player {
    fn new_wish(&self, world: &World, number: u64) -> Wish {
        let mut dice = self.dice.borrow_mut();
        let is_keyed = dice.below(4) > 0;
        let key = digest(&[world.plan.seed, 2, number, dice.below(u64::MAX)]);
        Wish {
            session: dice.below(world.plan.sessions) as usize,
            key: is_keyed.then_some(key),
            is_public: dice.below(4) > 0,
            forgotten_after: [0, 1, 1, 2][dice.below(4) as usize],
            is_removal: world.plan.removes && self.number == 0 && number == REMOVED_BEFORE,
        }
    }

    /// Reads a session. Sometimes returns an earlier record, which others may have changed since.
    async fn present(
        &self,
        node: &Node,
        number: usize,
    ) -> Result<Option<SessionRecord>, StoreError> {
        let known = self.known.borrow().get(&number).cloned();
        if let Some(known) = known.filter(|_| self.dice.borrow_mut().below(2) == 0) {
            return Ok(Some(known));
        }
        let id = session(&node.world, number);
        let was_removed = node.world.is_removed(&id);
        let record = node.store.load(&id).await?;
        if record.is_some() {
            node.world.came_back(&id, was_removed, "is loaded");
        }
        let before = self.known.borrow().get(&number).map(|known| known.position);
        let now = record.as_ref().map(|record| record.position);
        let may_be_gone =
            node.world.servers.has_lost() || node.world.removals.has_begun(&id) && now.is_none();
        if before.is_some_and(|before| now.is_none_or(|now| now.revision < before.revision))
            && !may_be_gone
        {
            node.world
                .problem(format!("session {number} went from {before:?} to {now:?}"));
        }
        self.keep(number, record.clone());
        Ok(record)
    }

    fn keep(&self, number: usize, record: Option<SessionRecord>) {
        let mut known = self.known.borrow_mut();
        match record {
            Some(record) => known.insert(number, record),
            None => known.remove(&number),
        };
    }
}

/// Tries to fulfill a wish; returns whether its result is known.
async fn attempt(node: &Node, me: &Player, wish: &Wish) -> bool {
    let world = &node.world;
    for _ in 0..TRIES {
        let mark = ChangeMark::draw().unwrap();
        let record = match me.present(node, wish.session).await {
            Ok(Some(_)) if wish.is_removal => return remove(node, wish.session).await,
            Ok(Some(record)) => record,
            Ok(None) => match create(node, wish.session).await {
                true => return true,
                false => continue,
            },
            Err(_) => return false,
        };
        let commit = commit(world, wish, &record, mark);
        world
            .history
            .borrow_mut()
            .attempt(mark, &commit.session, wish.key, wish.is_public);
        let id = commit.session.clone();
        let was_removed = world.is_removed(&id);
        let answer = node.store.commit(commit).await;
        if matches!(answer, Ok(ref known) if *known != Committed::Absent) {
            world.came_back(&id, was_removed, "answers a change");
        }
        let outcome = |outcome| world.history.borrow_mut().outcome(mark, outcome);
        match answer {
            Ok(Committed::Done(position)) => {
                if position != record.position.after(wish.is_public) {
                    world.problem(format!(
                        "a change of {:?} led to {position:?}",
                        record.position
                    ));
                }
                outcome(Outcome::Done(position));
                return true;
            }
            Ok(Committed::Duplicate(recorded)) => {
                world.count("retries told of the first attempt");
                // It may be the record of this attempt, if the first answer was lost.
                if mark_in(&recorded.answer) != mark {
                    outcome(Outcome::Refused);
                }
                let key = wish.key.expect("only keys have duplicates");
                world.history.borrow_mut().replays.push((id, key, recorded));
                return true;
            }
            Ok(Committed::Stale(present)) => {
                world.count("changes that another one was faster than");
                outcome(Outcome::Refused);
                me.keep(wish.session, Some(present));
            }
            Ok(Committed::Absent) => {
                outcome(Outcome::Refused);
                me.keep(wish.session, None);
            }
            Err(StoreError::OutcomeUnknown(_)) => {
                world.count("changes that were not answered");
                return false;
            }
            Err(StoreError::Unavailable(_)) => {
                world.count("changes that could not be sent");
                outcome(Outcome::Refused);
                return false;
            }
            Err(error) => {
                world.problem(error.to_string());
                return false;
            }
        }
    }
    false
}

fn commit(world: &World, wish: &Wish, record: &SessionRecord, mark: ChangeMark) -> Commit {
    let text = mark.to_string();
    let mut commit = Commit::new(&session(world, wish.session), record.position.revision);
    (commit.expected_mark, commit.mark) = (record.mark, mark);
    commit.snapshot = Some([&*record.snapshot, text.as_bytes()].concat().into());
    commit.entry = wish.is_public.then(|| text.as_bytes().into());
    commit.listing = Some(listing(record.position.revision + 1));
    let hours = Some(wish.forgotten_after).filter(|hours| *hours > 0);
    commit.expires_at_ms = hours.map(|hours| ORIGIN_MS + hours * 3_600_000);
    commit.idempotency = wish.key.map(|key| Idempotency {
        key,
        fingerprint: key,
        answer: text.as_bytes().into(),
    });
    commit
}

fn listing(revision: u64) -> Listing {
    Listing {
        placements: vec![Placement {
            index: Index::RUNNING,
            score: revision,
        }],
    }
}

/// Removes a session; returns whether it is known to be gone.
async fn remove(node: &Node, number: usize) -> bool {
    let (world, id) = (&node.world, session(&node.world, number));
    world.removals.begin(&id);
    match node.store.remove(&id).await {
        Ok(_) => {
            world.count("sessions removed");
            world.removals.end(&id);
            true
        }
        Err(StoreError::Unavailable(_) | StoreError::OutcomeUnknown(_)) => false,
        Err(error) => {
            world.problem(error.to_string());
            false
        }
    }
}

/// Creates a session. All players use the same key, so one of them creates it. Returns whether it was created before and
/// has been removed.
async fn create(node: &Node, number: usize) -> bool {
    let world = &node.world;
    let (id, key, mark) = (
        session(world, number),
        session_key(world, number),
        ChangeMark::draw().unwrap(),
    );
    let text = mark.to_string();
    let mut create = Create::new(&id);
    create.mark = mark;
    create.snapshot = text.as_bytes().into();
    create.secret = Some(Secret(text.as_bytes().into()));
    create.entry = Some(text.as_bytes().into());
    create.listing = listing(1);
    create.idempotency = Some(Idempotency {
        key,
        fingerprint: key,
        answer: text.as_bytes().into(),
    });
    world
        .history
        .borrow_mut()
        .attempt(mark, &id, Some(key), true);
    let answer = node.store.create(create).await;
    let is_removed = matches!(answer, Ok(Created::Removed));
    if is_removed && !world.removals.has_begun(&id) {
        world.problem(format!(
            "{id} is said to be removed, and nobody has removed it"
        ));
    }
    let mut history = world.history.borrow_mut();
    match answer {
        Ok(Created::Done(position)) => {
            if position
                != (Position {
                    revision: 1,
                    version: 1,
                })
            {
                history.problem(format!("a session begins with {position:?}"));
            }
            history.outcome(mark, Outcome::Done(position));
        }
        Ok(Created::Duplicate(recorded)) => {
            if mark_in(&recorded.answer) != mark {
                history.outcome(mark, Outcome::Refused);
            }
            history.replays.push((id, key, recorded));
        }
        Ok(Created::Exists) => history.problem("a create with the same key was told of another"),
        Ok(Created::Removed) | Err(StoreError::Unavailable(_)) => {
            history.outcome(mark, Outcome::Refused)
        }
        Err(_) => {}
    }
    is_removed
}

/// Waits for notifications and reads from the last entry on, also after the node has died.
async fn listen(node: Node, number: usize, line: Rc<RefCell<Line>>) {
    let id = session(&node.world, number);
    loop {
        if let Ok(mut subscription) = node.store.subscribe(&id).await {
            let since = clock::now_ms();
            loop {
                if read_on(&node, &id, &line, since).await.is_err() {
                    break;
                }
                let _ = timeout(LOOK_AGAIN, subscription.notified()).await;
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Reads from the last entry on. `since`: the time from which on notifications were received.
async fn read_on(
    node: &Node,
    id: &str,
    line: &RefCell<Line>,
    since: u64,
) -> Result<(), StoreError> {
    let before = line.borrow().version();
    let was_removed = node.world.is_removed(id);
    let entries = node.store.events(id, before.saturating_sub(1), 100).await?;
    // While a connection waits for replicas, it answers nothing else, and several waits can follow each other.
    let is_prompt = node.world.plan.durability != Durability::Replicated;
    if is_prompt && node.world.plan.faults.is_empty() {
        let new = entries.iter().filter(|entry| entry.version > before);
        new.for_each(|entry| judge_delay(&node.world, id, entry, since));
    }
    // Without entries, the session is gone, or a server has lost some of them.
    let may_be_gone = entries.is_empty() && node.world.removals.has_begun(id);
    if may_be_gone && node.store.load(id).await?.is_none() {
        return Ok(());
    }
    node.world.came_back(id, was_removed, "has a log");
    let extended = line.borrow_mut().extend(&entries);
    match extended {
        Ok(()) => {}
        Err(Break::Rewritten) => {
            let servers = &node.world.servers;
            // A server that has lost only the removal has the session again, and nothing of it is gone.
            let was_away = may_be_gone && servers.has_fallen_back();
            if !servers.has_lost() && !was_away {
                node.world.problem(format!(
                    "{id}: what a listener was shown is gone, and nothing was lost"
                ));
            }
            node.world
                .count("listeners told that history was rewritten");
            *line.borrow_mut() = Line::default();
        }
        Err(Break::Gap(what)) => node
            .world
            .problem(format!("{id}: a listener was shown {what}")),
    }
    Ok(())
}

/// Checks that notifications arrive without polling when nothing goes wrong.
fn judge_delay(world: &World, id: &str, entry: &ChangeEntry, since: u64) {
    let written = world.servers.written_at(entry.mark.to_string().as_bytes());
    // A creation notifies nobody, because nobody can wait for a session without a name.
    let is_told = |at: u64| at >= since && entry.version > 1;
    let Some(at) = written.filter(|at| is_told(*at)) else {
        return;
    };
    let delay = Duration::from_millis(clock::now_ms() - at);
    if delay > world.plan.latency * 4 + PROMPT {
        world.history.borrow_mut().problem(format!(
            "{id}: a listener was told of version {} after {delay:?}",
            entry.version
        ));
    }
}

pub fn employ_auditor(world: &Rc<World>) {
    let run = Rc::new(
        |node: Node| -> futures_util::future::LocalBoxFuture<'static, ()> { Box::pin(audit(node)) },
    );
    world.employ("auditor".to_owned(), true, run);
}

/// Waits until nothing is in progress and all listeners have seen everything, but no longer than they need.
async fn settle(node: &Node) {
    let world = &node.world;
    // Messages in transit arrive.
    sleep(world.plan.latency * 3).await;
    let is_shown = async |number| {
        let id = session(world, number);
        let Ok(record) = node.store.load(&id).await else {
            return false;
        };
        if record.is_none() && world.removals.has_begun(&id) {
            return true;
        }
        let last = record.filter(|record| record.position.version > 0);
        let last = last.map(|record| (record.position.version, record.version_mark));
        let lines = world.lines.borrow();
        let mut of_it = lines.iter().filter(|(session, _)| *session == id);
        of_it.all(|(_, line)| line.borrow().seen.last().copied() == last)
    };
    let settled = async {
        loop {
            let mut is_settled = world.servers.is_quiet();
            for number in 0..world.plan.sessions as usize {
                is_settled = is_settled && is_shown(number).await;
            }
            if is_settled {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let _ = timeout(SETTLING, settled).await;
}

async fn audit(node: Node) {
    settle(&node).await;
    let world = &node.world;
    // Before the first read, which would tidy up.
    let contradictions = world.servers.contradictions(clock::now_ms());
    for contradiction in contradictions {
        world.problem(contradiction);
    }
    let lost = world.lost();
    for number in 0..world.plan.sessions as usize {
        let id = session(world, number);
        let end = loop {
            match read(&node, &id).await {
                Ok(end) => break end,
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        };
        if end.is_some() {
            world.came_back(&id, true, "is there in the end");
        } else if world.removals.has_begun(&id) {
            judge_gone(&node, &id).await;
            continue;
        }
        let Some(end) = end else {
            let history = world.history.borrow();
            let mut attempts = history
                .attempts
                .iter()
                .filter(|(_, attempt)| attempt.session == id);
            let kept = attempts.any(|(mark, attempt)| {
                matches!(attempt.outcome, Outcome::Done(_)) && !lost.contains(mark)
            });
            drop(history);
            if kept {
                world.problem(format!("{id} is gone"));
            }
            continue;
        };
        world
            .tally
            .borrow_mut()
            .add("changes made", end.chain.len() as u64);
        let has_lost = world.servers.has_lost();
        world
            .history
            .borrow_mut()
            .judge(&end, &lost, world.plan.may_lose, has_lost);
        judge_keys(&node, &end).await;
        judge_lines(world, &end);
        if world.plan.seed.is_multiple_of(8) {
            judge_listing(&node, &end).await;
        }
    }
}

/// Checks that nothing of a removed session is left, and that no earlier request creates it again.
async fn judge_gone(node: &Node, id: &str) {
    let world = &node.world;
    if node
        .store
        .secret(id)
        .await
        .is_ok_and(|secret| secret.is_some())
    {
        world.problem(format!("{id} was removed, and its secret is there"));
    }
    let keys = {
        let history = world.history.borrow();
        let of_it = history
            .attempts
            .values()
            .filter(|attempt| attempt.session == id);
        of_it.filter_map(|attempt| attempt.key).collect::<Vec<_>>()
    };
    for key in keys {
        let recalled = node.store.recall(id, &key).await;
        if recalled.is_ok_and(|recorded| recorded.is_some()) {
            world.problem(format!("{id} was removed, and remembers a key"));
        }
    }
    if let Ok(listed) = running(node).await
        && listed.iter().any(|listed| listed.session == id)
    {
        world.problem(format!("{id} was removed, and is listed"));
    }
}

/// Returns what the list of running sessions contains.
async fn running(node: &Node) -> Result<Vec<ListedSession>, StoreError> {
    let mut query = ListQuery {
        index: Index::RUNNING,
        after: None,
        limit: 100,
    };
    let mut listed = Vec::new();
    loop {
        let page = node.store.list(query.clone()).await?;
        listed.extend(page.items);
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(listed),
        }
    }
}

async fn read(node: &Node, id: &str) -> Result<Option<Final>, StoreError> {
    let Some(record) = node.store.load(id).await? else {
        return Ok(None);
    };
    let chain = record.snapshot.chunks(STEP).map(mark_in).collect();
    Ok(Some(Final {
        session: id.to_owned(),
        chain,
        log: node.store.events(id, 0, 10_000).await?,
        record,
    }))
}

/// Checks that each key that had an effect is stored with it.
async fn judge_keys(node: &Node, end: &Final) {
    let keyed: Vec<(ChangeMark, Digest)> = {
        let history = node.world.history.borrow();
        let of = |mark: &ChangeMark| Some((*mark, history.attempts.get(mark)?.key?));
        end.chain.iter().filter_map(of).collect()
    };
    for (mark, key) in keyed {
        let Ok(recorded) = node.store.recall(&end.session, &key).await else {
            continue;
        };
        if recorded.is_none_or(|recorded| mark_in(&recorded.answer) != mark) {
            node.world.problem(format!(
                "{}: the key of {mark} is not remembered",
                end.session
            ));
        }
    }
}

fn judge_lines(world: &World, end: &Final) {
    let log: Vec<(u64, ChangeMark)> = end
        .log
        .iter()
        .map(|entry| (entry.version, entry.mark))
        .collect();
    let lines = world.lines.borrow();
    for (_, line) in lines.iter().filter(|(session, _)| *session == end.session) {
        let seen = line.borrow().seen.clone();
        if seen != log {
            world.problem(format!(
                "{}: a listener has been shown {seen:?}, and not {log:?}",
                end.session
            ));
        }
    }
}

/// Checks that a session is in the lists in which its latest change put it, and in no other ones.
async fn judge_listing(node: &Node, end: &Final) {
    let Ok(listed) = running(node).await else {
        return;
    };
    let places: Vec<u64> = listed
        .iter()
        .filter(|listed| listed.session == end.session)
        .map(|listed| listed.score)
        .collect();
    if places != [end.record.position.revision] {
        node.world.problem(format!(
            "{} is listed at {places:?}, at revision {}",
            end.session, end.record.position.revision
        ));
    }
}
