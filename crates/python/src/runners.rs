//! The engine's runners, which play in machine code: a few for each thread, the one used last first.

use std::cell::RefCell;
use std::sync::Arc;

use self_cell::self_cell;
use wyrmgate_engine::Fault;
use wyrmgate_program::Program;

use wyrmgate_runner::Runner;

/// The number of games whose runners each thread keeps.
const READY_MAX: usize = 8;

self_cell!(
    struct Owned {
        owner: Arc<Program>,
        #[not_covariant]
        dependent: RunnerOf,
    }
);

struct RunnerOf<'p>(Runner<'p>);

thread_local! {
    static READY: RefCell<Vec<Owned>> = const { RefCell::new(Vec::new()) };
}

/// Lends the runner of a program. The state that the caller leaves in the runner is lost.
pub fn with_runner<T>(
    program: &Arc<Program>,
    work: impl FnOnce(&mut Runner<'_>) -> T,
) -> Result<T, Fault> {
    READY.with_borrow_mut(|ready| {
        let is_of = |owned: &Owned| Arc::ptr_eq(owned.borrow_owner(), program);
        match ready.iter().position(is_of) {
            Some(0) => {}
            Some(at) => ready.swap(0, at),
            None => {
                let made = Owned::try_new(Arc::clone(program), |program| {
                    Runner::new(program).map(RunnerOf)
                })?;
                ready.truncate(READY_MAX - 1);
                ready.insert(0, made);
            }
        }
        let fault = Fault {
            kind: wyrmgate_engine::FaultKind::Program,
            span: None,
        };
        let owned = ready.first_mut().ok_or(fault)?;
        Ok(owned.with_dependent_mut(|_, runner| work(&mut runner.0)))
    })
}
