//! Publishes frames of positions as gateways do, so that none is lost: each is published again until JetStream has acknowledged it.
//! What arrives twice does no harm, since ingest drops exact repeats.

#![warn(missing_docs)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use armada_position_ingest::streams;
use armada_runtime::Bus;
use armada_track::{FrameBuilder, Imei, MAX_POSITIONS_PER_MESSAGE, Report};
use async_nats::jetstream::context::PublishAckFuture;
use prost::{Message, bytes::Bytes};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
};

/// Bytes of texts after which a frame is sent, however few rows it has: ingest refuses more than a megabyte.
const TEXT_LIMIT: usize = 384 * 1024;
/// Pause before a frame is published again.
const RETRY: Duration = Duration::from_millis(200);

/// How many partitions the stream RAW has.
pub async fn partitions(bus: &Bus) -> Result<u32> {
    let stream = bus.stream(streams::RAW, &Default::default()).await?;
    let partitions = stream.cached_info().config.metadata.get(streams::PARTITIONS);
    Ok(partitions.context("stream RAW does not say how many partitions it has")?.parse()?)
}

/// How much is sent at a time.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows of one frame.
    pub rows: usize,
    /// Frames under way.
    pub window: usize,
}

/// Positions sent so far. Cheap to clone.
#[derive(Clone, Default)]
pub struct Counts(Arc<Cells>);

#[derive(Default)]
struct Cells {
    published: AtomicU64,
    acknowledged: AtomicU64,
    repeated: AtomicU64,
}

/// A reading of [`Counts`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// Positions published, each counted once.
    pub published: u64,
    /// Positions in acknowledged frames.
    pub acknowledged: u64,
    /// Frames that had to be published again.
    pub repeated: u64,
}

impl Counts {
    /// The counts now.
    pub fn read(&self) -> Reading {
        let of = |cell: &AtomicU64| cell.load(Ordering::Relaxed);
        Reading {
            published: of(&self.0.published),
            acknowledged: of(&self.0.acknowledged),
            repeated: of(&self.0.repeated),
        }
    }
}

/// Gathers positions into one frame per partition and sends the frames.
pub struct FramePublisher {
    bus: Bus,
    subjects: Vec<String>,
    builders: Vec<Partition>,
    limits: Limits,
    window: Arc<Semaphore>,
    sending: JoinSet<(usize, u64)>,
    last_sequences: Vec<u64>,
    counts: Counts,
}

#[derive(Default)]
struct Partition {
    frame: FrameBuilder,
    text: usize,
}

impl FramePublisher {
    /// As the gateway of that name. The stream says how many partitions there are.
    pub async fn new(bus: &Bus, gateway: &str, limits: Limits) -> Result<Self> {
        let partitions = partitions(bus).await?;
        ensure!((1..=MAX_POSITIONS_PER_MESSAGE).contains(&limits.rows), "frames have 1 to 5,000 positions");
        Ok(Self {
            bus: bus.clone(),
            subjects: (0..partitions).map(|partition| streams::frame_subject(gateway, partition)).collect(),
            builders: (0..partitions).map(|_| Partition::default()).collect(),
            window: Arc::new(Semaphore::new(limits.window)),
            limits,
            sending: JoinSet::new(),
            last_sequences: vec![0; partitions as usize],
            counts: Counts::default(),
        })
    }

    /// What it has sent.
    pub fn counts(&self) -> Counts {
        self.counts.clone()
    }

    /// Adds a position; sends its frame when that is full, which waits for room in the window.
    pub async fn push(&mut self, imei: Imei, report: &Report) -> Result<()> {
        let index = imei.partition(self.builders.len() as u32) as usize;
        let partition = &mut self.builders[index];
        partition.frame.push(imei, report);
        partition.text += report.attrs.as_ref().map_or(0, |text| text.len());
        partition.text += report.alarm.as_ref().map_or(0, |text| text.len());
        if partition.frame.len() >= self.limits.rows || partition.text >= TEXT_LIMIT {
            self.send(index).await?;
        }
        Ok(())
    }

    /// Sends what has been gathered.
    pub async fn flush(&mut self) -> Result<()> {
        for index in 0..self.builders.len() {
            self.send(index).await?;
        }
        Ok(())
    }

    /// Sends the rest and waits until everything is acknowledged; the last sequence of each partition in the stream.
    pub async fn finish(&mut self) -> Result<Vec<u64>> {
        self.flush().await?;
        while let Some(sent) = self.sending.join_next().await {
            self.note(sent?);
        }
        Ok(self.last_sequences.clone())
    }

    async fn send(&mut self, index: usize) -> Result<()> {
        let partition = std::mem::take(&mut self.builders[index]);
        let mut builder = partition.frame;
        let rows = builder.len() as u64;
        if rows == 0 {
            return Ok(());
        }
        let room = self.window.clone().acquire_owned().await?;
        while let Some(sent) = self.sending.try_join_next() {
            self.note(sent?);
        }
        let frame = Frame {
            bus: self.bus.clone(),
            subject: self.subjects[index].clone(),
            body: builder.take().encode_to_vec().into(),
            counts: self.counts.clone(),
        };
        // Here and not in the task, so that the frames of a partition leave in their order.
        let first = frame.attempt().await;
        self.counts.0.published.fetch_add(rows, Ordering::Relaxed);
        self.sending.spawn(async move { (index, frame.until_acknowledged(first, rows, room).await) });
        Ok(())
    }

    fn note(&mut self, (index, sequence): (usize, u64)) {
        self.last_sequences[index] = self.last_sequences[index].max(sequence);
    }
}

struct Frame {
    bus: Bus,
    subject: String,
    body: Bytes,
    counts: Counts,
}

/// A frame under way.
struct Attempt {
    acknowledgement: Result<PublishAckFuture>,
    connections: watch::Receiver<u64>,
}

impl Frame {
    async fn attempt(&self) -> Attempt {
        // Before the message leaves, so that no break after it goes unnoticed.
        let connections = self.bus.connections();
        let published = self.bus.jetstream.publish(self.subject.clone(), self.body.clone()).await;
        Attempt { acknowledgement: published.map_err(Into::into), connections }
    }

    /// Publishes it again after every failure, after the acknowledgement's deadline, and when the connection came back:
    /// what was under way then may never have arrived. Returns its place in the stream.
    async fn until_acknowledged(self, first: Attempt, rows: u64, _room: OwnedSemaphorePermit) -> u64 {
        let mut attempt = first;
        loop {
            match attempt.outcome().await {
                Ok(sequence) => {
                    self.counts.0.acknowledged.fetch_add(rows, Ordering::Relaxed);
                    return sequence;
                }
                Err(error) => tracing::debug!(%error, subject = self.subject, "will publish the frame again"),
            }
            self.counts.0.repeated.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(RETRY).await;
            attempt = self.attempt().await;
        }
    }
}

impl Attempt {
    async fn outcome(mut self) -> Result<u64> {
        tokio::select! {
            acknowledged = self.acknowledgement?.into_future() => Ok(acknowledged?.sequence),
            _ = self.connections.changed() => bail!("the connection was lost"),
        }
    }
}
