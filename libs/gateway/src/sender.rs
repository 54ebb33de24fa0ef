//! Messages under way: kept until they are answered, and sent again when they may not have arrived.
//!
//! What must stay in order shares a lane. After a failure a lane sends one message at a time, the oldest first, until
//! everything that was under way is answered: what comes behind waits, or it would be taken in before.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use anyhow::Result;
use armada_proto::gateway::{Answer, inbox_of};
use armada_runtime::Bus;
use armada_track::TrackerId;
use async_nats::{Message, StatusCode, Subscriber};
use futures::StreamExt;
use prost::bytes::Bytes;
use tokio::{
    sync::{Notify, Semaphore},
    task::JoinHandle,
};

use crate::counts::Counts;

/// Pause before a lane tries again.
const RETRY: Duration = Duration::from_millis(200);
/// An answer that has not come after so long does not come any more.
const ACK_TIMEOUT: Duration = Duration::from_secs(5);
/// How often lanes that wait are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// What stays in order: the messages of a tracker, or all.
pub(crate) type LaneKey = Option<TrackerId>;

/// A message that was not answered yet.
struct Unanswered {
    lane: LaneKey,
    subject: String,
    body: Bytes,
    positions: u64,
}

/// Messages that stay in order.
#[derive(Default)]
struct Lane {
    /// Those that are not answered, oldest first.
    unanswered: VecDeque<u64>,
    /// How many of them, from the front, are under way.
    under_way: usize,
    /// When the oldest one was sent, or became the oldest.
    sent: Option<Instant>,
    /// One at a time as long as there are messages before this one.
    careful_below: u64,
    /// When it tries again.
    again: Option<Instant>,
}

#[derive(Default)]
struct State {
    unanswered: HashMap<u64, Unanswered>,
    lanes: HashMap<LaneKey, Lane>,
    next: u64,
    last_sequence: u64,
}

struct Shared {
    bus: Bus,
    /// Answers come to `<inbox>.<number>`.
    inbox: String,
    /// Messages of a lane that are under way at most.
    depth: usize,
    state: Mutex<State>,
    /// Held from the moment at which it is decided what is published until it is: messages leave in their order.
    publishing: tokio::sync::Mutex<()>,
    window: Semaphore,
    counts: Counts,
    /// Told when everything is answered.
    idle: Notify,
}

/// Sends messages of one gateway. What is under way when it is dropped is not sent again.
pub(crate) struct Sender {
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Sender {
    /// As the gateway of that name, with so many messages kept at most, and so many of a lane under way. The connection
    /// must be the gateway's own, or of whoever runs the machine: nobody else hears its answers.
    pub(crate) async fn new(bus: &Bus, gateway: &str, window: usize, depth: usize) -> Result<Self> {
        let unique = bus.client.new_inbox();
        let inbox = format!("{}.{}", inbox_of(gateway), unique.rsplit('.').next().unwrap_or_default());
        let answers = bus.client.subscribe(format!("{inbox}.*")).await?;
        let shared = Arc::new(Shared {
            bus: bus.clone(),
            inbox,
            depth,
            state: Mutex::default(),
            publishing: tokio::sync::Mutex::default(),
            window: Semaphore::new(window),
            counts: Counts::default(),
            idle: Notify::new(),
        });
        Ok(Self { listening: tokio::spawn(listen(shared.clone(), answers)), shared })
    }

    pub(crate) fn counts(&self) -> Counts {
        self.shared.counts.clone()
    }

    /// Sends a message of so many positions behind those of its lane; waits for room.
    pub(crate) async fn send(&self, lane: LaneKey, subject: String, body: Bytes, positions: u64) -> Result<()> {
        self.shared.window.acquire().await?.forget();
        let _publishing = self.shared.publishing.lock().await;
        let now = {
            let mut state = self.shared.state();
            let number = state.next;
            state.next += 1;
            state.unanswered.insert(number, Unanswered { lane, subject, body, positions });
            state.lanes.entry(lane).or_default().unanswered.push_back(number);
            state.due(lane, self.shared.depth)
        };
        self.shared.counts.published(positions);
        self.shared.publish(now).await;
        Ok(())
    }

    /// Waits until everything is answered; the last sequence of RAW that was named.
    pub(crate) async fn finish(&self) -> u64 {
        loop {
            let idle = self.shared.idle.notified();
            {
                let state = self.shared.state();
                if state.unanswered.is_empty() {
                    return state.last_sequence;
                }
            }
            idle.await;
        }
    }
}

/// A message to be published now.
type Due = (u64, String, Bytes);

impl State {
    /// What of a lane may be published now.
    fn due(&mut self, lane: LaneKey, depth: usize) -> Vec<Due> {
        let Some(lane) = self.lanes.get_mut(&lane) else { return Vec::new() };
        let careful = lane.unanswered.front().is_some_and(|first| *first < lane.careful_below);
        let depth = if careful { 1 } else { depth };
        if lane.again.is_some() || lane.under_way >= depth {
            return Vec::new();
        }
        let until = lane.unanswered.len().min(depth);
        let numbers = lane.unanswered.range(lane.under_way..until);
        let due = numbers.filter_map(|number| {
            let unanswered = self.unanswered.get(number)?;
            Some((*number, unanswered.subject.clone(), unanswered.body.clone()))
        });
        let due: Vec<Due> = due.collect();
        if lane.under_way == 0 {
            lane.sent = Some(Instant::now());
        }
        lane.under_way = until;
        due
    }

