//! What an event of a vehicle is, and what kinds of them there are.

use std::borrow::Cow;

use armada_proto::alarm::name_of;

use crate::{
    fuel::FuelChange,
    meters::own::MeterReset,
    position::{
        alarm_names::alarms,
        alarm_table::{KnownAlarm, known_alarm, says_none},
        geodesy::Place,
        report::{Report, Text},
        token::token,
    },
};

/// Something that has happened to a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleEvent {
    /// What.
    pub kind: EventKind,
    /// When, milliseconds since 1970.
    pub occurred_at: i64,
    /// What tells it from other events of its kind of this vehicle, milliseconds since 1970: the fix that shows it, or the
    /// one with which that began which lasts.
    pub key: i64,
    /// Where, if that is known.
    pub place: Option<Place>,
    /// 0.1 km/h.
    pub speed: Option<u32>,
    /// What was measured, in the unit of the kind.
    pub value: Option<f64>,
    /// What it was measured against, in the same unit.
    pub limit: Option<f64>,
    /// When that began which had lasted too long, milliseconds since 1970.
    pub since: Option<i64>,
    /// Of what fixes show that lie far apart: how far at most, seconds.
    pub fixes_apart_seconds: Option<u32>,
    /// What there is to say of a fill or a drain.
    pub fuel: Option<FuelChange>,
    /// Of what has changed at once: what it was before, and what it is, in the unit of the kind.
    pub change: Option<(f64, f64)>,
}

impl VehicleEvent {
    /// Shown by a fix.
    pub(super) fn at(kind: EventKind, report: &Report) -> Self {
        let place = report.place();
        Self {
            kind,
            occurred_at: report.recorded_at,
            key: report.recorded_at,
            place: (place != Place::default()).then_some(place),
            speed: report.speed,
            value: None,
            limit: None,
            since: None,
            fixes_apart_seconds: None,
            fuel: None,
            change: None,
        }
    }

    /// Whether an alarm of that fix is it.
    pub(super) fn is_alarm_of(&self, report: &Report) -> bool {
        let kinds = |alarm: &str| alarms(alarm).filter_map(of_alarm).any(|kind| kind == self.kind);
        self.key == report.recorded_at && report.alarm.as_deref().is_some_and(kinds)
    }

    /// A fill, or a drain.
    pub(super) fn of_fuel(change: FuelChange) -> Self {
        let FuelChange { rises, at, place, litres, before, after, .. } = change;
        let in_litres = |tenths: u32| f64::from(tenths) / 10.0;
        let kind = if rises { EventKind::FuelFill } else { EventKind::FuelDrain };
        let event = Self::at(kind, &Report::new(at, place.lat, place.lng));
        let levels = Some((in_litres(before), in_litres(after)));
        Self { fuel: Some(change), change: levels, ..event.measured(in_litres(litres), None) }
    }

    /// A meter that a fix shows to be another one; the unit of the kind has so many metres, or seconds.
    pub fn of_reset(kind: EventKind, reset: MeterReset, unit: f64, report: &Report) -> Self {
        let MeterReset { before, after } = reset;
        Self { change: Some((before as f64 / unit, after as f64 / unit)), ..Self::at(kind, report) }
    }

    /// With what was measured.
    pub(super) fn measured(self, value: f64, limit: Option<f64>) -> Self {
        Self { value: Some(value), limit, ..self }
    }

    /// Of something that has lasted since then.
    pub(super) fn lasting(self, since: i64) -> Self {
        Self { key: since, since: Some(since), ..self }
    }
}

/// What has happened to a vehicle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Nothing was heard of it for too long.
    Offline,
    /// It is heard again. Measured are the seconds that it was silent.
    Online,
    /// External power was cut off from its tracker.
    PowerCut,
    /// The battery of its tracker is low. Measured are per cent.
    LowBattery,
    /// The ignition was switched on.
    IgnitionOn,
    /// The ignition was switched off.
    IgnitionOff,
    /// It has been parked for longer than it may. Measured are seconds.
    ParkedTooLong,
    /// It has stood with the engine on for too long. Measured are seconds.
    Idling,
    /// It has gone faster than it may for some time. Measured are km/h.
    Overspeed,
    /// It gained speed harshly. Measured are m/s².
    HarshAcceleration,
    /// It lost speed harshly. Measured are m/s².
    HarshBraking,
    /// It took a bend harshly. Measured are m/s².
    HarshCornering,
    /// It moves with the ignition off.
    Towing,
    /// Its tracker says a lower odometer than before, in kilometres.
    OdometerReset,
    /// Its tracker says fewer engine hours than before.
    EngineHoursReset,
    /// Its tank was filled. Measured are litres.
    FuelFill,
    /// Fuel was taken out of its tank. Measured are litres.
    FuelDrain,
    /// Its tracker raised another alarm.
    Alarm(Text),
}

impl EventKind {
    /// `<module>.<what>`, of which subjects are made: small letters, digits and underscores, and one dot. The name of an alarm may
    /// have characters of other scripts.
    pub fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Offline => "device.offline",
            Self::Online => "device.online",
            Self::PowerCut => "device.power_cut",
            Self::LowBattery => "device.low_battery",
            Self::IgnitionOn => "vehicle.ignition_on",
            Self::IgnitionOff => "vehicle.ignition_off",
            Self::ParkedTooLong => "vehicle.parked_too_long",
            Self::Idling => "vehicle.idling",
            Self::Overspeed => "vehicle.overspeed",
            Self::HarshAcceleration => "vehicle.harsh_acceleration",
            Self::HarshBraking => "vehicle.harsh_braking",
            Self::HarshCornering => "vehicle.harsh_cornering",
            Self::Towing => "vehicle.towing",
            Self::OdometerReset => "device.odometer_reset",
            Self::EngineHoursReset => "device.engine_hours_reset",
            Self::FuelFill => "fuel.fill",
            Self::FuelDrain => "fuel.drain",
            Self::Alarm(name) => return Cow::Owned(format!("alarm.{}", token(name))),
        })
    }
}

/// The kind of an alarm that a tracker raises: that of what Armada would notice itself where it is the same, so that whoever
/// wants to hear of it asks for one kind; none where the name says that there is no alarm.
pub(super) fn of_alarm(name: &str) -> Option<EventKind> {
    if says_none(name) {
        return None;
    }
    let Some(KnownAlarm { kind, .. }) = known_alarm(name) else { return Some(EventKind::Alarm(name.into())) };
    Some(match *kind {
        "device.power_cut" => EventKind::PowerCut,
        "device.low_battery" => EventKind::LowBattery,
        "vehicle.idling" => EventKind::Idling,
        "vehicle.overspeed" => EventKind::Overspeed,
        "vehicle.harsh_acceleration" => EventKind::HarshAcceleration,
        "vehicle.harsh_braking" => EventKind::HarshBraking,
        "vehicle.harsh_cornering" => EventKind::HarshCornering,
        "vehicle.towing" => EventKind::Towing,
        other => EventKind::Alarm(name_of(other).into()),
    })
}
