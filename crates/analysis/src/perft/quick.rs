//! Walks the part of a tree that nobody watches with a [`Runner`], which plays in machine code where it can.

use std::sync::atomic::Ordering;

use super::Plan;
use super::progress::Progress;
use super::tally::{Ply, Tally};
use super::transposed::CountTable;
use crate::explore::{ExploreError, Explorer, Luck};
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_engine::{self as engine, Choice, Fault, Pending, State};
use wyrmgate_runner::{GameRest, Runner};
use wyrmgate_view::Stopped;

/// Counts nodes like the walk that describes events, and returns to each node once per choice.
pub(super) struct QuickCount<'p> {
    explorer: Explorer<'p>,
    plan: &'p Plan,
    runner: Runner<'p>,
    /// Whether the last ply is counted by choices.
    is_bulk: bool,
    table: Option<&'p CountTable<'p>>,
    progress: &'p Progress,
    pub tally: Tally,
    /// Unused memory for the next ply.
    rests: Vec<Option<GameRest>>,
    lists: Vec<Vec<Choice>>,
    rooms: Vec<Option<State>>,
}

/// The choices of a node.
enum Choices {
    /// The number of choices; the runner knows them.
    Counted(u64),
    Listed(Vec<Choice>),
}

impl<'p> QuickCount<'p> {
    /// Returns `None` if the plan asks for events, which runners do not tell.
    pub fn new(
        explorer: Explorer<'p>,
        plan: &'p Plan,
        table: Option<&'p CountTable<'p>>,
        progress: &'p Progress,
    ) -> Option<QuickCount<'p>> {
        if explorer.listens || plan.information_sets {
            return None;
        }
        Some(QuickCount {
            explorer,
            plan,
            runner: Runner::new(explorer.program).ok()?,
            is_bulk: plan.counts_choices(explorer.program),
            table,
            progress,
            tally: Tally::default(),
            rests: Vec::new(),
            lists: Vec::new(),
            rooms: Vec::new(),
        })
    }

    /// Counts everything below a node.
    pub fn branch(&mut self, state: &State, ply: u32) -> Result<(), ExploreError> {
        self.runner.take_up(state);
        self.expand(ply)
    }

    /// Counts everything below the node that the runner has reached.
    fn expand(&mut self, ply: u32) -> Result<(), ExploreError> {
        checkpoint();
        if ply >= self.plan.depth {
            return Ok(());
        }
        let left = self.plan.depth - ply;
        if left == 1 && self.is_bulk {
            return self.count_last(ply);
        }
        if left == 1 && !self.plan.by_turns {
            return self.expand_by_steps(ply);
        }
        match self.table {
            Some(table) if left > 1 => self.expand_once(table, ply),
            _ => self.expand_by_runner(ply),
        }
    }

    /// Counts what follows from a node, unless that was done for another node with the same position.
    fn expand_once(&mut self, table: &CountTable<'p>, ply: u32) -> Result<(), ExploreError> {
        let last = self.plan.depth;
        let key = table.key(self.runner.state(), last - ply);
        let tally = &mut self.tally;
        if table.look_up(&key, &mut |plies| tally.add_after(ply, plies)) {
            return Ok(());
        }
        let before = tally.after(ply, last);
        self.expand_by_runner(ply)?;
        let after = self.tally.after(ply, last);
        let counted = after.iter().zip(&before);
        let counted: Vec<Ply> = counted.map(|(now, then)| now.since(then)).collect();
        table.remember(key, counted.into());
        Ok(())
    }

    /// Counts the last ply by the choices of the node before it.
    fn count_last(&mut self, ply: u32) -> Result<(), ExploreError> {
        let count = match self.runner.count() {
            Ok(u64::MAX) => {
                return Err(ExploreError::Limit(
                    "a decision has too many choices to count".into(),
                ));
            }
            Ok(count) => count,
            Err(fault) => {
                let decisions = self.runner.state().decisions_made();
                return Err(Stopped::from(fault).after(decisions).into());
            }
        };
        self.tally.ply(ply + 1).nodes += u128::from(count);
        self.progress.nodes.fetch_add(count, Ordering::Relaxed);
        Ok(())
    }

    /// Counts the last ply with the interpreter. A runner would find all choices of each position that it reaches, and nobody
    /// asks for these here.
    fn expand_by_steps(&mut self, ply: u32) -> Result<(), ExploreError> {
        let mut list = self.lists.pop().unwrap_or_default();
        let explorer = self.explorer;
        let state = self.runner.state();
        let pending = explorer.choices(state, &mut list)?;
        let mut room = self.rooms.pop().flatten();
        let (tally, plan) = (&mut self.tally, self.plan);
        for choice in &list {
            explorer.steps(state, &pending, choice, &mut room, &mut |way| {
                tally.way(ply, plan.passed(ply, state, way.after), &way, 1);
                Ok(())
            })?;
        }
        let nodes = list.len() as u64;
        self.progress.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.rooms.push(room);
        self.lists.push(list);
        Ok(())
    }

    /// Counts everything below the node with the runner.
    fn expand_by_runner(&mut self, ply: u32) -> Result<(), ExploreError> {
        let Some(pending) = self.runner.pending() else {
            return Err(Stopped::stuck(self.explorer.program, self.runner.state()).into());
        };
        let choices = self.choices()?;
        let mut kept = self.rests.pop().flatten();
        self.runner.keep(&mut kept);
        let Some(rest) = kept else {
            return Err(ExploreError::Limit("a walk lost its state".into()));
        };
        for number in 0..choices.count() {
            self.runner.return_to(&rest);
            self.take(&choices, number, &rest)?;
            match self.is_open(&rest) {
                true => self.each_outcome(ply, &rest, &pending, &choices, number)?,
                false => self.arrived(ply, &rest)?,
            }
        }
        self.progress
            .nodes
            .fetch_add(choices.count(), Ordering::Relaxed);
        if let Choices::Listed(list) = choices {
            self.lists.push(list);
        }
        self.rests.push(Some(rest));
        Ok(())
    }

    /// Returns the choices of the next decision, of which there is at least one.
    fn choices(&mut self) -> Result<Choices, ExploreError> {
        match self.runner.counted() {
            Some(0) => Err(Stopped::stuck(self.explorer.program, self.runner.state()).into()),
            Some(count) => Ok(Choices::Counted(count)),
            None => {
                let mut list = self.lists.pop().unwrap_or_default();
                self.explorer.choices(self.runner.state(), &mut list)?;
                Ok(Choices::Listed(list))
            }
        }
    }

    fn take(
        &mut self,
        choices: &Choices,
        number: u64,
        rest: &GameRest,
    ) -> Result<(), ExploreError> {
        let taken = match choices {
            Choices::Counted(_) => self.runner.take(number),
            Choices::Listed(list) => match list.get(number as usize) {
                Some(choice) => self.runner.take_choice(choice),
                None => Ok(()),
            },
        };
        let decisions = rest.state().decisions_made();
        taken.map_err(|fault: Fault| Stopped::from(fault).after(decisions).into())
    }

    /// Returns whether the step from a rest to here could have had another outcome.
    fn is_open(&self, rest: &GameRest) -> bool {
        let draws = |state: &State| state.draws_made();
        self.explorer.luck == Luck::Every && draws(self.runner.state()) != draws(rest.state())
    }

    /// Counts the node that the runner has reached by a step from a rest, and everything below it.
    fn arrived(&mut self, ply: u32, rest: &GameRest) -> Result<(), ExploreError> {
        let after = self.runner.state();
        let passed = self.plan.passed(ply, rest.state(), after);
        let is_finished = after.outcome().is_some();
        let ply = self.tally.node(ply, passed, is_finished, 1);
        match is_finished {
            true => Ok(()),
            false => self.expand(ply),
        }
    }

    /// Counts every outcome of a step with chance, and everything below.
    fn each_outcome(
        &mut self,
        ply: u32,
        rest: &GameRest,
        pending: &Pending,
        choices: &Choices,
        number: u64,
    ) -> Result<(), ExploreError> {
        let (explorer, state) = (self.explorer, rest.state());
        let nth = match choices {
            Choices::Counted(_) => engine::nth_choice(explorer.program, state, pending, number)?,
            Choices::Listed(list) => list.get(number as usize).cloned(),
        };
        let Some(choice) = nth else {
            return Ok(());
        };
        let mut room = self.rooms.pop().flatten();
        explorer.steps(state, pending, &choice, &mut room, &mut |way| {
            let passed = self.plan.passed(ply, state, way.after);
            let ply = self.tally.way(ply, passed, &way, 1);
            if way.after.outcome().is_some() {
                return Ok(());
            }
            self.runner.take_up(way.after);
            self.expand(ply)
        })?;
        self.rooms.push(room);
        Ok(())
    }
}

impl Choices {
    fn count(&self) -> u64 {
        match self {
            Choices::Counted(count) => *count,
            Choices::Listed(list) => list.len() as u64,
        }
    }
}
