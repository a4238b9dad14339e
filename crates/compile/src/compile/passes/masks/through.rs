//! Conditions that read the state through one key of the member: what lies in it.

use super::build::{Masks, Member, span};
use super::inline::Replace;
use super::rewrite::rewrite;
use super::tree::{add, depends, find, get, same};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// How a key of the member is looked up.
#[derive(Clone, Copy)]
enum Looked {
    Free,
    Tops(bool),
}

impl Masks<'_> {
    /// Compiles a condition that reads the state through one key of the member: what lies last (or first) in it.
    pub(super) fn by_state(&mut self, id: ExprId, it: Member) -> Option<MaskId> {
        let lowest = Member::new(it.temp, Domain { first: 0, len: 1 });
        let is_key = |_, expr| {
            looked_up(expr).is_some_and(|(of, _)| {
                depends(self.program, of, it.temp) && self.values(of, lowest).is_some()
            })
        };
        let key = find(self.program, id, &is_key)?;
        let (of, looked_at) = looked_up(get(self.program, key))?;
        let none = self.with(id, key, Expr::Const(NONE));
        let none = self.folded(none);
        if depends(self.program, none, it.temp) {
            return None;
        }
        let places = self.values(of, it)?;
        let there = span(&places)?;
        let base = self.looked_at(id, key, looked_at, it.temp, there, none)?;
        Some(self.through(it.domain, &places, base, there, none))
    }

    /// Returns the condition with something else in place of the key.
    pub(super) fn with(&mut self, id: ExprId, key: ExprId, new: Expr) -> ExprId {
        let new = add(self.program, new);
        rewrite(self.program, id, &mut Replace { old: key, new })
    }

    pub(super) fn folded(&mut self, id: ExprId) -> ExprId {
        match pure::value(self.program, id, &mut Known::default()) {
            Some(value) => {
                let constant = add(self.program, Expr::Const(value));
                self.once(constant)
            }
            None => self.once(id),
        }
    }

    /// Returns the mask of the places `there`.
    fn looked_at(
        &mut self,
        id: ExprId,
        key: ExprId,
        looked: Looked,
        it: Temp,
        there: Domain,
        none: ExprId,
    ) -> Option<MaskId> {
        let Looked::Tops(top) = looked else {
            // Only `is free` itself: a larger condition was taken apart before.
            let free = same(self.program, id, key).then(|| self.mask(there, Mask::Free));
            return free.map(|mask| self.kept(mask));
        };
        let values = Domain {
            first: 0,
            len: u16::try_from(self.program.components.len())
                .ok()
                .filter(|len| (1..=DOMAIN_BITS).contains(&usize::from(*len)))?,
        };
        let temp = self.fresh();
        let condition = self.with(id, key, Expr::Temp(temp));
        if depends(self.program, condition, it) {
            return None;
        }
        let of = self.condition(condition, Member::new(temp, values))?;
        let mask = self.mask(there, Mask::Tops { of, top, none });
        Some(self.kept(mask))
    }

    /// Maps a mask of places to the members that belong to them.
    pub(super) fn through(
        &mut self,
        domain: Domain,
        places: &[i32],
        of: MaskId,
        there: Domain,
        none: ExprId,
    ) -> MaskId {
        let own = places
            .iter()
            .enumerate()
            .all(|(bit, place)| *place == domain.first + bit as i32);
        if own && domain == there {
            return of;
        }
        let rows = self.rows(belonging(places, there));
        self.mask(domain, Mask::Through { rows, of, none })
    }
}

/// Returns of what a key is read from the state, and how.
fn looked_up(key: Expr) -> Option<(ExprId, Looked)> {
    match key {
        Expr::IsFreeZone(of) => Some((of, Looked::Free)),
        Expr::ZoneLast(of) => Some((of, Looked::Tops(true))),
        Expr::ZoneFirst(of) => Some((of, Looked::Tops(false))),
        _ => None,
    }
}

/// Returns the members without a place, and those of each place.
fn belonging(places: &[i32], there: Domain) -> Vec<Bits> {
    let mut rows = vec![0; usize::from(there.len) + 1];
    for (bit, place) in places.iter().enumerate() {
        let at = usize::try_from(place - there.first).map_or(0, |at| at + 1);
        if let Some(row) = rows.get_mut(at) {
            *row |= 1 << bit;
        }
    }
    rows
}
