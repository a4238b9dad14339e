//! Members of a list of which several are alike: of those, choices contain the first ones.

use smallvec::SmallVec;

use crate::eval::ValueList;

/// The members of a list, with those that are alike.
#[derive(Debug)]
pub struct Alike {
    pub(crate) members: ValueList,
    /// By member: the place of the first one that is like it.
    pub(crate) first_like: SmallVec<[u16; 32]>,
}

impl Alike {
    /// Returns the members that are listed if one is chosen.
    pub fn firsts(&self) -> ValueList {
        let places = self.first_like.iter().enumerate();
        let firsts = places.filter(|(place, first)| *place == usize::from(**first));
        firsts
            .filter_map(|(place, _)| self.members.get(place).copied())
            .collect()
    }

    /// Returns the places of the members, with those side by side that are alike, and for each of them where the next
    /// kind begins.
    pub fn side_by_side(&self) -> (Vec<u16>, Vec<u16>) {
        let mut order: Vec<u16> = (0..self.first_like.len() as u16).collect();
        order.sort_by_key(|place| self.first_of(*place));
        let firsts: Vec<u16> = order.iter().map(|place| self.first_of(*place)).collect();
        let after = firsts
            .iter()
            .map(|first| firsts.partition_point(|other| other <= first) as u16);
        let after = after.collect();
        (order, after)
    }

    /// Returns those that are alike, in their order.
    pub(crate) fn groups(&self) -> Vec<Vec<i32>> {
        let (order, _) = self.side_by_side();
        let groups = order.chunk_by(|one, other| self.first_of(*one) == self.first_of(*other));
        let group = |places: &[u16]| {
            let members = places
                .iter()
                .filter_map(|place| self.members.get(usize::from(*place)));
            members.copied().collect()
        };
        groups.filter(|group| group.len() > 1).map(group).collect()
    }

    fn first_of(&self, place: u16) -> u16 {
        let first = self.first_like.get(usize::from(place));
        first.copied().unwrap_or(place)
    }

    /// Returns the first member that is like this one.
    pub(crate) fn first(&self, member: i32) -> i32 {
        let place = self.members.iter().position(|other| *other == member);
        let first = place.and_then(|place| self.first_like.get(place));
        let first = first.and_then(|first| self.members.get(usize::from(*first)));
        first.copied().unwrap_or(member)
    }

    /// Returns the selection of as many members of each kind that is listed.
    pub(crate) fn firsts_of(&self, chosen: &[i32]) -> SmallVec<[i32; 8]> {
        let mut left: SmallVec<[i32; 8]> =
            chosen.iter().map(|member| self.first(*member)).collect();
        let mut listed = SmallVec::new();
        for member in &self.members {
            let first = self.first(*member);
            if let Some(at) = left.iter().position(|other| *other == first) {
                left.swap_remove(at);
                listed.push(*member);
            }
        }
        listed
    }
}
