//! The owner of one partition: reads RAW in order, shows positions live, gathers them into rounds, has each round
//! committed together with its progress, and publishes what was stored.

mod load;

use std::{
    collections::VecDeque,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use armada_proto::binding::live_subject;
use armada_runtime::{
    Bus, Code, Database, Error, Result,
    health::Health,
    telemetry::propagation::{self, nats_headers},
};
use armada_track::encode_block;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use prost::Message;
use tokio::{
    sync::{Semaphore, oneshot, watch},
    time::{Instant, MissedTickBehavior, interval},
};

use self::load::{Loaded, load};
use crate::{
    Config, dead_letters,
    entity::hot_frame,
    intake::{Incoming, Intake, Rejections},
    metrics::{Metrics, Shown},
    publisher::{Publisher, StoredFrame},
    registry::Registry,
    round_trace::RoundTrace,
    seal::Sealer,
    streams,
    writer::{Checkpoint, DeviceCheckpoint, Gate, Outcome, Write, Writer},
};

/// Positions of one frame: what a reader holds in memory at a time.
const ROUND_POSITIONS: usize = 20_000;
/// Messages taken in before live positions are sent.
const TAKE_AT_ONCE: usize = 256;
/// The code of the error that refuses a stream which is not the one that was read so far.
pub const STREAM_RECREATED: &str = "stream_recreated";
/// Bytes of rounds that wait for a database that is away. Then reading stops, and RAW keeps what comes.
const WAITING_BYTES: usize = 64 << 20;

/// What the owners of all partitions of an instance share.
#[derive(Clone)]
pub struct Shared {
    pub bus: Bus,
    pub db: Database,
    pub gate: Gate,
    pub writer: Writer,
    pub registry: Registry,
    pub metrics: Metrics,
    pub config: Arc<Config>,
    pub health: Health,
    /// One partition seals at a time: it holds its positions in memory.
    pub sealing: Arc<Semaphore>,
}

/// What an owner is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Go on.
    Own,
    /// Finish what has begun, then let go.
    Release,
}

/// Owns a partition under `epoch` until told to let go, or until somebody else owns it.
pub async fn own(shared: Shared, partition: u32, epoch: i64, orders: watch::Receiver<Order>) -> Result<()> {
    let (mut owner, work) = Owner::start(shared, partition, epoch).await?;
    let publishing = tokio::spawn(work);
    let ended = owner.run(orders).await;
    if ended.is_err() {
        publishing.abort();
        return ended;
    }
    drop(owner);
    publishing.await.unwrap_or_else(|error| Err(Error::internal(error)))
}

/// A round that waits to be committed.
struct Round {
    next_seq: i64,
    frame: Option<hot_frame::Model>,
    rejections: Rejections,
    checkpoint: Option<Checkpoint>,
    trace: Option<RoundTrace>,
}

struct InFlight {
    trace: Option<RoundTrace>,
    next_seq: i64,
    positions: usize,
    published_seq: i64,
    frame: Option<StoredFrame>,
    checkpoint: Option<i64>,
    done: oneshot::Receiver<Outcome>,
}

struct Owner {
    shared: Shared,
    partition: u32,
    epoch: i64,
    intake: Intake,
    publisher: Publisher,
    sealer: Sealer,
    /// The last sequence of RAW taken in.
    taken_seq: i64,
    stream_ts: i64,
    /// `next_seq` of the last round that was closed, and as it stands in the database.
    closed_seq: i64,
    committed_seq: i64,
    /// The last frame made, and the last one known to be published that the database knows of.
    frame_seq: i64,
    recorded_published: i64,
    /// The last frame that is in the database.
    stored_frame: i64,
    /// The round that is gathered, if anything was taken in since the last one.
    gathered: Option<RoundTrace>,
    rounds: VecDeque<Round>,
    waiting_bytes: usize,
    in_flight: Option<InFlight>,
    wants_checkpoint: bool,
    /// Positions stored since the last checkpoint.
    unsealed: usize,
    /// Who wants to hear when everything stored so far is sealed.
    seal_requests: Vec<async_nats::Message>,
    shown: Shown,
}

