//! Many games of one program, one after the other, in the same memory: once it is warm, no step allocates.

use crate::engine::chance::Seeded;
use crate::engine::choice::Pending;
use crate::engine::choices::{Menu, Picked};
use crate::engine::eval::Scratch;
use crate::engine::event::Silent;
use crate::engine::fault::{Fault, FaultKind, Halt};
use crate::engine::limit::FUEL_PER_ENUMERATION;
use crate::engine::machine::Machine;
#[cfg(feature = "native")]
use crate::engine::native::Native;
use crate::engine::play::{answer, begin, blank, owed_seats};
use crate::engine::state::State;
use crate::program::Program;

/// Plays without being watched: choices are counted and taken by number, nobody is told of events.
///
/// ```text
/// let mut runner = Runner::new(&program)?;
/// runner.begin(seed)?;
/// while let Some(decision) = runner.pending() {
///     let count = runner.count()?;
///     runner.take(bot.below(count))?;
/// }
/// ```
pub struct Runner<'p> {
    program: &'p Program,
    /// A state in which nothing has happened yet.
    blank: State,
    state: State,
    scratch: Scratch,
    menu: Menu,
    picked: Picked,
    #[cfg(feature = "native")]
    native: Translated,
}

/// Games begun or taken up before a program is translated: whoever plays a few does not wait for it.
#[cfg(feature = "native")]
const GAMES_BEFORE: u32 = 32;

/// Machine code, where it is worth its making.
#[cfg(feature = "native")]
enum Translated {
    /// After so many more games.
    In(u32),
    Done(Box<Native>),
    /// The program or the machine is not made for it.
    Never,
}