    /// Has a lane try again after a pause.
    fn failed(&mut self, number: u64, pause: Duration) {
        let Some(unanswered) = self.unanswered.get(&number) else { return };
        let next = self.next;
        if let Some(lane) = self.lanes.get_mut(&unanswered.lane) {
            lane.under_way = 0;
            lane.sent = None;
            lane.careful_below = next;
            lane.again = Some(Instant::now() + pause);
        }
    }

    /// The message is answered; what of its lane may be published now, and how many positions it had.
    fn answered(&mut self, number: u64, depth: usize) -> Option<(u64, Vec<Due>)> {
        let unanswered = self.unanswered.remove(&number)?;
        let lane = self.lanes.get_mut(&unanswered.lane)?;
        let place = lane.unanswered.iter().position(|other| *other == number)?;
        lane.unanswered.remove(place);
        if place < lane.under_way {
            lane.under_way -= 1;
        }
        if lane.unanswered.is_empty() {
            self.lanes.remove(&unanswered.lane);
            return Some((unanswered.positions, Vec::new()));
        }
        // Answers to what left behind it say nothing of the oldest one.
        if place == 0 {
            lane.sent = Some(Instant::now());
        }
        Some((unanswered.positions, self.due(unanswered.lane, depth)))
    }

    /// What is to be published again, or for the first time, because lanes have waited long enough; and how many of them
    /// are tried again.
    fn overdue(&mut self, now: Instant, depth: usize) -> (usize, Vec<Due>) {
        let mut lost: Vec<u64> = Vec::new();
        let mut ready: Vec<LaneKey> = Vec::new();
        for (key, lane) in &self.lanes {
            if lane.sent.is_some_and(|sent| now - sent > ACK_TIMEOUT) && lane.under_way > 0 {
                lost.extend(lane.unanswered.front());
            }
            if lane.again.is_some_and(|again| again <= now) {
                ready.push(*key);
            }
        }
        lost.into_iter().for_each(|number| self.failed(number, Duration::ZERO));
        let mut due = Vec::new();
        for key in &ready {
            if let Some(lane) = self.lanes.get_mut(key) {
                lane.again = None;
            }
            due.extend(self.due(*key, depth));
        }
        (ready.len(), due)
    }

    /// What was under way may never have arrived.
    fn interrupted(&mut self) {
        let first: Vec<u64> = self.lanes.values().filter_map(|lane| lane.unanswered.front().copied()).collect();
        first.into_iter().for_each(|number| self.failed(number, Duration::ZERO));
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }

