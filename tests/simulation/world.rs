//! A running schedule: the hosts on a simulated network, the jobs on each, and the injection of faults.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, UNIX_EPOCH};

use futures_util::future::{LocalBoxFuture, poll_fn};
use tokio::sync::Notify;
use tokio::task::spawn_local;
use tokio::time::sleep;
use turmoil::Sim;
use wyrmgate::dice::Dice;
use wyrmgate::session::{Service, Token};
use wyrmgate::store::{self, ChangeMark, Durability, Store, StoreError};
use wyrmgate::surroundings;

use crate::chance;
use crate::clock::{self, ORIGIN_MS, Simulated};
use crate::contract;
use crate::defects::faulty;
use crate::games;
use crate::history::{History, Line};
use crate::hook::{self, Hook};
use crate::model::{Loss, Moving, PORT, Server, Servers, Step, serve};
use crate::plan::{Fault, NEVER, Plan, Way, Work};
use crate::ratings;
use crate::removals::Removals;
use crate::seeks;
use crate::wire::{self, Dialer};

/// The time limit of a schedule, long after all faults are repaired.
const END: Duration = Duration::from_secs(120);
/// The maximum time between the moves of two keys of a slot.
const KEY_MS: u64 = 200;
/// The time after which a crashed host restarts.
const BACK_MS: std::ops::Range<u64> = 20..800;

/// In a report: the number of possible crash points.
pub const POINTS: &str = "points to die at";

/// Counts of what happened, for the report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally(BTreeMap<String, u64>);

impl Tally {
    pub fn add(&mut self, what: &str, count: u64) {
        match self.0.get_mut(what) {
            Some(before) => *before += count,
            None => drop(self.0.insert(what.to_owned(), count)),
        }
    }

    pub fn merge(&mut self, other: &Tally) {
        for (what, count) in &other.0 {
            self.add(what, *count);
        }
    }

    /// Reads the counts that another process has printed.
    pub fn read(text: &str) -> Tally {
        let read = |line: &str| {
            let (count, what) = line.trim_start().split_once("  ")?;
            Some((what.to_owned(), count.parse().ok()?))
        };
        Tally(text.lines().filter_map(read).collect())
    }

    pub fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0
            .iter()
            .try_for_each(|(what, count)| writeln!(f, "{count:>10}  {what}"))
    }
}

/// The result of a schedule.
pub struct Outcome {
    pub problems: Vec<String>,
    pub tally: Tally,
    /// A digest that is equal for two runs with identical bytes and times.
    pub digest: u64,
    /// The requests and answers, if they were recorded.
    pub course: Vec<String>,
}

/// A job. It runs on a node; if that crashes, it runs again on another one, and continues from the state that it keeps
/// outside.
pub type Run = Rc<dyn Fn(Node) -> LocalBoxFuture<'static, ()>>;

struct Job {
    name: String,
    run: Run,
    node: Cell<usize>,
    is_started: Cell<bool>,
    is_done: Rc<Cell<bool>>,
    /// Whether the schedule lasts until this job ends.
    is_awaited: bool,
}

/// The state that all parts of a schedule share.
pub struct World {
    pub plan: Plan,
    pub servers: Servers,
    pub history: RefCell<History>,
    pub tally: RefCell<Tally>,
    /// The owner's token of the game, once its creator has received it.
    pub owner: RefCell<Option<Token>>,
    /// The server that webhooks call, if there are any.
    pub hook: Option<Rc<Hook>>,
    pub removals: Removals,
    /// The entries that listeners have seen, by session.
    pub lines: RefCell<Vec<(String, Rc<RefCell<Line>>)>>,
    /// Whether faults are over.
    pub is_calm: Cell<bool>,
    surroundings: Rc<Simulated>,
    dice: RefCell<Dice>,
    jobs: RefCell<Vec<Job>>,
    nodes: Vec<NodeFate>,
}

