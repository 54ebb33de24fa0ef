//! What is under way with a vehicle, so that each happening is noticed once: from its newest fix, from one that came late, and
//! from the passing of time.

use std::{borrow::Cow, iter};

use super::{
    driving::{Driven, Former, Harsh, Overspeed, Tow},
    event::{EventKind, VehicleEvent, of_alarm},
};
use crate::{
    fuel::{FuelSensor, FuelWatch},
    position::{
        alarm_names::{MAX_ALARMS, alarms},
        enriched::{Motion, Position},
        geodesy::Place,
        report::{Report, Text},
    },
    trips::thresholds::DeviceThresholds,
};

/// An alarm without a place that comes so long after the one of its fix was told is another one, milliseconds.
const AGAIN_MS: i64 = 10 * 60_000;

/// A tracker's battery is low below so many per cent, and not low any more from so many on.
const LOW_BATTERY: u8 = 20;
const CHARGED_BATTERY: u8 = 30;

/// What was raised, and is not raised again before it has ended.
const OFFLINE: u8 = 1;
const PARKED: u8 = 2;
const IDLING: u8 = 4;
const BATTERY: u8 = 8;

/// What a vehicle may. The default allows any speed and any park, and the usual idling and silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventLimits {
    /// Its highest speed, 0.1 km/h; 0 for none.
    pub speed: u32,
    /// How long it may be parked, seconds; 0 for ever.
    pub parking_s: u32,
    /// How long it may stand with the engine on, seconds.
    pub idle_s: u32,
    /// After how long without a fix it is offline, seconds.
    pub offline_s: u32,
    /// How far it has to be moved with the ignition off to be towed, metres.
    pub tow_m: u32,
    /// Somebody said that its tracker is connected to the ignition.
    pub wired: bool,
}

impl Default for EventLimits {
    fn default() -> Self {
        let DeviceThresholds { idle_alert_seconds, offline_seconds, tow_distance, .. } = DeviceThresholds::DEFAULT;
        Self {
            speed: 0,
            parking_s: 0,
            idle_s: idle_alert_seconds,
            offline_s: offline_seconds,
            tow_m: tow_distance,
            wired: false,
        }
    }
}

impl EventLimits {
    fn parking_ms(self) -> Option<i64> {
        (self.parking_s > 0).then(|| i64::from(self.parking_s) * 1000)
    }

    fn idle_ms(self) -> i64 {
        i64::from(self.idle_s) * 1000
    }

    fn offline_ms(self) -> i64 {
        i64::from(self.offline_s) * 1000
    }
}

/// Fixes of which it is known that an alarm was told.
pub(super) const TOLD_MAX: usize = 3;

/// A fix of which an alarm was told: when it was recorded, and when it came, milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) recorded_at: i64,
    pub(super) received_at: i64,
}

/// What is under way with a vehicle, so that each happening is noticed once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventWatch {
    /// What was raised of it and has not ended.
    pub(super) raised: u8,
    /// As last reported.
    pub(super) ignition: Option<bool>,
    /// That of the newest fix, and of the last one that came late.
    pub(super) alarm: Option<Text>,
    pub(super) late_alarm: Option<Text>,
    /// When the last fix was recorded that came late with an alarm, milliseconds since 1970.
    pub(super) late_at: i64,
    /// The last fixes of which an alarm was told, the last one first: trackers that see no sky call with several at once.
    pub(super) told: [Option<Told>; TOLD_MAX],
    /// When the newest fix was recorded, 0 before the first, and where.
    pub(super) newest: i64,
    pub(super) place: Place,
    /// Since when it has done what it did at the newest fix, as far as it was heard all the time.
    pub(super) motion_since: i64,
    pub(super) driven: Option<Driven>,
    pub(super) overspeed: Option<Overspeed>,
    pub(super) tow: Option<Tow>,
    pub(super) harsh: Harsh,
    /// Of one that is offline the last fix before it was, milliseconds since 1970; 0 where that is not known.
    pub(super) silent_since: i64,
    /// When something came of it last that was no newer fix, milliseconds since 1970; 0 for never.
    pub(super) heard_at: i64,
    /// Of a vehicle that reports its fuel.
    pub(super) fuel: Option<Box<FuelWatch>>,
}

impl EventWatch {
    /// Takes in the newest fix of the vehicle, which came at `received_at`, and adds what it shows to `events`.
    pub fn observe(
        &mut self,
        position: &Position,
        received_at: i64,
        limits: EventLimits,
        events: &mut Vec<VehicleEvent>,
    ) {
        let position = &*self.placed(position);
        let report = &position.report;
        self.observe_contact(report, received_at, limits, events);
        self.ignite(position, events);
        self.see_motion(position, limits, events);
        self.see_battery(report, events);
        let is_fast = self.observe_alarms(report, received_at, limits, events);
        if position.is_good() {
            self.drive(position, limits, is_fast, events);
        }
        (self.newest, self.place) = (report.recorded_at, report.place());
    }

