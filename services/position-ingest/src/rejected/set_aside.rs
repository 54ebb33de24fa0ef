//! What a stream does not take and would not take a moment later: its partition goes on without waiting for it. What could be
//! lost is kept in the database until somebody has mended the cause.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use armada_proto::Timestamp;
use armada_runtime::{
    Bus, Code, Database, Result, Scope,
    bus::{Publication, PublishFailure},
    health::Health,
};
use async_nats::HeaderMap;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use crate::{
    entity::set_aside,
    storage::write_gate::WriteGate,
    streams::{DLQ, HELD, REFUSED},
};

/// Pause before what may go well is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(200);
/// For how long a stream that nobody has may be one between two leaders.
const NO_STREAM: Duration = Duration::from_secs(5);
/// How often what was set aside is tried again, and how much of it at a time.
const INTERVAL: Duration = Duration::from_secs(15);
const AT_ONCE: u64 = 200;
/// Rows that are kept; what comes then is lost.
const ROWS_MAX: u64 = 20_000;
/// Rows of one statement: SQLite takes 32,766 parameters.
const ROWS_AT_ONCE: usize = 500;
/// For how long, as long as HELD keeps what nobody has.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Stream {
    stream: &'static str,
}

/// Publishes what a commit batch leaves behind, and sets aside what is not taken. Cheap to clone.
#[derive(Clone)]
pub struct SetAside {
    bus: Bus,
    db: Database,
    gate: WriteGate,
    counted: Family<Stream, Counter>,
    /// Since when nobody has a stream.
    missing: Arc<Mutex<HashMap<&'static str, Instant>>>,
}

impl SetAside {
    /// For a process.
    pub fn new(bus: Bus, db: Database, gate: WriteGate, health: &Health) -> Self {
        let counted = Family::<Stream, Counter>::default();
        for stream in [DLQ, HELD, REFUSED] {
            drop(counted.get_or_create(&Stream { stream }));
        }
        health.metrics(|registry| {
            let help = "Messages that a stream does not take, and that its partition has passed";
            registry.register("armada_ingest_set_aside_messages", help, Family::clone(&counted));
        });
        Self { bus, db, gate, counted, missing: Arc::default() }
    }

    /// Publishes to a stream; returns when each of them is on disk there, or is set aside. Waits while NATS is away.
    pub async fn publish(&self, stream: &'static str, mut publications: Vec<Publication>) {
        while !publications.is_empty() {
            let published = self.bus.publish_all(publications.clone()).await;
            let (mut again, mut refused) = (Vec::new(), Vec::new());
            for (publication, published) in publications.into_iter().zip(published) {
                let Err(error) = published else {
                    self.missing().remove(stream);
                    continue;
                };
                let is_refused = match PublishFailure::of(&error) {
                    PublishFailure::Permanent => true,
                    PublishFailure::NoStream => self.is_missing(stream),
                    PublishFailure::Passing => false,
                };
                if !is_refused {
                    tracing::warn!(stream, %error, "what a round leaves behind is not stored; will try again");
                    again.push(publication);
                } else {
                    refused.push((publication, error.to_string()));
                }
            }
            self.set_aside(stream, refused).await;
            if !again.is_empty() {
                tokio::time::sleep(RETRY_DELAY).await;
            }
            publications = again;
        }
    }

    /// Whether a stream has been missing for too long to come back by itself.
    fn is_missing(&self, stream: &'static str) -> bool {
        self.missing().entry(stream).or_insert_with(Instant::now).elapsed() >= NO_STREAM
    }

    fn missing(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Instant>> {
        self.missing.lock().expect("no panic while held")
    }

    async fn set_aside(&self, stream: &'static str, refused: Vec<(Publication, String)>) {
        let Some((_, why)) = refused.first() else { return };
        tracing::error!(stream, why, messages = refused.len(), "messages are set aside: the stream does not take them");
        self.counted.get_or_create(&Stream { stream }).inc_by(refused.len() as u64);
        while let Err(error) = self.keep(&refused).await {
            if error.class != Code::Unavailable {
                tracing::error!(%error, stream, messages = refused.len(), "messages that were set aside are lost");
                return;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn keep(&self, refused: &[(Publication, String)]) -> Result<()> {
        let rows = refused.iter().map(|(publication, why)| set_aside::ActiveModel {
            id: Set(Uuid::now_v7().to_string()),
            at: Set(Timestamp::now().millis()),
            subject: Set(publication.subject.clone()),
            headers: Set(lines_of(&publication.headers)),
            body: Set(publication.body.to_vec()),
            why: Set(why.clone()),
        });
        let _turn = self.gate.enter().await;
        let tx = self.db.write(&Scope::Platform).await?;
        let there = set_aside::Entity::find().count(&tx).await?;
        let rows: Vec<_> = rows.take(ROWS_MAX.saturating_sub(there) as usize).collect();
        if rows.len() < refused.len() {
            tracing::error!(lost = refused.len() - rows.len(), "too many messages are set aside; no more are kept");
        }
        for chunk in rows.chunks(ROWS_AT_ONCE) {
            set_aside::Entity::insert_many(chunk.to_vec()).exec_without_returning(&tx).await?;
        }
        Ok(tx.commit().await?)
    }

    /// Tries what was set aside again, for ever. Each instance does; what two of them publish has one id.
    pub async fn run(&self) -> Result<()> {
        let mut ticks = interval(INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.try_again().await {
                tracing::debug!(%error, "what was set aside could not be tried again");
            }
        }
    }

    /// Walks through all of it: what one stream does not take is not in the way of what another does.
    async fn try_again(&self) -> Result<()> {
        let mut after = String::new();
        loop {
            let tx = self.db.read(&Scope::Platform).await?;
            let rows = set_aside::Entity::find().filter(set_aside::Column::Id.gt(&*after));
            let rows = rows.order_by_asc(set_aside::Column::Id).limit(AT_ONCE).all(&tx).await?;
            tx.commit().await?;
            match rows.last() {
                Some(last) => after.clone_from(&last.id),
                None => return Ok(()),
            }
            let publications = rows.iter().map(|row| Publication {
                subject: row.subject.clone(),
                headers: headers_of(&row.headers),
                body: row.body.clone().into(),
            });
            let published = self.bus.publish_all(publications.collect()).await;
            let since = Timestamp::now().millis() - KEPT.as_millis() as i64;
            let done = rows.iter().zip(&published).filter(|(row, published)| published.is_ok() || row.at < since);
            let done: Vec<_> = done.map(|(row, _)| row.id.clone()).collect();
            if done.is_empty() {
                continue;
            }
            tracing::info!(messages = done.len(), "what was set aside is where it belongs now, or too old");
            let _turn = self.gate.enter().await;
            let tx = self.db.write(&Scope::Platform).await?;
            set_aside::Entity::delete_many().filter(set_aside::Column::Id.is_in(done)).exec(&tx).await?;
            tx.commit().await?;
        }
    }
}

/// Headers as text, a line each: they have no line breaks.
fn lines_of(headers: &HeaderMap) -> String {
    let lines = headers.iter().flat_map(|(name, values)| values.iter().map(move |value| format!("{name}: {value}\n")));
    lines.collect()
}

fn headers_of(lines: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines.lines().filter_map(|line| line.split_once(": ")) {
        headers.insert(name, value);
    }
    headers
}
