//! Tests many mutants on all cores.

use std::sync::atomic::{AtomicBool, Ordering};

use super::trial::Trial;
use super::verdict::MutantVerdict;
use super::walk::Mutant;
use wyrmgate_analysis::threads::{WorkNumbers, on_threads};

/// Number of neighboring mutants that one thread tests in sequence. The learned order of scenarios is reset after each
/// group, so that the verdicts do not depend on the number of threads.
const NEIGHBORS: usize = 16;

/// The results of the mutants.
#[derive(Debug, Default)]
pub struct MutantTally {
    pub killed: u64,
    pub timed_out: u64,
    pub stillborn: u64,
    pub survivors: Vec<Mutant>,
    /// Survivors that are listed as equivalent.
    pub equivalent: Vec<Mutant>,
    /// Listed mutants that did not survive.
    pub refuted: Vec<(Mutant, MutantVerdict)>,
}

impl MutantTally {
    fn add(&mut self, mutant: &Mutant, verdict: MutantVerdict, is_listed: bool) {
        match verdict {
            MutantVerdict::Killed => self.killed += 1,
            MutantVerdict::TimedOut => self.timed_out += 1,
            MutantVerdict::Stillborn => self.stillborn += 1,
            MutantVerdict::Survived if is_listed => self.equivalent.push(mutant.clone()),
            MutantVerdict::Survived => self.survivors.push(mutant.clone()),
        }
        if is_listed && verdict != MutantVerdict::Survived {
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
pub fn run<'m>(
    trial: &Trial,
    mutants: &'m [Mutant],
    threads: usize,
    stop: &AtomicBool,
    each: &mut dyn FnMut(),
) -> MutantTally {
    let groups: Vec<&'m [Mutant]> = mutants.chunks(NEIGHBORS).collect();
    let numbers = WorkNumbers::new(0, groups.len() as u64);
    let mut tally = MutantTally::default();
    let goes_on = || !stop.load(Ordering::Relaxed);
    let work = |pass_on: &dyn Fn((&'m Mutant, MutantVerdict)) -> bool| {
        while goes_on()
            && let Some(number) = numbers.take()
            && let Some(group) = groups.get(number as usize)
        {
            let mut order: Vec<usize> = (0..trial.scenarios.len()).collect();
            for mutant in *group {
                let verdict = trial.verdict(mutant.number, &mut order);
                if !pass_on((mutant, verdict)) || !goes_on() {
                    break;
                }
            }
        }
    };
    on_threads(threads, work, |(mutant, verdict)| {
        each();
        let is_listed = trial.equivalents.get(mutant).is_some();
        tally.add(mutant, verdict, is_listed);
    });
    tally.sort();
    tally
}