#[derive(Default)]
struct NodeFate {
    wires: RefCell<Arc<wire::Fate>>,
    /// The number of polls of writes until the node crashes.
    polls_left: Cell<Option<u64>>,
    has_crashed: Cell<bool>,
    /// Notified when the node has jobs.
    has_jobs: Notify,
}

impl NodeFate {
    /// Returns whether the node is crashing, so that it sends nothing any more.
    fn is_frozen(&self) -> bool {
        self.wires.borrow().frozen.load(Ordering::Relaxed)
    }
}

/// A node as its jobs see it.
#[derive(Clone)]
pub struct Node {
    pub index: usize,
    pub world: Rc<World>,
    pub store: Arc<dyn Store>,
    pub service: Arc<Service>,
}

impl Node {
    /// Runs a write, at any await of which the node may crash.
    pub async fn writing<T>(&self, write: impl Future<Output = T>) -> T {
        let _under_way = UnderWay::begin(&self.world.nodes[self.index]);
        let mut write = Box::pin(write);
        poll_fn(|context| {
            if self.world.dies_now(self.index) {
                return std::task::Poll::Pending;
            }
            Pin::new(&mut write).poll(context)
        })
        .await
    }
}

/// Counts a write as long as it lasts, even one that is canceled.
struct UnderWay(Arc<wire::Fate>);

impl UnderWay {
    fn begin(node: &NodeFate) -> UnderWay {
        let fate = node.wires.borrow().clone();
        fate.writes.fetch_add(1, Ordering::Relaxed);
        UnderWay(fate)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.writes.fetch_sub(1, Ordering::Relaxed);
    }
}

impl World {
    fn new(plan: Plan) -> Rc<World> {
        let mut dice = Dice::new(plan.seed);
        let servers = Servers::new(plan.masters, || {
            let mut server = Server::new(plan.durability, dice.below(u64::MAX));
            server.repeated_of_1000 = plan.repeated_of_1000;
            server.defect = plan.defect;
            server.course = plan.is_noted.then(Vec::new);
            server
        });
        Rc::new(World {
            servers,
            history: RefCell::default(),
            tally: RefCell::default(),
            lines: RefCell::default(),
            owner: RefCell::default(),
            removals: Removals::default(),
            hook: plan
                .has_webhook
                .then(|| Rc::new(Hook::new(dice.below(u64::MAX)))),
            is_calm: Cell::new(false),
            surroundings: Simulated::new(dice.below(u64::MAX)),
            jobs: RefCell::default(),
            nodes: (0..plan.nodes).map(|_| NodeFate::default()).collect(),
            dice: RefCell::new(dice),
            plan,
        })
    }

    pub fn below(&self, n: u64) -> u64 {
        self.dice.borrow_mut().below(n)
    }

    pub fn count(&self, what: &'static str) {
        self.tally.borrow_mut().add(what, 1);
    }

    pub fn problem(&self, what: impl Into<String>) {
        self.history.borrow_mut().problem(what);
    }

    /// Starts a job on some node.
    pub fn employ(&self, name: String, is_awaited: bool, run: Run) {
        let node = Cell::new(self.below(self.plan.nodes as u64) as usize);
        self.employ_on(node.get(), name, is_awaited, run);
    }

    pub fn employ_on(&self, node: usize, name: String, is_awaited: bool, run: Run) {
        let job = Job {
            name,
            run,
            node: Cell::new(node),
            is_started: Cell::new(false),
            is_done: Rc::default(),
            is_awaited,
        };
        self.jobs.borrow_mut().push(job);
        self.nodes[node].has_jobs.notify_one();
    }

    /// Breaks all connections; nodes then check once for everything that they may have missed.
    pub fn break_all_lines(&self) {
        for node in &self.nodes {
            node.wires.borrow().break_lines();
        }
    }

