//! What a socket has not been sent yet: the newest position of each device that it sees, and never more than that. A
//! slow client therefore gets fewer updates, not later ones.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use armada_proto::{
    DeviceId, Timestamp,
    v1::{LiveView, StandingAlarm},
};
use axum::{body::Bytes, extract::ws::Utf8Bytes};
use tokio::sync::Notify;

use super::{
    columns::Columns,
    commands::CommandInbox,
    events::EventInbox,
    message::{device_location, device_update, only_moved},
    update::Update,
    visibility::{ByDevice, Devices, Visibility},
};

/// How long a subscriber may go by locations alone: odometer and height are in `device_update` only.
const FULL_UPDATE_INTERVAL: Duration = Duration::from_secs(30);

/// What a socket sees that it did not see before.
#[derive(Debug, PartialEq, Eq)]
pub enum VisibilityChange {
    /// Perhaps everything.
    All,
    /// These.
    Some(Vec<DeviceId>),
}

/// A device that the client wants to know everything about.
struct Subscribed {
    name: Arc<str>,
    /// The alarm that stands, if one does.
    alarm: Option<StandingAlarm>,
    /// What the client was sent last, and when it was last sent everything.
    sent: Option<(Arc<Update>, Instant)>,
}

struct State {
    sees: Visibility,
    /// Every device is sent as `position`, without subscription.
    everything: bool,
    /// Every device is sent in columns.
    columns: Option<Columns>,
    subscribed: ByDevice<Subscribed>,
    waiting: ByDevice<Arc<Update>>,
    /// The keys of `waiting`, the longest waiting first.
    order: VecDeque<DeviceId>,
}

/// The inbox of one socket.
pub struct Inbox {
    state: Mutex<State>,
    /// Notified when something waits to be sent.
    updates_ready: Notify,
    /// Notified when something waits to be sent in columns.
    columns_ready: Notify,
    /// Notified when somebody may have changed what the socket's user sees.
    pub(super) recheck: Notify,
    /// What there is to say of commands.
    pub(super) commands: CommandInbox,
    /// Whether there are new events.
    pub(super) events: EventInbox,
}

impl Inbox {
    /// It sees nothing yet. With `columns`, these take the place of `position`.
    pub fn new(everything: bool, columns: Option<Columns>) -> Self {
        let state = State {
            sees: Visibility::Some(Devices::default()),
            everything: everything && columns.is_none(),
            columns,
            subscribed: HashMap::default(),
            waiting: HashMap::default(),
            order: VecDeque::new(),
        };
        Self {
            state: Mutex::new(state),
            updates_ready: Notify::new(),
            columns_ready: Notify::new(),
            recheck: Notify::new(),
            commands: CommandInbox::default(),
            events: EventInbox::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }

    /// Takes what concerns this socket; returns how many positions gave way to newer ones.
    pub fn offer<'a>(&self, updates: impl IntoIterator<Item = &'a Arc<Update>>) -> u64 {
        let mut state = self.state();
        let conflated = updates.into_iter().filter(|update| state.put(update)).count();
        let has_waiting = !state.order.is_empty();
        drop(state);
        if has_waiting {
            self.updates_ready.notify_one();
        }
        self.columns_ready.notify_one();
        conflated as u64
    }

    /// Whether the socket sees a device.
    pub(super) fn sees(&self, device: DeviceId) -> bool {
        self.state().sees.has(device)
    }

    /// Devices that are waiting.
    pub fn waiting(&self) -> usize {
        self.state().order.len()
    }

    /// Waits until something is waiting.
    pub(super) async fn filled(&self) {
        while self.waiting() == 0 {
            self.updates_ready.notified().await;
        }
    }

    /// The positions of the up to `max` devices that have been waiting longest, for who makes messages of them by itself.
    pub(super) fn take_updates(&self, max: usize) -> Vec<Arc<Update>> {
        let mut state = self.state();
        let count = max.min(state.order.len());
        let devices: Vec<_> = state.order.drain(..count).collect();
        devices.iter().filter_map(|device| state.waiting.remove(device)).collect()
    }

