//! What is made of a fix on its way: resolve, drop repeats, derive. What the receiver wrote is well formed and possible.
//! The state of every device of one partition lives here; nothing here waits for the database.
//!
//! Way in: a message of RAW ([`Intake::process`]), with through which gateways its rows came ([`senders`]). Way out:
//! enriched positions, what happened to vehicles, what fleet learns, and what was refused, all in the fields of [`Intake`],
//! out of which the owner makes a commit batch; the newest of each device for the live map ([`fresh`]).
//!
//! - **Resolving.** The IMEI comes from the bucket `devices`, in memory; a miss asks the bucket directly. What was just
//!   seen is dropped; distance, movement and counters are derived ([`device`]); late fixes are marked, go to history and
//!   never move the live state. What is noticed of a vehicle on the way (`armada_track::EventWatch`) is recorded with the
//!   commit batch, and told on EVENTS; silent vehicles are looked at every five seconds.
//! - **One instant, one fix** (`libs/track/src/unite.rs`). Fixes of a device with one `recorded_at` are united by one pure,
//!   idempotent function. Of the newest instant the owner unites them as they come: the row that it stores says all, and is
//!   live. Of an older one the row is stored as it came, late, and whoever reads, seals or compacts unites it
//!   (`armada_track::merge`).
//! - **Marks.** A fix that cannot be believed (`armada_track::quality`; docs/GATEWAYS.md, Fixes that count for nothing) is
//!   stored as it was reported, with a mark in its bits, and everything derived passes it by. The mark is made when the fix
//!   is taken in and stays, so that reading derives what taking in derived; one of a late fix is made anew from those
//!   before it in time. Where a jump is the newest fix, who shows live positions puts it where the device was last known to
//!   be. What confirms a jump follows from the fixes alone.
//! - **Late fixes** ([`late`], [`derived_days`]) are stored as they came. Once they are stored, and nothing more comes late of the
//!   device for a second, its days since the first of them are derived anew from what is stored, beside the way
//!   ([`crate::history`]); its counters go on from there. Deriving tells no event, and takes none back.
//!
//! *Tests: `libs/track/tests/it/{quality,rederive}.rs`, `tests/it/{quality,same_instant,tracker_ids,left_out}.rs`.*

mod derived_days;
pub mod device;
mod fresh;
mod late;
mod senders;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use armada_proto::{
    Choice, DeviceId,
    v1::{ReceivedFrame, RefusedMessage},
};
use armada_runtime::Result;
use armada_track::{FixMark, FrameBuilder, FrameRows, HotBuilder, Outcome, Reject, Report, TrackerId};
use foldhash::fast::RandomState;
use prost::Message;

use self::{
    device::{TrackedDevice, TrackedDevices},
    senders::{Sender, Senders},
};
use crate::{
    directory::{bindings::Binding, gateways::Gateways, registry::Registry, tenants::TenantSettings},
    entity::device_day,
    feeds::{heard_imeis::HeardImeisInBatch, meters::MetersOf, routes::ChangedRoutes, vehicle_events::EventOf},
    history::days::DayChanges,
    live::last_positions::LastPositions,
    receiver::Traffic,
    rejected::{
        dead_letters::{DeadLetter, FRAME},
        device_rejections::DeviceRejections,
    },
    storage::rejection_counts::Rejections,
    streams::raw_message::RawMessage,
};

/// Counted beside the reasons of refusal: the same fix again, which is dropped.
pub const REPEAT: &str = "repeat";
/// Counted beside the reasons of refusal: another fix with a place of an instant that has one, which is not kept; what else it
/// says is.
pub const CONFLICT: &str = "conflict";

/// Refused messages of a commit batch that are kept to be looked at. Each waits for the disk, and a gateway that sends
/// nothing but nonsense must not hold up what others send; what it sent is counted all the same, and it was told.
const LETTERS_OF_A_BATCH: usize = 100;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// A fix whose device another partition has known: it waits for what that one knew.
struct InheritingRow {
    binding: Binding,
    row: Row,
}

