//! The end of the game.

use smallvec::SmallVec;

use crate::engine::Outcome;
use crate::engine::event::Event;
use crate::engine::fault::Halt;
use crate::engine::machine::{Machine, Next};
use crate::engine::ops::showing::seats_of;
use crate::engine::outcome::Ranked;
use crate::program::{ExprId, SEATS_MAX, SetId};

/// Seats with their keys.
type Rows = SmallVec<[(u8, Vec<i32>); SEATS_MAX]>;

pub(crate) fn ranked(
    m: &mut Machine,
    keys: ExprId,
    count: u16,
    ties_drawn: bool,
) -> Result<Next, Halt> {
    let mut rows: Rows = Rows::new();
    for seat in 0..m.state.layout.seats {
        rows.push((seat as u8, keys_of(m, seat as i32, keys, count)?));
    }
    rows.sort_by(|(_, one), (_, other)| other.cmp(one));
    let ranking = with_places(rows);
    let first = ranking.iter().filter(|row| row.place == 1);
    let winners: Vec<u8> = first.map(|row| row.seat).collect();
    let drawn = ties_drawn && winners.len() > 1;
    let winners = if drawn { Vec::new() } else { winners };
    finish(
        m,
        Outcome {
            winners,
            drawn,
            ranking,
        },
    )
}

fn keys_of(m: &mut Machine, seat: i32, keys: ExprId, count: u16) -> Result<Vec<i32>, Halt> {
    let mut eval = m.eval();
    let mut values = Vec::with_capacity(usize::from(count));
    for key in 0..u32::from(count) {
        eval.set_temp(0, seat);
        values.push(eval.value(keys.saturating_add(key))?);
    }
    Ok(values)
}

/// Equal keys share a place, and the next place is so much further down.
fn with_places(rows: Rows) -> Vec<Ranked> {
    let mut ranking: Vec<Ranked> = Vec::with_capacity(rows.len());
    for (seat, keys) in rows {
        let place = match ranking.last() {
            Some(above) if above.keys == keys => above.place,
            _ => ranking.len() as u8 + 1,
        };
        ranking.push(Ranked { seat, place, keys });
    }
    ranking
}

pub(crate) fn won_by(m: &mut Machine, seats: SetId) -> Result<Next, Halt> {
    let mask = seats_of(m, seats)?;
    let winners = seats_in(m, mask);
    let mut ranking = Vec::with_capacity(m.state.layout.seats);
    ranking.extend(winners.iter().map(|seat| unkeyed(*seat, 1)));
    let lower = winners.len() as u8 + 1;
    let losers = seats_in(m, !mask);
    ranking.extend(losers.into_iter().map(|seat| unkeyed(seat, lower)));
    let outcome = Outcome {
        drawn: winners.is_empty(),
        winners: winners.to_vec(),
        ranking,
    };
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
    let outcome = Outcome {
        winners: Vec::new(),
        drawn: true,
        ranking: seats.map(|seat| unkeyed(seat, 1)).collect(),
    };
    finish(m, outcome)
}

fn finish(m: &mut Machine, outcome: Outcome) -> Result<Next, Halt> {
    m.tell(|_| Event::Finished(outcome.clone()))?;
    m.state.finish(outcome);
    Ok(Next::Rest)
}