    /// Returns the marks of changes that are lost.
    pub fn lost(&self) -> BTreeSet<ChangeMark> {
        let text = |mark: Vec<u8>| std::str::from_utf8(&mark).unwrap().parse().unwrap();
        self.servers.lost().into_iter().map(text).collect()
    }

    fn dies_now(&self, node: usize) -> bool {
        let fate = &self.nodes[node];
        if fate.has_crashed.get() || fate.is_frozen() {
            return true;
        }
        let Some(left) = fate.polls_left.get() else {
            return false;
        };
        fate.polls_left.set(left.checked_sub(1));
        if left > 0 {
            return false;
        }
        fate.wires.borrow().frozen.store(true, Ordering::Relaxed);
        fate.has_crashed.set(true);
        true
    }

    fn start_jobs(self: &Rc<World>, node: &Node) {
        let jobs = self.jobs.borrow();
        for job in jobs
            .iter()
            .filter(|job| job.node.get() == node.index && !job.is_started.get())
        {
            job.is_started.set(true);
            let (work, done) = ((job.run)(node.clone()), job.is_done.clone());
            spawn_local(async move {
                work.await;
                done.set(true);
            });
        }
    }

    /// Moves the jobs of a node to other nodes.
    fn leave(&self, node: usize) {
        for job in self
            .jobs
            .borrow()
            .iter()
            .filter(|job| job.node.get() == node && !job.is_done.get())
        {
            job.is_started.set(false);
            if job.is_awaited {
                job.node.set(self.below(self.plan.nodes as u64) as usize);
            }
            self.nodes[job.node.get()].has_jobs.notify_one();
        }
    }

    fn is_at_rest(&self) -> bool {
        self.jobs
            .borrow()
            .iter()
            .all(|job| job.is_done.get() || !job.is_awaited)
    }
}

