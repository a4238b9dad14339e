//! Plays many games of one setting on all cores and gathers what they show.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::game;
use super::law::Law;
use super::proof::Proof;
use wyrmgate_program::Program;

/// A setting stops after this many games that violate a law, because more would show nothing new.
pub const VIOLATIONS_MAX: u64 = 10;

/// The games to play and the laws to check.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Numbers of games, from 1.
    pub games: RangeInclusive<u64>,
    /// The seed of the run, from which the seeds of all games follow.
    pub seed: [u8; 32],
    pub threads: usize,
    pub laws: Vec<&'static Law>,
    /// Factor on the shares of the laws; `u64::MAX` checks every law always.
    pub oftener: u64,
}

/// Plays the games of one setting and calls `each` after every one. Returns the results so far when `stop` is set.
pub fn prove(program: &Program, plan: &Plan, stop: &AtomicBool, each: &mut dyn FnMut()) -> Proof {
    let next = AtomicU64::new(*plan.games.start());
    let broken = AtomicU64::new(0);
    let (send, receive) = mpsc::sync_channel(1024);
    let mut proof = Proof {
        bound: program.bound,
        ..Proof::default()
    };
    thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let (send, next, broken) = (send.clone(), &next, &broken);
            scope.spawn(move || {
                let is_over = || {
                    stop.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed) >= VIOLATIONS_MAX
                };
                work(plan.games.end(), next, is_over, |number| {
                    let played = game::play(program, plan, number);
                    broken.fetch_add(u64::from(!played.broken.is_empty()), Ordering::Relaxed);
                    send.send(played).is_ok()
                });
            });
        }
        drop(send);
        for played in receive {
            each();
            proof.add(plan, played);
        }
    });
    proof.finish(program);
    proof
}

/// Takes one number after the other, until none is left, it is over, or nobody listens any more.
fn work(last: &u64, next: &AtomicU64, is_over: impl Fn() -> bool, play: impl Fn(u64) -> bool) {
    while !is_over() {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number > *last || !play(number) {
            return;
        }
    }
}
