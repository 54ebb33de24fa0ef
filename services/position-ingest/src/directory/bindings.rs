//! IMEI → device and tenant in memory, and which device moved from one IMEI to another. Here and in all that follows, an IMEI is
//! what a tracker calls itself, whether it is one or another identifier.

use std::{collections::HashMap, sync::Arc, time::Duration};

use armada_proto::{DeviceId, TenantId, v1::VehicleState};
use armada_track::{DeviceThresholds, EventLimits, FuelSensor, MeterRules, PartitionHash, Position, TrackerId};
use foldhash::fast::RandomState;

/// For how long it is remembered which IMEI a device had before: longer than a fix takes from its gateway to here.
const FORMER_FOR: Duration = Duration::from_secs(3600);
/// Devices of which it is remembered.
const FORMER_MAX: u64 = 100_000;
/// To whom the fixes of an IMEI belong.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The device.
    pub device: DeviceId,
    /// Its tenant.
    pub tenant: TenantId,
    /// Fixes before this, in milliseconds since 1970, belonged to somebody else.
    pub bound_from: i64,
    /// Which change of IMEIs, counted in this process, brought the device here; 0 for none that it saw.
    pub change: u64,
    /// Of the IMEI that the device had before that change.
    pub former: Option<PartitionHash>,
    /// Of the IMEI.
    pub partition_hash: PartitionHash,
    /// What its vehicle may.
    pub limits: EventLimits,
    /// By which its fixes are read.
    pub thresholds: DeviceThresholds,
    /// How its fuel is read, unless that is as its tracker says it.
    pub fuel: Option<Arc<FuelSensor>>,
    /// It is not in use.
    pub inactive: bool,
    /// It has what comes through the gateways of its tenant alone.
    pub own_gateways: bool,
}

impl Binding {
    /// Whether a gateway that speaks for the devices of `own` alone, if it does, may not speak for this one.
    pub fn is_foreign_to(&self, own: Option<TenantId>) -> bool {
        own.is_some_and(|own| own != self.tenant)
    }

    /// Whether what comes through such a gateway waits, as that of a device that nobody has: nothing says yet that the tracker
    /// which calls itself so there is this one.
    pub fn is_closed_to(&self, own: Option<TenantId>) -> bool {
        self.own_gateways && own.is_none()
    }

    /// Whether such a gateway may know of it.
    pub fn is_known_to(&self, own: Option<TenantId>) -> bool {
        !self.is_foreign_to(own) && !self.is_closed_to(own)
    }
}

/// The bindings of IMEIs, and what they tell of devices.
pub struct Bindings {
    by_imei: HashMap<TrackerId, Binding, RandomState>,
    /// The IMEI of each device that came last.
    devices: HashMap<DeviceId, TrackerId, RandomState>,
    /// Of devices to which several IMEIs lead, as for the moment of a change, those that came before, in their order.
    earlier: HashMap<DeviceId, Vec<TrackerId>, RandomState>,
    changes: u64,
    /// Of devices whose meters are read in another way than the usual one.
    meters: HashMap<DeviceId, MeterRules, RandomState>,
    /// IMEIs of devices whose fuel is read in another way than their trackers say it.
    fuelled: usize,
    /// The IMEI that a device had before its present one, or before it lost it.
    former: moka::sync::Cache<DeviceId, TrackerId>,
}

impl Default for Bindings {
    fn default() -> Self {
        let former = moka::sync::Cache::builder().max_capacity(FORMER_MAX).time_to_live(FORMER_FOR).build();
        Self {
            by_imei: HashMap::default(),
            devices: HashMap::default(),
            earlier: HashMap::default(),
            changes: 0,
            meters: HashMap::default(),
            fuelled: 0,
            former,
        }
    }
}

impl Bindings {
    /// The binding of an IMEI.
    pub fn get(&self, imei: TrackerId) -> Option<Binding> {
        self.by_imei.get(&imei).cloned()
    }

    /// The binding of a device to the IMEI that came last.
    pub fn of_device(&self, device: DeviceId) -> Option<&Binding> {
        self.by_imei.get(self.devices.get(&device)?)
    }

    /// What the vehicle of a device may; everything when the device is not known.
    pub fn limits(&self, device: DeviceId) -> EventLimits {
        self.of_device(device).map(|binding| binding.limits).unwrap_or_default()
    }

