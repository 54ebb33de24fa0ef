//! What metrics of different parts have in common.

use prometheus_client::{
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge, histogram::Histogram},
};

/// Upper bounds, in seconds, of everything that takes between a statement and a request.
pub const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// A histogram of [`SECONDS`].
pub fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

/// Writes one number without labels.
pub(crate) fn gauge<N>(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: N) -> std::fmt::Result
where
    ConstGauge<N>: EncodeMetric,
{
    ConstGauge::new(value).encode(encoder.encode_descriptor(name, help, None, MetricType::Gauge)?)
}
