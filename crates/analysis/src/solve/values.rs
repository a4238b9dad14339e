//! Computes the value of every position of a game with perfect information by value iteration.
//!
//! The value of each position is set to the best choice of its seat (maximum for the first seat, minimum for the
//! second), averaged over chance, until the values converge: R. Bellman, *Dynamic Programming* (1957). This also solves
//! games with cycles, as T. W. Neller and C. G. M. Presser showed in *Optimal Play of the Dice Game Pig* (The
//! UMAP Journal 25, 2004).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use serde::Serialize;

use super::payoff::Payoff;
use crate::explore::{ExploreError, Explorer, Luck, Way};
use wyrmgate_engine::{PositionKey, Positions, State};
use wyrmgate_program::Program;

/// Changes below this count as converged.
const STILL: f64 = 1e-10;
const SWEEPS_MAX: u32 = 100_000;
/// Number of positions between progress messages.
const WATCHED: usize = 50_000;

/// The result of value iteration.
#[derive(Debug, Clone, Serialize)]
pub struct Value {
    pub positions: usize,
    pub sweeps: u32,
    /// Expected payoff of the first seat if both play optimally.
    pub value: f64,
    /// The value as the probability that the first seat wins, if the game has only wins and losses.
    pub first_wins: Option<f64>,
}

impl Value {
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:<28}{}\n{:<28}{}\n{:<28}{:.6}\n",
            "positions",
            self.positions,
            "sweeps",
            self.sweeps,
            "value for the first seat",
            self.value
        );
        if let Some(wins) = self.first_wins {
            text += &format!("{:<28}{wins:.6}\n", "the first seat wins with");
        }
        text
    }
}

pub(super) fn solve(
    program: &Program,
    watch: &mut dyn FnMut(String),
) -> Result<Value, ExploreError> {
    let mut graph = Graph::of(program, watch)?;
    let sweeps = graph.settle(watch);
    let root = graph.roots.iter().map(|way| graph.worth(way)).sum();
    Ok(Value {
        positions: graph.values.len(),
        sweeps,
        value: root,
        first_wins: graph.is_won_or_lost.then(|| (root + 1.0) / 2.0),
    })
}

/// A transition by chance.
#[derive(Debug, Clone, Copy)]
struct Arrow {
    /// The reciprocal of its probability.
    one_in: f32,
    to: u32,
}

/// A decision: its choices are a range of `choices`, and each of them ends a range of `arrows`.
#[derive(Debug, Clone, Copy)]
struct Decision {
    position: u32,
    maximizes: bool,
    choices_end: u32,
}

#[derive(Debug, Default)]
struct Graph {
    values: Vec<f64>,
    decisions: Vec<Decision>,
    choice_ends: Vec<u32>,
    arrows: Vec<Arrow>,
    roots: Vec<Arrow>,
    ends: Vec<(u32, Payoff)>,
    is_won_or_lost: bool,
}

impl Graph {
    fn of(program: &Program, watch: &mut dyn FnMut(String)) -> Result<Graph, ExploreError> {
        let explorer = Explorer::new(program, Luck::Every);
        let mut finder = Finder {
            positions: Positions::new(program),
            graph: Graph::default(),
            known: HashMap::new(),
            open: VecDeque::new(),
        };
        explorer.starts(&mut |way| {
            let arrow = finder.arrow(&way)?;
            finder.graph.roots.push(arrow);
            Ok(())
        })?;
        let (mut choices, mut room) = (Vec::new(), None);
        while let Some((position, state)) = finder.open.pop_front() {
            if (position as usize).is_multiple_of(WATCHED) {
                watch(format!("{} positions", finder.graph.values.len()));
            }
            let pending = explorer.choices(&state, &mut choices)?;
            if pending.secret {
                return Err(ExploreError::Limit(
                    "several seats decide at once in this game; solve it with `regret`".into(),
                ));
            }
            for choice in &choices {
                explorer.steps(&state, &pending, choice, &mut room, &mut |way| {
                    let arrow = finder.arrow(&way)?;
                    finder.graph.arrows.push(arrow);
                    Ok(())
                })?;
                let end = finder.graph.arrows.len() as u32;
                finder.graph.choice_ends.push(end);
            }
            finder.graph.decisions.push(Decision {
                position,
                maximizes: pending.seat == 0,
                choices_end: finder.graph.choice_ends.len() as u32,
            });
        }
        let mut graph = finder.graph;
        graph.pay();
        Ok(graph)
    }

