//! What the receivers of all partitions of a process share.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use armada_runtime::{Bus, Database, health::Health};
use bytes::Bytes;
use tokio::sync::mpsc;

use super::{
    answer::Draft,
    batch::{Memory, Part, Reply},
    check::Checker,
    metrics::Metrics,
};
use crate::{last_positions::LastPositions, registry::Registry};

/// What the receivers of all partitions of a process share. Cheap to clone.
#[derive(Clone)]
pub struct Shared {
    /// The receiver's own connection.
    pub(super) receiver: Bus,
    /// The connection of ingest.
    pub(super) ingest: Bus,
    pub(super) db: Database,
    pub(super) checker: Checker,
    pub(super) memory: Memory,
    /// Where parts of frames go whose partitions are received in this process.
    parts: Arc<Mutex<HashMap<u32, mpsc::Sender<Part>>>>,
    pub(super) metrics: Metrics,
}

impl Shared {
    /// For a process; `receiver` is the connection of [`super::NATS_USER`].
    pub fn new(
        receiver: Bus,
        ingest: Bus,
        db: Database,
        (registry, last, partitions): (Registry, LastPositions, u32),
        health: &Health,
    ) -> Self {
        let memory = Memory::default();
        Self {
            receiver,
            ingest,
            db,
            checker: Checker { registry, last, partitions },
            metrics: Metrics::new(health, memory.clone()),
            memory,
            parts: Arc::default(),
        }
    }
    /// Says what became of something.
    pub(super) async fn answer(&self, reply: Reply, body: Bytes) {
        let answered = match reply {
            Reply::Gateway(inbox) => self.receiver.client.publish(inbox, body).await,
            Reply::Trusted(inbox) => self.ingest.client.publish(inbox, body).await,
        };
        if let Err(error) = answered {
            tracing::debug!(%error, "cannot answer");
        }
    }

    /// Answers about devices of which no binding was known.
    pub(super) async fn resolve_and_answer(&self, reply: Reply, mut draft: Draft, seq: u64) {
        self.checker.resolve(&mut draft).await;
        self.metrics.answered(&draft.answer);
        self.answer(reply, draft.answer.written(seq).to_json()).await;
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
        self.parts.lock().expect("no panic while held").get(&partition).cloned()
    }
}