/// A fix as it stands in RAW.
struct Row {
    sender: Sender,
    imei: TrackerId,
    report: Report,
}

/// Takes in the messages of one partition.
pub struct Intake {
    partition: u32,
    partitions: u32,
    registry: Registry,
    gateways: Gateways,
    settings: TenantSettings,
    last: LastPositions,
    traffic: Traffic,
    devices: TrackedDevices,
    fresh: Vec<DeviceId>,
    inheriting: Vec<InheritingRow>,
    /// Enriched positions of the commit batch that is being gathered.
    pub hot: HotBuilder,
    /// What that commit batch refused.
    pub rejections: Rejections,
    /// What of it goes to the dead letters.
    pub dead_letters: Vec<DeadLetter>,
    /// What of it is kept for who sees the devices.
    pub device_rejections: DeviceRejections,
    /// Of which IMEIs that nobody has it heard.
    pub heard_imeis: HeardImeisInBatch,
    /// Which trackers it heard through another gateway than before.
    pub routes: ChangedRoutes,
    /// What was read of meters at the end of a quarter of an hour.
    pub meters: Vec<MetersOf>,
    /// What it noticed of vehicles.
    pub events: Vec<EventOf>,
    /// What it says of days.
    days: DayChanges,
    /// Devices of which something came late.
    late: HashSet<DeviceId, RandomState>,
}

impl Intake {
    /// With the devices as of the last stored frame.
    pub fn new(
        partition: u32,
        partitions: u32,
        (registry, gateways, settings): (Registry, Gateways, TenantSettings),
        (last, traffic): (LastPositions, Traffic),
        devices: TrackedDevices,
    ) -> Self {
        Self {
            partition,
            partitions,
            registry,
            gateways,
            settings,
            last,
            traffic,
            devices,
            fresh: Vec::new(),
            inheriting: Vec::new(),
            hot: HotBuilder::default(),
            rejections: Rejections::new(),
            dead_letters: Vec::new(),
            device_rejections: DeviceRejections::default(),
            heard_imeis: HeardImeisInBatch::default(),
            routes: ChangedRoutes::default(),
            meters: Vec::new(),
            events: Vec::new(),
            days: DayChanges::default(),
            late: HashSet::default(),
        }
    }

    /// Takes in one message. Nothing in it can make this fail: what is wrong with it is counted and goes to the dead
    /// letters. It fails only when the bucket of bindings cannot be asked; taking it in again is harmless then. Fixes of
    /// devices that come from another partition wait afterwards, see [`Self::inheriting`].
    pub async fn process(&mut self, message: &mut RawMessage) -> Result<()> {
        self.inheriting.clear();
        let read = message.take_frame().and_then(read);
        let message = &*message;
        let Some((received, mut rows)) = read else {
            self.refuse_whole(message);
            return Ok(());
        };
        let mut refused = Refused::new();
        let mut unresolved = Vec::new();
        let mut senders = Senders::new(received.senders);
        let (registry, gateways) = (self.registry.clone(), self.gateways.clone());
        registry.with(|binding_of| {
            loop {
                let mut report = Report::new(0, 0, 0);
                let Some(row) = rows.read_into(&mut report) else { break };
                let sender = senders.next(&gateways);
                // The receiver leaves out what cannot be read.
                let Ok(imei) = row else { continue };
                match binding_of(imei).filter(|binding| !binding.is_closed_to(sender.tenant)) {
                    Some(binding) => self.process_row(binding, imei, report, &sender, message.stream_ts, &mut refused),
                    None => unresolved.push(Row { sender, imei, report }),
                }
            }
        });
        // What was not known may have been made a moment ago. All rows of an IMEI come here together, in their order.
        if !unresolved.is_empty() {
            let imeis: BTreeSet<_> = unresolved.iter().map(|row| row.imei).collect();
            let imeis = imeis.into_iter().filter(|imei| self.registry.get(*imei).is_none());
            self.registry.look_up(imeis).await?;
            self.process_unresolved(message, unresolved, &mut refused);
        }
        self.keep_refused(message, refused);
        for (number, refused) in received.refused.into_iter().enumerate() {
            self.note_refused(message, &number.to_string(), &refused);
            let counts: Vec<_> =
                refused.reasons().filter_map(|(reason, count)| Some((reason.parse::<Reject>().ok()?, count))).collect();
            for (reason, count) in counts {
                self.count(message.stream_ts, reason.as_str(), i64::from(count));
            }
            if let Some(letter) = DeadLetter::of_refused(message, number, refused) {
                // Of a device that nobody has, what is not held is nowhere.
                let is_kept = letter.reason() != Reject::UnknownDevice;
                if is_kept && self.dead_letters.len() < LETTERS_OF_A_BATCH {
                    self.dead_letters.push(letter);
                }
            }
        }
        Ok(())
    }

