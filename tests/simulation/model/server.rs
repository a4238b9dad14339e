//! The server: its connections, the data that survives a crash, and its faults.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hasher};
use std::rc::{Rc, Weak};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::spawn_local;
use tokio::time::sleep;
use turmoil::net::{TcpListener, TcpStream};
use wyrmgate::dice::Dice;
use wyrmgate::store::Durability;

use super::commands::{Context, Said};
use super::data::{Data, Text, Value};
use super::resp::{self, Reply, bulk};
use super::script;
use super::slots::{self, Moving, Reach, Slots};
use super::surveys::{self, Question};
use crate::clock;
use crate::defects::Defect;

pub const PORT: u16 = 6379;
/// The maximum loss with `appendfsync everysec`.
const EVERY_SECOND_MS: u64 = 1_000;
/// The maximum lag of a replica, as in [`Durability::Replicated`].
const LAG_MS: u64 = 400;
/// The maximum delay of a repeated script.
const REPEATED_AFTER_MS: u64 = 2_500;

/// When the server crashes, relative to a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// After it has read the request.
    BeforeScript,
    /// After it has run the script, before it answers.
    AfterScript,
    /// After it has sent half of the answer.
    WithinAnswer,
}

/// The number of scripts until the crash, counted over all servers, and its kind.
pub type CrashAt = Rc<Cell<Option<(u64, Crash)>>>;

/// The data that is lost when another process or server takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Nothing,
    /// Writes of the last second.
    LastSecond,
    /// Writes that the replica has not received.
    NotReplicated,
}

/// Everything that outlives a process, and the faults that the simulation requests.
pub struct Server {
    data: Data,
    /// The data after each recent write, with its time and its number.
    past: VecDeque<(u64, u64, Data)>,
    writes: u64,
    /// The number of writes that a replica has confirmed.
    confirmed: u64,
    durability: Durability,
    dice: Dice,
    /// The processes on its two hosts. A server that is not part of a cluster has only the first one.
    processes: [Process; 2],
    cluster: Option<Member>,
    /// A defect of a script, which the checks must find.
    pub defect: Option<Defect>,
    /// The number of scripts out of a thousand that are repeated some time later.
    pub repeated_of_1000: u64,
    pub crash_at: CrashAt,
    /// Whether the host must be crashed now.
    pub has_crashed: bool,
    /// The marks of changes that were written and are lost.
    pub lost: BTreeSet<Vec<u8>>,
    /// Whether it has ever lost a change, even one that was repeated.
    pub has_lost: bool,
    /// Whether it has ever lost any write, even one without a mark.
    pub has_fallen_back: bool,
    /// The number of repeated scripts.
    pub repeated: u64,
    /// The number of scripts that will be repeated, unless the process crashes before.
    pub to_repeat: u64,
    /// The number of answered requests, and of those that were redirected.
    pub answered: u64,
    pub redirected: u64,
    /// A digest of all requests, answers and their times, equal for identical runs.
    pub digest: DefaultHasher,
    /// The requests and answers as text, if requested.
    pub course: Option<Vec<(u64, String)>>,
    /// The time and the number of each write, by the mark of the change.
    pub written: BTreeMap<Vec<u8>, (u64, u64)>,
}

/// The membership of a master in a cluster.
pub struct Member {
    pub number: usize,
    pub slots: Rc<RefCell<Slots>>,
    /// All masters, by number.
    pub all: Vec<Weak<RefCell<Server>>>,
}

/// The data that is lost with the process.
#[derive(Default)]
struct Process {
    scripts: BTreeMap<Rc<str>, Rc<str>>,
    listeners: BTreeMap<u64, Listener>,
    connections: u64,
}

struct Listener {
    channels: BTreeSet<Vec<u8>>,
    sharded: BTreeSet<Vec<u8>>,
    /// Whether it has just sent `ASKING`.
    is_asking: bool,
    out: UnboundedSender<Vec<u8>>,
}

