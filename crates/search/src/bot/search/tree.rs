//! The search tree: what was tried, how often, and with which result.

use wyrmgate_engine::Choice;

/// The exploration constant of UCB1.
const EXPLORATION: f64 = 0.7;
/// A node with n visits has about `WIDTH` · √n children, so that existing children are understood before new ones are
/// added.
const WIDTH: f64 = 1.5;

/// All nodes. One sequence of choices leads to each node.
#[derive(Debug)]
pub(in crate::bot) struct SearchTree {
    nodes: Vec<SearchNode>,
    edges: Vec<Edge>,
}

#[derive(Debug, Default)]
struct SearchNode {
    visits: u32,
    edges: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Edge {
    /// The choice as its seat refers to it. In another world it may mean another component.
    pub choice: Choice,
    pub to: usize,
    visits: u32,
    /// Sum of the results for the seat that chose.
    worth: f64,
}

/// A step from a node during a playout.
pub(super) struct PlayoutStep {
    pub edge: usize,
    pub node: usize,
    /// Whether it was never tried before.
    pub is_new: bool,
}

impl Default for SearchTree {
    fn default() -> Self {
        SearchTree {
            nodes: vec![SearchNode::default()],
            edges: Vec::new(),
        }
    }
}

impl SearchTree {
    pub const ROOT: usize = 0;

    /// Returns whether nothing was tried yet.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Returns the number of playouts through the root.
    pub fn visits(&self) -> u32 {
        self.nodes.first().map_or(0, |root| root.visits)
    }

    /// Returns about how many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<SearchNode>() + self.edges.len() * size_of::<Edge>()
    }

    /// Keeps only what is below this choice, whose node becomes the root.
    pub fn follow(&mut self, choice: &Choice) {
        let old = std::mem::take(self);
        let mut firsts = old.edges_of(SearchTree::ROOT);
        let Some((_, taken)) = firsts.find(|(_, edge)| edge.choice == *choice) else {
            return;
        };
        let mut origins = vec![taken.to];
        drop(firsts);
        let mut nodes: Vec<SearchNode> = old.nodes;
        let mut edges: Vec<Option<Edge>> = old.edges.into_iter().map(Some).collect();
        self.nodes.clear();
        while let Some(origin) = origins.get(self.nodes.len()) {
            let mut node = nodes
                .get_mut(*origin)
                .map_or_else(SearchNode::default, std::mem::take);
            for number in &mut node.edges {
                let Some(mut edge) = edges.get_mut(*number).and_then(Option::take) else {
                    continue;
                };
                *number = self.edges.len();
                origins.push(std::mem::replace(&mut edge.to, origins.len()));
                self.edges.push(edge);
            }
            self.nodes.push(node);
        }
    }

    /// Returns the most visited first choice, as its seat refers to it, and its share of the visits in percent.
    pub fn best(&self) -> Option<(Choice, u64)> {
        let edges = || self.edges_of(SearchTree::ROOT).map(|(_, edge)| edge);
        let best = edges().max_by_key(|edge| edge.visits)?;
        let all: u64 = edges().map(|edge| u64::from(edge.visits)).sum();
        let share = 100 * u64::from(best.visits) / all.max(1);
        Some((best.choice.clone(), share))
    }

    /// Notes that a playout comes to a node. Returns whether there is room for a new choice.
    pub(super) fn visit(&mut self, at: usize) -> Option<bool> {
        let node = self.nodes.get_mut(at)?;
        node.visits += 1;
        let room = WIDTH * f64::from(node.visits).sqrt();
        Some((node.edges.len() as f64) < room)
    }

    pub fn note(&mut self, edge: usize, worth: f64) {
        if let Some(edge) = self.edges.get_mut(edge) {
            edge.visits += 1;
            edge.worth += worth;
        }
    }

    pub(super) fn edges_of(&self, at: usize) -> impl Iterator<Item = (usize, &Edge)> {
        let edges = self.nodes.get(at).into_iter().flat_map(|node| &node.edges);
        edges.filter_map(|number| Some((*number, self.edges.get(*number)?)))
    }

    /// Returns the edge with the best upper confidence bound (UCB1), except these.
    pub(super) fn best_open(&self, at: usize, closed: &[usize]) -> Option<(usize, &Edge)> {
        let visits = self.nodes.get(at).map_or(1, |node| node.visits);
        let log = f64::from(visits.max(2)).ln();
        let open = self.edges_of(at);
        let open = open.filter(|(number, _)| !closed.contains(number));
        open.max_by(|(_, one), (_, other)| one.bound(log).total_cmp(&other.bound(log)))
    }

    /// Adds a choice that was not tried before.
    pub(super) fn grow(&mut self, at: usize, choice: Choice) -> PlayoutStep {
        let (edge, to) = (self.edges.len(), self.nodes.len());
        self.nodes.push(SearchNode::default());
        self.edges.push(Edge {
            choice,
            to,
            visits: 0,
            worth: 0.0,
        });
        if let Some(node) = self.nodes.get_mut(at) {
            node.edges.push(edge);
        }
        PlayoutStep {
            edge,
            node: to,
            is_new: true,
        }
    }
}

impl Edge {
    fn bound(&self, log: f64) -> f64 {
        let visits = f64::from(self.visits.max(1));
        self.worth / visits + EXPLORATION * (log / visits).sqrt()
    }
}
