//! Machine code of a program: one function for each effect, made by Cranelift in memory that is first written and then
//! executed, never both (that is the care of `cranelift-jit`).

use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{ModuleError, default_libcall_names};

use super::context::Context;
use super::define::{Made, define};
use super::facts::Facts;
use super::stretch::{Stretch, stretches};
use crate::layout::Layout;
use wyrmgate_program::Program;

/// An effect's code: from the context, the number of an entry and that of a choice (where one is taken) to what is next,
/// an address or one of [`super::context::REST`], [`super::context::OVER`], [`super::context::GIVE_UP`].
pub(super) type Function = unsafe extern "C" fn(*mut Context, i32, u32) -> i32;

/// Programs with more operations are left to the interpreter: translating them takes too long.
const OPS_MAX: usize = 4_000;

/// Where execution can begin.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub function: Function,
    pub number: i32,
    /// Slots of the frame that the code works in.
    pub slots: usize,
}

/// The machine code of a program.
pub(super) struct Code {
    /// By address, where code can be entered there.
    pub entries: Vec<Option<Entry>>,
    /// By site where several seats decide: notes the choices of one of them.
    pub looks: Vec<Option<Entry>>,
    /// By site whose choices are noted as bits: goes on with one of them, by the number of its bit.
    pub takings: Vec<Option<Entry>>,
    /// The memory of the code; taken when that is given back.
    module: Option<JITModule>,
    /// Read by the code: as long as it is there, so are they.
    _facts: Box<Facts>,
}

impl Drop for Code {
    fn drop(&mut self) {
        self.entries.clear();
        self.looks.clear();
        self.takings.clear();
        if let Some(module) = self.module.take() {
            // SAFETY: «code is entered through its owner»: pointers to functions are in `entries`, `looks` and
            // `takings` alone, which are now empty, and whoever runs one borrows this.
            unsafe { module.free_memory() };
        }
    }
}

/// Why a program stays with the interpreter.
#[derive(Debug)]
pub(super) enum Refused {
    TooLarge,
    Incomplete,
    Machine,
}

impl From<ModuleError> for Refused {
    fn from(_: ModuleError) -> Refused {
        Refused::Machine
    }
}

impl Code {
    pub fn of(program: &Program, layout: &Layout) -> Result<Code, Refused> {
        if program.quick.is_empty() || program.quick.len() > OPS_MAX {
            return Err(Refused::TooLarge);
        }
        let facts = Box::new(Facts::of(program));
        let mut module = module()?;
        let stretches = stretches(program);
        let mut made: Vec<(Stretch, Made)> = Vec::new();
        let mut builder = FunctionBuilderContext::new();
        for stretch in stretches {
            // An effect that cannot be translated is left to the interpreter.
            match define(&mut module, &mut builder, program, layout, &facts, &stretch) {
                Ok(function) => made.push((stretch, function)),
                Err(Refused::Incomplete) => builder = FunctionBuilderContext::new(),
                Err(refused) => return Err(refused),
            }
        }
        module.finalize_definitions()?;
        let mut entries = vec![None; program.quick.len()];
        let mut looks = vec![None; program.sites.len()];
        let mut takings = looks.clone();
        for (stretch, made) in made {
            let address = module.get_finalized_function(made.function);
            // SAFETY: «code has this signature»: the function was declared with it in `define`.
            let function = unsafe { std::mem::transmute::<*const u8, Function>(address) };
            let entry = |number| Entry {
                function,
                number,
                slots: usize::from(stretch.slots),
            };
            for (number, at) in (0..).zip(&stretch.entries) {
                if let Some(place) = entries.get_mut(*at as usize) {
                    *place = Some(entry(number));
                }
            }
            let numbers = stretch.entries.len() as i32..;
            let looks_made = made.looks.len();
            let doors = made.looks.into_iter().chain(made.takings);
            for ((number, door), at) in numbers.zip(doors).zip(0..) {
                let of_kind = if at < looks_made {
                    &mut looks
                } else {
                    &mut takings
                };
                let place = of_kind.get_mut(usize::from(door.site));
                if let Some(place) = place.filter(|_| door.is_made) {
                    *place = Some(entry(number));
                }
            }
        }
        Ok(Code {
            entries,
            looks,
            takings,
            module: Some(module),
            _facts: facts,
        })
    }
}

fn module() -> Result<JITModule, Refused> {
    let mut flags = settings::builder();
    let all = [
        ("opt_level", "speed"),
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
    ];
    for (name, value) in all {
        flags.set(name, value).map_err(|_| Refused::Machine)?;
    }
    let isa = cranelift_native::builder().map_err(|_| Refused::Machine)?;
    let isa = isa
        .finish(settings::Flags::new(flags))
        .map_err(|_| Refused::Machine)?;
    Ok(JITModule::new(JITBuilder::with_isa(
        isa,
        default_libcall_names(),
    )))
}
