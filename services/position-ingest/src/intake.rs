//! From messages of RAW to enriched positions: decode, resolve, validate, drop repeats, derive. The state of every
//! device of one partition lives here; nothing here waits for the database.

use std::collections::{BTreeMap, HashMap};

use armada_proto::{
    DeviceId, TenantId,
    v1::{LastPosition, LiveFrame},
};
use armada_runtime::Result;
use armada_track::{
    DeviceState, FrameBuilder, HotBuilder, Imei, MAX_MESSAGE_BYTES, Outcome, Position, Reject, Report, Thresholds,
    decode_message, read_frame, validate,
};
use foldhash::fast::RandomState;
use prost::Message;

use crate::{
    bindings::Binding, dead_letters::DeadLetter, heard::HeardInRound, incoming::Incoming,
    last_positions::LastPositions, registry::Registry, streams::RawSubject,
};

/// Counted beside the reasons of refusal: the same fix again, which is dropped.
pub const REPEAT: &str = "repeat";
/// Counted beside the reasons of refusal: another fix of an instant that was stored first.
pub const CONFLICT: &str = "conflict";

const DAY_MS: i64 = 24 * 3600 * 1000;

/// A device as its partition knows it.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its tenant when it was last heard.
    pub tenant: TenantId,
    /// What its next fix is judged by.
    pub state: DeviceState,
    /// Its newest position.
    pub newest: Option<Position>,
    /// Changed since the last checkpoint.
    pub dirty: bool,
    /// Moved forward since live positions were last taken.
    fresh: bool,
    /// The change of IMEIs with which it came, if it is known that no other partition knows more; see [`Binding::change`].
    change: Option<u64>,
}

impl Known {
    /// As of a checkpoint.
    pub fn restored(tenant: TenantId, state: DeviceState, newest: Option<Position>) -> Self {
        Self { tenant, state, newest, dirty: false, fresh: false, change: None }
    }
}

/// A fix whose device another partition has known: it waits for what that one knew.
struct HeldRow {
    binding: Binding,
    imei: Imei,
    report: Report,
}

