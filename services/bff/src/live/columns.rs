//! The stream of a socket that speaks `armada.columns.v1`: its catalogue, and what waits to be sent of positions. Like
//! the inbox it belongs to, it holds the newest position of each device and never more.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use armada_proto::{
    DeviceId, TenantId,
    v1::{LiveCatalogue, LiveColumns, LivePositions, LiveView},
};
use axum::body::Bytes;
use prost::Message;

use super::{
    directory::{Directory, Listing},
    rows::push,
    update::Update,
    visibility::{ByDevice, Devices, TenantFilter, Visibility},
};

/// The name of the subprotocol.
pub(super) const PROTOCOL: &str = "armada.columns.v1";

/// Devices in one message. Messages are small, so that a slow client shows progress.
const DEVICES_MAX: usize = 1_000;
/// Positions in one message.
const ROWS_MAX: usize = 2_000;
/// The shortest time between two positions of a device that is shown. Less than a second, so that a device that reports
/// every second does not wait whenever it is a little early.
const SHOWN_EVERY: Duration = Duration::from_millis(900);
/// The same of one that is only counted.
const HIDDEN_EVERY: Duration = Duration::from_secs(5);
/// Messages with positions that a client may not have read yet. What lies on the way between does not become newer: a client
/// that reads slowly would see in seconds what the buffers of its connection hold.
const UNREAD_MAX: u32 = 4;

/// What the client shows.
enum View {
    Everything,
    Some { area: Option<[f64; 4]>, devices: Devices },
}

impl View {
    /// Whether the client shows a device wherever it is.
    fn names(&self, device: &DeviceId) -> bool {
        matches!(self, Self::Some { devices, .. } if devices.contains(device))
    }
}

/// A device of the catalogue, at the place of its number.
struct Entry {
    tenant: TenantId,
    device: DeviceId,
    /// The version of the listing that was sent last, or is about to be.
    version: u64,
    /// Whether it waits to be sent.
    is_unsent: bool,
    /// The position that was sent last, and when.
    sent: Option<(Arc<Update>, Instant)>,
}

/// What of a catalogue is not sent yet.
#[derive(Default)]
struct UnsentCatalogue {
    reset: bool,
    /// Numbers of devices, whose listings are read when they are sent.
    listed: VecDeque<u32>,
    gone: Vec<u32>,
}

/// The stream of one socket.
pub struct Columns {
    of: TenantFilter,
    directory: Directory,
    sequence: u32,
    /// The last message that the client says it has read; none from a client that does not say.
    acknowledged: Option<u32>,
    numbers: ByDevice<u32>,
    entries: Vec<Entry>,
    /// Whether the catalogue has to be compared with the directory.
    stale: bool,
    /// As of which version of the directory it was compared the last time; 0 when it has to be compared with all of it.
    compared: u64,
    /// Whether the snapshot of positions is still to come: until then there is more to tell.
    awaits_snapshot: bool,
    /// Whether the client was told last that there is more.
    said_more: bool,
    unsent: UnsentCatalogue,
    view: View,
    waiting: ByDevice<Arc<Update>>,
}

impl Columns {
    /// Begins a stream.
    pub fn new(of: TenantFilter, directory: Directory) -> Self {
        Self {
            of,
            directory,
            sequence: 0,
            acknowledged: None,
            numbers: ByDevice::default(),
            entries: Vec::new(),
            stale: true,
            compared: 0,
            awaits_snapshot: false,
            said_more: false,
            unsent: UnsentCatalogue { reset: true, ..UnsentCatalogue::default() },
            view: View::Everything,
            waiting: ByDevice::default(),
        }
    }

    /// Tells everything again; the positions that are known have to be put again.
    pub(super) fn restart(&mut self) {
        self.numbers.clear();
        self.entries.clear();
        self.waiting.clear();
        self.unsent = UnsentCatalogue { reset: true, ..UnsentCatalogue::default() };
        self.stale = true;
        self.compared = 0;
    }

    /// Somebody may have changed devices.
    pub(super) fn directory_changed(&mut self) {
        self.stale = true;
    }

    /// The user may see others than before.
    pub(super) fn recheck_visibility(&mut self, sees: &Visibility) {
        self.stale = true;
        self.compared = 0;
        self.waiting.retain(|device, _| sees.has(*device));
    }

