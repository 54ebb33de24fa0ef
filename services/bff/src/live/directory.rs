//! What devices are called, to whom they belong, and which alarms of them stand: the buckets `devices` and `alarms`,
//! followed and held in memory, so that a catalogue costs no request.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard},
};

use armada_proto::{
    DeviceId, TenantId, binding, coded,
    v1::{DeviceBinding, StandingAlarm, StandingAlarms, ThresholdValues},
};
use armada_runtime::bus::{All, Bucket, BucketUpdate};
use armada_track::{DeviceThresholds, TrackerId};
use tokio::sync::watch;

use super::visibility::{ByDevice, TenantFilter};

/// After how long a position says less than it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreshnessLimits {
    /// Seconds after which it is old.
    pub stale_seconds: u32,
    /// Seconds after which its vehicle is offline.
    pub offline_seconds: u32,
}

impl FreshnessLimits {
    /// None where they are the usual ones, which every client knows.
    fn of(binding: Option<ThresholdValues>) -> Option<Self> {
        let ages = |thresholds: DeviceThresholds| Self {
            stale_seconds: thresholds.stale_seconds,
            offline_seconds: thresholds.offline_seconds,
        };
        let of_device = ages(DeviceThresholds::of_binding(binding));
        (of_device != ages(DeviceThresholds::DEFAULT)).then_some(of_device)
    }
}

/// What a catalogue says of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// By what its tracker is known.
    pub imei: TrackerId,
    /// What it is called.
    pub name: String,
    pub(super) vehicle_code: String,
    pub(super) driver: String,
    pub(super) icon_type: u32,
    /// A map leaves it out.
    pub(super) inactive: bool,
    /// Other ones than usual.
    pub ages: Option<FreshnessLimits>,
    /// Those that stand, what asks most first.
    pub alarms: Vec<StandingAlarm>,
    /// Grows with every change of any device.
    pub(super) version: u64,
}

#[derive(Default)]
struct State {
    tenants: HashMap<TenantId, TenantDevices>,
    /// Whose an IMEI is.
    owners: HashMap<TrackerId, (TenantId, DeviceId)>,
    /// Of devices that are not here yet, too: the two buckets come one after the other.
    alarms: ByDevice<StandingAlarms>,
    version: u64,
}

#[derive(Default)]
struct TenantDevices {
    listings: ByDevice<Listing>,
    /// Whose change made which version, the last change of each device alone; also of those that are gone since.
    changes: BTreeMap<u64, DeviceId>,
}

/// All devices of the platform. It begins empty; [`Self::follow`] fills it. Cheap to clone.
#[derive(Clone, Default)]
pub struct Directory {
    state: Arc<Mutex<State>>,
    /// The version as of which the bucket has been read; none until it was read to its end once.
    version: watch::Sender<Option<u64>>,
}

impl Directory {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }

    /// Changes whenever some device does; none while the directory is not complete.
    pub(super) fn changes(&self) -> watch::Receiver<Option<u64>> {
        self.version.subscribe()
    }

    /// Calls `read` with each device of a tenant, or of all, that has changed since a version, 0 for the beginning; without a
    /// listing when it is gone. Returns the version as of now.
    pub fn each_since(
        &self,
        version: u64,
        of: TenantFilter,
        mut read: impl FnMut(TenantId, DeviceId, Option<&Listing>),
    ) -> u64 {
        let state = self.state();
        let mut read_tenant = |tenant: &TenantId, devices: &TenantDevices| {
            for device in devices.changes.range(version + 1..).map(|(_, device)| device) {
                read(*tenant, *device, devices.listings.get(device));
            }
        };
        match of {
            Some(tenant) => state.tenants.get(&tenant).into_iter().for_each(|devices| read_tenant(&tenant, devices)),
            None => state.tenants.iter().for_each(|(tenant, devices)| read_tenant(tenant, devices)),
        }
        state.version
    }

    /// What is said of these devices now; none of those that are gone.
    pub(super) fn listings(&self, devices: &[(TenantId, DeviceId)]) -> Vec<Option<Listing>> {
        let state = self.state();
        devices.iter().map(|(tenant, device)| state.listing(*tenant, *device).cloned()).collect()
    }

    /// After how long the positions of a device are old, and it is offline, where that is not the usual.
    pub fn ages(&self, tenant: TenantId, device: DeviceId) -> Option<FreshnessLimits> {
        self.state().listing(tenant, device)?.ages
    }

    /// The alarm of a device that asks most of those that stand.
    pub fn alarm(&self, device: DeviceId) -> Option<StandingAlarm> {
        self.state().alarms.get(&device)?.alarms.first().cloned()
    }

    /// Follows the bucket of devices for ever.
    pub(super) async fn follow(self, bucket: &Bucket) {
        let mut follower = bucket.follow(|_, value| coded::decode::<DeviceBinding>(value));
        loop {
            match follower.next().await {
                BucketUpdate::All(all) => {
                    self.replace(all);
                    self.complete();
                }
                BucketUpdate::Changed(key, binding) => {
                    self.take(&key, binding);
                    self.complete();
                }
                BucketUpdate::Refused(_) => {}
            }
        }
    }

    fn complete(&self) {
        self.version.send_replace(Some(self.state().version));
    }

    /// Follows the bucket of alarms for ever.
    pub(super) async fn follow_alarms(self, bucket: &Bucket) {
        let mut follower = bucket.follow(|_, value| coded::decode::<StandingAlarms>(value));
        loop {
            match follower.next().await {
                BucketUpdate::All(all) => self.replace_alarms(all),
                BucketUpdate::Changed(key, alarms) => self.raise(&key, alarms),
                BucketUpdate::Refused(_) => continue,
            }
            // Before the devices are known there is nobody to tell.
            let version = self.state().version;
            self.version.send_if_modified(|known| {
                known.is_some_and(|before| before != version) && known.replace(version).is_some()
            });
        }
    }

    /// Of devices of which the bucket holds nothing any more no alarm stands; where it says nothing that can be believed,
    /// what was known goes on to hold.
    fn replace_alarms(&self, all: All<StandingAlarms>) {
        let mut state = self.state();
        let kept = |device: &DeviceId| all.holds(&device.to_string());
        let gone: Vec<DeviceId> = state.alarms.keys().filter(|device| !kept(device)).copied().collect();
        gone.into_iter().for_each(|device| state.raise(device, None));
        for (key, alarms) in all.entries {
            if let Ok(device) = key.parse() {
                state.raise(device, Some(alarms));
            }
        }
    }

    /// Takes what the bucket of alarms says of a device now; none when no alarm stands.
    pub fn raise(&self, device: &str, alarms: Option<StandingAlarms>) {
        if let Ok(device) = device.parse() {
            self.state().raise(device, alarms);
        }
    }

    /// Devices that the bucket does not hold any more are gone; those of which it says nothing that can be believed stay.
    fn replace(&self, all: All<DeviceBinding>) {
        let mut state = self.state();
        let imeis = |key: &String| imei_of(key);
        let kept: HashSet<TrackerId> = all.entries.keys().chain(&all.refused).filter_map(imeis).collect();
        let gone: Vec<TrackerId> = state.owners.keys().filter(|imei| !kept.contains(imei)).copied().collect();
        gone.into_iter().for_each(|imei| state.remove(imei));
        for (key, binding) in all.entries {
            if let Some(imei) = imei_of(&key) {
                state.put(imei, binding);
            }
        }
    }

    /// Takes what the bucket says under a key now; none when the key is gone.
    pub fn take(&self, key: &str, binding: Option<DeviceBinding>) {
        let Some(imei) = imei_of(key) else { return };
        match binding {
            Some(binding) => self.state().put(imei, binding),
            None => self.state().remove(imei),
        }
    }
}

