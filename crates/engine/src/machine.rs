//! The machine: runs operations from one decision to the next.

use crate::chance::{Chance, Moment};
use crate::choices::Menu;
use crate::eval::{Eval, Scratch, Values};
use crate::event::{At, Event, Observer};
use crate::fault::{Fault, FaultKind, Halt};
use crate::frame::{END, LEAVE};
use crate::layout::header;
use crate::limit::{EVENTS_PER_MOVE, FUEL_PER_ENUMERATION, FUEL_PER_MOVE};
use crate::ops;
use crate::rng::{Label, Rng};
use crate::state::State;
use wyrmgate_program::{Address, Expr, ExprId, Op, Program, Set, SetId};

/// Runs one move; everything that lasts is in the state.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub state: &'a mut State,
    pub scratch: &'a mut Scratch,
    /// Records all choices of the next decision, if requested.
    pub menu: Option<&'a mut Menu>,
    /// Records the first choices of the next decision, which the test for a choice finds, if requested.
    pub first: Option<&'a mut Menu>,
    /// The remaining budget for finding choices.
    pub looking: u32,
    pub chance: &'a mut dyn Chance,
    observer: &'a mut dyn Observer,
    wants_events: bool,
    wants_clauses: bool,
    events: u32,
    /// The next operation.
    pub pc: usize,
    /// The running frame.
    pub base: usize,
}

/// The next action after an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
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

    /// Runs until the next rest, and stores there where to continue.
    pub fn run(&mut self) -> Result<(), Fault> {
        let result = self.run_to_rest();
        let spent = FUEL_PER_MOVE.saturating_sub(self.scratch.fuel);
        if self.state.is_finished() {
            (self.pc, self.base) = (0, 0);
        }
        self.state.set_head(header::PC, self.pc as i32);
        self.state.set_head(header::BASE, self.base as i32);
        self.observer.rest(self.state, spent);
        result.map_err(|Halt| self.fault())
    }

    fn run_to_rest(&mut self) -> Result<(), Halt> {
        let code = self.code();
        loop {
            self.scratch.spend()?;
            let Some(op) = code.get(self.pc) else {
                return Err(self.scratch.halt(FaultKind::Program));
            };
            if self.wants_clauses {
                self.tell_of_operation();
            }
            self.pc += 1;
            if self.perform(op)? == Next::Rest {
                return Ok(());
            }
        }
    }

    /// Returns the plain code if operations are counted.
    pub fn code(&self) -> &'a [Op] {
        let program = self.program;
        if self.wants_clauses || program.optimized.is_empty() {
            &program.code
        } else {
            &program.optimized
        }
    }

    // Called from one place, for every operation.
    #[inline(always)]
    pub fn perform(&mut self, op: &'a Op) -> Result<Next, Halt> {
        match *op {
            Op::Jump(to) => self.jump(to),
            Op::JumpUnless(condition, to) => self.jump_unless(condition, to),
            Op::Call { effect, args } => self.call(effect, args),
            Op::CallKind { dispatch, args } => self.call_kind(dispatch, args),
            Op::Return => self.return_from_effect(),
            Op::Mark(local) => self.mark(local),
            Op::Release(local) => self.release(local),
            Op::Let(local, value) => self.let_value(local, value),
            Op::LetList(local, set) => self.let_list(local, set),
            Op::SetMember {
                list,
                most,
                number,
                value,
            } => self.set_member(list, most, number, value),
            Op::EachNext {
                list,
                index,
                var,
                exit,
            } => self.each_next(list, index, var, exit),
            Op::SetWord { offset, value } => ops::values::set_word(self, offset, value),
            Op::Record { position, of } => ops::values::record(self, position, of),
            Op::SetWordAt {
                offset,
                low,
                len,
                index,
                value,
                strict,
            } => {
                let words = ops::values::Words { offset, low, len };
                ops::values::set_word_at(self, words, index, value, strict)
            }
            Op::Move {
                what,
                to,
                place,
                face_down,
            } => ops::moving::move_one(self, what, to, place, face_down),
            Op::MoveAll {
                what,
                to,
                place,
                face_down,
            } => ops::moving::move_all(self, what, to, place, face_down),
            Op::MoveToCell {
                what,
                zone,
                cell,
                turned,
                face_down,
            } => ops::moving::move_to_cell(self, [what, zone, cell, turned], face_down),
            Op::Draw {
                count,
                from,
                to,
                face_down,
            } => ops::moving::draw(self, count, from, to, face_down),
            Op::Swap(one, other) => ops::moving::swap(self, one, other),
            Op::Rotate(zones) => ops::moving::rotate(self, zones),
            Op::Shuffle(zone) => ops::random::shuffle(self, zone),
            Op::Roll(dice) => ops::random::roll(self, dice),
            Op::TurnFace { what, down } => ops::showing::turn_face(self, what, down),
            Op::Show { what, to } => ops::showing::show(self, what, to),
            Op::Choose(site) => ops::deciding::choose(self, site),
            Op::ChooseAtRandom(site) => ops::deciding::choose_at_random(self, site),
            Op::ChooseEach { site, seats } => ops::deciding::choose_each(self, site, seats),
            Op::ChooseFirst { site, seats } => ops::deciding::choose_first(self, site, seats),
            Op::RoundBegin => ops::course::round_begin(self),
            Op::RoundEnd => ops::course::round_end(self),
            Op::TurnBegin { seat, before } => ops::course::turn_begin(self, seat, before),
            Op::TurnEnd { before } => ops::course::turn_end(self, before),
            Op::NextTurn { seat, goes_on } => ops::course::next_turn(self, seat, goes_on),
            Op::AsBegin { seat, before } => ops::course::as_begin(self, seat, before),
            Op::AsEnd { before } => ops::course::as_end(self, before),
            Op::PhaseBegin { phase, before } => ops::course::phase_begin(self, phase, before),
            Op::PhaseEnd { before } => ops::course::phase_end(self, before),
            Op::Score { seat, by } => ops::course::score(self, seat, by),
            Op::Say { text, to } => ops::showing::say(self, text, to),
            Op::FinishRanked {
                keys,
                count,
                ties_drawn,
            } => ops::finish::ranked(self, keys, count, ties_drawn),
            Op::FinishWonBy(seats) => ops::finish::won_by(self, seats),
            Op::FinishDrawn => ops::finish::drawn(self),
        }
    }

    /// Continues after the call of the effect that has ended.
    pub fn return_from_effect(&mut self) -> Result<Next, Halt> {
        match self.leave() {
            END => ops::finish::drawn(self),
            LEAVE => Ok(Next::Rest),
            address => {
                self.pc = address.max(0) as usize;
                Ok(Next::Go)
            }
        }
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

    pub fn gather(&mut self, set: SetId) -> Result<Values, Halt> {
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

    fn tell_of_operation(&mut self) {
        let program = self.program;
        self.observer.operation(At {
            address: self.pc as Address,
            state: self.state,
            base: self.base,
        });
        if let Some(cites) = program.code_cites.get(self.pc) {
            self.cite(cites);
        }
    }

    pub fn cite(&mut self, clauses: &[wyrmgate_program::ClauseId]) {
        if self.wants_clauses {
            for &clause in clauses {
                self.observer.clause(clause);
            }
        }
    }

    /// Returns the fault after a halt, with the location of the operation if no better one is known.
    pub fn fault(&mut self) -> Fault {
        let at = self.pc.saturating_sub(1);
        let place = self.program.code_spans.get(at).copied();
        self.scratch.take_fault().or_at(place)
    }
}
