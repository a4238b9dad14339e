//! What is told of events: JSON that borrows its names from the program.
//!
//! A move tells a handful of events to a handful of viewers, and nearly all that is told are names the program knows.
//! So a document points at them, and becomes bytes without having been a tree of owned strings.

use std::borrow::Cow;

use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// A JSON value whose texts are mostly borrowed.
#[derive(Debug, Clone, PartialEq)]
pub enum Doc<'p> {
    /// Nothing, or what the reader may not know.
    Null,
    Bool(bool),
    Int(i64),
    Text(Cow<'p, str>),
    List(Vec<Doc<'p>>),
    /// Members in order; whoever builds one names none twice.
    Object(Vec<(&'p str, Doc<'p>)>),
}

impl Doc<'_> {
    /// The member of an object; `None` if there is none, or if this is no object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Doc::Object(members) => {
                let mut members = members.iter();
                members.find(|(own, _)| *own == name).map(|(_, doc)| doc)
            }
            _ => None,
        }
    }
}

impl Serialize for Doc<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Doc::Null => to.serialize_unit(),
            Doc::Bool(truth) => to.serialize_bool(*truth),
            Doc::Int(number) => to.serialize_i64(*number),
            Doc::Text(text) => to.serialize_str(text),
            Doc::List(items) => to.collect_seq(items),
            Doc::Object(members) => to.collect_map(members.iter().map(|(name, doc)| (name, doc))),
        }
    }
}

impl From<Doc<'_>> for Value {
    fn from(doc: Doc<'_>) -> Value {
        match doc {
            Doc::Null => Value::Null,
            Doc::Bool(truth) => Value::Bool(truth),
            Doc::Int(number) => number.into(),
            Doc::Text(text) => Value::String(text.into_owned()),
            Doc::List(items) => items.into_iter().map(Value::from).collect(),
            Doc::Object(members) => {
                let members = members.into_iter();
                let owned = members.map(|(name, doc)| (name.to_owned(), Value::from(doc)));
                Value::Object(owned.collect())
            }
        }
    }
}

macro_rules! from_numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for Doc<'_> {
            fn from(number: $number) -> Self {
                Doc::Int(i64::from(number))
            }
        }
    )*};
}

from_numbers!(i32, u32, u16, u8);

impl From<bool> for Doc<'_> {
    fn from(truth: bool) -> Self {
        Doc::Bool(truth)
    }
}

impl<'p> From<&'p str> for Doc<'p> {
    fn from(text: &'p str) -> Self {
        Doc::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Doc<'_> {
    fn from(text: String) -> Self {
        Doc::Text(Cow::Owned(text))
    }
}

impl<'p> From<Cow<'p, str>> for Doc<'p> {
    fn from(text: Cow<'p, str>) -> Self {
        Doc::Text(text)
    }
}

impl<'p> FromIterator<Doc<'p>> for Doc<'p> {
    fn from_iter<I: IntoIterator<Item = Doc<'p>>>(items: I) -> Self {
        Doc::List(items.into_iter().collect())
    }
}

/// An event's document: its type and its members.
pub(crate) fn tagged<'p>(
    of: &'static str,
    members: impl IntoIterator<Item = (&'static str, Doc<'p>)>,
) -> Doc<'p> {
    let members = members.into_iter();
    let mut all = Vec::with_capacity(1 + members.size_hint().1.unwrap_or(0));
    all.push(("type", Doc::from(of)));
    all.extend(members);
    Doc::Object(all)
}
