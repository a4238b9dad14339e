//! Which effects of what-ifs can be inline code, and the room that they need.

use crate::facts::stretch::ops_of;
use crate::memory::buffers::MEMBERS_MAX;
use crate::memory::moves::how_to_move;
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_program::{EffectId, Local, Op, Program};

/// The maximum number of operations of an effect, without those of others that it calls.
const OPS_MAX: usize = 60;

/// The maximum nesting of effects, and of what-ifs.
pub(crate) const NESTED_MAX: u32 = 4;

/// The maximum number of lists of an effect.
const LISTS_MAX: usize = 3;

/// The stack space that an effect needs if the interpreter runs it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Need {
    pub words: u32,
    pub depth: u32,
    /// Whether components may move.
    pub moves: bool,
}

/// Returns by effect what it needs as inline code; `None` if it cannot be that.
pub(crate) fn inlinable(program: &Program) -> Vec<Option<Need>> {
    let effects = 0..program.effects.len();
    effects
        .map(|effect| need_of(program, effect as EffectId, NESTED_MAX))
        .collect()
}

fn need_of(program: &Program, effect: EffectId, nesting: u32) -> Option<Need> {
    let nesting = nesting.checked_sub(1)?;
    let info = program.effect(effect)?;
    let ops = ops_of(program, effect)?;
    let lists = lists_of(ops).len();
    if ops.len() > OPS_MAX || lists > LISTS_MAX {
        return None;
    }
    let mut of_others = Need::default();
    for op in ops {
        match *op {
            Op::Call { effect, .. } => {
                let need = need_of(program, effect, nesting)?;
                of_others.words = of_others.words.max(need.words);
                of_others.depth = of_others.depth.max(need.depth);
                of_others.moves |= need.moves;
            }
            op if !can_be_inline(op) => return None,
            Op::Move(_) | Op::MoveAll(_) => of_others.moves = true,
            _ => {}
        }
    }
    let own = FRAME_HEADER + usize::from(info.slots) + lists * MEMBERS_MAX;
    Some(Need {
        words: of_others.words + u32::try_from(own).ok()?,
        depth: of_others.depth + 1,
        moves: of_others.moves,
    })
}

fn can_be_inline(op: Op) -> bool {
    match op {
        Op::Move(how) => how_to_move(how.place, how.face_down).is_some(),
        Op::MoveAll(how) => how_to_move(how.place, how.face_down).is_some(),
        _ => matches!(
            op,
            Op::Jump(_)
                | Op::JumpUnless(..)
                | Op::Return
                | Op::Mark(_)
                | Op::Release(_)
                | Op::Let(..)
                | Op::LetList(..)
                | Op::EachNext(_)
                | Op::SetWord { .. }
                | Op::SetWordAt(_)
        ),
    }
}

/// Returns the slots of lists among these operations, each once.
pub(crate) fn lists_of(ops: &[Op]) -> Vec<Local> {
    let mut lists: Vec<Local> = Vec::new();
    for op in ops {
        match *op {
            Op::LetList(local, _) if !lists.contains(&local) => lists.push(local),
            _ => {}
        }
    }
    lists
}
