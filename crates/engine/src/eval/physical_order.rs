//! Components in physical order: by zone, then by place.

use smallvec::SmallVec;

use super::Eval;
use super::set::{Each, Walk};
use crate::state::State;
use wyrmgate_program::SetId;

/// The number of components up to which places are looked up individually; for more, their zones are walked.
const FEW: usize = 3;

/// The number of components that have a bit. If a list contains a higher one, places are looked up individually.
const BITS: usize = 8 * u64::BITS as usize;

impl<'a> Eval<'a> {
    pub(super) fn each_in_physical_order(&mut self, of: SetId, visit: Each<'_, 'a>) -> Walk {
        let mut members = self.gather(of)?;
        in_physical_order(self.state, &mut members);
        members
            .into_iter()
            .try_for_each(|member| visit(self, member))
    }
}

/// Puts components into the order in which they lie.
pub fn in_physical_order(state: &State, members: &mut [i32]) {
    if members.len() < 2 {
        return;
    }
    if members.len() <= FEW || by_zone(state, members).is_none() {
        by_place(state, members);
    }
}

fn by_place(state: &State, members: &mut [i32]) {
    let placed = members
        .iter()
        .map(|&member| (state.zone_of(member), state.place_of(member), member));
    let mut placed: SmallVec<[(i32, i32, i32); 32]> = placed.collect();
    placed.sort_unstable();
    for (place, (.., member)) in members.iter_mut().zip(placed) {
        *place = member;
    }
}

/// Orders components by walking their zones; `None` if one of them occurs twice, lies nowhere or has no bit.
fn by_zone(state: &State, members: &mut [i32]) -> Option<()> {
    let mut wanted = [0u64; BITS / u64::BITS as usize];
    let mut zones: SmallVec<[i32; 32]> = SmallVec::new();
    for &member in members.iter() {
        let (word, bit) = bit_of(member);
        let word = wanted.get_mut(word)?;
        let zone = state.zone_of(member);
        if zone < 0 || *word & bit != 0 {
            return None;
        }
        *word |= bit;
        if zones.last() != Some(&zone) && !zones.contains(&zone) {
            zones.push(zone);
        }
    }
    zones.sort_unstable();
    let lying = zones.iter().flat_map(|zone| state.members(*zone));
    let is_wanted = |component: &i32| {
        let (word, bit) = bit_of(*component);
        wanted.get(word).is_some_and(|word| word & bit != 0)
    };
    for (place, component) in members.iter_mut().zip(lying.filter(is_wanted)) {
        *place = component;
    }
    Some(())
}

fn bit_of(component: i32) -> (usize, u64) {
    let component = component as u32;
    (
        (component / u64::BITS) as usize,
        1 << (component % u64::BITS),
    )
}