    /// Takes in what the newest fix says of fuel, as `sensor` reads it, or as the tracker says it where there is none, and adds
    /// the fill or the drain that it shows to `events`.
    pub fn observe_fuel(&mut self, position: &Position, sensor: Option<&FuelSensor>, events: &mut Vec<VehicleEvent>) {
        let sensor = sensor.unwrap_or(FuelSensor::plain());
        let Some(litres) = sensor.level(&position.report).litres else { return };
        let watch = self.fuel.get_or_insert_with(Box::default);
        events.extend(watch.observe(position, litres, sensor).map(VehicleEvent::of_fuel));
    }

    /// Takes in a position that was stored before and received at `received_at`, about which nothing is told anew. Applied, in
    /// the order of storage, to what was saved before them, it leaves what was under way when the last one was observed.
    pub fn restore(&mut self, position: &Position, received_at: i64, limits: EventLimits, sensor: Option<&FuelSensor>) {
        let mut raised_before = Vec::new();
        if position.late {
            self.observe_late(&position.report, received_at, &mut raised_before);
        } else {
            self.observe(position, received_at, limits, &mut raised_before);
            self.observe_fuel(position, sensor, &mut raised_before);
        }
    }

    /// Takes in a fix that came late. Of the past only alarms are told: the step over it was judged without it, and nothing that
    /// is under way changes.
    pub fn observe_late(&mut self, report: &Report, received_at: i64, events: &mut Vec<VehicleEvent>) {
        self.hear(received_at);
        if report.recorded_at.saturating_sub(self.late_at).saturating_abs() >= AGAIN_MS {
            self.late_alarm = None;
        }
        if report.alarm.is_some() {
            self.late_at = report.recorded_at;
        }
        let earlier = events.len();
        raise(&mut self.late_alarm, report, events);
        if self.overspeed.is_some_and(|overspeed| overspeed.has_told(report.recorded_at, self.newest)) {
            let late = events.split_off(earlier);
            events.extend(late.into_iter().filter(|event| event.kind != EventKind::Overspeed));
        }
        // It may have been told when it was the newest: then that was no more than the same once more.
        let is_new = self.told_of(report).is_none();
        self.tell_again(report, received_at, is_new, events);
    }

    /// Takes in a fix that says nothing new, or, if it `is_unplaced`, one without a place of a vehicle whose place was never
    /// known, and adds the alarms that it raises to `events`.
    pub fn observe_alarm(
        &mut self,
        report: &Report,
        received_at: i64,
        is_unplaced: bool,
        events: &mut Vec<VehicleEvent>,
    ) {
        let here = Report { lat: self.place.lat, lng: self.place.lng, ..report.clone() };
        if is_unplaced {
            let is_another = |told: Told| {
                told.recorded_at != report.recorded_at && received_at.saturating_sub(told.received_at) >= AGAIN_MS
            };
            if self.told[0].is_some_and(is_another) {
                self.alarm = None;
            }
            raise(&mut self.alarm, &here, events);
        }
        self.tell_again(&here, received_at, true, events);
    }

    /// Notes that something came at `received_at`, in milliseconds since 1970, that is no newer fix: a tracker whose clock stands,
    /// and one that sends what it had kept, are connected, whatever they say.
    pub fn hear(&mut self, received_at: i64) {
        self.heard_at = received_at;
    }

    fn told_of(&self, report: &Report) -> Option<Told> {
        self.told.into_iter().flatten().find(|told| told.recorded_at == report.recorded_at)
    }

    /// A tracker that sees no sky says the time and the place of its last fix, whenever it calls: what comes long after the
    /// alarm of that fix was told is another call. It happened when it came. If `is_new`, what was raised of it just now was
    /// never told before.
    fn tell_again(&mut self, report: &Report, received_at: i64, is_new: bool, events: &mut Vec<VehicleEvent>) {
        let Some(alarm) = report.alarm.as_deref() else { return };
        let raised = is_new && events.iter().any(|event| event.is_alarm_of(report));
        let told = self.told_of(report);
        let overdue = told.is_some_and(|told| received_at.saturating_sub(told.received_at) >= AGAIN_MS);
        if !raised && !report.valid && overdue {
            let again = Report { recorded_at: received_at, ..report.clone() };
            events.extend(kinds(Some(alarm)).map(|kind| VehicleEvent::at(kind, &again)));
        }
        if raised || overdue || told.is_none() {
            let others = self.told.into_iter().flatten().filter(|told| told.recorded_at != report.recorded_at);
            let now = Told { recorded_at: report.recorded_at, received_at };
            let mut told = iter::once(now).chain(others).map(Some);
            self.told = std::array::from_fn(|_| told.next().flatten());
        }
    }

