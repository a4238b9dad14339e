//! The order of components among which are some that the deciding seat cannot identify.

use std::cell::Cell;

use smallvec::SmallVec;

use crate::eval::in_physical_order;
use crate::see::sees;
use crate::state::State;
use wyrmgate_program::Program;

/// Puts the components that a seat cannot identify behind the others, in physical order, because their numbers would
/// reveal what they are. The others keep their order.
pub fn hidden_last(program: &Program, state: &State, seat: u8, members: &mut [i32]) {
    let mut hidden: SmallVec<[i32; 32]> = SmallVec::new();
    let cells = Cell::from_mut(members).as_slice_of_cells();
    let mut places = cells.iter();
    for member in cells {
        if !sees(program, state, seat, member.get()) {
            hidden.push(member.get());
        } else if let Some(place) = places.next() {
            place.set(member.get());
        }
    }
    in_physical_order(state, &mut hidden);
    for (place, component) in places.zip(hidden) {
        place.set(component);
    }
}
