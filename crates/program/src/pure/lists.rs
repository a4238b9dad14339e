//! Evaluates lists that do not depend on the state.

use std::collections::BTreeSet;

use super::*;

/// The maximum length of evaluated lists.
const MEMBERS_MAX: usize = 4_096;

/// Evaluates the members of a list.
pub fn list(p: &Program, id: SetId, known: &mut Known) -> Option<Vec<i32>> {
    let members = members(p, id, known)?;
    known.spend(members.len().saturating_add(1))?;
    Some(members)
}

fn members(p: &Program, id: SetId, known: &mut Known) -> Option<Vec<i32>> {
    match *p.sets.get(id as usize)? {
        Set::Empty => Some(Vec::new()),
        Set::Range(low, high) => range(p, low, high, known),
        Set::Table(table) => p.tables.get(table as usize).cloned(),
        Set::Keyed {
            starts,
            members,
            low,
            value: key,
            ..
        } => {
            let number = value(p, key, known)?.checked_sub(low);
            let listed = number.map_or(&[][..], |number| p.listed(starts, members, number));
            Some(listed.to_vec())
        }
        Set::SeatsFrom(seat) => seats(p, value(p, seat, known)?, 0),
        Set::Others(seat) => seats(p, value(p, seat, known)?, 1),
        Set::List { first, count } => {
            let all = first..first + u32::from(count);
            all.map(|id| value(p, id, known)).collect()
        }
        Set::Where {
            of,
            temp,
            condition,
        } => filtered(p, of, (temp, condition), known),
        Set::Keys { of, temp, key } => keys(p, of, temp, key, known),
        Set::Joined {
            of,
            temp,
            list: next,
        } => joined(p, of, temp, next, known),
        Set::Concat(a, b) => {
            let mut all = list(p, a, known)?;
            all.extend(list(p, b, known)?);
            Some(all)
        }
        Set::Minus(of, without) => {
            let without = list(p, without, known)?;
            let mut all = list(p, of, known)?;
            all.retain(|member| !without.contains(member));
            Some(all)
        }
        Set::Among(of, with) => {
            let with = list(p, with, known)?;
            let mut all = list(p, of, known)?;
            all.retain(|member| with.contains(member));
            Some(all)
        }
        Set::Reversed(of) => {
            let mut all = list(p, of, known)?;
            all.reverse();
            Some(all)
        }
        Set::Sorted {
            of,
            temp,
            key,
            descending,
        } => {
            let mut keyed = with_keys(p, of, temp, key, known)?;
            match descending {
                true => keyed.sort_by_key(|(key, _)| std::cmp::Reverse(*key)),
                false => keyed.sort_by_key(|(key, _)| *key),
            }
            Some(without_keys(keyed))
        }
        Set::With {
            of,
            temp,
            key,
            most,
        } => {
            let mut keyed = with_keys(p, of, temp, key, known)?;
            let numbers = keyed.iter().map(|(key, _)| *key);
            let extreme = if most { numbers.max() } else { numbers.min() };
            keyed.retain(|(key, _)| Some(*key) == extreme);
            Some(without_keys(keyed))
        }
        Set::UpTo {
            of,
            temp,
            condition,
            with_it,
        } => up_to(p, of, (temp, condition), with_it, known),
        Set::Take(of, count) => {
            let count = usize::try_from(value(p, count, known)?).unwrap_or(0);
            let mut all = list(p, of, known)?;
            all.truncate(count);
            Some(all)
        }
        Set::Unique(of) => {
            let mut seen = BTreeSet::new();
            let mut all = list(p, of, known)?;
            all.retain(|member| seen.insert(*member));
            Some(all)
        }
        Set::If(condition, then, otherwise) => match truth(p, condition, known)? {
            true => list(p, then, known),
            false => list(p, otherwise, known),
        },
        Set::Within {
            from,
            steps,
            temp,
            next,
        } => within(p, from, steps, (temp, next), known),
        Set::Let {
            value: of,
            temp,
            list: next,
        } => {
            let of = value(p, of, known)?;
            known.with(temp, of, |known| list(p, next, known))
        }
        // Lists in temps are known only in play.
        Set::LetList { .. } => None,
        // These look at the state.
        Set::After { .. }
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
        | Set::Bits(_) => None,
    }
}