    /// What the passing of time shows of a vehicle that says nothing: it is `now`, in milliseconds since 1970, and what
    /// vehicles say was heard since `heard_since`. `newest` is its newest position.
    pub fn tick(
        &mut self,
        newest: &Position,
        now: i64,
        heard_since: i64,
        limits: EventLimits,
        events: &mut Vec<VehicleEvent>,
    ) {
        let newest = &*self.placed(newest);
        let recorded_at = newest.recorded_at();
        if now.saturating_sub(recorded_at.max(heard_since).max(self.heard_at)) > limits.offline_ms() {
            self.fall_silent(recorded_at, newest.report.place(), limits, events);
        }
        if newest.derived.motion == Motion::Parked {
            self.park(newest, now, limits, events);
        }
    }

    /// What is told from elsewhere happened where the vehicle was seen before it.
    fn placed<'a>(&self, position: &'a Position) -> Cow<'a, Position> {
        if !position.is_elsewhere() || self.newest == 0 {
            return Cow::Borrowed(position);
        }
        let report = Report { lat: self.place.lat, lng: self.place.lng, ..position.report.clone() };
        Cow::Owned(Position { report, ..position.clone() })
    }

    /// Silent for too long before this fix, or heard again with it.
    fn observe_contact(
        &mut self,
        report: &Report,
        received_at: i64,
        limits: EventLimits,
        events: &mut Vec<VehicleEvent>,
    ) {
        if self.was_silent(report, limits) && report.recorded_at.saturating_sub(self.heard_at) > limits.offline_ms() {
            self.fall_silent(self.newest, self.place, limits, events);
        }
        // What a tracker had kept for later says nothing of now.
        let is_fresh = received_at.saturating_sub(report.recorded_at) <= limits.offline_ms();
        if self.raised & OFFLINE != 0 && is_fresh {
            self.raised &= !OFFLINE;
            let since = if self.silent_since == 0 { self.newest } else { self.silent_since };
            self.silent_since = 0;
            // Of what it had kept, and sent before this fix, the times say nothing of when it was heard again.
            let heard_at = if since == self.newest { report.recorded_at } else { received_at.max(report.recorded_at) };
            let silent_ms = heard_at.saturating_sub(since);
            let event = VehicleEvent::at(EventKind::Online, report).measured(seconds(silent_ms), None);
            let occurred_at = report.recorded_at.max(since.saturating_add(limits.offline_ms()));
            events.push(VehicleEvent { occurred_at, ..event });
        }
    }

    fn was_silent(&self, report: &Report, limits: EventLimits) -> bool {
        self.newest != 0 && report.recorded_at.saturating_sub(self.newest) > limits.offline_ms()
    }

    fn fall_silent(&mut self, newest: i64, place: Place, limits: EventLimits, events: &mut Vec<VehicleEvent>) {
        if self.mark_raised(OFFLINE) {
            self.silent_since = newest;
            let event = VehicleEvent::at(EventKind::Offline, &Report::new(newest, place.lat, place.lng));
            let occurred_at = newest.saturating_add(limits.offline_ms());
            events.push(VehicleEvent { occurred_at, ..event.lasting(newest) });
        }
    }

    fn ignite(&mut self, position: &Position, events: &mut Vec<VehicleEvent>) {
        let ignition = position.derived.ignition;
        if let (Some(before), Some(now)) = (self.ignition, ignition)
            && before != now
        {
            let kind = if now { EventKind::IgnitionOn } else { EventKind::IgnitionOff };
            events.push(VehicleEvent::at(kind, &position.report));
        }
        self.ignition = ignition.or(self.ignition);
    }

    fn see_motion(&mut self, position: &Position, limits: EventLimits, events: &mut Vec<VehicleEvent>) {
        let (report, derived) = (&position.report, &position.derived);
        let idles = derived.motion == Motion::Idle;
        // Nobody knows whether the engine was on while nothing was heard.
        let begins_anew = idles && self.was_silent(report, limits);
        let since = if begins_anew { report.recorded_at } else { derived.motion_since.max(self.motion_since) };
        if since != self.motion_since {
            self.motion_since = since;
            self.raised &= !(PARKED | IDLING);
        }
        if derived.motion == Motion::Parked {
            self.park(position, report.recorded_at, limits, events);
        }
        let lasted_ms = report.recorded_at.saturating_sub(since);
        if idles && lasted_ms >= limits.idle_ms() && self.mark_raised(IDLING) {
            let event = VehicleEvent::at(EventKind::Idling, report).lasting(since);
            events.push(event.measured(seconds(lasted_ms), Some(seconds(limits.idle_ms()))));
        }
    }

    /// Parked at `position`, and nothing else is known at `now`.
    fn park(&mut self, position: &Position, now: i64, limits: EventLimits, events: &mut Vec<VehicleEvent>) {
        let since = position.derived.motion_since;
        let Some(limit_ms) = limits.parking_ms() else { return };
        if now.saturating_sub(since) < limit_ms || !self.mark_raised(PARKED) {
            return;
        }
        let event = VehicleEvent::at(EventKind::ParkedTooLong, &position.report).lasting(since);
        let event = event.measured(seconds(limit_ms), Some(seconds(limit_ms)));
        events.push(VehicleEvent { occurred_at: since.saturating_add(limit_ms), speed: None, ..event });
    }

    fn see_battery(&mut self, report: &Report, events: &mut Vec<VehicleEvent>) {
        match report.batt_percent {
            Some(percent) if percent < LOW_BATTERY && self.mark_raised(BATTERY) => {
                let event = VehicleEvent::at(EventKind::LowBattery, report);
                events.push(event.measured(f64::from(percent), Some(f64::from(LOW_BATTERY))));
            }
            Some(percent) if percent >= CHARGED_BATTERY => self.raised &= !BATTERY,
            _ => {}
        }
    }

    /// What the tracker raises itself; true when that is that the vehicle goes too fast.
    fn observe_alarms(
        &mut self,
        report: &Report,
        received_at: i64,
        limits: EventLimits,
        events: &mut Vec<VehicleEvent>,
    ) -> bool {
        let earlier = events.len();
        raise(&mut self.alarm, report, events);
        self.tell_again(report, received_at, true, events);
        let Some(alarm) = report.alarm.as_deref() else { return false };
        let is_fast = limits.speed > 0 && kinds(Some(alarm)).any(|kind| kind == EventKind::Overspeed);
        if is_fast {
            let mut raised = events.split_off(earlier);
            let before = self.overspeed_until(report, limits);
            self.overspeed = Some(Overspeed::join(before, report, limits.speed, &mut raised));
            events.append(&mut raised);
        }
        is_fast
    }

    /// The overspeed that was under way at the fix before, if it goes on to this one.
    fn overspeed_until(&self, report: &Report, limits: EventLimits) -> Option<Overspeed> {
        let is_good = self.driven.is_some_and(|driven| driven.is_of(self.newest));
        let former = Former { at: self.newest, place: self.place, is_good };
        self.overspeed?.until(report, former, limits.speed, limits.offline_ms())
    }

    fn drive(&mut self, position: &Position, limits: EventLimits, is_fast: bool, events: &mut Vec<VehicleEvent>) {
        let report = &position.report;
        let overspeed = self.overspeed_until(report, limits);
        let now = Driven::of(report);
        let is_near = matches!((&self.driven, &now), (Some(before), Some(now)) if before.is_near(now));
        if let (Some(before), Some(now)) = (self.driven, now) {
            events.extend(
                self.harsh
                    .see(before, now)
                    .map(|(kind, value, limit)| VehicleEvent::at(kind, report).measured(value, Some(limit))),
            );
        }
        if !is_near {
            self.driven = now;
        }
        if !is_fast {
            events.extend(Overspeed::see(&mut self.overspeed, overspeed, report, limits.speed));
        }
        events.extend(Tow::see(&mut self.tow, position, limits.wired, limits.tow_m));
    }

    /// Marks something as raised; false when it was raised before.
    fn mark_raised(&mut self, what: u8) -> bool {
        let is_new = self.raised & what == 0;
        self.raised |= what;
        is_new
    }
}

/// An alarm of a fix is raised unless it stands already, be it by another name.
fn raise(standing: &mut Option<Text>, report: &Report, events: &mut Vec<VehicleEvent>) {
    if *standing == report.alarm {
        return;
    }
    let mut known: Vec<EventKind> = kinds(standing.as_deref()).collect();
    for kind in kinds(report.alarm.as_deref()).take(MAX_ALARMS) {
        if !known.contains(&kind) {
            events.push(VehicleEvent::at(kind.clone(), report));
            known.push(kind);
        }
    }
    standing.clone_from(&report.alarm);
}

/// What the alarms of a fix are.
fn kinds(alarm: Option<&str>) -> impl Iterator<Item = EventKind> {
    alarms(alarm.unwrap_or_default()).filter_map(of_alarm)
}

fn seconds(ms: i64) -> f64 {
    ms as f64 / 1000.0
}
