//! Games in process, for Python: the module `wyrmgate._native`.

mod batch;
mod convert;
mod game;
mod interrupt;
mod played;
mod runners;
mod state;
mod tree;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::convert::{Broken, Stopped};
    #[pymodule_export]
    use super::game::{CheckedRules, Game};
    #[pymodule_export]
    use super::state::GamePosition;
    #[pymodule_export]
    use super::tree::TreeNode;
}
