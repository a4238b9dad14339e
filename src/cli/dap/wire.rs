//! Messages of the Debug Adapter Protocol: a header with the length, then JSON.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

use serde_json::{Value, json};

/// A longer message is a mistake.
const LENGTH_MAX: usize = 16 << 20;

/// A request of the editor.
#[derive(Debug, Clone)]
pub struct Request {
    pub number: i64,
    pub command: String,
    pub arguments: Value,
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
        let message: Value = serde_json::from_slice(&body)?;
        Ok(Some(Request {
            number: message["seq"].as_i64().unwrap_or_default(),
            command: message["command"].as_str().unwrap_or_default().to_owned(),
            arguments: message["arguments"].clone(),
        }))
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
        message["seq"] = self.sent.into();
        let body = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        self.to.flush()
    }
}
