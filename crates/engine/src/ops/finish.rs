//! The end of the game.

use smallvec::SmallVec;

use crate::GameOutcome;
use crate::eval::Scratch;
use crate::event::Event;
use crate::fault::Halt;
use crate::machine::{Machine, NextAction};
use crate::ops::showing::seats_of;
use crate::outcome::Ranked;
use wyrmgate_program::{ExprId, RankedFinish, SEATS_MAX, SetId};

pub fn ranked(m: &mut Machine, how: RankedFinish) -> Result<NextAction, Halt> {
    let mut outcome = m.scratch.spare.take().unwrap_or_default();
    for (seat, row) in rows_by_seat(&mut outcome, m.state.layout.seats) {
        note_keys(m, i32::from(seat), how.keys, how.count, &mut row.keys)?;
    }
    rank(&mut outcome, how.ties_drawn);
    finish(m, outcome)
}

/// Returns a row for each seat, reusing memory, including the lists of keys: nothing is allocated once it is warm. The
/// caller fills in the keys.
pub fn rows_by_seat(
    outcome: &mut GameOutcome,
    seats: usize,
) -> impl Iterator<Item = (u8, &mut Ranked)> {
    let rows = &mut outcome.ranking;
    rows.resize_with(seats, || unkeyed(0, 0));
    (0..).zip(rows).map(|(seat, row)| {
        row.seat = seat;
        (seat, row)
    })
}

/// Ranks the seats, and determines the winners, by the keys of the rows.
pub fn rank(outcome: &mut GameOutcome, ties_drawn: bool) {
    let rows = &mut outcome.ranking;
    rows.sort_by(|one, other| other.keys.cmp(&one.keys));
    place(rows);
    outcome.winners.clear();
    let first = rows.iter().filter(|row| row.place == 1);
    outcome.winners.extend(first.map(|row| row.seat));
    outcome.drawn = ties_drawn && outcome.winners.len() > 1;
    if outcome.drawn {
        outcome.winners.clear();
    }
}

/// Returns an outcome that says nothing, in memory that is there.
fn blank(scratch: &mut Scratch) -> Box<GameOutcome> {
    let mut outcome = scratch.spare.take().unwrap_or_default();
    outcome.winners.clear();
    outcome.ranking.clear();
    outcome.drawn = false;
    outcome
}

fn note_keys(
    m: &mut Machine,
    seat: i32,
    keys: ExprId,
    count: u16,
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

/// Seats with equal keys share a place, and the next place is skipped accordingly.
fn place(ranking: &mut [Ranked]) {
    for at in 0..ranking.len() {
        let (above, rest) = ranking.split_at_mut(at);
        let Some(row) = rest.first_mut() else {
            break;
        };
        row.place = match above.last() {
            // Keys are few: no call is worth its while.
            Some(above) if above.keys.iter().eq(&row.keys) => above.place,
            _ => at as u8 + 1,
        };
    }
}

pub fn won_by(m: &mut Machine, seats: SetId) -> Result<NextAction, Halt> {
    let mask = seats_of(m, seats)?;
    let outcome = won_by_seats(m.scratch, mask, m.state.layout.seats);
    finish(m, outcome)
}

/// Returns the outcome in which the seats whose bits are set have won; nobody if none is set.
pub fn won_by_seats(scratch: &mut Scratch, mask: i32, seats: usize) -> Box<GameOutcome> {
    let winners = seats_in(mask, seats);
    let losers = seats_in(!mask, seats);
    let lower = winners.len() as u8 + 1;
    let mut outcome = blank(scratch);
    let best = winners.iter().map(|seat| unkeyed(*seat, 1));
    let others = losers.iter().map(|seat| unkeyed(*seat, lower));
    outcome.ranking.extend(best.chain(others));
    outcome.drawn = winners.is_empty();
    outcome.winners.extend_from_slice(&winners);
    outcome
}

/// Returns the seats whose bits are set.
fn seats_in(mask: i32, seats: usize) -> SmallVec<[u8; SEATS_MAX]> {
    let all = 0..seats as u8;
    all.filter(|seat| mask >> seat & 1 != 0).collect()
}

fn unkeyed(seat: u8, place: u8) -> Ranked {
    Ranked {
        seat,
        place,
        keys: Vec::new(),
    }
}

pub fn drawn(m: &mut Machine) -> Result<NextAction, Halt> {
    let outcome = all_drawn(m.scratch, m.state.layout.seats);
    finish(m, outcome)
}

/// Returns the outcome of a game that nobody wins.
pub fn all_drawn(scratch: &mut Scratch, seats: usize) -> Box<GameOutcome> {
    let seats = 0..seats as u8;
    let mut outcome = blank(scratch);
    outcome.ranking.extend(seats.map(|seat| unkeyed(seat, 1)));
    outcome.drawn = true;
    outcome
}

fn finish(m: &mut Machine, outcome: Box<GameOutcome>) -> Result<NextAction, Halt> {
    m.emit(|_| Event::Finished(GameOutcome::clone(&outcome)))?;
    m.state.finish(outcome);
    Ok(NextAction::Rest)
}
