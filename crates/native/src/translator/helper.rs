//! Helpers that machine code calls: the interpreter, for everything that the translator does not support.
//!
//! Every helper is called with the context that the driver created for this move and nothing else; see the invariants
//! of the module.

use crate::memory::context::{Context, GIVE_UP, OVER, REST};
use crate::memory::lent::{parts_of, with, with_game};
use smallvec::SmallVec;
use wyrmgate_engine::choice::{BoundValue, Choice};
use wyrmgate_engine::choices::{Alike, Group, hidden_last};
use wyrmgate_engine::eval::members;
use wyrmgate_engine::fault::Halt;
use wyrmgate_engine::frame::{END, FRAME_HEADER, RETURN_TO};
use wyrmgate_engine::layout::header;
use wyrmgate_engine::machine::{Machine, NextAction};
use wyrmgate_engine::rng::Label;
use wyrmgate_engine::see;
use wyrmgate_program::{Bits, Domain, ExprId, MaskId};

/// Runs the operation at this address; returns where to continue.
pub(crate) unsafe extern "C" fn perform(context: *mut Context, at: u32) -> i32 {
    with(context, |context, m| {
        let Some(op) = m.program.code.ops.get(at as usize) else {
            return GIVE_UP;
        };
        m.pc = at as usize + 1;
        advance(context, m, |m| m.perform(op))
    })
}

/// Returns the value of an expression in the running frame, with the lowest window of temps.
pub(crate) unsafe extern "C" fn value(context: *mut Context, expr: ExprId) -> i32 {
    with(context, |context, m| {
        let value = by_interpreter(context, m, |m| m.value(expr));
        value.unwrap_or_else(|_| {
            context.rest.failed = 1;
            0
        })
    })
}

/// Replaces the bits in `low` and `high` by those of them that are members of a mask.
pub(crate) unsafe extern "C" fn mask(context: *mut Context, mask: MaskId) {
    with(context, |context, m| {
        let among = Bits::from(context.members.high) << 64 | Bits::from(context.members.low);
        let bits = by_interpreter(context, m, |m| m.eval().members_among(mask, among));
        let bits = bits.unwrap_or_else(|_| {
            context.rest.failed = 1;
            0
        });
        (context.members.low, context.members.high) = (bits as u64, (bits >> 64) as u64);
    });
}

/// Pushes a frame of this many words, which are written afterwards. Returns a negative number if a limit is near.
pub(crate) unsafe extern "C" fn open(context: *mut Context, words: u32) -> i32 {
    with_game(context, |context, _, state| {
        let base = state.stack.len();
        if state.push_frame(words as usize).is_err() {
            return GIVE_UP;
        }
        state.set_head(header::BASE, base as i32);
        context.refresh_state(state, base);
        0
    })
}

/// Pushes a frame for an effect; its arguments are stored in the slots afterwards. Returns where its code begins.
pub(crate) unsafe extern "C" fn enter(context: *mut Context, effect: u32, return_to: i32) -> i32 {
    with_game(context, |context, program, state| {
        let Some(info) = program.effects.get(effect as usize) else {
            return GIVE_UP;
        };
        let (base, caller) = (state.stack.len(), context.frames.base as i32);
        let Ok(frame) = state.push_frame(FRAME_HEADER + usize::from(info.slots)) else {
            return GIVE_UP;
        };
        *frame = [return_to, caller, effect as i32];
        state.set_head(header::BASE, base as i32);
        context.refresh_state(state, base);
        info.entry as i32
    })
}

/// Ends the running effect; returns where to continue.
pub(crate) unsafe extern "C" fn leave(context: *mut Context) -> i32 {
    let left = with_game(context, |context, _, state| {
        let base = context.frames.base as usize;
        if state.slot(base + RETURN_TO) == END {
            return None;
        }
        let (return_to, caller) = state.pop_frame(base);
        state.set_head(header::BASE, caller as i32);
        context.refresh_state(state, caller);
        Some(return_to)
    });
    match left {
        Some(address) => address,
        // Nobody has called it.
        None => with(context, |context, m| {
            advance(context, m, Machine::return_from_effect)
        }),
    }
}

