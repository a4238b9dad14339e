//! Approximates an equilibrium by counterfactual regret minimization.
//!
//! The method is due to M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, *Regret Minimization in Games with
//! Incomplete Information* (NIPS 2007), in the variant CFR+ of O. Tammelin, *Solving Large Imperfect Information Games
//! Using CFR+* (2014): regrets are never below zero, the seats are improved in turn, and later strategies count more
//! in the average. Nash-conv is the total gain of both seats from best responses to each other's strategy: 0 in an
//! equilibrium.

use serde::Serialize;

use super::payoff::Payoff;
use super::tree::{Node, NodeId, SetId, Tree};
use crate::explore::ExploreError;
use wyrmgate_program::Program;

/// Number of iterations between two reports of the progress.
const ITERATIONS_TOLD: u32 = 50;

/// The quality of the average strategies.
#[derive(Debug, Clone, Serialize)]
pub struct Equilibrium {
    pub iterations: u32,
    pub nodes: usize,
    pub information_sets: usize,
    /// Expected payoff of the first seat if both play these strategies.
    pub value: f64,
    pub nash_conv: f64,
    /// Nash-conv of uniformly random play by both seats, for comparison.
    pub uniform_nash_conv: f64,
}

impl Equilibrium {
    pub fn text(&self) -> String {
        format!(
            "{:<28}{}\n{:<28}{}\n{:<28}{}\n{:<28}{:.6}\n{:<28}{:.6}\n{:<28}{:.6}\n",
            "nodes",
            self.nodes,
            "information sets",
            self.information_sets,
            "passes",
            self.iterations,
            "value for the first seat",
            self.value,
            "Nash-conv",
            self.nash_conv,
            "Nash-conv of random play",
            self.uniform_nash_conv,
        )
    }
}

pub(super) fn solve(
    program: &Program,
    iterations: u32,
    watch: &mut dyn FnMut(String),
) -> Result<Equilibrium, ExploreError> {
    watch("walking the tree".into());
    let tree = Tree::of(program)?;
    let mut solver = Solver::new(&tree);
    for iteration in 1..=iterations {
        if iteration.is_multiple_of(ITERATIONS_TOLD) {
            watch(format!("pass {iteration} of {iterations}"));
        }
        for seat in 0..2 {
            solver.improve(seat, f64::from(iteration));
        }
    }
    let found = normalized(&solver.sums);
    let uniform = normalized(&solver.zeros());
    Ok(Equilibrium {
        iterations,
        nodes: tree.nodes.len(),
        information_sets: tree.sets.len(),
        value: solver.values(&found).last().copied().unwrap_or(0.0),
        nash_conv: solver.nash_conv(&found),
        uniform_nash_conv: solver.nash_conv(&uniform),
    })
}

/// A number for each choice of each information set.
type Table = Vec<Vec<f64>>;

/// Divides each row by its sum; a row of zeros becomes uniform.
fn normalized(table: &Table) -> Table {
    table.iter().map(|row| proportions(row)).collect()
}

fn proportions(row: &[f64]) -> Vec<f64> {
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        row.iter().map(|number| number / sum).collect()
    } else {
        vec![1.0 / row.len() as f64; row.len()]
    }
}

struct Solver<'t> {
    tree: &'t Tree,
    /// The payoff of each end for the first seat; 0 for all other nodes.
    payoffs: Vec<f64>,
    regrets: Table,
    /// The weighted sum of the strategies so far.
    sums: Table,
}

/// Reach probabilities of a node: the factors of seat 0, seat 1 and chance.
type Reach = [f64; 3];
const BY_CHANCE: usize = 2;

impl<'t> Solver<'t> {
    fn new(tree: &'t Tree) -> Solver<'t> {
        let end = |node: &'t Node| match node {
            Node::End(payoff) => Some(payoff),
            _ => None,
        };
        let balance = Payoff::all_balance(tree.nodes.iter().filter_map(end));
        let payoff = |node| end(node).map_or(0.0, |end: &Payoff| end.to_first_seat(balance));
        let payoffs = tree.nodes.iter().map(payoff).collect();
        let zeros: Table = tree.sets.iter().map(|set| vec![0.0; set.choices]).collect();
        Solver {
            tree,
            payoffs,
            regrets: zeros.clone(),
            sums: zeros,
        }
    }

