//! The receiver takes in what gateways publish, and tells each what became of it.
//!
//! The server maps `gps.<gateway>.<imei>` to `in.<partition>.<gateway>.<imei>`, by the hash of the IMEI. The owner of the
//! partition checks what comes there and gathers it while its last write is on its way to the disk; then it writes
//! everything as one message to `raw.<partition>`, and answers each gateway when that is on disk, never before. So the
//! wait is as short as the disk allows, however many publish.
//!
//! - [`partition`] is the owner's side of one partition, [`frames`] takes frames of many devices apart.
//! - [`check`] decides about each element, [`batch`] is what is gathered, [`raw_writer`] writes it behind the last
//!   message that is known, so that a former owner's write is refused and never answered.
//! - [`answer`] is what a gateway hears. It is sent to the inbox of that gateway alone, by a user of NATS that may
//!   write nothing else.

mod answer;
mod batch;
mod check;
mod frames;
mod metrics;
mod partition;
mod raw_writer;

pub use self::{
    answer::{Answer, Problem, Rejected, Warning},
    frames::send_part,
    partition::{Receiving, receive},
};

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use armada_runtime::{Bus, Database};
use bytes::Bytes;
use tokio::sync::mpsc;

use self::{
    batch::{Memory, Reply},
    check::Checker,
    frames::Part,
    metrics::Metrics,
};
use crate::{last_positions::LastPositions, registry::Registry};

/// The receiver's user of NATS: it may write RAW and answer gateways.
pub const NATS_USER: &str = "receiver";

/// What the receivers of all partitions of a process share. Cheap to clone.
#[derive(Clone)]
pub struct Shared {
    /// The receiver's own connection.
    receiver: Bus,
    /// The connection of ingest.
    ingest: Bus,
    db: Database,
    checker: Checker,
    memory: Memory,
    /// Where parts of frames go whose partitions are received in this process.
    parts: Arc<Mutex<HashMap<u32, mpsc::Sender<Part>>>>,
    metrics: Metrics,
}

impl Shared {
    /// For a process; `receiver` is the connection of [`NATS_USER`].
    pub fn new(
        receiver: Bus,
        ingest: Bus,
        db: Database,
        (registry, last, partitions): (Registry, LastPositions, u32),
        health: &armada_runtime::health::Health,
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
    async fn answer(&self, reply: Reply, body: Bytes) {
        let answered = match reply {
            Reply::Gateway(inbox) => self.receiver.client.publish(inbox, body).await,
            Reply::Trusted(inbox) => self.ingest.client.publish(inbox, body).await,
        };
        if let Err(error) = answered {
            tracing::debug!(%error, "cannot answer");
        }
    }

    /// Parts of frames for a partition come here from now on.
    fn receives(&self, partition: u32, parts: mpsc::Sender<Part>) {
        self.parts.lock().expect("no panic while held").insert(partition, parts);
    }

    /// They do not any more, unless somebody else in this process takes them.
    fn receives_no_more(&self, partition: u32, parts: &mpsc::Sender<Part>) {
        let mut receivers = self.parts.lock().expect("no panic while held");
        if receivers.get(&partition).is_some_and(|there| there.same_channel(parts)) {
            receivers.remove(&partition);
        }
    }

    /// Who takes parts of a partition in this process.
    fn receiver_of(&self, partition: u32) -> Option<mpsc::Sender<Part>> {
        self.parts.lock().expect("no panic while held").get(&partition).cloned()
    }
}
