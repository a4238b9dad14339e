//! JSON values that borrow their names from the program.
//!
//! A move sends a handful of events to a handful of viewers, and nearly all of their content is names that the program
//! stores. A document therefore refers to them, and is serialized without building a tree of owned strings. The feature
//! `json` adds conversions between documents and `serde_json` values.

use std::borrow::Cow;
use std::fmt;
use std::ops::Index;

use serde::ser::{Serialize, Serializer};

/// A JSON value whose texts are mostly borrowed.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Doc<'p> {
    /// `null`: no value, or one that the reader may not know.
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    /// A number that is not an integer, or does not fit into 64 bits. The engine uses integers only, but clients may
    /// send it.
    Real(f64),
    Text(Cow<'p, str>),
    List(Vec<Doc<'p>>),
    Object(Members<'p>),
}

/// The members of an object, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Members<'p>(Vec<(Cow<'p, str>, Doc<'p>)>);

impl<'p> Doc<'p> {
    /// Creates an object with these members; names must be unique.
    pub fn object<N: Into<Cow<'p, str>>>(members: impl IntoIterator<Item = (N, Doc<'p>)>) -> Self {
        Doc::Object(members.into_iter().collect())
    }

    /// Returns the member of an object; `None` if it is missing, or if this is not an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    pub fn as_object(&self) -> Option<&Members<'p>> {
        let Doc::Object(members) = self else {
            return None;
        };
        Some(members)
    }

    pub fn as_list(&self) -> Option<&[Doc<'p>]> {
        let Doc::List(items) = self else { return None };
        Some(items)
    }

    pub fn as_str(&self) -> Option<&str> {
        let Doc::Text(text) = self else { return None };
        Some(text)
    }

    /// Returns an integer; clients may write it with a zero fraction.
    pub fn as_whole(&self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            Doc::Int(number) => Some(*number),
            Doc::Real(number) => {
                let is_whole = number.fract() == 0.0 && number.abs() <= EXACT;
                is_whole.then_some(*number as i64)
            }
            Doc::Null | Doc::Bool(_) | Doc::Text(_) | Doc::List(_) | Doc::Object(_) => None,
        }
    }
}

impl<'p> Members<'p> {
    pub(crate) fn with_room(members: usize) -> Self {
        Members(Vec::with_capacity(members))
    }

    /// Adds a member that is not there yet.
    pub(crate) fn push(&mut self, name: &'p str, doc: Doc<'p>) {
        self.0.push((Cow::Borrowed(name), doc));
    }

    pub fn get(&self, name: &str) -> Option<&Doc<'p>> {
        let mut members = self.0.iter();
        members.find(|(own, _)| own == name).map(|(_, doc)| doc)
    }

    /// Adds or replaces a member.
    pub fn insert(&mut self, name: impl Into<Cow<'p, str>>, doc: Doc<'p>) {
        let name = name.into();
        match self.0.iter_mut().find(|(own, _)| *own == name) {
            Some((_, old)) => *old = doc,
            None => self.0.push((name, doc)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Doc<'p>)> {
        self.0.iter().map(|(name, doc)| (&**name, doc))
    }
}

impl<'p, N: Into<Cow<'p, str>>> FromIterator<(N, Doc<'p>)> for Members<'p> {
    fn from_iter<I: IntoIterator<Item = (N, Doc<'p>)>>(members: I) -> Self {
        let members = members.into_iter();
        Members(members.map(|(name, doc)| (name.into(), doc)).collect())
    }
}

/// A missing member reads as null.
impl<'p> Index<&str> for Members<'p> {
    type Output = Doc<'p>;

    fn index(&self, name: &str) -> &Doc<'p> {
        self.get(name).unwrap_or(&Doc::Null)
    }
}

/// A missing member reads as null.
impl<'p> Index<&str> for Doc<'p> {
    type Output = Doc<'p>;

    fn index(&self, name: &str) -> &Doc<'p> {
        self.get(name).unwrap_or(&Doc::Null)
    }
}

impl PartialEq<str> for Doc<'_> {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == Some(text)
    }
}

impl PartialEq<&str> for Doc<'_> {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == Some(text)
    }
}

impl PartialEq<i64> for Doc<'_> {
    fn eq(&self, number: &i64) -> bool {
        *self == Doc::Int(*number)
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, doc)| (name, doc)))
    }
}

impl Serialize for Doc<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Doc::Null => to.serialize_unit(),
            Doc::Bool(truth) => to.serialize_bool(*truth),
            Doc::Int(number) => to.serialize_i64(*number),
            Doc::Real(number) => to.serialize_f64(*number),
            Doc::Text(text) => to.serialize_str(text),
            Doc::List(items) => to.collect_seq(items),
            Doc::Object(members) => members.serialize(to),
        }
    }
}

impl fmt::Display for Doc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
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

impl<'p> From<&Doc<'p>> for Doc<'p> {
    fn from(doc: &Doc<'p>) -> Self {
        doc.clone()
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

impl<'p, T: Into<Doc<'p>>> From<Option<T>> for Doc<'p> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Doc::Null, T::into)
    }
}

impl<'p> FromIterator<Doc<'p>> for Doc<'p> {
    fn from_iter<I: IntoIterator<Item = Doc<'p>>>(items: I) -> Self {
        Doc::List(items.into_iter().collect())
    }
}

/// Returns the document of an event: its type and its members.
pub(crate) fn tagged<'p>(
    of: &'static str,
    members: impl IntoIterator<Item = (&'static str, Doc<'p>)>,
) -> Doc<'p> {
    let members = members.into_iter();
    let mut doc = Members::with_room(1 + members.size_hint().0);
    doc.push("type", Doc::from(of));
    members.for_each(|(name, member)| doc.push(name, member));
    Doc::Object(doc)
}

pub use json::as_json;

mod json {
    use super::{Doc, Members};
    use serde::Serialize;
    use serde_json::{Map, Value};
    use wyrmgate_base::presume::Presume;

    /// Returns a document as a value. Every document of this project can be one, as its keys are texts.
    pub fn as_json(document: &impl Serialize) -> Value {
        serde_json::to_value(document)
            .presume("the keys of documents are texts")
            .unwrap_or_default()
    }

    impl From<Doc<'_>> for Value {
        fn from(doc: Doc<'_>) -> Value {
            as_json(&doc)
        }
    }

    impl From<Members<'_>> for Map<String, Value> {
        fn from(members: Members<'_>) -> Self {
            let Value::Object(members) = as_json(&members) else {
                return Map::new();
            };
            members
        }
    }

    impl Doc<'static> {
        /// Returns a document of another form as one of this.
        pub(crate) fn of(document: &impl Serialize) -> Self {
            Doc::from(&as_json(document))
        }
    }

    impl From<&Value> for Doc<'_> {
        fn from(value: &Value) -> Self {
            match value {
                Value::Null => Doc::Null,
                Value::Bool(truth) => Doc::Bool(*truth),
                Value::Number(number) => match number.as_i64() {
                    Some(whole) => Doc::Int(whole),
                    None => number.as_f64().map_or(Doc::Null, Doc::Real),
                },
                Value::String(text) => Doc::from(text.clone()),
                Value::Array(items) => items.iter().map(Doc::from).collect(),
                Value::Object(members) => {
                    let members = members.iter();
                    Doc::object(members.map(|(name, value)| (name.clone(), Doc::from(value))))
                }
            }
        }
    }
}
