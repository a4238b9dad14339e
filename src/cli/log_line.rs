//! Log lines that name the request they belong to.
//!
//! A span would do the same, but is created for every request, even if nothing is logged, and costs a twentieth of a
//! move.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;

use crate::trace;

/// A line format with the request id at the end.
pub struct Named<F> {
    pub format: F,
    pub is_json: bool,
}

impl<S, N, F> FormatEvent<S, N> for Named<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(id) = trace::request_id() else {
            return self.format.format_event(context, writer, event);
        };
        let mut line = String::new();
        self.format
            .format_event(context, Writer::new(&mut line), event)?;
        writeln!(writer, "{}", named(line.trim_end(), &id, self.is_json))
    }
}

fn named(line: &str, id: &str, is_json: bool) -> String {
    // A string always serializes to JSON.
    let quoted = serde_json::to_string(id).unwrap_or_default();
    match line.strip_suffix('}').filter(|_| is_json) {
        Some(members) => format!("{members},\"request_id\":{quoted}}}"),
        None => format!("{line} request_id={quoted}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_with_the_request_it_is_about() {
        assert_eq!(
            named(r#"{"message":"a","n":{}}"#, r"b\c", true),
            r#"{"message":"a","n":{},"request_id":"b\\c"}"#
        );
        assert_eq!(named("a {}", "r-1", false), r#"a {} request_id="r-1""#);
    }
}
