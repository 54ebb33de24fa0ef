//! Odometer and engine hours as people read them: what the device itself says or what is computed, as is chosen of it,
//! with what somebody has corrected. Whole numbers of any unit: a rule is of one meter and one unit.

use armada_proto::v1::{LastPosition, MeterOffsets as OffsetsMessage, MeterRule as RuleMessage, MeterSource};

use crate::{
    meters::{counters::Counters, own::OwnEngine},
    position::enriched::{Derived, Position},
};

/// The fastest that an odometer may say a vehicle was on the whole, in km/h: what is beyond is another vehicle's odometer.
const ODOMETER_KMH: i64 = 300;
/// Metres, and seconds, that two readings may be apart whatever the time between them.
const SLACK_M: i64 = 1_000;
const SLACK_S: i64 = 60;

/// What a meter of a device is, before any correction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeterValues {
    /// As the device says; none when it never said.
    pub device: Option<i64>,
    /// As it is computed.
    pub computed: Option<i64>,
}

/// What is added to a meter since a correction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeterOffsets {
    /// To fixes from here on, milliseconds since 1970.
    pub from: i64,
    /// To what the device says.
    pub device: i64,
    /// To what is computed.
    pub computed: i64,
}

impl MeterOffsets {
    /// What makes a meter show `shown` at a fix where these values were read. What the device had not said by then stays
    /// as it will say it.
    pub fn to_show(shown: i64, from: i64, read: MeterValues) -> Self {
        let device = read.device.map_or(0, |device| shown.saturating_sub(device));
        Self { from, device, computed: shown.saturating_sub(read.computed.unwrap_or(0)) }
    }
}

/// How a meter is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeterRule {
    /// What the device says counts, as soon as it says something; else what is computed.
    pub by_device: bool,
    /// The newest correction.
    pub correction: Option<MeterOffsets>,
}

impl MeterRule {
    /// As a device chooses it.
    pub fn new(source: MeterSource, correction: Option<MeterOffsets>) -> Self {
        Self { by_device: source == MeterSource::Device, correction }
    }

    /// What the meter shows at a fix.
    pub fn shown(&self, recorded_at: i64, read: MeterValues) -> Option<i64> {
        let added = self.correction.filter(|correction| recorded_at >= correction.from);
        let shown = match (self.by_device, read.device) {
            (true, Some(device)) => Some(device.saturating_add(added.map_or(0, |added| added.device))),
            _ => match (read.computed, added) {
                (None, None) => None,
                (computed, added) => {
                    Some(computed.unwrap_or(0).saturating_add(added.map_or(0, |added| added.computed)))
                }
            },
        };
        shown.map(|shown| shown.max(0))
    }

    /// The same rule of a unit that is so many times smaller.
    fn in_smaller_unit(self, times: i64) -> Self {
        let scale = |offsets: MeterOffsets| MeterOffsets {
            device: offsets.device.saturating_mul(times),
            computed: offsets.computed.saturating_mul(times),
            ..offsets
        };
        Self { correction: self.correction.map(scale), ..self }
    }

    /// From the binding of a device; `usual` where that says nothing.
    fn of(message: Option<RuleMessage>, usual: MeterSource) -> Self {
        let Some(message) = message else { return Self::new(usual, None) };
        let source = message.source();
        let OffsetsMessage { from, device, computed } = match message.correction {
            Some(correction) => correction,
            None => return Self::new(source, None),
        };
        Self::new(source, Some(MeterOffsets { from, device, computed }))
    }

    fn message(self) -> RuleMessage {
        let source = if self.by_device { MeterSource::Device } else { MeterSource::Computed };
        let correction =
            self.correction.map(|MeterOffsets { from, device, computed }| OffsetsMessage { from, device, computed });
        RuleMessage { source: source.into(), correction }
    }
}

/// How the meters of a device are read: the odometer in metres, engine hours in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeterRules {
    /// The odometer.
    pub odometer: MeterRule,
    /// The engine hours.
    pub engine: MeterRule,
}

impl Default for MeterRules {
    /// The vehicle's own odometer, and its engine hours as they are computed.
    fn default() -> Self {
        Self {
            odometer: MeterRule::new(MeterSource::Device, None),
            engine: MeterRule::new(MeterSource::Computed, None),
        }
    }
}

impl MeterRules {
    /// As the binding of a device has them; absent where they are the usual ones.
    pub fn of_binding(odometer: Option<RuleMessage>, engine: Option<RuleMessage>) -> Self {
        Self {
            odometer: MeterRule::of(odometer, MeterSource::Device),
            engine: MeterRule::of(engine, MeterSource::Computed),
        }
    }

    /// The same the other way.
    pub fn to_binding(self) -> (Option<RuleMessage>, Option<RuleMessage>) {
        let usual = Self::default();
        let unless_usual = |rule: MeterRule, usual: MeterRule| (rule != usual).then(|| rule.message());
        (unless_usual(self.odometer, usual.odometer), unless_usual(self.engine, usual.engine))
    }

    /// Brings what a position shows of its device's meters to what these rules say.
    pub fn show(&self, position: &Position, own: Option<OwnEngine>, shown: &mut LastPosition) {
        if !position.derived.is_present() {
            return;
        }
        let at = position.recorded_at();
        let odometer = self.odometer.in_smaller_unit(10).shown(at, odometer_dm(&position.derived));
        let engine = self.engine.in_smaller_unit(1_000).shown(at, engine_ms(&position.derived, own));
        shown.odometer = odometer.map(|decimetres| decimetres as f64 / 10.0);
        shown.engine_seconds = engine.map(|millis| millis as f64 / 1000.0);
    }
}

