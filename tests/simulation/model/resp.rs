//! The protocol: requests as clients write them, answers as a server does.

use std::fmt::Display;
use std::io::Write;

/// An answer or a push message.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Nil,
    Int(i64),
    Simple(&'static str),
    Error(String),
    Bulk(Vec<u8>),
    Array(Vec<Reply>),
    /// Names and values, one after the other.
    Map(Vec<Reply>),
    Push(Vec<Reply>),
}

pub fn bulk(text: impl AsRef<[u8]>) -> Reply {
    Reply::Bulk(text.as_ref().to_vec())
}

impl Reply {
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Reply::Nil => out.extend(b"_\r\n"),
            Reply::Int(number) => line(out, ':', number),
            Reply::Simple(word) => line(out, '+', word),
            Reply::Error(why) => line(out, '-', why),
            Reply::Bulk(text) => {
                line(out, '$', text.len());
                out.extend(text);
                out.extend(b"\r\n");
            }
            Reply::Array(items) => several(out, '*', items.len(), items),
            Reply::Map(items) => several(out, '%', items.len() / 2, items),
            Reply::Push(items) => several(out, '>', items.len(), items),
        }
    }
}

fn several(out: &mut Vec<u8>, sign: char, count: usize, items: &[Reply]) {
    line(out, sign, count);
    for item in items {
        item.write(out);
    }
}

fn line(out: &mut Vec<u8>, sign: char, rest: impl Display) {
    write!(out, "{sign}{rest}\r\n").unwrap();
}

/// Returns the first complete request, and its length in bytes.
pub fn request(bytes: &[u8]) -> Option<(Vec<&[u8]>, usize)> {
    let mut at = 0;
    let count = number(bytes, &mut at, b'*')?;
    let mut words = Vec::with_capacity(count);
    for _ in 0..count {
        let length = number(bytes, &mut at, b'$')?;
        words.push(bytes.get(at..at + length)?);
        at += length + 2;
    }
    (at <= bytes.len()).then_some((words, at))
}

fn number(bytes: &[u8], at: &mut usize, sign: u8) -> Option<usize> {
    let rest = bytes.get(*at..)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    assert_eq!(rest[0], sign, "not a request of ours");
    *at += end + 1;
    Some(
        std::str::from_utf8(&rest[1..end - 1])
            .unwrap()
            .parse()
            .unwrap(),
    )
}