fn imei_of(key: &str) -> Option<TrackerId> {
    binding::imei_of(key)?.parse().ok()
}

impl State {
    fn listing(&self, tenant: TenantId, device: DeviceId) -> Option<&Listing> {
        self.tenants.get(&tenant)?.listings.get(&device)
    }

    /// Takes what is said of a device now, as a new version.
    fn replace_listing(&mut self, tenant: TenantId, device: DeviceId, listing: Option<Listing>) {
        self.version += 1;
        let version = self.version;
        let devices = self.tenants.entry(tenant).or_default();
        let before = match listing {
            Some(listing) => devices.listings.insert(device, Listing { version, ..listing }),
            None => devices.listings.remove(&device),
        };
        devices.changes.insert(version, device);
        if let Some(before) = before {
            devices.changes.remove(&before.version);
        }
    }

    fn put(&mut self, imei: TrackerId, binding: DeviceBinding) {
        let (Ok(tenant), Ok(device)) = (binding.tenant_id.parse(), binding.device_id.parse()) else { return };
        if self.owners.get(&imei).is_some_and(|owner| *owner != (tenant, device)) {
            self.remove(imei);
        }
        let known = self.listing(tenant, device);
        let listing = Listing {
            imei,
            name: binding.name,
            vehicle_code: binding.vehicle_code,
            driver: binding.primary_driver,
            icon_type: u32::try_from(binding.icon_type).unwrap_or_default(),
            inactive: binding.inactive,
            ages: FreshnessLimits::of(binding.thresholds),
            alarms: self.alarms.get(&device).map(|standing| standing.alarms.clone()).unwrap_or_default(),
            version: known.map_or(0, |known| known.version),
        };
        // Read again after a lost connection, the bucket tells of every device, changed or not.
        let changed = known != Some(&listing);
        self.owners.insert(imei, (tenant, device));
        if changed {
            self.replace_listing(tenant, device, Some(listing));
        }
    }

    fn raise(&mut self, device: DeviceId, standing: Option<StandingAlarms>) {
        let before = match standing {
            Some(standing) => self.alarms.insert(device, standing),
            None => self.alarms.remove(&device),
        };
        let now = self.alarms.get(&device);
        let Some(tenant) = now.or(before.as_ref()).and_then(|standing| standing.tenant_id.parse::<TenantId>().ok())
        else {
            return;
        };
        let alarms = now.map(|standing| standing.alarms.clone()).unwrap_or_default();
        if let Some(known) = self.listing(tenant, device).filter(|known| known.alarms != alarms) {
            let listing = Listing { alarms, ..known.clone() };
            self.replace_listing(tenant, device, Some(listing));
        }
    }

    /// A device that has another IMEI by now stays.
    fn remove(&mut self, imei: TrackerId) {
        let Some((tenant, device)) = self.owners.remove(&imei) else { return };
        if self.listing(tenant, device).is_some_and(|listing| listing.imei == imei) {
            self.replace_listing(tenant, device, None);
        }
    }
}