/// A vehicle that never reported its odometer has the same as what is computed.
fn odometer_dm(derived: &Derived) -> MeterValues {
    let says = derived.odometer_dm != derived.distance_dm;
    MeterValues { device: says.then(|| whole(derived.odometer_dm)), computed: Some(whole(derived.distance_dm)) }
}

fn engine_ms(derived: &Derived, own: Option<OwnEngine>) -> MeterValues {
    MeterValues {
        device: own.map(|own| whole(own.at(derived.engine_ms))),
        computed: derived.engine_is_known().then(|| whole(derived.engine_ms)),
    }
}

fn whole(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// What was read of the meters of a device at a fix: metres, and seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MetersRead {
    /// Of the fix, milliseconds since 1970.
    pub recorded_at: i64,
    /// Metres.
    pub odometer: MeterValues,
    /// Seconds.
    pub engine: MeterValues,
    /// What the vehicle did.
    pub activity: Activity,
    /// Trips since they are counted; none when that is not known.
    pub trips: Option<i64>,
}

/// For how long a vehicle did what since its first fix, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Moving.
    pub moving: i64,
    /// Standing with the engine on.
    pub idle: i64,
    /// Parked.
    pub parked: i64,
}

impl MetersRead {
    /// At a position that moved its device forward.
    pub fn of(position: &Position, own: Option<OwnEngine>) -> Self {
        let coarser = |values: MeterValues, times: i64| MeterValues {
            device: values.device.map(|value| value / times),
            computed: values.computed.map(|value| value / times),
        };
        Self {
            recorded_at: position.recorded_at(),
            odometer: coarser(odometer_dm(&position.derived), 10),
            engine: coarser(engine_ms(&position.derived, own), 1_000),
            activity: Activity::of(Counters::of(&position.derived)),
            trips: None,
        }
    }

    /// The same when the vehicle had come to this by then, and had made so many trips.
    #[must_use]
    pub fn with_counters(self, counters: Counters, trips: Option<i64>) -> Self {
        let seconds = |millis: u64| whole(millis) / 1_000;
        Self {
            odometer: MeterValues { computed: Some(whole(counters.distance_dm) / 10), ..self.odometer },
            engine: MeterValues { computed: self.engine.computed.map(|_| seconds(counters.engine_ms)), ..self.engine },
            activity: Activity::of(counters),
            trips,
            ..self
        }
    }

    /// Metres that were driven between two readings, the earlier one first.
    pub fn distance(by_device: bool, before: &Self, after: &Self) -> Option<i64> {
        let elapsed = after.recorded_at.saturating_sub(before.recorded_at).max(0);
        let most = elapsed.saturating_mul(ODOMETER_KMH) / 3_600 + SLACK_M;
        increase(by_device, before.odometer, after.odometer, most)
    }

    /// Seconds that the engine has run between two readings, the earlier one first.
    pub fn engine_time(by_device: bool, before: &Self, after: &Self) -> Option<i64> {
        let elapsed = after.recorded_at.saturating_sub(before.recorded_at).max(0);
        increase(by_device, before.engine, after.engine, elapsed / 1_000 + SLACK_S)
    }

    /// What the vehicle did between two readings, the earlier one first; none of what cannot be true, as when it was counted
    /// anew.
    pub fn activity(before: &Self, after: &Self) -> Option<Activity> {
        let most = after.recorded_at.saturating_sub(before.recorded_at).max(0) / 1_000 + SLACK_S;
        let (from, to) = (before.activity, after.activity);
        let done = Activity {
            moving: to.moving.saturating_sub(from.moving),
            idle: to.idle.saturating_sub(from.idle),
            parked: to.parked.saturating_sub(from.parked),
        };
        let is_possible = [done.moving, done.idle, done.parked].iter().all(|seconds| (0..=most).contains(seconds));
        is_possible.then_some(done)
    }

    /// Trips between two readings, the earlier one first; none when that is not known, or they were counted anew.
    pub fn trips(before: &Self, after: &Self) -> Option<i64> {
        Some(after.trips?.saturating_sub(before.trips?)).filter(|trips| *trips >= 0)
    }
}

impl Activity {
    /// Of counters.
    pub fn of(counters: Counters) -> Self {
        let seconds = |millis: u64| whole(millis) / 1_000;
        Self {
            moving: seconds(counters.moving_ms),
            idle: seconds(counters.idle_ms),
            parked: seconds(counters.parked_ms),
        }
    }
}

/// What a meter went up by: by what is chosen, if that tells and can be true, else by what is computed. A device that was put
/// in another's place, or that began to tell, does not make a vehicle drive.
fn increase(by_device: bool, before: MeterValues, after: MeterValues, most: i64) -> Option<i64> {
    let difference = |before: Option<i64>, after: Option<i64>| Some(after?.saturating_sub(before?));
    let by_itself = difference(before.device, after.device).filter(|went| by_device && (0..=most).contains(went));
    let computed = difference(before.computed, after.computed).filter(|went| *went >= 0);
    by_itself.or(computed)
}
