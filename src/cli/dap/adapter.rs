//! Answers the requests of an editor that debugs.

use std::io::{BufRead, Result, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::launch::{Debugged, Launch};
use super::wire::{Arguments, Request, Wire};
use crate::brief;
use crate::debugger::{Arrival, Moment, Pace, Walk, told, why};
use crate::diagnostic::{FileId, Sources, Span};
use crate::engine::Viewer;
use crate::program::Language;
use crate::view::event_with_label;

/// The author plays with open cards.
#[expect(
    clippy::disallowed_methods,
    reason = "the author of the rules debugs a game without players"
)]
const AUTHOR: Viewer = Viewer::omniscient();

/// The protocol knows threads; a game is one.
const THREAD: i64 = 1;

/// Answers requests until one says what to debug. `None` if the editor leaves before.
pub fn until_launch<R: BufRead, W: Write>(wire: &mut Wire<R, W>) -> Result<Option<Launch>> {
    while let Some(request) = wire.next()? {
        match request.command.as_str() {
            "initialize" => wire.answer(&request, capabilities())?,
            "launch" => return Ok(Some(Launch::new(request))),
            "disconnect" | "terminate" => {
                wire.answer(&request, Value::Null)?;
                return Ok(None);
            }
            _ => wire.fail(&request, "nothing is being debugged")?,
        }
    }
    Ok(None)
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsStepBack": true,
        "supportsFunctionBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsTerminateRequest": true,
    })
}

pub fn refuse<R: BufRead, W: Write>(
    wire: &mut Wire<R, W>,
    launch: &Launch,
    reason: &str,
) -> Result<()> {
    wire.fail(&launch.request, reason)?;
    wire.event("terminated", Value::Null)
}

/// Debugs a recorded game until the editor leaves.
pub fn debug<R: BufRead, W: Write>(
    wire: &mut Wire<R, W>,
    debugged: &Debugged,
    launch: &Launch,
) -> Result<()> {
    wire.answer(&launch.request, Value::Null)?;
    let course = &debugged.course;
    let Some(walk) = Walk::new(&course.tape, &course.program, &course.sources) else {
        return wire.event("terminated", Value::Null);
    };
    let mut adapter = Adapter {
        wire,
        debugged,
        names: brief::Names::of(&course.program, Language::default()),
        walk,
        stop: launch.stops_on_entry(),
        told: 0,
        is_at_end: false,
        values: Vec::new(),
    };
    adapter.wire.event("initialized", Value::Null)?;
    adapter.serve()
}

struct Adapter<'d, R, W> {
    wire: &'d mut Wire<R, W>,
    debugged: &'d Debugged,
    names: brief::Names,
    walk: Walk<'d>,
    /// Stop at the first statement.
    stop: bool,
    /// The number of events that the console shows.
    told: usize,
    is_at_end: bool,
    /// What the editor may ask the members of; it asks by number, from 1.
    values: Vec<Value>,
}

