//! The entries of a map: in file order, and indexed by key.

use hashbrown::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use super::{Node, Scalar};

/// The number of entries from which a map is indexed; smaller ones are searched linearly.
const INDEXED_FROM: usize = 16;

type Index = HashMap<Arc<str>, Vec<u32>, foldhash::fast::RandomState>;

/// Entries in order. Where repetitions are meaningful, a key may occur twice; look-ups find the first.
#[derive(Debug, Clone, Default)]
pub struct Map {
    entries: Vec<(Scalar, Node)>,
    /// A number of each entry that stays the same when others are removed; ascending.
    numbers: Vec<u32>,
    next: u32,
    /// The numbers of removed entries that still have a place; see [`Map::sweep`].
    gone: HashSet<u32, foldhash::fast::RandomState>,
    /// The numbers of the entries of each key, computed on first use. Keys are changed through [`Map`] only.
    index: OnceLock<Index>,
}

impl Map {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for ((key, _), number) in self.entries.iter().zip(&self.numbers) {
                index.entry(key.text.clone()).or_default().push(*number);
            }
            index
        })
    }

    /// Returns the position of the first entry of this key.
    pub fn position(&self, key: &str) -> Option<usize> {
        if self.entries.len() < INDEXED_FROM {
            return self
                .entries
                .iter()
                .position(|(known, _)| *known.text == *key);
        }
        let number = self.index().get(key)?.first()?;
        self.numbers.binary_search(number).ok()
    }

    pub fn find(&self, key: &str) -> Option<&(Scalar, Node)> {
        self.entries.get(self.position(key)?)
    }

    pub fn find_mut(&mut self, key: &str) -> Option<&mut Node> {
        let at = self.position(key)?;
        self.entries.get_mut(at).map(|(_, node)| node)
    }

    pub fn push(&mut self, entry: (Scalar, Node)) {
        if let Some(index) = self.index.get_mut() {
            let numbers = index.entry(entry.0.text.clone()).or_default();
            numbers.push(self.next);
        }
        self.numbers.push(self.next);
        self.next += 1;
        self.entries.push(entry);
    }

    /// Replaces the first entry of this key, or appends.
    pub fn put(&mut self, entry: (Scalar, Node)) {
        let at = self.position(&entry.0.text);
        match at.and_then(|at| self.entries.get_mut(at)) {
            Some(place) => *place = entry,
            None => self.push(entry),
        }
    }

    /// Removes the first entry of this key. In a large map, its place stays until [`Map::sweep`], so that many removals
    /// take time in proportion to their number.
    pub fn take(&mut self, key: &str) -> Option<Node> {
        let at = self.position(key)?;
        if self.entries.len() < INDEXED_FROM {
            self.numbers.remove(at);
            self.index.take();
            return Some(self.entries.remove(at).1);
        }
        if let Some(numbers) = self.index.get_mut().and_then(|index| index.get_mut(key)) {
            numbers.remove(0);
        }
        self.gone.extend(self.numbers.get(at));
        let (key, node) = self.entries.get_mut(at)?;
        key.text = "".into();
        let nothing = Node::empty_map(node.span);
        Some(std::mem::replace(node, nothing))
    }

    /// Frees the places of removed entries.
    pub fn sweep(&mut self) {
        if self.gone.is_empty() {
            return;
        }
        let gone = std::mem::take(&mut self.gone);
        let mut numbers = self.numbers.iter();
        self.entries
            .retain(|_| numbers.next().is_none_or(|number| !gone.contains(number)));
        self.numbers.retain(|number| !gone.contains(number));
    }
}

impl FromIterator<(Scalar, Node)> for Map {
    fn from_iter<I: IntoIterator<Item = (Scalar, Node)>>(entries: I) -> Map {
        let entries: Vec<(Scalar, Node)> = entries.into_iter().collect();
        let next = entries.len() as u32;
        Map {
            entries,
            numbers: (0..next).collect(),
            next,
            gone: HashSet::default(),
            index: OnceLock::new(),
        }
    }
}

impl Extend<(Scalar, Node)> for Map {
    fn extend<I: IntoIterator<Item = (Scalar, Node)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|entry| self.push(entry));
    }
}

impl Deref for Map {
    type Target = [(Scalar, Node)];

    fn deref(&self) -> &[(Scalar, Node)] {
        &self.entries
    }
}

impl DerefMut for Map {
    fn deref_mut(&mut self) -> &mut [(Scalar, Node)] {
        &mut self.entries
    }
}

impl IntoIterator for Map {
    type Item = (Scalar, Node);
    type IntoIter = std::vec::IntoIter<(Scalar, Node)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'m> IntoIterator for &'m Map {
    type Item = &'m (Scalar, Node);
    type IntoIter = std::slice::Iter<'m, (Scalar, Node)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}
