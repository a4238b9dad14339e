//! Who sees the contents of each zone, as far as that is known before the game.

use wyrmgate_engine::see::{ABOUT, VIEWER};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::{ExprId, Program, SEATS_MAX, See};

/// Bit of the word of a zone: everybody sees face-up components.
pub(crate) const OPEN: usize = SEATS_MAX;

/// The first bit for the seats that see face-up components.
pub(crate) const OPEN_TO: usize = OPEN + 1;

/// The first bit of one more than the place of the condition in [`Sights::by_state`]; 0 for zones without one.
pub(crate) const BY_STATE: usize = OPEN_TO + SEATS_MAX;

/// The maximum number of conditions on the state; the interpreter evaluates the others.
const BY_STATE_MAX: usize = 16;

/// The seats that see the contents of each zone.
pub(crate) struct Sights {
    /// A word for each zone, at least one: the seats that see all its contents, whether everybody sees face-up
    /// components, the seats that see them by a condition that does not depend on the state, and the number of its
    /// condition on the state.
    pub of_zones: Vec<i32>,
    /// Conditions on the state by which face-up components are seen.
    pub by_state: Vec<ExprId>,
    /// Whether every seat sees the contents of every zone.
    pub is_open: bool,
}

impl Sights {
    pub fn of(program: &Program) -> Sights {
        let mut by_state = Vec::new();
        let mut of_zones = Vec::new();
        // Seats that see what lies face up, if nothing lies face down, see everything.
        let turns_down = program.code.ops.iter().any(|op| op.turns_down());
        let everything = |seats: i32| if turns_down { 0 } else { seats };
        let all_seats = (1 << OPEN) - 1;
        for (zone, number) in program.zones.iter().zip(0..) {
            of_zones.push(match (zone.inside, zone.see, zone.owner) {
                (None, See::All, _) => 1 << OPEN | everything(all_seats),
                (None, See::Owner, Some(owner)) => 1 << owner,
                (None, See::If(condition), _) => match seats_by(program, condition, number) {
                    Some(seats) => seats << OPEN_TO | everything(seats),
                    None => {
                        let number = number_of(&mut by_state, condition);
                        number.map_or(0, |number| (1 + number) << BY_STATE) as i32
                    }
                },
                _ => 0,
            });
        }
        let is_open = of_zones.iter().all(|seats| seats & all_seats == all_seats);
        of_zones.push(0);
        Sights {
            of_zones,
            by_state,
            is_open,
        }
    }
}

/// Returns the number of a condition, which is added unless there are too many.
fn number_of(conditions: &mut Vec<ExprId>, condition: ExprId) -> Option<usize> {
    let known = conditions.iter().position(|known| *known == condition);
    known.or_else(|| {
        let number = conditions.len();
        (number < BY_STATE_MAX).then(|| {
            conditions.push(condition);
            number
        })
    })
}

/// Returns the seats that fulfill the condition of a zone, one bit each; `None` if it depends on the state.
fn seats_by(program: &Program, condition: ExprId, zone: i32) -> Option<i32> {
    (0..program.seats).try_fold(0, |seats, seat| {
        let mut known = Known::of(VIEWER, seat as i32).and(ABOUT, zone);
        let sees = pure::truth(program, condition, &mut known)?;
        Some(seats | i32::from(sees) << seat)
    })
}
