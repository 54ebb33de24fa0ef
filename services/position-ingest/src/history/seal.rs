//! Sealing: hot frames become per-device blocks, and small blocks of a day become one. Readers see the same positions
//! before, during and after.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use armada_proto::{Choice, DeviceId, TenantId, Timestamp};
use armada_runtime::{Bus, Error, Result, Scope};
use armada_track::{FixMark, HotFrame, Position, Thresholds, fill_late, merge, split_by_utc_day};
use bytes::Bytes;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use super::{
    blocks::{self, OwnedBlocks},
    compaction,
    context::HistoryContext,
    retention::Retention,
};
use crate::{
    directory::registry::Registry,
    entity::{hot_frame, partition, track_block},
    erasure::delete,
    metrics::{
        Metrics,
        standstill::{Step, Steps},
    },
    storage::{
        reclaim,
        rejection_counts::{Rejections, add_rejections},
    },
};

/// Positions sealed in one transaction: what is held in memory.
const POSITIONS_AT_ONCE: i64 = 250_000;
/// For how long what is on its way to POSITIONS is waited for. What has not arrived by then stays hot until the next time.
const PUBLISHED_WITHIN: Duration = Duration::from_secs(5);
/// Sealings after which days are looked through for devices with too many blocks; the first one of an owner does it too.
const SEALINGS_BEFORE_COMPACTION: u32 = 8;
const DAY_MS: i64 = 24 * 3600 * 1000;

/// How often whoever asked hears that it is being sealed, and after how long without a word it is not.
const WORKING: Duration = Duration::from_secs(2);
pub const SILENT: Duration = Duration::from_secs(60);

/// What whoever asks for a sealing hears.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It is being sealed, or waits for that.
    Working,
    /// So many positions are sealed.
    Sealed(u64),
    /// It failed.
    Error(String),
}

/// Seals one partition in the background, one request after the other, until it is dropped: what was not sealed stays
/// hot, for the next owner.
pub struct Sealer {
    requests: mpsc::UnboundedSender<Request>,
    _task: JoinSet<()>,
}

struct Request {
    until_seq: i64,
    /// When that checkpoint was made, milliseconds since 1970.
    as_of: i64,
    replies: Vec<async_nats::Message>,
}

impl Sealer {
    /// For the owner of a partition; ends with it. `published` is the last frame that POSITIONS has.
    pub fn new(
        context: HistoryContext,
        (partition, epoch): (u32, i64),
        steps: Steps,
        published: watch::Receiver<i64>,
    ) -> Self {
        let (requests, mut waiting) = mpsc::unbounded_channel::<Request>();
        let owned = OwnedBlocks { context, partition, epoch };
        let mut sealing = Sealing { owned, published, steps, sealings: 0, retention: Retention::default() };
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            while let Some(request) = waiting.recv().await {
                sealing.steps.moved(Step::Sealer);
                let bus = sealing.owned.context.bus.clone();
                let sealed = tokio::select! {
                    sealed = sealing.seal(&request) => sealed,
                    () = say_working(&bus, &request.replies) => continue,
                };
                sealing.steps.idle(Step::Sealer);
                let reply = match sealed {
                    Ok(positions) => Reply::Sealed(positions),
                    Err(error) => {
                        tracing::warn!(partition, %error, "sealing failed; the frames stay hot");
                        Reply::Error(error.message)
                    }
                };
                answer(&bus, &request.replies, &reply).await;
            }
        });
        Self { requests, _task: tasks }
    }

    /// Seals what the last checkpoint covers, up to frame `until_seq`, as far as POSITIONS has it; then answers `replies`.
    pub fn seal(&self, until_seq: i64, replies: Vec<async_nats::Message>) -> Result<()> {
        let request = Request { until_seq, as_of: Timestamp::now().millis(), replies };
        self.requests.send(request).map_err(|_| Error::unavailable("the sealer has stopped"))
    }
}

