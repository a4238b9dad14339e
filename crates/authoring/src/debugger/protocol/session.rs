//! Answers the requests of an editor about a recorded game.

use serde_json::{Map, Value, json};

use super::debugged::Debugged;
use super::message::event;
use super::request::{Arguments, Request};
use crate::brief;
use crate::debugger::inspect::RunningEffect;
use crate::debugger::{
    AUTHOR, Arrival, Course, Pace, RecordWalk, StopMark, TapeMoment, inspect, why,
};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::Language;
use wyrmgate_view::event_with_label;

/// The protocol knows threads; a game is one.
const THREAD: i64 = 1;
/// Maximum number of values whose members an editor can request between two steps.
const VALUES_MAX: usize = 10_000;

type Answer = Result<Value, String>;

/// A recorded game, and the place in it at which the editor looks.
#[derive(Debug)]
pub struct DebugSession {
    debugged: Debugged,
    names: brief::Names,
    walk: RecordWalk,
    /// Stop at the first statement.
    stops_on_entry: bool,
    /// The number of events that the console shows.
    events_sent: usize,
    is_at_end: bool,
    /// The values whose members the editor may request; it requests them by number, from 1.
    values: Vec<Value>,
}

impl DebugSession {
    pub fn of(debugged: Debugged, stops_on_entry: bool) -> Result<DebugSession, String> {
        let course = debugged.course.clone();
        let names = brief::Names::of(&course.game.program, Language::default());
        let end = course.end.clone();
        let walk = RecordWalk::new(course).ok_or_else(|| format!("nothing was played: {end}"))?;
        Ok(DebugSession {
            debugged,
            names,
            walk,
            stops_on_entry,
            events_sent: 0,
            is_at_end: false,
            values: Vec::new(),
        })
    }

    /// Answers a request, and adds the resulting events to `events`.
    pub fn answer(&mut self, request: &Request, events: &mut Vec<Value>) -> Answer {
        let arguments = request.read()?;
        match request.command.as_str() {
            "launch" | "attach" | "setExceptionBreakpoints" | "pause" => Ok(Value::Null),
            "setBreakpoints" => Ok(self.mark_lines(&arguments)),
            "setFunctionBreakpoints" => Ok(self.mark_clauses(&arguments)),
            "configurationDone" => Ok(self.begin(events)),
            "threads" => Ok(json!({"threads": [{"id": THREAD, "name": "the game"}]})),
            "stackTrace" => Ok(self.stack()),
            "source" => self.source_text(&arguments),
            "scopes" => Ok(self.scopes(&arguments)),
            "variables" => Ok(self.variables(&arguments)),
            "evaluate" => {
                let value = self.evaluate(&arguments)?;
                let (words, number) = self.shown(value);
                Ok(json!({"result": words, "variablesReference": number}))
            }
            // Not in the protocol: what the game asks next, for questions why a choice is not offered.
            "wyrmgate/asked" => Ok(json!({"asked": why::asked(self.course(), self.moments())})),
            "continue" => Ok(self.go(events, |walk| walk.forward(Pace::On))),
            "next" => Ok(self.go(events, |walk| walk.forward(Pace::Over))),
            "stepIn" => Ok(self.go(events, |walk| walk.forward(Pace::Into))),
            "stepOut" => Ok(self.go(events, |walk| walk.forward(Pace::Out))),
            "stepBack" => Ok(self.go_back(events, Pace::Over)),
            "reverseContinue" => Ok(self.go_back(events, Pace::On)),
            _ => Err("this debugger cannot do that".to_owned()),
        }
    }

    fn course(&self) -> &Course {
        &self.debugged.course
    }

    // ---- marks

    fn mark_lines(&mut self, arguments: &Arguments) -> Value {
        let wanted = arguments.breakpoints.iter();
        let wanted: Vec<StopMark<usize>> = wanted.map(|mark| mark.of_line()).collect();
        let found = match self.debugged.file_at(&arguments.source.path) {
            Some(file) => self.walk.mark_lines(file, &wanted),
            None => {
                let unknown = "the game does not contain this file".to_owned();
                vec![Err(unknown); wanted.len()]
            }
        };
        let listed = found.iter().zip(&wanted);
        let listed = listed.map(|(found, wanted)| match found {
            Ok(line) => json!({"verified": true, "line": line}),
            Err(reason) => json!({"verified": false, "line": wanted.at, "message": reason}),
        });
        json!({"breakpoints": listed.collect::<Value>()})
    }

