//! How far behind the registered consumers are, for `/metrics`, `/readyz` and the log.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
};

use armada_proto::Timestamp;
use armada_runtime::{bus, health::Health};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge},
};

use crate::readiness;

/// After so long a consumer that is behind counts as silent.
const SILENT_AFTER_MS: i64 = 10 * 60 * 1000;

/// A consumer of a stream.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The stream.
    pub stream: String,
    /// The consumer.
    pub consumer: String,
}

/// How far behind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lag {
    /// Messages of the stream from the first one that it needs on, at most: sequences are shared by all partitions.
    pub messages: u64,
    /// The first of them, or what will be the next one of the stream.
    pub first_needed: u64,
    /// When it was last heard of.
    pub heard: Timestamp,
}

impl Lag {
    fn silent_ms(&self) -> i64 {
        (Timestamp::now().millis() - self.heard.millis()).max(0)
    }

    fn is_silent(&self) -> bool {
        self.messages > 0 && self.silent_ms() > SILENT_AFTER_MS
    }
}

/// All of them, as last seen. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Lags(Arc<Mutex<BTreeMap<Name, Lag>>>);

impl Lags {
    /// Shows them in `/metrics`, and in `/readyz` without making it say no: positions are taken in all the same.
    pub fn new(health: &Health) -> Self {
        let lags = Self::default();
        health.collect(lags.clone());
        let shown = lags.clone();
        health.check(readiness::CONSUMERS, &bus::JETSTREAM, move || {
            let sentence = shown.sentence();
            async move { Ok(sentence) }
        });
        lags
    }

    /// What a look at the streams found. Says once when a consumer falls silent, and when it is heard again.
    pub fn set(&self, found: BTreeMap<Name, Lag>) {
        let mut lags = self.lags();
        for (Name { stream, consumer }, lag) in &found {
            let before = lags.get(&Name { stream: stream.clone(), consumer: consumer.clone() });
            match (before.is_some_and(Lag::is_silent), lag.is_silent()) {
                (false, true) => tracing::warn!(
                    stream,
                    consumer,
                    messages = lag.messages,
                    "a registered consumer is silent and holds up the purge; `armada positions consumers remove` retires it"
                ),
                (true, false) => tracing::info!(stream, consumer, "the consumer is heard again"),
                _ => {}
            }
        }
        *lags = found;
    }

    fn sentence(&self) -> Option<String> {
        let lags = self.lags();
        let parts = lags.iter().map(|(name, lag)| {
            let heard = lag.silent_ms() / 1000;
            let silent = if lag.is_silent() { "silent, " } else { "" };
            format!(
                "{} of {}: {silent}{} messages behind, heard {heard} s ago",
                name.consumer, name.stream, lag.messages
            )
        });
        (!lags.is_empty()).then(|| parts.collect::<Vec<_>>().join("; "))
    }

    fn lags(&self) -> MutexGuard<'_, BTreeMap<Name, Lag>> {
        self.0.lock().expect("no panic while held")
    }
}

type Read = fn(&Lag) -> f64;

const GAUGES: [(&str, &str, Read); 2] = [
    ("armada_ingest_consumer_lag_messages", "Messages of a stream that a consumer still needs, at most", |lag| {
        lag.messages as f64
    }),
    ("armada_ingest_consumer_heard_seconds", "Seconds since a consumer was last heard of", |lag| {
        lag.silent_ms() as f64 / 1000.0
    }),
];

impl Collector for Lags {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        for (name, help, read) in GAUGES {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (of, lag) in self.lags().iter() {
                let labels = [("stream", of.stream.as_str()), ("consumer", of.consumer.as_str())];
                ConstGauge::new(read(lag)).encode(family.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }
}
