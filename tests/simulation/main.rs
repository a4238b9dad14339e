//! Simulated faults: several nodes, a network and a Redis in one thread, in a time of their own, where a seed decides what
//! goes wrong and when. See `docs/storage.md`.
//!
//! ```text
//! cargo test --release --test simulation -- schedules --nocapture                        # as many as ./test runs
//! WYRMGATE_SCHEDULES=10000 cargo test --release --test simulation -- schedules --nocapture
//! WYRMGATE_SEED=games:17 cargo test --test simulation -- schedules --nocapture             # one of them again
//! ```

#![cfg(test)]

mod clock;
mod conform;
mod contract;
mod defects;
mod games;
mod history;
mod model;
mod plan;
mod wire;
mod world;

use std::time::Instant;

use defects::Defect;
use model::Crash;
use plan::{Fault, Plan, Work};
use world::{Outcome, Tally};

/// So many of each kind of work in `./test`.
const CONTRACT: u64 = 450;
const GAMES: u64 = 50;

/// What failed, and how to see it again.
fn report(plan: &Plan, outcome: &Outcome) -> String {
    let word = match plan.work {
        Work::Contract => "contract",
        Work::Games => "games",
    };
    format!(
        "{plan:#?}\n{:#?}\nthe course of what the servers did: {:016x}\n\
         again: WYRMGATE_SEED={word}:{} cargo test --test simulation -- schedules --nocapture",
        outcome.problems, outcome.digest, plan.seed
    )
}

/// The schedules that are asked for, or those of `./test`.
fn wanted() -> Vec<Plan> {
    if let Ok(seed) = std::env::var("WYRMGATE_SEED") {
        let (work, seed) = seed
            .split_once(':')
            .expect("WYRMGATE_SEED=contract:17 or games:17");
        let work = match work {
            "contract" => Work::Contract,
            "games" => Work::Games,
            other => panic!("`{other}` is neither `contract` nor `games`"),
        };
        return vec![Plan::of(seed.parse().expect("a seed is a number"), work)];
    }
    let count = std::env::var("WYRMGATE_SCHEDULES").ok();
    let count = count.map(|count| count.parse().expect("WYRMGATE_SCHEDULES is a number"));
    let (of_contract, of_games) = count.map_or((CONTRACT, GAMES), |count: u64| {
        (count - count / 10, count / 10)
    });
    let first: u64 = std::env::var("WYRMGATE_FIRST")
        .map_or(0, |first| first.parse().expect("a seed is a number"));
    let contract = (first..first + of_contract).map(|seed| Plan::of(seed, Work::Contract));
    let games = (first..first + of_games).map(|seed| Plan::of(seed, Work::Games));
    contract.chain(games).collect()
}

#[test]
fn schedules_leave_no_trace_of_their_faults() {
    let (began, mut tally, mut failed) = (Instant::now(), Tally::default(), Vec::new());
    let plans = wanted();
    for plan in &plans {
        let outcome = world::run(plan);
        tally.merge(&outcome.tally);
        if !outcome.problems.is_empty() {
            failed.push(report(plan, &outcome));
        }
    }
    let (count, took) = (plans.len(), began.elapsed());
    println!(
        "{count} schedules in {took:.1?}, {:.0} a minute\n{tally}",
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

/// The node dies at the first, the second, … poll of what it writes, until there is none left; likewise the server with
/// each script.
#[test]
fn a_crash_at_every_await_of_a_commit_loses_and_doubles_nothing() {
    let mut points = 0;
    for polls in 0.. {
        let mut plan = Plan::calm(polls, Work::Contract);
        (plan.players, plan.moves) = (2, 3);
        plan.faults = vec![(0, Fault::CrashNodeInWrite(0, polls))];
        let outcome = world::run(&plan);
        assert!(outcome.problems.is_empty(), "{}", report(&plan, &outcome));
        if outcome.tally.of("nodes killed within a write") == 0 {
            break;
        }
        points += 1;
    }
    assert!(points >= 8, "{points}");
    for scripts in 0..8 {
        for crash in [Crash::BeforeScript, Crash::AfterScript, Crash::WithinAnswer] {
            let mut plan = Plan::calm(scripts, Work::Contract);
            plan.faults = vec![(0, Fault::CrashServer(scripts, crash))];
            let outcome = world::run(&plan);
            assert!(outcome.problems.is_empty(), "{}", report(&plan, &outcome));
            assert_eq!(
                outcome.tally.of("servers killed within a script"),
                1,
                "{plan:#?}"
            );
        }
    }
}

/// The first seed whose schedule shows the mistake.
fn found(work: Work, within: u64, mistake: impl Fn(&mut Plan)) -> Option<u64> {
    (0..within).find(|seed| {
        let mut plan = Plan::of(*seed, work);
        mistake(&mut plan);
        !world::run(&plan).problems.is_empty()
    })
}

#[track_caller]
fn must_be_found(defect: Defect, work: Work, within: u64) {
    let seed = found(work, within, |plan| plan.defect = Some(defect));
    assert!(
        seed.is_some(),
        "{defect:?} is not noticed in {within} schedules"
    );
}

#[test]
fn mistakes_in_the_store_are_found() {
    for (defect, within) in [
        (Defect::Overwrites, 10),
        (Defect::ForgetsKeys, 40),
        (Defect::TakesSilenceForNo, 60),
        (Defect::TakesSilenceForYes, 40),
        (Defect::SkipsEntries, 10),
    ] {
        must_be_found(defect, Work::Contract, within);
    }
}

#[test]
fn mistakes_in_a_script_are_found() {
    for (from, to, within) in [
        // What the change was made from is not compared. (The number alone is not missed: the mark says the same.)
        (
            "now[1] ~= expected or (now[6] or NO_MARK) ~= expected_mark",
            "false",
            200,
        ),
        // A key is not looked up.
        ("if known then return { 'duplicate', known } end", "", 200),
    ] {
        must_be_found(Defect::Script(from, to), Work::Contract, within);
    }
}

#[test]
fn mistakes_in_games_are_found() {
    must_be_found(Defect::Overwrites, Work::Games, 20);
    // Nobody is played for early by a clock that is right, and somebody is by one that is far ahead.
    let seed = found(Work::Games, 20, |plan| plan.ahead_ms[0] = 2_000);
    assert!(
        seed.is_some(),
        "a clock that is two seconds ahead is not noticed"
    );
}