impl<R: BufRead, W: Write> Adapter<'_, R, W> {
    fn serve(&mut self) -> Result<()> {
        while let Some(request) = self.wire.next()? {
            let arguments = match request.read() {
                Ok(arguments) => arguments,
                Err(error) => {
                    self.wire.fail(&request, &error.to_string())?;
                    continue;
                }
            };
            match request.command.as_str() {
                "launch" | "attach" | "setExceptionBreakpoints" | "pause" => self.done(&request)?,
                "setBreakpoints" => self.mark_lines(&request, &arguments)?,
                "setFunctionBreakpoints" => self.mark_clauses(&request, &arguments)?,
                "configurationDone" => self.begin(&request)?,
                "threads" => {
                    let threads = json!({"threads": [{"id": THREAD, "name": "the game"}]});
                    self.wire.answer(&request, threads)?;
                }
                "stackTrace" => self.stack(&request)?,
                "scopes" => self.scopes(&request, &arguments)?,
                "variables" => self.variables(&request, &arguments)?,
                "evaluate" => match self.evaluate(&arguments.expression) {
                    Ok(value) => {
                        let (words, number) = self.shown(value);
                        let answer = json!({"result": words, "variablesReference": number});
                        self.wire.answer(&request, answer)?;
                    }
                    Err(reason) => self.wire.fail(&request, &reason)?,
                },
                "continue" => self.go(&request, |walk| walk.forward(Pace::On))?,
                "next" => self.go(&request, |walk| walk.forward(Pace::Over))?,
                "stepIn" => self.go(&request, |walk| walk.forward(Pace::Into))?,
                "stepOut" => self.go(&request, |walk| walk.forward(Pace::Out))?,
                "stepBack" => self.go(&request, |walk| walk.back(Pace::Over))?,
                "reverseContinue" => self.go(&request, |walk| walk.back(Pace::On))?,
                "disconnect" | "terminate" => {
                    self.done(&request)?;
                    return self.wire.event("terminated", Value::Null);
                }
                _ => self.wire.fail(&request, "this debugger cannot do that")?,
            }
        }
        Ok(())
    }

    fn done(&mut self, request: &Request) -> Result<()> {
        self.wire.answer(request, Value::Null)
    }

    // ---- marks

    fn mark_lines(&mut self, request: &Request, arguments: &Arguments) -> Result<()> {
        let wanted = arguments.breakpoints.iter().map(|mark| mark.line);
        let wanted: Vec<usize> = wanted.collect();
        let found = match file_at(self.sources(), &arguments.source.path) {
            Some(file) => self.walk.mark_lines(file, &wanted),
            None => vec![None; wanted.len()],
        };
        let told = found.iter().zip(&wanted).map(|(found, wanted)| match found {
            Some(line) => json!({"verified": true, "line": line}),
            None => json!({"verified": false, "line": wanted, "message": "no statement begins here or below"}),
        });
        let told: Vec<Value> = told.collect();
        self.wire.answer(request, json!({"breakpoints": told}))
    }

    fn mark_clauses(&mut self, request: &Request, arguments: &Arguments) -> Result<()> {
        let wanted = arguments.breakpoints.iter();
        let wanted: Vec<&str> = wanted.map(|mark| mark.name.as_str()).collect();
        let found = self.walk.mark_clauses(&wanted);
        let told = found.iter().map(|found| match found {
            true => json!({"verified": true}),
            false => json!({"verified": false, "message": "the rules have no clause of this name"}),
        });
        let told: Vec<Value> = told.collect();
        self.wire.answer(request, json!({"breakpoints": told}))
    }

    // ---- walking

    fn begin(&mut self, request: &Request) -> Result<()> {
        self.done(request)?;
        if self.stop {
            return self.stopped("entry");
        }
        if self.walk.is_marked_here() {
            return self.stopped("breakpoint");
        }
        let arrival = self.walk.forward(Pace::On);
        self.arrived(arrival, true)
    }

    /// At the end, the editor may still go back; going on ends the session.
    fn go(&mut self, request: &Request, go: impl FnOnce(&mut Walk<'_>) -> Arrival) -> Result<()> {
        self.wire
            .answer(request, json!({"allThreadsContinued": true}))?;
        let is_forward = !matches!(request.command.as_str(), "stepBack" | "reverseContinue");
        if is_forward && self.is_at_end {
            return self.wire.event("terminated", Value::Null);
        }
        self.is_at_end = false;
        let arrival = go(&mut self.walk);
        self.arrived(arrival, is_forward)
    }

    fn arrived(&mut self, arrival: Arrival, is_forward: bool) -> Result<()> {
        match arrival {
            Arrival::Step => self.stopped("step"),
            Arrival::Mark => self.stopped("breakpoint"),
            Arrival::End if is_forward => self.ended(),
            Arrival::End => self.stopped("entry"),
        }
    }

    fn ended(&mut self) -> Result<()> {
        self.is_at_end = true;
        let course = &self.debugged.course;
        self.tell_events(course.tape.events.len())?;
        let end = match course.tape.is_cut {
            false => course.end.clone(),
            true => "the rest of the game was not recorded: it is too long".to_owned(),
        };
        self.tell(&end)?;
        self.stop_with("end", &end)
    }

    fn stopped(&mut self, reason: &str) -> Result<()> {
        self.tell_events(self.walk.events_before())?;
        self.stop_with(reason, reason)
    }

    fn stop_with(&mut self, reason: &str, description: &str) -> Result<()> {
        self.values.clear();
        let body = json!({
            "reason": reason, "description": description, "threadId": THREAD, "allThreadsStopped": true,
        });
        self.wire.event("stopped", body)
    }

    /// Shows on the console what has happened since; nothing when the author goes back.
    fn tell_events(&mut self, before: usize) -> Result<()> {
        let course = &self.debugged.course;
        let events = course
            .tape
            .events
            .get(self.told..before)
            .unwrap_or_default();
        self.told = self.told.max(before);
        let docs = events.iter().enumerate().filter_map(|(at, event)| {
            let later = events.iter().skip(at + 1);
            event_with_label(&course.program, event, later, AUTHOR)
        });
        let docs: Vec<Value> = docs.map(Into::into).collect();
        let lines = brief::events(&docs, &self.names);
        lines.iter().try_for_each(|line| self.tell(line))
    }

    fn tell(&mut self, line: &str) -> Result<()> {
        let output = json!({"category": "stdout", "output": format!("{line}\n")});
        self.wire.event("output", output)
    }

    // ---- looking

    fn sources(&self) -> &Sources {
        &self.debugged.course.sources
    }

    fn running(&self) -> Vec<told::Running> {
        let here = self.walk.here();
        here.map_or_else(Vec::new, |moment| {
            told::running(&self.debugged.course.program, moment)
        })
    }

    fn stack(&mut self, request: &Request) -> Result<()> {
        let running = self.running();
        let frames = running.iter().enumerate().map(|(number, running)| {
            let (line, column) = self
                .sources()
                .line_column(running.span.file, running.span.start);
            json!({
                "id": number + 1, "name": running.name, "line": line, "column": column,
                "source": self.source(running.span),
            })
        });
        let frames: Vec<Value> = frames.collect();
        let count = frames.len();
        self.wire.answer(
            request,
            json!({"stackFrames": frames, "totalFrames": count}),
        )
    }

    fn source(&self, span: Span) -> Option<Value> {
        let path = PathBuf::from(&self.sources().get(span.file)?.path);
        let folder = &self.debugged.stack.folder;
        let shelf = folder.parent().unwrap_or(folder);
        let path = std::path::absolute(shelf.join(path)).ok()?;
        Some(json!({"name": path.file_name()?.to_str()?, "path": path.to_str()?}))
    }

    fn scopes(&mut self, request: &Request, arguments: &Arguments) -> Result<()> {
        let frame = arguments.frame_id.saturating_sub(1);
        let program = &self.debugged.course.program;
        let names = self.walk.here().zip(self.running().into_iter().nth(frame));
        let names = names.map_or_else(Default::default, |(moment, running)| {
            told::names(program, moment, &running)
        });
        let table = self.table();
        let scopes = [("Names", Value::Object(names)), ("Table", table)];
        let scopes = scopes.map(|(name, value)| {
            let number = self.kept(value);
            json!({"name": name, "variablesReference": number, "expensive": false})
        });
        self.wire.answer(request, json!({"scopes": scopes}))
    }

    fn table(&self) -> Value {
        let program = &self.debugged.course.program;
        self.walk
            .here()
            .map_or(Value::Null, |moment| told::table(program, moment))
    }

    fn variables(&mut self, request: &Request, arguments: &Arguments) -> Result<()> {
        let value = arguments
            .variables_reference
            .checked_sub(1)
            .and_then(|at| self.values.get(at))
            .cloned();
        let members: Vec<(String, Value)> = match value {
            Some(Value::Object(members)) => members.into_iter().collect(),
            Some(Value::Array(members)) => {
                let members = members.into_iter().enumerate();
                members
                    .map(|(at, member)| ((at + 1).to_string(), member))
                    .collect()
            }
            _ => Vec::new(),
        };
        let told = members.into_iter().map(|(name, value)| {
            let (words, number) = self.shown(value);
            json!({"name": name, "value": words, "variablesReference": number})
        });
        let told: Vec<Value> = told.collect();
        self.wire.answer(request, json!({"variables": told}))
    }

    /// Returns a value as the protocol wants it: in words, and with a number if it has members.
    fn shown(&mut self, value: Value) -> (String, usize) {
        let words = match &value {
            Value::String(text) => text.clone(),
            Value::Null => "none".to_owned(),
            other => other.to_string(),
        };
        let has_members = matches!(value, Value::Object(_) | Value::Array(_));
        (words, if has_members { self.kept(value) } else { 0 })
    }

    fn kept(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len()
    }

    /// Answers the console: a name, a member of the table, a query, or why a choice is offered or not.
    fn evaluate(&self, text: &str) -> std::result::Result<Value, String> {
        let course = &self.debugged.course;
        let moment: &Moment = self.walk.here().ok_or("nothing was recorded")?;
        let text = text.trim();
        if text.starts_with('{') {
            let choice: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            let moments = course.tape.moments.iter();
            let before = moments
                .take_while(|other| !std::ptr::eq(*other, moment))
                .count()
                + 1;
            return why::why(
                &course.program,
                &course.sources,
                &course.tape,
                before,
                &choice,
            )
            .map(Value::from);
        }
        let names = self
            .running()
            .into_iter()
            .map(|running| told::names(&course.program, moment, &running));
        let named = names.into_iter().find_map(|names| names.get(text).cloned());
        let query = || told::query(&course.program, moment, text).map(Value::from);
        let found = named.or_else(|| self.on_table(text)).or_else(query);
        found.ok_or_else(|| {
            format!("no name, variable, zone or query without parameters is called `{text}` here; write a choice as JSON")
        })
    }

    /// Returns a variable or a zone.
    fn on_table(&self, name: &str) -> Option<Value> {
        let table = self.table();
        let parts = ["vars", "zones"].into_iter();
        parts
            .filter_map(|part| table.get(part)?.get(name).cloned())
            .next()
    }
}

/// Returns the file of the rules at a path, of which editors know all and sources the end.
fn file_at(sources: &Sources, path: &Path) -> Option<FileId> {
    let files = (0..u16::MAX).map(FileId);
    let mut files = files.take_while(|file| sources.get(*file).is_some());
    files.find(|file| {
        let source = sources.get(*file);
        source.is_some_and(|source| path.ends_with(&source.path))
    })
}
