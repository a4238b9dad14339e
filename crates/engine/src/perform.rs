//! Performs operations, from one decision to the next.

use crate::event::{At, Oddity};
use crate::fault::{Fault, FaultKind, Halt};
use crate::frame::{END, LEAVE};
use crate::layout::header;
use crate::limit::FUEL_PER_MOVE;
use crate::machine::{Machine, NextAction};
use crate::ops;
use wyrmgate_program::{Address, Op};

impl<'a> Machine<'a> {
    /// Runs until the next rest, and stores there where to continue.
    pub fn run(&mut self) -> Result<(), Fault> {
        let result = match self.state.is_finished() {
            true => Ok(()),
            false => self.run_to_rest(),
        };
        let spent = FUEL_PER_MOVE.saturating_sub(self.scratch.fuel);
        if self.state.is_finished() {
            (self.pc, self.base) = (0, 0);
        }
        self.state.set_head(header::PC, self.pc as i32);
        self.state.set_head(header::BASE, self.base as i32);
        self.observer.rest(self.state, spent);
        result.map_err(|Halt| self.fault())
    }

    /// Performs operations until the next rest.
    pub fn run_to_rest(&mut self) -> Result<(), Halt> {
        let code = &self.program.code.ops;
        loop {
            self.scratch.spend()?;
            let Some(op) = code.get(self.pc) else {
                return Err(self.scratch.halt(FaultKind::Program));
            };
            if self.wants_clauses() {
                self.tell_of_operation();
            }
            self.pc += 1;
            if self.perform(op)? == NextAction::Rest {
                return Ok(());
            }
        }
    }

    fn tell_of_operation(&mut self) {
        let program = self.program;
        self.observer.operation(At {
            address: self.pc as Address,
            state: self.state,
            base: self.base,
        });
        if let Some(cites) = program.code.cites.get(self.pc) {
            self.cite(cites);
        }
    }

    // Called from one place, for every operation.
    #[inline(always)]
    pub fn perform(&mut self, op: &'a Op) -> Result<NextAction, Halt> {
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
            Op::SetMember(change) => self.set_member(change),
            Op::EachNext(step) => self.each_next(step),
            Op::SetWord { offset, value } => ops::values::set_word(self, offset, value),
            Op::Record { position, of } => ops::values::record(self, position, of),
            Op::SetWordAt(change) => ops::values::set_word_at(self, change),
            Op::Move(how) => ops::moving::move_one(self, how),
            Op::MoveAll(how) => ops::moving::move_all(self, how),
            Op::MoveToCell(how) => ops::moving::move_to_cell(self, how),
            Op::Draw(how) => ops::moving::draw(self, how),
            Op::Swap(one, other) => ops::moving::swap(self, one, other),
            Op::Rotate(zones) => ops::moving::rotate(self, zones),
            Op::Shuffle(zone) => ops::random::shuffle(self, zone),
            Op::Roll(dice) => ops::random::roll(self, dice),
            Op::TurnFace { what, down } => ops::showing::turn_face(self, what, down),
            Op::Show { what, to, secretly } => ops::showing::show(self, what, to, secretly),
            Op::Choose(site) => ops::deciding::choose(self, site),
            Op::ChooseAtRandom(site) => ops::deciding::choose_at_random(self, site),
            Op::ChooseEach { site, seats } => ops::deciding::choose_each(self, site, seats),
            Op::ChooseFirst { site, seats } => ops::deciding::choose_first(self, site, seats),
            Op::RoundBegin => ops::course::round_begin(self),
            Op::RoundEnd => ops::course::round_end(self),
            Op::TurnBegin { seat, before } => ops::course::turn_begin(self, seat, before),
            Op::TurnEnd { before } => ops::course::turn_end(self, before),
            Op::AsBegin { seat, before } => ops::course::as_begin(self, seat, before),
            Op::AsEnd { before } => ops::course::as_end(self, before),
            Op::PhaseBegin { phase, before } => ops::course::phase_begin(self, phase, before),
            Op::PhaseEnd { before } => ops::course::phase_end(self, before),
            Op::Score { seat, by } => ops::course::score(self, seat, by),
            Op::Say { text, to } => ops::showing::say(self, text, to),
            Op::FinishRanked(how) => ops::finish::ranked(self, how),
            Op::FinishWonBy(seats) => ops::finish::won_by(self, seats),
            Op::FinishDrawn => ops::finish::drawn(self),
        }
    }

    /// Continues after the call of the effect that has ended.
    pub fn return_from_effect(&mut self) -> Result<NextAction, Halt> {
        match self.leave() {
            END => {
                let play = self.program.effect(self.program.code.play);
                let place = play.map(|play| play.span);
                self.observer.odd(Oddity::Unfinished, place);
                ops::finish::drawn(self)
            }
            LEAVE => Ok(NextAction::Rest),
            address => {
                self.pc = address.max(0) as usize;
                Ok(NextAction::Go)
            }
        }
    }
}
