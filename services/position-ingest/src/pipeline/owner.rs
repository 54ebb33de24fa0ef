//! What the owner of a partition holds, and what it does next.

use std::{
    collections::{HashMap, VecDeque},
    sync::atomic::Ordering,
    time::Duration,
};

use armada_proto::{DeviceId, Timestamp, binding::live_subject};
use armada_runtime::{Code, Error, Result, telemetry::propagation::nats_headers};
use bytes::Bytes;
use futures::StreamExt;
use prost::Message;
use tokio::{
    sync::{broadcast, watch},
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

use super::{
    commit_batch::{COMMIT_BATCH_POSITIONS, CommitBatch, InFlight, finished},
    context::PipelineContext,
    deriving::{DerivingTask, derived},
    publisher::Publisher,
    recovery::{Loaded, load},
    source::Source,
};
use crate::{
    enrich::{Intake, device::TrackedDevice},
    feeds::routes::RouteWriter,
    history::seal::Sealer,
    metrics::{
        progress::Shown,
        standstill::{Step, Steps},
    },
    readiness,
    streams::{self, batch_span::BatchSpan, limits::COMMIT_BATCH_BYTES, raw_message::RawMessage, tail::Tail},
};

/// The code of the error that refuses a stream which is not the one that was read so far.
pub const STREAM_RECREATED: &str = "stream_recreated";
/// How often it is looked at vehicles that say nothing.
const TICK: Duration = Duration::from_secs(5);
/// Bytes of commit batches that wait for a database that is away. Then reading stops, and RAW keeps what comes.
const WAITING_BYTES: usize = 64 << 20;

/// Nanoseconds of a minute.
const MINUTE_NS: i64 = 60_000_000_000;
/// Bits of a sequence of RAW: 274 thousand million messages.
const SEQUENCE_BITS: u32 = 38;

/// What an owner is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Go on.
    Own,
    /// Finish what has begun, then release the partition.
    Release,
}

/// The owner of a partition.
pub(super) struct PartitionOwner {
    pub(super) context: PipelineContext,
    pub(super) partition: u32,
    pub(super) epoch: i64,
    /// What is written in this process.
    pub(super) tail: Tail,
    /// Whether it moves.
    pub(super) steps: Steps,
    pub(super) intake: Intake,
    pub(super) publisher: Publisher,
    pub(super) routes: RouteWriter,
    pub(super) sealer: Sealer,
    /// The last sequence of RAW taken in, as a whole.
    pub(super) taken_seq: i64,
    pub(super) stream_ts: i64,
    /// `next_seq` of the last commit batch that was closed, and as it stands in the database.
    pub(super) closed_seq: i64,
    pub(super) committed_seq: i64,
    /// The last frame made, and the last one known to be published that the database knows of.
    pub(super) frame_seq: i64,
    pub(super) recorded_published: i64,
    /// The last frame that is in the database.
    pub(super) stored_frame: i64,
    /// The message behind that one, of which something waits: for the bucket of bindings, or for what other partitions
    /// know. Nothing is read meanwhile.
    pub(super) pending: Option<RawMessage>,
    /// When the bucket is asked again.
    pub(super) ask_again: Option<Instant>,
    /// What other partitions know.
    pub(super) inheriting: Inheriting,
    /// The device that is derived anew.
    pub(super) deriving: DerivingTask,
    /// Devices whose counters were derived anew, and are not saved yet.
    pub(super) corrected: Vec<DeviceId>,
    /// When it was last looked at what is noted to be derived.
    pub(super) noted_at: Instant,
    /// When RAW was made, minutes since 1970.
    created_minutes: i64,
    /// The commit batch that is gathered, if anything was taken in since the last one.
    pub(super) gathered: Option<BatchSpan>,
    pub(super) batches: VecDeque<CommitBatch>,
    pub(super) waiting_bytes: usize,
    pub(super) in_flight: Option<InFlight>,
    pub(super) wants_checkpoint: bool,
    /// Positions stored since the last checkpoint.
    pub(super) unsealed: usize,
    /// Who wants to hear when everything stored so far is sealed.
    pub(super) seal_requests: Vec<async_nats::Message>,
    /// Some of what fleet shall know of meters may not have been told: what was, before this owner, is not known.
    pub(super) sends_all_meters: bool,
    /// Since when this owner hears what vehicles say, milliseconds since 1970.
    heard_since: i64,
    /// When it last took something in.
    pub(super) taken_at: Instant,
    /// Devices whose meters are read in another way than before.
    meters_changed: broadcast::Receiver<DeviceId>,
    pub(super) shown: Shown,
}

/// One question at most, which ends with the owner.
pub(super) type Inheriting = JoinSet<Result<HashMap<DeviceId, TrackedDevice>>>;

