//! Traces to a collector, by the standard variables of OpenTelemetry. The library reads endpoint, headers, timeouts,
//! sampler and batch sizes; here is decided whether anything is sent at all, and refused what would silently not work.

use opentelemetry::KeyValue;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::{
    Resource,
    trace::{Sampler, SdkTracerProvider},
};

use crate::error::{Error, Result};

const SAMPLERS: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

/// What sends the spans of the process `name`; none when nothing is configured.
pub(super) fn provider(name: &str) -> Result<Option<SdkTracerProvider>> {
    if !is_configured(variable)? {
        return Ok(None);
    }
    let cannot = |error| Error::unavailable(format!("OTEL_EXPORTER_OTLP_…: {error}"));
    let exporter = SpanExporter::builder().with_tonic().build().map_err(cannot)?;
    Ok(Some(SdkTracerProvider::builder().with_resource(resource(name)).with_batch_exporter(exporter).build()))
}

/// What gives spans their ids and forgets them.
pub(super) fn without_export() -> SdkTracerProvider {
    SdkTracerProvider::builder().with_sampler(Sampler::AlwaysOff).build()
}

/// `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win over what we know ourselves.
fn resource(name: &str) -> Resource {
    let builder = Resource::builder();
    let named = variable("OTEL_SERVICE_NAME").is_some()
        || variable("OTEL_RESOURCE_ATTRIBUTES").is_some_and(|attributes| attributes.contains("service.name="));
    let builder = if named { builder } else { builder.with_service_name(name.to_owned()) };
    builder
        .with_attribute(KeyValue::new("service.namespace", "armada"))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("service.instance.id", uuid::Uuid::now_v7().to_string()))
        .build()
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// True when traces shall be sent; an error names the variable whose value cannot be followed.
fn is_configured(variable: impl Fn(&str) -> Option<String>) -> Result<bool> {
    if variable("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Ok(false);
    }
    let exporter = variable("OTEL_TRACES_EXPORTER");
    let endpoint = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT"));
    match exporter.as_deref() {
        Some("none") => return Ok(false),
        Some("otlp") => {}
        Some(other) => return Err(refused("OTEL_TRACES_EXPORTER", other, "otlp or none")),
        None if endpoint.is_none() => return Ok(false),
        None => {}
    }
    for name in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
        if let Some(protocol) = variable(name).filter(|protocol| protocol != "grpc") {
            return Err(refused(name, &protocol, "grpc"));
        }
    }
    if let Some(sampler) = variable("OTEL_TRACES_SAMPLER").filter(|sampler| !SAMPLERS.contains(&sampler.as_str())) {
        return Err(refused("OTEL_TRACES_SAMPLER", &sampler, &SAMPLERS.join(", ")));
    }
    Ok(true)
}

fn refused(name: &str, value: &str, wanted: &str) -> Error {
    Error::unavailable(format!("{name} = {value}: must be {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configured(variables: &[(&str, &str)]) -> Result<bool, String> {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        is_configured(variable).map_err(|error| error.message)
    }

    #[test]
    fn exports_nothing_without_an_endpoint() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4317");
        assert_eq!(configured(&[]), Ok(false));
        assert_eq!(configured(&[endpoint]), Ok(true));
        assert_eq!(configured(&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c:4317")]), Ok(true));
        assert_eq!(configured(&[("OTEL_TRACES_EXPORTER", "otlp")]), Ok(true));
        assert_eq!(configured(&[endpoint, ("OTEL_TRACES_EXPORTER", "none")]), Ok(false));
        assert_eq!(configured(&[endpoint, ("OTEL_SDK_DISABLED", "true")]), Ok(false));
    }

    #[test]
    fn rejects_unsupported_otlp_settings_by_name() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318");
        let http = configured(&[endpoint, ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")]);
        assert_eq!(http, Err("OTEL_EXPORTER_OTLP_PROTOCOL = http/protobuf: must be grpc".to_owned()));
        assert!(configured(&[endpoint, ("OTEL_TRACES_SAMPLER", "sometimes")]).is_err());
        assert!(configured(&[endpoint, ("OTEL_TRACES_EXPORTER", "zipkin")]).is_err());
    }
}
