//! Walks the whole tree node by node, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::Plan;
use super::history::Histories;
use super::progress::Progress;
use super::quick::QuickCount;
use super::step::Passed;
use super::tally::Tally;
use super::transposed::CountTable;
use crate::explore::{Continuation, ExploreError, Explorer};
use wyrmgate_base::cancel::{self, checkpoint};
use wyrmgate_engine::{Choice, Pending, State};
use wyrmgate_program::Program;

/// Number of branches per thread, enough that none waits long for the last one.
const BRANCHES_PER_THREAD: usize = 64;
/// Maximum ply at which the tree is split.
const SPLIT_PLY_MAX: u32 = 8;
/// Stack size for the recursion, which has one frame per ply.
const STACK_BYTES: usize = 256 << 20;

/// A node and how it was reached.
struct VisitedNode {
    state: State,
    ply: u32,
    histories: Option<Histories>,
}

/// Counts every node down to the depth of the plan.
pub fn walk(program: &Program, plan: &Plan, progress: &Progress) -> Result<Tally, ExploreError> {
    let explorer = Explorer {
        program,
        luck: plan.luck,
        listens: plan.information_sets,
    };
    let result = top_and_branches(explorer, plan, progress);
    progress.over.store(true, Ordering::Relaxed);
    result
}

/// A choice of the first decision, and what follows from it.
pub struct Divided {
    pub pending: Pending,
    /// The number of the choice, from 0.
    pub index: u64,
    pub tally: Tally,
}

/// Counts the nodes below each choice of the first decision; `tell` receives the state in which it is made.
pub fn divide(
    program: &Program,
    plan: &Plan,
    tell: &mut dyn FnMut(&State, Divided),
) -> Result<(), ExploreError> {
    let explorer = Explorer::new(program, plan.luck);
    let progress = Progress::default();
    let mut beginnings = Vec::new();
    explorer.starts(&mut |way| {
        plan.begin(way.after)?;
        if way.after.outcome().is_none() {
            beginnings.push(way.after.clone());
        }
        Ok(())
    })?;
    let (mut choices, mut room) = (Vec::new(), None);
    for state in beginnings {
        let pending = explorer.choices(&state, &mut choices)?;
        for (index, choice) in (0..).zip(&choices) {
            let mut top = Walker::new(explorer, plan, Some(plan.depth.min(1)), &progress);
            explorer.steps(&state, &pending, choice, &mut room, &mut |way| {
                let passed = plan.passed(0, &state, way.after);
                top.count(way, passed, 0, None)
            })?;
            let branches = std::mem::take(&mut top.branches);
            let mut tally = top.tally;
            tally.add(all_branches(explorer, plan, &progress, branches)?);
            let divided = Divided {
                pending,
                index,
                tally,
            };
            tell(&state, divided);
        }
    }
    Ok(())
}

fn top_and_branches(
    explorer: Explorer<'_>,
    plan: &Plan,
    progress: &Progress,
) -> Result<Tally, ExploreError> {
    let wanted = plan.threads.max(1) * BRANCHES_PER_THREAD;
    let mut split = 0;
    loop {
        let mut top = Walker::new(explorer, plan, Some(split), progress);
        top.root()?;
        let enough = top.branches.len() >= wanted || split >= SPLIT_PLY_MAX.min(plan.depth);
        if enough || top.branches.is_empty() {
            let branches = std::mem::take(&mut top.branches);
            let mut tally = top.tally;
            tally.add(all_branches(explorer, plan, progress, branches)?);
            return Ok(tally);
        }
        split += 1;
    }
}

