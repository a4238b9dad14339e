//! The end of the game.

use smallvec::SmallVec;

use crate::GameOutcome;
use crate::eval::Scratch;
use crate::event::Event;
use crate::fault::Halt;
use crate::machine::{Machine, NextAction};
use crate::ops::showing::seats_of;
use crate::outcome::Ranked;
use wyrmgate_program::{RankedFinish, SEATS_MAX, SetId};

pub fn ranked(m: &mut Machine, how: RankedFinish) -> Result<NextAction, Halt> {
    // Nothing is allocated once the memory of the last outcome is warm.
    let mut outcome = m.scratch.spare.take().unwrap_or_default();
    let rows = &mut outcome.ranking;
    rows.resize_with(m.state.layout.seats, || unkeyed(0, 0));
    for (seat, row) in (0..).zip(rows) {
        row.seat = seat;
        note_keys(m, how, row)?;
    }
    rank(&mut outcome, how.ties_drawn);
    finish(m, outcome)
}

/// Ranks the seats, and determines the winners, by the keys of the rows.
fn rank(outcome: &mut GameOutcome, ties_drawn: bool) {
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

fn note_keys(m: &mut Machine, how: RankedFinish, row: &mut Ranked) -> Result<(), Halt> {
    row.keys.clear();
    let mut eval = m.eval();
    for key in 0..u32::from(how.count) {
        eval.set_temp(0, row.seat.into());
        row.keys.push(eval.value(how.keys.saturating_add(key))?);
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
    let seats = m.state.layout.seats;
    let winners = seats_in(mask, seats);
    let losers = seats_in(!mask, seats);
    let lower = winners.len() as u8 + 1;
    let mut outcome = blank(m.scratch);
    let best = winners.iter().map(|seat| unkeyed(*seat, 1));
    let others = losers.iter().map(|seat| unkeyed(*seat, lower));
    outcome.ranking.extend(best.chain(others));
    outcome.drawn = winners.is_empty();
    outcome.winners.extend_from_slice(&winners);
    finish(m, outcome)
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
    let seats = 0..m.state.layout.seats as u8;
    let mut outcome = blank(m.scratch);
    outcome.ranking.extend(seats.map(|seat| unkeyed(seat, 1)));
    outcome.drawn = true;
    finish(m, outcome)
}

fn finish(m: &mut Machine, mut outcome: Box<GameOutcome>) -> Result<NextAction, Halt> {
    outcome.reason = m.reason;
    m.emit(|_| Event::Finished(GameOutcome::clone(&outcome)))?;
    m.state.finish(outcome);
    Ok(NextAction::Rest)
}
