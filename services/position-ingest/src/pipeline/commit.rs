//! Commit batches: what was taken in is committed together with the progress, and then published.

use std::time::Duration;

use armada_runtime::{Error, Result};
use armada_track::encode_block;
use async_nats::connection::State;
use bytes::Bytes;
use tokio::{sync::oneshot, time::Instant};

use super::{
    commit_batch::{CommitBatch, FLOOD_FACTOR, FLOOD_POSITIONS, InFlight, finished, lost},
    group_commit::{Checkpoint, CommitOutcome, DeviceCheckpoint, Write},
    owner::PartitionOwner,
    publisher::StoredFrame,
};
use crate::{
    entity::hot_frame,
    feeds::{heard_imeis::HeardImeisInBatch, meters::MetersOf, routes::ChangedRoutes, vehicle_events::EventOf},
    history::days::DayChanges,
    metrics::standstill::Step,
    rejected::dead_letters::{self, DeadLetter},
    storage::rejection_counts::Rejections,
    streams,
};

/// For how long it is tried to note which IMEIs were heard while NATS is there.
const HEARD_IMEIS_WITHIN: Duration = Duration::from_secs(5);

impl PartitionOwner {
    pub(super) fn linger_ends(&self) -> Option<Instant> {
        let idle = self.in_flight.is_none() && self.batches.is_empty();
        let batch = self.gathered.as_ref().filter(|_| idle)?;
        Some(Instant::now() + self.linger().saturating_sub(batch.age()))
    }

    /// How long the commit batch that is gathered stays open. In a flood a larger one costs less: a commit and a
    /// publication are shared by more positions, and a device's positions lie together in columns that compress better.
    pub(super) fn linger(&self) -> Duration {
        let linger = self.context.config.commit_linger();
        if self.intake.hot.len() >= FLOOD_POSITIONS { linger * FLOOD_FACTOR } else { linger }
    }

