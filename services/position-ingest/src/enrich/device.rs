//! A device as its partition knows it.

use std::{collections::HashMap, sync::Arc};

use armada_proto::{DeviceId, TenantId};
use armada_track::{
    DayEnd, DeviceState, EventKind, EventWatch, MetersRead, OwnMeters, Position, Replacements, Report, SegmentRules,
    TrackState, TrackerId, TripCounter, VehicleEvent,
};
use foldhash::fast::RandomState;

use super::late::Late;
use crate::{
    directory::{
        bindings::{Binding, Bindings},
        tenants::TenantSettings,
    },
    feeds::{meters::MetersOf, vehicle_events::EventOf},
    history::days,
    live::device_day::DeviceDay,
};

/// Days begin at such times, in whatever time zone: what was read last before each is told.
const PART_MS: i64 = 15 * 60 * 1000;

/// The devices of a partition. Each has nearly a kilobyte: boxed, it stays where it is when the map grows.
pub type TrackedDevices = HashMap<DeviceId, Box<TrackedDevice>, RandomState>;

/// A device as its partition knows it.
#[derive(Debug)]
pub struct TrackedDevice {
    /// Its tenant when it was last heard.
    pub tenant: TenantId,
    /// What its next fix is judged by.
    pub state: DeviceState,
    /// What is under way with the vehicle.
    pub watch: EventWatch,
    /// The day of its newest position.
    pub day: DeviceDay,
    /// How many trips it has made.
    pub trips: TripCounter,
    /// Its newest position.
    pub newest: Option<Position>,
    /// Changed since the last checkpoint.
    pub dirty: bool,
    /// Moved forward since live positions were last taken.
    pub(crate) fresh: bool,
    /// The IMEI and the gateway of its newest fix, as far as this owner has seen one.
    pub(crate) route: Option<(TrackerId, Arc<str>)>,
    /// The change of IMEIs with which it came, if it is known that no other partition knows more; see [`Binding::change`].
    pub(crate) change: Option<u64>,
    /// What came late of it and is not taken into account yet.
    pub(crate) late: Option<Box<Late>>,
    /// By which replacements of its tracker its meters were read.
    pub(crate) replaced: Replacements,
    /// The quarter of an hour of its newest fix ends there; 0 when that is not known.
    pub(crate) part_ends: i64,
}

impl TrackedDevice {
    /// Of which nothing is known yet.
    pub fn new(tenant: TenantId) -> Self {
        Self {
            tenant,
            state: DeviceState::default(),
            watch: EventWatch::default(),
            day: DeviceDay::default(),
            trips: TripCounter::default(),
            newest: None,
            dirty: false,
            fresh: false,
            route: None,
            change: None,
            late: None,
            replaced: Replacements::NONE,
            part_ends: 0,
        }
    }

    /// Takes in a position that was stored before, by which nothing is told anew. `received_at` is when the commit batch in
    /// which it was stored was received, milliseconds since 1970.
    pub fn restore(
        &mut self,
        device: DeviceId,
        position: Position,
        received_at: i64,
        bindings: &Bindings,
        settings: &TenantSettings,
    ) {
        if !position.late && self.day.ends_by(position.recorded_at(), settings) {
            // The days that end were stored with it.
            let left = self.left();
            self.begin_day(&left, &position, settings);
        }
        let thresholds = bindings.thresholds(device);
        self.state.restore(&position, &thresholds.motion());
        self.dirty = true;
        let limits = bindings.limits(device);
        self.watch.restore(&position, received_at, limits, bindings.fuel(device).map(AsRef::as_ref));
        if !position.late {
            self.move_to(position, &thresholds.segments());
        }
    }

    /// What is read of its meters now; none before its first fix.
    pub fn meters_of(&self, device: DeviceId) -> Option<MetersOf> {
        let newest = self.newest.as_ref()?;
        let trips = i64::try_from(self.trips.trips()).ok();
        let read = MetersRead { trips, ..self.state.meters(newest) };
        let begin = Some(*self.day.counters()).filter(|counters| counters.day().contains(newest.recorded_at()));
        Some(MetersOf { tenant: self.tenant, device, read, begin, version: 0, correction_at: 0 })
    }

    /// How its newest fix left it.
    pub(crate) fn left(&self) -> TrackState {
        TrackState::of(&self.state, self.trips, self.newest.clone())
    }

    /// Goes on to the day of its newest fix, which ends those before it.
    pub(crate) fn begin_day(
        &mut self,
        left: &TrackState,
        position: &Position,
        settings: &TenantSettings,
    ) -> Vec<DayEnd> {
        let before = self.day.counters().day();
        let at = left.newest.as_ref().map(|last| (last.recorded_at(), last.derived));
        let tenant = self.tenant;
        let ended = DayEnd::between(*self.day.counters(), left, position, |at| days::day_of(settings, tenant, at));
        self.day.go_on(tenant, at, position, settings);
        if self.day.counters().day() == before {
            return Vec::new();
        }
        self.day.count_trips_from(self.trips.trips());
        ended
    }

