//! `wyrmgate replay FILE --trace STEP`: one choice of a recorded game, statement by statement, in the words of the rules.

use std::fmt::Write;

use super::Stop;
use crate::brief::{self, Names};
use crate::debugger::is_silent;
use crate::diagnostic::{Sources, Span};
use crate::engine::{self, At, Event, Observer, Seeded, State, Viewer};
use crate::program::{Address, Language, Op, Program};
use crate::record::Record;
use crate::replay::{self, ReplayError, Rest};
use crate::view::{Stopped, event_with_label};

/// A longer line of the rules is cut.
const WORDS_MAX: usize = 100;

/// The actions of the engine, in order.
enum Noted {
    Operation(Address),
    Event(Event),
}

/// Notes what the engine does.
#[derive(Default)]
struct Notes(Vec<Noted>);

impl Observer for Notes {
    fn event(&mut self, event: Event) {
        self.0.push(Noted::Event(event));
    }

    fn operation(&mut self, at: At<'_>) {
        self.0.push(Noted::Operation(at.address));
    }
}

/// Why a record was not played so far.
enum End {
    Replay(ReplayError),
    Stopped(Stopped),
    /// The choice was traced.
    Done,
}

wyrmgate_base::from_variants!(End {
    Replay: ReplayError
});

/// Describes what choice number `step`, counted from 1, did.
pub fn of(
    record: &Record,
    program: &Program,
    sources: &Sources,
    step: usize,
) -> Result<String, Stop> {
    let mut notes = Notes::default();
    let mut choices = 0;
    let played = replay::play(record, program, &mut |rest: Rest<'_>| {
        choices = rest.number;
        match rest.next {
            Some((pending, choice)) if rest.number + 1 == step => {
                let mut state: State = rest.state.clone();
                let index = pending.index;
                engine::step(program, &mut state, index, choice, &mut Seeded, &mut notes)
                    .map_err(|error| End::Stopped(error.into()))?;
                Err(End::Done)
            }
            _ => Ok(()),
        }
    });
    match played {
        Err(End::Done) => Ok(Writer::of(program, sources).text(step, &notes.0)),
        Err(End::Replay(error)) => Err(Stop::failure(error)),
        Err(End::Stopped(stopped)) => Err(Stop::failure(stopped.reason)),
        Ok(_) => Err(Stop::usage(format!(
            "the record has choices 1 to {choices}"
        ))),
    }
}

struct Writer<'p> {
    program: &'p Program,
    sources: &'p Sources,
    names: Names,
}

impl<'p> Writer<'p> {
    fn of(program: &'p Program, sources: &'p Sources) -> Writer<'p> {
        Writer {
            program,
            sources,
            names: Names::of(program, Language::default()),
        }
    }

    fn text(&self, step: usize, noted: &[Noted]) -> String {
        let mut out = format!("choice {step}\n");
        let mut depth = 0_usize;
        let mut last: Option<Span> = None;
        for (number, one) in noted.iter().enumerate() {
            match one {
                Noted::Event(event) => {
                    let reader = OWNER.reading(Language::default());
                    let doc = event_with_label(self.program, event, [], reader);
                    let docs: Vec<_> = doc.into_iter().map(Into::into).collect();
                    for line in brief::events(&docs, &self.names) {
                        let _ = writeln!(out, "{:40}{}→ {line}", "", "  ".repeat(depth));
                    }
                }
                Noted::Operation(address) => {
                    let span = self.program.code.spans.get(*address as usize).copied();
                    let op = self.program.code.ops.get(*address as usize);
                    let result = op.and_then(|op| branch(op, *address, noted.get(number + 1..)));
                    let is_new = span != last || result.is_some();
                    if let Some(span) = span.filter(|_| is_new && !op.is_none_or(is_silent)) {
                        out += &self.line(span, depth, result);
                        last = Some(span);
                    }
                    match op {
                        Some(Op::Call { .. } | Op::CallKind { .. }) => depth += 1,
                        Some(Op::Return) => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                }
            }
        }
        out
    }

    /// Formats `my-game/game.yaml:157        if pile is empty: no`.
    fn line(&self, span: Span, depth: usize, result: Option<bool>) -> String {
        let Some(source) = self.sources.get(span.file) else {
            return String::new();
        };
        let (line, _) = self.sources.line_column(span.file, span.start);
        let range = span.start as usize..span.end as usize;
        let text = source.text.get(range).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default().trim();
        let mut words: String = first.chars().take(WORDS_MAX).collect();
        if words.len() < first.len() {
            words.push('…');
        }
        let result = match result {
            Some(true) => "  ✓ holds",
            Some(false) => "  ✗ does not hold",
            None => "",
        };
        let at = format!("{}:{line}", source.path);
        format!("{at:40}{}{words}{result}\n", "  ".repeat(depth))
    }
}

/// Returns whether the condition of a branch held, from where the engine went next.
fn branch(op: &Op, address: Address, after: Option<&[Noted]>) -> Option<bool> {
    let Op::JumpUnless(_, to) = op else {
        return None;
    };
    let mut after = after?.iter();
    let next = after.find_map(|one| match one {
        Noted::Operation(next) => Some(*next),
        Noted::Event(_) => None,
    })?;
    (*to != address + 1).then_some(next != *to)
}

/// The user has the file of the record.
#[expect(
    clippy::disallowed_methods,
    reason = "the record of a game contains everything about it"
)]
pub(super) const OWNER: Viewer = Viewer::omniscient();
