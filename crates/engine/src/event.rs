//! Events as the engine emits them: complete, with a note of who may know what.

use serde::{Deserialize, Serialize};

use crate::{Outcome, Viewer};
use wyrmgate_program::{Address, ClauseId, ComponentId, SiteId, TextId, VarId, ZoneId};

/// A set of viewers: bit s is seat s, bit 8 the public.
pub type Viewers = u16;

/// How many bits a set of viewers takes.
const VIEWERS_BITS: u32 = 9;
const VIEWERS_MASK: u32 = (1 << VIEWERS_BITS) - 1;

/// Who may know what of something in an event. Three questions, because the answers differ: whoever holds a card knows
/// where in the hand it was; those who see it played know only that it came out of the hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct Sight {
    /// Which component it is, or that there was anything at all.
    pub by: Viewers,
    /// At which place of its zone.
    pub placed: Viewers,
    /// In which zone, if that lies in a component; any other zone has a name that all know.
    pub located: Viewers,
}

/// On disk one number, the first question lowest: entries of logs that knew only the first are read as they were written,
/// and tell nobody of the rest.
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
    pub(crate) component: ComponentId,
    pub(crate) sight: Sight,
    pub(crate) zone: ZoneId,
    /// From 1, in `zone`.
    pub(crate) place: i32,
}

/// A component in an event without regard to who looks: see [`Seen::whole`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    pub component: ComponentId,
    pub zone: ZoneId,
    /// From 1, in `zone`.
    pub place: i32,
}

/// Beyond the engine nobody reads it without saying who looks.
impl Seen {
    /// A component that these viewers may identify. Its place is not noted.
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

    /// The same component at another place. `sight` says who may know of that place; who may identify it stays the same.
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

    /// The component and its place, whoever looks. `clippy.toml` refuses it to callers that do not state the reason: the
    /// crate `view` asks in one place, before it decides what a viewer reads.
    pub const fn whole(&self) -> Whole {
        Whole {
            component: self.component,
            zone: self.zone,
            place: self.place,
        }
    }

    /// Which component it is.
    pub fn component_for(&self, viewer: Viewer) -> Option<ComponentId> {
        let knows = viewer.is_among(self.sight.by);
        knows.then_some(self.component)
    }

    /// In which zone it lies, and at which place of it, from 1.
    pub fn place_for(&self, viewer: Viewer) -> Option<(ZoneId, i32)> {
        let knows = viewer.is_among(self.sight.placed);
        knows.then_some((self.zone, self.place))
    }

    /// Who may know what of it.
    pub fn sight(&self) -> Sight {
        self.sight
    }
}

/// A value in an event. Whatever names a component, itself or by the zone in it, says who may know that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenValue {
    Plain(i32),
    Component(Seen),
    /// The zone in this component.
    Inside(Seen),
}

/// What a value was given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A variable; `index` counts its words from 0.
    Var { var: VarId, index: u32 },
    /// A changing field of a component: its number among the fields of its kind.
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
        /// `zone` and `place` say from where.
        what: Seen,
        to: ZoneId,
        place: i32,
        face_down: bool,
        /// On an open grid: place and quarter turns.
        cell: Option<(i32, i32)>,
        /// Viewers who are told that something moved at all, and who may know where it lies now.
        noticed: Sight,
    },
    Shuffled {
        zone: ZoneId,
        /// The new order, first to last: for records, seen by nobody in play.
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
    /// A seat has decided. Values as numbers of the site's types.
    Chose {
        seat: u8,
        site: SiteId,
        option: u16,
        args: Vec<Vec<SeenValue>>,
        /// An answer in a simultaneous decision: only the seat itself is told.
        secret: bool,
    },
    /// Chance has decided: for records; in play only the consequences are seen.
    Drawn {
        site: SiteId,
        option: u16,
        args: Vec<Vec<SeenValue>>,
    },
    Said {
        text: TextId,
        /// What stands in each hole, so that it is read in any language, and names can be withheld from those who may
        /// not know them.
        holes: Vec<Vec<SeenValue>>,
        to: Viewers,
    },
    /// As [`Event::Given`] in logs of earlier versions, which did not say who may know a component that was the value.
    Set {
        var: VarId,
        index: u32,
        value: i32,
        seen_by: Viewers,
    },
    /// As [`Event::Given`] in logs of earlier versions.
    FieldSet {
        what: Seen,
        field: u16,
        value: i32,
        /// The back of the component could be read.
        shows_back: bool,
    },
    Finished(Outcome),
    // Entries of logs name the events above by their numbers: new ones are added below.
    /// A variable, or a changing field of a component, has another value.
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

/// Somebody who watches a game being played.
pub trait Observer {
    /// Events cost time to describe: say no if you do not look at them.
    fn wants_events(&self) -> bool {
        true
    }
    fn event(&mut self, event: Event);
    /// Clauses and operations cost time to tell of: say no if you do not count them.
    fn wants_clauses(&self) -> bool {
        true
    }
    /// The operation at this address of the code is about to run.
    fn operation(&mut self, _address: Address) {}
    /// A statement or condition that carries out this clause has run.
    fn clause(&mut self, _clause: ClauseId) {}
    /// The game has come to rest, and running there took this much of the fuel of a move.
    fn fuel(&mut self, _spent: u32) {}
}

/// Looks away.
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

/// Keeps all events.
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
