//! How much each gateway publishes, told to identity every few seconds.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
    time::Duration,
};

use armada_proto::{
    Timestamp,
    gateway::TRAFFIC,
    v1::{GatewayRejection, GatewayTraffic, RefusedMessage, SentRows, gateway_traffic::Count},
};
use armada_runtime::Bus;
use prost::Message;
use tokio::time::{MissedTickBehavior, interval};

use super::per_gateway::of_gateway;

/// How often it is published.
const INTERVAL: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Counted {
    fixes: u32,
    rejected: BTreeMap<String, u32>,
    last_heard: i64,
}

/// What was written since it was published last. Cheap to clone.
#[derive(Clone, Default)]
pub struct Traffic(Arc<Mutex<HashMap<String, Counted>>>);

/// Who sent what of one write.
#[derive(Default)]
pub(super) struct WrittenCounts(HashMap<String, Counted>);

impl WrittenCounts {
    /// What one write holds.
    pub(super) fn of(senders: &[SentRows], refused: &[RefusedMessage]) -> Self {
        let mut written = Self::default();
        for run in senders {
            of_gateway(&mut written.0, &run.gateway).fixes += run.rows;
        }
        for refused in refused {
            *of_gateway(&mut written.0, &refused.gateway).rejected.entry(refused.reason.clone()).or_default() +=
                refused.count;
        }
        written
    }
}

impl Traffic {
    /// A write is on disk.
    pub(super) fn add(&self, written: WrittenCounts) {
        let now = Timestamp::now().millis();
        let mut all = self.0.lock().expect("no panic while held");
        for (gateway, counted) in written.0 {
            let sum = all.entry(gateway).or_default();
            sum.fixes = sum.fixes.saturating_add(counted.fixes);
            sum.last_heard = now;
            for (reason, count) in counted.rejected {
                let sum = sum.rejected.entry(reason).or_default();
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// A fix of a gateway was taken in although something is odd about it.
    pub fn odd(&self, gateway: &str, what: &str) {
        let mut all = self.0.lock().expect("no panic while held");
        let count = of_gateway(&mut all, gateway).rejected.entry(what.to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    fn take(&self) -> GatewayTraffic {
        let all = std::mem::take(&mut *self.0.lock().expect("no panic while held"));
        let counts = all.into_iter().map(|(gateway, counted)| {
            let rejected = counted.rejected.into_iter();
            Count {
                gateway,
                fixes: counted.fixes,
                rejected: rejected.map(|(reason, count)| GatewayRejection { reason, count }).collect(),
                last_heard: counted.last_heard,
            }
        });
        GatewayTraffic { counts: counts.collect() }
    }

    /// Publishes it for ever. What nobody receives is not sent again: it is a number on a screen.
    pub(super) async fn publish(&self, bus: &Bus) {
        let mut ticks = interval(INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let traffic = self.take();
            if traffic.counts.is_empty() {
                continue;
            }
            if let Err(error) = bus.client.publish(TRAFFIC, traffic.encode_to_vec().into()).await {
                tracing::debug!(%error, "cannot publish what came from gateways");
            }
        }
    }
}
