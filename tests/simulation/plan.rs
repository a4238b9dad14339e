//! What a seed decides before a schedule begins.

use std::time::Duration;

use wyrmgate::bot::Bot;
use wyrmgate::dice::Dice;
use wyrmgate::store::Durability;

use crate::crashes;
use crate::defects::Defect;
use crate::model::{Crash, Loss};

/// Who does what in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Writers, readers and listeners on the store itself.
    Contract,
    /// People who play a game with clocks, by the session service.
    Games,
}

impl Work {
    pub fn word(self) -> &'static str {
        match self {
            Work::Contract => "contract",
            Work::Games => "games",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A node dies at once.
    CrashNode(usize),
    /// A node dies at one of the next places where a write waits for something.
    CrashNodeInWrite(usize, u64),
    /// A node dies when it has exchanged so many more messages with servers while it writes.
    CrashNodeInExchange(usize, u64),
    /// A server dies with one of the next scripts: of a cluster, the one that is asked for it.
    CrashServer(u64, Crash),
    /// Another server takes over that was behind.
    Forget,
    /// Messages between a node and the server come later.
    Hold(usize, u64),
    /// Messages are lost: to the server, from it, or both.
    Cut(usize, Way, u64),
    /// Connections end.
    Break(usize),
    /// In a cluster: the slot of a session moves to another master, key by key.
    MoveSlot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    ToServer,
    FromServer,
    Both,
}

#[derive(Clone, Debug)]
pub struct Plan {
    /// By which it can be asked for.
    pub name: String,
    pub seed: u64,
    pub work: Work,
    pub nodes: usize,
    /// More than one make a cluster.
    pub masters: usize,
    pub durability: Durability,
    /// What a server loses when it dies.
    pub loss: Loss,
    /// Whether what was acknowledged may be lost.
    pub may_lose: bool,
    pub latency: Duration,
    pub repeated_of_1000: u64,
    /// By the time they happen at, in milliseconds.
    pub faults: Vec<(u64, Fault)>,
    pub sessions: u64,
    pub players: u64,
    /// Of each player.
    pub moves: u64,
    /// In games: the second seat is a built-in player's.
    pub bot: Option<Bot>,
    /// In games: what was done may be taken back.
    pub may_undo: bool,
    /// In games: a webhook is told of everything.
    pub has_webhook: bool,
    /// Somebody removes a session, and all of them are gone in the end.
    pub removes: bool,
    /// In games: a session that nobody has written for so long is forgotten at the next whole hour.
    pub lifetime: Duration,
    /// How far the clock of each node is ahead.
    pub ahead_ms: Vec<i64>,
    pub defect: Option<Defect>,
    /// Whether all that the server is asked and answers is kept to be read.
    pub is_noted: bool,
}

/// Seeds of games that found a defect of ours, among 90,000 schedules.
pub const FOUND: [u64; 3] = [118, 100_327, 101_921];
/// A seed of the contract that found a mistake in the checks: a listener read while a removal was lost.
pub const FOUND_IN_CONTRACT: u64 = 1_058;
/// How exactly the times of messages are told apart, at best. On a host they are exact.
const TICK: Duration = Duration::from_millis(10);
/// Where messages take long, so exactly is enough: a part of the longest.
const TICKS: u32 = 4;
/// Of a game that is forgotten at the first whole hour.
pub const SHORT_LIFE: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3_600);
/// Of a cluster.
const MASTERS: usize = 3;
/// Before the name of a plan on a cluster.
const CLUSTER: &str = "cluster-";
/// A death that never comes, which only has its points counted.
pub const NEVER: u64 = u64::MAX;
/// Faults happen until then.
const TROUBLE_MS: u64 = 2_500;
/// The clocks of two nodes differ so much at most.
const SKEW_MS: u64 = 200;

impl Plan {
    /// The schedule of a seed.
    pub fn of(seed: u64, work: Work) -> Plan {
        let mut dice = Dice::new(seed ^ 0x5eed);
        let mut plan = Plan::calm(seed, work);
        plan.name = format!("{}:{seed}", work.word());
        (plan.durability, plan.loss, plan.may_lose) = match dice.below(4) {
            0 => (Durability::Fsync, Loss::Nothing, false),
            1 => (Durability::Local, Loss::LastSecond, true),
            2 => (Durability::Replicated, Loss::NotReplicated, false),
            _ => (Durability::Local, Loss::Nothing, true),
        };
        plan.nodes = 2 + dice.below(2) as usize;
        plan.latency = Duration::from_millis([10, 30, 120][dice.below(3) as usize]);
        plan.repeated_of_1000 = [0, 50, 300][dice.below(3) as usize];
        let skew = |_| dice.below(SKEW_MS) as i64 - SKEW_MS as i64 / 2;
        plan.ahead_ms = (0..plan.nodes).map(skew).collect();
        plan.sessions = 1 + dice.below(2);
        plan.players = 2 + dice.below(2);
        plan.moves = 3 + dice.below(5);
        if work == Work::Games {
            plan.moves += 2;
            let bots = [
                None,
                None,
                Some(Bot::Random),
                Some(Bot::Greedy),
                Some(Bot::Search1),
            ];
            plan.bot = bots[dice.below(5) as usize];
            plan.may_undo = dice.below(2) == 0;
            plan.has_webhook = dice.below(2) == 0;
        }
        plan.end_sessions();
        // Now and then nothing goes wrong at all: then everything is in time.
        let faults = [0, 1, 1, 2, 2, 2, 3, 3][dice.below(8) as usize];
        for _ in 0..faults {
            let fault = plan.fault(&mut dice);
            plan.faults.push((dice.below(TROUBLE_MS), fault));
        }
        plan.faults.sort_by_key(|(at, _)| *at);
        plan
    }

