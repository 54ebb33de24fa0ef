//! What the program, the demonstration, replays and measurements call beside the service: erasing, sealing, looking through
//! what is stored, and what an operator does after a loss.

use armada_runtime::{Bus, Error, Result};
use futures::StreamExt as _;

use crate::{history::seal, pipeline::seal_subject};

pub use crate::{
    erasure::delete::erase_tenant,
    history::{days::note_all as derive_all, verify},
    ownership::adopt::adopt_stream,
    rejected::{
        dead_letters::{Page as DeadLetterPage, list as list_dead_letters},
        replay::replay as replay_dead_letters,
    },
    storage::{
        rejection_counts::counts as rejection_counts,
        restored::{RawAfterRestore, raw_after_restore},
        size::{Storage, Stored, storage, whole_bytes},
    },
    streams::{
        partitions,
        watermarks::{Consumers, Watermark, committed_watermark},
    },
};

/// Seals a partition now, wherever its owner runs; returns the number of positions sealed. The owner says every two seconds
/// that it is at it: when it says nothing any more, it has died, and this fails.
pub async fn seal_now(bus: &Bus, partition: u32) -> Result<u64> {
    let died = |why: &dyn std::fmt::Display| {
        Error::unavailable(format!("nobody seals partition {partition} ({why}): is `armada run` running?"))
    };
    let inbox = bus.client.new_inbox();
    let mut answers = bus.client.subscribe(inbox.clone()).await.map_err(Error::unavailable)?;
    let asked = bus.client.publish_with_reply(seal_subject(partition), inbox, "".into());
    asked.await.map_err(Error::unavailable)?;
    loop {
        let answer = tokio::time::timeout(seal::SILENT, answers.next()).await;
        let answer =
            answer.map_err(|_| died(&"nothing was heard of its owner"))?.ok_or_else(|| died(&"NATS is away"))?;
        if answer.status == Some(async_nats::StatusCode::NO_RESPONDERS) {
            return Err(died(&"it has no owner"));
        }
        match serde_json::from_slice(&answer.payload).map_err(Error::internal)? {
            seal::Reply::Working => {}
            seal::Reply::Sealed(positions) => return Ok(positions),
            seal::Reply::Error(error) => return Err(Error::unavailable(error)),
        }
    }
}