impl PartitionOwner {
    /// Reads what is stored; the future publishes what the owner stores.
    pub(super) async fn start(
        context: PipelineContext,
        (partition, epoch): (u32, i64),
        (tail, steps): (Tail, Steps),
    ) -> Result<(Self, impl Future<Output = Result<()>>)> {
        // Whether a device comes from another partition is told from there, what vehicles may, and what is too old.
        tokio::join!(context.last.loaded(), context.registry.loaded(), context.settings.loaded());
        let Loaded { row, devices, unpublished, late } = load(&context, partition, epoch).await?;
        let stream = streams::raw(&context.bus, &context.config).await?;
        let last = stream.cached_info().state.last_sequence as i64;
        if streams::created(&stream) != row.stream_created || last + 1 < row.next_seq {
            return Err(Error::new(
                Code::Unavailable,
                STREAM_RECREATED,
                format!(
                    "partition {partition} has stored RAW up to {}, but the stream is another one or ends at {last}: if it was \
                 lost for good, `armada positions adopt-stream` starts anew with it",
                    row.next_seq - 1
                ),
            ));
        }
        let (publisher, publishing) =
            Publisher::new(context.bus.clone(), (partition, steps.clone()), row.published_seq, unpublished);
        let (registry, last) = (context.registry.clone(), context.last.clone());
        let meters_changed = registry.meters_changed();
        let sources = (registry, context.gateways.clone(), context.settings.clone());
        let traffic = context.traffic.clone();
        let mut intake = Intake::new(partition, context.config.partitions, sources, (last, traffic), devices);
        intake.take_up_late(late, row.frame_seq);
        let sealer = Sealer::new(context.history.clone(), (partition, epoch), steps.clone(), publisher.watch());
        context.health.present(&readiness::RAW);
        tracing::info!(partition, epoch, next_seq = row.next_seq, "owns");
        let owner = Self {
            partition,
            epoch,
            tail,
            steps,
            intake,
            publisher,
            routes: context.routes.writer(),
            sealer,
            taken_seq: row.next_seq - 1,
            stream_ts: 0,
            closed_seq: row.next_seq,
            committed_seq: row.next_seq,
            frame_seq: row.frame_seq,
            recorded_published: row.published_seq,
            stored_frame: row.frame_seq,
            pending: None,
            ask_again: None,
            inheriting: Inheriting::new(),
            deriving: DerivingTask::new(),
            corrected: Vec::new(),
            noted_at: Instant::now(),
            created_minutes: row.stream_created.div_euclid(MINUTE_NS),
            gathered: None,
            batches: VecDeque::new(),
            waiting_bytes: 0,
            in_flight: None,
            wants_checkpoint: row.frame_seq > row.checkpoint_seq,
            unsealed: 0,
            seal_requests: Vec::new(),
            sends_all_meters: true,
            heard_since: Timestamp::now().millis(),
            taken_at: Instant::now(),
            meters_changed,
            shown: context.metrics.progress.show(partition),
            context,
        };
        owner.show_progress();
        Ok((owner, publishing))
    }

    /// Works until it is told to release the partition.
    pub(super) async fn run(&mut self, mut orders: watch::Receiver<Order>) -> Result<()> {
        let subject = seal_subject(self.partition);
        let mut seal_requests = self.context.bus.client.subscribe(subject).await.map_err(Error::unavailable)?;
        let mut checkpoints = interval(self.context.config.seal_every());
        checkpoints.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut idle = interval(Duration::from_secs(1));
        idle.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut connections = self.context.bus.connections();
        let tail = self.tail.clone();
        let mut source = Source::Raw(self.open_consumer().await);
        let mut before = (0, 0);
        while *orders.borrow_and_update() == Order::Own {
            self.note_move(&mut before);
            self.steps.pass(Step::Owner).await;
            let linger = self.linger_ends();
            tokio::select! {
                _ = orders.changed() => {}
                outcome = finished(&mut self.in_flight) => self.settle(outcome).await?,
                next = tail.next(), if self.reads() => self.process_written(next, &mut source).await?,
                message = source.next(), if self.reads() => match message {
                    Some(Ok(message)) => self.process_available(message, &mut source).await?,
                    Some(Err(error)) => {
                        tracing::warn!(partition = self.partition, %error, "reading RAW anew");
                        tokio::time::sleep(Duration::from_millis(200)).await;
                        source = Source::Raw(self.open_consumer().await);
                    }
                    None => source = Source::Raw(self.open_consumer().await),
                },
                () = tokio::time::sleep_until(self.ask_again.unwrap_or_else(far_future)), if self.ask_again.is_some() => {
                    self.retry_pending().await?;
                }
                states = inherited(&mut self.inheriting) => self.process_inherited(states?).await?,
                derived = derived(&mut self.deriving) => self.take_derived(derived),
                () = tokio::time::sleep_until(linger.unwrap_or_else(far_future)), if linger.is_some() => {}
                _ = connections.changed() => if let Source::Raw(_) = source {
                    source = Source::Raw(self.open_consumer().await);
                },
                _ = checkpoints.tick() => self.wants_checkpoint = true,
                _ = idle.tick() => {
                    self.record_published();
                    self.resend_all_meters();
                    self.derive_next();
                    self.show_changed_meters().await;
                }
                _ = ticks.tick() => self.tick(&source),
                Some(request) = seal_requests.next() => {
                    self.wants_checkpoint = true;
                    self.seal_requests.push(request);
                }
            }
            self.advance().await?;
            self.show_progress();
        }
        drop(source);
        self.steps.idle(Step::Owner);
        self.release().await
    }