    /// Rows of devices that were not known: those that nobody has are held.
    fn process_unresolved(&mut self, message: &RawMessage, rows: Vec<Row>, refused: &mut Refused) {
        let mut held = BTreeMap::<(TrackerId, Arc<str>), FrameBuilder>::new();
        for Row { sender, imei, report } in rows {
            match self.registry.get(imei).filter(|binding| !binding.is_closed_to(sender.tenant)) {
                Some(binding) => self.process_row(binding, imei, report, &sender, message.stream_ts, refused),
                None => held.entry((imei, sender.gateway)).or_default().push(imei, &report),
            }
        }
        for ((imei, gateway), mut rows) in held {
            let count = rows.len() as u32;
            self.heard_imeis.record(imei, &gateway, message.stream_ts, count);
            self.count(message.stream_ts, Reject::UnknownDevice.as_str(), i64::from(count));
            let body = rows.take().encode_to_vec().into();
            self.dead_letters.push(DeadLetter::held(message, &gateway, imei, self.partitions, count, body));
        }
    }

    fn process_row(
        &mut self,
        binding: Binding,
        imei: TrackerId,
        report: Report,
        sender: &Sender,
        stream_ts: i64,
        refused: &mut Refused,
    ) {
        let gateway = &sender.gateway;
        // The receiver tells nobody whose the device is.
        if binding.is_foreign_to(sender.tenant) {
            // Nor does what was heard through its gateways.
            self.heard_imeis.record(imei, gateway, stream_ts, 1);
            return refuse_row(refused, Reject::ForeignDevice, gateway, imei, &report);
        }
        if report.recorded_at < binding.bound_from {
            return refuse_row(refused, Reject::BeforeBinding, gateway, imei, &report);
        }
        if self.settings.is_too_old(binding.tenant, report.recorded_at, stream_ts) {
            return refuse_row(refused, Reject::ExpiredFix, gateway, imei, &report);
        }
        // Only an invalid fix can be refused from here on; no other is worth a copy.
        let copy = (!report.valid).then(|| report.clone());
        if let Err(reject) = self.advance(binding, imei, report, sender, stream_ts)
            && let Some(report) = copy
        {
            refuse_row(refused, reject, gateway, imei, &report);
        }
    }