    /// Makes a commit batch of what was taken in since the last one. Its dead letters, and which unknown IMEIs it heard,
    /// are on disk before it may be committed.
    pub(super) async fn close_batch(&mut self) -> Result<()> {
        let dead_letters = std::mem::take(&mut self.intake.dead_letters);
        dead_letters::store(&self.context.aside, &dead_letters).await;
        std::mem::take(&mut self.intake.device_rejections).store(&self.context.aside).await;
        // Who got the IMEI meanwhile was looked after before this was held for them.
        for imei in dead_letters.iter().filter_map(DeadLetter::held_for) {
            self.context.registry.notify_if_bound(imei);
        }
        let heard_imeis = std::mem::take(&mut self.intake.heard_imeis);
        self.note_heard_imeis(&heard_imeis).await;
        let events = std::mem::take(&mut self.intake.events).iter().map(EventOf::to_message).collect();
        let routes = std::mem::take(&mut self.intake.routes);
        let rejections = std::mem::take(&mut self.intake.rejections);
        for ((_, reason), n) in &rejections {
            self.context.metrics.counted(reason, *n);
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
        let version = self.version();
        let days = self.intake.take_days(self.frame_seq, version);
        let mut meters = std::mem::take(&mut self.intake.meters);
        let checkpoint = self.wants_checkpoint.then(|| self.checkpoint(&mut meters));
        let meters = at_version(version, meters);
        if checkpoint.is_some() {
            self.wants_checkpoint = false;
            self.unsealed = 0;
        }
        self.closed_seq = self.taken_seq + 1;
        self.waiting_bytes += frame.as_ref().map_or(0, |frame| frame.data.len());
        let trace = self.gathered.take();
        self.batches.push_back(CommitBatch {
            next_seq: self.closed_seq,
            frame,
            rejections,
            routes,
            checkpoint,
            meters,
            events,
            days,
            corrected: std::mem::take(&mut self.corrected),
            trace,
        });
        Ok(())
    }

    /// Which IMEIs were heard helps to find a tracker: when it cannot be noted although NATS is there, nothing waits for it.
    async fn note_heard_imeis(&self, heard_imeis: &HeardImeisInBatch) {
        let mut since = Instant::now();
        while let Err(error) = self.context.heard_imeis.store(heard_imeis).await {
            if self.context.bus.client.connection_state() != State::Connected {
                since = Instant::now();
            }
            if since.elapsed() >= HEARD_IMEIS_WITHIN {
                tracing::error!(partition = self.partition, %error, "which IMEIs were heard is not noted");
                return;
            }
            tracing::warn!(partition = self.partition, %error, "cannot note which IMEIs were heard; will try again");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// The devices that changed since the last one, and with them what is read of their meters.
    fn checkpoint(&mut self, meters: &mut Vec<MetersOf>) -> Checkpoint {
        let devices = self.intake.take_dirty().map(|(device, tracked)| {
            meters.extend(tracked.meters_of(device));
            DeviceCheckpoint {
                device,
                tenant: tracked.tenant,
                state: tracked.state.encode(),
                watch: tracked.watch.encode(),
                today: tracked.day.counters().encode(),
                trips: tracked.trips.encode(),
                newest: tracked
                    .newest
                    .as_ref()
                    .map_or_else(Vec::new, |newest| encode_block(std::slice::from_ref(newest))),
                replaced: tracked.replaced.encode(),
            }
        });
        Checkpoint { seq: self.frame_seq, devices: devices.collect() }
    }

    pub(super) async fn commit(&mut self, batch: CommitBatch) -> Result<()> {
        let (done, answer) = oneshot::channel();
        let published_seq = self.publisher.published();
        let stored = batch.frame.as_ref().map(|frame| StoredFrame {
            seq: frame.seq,
            stream_ts: frame.stream_ts,
            data: Bytes::from(frame.data.clone()),
            traceparent: batch.trace.as_ref().and_then(|trace| trace.traceparent.clone()),
        });
        self.in_flight = Some(InFlight {
            trace: batch.trace,
            next_seq: batch.next_seq,
            positions: batch.frame.as_ref().map_or(0, |frame| frame.n as usize),
            published_seq,
            frame: stored,
            routes: batch.routes,
            checkpoint: batch.checkpoint.as_ref().map(|checkpoint| checkpoint.seq),
            meters: batch.meters,
            corrected: batch.corrected,
            done: answer,
        });
        let write = Write {
            partition: self.partition,
            epoch: self.epoch,
            expected_next_seq: self.committed_seq,
            next_seq: batch.next_seq,
            frame: batch.frame,
            rejections: batch.rejections.into_iter().map(|((day, reason), n)| (day, reason, n)).collect(),
            published_seq,
            checkpoint: batch.checkpoint,
            events: batch.events,
            days: batch.days,
            done,
        };
        self.context.writer.send(write).await
    }

    /// What was in flight is on disk: it may be published, and its checkpoint lets frames be sealed.
    pub(super) async fn settle(&mut self, outcome: Option<CommitOutcome>) -> Result<()> {
        let Some(landed) = self.in_flight.take() else { return Ok(()) };
        match outcome {
            Some(CommitOutcome::Committed) => {}
            Some(CommitOutcome::Void) => {
                if let Some(trace) = landed.trace {
                    self.context.metrics.messages.failed(streams::RAW_TEMPLATE, "void", trace.void());
                }
                return Err(lost(self.partition));
            }
            None => return Err(Error::unavailable("the writer has stopped")),
        }
        self.committed_seq = landed.next_seq;
        self.recorded_published = landed.published_seq;
        if let Some(trace) = landed.trace {
            self.context.metrics.messages.processed(streams::RAW_TEMPLATE, trace.stored(landed.positions));
        }
        if let Some(frame) = landed.frame {
            self.waiting_bytes -= frame.data.len();
            self.stored_frame = frame.seq;
            self.context.metrics.stored(landed.positions);
            // It waits for POSITIONS, whose publisher is watched by itself.
            self.steps.idle(Step::Owner);
            self.publisher.publish(frame).await?;
        }
        self.routes.write(landed.routes);
        self.send_meters(landed.meters);
        self.tell_corrected(landed.corrected).await;
        if let Some(seq) = landed.checkpoint {
            self.sealer.seal(seq, std::mem::take(&mut self.seal_requests))?;
        }
        Ok(())
    }

    /// Hands over what fleet shall learn of meters. When too much waits, all is told again later: nobody waits for that here.
    pub(super) fn send_meters(&mut self, meters: Vec<MetersOf>) {
        let sent = self.context.meters.send(self.partition, meters);
        self.sends_all_meters |= !sent;
    }

    /// Sends what is read of the meters of all devices, when some of it may not have been sent.
    pub(super) fn resend_all_meters(&mut self) {
        if std::mem::take(&mut self.sends_all_meters) {
            let meters = at_version(self.version(), self.intake.all_meters());
            self.send_meters(meters);
        }
    }

    /// Writes down that frames were published when no commit batch does it on its way.
    pub(super) fn record_published(&mut self) {
        let idle = self.in_flight.is_none() && self.batches.is_empty() && self.gathered.is_none();
        if idle && self.publisher.published() > self.recorded_published {
            self.batches.push_back(CommitBatch {
                next_seq: self.closed_seq,
                frame: None,
                rejections: Rejections::new(),
                routes: ChangedRoutes::default(),
                checkpoint: None,
                meters: Vec::new(),
                events: Vec::new(),
                days: DayChanges::default(),
                corrected: Vec::new(),
                trace: None,
            });
        }
    }

    /// Commits and publishes what was taken in, and leaves a checkpoint, so that the next owner starts at once.
    pub(super) async fn release(&mut self) -> Result<()> {
        self.wants_checkpoint = true;
        self.close_batch().await?;
        while self.in_flight.is_some() || !self.batches.is_empty() {
            if self.in_flight.is_none()
                && let Some(batch) = self.batches.pop_front()
            {
                self.commit(batch).await?;
            }
            let outcome = finished(&mut self.in_flight).await;
            self.settle(outcome).await?;
        }
        tracing::info!(partition = self.partition, next_seq = self.committed_seq, "lets go");
        Ok(())
    }
}

/// With how far RAW was read when they were. Not when they are sent: what was read later may be sent before.
fn at_version(version: i64, mut meters: Vec<MetersOf>) -> Vec<MetersOf> {
    meters.iter_mut().for_each(|meters| meters.version = version);
    meters
}
