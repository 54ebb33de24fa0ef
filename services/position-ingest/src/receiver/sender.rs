//! Who sent a message.
//!
//! The server maps the subjects of gateways, but looks up whether it has to once for each piece that it reads of a connection:
//! what comes in one piece with `CONNECT` it maps nowhere, and it is heard as it was published.

use armada_track::partition_of;
use async_nats::{Message, Subscriber};
use futures::StreamExt;

/// What gateways publish, if the server has not mapped it.
pub(super) const UNMAPPED: &str = "gps.*.*";

/// The gateway that sent a message on `in.<partition>.<gateway>.<imei>`, or on `gps.<gateway>.<imei>`, and what stands behind it.
pub(super) fn sender_of(message: &Message) -> Option<(&str, &str)> {
    let subject = message.subject.as_str();
    let sender = match subject.strip_prefix("gps.") {
        Some(sender) => sender,
        None => subject.splitn(3, '.').nth(2)?,
    };
    sender.split_once('.')
}

/// What gateways publish for one partition.
pub(super) struct FromGateways {
    /// `in.<partition>.<gateway>.<imei>`.
    pub(super) mapped: Subscriber,
    /// What was not mapped, for all partitions.
    pub(super) unmapped: Subscriber,
    /// The partition, and how many there are.
    pub(super) partition: (u32, u32),
}

impl FromGateways {
    /// The next message; none when both are over. What is not mapped is the first on its connection.
    pub(super) async fn next(&mut self) -> Option<Message> {
        loop {
            tokio::select! {
                biased;
                Some(message) = self.unmapped.next() => if self.is_ours(&message) { return Some(message) },
                Some(message) = self.mapped.next() => return Some(message),
                else => return None,
            }
        }
    }

    /// Nothing more comes; what has come is still there.
    pub(super) async fn drain(&mut self) -> Result<(), async_nats::UnsubscribeError> {
        self.unmapped.drain().await?;
        self.mapped.drain().await
    }

    /// Whether the server would have mapped a message to the partition.
    fn is_ours(&self, message: &Message) -> bool {
        let (partition, partitions) = self.partition;
        sender_of(message).is_some_and(|(_, device)| partition_of(device.as_bytes(), partitions) == partition)
    }
}
