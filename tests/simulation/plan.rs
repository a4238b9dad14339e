//! The plan of a schedule, which a seed decides before it begins.

use std::time::Duration;

use wyrmgate::bot::Bot;
use wyrmgate::dice::Dice;
use wyrmgate::store::Durability;

use crate::crashes;
use crate::defects::Defect;
use crate::model::{Crash, Loss};

/// The kind of work in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Writers, readers and listeners on the store itself.
    Contract,
    /// People who play a game with clocks, through the session service.
    Games,
    /// Rated games, and the counting of their results.
    Ratings,
    /// People who seek each other, through the session service.
    Seeks,
}

impl Work {
    pub fn word(self) -> &'static str {
        match self {
            Work::Contract => "contract",
            Work::Games => "games",
            Work::Ratings => "ratings",
            Work::Seeks => "seeks",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A node crashes at once.
    CrashNode(usize),
    /// A node crashes at one of the next awaits of a write.
    CrashNodeInWrite(usize, u64),
    /// A node crashes when it has exchanged this many more messages with servers during writes.
    CrashNodeInExchange(usize, u64),
    /// A server crashes at one of the next scripts; in a cluster, the server that gets this script.
    CrashServer(u64, Crash),
    /// A server that lags takes over.
    Forget,
    /// Messages between a node and the server are delayed.
    Hold(usize, u64),
    /// Messages are lost: to the server, from it, or both.
    Cut(usize, Way, u64),
    /// Connections end.
    Break(usize),
    /// The slot of a session moves to another master of the cluster, key by key.
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
    /// The name by which the schedule can be requested.
    pub name: String,
    pub seed: u64,
    pub work: Work,
    pub nodes: usize,
    /// The number of masters. More than one form a cluster.
    pub masters: usize,
    pub durability: Durability,
    /// The data that a server loses when it crashes.
    pub loss: Loss,
    /// Whether acknowledged writes may be lost.
    pub may_lose: bool,
    pub latency: Duration,
    pub repeated_of_1000: u64,
    /// The faults with their times in milliseconds.
    pub faults: Vec<(u64, Fault)>,
    pub sessions: u64,
    pub players: u64,
    /// The number of moves of each player.
    pub moves: u64,
    /// In games: the bot of the second seat, if it has one.
    pub bot: Option<Bot>,
    /// In games: whether moves may be undone.
    pub may_undo: bool,
    /// In games: whether there is a webhook.
    pub has_webhook: bool,
    /// Whether sessions are removed, so that none is left in the end.
    pub removes: bool,
    /// In games: a session without writes for this time expires at the next whole hour.
    pub lifetime: Duration,
    /// By how much the clock of each node is fast, in milliseconds.
    pub ahead_ms: Vec<i64>,
    pub defect: Option<Defect>,
    /// Whether all requests and answers of the server are recorded as text.
    pub is_noted: bool,
}

/// Seeds of games that found a defect of ours, among 90,000 schedules.
pub const FOUND: [u64; 3] = [118, 100_327, 101_921];
/// A seed of the contract that found a mistake in the checks: a listener read while a removal was lost.
pub const FOUND_IN_CONTRACT: u64 = 1_058;
/// The best resolution of message times. On a host, times are exact.
const TICK: Duration = Duration::from_millis(10);
/// For slow messages, the resolution is this part of the longest delay.
const TICKS: u32 = 4;
/// The lifetime of a game that expires at the first whole hour.
pub const SHORT_LIFE: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3_600);
/// The number of masters of a cluster.
const MASTERS: usize = 3;
/// The prefix of the name of a plan on a cluster.
const CLUSTER: &str = "cluster-";
/// The point of a crash that never happens, so that points are only counted.
pub const NEVER: u64 = u64::MAX;
/// The time until which faults happen.
const TROUBLE_MS: u64 = 2_500;
/// The maximum difference between the clocks of two nodes.
const SKEW_MS: u64 = 200;

impl Plan {
    /// Returns the plan of a seed.
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
        if work == Work::Ratings {
            // What was counted and lost again would be counted twice, or never.
            let kept = (Durability::Fsync, Loss::Nothing, false);
            (plan.durability, plan.loss, plan.may_lose) = kept;
            for _ in 0..dice.below(4) {
                let node = dice.below(plan.nodes as u64) as usize;
                let fault = Fault::CrashNodeInWrite(node, 1 + dice.below(40));
                plan.faults.push((dice.below(TROUBLE_MS), fault));
            }
        }
        if work == Work::Seeks {
            plan.players = 3 + dice.below(6);
            // Who sits in two sessions because a server has forgotten the end of one was not seated twice.
            plan.may_lose = false;
            if plan.durability == Durability::Local {
                (plan.durability, plan.loss) = (Durability::Fsync, Loss::Nothing);
            }
        }
        if work != Work::Ratings {
            plan.end_sessions();
        }
        // Sometimes nothing goes wrong at all, and then everything must be in time.
        let faults = [0, 1, 1, 2, 2, 2, 3, 3][dice.below(8) as usize];
        for _ in 0..faults {
            let fault = plan.fault(&mut dice);
            plan.faults.push((dice.below(TROUBLE_MS), fault));
        }
        plan.faults.sort_by_key(|(at, _)| *at);
        plan
    }

    /// Returns the plan of a seed on a cluster. Slots move only in schedules in which no master can lose anything: the
    /// keys of a moving slot are on either of two masters, and the checks know only the losses of one.
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

    /// Returns the same plan on a cluster.
    pub fn on_cluster(mut self) -> Plan {
        self.name.insert_str(0, CLUSTER);
        self.masters = MASTERS;
        self
    }

    /// Returns a plan in which nothing goes wrong.
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

    /// Returns the plan with a name.
    pub fn named(name: &str) -> Option<Plan> {
        let (name, is_on_cluster) = match name.strip_prefix(CLUSTER) {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (kind, number) = name.split_once(':')?;
        let number = number.parse().ok()?;
        let works = [Work::Contract, Work::Games, Work::Ratings, Work::Seeks].into_iter();
        match works.into_iter().find(|work| work.word() == kind) {
            Some(work) if is_on_cluster => Some(Plan::of_cluster(number, work)),
            Some(work) => Some(Plan::of(number, work)),
            None => crashes::plan(kind, number, is_on_cluster),
        }
    }

    /// Returns the resolution of message times. Schedules that found a defect stay as they were.
    pub fn tick(&self) -> Duration {
        match self.work == Work::Games && FOUND.contains(&self.seed) {
            true => TICK,
            false => TICK.max(self.latency / TICKS),
        }
    }

    /// Decides how sessions end: in some schedules they are removed, and in some games they expire as soon as nobody
    /// plays any more. Schedules that found a defect stay as they were.
    fn end_sessions(&mut self) {
        let is_game = self.work == Work::Games;
        if self.work == Work::Seeks || is_game && FOUND.contains(&self.seed) {
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
            // A replica that lags may take over only if the plan allows losses.
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
