//! Events as the engine emits them: complete, with a note of who may know what.

use serde::{Deserialize, Serialize};

use crate::{LabelValue, Outcome, State, Viewer};
use wyrmgate_program::{Address, ClauseId, ComponentId, SiteId, TextId, VarId, ZoneId};

/// A set of viewers: bit s is seat s, bit 8 the public.
pub type Viewers = u16;

/// The number of bits in a set of viewers.
const VIEWERS_BITS: u32 = 9;
const VIEWERS_MASK: u32 = (1 << VIEWERS_BITS) - 1;

/// Who may know what about something in an event. There are three questions, because the answers differ: the owner of a
/// card knows where in the hand it was; those who see it played know only that it came from the hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct Sight {
    /// Who may know which component it is, or that there was anything at all.
    pub by: Viewers,
    /// Who may know its place in the zone.
    pub placed: Viewers,
    /// Who may know the zone, if it is inside a component; the name of any other zone is public.
    pub located: Viewers,
}

/// Encoded as one number, the first question lowest. Entries of logs that contain only the first question are read as
/// written, and reveal nothing about the others.
impl From<Sight> for u32 {
    fn from(sight: Sight) -> u32 {
        let Sight {
            by,
            placed,
            located,
        } = sight;
        u32::from(by) | u32::from(placed) << VIEWERS_BITS | u32::from(located) << (2 * VIEWERS_BITS)
    }
}

impl From<u32> for Sight {
    fn from(packed: u32) -> Sight {
        let viewers = |number: u32| (packed >> (number * VIEWERS_BITS) & VIEWERS_MASK) as Viewers;
        Sight {
            by: viewers(0),
            placed: viewers(1),
            located: viewers(2),
        }
    }
}

/// A component in an event: where it lay when the event began, and who may know what of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    pub component: ComponentId,
    pub sight: Sight,
    pub zone: ZoneId,
    /// From 1, in `zone`.
    pub place: i32,
}

/// A component in an event, independent of the viewer: see [`Seen::whole`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    pub component: ComponentId,
    pub zone: ZoneId,
    /// From 1, in `zone`.
    pub place: i32,
}

/// Outside the engine, nobody reads it without stating a viewer.
impl Seen {
    /// Creates a component that these viewers may identify, without its place.
    pub fn known_to(component: ComponentId, by: Viewers) -> Seen {
        Seen {
            component,
            sight: Sight {
                by,
                ..Sight::default()
            },
            zone: 0,
            place: 0,
        }
    }

