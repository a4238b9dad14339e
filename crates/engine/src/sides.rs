//! Who plays together.

use crate::choices;
use crate::owed::has_resigned;
use crate::state::State;
use wyrmgate_program::Program;

/// Returns the sides of a game: the seats, from 0, that play together, as the rules say by a query `team(seat p)`.
pub fn sides(program: &Program) -> Vec<Vec<u8>> {
    let seats = 0..program.seats as u8;
    let mut sides: Vec<Vec<u8>> = Vec::new();
    for seat in seats.clone() {
        if !sides.iter().any(|side| side.contains(&seat)) {
            let team = team_of(program, seat).unwrap_or_default();
            sides.push(
                seats
                    .clone()
                    .filter(|other| *other == seat || team.contains(&i32::from(*other)))
                    .collect(),
            );
        }
    }
    sides
}

/// Returns the sides with a seat that has not resigned, as far as the rules say what follows.
pub fn sides_left(program: &Program, state: &State) -> Vec<Vec<u8>> {
    let mut sides = sides(program);
    sides.retain(|side| side.iter().any(|seat| !has_resigned(program, state, *seat)));
    sides
}

fn team_of(program: &Program, seat: u8) -> Option<Vec<i32>> {
    let query = program.code.team?;
    let state = State::new(program, [0; 32]);
    let team = choices::look(program, &state, |eval| {
        eval.list_of_query(query, seat.into())
    });
    Some(team.ok()?.to_vec())
}
