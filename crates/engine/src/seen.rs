//! Components and values as events contain them: complete, with a note of who may know what.

use serde::{Deserialize, Serialize};

use crate::viewer::{EVERYBODY, Viewer, Viewers};
use wyrmgate_program::{ComponentId, ZoneId};

/// The number of bits in a set of viewers.
const VIEWERS_BITS: u32 = 9;
const VIEWERS_MASK: u32 = (1 << VIEWERS_BITS) - 1;

/// Who may know what about something in an event. There are three questions, because the answers differ: the owner of a
/// card knows where in the hand it was; those who see it played know only that it came from the hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct EventSight {
    /// Who may know which component it is, or that there was anything at all.
    pub by: Viewers,
    /// Who may know its place in the zone.
    pub placed: Viewers,
    /// Who may know the zone, if it is inside a component; the name of any other zone is public.
    pub located: Viewers,
}

/// Encoded as one number, the first question lowest. Entries of logs that contain only the first question are read as
/// written, and reveal nothing about the others.
impl From<EventSight> for u32 {
    fn from(sight: EventSight) -> u32 {
        let EventSight {
            by,
            placed,
            located,
        } = sight;
        u32::from(by) | u32::from(placed) << VIEWERS_BITS | u32::from(located) << (2 * VIEWERS_BITS)
    }
}

impl From<u32> for EventSight {
    fn from(packed: u32) -> EventSight {
        let viewers = |number: u32| (packed >> (number * VIEWERS_BITS) & VIEWERS_MASK) as Viewers;
        EventSight {
            by: viewers(0),
            placed: viewers(1),
            located: viewers(2),
        }
    }
}

/// A component in an event: where it lay when the event began, and who may know what of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenComponent {
    pub component: ComponentId,
    pub sight: EventSight,
    pub zone: ZoneId,
    /// From 1, in `zone`.
    pub place: i32,
}

/// A component in an event, independent of the viewer: see [`SeenComponent::whole`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    pub component: ComponentId,
    pub zone: ZoneId,
    /// From 1, in `zone`.
    pub place: i32,
}

/// Outside the engine, nobody reads it without stating a viewer.
impl SeenComponent {
    /// Creates a component that these viewers may identify, without its place.
    pub fn known_to(component: ComponentId, by: Viewers) -> SeenComponent {
        SeenComponent {
            component,
            sight: EventSight {
                by,
                ..EventSight::default()
            },
            zone: 0,
            place: 0,
        }
    }

    /// Returns the same component at another place. `sight` says who may know that place; who may identify it stays the
    /// same.
    pub fn moved_to(&self, zone: ZoneId, place: i32, sight: EventSight) -> SeenComponent {
        SeenComponent {
            component: self.component,
            sight: EventSight {
                by: self.sight.by,
                ..sight
            },
            zone,
            place,
        }
    }

    /// Returns the component and its place for any viewer. `clippy.toml` rejects callers that do not state a reason:
    /// the crate `view` calls it in one place, before it decides what a viewer reads.
    pub const fn whole(&self) -> Whole {
        Whole {
            component: self.component,
            zone: self.zone,
            place: self.place,
        }
    }

    /// Returns which component it is.
    pub fn component_for(&self, viewer: Viewer) -> Option<ComponentId> {
        let knows = viewer.is_among(self.sight.by);
        knows.then_some(self.component)
    }

    /// Returns the zone, and the place in it, from 1.
    pub fn place_for(&self, viewer: Viewer) -> Option<(ZoneId, i32)> {
        let knows = viewer.is_among(self.sight.placed);
        knows.then_some((self.zone, self.place))
    }

    /// Returns the same component, which these viewers may identify, too.
    #[must_use]
    pub fn also_known_to(&self, by: Viewers) -> SeenComponent {
        let mut seen = *self;
        seen.sight.by |= by;
        seen
    }

    /// Returns who may know what of it.
    pub fn sight(&self) -> EventSight {
        self.sight
    }
}

/// A value in an event. A value that refers to a component, or to a zone inside one, says who may know that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenValue {
    Plain(i32),
    Component(SeenComponent),
    /// The zone in this component.
    Inside(SeenComponent),
}

/// The value for a hole of a label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelValue {
    pub(crate) values: Vec<SeenValue>,
    /// The viewers that may know it. If it `follows` from the choice, they must also know what was chosen.
    pub(crate) by: Viewers,
    pub(crate) follows: bool,
}

impl LabelValue {
    /// Returns a number that everybody may know.
    pub fn to_everybody(value: i32) -> LabelValue {
        LabelValue {
            values: vec![SeenValue::Plain(value)],
            by: EVERYBODY,
            follows: false,
        }
    }

    /// Returns the values for a viewer, who knows all that was chosen or does not.
    pub fn for_viewer(&self, viewer: Viewer, knows_choice: bool) -> Option<&[SeenValue]> {
        let is_told = viewer.is_among(self.by) && (knows_choice || !self.follows);
        is_told.then_some(&self.values)
    }

    /// Returns the values of a hole that shows the choice itself.
    pub fn as_chosen(&self) -> &[SeenValue] {
        &self.values
    }
}
