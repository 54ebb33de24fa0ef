//! Devices of which something came behind newer fixes: their days are derived anew once it is stored and nothing more comes for a
//! moment.

use armada_proto::{DeviceId, TenantId};
use armada_track::{DayEnd, Position, TrackState, VehicleDays};
use tokio::time::Instant;

use super::{Intake, device::TrackedDevice, late::Late};
use crate::{
    entity::{device_day, late_fix},
    feeds::meters::MetersOf,
    history::days::{self, DayChanges, DerivedDays, Deriving},
    live::device_day::DeviceDay,
};

/// So often it is tried to lead to the newest fix of a device.
const ATTEMPTS: u8 = 3;

impl Intake {
    /// Takes up what was noted when it was stored.
    pub fn take_up_late(&mut self, noted: Vec<late_fix::Model>, stored_frame: i64) {
        for late_fix::Model { device_id, tenant_id, recorded_at, .. } in noted {
            let Some(tracked) = self.devices.get_mut(&device_id).filter(|tracked| tracked.tenant == tenant_id) else {
                // Nothing of it is here any more.
                self.days.derived.push((tenant_id, device_id));
                continue;
            };
            let late = tracked.late.get_or_insert_with(|| Box::new(Late::new(recorded_at)));
            late.from = late.from.min(recorded_at);
            late.frame = late.frame.or(Some(stored_frame));
            self.late.insert(device_id);
        }
    }

    /// What the commit batch that is closed says of days; `frame` is the last one that was made, and `version` says how far RAW
    /// was read.
    pub fn take_days(&mut self, frame: i64, version: i64) -> DayChanges {
        self.days.ended.iter_mut().for_each(|day| day.version = version);
        for device in &self.late {
            let Some(tracked) = self.devices.get_mut(device) else { continue };
            let Some(late) = tracked.late.as_mut().filter(|late| late.frame.is_none()) else { continue };
            late.frame = Some(frame);
            self.days.late.push(late_fix::Model {
                partition: self.partition as i32,
                device_id: *device,
                tenant_id: tracked.tenant,
                recorded_at: late.from,
            });
        }
        std::mem::take(&mut self.days)
    }

    /// A device that is to be derived now, if any: what came late of it is stored.
    pub fn next_to_derive(&mut self, stored_frame: i64, now: i64) -> Option<Deriving> {
        let registry = self.registry.clone();
        let bindings = registry.bindings();
        let is_due = |device: &&DeviceId| {
            let late = self.devices.get(*device).and_then(|tracked| tracked.late.as_ref());
            late.is_none_or(|late| late.is_due(stored_frame))
        };
        let device = *self.late.iter().find(is_due)?;
        let tracked = self.devices.get_mut(&device);
        let Some((tenant, late)) = tracked.and_then(|tracked| Some((tracked.tenant, tracked.late.as_mut()?))) else {
            // It came to another tenant, and nothing of its past with it.
            self.late.remove(&device);
            return None;
        };
        late.is_anew = false;
        let mut partitions: std::collections::BTreeSet<u32> =
            self.last.partitions_of(tenant, device).into_iter().collect();
        partitions.insert(self.partition);
        let thresholds = bindings.thresholds(device);
        let kept_from = self.settings.kept_from(tenant, now);
        let rules = bindings.meters(device);
        let corrections = [rules.odometer.correction, rules.engine.correction].into_iter().flatten();
        let corrections = corrections.map(|correction| correction.from).collect();
        Some(Deriving { tenant, device, partitions, thresholds, from: late.from, kept_from, corrections })
    }

    /// Takes over what was derived of a device; whether there is anything to save.
    pub fn take_derived(&mut self, (tenant, device): (TenantId, DeviceId), derived: DerivedDays) -> bool {
        self.late.remove(&device);
        let Some(tracked) = self.devices.get_mut(&device).filter(|tracked| tracked.tenant == tenant) else {
            self.days.derived.push((tenant, device));
            return false;
        };
        let Some(mut late) = tracked.late.take() else { return false };
        let DerivedDays { mut ended, goes_on, at_corrections } = derived;
        let is_whole = match goes_on {
            Some(days) => {
                tracked.go_on_with(days, &late.since, &mut ended, |at| days::day_of(&self.settings, tenant, at))
            }
            None => true,
        };
        late.attempts = if is_whole { 0 } else { late.attempts + 1 };
        let is_hopeless = late.attempts >= ATTEMPTS;
        if (late.is_anew || !is_whole) && !is_hopeless {
            (late.first, late.last) = (Instant::now(), Instant::now());
            tracked.late = Some(late);
            self.late.insert(device);
        } else {
            self.days.derived.push((tenant, device));
        }
        if !is_whole {
            // Its newest fix is not kept any more.
            return is_hopeless;
        }
        if let (Some(first), Some(last)) = (ended.first(), ended.last()) {
            self.days.replaced.push((tenant, device, first.day().from, last.day().until));
        }
        self.days.ended.extend(ended.iter().map(|end| device_day::Model::of(tenant, device, end)));
        self.meters.extend(ended.iter().filter_map(|end| MetersOf::of_day(tenant, device, end)));
        let corrected = at_corrections.into_iter();
        self.meters.extend(corrected.map(|(at, read)| MetersOf::at_correction(tenant, device, at, read)));
        tracked.dirty = true;
        if !std::mem::replace(&mut tracked.fresh, true) {
            self.fresh.push(device);
        }
        true
    }
}

impl TrackedDevice {
    /// Goes on as was derived, with the fixes that the derivation may not have read; false when it does not lead to the newest one.
    fn go_on_with(
        &mut self,
        mut days: VehicleDays,
        since: &[Position],
        ended: &mut Vec<DayEnd>,
        day_of: impl Fn(i64) -> armada_track::Day,
    ) -> bool {
        let read = days.state().newest;
        let is_newer = |position: &&Position| {
            let read_at = read.as_ref().map_or(i64::MIN, Position::recorded_at);
            let says_more = || read.as_ref().is_some_and(|read| read.report != position.report);
            position.recorded_at() > read_at || position.recorded_at() == read_at && says_more()
        };
        let mut newer: Vec<Position> = since.iter().filter(is_newer).cloned().collect();
        // Of one instant the last one says all.
        newer.dedup_by(|later, earlier| {
            let is_same = later.recorded_at() == earlier.recorded_at();
            if is_same {
                std::mem::swap(later, earlier);
            }
            is_same
        });
        ended.extend(days.run(&mut newer, day_of));
        let counters = days.counters();
        let TrackState { device, trips, newest } = days.state();
        let (Some(newest), Some(known)) = (newest, &mut self.newest) else { return false };
        if newest.recorded_at() != known.recorded_at() {
            return false;
        }
        self.state.correct(&device);
        (self.trips, self.day) = (trips, DeviceDay::saved(counters));
        (known.derived, known.mark) = (newest.derived, newest.mark);
        (known.report.lat, known.report.lng) = (newest.report.lat, newest.report.lng);
        true
    }

    /// Notes that something of it came late.
    pub(super) fn note_late(&mut self, recorded_at: i64) {
        let late = self.late.get_or_insert_with(|| Box::new(Late::new(recorded_at)));
        (late.from, late.frame, late.last, late.is_anew) = (late.from.min(recorded_at), None, Instant::now(), true);
    }
}
