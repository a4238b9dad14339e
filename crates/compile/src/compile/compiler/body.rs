//! What the statements of one effect stand in: loops, open blocks, and what they may do.

use crate::compile::terms::pattern::Params;
use crate::names::declaration::Running;
use crate::names::types::Ty;
use wyrmgate_program::*;

/// What surrounds the statement that is being translated.
#[derive(Default)]
pub struct Body {
    pub loops: Vec<Loop>,
    pub cleanups: Vec<Cleanup>,
    /// The type of the result of the effect.
    pub result: Option<Ty>,
    /// Whether this is inside a `before` handler.
    pub preventing: bool,
    /// Inside an `instead` handler: the target of `proceed`.
    pub original: Option<Original>,
}

/// A loop in translation: jumps out of it and to its next iteration.
#[derive(Default)]
pub struct Loop {
    pub stops: Vec<Address>,
    pub nexts: Vec<Address>,
    /// The number of open cleanups when it began.
    pub cleanups: usize,
}

/// Blocks that must be ended when control leaves a turn, an `as`, a phase or a round early.
#[derive(Debug, Clone, Copy)]
pub enum Cleanup {
    Turn(Local),
    As(Local),
    Phase(Local),
    Round,
    /// The handler has ended.
    Running(Running),
}

/// The target of `proceed` while an `instead` handler is translated.
#[derive(Clone)]
pub struct Original {
    pub effect: EffectId,
    /// The whole frame is passed on with its current values, because a handler may have changed a number.
    pub params: Params,
    /// The first slot that is passed on.
    pub first: Local,
    /// The word that says whether the handler is running; it is reset while the handler proceeds.
    pub running: Option<Running>,
}