/// Tells whoever asked that it is at it, for ever.
async fn say_working(bus: &Bus, requests: &[async_nats::Message]) {
    loop {
        tokio::time::sleep(WORKING).await;
        answer(bus, requests, &Reply::Working).await;
    }
}

async fn answer(bus: &Bus, requests: &[async_nats::Message], reply: &Reply) {
    let body = Bytes::from(serde_json::to_vec(reply).unwrap_or_default());
    for reply_to in requests.iter().filter_map(|request| request.reply.clone()) {
        if let Err(error) = bus.client.publish(reply_to, body.clone()).await {
            tracing::debug!(%error, "cannot answer who asked for a sealing");
        }
    }
}

/// What sealing one partition needs.
struct Sealing {
    owned: OwnedBlocks,
    published: watch::Receiver<i64>,
    steps: Steps,
    /// Sealings so far.
    sealings: u32,
    retention: Retention,
}

impl Sealing {
    /// Seals all that may be, in transactions of bounded size; returns the number of positions.
    async fn seal(&mut self, request: &Request) -> Result<u64> {
        let mut sealed = 0;
        let published_seq = self.published(request.until_seq).await;
        loop {
            // Others have their turn first, which may take its time.
            self.steps.idle(Step::Sealer);
            let _turn = self.owned.context.sealing.acquire().await.map_err(Error::internal)?;
            self.steps.moved(Step::Sealer);
            self.steps.pass(Step::Sealer).await;
            let frames = self.sealable(published_seq).await?;
            if frames.is_empty() {
                break;
            }
            let (last_seq, day) =
                frames.last().map_or((0, 0), |frame| (frame.seq, frame.stream_ts.div_euclid(DAY_MS) as i32));
            let (registry, metrics) = (self.owned.context.registry.clone(), self.owned.context.metrics.clone());
            let partition = self.owned.partition;
            self.steps.moved(Step::Sealer);
            let blocks = move || blocks_of(partition, &frames, (last_seq, day), &registry, &metrics);
            let (blocks, marked) = tokio::task::spawn_blocking(blocks).await.map_err(Error::internal)??;
            sealed += blocks.iter().map(|block| block.n as u64).sum::<u64>();
            self.steps.moved(Step::Sealer);
            self.retention.blocks_come(&blocks);
            self.replace(blocks, last_seq, &marked).await?;
            for ((_, mark), n) in marked {
                self.owned.context.metrics.counted(mark, n);
            }
        }
        if self.sealings.is_multiple_of(SEALINGS_BEFORE_COMPACTION) {
            // It looks through days, which may take its time as well.
            self.steps.idle(Step::Sealer);
            self.owned.compact().await?;
        }
        // What follows removes as much as there is, some at a time.
        self.steps.idle(Step::Sealer);
        self.sealings = self.sealings.wrapping_add(1);
        let as_of = if published_seq >= request.until_seq { request.as_of } else { 0 };
        let HistoryContext { db, gate, settings, metrics, .. } = &self.owned.context;
        delete::sweep(db, gate, self.owned.partition, as_of).await?;
        let now = Timestamp::now().millis();
        metrics.expired(self.retention.run(db, gate, settings, self.owned.partition, now).await?);
        if let Err(error) = reclaim::reclaim(db, gate).await {
            tracing::warn!(%error, "room that is not needed could not be given back; will try again");
        }
        Ok(sealed)
    }

    /// The last published frame, at most `until_seq`: what is on its way is waited for, for a moment.
    async fn published(&mut self, until_seq: i64) -> i64 {
        let arrived = self.published.wait_for(|published| *published >= until_seq);
        let _ = tokio::time::timeout(PUBLISHED_WITHIN, arrived).await;
        Ord::min(*self.published.borrow(), until_seq)
    }

