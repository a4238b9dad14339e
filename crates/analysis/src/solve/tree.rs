//! A whole game as a tree in memory: ends, chance nodes, and decisions by information set.

use std::collections::HashMap;

use super::payoff::Payoff;
use crate::explore::{ExploreError, Explorer, Luck, Way};
use crate::perft::{Histories, HistoryKey};
use wyrmgate_engine::State;
use wyrmgate_program::Program;
use wyrmgate_view::Stopped;

/// Maximum number of nodes.
const NODES_MAX: usize = 20_000_000;

/// Maximum number of decisions in a game, because the tree is built and traversed recursively.
const DEPTH_MAX: u32 = 500;

pub type NodeId = usize;
pub type SetId = usize;

#[derive(Debug, Clone)]
pub enum Node {
    End(Payoff),
    /// Outcomes of chance with their probabilities.
    Chance(Vec<(f64, NodeId)>),
    /// One child per choice, in the order of the list, which is the same for all nodes of an information set.
    Decision {
        set: SetId,
        children: Vec<NodeId>,
    },
}

/// Positions that a seat cannot distinguish where it decides.
#[derive(Debug, Clone, Copy)]
pub struct InformationSet {
    pub seat: u8,
    pub choices: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Nodes, children before their parents; the root is last.
    pub nodes: Vec<Node>,
    pub sets: Vec<InformationSet>,
}

impl Tree {
    pub fn of(program: &Program) -> Result<Tree, ExploreError> {
        let mut grower = Grower {
            explorer: Explorer {
                program,
                luck: Luck::Every,
                listens: true,
            },
            tree: Tree::default(),
            known: HashMap::new(),
        };
        let explorer = grower.explorer;
        let histories = Histories::new(program);
        let mut ways = Vec::new();
        explorer.starts(&mut |way| {
            let child = grower.grow(&way, &histories)?;
            ways.push((way.probability, child));
            Ok(())
        })?;
        grower.by_chance(ways)?;
        Ok(grower.tree)
    }
}

struct Grower<'p> {
    explorer: Explorer<'p>,
    tree: Tree,
    known: HashMap<HistoryKey, SetId>,
}

impl Grower<'_> {
    /// Returns the node at the end of a continuation.
    fn grow(&mut self, way: &Way<'_>, histories: &Histories) -> Result<NodeId, ExploreError> {
        if let Some(outcome) = way.after.outcome() {
            return self.push(Node::End(Payoff::of(outcome)));
        }
        let histories = histories.after(self.explorer.program, way.events);
        self.decision(way.after, &histories)
    }

    fn decision(&mut self, state: &State, histories: &Histories) -> Result<NodeId, ExploreError> {
        let explorer = self.explorer;
        let decisions = state.decisions_made();
        if decisions >= explorer.program.bound {
            return Err(Stopped::unbounded(explorer.program, state).into());
        }
        if decisions >= DEPTH_MAX {
            let message =
                format!("a game has more than {DEPTH_MAX} decisions, too many for a tree");
            return Err(ExploreError::Limit(message));
        }
        let mut choices = Vec::new();
        let pending = explorer.choices(state, &mut choices)?;
        let history = histories.of(pending.seat);
        let history =
            history.ok_or_else(|| ExploreError::Limit("a seat without a history".into()))?;
        let set = self.set(history, pending.seat, choices.len())?;
        let mut children = Vec::with_capacity(choices.len());
        for choice in &choices {
            let (mut ways, mut room) = (Vec::new(), None);
            explorer.steps(state, &pending, choice, &mut room, &mut |way| {
                let child = self.grow(&way, histories)?;
                ways.push((way.probability, child));
                Ok(())
            })?;
            children.push(self.by_chance(ways)?);
        }
        self.push(Node::Decision { set, children })
    }

    fn set(
        &mut self,
        history: HistoryKey,
        seat: u8,
        choices: usize,
    ) -> Result<SetId, ExploreError> {
        let next = self.tree.sets.len();
        let set = *self.known.entry(history).or_insert(next);
        if set == next {
            self.tree.sets.push(InformationSet { seat, choices });
        }
        match self.tree.sets.get(set) {
            Some(known) if known.choices == choices => Ok(set),
            _ => Err(ExploreError::Limit(
                "a seat has different choices at positions that it cannot distinguish".into(),
            )),
        }
    }

    /// Returns a chance node, or the only child if there is one.
    fn by_chance(&mut self, ways: Vec<(f64, NodeId)>) -> Result<NodeId, ExploreError> {
        match ways.as_slice() {
            [(_, only)] => Ok(*only),
            _ => self.push(Node::Chance(ways)),
        }
    }

    fn push(&mut self, node: Node) -> Result<NodeId, ExploreError> {
        if self.tree.nodes.len() >= NODES_MAX {
            let message = format!("the tree has more than {NODES_MAX} nodes");
            return Err(ExploreError::Limit(message));
        }
        self.tree.nodes.push(node);
        Ok(self.tree.nodes.len() - 1)
    }
}