pub type Shared = Rc<RefCell<Server>>;

impl Server {
    pub fn new(durability: Durability, seed: u64) -> Server {
        Server {
            data: Data::default(),
            past: VecDeque::from([(0, 0, Data::default())]),
            writes: 0,
            confirmed: 0,
            durability,
            dice: Dice::new(seed),
            processes: Default::default(),
            cluster: None,
            defect: None,
            repeated_of_1000: 0,
            crash_at: CrashAt::default(),
            has_crashed: false,
            lost: BTreeSet::new(),
            has_lost: false,
            has_fallen_back: false,
            repeated: 0,
            to_repeat: 0,
            course: None,
            answered: 0,
            redirected: 0,
            digest: DefaultHasher::new(),
            written: BTreeMap::new(),
        }
    }

    pub(super) fn data(&self) -> &Data {
        &self.data
    }

    pub fn join(&mut self, cluster: Member) {
        self.cluster = Some(cluster);
    }

    /// Returns which of its hosts serves.
    fn side(&self) -> usize {
        let of = |member: &Member| member.slots.borrow().side(member.number);
        self.cluster.as_ref().map_or(0, of)
    }

    fn process(&mut self) -> &mut Process {
        &mut self.processes[self.side()]
    }

    /// Replaces the process by another one, which begins with the data that is left.
    pub fn restart(&mut self, loss: Loss, now_ms: u64) {
        *self.process() = Process::default();
        (self.has_crashed, self.to_repeat) = (false, 0);
        let (since, least) = match loss {
            Loss::Nothing => return,
            Loss::LastSecond => (EVERY_SECOND_MS, 0),
            Loss::NotReplicated => (LAG_MS, self.confirmed),
        };
        // The state at the beginning of that time is the oldest one that can be restored.
        let oldest = now_ms.saturating_sub(since);
        let first = self
            .past
            .iter()
            .rposition(|(at, ..)| *at <= oldest)
            .unwrap_or(0);
        let first = first.max(
            self.past
                .iter()
                .position(|(_, n, _)| *n >= least)
                .unwrap_or(0),
        );
        let room = self.past.len() - first;
        let chosen = first + self.dice.below(room as u64) as usize;
        self.has_fallen_back |= chosen + 1 < self.past.len();
        self.past.truncate(chosen + 1);
        let (_, last, data) = self.past.back().unwrap().clone();
        (self.writes, self.data) = (last, data);
        let lost = self.written.extract_if(.., |_, (_, number)| *number > last);
        self.lost.extend(lost.map(|(mark, _)| mark));
        self.has_lost |= !self.lost.is_empty();
    }

    /// Runs one command.
    fn run(&mut self, words: &[&[u8]]) -> Reply {
        self.work(|server, context| match words[0] {
            b"EVALSHA" | b"EVAL" => server.script(words, context),
            _ => context.run(words),
        })
    }

    fn script(&mut self, words: &[&[u8]], context: &mut Context<'_>) -> Reply {
        let name = std::str::from_utf8(words[1]).unwrap();
        let text = if words[0] == b"EVAL" {
            let text: Rc<str> = name.into();
            let digest = script::digest(&text);
            let text: Rc<str> = self
                .defect
                .map_or(text.clone(), |defect| defect.in_script(&text).into());
            self.process().scripts.insert(digest, text.clone());
            text
        } else {
            match self.process().scripts.get(name) {
                Some(text) => text.clone(),
                None => {
                    return Reply::Error(
                        "NOSCRIPT No matching script. Please use EVAL.".to_owned(),
                    );
                }
            }
        };
        let count: usize = std::str::from_utf8(words[2]).unwrap().parse().unwrap();
        let (keys, args) = words[3..].split_at(count);
        context.reach = self.reach(keys);
        if count < surveys::KEYS {
            return script::run(context, &text, keys, args);
        }
        // The digest of the text on this server, which a defect may have changed.
        let question = Question::new(&text, keys, args, context.data);
        question.answer(context.now_ms).unwrap_or_else(|| {
            let reply = script::run(context, &text, keys, args);
            if !*context.written && context.said.is_empty() && !*context.has_seen_time {
                question.remember(context.now_ms, &reply);
            }
            reply
        })
    }

