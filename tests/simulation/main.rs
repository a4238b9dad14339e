//! Simulated faults: several nodes, a network and a Redis or a cluster in one thread, with simulated time, where a seed
//! decides what fails and when. See `docs/storage.md`.
//!
//! ```text
//! cargo test --release --test simulation -- schedules --nocapture                        # as many as ./test runs
//! WYRMGATE_SCHEDULES=10000 cargo test --release --test simulation -- schedules --nocapture
//! WYRMGATE_SEED=games:17 cargo test --test simulation -- schedules --nocapture             # one of them again
//! WYRMGATE_SEED=games:17 WYRMGATE_COURSE=1 cargo test … # also all that the server was asked and answered, with its time
//! ```

#![cfg(test)]

mod alone;
mod chance;
mod clock;
mod conform;
mod contract;
mod crashes;
mod defects;
mod games;
mod history;
mod hook;
mod model;
mod plan;
mod ratings;
mod removals;
mod seeks;
mod wire;
mod world;

/// The allocator of the program itself. A schedule is short and allocates much.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

use cpu_time::ProcessTime;
use defects::Defect;
use plan::{FOUND, FOUND_IN_CONTRACT, Plan, Work};
use world::{Outcome, Tally};

/// How many schedules of each kind of work `./test` runs.
const CONTRACT: u64 = 450;
const GAMES: u64 = 50;
const RATINGS: u64 = 40;
const SEEKS: u64 = 60;

/// The number of schedules of each kind that run twice.
const REPEATED: u64 = 20;
const REPEATED_ON_CLUSTER: u64 = 5;

/// How many schedules of each kind it runs on a cluster.
const CLUSTER_CONTRACT: u64 = 60;
const CLUSTER_GAMES: u64 = 10;
const CLUSTER_RATINGS: u64 = 10;

type Making = fn(u64, Work) -> Plan;

/// Returns what failed, and the command that runs it again.
fn report(plan: &Plan, outcome: &Outcome) -> String {
    format!(
        "{plan:#?}\n{:#?}\nthe course of what the servers did: {:016x}\n\
         again: WYRMGATE_SEED={} cargo test --test simulation -- schedules --nocapture",
        outcome.problems, outcome.digest, plan.name
    )
}

/// Returns the schedule that was requested by its name, if it is one on this kind of store.
fn named(is_on_cluster: bool) -> Option<Vec<Plan>> {
    let name = std::env::var("WYRMGATE_SEED").ok()?;
    let plan = Plan::named(&name);
    let plan = plan.expect("WYRMGATE_SEED=contract:17, cluster-games:17, commit-poll:3 …");
    let is_meant = (plan.masters > 1) == is_on_cluster;
    Some(is_meant.then_some(plan).into_iter().collect())
}

