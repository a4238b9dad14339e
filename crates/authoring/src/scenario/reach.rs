//! The lines of the rules that the scenarios of a game reach.

use std::collections::{BTreeMap, BTreeSet};

use crate::debugger::is_silent;
use wyrmgate_base::diagnostic::{FileId, Sources, Span};
use wyrmgate_engine::{At, Event, Observer};
use wyrmgate_program::{Address, Program};

/// Notes which operations run.
#[derive(Debug, Default)]
pub struct OperationNotes {
    ran: BTreeSet<Address>,
}

impl Observer for OperationNotes {
    fn operation(&mut self, at: At<'_>) {
        self.ran.insert(at.address);
    }

    fn wants_events(&self) -> bool {
        false
    }

    fn event(&mut self, _event: Event) {}
}

/// The statements of all programs that scenarios play, and those that ran.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    all: BTreeSet<Span>,
    ran: BTreeSet<Span>,
}

impl Reach {
    pub fn add(&mut self, program: &Program, steps: &OperationNotes) {
        for (address, (span, op)) in (0..).zip(program.code.spans.iter().zip(&program.code.ops)) {
            if is_silent(op) {
                continue;
            }
            self.all.insert(*span);
            if steps.ran.contains(&address) {
                self.ran.insert(*span);
            }
        }
    }

    /// Returns the lines on which statements begin, counted from 1, and whether any of them ran.
    pub fn lines(&self, sources: &Sources) -> BTreeMap<(FileId, usize), bool> {
        let mut lines = BTreeMap::new();
        for span in &self.all {
            let (line, _) = sources.line_column(span.file, span.start);
            let ran = self.ran.contains(span);
            *lines.entry((span.file, line)).or_default() |= ran;
        }
        lines
    }
}
