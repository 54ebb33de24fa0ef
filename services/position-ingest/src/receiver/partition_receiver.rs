//! The owner's side of one partition: what comes is checked and gathered while the last write is under way, written, and
//! answered.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use armada_proto::{
    Timestamp,
    gateway::is_inbox_of,
    v1::{ReceivedFrame, RefusedMessage},
};
use armada_runtime::{Error, Result, telemetry::propagation};
use async_nats::{Message, Subject, Subscriber};
use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

use super::{
    answer::{self, Refusal},
    backpressure::Reserved,
    batch::{Batch, Closed, Part, Waiter, bytes_of},
    check::{CheckedFrame, FRAME},
    context::ReceiverContext,
    draft::Draft,
    fair_queue::{FairQueue, gateway_of},
    frames,
    raw_writer::{RawWriter, WriteOutcome},
    recent_messages::{Budget, Seen},
    sender::{FromGateways, sender_of},
    traffic,
    unknown_budget::UnknownBudget,
};
use crate::{
    metrics::standstill::{Step, Steps},
    streams::{
        batch_span::BatchSpan,
        limits::READ_BYTES,
        raw_message::RawMessage,
        tail::{Tail, WrittenMessage},
    },
};

/// Messages that are looked at before a write that has ended is.
const MESSAGES_AT_ONCE: usize = 512;
/// Batches that are full before no more is read.
const FULL_BATCHES: usize = 2;

/// From where a partition gets what it takes in.
pub(super) struct Inputs {
    /// Messages of gateways.
    pub(super) messages: FromGateways,
    /// Parts of frames that other processes have taken apart.
    pub(super) parts: Subscriber,
    /// Those of this process.
    pub(super) local: mpsc::Receiver<Part>,
}

/// How receiving ended.
pub(super) enum End {
    Stopped,
    HandedOver(Message),
    Lost,
}

/// A write under way.
struct Writing {
    task: JoinHandle<WriteOutcome>,
    frame: ReceivedFrame,
    body: Bytes,
    traceparent: Option<String>,
    waiters: Vec<Waiter>,
    holds: traffic::WrittenCounts,
    begun: Instant,
    _trace: Option<BatchSpan>,
}

/// What its owner has of a partition that it receives.
pub(super) struct PartitionReceiver {
    context: ReceiverContext,
    partition: u32,
    writer: RawWriter,
    /// The sequence of the last message on RAW.
    last: u64,
    /// Where what is written goes.
    tail: Tail,
    /// Whether it moves.
    steps: Steps,
    gathered: Batch,
    trace: Option<BatchSpan>,
    /// Messages that wait to be read.
    waiting: FairQueue,
    /// Bytes that were read since others were looked at.
    read: usize,
    /// Batches that are full and wait for their turn.
    full: VecDeque<(Batch, Option<BatchSpan>)>,
    writing: Option<Writing>,
    noted: Budget,
    unknown: UnknownBudget,
    negative_control: NegativeControl,
}

impl PartitionReceiver {
    /// Behind what is on RAW now.
    pub(super) async fn new(
        context: ReceiverContext,
        (partition, epoch): (u32, i64),
        tail: Tail,
        steps: Steps,
    ) -> Result<Self> {
        let writer = RawWriter {
            receiver: context.receiver.clone(),
            signer: context.signer.clone(),
            ingest: context.ingest.clone(),
            db: context.db.clone(),
            partition,
            epoch,
        };
        let (last, _) = writer.last().await?;
        Ok(Self {
            context,
            partition,
            writer,
            last,
            tail,
            steps,
            gathered: Batch::default(),
            trace: None,
            waiting: FairQueue::default(),
            read: 0,
            full: VecDeque::new(),
            writing: None,
            noted: Budget::default(),
            unknown: UnknownBudget::default(),
            negative_control: NegativeControl::from_env(),
        })
    }

