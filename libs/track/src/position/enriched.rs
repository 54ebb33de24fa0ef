//! A fix together with what it tells about its vehicle.

pub use armada_proto::v1::{FixMark, Motion};
use armada_proto::{
    DeviceId, Timestamp,
    v1::{LastPosition, TrackPoint, VehicleState},
};

use crate::position::{alarm_names::first_alarm, geodesy::Place, report::Report};

/// One stored fix: what the device said and what was derived from it when it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// What the device said. An invalid fix that says no place has the last one that was trusted.
    pub report: Report,
    /// What follows from it; the default (all zero) for a late fix until [`crate::fill_late`] has run.
    pub derived: Derived,
    /// Why it cannot be believed, if it cannot; never that its clock was corrected, which [`Self::shown_mark`] says. A late fix gets it from [`crate::fill_late`], unless its clock was wrong.
    pub mark: FixMark,
    /// It arrived after a newer one: history only.
    pub late: bool,
}

/// What the sequence of fixes tells at one of them. The counters start at the first fix of the device and never go
/// back, so the amount of a day or a trip is a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// What the vehicle does.
    pub motion: Motion,
    /// Since when it does, milliseconds since 1970. For a parked vehicle the start of the park.
    pub motion_since: i64,
    /// Decimetres travelled, measured between fixes.
    pub distance_dm: u64,
    /// Decimetres: the vehicle's own odometer, carried on with the distance between its readings; the same as
    /// `distance_dm` for a vehicle that never reported one.
    pub odometer_dm: u64,
    /// Milliseconds with the ignition on.
    pub engine_ms: u64,
    /// Milliseconds moving.
    pub moving_ms: u64,
    /// Milliseconds idling.
    pub idle_ms: u64,
    /// Milliseconds parked.
    pub parked_ms: u64,
    /// The ignition as last reported.
    pub ignition: Option<bool>,
    /// Distance has been measured up to this very fix; the next step is measured from here.
    pub anchor: bool,
}

impl Derived {
    /// Whether there is anything: not so for a late fix that was not filled yet.
    pub fn is_present(&self) -> bool {
        *self != Self::default()
    }

    /// Whether anything is known of its engine: its ignition, or that it ran.
    pub fn engine_is_known(&self) -> bool {
        self.ignition.is_some() || self.engine_ms > 0
    }
}

/// A message that has the fields of a position, with those that it has besides.
macro_rules! message {
    ($position:expr, $message:ident { $($field:ident: $value:expr),* }) => {{
        let Position { report, derived, .. } = $position;
        let tenth = |value: u32| f64::from(value) / 10.0;
        $message {
            $($field: $value,)*
            recorded_at: Some(Timestamp::from_millis(report.recorded_at)),
            lat: f64::from(report.lat) / 1e7,
            lng: f64::from(report.lng) / 1e7,
            speed: report.speed.map(tenth),
            course: report.course.map(tenth),
            alt: report.alt.map(|alt| f64::from(alt) / 10.0),
            sat: report.sat,
            valid: report.valid,
            ignition: $position.ignition(),
            odometer: $position.odometer_m(),
            fuel_liter: report.fuel_liter.map(tenth),
            fuel_percent: report.fuel_percent.map(f64::from),
            batt_percent: report.batt_percent.map(f64::from),
            charge: report.charge,
            gsm_signal: report.gsm_signal.map(f64::from),
            alarm: report.alarm.as_deref().and_then(first_alarm).map(str::to_owned),
            attrs: report.attrs.as_deref().map(str::to_owned),
            motion: derived.motion.into(),
            motion_since: derived.is_present().then(|| Timestamp::from_millis(derived.motion_since)),
            engine_seconds: derived.engine_is_known().then_some(derived.engine_ms as f64 / 1000.0),
            mark: ($position.shown_mark() != FixMark::Unspecified).then(|| $position.shown_mark().into()),
        }
    }};
}

impl Position {
    /// A late fix: nothing is derived.
    pub fn late(report: Report) -> Self {
        Self { report, derived: Derived::default(), mark: FixMark::Unspecified, late: true }
    }

    /// The mark that is shown: of one that can be believed, that its clock was corrected.
    pub fn shown_mark(&self) -> FixMark {
        match self.mark {
            FixMark::Unspecified if self.report.clock_corrected => FixMark::ClockCorrected,
            mark => mark,
        }
    }

    /// Whether its place and its speed count: it is valid and has no mark.
    pub fn is_good(&self) -> bool {
        self.report.valid && self.mark == FixMark::Unspecified
    }

    /// Whether it says where the vehicle was.
    pub fn is_placed(&self) -> bool {
        !self.is_elsewhere()
    }

    /// Whether the vehicle was not there, but where it had been: the fix is invalid, or its mark says so.
    pub fn is_elsewhere(&self) -> bool {
        !self.report.valid || matches!(self.mark, FixMark::Jump | FixMark::CellTower)
    }

    /// Whether the ignition is on: as last reported, if the tracker is connected to it; of a late fix of which nothing is derived,
    /// as it says itself.
    pub fn ignition(&self) -> Option<bool> {
        if self.derived.is_present() { self.derived.ignition } else { self.report.ignition }
    }

    /// Milliseconds since 1970.
    pub fn recorded_at(&self) -> i64 {
        self.report.recorded_at
    }

    /// As the edge shows it, with its device. Every number is the nearest double to a decimal with as many digits as
    /// were stored, so that JSON prints those digits and no more. What it has come to today is not known here, nor what it does
    /// now, which alarm stands and whether its clock is right.
    pub fn to_last_position(&self, device: DeviceId) -> LastPosition {
        message!(
            self,
            LastPosition {
                device_id: device.to_string(),
                state: None,
                standing_alarm: None,
                standing_alarm_since: None,
                clock_off_seconds: None,
                today: None
            }
        )
    }

    /// The same as the newest of its device: one that was elsewhere is shown where the device was last known to be.
    pub fn to_live_position(&self, device: DeviceId, known: Option<Place>) -> LastPosition {
        let mut shown = self.to_last_position(device);
        if let (true, Some(place)) = (self.is_elsewhere(), known) {
            (shown.lat, shown.lng) = place.degrees();
        }
        shown
    }

    /// What the vehicle does at `now`, in milliseconds since 1970, if this is its newest position. An alarm that stands
    /// comes before everything: nobody has seen to it, whatever was heard since. A position that is older than
    /// `offline_ms`, in milliseconds, says nothing of now, so offline comes before everything that it claims.
    pub fn vehicle_state(&self, now: i64, offline_ms: i64, alarm_stands: bool) -> VehicleState {
        let Self { report, derived, .. } = self;
        if alarm_stands {
            return VehicleState::Alarm;
        }
        if now - report.recorded_at > offline_ms {
            return VehicleState::Offline;
        }
        match derived.motion {
            Motion::Moving => VehicleState::Moving,
            Motion::Idle => VehicleState::Idle,
            Motion::Parked => VehicleState::Parked,
            Motion::Unspecified if report.speed.unwrap_or_default() > 0 => VehicleState::Moving,
            Motion::Unspecified if self.ignition() == Some(true) => VehicleState::Idle,
            Motion::Unspecified => VehicleState::Parked,
        }
    }

    /// As the edge shows it in a track, numbers as in [`Self::to_last_position`].
    pub fn to_track_point(&self) -> TrackPoint {
        message!(self, TrackPoint {})
    }

    fn odometer_m(&self) -> Option<f64> {
        if self.derived.is_present() {
            return Some(self.derived.odometer_dm as f64 / 10.0);
        }
        self.report.odometer.map(|metres| metres as f64)
    }
}
