//! Which spaces of a board are next to each other.

use std::collections::VecDeque;

use wyrmgate_program::*;

/// The adjacency of the spaces of a board.
#[derive(Debug, Clone, Default)]
pub struct Board {
    pub first: i32,
    /// For each direction, the next space of each space, by its place on the board.
    pub next: Vec<Vec<i32>>,
    /// By the number of a zone: its place on the board from 1, or 0.
    pub places: TableId,
}

impl Board {
    pub fn spaces(&self) -> usize {
        self.next.first().map_or(0, Vec::len)
    }

    /// Returns the next space in a direction from 1.
    pub fn step(&self, zone: i32, way: i32) -> i32 {
        let next = usize::try_from(way - 1).ok();
        let next = next.and_then(|way| self.next.get(way));
        let place = usize::try_from(zone - self.first).ok();
        let found = next.and_then(|next| next.get(place?).copied());
        found.unwrap_or(NONE)
    }

    /// Returns the spaces in a direction. A line that leads back to where it began ends there.
    pub fn line(&self, zone: i32, way: i32) -> Vec<i32> {
        let mut line = Vec::new();
        let mut at = self.step(zone, way);
        while at != NONE && at != zone && line.len() < self.spaces() {
            line.push(at);
            at = self.step(at, way);
        }
        line
    }

    pub fn zones(&self) -> impl Iterator<Item = i32> + use<> {
        self.first..self.first + self.spaces() as i32
    }

    /// Returns the spaces next to a space, each once.
    pub fn beside(&self, zone: i32, ways: &[i32]) -> Vec<i32> {
        let mut beside = Vec::new();
        for way in ways {
            let next = self.step(zone, *way);
            if next != NONE && !beside.contains(&next) {
                beside.push(next);
            }
        }
        beside
    }

    /// Returns the number of steps to each space.
    pub fn distances(&self, from: i32, ways: &[i32]) -> Vec<i32> {
        let mut steps = vec![NONE; self.spaces()];
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((zone, distance)) = open.pop_front() {
            let place = usize::try_from(zone - self.first).unwrap_or(usize::MAX);
            let Some(known) = steps.get_mut(place).filter(|known| **known == NONE) else {
                continue;
            };
            *known = distance;
            let beside = self.beside(zone, ways).into_iter();
            open.extend(beside.map(|next| (next, distance + 1)));
        }
        steps
    }
}
