//! Trace context (W3C Trace Context): which trace a request belongs to. It comes from the client and is passed on to
//! webhooks.
//!
//! Builds with the feature `otel` also send spans to a collector; see `cli/telemetry.rs`. The trace that is passed on
//! is then that of our own span.

use std::sync::Arc;

use tracing::Span;

/// The header of requests and webhooks.
pub const HEADER: &str = "traceparent";

/// A position in a trace, as in the header: `00-…-…-01`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceParent(String);

/// The request that a piece of work belongs to.
#[derive(Debug, Clone)]
pub struct RequestContext {
    /// Identifies the request in responses and in log lines.
    pub request_id: Arc<str>,
    /// The trace that the client sent.
    pub parent: Option<TraceParent>,
}

tokio::task_local! {
    static ASKED: RequestContext;
}

impl TraceParent {
    /// Parses a header value. Returns `None` if it is malformed; the work then belongs to no trace.
    pub fn parse(text: &str) -> Option<TraceParent> {
        let parts: Vec<&str> = text.trim().split('-').collect();
        let [version, trace, parent, flags] = parts[..] else {
            return None;
        };
        let is_hex = |text: &str, length: usize| {
            let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            text.len() == length && text.bytes().all(digit)
        };
        let is_zero = |text: &str| text.bytes().all(|byte| byte == b'0');
        let is_good = version == "00"
            && is_hex(trace, 32)
            && is_hex(parent, 16)
            && is_hex(flags, 2)
            && !is_zero(trace)
            && !is_zero(parent);
        is_good.then(|| TraceParent(text.trim().to_owned()))
    }
}

/// Runs work for a request.
pub fn within<F: Future>(asked: RequestContext, work: F) -> impl Future<Output = F::Output> {
    ASKED.scope(asked, work)
}

/// Returns the id of the current request.
pub fn request_id() -> Option<Arc<str>> {
    ASKED.try_with(|asked| asked.request_id.clone()).ok()
}

/// Returns the trace context to pass on to webhooks.
pub fn current() -> Option<String> {
    let asked = || ASKED.try_with(|asked| Some(asked.parent.as_ref()?.0.clone()));
    own().or_else(|| asked().ok().flatten())
}

#[cfg(feature = "otel")]
pub use otel::{span, tell_a_collector};

/// Builds without the feature have no spans, which saves their cost.
#[cfg(not(feature = "otel"))]
pub fn span(_: &RequestContext) -> Span {
    Span::none()
}

/// How a request was answered.
#[derive(Debug, Clone, Copy)]
pub struct AnsweredRequest<'a> {
    pub method: &'a str,
    pub path: &'a str,
    /// The route with parameter names in braces.
    pub route: &'a str,
    pub status: u16,
}

/// Records how a request was answered.
pub fn answered(span: &Span, answer: &AnsweredRequest<'_>) {
    #[cfg(feature = "otel")]
    otel::answered(span, answer);
    #[cfg(not(feature = "otel"))]
    let _ = (span, answer);
}

#[cfg(feature = "otel")]
use otel::own;

/// Builds without the feature have no spans of their own.
#[cfg(not(feature = "otel"))]
fn own() -> Option<String> {
    None
}

#[cfg(feature = "otel")]
mod otel {
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicBool, Ordering};

    use opentelemetry::propagation::TextMapPropagator;
    use opentelemetry::trace::{Status, TraceContextExt};
    use opentelemetry_sdk::propagation::TraceContextPropagator;
    use tracing::Span;
    use tracing_opentelemetry::OpenTelemetrySpanExt;

    use super::{AnsweredRequest, HEADER, RequestContext};

    static IS_TOLD: AtomicBool = AtomicBool::new(false);

    /// Enables spans for requests.
    pub fn tell_a_collector() {
        IS_TOLD.store(true, Ordering::Relaxed);
    }

    /// Returns the span of a request, or none unless a collector is configured.
    pub fn span(asked: &RequestContext) -> Span {
        if !IS_TOLD.load(Ordering::Relaxed) {
            return Span::none();
        }
        let request_id = &*asked.request_id;
        let span = tracing::error_span!("request", otel.kind = "server", request_id);
        if let Some(parent) = &asked.parent {
            let carrier = HashMap::from([(HEADER.to_owned(), parent.0.clone())]);
            // Without a collector, there is no parent to set.
            let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
        }
        span
    }

    pub fn answered(span: &Span, answer: &AnsweredRequest<'_>) {
        let name = format!("{} {}", answer.method, answer.route);
        span.context().span().update_name(name);
        span.set_attribute("http.request.method", answer.method.to_owned());
        span.set_attribute("url.path", answer.path.to_owned());
        span.set_attribute("http.route", answer.route.to_owned());
        span.set_attribute("http.response.status_code", i64::from(answer.status));
        if answer.status >= 500 {
            span.set_status(Status::error(""));
        }
    }

    pub fn own() -> Option<String> {
        let context = Span::current().context();
        let span = context.span();
        let of = span.span_context();
        let flags = of.trace_flags().to_u8();
        of.is_valid()
            .then(|| format!("00-{}-{}-{flags:02x}", of.trace_id(), of.span_id()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn only_what_is_well_formed_is_a_trace() {
        assert!(TraceParent::parse(GOOD).is_some());
        for bad in [
            "",
            "00-0-0-01",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
        ] {
            assert!(TraceParent::parse(bad).is_none(), "{bad}");
        }
    }

    #[tokio::test]
    async fn what_was_asked_is_passed_on_within_the_work_only() {
        let asked = RequestContext {
            request_id: "r-1".into(),
            parent: TraceParent::parse(GOOD),
        };
        let look = || (current(), request_id());
        let known = (Some(GOOD.to_owned()), Some("r-1".into()));
        assert_eq!(within(asked, async { look() }).await, known);
        assert_eq!(look(), (None, None));
    }
}
