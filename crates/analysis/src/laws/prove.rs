//! Plays many games of one setting on all cores and gathers what they show.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::game::{self, LawGame};
use super::plan::Plan;
use super::proof::Proof;
use crate::threads::{WorkNumbers, on_threads};
use wyrmgate_program::Program;

/// A setting stops after this many games that violate a law, because more would show nothing new.
pub const VIOLATIONS_MAX: u64 = 10;

/// Plays the games of one setting and calls `each` after every one. Returns the results so far when `stop` is set.
pub fn prove(program: &Program, plan: &Plan, stop: &AtomicBool, each: &mut dyn FnMut()) -> Proof {
    let (first, last) = (*plan.games.start(), *plan.games.end());
    let numbers = WorkNumbers::new(first, last.saturating_sub(first).saturating_add(1));
    let broken = AtomicU64::new(0);
    let mut proof = Proof {
        bound: program.identity.bound,
        ..Proof::default()
    };
    let is_over =
        || stop.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed) >= VIOLATIONS_MAX;
    let work = |pass_on: &dyn Fn(LawGame) -> bool| {
        while !is_over()
            && let Some(number) = numbers.take()
        {
            let played = game::play(program, plan, number, stop);
            broken.fetch_add(u64::from(!played.broken.is_empty()), Ordering::Relaxed);
            pass_on(played);
        }
    };
    on_threads(plan.threads, work, |played| {
        each();
        proof.add(plan, played);
    });
    proof.finish(program);
    proof
}
