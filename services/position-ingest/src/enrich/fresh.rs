//! What the devices of a partition say by the states in which they are: what is shown, noticed and saved of them.

use std::collections::HashMap;

use armada_proto::{
    DeviceId, TenantId,
    v1::{LastPosition, LiveFrame},
};

use super::{Intake, device::TrackedDevice};
use crate::feeds::meters::MetersOf;

impl Intake {
    /// The newest position of every device that moved forward since this was last called, by tenant.
    pub fn take_live(&mut self) -> HashMap<TenantId, LiveFrame> {
        let mut frames = HashMap::<TenantId, LiveFrame>::new();
        let rules = self.registry.meters();
        for device in std::mem::take(&mut self.fresh) {
            let Some(tracked) = self.devices.get_mut(&device) else { continue };
            tracked.fresh = false;
            if let Some(position) = &tracked.newest {
                let mut live: LastPosition = position.to_live_position(device, tracked.state.place());
                rules.show(device, position, tracked.state.own_engine(), &mut live);
                live.today = tracked.day.activity(position);
                frames.entry(tracked.tenant).or_default().positions.push(live);
            }
        }
        frames
    }

    /// Shows devices again whose meters are read in another way from now on; those that are elsewhere by now are shown there.
    pub fn mark_fresh(&mut self, devices: impl IntoIterator<Item = DeviceId>) {
        for device in devices {
            let Some(tracked) = self.devices.get_mut(&device) else { continue };
            let is_here = self.last.partition_of(tracked.tenant, device) == Some(self.partition);
            if is_here && !std::mem::replace(&mut tracked.fresh, true) {
                self.fresh.push(device);
            }
        }
    }

    /// Notices what the passing of time shows of vehicles that say nothing: it is `now`, in milliseconds since 1970, and
    /// what they say was heard since `heard_since`.
    pub fn tick(&mut self, now: i64, heard_since: i64) {
        let registry = self.registry.clone();
        let bindings = registry.bindings();
        for (&device, tracked) in &mut self.devices {
            let Some(binding) = bindings.of_device(device) else { continue };
            // One that is elsewhere by now is looked at there.
            let is_here = binding.partition_hash.partition(self.partitions) == self.partition;
            if is_here && binding.tenant == tracked.tenant {
                self.events.extend(tracked.tick(binding, now, heard_since));
                if tracked.follow_replacements(&binding.thresholds.replaced) {
                    self.late.insert(device);
                }
            }
        }
    }

    /// What is read of the meters of all devices.
    pub fn all_meters(&self) -> Vec<MetersOf> {
        self.devices.iter().filter_map(|(device, tracked)| tracked.meters_of(*device)).collect()
    }

    /// The devices that changed since this was last called.
    pub fn take_dirty(&mut self) -> impl Iterator<Item = (DeviceId, &TrackedDevice)> {
        self.devices.iter_mut().filter_map(|(device, tracked)| {
            let is_dirty = std::mem::take(&mut tracked.dirty);
            is_dirty.then_some((*device, &**tracked))
        })
    }

    /// Whether any device changed since the last checkpoint.
    pub fn is_dirty(&self) -> bool {
        self.devices.values().any(|tracked| tracked.dirty)
    }
}
