//! The machine: what operations work with while a move runs.

mod frames;

use crate::chance::{Chance, Moment};
use crate::choices::ChoiceMenu;
use crate::eval::{Eval, Scratch, ValueList};
use crate::event::{Event, Observer};
use crate::fault::{Fault, FaultKind, Halt};
use crate::layout::header;
use crate::limit::{EVENTS_PER_MOVE, FUEL_PER_ENUMERATION, FUEL_PER_MOVE};
use crate::outcome::EndReason;
use crate::rng::{Label, Rng};
use crate::state::State;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{Expr, ExprId, Program, Set, SetId};

/// Runs one move; everything that lasts is in the state.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub state: &'a mut State,
    pub scratch: &'a mut Scratch,
    /// Records all choices of the next decision, if requested.
    pub menu: Option<&'a mut ChoiceMenu>,
    /// Records the first choices of the next decision, which the test for a choice finds, if requested.
    pub first: Option<&'a mut ChoiceMenu>,
    /// The remaining budget for finding choices.
    pub looking: u32,
    pub chance: &'a mut dyn Chance,
    pub(crate) observer: &'a mut dyn Observer,
    wants_events: bool,
    wants_clauses: bool,
    events: u32,
    /// What ends the game, if it ends.
    pub(crate) reason: EndReason,
    /// The next operation.
    pub pc: usize,
    /// The running frame.
    pub base: usize,
}

/// The next action after an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextAction {
    Go,
    /// A decision is pending, the game is over, or the tool's effect has ended.
    Rest,
}

impl<'a> Machine<'a> {
    // Built where it is used, not copied there.
    #[inline(always)]
    pub fn new(
        program: &'a Program,
        state: &'a mut State,
        scratch: &'a mut Scratch,
        chance: &'a mut dyn Chance,
        observer: &'a mut dyn Observer,
    ) -> Machine<'a> {
        scratch.refill(FUEL_PER_MOVE, FaultKind::Fuel);
        Machine {
            pc: state.head(header::PC).max(0) as usize,
            base: state.head(header::BASE).max(0) as usize,
            wants_events: observer.wants_events(),
            wants_clauses: observer.wants_clauses(),
            program,
            state,
            scratch,
            menu: None,
            first: None,
            looking: FUEL_PER_ENUMERATION,
            chance,
            observer,
            events: 0,
            reason: EndReason::Rules,
        }
    }

    /// Lets the source of chance keep the state before an operation that draws.
    pub fn tell_of_draw(&mut self) {
        if self.wants_events {
            let moment = Moment {
                pc: self.pc.saturating_sub(1),
                base: self.base,
                fuel: self.scratch.fuel.saturating_add(1),
                events: self.events,
            };
            self.chance.before(self.state, moment);
        }
    }

    /// Continues from a moment of its state.
    pub fn return_to(&mut self, moment: Moment) {
        (self.pc, self.base) = (moment.pc, moment.base);
        (self.scratch.fuel, self.events) = (moment.fuel, moment.events);
    }

    // ---- evaluating

    pub fn eval(&mut self) -> Eval<'_> {
        Eval::new(self.program, self.state, self.scratch, self.base)
    }

    #[inline]
    pub fn value(&mut self, id: ExprId) -> Result<i32, Halt> {
        match self.program.exprs.get(id as usize) {
            Some(&Expr::Const(value)) => Ok(value),
            Some(&Expr::Local(local)) => Ok(self.local(local)),
            Some(&Expr::Word(offset)) => Ok(self.state.var(offset)),
            _ => self.eval().value(id),
        }
    }

    /// Returns the expression of the only member, of a list that is written with one.
    pub fn only_member(&self, set: SetId) -> Option<ExprId> {
        match self.program.sets.get(set as usize) {
            Some(&Set::List { first, count: 1 }) => Some(first),
            _ => None,
        }
    }

    pub fn gather(&mut self, set: SetId) -> Result<ValueList, Halt> {
        self.eval().gather(set)
    }

    /// Returns the stream of the next random operation.
    pub fn next_stream(&mut self, label: Label) -> Rng {
        let count = self.state.draws_made();
        self.state
            .set_head(header::DRAWS, count.wrapping_add(1) as i32);
        Rng::new(self.state.seed, label, count)
    }

    // ---- events

    /// Emits an event, which is described only for observers. It is counted in any case, so that the limit does not
    /// depend on observers.
    pub fn emit(&mut self, describe: impl FnOnce(&Self) -> Event) -> Result<(), Halt> {
        self.count_event()?;
        if self.wants_events {
            let event = describe(self);
            self.observer.event(event);
            if self.observer.has_enough() {
                return Err(self.scratch.halt(FaultKind::Events));
            }
        }
        Ok(())
    }

    pub fn count_event(&mut self) -> Result<(), Halt> {
        self.events += 1;
        if self.events > EVENTS_PER_MOVE {
            return Err(self.scratch.halt(FaultKind::Events));
        }
        Ok(())
    }

    /// Returns how many more events this move may cause.
    pub fn events_left(&self) -> u32 {
        EVENTS_PER_MOVE.saturating_sub(self.events)
    }

    pub fn set_events_left(&mut self, left: u32) {
        self.events = EVENTS_PER_MOVE.saturating_sub(left);
    }

    pub fn wants_events(&self) -> bool {
        self.wants_events
    }

    pub fn wants_clauses(&self) -> bool {
        self.wants_clauses
    }

    pub fn cite(&mut self, clauses: &[wyrmgate_program::ClauseId]) {
        if self.wants_clauses {
            for &clause in clauses {
                self.observer.clause(clause);
            }
        }
    }

    /// Tells the observer of something at the present operation, and its place.
    #[cold]
    pub fn tell(&mut self, tell: impl FnOnce(&mut dyn Observer, Option<Span>)) {
        let at = self.pc.saturating_sub(1);
        tell(self.observer, self.program.code.spans.get(at).copied());
    }

    /// Returns the fault after a halt, with the location of the operation if no better one is known.
    pub fn fault(&mut self) -> Fault {
        let at = self.pc.saturating_sub(1);
        let place = self.program.code.spans.get(at).copied();
        self.scratch.take_fault().or_at(place)
    }
}