    /// Takes in until it is over.
    pub(super) async fn run(
        &mut self,
        inputs: &mut Inputs,
        handovers: &mut Subscriber,
        stopped: &CancellationToken,
    ) -> End {
        let mut beats = interval(Duration::from_secs(1));
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if self.writing.is_none() {
                self.steps.moved(Step::Receiver);
            }
            self.steps.pass(Step::Receiver).await;
            self.read = 0;
            tokio::select! {
                () = stopped.cancelled() => return End::Stopped,
                _ = beats.tick() => {}
                request = handovers.next() => return request.map_or(End::Stopped, End::HandedOver),
                written = written(&mut self.writing) => if !self.settle(written).await { return End::Lost },
                Some(message) = inputs.messages.next() => {
                    self.take(message).await;
                    for _ in 1..MESSAGES_AT_ONCE {
                        let Some(Some(message)) = inputs.messages.next().now_or_never() else { break };
                        self.take(message).await;
                    }
                    self.read_waiting().await;
                }
                () = std::future::ready(()), if self.may_read() && !self.waiting.is_empty() => self.read_waiting().await,
                Some(message) = inputs.parts.next() => self.receive_part(message),
                Some(part) = inputs.local.recv() => {
                    self.add_part(part);
                    while let Ok(part) = inputs.local.try_recv() {
                        self.add_part(part);
                    }
                }
            }
            self.write_next();
        }
    }

    /// Writes and answers everything that has come.
    pub(super) async fn drain(&mut self, inputs: Inputs) -> Result<()> {
        let Inputs { mut messages, mut parts, mut local } = inputs;
        messages.drain().await.map_err(Error::unavailable)?;
        parts.drain().await.map_err(Error::unavailable)?;
        local.close();
        // What waits came before.
        while let Some(message) = self.waiting.pop() {
            self.receive(message).await;
        }
        loop {
            tokio::select! {
                biased;
                Some(message) = messages.next() => self.receive(message).await,
                Some(message) = parts.next() => self.receive_part(message),
                Some(part) = local.recv() => self.add_part(part),
                else => break,
            }
        }
        self.write_next();
        while self.writing.is_some() {
            let written = written(&mut self.writing).await;
            if !self.settle(written).await {
                return Ok(());
            }
            self.write_next();
        }
        // Answers have left before the process does.
        self.context.to_gateways.client.flush().await.map_err(Error::unavailable)
    }

    /// Reads a message at once where that is possible, so that most never wait.
    async fn take(&mut self, message: Message) {
        if self.waiting.is_empty() && self.may_read() {
            return self.receive(message).await;
        }
        let mut refused = Vec::new();
        self.waiting.push(message, |message| refused.push(message));
        for message in refused {
            let reply = self.reply_of(&message, gateway_of(&message));
            self.refuse(reply, Refusal::TooMuchWaiting);
        }
    }

    /// Whether more is read now: not while much waits to be written, nor before others were looked at.
    fn may_read(&self) -> bool {
        self.full.len() < FULL_BATCHES && self.read < READ_BYTES
    }

    async fn read_waiting(&mut self) {
        while self.may_read() {
            let Some(message) = self.waiting.pop() else { return };
            self.receive(message).await;
        }
    }

    /// Takes in a message of a gateway: one device's, or a frame, which it takes apart.
    async fn receive(&mut self, message: Message) {
        let Some((gateway, device)) = sender_of(&message) else { return };
        self.read += message.payload.len();
        let reply = self.reply_of(&message, gateway);
        let Some(reserved) = self.context.memory.reserve(message.payload.len()) else {
            return self.refuse(reply, Refusal::TooMuchWaiting);
        };
        self.follow(&message);
        let now = Timestamp::now().millis();
        if device == FRAME {
            let Some(under_way) = self.context.frames.reserve(gateway, message.payload.len()) else {
                return self.refuse(reply, Refusal::TooMuchWaiting);
            };
            let mut checked =
                self.context.checker.frame(gateway, &message.payload, now, self.unknown.frame(gateway, now));
            self.note(&mut checked.draft, gateway, device, &message, reply.is_some(), now);
            let refused = std::mem::take(&mut checked.refused);
            let refused = (!refused.is_empty()).then(|| self.add_refused(refused, reserved));
            return frames::distribute(&self.context, gateway, reply, checked, (refused, under_way)).await;
        }
        let mut checked = self.context.checker.device(self.partition, gateway, device, &message.payload, now);
        if let Some(again) = checked.draft.again.filter(|_| checked.rows.is_empty()) {
            return self.refuse(reply, again);
        }
        if !checked.draft.unresolved.is_empty() && !self.unknown.takes_message(gateway, now) {
            return self.refuse(reply, Refusal::TooManyUnknown);
        }
        self.note(&mut checked.draft, gateway, device, &message, reply.is_some(), now);
        self.make_room(checked.rows.len(), message.payload.len() + bytes_of(&checked.refused));
        self.gathered.add_rows(gateway, &checked.rows);
        self.gathered.add_refused(checked.refused);
        self.wait_for_write(reply, checked.draft, reserved);
    }

    /// Takes in a part of a frame from another process, or what is played back. Who may publish there is trusted with
    /// the gateway's name, and with the reply.
    fn receive_part(&mut self, message: Message) {
        let gateway = frames::gateway_of(&message);
        let Some(reserved) = self.context.memory.reserve(message.payload.len()) else {
            return self.refuse(message.reply, Refusal::TooMuchWaiting);
        };
        self.follow(&message);
        let checked = self.context.checker.part(gateway, &message.payload, Timestamp::now().millis());
        let CheckedFrame { mut rows, refused, draft } = checked;
        let rows = rows.remove(&self.partition).map(|mut rows| rows.take()).unwrap_or_default();
        self.make_room(rows.imei.len(), message.payload.len() + bytes_of(&refused));
        self.gathered.add_frame(gateway, rows);
        self.gathered.add_refused(refused);
        self.wait_for_write(message.reply.clone(), draft, reserved);
    }

    fn wait_for_write(&mut self, reply: Option<Subject>, mut draft: Draft, reserved: Reserved) {
        self.gathered.hold(reserved);
        match reply {
            Some(reply) => self.gathered.waiters.push(Waiter::Sender { reply, draft }),
            None if draft.seen.is_some() => {
                let context = self.context.clone();
                tokio::spawn(async move { context.resolve(&mut draft).await });
            }
            None => self.context.answered(&mut draft),
        }
    }

    /// Keeps a message for whoever looks at its gateway, unless many are kept already.
    fn note(&mut self, draft: &mut Draft, gateway: &str, device: &str, message: &Message, is_answered: bool, now: i64) {
        if self.noted.takes(gateway, draft.is_plain(), now) {
            draft.seen = Some(Box::new(Seen::new(gateway, device, &message.payload, now, is_answered)));
        }
    }

    /// What was refused of a frame; told when it is written.
    fn add_refused(
        &mut self,
        refused: Vec<RefusedMessage>,
        reserved: Reserved,
    ) -> oneshot::Receiver<Result<u64, Refusal>> {
        self.make_room(0, bytes_of(&refused));
        self.gathered.add_refused(refused);
        self.gathered.hold(reserved);
        let (written, outcome) = oneshot::channel();
        self.gathered.waiters.push(Waiter::Part(written));
        outcome
    }

    fn add_part(&mut self, part: Part) {
        self.make_room(part.rows.imei.len(), part.bytes);
        self.gathered.add_frame(&part.gateway, part.rows);
        self.gathered.hold(part.reserved);
        self.gathered.waiters.push(Waiter::Part(part.written));
    }

    /// Sets the gathered batch aside when it is too small for what comes.
    fn make_room(&mut self, rows: usize, bytes: usize) {
        if self.gathered.is_too_small_for(rows, bytes) {
            self.full.push_back((std::mem::take(&mut self.gathered), self.trace.take()));
        }
    }

    /// Notes the trace that a message came with.
    fn follow(&mut self, message: &Message) {
        if propagation::traceparent(message.headers.as_ref()).is_some() {
            let trace = self.trace.get_or_insert_with(|| BatchSpan::receiving(self.partition));
            trace.message(propagation::traceparent(message.headers.as_ref()));
        }
    }

    /// Where the gateway is answered: its own inbox, and nowhere else.
    fn reply_of(&self, message: &Message, gateway: &str) -> Option<Subject> {
        let reply = message.reply.clone()?;
        if is_inbox_of(&reply, gateway) {
            return Some(reply);
        }
        self.context.metrics.foreign_reply();
        tracing::debug!(gateway, %reply, "a gateway names a reply that is not its own inbox");
        None
    }

    fn refuse(&self, reply: Option<Subject>, refusal: Refusal) {
        self.context.metrics.refused(refusal);
        if let Some(reply) = reply {
            let context = self.context.clone();
            tokio::spawn(async move { context.answer(reply, answer::to_json(&refusal.answer())).await });
        }
    }

    /// Begins the next write when the last one has ended.
    fn write_next(&mut self) {
        if self.writing.is_some() {
            return;
        }
        let (batch, trace) = match self.full.pop_front() {
            Some(full) => full,
            None if self.gathered.is_empty() => return,
            None => (std::mem::take(&mut self.gathered), self.trace.take()),
        };
        let batch = self.negative_control.batch(batch);
        let Closed { frame, body, waiters, reserved, written: holds } = batch.close(Timestamp::now().millis());
        let traceparent = trace.as_ref().and_then(|trace| trace.traceparent.clone());
        let write = self.writer.clone().write(self.last, body.clone(), traceparent.clone());
        let task = tokio::spawn(self.context.metrics.clone().timed(async move {
            let written = write.await;
            drop(reserved);
            written
        }));
        let begun = Instant::now();
        self.steps.moved(Step::Receiver);
        self.writing = Some(Writing { task, frame, body, traceparent, waiters, holds, begun, _trace: trace });
    }

    /// Answers whom a write was for. False when the partition is somebody else's.
    async fn settle(&mut self, written: Option<WriteOutcome>) -> bool {
        let Some(Writing { frame, body, traceparent, waiters, holds, begun, .. }) = self.writing.take() else {
            return true;
        };
        match written {
            Some(WriteOutcome::At { previous_sequence, sequence }) => {
                self.context.metrics.written(begun.elapsed());
                self.context.writes.succeeded();
                self.context.traffic.add(holds);
                self.last = sequence;
                self.write_next();
                let message = RawMessage::written(sequence, body, traceparent, frame);
                self.tail.push(WrittenMessage { previous_sequence, message });
                answer_all(&self.context, waiters, sequence).await;
                true
            }
            Some(WriteOutcome::Refused { refusal, why, concerns_all }) => {
                self.context.writes.failed(format!("RAW takes nothing more: {why}"));
                self.refuse_all(refusal, waiters);
                if concerns_all {
                    for (batch, _) in std::mem::take(&mut self.full) {
                        self.refuse_all(refusal, batch.waiters);
                    }
                    let gathered = std::mem::take(&mut self.gathered);
                    self.refuse_all(refusal, gathered.waiters);
                }
                true
            }
            Some(WriteOutcome::Lost) | None => {
                tracing::info!(partition = self.partition, "somebody else receives");
                false
            }
        }
    }

    fn refuse_all(&self, refusal: Refusal, waiters: Vec<Waiter>) {
        for waiter in waiters {
            match waiter {
                Waiter::Sender { reply, .. } => self.refuse(Some(reply), refusal),
                Waiter::Part(written) => drop(written.send(Err(refusal))),
            }
        }
    }
}

