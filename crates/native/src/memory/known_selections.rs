//! What searches for selections have found. A search depends only on its conditions, on the values that they compare with and
//! on what each member adds to what they measure, so equal searches find equal selections in every position.
//!
//! What is known counts as much work as finding it did.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use wyrmgate_engine::choices::Sizes;

/// The maximum number of searches to remember for one question of the rules, a power of two.
const SEARCHES: usize = 512;

/// The maximum number of selections of a search to remember: enough for five of seven cards.
const WAYS_MAX: usize = 22;

/// The maximum number of members of a search to remember: one bit each.
pub(crate) const MEMBERS_MAX: usize = u32::BITS as usize;

/// A selection that was found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KnownSelection {
    /// The places of its members, one bit each.
    pub members: u32,
    /// The work since the selection before.
    pub cost: u16,
    /// Whether it fulfills the conditions for sure.
    pub is_sure: bool,
}

/// A search from beginning to end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KnownSearch {
    /// The number of the search; 0 for none.
    search: u64,
    /// The work to begin it, and that after the last selection.
    pub begun: u32,
    pub rest: u32,
    length: u8,
    ways: [KnownSelection; WAYS_MAX],
}

impl KnownSearch {
    /// A search that has begun.
    pub fn new(search: u64, begun: u32) -> KnownSearch {
        KnownSearch {
            search,
            begun,
            ..KnownSearch::default()
        }
    }

    pub fn way(&self, number: u8) -> Option<KnownSelection> {
        let ways = self.ways.get(..usize::from(self.length))?;
        ways.get(usize::from(number)).copied()
    }

    /// Adds a selection; returns whether there is room for it.
    pub fn add(&mut self, members: u32, cost: u32, is_sure: bool) -> bool {
        let place = self.ways.get_mut(usize::from(self.length));
        let Some((place, cost)) = place.zip(u16::try_from(cost).ok()) else {
            return false;
        };
        *place = KnownSelection {
            members,
            cost,
            is_sure,
        };
        self.length += 1;
        true
    }
}

/// The searches of one question that are known. There is no memory for them before the first one.
#[derive(Default)]
pub(crate) struct KnownSelections(Vec<KnownSearch>);

impl KnownSelections {
    pub fn find(&self, search: u64) -> Option<&KnownSearch> {
        let known = self.0.get(place_of(search))?;
        (known.search == search).then_some(known)
    }

    pub fn keep(&mut self, known: &KnownSearch) {
        if self.0.is_empty() {
            self.0.resize(SEARCHES, KnownSearch::default());
        }
        if let Some(place) = self.0.get_mut(place_of(known.search)) {
            *place = *known;
        }
    }
}

fn place_of(search: u64) -> usize {
    search as usize % SEARCHES
}

/// Returns the number of a search: never 0.
pub(crate) fn number_of(known: &[i32], gains: &[i32], sizes: Sizes, members: usize) -> u64 {
    let mut number = FixedState::default().build_hasher();
    number.write_usize(members);
    number.write_usize(sizes.copies());
    number.write_usize(sizes.least);
    number.write_usize(sizes.most);
    for values in [known, gains] {
        let (pairs, last) = values.as_chunks::<2>();
        for [one, other] in pairs {
            let pair = u64::from(one.cast_unsigned()) << 32 | u64::from(other.cast_unsigned());
            number.write_u64(pair);
        }
        last.iter().for_each(|value| number.write_i32(*value));
    }
    number.finish().max(1)
}
