//! Shuffles.

use crate::memory::context::Context;
use crate::memory::lent::with_game;
use wyrmgate_engine::layout::header;
use wyrmgate_engine::rng::{Label, Rng};

/// Shuffles the components of a zone, as the interpreter does; all of them fit into a buffer.
pub(crate) unsafe extern "C" fn shuffle(context: *mut Context, zone: i32) {
    with_game(context, |context, _, state| {
        if !state.is_zone(zone) {
            return;
        }
        let count = state.zone_count(zone).max(0);
        context.remaining.fuel -= i64::from(count);
        let Some(order) = context.buffer(0, count as usize) else {
            context.rest.failed = 1;
            return;
        };
        let draws = state.draws_made();
        state.set_head(header::DRAWS, draws.wrapping_add(1) as i32);
        let places = order.iter_mut().zip(state.members(zone));
        places.for_each(|(place, component)| *place = component);
        mix(order, Rng::new(state.seed, Label::Shuffle, draws));
        state.lay_shuffled(zone, order);
    });
}

/// Exchanges each member, from the last to the first, with a random one at or before its place.
fn mix(order: &mut [i32], mut numbers: Rng) {
    for last in (1..order.len()).rev() {
        let other = numbers.below(last as u32 + 1) as usize;
        order.swap(last, other.min(last));
    }
}
