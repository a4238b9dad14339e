//! The Debug Adapter Protocol without its transport: a request and its answers, in JSON.

mod debugged;
mod message;
mod request;
mod session;

use serde_json::{Value, json};

pub use debugged::Debugged;
pub use request::{Request, Wanted};
use session::DebugSession;

use message::{event, response};

/// Plays what an editor wants to debug.
pub type Launch<'l> = &'l dyn Fn(&Wanted) -> Result<Debugged, String>;

/// Debugs one game for an editor.
#[derive(Debug, Default)]
pub struct Debugger {
    session: Option<DebugSession>,
    sent: i64,
    is_over: bool,
}

impl Debugger {
    /// Returns whether the editor has left.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the response to a request, and the events that follow it.
    pub fn answer(&mut self, request: &Request, launch: Launch<'_>) -> Vec<Value> {
        let mut events = Vec::new();
        let answered = match (&mut self.session, request.command.as_str()) {
            (_, "initialize") => Ok(capabilities()),
            (None, "launch") => self.launched(request, launch, &mut events),
            (session, "disconnect" | "terminate") => {
                if session.take().is_some() {
                    events.push(event("terminated", Value::Null));
                }
                self.is_over = true;
                Ok(Value::Null)
            }
            (Some(session), _) => session.answer(request, &mut events),
            (None, _) => Err("nothing is being debugged".to_owned()),
        };
        let mut messages = vec![response(request, answered)];
        messages.extend(events);
        for message in messages.iter_mut().filter_map(Value::as_object_mut) {
            self.sent += 1;
            message.insert("seq".to_owned(), self.sent.into());
        }
        messages
    }

    fn launched(
        &mut self,
        request: &Request,
        launch: Launch<'_>,
        events: &mut Vec<Value>,
    ) -> Result<Value, String> {
        let session = begun(request, launch);
        let what = if session.is_ok() {
            "initialized"
        } else {
            "terminated"
        };
        events.push(event(what, Value::Null));
        self.session = Some(session?);
        Ok(Value::Null)
    }
}

fn begun(request: &Request, launch: Launch<'_>) -> Result<DebugSession, String> {
    let wanted = serde_json::from_value(request.arguments.clone());
    let wanted: Wanted = wanted.map_err(|error| error.to_string())?;
    DebugSession::of(launch(&wanted)?, wanted.stop_on_entry)
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsStepBack": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsTerminateRequest": true,
    })
}
