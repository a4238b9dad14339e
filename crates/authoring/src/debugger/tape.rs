//! Every moment of a game, as the engine reports it.

use std::sync::Arc;

use wyrmgate_base::cancel::checkpoint;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_engine::{At, Event, Observer, State, layout::header};
use wyrmgate_program::{Address, Op, Program};

/// Maximum size of a tape for one author alone, in bytes.
pub const BYTES_MAX: usize = 256 << 20;

/// A moment before an operation runs.
#[derive(Debug, Clone)]
pub struct TapeMoment {
    pub address: Address,
    pub state: Arc<State>,
    /// Where the frame of the running effect lies on the stack.
    pub base: usize,
    /// The number of events before it.
    pub events: usize,
}

impl TapeMoment {
    /// Returns how many effects wait for the running one.
    pub fn depth(&self) -> i32 {
        self.state.head(header::DEPTH)
    }
}

/// A game, moment by moment.
#[derive(Debug, Default)]
pub struct Tape {
    pub moments: Vec<TapeMoment>,
    pub events: Vec<Event>,
    /// The positions in which the game waited, each with the number of moments before it.
    pub rests: Vec<(usize, Arc<State>)>,
    /// Number of bytes that can still be recorded. Afterwards, nothing more of the game is.
    room: usize,
    /// Whether the game went on when the tape was full.
    pub is_cut: bool,
}

impl Observer for Tape {
    fn event(&mut self, event: Event) {
        if self.takes(size_of::<Event>()) {
            self.events.push(event);
        }
    }

    fn operation(&mut self, at: At<'_>) {
        checkpoint();
        if !self.takes(size_of::<TapeMoment>()) {
            return;
        }
        let last = self.moments.last().map(|moment| &moment.state);
        let Some(state) = self.shared(last.cloned(), at.state) else {
            return;
        };
        self.moments.push(TapeMoment {
            address: at.address,
            state,
            base: at.base,
            events: self.events.len(),
        });
    }

    fn rest(&mut self, state: &State, _spent: u32) {
        let last = self.rests.last().map(|(_, state)| state.clone());
        if let Some(state) = self.shared(last, state) {
            self.rests.push((self.moments.len(), state));
        }
    }
}

impl Tape {
    /// Creates a tape with room for this many bytes.
    pub fn of(room: usize) -> Tape {
        Tape {
            room,
            ..Tape::default()
        }
    }

    /// Takes bytes from the room. Returns false, and ends the recording, if too few are left.
    fn takes(&mut self, bytes: usize) -> bool {
        match self.room.checked_sub(bytes) {
            Some(room) if !self.is_cut => self.room = room,
            _ => self.is_cut = true,
        }
        !self.is_cut
    }

    /// Returns the present state, shared with the moment before if nothing has changed, as after most operations. `None`
    /// if the tape is full.
    fn shared(&mut self, last: Option<Arc<State>>, state: &State) -> Option<Arc<State>> {
        if let Some(last) = last.filter(|last| **last == *state) {
            return (!self.is_cut).then_some(last);
        }
        let bytes = size_of::<State>() + state.size();
        self.takes(bytes).then(|| Arc::new(state.clone()))
    }

    /// Returns the moments at which an author may want to stop: where another statement begins, or the same one again.
    pub fn stops(&self, program: &Program) -> Vec<usize> {
        let mut stops = Vec::new();
        let mut last: Option<(Span, i32, Address)> = None;
        for (number, moment) in self.moments.iter().enumerate() {
            let at = moment.address as usize;
            let Some((span, op)) = program.code.spans.get(at).zip(program.code.ops.get(at)) else {
                continue;
            };
            let here = (*span, moment.depth(), moment.address);
            let goes_on = last.is_some_and(|(span, depth, address)| {
                (span, depth) == (here.0, here.1) && address < here.2
            });
            if is_silent(op) {
                continue;
            }
            if !goes_on {
                stops.push(number);
            }
            last = Some(here);
        }
        stops
    }
}

/// Returns whether an operation only says where to continue.
pub fn is_silent(op: &Op) -> bool {
    matches!(op, Op::Jump(_) | Op::Return | Op::Mark(_) | Op::Release(_))
}