    /// Tells that it moves: it comes by here each second, and has taken something in if something waited.
    fn note_move(&self, before: &mut (i64, i64)) {
        let now = (self.committed_seq, self.taken_seq);
        // Others are waited for, and watched by themselves.
        let waits_for_others = self.ask_again.is_some() || !self.inheriting.is_empty();
        if *before != now || waits_for_others || !self.shown.progress.waits() {
            self.steps.moved(Step::Owner);
        }
        *before = now;
    }

    /// Shows what is read in another way from now on, without waiting for the next fix of a vehicle that may stand for days.
    async fn show_changed_meters(&mut self) {
        let mut devices = Vec::new();
        loop {
            match self.meters_changed.try_recv() {
                Ok(device) => devices.push(device),
                Err(broadcast::error::TryRecvError::Lagged(_)) => {}
                Err(_) => break,
            }
        }
        if !devices.is_empty() {
            self.intake.mark_fresh(devices);
            self.show_live().await;
        }
    }

    /// Looks at vehicles that say nothing, unless there may be something of them that was not read yet.
    fn tick(&mut self, source: &Source) {
        let waits = match source {
            Source::Tail => false,
            Source::Raw(Some(_)) => self.taken_at.elapsed() < TICK,
            Source::Raw(None) => true,
        };
        if self.reads() && !waits {
            self.intake.tick(Timestamp::now().millis(), self.heard_since);
        }
    }

    /// How far RAW was read: it grows, whatever stream that is.
    pub(super) fn version(&self) -> i64 {
        (self.created_minutes << SEQUENCE_BITS) | self.taken_seq
    }

    /// What waits is not all: the commit batch that is open may not be closed while the database is away.
    fn reads(&self) -> bool {
        self.waiting_bytes + self.intake.hot.bytes() < WAITING_BYTES && self.pending.is_none()
    }

    /// Whether the commit batch that is gathered takes nothing more.
    pub(super) fn batch_is_full(&self) -> bool {
        self.intake.hot.len() >= COMMIT_BATCH_POSITIONS || self.intake.hot.bytes() >= COMMIT_BATCH_BYTES
    }

    /// For `/metrics`.
    fn show_progress(&self) {
        let shown = &self.shown.progress;
        shown.next_seq.store(self.committed_seq, Ordering::Relaxed);
        shown.frame_seq.store(self.stored_frame, Ordering::Relaxed);
        shown.published_seq.store(self.publisher.published(), Ordering::Relaxed);
        shown.waiting_bytes.store(self.waiting_bytes as i64, Ordering::Relaxed);
    }

    pub(super) async fn show_live(&mut self) {
        let client = &self.context.bus.client;
        let headers = nats_headers(self.gathered.as_ref().and_then(|batch| batch.traceparent.as_deref()));
        for (tenant, frame) in self.intake.take_live() {
            let (subject, payload) = (live_subject(tenant), Bytes::from(frame.encode_to_vec()));
            let published = match headers.clone() {
                Some(headers) => client.publish_with_headers(subject, headers, payload).await,
                None => client.publish(subject, payload).await,
            };
            if let Err(error) = published {
                tracing::warn!(%error, "cannot show live positions");
            }
        }
    }

    /// Closes the commit batch when it is due, and hands the next one to the writer when it is free.
    async fn advance(&mut self) -> Result<()> {
        let full = self.batch_is_full();
        let lingered = self.gathered.as_ref().is_some_and(|batch| batch.age() >= self.linger());
        let idle = self.in_flight.is_none() && self.batches.is_empty();
        if self.unsealed >= self.context.config.seal_positions {
            self.wants_checkpoint = true;
        }
        let checkpoint = self.wants_checkpoint && idle && (self.intake.is_dirty() || self.gathered.is_some());
        let waits = self.pending.is_some() && self.ask_again.is_none() && self.inheriting.is_empty();
        let noticed = idle && self.gathered.is_none() && !self.intake.events.is_empty();
        if full || (idle && lingered) || noticed || checkpoint || (idle && waits && self.gathered.is_some()) {
            self.close_batch().await?;
        } else if self.wants_checkpoint && idle {
            self.wants_checkpoint = false;
            self.sealer.seal(self.frame_seq, std::mem::take(&mut self.seal_requests))?;
        }
        if self.in_flight.is_none()
            && let Some(batch) = self.batches.pop_front()
        {
            self.commit(batch).await?;
        }
        if waits && self.in_flight.is_none() && self.gathered.is_none() {
            self.inherit();
        }
        Ok(())
    }
}

/// The subject on which the owner of a partition is asked to seal it now.
pub fn seal_subject(partition: u32) -> String {
    format!("ingest.seal.{partition}")
}

/// What other partitions know; waits for ever when they were not asked.
async fn inherited(inheriting: &mut Inheriting) -> Result<HashMap<DeviceId, TrackedDevice>> {
    match inheriting.join_next().await {
        Some(states) => states.unwrap_or_else(|error| Err(Error::internal(error))),
        None => std::future::pending().await,
    }
}

fn far_future() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}
