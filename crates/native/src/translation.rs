//! The machine code of a program with all that it refers to: created once, kept with the program, shared by all games.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::choices::select::Select;
use crate::function::code::MachineCode;
use crate::function::shape::SiteShape;
use wyrmgate_base::stack::with_room;
use wyrmgate_engine::layout::StateLayout;
use wyrmgate_program::Program;

/// The number of choices per operation of the program that the interpreter takes before the program is translated. The
/// time of a translation grows with the operations, too.
const CHOICES_PER_OPERATION: usize = 2;

/// Machine code that any number of threads may run at once, each with its own context.
pub struct Translation {
    pub(crate) code: MachineCode,
    pub(crate) layout: StateLayout,
    /// By site.
    pub(crate) shapes: Vec<SiteShape>,
    pub(crate) select: Select,
    /// The number of cached masks.
    pub(crate) kept: usize,
    /// The translated program. Code refers to its tables.
    _program: Box<Program>,
}

// SAFETY: «finished code is only read»: nothing changes code, facts or the program after they were made; what code
// writes belongs to a context, and every thread has its own.
unsafe impl Send for Translation {}
// SAFETY: as above.
unsafe impl Sync for Translation {}

/// The translation of a program, as far as it is done.
#[derive(Default)]
struct TranslationProgress {
    /// The choices that the interpreter has taken or listed meanwhile.
    choices: AtomicUsize,
    /// `None` inside if the program or this machine is not supported.
    done: OnceLock<Option<Arc<Translation>>>,
}

/// Whether this process translates programs at all.
static IS_ON: AtomicBool = AtomicBool::new(true);

/// Switches machine code on or off for all programs that are not translated yet.
pub fn use_machine_code(is_on: bool) {
    IS_ON.store(is_on, Ordering::Relaxed);
}

/// Returns whether programs are translated in this process.
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

impl Translation {
    /// Returns the machine code of a program and keeps it there. The first caller translates, which takes up to a tenth
    /// of a second; others wait. `None` if the program or this machine is not supported.
    pub fn of(program: &Program) -> Option<Arc<Translation>> {
        let place = place(program)?;
        let done = place
            .done
            .get_or_init(|| translated(Box::new(program.clone())));
        done.clone()
    }

    /// Returns the result of a program's translation, if it has ended. The interpreter has taken or listed `choices` more
    /// meanwhile; after many, the translation begins in the background.
    pub fn after(program: &Program, choices: usize) -> Option<Option<Arc<Translation>>> {
        let place = place(program)?;
        if let Some(done) = place.done.get() {
            return Some(done.clone());
        }
        let before = place.choices.fetch_add(choices, Ordering::Relaxed);
        let enough = program.code.ops.len() * CHOICES_PER_OPERATION;
        if is_on() && (before..before + choices).contains(&enough) {
            let program = Box::new(program.clone());
            let translate = move || {
                place.done.get_or_init(|| translated(program));
            };
            // If no thread can be started, the game stays in the interpreter.
            let _ = thread::Builder::new()
                .name("translation".into())
                .spawn(translate);
        }
        None
    }
}

fn place(program: &Program) -> Option<Arc<TranslationProgress>> {
    let make = || -> Arc<dyn Any + Send + Sync> { Arc::new(TranslationProgress::default()) };
    let place = program.caches.translation.get_or_init(make);
    Arc::clone(place).downcast().ok()
}

fn translated(program: Box<Program>) -> Option<Arc<Translation>> {
    let layout = StateLayout::of(&program);
    let code = with_room(|| MachineCode::of(&program, &layout)).ok()?;
    let sites = program.sites.iter().enumerate();
    let shapes = sites.map(|(number, site)| SiteShape::of(&program, number, site, &code.entries));
    Some(Arc::new(Translation {
        layout,
        shapes: shapes.collect(),
        select: Select::fastest(),
        kept: usize::from(program.room.kept),
        code,
        _program: program,
    }))
}
