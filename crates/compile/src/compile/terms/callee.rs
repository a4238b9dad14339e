//! What a call calls.

use wyrmgate_program::*;

/// The target of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    Effect(EffectId),
    /// The effect of the kind of the first argument.
    OfKind(DispatchId),
}

/// A call and its arguments.
pub type EffectCall = (Callee, Vec<Arg>);

impl Callee {
    pub fn called_with(self, args: ArgsId) -> Op {
        match self {
            Callee::Effect(effect) => Op::Call { effect, args },
            Callee::OfKind(dispatch) => Op::CallKind { dispatch, args },
        }
    }
}
