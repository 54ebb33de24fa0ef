//! What devices are called, and to whom they belong: the bucket `devices`, followed and held in memory, so that a
//! catalogue costs no request.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard},
};

use armada_proto::{DeviceId, TenantId, binding, coded, v1::DeviceBinding};
use armada_runtime::bus::{All, Bucket, BucketUpdate};
use tokio::sync::watch;

use super::visibility::{ByDevice, TenantFilter};

/// What a catalogue says of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) imei: u64,
    pub(super) name: String,
    pub(super) vehicle_code: String,
    pub(super) driver: String,
    pub(super) icon_type: u32,
    /// A map leaves it out.
    pub(super) inactive: bool,
    /// Grows with every change of any device.
    pub(super) version: u64,
}

#[derive(Default)]
struct State {
    tenants: HashMap<TenantId, ByDevice<Listing>>,
    /// Whose an IMEI is.
    owners: HashMap<u64, (TenantId, DeviceId)>,
    version: u64,
}

/// All devices of the platform. Cheap to clone.
#[derive(Clone)]
pub(super) struct Directory {
    state: Arc<Mutex<State>>,
    /// The version as of which the bucket has been read; none until it was read to its end once.
    version: watch::Sender<Option<u64>>,
}

impl Directory {
    /// Empty; [`Self::follow`] fills it.
    pub(super) fn new() -> Self {
        Self { state: Arc::default(), version: watch::Sender::new(None) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }

    /// Changes whenever some device does; none while the directory is not complete.
    pub(super) fn changes(&self) -> watch::Receiver<Option<u64>> {
        self.version.subscribe()
    }

    /// Calls `read` with each device of a tenant, or of all.
    pub(super) fn each(&self, of: TenantFilter, mut read: impl FnMut(TenantId, DeviceId, &Listing)) {
        let state = self.state();
        let tenants = state.tenants.iter().filter(|(tenant, _)| of.is_none_or(|of| of == **tenant));
        for (tenant, devices) in tenants {
            devices.iter().for_each(|(device, listing)| read(*tenant, *device, listing));
        }
    }

    /// Follows the bucket for ever.
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

    /// Devices that the bucket does not hold any more are gone; those of which it says nothing that can be believed stay.
    fn replace(&self, all: All<DeviceBinding>) {
        let mut state = self.state();
        let imeis = |key: &String| imei_of(key);
        let kept: HashSet<u64> = all.entries.keys().chain(&all.refused).filter_map(imeis).collect();
        let gone: Vec<u64> = state.owners.keys().filter(|imei| !kept.contains(imei)).copied().collect();
        gone.into_iter().for_each(|imei| state.remove(imei));
        for (key, binding) in all.entries {
            if let Some(imei) = imei_of(&key) {
                state.put(imei, binding);
            }
        }
    }

    fn take(&self, key: &str, binding: Option<DeviceBinding>) {
        let Some(imei) = imei_of(key) else { return };
        match binding {
            Some(binding) => self.state().put(imei, binding),
            None => self.state().remove(imei),
        }
    }
}

fn imei_of(key: &str) -> Option<u64> {
    binding::imei_of(key)?.parse().ok()
}

impl State {
    fn put(&mut self, imei: u64, binding: DeviceBinding) {
        let (Ok(tenant), Ok(device)) = (binding.tenant_id.parse(), binding.device_id.parse()) else { return };
        if self.owners.get(&imei).is_some_and(|owner| *owner != (tenant, device)) {
            self.remove(imei);
        }
        let devices = self.tenants.entry(tenant).or_default();
        let mut listing = Listing {
            imei,
            name: binding.name,
            vehicle_code: binding.vehicle_code,
            driver: binding.primary_driver,
            icon_type: u32::try_from(binding.icon_type).unwrap_or_default(),
            inactive: binding.inactive,
            version: devices.get(&device).map_or(0, |known| known.version),
        };
        self.owners.insert(imei, (tenant, device));
        // Read again after a lost connection, the bucket tells of every device, changed or not.
        if devices.get(&device) == Some(&listing) {
            return;
        }
        self.version += 1;
        listing.version = self.version;
        devices.insert(device, listing);
    }

    /// A device that has another IMEI by now stays.
    fn remove(&mut self, imei: u64) {
        let Some((tenant, device)) = self.owners.remove(&imei) else { return };
        self.version += 1;
        if let Some(devices) = self.tenants.get_mut(&tenant) {
            if devices.get(&device).is_some_and(|listing| listing.imei == imei) {
                devices.remove(&device);
            }
            if devices.is_empty() {
                self.tenants.remove(&tenant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use armada_proto::v1::DeviceBinding;

    use super::*;

    fn names(directory: &Directory, of: TenantFilter) -> Vec<(u64, String)> {
        let mut names = Vec::new();
        directory.each(of, |_, _, listing| names.push((listing.imei, listing.name.clone())));
        names.sort();
        names
    }

    #[test]
    fn a_device_keeps_its_place_when_its_imei_changes() {
        let directory = Directory::new();
        let (tenant, other, device) = (TenantId::new(), TenantId::new(), DeviceId::new());
        let binding = |name: &str, device: DeviceId, tenant: TenantId| DeviceBinding {
            device_id: device.to_string(),
            tenant_id: tenant.to_string(),
            name: name.to_owned(),
            ..DeviceBinding::default()
        };
        directory.state().put(1, binding("Truck", device, tenant));
        directory.state().put(2, binding("Lorry", device, tenant));
        directory.state().remove(1);
        assert_eq!(names(&directory, Some(tenant)), [(2, "Lorry".to_owned())]);
        // The tracker was resold.
        directory.state().put(2, binding("Van", DeviceId::new(), other));
        assert_eq!(names(&directory, Some(tenant)), []);
        assert_eq!(names(&directory, None), [(2, "Van".to_owned())]);
        directory.state().remove(2);
        assert_eq!(names(&directory, None), []);
    }
}
