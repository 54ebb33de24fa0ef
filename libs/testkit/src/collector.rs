//! A collector of traces: what a process that exports OTLP sends, kept for the test to look at.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::{KeyValue, any_value::Value},
    trace::v1::{self, ResourceSpans},
};
use tokio::{net::TcpListener, task::JoinHandle};
use tonic::{Request, Response, Status, service::Routes};

/// A span as it arrived. Ids are in hexadecimal, attributes as texts.
#[derive(Debug, Clone)]
pub struct CollectedSpan {
    /// `service.name` of the process that sent it.
    pub service: String,
    /// Its name.
    pub name: String,
    /// Its trace.
    pub trace_id: String,
    /// Its id.
    pub span_id: String,
    /// Its parent's id; empty for the first of a trace.
    pub parent_span_id: String,
    /// Traces and spans that it links to.
    pub links: Vec<(String, String)>,
    /// What it says about itself.
    pub attributes: BTreeMap<String, String>,
}

type Spans = Arc<Mutex<Vec<CollectedSpan>>>;

/// Takes traces on a free port until it is dropped.
pub struct Collector {
    /// For `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub url: String,
    spans: Spans,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Collector {
    /// Starts one.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let spans = Spans::default();
        let routes = Routes::new(TraceServiceServer::new(Receiver(spans.clone()))).into_axum_router();
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, spans, serving }
    }

    /// What has arrived so far.
    pub fn spans(&self) -> Vec<CollectedSpan> {
        self.spans.lock().expect("no panic while held").clone()
    }

    /// What has arrived of a trace, and has this name.
    pub fn of_trace(&self, trace_id: &str, name: &str) -> Vec<CollectedSpan> {
        self.spans().into_iter().filter(|span| span.trace_id == trace_id && span.name == name).collect()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

struct Receiver(Spans);

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let spans = request.into_inner().resource_spans.into_iter().flat_map(of_resource);
        self.0.lock().expect("no panic while held").extend(spans);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

fn of_resource(resource: ResourceSpans) -> Vec<CollectedSpan> {
    let attributes = texts(resource.resource.unwrap_or_default().attributes);
    let service = attributes.get("service.name").cloned().unwrap_or_default();
    let spans = resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
    spans.map(|span| collected(&service, span)).collect()
}

fn collected(service: &str, span: v1::Span) -> CollectedSpan {
    CollectedSpan {
        service: service.to_owned(),
        name: span.name,
        trace_id: hex(&span.trace_id),
        span_id: hex(&span.span_id),
        parent_span_id: hex(&span.parent_span_id),
        links: span.links.iter().map(|link| (hex(&link.trace_id), hex(&link.span_id))).collect(),
        attributes: texts(span.attributes),
    }
}

fn texts(attributes: Vec<KeyValue>) -> BTreeMap<String, String> {
    let text = |value: Option<Value>| match value {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::BoolValue(value)) => value.to_string(),
        Some(Value::DoubleValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    attributes.into_iter().map(|pair| (pair.key, text(pair.value.and_then(|value| value.value)))).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
