//! Messages with a header that contains their length.

use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

use serde_json::Value;

use crate::debugger::protocol::Request;

/// Maximum length of a message in bytes. A longer one is refused, because its header must be wrong.
const LENGTH_MAX: usize = 16 << 20;

/// A connection to an editor: the stream of its requests and the stream of our messages.
#[derive(Debug)]
pub struct Wire<R, W> {
    from: R,
    to: W,
}

impl<R: BufRead, W: Write> Wire<R, W> {
    pub fn new(from: R, to: W) -> Wire<R, W> {
        Wire { from, to }
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

    pub fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        self.to.flush()
    }
}