async fn node(world: Rc<World>, index: usize) -> turmoil::Result {
    world.surroundings.set_ahead(world.plan.ahead_ms[index]);
    let fate = world.nodes[index].wires.borrow().clone();
    let dialer = Dialer::start(fate);
    world.surroundings.set_dialer(dialer.clone());
    let store = loop {
        match open(&world, &dialer).await {
            Ok(store) => break store,
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    };
    let store = faulty(store, world.plan.defect);
    let node = Node {
        index,
        service: games::service(&world, store.clone()),
        store,
        world,
    };
    loop {
        node.world.start_jobs(&node);
        node.world.nodes[index].has_jobs.notified().await;
    }
}

/// Opens the store: a single server through the simulated connection, a cluster as the program does.
async fn open(world: &World, dialer: &Dialer) -> Result<Arc<dyn Store>, StoreError> {
    let is_replicated = world.plan.durability == Durability::Replicated;
    if !world.servers.is_cluster() {
        let connect = |on_push| wire::Simulated::connect(on_push, dialer.clone());
        return store::open_over(connect, is_replicated.then_some(Durability::Replicated)).await;
    }
    let hosts = world.servers.hosts().into_iter();
    let hosts: Vec<String> = hosts.map(|(.., host)| format!("{host}:{PORT}")).collect();
    let asked = if is_replicated {
        "?durability=replicated"
    } else {
        ""
    };
    store::open(&format!("redis+cluster://{}{asked}", hosts.join(","))).await
}

/// Injects the faults of a plan.
struct Hand<'a, 's> {
    sim: &'a mut Sim<'s>,
    world: Rc<World>,
    /// The planned repairs, by time.
    repairs: BTreeMap<(u64, u64), Repair>,
    repaired: u64,
}

enum Repair {
    Node(usize),
    Host(String),
    /// The standby host of this server takes over.
    TakeOver(usize),
    Held(usize, String),
    Link(usize, String),
    /// The next key of a moving slot follows.
    Moving(Moving),
}

/// Runs a schedule to its end.
pub fn run(plan: &Plan) -> Outcome {
    let employ = |world: &Rc<World>| match world.plan.work {
        Work::Contract => contract::employ(world),
        Work::Games => games::employ(world),
        Work::Ratings => ratings::employ(world),
        Work::Seeks => seeks::employ(world),
    };
    match plan.masters {
        1 => simulate(plan, employ),
        // The client of a cluster takes randomness from the operating system. Several threads load the games, so this
        // happens before.
        _ => {
            games::prepare();
            chance::seeded(plan.seed, || simulate(plan, employ))
        }
    }
}

/// Like [`run`], and records all requests and answers of the server.
pub fn run_noting(plan: &Plan) -> Outcome {
    let mut plan = plan.clone();
    plan.is_noted = true;
    run(&plan)
}

/// Returns the first differences between two runs of a schedule.
pub fn where_they_part(plan: &Plan) -> String {
    let (first, second) = (run_noting(plan).course, run_noting(plan).course);
    let same = first.iter().zip(&second).take_while(|(a, b)| a == b);
    let at = same.count();
    let from = at.saturating_sub(4);
    let part = |course: &[String]| course[from..course.len().min(at + 4)].join("\n");
    format!(
        "these part at line {at}:\n{}\n--\n{}",
        part(&first),
        part(&second)
    )
}

/// Runs a single job.
pub fn run_only(plan: &Plan, run: Run) -> Outcome {
    simulate(plan, |world| {
        world.is_calm.set(true);
        world.employ("the only one".to_owned(), true, run);
    })
}

fn simulate(plan: &Plan, employ: impl FnOnce(&Rc<World>)) -> Outcome {
    clock::stop_at(0);
    let world = World::new(plan.clone());
    let replaced = surroundings::replace(world.surroundings.clone());
    let mut sim = turmoil::Builder::new()
        .rng_seed(plan.seed)
        .tick_duration(plan.tick())
        .simulation_duration(END * 2)
        .epoch(UNIX_EPOCH + Duration::from_millis(ORIGIN_MS))
        .min_message_latency(Duration::ZERO)
        .max_message_latency(plan.latency)
        .tcp_capacity(4096)
        .enable_random_order()
        .build();
    for (number, side, host) in world.servers.hosts() {
        let server = world.servers.server(number).clone();
        sim.host(host, move || serve(server.clone(), side));
    }
    for index in 0..plan.nodes {
        let world = world.clone();
        sim.host(name(index), move || node(world.clone(), index));
    }
    if let Some(hook) = world.hook.clone() {
        let world = world.clone();
        sim.host(hook::HOST, move || {
            let world = world.clone();
            hook::serve(hook.clone(), move || world.is_calm.get())
        });
    }
    employ(&world);
    let mut hand = Hand {
        sim: &mut sim,
        world: world.clone(),
        repairs: BTreeMap::new(),
        repaired: 0,
    };
    hand.lead();
    drop(sim);
    drop(replaced);
    world.outcome()
}

fn name(node: usize) -> String {
    format!("node-{node}")
}

impl World {
    fn outcome(&self) -> Outcome {
        let mut tally = self.tally.take();
        for server in self.servers.each() {
            tally.add("scripts that came twice", server.repeated);
            tally.add("requests answered by the server", server.answered);
            tally.add("changes lost by the server", server.lost.len() as u64);
            tally.add("requests sent elsewhere", server.redirected);
        }
        Outcome {
            problems: std::mem::take(&mut self.history.borrow_mut().problems),
            tally,
            digest: self.servers.digest(),
            course: self.servers.course(),
        }
    }
}

impl Hand<'_, '_> {
    fn lead(&mut self) {
        let faults = self.world.plan.faults.clone();
        let mut faults = faults.into_iter().peekable();
        let end = END.as_millis() as u64;
        loop {
            let now = self.sim.elapsed().as_millis() as u64;
            clock::stop_at(now);
            while let Some((_, fault)) = faults.next_if(|(at, _)| *at <= now) {
                self.harm(fault, now);
            }
            self.bury(now);
            self.repair(now);
            let is_over = faults.peek().is_none() && self.repairs.is_empty();
            if is_over && self.world.is_at_rest() {
                if self.world.is_calm.get() {
                    break;
                }
                self.disarm();
                self.world.is_calm.set(true);
                match self.world.plan.work {
                    Work::Contract => contract::employ_auditor(&self.world),
                    Work::Games => games::employ_auditor(&self.world),
                    Work::Ratings => ratings::employ_auditor(&self.world),
                    Work::Seeks => seeks::employ_auditor(&self.world),
                }
            }
            if now > end {
                let jobs = self.world.jobs.borrow();
                let idle = jobs
                    .iter()
                    .filter(|job| job.is_awaited && !job.is_done.get());
                let idle: Vec<_> = idle
                    .map(|job| format!("{} on {}", job.name, name(job.node.get())))
                    .collect();
                drop(jobs);
                self.world.problem(format!(
                    "nothing is wrong any more, and these do not come to an end: {idle:?}"
                ));
                break;
            }
            if let Err(error) = self.sim.step() {
                self.world.problem(format!("a host has failed: {error}"));
                break;
            }
        }
        self.world.tally.borrow_mut().add(
            "virtual milliseconds",
            self.sim.elapsed().as_millis() as u64,
        );
    }

    /// Cancels planned crashes that have not happened.
    fn disarm(&mut self) {
        let scripts = self.world.servers.crash_at.take().map(|(left, _)| left);
        self.count_points(scripts);
        for node in &self.world.nodes {
            self.count_points(node.polls_left.take());
            let wires = node.wires.borrow();
            let exchanges = wires.exchanges_left.swap(0, Ordering::Relaxed);
            self.count_points(Some(exchanges));
        }
    }

    /// Counts the points at which a crash that never happens could have happened.
    fn count_points(&self, left: Option<u64>) {
        let passed = left.map_or(NEVER, |left| NEVER - left);
        if passed < NEVER / 2 {
            self.world.tally.borrow_mut().add(POINTS, passed);
        }
    }

    fn harm(&mut self, fault: Fault, now: u64) {
        match fault {
            Fault::CrashNode(node) => {
                self.world.count("nodes killed between two steps");
                self.world.nodes[node].has_crashed.set(true);
            }
            Fault::CrashNodeInWrite(node, polls) => {
                self.world.nodes[node].polls_left.set(Some(polls))
            }
            Fault::CrashNodeInExchange(node, messages) => {
                let wires = self.world.nodes[node].wires.borrow();
                let left = messages.saturating_add(1);
                wires.exchanges_left.store(left, Ordering::Relaxed)
            }
            Fault::CrashServer(scripts, point) => {
                self.world.servers.crash_at.set(Some((scripts, point)))
            }
            Fault::Forget => {
                self.world.count("failovers to a replica that was behind");
                let server = self.some_server();
                self.kill_server(server, Loss::NotReplicated, now);
            }
            Fault::MoveSlot => {
                let chance = self.world.below(u64::MAX);
                if let Some(moving) = self.world.servers.begin_to_move(chance) {
                    self.world.count("slots moved");
                    self.later(now + self.world.below(KEY_MS), Repair::Moving(moving));
                }
            }
            Fault::Hold(node, ms) => {
                self.world.count("links held up");
                let host = self.some_host();
                self.sim.hold(name(node), host.as_str());
                self.later(now + ms, Repair::Held(node, host));
            }
            Fault::Cut(node, way, ms) => {
                self.world.count(match way {
                    Way::ToServer => "links cut towards the server",
                    Way::FromServer => "links cut from the server",
                    Way::Both => "links cut both ways",
                });
                let host = self.some_host();
                match way {
                    Way::ToServer => self.sim.partition_oneway(name(node), host.as_str()),
                    Way::FromServer => self.sim.partition_oneway(host.as_str(), name(node)),
                    Way::Both => self.sim.partition(name(node), host.as_str()),
                }
                self.later(now + ms, Repair::Link(node, host));
            }
            Fault::Break(node) => {
                self.world.count("connections broken");
                self.world.nodes[node].wires.borrow().break_lines();
            }
        }
    }

    /// Stops hosts that have crashed by themselves.
    fn bury(&mut self, now: u64) {
        for index in 0..self.world.plan.nodes {
            let fate = &self.world.nodes[index];
            let is_dead = fate.has_crashed.get() || fate.is_frozen();
            if !is_dead || !self.sim.is_host_running(name(index)) {
                continue;
            }
            if fate.is_frozen() {
                self.world.count("nodes killed within a write");
            }
            self.sim.crash(name(index));
            self.world.leave(index);
            let back = self.some_time();
            self.later(now + back, Repair::Node(index));
        }
        for number in 0..self.world.servers.count() {
            if self.world.servers.server(number).borrow().has_crashed {
                let loss = self.world.plan.loss;
                if self.kill_server(number, loss, now) {
                    self.world.count("servers killed within a script");
                }
            }
        }
    }

    /// Crashes a server; returns whether it was running.
    fn kill_server(&mut self, number: usize, loss: Loss, now: u64) -> bool {
        let servers = &self.world.servers;
        let host = servers.host(number);
        if !self.sim.is_host_running(host.as_str()) {
            return false;
        }
        self.sim.crash(host.as_str());
        let server = servers.server(number);
        server.borrow_mut().restart(loss, ORIGIN_MS + now);
        let mut back = now + self.some_time();
        // In a cluster, writes that the replica has not received are lost, because the replica takes over.
        if loss == Loss::NotReplicated && servers.is_cluster() {
            self.world.count("servers that another one took over from");
            self.later(back, Repair::TakeOver(number));
            back += self.some_time();
        }
        self.later(back, Repair::Host(host));
        true
    }

    /// Returns a random server.
    fn some_server(&self) -> usize {
        match self.world.servers.count() {
            1 => 0,
            count => self.world.below(count as u64) as usize,
        }
    }

    fn some_host(&self) -> String {
        self.world.servers.host(self.some_server())
    }

    fn some_time(&self) -> u64 {
        BACK_MS.start + self.world.below(BACK_MS.end - BACK_MS.start)
    }

    fn later(&mut self, at: u64, repair: Repair) {
        self.repaired += 1;
        self.repairs.insert((at, self.repaired), repair);
    }

    fn repair(&mut self, now: u64) {
        while let Some(due) = self.repairs.first_entry().filter(|due| due.key().0 <= now) {
            match due.remove() {
                Repair::Host(host) => self.sim.bounce(host.as_str()),
                Repair::TakeOver(number) => self.world.servers.fail_over(number),
                Repair::Moving(moving) => {
                    let step = self.world.servers.move_a_key(moving);
                    if let Step::Busy(key) = &step {
                        let what = "is on both masters while its slot moves";
                        self.world.problem(format!("{key} {what}"));
                    }
                    if !matches!(step, Step::Settled) {
                        let next = now + self.world.below(KEY_MS);
                        self.later(next, Repair::Moving(moving));
                    }
                }
                Repair::Node(index) => {
                    let fate = &self.world.nodes[index];
                    fate.wires.replace(Arc::default());
                    fate.polls_left.set(None);
                    fate.has_crashed.set(false);
                    self.sim.bounce(name(index));
                }
                Repair::Held(index, host) => self.sim.release(name(index), host.as_str()),
                Repair::Link(index, host) => {
                    self.sim.repair(name(index), host.as_str());
                    // What was lost is not sent again here; the system would have given the connection up.
                    self.world.nodes[index].wires.borrow().break_lines();
                }
            }
        }
    }
}
