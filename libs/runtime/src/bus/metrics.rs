use std::sync::atomic::Ordering;

use async_nats::connection::State;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter},
};

use super::Bus;
use crate::health::{self, Health};

/// The connection of a process, as numbers.
struct Connection(Bus);

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connection")
    }
}

impl Bus {
    /// Shows the connection in `/metrics`.
    pub(crate) fn register(&self, health: &Health) {
        health.collect(Connection(self.clone()));
    }
}

impl Collector for Connection {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let client = &self.0.client;
        let connected = i64::from(client.connection_state() == State::Connected);
        health::gauge(&mut encoder, "armada_nats_connected", "Whether NATS is connected: 1 or 0", connected)?;
        let statistics = client.statistics();
        let numbers = [
            (
                "armada_nats_connects",
                "Connections made, the first one included",
                statistics.connects.load(Ordering::Relaxed),
            ),
            ("armada_nats_received_messages", "Messages from NATS", statistics.in_messages.load(Ordering::Relaxed)),
            ("armada_nats_received_bytes", "Bytes from NATS", statistics.in_bytes.load(Ordering::Relaxed)),
            ("armada_nats_sent_messages", "Messages to NATS", statistics.out_messages.load(Ordering::Relaxed)),
            ("armada_nats_sent_bytes", "Bytes to NATS", statistics.out_bytes.load(Ordering::Relaxed)),
        ];
        for (name, help, value) in numbers {
            let family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            ConstCounter::new(value).encode(family)?;
        }
        Ok(())
    }
}
