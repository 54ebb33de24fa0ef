//! Messages of one partition that wait for their turn, and whose turn it is: each gateway in the order in which its messages came,
//! and gateways one after the other. What is too much goes out again at the end of whoever has most there, so that a flood
//! is its sender's own trouble.

use std::collections::{HashMap, VecDeque};

use async_nats::Message;
use foldhash::fast::RandomState;

use super::sender::sender_of;
use crate::streams::limits::{GATEWAY_WAITING_BYTES, OVERHEAD_BYTES, PARTITION_WAITING_BYTES};

/// The messages of one gateway.
#[derive(Default)]
struct Line {
    messages: VecDeque<Message>,
    bytes: usize,
}

/// What waits. An empty one costs nothing.
#[derive(Default)]
pub(super) struct FairQueue {
    lines: HashMap<String, Line, RandomState>,
    /// Whose turn it is: each gateway of which something waits, once.
    turns: VecDeque<String>,
    bytes: usize,
}

impl FairQueue {
    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Adds a message; what has no room is handed to `refused`, which may be that message.
    pub(super) fn push(&mut self, message: Message, mut refused: impl FnMut(Message)) {
        let gateway = gateway_of(&message).to_owned();
        let bytes = bytes_of(&message);
        let line = self.lines.entry(gateway.clone()).or_default();
        if line.messages.is_empty() {
            self.turns.push_back(gateway.clone());
        }
        line.bytes += bytes;
        line.messages.push_back(message);
        self.bytes += bytes;
        if line.bytes > GATEWAY_WAITING_BYTES {
            self.take_last_of(&gateway).into_iter().for_each(&mut refused);
        }
        while self.bytes > PARTITION_WAITING_BYTES {
            let longest = self.lines.iter().max_by_key(|(_, line)| line.bytes).map(|(gateway, _)| gateway.clone());
            match longest.and_then(|gateway| self.take_last_of(&gateway)) {
                Some(message) => refused(message),
                None => return,
            }
        }
    }

    /// The next one.
    pub(super) fn pop(&mut self) -> Option<Message> {
        let gateway = self.turns.pop_front()?;
        let line = self.lines.get_mut(&gateway)?;
        let message = line.messages.pop_front()?;
        let bytes = bytes_of(&message);
        line.bytes -= bytes;
        self.bytes -= bytes;
        if line.messages.is_empty() {
            drop(self.lines.remove(&gateway))
        } else {
            self.turns.push_back(gateway)
        }
        Some(message)
    }

    fn take_last_of(&mut self, gateway: &str) -> Option<Message> {
        let line = self.lines.get_mut(gateway)?;
        let message = line.messages.pop_back()?;
        let bytes = bytes_of(&message);
        line.bytes -= bytes;
        self.bytes -= bytes;
        if line.messages.is_empty() {
            self.lines.remove(gateway);
            self.turns.retain(|waiting| waiting != gateway);
        }
        Some(message)
    }
}

/// Who sent a message.
pub(super) fn gateway_of(message: &Message) -> &str {
    sender_of(message).map_or("", |(gateway, _)| gateway)
}

fn bytes_of(message: &Message) -> usize {
    message.length + OVERHEAD_BYTES
}
