//! Keeps the streams from filling: a full one refuses what is new even when everything in it has been read. They lose
//! only what ingest has stored and what every registered consumer has read, and only when it is old or when room is
//! needed. A consumer that is not heard of holds that up until the stream is nearly full; then the oldest messages go
//! without it, since a stream that is full would stop ingest itself.

use std::{collections::BTreeMap, time::Duration};

use armada_proto::Timestamp;
use armada_runtime::{Bus, Database, Error, Result};
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};

use super::{
    consumer_lag::{Lag, Lags, Name},
    names,
    watermarks::{Consumers, Watermark, committed_watermark},
};
use crate::config::Config;

const INTERVAL: Duration = Duration::from_secs(5);
/// Above this share of its bytes a stream loses what everybody has read.
const FULL_PERCENT: u64 = 60;
/// Above this share it loses messages that a consumer still needs, a third of what it holds at a time.
const OVERRUN_PERCENT: u64 = 90;
/// How long messages are kept when there is room, for looking into them.
const TARGET_AGE_MS: i64 = 72 * 3600 * 1000;

/// Purges for ever.
pub async fn run(bus: &Bus, db: &Database, config: &Config, lags: &Lags) -> Result<()> {
    loop {
        tokio::time::sleep(INTERVAL).await;
        if let Err(error) = purge_streams(bus, db, config, lags).await {
            tracing::warn!(%error, "cannot purge; will try again");
        }
    }
}

async fn purge_streams(bus: &Bus, db: &Database, config: &Config, lags: &Lags) -> Result<()> {
    let watermarks = Consumers::open(bus).await?.list().await?;
    let raw = names::raw(bus, config).await?;
    let positions = bus.stream(names::POSITIONS, &std::collections::HashMap::new()).await?;
    let mut found = lags_of(&raw, names::RAW, &watermarks).await?;
    found.append(&mut lags_of(&positions, names::POSITIONS, &watermarks).await?);
    lags.set(found.clone());
    let stored = committed_watermark(bus, db).await?;
    purge(&raw, stored, &found).await?;
    // Ingest's own readers of POSITIONS load what they missed from the database.
    let last = positions.cached_info().state.last_sequence;
    purge(&positions, last, &found).await
}

/// How far behind the consumers of a stream are. A partition without anything to read does not hold the others up.
async fn lags_of(stream: &Stream, name: &str, watermarks: &[Watermark]) -> Result<BTreeMap<Name, Lag>> {
    let end = stream.cached_info().state.last_sequence + 1;
    let mut lags = BTreeMap::<Name, Lag>::new();
    for mark in watermarks.iter().filter(|mark| mark.stream == name) {
        let subject = match name {
            names::RAW => names::raw_subject(mark.partition),
            _ => names::positions_subject(mark.partition),
        };
        let unread = names::first_from(stream, subject, mark.next.max(1)).await?;
        let first_needed = unread.map_or(end, |message| message.sequence);
        let key = Name { stream: mark.stream.clone(), consumer: mark.consumer.clone() };
        let lag = lags.entry(key).or_insert(Lag { messages: 0, first_needed: end, heard: mark.heard });
        lag.first_needed = lag.first_needed.min(first_needed);
        lag.messages = end - lag.first_needed;
        lag.heard = lag.heard.max(mark.heard);
    }
    Ok(lags)
}

/// Removes messages below `done`, what ingest has finished with, that no consumer needs: those older than the wished age,
/// or all of them when the stream is filling.
async fn purge(stream: &Stream, done: u64, lags: &BTreeMap<Name, Lag>) -> Result<()> {
    let info = stream.cached_info();
    // An empty stream calls every question about its messages a bad request.
    if info.state.messages == 0 {
        return Ok(());
    }
    let name = &info.config.name;
    let needed = lags.iter().filter(|(of, _)| of.stream == *name);
    let slowest = needed.min_by_key(|(_, lag)| lag.first_needed);
    let safe = slowest.map_or(done, |(_, lag)| done.min(lag.first_needed));
    let max_bytes = info.config.max_bytes.max(1) as u64;
    let filled = info.state.bytes.saturating_mul(100) / max_bytes;
    let first = info.state.first_sequence;
    let oldest = Timestamp::now().millis() - TARGET_AGE_MS;
    let mut until = if filled >= FULL_PERCENT { safe } else { first_since(stream, oldest, safe).await? };
    if filled >= OVERRUN_PERCENT
        && let Some((of, _)) = slowest
    {
        let room = first + (done.saturating_sub(first)).div_ceil(3);
        if room > safe {
            tracing::error!(stream = name, consumer = of.consumer, from = safe, to = room, "a consumer loses messages");
            until = room;
        }
    }
    if until > first {
        stream.purge().sequence(until).await.map_err(Error::unavailable)?;
        tracing::info!(stream = name, until, "purged");
    }
    Ok(())
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
