//! `after(effect, value)`: a value in the position after an effect that is not performed.
//!
//! The effect runs in a copy of the state. A copy is a few hundred words, and its memory is used again, so a what-if costs
//! little more than its effect. Nothing can leave the copy: it emits no events and asks for no decisions, and the checker
//! rejects effects that use chance, decide, or end the game.

use crate::chance::{Chance, Draw};
use crate::eval::{Eval, Scratch, Supposed};
use crate::event::Silent;
use crate::fault::{FaultKind, Halt};
use crate::frame::{FRAME_HEADER, LEAVE};
use crate::layout::header;
use crate::limit::WHAT_IF_DEPTH_MAX;
use crate::machine::Machine;
use crate::rng::Rng;
use wyrmgate_program::{EffectId, Expr, RowId, SupposedValue};

/// No effect of a what-if uses chance.
struct NoChance;

impl Chance for NoChance {
    fn draw(&mut self, _: &mut Rng, _: u32, _: Draw<'_>) -> u32 {
        // The checker admits no chance in a what-if.
        debug_assert!(false, "chance-in-a-what-if");
        0
    }
}

impl<'a> Eval<'a> {
    #[inline(never)]
    pub(crate) fn after(&mut self, supposed: SupposedValue) -> Result<i32, Halt> {
        let SupposedValue {
            effect,
            args,
            count,
            value,
        } = supposed;
        self.supposing(effect, args, count, |eval| eval.value(value))
    }

    /// Evaluates something in the position after an effect.
    pub(crate) fn supposing<T>(
        &mut self,
        effect: EffectId,
        args: RowId,
        count: u16,
        evaluate: impl FnOnce(&mut Eval<'_>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        self.deeper()?;
        let mut supposed = self.like_now()?;
        let performed = self.perform(&mut supposed, effect, args, count);
        let found = match performed {
            Ok(()) => self.look_at(&mut supposed, evaluate),
            Err(halt) => {
                // An argument has failed here, not there.
                if let Some(fault) = supposed.scratch.fault.take() {
                    self.scratch.fault = Some(fault);
                }
                Err(halt)
            }
        };
        self.scratch.supposed.push(supposed);
        self.shallower();
        found
    }

    /// Returns a copy of the position, in the memory of the last one.
    fn like_now(&mut self) -> Result<Supposed, Halt> {
        let level = self.scratch.what_ifs + 1;
        if level > WHAT_IF_DEPTH_MAX {
            return Err(self.scratch.halt(FaultKind::Depth));
        }
        let mut supposed = match self.scratch.supposed.pop() {
            Some(mut supposed) => {
                supposed.state.become_as(self.state);
                supposed
            }
            None => Supposed {
                state: self.state.clone(),
                scratch: Scratch::default(),
            },
        };
        supposed.scratch.what_ifs = level;
        Ok(supposed)
    }

    /// Runs the effect. Its arguments are evaluated in the position as it is.
    fn perform(
        &mut self,
        Supposed { state, scratch }: &mut Supposed,
        effect: EffectId,
        args: RowId,
        count: u16,
    ) -> Result<(), Halt> {
        let program = self.program;
        let depth = state.head(header::DEPTH);
        let (mut chance, mut nobody) = (NoChance, Silent);
        let mut machine = Machine::new(program, state, scratch, &mut chance, &mut nobody);
        (machine.scratch.fuel, machine.scratch.limit) = (self.scratch.fuel, self.scratch.limit);
        machine.scratch.depth = self.scratch.depth;
        machine.enter(effect, None, LEAVE)?;
        let frame = machine.base;
        let mut slot = frame + FRAME_HEADER;
        for arg in (args..).take(usize::from(count)) {
            // Arguments count against the same budget as the effect.
            self.scratch.fuel = machine.scratch.fuel;
            match program.exprs.get(arg as usize) {
                Some(Expr::ListArgument(set)) => {
                    let members = self.gather(*set)?;
                    machine.push_values(&members, frame, slot)?;
                    slot += 2;
                }
                _ => {
                    let value = self.value(arg)?;
                    machine.state.set_slot(slot, value);
                    slot += 1;
                }
            }
            machine.scratch.fuel = self.scratch.fuel;
        }
        let ran = machine.run();
        self.scratch.fuel = scratch.fuel;
        ran.map_err(|fault| {
            scratch.fault = Some(fault);
            Halt
        })?;
        match state.head(header::DEPTH) == depth && !state.is_finished() {
            true => Ok(()),
            false => Err(scratch.halt(FaultKind::Decision)),
        }
    }

    /// Evaluates in the supposed position, with the names of this one. The caches of this position are set aside.
    fn look_at<T>(
        &mut self,
        supposed: &mut Supposed,
        evaluate: impl FnOnce(&mut Eval<'_>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let Supposed { state, scratch } = supposed;
        scratch.memo.turn_off();
        self.scratch.exchange_caches(scratch);
        self.scratch.what_ifs += 1;
        let found = evaluate(&mut self.elsewhere(state));
        self.scratch.what_ifs -= 1;
        self.scratch.exchange_caches(scratch);
        found
    }
}