/// Lets the interpreter answer a question, on the budget of code.
pub(crate) fn by_interpreter<'m, T>(
    context: &mut Context,
    m: &mut Machine<'m>,
    ask: impl FnOnce(&mut Machine<'m>) -> T,
) -> T {
    context.write_back(m);
    let answer = ask(m);
    m.scratch.lists.clear();
    context.update_from(m);
    answer
}

/// Runs a step of the interpreter; returns where to continue.
fn advance<'m>(
    context: &mut Context,
    m: &mut Machine<'m>,
    act: impl FnOnce(&mut Machine<'m>) -> Result<NextAction, Halt>,
) -> i32 {
    context.write_back(m);
    let next = act(m);
    context.update_from(m);
    let pc = m.pc as i32;
    match next {
        Ok(NextAction::Go) => pc,
        Ok(NextAction::Rest) if m.state.is_finished() => OVER,
        Ok(NextAction::Rest) => {
            m.state.set_head(header::PC, pc);
            REST
        }
        Err(_) => GIVE_UP,
    }
}

/// Rolls a die with a random stream of its own; returns a number below `sides`.
pub(crate) unsafe extern "C" fn roll(context: *mut Context, sides: u32) -> u32 {
    number(context, Label::Roll, sides)
}

/// Makes a random choice with a random stream of its own; returns a number below `count`.
pub(crate) unsafe extern "C" fn draw(context: *mut Context, count: u32) -> u32 {
    number(context, Label::Choose, count)
}

/// Returns a random number from a stream of its own, without a machine.
fn number(context: *mut Context, label: Label, below: u32) -> u32 {
    let (context, lent) = parts_of(context);
    let Some(state) = lent.state() else {
        context.rest.failed = 1;
        return 0;
    };
    let count = state.draws_made();
    state.set_head(header::DRAWS, count.wrapping_add(1) as i32);
    context.ahead.below(&state.seed, label, count, below)
}

// ---- noting choices

/// Begins recording choices: nothing changes until [`end_looking`].
pub(crate) unsafe extern "C" fn begin_looking(context: *mut Context) {
    with(context, |_, m| m.scratch.memo.turn_on());
}

pub(crate) unsafe extern "C" fn end_looking(context: *mut Context) {
    with(context, |_, m| m.scratch.memo.turn_off());
}

/// Clears the choices recorded before.
pub(crate) unsafe extern "C" fn clear_menu(context: *mut Context) {
    with(context, |_, m| {
        m.scratch.memo.turn_on();
        if let Some(menu) = &mut m.menu {
            menu.clear();
        }
    });
}

/// Stores the possible values of a name in its buffer, in the order that the seat may know; returns their number.
pub(crate) unsafe extern "C" fn domain(
    context: *mut Context,
    seat: u32,
    site: u32,
    option: u32,
    name: u32,
) -> i32 {
    with(context, |context, m| {
        let site = m.program.sites.get(site as usize);
        let option = site.and_then(|site| site.options.get(option as usize));
        let Some(binder) = option.and_then(|option| option.binders.get(name as usize)) else {
            return GIVE_UP;
        };
        let members = by_interpreter(context, m, |m| m.eval().domain(seat as u8, binder));
        members.map_or(GIVE_UP, |members| context.put(name, &members))
    })
}

/// Records all choices of an option that begin with the values of these names, which are known; returns whether there are
/// any.
pub(crate) unsafe extern "C" fn note_rest(
    context: *mut Context,
    seat: u32,
    site: u32,
    option: u32,
    names: u32,
) -> i32 {
    with(context, |context, m| {
        let info = m.program.sites.get(site as usize);
        let info = info.and_then(|site| site.options.get(option as usize));
        let (Some(info), Some(menu)) = (info, m.menu.take()) else {
            return GIVE_UP;
        };
        let known = context.members.prefix.iter().take(names as usize);
        let mut prefix = Choice {
            option: option as u16,
            args: known.map(|value| BoundValue::One(*value)).collect(),
        };
        let any = by_interpreter(context, m, |m| {
            menu.note_rest(&mut m.eval(), seat as u8, info, &mut prefix)
        });
        m.menu = Some(menu);
        any.map_or(GIVE_UP, i32::from)
    })
}

/// The place of a name in the program.
pub(crate) struct NamePlace {
    pub site: u32,
    pub option: u32,
    pub name: u32,
}

