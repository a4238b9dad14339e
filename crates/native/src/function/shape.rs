//! What the driver must know of a decision to take one of its choices.

use crate::choices::kind::{Kind, kind_of};
use crate::function::code::Entries;
use crate::memory::context::Entry;
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_program::{Local, Program, Site};

/// Facts about a site that are needed to take a choice.
pub(crate) struct Shape {
    pub kind: Kind,
    pub targets: Vec<Target>,
    /// Continues with a choice, by the position of its bit if choices are bits, and by its number in rows: there is one row then.
    pub taking: Option<Entry>,
    /// Records the choices of one of several seats that decide.
    pub look: Option<Entry>,
}

/// The target of an option.
pub(crate) struct Target {
    pub entry: Option<Entry>,
    /// The slots for the values of its names.
    pub slots: Vec<usize>,
}

impl Shape {
    pub fn of(program: &Program, number: usize, site: &Site, entries: &Entries) -> Shape {
        let slot = |local: Local| FRAME_HEADER + usize::from(local);
        let targets = site.options.iter().map(|option| Target {
            entry: entries
                .by_address
                .get(option.target as usize)
                .copied()
                .flatten(),
            slots: option.binders.iter().map(|name| slot(name.local)).collect(),
        });
        Shape {
            kind: kind_of(program, site),
            targets: targets.collect(),
            taking: entries.takings.get(number).copied().flatten(),
            look: entries.looks.get(number).copied().flatten(),
        }
    }
}
