//! Running machine code from one rest to the next, and what to do when it gives up.

use super::code::{Code, Refused};
use super::context::{BUFFERS_MAX, Context, GIVE_UP, MEMBERS_MAX, REST};
use crate::engine::choice::{Answer, Pending};
use crate::engine::layout::{Layout, header};
use crate::engine::limit::{FUEL_PER_ENUMERATION, FUEL_PER_MOVE};
use crate::engine::machine::{Machine, Next};
use crate::engine::ops::deciding;
use crate::engine::play;
use crate::engine::state::State;
use crate::program::{Bits, NONE, Program};

/// A program's machine code, and what running it needs.
pub(crate) struct Native {
    code: Code,
    layout: Layout,
    context: Context,
    /// Answers of masks that are kept; see [`Context::kept`].
    kept: Vec<[u64; 4]>,
    /// See [`Context::members`].
    members: Vec<i32>,
    /// The state as it was when the move began.
    before: Saved,
}

struct Saved {
    words: Vec<i32>,
    stack: Vec<i32>,
}

/// Words of suspended effects that there is room for from the beginning, so that no move has to ask for more.
const STACK_ROOM: usize = 4_096;

/// Machine code has given up, and the state is not to be used.
struct GaveUp;

impl Native {
    /// `None` if this machine or this program is not made for it.
    pub fn of(program: &Program) -> Option<Native> {
        let layout = Layout::of(program);
        let before = Saved {
            words: Vec::with_capacity(layout.words()),
            stack: Vec::with_capacity(STACK_ROOM),
        };
        let code: Result<Code, Refused> = Code::of(program, &layout);
        Some(Native {
            code: code.ok()?,
            layout,
            context: Context::new(),
            // Nothing changes so often.
            kept: vec![[u64::MAX, 0, 0, 0]; usize::from(program.kept)],
            members: vec![0; BUFFERS_MAX * MEMBERS_MAX],
            before,
        })
    }

    /// Plays a move by an option and the value of its only name, if it has one. `None`: as for [`Native::answer`].
    pub fn take(
        &mut self,
        mut machine: Machine<'_>,
        site: u16,
        (option, value): (u16, Option<i32>),
    ) -> Option<()> {
        let program = machine.program;
        let site = program.sites.get(usize::from(site))?;
        let option = site.options.get(usize::from(option))?;
        self.save(machine.state);
        machine.looking = FUEL_PER_ENUMERATION - FUEL_PER_MOVE;
        if let Some(menu) = &mut machine.menu {
            menu.clear();
        }
        let state = &mut *machine.state;
        let decisions = state.head(header::DECISIONS).wrapping_add(1);
        state.set_head(header::DECISIONS, decisions);
        state.set_head(header::OWING, 0);
        state.set_head(header::SITE, NONE);
        if let (Some(value), [name]) = (value, option.binders.as_slice()) {
            machine.set_local(name.local, value);
        }
        machine.pc = option.target as usize;
        let counted = machine.count_event().map_err(|_| GaveUp);
        let played = counted.and_then(|()| self.run(&mut machine));
        self.settle(machine, played)
    }

    /// Plays a move: takes the answer and runs to the next rest. `None`: the state is as before, and the interpreter has
    /// to play it.
    pub fn answer(
        &mut self,
        mut machine: Machine<'_>,
        owed: Pending,
        answer: &impl Answer,
    ) -> Option<()> {
        self.save(machine.state);
        machine.looking = FUEL_PER_ENUMERATION - FUEL_PER_MOVE;
        let played = match deciding::answer(&mut machine, owed.site, owed.seat, answer) {
            Ok(Next::Go) => self.run(&mut machine),
            Ok(Next::Rest) => Ok(()),
            Err(_) => Err(GaveUp),
        };
        self.settle(machine, played)
    }

    /// Runs a game in which nothing has happened to its first rest.
    pub fn begin(&mut self, mut machine: Machine<'_>) -> Option<()> {
        self.save(machine.state);
        machine.looking = FUEL_PER_ENUMERATION - FUEL_PER_MOVE;
        let played = match play::enter(&mut machine) {
            Ok(()) => self.run(&mut machine),
            Err(_) => Err(GaveUp),
        };
        self.settle(machine, played)
    }

    fn save(&mut self, state: &State) {
        self.before.words.clone_from(&state.words);
        self.before.stack.clone_from(&state.stack);
    }

    fn settle(&mut self, machine: Machine<'_>, played: Result<(), GaveUp>) -> Option<()> {
        if played.is_ok() {
            return Some(());
        }
        let Machine { state, menu, .. } = machine;
        state.go_back(&self.before.words, &self.before.stack);
        if let Some(menu) = menu {
            menu.clear();
        }
        None
    }

    /// Runs until the next rest, and notes there where to go on.
    fn run(&mut self, m: &mut Machine<'_>) -> Result<(), GaveUp> {
        if m.state.words.len() != self.layout.words() {
            return Err(GaveUp);
        }
        m.scratch.make_room(self.layout.temps);
        self.context.kept = self.kept.as_mut_ptr();
        self.context.members = self.members.as_mut_ptr();
        (self.context.site, self.context.failed) = (NONE, 0);
        self.context.take_over(m);
        self.run_to_rest(m)?;
        let context = &self.context;
        if context.failed != 0 || context.fuel < 0 || context.events < 0 {
            return Err(GaveUp);
        }
        context.hand_over(m);
        m.pc = context.pc.max(0) as usize;
        if m.state.is_finished() {
            (m.pc, m.base) = (0, 0);
        }
        m.state.set_head(header::PC, m.pc as i32);
        m.state.set_head(header::BASE, m.base as i32);
        self.note_choices(m);
        Ok(())
    }

    fn run_to_rest(&mut self, m: &mut Machine<'_>) -> Result<(), GaveUp> {
        let mut pc = m.pc as i32;
        loop {
            if self.context.fuel < 0 || self.context.events < 0 {
                return Err(GaveUp);
            }
            let at = usize::try_from(pc).map_err(|_| GaveUp)?;
            let entry = self.code.entries.get(at).copied().flatten();
            let entry = entry.filter(|entry| m.has_frame(entry.slots));
            let next = match entry {
                Some(entry) => {
                    self.context.machine = std::ptr::from_mut(m).cast();
                    let context = &raw mut self.context;
                    // SAFETY: «one context», «the machine waits» (until this returns), «all slots are there» and
                    // «words as the layout says» (both have just been tested), «code is entered through its owner».
                    unsafe { (entry.function)(context, entry.number) }
                }
                None => {
                    self.context.fuel -= 1;
                    self.context.machine = std::ptr::from_mut(m).cast();
                    super::helper::perform(&raw mut self.context, at as u32)
                }
            };
            match next {
                REST => return Ok(()),
                GIVE_UP => return Err(GaveUp),
                next => pc = next,
            }
        }
    }

    /// What native code has found to choose from.
    fn note_choices(&self, m: &mut Machine<'_>) {
        let Ok(site) = u16::try_from(self.context.site) else {
            return;
        };
        let bits = Bits::from(self.context.high) << 64 | Bits::from(self.context.low);
        let site = m.program.sites.get(usize::from(site));
        if let (Some(menu), Some(site)) = (&mut m.menu, site) {
            menu.note_bits(m.program, site, bits);
        }
    }
}