    fn reach(&self, keys: &[&[u8]]) -> Option<Reach> {
        let member = self.cluster.as_ref()?;
        let slots = member.slots.borrow();
        Some(slots.reach(slots::slot(keys.first()?), member.number))
    }

    fn work(&mut self, work: impl FnOnce(&mut Server, &mut Context<'_>) -> Reply) -> Reply {
        let (mut data, mut said) = (std::mem::take(&mut self.data), Vec::new());
        let (mut written, mut has_seen_time) = (false, false);
        let now_ms = clock::now_ms();
        let mut context = Context {
            data: &mut data,
            now_ms,
            said: &mut said,
            written: &mut written,
            has_seen_time: &mut has_seen_time,
            reach: None,
        };
        let reply = work(self, &mut context);
        self.data = data;
        if written {
            self.writes += 1;
            self.past
                .push_back((now_ms, self.writes, self.data.clone()));
            // One state that is older than any possible loss is enough.
            while self.past.len() > 2 && self.past[1].0 + EVERY_SECOND_MS < now_ms {
                self.past.pop_front();
            }
        }
        for said in said {
            self.say(&said);
            let others = self.cluster.iter().flat_map(|member| &member.all);
            for other in others.filter_map(Weak::upgrade) {
                // This server is borrowed here, so it cannot be borrowed again.
                if let (false, Ok(other)) = (said.is_sharded, other.try_borrow()) {
                    other.say(&said);
                }
            }
        }
        reply
    }

    fn say(&self, said: &Said) {
        let kind = if said.is_sharded {
            "smessage"
        } else {
            "message"
        };
        let (channel, text) = (&said.channel, &said.text);
        let mut frame = Vec::new();
        Reply::Push(vec![bulk(kind), bulk(channel), bulk(text)]).write(&mut frame);
        let listeners = self.processes.iter().flat_map(|on| on.listeners.values());
        for listener in listeners {
            let channels = match said.is_sharded {
                true => &listener.sharded,
                false => &listener.channels,
            };
            if channels.contains(channel) {
                // A connection that is being closed receives nothing.
                let _ = listener.out.send(frame.clone());
            }
        }
    }

    fn subscribe(&mut self, at: At, words: &[&[u8]], out: &mut Vec<u8>) {
        let listener = self.listener(at);
        let word = String::from_utf8_lossy(words[0]).to_lowercase();
        for channel in &words[1..] {
            let channels = match word.starts_with("ss") || word.starts_with("sun") {
                true => &mut listener.sharded,
                false => &mut listener.channels,
            };
            match word.ends_with("unsubscribe") {
                false => channels.insert(channel.to_vec()),
                true => channels.remove(*channel),
            };
            let count = channels.len() as i64;
            Reply::Push(vec![bulk(&word), bulk(channel), Reply::Int(count)]).write(out);
        }
    }

    fn listener(&mut self, at: At) -> &mut Listener {
        let process = &mut self.processes[at.side];
        process.listeners.get_mut(&at.connection).unwrap()
    }

    /// Returns the redirection of a request that belongs to another server of the cluster.
    fn redirect(&mut self, at: At, words: &[&[u8]]) -> Option<Reply> {
        self.cluster.as_ref()?;
        let is_asking = std::mem::take(&mut self.listener(at).is_asking);
        self.elsewhere(at.side, is_asking, words)
    }

    fn elsewhere(&self, side: usize, is_asking: bool, words: &[&[u8]]) -> Option<Reply> {
        let member = self.cluster.as_ref()?;
        let (mut keys, are_channels) = slots::keys(words);
        if self.defect == Some(Defect::WritesWhileMoving) {
            keys.retain(|key| !key.ends_with(b"}!"));
        }
        let slot = slots::slot(keys.first()?);
        if keys.iter().any(|key| slots::slot(key) != slot) {
            let why = "CROSSSLOT Keys in request don't hash to the same slot";
            return Some(Reply::Error(why.to_owned()));
        }
        let slots = member.slots.borrow();
        let (me, owner) = (member.number, slots.owner(slot));
        let serves = side == slots.side(me);
        let moving = slots.moving.filter(|moving| moving.slot == slot);
        let missing = || {
            let now_ms = clock::now_ms();
            let there = |key: &&&[u8]| self.data.value(key, now_ms).is_none();
            keys.iter().filter(there).count()
        };
        let is_coming = moving.is_some_and(|moving| moving.to == me);
        if serves && owner != me && is_coming && is_asking {
            let why = "TRYAGAIN Multiple keys request during rehashing of slot";
            let is_partly = keys.len() > 1 && missing() > 0;
            return is_partly.then(|| Reply::Error(why.to_owned()));
        }
        if !serves || owner != me {
            return Some(slots.moved_to(slot, owner));
        }
        let moving = moving.filter(|_| !are_channels && missing() > 0)?;
        Some(slots.ask(slot, moving.to))
    }

    /// Returns the slots of all sessions, one of which can move.
    pub fn slots_in_use(&self) -> BTreeSet<u16> {
        let keys = self.data.keys(clock::now_ms());
        keys.map(|key| slots::slot(key)).collect()
    }

    /// Returns the next key of a moving slot, if one is left. Redis takes them in the arbitrary order of its table.
    pub fn key_of(&self, moving: Moving) -> Option<Text> {
        let keys = self.data.keys(clock::now_ms());
        let of_slot = keys.filter(|key| slots::slot(key) == moving.slot);
        let place = |key: &&Text| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u64(moving.order);
            hasher.write(key);
            hasher.finish()
        };
        of_slot.min_by_key(place).cloned()
    }

