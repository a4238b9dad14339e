//! Members that stand side by side because only the first ones of them are chosen.

use super::alike::Alike;
use super::sizes::Sizes;

/// Members that stand side by side: of those only the first ones are chosen.
#[derive(Debug, Clone)]
pub enum Runs {
    /// Runs of this length, each of one member.
    Of(usize),
    /// Members that are alike.
    OfKinds {
        /// By place: the place of the member in its list.
        order: Vec<u16>,
        /// By place: where the next run begins.
        after: Vec<u16>,
    },
}

impl Runs {
    pub fn of_kinds(alike: &Alike) -> Runs {
        let (order, after) = alike.side_by_side();
        Runs::OfKinds { order, after }
    }

    /// Returns members with those side by side that are alike; if each is of its own, as they are.
    pub fn lay_out(&self, members: &[i32]) -> Vec<i32> {
        let Runs::OfKinds { order, .. } = self else {
            return members.to_vec();
        };
        let members = order.iter().map(|place| members.get(usize::from(*place)));
        members.flatten().copied().collect()
    }

    /// Returns where the run after that of a place begins.
    pub(super) fn after(&self, place: usize) -> usize {
        match self {
            Runs::Of(length) => (place / length + 1) * length,
            Runs::OfKinds { after, .. } => after.get(place).map_or(place + 1, |at| (*at).into()),
        }
    }

    /// Returns whether selections are numbered in binary, if there are `members` to decide about.
    pub(super) fn are_binary(&self, sizes: Sizes, members: usize) -> bool {
        match self {
            Runs::Of(_) => sizes.is_any_subset(members),
            Runs::OfKinds { .. } => false,
        }
    }

    /// Sorts places in the order of the list.
    pub(super) fn sort(&self, places: &mut [usize]) {
        match self {
            Runs::Of(_) => places.sort_unstable(),
            Runs::OfKinds { order, .. } => places.sort_by_key(|place| order.get(*place).copied()),
        }
    }
}
