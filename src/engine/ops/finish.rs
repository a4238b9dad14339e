//! The end of the game.

use smallvec::SmallVec;

use crate::engine::Outcome;
use crate::engine::event::Event;
use crate::engine::fault::Halt;
use crate::engine::machine::{Machine, Next};
use crate::engine::ops::showing::seats_of;
use crate::engine::outcome::Ranked;
use crate::program::{ExprId, SEATS_MAX, SetId};

pub(crate) fn ranked(
    m: &mut Machine,
    keys: ExprId,
    count: u16,
    ties_drawn: bool,
) -> Result<Next, Halt> {
    // In the memory there is, lists of keys too: nothing is allocated once it is warm.
    let mut outcome = m.scratch.spare.take().unwrap_or_default();
    outcome.winners.clear();
    let rows = &mut outcome.ranking;
    rows.resize_with(m.state.layout.seats, || unkeyed(0, 0));
    for (seat, row) in (0..).zip(rows.iter_mut()) {
        row.seat = seat;
        note_keys(m, i32::from(seat), (keys, count), &mut row.keys)?;
    }
    rows.sort_by(|one, other| other.keys.cmp(&one.keys));
    place(rows);
    let first = outcome.ranking.iter().filter(|row| row.place == 1);
    outcome.winners.extend(first.map(|row| row.seat));
    outcome.drawn = ties_drawn && outcome.winners.len() > 1;
    if outcome.drawn {
        outcome.winners.clear();
    }
    finish(m, outcome)
}

/// An outcome that says nothing, in memory that is there.
fn blank(m: &mut Machine) -> Box<Outcome> {
    let mut outcome = m.scratch.spare.take().unwrap_or_default();
    outcome.winners.clear();
    outcome.ranking.clear();
    outcome.drawn = false;
    outcome
}

fn note_keys(
    m: &mut Machine,
    seat: i32,
    (keys, count): (ExprId, u16),
    values: &mut Vec<i32>,
) -> Result<(), Halt> {
    values.clear();
    let mut eval = m.eval();
    for key in 0..u32::from(count) {
        eval.set_temp(0, seat);
        values.push(eval.value(keys.saturating_add(key))?);
    }
    Ok(())
}

/// Equal keys share a place, and the next place is so much further down.
fn place(ranking: &mut [Ranked]) {
    for at in 0..ranking.len() {
        let (above, rest) = ranking.split_at_mut(at);
        let Some(row) = rest.first_mut() else {
            break;
        };
        row.place = match above.last() {
            Some(above) if above.keys == row.keys => above.place,
            _ => at as u8 + 1,
        };
    }
}

pub(crate) fn won_by(m: &mut Machine, seats: SetId) -> Result<Next, Halt> {
    let mask = seats_of(m, seats)?;
    let winners = seats_in(m, mask);
    let losers = seats_in(m, !mask);
    let lower = winners.len() as u8 + 1;
    let mut outcome = blank(m);
    let best = winners.iter().map(|seat| unkeyed(*seat, 1));
    let others = losers.iter().map(|seat| unkeyed(*seat, lower));
    outcome.ranking.extend(best.chain(others));
    outcome.drawn = winners.is_empty();
    outcome.winners.extend_from_slice(&winners);
    finish(m, outcome)
}

/// The seats whose bits are set.
fn seats_in(m: &Machine, mask: i32) -> SmallVec<[u8; SEATS_MAX]> {
    let all = 0..m.state.layout.seats as u8;
    all.filter(|seat| mask >> seat & 1 != 0).collect()
}

fn unkeyed(seat: u8, place: u8) -> Ranked {
    Ranked {
        seat,
        place,
        keys: Vec::new(),
    }
}

pub(crate) fn drawn(m: &mut Machine) -> Result<Next, Halt> {
    let seats = 0..m.state.layout.seats as u8;
    let mut outcome = blank(m);
    outcome.ranking.extend(seats.map(|seat| unkeyed(seat, 1)));
    outcome.drawn = true;
    finish(m, outcome)
}

fn finish(m: &mut Machine, outcome: Box<Outcome>) -> Result<Next, Halt> {
    m.tell(|_| Event::Finished(Outcome::clone(&outcome)))?;
    m.state.finish(outcome);
    Ok(Next::Rest)
}
