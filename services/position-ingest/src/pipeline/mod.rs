//! The owner of one partition: takes in what RAW holds of it, in order, shows positions live, gathers them into commit
//! batches, has each committed together with its progress, and publishes what was stored.
//!
//! Way in: [`input`], out of [`source`]: messages as they are written in this process, or RAW. Way out: the newest fix of
//! each device to `live.<tenant>` at once; the commit batch to the database ([`group_commit`]); what was stored to
//! POSITIONS ([`publisher`]), to fleet ([`crate::feeds`]), and to sealing ([`crate::history`]).
//!
//! - [`owner`] is what an owner holds and does next, [`context`] what the owners of an instance share, [`recovery`] how a
//!   new one learns what is stored, [`commit`] closes a batch ([`commit_batch`]) and settles it, [`raw_lag`] says how far
//!   behind RAW it is.
//! - **Commit batches.** What was taken in since the last commit becomes one hot frame: one row, one blob. One transaction
//!   per instance stores the batches of all its partitions together with their progress and the counts of what was refused,
//!   so one fsync pays for all. While the database is away batches wait in memory, up to 64 MB a partition with the one
//!   that is open; then reading stops and RAW keeps what comes. A frame that was stored before batches were bounded, and
//!   fits into no message of NATS, is split when its partition is loaded ([`split`]).
//! - **POSITIONS** gets the stored bytes, in order, after the commit. Frames are numbered per partition, by one: a reader
//!   applies n after n − 1, drops what it has, and loads from the database what it missed. A new owner first publishes what
//!   was stored and not published; it never computes a stored frame again. Frames are numbered by themselves and not by
//!   RAW's sequences, so that `armada positions adopt-stream`, after RAW was lost for good, does not make readers drop what
//!   follows.
//! - **State follows the device** ([`device_transfer`]). A changed IMEI leads seven devices of eight to another partition.
//!   Its owner sees that another one has known the device (the bucket `devices` told of the change, or the newest position
//!   came from elsewhere), holds the fix and what is behind it in RAW, and commits what was before it. Then it waits until
//!   the other partition has stored everything that RAW has before that fix, and reads the state from the newest checkpoint
//!   and the frames since. Two owners never wait for each other, since each waits for what is before its own message. A new
//!   device waits for nothing. `device_state` has a row for each partition that a device has been in; the one with the
//!   newest fix holds.
//! - **What came late** ([`derive`]) is derived beside the way, one device at a time, and what was found goes into the next
//!   checkpoint with the days that are other ones now. Every instance hears whose counters were corrected
//!   (`ingest.corrected`), and reads them from there.
//! - **Release.** NATS and the database are answered for by nobody, so an owner that is told to release its partition has
//!   five seconds for what it has begun and is then dropped where it is, as if it had died: what is not stored is read
//!   again, what is stored and not published is published by the next owner.
//!
//! *Tests: `tests/it/{path,moving,draining,floods}.rs`, `services/all-in-one/tests/it/takeover.rs`.*

mod commit;
mod commit_batch;
mod context;
mod derive;
mod deriving;
mod device_transfer;
pub mod group_commit;
mod input;
mod owner;
mod publisher;
pub mod raw_lag;
mod recovery;
mod source;
mod split;

use std::time::Duration;

use armada_runtime::{Error, Result};
use tokio::{sync::watch, task::JoinSet};

pub use self::{
    context::PipelineContext,
    owner::{Order, STREAM_RECREATED, seal_subject},
};

use self::owner::PartitionOwner;
use crate::{metrics::standstill::Steps, streams::tail::Tail};

/// How long an owner that is told to release its partition may go on with what it has begun. NATS and the database are answered for by
/// nobody, so it may wait for them in any place; then it is dropped where it is, as if it had died. What it has not
/// stored is read again by the next owner, and what it has stored and not published is published by that one.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);

/// Owns a partition under `epoch` until told to release it, or until somebody else owns it. What is received in this
/// process comes by `tail`.
pub async fn own(
    context: PipelineContext,
    (partition, epoch): (u32, i64),
    (tail, steps): (Tail, Steps),
    orders: watch::Receiver<Order>,
) -> Result<()> {
    let overdue = overdue(orders.clone());
    tokio::select! {
        ended = run_owner(context, (partition, epoch), (tail, steps), orders) => ended,
        () = overdue => Err(Error::unavailable(format!(
            "partition {partition} was not released within {RELEASE_TIMEOUT:?}: what is not stored is read again"
        ))),
    }
}

/// Returns when the owner should have ended long ago, or when nobody is there any more to give orders.
async fn overdue(mut orders: watch::Receiver<Order>) {
    if orders.wait_for(|order| *order == Order::Release).await.is_ok() {
        tokio::time::sleep(RELEASE_TIMEOUT).await;
    }
}

async fn run_owner(
    context: PipelineContext,
    (partition, epoch): (u32, i64),
    (tail, steps): (Tail, Steps),
    orders: watch::Receiver<Order>,
) -> Result<()> {
    let (mut owner, work) = PartitionOwner::start(context, (partition, epoch), (tail, steps)).await?;
    // Ends with this future, finished or dropped.
    let mut publishing = JoinSet::new();
    publishing.spawn(work);
    tokio::select! {
        ran = owner.run(orders) => ran?,
        ended = joined(&mut publishing) => {
            return ended.and_then(|()| Err(Error::unavailable("the publisher has stopped")));
        }
    }
    drop(owner);
    joined(&mut publishing).await
}

async fn joined(publishing: &mut JoinSet<Result<()>>) -> Result<()> {
    match publishing.join_next().await {
        Some(ended) => ended.unwrap_or_else(|error| Err(Error::internal(error))),
        None => Ok(()),
    }
}
