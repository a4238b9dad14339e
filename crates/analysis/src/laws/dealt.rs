//! A component that is taken from a hidden pile must lie there by chance. If nobody has shuffled the pile, everybody who has
//! read the rules knows which component is taken, and which comes next.
//!
//! A game is followed from its beginning: a component whose zone was never shuffled is where the rules have put it. It may stay
//! there (some piles are shuffled only after a first question), but it must not get from there into anybody's hand or sight.
//! Piles of components that all look the same do not matter. A component chosen at random from a zone whose places nobody can see
//! is unknown to everybody.

use super::JUDGE;
use super::found::LawFinding;
use wyrmgate_engine::{
    At, Collect, Event, Observer, Seeded, State, hidden_order, pending, start, step_legal,
};
use wyrmgate_program::{BOX, Program, See, ZoneId};
use wyrmgate_search::bot::RandomBot;

/// Moves that are followed.
const STEPS: usize = 60;

/// Operations and events, in their order.
#[derive(Default)]
struct DealtCourse {
    events: Collect,
    operations: Vec<(usize, u32)>,
}

impl Observer for DealtCourse {
    fn event(&mut self, event: Event) {
        self.events.event(event);
    }

    fn operation(&mut self, at: At<'_>) {
        self.operations.push((self.events.0.len(), at.address));
    }
}

pub(super) fn check(program: &Program, seed: [u8; 32]) -> Result<(), LawFinding> {
    let mut course = DealtCourse::default();
    let mut state = start(program, seed, &mut Seeded, &mut course)?;
    let mut in_order = vec![true; program.components.len()];
    let mut bot = RandomBot::for_game(&seed);
    let mut hidden = hidden_at_first(program);
    for step in 0..STEPS {
        follow(program, &course, &mut in_order, &hidden, step > 0)?;
        hidden = hidden_zones(program, &state);
        course = DealtCourse::default();
        let owed = pending(program, &state);
        let Some(owed) = owed.first() else {
            return Ok(());
        };
        let Some(choice) = bot.choose(program, &state, owed)? else {
            return Ok(());
        };
        let (index, chance) = (owed.index, &mut Seeded);
        step_legal(program, &mut state, index, &choice, chance, &mut course)?;
    }
    Ok(())
}

/// Reports components that are taken in the order of the rules. A component that lay open when somebody chose a move
/// (`is_chosen`) lies where play has put it, no longer where the rules did.
fn follow(
    program: &Program,
    course: &DealtCourse,
    in_order: &mut [bool],
    hidden: &[bool],
    is_chosen: bool,
) -> Result<(), LawFinding> {
    for (number, event) in course.events.0.iter().enumerate() {
        match event {
            Event::Shuffled { order, .. } | Event::ShuffledInside { order, .. } => {
                for component in order {
                    if let Some(lies) = in_order.get_mut(usize::from(*component)) {
                        *lies = false;
                    }
                }
            }
            Event::Moved { what, to, .. } => {
                let (Some(component), Some((zone, _))) =
                    (what.component_for(JUDGE), what.place_for(JUDGE))
                else {
                    continue;
                };
                let was_hidden = hidden.get(usize::from(zone)) == Some(&true);
                let lies = in_order.get_mut(usize::from(component));
                let Some(lies) = lies.filter(|lies| **lies) else {
                    continue;
                };
                if !was_hidden {
                    *lies = !is_chosen;
                    continue;
                }
                if is_held_or_open(program, *to) {
                    return Err(taken(program, course, number, zone));
                }
                // From here on it is followed no more.
                *lies = *to != BOX;
            }
            _ => {}
        }
    }
    Ok(())
}

fn taken(program: &Program, course: &DealtCourse, number: usize, zone: ZoneId) -> LawFinding {
    let zone = program.zone_names().nth(usize::from(zone)).unwrap_or("");
    let before = course.operations.iter().rev();
    let mut before = before.filter(|(events, _)| *events <= number);
    let address = before.next().map(|(_, address)| *address as usize);
    LawFinding {
        span: address.and_then(|at| program.code.spans.get(at)).copied(),
        cause: Some(zone.to_owned()),
        ..format!(
            "the hidden components of `{zone}` are in the order of the rules when one is taken: shuffle the zone first"
        )
        .into()
    }
}

/// Returns for each zone, before the first event, whether its places are public, its components are hidden, and the
/// components differ.
fn hidden_at_first(program: &Program) -> Vec<bool> {
    let mut zones: Vec<Vec<i32>> = vec![Vec::new(); program.zones.len()];
    for (component, info) in program.components.iter().enumerate() {
        if let Some(zone) = zones.get_mut(usize::from(info.starts_in)) {
            zone.push(component as i32);
        }
    }
    let zones = program.zones.iter().zip(zones);
    zones
        .map(|(info, lying)| info.see == See::Count && differ(program, &lying))
        .collect()
}

fn is_held_or_open(program: &Program, zone: ZoneId) -> bool {
    let see = program.zones.get(usize::from(zone)).map(|zone| zone.see);
    zone != BOX && see.is_some_and(|see| !matches!(see, See::Count | See::Nothing))
}

/// Returns for each zone whether some seat does not know the places of its components, and they differ.
fn hidden_zones(program: &Program, state: &State) -> Vec<bool> {
    let zones = 0..program.zones.len() as ZoneId;
    zones
        .map(|zone| {
            let mut seats = 0..program.seats as u8;
            seats.any(|seat| differ(program, &hidden_order(program, state, seat, zone)))
        })
        .collect()
}

/// Returns whether two of them differ.
fn differ(program: &Program, order: &[i32]) -> bool {
    let info = |component: &i32| program.component(*component);
    let are_same = |one: &i32, two: &i32| match (info(one), info(two)) {
        (Some(one), Some(two)) => one.kind == two.kind && one.naming.has_keys_of(&two.naming),
        _ => false,
    };
    let mut pairs = order.windows(2);
    pairs.any(|pair| matches!(pair, [one, two] if !are_same(one, two)))
}
