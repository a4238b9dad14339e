//! Simulated faults: several nodes, a network and a Redis in one thread, in a time of their own, where a seed decides what
//! goes wrong and when. See `docs/storage.md`.
//!
//! ```text
//! cargo test --release --test simulation -- schedules --nocapture                        # as many as ./test runs
//! WYRMGATE_SCHEDULES=10000 cargo test --release --test simulation -- schedules --nocapture
//! WYRMGATE_SEED=games:17 cargo test --test simulation -- schedules --nocapture             # one of them again
//! WYRMGATE_SEED=games:17 WYRMGATE_COURSE=1 cargo test … # also all that the server was asked and answered, with its time
//! ```

#![cfg(test)]

mod clock;
mod conform;
mod contract;
mod defects;
mod games;
mod history;
mod hook;
mod model;
mod plan;
mod wire;
mod world;

/// The allocator of the program itself. A schedule is short and allocates much.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

use cpu_time::ProcessTime;
use defects::Defect;
use model::Crash;
use plan::{Fault, Plan, Work};
use world::{Outcome, Tally};
use wyrmgate::session::Bot;

/// How many schedules of each kind of work `./test` runs.
const CONTRACT: u64 = 450;
const GAMES: u64 = 50;

/// Seeds of games that found a defect of ours, among 90,000 schedules.
const FOUND: [u64; 3] = [118, 100_327, 101_921];

/// So many of each kind are done twice.
const REPEATED: u64 = 20;

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
        (count - count / 20, count / 20)
    });
    let first: u64 = std::env::var("WYRMGATE_FIRST")
        .map_or(0, |first| first.parse().expect("a seed is a number"));
    let contract = (first..first + of_contract).map(|seed| Plan::of(seed, Work::Contract));
    let games = (first..first + of_games).map(|seed| Plan::of(seed, Work::Games));
    let found = FOUND.iter().filter(|_| first == 0);
    let found = found.map(|seed| Plan::of(*seed, Work::Games));
    contract.chain(games).chain(found).collect()
}

