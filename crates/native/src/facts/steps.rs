//! The steps along lines of bounded grids.

use std::collections::HashMap;

use wyrmgate_program::{Expr, FamilyId, Program, Space, WaySet, ways_of};

/// The lines that a question follows: those of a family that go along some ways.
type Along = (FamilyId, WaySet);

/// By the lines: the next space of each space, one direction after the other, each way followed by its opposite.
pub(crate) type Steps = HashMap<Along, Vec<i32>>;

/// Returns the steps along all lines that the program follows.
pub(crate) fn steps(program: &Program) -> Steps {
    let followed = program.exprs.iter().filter_map(|expr| match *expr {
        Expr::InARow(line) => Some((line.family, line.ways)),
        _ => None,
    });
    let mut steps = Steps::new();
    for along in followed {
        if !steps.contains_key(&along)
            && let Some(found) = steps_of(program, along)
        {
            steps.insert(along, found);
        }
    }
    steps
}

fn steps_of(program: &Program, (number, ways): Along) -> Option<Vec<i32>> {
    let family = program.family(number)?;
    let first = i32::from(family.first);
    let zones = first..first + i32::from(family.count);
    let spaces = zones.map(|zone| Space::of(program, number, zone));
    let spaces: Vec<Space<'_>> = spaces.collect::<Option<_>>()?;
    let both = |way: (i32, i32)| [way, (-way.0, -way.1)];
    let directions = ways_of(ways).flat_map(both);
    let steps = directions.flat_map(|way| spaces.iter().map(move |space| space.step(way, 1)));
    Some(steps.collect())
}