/// Returns which of these possible values of a name are alike for the seat, if any are. The names before it stand for one
/// value each, which code has stored.
pub(crate) fn alike(
    context: &Context,
    m: &mut Machine<'_>,
    seat: u32,
    at: NamePlace,
    members: &[i32],
) -> Option<Alike> {
    let site = m.program.sites.get(at.site as usize)?;
    let binders = &site.options.get(at.option as usize)?.binders;
    let binder = binders.get(at.name as usize)?;
    let chosen = context.members.prefix.iter().take(at.name as usize);
    let chosen: SmallVec<[BoundValue; 4]> = chosen.map(|value| BoundValue::One(*value)).collect();
    m.eval()
        .alike(seat as u8, binder, (binders, &chosen), members)
}

/// Keeps only the possible values of a name that are listed as choices, which are the first ones of components that are
/// alike; returns how many remain. The values of earlier names are known.
pub(crate) unsafe extern "C" fn firsts(
    context: *mut Context,
    seat: u32,
    site: u32,
    option: u32,
    name: u32,
    first: *mut i32,
    count: u32,
) -> i32 {
    with(context, |context, m| {
        // SAFETY: «room for members»: code has stored `count` members from this address on, without gaps.
        let members = unsafe { std::slice::from_raw_parts_mut(first, count as usize) };
        let name = NamePlace { site, option, name };
        let Some(alike) = alike(context, m, seat, name, members) else {
            return count as i32;
        };
        let firsts = alike.firsts();
        for (place, first) in members.iter_mut().zip(&firsts) {
            *place = *first;
        }
        firsts.len() as i32
    })
}

/// Puts components that the seat cannot identify behind the others, as the interpreter does.
pub(crate) unsafe extern "C" fn put_hidden_last(
    context: *mut Context,
    seat: i32,
    first: *mut i32,
    count: u32,
) {
    with_game(context, |_, program, state| {
        // SAFETY: «room for members»: code has stored `count` members from this address on, without gaps.
        let members = unsafe { std::slice::from_raw_parts_mut(first, count as usize) };
        hidden_last(program, state, seat as u8, members);
    });
}

/// Returns whether the seat can identify the components in `low` and `high`.
pub(crate) unsafe extern "C" fn all_seen(context: *mut Context, seat: i32, first: i32) -> i32 {
    with(context, |context, m| {
        let bits = Bits::from(context.members.high) << 64 | Bits::from(context.members.low);
        let sees = |component| see::sees(m.program, m.state, seat as u8, component);
        i32::from(members(first, bits).all(sees))
    })
}

/// Records a group: the first names, then one of the members in `low` and `high`.
pub(crate) unsafe extern "C" fn note_bits(
    context: *mut Context,
    option: u32,
    names: u32,
    first: i32,
) {
    with(context, |context, m| {
        let bits = Bits::from(context.members.high) << 64 | Bits::from(context.members.low);
        let len = Bits::BITS as u16;
        let prefix = context.members.prefix.get(..names as usize);
        if let (Some(menu), Some(prefix)) = (&mut m.menu, prefix) {
            menu.note_group(
                option as u16,
                prefix,
                &Group::Bits(Domain { first, len }, bits),
            );
        }
    });
}

/// Records a group: the first names, then one of the members in the buffer; the names themselves for a negative number.
pub(crate) unsafe extern "C" fn note_list(
    context: *mut Context,
    option: u32,
    names: u32,
    count: i32,
) {
    with(context, |context, m| {
        let prefix = context.members.prefix;
        let prefix = prefix.get(..names as usize);
        let (Some(menu), Some(prefix)) = (&mut m.menu, prefix) else {
            return;
        };
        let group = match usize::try_from(count) {
            Ok(count) => match context.buffer(names, count) {
                Some(members) => Group::One(members),
                None => return,
            },
            Err(_) => Group::Itself,
        };
        menu.note_group(option as u16, prefix, &group);
    });
}

/// Ends recording; if declining is the only choice, nobody is asked.
pub(crate) unsafe extern "C" fn end_menu(context: *mut Context, any: i32) {
    with(context, |_, m| {
        m.scratch.memo.turn_off();
        if let Some(menu) = &mut m.menu {
            menu.end_noting(any != 0);
        }
    });
}
