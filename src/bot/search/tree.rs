//! The tree: what was tried, how often it could have been, and what it came to.

use crate::bot::RandomBot;
use crate::engine::{self, Choice, Fault, Pending, State};
use crate::program::Program;

/// How much is tried against what has proved good.
const EXPLORATION: f64 = 0.7;
/// A node visited n times has about `WIDTH` · √n children: those that were tried are understood before others come.
const WIDTH: f64 = 2.0;

/// All nodes; a node is reached by one sequence of choices.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

#[derive(Debug, Default)]
struct Node {
    visits: u32,
    edges: Vec<usize>,
}

#[derive(Debug)]
struct Edge {
    choice: Choice,
    to: usize,
    visits: u32,
    /// How often it could have been chosen.
    available: u32,
    /// The sum of what it came to, for the seat that chose.
    worth: f64,
}

/// Where a game in thought goes from a node.
pub(super) struct Step {
    pub choice: Choice,
    pub edge: usize,
    pub node: usize,
    /// It was never tried before.
    pub is_new: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Tree {
            nodes: vec![Node::default()],
            edges: Vec::new(),
        }
    }
}

impl Tree {
    pub const ROOT: usize = 0;

    /// The most tried first choice.
    pub fn best(&self) -> Option<Choice> {
        let root = self.nodes.first()?;
        let edges = root.edges.iter().filter_map(|edge| self.edges.get(*edge));
        let best = edges.max_by_key(|edge| edge.visits)?;
        Some(best.choice.clone())
    }

    /// Goes on from a node: to something new as long as there is room for it, else to what looks best here.
    pub fn step(
        &mut self,
        program: &Program,
        state: &State,
        at: usize,
        owed: &Pending,
        dice: &mut RandomBot,
    ) -> Result<Option<Step>, Fault> {
        let Some(node) = self.nodes.get_mut(at) else {
            return Ok(None);
        };
        node.visits += 1;
        let room = WIDTH * f64::from(node.visits).sqrt();
        if (node.edges.len() as f64) < room {
            let Some(choice) = dice.choose(program, state, owed)? else {
                return Ok(None);
            };
            if !self.has_tried(at, &choice) {
                return Ok(Some(self.grow(at, choice)));
            }
        }
        let open = self.open(program, state, at, owed)?;
        if open.is_empty() {
            let choice = dice.choose(program, state, owed)?;
            return Ok(choice.map(|choice| self.grow(at, choice)));
        }
        Ok(self.select(&open))
    }

    pub fn note(&mut self, edge: usize, worth: f64) {
        if let Some(edge) = self.edges.get_mut(edge) {
            edge.visits += 1;
            edge.worth += worth;
        }
    }

    fn has_tried(&self, at: usize, choice: &Choice) -> bool {
        let node = self.nodes.get(at);
        let edges = node.into_iter().flat_map(|node| &node.edges);
        let mut tried = edges.filter_map(|edge| self.edges.get(*edge));
        tried.any(|edge| edge.choice == *choice)
    }

    /// The edges that can be taken in this world.
    fn open(
        &self,
        program: &Program,
        state: &State,
        at: usize,
        owed: &Pending,
    ) -> Result<Vec<usize>, Fault> {
        let mut open = Vec::new();
        for &number in self.nodes.get(at).into_iter().flat_map(|node| &node.edges) {
            let Some(edge) = self.edges.get(number) else {
                continue;
            };
            if engine::is_legal(program, state, owed, &edge.choice)? {
                open.push(number);
            }
        }
        Ok(open)
    }

    /// UCB over the edges that are open, each judged by how often it was.
    fn select(&mut self, open: &[usize]) -> Option<Step> {
        let mut best: Option<(f64, usize)> = None;
        for &number in open {
            let Some(edge) = self.edges.get_mut(number) else {
                continue;
            };
            edge.available += 1;
            let visits = f64::from(edge.visits.max(1));
            let tried = (f64::from(edge.available).ln() / visits).sqrt();
            let value = edge.worth / visits + EXPLORATION * tried;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, number));
            }
        }
        let (_, number) = best?;
        let edge = self.edges.get(number)?;
        Some(Step {
            choice: edge.choice.clone(),
            edge: number,
            node: edge.to,
            is_new: false,
        })
    }

    fn grow(&mut self, at: usize, choice: Choice) -> Step {
        let (edge, to) = (self.edges.len(), self.nodes.len());
        self.nodes.push(Node::default());
        self.edges.push(Edge {
            choice: choice.clone(),
            to,
            visits: 0,
            available: 1,
            worth: 0.0,
        });
        if let Some(node) = self.nodes.get_mut(at) {
            node.edges.push(edge);
        }
        Step {
            choice,
            edge,
            node: to,
            is_new: true,
        }
    }
}
