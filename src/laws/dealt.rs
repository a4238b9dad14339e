//! What lies hidden lies there by chance. If it has the same order in every game, whoever has read the rules knows what is
//! hidden, and where.

use super::found::Found;
use super::rest::expect;
use crate::engine::{Seeded, Silent, State, hidden_order, start};
use crate::program::{Program, ZoneId};

/// Two cards in the same order so often are no accident.
const OTHERS: u8 = 20;

pub(super) fn check(program: &Program, seed: [u8; 32]) -> Result<(), Found> {
    let here = begun(program, seed)?;
    let orders: Vec<_> = orders(program, &here).collect();
    let mut same: Vec<bool> = orders.iter().map(|order| differ(program, order)).collect();
    for number in 1..=OTHERS {
        if !same.contains(&true) {
            return Ok(());
        }
        let there = begun(program, another(seed, number))?;
        for ((same, here), there) in same
            .iter_mut()
            .zip(&orders)
            .zip(self::orders(program, &there))
        {
            *same &= *here == there;
        }
    }
    let zone = same.iter().position(|same| *same);
    let zone = zone.and_then(|at| program.zones.get(at / program.seats.max(1)));
    expect(zone.is_none(), || {
        let name = zone.map_or("", |zone| zone.name.as_str());
        format!("`{name}` has the same hidden order in every game: shuffle it when the game begins")
    })
}

fn begun(program: &Program, seed: [u8; 32]) -> Result<State, String> {
    start(program, seed, &mut Seeded, &mut Silent).map_err(|fault| fault.to_string())
}

/// Zone by zone, what each seat does not see there, first to last.
fn orders<'a>(program: &'a Program, state: &'a State) -> impl Iterator<Item = Vec<i32>> + 'a {
    let seats = program.seats as u8;
    (0..program.zones.len() as ZoneId)
        .flat_map(move |zone| (0..seats).map(move |seat| hidden_order(program, state, seat, zone)))
}

/// Are there two that are not the same thing twice?
fn differ(program: &Program, order: &[i32]) -> bool {
    let kind_and_title = |component: &i32| {
        let at = usize::try_from(*component).ok()?;
        let info = program.components.get(at)?;
        Some((info.kind, &info.title))
    };
    order
        .windows(2)
        .any(|pair| matches!(pair, [one, two] if kind_and_title(one) != kind_and_title(two)))
}

fn another(mut seed: [u8; 32], number: u8) -> [u8; 32] {
    if let Some(first) = seed.first_mut() {
        *first = first.wrapping_add(number);
    }
    seed
}
