//! How recorded events reach the stream, whatever dies: a row goes away only after JetStream has acknowledged its event.
//! One that was published but not removed is published again, with the same id, and is in the stream once.

use std::time::Duration;

use async_nats::jetstream::context::PublishAckFuture;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use super::entity::{Column, Entity, Model};
use crate::{
    auth::Scope,
    bus::Bus,
    db::Database,
    error::{Error, Result},
    telemetry::propagation,
};

/// Rows read at a time; fewer than acknowledgements may be under way.
const BATCH: u64 = 200;
/// How long a row may lie.
const POLL: Duration = Duration::from_millis(500);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);

/// Carries the events of one service to the stream.
pub struct Relay {
    /// Where they are recorded.
    pub db: Database,
    /// Where the stream is.
    pub bus: Bus,
}

impl Relay {
    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let mut failing = false;
        while !shutdown.is_cancelled() {
            let round = self.round().await;
            let pause = match &round {
                Ok(true) => continue,
                Ok(false) => POLL,
                Err(error) => {
                    if !failing {
                        tracing::warn!(%error, service = self.db.service(), "events do not reach their stream; will try again");
                    }
                    RETRY
                }
            };
            failing = round.is_err();
            shutdown.run_until_cancelled(tokio::time::sleep(pause)).await;
        }
        Ok(())
    }

    /// One batch, in order; true when there may be more.
    async fn round(&self) -> Result<bool> {
        let rows = self.rows().await?;
        let full = rows.len() as u64 == BATCH;
        let mut acks = Vec::with_capacity(rows.len());
        let mut outcome = Ok(());
        for row in rows {
            let id = row.id;
            match self.publish(row).await {
                Ok(ack) => acks.push((id, ack)),
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        let mut arrived = Vec::with_capacity(acks.len());
        for (id, ack) in acks {
            match ack.await {
                // The first time, or a time before.
                Ok(_) => arrived.push(id),
                Err(error) => {
                    outcome = Err(Error::unavailable(error));
                    break;
                }
            }
        }
        if !arrived.is_empty() {
            let tx = self.db.write(&Scope::Platform).await?;
            Entity::delete_many().filter(Column::Id.is_in(arrived)).exec(&tx).await?;
            tx.commit().await?;
        }
        outcome?;
        if !full {
            self.db.metrics.events.waits(0, None);
        }
        Ok(full)
    }

    /// The oldest events.
    async fn rows(&self) -> Result<Vec<Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = Entity::find().order_by_asc(Column::Id).limit(BATCH).all(&tx).await?;
        let count = match rows.len() as u64 {
            BATCH => Entity::find().count(&tx).await?,
            count => count,
        };
        tx.commit().await?;
        self.db.metrics.events.waits(count, rows.first().map(|row| row.recorded_at));
        Ok(rows)
    }

    async fn publish(&self, row: Model) -> Result<PublishAckFuture> {
        let span = match &row.traceparent {
            Some(traceparent) => {
                let span = tracing::info_span!(
                    parent: None, "relay event", otel.kind = "producer", messaging.system = "nats"
                );
                propagation::continue_from_text(&span, traceparent);
                span
            }
            None => Span::none(),
        };
        let mut headers = propagation::nats_headers(propagation::of(&span).as_deref()).unwrap_or_default();
        headers.insert("Nats-Msg-Id", row.event_id.as_str());
        let sent = self.bus.jetstream.publish_with_headers(row.subject, headers, row.event.into()).instrument(span);
        sent.await.map_err(Error::unavailable)
    }
}
