//! Paths of resources, such as `/v1/games/{game}`: which resource a request names, and the parameters in its path.
//!
//! The router matches a path once for each request and notes the result in the request. Handlers, metrics and idempotency
//! read it there.

use actix_web::dev::ServiceRequest;
use actix_web::{HttpMessage, HttpRequest};
use smallvec::SmallVec;

use crate::api::shared::problem::Problem;

/// The pattern of a path, as the description has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPattern(pub &'static str);

/// The most parameters that a pattern has.
const PARAMETERS: usize = 2;

/// The patterns of all resources, each once, and a matcher that finds their numbers.
#[derive(Default)]
pub struct Patterns {
    pub all: Vec<PathPattern>,
    matcher: matchit::Router<usize>,
}

impl Patterns {
    /// Collects the paths of a table that lists them once for each method.
    pub fn of(paths: impl IntoIterator<Item = &'static str>) -> Patterns {
        let mut patterns = Patterns::default();
        for path in paths {
            let number = patterns.all.len();
            if patterns.matcher.insert(path, number).is_ok() {
                patterns.all.push(PathPattern(path));
            }
        }
        patterns
    }

    /// Returns the number of the pattern that the path of a request matches, and notes the pattern and its parameters in the
    /// request.
    pub fn find(&'static self, request: &mut ServiceRequest) -> Option<usize> {
        let found = self.matcher.at(request.match_info().as_str()).ok()?;
        let number = *found.value;
        let parameters = found.params.iter();
        let parameters: SmallVec<[(&'static str, String); PARAMETERS]> = parameters
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        let info = request.match_info_mut();
        for (name, value) in parameters {
            info.add_static(name, value);
        }
        request.extensions_mut().insert(*self.all.get(number)?);
        Some(number)
    }

    /// Returns the problem with a path, with the resources that are nearest: those that begin with most of the same segments.
    pub fn unknown(&self, path: &str) -> Problem {
        let shared = |pattern: &PathPattern| {
            let pairs = pattern.0.split('/').zip(path.split('/'));
            let is_same = |(of, asked): &(&str, &str)| of == asked || of.starts_with('{');
            pairs.take_while(is_same).count()
        };
        let most = self.all.iter().map(shared).max().unwrap_or(0);
        let is_near = |pattern: &&PathPattern| {
            let segments = pattern.0.split('/').count();
            shared(pattern) == most && segments <= most.saturating_add(1)
        };
        let nearest = self.all.iter().filter(is_near);
        let nearest = nearest.map(|pattern| pattern.0.to_owned());
        Problem::unknown("resource", path, nearest.collect())
    }
}

/// Returns the pattern that the router noted in a request.
pub fn pattern_of(request: &HttpRequest) -> Option<PathPattern> {
    request.extensions().get().copied()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::api::PATTERNS;

    fn pattern(path: &str) -> Option<&'static str> {
        let mut request = TestRequest::with_uri(path).to_srv_request();
        PATTERNS.find(&mut request)?;
        pattern_of(request.request()).map(|pattern| pattern.0)
    }

    fn read<T: DeserializeOwned>(path: &str) -> Option<T> {
        let mut request = TestRequest::with_uri(path).to_srv_request();
        PATTERNS.find(&mut request)?;
        request.match_info().load().ok()
    }

    #[test]
    fn a_path_has_one_pattern() {
        assert_eq!(pattern("/v1/games/toll"), Some("/v1/games/{game}"));
        assert_eq!(pattern("/v1/games"), Some("/v1/games"));
        for other in [
            "/v1/games/",
            "/v1/games/toll/",
            "/v1/games/toll/x",
            "/v1/nothing",
        ] {
            assert_eq!(pattern(other), None, "{other}");
        }
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct MadeAt {
        session: String,
        number: u64,
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
    fn parameters_are_texts_numbers_or_one_of_a_few() {
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
