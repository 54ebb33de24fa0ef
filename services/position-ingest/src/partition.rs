//! The owner of one partition: reads RAW in order, shows positions live, gathers them into rounds, has each round
//! committed together with its progress, and publishes what was stored.

mod inherit;
mod load;
mod reading;
mod rounds;

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use armada_proto::{DeviceId, binding::live_subject};
use armada_runtime::{Bus, Code, Database, Error, Result, health::Health, telemetry::propagation::nats_headers};
use bytes::Bytes;
use futures::StreamExt;
use prost::Message;
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};

use self::{
    load::{Loaded, load},
    reading::next_message,
    rounds::{InFlight, Round, finished},
};
use crate::{
    Config,
    heard::Heard,
    intake::{Incoming, Intake, Known},
    last_positions::LastPositions,
    metrics::{Metrics, Shown},
    publisher::Publisher,
    registry::Registry,
    round_trace::RoundTrace,
    seal::Sealer,
    streams,
    writer::{Gate, Writer},
};

/// Positions of one frame: what a reader holds in memory at a time.
const ROUND_POSITIONS: usize = 20_000;
/// The code of the error that refuses a stream which is not the one that was read so far.
pub const STREAM_RECREATED: &str = "stream_recreated";
/// Bytes of rounds that wait for a database that is away. Then reading stops, and RAW keeps what comes.
const WAITING_BYTES: usize = 64 << 20;
/// How long an owner that is told to let go may go on with what it has begun. NATS and the database are answered for by
/// nobody, so it may wait for them in any place; then it is dropped where it is, as if it had died. What it has not
/// stored is read again by the next owner, and what it has stored and not published is published by that one.
const LET_GO_WITHIN: Duration = Duration::from_secs(5);

/// What the owners of all partitions of an instance share.
#[derive(Clone)]
pub struct Shared {
    pub bus: Bus,
    pub db: Database,
    pub gate: Gate,
    pub writer: Writer,
    pub registry: Registry,
    pub heard: Heard,
    pub last: LastPositions,
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
    let overdue = overdue(orders.clone());
    tokio::select! {
        ended = own_in_peace(shared, partition, epoch, orders) => ended,
        () = overdue => Err(Error::unavailable(format!(
            "partition {partition} was not let go within {LET_GO_WITHIN:?}: what is not stored is read again"
        ))),
    }
}

/// Returns when the owner should have ended long ago, or when nobody is there any more to give orders.
async fn overdue(mut orders: watch::Receiver<Order>) {
    if orders.wait_for(|order| *order == Order::Release).await.is_ok() {
        tokio::time::sleep(LET_GO_WITHIN).await;
    }
}

async fn own_in_peace(shared: Shared, partition: u32, epoch: i64, orders: watch::Receiver<Order>) -> Result<()> {
    let (mut owner, work) = Owner::start(shared, partition, epoch).await?;
    // Ends with this future, finished or dropped.
    let mut publishing = JoinSet::new();
    publishing.spawn(work);
    owner.run(orders).await?;
    drop(owner);
    match publishing.join_next().await {
        Some(ended) => ended.unwrap_or_else(|error| Err(Error::internal(error))),
        None => Ok(()),
    }
}

struct Owner {
    shared: Shared,
    partition: u32,
    epoch: i64,
    intake: Intake,
    publisher: Publisher,
    sealer: Sealer,
    /// The last sequence of RAW taken in, as a whole.
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
    /// The message behind that one, of which something waits: for the bucket of bindings, or for what other partitions
    /// know. Nothing is read meanwhile.
    pending: Option<Incoming>,
    /// When the bucket is asked again.
    ask_again: Option<Instant>,
    /// What other partitions know.
    inheriting: Inheriting,
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

/// One question at most, which ends with the owner.
type Inheriting = JoinSet<Result<HashMap<DeviceId, Known>>>;

impl Owner {
    async fn start(shared: Shared, partition: u32, epoch: i64) -> Result<(Self, impl Future<Output = Result<()>>)> {
        // Whether a device comes from another partition is told from there.
        shared.last.loaded().await;
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
        let (registry, last) = (shared.registry.clone(), shared.last.clone());
        let intake = Intake::new(partition, shared.config.partitions, registry, last, devices);
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
            pending: None,
            ask_again: None,
            inheriting: Inheriting::new(),
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
                message = next_message(&mut messages), if self.reads() => match message {
                    Some(Ok(message)) => self.take_available(message, &mut messages).await?,
                    Some(Err(error)) => {
                        tracing::warn!(partition = self.partition, %error, "reading RAW anew");
                        tokio::time::sleep(Duration::from_millis(200)).await;
                        messages = self.open_consumer().await;
                    }
                    None => messages = self.open_consumer().await,
                },
                () = tokio::time::sleep_until(self.ask_again.unwrap_or_else(far)), if self.ask_again.is_some() => {
                    self.take_again().await?;
                }
                states = inherited(&mut self.inheriting) => self.take_held(states?).await?,
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

    fn reads(&self) -> bool {
        self.waiting_bytes < WAITING_BYTES && self.pending.is_none()
    }

    /// For `/metrics`.
    fn show_progress(&self) {
        let shown = &self.shown.progress;
        shown.next_seq.store(self.committed_seq, Ordering::Relaxed);
        shown.frame_seq.store(self.stored_frame, Ordering::Relaxed);
        shown.published_seq.store(self.publisher.published(), Ordering::Relaxed);
        shown.waiting_bytes.store(self.waiting_bytes as i64, Ordering::Relaxed);
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
        let held = self.pending.is_some() && self.ask_again.is_none() && self.inheriting.is_empty();
        if full || (idle && lingered) || checkpoint || (idle && held && self.gathered.is_some()) {
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
        if held && self.in_flight.is_none() && self.gathered.is_none() {
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
async fn inherited(inheriting: &mut Inheriting) -> Result<HashMap<DeviceId, Known>> {
    match inheriting.join_next().await {
        Some(states) => states.unwrap_or_else(|error| Err(Error::internal(error))),
        None => std::future::pending().await,
    }
}

fn far() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}
