//! What-ifs: the effect runs in the state itself, and its words are restored after the question.
//!
//! A copy of the words is made before and copied back after. Values that were noted for the supposed position are dropped.
//! Effects that do more than write words are left to the interpreter.

use crate::memory::buffers::{BUFFERS_MAX, STRIDE};
use crate::memory::context::{Context, GIVE_UP, REST};
use crate::memory::lent::parts_of;
use crate::memory::supposing::{ARGUMENTS_MAX, Supposing};
use crate::translator::emit::{Translator, at, offset};
use crate::translator::helper;
use crate::translator::known::ScalarValue;
use crate::values::recursion::used_by;
use std::mem::offset_of;

use wyrmgate_engine::frame::{FRAME_HEADER, LEAVE};
use wyrmgate_engine::layout::header;
use wyrmgate_program::{EffectId, Expr, ExprId, Part};

/// Performs an effect with the arguments in the context, for as long as a question is asked; returns a negative number if
/// that is impossible.
pub(crate) unsafe extern "C" fn suppose(context: *mut Context, effect: u32, count: u32) -> i32 {
    let Some((entry, depth)) = leave_position(context, effect, count) else {
        return GIVE_UP;
    };
    let next = run(context, entry);
    let (context, lent) = parts_of(context);
    let state = lent.state().filter(|_| next == REST);
    let is_back = state.is_some_and(|state| state.head(header::DEPTH) == depth);
    let Some(saved) = supposing_of(context).and_then(Supposing::saved) else {
        return GIVE_UP;
    };
    // A what-if has no events.
    context.remaining.events = saved.events;
    [context.members.buffers, context.members.last] = saved.callers;
    if is_back { 0 } else { GIVE_UP }
}

/// Saves the position and enters the effect; returns its address, and how many effects are running.
fn leave_position(context: *mut Context, effect: u32, count: u32) -> Option<(i32, i32)> {
    let (context, lent) = parts_of(context);
    let (program, state, scratch) = lent.game()?;
    let supposing = supposing_of(context)?;
    supposing.level += 1;
    context.what_if.base_number += 1;
    let buffers = supposing.buffers;
    let saved = supposing.saved()?;
    saved.words.clone_from(&state.words);
    if saved.members.is_empty() {
        saved.members = vec![0; buffers * STRIDE];
    }
    saved.events = context.remaining.events;
    saved.is_remembering = scratch.memo.pause();
    saved.callers = [context.members.buffers, context.members.last];
    context.members.buffers = saved.members.as_mut_ptr();
    context.members.last = context
        .members
        .buffers
        .wrapping_add((buffers - BUFFERS_MAX) * STRIDE);
    let depth = state.head(header::DEPTH);
    let info = program.effects.get(effect as usize)?;
    let (base, caller) = (state.stack.len(), context.frames.base as i32);
    let frame = state.push_frame(FRAME_HEADER + usize::from(info.slots));
    *frame.ok()? = [LEAVE, caller, effect as i32];
    let arguments = context.what_if.arguments.into_iter().take(count as usize);
    for (slot, argument) in arguments.enumerate() {
        state.set_slot(base + FRAME_HEADER + slot, argument);
    }
    context.refresh_state(state, base);
    Some((info.entry as i32, depth))
}

/// Runs one function after the other until the effect has ended or gives up; returns which.
fn run(context: *mut Context, mut next: i32) -> i32 {
    while let Ok(at) = usize::try_from(next) {
        let (parts, _) = parts_of(context);
        let words = parts.frames.len.saturating_sub(parts.frames.base) as usize;
        let entry = parts.entry(at);
        if (parts.remaining.fuel | parts.remaining.events) < 0 {
            return GIVE_UP;
        }
        next = match entry.filter(|entry| FRAME_HEADER + entry.slots <= words) {
            // SAFETY: «one context», «the machine waits», «all slots are there», «words as the layout says» (as for the
            // code that asks) and «code is entered through its owner», which the driver keeps.
            Some(entry) => unsafe { (entry.function)(context, entry.number, 0) },
            None => {
                parts.remaining.fuel -= 1;
                // SAFETY: «one context».
                unsafe { helper::perform(context, at as u32) }
            }
        };
    }
    next
}

/// Returns to the position before the what-if.
pub(crate) unsafe extern "C" fn end_what_if(context: *mut Context) {
    let (context, lent) = parts_of(context);
    let supposing = supposing_of(context);
    let Some(supposing) = supposing else {
        context.rest.failed = 1;
        return;
    };
    let (Some(saved), Some((_, state, scratch))) = (supposing.saved(), lent.game()) else {
        context.rest.failed = 1;
        return;
    };
    match saved.words.len() == state.words.len() {
        true => state.words.copy_from_slice(&saved.words),
        false => context.rest.failed = 1, // the layout of a state never changes
    }
    // Results that were kept for the supposed position are not valid in this one.
    context.what_if.base_number += 1;
    state.changes.count_all();
    scratch.memo.go_on(saved.is_remembering);
    supposing.level -= 1;
}

fn supposing_of<'s>(context: &Context) -> Option<&'s mut Supposing> {
    // SAFETY: «the memory of the driver waits»: the driver uses this only between moves.
    unsafe { context.what_if.supposing.as_mut() }
}

impl Translator<'_> {
    /// Emits a value in the position after an effect; `None` if the interpreter must evaluate it.
    pub fn after_effect(
        &mut self,
        effect: EffectId,
        args: ExprId,
        count: u16,
        value: ExprId,
    ) -> Option<ScalarValue> {
        if usize::from(count) > ARGUMENTS_MAX || !self.facts.can_suppose(effect) {
            return None;
        }
        // The interpreter remembers results of such queries, as long as all what-ifs are its own.
        if !used_by(self.program, Part::Expr(value)).is_empty() {
            return None;
        }
        let exprs = args..args.checked_add(count.into())?;
        let is_one = |expr| {
            let expr = self.program.exprs.get(expr as usize);
            !matches!(expr, None | Some(Expr::ListArgument(_)))
        };
        if !exprs.clone().all(is_one) {
            return None;
        }
        if let Some(value) = self.after_inline(effect, exprs.clone(), value) {
            return Some(value);
        }
        let values: Vec<_> = exprs.map(|expr| self.word_of(expr)).collect();
        for (number, value) in values.into_iter().enumerate() {
            self.set_part(
                value,
                at(offset_of!(Context, what_if.arguments)) + offset(number),
            );
        }
        let arguments = [i32::from(effect), i32::from(count)].map(|number| self.int(number));
        self.count_from(suppose as *const u8, &arguments);
        let supposed = std::mem::replace(&mut self.position.supposes, true);
        let value = self.word_of(value);
        self.position.supposes = supposed;
        self.call_helper(end_what_if as *const u8, &[], None);
        Some(ScalarValue::Word(value))
    }
}
