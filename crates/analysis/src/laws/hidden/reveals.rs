//! Values that the rules reveal on purpose, compared in two worlds, and how often they mattered.

use wyrmgate_engine::{Revelation, Viewer};
use wyrmgate_program::{NONE, Program};

/// By number of a `revealed(…)` of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reveals {
    rows: Vec<Revealed>,
}

/// How often a `revealed(…)` was met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Revealed {
    /// Times that it was evaluated in a world that was compared with another one.
    pub used: u64,
    /// Pairs of worlds that it told apart: without it there would have been something to report, or nothing to see.
    pub told_apart: u64,
}

impl Revealed {
    pub fn add(&mut self, other: Revealed) {
        self.used += other.used;
        self.told_apart += other.told_apart;
    }
}

impl Reveals {
    pub fn of(program: &Program) -> Reveals {
        Reveals {
            rows: vec![Revealed::default(); program.origins.reveals.len()],
        }
    }

    pub fn rows(&self) -> &[Revealed] {
        &self.rows
    }

    pub fn add(&mut self, other: &Reveals) {
        let len = self.rows.len().max(other.rows.len());
        self.rows.resize(len, Revealed::default());
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.add(*other);
        }
    }

    fn row(&mut self, revelation: &Revelation) -> Option<&mut Revealed> {
        self.rows.get_mut(usize::from(revelation.number))
    }
}

/// Was nothing revealed to this viewer in one world that was revealed otherwise in the other? Where something was revealed in one
/// world only, the worlds have gone different ways for another reason, which does not excuse a difference.
pub(super) fn agree(
    viewer: Viewer,
    here: &[Revelation],
    there: &[Revelation],
    reveals: &mut Reveals,
) -> bool {
    let is_for = |it: &&Revelation| {
        let seat = u8::try_from(it.to).map(Viewer::Seat);
        it.to == NONE || seat == Ok(viewer)
    };
    for one in here {
        if let Some(row) = reveals.row(one) {
            row.used += 1;
        }
    }
    if here == there {
        return true;
    }
    let mut rest: Vec<&Revelation> = there.iter().filter(is_for).collect();
    for one in here.iter().filter(is_for) {
        let same = |other: &&Revelation| other.number == one.number && other.to == one.to;
        let Some(at) = rest.iter().position(same) else {
            continue;
        };
        if rest.remove(at).value != one.value {
            if let Some(row) = reveals.row(one) {
                row.told_apart += 1;
            }
            return false;
        }
    }
    true
}
