//! The day of a device's newest fix: where its tenant's clock says that one begins.

use armada_proto::{TenantId, v1::DayActivity};
use armada_track::{DayCounters, Derived, Position};

use crate::directory::tenants::TenantSettings;

/// A fix that was the newest one: when it was recorded, in milliseconds since 1970, and what was derived at it.
pub type Fix = (i64, Derived);

/// The day of a device's newest fix, with its counters at the beginning.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeviceDay {
    counters: DayCounters,
    /// By which settings of tenants the day was told, see [`TenantSettings::version`].
    version: u32,
}

impl DeviceDay {
    /// As it was saved. By which version it was told then is not known, so its next fix looks again.
    pub fn saved(counters: DayCounters) -> Self {
        Self { counters, version: 0 }
    }

    /// The vehicle had made so many trips when it began.
    pub fn count_trips_from(&mut self, trips: u64) {
        self.counters = self.counters.with_trips(trips);
    }

    /// What is saved.
    pub fn counters(&self) -> &DayCounters {
        &self.counters
    }

    /// Whether a fix of this instant may be of another day: such a one goes through [`Self::go_on`]. Two comparisons, at every
    /// fix.
    pub fn ends_by(&self, recorded_at: i64, settings: &TenantSettings) -> bool {
        self.counters.is_over(recorded_at) || self.version != settings.version()
    }

    /// Goes on to the day of the newest fix; `before` was the newest until then.
    pub fn go_on(&mut self, tenant: TenantId, before: Option<Fix>, newest: &Position, settings: &TenantSettings) {
        let version = settings.version();
        let (at, day) = (newest.recorded_at(), self.counters.day());
        let unknown = || if day.contains(at) { day } else { day.later(at) };
        let day = settings.day(tenant, at).unwrap_or_else(unknown);
        self.counters.go_on(day, before.as_ref().map(|(at, derived)| (*at, derived)), newest);
        self.version = version;
    }

    /// What the vehicle has come to by its newest fix.
    pub fn activity(&self, newest: &Position) -> Option<DayActivity> {
        self.counters.activity(newest)
    }
}

/// A device whose day may end in a frame, as it is before the next row of that.
#[derive(Default)]
pub struct DayRollover {
    /// The day so far.
    pub day: DeviceDay,
    /// The fix before, if there is one.
    pub before: Option<Fix>,
}

impl DayRollover {
    /// The next row of the device.
    pub fn observe(&mut self, tenant: TenantId, position: &Position, settings: &TenantSettings) {
        let at = position.recorded_at();
        if position.late || self.before.is_some_and(|(before, _)| at <= before) {
            return;
        }
        if self.day.ends_by(at, settings) {
            self.day.go_on(tenant, self.before, position, settings);
        }
        self.before = Some((at, position.derived));
    }
}
