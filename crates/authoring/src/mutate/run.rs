//! Tests many mutants on all cores.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::trial::{Trial, Verdict};
use super::walk::Mutant;

/// Number of neighboring mutants that one thread tests in sequence. The learned order of scenarios is reset after each
/// group, so that the verdicts do not depend on the number of threads.
const NEIGHBORS: usize = 16;

/// The results of the mutants.
#[derive(Debug, Default)]
pub struct Tally {
    pub killed: u64,
    pub timed_out: u64,
    pub stillborn: u64,
    pub survivors: Vec<Mutant>,
    /// Survivors that are listed as equivalent.
    pub equivalent: Vec<Mutant>,
    /// Listed mutants that did not survive.
    pub refuted: Vec<(Mutant, Verdict)>,
}

impl Tally {
    fn add(&mut self, mutant: &Mutant, verdict: Verdict, is_listed: bool) {
        match verdict {
            Verdict::Killed => self.killed += 1,
            Verdict::TimedOut => self.timed_out += 1,
            Verdict::Stillborn => self.stillborn += 1,
            Verdict::Survived if is_listed => self.equivalent.push(mutant.clone()),
            Verdict::Survived => self.survivors.push(mutant.clone()),
        }
        if is_listed && verdict != Verdict::Survived {
            self.refuted.push((mutant.clone(), verdict));
        }
    }

    /// Sorts the results as if the mutants had been tested in sequence.
    fn sort(&mut self) {
        self.survivors.sort_by_key(|mutant| mutant.number);
        self.equivalent.sort_by_key(|mutant| mutant.number);
        self.refuted.sort_by_key(|(mutant, _)| mutant.number);
    }

    /// Returns the number of mutants that a scenario should notice: all except stillborn and equivalent ones.
    pub fn born(&self) -> u64 {
        self.killed + self.timed_out + self.survivors.len() as u64
    }
}

/// Tests all mutants and calls `each` after every one. If `stop` is set, returns the results so far.
pub fn run(
    trial: &Trial,
    mutants: &[Mutant],
    threads: usize,
    stop: &AtomicBool,
    each: &mut dyn FnMut(),
) -> Tally {
    let groups: Vec<&[Mutant]> = mutants.chunks(NEIGHBORS).collect();
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let mut tally = Tally::default();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (send, next, groups) = (send.clone(), &next, &groups);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed)
                    && let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    try_group(trial, group, &mut |mutant, verdict| {
                        send.send((mutant, verdict)).is_ok() && !stop.load(Ordering::Relaxed)
                    });
                }
            });
        }
        drop(send);
        for (mutant, verdict) in receive {
            each();
            let is_listed = trial.equivalents.get(mutant).is_some();
            tally.add(mutant, verdict, is_listed);
        }
    });
    tally.sort();
    tally
}

/// Tests a group in sequence, as long as the receiver exists.
fn try_group<'m>(
    trial: &Trial,
    group: &'m [Mutant],
    tell: &mut dyn FnMut(&'m Mutant, Verdict) -> bool,
) {
    let mut order: Vec<usize> = (0..trial.scenarios.len()).collect();
    for mutant in group {
        if !tell(mutant, trial.verdict(mutant.number, &mut order)) {
            return;
        }
    }
}