#[test]
fn schedules_leave_no_trace_of_their_faults() {
    let (began, mut tally, mut failed) = (ProcessTime::now(), Tally::default(), Vec::new());
    let is_noted = std::env::var_os("WYRMGATE_COURSE").is_some();
    let plans = wanted();
    for plan in &plans {
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

/// Without this no seed would be worth anything.
#[test]
fn a_seed_takes_the_same_course_again() {
    for work in [Work::Contract, Work::Games] {
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

/// In games that are played to their end so many points are tried by ./test, and all with `WYRMGATE_CRASHES=all`.
fn points(usual: u64) -> u64 {
    match std::env::var("WYRMGATE_CRASHES").as_deref() {
        Ok("all") => u64::MAX,
        _ => usual,
    }
}

/// Kills a node at the first, the second, … poll of what it writes, until there is none left or `most` are done. Answers how many there were.
fn kill_a_node_everywhere(plan: impl Fn() -> Plan, most: u64) -> u64 {
    for polls in 0..most {
        let mut plan = plan();
        plan.faults = vec![(0, Fault::CrashNodeInWrite(0, polls))];
        let outcome = world::run(&plan);
        assert!(outcome.problems.is_empty(), "{}", report(&plan, &outcome));
        if outcome.tally.of("nodes killed within a write") == 0 {
            return polls;
        }
    }
    most
}

/// Kills the server at the first, the second, … script, in each of these ways, until there is none left or `most` are done.
fn kill_the_server_everywhere(plan: impl Fn() -> Plan, crashes: &[Crash], most: u64) -> u64 {
    for scripts in 0..most {
        for crash in crashes.iter().copied() {
            let mut plan = plan();
            plan.faults = vec![(0, Fault::CrashServer(scripts, crash))];
            let outcome = world::run(&plan);
            assert!(outcome.problems.is_empty(), "{}", report(&plan, &outcome));
            if outcome.tally.of("servers killed within a script") == 0 {
                return scripts;
            }
        }
    }
    most
}

#[test]
fn a_crash_at_every_await_of_a_commit_loses_and_doubles_nothing() {
    let plan = || {
        let mut plan = Plan::calm(0, Work::Contract);
        (plan.players, plan.moves) = (2, 3);
        plan
    };
    let (polls, scripts) = (
        kill_a_node_everywhere(plan, u64::MAX),
        kill_the_server_everywhere(
            plan,
            &[Crash::BeforeScript, Crash::AfterScript, Crash::WithinAnswer],
            u64::MAX,
        ),
    );
    println!("{polls} polls, {scripts} scripts");
    assert!(polls >= 8 && scripts >= 8, "{polls} {scripts}");
}

/// A move, what is taken back, a time-out, what a webhook is told, and a move of a built-in player: each is a write that can
/// be broken off anywhere.
#[test]
fn a_crash_at_every_await_of_a_game_loses_and_doubles_nothing() {
    let with_webhook = || {
        let mut plan = Plan::calm(1, Work::Games);
        (plan.may_undo, plan.has_webhook, plan.moves) = (true, true, 2);
        plan
    };
    let with_bot = || {
        let mut plan = Plan::calm(2, Work::Games);
        (plan.bot, plan.moves) = (Some(Bot::Search1), 2);
        plan
    };
    let polls = [
        kill_a_node_everywhere(with_webhook, points(24)),
        kill_a_node_everywhere(with_bot, points(24)),
    ];
    let scripts = [
        // What it has done or not done before it dies makes the difference; a half answer is as none.
        kill_the_server_everywhere(with_webhook, &[Crash::AfterScript], points(12)),
        kill_the_server_everywhere(with_bot, &[Crash::AfterScript], points(12)),
    ];
    println!("{polls:?} polls, {scripts:?} scripts");
    assert!(
        polls.iter().chain(&scripts).all(|count| *count >= 8),
        "{polls:?} {scripts:?}"
    );
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
fn must_be_found(what: &str, work: Work, mistake: impl Fn(&mut Plan)) {
    let within = match work {
        Work::Contract => CONTRACT,
        Work::Games => GAMES,
    };
    let seed = found(work, within, mistake);
    println!("{what}: {work:?} {seed:?}");
    assert!(seed.is_some(), "{what}: not noticed in {within} schedules");
}

#[track_caller]
fn defect_must_be_found(defect: Defect, work: Work) {
    must_be_found(&format!("{defect:?}"), work, |plan| {
        plan.defect = Some(defect);
    });
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

/// What stands in a script, and what stands there by mistake.
const SCRIPT_MISTAKES: &[(&str, &str, &str)] = &[
    (
        // The number alone is not missed: the mark says the same.
        "what a change was made from is not compared",
        "now[1] ~= expected or (now[6] or NO_MARK) ~= expected_mark",
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
        "expire(expiry == now[3] and fresh or KEYS, expiry, now[3])",
        "expire(fresh, expiry, now[3])",
    ),
    (
        "an expiry is not taken back",
        "redis.call('PERSIST', key)",
        "local _ = key",
    ),
    (
        "nobody is rung",
        "if is_given('e') then ring(version) end",
        "",
    ),
    (
        "the mark of the version is not written",
        "if is_given('e') then set('h', mark) end",
        "",
    ),
    (
        "the entry carries another mark",
        "'b', ARGV[12], 'h', mark)",
        "'b', ARGV[12], 'h', expected_mark)",
    ),
    (
        "secret changes raise the version",
        "if is_given('e') then\n  version = version + 1",
        "version = version + 1\nif is_given('e') then",
    ),
    (
        "a wrong version is answered",
        "return done(revision, version)",
        "return done(revision, version + 1)",
    ),
    (
        "the snapshot is not replaced",
        "if is_given('n') then set('n', ARGV[11]) end",
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
    // Nobody is played for early by a clock that is right, and somebody is by one that is far ahead.
    must_be_found("a clock is two seconds ahead", Work::Games, |plan| {
        plan.ahead_ms[0] = 2_000;
    });
}
