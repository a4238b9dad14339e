//! Walks through a recorded game, forward and back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::course::{Course, DebuggedGame};
use super::expressions::Expressions;
use super::inspect;
use super::tape::TapeMoment;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_base::diagnostic::{FileId, Span};
use wyrmgate_program::ClauseId;

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

/// What a walk has arrived at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    Step,
    /// At a place that the author marked.
    Mark,
    /// There is nothing before or behind it.
    End,
}

/// A breakpoint: a line of a file, from 1, or a clause by its name. The walk stops there if the condition holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopMark<T> {
    pub at: T,
    pub condition: Option<String>,
}

/// A place in a recorded game.
#[derive(Debug)]
pub struct RecordWalk {
    course: Arc<Course>,
    /// Numbers of moments.
    stops: Vec<usize>,
    /// Index in `stops`.
    at: usize,
    lines: BTreeMap<(FileId, usize), Option<String>>,
    clauses: BTreeMap<ClauseId, Option<String>>,
    pub expressions: Expressions,
    /// Why a condition at which the walk stopped could not be evaluated.
    pub doubt: Option<String>,
}

impl RecordWalk {
    /// Begins at the first statement. `None` if nothing was recorded.
    pub fn new(course: Arc<Course>) -> Option<RecordWalk> {
        let stops = course.tape.stops(&course.game.program);
        (!stops.is_empty()).then(|| RecordWalk {
            course,
            stops,
            at: 0,
            lines: BTreeMap::new(),
            clauses: BTreeMap::new(),
            expressions: Expressions::default(),
            doubt: None,
        })
    }

    pub fn course(&self) -> &Arc<Course> {
        &self.course
    }

    /// Returns the number of the moment at which the walk stands.
    pub fn number(&self) -> Option<usize> {
        self.stops.get(self.at).copied()
    }

    /// Returns the moment at which the walk stands.
    pub fn here(&self) -> Option<&TapeMoment> {
        self.course.tape.moments.get(self.number()?)
    }

    /// Returns the number of events before this moment.
    pub fn events_before(&self) -> usize {
        self.here().map_or(0, |moment| moment.events)
    }

    /// Marks lines of a file instead of those marked before. Returns for each the line with the next statement, or why the walk
    /// cannot stop there.
    pub fn mark_lines(
        &mut self,
        file: FileId,
        marks: &[StopMark<usize>],
    ) -> Vec<Result<usize, String>> {
        self.lines.retain(|(marked, _), _| *marked != file);
        let game = &self.course.game;
        let spans = game.program.code.spans.iter();
        let inside = spans.filter(|span| span.file == file);
        let begins: BTreeSet<usize> = inside.map(|span| line(game, *span)).collect();
        let found = marks.iter().map(|mark| {
            let next = begins.range(mark.at..).next().copied();
            let next = next.ok_or("no statement begins here or below")?;
            if let Some(condition) = &mark.condition {
                let spans = game.program.code.spans.iter();
                let mut numbered = (0..).zip(spans);
                let first =
                    numbered.find(|(_, span)| span.file == file && line(game, **span) == next);
                let (address, _) = first.ok_or("no statement begins here")?;
                let names = inspect::names_at(&game.program, address);
                self.expressions.condition(game, names, condition)?;
            }
            self.lines.insert((file, next), mark.condition.clone());
            Ok(next)
        });
        found.collect()
    }

    /// Marks the statements of clauses, instead of those marked before. Returns whether there is such a clause.
    pub fn mark_clauses(&mut self, marks: &[StopMark<&str>]) -> Vec<bool> {
        let clauses = &self.course.game.program.prose.clauses;
        let number_of = |mark: &StopMark<&str>| {
            let number = clauses.iter().position(|clause| clause.id == mark.at)?;
            ClauseId::try_from(number).ok()
        };
        let found: Vec<Option<ClauseId>> = marks.iter().map(number_of).collect();
        let known = found.iter().zip(marks);
        let known = known.filter_map(|(found, mark)| Some(((*found)?, mark.condition.clone())));
        self.clauses = known.collect();
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
        let course = self.course.clone();
        let depth = self.here().map_or(0, TapeMoment::depth);
        let mut last = self.at;
        for stop in way {
            checkpoint();
            last = stop;
            let number = self.stops.get(stop);
            let Some(moment) = number.and_then(|number| course.tape.moments.get(*number)) else {
                continue;
            };
            let arrived = match pace {
                Pace::Into => true,
                Pace::Over => moment.depth() <= depth,
                Pace::Out => moment.depth() < depth,
                Pace::On => false,
            };
            let is_marked = self.is_marked(&course.game, moment);
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

    /// Returns whether the walk stands at a mark.
    pub fn is_marked_here(&mut self) -> bool {
        let course = self.course.clone();
        let here = self
            .number()
            .and_then(|number| course.tape.moments.get(number));
        here.is_some_and(|moment| self.is_marked(&course.game, moment))
    }

    fn is_marked(&mut self, game: &DebuggedGame, moment: &TapeMoment) -> bool {
        let at = moment.address as usize;
        let span = game.program.code.spans.get(at);
        let by_line = span.and_then(|span| self.lines.get(&(span.file, line(game, *span))));
        let cites = game.program.code.cites.get(at).into_iter().flatten();
        let by_clause = cites.filter_map(|id| self.clauses.get(id));
        let marks: Vec<Option<String>> = by_line.into_iter().chain(by_clause).cloned().collect();
        marks.iter().any(|condition| match condition {
            None => true,
            Some(condition) => self.holds(game, moment, condition),
        })
    }

    /// Returns whether a condition holds. One that cannot be evaluated stops the walk, so that its author notices.
    fn holds(&mut self, game: &DebuggedGame, moment: &TapeMoment, condition: &str) -> bool {
        let held = self.expressions.holds(game, moment, condition);
        held.unwrap_or_else(|reason| {
            self.doubt = Some(format!("the condition `{condition}`: {reason}"));
            true
        })
    }
}

fn line(game: &DebuggedGame, span: Span) -> usize {
    game.sources.line_column(span.file, span.start).0
}
