//! Stores what partitions have gathered: everything that waits goes into one transaction, so that one fsync pays for
//! all partitions. A frame and the progress that it stands for are committed together, and only by the partition's
//! present owner.

use std::time::{Duration, Instant};

use armada_proto::{DeviceId, TenantId, v1::Event};
use armada_runtime::{Code, Database, Error, Result, Scope, events};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{
    entity::{device_state, hot_frame, partition},
    history::days::{self, DayChanges},
    metrics::{Metrics, retry_health::RetryHealth},
    storage::{rejection_counts::add_rejections, write_gate::WriteGate},
};

/// Writes that one transaction takes at most.
const BATCH: usize = 64;
/// Rows of one insert statement: SQLite takes 32,766 parameters.
const ROWS_AT_ONCE: usize = 500;

/// Pause before a database that is away is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(200);
/// How long a commit may take once the process is to end.
const COMMIT_AT_END: Duration = Duration::from_secs(5);

/// What one partition wants stored.
pub struct Write {
    /// Whose.
    pub partition: u32,
    /// Of the owner that asks; another one's makes the write void.
    pub epoch: i64,
    /// Progress before: stands in the row, or the write is void.
    pub expected_next_seq: i64,
    /// Progress after.
    pub next_seq: i64,
    /// The frame of the commit batch, if it stored anything.
    pub frame: Option<hot_frame::Model>,
    /// Counts to add.
    pub rejections: Vec<(i32, &'static str, i64)>,
    /// The last frame known to be in POSITIONS.
    pub published_seq: i64,
    /// States of devices as of this commit batch's frame.
    pub checkpoint: Option<Checkpoint>,
    /// What happened to vehicles.
    pub events: Vec<Event>,
    /// What it says of days.
    pub days: DayChanges,
    /// Told once it is committed, or void.
    pub done: oneshot::Sender<CommitOutcome>,
}

/// The states of the devices that changed since the last checkpoint.
pub struct Checkpoint {
    /// As of this frame.
    pub seq: i64,
    /// The devices.
    pub devices: Vec<DeviceCheckpoint>,
}

/// One device of a checkpoint.
pub struct DeviceCheckpoint {
    /// Which.
    pub device: DeviceId,
    /// Whose.
    pub tenant: TenantId,
    /// `armada_track::DeviceState`, encoded.
    pub state: Vec<u8>,
    /// `armada_track::EventWatch`, encoded.
    pub watch: Vec<u8>,
    /// `armada_track::DayCounters`, encoded.
    pub today: Vec<u8>,
    /// `armada_track::TripCounter`, encoded.
    pub trips: Vec<u8>,
    /// The newest position, as a block of one.
    pub newest: Vec<u8>,
    /// `armada_track::Replacements`, encoded.
    pub replaced: Vec<u8>,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitOutcome {
    /// It is on disk.
    Committed,
    /// The partition has another owner, or other progress, than the writer thought. Nothing of it was stored.
    Void,
}

/// Stores writes until the last sender is gone. A database that is away or whose disk is full is tried again for as long as
/// it takes; the writes wait in their order meanwhile. When the process is to end, one that is away is not waited for.
pub async fn run(
    db: Database,
    gate: WriteGate,
    mut writes: mpsc::Receiver<Write>,
    (metrics, attempts): (Metrics, RetryHealth),
    shutdown: CancellationToken,
) -> Result<()> {
    let mut batch = Vec::with_capacity(BATCH);
    let mut negative_control = NegativeControl::from_env();
    while writes.recv_many(&mut batch, BATCH).await > 0 {
        let outcomes = loop {
            let attempt = async {
                let _turn = gate.enter().await;
                let begun = Instant::now();
                commit(&db, &batch, &mut negative_control).await.inspect(|_| metrics.committed(begun.elapsed()))
            };
            let committed = tokio::select! {
                committed = attempt => committed,
                () = overdue(&shutdown) => Err(Error::unavailable("the database does not answer")),
            };
            match committed {
                Ok(outcomes) => {
                    attempts.succeeded();
                    break outcomes;
                }
                Err(error) if error.class == Code::Unavailable && shutdown.is_cancelled() => {
                    tracing::warn!(%error, rounds = batch.len(), "rounds are not stored; they will be read again");
                    return Ok(());
                }
                Err(error) if error.class == Code::Unavailable => {
                    attempts.failed(error.message);
                    tokio::time::sleep(RETRY_DELAY).await;
                }
                Err(error) => return Err(error),
            }
        };
        for (write, outcome) in batch.drain(..).zip(outcomes) {
            let _ = write.done.send(outcome);
        }
    }
    Ok(())
}

/// Returns when shutdown was asked for and a commit has had its time.
async fn overdue(shutdown: &CancellationToken) {
    shutdown.cancelled().await;
    tokio::time::sleep(COMMIT_AT_END).await;
}

/// The defect that the fault tests must be able to see: progress that is committed before the frames it stands for.
/// Only debug builds have it, and only when a test asks for it.
struct NegativeControl {
    advances_first: bool,
    held_back: Vec<hot_frame::Model>,
}

impl NegativeControl {
    fn from_env() -> Self {
        let asked = cfg!(debug_assertions) && std::env::var_os("ARMADA_TEST_ADVANCE_BEFORE_COMMIT").is_some();
        Self { advances_first: asked, held_back: Vec::new() }
    }