    /// Moves a key to another server. Returns whether that server already has a key with this name, which Redis refuses
    /// to overwrite.
    pub fn hand_over(&mut self, key: &Text, to: &mut Server) -> bool {
        let is_busy = to.data.value(key, clock::now_ms()).is_some();
        if let Some(row) = self.data.take(key) {
            to.data.give(key, row);
        }
        is_busy
    }

    /// Moves the records of changes in a slot to the server that gets the slot.
    pub fn hand_over_slot(&mut self, moving: Moving) {
        let is_of_it = |channel: &Vec<u8>| slots::slot(channel) == moving.slot;
        for listener in self
            .processes
            .iter_mut()
            .flat_map(|on| on.listeners.values_mut())
        {
            for channel in listener.sharded.extract_if(.., |channel| is_of_it(channel)) {
                let mut frame = Vec::new();
                let words = vec![bulk("sunsubscribe"), bulk(channel), Reply::Int(0)];
                Reply::Push(words).write(&mut frame);
                let _ = listener.out.send(frame);
            }
        }
    }

    /// Answers the requests with which a connection begins.
    fn greeting(&self, words: &[&[u8]]) -> Option<Reply> {
        let is = |at: usize, word: &str| {
            words
                .get(at)
                .is_some_and(|given| given.eq_ignore_ascii_case(word.as_bytes()))
        };
        let appends = self.durability > Durability::Memory;
        if is(0, "HELLO") {
            return Some(Reply::Map(vec![
                bulk("server"),
                bulk("redis"),
                bulk("proto"),
                Reply::Int(3),
            ]));
        }
        if let (true, Some(member)) = (is(0, "CLUSTER"), &self.cluster) {
            assert!(
                is(1, "SLOTS"),
                "teach the model this question about the cluster"
            );
            return Some(member.slots.borrow().told());
        }
        if ["CLIENT", "SELECT", "AUTH", "READONLY"]
            .iter()
            .any(|word| is(0, word))
        {
            return Some(Reply::Simple("OK"));
        }
        if is(0, "CONFIG") {
            let word = if self.durability == Durability::Fsync {
                "always"
            } else {
                "everysec"
            };
            return Some(Reply::Map(vec![bulk("appendfsync"), bulk(word)]));
        }
        if is(0, "INFO") {
            let text = format!(
                "redis_version:7.4.0\r\nmaxmemory_policy:noeviction\r\naof_enabled:{}\r\n",
                u8::from(appends)
            );
            return Some(bulk(text));
        }
        None
    }

