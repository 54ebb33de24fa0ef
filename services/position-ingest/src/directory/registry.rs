//! IMEI → device and tenant, kept in memory from the bucket that fleet fills. What is not known is asked for directly
//! before it is called unknown: a device may have been made a moment ago.

use std::{
    collections::HashSet,
    sync::{
        Arc, RwLock, RwLockReadGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use armada_proto::{
    DeviceId, binding, coded,
    v1::{DeviceBinding, IgnitionWire, LastPosition, VehicleState},
};
use armada_runtime::{
    Context, Result,
    bus::{All, Bucket, BucketUpdate},
};
use armada_track::{
    DeviceThresholds, EventLimits, FuelSensor, MeterRules, OwnEngine, PartitionHash, Position, Replacements, TrackerId,
};
use futures::{StreamExt, stream};
use tokio::sync::{broadcast, watch};

use super::bindings::{Binding, Bindings};

/// The service that owns the bucket.
const FLEET: &str = "fleet";
/// For how long an IMEI that nobody has is not asked for again. The bucket tells at once when somebody gets it.
const UNKNOWN_CACHED_FOR: Duration = Duration::from_secs(10);
/// For how long it is known that the bucket has changed: no question takes as long.
const CHANGED_FOR: Duration = Duration::from_secs(300);
/// Unknown IMEIs remembered, so that somebody who makes them up costs bounded memory.
const UNKNOWN_MAX: u64 = 100_000;
/// IMEIs that somebody got and that were not looked after yet; who is further behind looks after all.
const NEW_BINDINGS_WAITING: usize = 4096;
/// Devices whose meters are read in another way and that were not shown again yet; who is further behind leaves some to
/// their next fix.
const METERS_WAITING: usize = 4096;
/// Questions to the bucket at a time.
const ASK_AT_ONCE: usize = 32;

/// The bindings of all tenants. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    bucket: Bucket,
    /// Held before that of [`crate::live::last_positions::LastPositions`], never after it: a lock lets no reader in while a writer
    /// waits, so readers in two orders and a writer of each would wait for each other for ever.
    bindings: Arc<RwLock<Bindings>>,
    unknown: moka::sync::Cache<TrackerId, ()>,
    /// Of IMEIs that have changed, with which change that was.
    changed: moka::sync::Cache<TrackerId, u64>,
    changes: Arc<AtomicU64>,
    loaded: watch::Sender<bool>,
    new_bindings: broadcast::Sender<NewBinding>,
    meters_changed: broadcast::Sender<DeviceId>,
}

/// What an entry of the bucket says.
type Entry = (Binding, MeterRules);

/// How the meters of devices, and their fuel, are read, and what their vehicles do. Holds the lock.
pub struct Meters<'a>(RwLockReadGuard<'a, Bindings>);

impl Meters<'_> {
    /// Brings what a position shows of its device's meters and fuel to what is chosen, corrected and calibrated.
    pub fn show(&self, device: DeviceId, position: &Position, own: Option<OwnEngine>, shown: &mut LastPosition) {
        if !self.0.all_usual() {
            self.0.meters(device).show(position, own, shown);
        }
        if let Some(fuel) = self.0.fuel(device) {
            fuel.show_last(&position.report, shown);
        }
    }

    /// As [`Bindings::has_device`] says it.
    pub fn has_device(&self, device: DeviceId) -> bool {
        self.0.has_device(device)
    }

    /// As [`Bindings::state`] says it.
    pub fn state(&self, device: DeviceId, newest: &Position, now: i64, alarm_stands: bool) -> VehicleState {
        self.0.state(device, newest, now, alarm_stands)
    }
}

/// How the fixes of a device are read.
pub struct Reading {
    /// By which thresholds.
    pub thresholds: DeviceThresholds,
    /// How its fuel is read; none where that is as its tracker says it.
    pub fuel: Option<Arc<FuelSensor>>,
}

impl Reading {
    /// As they stand in a binding.
    pub fn of_binding(binding: &DeviceBinding) -> Self {
        let replaced = Replacements::of_binding(&binding.replaced_trackers);
        let thresholds = DeviceThresholds { replaced, ..DeviceThresholds::of_binding(binding.thresholds) };
        Self { thresholds, fuel: FuelSensor::of_binding(binding.fuel.clone()).map(Arc::new) }
    }
}