    /// A fix of a later quarter of an hour comes: what was read last in the one before.
    pub(crate) fn next_part(&mut self, device: DeviceId, recorded_at: i64) -> Option<MetersOf> {
        let part = recorded_at.div_euclid(PART_MS);
        self.part_ends = part.saturating_add(1).saturating_mul(PART_MS);
        self.meters_of(device).filter(|meters| meters.read.recorded_at.div_euclid(PART_MS) < part)
    }

    /// Whether a fix is of the instant of the newest one, and elsewhere.
    pub(crate) fn is_elsewhere_at_its_instant(&self, report: &Report) -> bool {
        let is_elsewhere = |newest: &Position| {
            newest.recorded_at() == report.recorded_at && newest.report.valid && newest.report.place() != report.place()
        };
        report.valid && self.newest.as_ref().is_some_and(is_elsewhere)
    }

    /// Takes in its newest fix; true when that is the first one.
    pub(crate) fn move_to(&mut self, position: Position, rules: &SegmentRules) -> bool {
        self.trips.advance(self.newest.as_ref(), &position, rules);
        self.newest.replace(position).is_none()
    }

    /// What its newest fix shows.
    pub(crate) fn observe(&mut self, binding: &Binding, position: &Position, received_at: i64) -> Vec<EventOf> {
        detected(binding, |events| {
            self.watch.observe(position, received_at, binding.limits, events);
            self.watch.observe_fuel(position, binding.fuel.as_deref(), events);
        })
    }

    /// What its newest fix shows of its meters, where these were before it.
    pub(crate) fn observe_meters(&self, binding: &Binding, report: &Report, before: OwnMeters) -> Vec<EventOf> {
        let (odometer, engine) = self.state.own_meters().resets_since(&before);
        detected(binding, |events| {
            let odometer =
                odometer.map(|reset| VehicleEvent::of_reset(EventKind::OdometerReset, reset, 1_000.0, report));
            let engine =
                engine.map(|reset| VehicleEvent::of_reset(EventKind::EngineHoursReset, reset, 3_600.0, report));
            events.extend(odometer.into_iter().chain(engine));
        })
    }

    /// Reads its meters by the replacements of its tracker that are known from now on; true when fixes that it has sent are to be
    /// derived anew.
    pub(crate) fn follow_replacements(&mut self, replaced: &Replacements) -> bool {
        let Some(from) = self.replaced.differ_from(replaced) else { return false };
        (self.replaced, self.dirty) = (*replaced, true);
        let has_passed = self.state.recorded_at().is_some_and(|newest| from <= newest);
        if has_passed {
            self.note_late(from);
        }
        has_passed
    }

    /// What a fix shows that came late.
    pub(crate) fn observe_late(&mut self, binding: &Binding, position: &Position, received_at: i64) -> Vec<EventOf> {
        detected(binding, |events| self.watch.observe_late(&position.report, received_at, events))
    }

    /// Notes that it said a fix again at `received_at`, in milliseconds since 1970: it is connected.
    pub(crate) fn hear(&mut self, received_at: i64) {
        self.watch.hear(received_at);
        self.dirty = true;
    }

    /// What a fix with an alarm shows that is not stored: see [`EventWatch::observe_alarm`].
    pub(crate) fn observe_alarm(
        &mut self,
        binding: &Binding,
        report: &Report,
        received_at: i64,
        is_unplaced: bool,
    ) -> Vec<EventOf> {
        let events = detected(binding, |events| self.watch.observe_alarm(report, received_at, is_unplaced, events));
        self.dirty |= !events.is_empty();
        events
    }

    /// What the passing of time shows, see [`EventWatch::tick`].
    pub(crate) fn tick(&mut self, binding: &Binding, now: i64, heard_since: i64) -> Vec<EventOf> {
        let Some(newest) = &self.newest else { return Vec::new() };
        let events = detected(binding, |events| self.watch.tick(newest, now, heard_since, binding.limits, events));
        self.dirty |= !events.is_empty();
        events
    }
}

/// What happened to a vehicle that is in use; nobody is told of one that is not. Allocates nothing while nothing happens.
fn detected(binding: &Binding, detect: impl FnOnce(&mut Vec<VehicleEvent>)) -> Vec<EventOf> {
    let mut events = Vec::new();
    detect(&mut events);
    if binding.inactive {
        events.clear();
    }
    let (tenant, device) = (binding.tenant, binding.device);
    events.into_iter().map(|event| EventOf { tenant, device, event }).collect()
}
