//! From when on a vehicle moves, has stopped, stands idle, is silent: what a tenant sets for its devices, and a device for
//! itself.

use armada_proto::v1::{IgnitionWire, ThresholdValues};

use crate::{meters::replacement::Replacements, motion::device_state::Thresholds, trips::segments::SegmentRules};

/// The thresholds that hold for a device. Small enough that each of 100,000 devices has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceThresholds {
    /// Moving from this speed on, km/h.
    pub moving_speed: u32,
    /// A halt of so many seconds ends a trip.
    pub stop_seconds: u32,
    /// A trip leads no less far, metres.
    pub min_trip_distance: u32,
    /// A trip takes no less, seconds.
    pub min_trip_seconds: u32,
    /// Standing with the engine on for less, in seconds, is traffic, and counts as no idle time of trips and stops.
    pub idle_seconds: u32,
    /// Standing with the engine on for so many seconds is the event `idling`.
    pub idle_alert_seconds: u32,
    /// Between fixes further apart, in seconds, nothing is known.
    pub gap_seconds: u32,
    /// After so many seconds a position is shown as old.
    pub stale_seconds: u32,
    /// After so many seconds without a fix a vehicle is offline.
    pub offline_seconds: u32,
    /// Moved so far with the ignition off, in metres, it is towed.
    pub tow_distance: u32,
    /// Whether its tracker is connected to the ignition.
    pub ignition_wire: IgnitionWire,
    /// When its tracker was replaced.
    pub replaced: Replacements,
}

impl DeviceThresholds {
    /// What holds where nobody has said anything.
    pub const DEFAULT: Self = Self {
        moving_speed: 3,
        stop_seconds: 300,
        min_trip_distance: 200,
        min_trip_seconds: 60,
        idle_seconds: 120,
        idle_alert_seconds: 600,
        gap_seconds: 3_600,
        stale_seconds: 300,
        offline_seconds: 600,
        tow_distance: 150,
        ignition_wire: IgnitionWire::Found,
        replaced: Replacements::NONE,
    };

    /// As they stand in a binding, where the usual ones are left out.
    pub fn of_binding(values: Option<ThresholdValues>) -> Self {
        values.map_or(Self::DEFAULT, Self::from)
    }

    /// As they stand in a binding.
    pub fn to_binding(self) -> Option<ThresholdValues> {
        (self != Self::DEFAULT).then(|| self.into())
    }

    /// By which fixes are taken in.
    pub const fn motion(self) -> Thresholds {
        Thresholds {
            moving_speed: self.moving_speed.saturating_mul(10),
            jitter_dm: 300,
            parked_jitter_dm: 2_000,
            gap_ms: self.gap_seconds as u64 * 1_000,
            wired: match self.ignition_wire {
                IgnitionWire::Connected => Some(true),
                IgnitionWire::Absent => Some(false),
                IgnitionWire::Found | IgnitionWire::Unspecified => None,
            },
            replaced: self.replaced,
        }
    }

    /// By which a track is divided.
    pub const fn segments(self) -> SegmentRules {
        SegmentRules {
            stop_ms: self.stop_seconds as i64 * 1_000,
            min_trip_ms: self.min_trip_seconds as i64 * 1_000,
            min_trip_dm: self.min_trip_distance as u64 * 10,
            gap_ms: self.gap_seconds as i64 * 1_000,
            idle_ms: self.idle_seconds as i64 * 1_000,
        }
    }

    /// After so many milliseconds without a fix a vehicle is offline.
    pub const fn offline_ms(self) -> i64 {
        self.offline_seconds as i64 * 1_000
    }
}

impl Default for DeviceThresholds {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Default for Thresholds {
    /// Those of [`DeviceThresholds::DEFAULT`]; 30 m, 200 m.
    fn default() -> Self {
        DeviceThresholds::DEFAULT.motion()
    }
}

impl Default for SegmentRules {
    /// Those of [`DeviceThresholds::DEFAULT`].
    fn default() -> Self {
        DeviceThresholds::DEFAULT.segments()
    }
}

macro_rules! the_same {
    ($($field:ident)*) => {
        impl From<ThresholdValues> for DeviceThresholds {
            fn from(values: ThresholdValues) -> Self {
                let ignition_wire = match values.ignition_wire() {
                    IgnitionWire::Unspecified => IgnitionWire::Found,
                    chosen => chosen,
                };
                // A binding that was made before there was this one does not say it.
                let tow_distance = match values.tow_distance {
                    0 => DeviceThresholds::DEFAULT.tow_distance,
                    metres => metres,
                };
                Self { $($field: values.$field,)* tow_distance, ignition_wire, replaced: Replacements::NONE }
            }
        }

        impl From<DeviceThresholds> for ThresholdValues {
            fn from(thresholds: DeviceThresholds) -> Self {
                Self {
                    $($field: thresholds.$field,)*
                    tow_distance: thresholds.tow_distance,
                    ignition_wire: thresholds.ignition_wire.into(),
                }
            }
        }
    };
}

the_same!(
    moving_speed stop_seconds min_trip_distance min_trip_seconds idle_seconds idle_alert_seconds gap_seconds stale_seconds
    offline_seconds
);
