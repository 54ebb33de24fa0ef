//! What waits for the database.

use armada_proto::{DeviceId, v1::Event};
use armada_runtime::{Code, Error};
use tokio::sync::oneshot;

use super::{
    group_commit::{Checkpoint, CommitOutcome},
    publisher::StoredFrame,
};
use crate::{
    entity::hot_frame,
    feeds::{meters::MetersOf, routes::ChangedRoutes},
    history::days::DayChanges,
    storage::rejection_counts::Rejections,
    streams::batch_span::BatchSpan,
};

/// Positions of one frame: what a reader holds in memory at a time.
pub(super) const COMMIT_BATCH_POSITIONS: usize = 20_000;

/// From so many positions on a commit batch is one of a flood, and stays open so many times as long as others.
pub(super) const FLOOD_POSITIONS: usize = 1_000;
pub(super) const FLOOD_FACTOR: u32 = 4;

/// A commit batch that waits to be committed.
pub(super) struct CommitBatch {
    pub(super) next_seq: i64,
    pub(super) frame: Option<hot_frame::Model>,
    pub(super) rejections: Rejections,
    pub(super) routes: ChangedRoutes,
    pub(super) checkpoint: Option<Checkpoint>,
    /// What fleet learns of meters when it is committed.
    pub(super) meters: Vec<MetersOf>,
    /// What happened to vehicles: recorded with it.
    pub(super) events: Vec<Event>,
    /// What it says of days.
    pub(super) days: DayChanges,
    /// Devices whose counters were derived anew, and are in its checkpoint.
    pub(super) corrected: Vec<DeviceId>,
    pub(super) trace: Option<BatchSpan>,
}

/// The commit batch that the writer has.
pub(super) struct InFlight {
    pub(super) trace: Option<BatchSpan>,
    pub(super) next_seq: i64,
    pub(super) positions: usize,
    pub(super) published_seq: i64,
    pub(super) frame: Option<StoredFrame>,
    pub(super) routes: ChangedRoutes,
    pub(super) checkpoint: Option<i64>,
    pub(super) meters: Vec<MetersOf>,
    pub(super) corrected: Vec<DeviceId>,
    pub(super) done: oneshot::Receiver<CommitOutcome>,
}

/// The answer to the write in flight; waits for ever when there is none.
pub(super) async fn finished(in_flight: &mut Option<InFlight>) -> Option<CommitOutcome> {
    match in_flight {
        Some(in_flight) => (&mut in_flight.done).await.ok(),
        None => std::future::pending().await,
    }
}

/// The error of an owner that is none any more.
pub(super) fn lost(partition: u32) -> Error {
    Error::new(Code::Unavailable, "lost", format!("partition {partition} has another owner"))
}
