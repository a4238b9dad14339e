//! The end of a game: code computes the numbers that rank the seats, and a helper determines the winners.

use cranelift_codegen::ir::{InstBuilder, types};

use crate::memory::context::{Context, GIVE_UP, OVER};
use crate::memory::lent::parts_of;
use crate::translator::emit::{Translator, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_engine::eval::Scratch;
use wyrmgate_engine::ops::finish::{all_drawn, rank, rows_by_seat, won_by_seats};
use wyrmgate_engine::outcome::GameOutcome;
use wyrmgate_engine::state::State;
use wyrmgate_program::{RankedFinish, SetId};

/// The maximum number of keys of all seats together; the interpreter handles more.
const KEYS_MAX: usize = 32;

impl Translator<'_> {
    pub fn finish_ranked(&mut self, how: RankedFinish) -> Option<()> {
        let (seats, each) = (self.layout.seats, usize::from(how.count));
        if seats * each > KEYS_MAX {
            return None;
        }
        let number = self.open_buffer();
        let first = self.buffer_at(number);
        for seat in 0..seats {
            for key in 0..each {
                self.known.temps.clear();
                self.set_temp(0, ScalarValue::Known(seat as i32));
                let key_of = self.word_of(how.keys.checked_add(key as u32)?);
                self.store(key_of, first, offset(seat * each + key));
            }
        }
        self.close_buffer();
        self.counts.new_events += 1;
        let count = self.int(i32::from(how.count));
        let ties_drawn = self.int(i32::from(how.ties_drawn));
        let helper = end_ranked as *const u8;
        let over = self.call_helper(helper, &[first, count, ties_drawn], Some(types::I32))?;
        self.leave_with(over);
        Some(())
    }

    pub fn finish_won_by(&mut self, seats: SetId) -> Option<()> {
        if !self.can_walk(seats) {
            return None;
        }
        let winners = self.seats_of(seats);
        let winners = self.b.ins().ireduce(types::I32, winners);
        self.counts.new_events += 1;
        let over = self.call_helper(end_won_by as *const u8, &[winners], Some(types::I32))?;
        self.leave_with(over);
        Some(())
    }

    pub fn finish_drawn(&mut self) -> Option<()> {
        self.counts.new_events += 1;
        let over = self.call_helper(end_drawn as *const u8, &[], Some(types::I32))?;
        self.leave_with(over);
        Some(())
    }
}

/// Ends the game with the seats ranked by their keys: those of the first seat, then of the next.
unsafe extern "C" fn end_ranked(
    context: *mut Context,
    keys: *const i32,
    count: u32,
    ties_drawn: u32,
) -> i32 {
    end(context, |state, scratch| {
        let (seats, count) = (state.layout.seats, count as usize);
        // SAFETY: «room for members»: code has stored this many keys for each seat in a buffer.
        let keys = unsafe { std::slice::from_raw_parts(keys, seats * count) };
        let mut outcome = scratch.spare.take().unwrap_or_default();
        for (seat, row) in rows_by_seat(&mut outcome, seats) {
            let first = usize::from(seat) * count;
            row.keys.clear();
            let keys = keys.get(first..first + count).unwrap_or_default();
            row.keys.extend_from_slice(keys);
        }
        rank(&mut outcome, ties_drawn != 0);
        outcome
    })
}

/// Ends the game with these winners, as bits.
unsafe extern "C" fn end_won_by(context: *mut Context, winners: i32) -> i32 {
    end(context, |state, scratch| {
        won_by_seats(scratch, winners, state.layout.seats)
    })
}

/// Ends the game as a draw.
unsafe extern "C" fn end_drawn(context: *mut Context) -> i32 {
    end(context, |state, scratch| {
        all_drawn(scratch, state.layout.seats)
    })
}

fn end(
    context: *mut Context,
    outcome: impl FnOnce(&State, &mut Scratch) -> Box<GameOutcome>,
) -> i32 {
    let (_, lent) = parts_of(context);
    match lent.game() {
        Some((_, state, scratch)) => {
            let outcome = outcome(state, scratch);
            state.finish(outcome);
            OVER
        }
        None => GIVE_UP,
    }
}
