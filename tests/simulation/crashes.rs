//! A node or a server crashes at each point of a write, one point after the other, in small schedules in which nothing
//! else goes wrong, on one server and on a cluster.

use crate::defects::Defect;
use crate::model::{Crash, Loss};
use crate::plan::{Fault, NEVER, Plan, SHORT_LIFE, Work};
use crate::world::{self, POINTS, Tally};
use crate::{SCRIPT_MISTAKES, examine};
use wyrmgate::bot::Bot;
use wyrmgate::store::Durability;

/// The work of a schedule: its name and its plan.
type Deed = (&'static str, fn() -> Plan);
/// A crash: its name, and the fault for a point.
type Death = (&'static str, fn(u64) -> Fault);

const DEEDS: [Deed; 10] = [
    ("commit", commit),
    ("moving", moving),
    ("takeover", takeover),
    ("remove", remove),
    ("removing", remove_moving),
    ("webhook", webhook),
    ("bot", bot),
    ("delete", delete),
    ("expire", expire),
    ("seek", seek),
];

const DEATHS: [Death; 5] = [
    ("poll", |point| Fault::CrashNodeInWrite(0, point)),
    ("exchange", |point| Fault::CrashNodeInExchange(0, point)),
    ("before-script", |point| {
        Fault::CrashServer(point, Crash::BeforeScript)
    }),
    ("after-script", |point| {
        Fault::CrashServer(point, Crash::AfterScript)
    }),
    ("within-answer", |point| {
        Fault::CrashServer(point, Crash::WithinAnswer)
    }),
];

/// Two players create a session, change it and compete for it.
fn commit() -> Plan {
    let mut plan = Plan::calm(0, Work::Contract);
    (plan.players, plan.moves) = (2, 3);
    plan
}

/// The same on a cluster whose slots move meanwhile: nodes are redirected from one master to the other, and to both.
fn moving() -> Plan {
    while_slots_move(commit())
}

fn while_slots_move(mut plan: Plan) -> Plan {
    let moves = (1..8).map(|number| (number * MOVE_MS, Fault::MoveSlot));
    plan.faults = moves.collect();
    plan
}

/// One of the two removes the session while the other changes it.
fn remove() -> Plan {
    let mut plan = commit();
    plan.removes = true;
    plan
}

fn remove_moving() -> Plan {
    while_slots_move(remove())
}

/// The same with a replica that lags and replaces a crashed server; each change waits until the replica has it.
fn takeover() -> Plan {
    let mut plan = commit();
    (plan.durability, plan.loss) = (Durability::Replicated, Loss::NotReplicated);
    plan
}

/// A game of two people, who sit down, move, undo and time out, with a webhook.
fn webhook() -> Plan {
    let mut plan = Plan::calm(1, Work::Games);
    (plan.may_undo, plan.has_webhook, plan.moves) = (true, true, 2);
    plan
}

/// A game against a built-in player.
fn bot() -> Plan {
    let mut plan = Plan::calm(2, Work::Games);
    (plan.bot, plan.moves) = (Some(Bot::Search1), 2);
    plan
}

/// A game that its owner deletes after the moves, with a webhook that then receives nothing more.
fn delete() -> Plan {
    let mut plan = webhook();
    plan.removes = true;
    plan
}

/// A game that expires when nobody plays any more.
fn expire() -> Plan {
    let mut plan = webhook();
    plan.lifetime = SHORT_LIFE;
    plan
}

/// Four people who seek each other.
fn seek() -> Plan {
    let mut plan = Plan::calm(3, Work::Seeks);
    plan.players = 4;
    plan
}

/// The time between the beginnings of two moves of a slot.
const MOVE_MS: u64 = 100;

/// Returns the plan in which a crash happens at this point.
fn at_point(deed: Deed, death: Death, point: u64, is_on_cluster: bool) -> Plan {
    let mut plan = (deed.1)();
    plan.name = format!("{}-{}:{point}", deed.0, death.0);
    plan.faults.insert(0, (0, (death.1)(point)));
    match is_on_cluster {
        true => plan.on_cluster(),
        false => plan,
    }
}

/// Returns the plan with a name such as `commit-poll`, for a point.
pub fn plan(kind: &str, point: u64, is_on_cluster: bool) -> Option<Plan> {
    let (deed, death) = kind.split_once('-')?;
    let deed = DEEDS.into_iter().find(|(name, _)| *name == deed)?;
    let death = DEATHS.into_iter().find(|(name, _)| *name == death)?;
    Some(at_point(deed, death, point, is_on_cluster))
}

/// Returns the number of points of each kind to try: as many as `./test` does, or all with `WYRMGATE_CRASHES=all`.
fn limit(usual: u64) -> u64 {
    match std::env::var("WYRMGATE_CRASHES").as_deref() {
        Ok("all") => u64::MAX,
        _ => usual,
    }
}

fn good(plan: &Plan) -> Tally {
    let (tally, failure) = examine(plan);
    if let Some(failure) = failure {
        panic!("{failure}");
    }
    tally
}

/// Runs a schedule with a crash at each point, or at `most` points, evenly between the first and the last.
fn die_everywhere(kind: &str, is_on_cluster: bool, most: u64) {
    let at = |point| plan(kind, point, is_on_cluster).unwrap();
    let count = good(&at(NEVER)).of(POINTS);
    assert!(count >= 4, "{kind}: {count} points");
    let step = count.div_ceil(limit(most)).max(1);
    let points = (0..count).step_by(step as usize);
    for point in points.clone() {
        let tally = good(&at(point));
        let killed = [
            "nodes killed within a write",
            "servers killed within a script",
        ];
        let killed = killed.map(|what| tally.of(what)).iter().sum::<u64>();
        assert_eq!(killed, 1, "{kind}:{point} of {count}");
    }
    println!(
        "{kind}, cluster {is_on_cluster}: {} of {count} points",
        points.count()
    );
}

#[test]
fn a_crash_at_every_await_of_a_commit_loses_and_doubles_nothing() {
    for (death, _) in DEATHS {
        die_everywhere(&format!("commit-{death}"), false, u64::MAX);
    }
}

/// A move, an undo, a time-out, a webhook delivery and a move of a bot: each is a write that can be interrupted anywhere.
#[test]
fn a_crash_at_every_await_of_a_game_loses_and_doubles_nothing() {
    for deed in ["webhook", "bot"] {
        for death in ["poll", "exchange", "after-script"] {
            die_everywhere(&format!("{deed}-{death}"), false, 6);
        }
    }
}

#[test]
fn a_crash_at_every_await_of_a_seek_seats_nobody_twice() {
    for (death, _) in DEATHS {
        die_everywhere(&format!("seek-{death}"), false, 12);
    }
    for death in ["exchange", "after-script"] {
        die_everywhere(&format!("seek-{death}"), true, 6);
    }
}

#[test]
fn a_crash_at_every_await_on_a_cluster_loses_and_doubles_nothing() {
    for (death, _) in DEATHS {
        die_everywhere(&format!("commit-{death}"), true, 16);
    }
}

/// A session that is deleted or expires is gone for good, and nothing of it is left.
#[test]
fn a_crash_at_every_await_of_a_removal_leaves_nothing() {
    for death in ["poll", "exchange", "before-script", "after-script"] {
        die_everywhere(&format!("remove-{death}"), false, u64::MAX);
    }
    for deed in ["delete", "expire"] {
        for death in ["poll", "exchange", "after-script"] {
            die_everywhere(&format!("{deed}-{death}"), false, 6);
        }
    }
}

#[test]
fn a_crash_at_every_await_of_a_removal_on_a_cluster_leaves_nothing() {
    for deed in ["remove", "removing", "delete", "expire"] {
        for death in ["exchange", "after-script"] {
            die_everywhere(&format!("{deed}-{death}"), true, 5);
        }
    }
}

#[test]
fn a_crash_while_a_slot_moves_or_a_replica_takes_over_loses_and_doubles_nothing() {
    for kind in [
        "moving-exchange",
        "moving-after-script",
        "takeover-exchange",
        "takeover-after-script",
    ] {
        die_everywhere(kind, true, 12);
    }
}

#[test]
fn a_crash_at_every_await_of_a_game_on_a_cluster_loses_and_doubles_nothing() {
    for deed in ["webhook", "bot"] {
        for death in ["exchange", "after-script"] {
            die_everywhere(&format!("{deed}-{death}"), true, 4);
        }
    }
}

/// Defects that only a slot shows whose keys move one by one: a script that would stop half-way, or write a list on both
/// masters.
#[test]
fn a_slot_that_moves_shows_scripts_that_write_lists_of_it() {
    let is_noticed = |seed: u64, defect: Option<Defect>| {
        let mut plan = moving().on_cluster();
        (plan.seed, plan.moves, plan.defect) = (seed, 12, defect);
        !world::run(&plan).problems.is_empty()
    };
    let mistake = Some(Defect::WritesWhileMoving);
    let seed = (0..20).find(|seed| is_noticed(*seed, mistake));
    println!("{mistake:?}: {seed:?}");
    assert!(!is_noticed(seed.expect("not noticed"), None));
}

/// Defects that only a crash shows: clients retry with their key.
#[test]
fn a_crash_somewhere_on_a_cluster_shows_a_mistake() {
    const WHAT: &str = "a commit does not look its key up";
    let mistake = SCRIPT_MISTAKES.iter().find(|(what, ..)| *what == WHAT);
    let (_, from, to) = mistake.unwrap();
    let is_noticed = |point: u64| {
        let mut plan = plan("commit-exchange", point, true).unwrap();
        plan.defect = Some(Defect::Script(from, to));
        !world::run(&plan).problems.is_empty()
    };
    assert!(!is_noticed(NEVER), "{WHAT}: noticed without a crash");
    let points = good(&plan("commit-exchange", NEVER, true).unwrap()).of(POINTS);
    let point = (0..points).find(|point| is_noticed(*point));
    println!("{WHAT}: {point:?} of {points}");
    assert!(point.is_some(), "{WHAT}: not noticed");
}