    /// Returns the same component at another place. `sight` says who may know that place; who may identify it stays the
    /// same.
    pub fn moved_to(&self, zone: ZoneId, place: i32, sight: Sight) -> Seen {
        Seen {
            component: self.component,
            sight: Sight {
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
    pub fn also_known_to(&self, by: Viewers) -> Seen {
        let mut seen = *self;
        seen.sight.by |= by;
        seen
    }

    /// Returns who may know what of it.
    pub fn sight(&self) -> Sight {
        self.sight
    }
}

/// A value in an event. A value that refers to a component, or to a zone inside one, says who may know that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenValue {
    Plain(i32),
    Component(Seen),
    /// The zone in this component.
    Inside(Seen),
}

/// The target of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A variable; `index` counts its words from 0.
    Var { var: VarId, index: u32 },
    /// A changing field of a component: its index among the fields of its kind.
    Field { what: Seen, field: u16 },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    GameBegan,
    RoundBegan {
        round: i32,
    },
    RoundEnded {
        round: i32,
    },
    TurnBegan {
        seat: i32,
        turn: i32,
    },
    TurnEnded {
        seat: i32,
        turn: i32,
    },
    PhaseBegan {
        phase: i32,
    },
    PhaseEnded {
        phase: i32,
    },
    Moved {
        /// `zone` and `place` are the origin.
        what: Seen,
        to: ZoneId,
        place: i32,
        face_down: bool,
        /// The cell and the quarter turns on an open grid.
        cell: Option<(i32, i32)>,
        /// Viewers who notice the move and may know where the component lies now.
        noticed: Sight,
    },
    Shuffled {
        zone: ZoneId,
        /// The new order, first to last: for records, never seen in play.
        order: Vec<ComponentId>,
    },
    Rolled {
        /// Dice and what they show.
        dice: Vec<(Seen, i32)>,
    },
    Turned {
        what: Seen,
        face_down: bool,
    },
    Shown {
        what: Vec<Seen>,
        to: Viewers,
    },
    Scored {
        seat: i32,
        by: i32,
        total: i32,
    },
    /// A seat has decided. Values are numbers of the site's types.
    Chose {
        seat: u8,
        site: SiteId,
        option: u16,
        args: Vec<Vec<SeenValue>>,
        /// Whether this is an answer in a simultaneous decision, which only its own seat receives.
        secret: bool,
        /// The values for the holes of its label. Logs encode it behind the events, because earlier versions do not read it.
        #[serde(skip)]
        label: Vec<LabelValue>,
    },
    /// Chance has decided: for records; in play, only the consequences are visible.
    Drawn {
        site: SiteId,
        option: u16,
        args: Vec<Vec<SeenValue>>,
    },
    Said {
        text: TextId,
        /// The values of each hole, so that it can be read in any language, and names can be withheld from viewers who
        /// may not know them.
        holes: Vec<Vec<SeenValue>>,
        to: Viewers,
    },
    /// A variable got a value. Only in logs of earlier versions, which did not say who may know a component that was
    /// the value; [`Event::Given`] replaced it.
    Set {
        var: VarId,
        index: u32,
        value: i32,
        seen_by: Viewers,
    },
    /// A field of a component got a value. Only in logs of earlier versions; [`Event::Given`] replaced it.
    FieldSet {
        what: Seen,
        field: u16,
        value: i32,
        /// The back of the component could be read.
        shows_back: bool,
    },
    Finished(Outcome),
    // Entries of logs name the events above by their numbers: new ones are added below.
    /// A variable, or a changing field of a component, has a new value.
    Given {
        to: Target,
        value: SeenValue,
        seen_by: Viewers,
    },
    /// A zone in a component was shuffled.
    ShuffledInside {
        holder: Seen,
        order: Vec<ComponentId>,
    },
}

/// Observes a game in play.
pub trait Observer {
    /// Returns whether to describe events, which costs time.
    fn wants_events(&self) -> bool {
        true
    }
    fn event(&mut self, event: Event);
    /// Returns whether nothing that follows matters. The move then ends with a fault, and the state must not be used.
    fn has_enough(&self) -> bool {
        false
    }
    /// Returns whether to report clauses and operations, which costs time.
    fn wants_clauses(&self) -> bool {
        true
    }
    /// Is called before an operation runs.
    fn operation(&mut self, _at: At<'_>) {}
    /// Is called when a statement or condition that implements this clause has run.
    fn clause(&mut self, _clause: ClauseId) {}
    /// Is called at a rest with the fuel of a move that was spent to reach it.
    fn rest(&mut self, _state: &State, _spent: u32) {}
}

/// A moment before an operation runs.
#[derive(Debug, Clone, Copy)]
pub struct At<'s> {
    pub address: Address,
    pub state: &'s State,
    /// Where the frame of the running effect lies on the stack; see [`crate::frame`].
    pub base: usize,
}

/// Ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn wants_events(&self) -> bool {
        false
    }
    fn event(&mut self, _: Event) {}
    fn wants_clauses(&self) -> bool {
        false
    }
}

/// Collects all events.
#[derive(Debug, Clone, Default)]
pub struct Collect(pub Vec<Event>);

impl Observer for Collect {
    fn event(&mut self, event: Event) {
        self.0.push(event);
    }
    fn wants_clauses(&self) -> bool {
        false
    }
}
