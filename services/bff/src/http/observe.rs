//! A span, an id and a time for every request. Queries, paths and headers stay out of them: a ticket in a log would be a
//! ticket in many hands. A trace that a browser or a proxy has begun is continued, else one begins here.

use std::time::Instant;

use armada_runtime::{
    health::{self, Health},
    telemetry::propagation,
};
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
use tracing::{Instrument, field::Empty};
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    http_request_method: &'static str,
    http_route: String,
    http_response_status_code: u16,
}

/// How long requests took, by what they were.
#[derive(Clone)]
pub(crate) struct Requests {
    seconds: Family<Labels, Histogram, fn() -> Histogram>,
}

impl Requests {
    /// Registers the metric.
    pub(crate) fn new(health: &Health) -> Self {
        let seconds: Family<_, _, fn() -> Histogram> = Family::new_with_constructor(health::seconds);
        let help = "Time of a request until the head of its answer, by route and status";
        health.metrics(|registry| registry.register("http_server_request_duration_seconds", help, seconds.clone()));
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
    let span = tracing::info_span!(
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        request_id = shown,
    );
    propagation::continue_from(&span, request.headers());
    let mut response = next.run(request).instrument(span.clone()).await;
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    let took = started.elapsed();
    span.in_scope(|| tracing::debug!(millis = took.as_millis() as u64, "answered"));
    let labels = Labels { http_request_method: method, http_route: route, http_response_status_code: status.as_u16() };
    requests.seconds.get_or_create(&labels).observe(took.as_secs_f64());
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
        _ => "_OTHER",
    }
}

fn is_plain(id: &HeaderValue) -> bool {
    (1..=64).contains(&id.len()) && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

fn new_id() -> HeaderValue {
    HeaderValue::from_str(&Uuid::now_v7().to_string()).unwrap_or(HeaderValue::from_static("none"))
}
