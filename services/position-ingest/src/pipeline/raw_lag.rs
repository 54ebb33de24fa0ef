//! How far behind RAW the partitions of this instance are: what an operator scales by, and is woken by.

use std::{sync::atomic::Ordering, time::Duration};

use armada_runtime::{Bus, Result};

use crate::{config::Config, metrics::progress::AllProgress, streams};

const INTERVAL: Duration = Duration::from_secs(5);

/// Looks every five seconds, for ever. While NATS is away the last look stands, and the oldest message grows older.
pub async fn run(bus: &Bus, config: &Config, progress: &AllProgress) -> Result<()> {
    loop {
        if let Err(error) = measure(bus, config, progress).await {
            tracing::debug!(%error, "cannot see how far behind RAW the partitions are");
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

async fn measure(bus: &Bus, config: &Config, progress: &AllProgress) -> Result<()> {
    let stream = streams::raw(bus, config).await?;
    let last = stream.cached_info().state.last_sequence as i64;
    for (partition, progress) in progress.all() {
        let next = progress.next_seq.load(Ordering::Relaxed).max(1) as u64;
        match streams::first_from(&stream, streams::raw_subject(partition), next).await? {
            Some(message) => {
                let taken_in = (message.time.unix_timestamp_nanos() / 1_000_000) as i64;
                progress.set_lag((last - message.sequence as i64 + 1).max(1), taken_in);
            }
            None => progress.set_lag(0, 0),
        }
    }
    Ok(())
}