    fn advance(
        &mut self,
        binding: Binding,
        imei: TrackerId,
        report: Report,
        sender: &Sender,
        stream_ts: i64,
    ) -> Result<(), Reject> {
        let tenant = binding.tenant;
        let unknown = || TrackedDevice::new(tenant);
        let tracked = self.devices.entry(binding.device).or_insert_with(|| Box::new(unknown()));
        if tracked.change != Some(binding.change) {
            let former = binding.former.map(|former| former.partition(self.partitions));
            let stayed = tracked.change.is_some() && former == Some(self.partition);
            let elsewhere = || self.last.partition_of(binding.tenant, binding.device);
            if !stayed && (binding.change != 0 || elsewhere().is_some_and(|partition| partition != self.partition)) {
                let row = Row { sender: sender.clone(), imei, report };
                self.inheriting.push(InheritingRow { binding, row });
                return Ok(());
            }
            tracked.change = Some(binding.change);
            // Another device may have had the IMEI meanwhile, and been heard through another gateway.
            tracked.route = None;
        }
        if tracked.tenant != binding.tenant {
            // The device came to another tenant: nothing of its past goes with it.
            **tracked = TrackedDevice { change: tracked.change, ..unknown() };
        }
        if report.recorded_at >= tracked.part_ends {
            self.meters.extend(tracked.next_part(binding.device, report.recorded_at));
        }
        let newest_at = tracked.state.newest().map(|(recorded_at, _)| recorded_at);
        if tracked.follow_replacements(&binding.thresholds.replaced) {
            self.late.insert(binding.device);
        }
        let own_meters = tracked.state.own_meters();
        // Of nearly all fixes nothing has to be looked up for this.
        let may_be_known = report.valid && newest_at.is_some_and(|newest_at| report.recorded_at <= newest_at);
        let is_elsewhere = may_be_known && tracked.is_elsewhere_at_its_instant(&report);
        let may_be_elsewhere = may_be_known && tracked.state.remembers(report.recorded_at);
        // Kept for what raises its alarm although nothing of it is stored.
        let calls = report.alarm.is_some().then(|| report.clone());
        let settings = &self.settings;
        // How the fix before left the vehicle, if a day may begin with this one.
        let day_ends = tracked.day.ends_by(report.recorded_at, settings).then(|| tracked.left());
        let mut mark = FixMark::Unspecified;
        match tracked.state.receive(report, stream_ts, tracked.newest.as_ref(), &binding.thresholds.motion()) {
            Outcome::Live(position) => {
                mark = position.shown_mark();
                if let Some(left) = day_ends {
                    let ended = tracked.begin_day(&left, &position, settings);
                    self.meters.extend(ended.iter().filter_map(|end| MetersOf::of_day(tenant, binding.device, end)));
                    let rows = ended.iter().map(|end| device_day::Model::of(tenant, binding.device, end));
                    self.days.ended.extend(rows);
                }
                self.events.extend(tracked.observe_meters(&binding, &position.report, own_meters));
                let replaced = &binding.thresholds.replaced;
                if newest_at.and_then(|before| replaced.between(before, position.recorded_at())).is_some() {
                    // So that whoever shows its meters learns what they showed when it was replaced.
                    tracked.note_late(position.recorded_at());
                    self.late.insert(binding.device);
                }
                if let Some(late) = &mut tracked.late {
                    late.keep(&position);
                }
                self.hot.push(binding.tenant, binding.device, &position);
                self.events.extend(tracked.observe(&binding, &position, stream_ts));
                // Who has just put a tracker in does not wait a minute.
                let is_first = tracked.move_to(position, &binding.thresholds.segments());
                if is_first {
                    self.meters.extend(tracked.meters_of(binding.device));
                }
                tracked.dirty = true;
                if tracked.route.as_ref().is_none_or(|(heard, through)| *heard != imei || *through != sender.gateway) {
                    tracked.route = Some((imei, sender.gateway.clone()));
                    self.routes.record(imei, sender.gateway.clone(), stream_ts);
                }
                if !std::mem::replace(&mut tracked.fresh, true) {
                    self.fresh.push(binding.device);
                }
            }
            Outcome::Late(position) => {
                mark = position.shown_mark();
                self.hot.push(binding.tenant, binding.device, &position);
                self.events.extend(tracked.observe_late(&binding, &position, stream_ts));
                tracked.note_late(position.recorded_at());
                self.late.insert(binding.device);
                tracked.dirty = true;
            }
            outcome @ (Outcome::Repeat | Outcome::Refused(_)) => {
                tracked.hear(stream_ts);
                if let Some(report) = &calls {
                    let is_unplaced = matches!(outcome, Outcome::Refused(_));
                    self.events.extend(tracked.observe_alarm(&binding, report, stream_ts, is_unplaced));
                }
                match outcome {
                    Outcome::Refused(reject) if calls.is_none() => return Err(reject),
                    Outcome::Repeat if !is_elsewhere => {
                        self.count(stream_ts, REPEAT, 1);
                        return Ok(());
                    }
                    _ => {}
                }
            }
        }
        if is_elsewhere || may_be_elsewhere {
            self.count(stream_ts, CONFLICT, 1);
            self.traffic.odd(&sender.gateway, CONFLICT);
        }
        if mark != FixMark::Unspecified {
            self.count(stream_ts, mark.name(), 1);
        }
        if mark == FixMark::ClockCorrected {
            self.traffic.odd(&sender.gateway, mark.name());
        }
        Ok(())
    }