    async fn publish(&self, due: Vec<Due>) {
        for (number, subject, body) in due {
            let reply = format!("{}.{number}", self.inbox);
            // It is kept: what does not leave now leaves later.
            if let Err(error) = self.bus.client.publish_with_reply(subject, reply, body).await {
                tracing::debug!(%error, "cannot publish; will try again");
            }
        }
    }

    async fn handle_answer(&self, message: &Message) {
        let number = message.subject.rsplit('.').next().and_then(|number| number.parse::<u64>().ok());
        let Some(number) = number else { return };
        if message.status == Some(StatusCode::NO_RESPONDERS) {
            return self.state().failed(number, RETRY);
        }
        let Ok(answer) = serde_json::from_slice::<Answer>(&message.payload) else { return };
        if let Some(pause) = answer.retry_after_ms {
            return self.state().failed(number, Duration::from_millis(u64::from(pause)));
        }
        let _publishing = self.publishing.lock().await;
        let (positions, due, idle) = {
            let mut state = self.state();
            let Some((positions, due)) = state.answered(number, self.depth) else { return };
            state.last_sequence = state.last_sequence.max(answer.seq);
            (positions, due, state.unanswered.is_empty())
        };
        self.counts.answered(positions, &answer);
        self.window.add_permits(1);
        if idle {
            self.idle.notify_waiters();
        }
        self.publish(due).await;
    }
}

async fn listen(shared: Arc<Shared>, mut answers: Subscriber) {
    let mut connections = shared.bus.connections();
    let mut checks = tokio::time::interval(CHECK_INTERVAL);
    loop {
        tokio::select! {
            answer = answers.next() => match answer {
                Some(answer) => shared.handle_answer(&answer).await,
                None => return,
            },
            _ = connections.changed() => shared.state().interrupted(),
            _ = checks.tick() => {
                let _publishing = shared.publishing.lock().await;
                let (again, due) = shared.state().overdue(Instant::now(), shared.depth);
                shared.counts.repeated(again);
                shared.publish(due).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: LaneKey = None;
    const DEPTH: usize = 4;

    fn numbers(due: &[Due]) -> Vec<u64> {
        due.iter().map(|(number, ..)| *number).collect()
    }

    /// Six messages of one lane, of which the first four are under way, the oldest since a second ago; and when it is overdue.
    fn six() -> (State, Instant) {
        let mut state = State { next: 6, ..State::default() };
        for number in 0..6 {
            let unanswered = Unanswered { lane: LANE, subject: String::new(), body: Bytes::new(), positions: 1 };
            state.unanswered.insert(number, unanswered);
            state.lanes.entry(LANE).or_default().unanswered.push_back(number);
        }
        assert_eq!(numbers(&state.due(LANE, DEPTH)), [0, 1, 2, 3]);
        let sent = Instant::now() - Duration::from_secs(1);
        state.lanes.get_mut(&LANE).expect("it has messages").sent = Some(sent);
        (state, sent + ACK_TIMEOUT + Duration::from_millis(1))
    }

    /// What leaves at a moment, and a moment later.
    fn overdue(state: &mut State, at: Instant) -> [Vec<u64>; 2] {
        [at, at + RETRY].map(|now| numbers(&state.overdue(now, DEPTH).1))
    }

    #[test]
    fn resends_unacknowledged_messages_despite_later_acks() {
        let (mut state, late) = six();
        let (_, due) = state.answered(1, DEPTH).expect("it was kept");
        assert_eq!(numbers(&due), [4]);
        // The oldest one first and alone, until all that was under way is answered.
        assert_eq!(overdue(&mut state, late), [vec![], vec![0]]);
        for (number, next) in [(0, 2), (2, 3), (3, 4), (4, 5)] {
            let (_, due) = state.answered(number, DEPTH).expect("it was kept");
            assert_eq!(numbers(&due), [next]);
        }
    }

    #[test]
    fn ack_timeout_restarts_when_the_oldest_is_acknowledged() {
        let (mut state, late) = six();
        let (_, due) = state.answered(0, DEPTH).expect("it was kept");
        assert_eq!(numbers(&due), [4]);
        assert_eq!(overdue(&mut state, late), [Vec::<u64>::new(), Vec::new()]);
    }
}