/// Walks the branches on several threads.
fn all_branches(
    explorer: Explorer<'_>,
    plan: &Plan,
    progress: &Progress,
    branches: Vec<VisitedNode>,
) -> Result<Tally, ExploreError> {
    let has_table = plan.table > 0 && plan.is_without_chance(explorer.program);
    let table = has_table.then(|| CountTable::new(explorer.program, plan.table));
    progress.branches.store(branches.len(), Ordering::Relaxed);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let cancellation = cancel::current().unwrap_or_default();
    let walk = || {
        let mut walker = Walker::new(explorer, plan, None, progress);
        let mut quick = QuickCount::new(explorer, plan, table.as_ref(), progress);
        let mut result = Ok(());
        while let Some(node) = branches.get(next.fetch_add(1, Ordering::Relaxed)) {
            result = match &mut quick {
                Some(quick) => quick.branch(&node.state, node.ply),
                None => walker.expand(&node.state, node.ply, node.histories.as_ref()),
            };
            progress.done.fetch_add(1, Ordering::Relaxed);
            if result.is_err() {
                break;
            }
        }
        let mut all = results.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = quick.map_or(walker.tally, |quick| quick.tally);
        all.push(result.map(|()| tally));
    };
    // A canceled thread has no result; the checkpoint below ends this one too.
    let work = || cancellation.run(walk).unwrap_or_default();
    thread::scope(|scope| {
        let threads = (0..plan.threads.max(1)).map(|_| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).map(|_| ())
        });
        let started: Result<Vec<()>, _> = threads.collect();
        started.map_err(|error| ExploreError::Limit(format!("cannot start a thread: {error}")))
    })?;
    checkpoint();
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut sum = Tally::default();
    for result in results {
        sum.add(result?);
    }
    Ok(sum)
}

/// Walks and counts.
struct Walker<'p> {
    explorer: Explorer<'p>,
    plan: &'p Plan,
    /// Unfinished nodes of this ply become branches for other threads.
    split: Option<u32>,
    branches: Vec<VisitedNode>,
    tally: Tally,
    progress: &'p Progress,
    /// Unused buffers for states and lists, for the next ply.
    rooms: Vec<State>,
    lists: Vec<Vec<Choice>>,
}

impl<'p> Walker<'p> {
    fn new(
        explorer: Explorer<'p>,
        plan: &'p Plan,
        split: Option<u32>,
        progress: &'p Progress,
    ) -> Walker<'p> {
        Walker {
            explorer,
            plan,
            split,
            branches: Vec::new(),
            tally: Tally::default(),
            progress,
            rooms: Vec::new(),
            lists: Vec::new(),
        }
    }

    fn root(&mut self) -> Result<(), ExploreError> {
        let explorer = self.explorer;
        let listens = self.plan.information_sets;
        let histories = listens.then(|| Histories::new(explorer.program));
        explorer.starts(&mut |way| {
            self.plan.begin(way.after)?;
            self.count(way, 0..=0, 0, histories.as_ref())
        })
    }

    /// Counts a node for the plies that its step passed, and continues from it. `ply` is that of the step.
    fn count(
        &mut self,
        way: Continuation<'_>,
        passed: Passed,
        ply: u32,
        histories: Option<&Histories>,
    ) -> Result<(), ExploreError> {
        let ply = self.tally.way(ply, passed, &way, 1);
        if way.after.outcome().is_some() {
            return Ok(());
        }
        let program = self.explorer.program;
        let histories = histories.map(|histories| histories.after(program, way.events));
        if self.split == Some(ply) {
            self.branches.push(VisitedNode {
                state: way.after.clone(),
                ply,
                histories,
            });
            return Ok(());
        }
        self.expand(way.after, ply, histories.as_ref())
    }

    /// Continues from a decision that has been counted.
    fn expand(
        &mut self,
        state: &State,
        ply: u32,
        histories: Option<&Histories>,
    ) -> Result<(), ExploreError> {
        checkpoint();
        if ply >= self.plan.depth && histories.is_none() {
            return Ok(());
        }
        let explorer = self.explorer;
        let mut choices = self.lists.pop().unwrap_or_default();
        let pending = explorer.choices(state, &mut choices)?;
        self.tally
            .histories
            .extend(histories.and_then(|histories| histories.of(pending.seat)));
        if ply < self.plan.depth {
            let mut room = self.rooms.pop();
            for choice in &choices {
                explorer.steps(state, &pending, choice, &mut room, &mut |way| {
                    let passed = self.plan.passed(ply, state, way.after);
                    self.count(way, passed, ply, histories)
                })?;
            }
            self.rooms.extend(room);
            let nodes = choices.len() as u64;
            self.progress.nodes.fetch_add(nodes, Ordering::Relaxed);
        }
        self.lists.push(choices);
        Ok(())
    }
}
