//! The working memory of an evaluation, which its owner keeps for the next one.

use super::mask::KeptMasks;
use super::memo::Memo;
use super::reached::ReachedMembers;
use super::values::ValueList;
use crate::fault::{Fault, FaultKind, Halt};
use crate::outcome::GameOutcome;
use crate::state::State;
use wyrmgate_program::NONE;

/// A supposed position, with its working memory.
pub struct Supposed {
    pub(crate) state: State,
    pub(crate) scratch: Scratch,
}

/// The working memory of an evaluation.
pub struct Scratch {
    /// Windows of temps, one above the other.
    pub temps: ValueList,
    /// Lists that temps refer to by offset and length.
    pub lists: ValueList,
    /// The remaining work, and the limit to report when there is none left.
    pub fuel: u32,
    pub limit: FaultKind,
    /// Results of queries without parameters, while nothing changes.
    pub memo: Memo,
    /// Memory of searches, kept for the next one.
    pub(super) searches: Vec<ReachedMembers>,
    /// Results for whole domains, until the state changes.
    pub kept: KeptMasks,
    /// Levels of nesting at present.
    pub(crate) depth: u32,
    /// How often each query that may use itself is nested in itself at present.
    pub(super) recursions: Vec<u16>,
    /// Levels of what-ifs at present.
    pub(crate) what_ifs: u8,
    /// Memory for the next what-ifs, one in the other.
    pub(crate) supposed: Vec<Supposed>,
    /// Whether a condition of visibility is evaluated.
    pub(crate) asks_who_sees: bool,
    /// Why evaluation stopped, if it did.
    pub fault: Option<Fault>,
    /// The memory of an earlier outcome, to be reused.
    pub spare: Option<Box<GameOutcome>>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new(0, FaultKind::Fuel)
    }
}

impl Scratch {
    // Built where it is used, not copied there.
    #[inline(always)]
    pub fn new(fuel: u32, limit: FaultKind) -> Scratch {
        Scratch {
            temps: ValueList::new(),
            lists: ValueList::new(),
            fuel,
            limit,
            memo: Memo::default(),
            searches: Vec::new(),
            kept: KeptMasks::default(),
            depth: 0,
            recursions: Vec::new(),
            what_ifs: 0,
            supposed: Vec::new(),
            asks_who_sees: false,
            fault: None,
            spare: None,
        }
    }

    /// Makes the lowest window large enough.
    #[inline]
    pub fn make_room(&mut self, temps: usize) {
        if self.temps.len() < temps {
            self.make_larger(temps);
        }
    }

    #[cold]
    fn make_larger(&mut self, temps: usize) {
        self.temps.resize(temps, NONE);
    }

    /// Resets it for the next piece of work, in the same memory.
    pub fn refill(&mut self, fuel: u32, limit: FaultKind) {
        (self.fuel, self.limit) = (fuel, limit);
        self.lists.clear();
        self.memo.turn_off();
        self.depth = 0;
        self.recursions.clear();
        self.fault = None;
    }

    #[cold]
    pub fn halt(&mut self, kind: FaultKind) -> Halt {
        self.fault.get_or_insert(Fault { kind, span: None });
        Halt
    }

    /// Counts one piece of work.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Halt> {
        match self.fuel.checked_sub(1) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => Err(self.halt(self.limit)),
        }
    }

    /// Counts this much work.
    pub fn spend_all(&mut self, work: u32) -> Result<(), Halt> {
        match self.fuel.checked_sub(work) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => Err(self.halt(self.limit)),
        }
    }

    /// Returns the fault after a halt.
    pub fn take_fault(&mut self) -> Fault {
        self.fault.take().unwrap_or(Fault {
            kind: FaultKind::Program,
            span: None,
        })
    }
    /// Exchanges the caches, so that one set serves all supposed positions.
    pub(crate) fn exchange_caches(&mut self, other: &mut Scratch) {
        self.memo.exchange(&mut other.memo);
        std::mem::swap(&mut self.kept, &mut other.kept);
    }
}
