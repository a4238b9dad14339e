//! Walks through a recorded game, forward and back.

use std::collections::BTreeSet;

use super::tape::{Moment, Tape};
use wyrmgate_base::diagnostic::{FileId, Sources, Span};
use wyrmgate_program::{ClauseId, Program};

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// To the next statement, also in an effect that this one calls.
    Into,
    /// To the next statement of this effect, or of its caller.
    Over,
    /// To the caller.
    Out,
    /// To the next place that the author marked.
    On,
}

/// Where a walk has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    Step,
    /// At a place that the author marked.
    Mark,
    /// There is nothing before or behind it.
    End,
}

/// A place in a recorded game.
#[derive(Debug)]
pub struct Walk<'t> {
    tape: &'t Tape,
    program: &'t Program,
    sources: &'t Sources,
    stops: Vec<usize>,
    /// Index in `stops`.
    at: usize,
    lines: BTreeSet<(u16, usize)>,
    clauses: BTreeSet<ClauseId>,
}

impl<'t> Walk<'t> {
    /// Begins at the first statement. `None` if nothing was recorded.
    pub fn new(tape: &'t Tape, program: &'t Program, sources: &'t Sources) -> Option<Walk<'t>> {
        let stops = tape.stops(program);
        (!stops.is_empty()).then_some(Walk {
            tape,
            program,
            sources,
            stops,
            at: 0,
            lines: BTreeSet::new(),
            clauses: BTreeSet::new(),
        })
    }

    /// Returns the moment at which the walk stands.
    pub fn here(&self) -> Option<&'t Moment> {
        self.moment(self.at)
    }

    /// Returns the number of events before this moment.
    pub fn events_before(&self) -> usize {
        self.here().map_or(0, |moment| moment.events)
    }

    /// Marks the lines of a file, counted from 1, instead of those marked before. Returns for each line the one with the next
    /// statement, if there is any.
    pub fn mark_lines(&mut self, file: FileId, lines: &[usize]) -> Vec<Option<usize>> {
        self.lines.retain(|(marked, _)| *marked != file.0);
        let spans = self.program.code_spans.iter();
        let inside = spans.filter(|span| span.file == file);
        let begins: BTreeSet<usize> = inside.map(|span| self.line(*span)).collect();
        let found = lines
            .iter()
            .map(|line| begins.range(line..).next().copied());
        let found: Vec<Option<usize>> = found.collect();
        let marked = found.iter().flatten().map(|line| (file.0, *line));
        self.lines.extend(marked);
        found
    }

    /// Marks the statements of clauses, instead of those marked before. Returns whether there is such a clause.
    pub fn mark_clauses(&mut self, names: &[&str]) -> Vec<bool> {
        let number_of = |name: &&str| {
            let mut clauses = self.program.clauses.iter();
            let number = clauses.position(|clause| clause.id == *name)?;
            ClauseId::try_from(number).ok()
        };
        let found: Vec<Option<ClauseId>> = names.iter().map(number_of).collect();
        self.clauses = found.iter().flatten().copied().collect();
        found.iter().map(Option::is_some).collect()
    }

    /// Goes on.
    pub fn forward(&mut self, pace: Pace) -> Arrival {
        self.go((self.at + 1)..self.stops.len(), pace)
    }

    /// Goes back.
    pub fn back(&mut self, pace: Pace) -> Arrival {
        self.go((0..self.at).rev(), pace)
    }

    fn go(&mut self, way: impl Iterator<Item = usize>, pace: Pace) -> Arrival {
        let depth = self.here().map_or(0, Moment::depth);
        let mut last = self.at;
        for stop in way {
            last = stop;
            let Some(moment) = self.moment(stop) else {
                continue;
            };
            let arrived = match pace {
                Pace::Into => true,
                Pace::Over => moment.depth() <= depth,
                Pace::Out => moment.depth() < depth,
                Pace::On => false,
            };
            let is_marked = self.is_marked(moment);
            if arrived || is_marked {
                self.at = stop;
                return if is_marked {
                    Arrival::Mark
                } else {
                    Arrival::Step
                };
            }
        }
        self.at = last;
        Arrival::End
    }

    /// Returns whether the first statement is marked.
    pub fn is_marked_here(&self) -> bool {
        self.here().is_some_and(|moment| self.is_marked(moment))
    }

    fn is_marked(&self, moment: &Moment) -> bool {
        let at = moment.address as usize;
        let span = self.program.code_spans.get(at);
        let cites = self.program.code_cites.get(at);
        let by_line =
            span.is_some_and(|span| self.lines.contains(&(span.file.0, self.line(*span))));
        by_line || cites.is_some_and(|cites| cites.iter().any(|id| self.clauses.contains(id)))
    }

    fn line(&self, span: Span) -> usize {
        self.sources.line_column(span.file, span.start).0
    }

    fn moment(&self, stop: usize) -> Option<&'t Moment> {
        self.tape.moments.get(*self.stops.get(stop)?)
    }
}
