//! The end of the game.

use crate::engine::Outcome;
use crate::engine::eval::Values;
use crate::engine::event::Event;
use crate::engine::fault::Halt;
use crate::engine::machine::{Machine, Next};
use crate::engine::ops::showing::seats_of;
use crate::engine::outcome::Ranked;
use crate::program::{ExprId, SetId};

pub(crate) fn ranked(
    m: &mut Machine,
    keys: ExprId,
    count: u16,
    ties_drawn: bool,
) -> Result<Next, Halt> {
    let mut rows: Vec<(u8, Vec<i32>)> = Vec::new();
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
    let mut values = Vec::new();
    for key in 0..u32::from(count) {
        eval.set_temp(0, seat);
        values.push(eval.value(keys.saturating_add(key))?);
    }
    Ok(values)
}

/// Equal keys share a place, and the next place is so much further down.
fn with_places(rows: Vec<(u8, Vec<i32>)>) -> Vec<Ranked> {
    let mut ranking: Vec<Ranked> = Vec::new();
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
    let all = 0..m.state.layout.seats as u8;
    let (winners, losers): (Values, Values) =
        all.map(i32::from).partition(|seat| mask >> seat & 1 != 0);
    let lower = winners.len() as u8 + 1;
    let row = |seat: &i32, place| Ranked {
        seat: *seat as u8,
        place,
        keys: Vec::new(),
    };
    let ranking = winners
        .iter()
        .map(|seat| row(seat, 1))
        .chain(losers.iter().map(|seat| row(seat, lower)))
        .collect();
    finish(
        m,
        Outcome {
            winners: winners.iter().map(|&seat| seat as u8).collect(),
            drawn: winners.is_empty(),
            ranking,
        },
    )
}

pub(crate) fn drawn(m: &mut Machine) -> Result<Next, Halt> {
    let seats = 0..m.state.layout.seats as u8;
    let row = |seat| Ranked {
        seat,
        place: 1,
        keys: Vec::new(),
    };
    let ranking = seats.map(row).collect();
    finish(
        m,
        Outcome {
            winners: Vec::new(),
            drawn: true,
            ranking,
        },
    )
}

fn finish(m: &mut Machine, outcome: Outcome) -> Result<Next, Halt> {
    m.tell(|_| Event::Finished(outcome.clone()))?;
    m.state.finish(outcome);
    Ok(Next::Rest)
}
