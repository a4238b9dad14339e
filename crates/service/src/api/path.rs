//! Path patterns such as `/v1/games/{game}`: finds the pattern of a request and extracts its parameters.
//!
//! Patterns are matched by the text between their parameters. The framework would try one regular expression per
//! resource, and each worker would keep its own copy of all of them.

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

/// A path with parameters in braces. Each parameter matches one segment that is not empty.
#[derive(Debug)]
pub struct Pattern {
    /// The path as it appears in the OpenAPI document.
    pub text: &'static str,
    /// The parameters, each with the text in front of it.
    names: Vec<(&'static str, &'static str)>,
    /// The text after the last parameter.
    end: &'static str,
}

/// The values of the parameters in one path.
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

/// Returns all patterns, each once.
pub fn patterns() -> &'static [Pattern] {
    &PATTERNS
}

/// Returns the index of the pattern that matches a path.
pub fn find(path: &str) -> Option<usize> {
    let mut patterns = PATTERNS.iter();
    patterns.position(|pattern| pattern.parts(path).is_some())
}

/// Returns the pattern that matches a path.
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

    /// Returns the parameters, or `None` if the path does not match.
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

/// The parameters in the path of a request. A path whose parameters do not parse is not found.
pub struct Path<T>(pub T);

impl<T> Deref for Path<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Path<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let named = read(request.match_info().as_str());
        ready(named.map(Path).ok_or_else(|| Problem::new(Code::NotFound)))
    }
}

/// Returns the value of one parameter, still percent-encoded.
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

/// One path segment: a text, or a number if the target type is one.
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
    fn a_path_has_one_pattern() {
        let pattern = |path| pattern_of(path).map(|pattern| pattern.text);
        assert_eq!(pattern("/v1/games/toll"), Some("/v1/games/{game}"));
        assert_eq!(pattern("/v1/games"), Some("/v1/games"));
        assert_eq!(pattern("/v1/nothing"), None);
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
