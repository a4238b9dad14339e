//! Messages of the Debug Adapter Protocol: a header with the length, then JSON.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

/// A longer message is a mistake.
const LENGTH_MAX: usize = 16 << 20;

/// A request of the editor.
#[derive(Debug, Clone, Deserialize)]
pub struct Request {
    #[serde(rename = "seq")]
    pub number: i64,
    pub command: String,
    #[serde(default)]
    pub arguments: Value,
}

/// What requests say, apart from `launch`. Editors add members of their own.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Arguments {
    pub source: SourceFile,
    pub breakpoints: Vec<Breakpoint>,
    /// From 1.
    pub frame_id: usize,
    /// From 1.
    pub variables_reference: usize,
    pub expression: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SourceFile {
    pub path: PathBuf,
}

/// A line, from 1, or the name of a clause.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Breakpoint {
    pub line: usize,
    pub name: String,
}

impl Request {
    /// Reads the arguments. Requests without any have `null`, or nothing.
    pub fn read(&self) -> serde_json::Result<Arguments> {
        match &self.arguments {
            Value::Null => Ok(Arguments::default()),
            arguments => serde_json::from_value(arguments.clone()),
        }
    }
}

/// Both directions.
#[derive(Debug)]
pub struct Wire<R, W> {
    from: R,
    to: W,
    sent: i64,
}

impl<R: BufRead, W: Write> Wire<R, W> {
    pub fn new(from: R, to: W) -> Wire<R, W> {
        Wire { from, to, sent: 0 }
    }

    /// Returns the next request; `None` at the end of the input.
    pub fn next(&mut self) -> Result<Option<Request>> {
        let Some(length) = self.length()? else {
            return Ok(None);
        };
        let mut body = Vec::new();
        let read = (&mut self.from)
            .take(length as u64)
            .read_to_end(&mut body)?;
        if read < length {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&body)?))
    }

    /// Reads a header. `None` at the end of the input.
    fn length(&mut self) -> Result<Option<usize>> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let line = line.trim_end();
            if line.is_empty() {
                let length = length.filter(|length| *length <= LENGTH_MAX);
                let missing =
                    || Error::new(ErrorKind::InvalidData, "no `Content-Length` in the header");
                return length.ok_or_else(missing).map(Some);
            }
            let value = line.split_once(':');
            let value = value.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            length = value
                .and_then(|(_, value)| value.trim().parse().ok())
                .or(length);
        }
    }

    /// Answers a request.
    pub fn answer(&mut self, request: &Request, body: Value) -> Result<()> {
        self.send(json!({
            "type": "response", "request_seq": request.number, "command": request.command, "success": true, "body": body,
        }))
    }

    pub fn fail(&mut self, request: &Request, reason: &str) -> Result<()> {
        self.send(json!({
            "type": "response", "request_seq": request.number, "command": request.command, "success": false,
            "message": reason, "body": {"error": {"id": 1, "format": reason, "showUser": true}},
        }))
    }

    pub fn event(&mut self, event: &str, body: Value) -> Result<()> {
        self.send(json!({"type": "event", "event": event, "body": body}))
    }

    fn send(&mut self, mut message: Value) -> Result<()> {
        self.sent += 1;
        if let Some(members) = message.as_object_mut() {
            members.insert("seq".to_owned(), self.sent.into());
        }
        let body = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        self.to.flush()
    }
}