fn range(p: &Program, low: ExprId, high: ExprId, known: &mut Known) -> Option<Vec<i32>> {
    let (low, high) = (value(p, low, known)?, value(p, high, known)?);
    if i64::from(high) - i64::from(low) >= MEMBERS_MAX as i64 {
        known.stopped.get_or_insert(Stopped::TooMuch);
        return None;
    }
    Some((low..=high).collect())
}

fn filtered(
    p: &Program,
    of: SetId,
    (temp, condition): (Temp, ExprId),
    known: &mut Known,
) -> Option<Vec<i32>> {
    let mut kept = Vec::new();
    for member in list(p, of, known)? {
        if known.with(temp, member, |known| truth(p, condition, known))? {
            kept.push(member);
        }
    }
    Some(kept)
}

/// Returns the members before the first one that meets the condition, and that one if `with_it`.
fn up_to(
    p: &Program,
    of: SetId,
    (temp, condition): (Temp, ExprId),
    with_it: bool,
    known: &mut Known,
) -> Option<Vec<i32>> {
    let mut before = Vec::new();
    for member in list(p, of, known)? {
        if known.with(temp, member, |known| truth(p, condition, known))? {
            before.extend(with_it.then_some(member));
            break;
        }
        before.push(member);
    }
    Some(before)
}

/// Returns the members with their keys.
fn with_keys(
    p: &Program,
    of: SetId,
    temp: Temp,
    key: ExprId,
    known: &mut Known,
) -> Option<Vec<(i32, i32)>> {
    let members = list(p, of, known)?.into_iter();
    members
        .map(|member| {
            let key = known.with(temp, member, |known| value(p, key, known))?;
            Some((key, member))
        })
        .collect()
}

fn without_keys(keyed: Vec<(i32, i32)>) -> Vec<i32> {
    keyed.into_iter().map(|(_, member)| member).collect()
}

fn within(
    p: &Program,
    from: SetId,
    steps: ExprId,
    (temp, next): (Temp, SetId),
    known: &mut Known,
) -> Option<Vec<i32>> {
    let steps = value(p, steps, known)?;
    if steps < 0 {
        return Some(Vec::new());
    }
    let (mut reached, mut seen) = (Vec::new(), BTreeSet::new());
    let is_new = |member: &i32, seen: &mut BTreeSet<i32>| *member >= 0 && seen.insert(*member);
    for member in list(p, from, known)? {
        if is_new(&member, &mut seen) {
            reached.push(member);
        }
    }
    let mut layer = reached.clone();
    for _ in 0..steps {
        let mut further = Vec::new();
        for member in layer {
            for neighbor in known.with(temp, member, |known| list(p, next, known))? {
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

fn seats(p: &Program, first: i32, skipped: i32) -> Option<Vec<i32>> {
    let seats = p.seats as i32;
    if !(0..seats).contains(&first) {
        return Some(Vec::new());
    }
    let all = skipped..seats;
    Some(all.map(|step| (first + step) % seats).collect())
}

/// Returns the key of every member.
pub(super) fn keys(
    p: &Program,
    of: SetId,
    temp: Temp,
    key: ExprId,
    known: &mut Known,
) -> Option<Vec<i32>> {
    let members = list(p, of, known)?.into_iter();
    members
        .map(|member| known.with(temp, member, |known| value(p, key, known)))
        .collect()
}

/// Returns the lists of all members, one after the other.
fn joined(p: &Program, of: SetId, temp: Temp, next: SetId, known: &mut Known) -> Option<Vec<i32>> {
    let mut all = Vec::new();
    for member in list(p, of, known)? {
        all.extend(known.with(temp, member, |known| list(p, next, known))?);
        if all.len() > MEMBERS_MAX {
            return None;
        }
    }
    Some(all)
}
