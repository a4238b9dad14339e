//! Content negotiation: chooses the media type of a response from the `Accept` header.

use actix_web::HttpRequest;
use actix_web::http::header::ACCEPT;

use crate::api::shared::language::thousandths;
use crate::api::shared::problem::{Problem, ProblemCode};

pub const JSON: &str = "application/json";
pub const JSON_LINES: &str = "application/jsonl";
pub const TEXT: &str = "text/plain";
pub const HTML: &str = "text/html";
/// The media type of responses with text that may contain non-ASCII letters.
pub const PLAIN: &str = "text/plain; charset=utf-8";
pub const SVG: &str = "image/svg+xml";
pub const PNG: &str = "image/png";
pub const GIF: &str = "image/gif";
pub const EVENT_STREAM: &str = "text/event-stream";

/// Returns the offer with the highest quality, and the first of several with the same quality. Where there is only one form,
/// nothing is refused: clients that set one `Accept` for all of their requests can read it.
pub fn best(request: &HttpRequest, offers: &[&'static str]) -> Result<&'static str, Problem> {
    if let [only] = offers {
        return Ok(only);
    }
    let none = || {
        Problem::new(ProblemCode::NotAcceptable)
            .detail(format!("available media types: {}", offers.join(", ")))
    };
    let mut ranges = request.headers().get_all(ACCEPT).peekable();
    if ranges.peek().is_none() {
        return offers.first().copied().ok_or_else(none);
    }
    let text: Vec<&str> = ranges.filter_map(|range| range.to_str().ok()).collect();
    let text = text.join(",");
    let mut best: Option<(&'static str, u32)> = None;
    for offer in offers {
        let quality = quality(&text, offer);
        if quality > best.map_or(0, |(_, quality)| quality) {
            best = Some((offer, quality));
        }
    }
    best.map(|(offer, _)| offer).ok_or_else(none)
}

/// Returns the quality of an offer in thousandths. The most specific matching range decides.
pub(super) fn quality(accept: &str, offer: &str) -> u32 {
    let fits = accept.split(',').filter_map(|range| {
        let (range, parameters) = range.split_once(';').unwrap_or((range, ""));
        Some((specificity(range.trim(), offer)?, thousandths(parameters)))
    });
    fits.max().map_or(0, |(_, quality)| quality)
}

fn specificity(range: &str, offer: &str) -> Option<u32> {
    let (range_type, range_subtype) = range.split_once('/')?;
    let (of_type, _) = offer.split_once('/')?;
    if range.eq_ignore_ascii_case(offer) {
        Some(2)
    } else if range_subtype == "*" && range_type.eq_ignore_ascii_case(of_type) {
        Some(1)
    } else {
        (range == "*/*").then_some(0)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn chosen(accept: &str) -> Option<&'static str> {
        let request = TestRequest::default().insert_header((ACCEPT, accept));
        best(&request.to_http_request(), &[JSON, EVENT_STREAM]).ok()
    }

    #[test]
    fn the_best_liked_form_is_chosen() {
        assert_eq!(chosen("*/*"), Some(JSON));
        assert_eq!(chosen("text/event-stream"), Some(EVENT_STREAM));
        assert_eq!(
            chosen("text/*;q=0.9, application/json;q=0.5"),
            Some(EVENT_STREAM)
        );
        assert_eq!(chosen("*/*, application/json;q=0"), Some(EVENT_STREAM));
        assert_eq!(chosen("image/png"), None);
    }
}