    fn frames(&mut self, frames: Vec<hot_frame::Model>) -> Vec<hot_frame::Model> {
        if self.advances_first { std::mem::replace(&mut self.held_back, frames) } else { frames }
    }
}

async fn commit(db: &Database, batch: &[Write], negative_control: &mut NegativeControl) -> Result<Vec<CommitOutcome>> {
    let tx = db.write(&Scope::Platform).await?;
    let mut outcomes = vec![CommitOutcome::Void; batch.len()];
    let mut frames = Vec::with_capacity(batch.len());
    // Rows of partitions are locked in their order, here as where leases are renewed.
    let mut order: Vec<usize> = (0..batch.len()).collect();
    order.sort_by_key(|&place| batch[place].partition);
    for place in order {
        let write = &batch[place];
        if advance(&tx, write).await? {
            frames.extend(write.frame.clone());
            store(&tx, write).await?;
            events::record_all(&tx, write.events.clone()).await?;
            outcomes[place] = CommitOutcome::Committed;
        }
    }
    let frames = negative_control.frames(frames);
    if !frames.is_empty() {
        let frames = frames.into_iter().map(hot_frame::ActiveModel::from);
        hot_frame::Entity::insert_many(frames).exec_without_returning(&tx).await?;
    }
    tx.commit().await?;
    Ok(outcomes)
}

/// Moves the partition's row forward if it stands where the writer thinks: the one decision on which exactly-once rests.
async fn advance(tx: &DatabaseTransaction, write: &Write) -> Result<bool> {
    use partition::Column;
    let mut update = partition::Entity::update_many()
        .col_expr(Column::NextSeq, Expr::value(write.next_seq))
        .col_expr(Column::PublishedSeq, Expr::value(write.published_seq));
    if let Some(frame) = &write.frame {
        update = update.col_expr(Column::FrameSeq, Expr::value(frame.seq));
    }
    if let Some(checkpoint) = &write.checkpoint {
        update = update.col_expr(Column::CheckpointSeq, Expr::value(checkpoint.seq));
    }
    let updated = update
        .filter(Column::Partition.eq(write.partition as i32))
        .filter(Column::Epoch.eq(write.epoch))
        .filter(Column::NextSeq.eq(write.expected_next_seq))
        .exec(tx)
        .await?;
    Ok(updated.rows_affected == 1)
}

/// Everything of a write but its frame: the frames of a batch are stored together.
async fn store(tx: &DatabaseTransaction, write: &Write) -> Result<()> {
    for &(day, reason, n) in &write.rejections {
        add_rejections(tx, write.partition, day, reason, n).await?;
    }
    if let Some(checkpoint) = &write.checkpoint {
        for devices in checkpoint.devices.chunks(ROWS_AT_ONCE) {
            upsert_states(tx, write.partition, devices).await?;
        }
    }
    days::store(tx, write.partition, &write.days).await
}

async fn upsert_states(tx: &DatabaseTransaction, partition: u32, devices: &[DeviceCheckpoint]) -> Result<()> {
    use device_state::Column;
    let rows = devices.iter().map(|device| device_state::ActiveModel {
        device_id: Set(device.device),
        tenant_id: Set(device.tenant),
        partition: Set(partition as i32),
        state: Set(device.state.clone()),
        watch: Set(device.watch.clone()),
        today: Set(device.today.clone()),
        trips: Set(device.trips.clone()),
        newest: Set(device.newest.clone()),
        replaced: Set(device.replaced.clone()),
    });
    let on_conflict = OnConflict::columns([Column::DeviceId, Column::Partition])
        .update_columns([
            Column::TenantId,
            Column::State,
            Column::Watch,
            Column::Today,
            Column::Trips,
            Column::Newest,
            Column::Replaced,
        ])
        .to_owned();
    device_state::Entity::insert_many(rows).on_conflict(on_conflict).exec_without_returning(tx).await?;
    Ok(())
}

/// A sender of writes with its answer to wait for.
#[derive(Clone)]
pub struct Writer(pub mpsc::Sender<Write>);

impl Writer {
    /// Hands a write over. Its answer comes over the receiver made with it.
    pub async fn send(&self, write: Write) -> Result<()> {
        self.0.send(write).await.map_err(|_| Error::unavailable("the writer has stopped"))
    }
}
