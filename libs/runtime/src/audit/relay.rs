//! How recorded acts reach the stream. One that comes there twice has the same id, and is entered once.

use armada_proto::v1::AuditEvent;
use prost::Message as _;
use tokio_util::sync::CancellationToken;
use tracing::Span;

use super::{
    STREAM,
    entity::{Column, Model},
};
use crate::{
    bus::{Bus, MessageSigner},
    db::{Database, metrics::Metrics},
    error::{Error, Result},
    service::Context,
    stream_outbox::{self, Message, Recorded},
};

/// Carries the acts of one service to the stream.
pub struct Relay {
    db: Database,
    bus: Bus,
    signer: MessageSigner,
}

impl Relay {
    /// Of the service that the context is of, from the database where it records them.
    pub fn new(context: &Context, db: Database) -> Result<Self> {
        Ok(Self { db, bus: context.bus.clone(), signer: context.message_signer(STREAM)? })
    }

    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        stream_outbox::relay::<Model>(&self.db, &self.bus, Some(&self.signer), shutdown).await
    }
}

impl Recorded for Model {
    const NAME: &str = "acts";
    const ID: Column = Column::Id;

    fn id(&self) -> i64 {
        self.id
    }

    fn recorded_at(&self) -> i64 {
        self.recorded_at
    }

    fn span() -> Span {
        tracing::info_span!(parent: None, "relay audit", otel.kind = "producer", messaging.system = "nats")
    }

    fn note_waiting(metrics: &Metrics, count: u64, oldest: Option<i64>) {
        metrics.audit.waits(count, oldest);
    }

    fn into_message(self, service: &str) -> Result<Message> {
        let id = AuditEvent::decode(self.event.as_slice()).map_err(Error::internal)?.id;
        Ok(Message { subject: super::subject(service), id, body: self.event, traceparent: self.traceparent })
    }
}
