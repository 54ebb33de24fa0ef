//! The owner's side of one partition: what comes is checked and gathered while the last write is under way, written, and
//! answered.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use armada_proto::{Timestamp, gateway::is_inbox_of, v1::RefusedMessage};
use armada_runtime::{Error, Result, telemetry::propagation};
use async_nats::{Message, Subscriber};
use futures::{FutureExt, StreamExt};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::{
    answer::{self, Draft, Refusal},
    batch::{Batch, Closed, Part, Reply, Reserved, Waiter},
    check::{CheckedFrame, FRAME},
    frames,
    raw_writer::{RawWriter, Written},
    shared::Shared,
};
use crate::round_trace::RoundTrace;

/// Messages that are looked at before a write that has ended is.
const MESSAGES_AT_ONCE: usize = 512;
/// Parts of frames that may wait for the owner of their partition; each has its room in memory.
const PARTS_WAITING: usize = 1024;
/// How long a former owner may take to write what it has, before it counts as dead.
const HANDOVER: Duration = Duration::from_millis(500);
/// Pause before what failed is begun anew.
const AGAIN: Duration = Duration::from_millis(200);

/// A partition that is received in this process.
pub struct Receiving {
    stop: CancellationToken,
    task: JoinHandle<()>,
    over: CancellationToken,
}

/// Ends where it is: what was not written is not answered.
impl Drop for Receiving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Receiving {
    /// Takes nothing new in, writes and answers what there is, and ends.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether somebody else receives the partition now, or nobody.
    pub fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Waits until it is.
    pub async fn over(&self) {
        self.over.cancelled().await;
    }
}

/// Receives a partition that is owned under `epoch`, until it is stopped or somebody else receives it.
pub fn receive(shared: Shared, partition: u32, epoch: i64) -> Receiving {
    let (stop, over) = (CancellationToken::new(), CancellationToken::new());
    let (stopped, ended) = (stop.clone(), over.clone().drop_guard());
    let metrics = shared.metrics.clone();
    let task = tokio::spawn(metrics.timed(async move {
        let _ended = ended;
        while let Err(error) = receive_until(&shared, partition, epoch, &stopped).await {
            tracing::warn!(partition, %error, "cannot receive; will try again");
            if stopped.run_until_cancelled(tokio::time::sleep(AGAIN)).await.is_none() {
                return;
            }
        }
    }));
    Receiving { stop, task, over }
}

/// The subject on which whoever receives a partition hears that somebody else does.
fn handover_subject(partition: u32) -> String {
    format!("receiver.handover.{partition}")
}

async fn receive_until(shared: &Shared, partition: u32, epoch: i64, stopped: &CancellationToken) -> Result<()> {
    let client = &shared.receiver.client;
    let subscribe = async |subject: String| client.subscribe(subject).await.map_err(Error::unavailable);
    // What other services send comes over the connection of ingest: the receiver's own user may answer gateways alone.
    let parts = shared.ingest.client.subscribe(frames::part_subject(partition)).await.map_err(Error::unavailable)?;
    // Listens before the former owner stops: what comes in between both have, and the fence decides who writes it.
    let messages = subscribe(format!("in.{partition}.*.*")).await?;
    take_over(shared, partition).await;
    let mut handovers = subscribe(handover_subject(partition)).await?;
    let (sender, local) = mpsc::channel(PARTS_WAITING);
    shared.receives(partition, sender.clone());
    let writer = RawWriter {
        receiver: shared.receiver.clone(),
        ingest: shared.ingest.clone(),
        db: shared.db.clone(),
        partition,
        epoch,
    };
    let (last, _) = writer.last().await?;
    let mut owner = Partition {
        shared: shared.clone(),
        partition,
        writer,
        last,
        gathered: Batch::default(),
        trace: None,
        full: VecDeque::new(),
        writing: None,
        negative_control: NegativeControl::from_env(),
    };
    let mut inputs = Inputs { messages, parts, local };
    let end = owner.run(&mut inputs, &mut handovers, stopped).await;
    shared.receives_no_more(partition, &sender);
    drop(sender);
    if let End::Lost = end {
        return Ok(());
    }
    owner.drain(inputs).await?;
    if let End::HandedOver(request) = end
        && let Some(reply) = request.reply
    {
        client.publish(reply, "".into()).await.map_err(Error::unavailable)?;
    }
    Ok(())
}