    fn note(&mut self, connection: u64, what: &[u8]) {
        let now_ms = clock::now_ms();
        self.digest.write_u64(now_ms);
        self.digest.write_u64(connection);
        self.digest.write(what);
        if let Some(course) = &mut self.course {
            let (ms, text) = (now_ms - clock::ORIGIN_MS, what.escape_ascii());
            course.push((ms, format!("{connection:>3} {text}")));
        }
    }

    /// Records the changes that a script has written, by the session keys among its arguments.
    fn note_written(&mut self, words: &[&[u8]]) {
        let now_ms = clock::now_ms();
        for key in words {
            let mark = match self.data.value(key, now_ms) {
                Some(Value::Hash(fields)) => fields.get(&b"a"[..]).map(|mark| mark.to_vec()),
                _ => None,
            };
            if let Some(mark) = mark {
                // A repeated script after the loss writes it again.
                self.lost.remove(&mark);
                self.written.entry(mark).or_insert((now_ms, self.writes));
            }
        }
    }
}

/// A connection, and its host.
#[derive(Clone, Copy)]
struct At {
    side: usize,
    connection: u64,
}

/// Runs a process of this server, on one of its hosts.
pub async fn serve(server: Shared, side: usize) -> turmoil::Result {
    let listener = TcpListener::bind(("0.0.0.0", PORT)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        spawn_local(converse(server.clone(), side, stream));
    }
}

async fn converse(server: Shared, side: usize, stream: TcpStream) {
    let (mut read, mut write) = stream.into_split();
    let (out, mut frames) = unbounded_channel::<Vec<u8>>();
    let connection = {
        let process = &mut server.borrow_mut().processes[side];
        process.connections += 1;
        let listener = Listener {
            channels: BTreeSet::new(),
            sharded: BTreeSet::new(),
            is_asking: false,
            out: out.clone(),
        };
        process.listeners.insert(process.connections, listener);
        process.connections
    };
    let writer = spawn_local(async move {
        while let Some(mut frame) = frames.recv().await {
            while let Ok(more) = frames.try_recv() {
                frame.extend(more);
            }
            if write.write_all(&frame).await.is_err() {
                return;
            }
        }
    });
    let at = At { side, connection };
    let mut waiting = Vec::new();
    while let Ok(1..) = read.read_buf(&mut waiting).await {
        let (mut done, mut answers) = (0, Vec::new());
        while let Some((words, length)) = resp::request(&waiting[done..]) {
            let request = &waiting[done..done + length];
            server.borrow_mut().note(connection, request);
            done += length;
            if !answer(&server, at, &words, &mut answers, &out).await {
                return std::future::pending().await;
            }
        }
        waiting.drain(..done);
        if !answers.is_empty() {
            let _ = out.send(answers);
        }
    }
    let process = &mut server.borrow_mut().processes[side];
    process.listeners.remove(&connection);
    drop(out);
    writer.abort();
}