impl<'p> Runner<'p> {
    /// No game has begun yet: what [`Runner::state`] shows is not at rest.
    pub fn new(program: &'p Program) -> Result<Runner<'p>, Fault> {
        let blank = blank(program, [0; 32])?;
        Ok(Runner {
            program,
            state: blank.clone(),
            blank,
            scratch: Scratch::default(),
            menu: Menu::default(),
            picked: Picked::default(),
            #[cfg(feature = "native")]
            native: Translated::In(GAMES_BEFORE),
        })
    }

    /// Begins another game and runs it to its first rest, as [`crate::engine::start`] does.
    pub fn begin(&mut self, seed: [u8; 32]) -> Result<(), Fault> {
        #[cfg(feature = "native")]
        self.count_game();
        self.state.renew(&self.blank, seed);
        self.menu.clear();
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let (chance, nobody) = (&mut Seeded, &mut Silent);
        let mut machine = Machine::new(self.program, state, scratch, chance, nobody);
        machine.menu = Some(&mut self.menu);
        #[cfg(feature = "native")]
        if let Translated::Done(native) = &mut self.native {
            return native
                .begin(machine)
                .map_or_else(|| self.begin_slowly(), Ok);
        }
        begin(machine)
    }

    /// Translates the program to machine code now, which is done anyway once enough games have been played. Answers
    /// whether there is such code: not all programs and machines are made for it.
    #[cfg(feature = "native")]
    pub fn translate(&mut self) -> bool {
        if let Translated::In(_) = self.native {
            self.native = match Native::of(self.program) {
                Some(native) => Translated::Done(Box::new(native)),
                None => Translated::Never,
            };
        }
        matches!(self.native, Translated::Done(_))
    }

    /// Leaves all to the interpreter, for good: for comparisons.
    #[cfg(feature = "native")]
    pub fn interpret(&mut self) {
        self.native = Translated::Never;
    }

    #[cfg(feature = "native")]
    fn count_game(&mut self) {
        match &mut self.native {
            Translated::In(0) => {
                self.translate();
            }
            Translated::In(games) => *games -= 1,
            Translated::Done(_) | Translated::Never => {}
        }
    }

    #[cfg(feature = "native")]
    fn begin_slowly(&mut self) -> Result<(), Fault> {
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let (chance, nobody) = (&mut Seeded, &mut Silent);
        let mut machine = Machine::new(self.program, state, scratch, chance, nobody);
        machine.menu = Some(&mut self.menu);
        begin(machine)
    }

    /// Goes on from a state at rest.
    pub fn take_up(&mut self, state: &State) {
        #[cfg(feature = "native")]
        self.count_game();
        self.state.become_as(state);
        self.menu.clear();
    }

    /// The game as it stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The first decision owed; `None` when the game is over.
    pub fn pending(&self) -> Option<Pending> {
        owed_seats(&self.state).next()
    }

    /// How many choices the first decision owed has; `u64::MAX` stands for at least so many.
    pub fn count(&mut self) -> Result<u64, Fault> {
        self.look()?;
        Ok(self.menu.count())
    }

    /// The number of one of the choices, all equally likely: `draw(n)` answers a number in `0..n`. Draws as
    /// [`crate::engine::random_choice`] does.
    pub fn draw(&mut self, draw: &mut dyn FnMut(u64) -> u64) -> Result<u64, Fault> {
        self.look()?;
        Ok(self.menu.draw(draw))
    }

    /// Answers the first decision owed with choice `number`, of less than the count, and runs to the next rest.
    pub fn take(&mut self, number: u64) -> Result<(), Fault> {
        self.look()?;
        #[cfg(feature = "native")]
        {
            if self.take_at_once(number).is_some() {
                return Ok(());
            }
            // Whoever gave up has forgotten the choices.
            self.look()?;
        }
        let Some(owed) = self.pending() else {
            return Ok(());
        };
        self.menu.pick(number, &mut self.picked);
        self.menu.clear();
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let (chance, nobody) = (&mut Seeded, &mut Silent);
        let mut machine = Machine::new(self.program, state, scratch, chance, nobody);
        machine.menu = Some(&mut self.menu);
        #[cfg(feature = "native")]
        if let Translated::Done(native) = &mut self.native {
            let played = native.answer(machine, owed, &self.picked);
            return played.map_or_else(|| self.take_slowly(owed), Ok);
        }
        answer(machine, owed, &self.picked)
    }

    /// Takes a choice that needs no looking up; `None`: nothing has happened.
    #[cfg(feature = "native")]
    fn take_at_once(&mut self, number: u64) -> Option<()> {
        let Translated::Done(native) = &mut self.native else {
            return None;
        };
        let site = self.state.only_site()?;
        let choice = self.menu.choice(number)?;
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let (chance, nobody) = (&mut Seeded, &mut Silent);
        let mut machine = Machine::new(self.program, state, scratch, chance, nobody);
        machine.menu = Some(&mut self.menu);
        native.take(machine, site, choice)
    }

    #[cfg(feature = "native")]
    fn take_slowly(&mut self, owed: Pending) -> Result<(), Fault> {
        let (state, scratch) = (&mut self.state, &mut self.scratch);
        let (chance, nobody) = (&mut Seeded, &mut Silent);
        let mut machine = Machine::new(self.program, state, scratch, chance, nobody);
        machine.menu = Some(&mut self.menu);
        answer(machine, owed, &self.picked)
    }

    /// Notes the choices of the first decision owed, if that was not done when the game came to it.
    fn look(&mut self) -> Result<(), Fault> {
        if self.menu.is_ready() {
            return Ok(());
        }
        let Some(owed) = self.pending() else {
            return Ok(());
        };
        let Some(site) = self.program.sites.get(usize::from(owed.site)) else {
            return Ok(());
        };
        let (menu, scratch) = (&mut self.menu, &mut self.scratch);
        scratch.refill(FUEL_PER_ENUMERATION, FaultKind::Enumeration);
        let noted = crate::engine::choices::look_with(self.program, &self.state, scratch, |eval| {
            menu.note(eval, site, owed.seat)
        });
        noted.map_err(|Halt| self.scratch.take_fault())
    }
}
