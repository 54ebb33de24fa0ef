//! W3C trace context on its way: in HTTP headers (gRPC metadata are the same), in NATS headers, and as the text of one
//! `traceparent` where there is room for one line only.
//!
//! A request is continued by what it calls. Who works on many things at a time, a round of positions or of an outbox,
//! is no part of any of them: its span *links* to them, to sixteen at most.

use async_nats::HeaderMap as NatsHeaders;
use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::{
    Context,
    propagation::{Extractor, Injector, TextMapPropagator},
    trace::{SpanContext, TraceContextExt, TraceId},
};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The header.
pub const TRACEPARENT: &str = "traceparent";
/// Distinct traces that a span links to.
const LINKS_MAX: usize = 16;

struct Headers<T>(T);

impl Injector for Headers<&mut HeaderMap> {
    fn set(&mut self, key: &str, value: String) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(key), HeaderValue::try_from(value))
            && !value.is_empty()
        {
            self.0.insert(name, value);
        }
    }
}

impl Extractor for Headers<&HeaderMap> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

impl Extractor for Headers<&str> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == TRACEPARENT).then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}

/// Puts the current span on a call to somebody else.
pub fn inject(headers: &mut HeaderMap) {
    Context::map_current(|context| {
        TraceContextPropagator::new().inject_context(context, &mut Headers(headers));
    });
}

/// Makes `span` the child of what the headers name, if they name anything. Only before it is entered.
pub fn continue_from(span: &Span, headers: &HeaderMap) {
    if headers.contains_key(TRACEPARENT) {
        let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(headers));
        // Without a layer that traces there is nothing to continue.
        let _ = span.set_parent(context);
    }
}

/// The same from a text.
pub fn continue_from_text(span: &Span, traceparent: &str) {
    if let Some(context) = parse(traceparent) {
        let _ = span.set_parent(Context::new().with_remote_span_context(context));
    }
}

/// The current span as one line, if somebody collects it: for what is stored, or published, where a line that leads
/// nowhere would be ballast.
pub fn current() -> Option<String> {
    Context::map_current(|context| line(context.span().span_context()))
}

/// The same of a span that need not be the current one.
pub fn of(span: &Span) -> Option<String> {
    line(span.context().span().span_context())
}

/// NATS headers with that line, for a publication; none when there is no line.
pub fn nats_headers(traceparent: Option<&str>) -> Option<NatsHeaders> {
    let mut headers = NatsHeaders::new();
    headers.insert(TRACEPARENT, traceparent?);
    Some(headers)
}

/// The line that a message came with.
pub fn traceparent(headers: Option<&NatsHeaders>) -> Option<&str> {
    Some(headers?.get(TRACEPARENT)?.as_str())
}

fn line(context: &SpanContext) -> Option<String> {
    let (trace, span) = (context.trace_id(), context.span_id());
    (context.is_valid() && context.is_sampled()).then(|| format!("00-{trace}-{span}-01"))
}

fn parse(traceparent: &str) -> Option<SpanContext> {
    let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(traceparent));
    Some(context.span().span_context().clone()).filter(SpanContext::is_valid)
}

/// What a span links to: bounded, and each trace once.
#[derive(Debug, Default)]
pub struct Links(Vec<TraceId>);

impl Links {
    /// Links `span` to the line that a message came with.
    pub fn add(&mut self, span: &Span, traceparent: Option<&str>) {
        let Some(traceparent) = traceparent.filter(|_| self.0.len() < LINKS_MAX) else { return };
        if let Some(context) = parse(traceparent).filter(|context| !self.0.contains(&context.trace_id())) {
            self.0.push(context.trace_id());
            span.add_link(context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn lines_are_read_and_written() {
        assert_eq!(line(&parse(LINE).expect("it is valid")).as_deref(), Some(LINE));
        assert_eq!(line(&parse(&LINE.replace("-01", "-00")).expect("it is valid")), None, "nobody collects it");
        for wrong in ["", "00", "00-0-0-01", &LINE.replace('f', "g"), &format!("{LINE}\r\nx"), &"0".repeat(10_000)] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn links_are_bounded_and_distinct() {
        let mut links = Links::default();
        for number in 0..100_u128 {
            let other = LINE.replace("0af7651916cd43dd8448eb211c80319c", &format!("{:032x}", 1 + number / 2));
            links.add(&Span::none(), Some(&other));
        }
        links.add(&Span::none(), None);
        assert_eq!(links.0.len(), LINKS_MAX);
    }
}
