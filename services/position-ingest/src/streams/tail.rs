//! The end of a partition's RAW, as its receiver hands it to the owner in the same process: what was written a moment ago
//! is neither fetched from the NATS server nor decoded again. RAW is read after a start, a takeover, or when the owner has
//! fallen behind.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
};

use tokio::sync::Notify;

use super::raw_message::RawMessage;

/// Bytes of messages that wait for the owner, some 40,000 positions. One that is farther behind reads RAW.
const WAITING_BYTES: usize = 1 << 20;
/// What a message takes beside its body.
const OVERHEAD_BYTES: usize = 256;

/// A message that is on disk.
pub struct WrittenMessage {
    /// The sequence of the partition's message before it in RAW, 0 of the first.
    pub previous_sequence: u64,
    /// The message.
    pub message: RawMessage,
}

impl WrittenMessage {
    fn bytes(&self) -> usize {
        self.message.payload.len() + OVERHEAD_BYTES
    }
}

/// Something was written that is not kept here.
pub struct Missed;

/// What was written and is not taken in yet. Cheap to clone.
#[derive(Clone, Default)]
pub struct Tail(Arc<TailState>);

#[derive(Default)]
struct TailState {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<WrittenMessage>,
    bytes: usize,
    missed: bool,
}

impl Tail {
    /// A message is on disk. Nothing is kept when too much waits.
    pub fn push(&self, written: WrittenMessage) {
        let mut queue = self.queue();
        queue.bytes += written.bytes();
        if queue.bytes > WAITING_BYTES && !queue.messages.is_empty() {
            *queue = Queue { missed: true, ..Queue::default() };
        } else {
            queue.messages.push_back(written);
        }
        drop(queue);
        self.0.changed.notify_one();
    }

    /// What comes next, if it is there. What was missed is told before what came after it.
    pub fn try_next(&self) -> Option<Result<WrittenMessage, Missed>> {
        let mut queue = self.queue();
        if std::mem::take(&mut queue.missed) {
            return Some(Err(Missed));
        }
        let written = queue.messages.pop_front()?;
        queue.bytes -= written.bytes();
        Some(Ok(written))
    }

    /// Waits for what comes next. Nothing is lost when this is dropped while it waits.
    pub async fn next(&self) -> Result<WrittenMessage, Missed> {
        loop {
            if let Some(next) = self.try_next() {
                return next;
            }
            self.0.changed.notified().await;
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().expect("no panic while held")
    }
}