    fn zeros(&self) -> Table {
        self.sums.iter().map(|row| vec![0.0; row.len()]).collect()
    }

    fn seat_of(&self, set: SetId) -> usize {
        self.tree
            .sets
            .get(set)
            .map_or(0, |set| usize::from(set.seat))
    }

    /// Makes one pass for one seat: updates its regrets and adds its strategy to the average.
    fn improve(&mut self, seat: usize, weight: f64) {
        let strategy = normalized(&self.regrets);
        let values = self.values(&strategy);
        let reaches = self.reaches(&strategy);
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let mut regrets = std::mem::take(&mut self.regrets);
        for (id, node) in self.tree.nodes.iter().enumerate() {
            let Node::Decision { set, children } = node else {
                continue;
            };
            if self.seat_of(*set) != seat {
                continue;
            }
            let reach = reaches.get(id).copied().unwrap_or_default();
            let others: f64 = at(&reach, 1 - seat) * at(&reach, BY_CHANCE);
            for (choice, child) in children.iter().enumerate() {
                let gain = sign * (at(&values, *child) - at(&values, id));
                add(&mut regrets, *set, choice, others * gain);
                let played = at(&reach, seat) * entry(&strategy, *set, choice);
                add(&mut self.sums, *set, choice, weight * played);
            }
        }
        for row in &mut regrets {
            row.iter_mut().for_each(|regret| *regret = regret.max(0.0));
        }
        self.regrets = regrets;
    }

    /// Returns the value of each node for the first seat.
    fn values(&self, strategy: &Table) -> Vec<f64> {
        let mut values = self.payoffs.clone();
        for (id, node) in self.tree.nodes.iter().enumerate() {
            let value = match node {
                Node::End(_) => continue,
                Node::Chance(ways) => ways.iter().map(|(p, child)| p * at(&values, *child)).sum(),
                Node::Decision { set, children } => {
                    let children = children.iter().enumerate();
                    children
                        .map(|(choice, child)| entry(strategy, *set, choice) * at(&values, *child))
                        .sum::<f64>()
                }
            };
            put(&mut values, id, value);
        }
        values
    }

    /// Computes reach probabilities. Parents come after their children, so this goes from the root downwards.
    fn reaches(&self, strategy: &Table) -> Vec<Reach> {
        let mut reaches = vec![[1.0; 3]; self.tree.nodes.len()];
        for (id, node) in self.tree.nodes.iter().enumerate().rev() {
            let reach = reaches.get(id).copied().unwrap_or_default();
            let mut pass = |child: NodeId, who: usize, probability: f64| {
                let mut below = reach;
                if let Some(part) = below.get_mut(who) {
                    *part *= probability;
                }
                put(&mut reaches, child, below);
            };
            match node {
                Node::End(_) => {}
                Node::Chance(ways) => ways
                    .iter()
                    .for_each(|(p, child)| pass(*child, BY_CHANCE, *p)),
                Node::Decision { set, children } => {
                    let seat = self.seat_of(*set);
                    for (choice, child) in children.iter().enumerate() {
                        pass(*child, seat, entry(strategy, *set, choice));
                    }
                }
            }
        }
        reaches
    }

    fn nash_conv(&self, strategy: &Table) -> f64 {
        (0..2)
            .map(|seat| BestAnswer::new(self, strategy, seat).value())
            .sum()
    }
}

/// The best response of a seat to a strategy: at each information set, the choice that is best over all of its nodes.
struct BestAnswer<'s> {
    solver: &'s Solver<'s>,
    strategy: &'s Table,
    seat: usize,
    reaches: Vec<Reach>,
    /// The seat's decisions by information set.
    nodes_of: Vec<Vec<NodeId>>,
    best: Vec<Option<usize>>,
    values: Vec<Option<f64>>,
}

