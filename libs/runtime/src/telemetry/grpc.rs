//! Every call that a service answers: a span, which continues that of the caller, and how long it took, by method and
//! outcome. In the same process and over the network alike.

use std::time::Instant;

use axum::{
    extract::Request,
    middleware::{self, Next},
    response::Response,
};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{family::Family, histogram::Histogram},
};
use tonic::{Code, Status, service::Routes};
use tracing::{Instrument, field::Empty};

use super::propagation;
use crate::health::{self, Health};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    rpc_method: String,
    rpc_response_status_code: &'static str,
}

/// How long calls took, by method and outcome.
#[derive(Clone)]
pub struct Calls {
    seconds: Family<Labels, Histogram, fn() -> Histogram>,
}

impl Calls {
    /// Registers the metric.
    pub fn new(health: &Health) -> Self {
        let seconds: Family<_, _, fn() -> Histogram> = Family::new_with_constructor(health::seconds);
        let help = "Time of a gRPC call until the head of its answer, on the side that answers";
        health.metrics(|registry| registry.register("rpc_server_call_duration_seconds", help, seconds.clone()));
        Self { seconds }
    }

    /// Watches the calls of a service.
    pub fn watch(&self, routes: Routes) -> Routes {
        let calls = self.clone();
        let observe = middleware::from_fn(move |request, next| {
            let calls = calls.clone();
            async move { calls.observe(request, next).await }
        });
        Routes::from(routes.into_axum_router().layer(observe))
    }

    async fn observe(&self, request: Request, next: Next) -> Response {
        let started = Instant::now();
        let method = request.uri().path().trim_start_matches('/').to_owned();
        let span = tracing::info_span!(
            "call",
            otel.name = method,
            otel.kind = "server",
            otel.status_code = Empty,
            rpc.system.name = "grpc",
            rpc.method = method,
            rpc.response.status_code = Empty,
        );
        propagation::continue_from(&span, request.headers());
        let response = next.run(request).instrument(span.clone()).await;
        let code = code_of(&response);
        let name = name_of(code);
        span.record("rpc.response.status_code", name);
        if is_fault(code) {
            span.record("otel.status_code", "ERROR");
        }
        // Metrics must not grow with methods that callers invent.
        let rpc_method = if code == Code::Unimplemented { "_OTHER".to_owned() } else { method };
        let labels = Labels { rpc_method, rpc_response_status_code: name };
        self.seconds.get_or_create(&labels).observe(started.elapsed().as_secs_f64());
        response
    }
}

/// Without a status in the head it comes behind the body, which only follows when the call went well.
fn code_of(response: &Response) -> Code {
    Status::from_header_map(response.headers()).map_or(Code::Ok, |status| status.code())
}

/// Outcomes that are the answering side's fault, as the conventions for spans of servers count them.
fn is_fault(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

/// The name of a code as gRPC spells it.
fn name_of(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