    /// Sets the payoffs of the ends.
    fn pay(&mut self) {
        let balance = Payoff::all_balance(self.ends.iter().map(|(_, end)| end));
        self.is_won_or_lost = true;
        for (position, end) in &self.ends {
            let value = end.to_first_seat(balance);
            self.is_won_or_lost &= value.abs() == 1.0;
            if let Some(place) = self.values.get_mut(*position as usize) {
                *place = value;
            }
        }
    }

    /// Sweeps over all positions, the latest first, until nothing changes. Returns the number of sweeps.
    fn settle(&mut self, watch: &mut dyn FnMut(String)) -> u32 {
        for sweep in 1..=SWEEPS_MAX {
            let change = self.sweep();
            watch(format!("sweep {sweep}: {change:.1e}"));
            if change < STILL {
                return sweep;
            }
        }
        SWEEPS_MAX
    }

    /// Makes one sweep and returns the greatest change of a value.
    fn sweep(&mut self) -> f64 {
        let mut change: f64 = 0.0;
        for number in (0..self.decisions.len()).rev() {
            let Some(decision) = self.decisions.get(number).copied() else {
                break;
            };
            let value = self.best(number, decision);
            if let Some(old) = self.values.get_mut(decision.position as usize) {
                change = change.max((value - *old).abs());
                *old = value;
            }
        }
        change
    }

    fn best(&self, number: usize, decision: Decision) -> f64 {
        let before = number
            .checked_sub(1)
            .and_then(|before| self.decisions.get(before));
        let first = before.map_or(0, |before| before.choices_end);
        let values = (first..decision.choices_end).map(|choice| self.value_of_choice(choice));
        if decision.maximizes {
            values.fold(f64::NEG_INFINITY, f64::max)
        } else {
            values.fold(f64::INFINITY, f64::min)
        }
    }

    fn value_of_choice(&self, choice: u32) -> f64 {
        let end_of = |choice: u32| self.choice_ends.get(choice as usize).copied();
        let first = choice.checked_sub(1).and_then(end_of).unwrap_or(0);
        let end = end_of(choice).unwrap_or(first);
        let arrows = self.arrows.get(first as usize..end as usize).unwrap_or(&[]);
        arrows.iter().map(|arrow| self.worth(arrow)).sum()
    }

    /// Returns the contribution of a transition to an average.
    fn worth(&self, arrow: &Arrow) -> f64 {
        let value = self.values.get(arrow.to as usize).copied();
        value.unwrap_or(0.0) / f64::from(arrow.one_in)
    }
}

/// Finds each position of a game once.
struct Finder<'p> {
    positions: Positions<'p>,
    graph: Graph,
    known: HashMap<PositionKey, u32>,
    /// Positions whose choices have not been expanded.
    open: VecDeque<(u32, State)>,
}

impl Finder<'_> {
    fn arrow(&mut self, way: &Way<'_>) -> Result<Arrow, ExploreError> {
        let next = u32::try_from(self.known.len());
        let next = next.map_err(|_| ExploreError::Limit("too many positions".into()))?;
        let to = match self.known.entry(self.positions.key(way.after)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                new.insert(next);
                self.graph.values.push(0.0);
                match way.after.outcome() {
                    Some(outcome) => self.graph.ends.push((next, Payoff::of(outcome))),
                    None => self.open.push_back((next, way.after.clone())),
                }
                next
            }
        };
        Ok(Arrow {
            one_in: way.probability.recip().round() as f32,
            to,
        })
    }
}
