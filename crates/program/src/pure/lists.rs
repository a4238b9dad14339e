//! Evaluates lists that do not depend on the state.

use std::collections::BTreeSet;

use super::{Evaluation, Stopped};
use crate::{ExprId, ListUpTo, MemberTest, Set, SetId, Temp, WithinSearch};

/// The maximum length of evaluated lists.
const MEMBERS_MAX: usize = 4_096;

impl Evaluation<'_> {
    /// Evaluates the members of a list.
    pub(super) fn list(&mut self, id: SetId) -> Option<Vec<i32>> {
        let members = self.members(id)?;
        self.known.spend(members.len().saturating_add(1))?;
        Some(members)
    }

    fn members(&mut self, id: SetId) -> Option<Vec<i32>> {
        let p = self.program;
        match *p.sets.get(id as usize)? {
            Set::Empty => Some(Vec::new()),
            Set::Range(low, high) => self.range(low, high),
            Set::Table(table) => p.tables.get(table as usize).cloned(),
            Set::Keyed(of) => {
                let number = self.value(of.value)?.checked_sub(of.low);
                let listed = |number| p.listed(of.starts, of.members, number);
                Some(number.map_or(&[][..], listed).to_vec())
            }
            Set::SeatsFrom(seat) => self.seats(seat, 0),
            Set::Others(seat) => self.seats(seat, 1),
            Set::List { first, count } => {
                let all = first..first + u32::from(count);
                all.map(|id| self.value(id)).collect()
            }
            Set::Where(test) => self.filtered(test),
            Set::Keys { of, temp, key } => self.keys(of, temp, key),
            Set::Joined {
                of,
                temp,
                list: next,
            } => self.joined(of, temp, next),
            Set::Concat(a, b) => {
                let mut all = self.list(a)?;
                all.extend(self.list(b)?);
                Some(all)
            }
            Set::Minus(of, without) => {
                let without = self.list(without)?;
                let mut all = self.list(of)?;
                all.retain(|member| !without.contains(member));
                Some(all)
            }
            Set::Reversed(of) => {
                let mut all = self.list(of)?;
                all.reverse();
                Some(all)
            }
            Set::Sorted(by) => {
                let mut keyed = self.with_keys(by.of, by.temp, by.key)?;
                match by.descending {
                    true => keyed.sort_by_key(|(key, _)| std::cmp::Reverse(*key)),
                    false => keyed.sort_by_key(|(key, _)| *key),
                }
                Some(without_keys(keyed))
            }
            Set::With(by) => {
                let mut keyed = self.with_keys(by.of, by.temp, by.key)?;
                let numbers = keyed.iter().map(|(key, _)| *key);
                let extreme = if by.most {
                    numbers.max()
                } else {
                    numbers.min()
                };
                keyed.retain(|(key, _)| Some(*key) == extreme);
                Some(without_keys(keyed))
            }
            Set::UpTo(end) => self.up_to(end),
            Set::Take(of, count) => {
                let count = usize::try_from(self.value(count)?).unwrap_or(0);
                let mut all = self.list(of)?;
                all.truncate(count);
                Some(all)
            }
            Set::Unique(of) => {
                let mut seen = BTreeSet::new();
                let mut all = self.list(of)?;
                all.retain(|member| seen.insert(*member));
                Some(all)
            }
            Set::If(condition, then, otherwise) => match self.truth(condition)? {
                true => self.list(then),
                false => self.list(otherwise),
            },
            Set::Within(search) => self.within(search),
            Set::Let {
                value: of,
                temp,
                list: next,
            } => {
                let of = self.value(of)?;
                self.with(temp, of, |inner| inner.list(next))
            }
            // Lists in temps are known only in play.
            Set::LetList { .. } => None,
            // These look at the state.
            Set::After(_)
            | Set::Zone(_)
            | Set::Local(_)
            | Set::LocalAt { .. }
            | Set::Temp(_)
            | Set::Words { .. }
            | Set::PhysicalOrder(_)
            | Set::Call { .. }
            | Set::CallKind { .. }
            | Set::FreeCells(_)
            | Set::TakenCells(_)
            | Set::Following(_)
            | Set::Bits(_) => None,
        }
    }

    fn range(&mut self, low: ExprId, high: ExprId) -> Option<Vec<i32>> {
        let (low, high) = (self.value(low)?, self.value(high)?);
        if i64::from(high) - i64::from(low) >= MEMBERS_MAX as i64 {
            self.known.stopped.get_or_insert(Stopped::TooMuch);
            return None;
        }
        Some((low..=high).collect())
    }

    fn filtered(&mut self, test: MemberTest) -> Option<Vec<i32>> {
        let mut kept = Vec::new();
        for member in self.list(test.of)? {
            if self.with(test.temp, member, |inner| inner.truth(test.condition))? {
                kept.push(member);
            }
        }
        Some(kept)
    }

    /// Returns the members before the first one that meets the condition, and that one if `with_it`.
    fn up_to(&mut self, end: ListUpTo) -> Option<Vec<i32>> {
        let mut before = Vec::new();
        for member in self.list(end.of)? {
            if self.with(end.temp, member, |inner| inner.truth(end.condition))? {
                before.extend(end.with_it.then_some(member));
                break;
            }
            before.push(member);
        }
        Some(before)
    }

    /// Returns the members with their keys.
    fn with_keys(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<Vec<(i32, i32)>> {
        let members = self.list(of)?.into_iter();
        members
            .map(|member| {
                let key = self.with(temp, member, |inner| inner.value(key))?;
                Some((key, member))
            })
            .collect()
    }

    fn within(&mut self, search: WithinSearch) -> Option<Vec<i32>> {
        let steps = self.value(search.steps)?;
        if steps < 0 {
            return Some(Vec::new());
        }
        let (mut reached, mut seen) = (Vec::new(), BTreeSet::new());
        let is_new = |member: &i32, seen: &mut BTreeSet<i32>| *member >= 0 && seen.insert(*member);
        for member in self.list(search.from)? {
            if is_new(&member, &mut seen) {
                reached.push(member);
            }
        }
        let mut layer = reached.clone();
        for _ in 0..steps {
            let mut further = Vec::new();
            for member in layer {
                for neighbor in self.with(search.temp, member, |inner| inner.list(search.next))? {
                    if is_new(&neighbor, &mut seen) {
                        further.push(neighbor);
                    }
                }
            }
            if further.is_empty() {
                break;
            }
            reached.extend(&further);
            layer = further;
        }
        Some(reached)
    }

    fn seats(&mut self, first: ExprId, skipped: i32) -> Option<Vec<i32>> {
        let first = self.value(first)?;
        let seats = self.program.seats as i32;
        if !(0..seats).contains(&first) {
            return Some(Vec::new());
        }
        let all = skipped..seats;
        Some(all.map(|step| (first + step) % seats).collect())
    }

    /// Returns the key of every member.
    pub(super) fn keys(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<Vec<i32>> {
        let members = self.list(of)?.into_iter();
        members
            .map(|member| self.with(temp, member, |inner| inner.value(key)))
            .collect()
    }

    /// Returns the lists of all members, one after the other.
    fn joined(&mut self, of: SetId, temp: Temp, next: SetId) -> Option<Vec<i32>> {
        let mut all = Vec::new();
        for member in self.list(of)? {
            all.extend(self.with(temp, member, |inner| inner.list(next))?);
            if all.len() > MEMBERS_MAX {
                return None;
            }
        }
        Some(all)
    }
}

fn without_keys(keyed: Vec<(i32, i32)>) -> Vec<i32> {
    keyed.into_iter().map(|(_, member)| member).collect()
}