impl Owner {
    async fn start(shared: Shared, partition: u32, epoch: i64) -> Result<(Self, impl Future<Output = Result<()>>)> {
        let Loaded { row, devices, unpublished } = load(&shared.db, partition, epoch).await?;
        let stream = streams::raw(&shared.bus, &shared.config).await?;
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
        let (publisher, publishing) = Publisher::new(shared.bus.clone(), partition, row.published_seq, unpublished);
        let intake = Intake::new(partition, shared.config.partitions, shared.registry.clone(), devices);
        let sealer = Sealer::new(&shared, partition, epoch, publisher.watch());
        shared.health.present(streams::RAW);
        tracing::info!(partition, epoch, next_seq = row.next_seq, "owns");
        let owner = Self {
            partition,
            epoch,
            intake,
            publisher,
            sealer,
            taken_seq: row.next_seq - 1,
            stream_ts: 0,
            closed_seq: row.next_seq,
            committed_seq: row.next_seq,
            frame_seq: row.frame_seq,
            recorded_published: row.published_seq,
            stored_frame: row.frame_seq,
            gathered: None,
            rounds: VecDeque::new(),
            waiting_bytes: 0,
            in_flight: None,
            wants_checkpoint: row.frame_seq > row.checkpoint_seq,
            unsealed: 0,
            seal_requests: Vec::new(),
            shown: shared.metrics.progress.show(partition),
            shared,
        };
        owner.show_progress();
        Ok((owner, publishing))
    }

    async fn run(&mut self, mut orders: watch::Receiver<Order>) -> Result<()> {
        let subject = seal_subject(self.partition);
        let mut seal_requests = self.shared.bus.client.subscribe(subject).await.map_err(Error::unavailable)?;
        let mut checkpoints = interval(self.shared.config.seal_every());
        checkpoints.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut idle = interval(Duration::from_secs(1));
        idle.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut connections = self.shared.bus.connections();
        let mut messages = self.open_consumer().await;
        while *orders.borrow_and_update() == Order::Own {
            let linger = self.linger_ends();
            tokio::select! {
                _ = orders.changed() => {}
                outcome = finished(&mut self.in_flight) => self.settle(outcome).await?,
                message = next_message(&mut messages), if self.waiting_bytes < WAITING_BYTES => match message {
                    Some(Ok(message)) => self.take_available(message, &mut messages).await?,
                    Some(Err(error)) => {
                        tracing::warn!(partition = self.partition, %error, "reading RAW anew");
                        tokio::time::sleep(Duration::from_millis(200)).await;
                        messages = self.open_consumer().await;
                    }
                    None => messages = self.open_consumer().await,
                },
                () = tokio::time::sleep_until(linger.unwrap_or_else(far)), if linger.is_some() => {}
                _ = connections.changed() => messages = self.open_consumer().await,
                _ = checkpoints.tick() => self.wants_checkpoint = true,
                _ = idle.tick() => self.record_published(),
                Some(request) = seal_requests.next() => {
                    self.wants_checkpoint = true;
                    self.seal_requests.push(request);
                }
            }
            self.advance().await?;
            self.show_progress();
        }
        drop(messages);
        self.let_go().await
    }

    /// For `/metrics`.
    fn show_progress(&self) {
        let shown = &self.shown.progress;
        shown.next_seq.store(self.committed_seq, Ordering::Relaxed);
        shown.frame_seq.store(self.stored_frame, Ordering::Relaxed);
        shown.published_seq.store(self.publisher.published(), Ordering::Relaxed);
        shown.waiting_bytes.store(self.waiting_bytes as i64, Ordering::Relaxed);
    }

    /// Opens the reader behind what was taken in; waits while NATS is away.
    async fn open_consumer(&self) -> Option<pull::Ordered> {
        match self.try_open_consumer().await {
            Ok(messages) => Some(messages),
            Err(error) => {
                tracing::warn!(partition = self.partition, %error, "cannot read RAW; will try again");
                tokio::time::sleep(Duration::from_millis(200)).await;
                None
            }
        }
    }

    async fn try_open_consumer(&self) -> Result<pull::Ordered> {
        let stream = streams::raw(&self.shared.bus, &self.shared.config).await?;
        let config = pull::OrderedConfig {
            filter_subjects: streams::filters(self.partition),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.taken_seq as u64 + 1 },
            ..pull::OrderedConfig::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(Error::unavailable)?;
        consumer.messages().await.map_err(Error::unavailable)
    }

    /// Takes in a message and those that have arrived with it, then shows the newest of each device live.
    async fn take_available(
        &mut self,
        first: async_nats::jetstream::Message,
        messages: &mut Option<pull::Ordered>,
    ) -> Result<()> {
        let mut next = Some(first);
        for _ in 0..TAKE_AT_ONCE {
            let Some(message) = next.take() else { break };
            self.take(message).await?;
            if self.intake.hot.len() >= ROUND_POSITIONS {
                break;
            }
            next = next_message(messages).now_or_never().flatten().and_then(Result::ok);
        }
        if let Some(message) = next {
            self.take(message).await?;
        }
        self.show_live().await;
        Ok(())
    }

