//! What a process tells of itself while it works: log lines, and traces when somebody collects them.
//!
//! A span is made where something begins that others asked for: an HTTP request, a gRPC call, a round of positions, a
//! round of an outbox. Nothing is made per position. Traces leave the process only when OTLP is configured by the
//! standard variables (`OTEL_EXPORTER_OTLP_ENDPOINT` and so on); without, spans give the log lines of a request their
//! `trace_id` and cost nothing more.

pub mod grpc;
mod log;
pub mod messaging;
mod otlp;
pub mod propagation;

use std::{io::Write as _, time::Duration};

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::{EnvFilter, Layer, filter::Targets, prelude::*};

use self::log::{Form, LogLayer};
use crate::error::Result;

/// What is logged when `ARMADA_LOG` does not say otherwise.
const LOGGED: &str = "info,async_nats=error,async_nats::connector=off,sqlx=warn,sea_orm_migration=warn";
/// How long the last spans may take to leave.
const FLUSH: Duration = Duration::from_secs(5);

/// Keep it until the end of `main`, and [finish](Telemetry::finish) it then.
pub struct Telemetry {
    provider: SdkTracerProvider,
    exports: bool,
}

impl Telemetry {
    /// Installs logs and, for the process `name`, traces if they are configured. Call once, in `main`, within the
    /// runtime. Without a name nothing is exported: tools have no traces.
    ///
    /// Logs go to standard error, as readable lines on a terminal and as JSON elsewhere, unless `ARMADA_LOG_FORMAT` says
    /// `text` or `json`; `ARMADA_LOG` filters them, in the syntax of `tracing_subscriber`'s `EnvFilter`. Traces do not
    /// depend on that filter.
    pub fn init(name: Option<&str>) -> Result<Self> {
        let exported = name.map(otlp::provider).transpose()?.flatten();
        let exports = exported.is_some();
        let provider = exported.unwrap_or_else(otlp::without_export);
        // An empty one is none, as with every other variable; as a filter it would hide all but errors.
        let filter = std::env::var("ARMADA_LOG").ok().filter(|filter| !filter.is_empty());
        let filter =
            filter.and_then(|filter| EnvFilter::try_new(filter).ok()).unwrap_or_else(|| EnvFilter::new(LOGGED));
        let form = Form::wanted(std::env::var("ARMADA_LOG_FORMAT").ok().as_deref())?;
        // A log that nobody takes is no reason to stop serving.
        let write = |line: &str| drop(std::io::stderr().lock().write_all(line.as_bytes()));
        tracing_subscriber::registry()
            .with(LogLayer::new(form, write).with_filter(filter))
            .with(tracing_opentelemetry::layer().with_tracer(provider.tracer("armada")).with_filter(traced(exports)))
            .init();
        Ok(Self { provider, exports })
    }

    /// Sends what has not been sent yet, for five seconds at most. Call when everything has drained, before the
    /// runtime ends.
    pub fn finish(self) {
        if let Err(error) = self.provider.shutdown_with_timeout(FLUSH)
            && self.exports
        {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

/// Spans of our own, never those of libraries. Where nothing is exported the spans of positions need no ids.
fn traced(exports: bool) -> Targets {
    if exports {
        return Targets::new().with_target("armada", LevelFilter::INFO);
    }
    Targets::new().with_target("armada_bff", LevelFilter::INFO).with_target("armada_runtime", LevelFilter::INFO)
}