    /// By which the fixes of a device are read; the usual ones when it is not known.
    pub fn thresholds(&self, device: DeviceId) -> DeviceThresholds {
        self.of_device(device).map(|binding| binding.thresholds).unwrap_or_default()
    }

    /// What the vehicle of a device does at `now`, in milliseconds since 1970, if this is its newest position. One that is not
    /// in use counts as without data, whatever it reported before.
    pub fn state(&self, device: DeviceId, newest: &Position, now: i64, alarm_stands: bool) -> VehicleState {
        if self.of_device(device).is_some_and(|binding| binding.inactive) {
            return VehicleState::NoData;
        }
        newest.vehicle_state(now, self.thresholds(device).offline_ms(), alarm_stands)
    }

    /// How the fuel of a device is read; none where that is as its tracker says it.
    pub fn fuel(&self, device: DeviceId) -> Option<&Arc<FuelSensor>> {
        // Of most fleets there is none.
        if self.fuelled == 0 {
            return None;
        }
        self.of_device(device)?.fuel.as_ref()
    }

    /// All IMEIs that are bound.
    pub fn imeis(&self) -> impl Iterator<Item = TrackerId> {
        self.by_imei.keys().copied()
    }

    /// Whether an IMEI leads to the device.
    pub fn has_device(&self, device: DeviceId) -> bool {
        self.devices.contains_key(&device)
    }

    /// The IMEIs of a device, the present one first; of one that is gone, or never was, the last one or none.
    pub fn imeis_of(&self, device: DeviceId) -> Vec<TrackerId> {
        let present = self.devices.get(&device).copied();
        present.into_iter().chain(self.former.get(&device)).collect()
    }

    /// Binds an IMEI. A device that had another one has moved, which is counted: before the old one is removed or after.
    pub fn insert(&mut self, imei: TrackerId, mut binding: Binding) {
        binding.partition_hash = imei.partition_hash();
        match self.by_imei.get(&imei) {
            Some(known) if known.device == binding.device => {
                (binding.change, binding.former) = (known.change, known.former);
                self.put(imei, binding);
                return;
            }
            _ => self.remove(imei),
        }
        let present = self.devices.get(&binding.device).copied();
        if let Some(former) = present.or_else(|| self.former.get(&binding.device)) {
            self.changes += 1;
            (binding.change, binding.former) = (self.changes, Some(former.partition_hash()));
            self.former.insert(binding.device, former);
        }
        let device = binding.device;
        self.put(imei, binding);
        if let Some(before) = self.devices.insert(device, imei) {
            self.earlier.entry(device).or_default().push(before);
        }
    }

    fn put(&mut self, imei: TrackerId, binding: Binding) {
        self.fuelled += usize::from(binding.fuel.is_some());
        let before = self.by_imei.insert(imei, binding);
        self.fuelled -= usize::from(before.is_some_and(|before| before.fuel.is_some()));
    }

    /// How the meters of a device are read from now on; true when that is another way than before.
    pub fn set_meters(&mut self, device: DeviceId, rules: MeterRules) -> bool {
        let usual = rules == MeterRules::default();
        let before = if usual { self.meters.remove(&device) } else { self.meters.insert(device, rules) };
        before.unwrap_or_default() != rules
    }

    /// How the meters of a device are read.
    pub fn meters(&self, device: DeviceId) -> MeterRules {
        self.meters.get(&device).copied().unwrap_or_default()
    }

    /// Whether those of all devices are read in the usual way.
    pub fn all_usual(&self) -> bool {
        self.meters.is_empty()
    }

    /// Unbinds an IMEI.
    pub fn remove(&mut self, imei: TrackerId) {
        let Some(Binding { device, fuel, .. }) = self.by_imei.remove(&imei) else { return };
        self.fuelled -= usize::from(fuel.is_some());
        let mut earlier = self.earlier.remove(&device).unwrap_or_default();
        if self.devices.get(&device) != Some(&imei) {
            earlier.retain(|other| *other != imei);
        } else if let Some(other) = earlier.pop() {
            // It has gone back, or the two were told of in another order: the other one leads to it.
            self.devices.insert(device, other);
        } else {
            self.devices.remove(&device);
            self.meters.remove(&device);
            self.former.insert(device, imei);
        }
        if !earlier.is_empty() {
            self.earlier.insert(device, earlier);
        }
    }
}