    /// The same on a cluster, with slots that move in schedules in which no master can lose anything: the keys of such a slot
    /// lie on one of two masters, and a schedule judges only what one of them may lose.
    pub fn of_cluster(seed: u64, work: Work) -> Plan {
        let mut plan = Plan::of(seed, work).on_cluster();
        let mut dice = Dice::new(seed ^ 0x0c10);
        let moves = match plan.durability {
            Durability::Fsync => 1 + dice.below(2),
            _ => 0,
        };
        for _ in 0..moves {
            plan.faults.push((dice.below(TROUBLE_MS), Fault::MoveSlot));
        }
        plan.faults.sort_by_key(|(at, _)| *at);
        plan
    }

    /// The same on a cluster.
    pub fn on_cluster(mut self) -> Plan {
        self.name.insert_str(0, CLUSTER);
        self.masters = MASTERS;
        self
    }

    /// Nothing goes wrong.
    pub fn calm(seed: u64, work: Work) -> Plan {
        Plan {
            name: format!("calm-{}:{seed}", work.word()),
            seed,
            work,
            nodes: 2,
            masters: 1,
            durability: Durability::Fsync,
            loss: Loss::Nothing,
            may_lose: false,
            latency: Duration::from_millis(10),
            repeated_of_1000: 0,
            faults: Vec::new(),
            sessions: 1,
            players: 2,
            moves: 4,
            bot: None,
            may_undo: false,
            has_webhook: false,
            removes: false,
            lifetime: HOUR,
            ahead_ms: vec![0, 0],
            defect: None,
            is_noted: false,
        }
    }

    /// The plan of a name.
    pub fn named(name: &str) -> Option<Plan> {
        let (name, is_on_cluster) = match name.strip_prefix(CLUSTER) {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (kind, number) = name.split_once(':')?;
        let number = number.parse().ok()?;
        let works = [Work::Contract, Work::Games].into_iter();
        match works.into_iter().find(|work| work.word() == kind) {
            Some(work) if is_on_cluster => Some(Plan::of_cluster(number, work)),
            Some(work) => Some(Plan::of(number, work)),
            None => crashes::plan(kind, number, is_on_cluster),
        }
    }

    /// How exactly the times of messages are told apart. Schedules that found a defect stay as they were.
    pub fn tick(&self) -> Duration {
        match self.work == Work::Games && FOUND.contains(&self.seed) {
            true => TICK,
            false => TICK.max(self.latency / TICKS),
        }
    }

    /// In some schedules sessions are removed, and in some games they are forgotten as soon as nobody plays any more. Schedules
    /// that found a defect stay as they were.
    fn end_sessions(&mut self) {
        let is_game = self.work == Work::Games;
        if is_game && FOUND.contains(&self.seed) {
            return;
        }
        let mut dice = Dice::new(self.seed ^ 0xdead);
        match dice.below(8) {
            0 | 1 => self.removes = true,
            2 if is_game => self.lifetime = SHORT_LIFE,
            _ => {}
        }
    }

    fn fault(&self, dice: &mut Dice) -> Fault {
        let node = dice.below(self.nodes as u64) as usize;
        match dice.below(11) {
            0 => Fault::CrashNode(node),
            1 | 2 => Fault::CrashNodeInWrite(node, 1 + dice.below(12)),
            3 | 4 => {
                let points = [Crash::BeforeScript, Crash::AfterScript, Crash::WithinAnswer];
                Fault::CrashServer(dice.below(6), points[dice.below(3) as usize])
            }
            // A replica that is behind may only take over where that was not promised away.
            5 if self.may_lose => Fault::Forget,
            5 | 6 => Fault::Hold(node, 100 + dice.below(1_500)),
            7..=9 => {
                let ways = [Way::ToServer, Way::FromServer, Way::Both];
                Fault::Cut(node, ways[dice.below(3) as usize], 100 + dice.below(3_500))
            }
            _ => Fault::Break(node),
        }
    }
}