/// The defect that the fault tests must be able to see: answers to what is not written yet. Only debug builds have it, and
/// only when a test asks for it.
struct NegativeControl {
    answers_first: bool,
    held_back: Batch,
}

impl NegativeControl {
    fn from_env() -> Self {
        let asked = cfg!(debug_assertions) && std::env::var_os("ARMADA_TEST_ANSWER_BEFORE_WRITE").is_some();
        Self { answers_first: asked, held_back: Batch::default() }
    }

    /// Those who wait for this batch are answered with the one before.
    fn batch(&mut self, mut batch: Batch) -> Batch {
        if !self.answers_first {
            return batch;
        }
        let waiters = std::mem::take(&mut batch.waiters);
        let mut before = std::mem::replace(&mut self.held_back, batch);
        before.waiters = waiters;
        before
    }
}

/// The end of the write under way; waits for ever when there is none.
async fn written(writing: &mut Option<Writing>) -> Option<WriteOutcome> {
    match writing {
        Some(writing) => (&mut writing.task).await.ok(),
        None => std::future::pending().await,
    }
}

async fn answer_all(context: &ReceiverContext, waiters: Vec<Waiter>, seq: u64) {
    // Nearly every answer of a batch is this one.
    let one = answer::plain(seq, 1);
    for waiter in waiters {
        match waiter {
            Waiter::Sender { reply, mut draft } if draft.unresolved.is_empty() => {
                context.answered(&mut draft);
                let body = match &draft.answer {
                    answer if draft.is_plain() && answer.accepted == 1 => one.clone(),
                    answer if draft.is_plain() => answer::plain(seq, answer.accepted),
                    _ => answer::to_json(&draft.written(seq)),
                };
                context.answer(reply, body).await;
            }
            Waiter::Sender { reply, draft } => {
                let context = context.clone();
                tokio::spawn(async move { context.resolve_and_answer(reply, draft, seq).await });
            }
            Waiter::Part(written) => drop(written.send(Ok(seq))),
        }
    }
}
