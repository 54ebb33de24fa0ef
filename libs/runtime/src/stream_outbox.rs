//! How what a service has recorded in a table reaches a stream, whatever dies: a row goes away only after JetStream has
//! acknowledged its message. One that was published but not removed is published again, with the same id.

use std::time::Duration;

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, FromQueryResult, ModelTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};
use sea_orm_migration::SchemaManager;
use tokio_util::sync::CancellationToken;
use tracing::Span;

use crate::{
    auth::Scope,
    bus::{Bus, MessageSigner, Publication},
    db::{Database, metrics::Metrics},
    error::{Error, Result},
    telemetry::propagation,
};

/// Rows read at a time.
const BATCH: u64 = 200;
/// How long a row may lie.
const POLL: Duration = Duration::from_millis(500);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);

/// A row of such a table.
pub(crate) trait Recorded:
    ModelTrait<Entity: EntityTrait<Model = Self>> + FromQueryResult + Send + Sync + 'static
{
    /// What rows are, for the log.
    const NAME: &str;
    /// The column of [`Recorded::id`].
    const ID: <Self::Entity as EntityTrait>::Column;

    /// Rows were recorded in this order.
    fn id(&self) -> i64;

    /// When it was recorded, in milliseconds since 1970.
    fn recorded_at(&self) -> i64;

    /// The span in which a row is published.
    fn span() -> Span;

    /// Notes how many rows wait, and when the oldest was recorded.
    fn note_waiting(metrics: &Metrics, count: u64, oldest: Option<i64>);

    /// What is published, by which service.
    fn into_message(self, service: &str) -> Result<Message>;
}

/// A message for a stream.
pub(crate) struct Message {
    pub(crate) subject: String,
    /// By which the server knows that it has had it.
    pub(crate) id: String,
    pub(crate) body: Vec<u8>,
    /// The trace that it belongs to, if somebody collects it.
    pub(crate) traceparent: Option<String>,
}

impl Message {
    /// As it is published, signed if there is with what.
    pub(crate) fn into_publication(self, signer: Option<&MessageSigner>) -> Result<Publication> {
        let mut headers = propagation::nats_headers(self.traceparent.as_deref()).unwrap_or_default();
        headers.insert("Nats-Msg-Id", self.id.as_str());
        if let Some(signer) = signer {
            signer.sign(&self.subject, &self.body, &mut headers)?;
        }
        Ok(Publication { subject: self.subject, headers, body: self.body.into() })
    }
}

/// Who may do what with such a table, on PostgreSQL: whoever does something adds to it; what others did, the relay alone
/// reads.
pub(crate) async fn protect(manager: &SchemaManager<'_>, table: &str) -> std::result::Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres {
        let sql = format!(
            "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; ALTER TABLE {table} FORCE ROW LEVEL SECURITY; \
             CREATE POLICY anybody_adds ON {table} FOR INSERT WITH CHECK (true); \
             CREATE POLICY relay ON {table} USING (current_setting('app.platform', true) = 'on')"
        );
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}

/// Carries rows to their stream until shutdown. What fails is tried again.
pub(crate) async fn relay<R: Recorded>(
    db: &Database,
    bus: &Bus,
    signer: Option<&MessageSigner>,
    shutdown: CancellationToken,
) -> Result<()> {
    let mut failing = false;
    while !shutdown.is_cancelled() {
        let round = round::<R>(db, bus, signer).await;
        let pause = match &round {
            Ok(true) => continue,
            Ok(false) => POLL,
            Err(error) => {
                if !failing {
                    let (name, service) = (R::NAME, db.service());
                    tracing::warn!(%error, service, "{name} do not reach their stream; will try again");
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
async fn round<R: Recorded>(db: &Database, bus: &Bus, signer: Option<&MessageSigner>) -> Result<bool> {
    let rows = oldest::<R>(db).await?;
    let full = rows.len() as u64 == BATCH;
    let (mut ids, mut messages, mut spans) = (Vec::new(), Vec::new(), Vec::new());
    let mut outcome = Ok(());
    for row in rows {
        let id = row.id();
        match traced(row, db.service(), signer) {
            Ok((message, span)) => {
                ids.push(id);
                messages.push(message);
                spans.push(span);
            }
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    let mut arrived = Vec::with_capacity(ids.len());
    for (id, published) in ids.into_iter().zip(bus.publish_all(messages).await) {
        match published {
            // The first time, or a time before.
            Ok(_) => arrived.push(id),
            Err(error) => outcome = Err(Error::unavailable(error)),
        }
    }
    drop(spans);
    if !arrived.is_empty() {
        let tx = db.write(&Scope::Platform).await?;
        R::Entity::delete_many().filter(R::ID.is_in(arrived)).exec(&tx).await?;
        tx.commit().await?;
    }
    outcome?;
    if !full {
        R::note_waiting(&db.metrics, 0, None);
    }
    Ok(full)
}

async fn oldest<R: Recorded>(db: &Database) -> Result<Vec<R>> {
    let tx = db.read(&Scope::Platform).await?;
    let rows = R::Entity::find().order_by_asc(R::ID).limit(BATCH).all(&tx).await?;
    let count = match rows.len() as u64 {
        BATCH => R::Entity::find().count(&tx).await?,
        count => count,
    };
    tx.commit().await?;
    R::note_waiting(&db.metrics, count, rows.first().map(R::recorded_at));
    Ok(rows)
}

/// What a row is published as, in the trace of whatever recorded it, with the span of its publication.
fn traced<R: Recorded>(row: R, service: &str, signer: Option<&MessageSigner>) -> Result<(Publication, Span)> {
    let mut message = row.into_message(service)?;
    let span = match &message.traceparent {
        Some(traceparent) => {
            let span = R::span();
            propagation::continue_from_text(&span, traceparent);
            span
        }
        None => Span::none(),
    };
    message.traceparent = propagation::of(&span);
    Ok((message.into_publication(signer)?, span))
}
