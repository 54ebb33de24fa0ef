//! The owner of one partition: takes in what RAW holds of it, in order, shows positions live, gathers them into commit
//! batches, has each commit batch committed together with its progress, and publishes what was stored.

mod commit;
mod commit_batch;
mod context;
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