/// Has the former owner write and answer what it has. One that is dead is not waited for.
async fn take_over(shared: &Shared, partition: u32) {
    let request = async_nats::Request::new().timeout(Some(HANDOVER));
    let answered = shared.receiver.client.send_request(handover_subject(partition), request).await;
    tracing::debug!(partition, handed_over = answered.is_ok(), "receives");
}

/// From where a partition gets what it takes in.
struct Inputs {
    /// `in.<partition>.<gateway>.<imei>`.
    messages: Subscriber,
    /// Parts of frames that other processes have taken apart.
    parts: Subscriber,
    /// Those of this process.
    local: mpsc::Receiver<Part>,
}

/// How receiving ended.
enum End {
    Stopped,
    HandedOver(Message),
    Lost,
}

/// A write under way.
struct Writing {
    task: JoinHandle<Written>,
    waiters: Vec<Waiter>,
    begun: Instant,
    _trace: Option<RoundTrace>,
}

struct Partition {
    shared: Shared,
    partition: u32,
    writer: RawWriter,
    /// The sequence of the last message on RAW.
    last: u64,
    gathered: Batch,
    trace: Option<RoundTrace>,
    /// Batches that are full and wait for their turn.
    full: VecDeque<(Batch, Option<RoundTrace>)>,
    writing: Option<Writing>,
    negative_control: NegativeControl,
}

