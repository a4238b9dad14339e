//! Plays many games of one setting on all cores and gathers what they show.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::game::{self, LawGame};
use super::plan::Plan;
use super::proof::Proof;
use crate::threads::on_threads;
use wyrmgate_program::Program;

/// A setting stops after this many games that violate a law, because more would show nothing new.
pub const VIOLATIONS_MAX: u64 = 10;

/// Plays the games of one setting and calls `each` after every one. Returns the results so far when `stop` is set.
pub fn prove(program: &Program, plan: &Plan, stop: &AtomicBool, each: &mut dyn FnMut()) -> Proof {
    let broken = AtomicU64::new(0);
    let mut proof = Proof {
        bound: program.identity.bound,
        ..Proof::default()
    };
    let is_over =
        || stop.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed) >= VIOLATIONS_MAX;
    let work = |numbers: &mut dyn Iterator<Item = u64>, pass_on: &dyn Fn(LawGame)| {
        for number in numbers {
            let played = game::play(program, plan, number, stop);
            broken.fetch_add(u64::from(!played.broken.is_empty()), Ordering::Relaxed);
            pass_on(played);
        }
    };
    let numbers = *plan.games.start()..plan.games.end().saturating_add(1);
    on_threads(plan.threads, numbers, is_over, work, |played| {
        each();
        proof.add(plan, played);
    });
    proof.finish(program);
    proof
}
