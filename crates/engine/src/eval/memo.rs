//! Caches results of queries without parameters while choices are enumerated: the state does not change then, and such
//! a query reads nothing else. For example, `a.path in called` is evaluated for every piece, but `called` only once.
//! The contents of open grids are cached until they change.

use super::places::{GridPlaces, free_places};
use super::remembered::Remembered;
use super::values::ValueList;
use crate::state::State;
use wyrmgate_program::{NONE, QueryId};

/// Cached results. Disabled while the state may change between two questions.
#[derive(Default)]
pub struct Memo {
    pub(super) on: bool,
    /// Query, and where its members begin and end in `values`.
    answers: smallvec::SmallVec<[(QueryId, u16, u16); 4]>,
    values: ValueList,
    /// Results in supposed positions.
    pub(super) remembered: Remembered,
    /// Open grids as tables, each with the number of changes when it was made; `None` for a grid without a table.
    places: Vec<(i32, u64, Option<GridPlaces>)>,
    /// The free places of open grids, each with the number of changes when they were listed.
    free: Vec<(i32, u64, ValueList)>,
    /// The last component whose place was requested, its place, and the number of changes at that time.
    placed: Option<(i32, i32, u64)>,
}

/// An invariant.
const ANSWERS: &str = "answers-within-the-cache";

/// The place of the cached members of a query.
pub(super) type Kept = std::ops::Range<usize>;

impl Memo {
    pub fn turn_on(&mut self) {
        self.on = true;
        self.remembered.turn_on();
    }

    pub fn turn_off(&mut self) {
        self.on = false;
        self.answers.clear();
        self.remembered.turn_off();
        self.values.clear();
    }

    /// Exchanges the caches, except the results in supposed positions.
    pub(super) fn exchange(&mut self, other: &mut Memo) {
        std::mem::swap(self, other);
        std::mem::swap(&mut self.remembered, &mut other.remembered);
    }

    /// Returns the table of an open grid, if the zone is one; rebuilds it if something on the grid has changed.
    pub fn places(&mut self, state: &State, zone: i32) -> Option<&GridPlaces> {
        self.table(state, zone).map(|places| &*places)
    }

    fn table(&mut self, state: &State, zone: i32) -> Option<&mut GridPlaces> {
        let now = state.changes.grids;
        let at = match self.places.iter().position(|(of, ..)| *of == zone) {
            Some(at) => at,
            None => {
                self.places.push((zone, now, GridPlaces::of(state, zone)));
                self.places.len() - 1
            }
        };
        let (_, of, places) = self.places.get_mut(at)?;
        if *of != now {
            let laid = state.changes.laid_since(*of).zip(places.as_mut());
            let is_done = laid.is_some_and(|(laid, places)| places.lay(state, zone, laid));
            if !is_done {
                *places = GridPlaces::of(state, zone);
            }
            *of = now;
        }
        places.as_mut()
    }

    /// Returns the free places of an open grid; to be given back with [`Memo::keep_free`].
    pub fn free(&mut self, state: &State, zone: i32) -> ValueList {
        let now = state.changes.grids;
        let known = self.free.iter().position(|(of, ..)| *of == zone);
        match known.map(|at| self.free.swap_remove(at)) {
            Some((_, of, free)) if of == now => free,
            Some((_, of, mut free)) => {
                let table = self.table(state, zone);
                let laid = state.changes.laid_since(of).zip(table.as_deref());
                let is_done =
                    laid.is_some_and(|(laid, table)| table.lay_free(state, zone, laid, &mut free));
                match is_done {
                    true => free,
                    false => free_places(state, zone, table),
                }
            }
            None => free_places(state, zone, self.table(state, zone)),
        }
    }

    /// Returns the place of a component in its zone. The next one in the zone of the last that was asked is one further.
    pub fn place_of(&mut self, state: &State, component: i32) -> i32 {
        let now = state.changes.places;
        let place = match self.placed {
            Some((last, place, of)) if of == now && last == component => place,
            Some((last, place, of)) if of == now && state.previous(component) == last => place + 1,
            _ => state.place_of(component),
        };
        self.placed = state
            .is_component(component)
            .then_some((component, place, now));
        place
    }

    pub fn keep_free(&mut self, state: &State, zone: i32, free: ValueList) {
        self.free.push((zone, state.changes.grids, free));
    }

    pub(super) fn find(&self, query: QueryId) -> Option<Kept> {
        let found = self.answers.iter().find(|(other, ..)| *other == query);
        found.map(|(_, first, end)| usize::from(*first)..usize::from(*end))
    }

    /// Keeps an answer, if it is not too long.
    pub(super) fn keep(&mut self, query: QueryId, members: &[i32]) -> Option<Kept> {
        let first = u16::try_from(self.values.len()).ok()?;
        let end = u16::try_from(self.values.len() + members.len()).ok()?;
        self.values.extend_from_slice(members);
        self.answers.push((query, first, end));
        Some(usize::from(first)..usize::from(end))
    }

    pub(super) fn get(&self, kept: Kept) -> &[i32] {
        debug_assert!(kept.end <= self.values.len(), "{ANSWERS}");
        self.values.get(kept).unwrap_or(&[])
    }

    pub(super) fn member(&self, at: usize) -> i32 {
        debug_assert!(at < self.values.len(), "{ANSWERS}");
        self.values.get(at).copied().unwrap_or(NONE)
    }
}
