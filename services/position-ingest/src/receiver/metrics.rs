//! What the receiver counts.

use std::{
    collections::HashSet,
    future::poll_fn,
    pin::pin,
    sync::{Arc, Mutex, atomic::AtomicU64},
    time::{Duration, Instant},
};

use armada_proto::gateway::Answer;
use armada_runtime::health::{self, Health};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric},
    metrics::{MetricType, counter::Counter, family::Family, gauge::ConstGauge, histogram::Histogram},
};

use super::{answer::Refusal, backpressure::MemoryBudget, odd::Odd};

/// Gateways of which what is odd is counted by their name, those that send some first.
const NAMED_GATEWAYS: usize = 200;
/// The name of all others.
const OTHER_GATEWAYS: &str = "other";

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Value {
    gateway: String,
    field: &'static str,
    reason: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Sender {
    gateway: String,
}

/// Counters of one process. Cheap to clone.
#[derive(Clone)]
pub(super) struct Metrics {
    positions: Family<Outcome, Counter<u64, AtomicU64>>,
    refused: Family<Outcome, Counter<u64, AtomicU64>>,
    foreign_replies: Counter<u64, AtomicU64>,
    left_out: Family<Value, Counter<u64, AtomicU64>>,
    clocks_corrected: Family<Sender, Counter<u64, AtomicU64>>,
    named: Arc<Mutex<HashSet<String>>>,
    writes: Histogram,
    busy: Counter<f64, AtomicU64>,
}

impl Metrics {
    pub(super) fn new(health: &Health, memory: MemoryBudget) -> Self {
        let metrics = Self {
            positions: Family::default(),
            refused: Family::default(),
            foreign_replies: Counter::default(),
            left_out: Family::default(),
            clocks_corrected: Family::default(),
            named: Arc::default(),
            writes: health::seconds(),
            busy: Counter::default(),
        };
        for refusal in Refusal::ALL {
            drop(metrics.refused.get_or_create(&Outcome { outcome: refusal.as_str() }));
        }
        health.metrics(|registry| {
            let help = "Values of positions that cannot be, and were left out";
            registry.register("armada_ingest_values_left_out", help, metrics.left_out.clone());
            let help = "Positions whose clock had lost a multiple of 1,024 weeks, which were added";
            registry.register("armada_ingest_clocks_corrected", help, metrics.clocks_corrected.clone());
            let registry = registry.sub_registry_with_prefix("armada_receiver");
            registry.register("positions", "Positions that gateways were answered about", metrics.positions.clone());
            registry.register("refused", "Messages that are to be sent again, by cause", metrics.refused.clone());
            let help = "Messages whose sender named a reply that is not its own inbox: taken in and not answered";
            registry.register("foreign_replies", help, metrics.foreign_replies.clone());
            registry.register("write_seconds", "Time of a write to RAW, until it is on disk", metrics.writes.clone());
            registry.register("busy_seconds", "Time in which tasks of the receiver ran", metrics.busy.clone());
            registry.register_collector(Box::new(WaitingBytes(memory)));
        });
        metrics
    }

    /// A message was answered.
    pub(super) fn answered(&self, answer: &Answer, odd: Option<&Odd>) {
        if let Some(odd) = odd {
            self.odd(odd);
        }
        let rejected = answer.rejected.len() as u32;
        for (outcome, count) in [("accepted", answer.accepted), ("held", answer.held), ("rejected", rejected)] {
            if count > 0 {
                self.positions.get_or_create(&Outcome { outcome }).inc_by(u64::from(count));
            }
        }
    }

    /// What gateways may send is theirs, so only so many of them have numbers of their own.
    fn odd(&self, odd: &Odd) {
        let mut named = self.named.lock().expect("no panic while held");
        let is_named =
            named.contains(&odd.gateway) || (named.len() < NAMED_GATEWAYS && named.insert(odd.gateway.clone()));
        drop(named);
        let gateway = if is_named { &odd.gateway } else { OTHER_GATEWAYS };
        if odd.clock_corrected > 0 {
            let sender = Sender { gateway: gateway.to_owned() };
            self.clocks_corrected.get_or_create(&sender).inc_by(u64::from(odd.clock_corrected));
        }
        for (field, reason, count) in odd.left_out() {
            let value = Value { gateway: gateway.to_owned(), field, reason };
            self.left_out.get_or_create(&value).inc_by(u64::from(count));
        }
    }

    /// A message is to be sent again.
    pub(super) fn refused(&self, refusal: Refusal) {
        self.refused.get_or_create(&Outcome { outcome: refusal.as_str() }).inc();
    }

    /// A sender named a reply that is not its own.
    pub(super) fn foreign_reply(&self) {
        self.foreign_replies.inc();
    }

    /// Runs a task and counts the time in which it runs, not that in which it waits.
    pub(super) async fn timed<F: Future>(self, task: F) -> F::Output {
        let mut task = pin!(task);
        poll_fn(|context| {
            let begun = Instant::now();
            let polled = task.as_mut().poll(context);
            self.busy.inc_by(begun.elapsed().as_secs_f64());
            polled
        })
        .await
    }

    /// A write took so long.
    pub(super) fn written(&self, took: Duration) {
        self.writes.observe(took.as_secs_f64());
    }
}

#[derive(Debug)]
struct WaitingBytes(MemoryBudget);

impl Collector for WaitingBytes {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let help = "Bytes of messages that wait for a write to RAW";
        let gauge = encoder.encode_descriptor("waiting_bytes", help, None, MetricType::Gauge)?;
        ConstGauge::new(self.0.waiting() as f64).encode(gauge)
    }
}
