//! Paths of resources, as `/v1/games/{game}`: which one a request is for, and what its names stand for.
//!
//! They are compared by what stands between the names. The framework would try a regular expression for each resource until
//! one fits, and every worker would keep all of them.

use std::borrow::Cow;
use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::LazyLock;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use percent_encoding::percent_decode_str;
use serde::de::value::{Error, MapDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use smallvec::SmallVec;

use super::problem::{Code, Problem};

/// A path with names in braces, each of which stands for one part that is not empty.
#[derive(Debug)]
pub struct Pattern {
    /// As the description has it.
    pub text: &'static str,
    /// Names, each with what stands before it.
    names: Vec<(&'static str, &'static str)>,
    /// What stands after the last of them.
    end: &'static str,
}

/// What the names of a pattern stand for in one path.
type Parts<'p> = SmallVec<[(&'static str, &'p str); 4]>;

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut patterns: Vec<Pattern> = Vec::new();
    for path in super::PATHS {
        if patterns.iter().all(|known| known.text != *path) {
            patterns.push(Pattern::new(path));
        }
    }
    patterns
});

/// All there are, each once.
pub fn patterns() -> &'static [Pattern] {
    &PATTERNS
}

/// The number of the pattern that a path fits.
pub fn find(path: &str) -> Option<usize> {
    let mut patterns = PATTERNS.iter();
    patterns.position(|pattern| pattern.parts(path).is_some())
}

/// The pattern that a path fits.
pub fn pattern_of(path: &str) -> Option<&'static Pattern> {
    PATTERNS.get(find(path)?)
}

impl Pattern {
    fn new(text: &'static str) -> Pattern {
        let mut names = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{')
            && let Some((name, after)) = after.split_once('}')
        {
            names.push((before, name));
            rest = after;
        }
        Pattern {
            text,
            names,
            end: rest,
        }
    }

    /// `None` if the path does not fit.
    fn parts<'p>(&self, path: &'p str) -> Option<Parts<'p>> {
        let mut parts = Parts::new();
        let mut rest = path;
        for (before, name) in &self.names {
            rest = rest.strip_prefix(before)?;
            let length = rest.bytes().position(|byte| byte == b'/');
            let (part, after) = rest.split_at_checked(length.unwrap_or(rest.len()))?;
            if part.is_empty() {
                return None;
            }
            parts.push((name, part));
            rest = after;
        }
        (rest == self.end).then_some(parts)
    }
}

/// What the names in the path of a request stand for. What does not parse leads nowhere.
pub struct Named<T>(pub T);

impl<T> Deref for Named<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Named<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let named = read(request.match_info().as_str());
        ready(named.map(Named).ok_or_else(|| Problem::new(Code::NotFound)))
    }
}

/// What one name stands for in a path, as it was sent.
pub fn part(path: &str, wanted: &str) -> Option<String> {
    let parts = pattern_of(path)?.parts(path)?;
    let mut parts = parts.into_iter();
    let (_, part) = parts.find(|(name, _)| *name == wanted)?;
    Some(Part(part).text().into_owned())
}

fn read<T: DeserializeOwned>(path: &str) -> Option<T> {
    let parts = pattern_of(path)?.parts(path)?;
    let values = parts.iter().map(|(name, part)| (*name, Part(part)));
    T::deserialize(MapDeserializer::new(values)).ok()
}

/// One part of a path, as it was sent: a text, or a number where one is wanted.
struct Part<'p>(&'p str);

impl<'p> Part<'p> {
    fn text(&self) -> Cow<'p, str> {
        percent_decode_str(self.0).decode_utf8_lossy()
    }
}

impl IntoDeserializer<'_> for Part<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Part<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.text() {
            Cow::Borrowed(text) => visitor.visit_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = self.text().parse().map_err(serde::de::Error::custom)?;
        visitor.visit_u64(number)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.text().into_deserializer())
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u16 u32 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct MadeAt {
        session: String,
        number: u64,
    }

    #[test]
    fn a_name_in_braces_stands_for_one_part() {
        let fits = |pattern, path| Pattern::new(pattern).parts(path).is_some();
        assert!(fits("/v1/games/{game}", "/v1/games/toll"));
        assert!(fits("/v1/games", "/v1/games"));
        for other in [
            "/v1/games/",
            "/v1/games",
            "/v1/games/toll/",
            "/v1/games/toll/x",
            "/v1/x/toll",
        ] {
            assert!(!fits("/v1/games/{game}", other), "{other}");
        }
    }

    #[test]
    fn a_path_is_told_by_its_pattern() {
        let told = |path| pattern_of(path).map(|pattern| pattern.text);
        assert_eq!(told("/v1/games/toll"), Some("/v1/games/{game}"));
        assert_eq!(told("/v1/games"), Some("/v1/games"));
        assert_eq!(told("/v1/nothing"), None);
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Owner,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct OfKind {
        kind: Kind,
    }

    #[test]
    fn names_are_texts_numbers_or_one_of_a_few() {
        let made = |session: &str, number| MadeAt {
            session: session.to_owned(),
            number,
        };
        assert_eq!(read("/v1/sessions/a%2Bb/moves/7"), Some(made("a+b", 7)));
        let owner = OfKind { kind: Kind::Owner };
        assert_eq!(read("/v1/sessions/a/tokens/owner"), Some(owner));
        assert_eq!(read::<OfKind>("/v1/sessions/a/tokens/king"), None);
        assert_eq!(read::<MadeAt>("/v1/sessions/a/moves/-7"), None);
        assert_eq!(read::<MadeAt>("/v1/sessions/a/moves/seven"), None);
    }
}