    async fn take(&mut self, message: async_nats::jetstream::Message) -> Result<()> {
        let info = message.info().map_err(Error::internal)?;
        let stream_seq = info.stream_sequence;
        if stream_seq as i64 <= self.taken_seq {
            return Ok(());
        }
        let stream_ts = (info.published.unix_timestamp_nanos() / 1_000_000) as i64;
        let gathered = self.gathered.get_or_insert_with(|| RoundTrace::begin(self.partition));
        gathered.message(message.headers.as_ref());
        let message = Incoming {
            stream_seq,
            stream_ts,
            subject: message.subject.clone(),
            payload: message.payload.clone(),
            traceparent: propagation::traceparent(message.headers.as_ref()).map(str::to_owned),
        };
        // Taking a message in again is harmless: what was taken in before counts as a repeat.
        while let Err(error) = self.intake.take(&message).await {
            if error.class != Code::Unavailable {
                return Err(error);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        self.taken_seq = stream_seq as i64;
        self.stream_ts = stream_ts;
        Ok(())
    }

    async fn show_live(&mut self) {
        let client = &self.shared.bus.client;
        let headers = nats_headers(self.gathered.as_ref().and_then(|round| round.traceparent.as_deref()));
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

    /// Closes the round when it is due, and hands the next one to the writer when it is free.
    async fn advance(&mut self) -> Result<()> {
        let full = self.intake.hot.len() >= ROUND_POSITIONS;
        let linger = self.shared.config.commit_linger();
        let lingered = self.gathered.as_ref().is_some_and(|round| round.age() >= linger);
        let idle = self.in_flight.is_none() && self.rounds.is_empty();
        if self.unsealed >= self.shared.config.seal_positions {
            self.wants_checkpoint = true;
        }
        let checkpoint = self.wants_checkpoint && idle && (self.intake.is_dirty() || self.gathered.is_some());
        if full || (idle && lingered) || checkpoint {
            self.close_round().await?;
        } else if self.wants_checkpoint && idle {
            self.wants_checkpoint = false;
            self.sealer.seal(self.frame_seq, std::mem::take(&mut self.seal_requests));
        }
        if self.in_flight.is_none()
            && let Some(round) = self.rounds.pop_front()
        {
            self.commit(round).await?;
        }
        Ok(())
    }

    fn linger_ends(&self) -> Option<Instant> {
        let idle = self.in_flight.is_none() && self.rounds.is_empty();
        let round = self.gathered.as_ref().filter(|_| idle)?;
        Some(Instant::now() + self.shared.config.commit_linger().saturating_sub(round.age()))
    }

    /// Makes a round of what was taken in since the last one. Its dead letters are on disk before it may be committed.
    async fn close_round(&mut self) -> Result<()> {
        let letters = std::mem::take(&mut self.intake.letters);
        while let Err(error) = dead_letters::store(&self.shared.bus, &letters).await {
            tracing::warn!(partition = self.partition, %error, "cannot store dead letters; will try again");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let rejections = std::mem::take(&mut self.intake.rejections);
        for ((_, reason), n) in &rejections {
            self.shared.metrics.refused(reason, *n);
        }
        let frame = self.intake.hot.time_range().map(|(t_min, t_max)| {
            self.frame_seq += 1;
            let n = self.intake.hot.len();
            self.unsealed += n;
            hot_frame::Model {
                partition: self.partition as i32,
                seq: self.frame_seq,
                stream_seq: self.taken_seq,
                stream_ts: self.stream_ts,
                n: n as i32,
                t_min,
                t_max,
                data: self.intake.hot.finish(),
            }
        });
        let checkpoint = self.wants_checkpoint.then(|| self.checkpoint());
        if checkpoint.is_some() {
            self.wants_checkpoint = false;
            self.unsealed = 0;
        }
        self.closed_seq = self.taken_seq + 1;
        self.waiting_bytes += frame.as_ref().map_or(0, |frame| frame.data.len());
        let trace = self.gathered.take();
        self.rounds.push_back(Round { next_seq: self.closed_seq, frame, rejections, checkpoint, trace });
        Ok(())
    }

    fn checkpoint(&mut self) -> Checkpoint {
        let devices = self.intake.take_dirty().into_iter().map(|(device, known)| DeviceCheckpoint {
            device,
            tenant: known.tenant,
            state: known.state.encode(),
            newest: known.newest.map_or_else(Vec::new, |newest| encode_block(&[newest])),
        });
        Checkpoint { seq: self.frame_seq, devices: devices.collect() }
    }

    async fn commit(&mut self, round: Round) -> Result<()> {
        let (done, answer) = oneshot::channel();
        let published_seq = self.publisher.published();
        let stored = round.frame.as_ref().map(|frame| StoredFrame {
            seq: frame.seq,
            stream_ts: frame.stream_ts,
            data: Bytes::from(frame.data.clone()),
            traceparent: round.trace.as_ref().and_then(|trace| trace.traceparent.clone()),
        });
        self.in_flight = Some(InFlight {
            trace: round.trace,
            next_seq: round.next_seq,
            positions: round.frame.as_ref().map_or(0, |frame| frame.n as usize),
            published_seq,
            frame: stored,
            checkpoint: round.checkpoint.as_ref().map(|checkpoint| checkpoint.seq),
            done: answer,
        });
        let write = Write {
            partition: self.partition,
            epoch: self.epoch,
            expected_next_seq: self.committed_seq,
            next_seq: round.next_seq,
            frame: round.frame,
            rejections: round.rejections.into_iter().map(|((day, reason), n)| (day, reason, n)).collect(),
            published_seq,
            checkpoint: round.checkpoint,
            done,
        };
        self.shared.writer.send(write).await
    }

    /// What was in flight is on disk: it may be published, and its checkpoint lets frames be sealed.
    async fn settle(&mut self, outcome: Option<Outcome>) -> Result<()> {
        let Some(landed) = self.in_flight.take() else { return Ok(()) };
        match outcome {
            Some(Outcome::Committed) => {}
            Some(Outcome::Void) => {
                if let Some(trace) = landed.trace {
                    self.shared.metrics.messages.failed(streams::RAW_TEMPLATE, "void", trace.void());
                }
                return Err(lost(self.partition));
            }
            None => return Err(Error::unavailable("the writer has stopped")),
        }
        self.committed_seq = landed.next_seq;
        self.recorded_published = landed.published_seq;
        if let Some(trace) = landed.trace {
            self.shared.metrics.messages.processed(streams::RAW_TEMPLATE, trace.stored(landed.positions));
        }
        if let Some(frame) = landed.frame {
            self.waiting_bytes -= frame.data.len();
            self.stored_frame = frame.seq;
            self.shared.metrics.stored(landed.positions);
            self.publisher.publish(frame).await?;
        }
        if let Some(seq) = landed.checkpoint {
            self.sealer.seal(seq, std::mem::take(&mut self.seal_requests));
        }
        Ok(())
    }

    /// Writes down that frames were published when no round does it on its way.
    fn record_published(&mut self) {
        let idle = self.in_flight.is_none() && self.rounds.is_empty() && self.gathered.is_none();
        if idle && self.publisher.published() > self.recorded_published {
            self.rounds.push_back(Round {
                next_seq: self.closed_seq,
                frame: None,
                rejections: Rejections::new(),
                checkpoint: None,
                trace: None,
            });
        }
    }

    /// Commits and publishes what was taken in, and leaves a checkpoint, so that the next owner starts at once.
    async fn let_go(&mut self) -> Result<()> {
        self.wants_checkpoint = true;
        self.close_round().await?;
        while self.in_flight.is_some() || !self.rounds.is_empty() {
            if self.in_flight.is_none()
                && let Some(round) = self.rounds.pop_front()
            {
                self.commit(round).await?;
            }
            let outcome = finished(&mut self.in_flight).await;
            self.settle(outcome).await?;
        }
        tracing::info!(partition = self.partition, next_seq = self.committed_seq, "lets go");
        Ok(())
    }
}

fn lost(partition: u32) -> Error {
    Error::new(Code::Unavailable, "lost", format!("partition {partition} has another owner"))
}

/// The subject on which the owner of a partition is asked to seal it now.
pub fn seal_subject(partition: u32) -> String {
    format!("ingest.seal.{partition}")
}

fn far() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

async fn next_message(
    messages: &mut Option<pull::Ordered>,
) -> Option<Result<async_nats::jetstream::Message, pull::OrderedError>> {
    match messages {
        Some(messages) => messages.next().await,
        None => None,
    }
}

/// The answer to the write in flight; waits for ever when there is none.
async fn finished(in_flight: &mut Option<InFlight>) -> Option<Outcome> {
    match in_flight {
        Some(in_flight) => (&mut in_flight.done).await.ok(),
        None => std::future::pending().await,
    }
}
