//! Language negotiation: `Accept-Language` and `Content-Language`.

use actix_web::HttpResponse;
use actix_web::http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, HeaderMap, HeaderValue, VARY};

use smallvec::SmallVec;

use wyrmgate_engine::{ViewReader, Viewer};
use wyrmgate_program::{Language, best_language};
use wyrmgate_sessions::{Caller, Live};

/// The language ranges that a client accepts, most preferred first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accepted(Vec<String>);

impl Accepted {
    pub fn of(headers: &HeaderMap) -> Accepted {
        let texts = headers.get_all(ACCEPT_LANGUAGE);
        let texts = texts.filter_map(|text| text.to_str().ok());
        let ranges = texts.flat_map(|text| text.split(',')).filter_map(|range| {
            let (range, parameters) = range.split_once(';').unwrap_or((range, ""));
            let range = range.trim();
            (!range.is_empty()).then(|| (thousandths(parameters), range.to_owned()))
        });
        let mut ranges: Vec<(u32, String)> = ranges.filter(|(quality, _)| *quality > 0).collect();
        ranges.sort_by_key(|(quality, _)| std::cmp::Reverse(*quality));
        Accepted(ranges.into_iter().map(|(_, range)| range).collect())
    }

    /// Returns the game's language that best matches the client's preferences.
    pub fn among(&self, languages: &[String]) -> Language {
        best_language(languages, self.0.iter().map(String::as_str))
    }
}

/// A caller and the language that it reads in this session.
#[derive(Debug, Clone, Copy)]
pub struct Listener {
    pub caller: Caller,
    pub language: Language,
}

impl Listener {
    pub fn new(live: &Live, caller: Caller, accepted: &Accepted) -> Listener {
        Listener {
            caller,
            language: accepted.among(&live.program.prose.languages),
        }
    }

    pub fn reader(self) -> ViewReader {
        viewer(self.caller).reading(self.language)
    }

    /// Returns the tag of the language.
    pub fn tag(self, live: &Live) -> &str {
        tag_of(&live.program.prose.languages, self.language)
    }

    /// Returns the entity tag of what this listener sees now. Each language has its own tag.
    pub fn entity_tag(self, live: &Live) -> String {
        let tag = live.tag(self.caller);
        if self.language == Language::default() {
            return tag;
        }
        format!("{};{}\"", tag.trim_end_matches('"'), self.tag(live))
    }
}

/// Returns the tag of a view without its language and its compression, because they do not matter to a move.
pub fn without_language(tag: &str) -> String {
    match tag.split_once(';') {
        Some((tag, _)) => format!("{tag}\""),
        None => tag.to_owned(),
    }
}

pub fn tag_of(languages: &[String], language: Language) -> &str {
    let tag = languages.get(usize::from(language.0));
    tag.map_or("", String::as_str)
}

/// Sets `Content-Language` to these languages, each once, and `Vary`.
pub fn said<'t>(
    mut response: HttpResponse,
    tags: impl IntoIterator<Item = &'t str>,
) -> HttpResponse {
    let mut listed: SmallVec<[&str; 4]> = SmallVec::new();
    for tag in tags {
        if !tag.is_empty() && !listed.contains(&tag) {
            listed.push(tag);
        }
    }
    let headers = response.headers_mut();
    let languages = match listed[..] {
        [] => None,
        [language] => HeaderValue::from_str(language).ok(),
        _ => HeaderValue::from_str(&listed.join(", ")).ok(),
    };
    if let Some(languages) = languages {
        headers.insert(CONTENT_LANGUAGE, languages);
    }
    vary(headers, "Accept-Language");
    response
}

/// Adds the name of a header to `Vary`.
pub fn vary(headers: &mut HeaderMap, name: &'static str) {
    let known = headers.get(VARY).and_then(|vary| vary.to_str().ok());
    let all = known.map_or_else(
        || Ok(HeaderValue::from_static(name)),
        |known| HeaderValue::try_from(format!("{known}, {name}")),
    );
    if let Ok(all) = all {
        headers.insert(VARY, all);
    }
}

/// Returns the engine's viewer for a caller.
pub fn viewer(caller: Caller) -> Viewer {
    match caller.seat() {
        Some(seat) => Viewer::Seat(seat.saturating_sub(1)),
        None => Viewer::Public,
    }
}

pub fn thousandths(parameters: &str) -> u32 {
    let quality = parameters
        .split(';')
        .find_map(|parameter| parameter.trim().strip_prefix("q="));
    let quality = quality.and_then(|text| text.parse::<f32>().ok());
    quality.map_or(1000, |quality| (quality.clamp(0.0, 1.0) * 1000.0) as u32)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderValue};

    use super::*;

    fn accepted(text: &'static str) -> Vec<String> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(text));
        Accepted::of(&headers).0
    }

    #[test]
    fn ranges_are_sorted_by_how_much_they_are_liked() {
        assert_eq!(
            accepted("fr;q=0.2, es-MX, en;q=0.8, de;q=0"),
            ["es-MX", "en", "fr"]
        );
        assert_eq!(accepted("es, pt"), ["es", "pt"]);
        assert_eq!(accepted(" , ;q=1"), Vec::<String>::new());
    }

    #[test]
    fn a_move_may_name_the_view_in_any_language() {
        assert_eq!(without_language("\"12-s1+;pt-BR\""), "\"12-s1+\"");
        assert_eq!(without_language("\"12-p\""), "\"12-p\"");
    }
}