    async fn sealable(&self, published_seq: i64) -> Result<Vec<hot_frame::Model>> {
        let tx = self.owned.context.db.read(&Scope::Platform).await?;
        let row = partition::Entity::find_by_id(self.owned.partition as i32).one(&tx).await?;
        let Some(row) = row.filter(|row| row.epoch == self.owned.epoch) else { return Ok(Vec::new()) };
        let last = Ord::min(row.checkpoint_seq, published_seq);
        let of_partition = hot_frame::Entity::find()
            .filter(hot_frame::Column::Partition.eq(self.owned.partition as i32))
            .filter(hot_frame::Column::Seq.lte(last))
            .order_by_asc(hot_frame::Column::Seq);
        let sizes: Vec<(i64, i32)> = of_partition
            .clone()
            .select_only()
            .columns([hot_frame::Column::Seq, hot_frame::Column::N])
            .into_tuple()
            .all(&tx)
            .await?;
        let mut positions = 0;
        let fits = sizes.iter().take_while(|(_, n)| {
            let room = positions < POSITIONS_AT_ONCE;
            positions += i64::from(*n);
            room
        });
        let Some(&(until, _)) = fits.last() else { return Ok(Vec::new()) };
        let frames = of_partition.filter(hot_frame::Column::Seq.lte(until)).all(&tx).await?;
        tx.commit().await?;
        Ok(frames)
    }

    /// Puts blocks in the place of the frames they were made of, in one transaction and only as the owner, and counts what
    /// of them got a mark.
    async fn replace(&self, blocks: Vec<track_block::Model>, last_seq: i64, marked: &Rejections) -> Result<()> {
        let _turn = self.owned.context.gate.enter().await;
        let tx = self.owned.context.db.write(&Scope::Platform).await?;
        self.owned.confirm(&tx).await?;
        compaction::note(&tx, self.owned.partition, blocks.iter().map(|block| block.day).collect::<BTreeSet<_>>())
            .await?;
        blocks::insert(&tx, blocks).await?;
        for (&(day, mark), &n) in marked {
            add_rejections(&tx, self.owned.partition, day, mark, n).await?;
        }
        hot_frame::Entity::delete_many()
            .filter(hot_frame::Column::Partition.eq(self.owned.partition as i32))
            .filter(hot_frame::Column::Seq.lte(last_seq))
            .exec(&tx)
            .await?;
        Ok(tx.commit().await?)
    }
}

/// The blocks of some frames: for each device and day one, ascending, the first stored of each instant; and how many of the
/// fixes that came late got which mark. They are counted on `day`.
fn blocks_of(
    partition: u32,
    frames: &[hot_frame::Model],
    (last_seq, day_counted): (i64, i32),
    registry: &Registry,
    metrics: &Metrics,
) -> Result<(Vec<track_block::Model>, Rejections)> {
    let mut runs = BTreeMap::<(TenantId, DeviceId), Vec<Position>>::new();
    for frame in frames {
        let frame = HotFrame::parse(&frame.data).map_err(Error::internal)?;
        for (tenant, device, position) in frame.rows().map_err(Error::internal)? {
            runs.entry((tenant, device)).or_default().push(position);
        }
    }
    let (mut sealed, mut marked) = (Vec::new(), Rejections::new());
    for ((tenant, device), mut run) in runs {
        // A stable sort keeps the order of arrival within an instant.
        run.sort_by_key(Position::recorded_at);
        let (mut positions, counts) = merge([run]);
        metrics.merged(counts);
        for mark in fill(&mut positions, &registry.thresholds(device).motion()) {
            *marked.entry((day_counted, mark.name())).or_default() += 1;
        }
        for (day, positions) in split_by_utc_day(&positions) {
            sealed.extend(blocks::block(tenant, device, day as i32, partition, last_seq, positions));
        }
    }
    Ok((sealed, marked))
}

/// Fills the late ones; the marks that they got.
fn fill(positions: &mut [Position], thresholds: &Thresholds) -> Vec<FixMark> {
    let unmarked: Vec<usize> = positions
        .iter()
        .enumerate()
        .filter(|(_, position)| position.late && position.mark == FixMark::Unspecified)
        .map(|(row, _)| row)
        .collect();
    fill_late(positions, thresholds);
    let marks = unmarked.into_iter().map(|row| positions[row].mark);
    marks.filter(|mark| *mark != FixMark::Unspecified).collect()
}