    /// The client shows something else now.
    pub(super) fn show(&mut self, view: &LiveView) {
        let area = <[f64; 4]>::try_from(view.r#box.as_slice()).ok();
        let devices: Devices = view.device_ids.iter().filter_map(|id| id.parse().ok()).collect();
        let named: Vec<_> = devices.iter().copied().filter(|device| !self.view.names(device)).collect();
        self.view = View::Some { area, devices };
        named.into_iter().for_each(|device| self.resend_details(device));
    }

    /// What it has come to today, and its litres, were not told of a device that the client did not name: its newest position
    /// comes again.
    fn resend_details(&mut self, device: DeviceId) {
        let entry = self.numbers.get(&device).and_then(|number| self.entries.get_mut(*number as usize));
        let has_details = |(sent, _): &mut (Arc<Update>, Instant)| {
            sent.position.today.is_some() || sent.position.fuel_liter.is_some()
        };
        if let Some((sent, _)) = entry.and_then(|entry| entry.sent.take_if(has_details)) {
            self.waiting.entry(device).or_insert(sent);
        }
    }

    /// Lets the position of a visible device wait, unless there is a newer one; true when it took the place of another.
    pub fn put(&mut self, update: &Arc<Update>) -> bool {
        let known = self.waiting.get(&update.device);
        let conflated = known.is_some();
        if known.is_none_or(|known| known.recorded_at() <= update.recorded_at()) {
            self.waiting.insert(update.device, update.clone());
        }
        conflated
    }

    /// The devices of the first message, if there are more than go into one. Their positions are wanted before all others, and
    /// until [`Self::end_snapshot`] the client is told that there is more.
    pub(super) fn begin_snapshot(&mut self, sees: &Visibility) -> Vec<DeviceId> {
        self.compare_if_stale(sees);
        let listed = &self.unsent.listed;
        if listed.len() <= DEVICES_MAX {
            return Vec::new();
        }
        self.awaits_snapshot = true;
        listed.iter().take(DEVICES_MAX).map(|number| self.entries[*number as usize].device).collect()
    }

    /// All positions of the snapshot were put, or cannot be had.
    pub(super) fn end_snapshot(&mut self) {
        self.awaits_snapshot = false;
    }

    /// The client has read all messages up to this one.
    pub(super) fn acknowledge(&mut self, sequence: u32) {
        let newest = self.acknowledged.unwrap_or_default().max(sequence);
        self.acknowledged = Some(newest.min(self.sequence));
    }

    /// Whether the client has read what it was sent but for a little.
    fn keeps_up(&self) -> bool {
        self.acknowledged.is_none_or(|acknowledged| self.sequence - acknowledged < UNREAD_MAX)
    }

    /// Whether something will have to be sent.
    pub(super) fn is_filled(&self) -> bool {
        let ends = self.said_more && !self.awaits_snapshot;
        self.stale || self.unsent.is_filled() || (self.keeps_up() && (ends || !self.waiting.is_empty()))
    }

    /// The next message, how many positions are in it, and whether another one is due right after it.
    pub fn take(&mut self, sees: &Visibility, now: Instant) -> Option<(Bytes, usize, bool)> {
        self.compare_if_stale(sees);
        let catalogue = self.catalogue();
        let keeps_up = self.keeps_up();
        let (positions, at_once) = match &catalogue {
            // The first vehicles are seen before a large catalogue is complete.
            Some(listed) if !self.unsent.listed.is_empty() => {
                (self.positions_of(listed.index.iter().copied(), now), true)
            }
            _ if !keeps_up => (None, false),
            _ => self.due_positions(now),
        };
        let more = at_once || self.awaits_snapshot || (!keeps_up && !self.waiting.is_empty());
        let ends = keeps_up && self.said_more && !more;
        if catalogue.is_none() && positions.is_none() && !ends {
            return None;
        }
        self.sequence += 1;
        self.said_more = more;
        let rows = positions.as_ref().map_or(0, |positions| positions.index.len());
        let message = LiveColumns { sequence: self.sequence, catalogue, positions, more };
        Some((message.encode_to_vec().into(), rows, at_once))
    }

    fn compare_if_stale(&mut self, sees: &Visibility) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        let Self { of, directory, compared, numbers, entries, unsent, waiting, .. } = self;
        *compared = directory.each_since(*compared, *of, |tenant, device, listing| {
            let Some(listing) = listing.filter(|_| sees.has(device)) else {
                unsent.gone.extend(numbers.remove(&device));
                waiting.remove(&device);
                return;
            };
            let number = *numbers.entry(device).or_insert_with(|| {
                entries.push(Entry { tenant, device, version: 0, is_unsent: false, sent: None });
                entries.len() as u32 - 1
            });
            let entry = &mut entries[number as usize];
            if entry.version != listing.version {
                entry.version = listing.version;
                if !std::mem::replace(&mut entry.is_unsent, true) {
                    unsent.listed.push_back(number);
                }
            }
        });
    }

