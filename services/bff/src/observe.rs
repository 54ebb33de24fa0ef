//! A span, an id and two numbers for every request. Queries and headers stay out of them: a ticket in a log would be a
//! ticket in many hands.

use std::time::Instant;

use armada_runtime::health::Health;
use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, Method};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{family::Family, histogram::Histogram},
};
use tracing::Instrument;
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Upper bounds in seconds.
const BUCKETS: [f64; 9] = [0.002, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    method: &'static str,
    route: String,
    status: u16,
}

/// How long requests took, by what they were.
#[derive(Clone)]
pub(crate) struct Requests {
    seconds: Family<Labels, Histogram>,
}

impl Requests {
    /// Registers the metric.
    pub(crate) fn new(health: &Health) -> Self {
        let seconds = Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> Histogram);
        let shown = seconds.clone();
        health.metrics(|registry| registry.register("http_request_seconds", "Time until the head of an answer", shown));
        Self { seconds }
    }
}

/// Watches one request.
pub(crate) async fn observe(State(requests): State<Requests>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = name_of(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let id = request.headers().get(REQUEST_ID).filter(|id| is_plain(id)).cloned().unwrap_or_else(new_id);
    let shown = id.to_str().unwrap_or_default();
    let span = tracing::info_span!("request", method, route, id = shown, status = tracing::field::Empty);
    let mut response = next.run(request).instrument(span.clone()).await;
    let status = response.status().as_u16();
    span.record("status", status);
    let took = started.elapsed();
    span.in_scope(|| tracing::debug!(millis = took.as_millis() as u64, "answered"));
    requests.seconds.get_or_create(&Labels { method, route, status }).observe(took.as_secs_f64());
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// Clients may name any method; metrics must not grow with what they think of.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}

fn is_plain(id: &HeaderValue) -> bool {
    (1..=64).contains(&id.len()) && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

fn new_id() -> HeaderValue {
    HeaderValue::from_str(&Uuid::now_v7().to_string()).unwrap_or(HeaderValue::from_static("none"))
}
