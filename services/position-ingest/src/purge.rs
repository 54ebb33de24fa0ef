//! Keeps the streams from filling: a full one refuses what is new even when everything in it has been read. RAW loses
//! only what is stored, and only when it is old or when room is needed.

use std::time::Duration;

use armada_proto::Timestamp;
use armada_runtime::{Bus, Database, Error, Result, Scope};
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};
use sea_orm::EntityTrait;

use crate::{Config, entity::partition, streams};

const ROUND: Duration = Duration::from_secs(10);
/// Above this share of its bytes a stream loses what everybody has read.
const FULL_PERCENT: u64 = 60;
/// How long messages are kept when there is room, for looking into them.
const WISHED_AGE_MS: i64 = 72 * 3600 * 1000;

/// Purges for ever.
pub async fn run(bus: &Bus, db: &Database, config: &Config) -> Result<()> {
    loop {
        tokio::time::sleep(ROUND).await;
        for purged in [raw(bus, db, config).await, positions(bus).await] {
            if let Err(error) = purged {
                tracing::warn!(%error, "cannot purge; will try again");
            }
        }
    }
}

async fn raw(bus: &Bus, db: &Database, config: &Config) -> Result<()> {
    let stream = streams::raw(bus, config).await?;
    // An empty stream calls every question about its messages a bad request.
    if stream.cached_info().state.messages == 0 {
        return Ok(());
    }
    let safe = stored_below(&stream, db, config).await?;
    purge_below(&stream, safe).await
}

/// Readers of POSITIONS that fall behind load what they missed from the database.
async fn positions(bus: &Bus) -> Result<()> {
    let stream = bus.stream(streams::POSITIONS, &std::collections::HashMap::new()).await?;
    let last = stream.cached_info().state.last_sequence;
    purge_below(&stream, last).await
}

/// Removes messages below `safe`: those older than the wished age, or all of them when the stream is filling.
async fn purge_below(stream: &Stream, safe: u64) -> Result<()> {
    let info = stream.cached_info();
    let max_bytes = info.config.max_bytes.max(1) as u64;
    let filling = info.state.bytes.saturating_mul(100) / max_bytes >= FULL_PERCENT;
    let oldest = Timestamp::now().millis() - WISHED_AGE_MS;
    let until = if filling { safe } else { first_since(stream, oldest, safe).await? };
    if until > info.state.first_sequence {
        stream.purge().sequence(until).await.map_err(Error::unavailable)?;
        tracing::info!(stream = info.config.name, until, "purged");
    }
    Ok(())
}

/// The first sequence of RAW that is not stored yet. A partition without anything to read does not hold the others up.
async fn stored_below(stream: &Stream, db: &Database, config: &Config) -> Result<u64> {
    let mut safe = stream.cached_info().state.last_sequence + 1;
    let tx = db.read(&Scope::Platform).await?;
    let rows = partition::Entity::find().all(&tx).await?;
    tx.commit().await?;
    for row in rows.into_iter().filter(|row| (row.partition as u32) < config.partitions) {
        if row.stream_created != streams::created(stream) {
            return Ok(0);
        }
        for subject in streams::filters(row.partition as u32) {
            match stream.direct_get_next_for_subject(subject, Some(row.next_seq.max(1) as u64)).await {
                Ok(unread) => safe = safe.min(unread.sequence),
                Err(error) if error.kind() == DirectGetErrorKind::NotFound => {}
                Err(error) => return Err(Error::unavailable(error)),
            }
        }
    }
    Ok(safe)
}

/// The first sequence below `safe` that was taken in at `since` or later, by bisection: times ascend with sequences.
async fn first_since(stream: &Stream, since: i64, safe: u64) -> Result<u64> {
    let state = &stream.cached_info().state;
    if (state.first_timestamp.unix_timestamp_nanos() / 1_000_000) as i64 >= since {
        return Ok(state.first_sequence);
    }
    let (mut low, mut high) = (state.first_sequence, safe);
    while low < high {
        let middle = low + (high - low) / 2;
        let old = match stream.direct_get(middle).await {
            Ok(message) => ((message.time.unix_timestamp_nanos() / 1_000_000) as i64) < since,
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => true,
            Err(error) => return Err(Error::unavailable(error)),
        };
        if old { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}