/// What subscribers receive when somebody gets an IMEI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewBinding {
    /// This one.
    Tracker(TrackerId),
    /// Any number of them.
    Any,
}

impl Registry {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self {
            bucket: context.bucket(binding::BUCKET, FLEET).await?,
            bindings: Arc::default(),
            unknown: moka::sync::Cache::builder().max_capacity(UNKNOWN_MAX).time_to_live(UNKNOWN_CACHED_FOR).build(),
            changed: moka::sync::Cache::builder().max_capacity(UNKNOWN_MAX).time_to_live(CHANGED_FOR).build(),
            changes: Arc::default(),
            loaded: watch::Sender::new(false),
            new_bindings: broadcast::Sender::new(NEW_BINDINGS_WAITING),
            meters_changed: broadcast::Sender::new(METERS_WAITING),
        })
    }

    /// Waits until the whole bucket has been read once.
    pub async fn loaded(&self) {
        let mut loaded = self.loaded.subscribe();
        let _ = loaded.wait_for(|loaded| *loaded).await;
    }

    /// The binding of an IMEI, if known.
    pub fn get(&self, imei: TrackerId) -> Option<Binding> {
        self.bindings.read().expect("no panic while held").get(imei)
    }

    /// All bindings, for many questions. Holds the lock.
    pub fn bindings(&self) -> RwLockReadGuard<'_, Bindings> {
        self.bindings.read().expect("no panic while held")
    }

    /// Calls `read` with a look-up that holds the lock once for many questions.
    pub fn with<T>(&self, read: impl FnOnce(&dyn Fn(TrackerId) -> Option<Binding>) -> T) -> T {
        let bindings = self.bindings.read().expect("no panic while held");
        read(&|imei| bindings.get(imei))
    }

    /// The IMEIs of a device, the present one first; of one that is gone, or never was, the last one or none.
    pub fn imeis_of(&self, device: DeviceId) -> Vec<TrackerId> {
        self.bindings.read().expect("no panic while held").imeis_of(device)
    }

    /// By which the fixes of a device are read; the usual ones when it is not known.
    pub fn thresholds(&self, device: DeviceId) -> DeviceThresholds {
        self.bindings.read().expect("no panic while held").thresholds(device)
    }

    /// How the fixes of a device are read; none of a device to which no IMEI leads.
    pub fn reading(&self, device: DeviceId) -> Option<Reading> {
        let bindings = self.bindings.read().expect("no panic while held");
        let Binding { thresholds, fuel, .. } = bindings.of_device(device)?;
        Some(Reading { thresholds: *thresholds, fuel: fuel.clone() })
    }

    /// Asks the bucket for those of `imeis` that are not known to be unknown. Afterwards [`Self::get`] is as good as
    /// the bucket for them.
    pub async fn look_up(&self, imeis: impl IntoIterator<Item = TrackerId>) -> Result<()> {
        let asked_at = self.changes.load(Ordering::SeqCst);
        let unresolved = imeis.into_iter().filter(|imei| !self.unknown.contains_key(imei));
        let mut answers = stream::iter(unresolved)
            .map(async |imei| (imei, self.bucket.get(&binding::key(&imei.to_string())).await))
            .buffer_unordered(ASK_AT_ONCE);
        while let Some((imei, answer)) = answers.next().await {
            match answer?.and_then(|value| read("", &value)) {
                Some(entry) => self.put(imei, entry, asked_at),
                None => self.unknown.insert(imei, ()),
            }
        }
        Ok(())
    }

    /// Notes that the bucket says something new of an IMEI: what was asked for before is old.
    fn note_change(&self, imei: TrackerId) {
        self.changed.insert(imei, self.changes.fetch_add(1, Ordering::SeqCst) + 1);
    }

    /// What the bucket said when so many changes were known of it; nothing, if it has changed since.
    fn put(&self, imei: TrackerId, (binding, rules): Entry, asked_at: u64) {
        let mut bindings = self.bindings.write().expect("no panic while held");
        if self.changed.get(&imei).is_some_and(|changed| changed > asked_at) {
            return;
        }
        let before = bindings.get(imei);
        let is_new = before.as_ref().is_none_or(|before| before.own_gateways && !binding.own_gateways);
        let device = binding.device;
        let measures_otherwise = before.is_some_and(|before| before.fuel != binding.fuel);
        bindings.insert(imei, binding);
        let reads_otherwise = bindings.set_meters(device, rules) || measures_otherwise;
        drop(bindings);
        self.unknown.invalidate(&imei);
        if reads_otherwise {
            // Nobody listens where nothing is owned.
            let _ = self.meters_changed.send(device);
        }
        if is_new {
            self.notify_if_bound(imei);
        }
    }

    /// How the meters of devices are read, for many questions.
    pub fn meters(&self) -> Meters<'_> {
        Meters(self.bindings.read().expect("no panic while held"))
    }

    /// Receives whenever the meters of a device, or its fuel, are read in another way than before.
    pub fn meters_changed(&self) -> broadcast::Receiver<DeviceId> {
        self.meters_changed.subscribe()
    }

    /// Receives whenever somebody gets an IMEI.
    pub fn new_bindings(&self) -> broadcast::Receiver<NewBinding> {
        self.new_bindings.subscribe()
    }

    /// Notifies subscribers that somebody has this IMEI, if it is so.
    pub fn notify_if_bound(&self, imei: TrackerId) {
        if self.get(imei).is_some() {
            // Nobody listens where nothing is received.
            let _ = self.new_bindings.send(NewBinding::Tracker(imei));
        }
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        let mut follower = self.bucket.follow(read);
        loop {
            match follower.next().await {
                BucketUpdate::All(all) => {
                    self.replace(&all);
                    self.loaded.send_replace(true);
                }
                BucketUpdate::Changed(key, entry) => match (imei_of(&key), entry) {
                    (Some(imei), Some(entry)) => {
                        self.note_change(imei);
                        self.put(imei, entry, u64::MAX);
                    }
                    (Some(imei), None) => {
                        self.note_change(imei);
                        self.bindings.write().expect("no panic while held").remove(imei);
                    }
                    (None, _) => {}
                },
                BucketUpdate::Refused(_) => {}
            }
        }
    }

    /// What the bucket does not hold any more is unbound; of what nothing can be believed now stays what was known.
    fn replace(&self, all: &All<Entry>) {
        let mut bindings = self.bindings.write().expect("no panic while held");
        let stays: HashSet<TrackerId> = all.entries.keys().chain(&all.refused).filter_map(|key| imei_of(key)).collect();
        let gone: Vec<TrackerId> = bindings.imeis().filter(|imei| !stays.contains(imei)).collect();
        for (key, (binding, rules)) in &all.entries {
            if let Some(imei) = imei_of(key) {
                let measures_otherwise = bindings.get(imei).is_some_and(|before| before.fuel != binding.fuel);
                bindings.insert(imei, binding.clone());
                if bindings.set_meters(binding.device, *rules) || measures_otherwise {
                    let _ = self.meters_changed.send(binding.device);
                }
            }
        }
        for imei in gone {
            self.note_change(imei);
            bindings.remove(imei);
        }
        drop(bindings);
        self.unknown.invalidate_all();
        let _ = self.new_bindings.send(NewBinding::Any);
    }
}

fn imei_of(key: &str) -> Option<TrackerId> {
    binding::imei_of(key)?.parse().ok()
}

fn read(_: &str, value: &[u8]) -> Option<Entry> {
    let binding = coded::decode::<DeviceBinding>(value)?;
    let (device, tenant) = (binding.device_id.parse().ok()?, binding.tenant_id.parse().ok()?);
    let rules = MeterRules::of_binding(binding.odometer, binding.engine_hours);
    let Reading { thresholds, fuel } = Reading::of_binding(&binding);
    let limits = EventLimits {
        speed: binding.speed_limit.saturating_mul(10),
        parking_s: binding.max_parking_time,
        idle_s: thresholds.idle_alert_seconds,
        offline_s: thresholds.offline_seconds,
        tow_m: thresholds.tow_distance,
        wired: thresholds.ignition_wire == IgnitionWire::Connected,
    };
    let binding = Binding {
        device,
        tenant,
        bound_from: binding.bound_from,
        change: 0,
        former: None,
        partition_hash: PartitionHash::default(),
        limits,
        thresholds,
        fuel,
        inactive: binding.inactive,
        own_gateways: binding.own_gateways,
    };
    Some((binding, rules))
}
