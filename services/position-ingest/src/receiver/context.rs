//! What the receivers of all partitions of a process share.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use armada_runtime::{
    Bus, Database, Result,
    bus::{self, MessageSigner},
    clock::Clock,
    health::Health,
};
use async_nats::Subject;
use bytes::Bytes;
use tokio::sync::mpsc;

use super::{
    answer::to_json,
    backpressure::{FramesUnderWay, MemoryBudget},
    batch::Part,
    check::Checker,
    draft::Draft,
    metrics::Metrics,
    recent_messages::RecentMessages,
    traffic::Traffic,
};
use crate::{
    directory::{gateways::Gateways, registry::Registry, tenants::TenantSettings},
    live::last_positions::LastPositions,
    metrics::retry_health::RetryHealth,
    readiness,
};

/// What the receivers of all partitions of a process share. Cheap to clone.
#[derive(Clone)]
pub struct ReceiverContext {
    /// The receiver's own connection, which writes RAW.
    pub(super) receiver: Bus,
    /// Signs what it writes.
    pub(super) signer: MessageSigner,
    /// Its connection to gateways, and to the receivers of other processes.
    pub(super) to_gateways: Bus,
    /// The connection of ingest.
    pub(super) ingest: Bus,
    pub(super) db: Database,
    pub(super) checker: Checker,
    pub(super) memory: MemoryBudget,
    pub(super) frames: FramesUnderWay,
    /// Where parts of frames go whose partitions are received in this process.
    parts: Arc<Mutex<HashMap<u32, mpsc::Sender<Part>>>>,
    pub(super) metrics: Metrics,
    /// Writes to RAW.
    pub(super) writes: RetryHealth,
    pub(super) traffic: Traffic,
    pub(super) recent: RecentMessages,
}

impl ReceiverContext {
    /// For a process, over the connections of [`super::NATS_USER`], of [`super::GATEWAYS_USER`] and of ingest.
    pub fn new(
        (receiver, to_gateways, ingest): (Bus, Bus, Bus),
        signer: MessageSigner,
        db: Database,
        (registry, gateways, settings): (Registry, Gateways, TenantSettings),
        (last, partitions): (LastPositions, u32),
        (health, clock): (&Health, &Clock),
    ) -> Self {
        let memory = MemoryBudget::default();
        let [nats, jetstream] = bus::JETSTREAM;
        Self {
            receiver,
            signer,
            to_gateways,
            ingest,
            db,
            checker: Checker { registry, gateways, settings, last, clock: clock.clone(), partitions },
            metrics: Metrics::new(health, memory.clone()),
            memory,
            frames: FramesUnderWay::default(),
            writes: RetryHealth::listed(
                health,
                readiness::RECEIVER,
                &[nats, jetstream, "streams".into()],
                "what gateways publish is written",
            ),
            parts: Arc::default(),
            traffic: Traffic::default(),
            recent: RecentMessages::default(),
        }
    }

    /// What comes from gateways, for who finds more to be said of it.
    pub fn traffic(&self) -> Traffic {
        self.traffic.clone()
    }

    /// The last messages of gateways.
    pub fn recent(&self) -> RecentMessages {
        self.recent.clone()
    }

    /// Tells identity what gateways publish, for ever.
    pub async fn publish_traffic(&self) -> Result<()> {
        self.traffic.publish(&self.ingest).await;
        Ok(())
    }

    /// Says what became of something.
    pub(super) async fn answer(&self, reply: Subject, body: Bytes) {
        if let Err(error) = self.to_gateways.client.publish(reply, body).await {
            tracing::debug!(%error, "cannot answer");
        }
    }

    /// Answers about devices of which no binding was known.
    pub(super) async fn resolve_and_answer(&self, reply: Subject, mut draft: Draft, seq: u64) {
        self.resolve(&mut draft).await;
        self.answer(reply, to_json(&draft.written(seq))).await;
    }

    /// Finds out what is to be said of a message, and counts it.
    pub(super) async fn resolve(&self, draft: &mut Draft) {
        self.checker.resolve(draft).await;
        self.answered(draft);
    }

    /// Counts a message, and keeps it if it is to be looked at.
    pub(super) fn answered(&self, draft: &mut Draft) {
        match draft.again {
            Some(refusal) => self.metrics.refused(refusal),
            None => self.metrics.answered(&draft.answer, draft.odd.as_deref()),
        }
        if let Some(mut seen) = draft.seen.take() {
            draft.odd.iter().for_each(|odd| seen.odd(odd));
            self.recent.add(*seen, &draft.answer);
        }
    }

    /// Parts of frames for a partition come here from now on.
    pub(super) fn receives(&self, partition: u32, parts: mpsc::Sender<Part>) {
        self.parts.lock().expect("no panic while held").insert(partition, parts);
    }

    /// They do not any more, unless somebody else in this process takes them.
    pub(super) fn receives_no_more(&self, partition: u32, parts: &mpsc::Sender<Part>) {
        let mut receivers = self.parts.lock().expect("no panic while held");
        if receivers.get(&partition).is_some_and(|there| there.same_channel(parts)) {
            receivers.remove(&partition);
        }
    }

    /// Who takes parts of a partition in this process.
    pub(super) fn receiver_of(&self, partition: u32) -> Option<mpsc::Sender<Part>> {
        // What was given up ends where it is, and takes nothing more.
        let there = self.parts.lock().expect("no panic while held").get(&partition).cloned();
        there.filter(|parts| !parts.is_closed())
    }
}