    /// The bindings of the fixes that wait for what another partition knows, one of each device.
    pub fn inheriting(&self) -> Vec<Binding> {
        let devices: BTreeMap<DeviceId, Binding> =
            self.inheriting.iter().map(|waiting| (waiting.binding.device, waiting.binding.clone())).collect();
        devices.into_values().collect()
    }

    /// Takes in what waited of `message`, now that it is known what other partitions knew of its devices. A device that
    /// is not among `states` was not known anywhere.
    pub fn process_inherited(&mut self, message: &RawMessage, mut states: HashMap<DeviceId, TrackedDevice>) {
        for binding in self.inheriting() {
            let unknown = || TrackedDevice::new(binding.tenant);
            let tracked = states.remove(&binding.device).unwrap_or_else(unknown);
            // Saved with the next checkpoint, so that the next owner finds it here.
            let tracked = TrackedDevice { dirty: true, change: Some(binding.change), ..tracked };
            self.devices.insert(binding.device, Box::new(tracked));
        }
        let mut refused = Refused::new();
        for InheritingRow { binding, row: Row { sender, imei, report } } in std::mem::take(&mut self.inheriting) {
            self.process_row(binding, imei, report, &sender, message.stream_ts, &mut refused);
        }
        self.keep_refused(message, refused);
    }

    fn keep_refused(&mut self, message: &RawMessage, refused: Refused) {
        for ((reject, gateway), mut rows) in refused {
            let count = rows.len() as u32;
            self.count(message.stream_ts, reject.as_str(), i64::from(count));
            let body = rows.take().encode_to_vec();
            let refused = RefusedMessage {
                gateway: gateway.to_string(),
                device: FRAME.to_owned(),
                reason: reject.to_string(),
                count,
                size: body.len() as u32,
                body,
                others: Vec::new(),
            };
            self.note_refused(message, &format!("{gateway}-{reject}"), &refused);
            self.dead_letters.push(DeadLetter::of_rows(message, &gateway, reject, count, refused.body.into()));
        }
    }

    fn note_refused(&mut self, message: &RawMessage, number: &str, refused: &RefusedMessage) {
        let own = self.gateways.tenant_of(&refused.gateway);
        let registry = self.registry.clone();
        self.device_rejections.record(message, number, refused, own, |imei| registry.get(imei));
    }

    /// Something that no receiver wrote.
    fn refuse_whole(&mut self, message: &RawMessage) {
        tracing::error!(partition = self.partition, seq = message.stream_seq, "RAW holds what no receiver wrote");
        self.count(message.stream_ts, Reject::Malformed.as_str(), 1);
        let body = message.payload.clone();
        self.dead_letters.push(DeadLetter::of_rows(message, "", Reject::Malformed, 1, body));
    }

    fn count(&mut self, stream_ts: i64, reason: &'static str, count: i64) {
        *self.rejections.entry((stream_ts.div_euclid(DAY_MS) as i32, reason)).or_default() += count;
    }
}

/// What the receiver wrote, and its rows; none of anything else.
fn read(mut received: ReceivedFrame) -> Option<(ReceivedFrame, FrameRows)> {
    let rows = FrameRows::new(received.fixes.take().unwrap_or_default()).ok()?;
    Some((received, rows))
}

/// Rows that are refused, by reason and gateway.
type Refused = BTreeMap<(Reject, Arc<str>), FrameBuilder>;

fn refuse_row(refused: &mut Refused, reject: Reject, gateway: &Arc<str>, imei: TrackerId, report: &Report) {
    refused.entry((reject, gateway.clone())).or_default().push(imei, report);
}