    fn mark_clauses(&mut self, arguments: &Arguments) -> Value {
        let wanted = arguments.breakpoints.iter();
        let wanted: Vec<StopMark<&str>> = wanted.map(|mark| mark.of_clause()).collect();
        let found = self.walk.mark_clauses(&wanted);
        let listed = found.iter().map(|found| match found {
            true => json!({"verified": true}),
            false => json!({"verified": false, "message": "the rules have no clause of this name"}),
        });
        json!({"breakpoints": listed.collect::<Vec<Value>>()})
    }

    // ---- walking

    fn begin(&mut self, events: &mut Vec<Value>) -> Value {
        if self.stops_on_entry {
            self.stopped("entry", events);
        } else if self.walk.is_marked_here() {
            self.stopped("breakpoint", events);
        } else {
            match self.walk.forward(Pace::On) {
                Arrival::End => self.ended(events),
                Arrival::Step | Arrival::Mark => self.stopped("breakpoint", events),
            }
        }
        Value::Null
    }

    /// Moves the walk and reports where it stops. At the end, the editor may still go back; continuing ends the session.
    fn go(
        &mut self,
        events: &mut Vec<Value>,
        go: impl FnOnce(&mut RecordWalk) -> Arrival,
    ) -> Value {
        if self.is_at_end {
            events.push(event("terminated", Value::Null));
        } else {
            match go(&mut self.walk) {
                Arrival::Step => self.stopped("step", events),
                Arrival::Mark => self.stopped("breakpoint", events),
                Arrival::End => self.ended(events),
            }
        }
        json!({"allThreadsContinued": true})
    }

    fn go_back(&mut self, events: &mut Vec<Value>, pace: Pace) -> Value {
        self.is_at_end = false;
        let reason = match self.walk.back(pace) {
            Arrival::Step => "step",
            Arrival::Mark => "breakpoint",
            Arrival::End => "entry",
        };
        self.stopped(reason, events);
        json!({"allThreadsContinued": true})
    }

    fn ended(&mut self, events: &mut Vec<Value>) {
        self.is_at_end = true;
        self.tell_events(self.course().tape.events.len(), events);
        let end = match self.course().tape.is_cut {
            false => self.course().end.clone(),
            true => "the rest of the game was not recorded: it is too long".to_owned(),
        };
        events.push(output(&end));
        self.stop_with("end", &end, events);
    }

    fn stopped(&mut self, reason: &str, events: &mut Vec<Value>) {
        self.tell_events(self.walk.events_before(), events);
        let doubt = self.walk.doubt.take();
        events.extend(doubt.iter().map(|doubt| output(doubt)));
        self.stop_with(reason, reason, events);
    }

    fn stop_with(&mut self, reason: &str, description: &str, events: &mut Vec<Value>) {
        self.values.clear();
        let body = json!({
            "reason": reason, "description": description, "threadId": THREAD, "allThreadsStopped": true,
        });
        events.push(event("stopped", body));
    }

    /// Shows on the console the events that it has not shown yet. There are none when the author goes back.
    fn tell_events(&mut self, before: usize, out: &mut Vec<Value>) {
        let course = &self.debugged.course;
        let events = course.tape.events.get(self.events_sent..before);
        let events = events.unwrap_or_default();
        self.events_sent = self.events_sent.max(before);
        let docs = events.iter().enumerate().filter_map(|(at, event)| {
            let later = events.iter().skip(at + 1);
            event_with_label(&course.game.program, event, later, AUTHOR)
        });
        let docs: Vec<Value> = docs.map(Into::into).collect();
        let lines = brief::events(&docs, &self.names);
        out.extend(lines.iter().map(|line| output(line)));
    }

    // ---- looking

    /// Returns the number of moments up to where the walk stands.
    fn moments(&self) -> usize {
        self.walk.number().map_or(0, |number| number + 1)
    }

    fn running(&self) -> Vec<RunningEffect> {
        let (program, here) = (&self.course().game.program, self.walk.here());
        here.map_or_else(Vec::new, |moment| inspect::running(program, moment))
    }

