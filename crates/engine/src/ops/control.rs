//! Jumps, calls, names and loops.

use crate::fault::{FaultKind, Halt};
use crate::machine::{Machine, NextAction};
use wyrmgate_program::{
    Address, Arg, ArgsId, DispatchId, EffectId, ExprId, Local, LoopStep, MemberChange, SetId,
};

impl Machine<'_> {
    pub fn jump(&mut self, to: Address) -> Result<NextAction, Halt> {
        self.pc = to as usize;
        Ok(NextAction::Go)
    }

    pub fn jump_unless(&mut self, condition: ExprId, to: Address) -> Result<NextAction, Halt> {
        if !self.eval().truth(condition)? {
            self.pc = to as usize;
        }
        Ok(NextAction::Go)
    }

    pub fn call(&mut self, effect: EffectId, args: ArgsId) -> Result<NextAction, Halt> {
        self.enter(effect, Some(args), self.pc as i32)?;
        Ok(NextAction::Go)
    }

    pub fn call_kind(&mut self, dispatch: DispatchId, args: ArgsId) -> Result<NextAction, Halt> {
        match self.effect_of_kind(dispatch, args)? {
            Some(effect) => self.call(effect, args),
            None => Ok(NextAction::Go),
        }
    }

    fn effect_of_kind(
        &mut self,
        dispatch: DispatchId,
        args: ArgsId,
    ) -> Result<Option<EffectId>, Halt> {
        let program = self.program;
        let me = program
            .code
            .args
            .get(args as usize)
            .and_then(|args| args.first());
        let Some(&Arg::Value(me)) = me else {
            return Ok(None);
        };
        let me = self.value(me)?;
        let component = usize::try_from(me)
            .ok()
            .and_then(|me| program.components.get(me));
        let dispatch = program.dispatches.get(usize::from(dispatch));
        let (Some(component), Some(dispatch)) = (component, dispatch) else {
            return Ok(None);
        };
        let effects = &dispatch.effects;
        Ok(effects.get(usize::from(component.kind)).copied().flatten())
    }

    pub fn mark(&mut self, local: Local) -> Result<NextAction, Halt> {
        let height = self.state.stack.len() - self.base.min(self.state.stack.len());
        self.set_local(local, height as i32);
        Ok(NextAction::Go)
    }

    pub fn release(&mut self, local: Local) -> Result<NextAction, Halt> {
        let height = self.local(local).max(0) as usize;
        // Never below the slots of the frame.
        let lowest = self.slots_end();
        self.state.stack.truncate((self.base + height).max(lowest));
        Ok(NextAction::Go)
    }

    pub fn let_value(&mut self, local: Local, value: ExprId) -> Result<NextAction, Halt> {
        let value = self.value(value)?;
        self.set_local(local, value);
        Ok(NextAction::Go)
    }

    pub fn let_list(&mut self, local: Local, set: SetId) -> Result<NextAction, Halt> {
        let slot = self.slot_at(local);
        self.push_list(set, self.base, slot)?;
        Ok(NextAction::Go)
    }

    pub fn set_member(&mut self, change: MemberChange) -> Result<NextAction, Halt> {
        let index = i64::from(self.value(change.number)?) - 1;
        let value = self.value(change.value)?;
        let index = usize::try_from(index).ok();
        let Some(index) = index.filter(|index| *index < change.most as usize) else {
            return Err(self.scratch.halt(FaultKind::Key));
        };
        let place = self.base + self.local(change.list).max(0) as usize + index;
        self.state.set_slot(place, value);
        Ok(NextAction::Go)
    }

    pub fn each_next(&mut self, step: LoopStep) -> Result<NextAction, Halt> {
        let passed = self.local(step.index).max(0);
        if passed >= self.local(step.list.saturating_add(1)) {
            self.pc = step.exit as usize;
            return Ok(NextAction::Go);
        }
        let offset = self.local(step.list).max(0) as usize + passed as usize;
        let member = self.state.slot(self.base + offset);
        self.set_local(step.index, passed + 1);
        self.set_local(step.var, member);
        Ok(NextAction::Go)
    }
}