    /// The messages about the up to `max` devices that have been waiting longest.
    pub fn take(&self, max: usize) -> (usize, Vec<Utf8Bytes>) {
        let mut taken = Vec::new();
        let mut state = self.state();
        let count = max.min(state.order.len());
        for _ in 0..count {
            if let Some(device) = state.order.pop_front() {
                state.take_messages(device, &mut taken);
            }
        }
        drop(state);
        (count, taken.into_iter().map(Outgoing::text).collect())
    }

    /// Waits until there is something to tell in columns; for ever when columns are not spoken.
    pub(super) async fn columns_filled(&self) {
        while !self.state().columns.as_ref().is_some_and(Columns::is_filled) {
            self.columns_ready.notified().await;
        }
    }

    /// The next message of columns, how many positions are in it, and whether another one is due right after it.
    pub fn take_columns(&self) -> Option<(Bytes, usize, bool)> {
        let State { columns, sees, .. } = &mut *self.state();
        columns.as_mut()?.take(sees, Instant::now())
    }

    /// The client shows something else now; false when it does not speak columns.
    pub(super) fn show(&self, view: &LiveView) -> bool {
        let shows = self.state().columns.as_mut().map(|columns| columns.show(view)).is_some();
        self.columns_ready.notify_one();
        shows
    }

    /// The devices of columns whose positions are wanted before all others; none where all of them go into one message, or
    /// columns are not spoken.
    pub fn begin_snapshot(&self) -> Vec<DeviceId> {
        let State { columns, sees, .. } = &mut *self.state();
        columns.as_mut().map(|columns| columns.begin_snapshot(sees)).unwrap_or_default()
    }

    /// All positions of the snapshot were offered, or cannot be had.
    pub fn end_snapshot(&self) {
        if let Some(columns) = &mut self.state().columns {
            columns.end_snapshot();
        }
        self.columns_ready.notify_one();
    }

    /// The client has read all messages of columns up to this one; false when it does not speak them.
    pub(super) fn acknowledge(&self, sequence: u32) -> bool {
        let speaks = self.state().columns.as_mut().map(|columns| columns.acknowledge(sequence)).is_some();
        self.columns_ready.notify_one();
        speaks
    }

    /// Tells everything again, beginning with what is known; false when columns are not spoken.
    pub(super) fn restart(&self, known: &[Arc<Update>]) -> bool {
        let restarts = self.state().columns.as_mut().map(Columns::restart).is_some();
        if restarts {
            self.offer(known);
        }
        restarts
    }

    /// Devices were made, changed or removed.
    pub(super) fn directory_changed(&self) {
        if let Some(columns) = &mut self.state().columns {
            columns.directory_changed();
            self.columns_ready.notify_one();
        }
    }

    /// Tells everything about devices from now on: these, by their names and the alarms that stand. What is known of them is
    /// [offered](Self::offer) afterwards: whoever feeds inboxes holds a lock of its own, which is locked before this one's.
    pub fn subscribe(&self, devices: Vec<(DeviceId, String, Option<StandingAlarm>)>) {
        let mut state = self.state();
        for (device, name, alarm) in devices {
            if let Visibility::Some(devices) = &mut state.sees {
                devices.insert(device);
            }
            state.subscribed.insert(device, Subscribed { name: name.into(), alarm, sent: None });
        }
    }

    /// Ends that.
    pub fn unsubscribe(&self, devices: impl IntoIterator<Item = DeviceId>) {
        let mut state = self.state();
        for device in devices {
            state.subscribed.remove(&device);
        }
        state.forget_unwanted();
    }

    /// The devices that are subscribed.
    pub(super) fn subscribed(&self) -> Vec<DeviceId> {
        self.state().subscribed.keys().copied().collect()
    }

    /// A subscribed device has a name; when it is a new one, the client is sent.
    pub fn rename(&self, device: DeviceId, name: &str) {
        let mut state = self.state();
        let Some(subscribed) = state.subscribed.get_mut(&device).filter(|known| *known.name != *name) else { return };
        subscribed.name = name.into();
        if let Some((known, _)) = subscribed.sent.take() {
            state.put(&known);
            drop(state);
            self.updates_ready.notify_one();
        }
    }