/// Returns a number from an environment variable.
fn asked(name: &str) -> Option<u64> {
    let number = std::env::var(name).ok()?;
    Some(
        number
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}

/// Returns as many schedules as were requested, one in twenty of games, or as many as `./test` runs.
fn wanted(usual: (u64, u64), making: Making) -> Vec<Plan> {
    let count = asked("WYRMGATE_SCHEDULES");
    let (of_contract, of_games) = count.map_or(usual, |count| (count - count / 20, count / 20));
    let first = asked("WYRMGATE_FIRST").unwrap_or(0);
    let contract = (first..first + of_contract).map(|seed| making(seed, Work::Contract));
    let games = (first..first + of_games).map(|seed| making(seed, Work::Games));
    contract.chain(games).collect()
}

#[test]
fn schedules_leave_no_trace_of_their_faults() {
    let plans = named(false).unwrap_or_else(|| {
        let mut plans = wanted((CONTRACT, GAMES), Plan::of);
        if asked("WYRMGATE_FIRST").is_none() {
            plans.extend(FOUND.map(|seed| Plan::of(seed, Work::Games)));
            plans.push(Plan::of(FOUND_IN_CONTRACT, Work::Contract));
        }
        plans
    });
    run_all(&plans);
}

/// The same for rated games and a tournament, whose results count once.
#[test]
fn schedules_count_each_result_once() {
    let plans = named(false).unwrap_or_else(|| {
        let first = asked("WYRMGATE_FIRST").unwrap_or(0);
        let count = asked("WYRMGATE_SCHEDULES").unwrap_or(RATINGS);
        (first..first + count)
            .map(|seed| Plan::of(seed, Work::Ratings))
            .collect()
    });
    run_all(&plans);
}

/// Three masters, one of which may lose its last second or be replaced by a replica that lags, and slots that move.
#[test]
fn schedules_on_a_cluster_leave_no_trace_of_their_faults() {
    if let Some(plans) = named(true) {
        return run_all(&plans);
    }
    let mut plans = wanted((CLUSTER_CONTRACT, CLUSTER_GAMES), Plan::of_cluster);
    let ratings = (0..CLUSTER_RATINGS).map(|seed| Plan::of_cluster(seed, Work::Ratings));
    plans.extend(ratings);
    let (mut tally, mut failed) = (Tally::default(), Vec::new());
    for plan in &plans {
        let (of_this, failure) = examine(plan);
        tally.merge(&of_this);
        failed.extend(failure);
    }
    println!("{} schedules\n{tally}", plans.len());
    let shown = &failed[..failed.len().min(3)];
    assert!(
        failed.is_empty(),
        "{} of {} failed; the first:\n{}",
        failed.len(),
        plans.len(),
        shown.join("\n\n")
    );
}

/// Runs a schedule, on a cluster in a process of its own; returns what happened, and what is wrong with it.
fn examine(plan: &Plan) -> (Tally, Option<String>) {
    if plan.masters > 1 {
        let run = alone::Run::of(plan, false);
        return (run.tally, (!run.is_good).then(|| run.printed.join("\n")));
    }
    let outcome = world::run(plan);
    let is_wrong = !outcome.problems.is_empty();
    let failure = is_wrong.then(|| report(plan, &outcome));
    (outcome.tally, failure)
}

fn run_all(plans: &[Plan]) {
    let (began, mut tally, mut failed) = (ProcessTime::now(), Tally::default(), Vec::new());
    let is_noted = std::env::var_os("WYRMGATE_COURSE").is_some();
    for plan in plans {
        let outcome = match is_noted {
            true => world::run_noting(plan),
            false => world::run(plan),
        };
        outcome.course.iter().for_each(|line| println!("{line}"));
        tally.merge(&outcome.tally);
        if !outcome.problems.is_empty() {
            failed.push(report(plan, &outcome));
        }
    }
    let (count, took) = (plans.len(), began.elapsed());
    println!(
        "{count} schedules in {took:.1?} of processor time, {:.0} a minute\n{tally}",
        count as f64 * 60.0 / took.as_secs_f64()
    );
    let shown = &failed[..failed.len().min(3)];
    assert!(
        failed.is_empty(),
        "{} of {count} failed; the first:\n{}",
        failed.len(),
        shown.join("\n\n")
    );
}

/// Otherwise a failing seed could not be reproduced.
#[test]
fn a_seed_takes_the_same_course_again() {
    for work in [Work::Contract, Work::Games, Work::Ratings, Work::Seeks] {
        for seed in 0..REPEATED {
            let plan = Plan::of(seed, work);
            let (first, second) = (world::run(&plan), world::run(&plan));
            assert!(
                first.digest == second.digest && first.tally == second.tally,
                "{}\nagain: {:016x}\n{}",
                report(&plan, &first),
                second.digest,
                world::where_they_part(&plan)
            );
        }
    }
}

/// On other systems, the randomness of the cluster client cannot be replaced.
#[cfg(target_os = "linux")]
#[test]
fn a_seed_takes_the_same_course_on_a_cluster_again() {
    for work in [Work::Contract, Work::Games] {
        for seed in 0..REPEATED_ON_CLUSTER {
            let plan = Plan::of_cluster(seed, work);
            let [first, second] = [(); 2].map(|()| alone::Run::of(&plan, true));
            let pairs = first.printed.iter().zip(&second.printed);
            let parted: Vec<_> = pairs.filter(|(first, second)| first != second).collect();
            assert!(
                parted.is_empty() && first.is_good && second.is_good,
                "{}: {:#?}",
                plan.name,
                &parted[..parted.len().min(3)]
            );
        }
    }
}

/// Returns the first seed whose schedule shows the defect.
fn found(within: u64, plan: impl Fn(u64) -> Plan) -> Option<u64> {
    (0..within).find(|seed| !world::run(&plan(*seed)).problems.is_empty())
}

#[track_caller]
fn must_be_found(what: &str, work: Work, mistake: impl Fn(&mut Plan)) {
    let within = match work {
        Work::Contract => CONTRACT,
        Work::Games => GAMES,
        Work::Ratings => RATINGS,
        Work::Seeks => SEEKS,
    };
    let seed = found(within, |seed| {
        let mut plan = Plan::of(seed, work);
        mistake(&mut plan);
        plan
    });
    println!("{what}: {work:?} {seed:?}");
    assert!(seed.is_some(), "{what}: not noticed in {within} schedules");
}

#[track_caller]
fn defect_must_be_found(defect: Defect, work: Work) {
    must_be_found(&format!("{defect:?}"), work, |plan| {
        plan.defect = Some(defect);
    });
}

/// Nobody is seated twice because of one seek, and nobody waits for ever while another one does.
#[test]
fn schedules_of_seeks_seat_everybody_once() {
    let first = asked("WYRMGATE_FIRST").unwrap_or(0);
    let count = asked("WYRMGATE_SCHEDULES").unwrap_or(SEEKS);
    let plans = (first..first + count).map(|seed| Plan::of(seed, Work::Seeks));
    run_all(&plans.collect::<Vec<_>>());
}

#[test]
fn mistakes_in_seeks_are_found() {
    let not_compared = SCRIPT_MISTAKES[0];
    for defect in [
        Defect::Overwrites,
        Defect::Script(not_compared.1, not_compared.2),
    ] {
        defect_must_be_found(defect, Work::Seeks);
    }
}

#[test]
fn mistakes_in_the_store_are_found() {
    for defect in [
        Defect::Overwrites,
        Defect::ForgetsKeys,
        Defect::TakesSilenceForNo,
        Defect::TakesSilenceForYes,
        Defect::SkipsEntries,
    ] {
        defect_must_be_found(defect, Work::Contract);
    }
}

/// The same checks find defects on a cluster. Missing answers are rare there, because its client asks again.
#[test]
fn mistakes_on_a_cluster_are_found() {
    let not_compared = SCRIPT_MISTAKES[0];
    for defect in [
        Defect::Overwrites,
        Defect::ForgetsKeys,
        Defect::SkipsEntries,
        Defect::Script(not_compared.1, not_compared.2),
    ] {
        let seed = found(CLUSTER_CONTRACT, |seed| {
            let mut plan = Plan::of_cluster(seed, Work::Contract);
            plan.defect = Some(defect);
            plan
        });
        println!("{defect:?}: {seed:?}");
        assert!(
            seed.is_some(),
            "{defect:?}: not noticed in {CLUSTER_CONTRACT} schedules"
        );
    }
}

/// Defects of scripts: the correct text and the defective one.
const SCRIPT_MISTAKES: &[(&str, &str, &str)] = &[
    (
        // A wrong number alone is harmless, because the mark has the same information.
        "what a change was made from is not compared",
        "now[1] ~= expected or (now[5] or NO_MARK) ~= expected_mark",
        "false",
    ),
    (
        "a commit does not look its key up",
        "local known = recorded(key)\nif known then return { 'duplicate', known } end\nif now",
        "if now",
    ),
    (
        "a create does not look its key up",
        "  if known then return { 'duplicate', known } end\n  return { 'exists' }",
        "  return { 'exists' }",
    ),
    (
        "a create does not look whether there is a session",
        "if present[1] then\n  local mine",
        "if false then\n  local mine",
    ),
    (
        "no answer is kept under its key",
        "remember(key, version, ARGV[7])",
        "",
    ),
    (
        "a commit does not know itself when it comes twice",
        "if mine then return done(tonumber(expected) + 1, mine) end",
        "",
    ),
    (
        "an old place stays",
        "redis.call('ZREM', tag .. index, score .. id)",
        "local _ = index",
    ),
    (
        "the place among what expires stays",
        "if before then redis.call('ZREM', tag .. MORTAL, before) end",
        "",
    ),
    (
        "only new keys expire",
        "if expiry ~= now[3] then fresh = { hash, log, answers, secret } end",
        "",
    ),
    (
        "an expiry is not taken back",
        "redis.call('PERSIST', key)",
        "local _ = key",
    ),
    (
        "nobody is rung",
        "if has_entry == YES then ring(version) end",
        "",
    ),
    (
        "the mark of the version is not written",
        "if has_entry == YES then set('h', mark) end",
        "",
    ),
    (
        "the entry carries another mark",
        "'b', ARGV[12], 'h', mark)",
        "'b', ARGV[12], 'h', expected_mark)",
    ),
    (
        "secret changes raise the version",
        "if has_entry == YES then\n  version = tostring(version + 1)",
        "version = tostring(version + 1)\nif has_entry == YES then",
    ),
    (
        "a wrong version is answered",
        "return done(revision, version)",
        "return done(revision, version + 1)",
    ),
    (
        "a create does not look whether there was a session that is removed",
        "if present[3] then return { 'removed' } end",
        "",
    ),
    (
        "a removed session keeps its place",
        "change_places(present[1], '', present[2], '')",
        "change_places(present[1], present[1], present[2], '')",
    ),
    (
        "a removed session keeps its place among what expires",
        "change_places(present[1], '', present[2], '')",
        "change_places(present[1], '', '', '')",
    ),
    (
        "a removed session keeps its answers",
        "redis.call('DEL', hash, log, answers, secret)",
        "redis.call('DEL', hash, log, secret)",
    ),
    (
        "the snapshot is not replaced",
        "if has_snapshot == YES then set('n', ARGV[11]) end",
        "",
    ),
];

#[test]
fn mistakes_in_a_script_are_found() {
    for (what, from, to) in SCRIPT_MISTAKES {
        must_be_found(what, Work::Contract, |plan| {
            plan.defect = Some(Defect::Script(from, to));
        });
    }
}

#[test]
fn mistakes_in_games_are_found() {
    defect_must_be_found(Defect::Overwrites, Work::Games);
    defect_must_be_found(Defect::Overwrites, Work::Ratings);
    // With a correct clock, no time-out is early; with one that is far ahead, some are.
    must_be_found("a clock is two seconds ahead", Work::Games, |plan| {
        plan.ahead_ms[0] = 2_000;
    });
}
