//! What `/metrics` shows of jobs.

use std::{fmt, sync::atomic::Ordering};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use super::{Jobs, metrics::RESULTS};

/// The numbers of all services of a process.
pub(crate) struct Collected(pub(crate) Vec<Jobs>);

impl fmt::Debug for Collected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Collected")
    }
}

impl Collector for Collected {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let help = "Jobs: those that wait for their turn, and those that run in this process";
        let mut family = encoder.encode_descriptor("armada_jobs", help, None, MetricType::Gauge)?;
        for jobs in &self.0 {
            for (state, count) in [("queued", &jobs.metrics.queued), ("running", &jobs.metrics.running)] {
                let labels = [("service", jobs.service), ("state", state)];
                ConstGauge::new(count.load(Ordering::Relaxed)).encode(family.encode_family(&labels)?)?;
            }
        }
        let help = "Items of jobs that this process has done, by what became of them";
        let mut family = encoder.encode_descriptor("armada_job_items", help, None, MetricType::Counter)?;
        for jobs in &self.0 {
            for (result, count) in RESULTS.iter().zip(&jobs.metrics.items) {
                let labels = [("service", jobs.service), ("result", result)];
                ConstCounter::new(count.load(Ordering::Relaxed)).encode(family.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }
}
