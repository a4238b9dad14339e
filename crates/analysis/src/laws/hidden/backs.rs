//! The changing fields on the backs of components: their values during the game and at the time of each shuffle.
//!
//! After a shuffle, two components can have exchanged places if all later events treat both alike. A later write to a back applies
//! to whichever component lies there. A value from before the shuffle stays with its component; where somebody reads it, only
//! components with the same value can lie there.

use wyrmgate_engine::{AssignmentTarget, Event, SeenValue, State};
use wyrmgate_program::{ByNumber, FieldPlace, Program};
use wyrmgate_view::{ChangingBack, changing_back};

use crate::laws::JUDGE;

/// Empty in games whose backs do not change.
#[derive(Debug, Default)]
pub(super) struct Backs {
    /// The backs by component.
    now: Vec<ChangingBack>,
    /// The backs before each shuffle.
    then: Vec<Vec<ChangingBack>>,
}

impl Backs {
    pub fn of(program: &Program, state: &State) -> Backs {
        let changes = program.kinds.iter().flat_map(|kind| &kind.fields);
        let mut changes = changes
            .filter(|field| field.on_back && matches!(field.at, FieldPlace::Changing { .. }));
        if changes.next().is_none() {
            return Backs::default();
        }
        let all = 0..program.components.len() as i32;
        Backs {
            now: all.map(|it| changing_back(program, state, it)).collect(),
            then: Vec::new(),
        }
    }

    /// Follows the events of the whole game.
    pub fn hear(&mut self, program: &Program, event: &Event) {
        if self.now.is_empty() {
            return;
        }
        match event {
            Event::Shuffled { .. } | Event::ShuffledInside { .. } => {
                self.then.push(self.now.clone());
            }
            Event::Given {
                to: AssignmentTarget::Field { what, field },
                value,
                ..
            } => {
                if let Some(component) = what.component_for(JUDGE) {
                    self.write(program, usize::from(component), usize::from(*field), *value);
                }
            }
            Event::Rolled { dice } => {
                for (die, face) in dice {
                    let component = die.component_for(JUDGE).map(usize::from);
                    let field = component.and_then(|die| die_field(program, die));
                    if let (Some(die), Some(field)) = (component, field) {
                        self.write(program, die, field, SeenValue::Plain(*face));
                    }
                }
            }
            _ => {}
        }
    }

    fn write(&mut self, program: &Program, component: usize, field: usize, value: SeenValue) {
        let value = match value {
            SeenValue::Plain(value) => value,
            SeenValue::Component(seen) | SeenValue::Inside(seen) => {
                seen.component_for(JUDGE).map_or(-1, i32::from)
            }
        };
        let place = place_on_back(program, component, field);
        let back = self.now.get_mut(component);
        if let (Some(place), Some(back)) = (place, back)
            && let Some(word) = back.get_mut(place)
        {
            *word = value;
        }
    }

    /// Returns the back of a component at the time of this shuffle; after the last one, its present back.
    pub fn at(&self, shuffle: usize, component: i32) -> ChangingBack {
        let backs = self.then.get(shuffle).unwrap_or(&self.now);
        backs.at(component).cloned().unwrap_or_default()
    }
}

/// Returns the index of a field of a component among the changing fields of its back.
fn place_on_back(program: &Program, component: usize, field: usize) -> Option<usize> {
    let kind = program.components.get(component)?.kind;
    let fields = &program.kind(kind)?.fields;
    let is_on_back = |at: usize| {
        let field = fields.get(at);
        field.is_some_and(|it| it.on_back && matches!(it.at, FieldPlace::Changing { .. }))
    };
    is_on_back(field).then(|| (0..field).filter(|before| is_on_back(*before)).count())
}

fn die_field(program: &Program, component: usize) -> Option<usize> {
    let kind = program.components.get(component)?.kind;
    Some(program.kind(kind)?.die.as_ref()?.field)
}