impl<'s> BestAnswer<'s> {
    fn new(solver: &'s Solver<'s>, strategy: &'s Table, seat: usize) -> BestAnswer<'s> {
        let tree = solver.tree;
        let mut nodes_of = vec![Vec::new(); tree.sets.len()];
        for (id, node) in tree.nodes.iter().enumerate() {
            if let Node::Decision { set, .. } = node
                && let Some(nodes) = nodes_of.get_mut(*set)
            {
                nodes.push(id);
            }
        }
        BestAnswer {
            solver,
            strategy,
            seat,
            reaches: solver.reaches(strategy),
            nodes_of,
            best: vec![None; tree.sets.len()],
            values: vec![None; tree.nodes.len()],
        }
    }

    /// Returns the value of the best response for its seat.
    fn value(mut self) -> f64 {
        match self.solver.tree.nodes.len() {
            0 => 0.0,
            nodes => self.value_of(nodes - 1),
        }
    }

    fn value_of(&mut self, id: NodeId) -> f64 {
        if let Some(known) = self.values.get(id).copied().flatten() {
            return known;
        }
        let tree = self.solver.tree;
        let value = match tree.nodes.get(id) {
            None => 0.0,
            Some(Node::End(_)) => {
                let sign = if self.seat == 0 { 1.0 } else { -1.0 };
                sign * at(&self.solver.payoffs, id)
            }
            Some(Node::Chance(ways)) => ways
                .iter()
                .map(|(p, child)| p * self.value_of(*child))
                .sum(),
            Some(Node::Decision { set, children }) if self.solver.seat_of(*set) == self.seat => {
                let best = self.best_choice(*set);
                children
                    .get(best)
                    .map_or(0.0, |child| self.value_of(*child))
            }
            Some(Node::Decision { set, children }) => {
                let children = children.iter().enumerate();
                children
                    .map(|(choice, child)| {
                        entry(self.strategy, *set, choice) * self.value_of(*child)
                    })
                    .sum()
            }
        };
        put(&mut self.values, id, Some(value));
        value
    }

    /// Returns the best choice. With perfect recall, no path from an information set leads back to it.
    fn best_choice(&mut self, set: SetId) -> usize {
        if let Some(known) = self.best.get(set).copied().flatten() {
            return known;
        }
        let nodes = self.nodes_of.get(set).cloned().unwrap_or_default();
        let choices = self.solver.tree.sets.get(set).map_or(0, |set| set.choices);
        let mut sums = vec![0.0; choices];
        for id in nodes {
            let reach = self.reaches.get(id).copied().unwrap_or_default();
            let others = at(&reach, 1 - self.seat) * at(&reach, BY_CHANCE);
            if let Some(Node::Decision { children, .. }) = self.solver.tree.nodes.get(id) {
                for (sum, child) in sums.iter_mut().zip(children) {
                    *sum += others * self.value_of(*child);
                }
            }
        }
        let best = sums
            .iter()
            .enumerate()
            .max_by(|(_, one), (_, other)| one.total_cmp(other));
        let best = best.map_or(0, |(choice, _)| choice);
        put(&mut self.best, set, Some(best));
        best
    }
}

// ---- numbers at places that exist

fn at(numbers: &[f64], place: usize) -> f64 {
    numbers.get(place).copied().unwrap_or(0.0)
}

fn entry(table: &Table, set: SetId, choice: usize) -> f64 {
    table.get(set).map_or(0.0, |row| at(row, choice))
}

fn put<T>(list: &mut [T], place: usize, value: T) {
    if let Some(old) = list.get_mut(place) {
        *old = value;
    }
}

fn add(table: &mut Table, set: SetId, choice: usize, by: f64) {
    if let Some(number) = table.get_mut(set).and_then(|row| row.get_mut(choice)) {
        *number += by;
    }
}