/// Positions and counts by day and reason.
pub type Rejections = BTreeMap<(i32, &'static str), i64>;

/// Takes in the messages of one partition.
pub struct Intake {
    partition: u32,
    partitions: u32,
    registry: Registry,
    last: LastPositions,
    thresholds: Thresholds,
    devices: HashMap<DeviceId, Known, RandomState>,
    fresh: Vec<DeviceId>,
    held: Vec<HeldRow>,
    /// Enriched positions of the round that is being gathered.
    pub hot: HotBuilder,
    /// What that round refused.
    pub rejections: Rejections,
    /// What of it goes to the dead letters.
    pub dead_letters: Vec<DeadLetter>,
    /// Of which IMEIs that nobody has it heard.
    pub heard: HeardInRound,
}

impl Intake {
    /// With the devices as of the last stored frame.
    pub fn new(
        partition: u32,
        partitions: u32,
        registry: Registry,
        last: LastPositions,
        devices: HashMap<DeviceId, Known, RandomState>,
    ) -> Self {
        Self {
            partition,
            partitions,
            registry,
            last,
            thresholds: Thresholds::default(),
            devices,
            fresh: Vec::new(),
            held: Vec::new(),
            hot: HotBuilder::default(),
            rejections: Rejections::new(),
            dead_letters: Vec::new(),
            heard: HeardInRound::default(),
        }
    }

    /// Takes in one message. Nothing in it can make this fail: what is wrong with it is counted and goes to the dead
    /// letters. It fails only when the bucket of bindings cannot be asked, and has then changed nothing. Fixes of devices
    /// that come from another partition are held afterwards, see [`Self::held`].
    pub async fn process(&mut self, message: &Incoming) -> Result<()> {
        self.held.clear();
        let source = RawSubject::of(&message.subject)?;
        if message.payload.len() > MAX_MESSAGE_BYTES {
            self.refuse_whole(message, &source, Reject::TooLarge);
            return Ok(());
        }
        match source {
            RawSubject::Device { imei, .. } => self.process_device_message(message, &source, imei).await,
            RawSubject::Frame { .. } => self.process_frame(message, &source).await,
        }
    }

    async fn process_device_message(&mut self, message: &Incoming, source: &RawSubject<'_>, imei: &str) -> Result<()> {
        let Ok(imei) = imei.parse::<Imei>() else {
            self.refuse_whole(message, source, Reject::InvalidImei);
            return Ok(());
        };
        let reports = match decode_message(&message.payload) {
            Ok(reports) => reports,
            Err(reject) => {
                self.refuse_whole(message, source, reject);
                return Ok(());
            }
        };
        if self.registry.get(imei).is_none() {
            self.registry.ask([imei]).await?;
        }
        let binding = self.registry.get(imei);
        let mut refused = BTreeMap::<Reject, u32>::new();
        for report in reports {
            let taken = report.and_then(|report| self.process_report(binding, imei, report, message.stream_ts));
            if let Err(reject) = taken {
                *refused.entry(reject).or_default() += 1;
            }
        }
        for (reject, count) in refused {
            if reject == Reject::UnknownDevice {
                self.heard.note(imei, source.gateway(), message.stream_ts, count);
            }
            self.refuse(message, reject, count);
            self.dead_letters.push(DeadLetter::new(
                message,
                source,
                self.partition,
                reject,
                count,
                message.payload.clone(),
            ));
        }
        Ok(())
    }

    async fn process_frame(&mut self, message: &Incoming, source: &RawSubject<'_>) -> Result<()> {
        let rows = match read_frame(&message.payload) {
            Ok(rows) => rows,
            Err(reject) => {
                self.refuse_whole(message, source, reject);
                return Ok(());
            }
        };
        let mut refused = BTreeMap::<Reject, Refused>::new();
        let mut unresolved = Vec::new();
        let registry = self.registry.clone();
        registry.with(|binding_of| {
            for row in rows {
                let (imei, report) = match row {
                    Ok(row) => row,
                    // A device that is not named by an IMEI leaves nothing to play back, only to count.
                    Err((_, reject)) => {
                        refused.entry(reject).or_default().count += 1;
                        continue;
                    }
                };
                match binding_of(imei) {
                    Some(binding) => self.process_row(binding, imei, report, message.stream_ts, &mut refused),
                    None => unresolved.push((imei, report)),
                }
            }
        });
        // What was not known may have been made a moment ago. All rows of an IMEI come here together, in their order.
        if !unresolved.is_empty() {
            let imeis: std::collections::BTreeSet<_> = unresolved.iter().map(|(imei, _)| *imei).collect();
            self.registry.ask(imeis).await?;
            for (imei, report) in unresolved {
                match self.registry.get(imei) {
                    Some(binding) => self.process_row(binding, imei, report, message.stream_ts, &mut refused),
                    None => {
                        self.heard.note(imei, source.gateway(), message.stream_ts, 1);
                        refused.entry(Reject::UnknownDevice).or_default().row(imei, &report);
                    }
                }
            }
        }
        for (reject, mut rows) in refused {
            self.refuse(message, reject, rows.count);
            let body = rows.frame.take().encode_to_vec().into();
            self.dead_letters.push(DeadLetter::new(message, source, self.partition, reject, rows.count, body));
        }
        Ok(())
    }

    fn process_row(
        &mut self,
        binding: Binding,
        imei: Imei,
        report: Report,
        stream_ts: i64,
        refused: &mut BTreeMap<Reject, Refused>,
    ) {
        // Past the checks below only an invalid fix can be refused; no other is worth a copy.
        let copy = (!report.valid).then(|| report.clone());
        if imei.partition(self.partitions) != self.partition {
            refused.entry(Reject::WrongPartition).or_default().row(imei, &report);
        } else if let Err(reject) = validate(&report, stream_ts) {
            refused.entry(reject).or_default().row(imei, &report);
        } else if report.recorded_at < binding.bound_from {
            refused.entry(Reject::BeforeBinding).or_default().row(imei, &report);
        } else if let Err(reject) = self.advance(binding, imei, report, stream_ts) {
            let refused = refused.entry(reject).or_default();
            match copy {
                Some(report) => refused.row(imei, &report),
                None => refused.count += 1,
            }
        }
    }

    fn process_report(
        &mut self,
        binding: Option<Binding>,
        imei: Imei,
        report: Report,
        stream_ts: i64,
    ) -> Result<(), Reject> {
        validate(&report, stream_ts)?;
        let binding = binding.ok_or(Reject::UnknownDevice)?;
        if report.recorded_at < binding.bound_from {
            return Err(Reject::BeforeBinding);
        }
        self.advance(binding, imei, report, stream_ts)
    }

    fn advance(&mut self, binding: Binding, imei: Imei, report: Report, stream_ts: i64) -> Result<(), Reject> {
        let unknown = || Known::restored(binding.tenant, DeviceState::default(), None);
        let known = self.devices.entry(binding.device).or_insert_with(unknown);
        if known.change != Some(binding.change) {
            let former = binding.former.map(|former| former.partition(self.partitions));
            let stayed = known.change.is_some() && former == Some(self.partition);
            let elsewhere = || self.last.partition_of(binding.tenant, binding.device);
            if !stayed && (binding.change != 0 || elsewhere().is_some_and(|partition| partition != self.partition)) {
                self.held.push(HeldRow { binding, imei, report });
                return Ok(());
            }
            known.change = Some(binding.change);
        }
        if known.tenant != binding.tenant {
            // The device came to another tenant: nothing of its past goes with it.
            *known = Known { change: known.change, ..unknown() };
        }
        match known.state.advance(report, &self.thresholds) {
            Outcome::Live(position) => {
                self.hot.push(binding.tenant, binding.device, &position);
                known.newest = Some(position);
                known.dirty = true;
                if !std::mem::replace(&mut known.fresh, true) {
                    self.fresh.push(binding.device);
                }
            }
            Outcome::Late(position) => {
                self.hot.push(binding.tenant, binding.device, &position);
                known.dirty = true;
            }
            Outcome::Repeat => self.count(stream_ts, REPEAT, 1),
            Outcome::Conflict => self.count(stream_ts, CONFLICT, 1),
            Outcome::Refused(reject) => return Err(reject),
        }
        Ok(())
    }

    /// The bindings of the fixes that are held, one of each device.
    pub fn held(&self) -> Vec<Binding> {
        let devices: BTreeMap<DeviceId, Binding> =
            self.held.iter().map(|row| (row.binding.device, row.binding)).collect();
        devices.into_values().collect()
    }

    /// Takes in what was held of `message`, now that it is known what other partitions knew of its devices. A device
    /// that is not among `states` was not known anywhere.
    pub fn process_held(&mut self, message: &Incoming, mut states: HashMap<DeviceId, Known>) -> Result<()> {
        let source = RawSubject::of(&message.subject)?;
        for binding in self.held() {
            let unknown = || Known::restored(binding.tenant, DeviceState::default(), None);
            let known = states.remove(&binding.device).unwrap_or_else(unknown);
            // Saved with the next checkpoint, so that the next owner finds it here.
            let known = Known { dirty: true, change: Some(binding.change), ..known };
            self.devices.insert(binding.device, known);
        }
        let mut refused = BTreeMap::<Reject, Refused>::new();
        for HeldRow { binding, imei, report } in std::mem::take(&mut self.held) {
            self.process_row(binding, imei, report, message.stream_ts, &mut refused);
        }
        for (reject, mut rows) in refused {
            self.refuse(message, reject, rows.count);
            let body = match source {
                RawSubject::Device { .. } => message.payload.clone(),
                RawSubject::Frame { .. } => rows.frame.take().encode_to_vec().into(),
            };
            self.dead_letters.push(DeadLetter::new(message, &source, self.partition, reject, rows.count, body));
        }
        Ok(())
    }

    fn refuse_whole(&mut self, message: &Incoming, source: &RawSubject<'_>, reject: Reject) {
        self.refuse(message, reject, 1);
        self.dead_letters.push(DeadLetter::new(message, source, self.partition, reject, 1, message.payload.clone()));
    }

    fn refuse(&mut self, message: &Incoming, reject: Reject, count: u32) {
        self.count(message.stream_ts, reject.as_str(), i64::from(count));
    }

    fn count(&mut self, stream_ts: i64, reason: &'static str, count: i64) {
        *self.rejections.entry((stream_ts.div_euclid(DAY_MS) as i32, reason)).or_default() += count;
    }

    /// The newest position of every device that moved forward since this was last called, by tenant.
    pub fn take_live(&mut self) -> HashMap<TenantId, LiveFrame> {
        let mut frames = HashMap::<TenantId, LiveFrame>::new();
        for device in std::mem::take(&mut self.fresh) {
            let Some(known) = self.devices.get_mut(&device) else { continue };
            known.fresh = false;
            if let Some(position) = &known.newest {
                let live: LastPosition = position.to_last_position(device);
                frames.entry(known.tenant).or_default().positions.push(live);
            }
        }
        frames
    }

    /// The devices that changed since this was last called.
    pub fn take_dirty(&mut self) -> Vec<(DeviceId, Known)> {
        let dirty = self.devices.iter_mut().filter(|(_, known)| known.dirty);
        dirty
            .map(|(device, known)| {
                known.dirty = false;
                (*device, known.clone())
            })
            .collect()
    }

    /// Whether any device changed since the last checkpoint.
    pub fn is_dirty(&self) -> bool {
        self.devices.values().any(|known| known.dirty)
    }
}

/// Rows of a frame that are refused for the same reason.
#[derive(Default)]
struct Refused {
    count: u32,
    frame: FrameBuilder,
}

impl Refused {
    fn row(&mut self, imei: Imei, report: &Report) {
        self.count += 1;
        self.frame.push(imei, report);
    }
}
