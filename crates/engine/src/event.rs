//! Events as the engine emits them: complete, with a note of who may know what.

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::outcome::GameOutcome;
use crate::seen::{EventSight, LabelValue, SeenComponent, SeenValue};
use crate::state::State;
use crate::viewer::Viewers;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{Address, ClauseId, ComponentId, SiteId, TextId, VarId, ZoneId};

/// The target of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AssignmentTarget {
    /// A variable; `index` counts its words from 0.
    Var { var: VarId, index: u32 },
    /// A changing field of a component: its index among the fields of its kind.
    Field { what: SeenComponent, field: u16 },
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
        what: SeenComponent,
        to: ZoneId,
        place: i32,
        face_down: bool,
        /// The cell and the quarter turns on an open grid.
        cell: Option<(i32, i32)>,
        /// Viewers who notice the move and may know where the component lies now.
        noticed: EventSight,
    },
    Shuffled {
        zone: ZoneId,
        /// The new order, first to last: for records, never seen in play.
        order: Vec<ComponentId>,
    },
    Rolled {
        /// Dice and what they show.
        dice: Vec<(SeenComponent, i32)>,
    },
    Turned {
        what: SeenComponent,
        face_down: bool,
    },
    Shown {
        what: Vec<SeenComponent>,
        /// With [`crate::SECRETLY`], only these learn of it.
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
        what: SeenComponent,
        field: u16,
        value: i32,
        /// The back of the component could be read.
        shows_back: bool,
    },
    Finished(GameOutcome),
    // Entries of logs name the events above by their numbers: new ones are added below.
    /// A variable, or a changing field of a component, has a new value.
    Given {
        to: AssignmentTarget,
        value: SeenValue,
        seen_by: Viewers,
    },
    /// A zone in a component was shuffled.
    ShuffledInside {
        holder: SeenComponent,
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
    /// Is called when the rules do something odd, with the place where they say so.
    fn odd(&mut self, _what: Oddity, _place: Option<Span>) {}
    /// Is called when the text of an event cannot be made. Texts are made only for observers who want events.
    fn untold(&mut self, _fault: Fault) {}
}

/// Something that is no error, but hardly meant. The game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// A decision was left out, because nobody had a choice.
    Skipped,
    DrawnFromEmpty,
    /// A draw of more components than the zone contained.
    DrawnShort,
    /// The rules came to their end without `finish`.
    Unfinished,
    /// A component stayed where it was, because the zone was full.
    Stayed,
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

/// Collects all events, and the first text that cannot be made.
#[derive(Debug, Clone, Default)]
pub struct Collect(pub Vec<Event>, pub Option<Fault>);

impl Observer for Collect {
    fn event(&mut self, event: Event) {
        self.0.push(event);
    }
    fn wants_clauses(&self) -> bool {
        false
    }
    fn untold(&mut self, fault: Fault) {
        self.1.get_or_insert(fault);
    }
}
