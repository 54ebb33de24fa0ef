//! How a database that was restored and the stream RAW go on together.

use armada_runtime::{Bus, Database, Result, Scope};
use sea_orm::EntityTrait;

use crate::{config::Config, entity::partition, streams};

/// What RAW has for a database that was restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawAfterRestore {
    /// It is another stream than the one that was read, or has lost its end: `adopt_stream` begins anew with it.
    Another,
    /// The next owners go on where the copy was made.
    GoesOn {
        /// Messages that are taken in once more, about: partitions share their sequences.
        again: u64,
        /// Messages that came after the copy and are purged by now, about.
        lost: u64,
    },
}

/// Compares the progress that a restored database knows of with what RAW holds.
pub async fn raw_after_restore(bus: &Bus, db: &Database, config: &Config) -> Result<RawAfterRestore> {
    let stream = streams::raw(bus, config).await?;
    let state = &stream.cached_info().state;
    let (first, end) = (state.first_sequence.max(1), state.last_sequence + 1);
    let tx = db.read(&Scope::Platform).await?;
    let rows = partition::Entity::find().all(&tx).await?;
    tx.commit().await?;
    let created = streams::created(&stream);
    let is_another = |row: &partition::Model| {
        (row.stream_created != 0 && row.stream_created != created) || row.next_seq as u64 > end
    };
    if rows.iter().any(is_another) {
        return Ok(RawAfterRestore::Another);
    }
    // A partition to which nothing came stands far back, and lacks nothing for that: the foremost one says how far all were.
    let next = rows.iter().map(|row| row.next_seq.max(1) as u64).max().unwrap_or(1);
    Ok(RawAfterRestore::GoesOn { again: end.saturating_sub(next.max(first)), lost: first.saturating_sub(next) })
}
