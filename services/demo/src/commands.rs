//! Commands to the vehicles, as any gateway handles them: each is answered at once when it was written to the tracker's
//! connection, and again when the tracker has said what became of it.

use std::collections::VecDeque;

use anyhow::Result;
use armada_proto::{
    Timestamp,
    command::{self, GatewayCommand, GatewayReply, GatewayReplyState},
};
use armada_runtime::Bus;
use async_nats::{Message, Subscriber};
use futures::StreamExt;

use super::random::between;

/// Commands that are remembered, so that one that comes twice is carried out once.
const REMEMBERED: usize = 1_000;
/// How long a tracker takes to answer, in milliseconds.
const ANSWER_DELAY_MS: (f64, f64) = (1_000.0, 5_000.0);

/// The commands of one gateway.
pub(super) struct Commands {
    bus: Bus,
    gateway: &'static str,
    incoming: Subscriber,
    /// Those that were written to a tracker's connection.
    written: VecDeque<String>,
    /// What trackers are about to answer, and when.
    waiting: Vec<(i64, String, GatewayReply)>,
}

impl Commands {
    /// Listens for a gateway.
    pub(super) async fn listen(bus: &Bus, gateway: &'static str) -> Result<Self> {
        let incoming = bus.client.subscribe(command::subject(gateway, "*")).await?;
        Ok(Self { bus: bus.clone(), gateway, incoming, written: VecDeque::new(), waiting: Vec::new() })
    }

    /// The next command.
    pub(super) async fn next(&mut self) -> Option<Message> {
        self.incoming.next().await
    }

    /// Reads a command that shall be carried out now. One that comes again, or too late, shall not.
    pub(super) async fn read(&self, message: &Message, now: i64) -> Result<Option<GatewayCommand>> {
        let Ok(command) = serde_json::from_slice::<GatewayCommand>(&message.payload) else {
            tracing::warn!(subject = %message.subject, "a command cannot be read");
            return Ok(None);
        };
        if self.written.contains(&command.id) {
            return Ok(None);
        }
        if Timestamp::parse_rfc3339(&command.expires_at).is_none_or(|at| at.millis() <= now) {
            self.reply(&command.imei, &GatewayReply::failed(&command, "expired")).await?;
            return Ok(None);
        }
        Ok(Some(command))
    }

    /// Says what became of a command: `reply` is what the tracker is about to say, or that nothing was sent to it.
    pub(super) async fn answer(&mut self, command: &GatewayCommand, reply: GatewayReply, now: i64) -> Result<()> {
        if reply.state != GatewayReplyState::Acknowledged {
            return self.reply(&command.imei, &reply).await;
        }
        if self.written.len() == REMEMBERED {
            self.written.pop_front();
        }
        self.written.push_back(command.id.clone());
        self.reply(&command.imei, &GatewayReply::new(command, GatewayReplyState::Delivered)).await?;
        let seed: Vec<u64> = command.id.bytes().map(u64::from).collect();
        let due = now + between(ANSWER_DELAY_MS.0, ANSWER_DELAY_MS.1, &seed) as i64;
        self.waiting.push((due, command.imei.clone(), reply));
        Ok(())
    }

    /// Sends the answers of trackers that are due.
    pub(super) async fn send_due(&mut self, now: i64) -> Result<()> {
        for (_, imei, reply) in self.waiting.extract_if(.., |(due, ..)| *due <= now).collect::<Vec<_>>() {
            self.reply(&imei, &reply).await?;
        }
        Ok(())
    }

    async fn reply(&self, imei: &str, reply: &GatewayReply) -> Result<()> {
        let subject = command::reply_subject(self.gateway, imei);
        Ok(self.bus.client.publish(subject, serde_json::to_vec(reply)?.into()).await?)
    }
}