/// Answers a request; returns `false` if the process has crashed.
async fn answer(
    server: &Shared,
    at: At,
    words: &[&[u8]],
    out: &mut Vec<u8>,
    sent: &UnboundedSender<Vec<u8>>,
) -> bool {
    // The standby host has not served yet.
    if server.borrow().has_crashed && at.side == server.borrow().side() {
        return false;
    }
    let before = out.len();
    let redirected = server.borrow_mut().redirect(at, words);
    match words[0] {
        _ if redirected.is_some() => {
            server.borrow_mut().redirected += 1;
            redirected.unwrap().write(out);
        }
        b"ASKING" => {
            server.borrow_mut().listener(at).is_asking = true;
            Reply::Simple("OK").write(out);
        }
        b"SUBSCRIBE" | b"UNSUBSCRIBE" | b"SSUBSCRIBE" | b"SUNSUBSCRIBE" => {
            server.borrow_mut().subscribe(at, words, out)
        }
        b"WAIT" => {
            // Earlier answers must not wait for it.
            let _ = sent.send(std::mem::take(out));
            wait(server).await.write(out);
        }
        b"EVAL" | b"EVALSHA" => {
            let crash = server.borrow().countdown();
            if crash == Some(Crash::BeforeScript) {
                server.borrow_mut().has_crashed = true;
                return false;
            }
            let first = server.borrow_mut().run_noted(words);
            let reply = repeat_sometimes(server, at.side, words).unwrap_or(first);
            reply.write(out);
            if let Some(crash) = crash {
                server.borrow_mut().has_crashed = true;
                if crash == Crash::WithinAnswer {
                    let half = before + (out.len() - before) / 2;
                    let _ = sent.send(out[..half].to_vec());
                    // It leaves before the crash.
                    tokio::task::yield_now().await;
                }
                return false;
            }
        }
        _ => {
            let greeting = server.borrow().greeting(words);
            let reply = greeting.unwrap_or_else(|| server.borrow_mut().run_noted(words));
            reply.write(out);
        }
    }
    let mut server = server.borrow_mut();
    server.answered += 1;
    // After `WAIT`, the server may have crashed.
    server.note(at.connection, out.get(before..).unwrap_or_default());
    true
}

impl Server {
    fn repeat(&mut self, words: &[&[u8]]) -> Reply {
        self.repeated += 1;
        for word in words {
            self.note(0, word);
        }
        self.run_noted(words)
    }

    fn run_noted(&mut self, words: &[&[u8]]) -> Reply {
        let before = self.writes;
        let reply = self.run(words);
        if self.writes != before {
            self.note_written(words);
        }
        reply
    }

    fn countdown(&self) -> Option<Crash> {
        let (left, crash) = self.crash_at.get()?;
        let next = left.checked_sub(1).map(|left| (left, crash));
        self.crash_at.set(next);
        (left == 0).then_some(crash)
    }
}

/// Waits until a replica confirms the writes so far, which then cannot be lost.
async fn wait(server: &Shared) -> Reply {
    let (writes, lag) = {
        let mut server = server.borrow_mut();
        (server.writes, server.dice.below(LAG_MS))
    };
    sleep(Duration::from_millis(lag)).await;
    let mut server = server.borrow_mut();
    // After a failover, the numbers belong to another server.
    server.confirmed = server.confirmed.max(writes.min(server.writes));
    Reply::Int(1)
}

/// Sometimes repeats a call, at once or later, as the client of a cluster may after a failure. Returns the second answer
/// if it is repeated at once.
fn repeat_sometimes(server: &Shared, side: usize, words: &[&[u8]]) -> Option<Reply> {
    let (wanted, at_once, after) = {
        let mut server = server.borrow_mut();
        let wanted = server.dice.below(1000) < server.repeated_of_1000;
        let at_once = server.dice.below(2) == 0;
        (wanted, at_once, server.dice.below(REPEATED_AFTER_MS))
    };
    if !wanted {
        return None;
    }
    if at_once {
        return Some(server.borrow_mut().repeat(words));
    }
    server.borrow_mut().to_repeat += 1;
    let server = server.clone();
    let words: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
    spawn_local(async move {
        sleep(Duration::from_millis(after)).await;
        let mut server = server.borrow_mut();
        if !server.has_crashed {
            server.to_repeat -= 1;
            let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
            // If the slot has moved meanwhile, the call is refused.
            if server.elsewhere(side, true, &words).is_none() {
                server.repeat(&words);
            }
        }
    });
    None
}