    fn stack(&self) -> Value {
        let sources = &self.course().game.sources;
        let running = self.running();
        let frames = running.iter().enumerate().map(|(number, running)| {
            let span = running.span;
            let (line, column) = sources.line_column(span.file, span.start);
            json!({
                "id": number + 1, "name": running.name, "line": line, "column": column, "source": self.source(span),
            })
        });
        let frames: Vec<Value> = frames.collect();
        json!({"totalFrames": frames.len(), "stackFrames": frames})
    }

    fn source(&self, span: Span) -> Option<Value> {
        let path = self.debugged.path(span.file)?;
        Some(json!({"name": path.file_name()?.to_str()?, "path": path.to_str()?}))
    }

    /// Returns the text of a file, for editors that do not have it.
    fn source_text(&self, arguments: &Arguments) -> Answer {
        let file = self.debugged.file_at(&arguments.source.path);
        let source = file.and_then(|file| self.course().game.sources.get(file));
        let source = source.ok_or("the game does not contain this file")?;
        Ok(json!({"content": &*source.text}))
    }

    fn scopes(&mut self, arguments: &Arguments) -> Value {
        let frame = self.frame(arguments);
        let names = frame.map_or_else(Map::new, |(moment, running)| {
            inspect::names(&self.course().game.program, moment, &running)
        });
        let scopes = [("Names", Value::Object(names)), ("Table", self.table())];
        let scopes = scopes.map(|(name, value)| {
            let number = self.kept(value);
            json!({"name": name, "variablesReference": number, "expensive": false})
        });
        json!({"scopes": scopes})
    }

    /// Returns the frame that a request is about: the innermost, unless it names one.
    fn frame(&self, arguments: &Arguments) -> Option<(&TapeMoment, RunningEffect)> {
        let number = arguments.frame_id.saturating_sub(1);
        let running = self.running().into_iter().nth(number)?;
        Some((self.walk.here()?, running))
    }

    fn table(&self) -> Value {
        let (program, here) = (&self.course().game.program, self.walk.here());
        here.map_or(Value::Null, |moment| inspect::position(program, moment))
    }

    fn variables(&mut self, arguments: &Arguments) -> Value {
        let number = arguments.variables_reference.checked_sub(1);
        let value = number.and_then(|at| self.values.get(at)).cloned();
        let members: Vec<(String, Value)> = match value {
            Some(Value::Object(members)) => members.into_iter().collect(),
            Some(Value::Array(members)) => {
                let numbers = (1..).map(|at: usize| at.to_string());
                numbers.zip(members).collect()
            }
            _ => Vec::new(),
        };
        let listed = members.into_iter().map(|(name, value)| {
            let (words, number) = self.shown(value);
            json!({"name": name, "value": words, "variablesReference": number})
        });
        json!({"variables": listed.collect::<Vec<Value>>()})
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

    /// Keeps a value until the next step. Returns its number, or 0 if there are too many.
    fn kept(&mut self, value: Value) -> usize {
        if self.values.len() >= VALUES_MAX {
            return 0;
        }
        self.values.push(value);
        self.values.len()
    }

    /// Evaluates a name, a part of the table or an expression; or says why a choice, written as JSON, is offered or not.
    fn evaluate(&mut self, arguments: &Arguments) -> Answer {
        let text = arguments.expression.trim();
        if text.starts_with('{') {
            let choice: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            return why::why(self.course(), self.moments(), &choice).map(Value::from);
        }
        let (moment, running) = self.frame(arguments).ok_or("nothing was recorded")?;
        let mut names = inspect::names(&self.course().game.program, moment, &running);
        if let Some(known) = names.remove(text).or_else(|| self.on_table(text)) {
            return Ok(known);
        }
        let moment = moment.clone();
        let course = self.walk.course().clone();
        let expressions = &mut self.walk.expressions;
        expressions.value(&course.game, &moment, &running, text)
    }

    /// Returns a variable or a zone.
    fn on_table(&self, name: &str) -> Option<Value> {
        let table = self.table();
        let mut parts = ["vars", "zones"].into_iter();
        parts.find_map(|part| table.get(part)?.get(name).cloned())
    }
}

fn output(line: &str) -> Value {
    let body = json!({"category": "stdout", "output": format!("{line}\n")});
    event("output", body)
}