impl Partition {
    async fn run(&mut self, inputs: &mut Inputs, handovers: &mut Subscriber, stopped: &CancellationToken) -> End {
        loop {
            tokio::select! {
                () = stopped.cancelled() => return End::Stopped,
                request = handovers.next() => return request.map_or(End::Stopped, End::HandedOver),
                written = written(&mut self.writing) => if !self.settle(written).await { return End::Lost },
                Some(message) = inputs.messages.next() => {
                    self.receive(message).await;
                    for _ in 1..MESSAGES_AT_ONCE {
                        let Some(Some(message)) = inputs.messages.next().now_or_never() else { break };
                        self.receive(message).await;
                    }
                }
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
    async fn drain(&mut self, inputs: Inputs) -> Result<()> {
        let Inputs { mut messages, mut parts, mut local } = inputs;
        messages.drain().await.map_err(Error::unavailable)?;
        parts.drain().await.map_err(Error::unavailable)?;
        local.close();
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
        self.shared.receiver.client.flush().await.map_err(Error::unavailable)
    }

    /// Takes in a message of a gateway: one device's, or a frame, which it takes apart.
    async fn receive(&mut self, message: Message) {
        let mut tokens = message.subject.as_str().splitn(4, '.').skip(2);
        let (Some(gateway), Some(device)) = (tokens.next(), tokens.next()) else { return };
        let reply = self.reply_of(&message, gateway);
        let Some(reserved) = self.shared.memory.reserve(message.payload.len()) else {
            return self.refuse(reply, Refusal::TooMuchWaiting);
        };
        self.follow(&message);
        let now = Timestamp::now().millis();
        if device == FRAME {
            let mut checked = self.shared.checker.frame(gateway, &message.payload, now);
            let refused = std::mem::take(&mut checked.refused);
            let refused = (!refused.is_empty()).then(|| self.add_refused(refused, reserved));
            return frames::distribute(&self.shared, gateway, reply, checked, refused).await;
        }
        let checked = self.shared.checker.device(self.partition, gateway, device, &message.payload, now);
        self.make_room(checked.rows.len(), message.payload.len());
        self.gathered.add_rows(gateway, &checked.rows);
        self.gathered.add_refused(checked.refused);
        self.wait_for_write(reply, checked.draft, reserved);
    }

    /// Takes in a part of a frame from another process, or what is played back. Who may publish there is trusted with
    /// the gateway's name, and with the reply.
    fn receive_part(&mut self, message: Message) {
        let gateway = frames::gateway_of(&message);
        let Some(reserved) = self.shared.memory.reserve(message.payload.len()) else {
            return self.refuse(message.reply.map(Reply::Trusted), Refusal::TooMuchWaiting);
        };
        self.follow(&message);
        let checked = self.shared.checker.frame(gateway, &message.payload, Timestamp::now().millis());
        let CheckedFrame { mut rows, refused, draft } = checked;
        let rows = rows.remove(&self.partition).map(|mut rows| rows.take()).unwrap_or_default();
        self.make_room(rows.imei.len(), message.payload.len());
        self.gathered.add_frame(gateway, rows);
        self.gathered.add_refused(refused);
        self.wait_for_write(message.reply.clone().map(Reply::Trusted), draft, reserved);
    }

    fn wait_for_write(&mut self, reply: Option<Reply>, draft: Draft, reserved: Reserved) {
        self.gathered.hold(reserved);
        match reply {
            Some(reply) => self.gathered.waiters.push(Waiter::Sender { reply, draft }),
            None => self.shared.metrics.answered(&draft.answer),
        }
    }

    /// What was refused of a frame; told when it is written.
    fn add_refused(
        &mut self,
        refused: Vec<RefusedMessage>,
        reserved: Reserved,
    ) -> oneshot::Receiver<Result<u64, Refusal>> {
        self.make_room(0, refused.iter().map(|refused| refused.body.len()).sum());
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
            let trace = self.trace.get_or_insert_with(|| RoundTrace::receiving(self.partition));
            trace.message(message.headers.as_ref());
        }
    }

    /// Where the gateway is answered: its own inbox, and nowhere else.
    fn reply_of(&self, message: &Message, gateway: &str) -> Option<Reply> {
        let reply = message.reply.clone()?;
        if is_inbox_of(&reply, gateway) {
            return Some(Reply::Gateway(reply));
        }
        self.shared.metrics.foreign_reply();
        tracing::debug!(gateway, %reply, "a gateway names a reply that is not its own inbox");
        None
    }

    fn refuse(&self, reply: Option<Reply>, refusal: Refusal) {
        self.shared.metrics.refused(refusal);
        if let Some(reply) = reply {
            let shared = self.shared.clone();
            tokio::spawn(async move { shared.answer(reply, refusal.answer().to_json()).await });
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
        let Closed { body, waiters, reserved } = batch.close();
        let traceparent = trace.as_ref().and_then(|trace| trace.traceparent.clone());
        let write = self.writer.clone().write(self.last, body, traceparent);
        let task = tokio::spawn(self.shared.metrics.clone().timed(async move {
            let written = write.await;
            drop(reserved);
            written
        }));
        self.writing = Some(Writing { task, waiters, begun: Instant::now(), _trace: trace });
    }

    /// Answers whom a write was for. False when the partition is somebody else's.
    async fn settle(&mut self, written: Option<Written>) -> bool {
        let Some(Writing { waiters, begun, .. }) = self.writing.take() else { return true };
        match written {
            Some(Written::At(seq)) => {
                self.shared.metrics.written(begun.elapsed());
                self.last = seq;
                self.write_next();
                answer_all(&self.shared, waiters, seq).await;
                true
            }
            Some(Written::Full) => {
                self.refuse_all(waiters);
                for (batch, _) in std::mem::take(&mut self.full) {
                    self.refuse_all(batch.waiters);
                }
                let gathered = std::mem::take(&mut self.gathered);
                self.refuse_all(gathered.waiters);
                true
            }
            Some(Written::Lost) | None => {
                tracing::info!(partition = self.partition, "somebody else receives");
                false
            }
        }
    }

    fn refuse_all(&self, waiters: Vec<Waiter>) {
        for waiter in waiters {
            match waiter {
                Waiter::Sender { reply, .. } => self.refuse(Some(reply), Refusal::StorageFull),
                Waiter::Part(written) => drop(written.send(Err(Refusal::StorageFull))),
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
async fn written(writing: &mut Option<Writing>) -> Option<Written> {
    match writing {
        Some(writing) => (&mut writing.task).await.ok(),
        None => std::future::pending().await,
    }
}

async fn answer_all(shared: &Shared, waiters: Vec<Waiter>, seq: u64) {
    // Nearly every answer of a batch is this one.
    let one = answer::plain(seq, 1);
    for waiter in waiters {
        match waiter {
            Waiter::Sender { reply, draft } if draft.unresolved.is_empty() => {
                shared.metrics.answered(&draft.answer);
                let body = match &draft.answer {
                    answer if answer.is_plain() && answer.accepted == 1 => one.clone(),
                    answer if answer.is_plain() => answer::plain(seq, answer.accepted),
                    _ => draft.answer.written(seq).to_json(),
                };
                shared.answer(reply, body).await;
            }
            Waiter::Sender { reply, draft } => {
                let shared = shared.clone();
                tokio::spawn(async move { shared.resolve_and_answer(reply, draft, seq).await });
            }
            Waiter::Part(written) => drop(written.send(Ok(seq))),
        }
    }
}
