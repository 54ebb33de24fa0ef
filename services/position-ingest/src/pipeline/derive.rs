//! Devices of which something came late are derived anew beside the way, one at a time; so are those that somebody has noted for it
//! (`armada history derive`).

use std::time::Duration;

use armada_proto::{DeviceId, Timestamp};
use bytes::Bytes;
use tokio::time::Instant;

use super::{deriving::Outcome, owner::PartitionOwner};
use crate::{history::days, live::last_positions::CORRECTED};

/// Devices of one message.
const OF_A_MESSAGE: usize = 1_000;

/// How often it is looked at what somebody has noted.
const LOOK: Duration = Duration::from_secs(30);

impl PartitionOwner {
    /// Begins with the next device that is due, unless one is at it.
    pub(super) fn derive_next(&mut self) {
        if !self.deriving.is_empty() {
            return;
        }
        let Some(wanted) = self.intake.next_to_derive(self.stored_frame, Timestamp::now().millis()) else {
            if self.noted_at.elapsed() >= LOOK {
                self.noted_at = Instant::now();
                let (db, partition) = (self.context.db.clone(), self.partition);
                self.deriving.spawn(async move { Outcome::Noted(days::noted(&db, partition).await) });
            }
            return;
        };
        let history = self.context.history.clone();
        let of = (wanted.tenant, wanted.device);
        self.deriving.spawn(async move {
            let derived = match history.deriving.acquire().await {
                Ok(_turn) => days::derive(&history.db, &history.settings, wanted).await.map(Box::new),
                Err(closed) => Err(armada_runtime::Error::internal(closed)),
            };
            Outcome::Derived(of, derived)
        });
    }

    /// Goes on with what was derived; it is saved with the next checkpoint. What failed is tried again.
    pub(super) fn take_derived(&mut self, outcome: Option<Outcome>) {
        match outcome {
            None => {}
            Some(Outcome::Noted(Ok(noted))) => self.intake.take_up_late(noted, self.stored_frame),
            Some(Outcome::Noted(Err(error))) => {
                tracing::warn!(partition = self.partition, %error, "cannot see what is to be derived anew; will look again");
            }
            Some(Outcome::Derived(of, Ok(derived))) => {
                if self.intake.take_derived(of, *derived) {
                    self.corrected.push(of.1);
                    self.wants_checkpoint = true;
                }
                self.derive_next();
            }
            Some(Outcome::Derived(of, Err(error))) => {
                tracing::warn!(partition = self.partition, device = %of.1, %error, "cannot derive what came late; will try again");
            }
        }
    }

    /// Tells all instances whose counters are other ones than they showed.
    pub(super) async fn tell_corrected(&self, corrected: Vec<DeviceId>) {
        for devices in corrected.chunks(OF_A_MESSAGE) {
            let ids: Vec<u8> = devices.iter().flat_map(|device| *device.0.as_bytes()).collect();
            if let Err(error) = self.context.bus.client.publish(CORRECTED, Bytes::from(ids)).await {
                tracing::warn!(%error, "cannot tell whose counters were corrected");
            }
        }
    }
}