    /// Alarms were raised or acknowledged: where another one stands of a subscribed device than before, the client is sent.
    pub fn alarms_changed(&self, standing: impl Fn(DeviceId) -> Option<StandingAlarm>) {
        let mut state = self.state();
        let mut known = Vec::new();
        for (device, subscribed) in &mut state.subscribed {
            let alarm = standing(*device);
            if subscribed.alarm != alarm {
                subscribed.alarm = alarm;
                known.extend(subscribed.sent.take().map(|(sent, _)| sent));
            }
        }
        known.iter().for_each(|sent| _ = state.put(sent));
        drop(state);
        self.updates_ready.notify_one();
    }

    /// From now on the socket sees this, and what it no longer sees is dropped. Returns what it did not see before.
    pub fn see(&self, sees: Visibility) -> VisibilityChange {
        let mut state = self.state();
        let gained = match (&state.sees, &sees) {
            (Visibility::All, _) => VisibilityChange::Some(Vec::new()),
            (Visibility::Some(_), Visibility::All) => VisibilityChange::All,
            (Visibility::Some(before), Visibility::Some(now)) => {
                VisibilityChange::Some(now.difference(before).copied().collect())
            }
        };
        if state.sees == sees {
            return gained;
        }
        state.sees = sees;
        let State { sees, subscribed, columns, .. } = &mut *state;
        subscribed.retain(|device, _| sees.has(*device));
        if let Some(columns) = columns {
            columns.recheck_visibility(sees);
        }
        state.forget_unwanted();
        drop(state);
        self.columns_ready.notify_one();
        gained
    }
}

impl State {
    fn wants(&self, device: DeviceId) -> bool {
        self.sees.has(device) && (self.everything || self.subscribed.contains_key(&device))
    }

    /// Lets an update wait, unless there is a newer one; true when it took the place of another one.
    fn put(&mut self, update: &Arc<Update>) -> bool {
        let device = update.device;
        let sees = self.sees.has(device);
        let in_columns = self.columns.as_mut().filter(|_| sees).is_some_and(|columns| columns.put(update));
        if !self.wants(device) {
            return in_columns;
        }
        match self.waiting.get_mut(&device) {
            Some(known) if known.recorded_at() <= update.recorded_at() => {
                *known = update.clone();
                true
            }
            Some(_) => true,
            None => {
                self.waiting.insert(device, update.clone());
                self.order.push_back(device);
                false
            }
        }
    }

    fn take_messages(&mut self, device: DeviceId, taken: &mut Vec<Outgoing>) {
        let Some(update) = self.waiting.remove(&device) else { return };
        if let Some(subscribed) = self.subscribed.get_mut(&device) {
            let full_at = match &subscribed.sent {
                Some((before, full_at)) if full_at.elapsed() < FULL_UPDATE_INTERVAL => {
                    only_moved(&before.position, &update.position).then_some(*full_at)
                }
                _ => None,
            };
            taken.push(match full_at {
                Some(_) => Outgoing::Location(update.clone()),
                None => Outgoing::Device(update.clone(), subscribed.name.clone(), subscribed.alarm.clone()),
            });
            subscribed.sent = Some((update.clone(), full_at.unwrap_or_else(Instant::now)));
        }
        if self.everything {
            taken.push(Outgoing::Position(update));
        }
    }

    fn forget_unwanted(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|device, _| self.wants(*device));
        self.order.retain(|device| waiting.contains_key(device));
        self.waiting = waiting;
    }
}

/// A message that is not written yet.
enum Outgoing {
    Position(Arc<Update>),
    Device(Arc<Update>, Arc<str>, Option<StandingAlarm>),
    Location(Arc<Update>),
}

impl Outgoing {
    fn text(self) -> Utf8Bytes {
        match self {
            Self::Position(update) => update.text(),
            Self::Device(update, name, alarm) => {
                device_update(&update.position, &name, alarm.as_ref(), Timestamp::now())
            }
            Self::Location(update) => device_location(&update.position),
        }
    }
}
