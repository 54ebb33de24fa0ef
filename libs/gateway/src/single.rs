//! One device a message, in JSON: `gps.<gateway>.<id>`.

use anyhow::Result;
use armada_runtime::Bus;
use armada_track::{Report, TrackerId};

use crate::{counts::Counts, json::to_json, sender::Sender};

/// One position of a device at a time: the next one would be taken in before one that has to be sent again.
const OF_ONE_DEVICE: usize = 1;

/// Sends each position by itself; those of a device stay in order.
pub struct SinglePublisher {
    sender: Sender,
    gateway: String,
}

impl SinglePublisher {
    /// As the gateway of that name, with so many positions kept at most.
    pub async fn new(bus: &Bus, gateway: &str, in_flight: usize) -> Result<Self> {
        Ok(Self { sender: Sender::new(bus, gateway, in_flight, OF_ONE_DEVICE).await?, gateway: gateway.to_owned() })
    }

    /// What it has sent.
    pub fn counts(&self) -> Counts {
        self.sender.counts()
    }

    /// Sends a position; waits for room.
    pub async fn push(&mut self, id: impl Into<TrackerId>, report: &Report) -> Result<()> {
        let id = id.into();
        let subject = format!("gps.{}.{id}", self.gateway);
        self.sender.send(Some(id), subject, to_json(report).into(), 1).await
    }

    /// Sends several positions of one device in one message, as an array: what a tracker has kept. At most 5,000.
    pub async fn push_all(&mut self, id: impl Into<TrackerId>, reports: &[Report]) -> Result<()> {
        let id = id.into();
        if let [report] = reports {
            return self.push(id, report).await;
        }
        let mut body = vec![b'['];
        for report in reports {
            if body.len() > 1 {
                body.push(b',');
            }
            body.extend(to_json(report));
        }
        body.push(b']');
        let subject = format!("gps.{}.{id}", self.gateway);
        self.sender.send(Some(id), subject, body.into(), reports.len() as u64).await
    }

    /// Waits until everything is answered; the last sequence of RAW that was named.
    pub async fn finish(&mut self) -> Result<u64> {
        Ok(self.sender.finish().await)
    }
}
