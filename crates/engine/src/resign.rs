//! A seat resigns while the game rests: the rules change the position, and the seats that owe a decision are asked again.

use crate::chance::Seeded;
use crate::eval::Scratch;
use crate::event::Silent;
use crate::fault::{Fault, FaultKind, Halt};
use crate::frame::LEAVE;
use crate::layout::header;
use crate::machine::Machine;
use crate::outcome::EndReason;
use crate::sides::sides_left;
use crate::state::State;
use wyrmgate_program::{NONE, Op, Program, SEATS_MAX, SiteId};

/// Runs the effect of the rules for a seat, then asks again, and runs to the next rest. Answers that were given in secret to
/// the decision that is owed are forgotten, because they may not fit any more. If only one side is left, the rules go no
/// further: nothing is owed, and the caller must end the game.
pub fn resign(mut machine: Machine, seat: u8, reason: EndReason) -> Result<(), Fault> {
    machine.reason = reason;
    if suspend(&mut machine, seat).is_err() {
        return Err(machine.fault());
    }
    if sides_left(machine.program, machine.state).len() < 2 {
        return Ok(());
    }
    machine.run()
}

fn suspend(m: &mut Machine, seat: u8) -> Result<(), Halt> {
    let Some(resigning) = m.program.code.resigns else {
        return Err(m.scratch.halt(FaultKind::Program));
    };
    forget_answers(m);
    let suspended = Suspended::of(m.state);
    m.enter(resigning.effect, None, LEAVE)?;
    m.set_local(0, i32::from(seat));
    m.run_to_rest()?;
    if m.state.is_finished() {
        return Ok(());
    }
    if m.state.head(header::DEPTH) != suspended.depth() {
        return Err(m.scratch.halt(FaultKind::Decision));
    }
    suspended.restore(m.state);
    return_to_question(m);
    Ok(())
}

/// Asks a secret decision again of all its seats, as if nobody had answered.
pub fn ask_again(program: &Program, state: &mut State) -> Result<(), Fault> {
    let (mut scratch, mut chance, mut observer) = (Scratch::default(), Seeded, Silent);
    let mut machine = Machine::new(program, state, &mut scratch, &mut chance, &mut observer);
    forget_answers(&mut machine);
    return_to_question(&mut machine);
    machine.run()
}

/// The game goes on with the operation that asks.
fn return_to_question(m: &mut Machine) {
    m.state.set_head(header::SITE, NONE);
    m.state.set_head(header::OWING, 0);
    m.state.set_head(header::SECRET, 0);
    // The game rests behind the operation that asks.
    m.pc = (m.state.head(header::PC).max(1) - 1) as usize;
    m.base = m.state.head(header::BASE).max(0) as usize;
}

/// Removes the lists that seats have chosen in secret from the stack. The operation that asks clears the rest.
fn forget_answers(m: &mut Machine) {
    let site = SiteId::try_from(m.state.head(header::SITE)).ok();
    let asked = m.program.code.ops.get(m.pc.saturating_sub(1));
    let (Some(site), Some(Op::ChooseEach { .. })) =
        (site.and_then(|site| m.program.site(site)), asked)
    else {
        return;
    };
    let lists = site.answers().filter(|(_, is_list)| *is_list);
    let slots = lists.flat_map(|(first, _)| {
        (0..SEATS_MAX as u16).map(move |seat| first.saturating_add(2 * seat))
    });
    let chosen = slots.filter(|slot| m.local(slot.saturating_add(1)) > 0);
    let first = chosen.map(|slot| m.local(slot).max(0) as usize).min();
    if let Some(first) = first {
        m.state.stack.truncate(m.base.saturating_add(first));
    }
}

/// The part of the header about the suspended frames.
pub struct Suspended([i32; header::LEN]);

impl Suspended {
    const WORDS: [usize; 6] = [
        header::PC,
        header::BASE,
        header::DEPTH,
        header::SITE,
        header::OWING,
        header::SECRET,
    ];

    pub fn of(state: &State) -> Suspended {
        Suspended(std::array::from_fn(|word| state.head(word)))
    }

    pub fn depth(&self) -> i32 {
        self.0.get(header::DEPTH).copied().unwrap_or_default()
    }

    pub fn restore(&self, state: &mut State) {
        for word in Self::WORDS {
            if let Some(&value) = self.0.get(word) {
                state.set_head(word, value);
            }
        }
    }
}
