//! Why a game in the terminal ended before its end.

use crate::cli::Stop;
use crate::engine::{Fault, StepError};
use crate::view::Stopped;

/// Why a game did not reach its end.
#[derive(Debug)]
pub(super) enum End {
    Stop(Stop),
    Stopped(Stopped),
}

wyrmgate_base::from_variants!(End { Stop: Stop, std::io::Error; Stopped: Stopped, Fault, StepError });
