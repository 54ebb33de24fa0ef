use std::{collections::HashMap, sync::atomic::Ordering};

use async_nats::connection::State;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use super::Bus;
use crate::health::Health;

/// The connections of a process, as numbers.
struct Connections(HashMap<String, Bus>);

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connections")
    }
}

/// Shows connections in `/metrics`, each by its name.
pub fn register(health: &Health, connections: HashMap<String, Bus>) {
    health.collect(Connections(connections));
}

type Read = fn(&Bus) -> u64;

const COUNTERS: [(&str, &str, Read); 6] = [
    ("armada_nats_connects", "Connections made, the first one included", |bus| {
        bus.client.statistics().connects.load(Ordering::Relaxed)
    }),
    ("armada_nats_received_messages", "Messages from NATS", |bus| {
        bus.client.statistics().in_messages.load(Ordering::Relaxed)
    }),
    ("armada_nats_received_bytes", "Bytes from NATS", |bus| bus.client.statistics().in_bytes.load(Ordering::Relaxed)),
    ("armada_nats_dropped_messages", "Messages from NATS that were read too slowly, and dropped", |bus| {
        bus.notices.dropped()
    }),
    ("armada_nats_sent_messages", "Messages to NATS", |bus| {
        bus.client.statistics().out_messages.load(Ordering::Relaxed)
    }),
    ("armada_nats_sent_bytes", "Bytes to NATS", |bus| bus.client.statistics().out_bytes.load(Ordering::Relaxed)),
];

impl Collector for Connections {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let help = "Whether NATS is connected: 1 or 0";
        let mut family = encoder.encode_descriptor("armada_nats_connected", help, None, MetricType::Gauge)?;
        for (name, bus) in &self.0 {
            let connected = i64::from(bus.client.connection_state() == State::Connected);
            ConstGauge::new(connected).encode(family.encode_family(&[("connection", name.as_str())])?)?;
        }
        for (name, help, read) in COUNTERS {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            for (connection, bus) in &self.0 {
                let labels = [("connection", connection.as_str())];
                ConstCounter::new(read(bus)).encode(family.encode_family(&labels)?)?;
            }
        }
        let help = "Entries of a bucket that were ignored: not written by its owner, old, or unreadable";
        let name = "armada_bucket_refused_entries";
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (connection, bus) in &self.0 {
            for (labels, count) in bus.refused_by_bucket() {
                let labels = [("connection", connection.as_str()), ("bucket", labels)];
                ConstCounter::new(count).encode(family.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }
}
