//! What the driver must know of a decision to take one of its choices.

use crate::choices::kind::{RecordingKind, kind_of};
use crate::function::code::FunctionEntries;
use crate::memory::context::EntryPoint;
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_program::{Local, Program, Site};

/// Facts about a site that are needed to take a choice.
pub(crate) struct SiteShape {
    pub kind: RecordingKind,
    pub targets: Vec<OptionTarget>,
    /// Continues with a choice, by the position of its bit if choices are bits, and by its number in rows: there is one row then.
    pub taking: Option<EntryPoint>,
    /// Records the choices of one of several seats that decide.
    pub look: Option<EntryPoint>,
}

/// The target of an option.
pub(crate) struct OptionTarget {
    pub entry: Option<EntryPoint>,
    /// The slots for the values of its names.
    pub slots: Vec<usize>,
}

impl SiteShape {
    pub fn of(
        program: &Program,
        number: usize,
        site: &Site,
        entries: &FunctionEntries,
    ) -> SiteShape {
        let slot = |local: Local| FRAME_HEADER + usize::from(local);
        let targets = site.options.iter().map(|option| OptionTarget {
            entry: entries
                .by_address
                .get(option.target as usize)
                .copied()
                .flatten(),
            slots: option.binders.iter().map(|name| slot(name.local)).collect(),
        });
        SiteShape {
            kind: kind_of(program, site),
            targets: targets.collect(),
            taking: entries.takings.get(number).copied().flatten(),
            look: entries.looks.get(number).copied().flatten(),
        }
    }
}