    fn catalogue(&mut self) -> Option<LiveCatalogue> {
        if !self.unsent.is_filled() {
            return None;
        }
        let Self { of, directory, numbers, entries, unsent, .. } = self;
        let mut catalogue = LiveCatalogue { reset: std::mem::take(&mut unsent.reset), ..LiveCatalogue::default() };
        catalogue.gone = std::mem::take(&mut unsent.gone);
        let listed: Vec<_> = unsent.listed.drain(..unsent.listed.len().min(DEVICES_MAX)).collect();
        let devices = listed.iter().map(|number| {
            let entry = &mut entries[*number as usize];
            entry.is_unsent = false;
            (entry.tenant, entry.device)
        });
        let devices: Vec<_> = devices.collect();
        let listings = directory.listings(&devices);
        for ((number, (tenant, device)), listing) in listed.into_iter().zip(devices).zip(listings) {
            // Who went meanwhile is told of as gone, or was never told of.
            let Some(listing) = listing.filter(|_| numbers.get(&device) == Some(&number)) else { continue };
            push_listing(&mut catalogue, number, device, listing);
            catalogue.tenant_id.extend(of.is_none().then(|| tenant.0.as_bytes().to_vec()));
        }
        catalogue.complete = unsent.listed.is_empty();
        Some(catalogue)
    }

    /// The positions that are due, those first that waited longest; and whether more of them are.
    fn due_positions(&mut self, now: Instant) -> (Option<LivePositions>, bool) {
        let mut due: Vec<(Option<Instant>, u32)> = Vec::new();
        for (device, update) in &self.waiting {
            let Some(&number) = self.numbers.get(device) else { continue };
            let sent = self.entries[number as usize].sent.as_ref();
            let every = match sent {
                Some((before, _)) if !self.shows(before, update) => HIDDEN_EVERY,
                _ => SHOWN_EVERY,
            };
            if sent.is_none_or(|(_, at)| now.duration_since(*at) >= every) {
                due.push((sent.map(|(_, at)| *at), number));
            }
        }
        let more = due.len() > ROWS_MAX;
        if more {
            due.select_nth_unstable(ROWS_MAX);
            due.truncate(ROWS_MAX);
        }
        (self.positions_of(due.into_iter().map(|(_, number)| number), now), more)
    }

    /// The positions that wait of these devices, due or not.
    fn positions_of(&mut self, numbers: impl Iterator<Item = u32>, now: Instant) -> Option<LivePositions> {
        let mut rows = LivePositions::default();
        let mut time = 0;
        for number in numbers {
            let entry = &mut self.entries[number as usize];
            let Some(update) = self.waiting.remove(&entry.device) else { continue };
            // The snapshot brings what was sent while it was asked for.
            if entry.sent.as_ref().is_some_and(|(sent, _)| Arc::ptr_eq(sent, &update)) {
                continue;
            }
            push(&mut rows, number, &update.position, &mut time, self.view.names(&entry.device));
            entry.sent = Some((update, now));
        }
        (!rows.index.is_empty()).then_some(rows)
    }

    /// Whether the client shows the device where it was or where it is.
    fn shows(&self, before: &Update, now: &Update) -> bool {
        match &self.view {
            View::Everything => true,
            View::Some { area, devices } => {
                let inside =
                    |update: &Update| area.is_some_and(|area| contains(area, update.position.lat, update.position.lng));
                devices.contains(&now.device) || inside(before) || inside(now)
            }
        }
    }
}

impl UnsentCatalogue {
    fn is_filled(&self) -> bool {
        self.reset || !self.listed.is_empty() || !self.gone.is_empty()
    }
}

fn push_listing(catalogue: &mut LiveCatalogue, number: u32, device: DeviceId, listing: Listing) {
    catalogue.index.push(number);
    catalogue.device_id.push(device.0.as_bytes().to_vec());
    match listing.imei.as_imei() {
        Some(imei) => catalogue.imei.push(imei.number()),
        None => {
            catalogue.imei.push(u64::MAX);
            catalogue.id.push(listing.imei.to_string());
        }
    }
    catalogue.name.push(listing.name);
    catalogue.vehicle_code.push(listing.vehicle_code);
    catalogue.driver.push(listing.driver);
    catalogue.icon_type.push(listing.icon_type);
    catalogue.inactive.extend(listing.inactive.then_some(number));
    if let Some(ages) = listing.ages {
        catalogue.aged.push(number);
        catalogue.stale_seconds.push(ages.stale_seconds);
        catalogue.offline_seconds.push(ages.offline_seconds);
    }
    for alarm in listing.alarms {
        catalogue.alarmed.push(number);
        catalogue.alarm_kind.push(alarm.kind);
        catalogue.alarm_since.push(alarm.since);
    }
}

fn contains([west, south, east, north]: [f64; 4], lat: f64, lng: f64) -> bool {
    let between = if west <= east { (west..=east).contains(&lng) } else { lng >= west || lng <= east };
    between && (south..=north).contains(&lat)
}
