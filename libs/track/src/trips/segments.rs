//! Trips and stops, from a sequence of positions.
//!
//! A vehicle that does not move for [`SegmentRules::stop_ms`] or longer has **stopped** since it came to stand; a shorter halt
//! belongs to its trip. A **trip** is what lies between stops. One that is shorter than [`SegmentRules::min_trip_ms`], or
//! leads less than [`SegmentRules::min_trip_dm`] from fix to fix, is a manoeuvre and belongs to the stops around it. Where
//! fixes are more than [`SegmentRules::gap_ms`] apart there is **no data**, unless the vehicle was parked before and is found
//! where it was: then it has stopped there all the time, even if it moves off with that fix. A vehicle that moved, was silent for
//! [`SegmentRules::stop_ms`] or longer, and did not come as far as it would have driven, has stopped as well when it is found near
//! where it was; else there is no data.
//!
//! The time between two fixes belongs to what the vehicle did at the earlier one, as in [`crate::DeviceState`], and the
//! distance between them to where it ended: segments follow each other without a gap and nothing counts twice. A window that begins
//! or ends between two fixes has its part of the step ([`crate::Counters::between`]). Standing with
//! the engine on for less than [`SegmentRules::idle_ms`] is traffic, and counts as no **idle** time. The highest speed is one that
//! [places confirm](confirmed_speed).

pub use armada_proto::v1::TrackSegmentKind as SegmentKind;
use armada_proto::{Timestamp, v1::TrackSegment};

use crate::{
    motion::device_state::Thresholds,
    position::{
        enriched::{Derived, Motion, Position},
        geodesy::{Place, step_dm, step_m},
    },
    trips::edges::between,
};

/// Gained, or lost, by vehicles on the road at most: m/s².
const FASTEST_GAIN: f64 = 5.0;
/// Slower speeds, 0.1 km/h, are not doubted for the sake of a record.
const SURELY_TRUE: u32 = 600;
/// Metres that a receiver may be off.
const NOISE_M: f64 = 15.0;

/// What divides trips from stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRules {
    /// A halt of so many milliseconds is a stop.
    pub stop_ms: i64,
    /// A trip takes no less, milliseconds.
    pub min_trip_ms: i64,
    /// A trip leads no less far, decimetres.
    pub min_trip_dm: u64,
    /// Between fixes further apart, in milliseconds, nothing is known.
    pub gap_ms: i64,
    /// Standing with the engine on for less, in milliseconds, counts as no idle time.
    pub idle_ms: i64,
}

/// A trip, a stop, or a time of which nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Which of them.
    pub kind: SegmentKind,
    /// Where and when it began.
    pub start: Mark,
    /// Where and when it ended: where the next one begins.
    pub end: Mark,
    /// Decimetres.
    pub distance_dm: u64,
    /// Milliseconds moving.
    pub moving_ms: u64,
    /// Milliseconds with the engine on that the vehicle did not move, each time for [`SegmentRules::idle_ms`] or longer.
    pub idle_ms: u64,
    /// Milliseconds with the engine on.
    pub engine_ms: u64,
    /// The highest speed of a good fix that its place confirms, 0.1 km/h.
    pub max_speed: Option<u32>,
    /// Fixes in it; one at its end belongs to the next one.
    pub fixes: u32,
}

/// A place at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Milliseconds since 1970.
    pub at: i64,
    /// Where.
    pub place: Place,
}

impl Segment {
    fn begin(kind: SegmentKind, start: Mark) -> Self {
        Self { kind, start, end: start, ..Self::default() }
    }

    /// A time of which nothing is known, from one fix to the next one.
    fn lost(from: &Last, to: &Last, rules: &SegmentRules) -> Self {
        let mut lost = Self::begin(SegmentKind::NoData, from.mark);
        lost.step(&from.derived, &to.derived, to.mark);
        lost.idle_ms = Idling::default().advance(&from.derived, to, rules.idle_ms);
        lost
    }

    /// How long it took, milliseconds.
    pub fn duration_ms(&self) -> i64 {
        self.end.at.saturating_sub(self.start.at)
    }

    /// As the edge shows it; `ongoing` when its end is only that of what is known.
    pub fn to_message(&self, ongoing: bool) -> TrackSegment {
        let ((start_lat, start_lng), (end_lat, end_lng)) = (self.start.place.degrees(), self.end.place.degrees());
        let seconds = |ms: u64| ms as f64 / 1000.0;
        TrackSegment {
            kind: self.kind.into(),
            from: Some(Timestamp::from_millis(self.start.at)),
            to: Some(Timestamp::from_millis(self.end.at)),
            start_lat,
            start_lng,
            end_lat,
            end_lng,
            distance: self.distance_dm as f64 / 10.0,
            moving_seconds: seconds(self.moving_ms),
            idle_seconds: seconds(self.idle_ms),
            engine_seconds: seconds(self.engine_ms),
            max_speed: self.max_speed.map(|speed| f64::from(speed) / 10.0),
            fixes: self.fixes,
            ongoing,
        }
    }

    /// Takes in what follows it.
    fn append(&mut self, next: &Self) {
        self.end = next.end;
        self.distance_dm += next.distance_dm;
        self.moving_ms += next.moving_ms;
        self.idle_ms += next.idle_ms;
        self.engine_ms += next.engine_ms;
        self.max_speed = self.max_speed.max(next.max_speed);
        self.fixes += next.fixes;
    }

    /// The way from one fix of it to the next one, which may be the first of the next segment. What of it is idle time is
    /// counted by [`Idling`].
    fn step(&mut self, from: &Derived, to: &Derived, end: Mark) {
        self.end = end;
        self.distance_dm += to.distance_dm.saturating_sub(from.distance_dm);
        self.moving_ms += to.moving_ms.saturating_sub(from.moving_ms);
        self.engine_ms += to.engine_ms.saturating_sub(from.engine_ms);
    }

    /// Takes in a fix, whose speed may be a record.
    fn count(&mut self, fix: Option<Fix>) {
        let Some(Fix { speed }) = fix else { return };
        self.fixes += 1;
        self.max_speed = self.max_speed.max(speed);
    }
}

/// A fix, with the speed that is confirmed of it, 0.1 km/h.
#[derive(Clone, Copy, Debug)]
struct Fix {
    speed: Option<u32>,
}

/// Where a window cuts a step: in a time of which nothing is known, or not.
enum Edge {
    Lost(Position),
    Known(Position),
}

/// Divides a track, position by position. What it keeps grows with the segments, not with the positions.
#[derive(Clone, Debug)]
pub struct Segmenter {
    rules: SegmentRules,
    done: Vec<Segment>,
    open: Option<Open>,
}

/// The runs of fixes that were not decided yet: a trip and the halt that may end it, or a stop alone.
#[derive(Clone, Debug)]
struct Open {
    trip: Option<Segment>,
    halt: Option<Segment>,
    /// Since when it has not moved: before the halt where the track begins in the middle of one.
    standing_since: i64,
    idling: Idling,
    last: Last,
}

/// A fix as the next one goes on from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    mark: Mark,
    derived: Derived,
}

/// A standing with the engine on, as far as it was heard.
#[derive(Clone, Copy, Debug, Default)]
struct Idling {
    /// Since when, milliseconds since 1970; absent while it does something else.
    since: Option<i64>,
    /// Milliseconds of it that are no idle time, unless it goes on.
    waiting_ms: u64,
}

impl Idling {
    fn since(last: &Last, since: i64) -> Self {
        Self { since: (last.derived.motion == Motion::Idle).then_some(since), waiting_ms: 0 }
    }

    /// Goes on from one fix to the next one. What is idle time from now on, in milliseconds.
    fn advance(&mut self, before: &Derived, now: &Last, idle_ms: i64) -> u64 {
        let step_ms = now.derived.idle_ms.saturating_sub(before.idle_ms);
        self.waiting_ms += step_ms;
        let lasted_ms = match self.since {
            Some(since) => now.mark.at.saturating_sub(since),
            None => i64::try_from(step_ms).unwrap_or(i64::MAX),
        };
        let counted_ms = if lasted_ms >= idle_ms { std::mem::take(&mut self.waiting_ms) } else { 0 };
        if now.derived.motion != Motion::Idle || self.since.is_none() {
            *self = Self::since(now, now.mark.at);
        }
        counted_ms
    }
}

impl Segmenter {
    /// Divides by these rules.
    pub fn new(rules: SegmentRules) -> Self {
        Self { rules, done: Vec::new(), open: None }
    }

    /// Begins between two positions that follow each other, milliseconds since 1970; `next` is then pushed first.
    pub fn begin_within(&mut self, before: &Position, next: &Position, at: i64) {
        if !(before.derived.is_present() && next.derived.is_present()) {
            return;
        }
        match self.edge(before, next, at) {
            Edge::Lost(edge) => self.done.push(Segment::lost(&Last::of(&edge), &Last::of(next), &self.rules)),
            Edge::Known(edge) => self.take(&edge, None),
        }
    }

    /// All segments up to an instant between the last position and the one that follows it, milliseconds since 1970.
    pub fn finish_within(mut self, last: &Position, next: &Position, at: i64) -> Vec<Segment> {
        if !(last.derived.is_present() && next.derived.is_present()) {
            return self.finish(at);
        }
        match self.edge(last, next, at) {
            Edge::Lost(edge) => {
                if let Some(mut open) = self.open.take() {
                    open.close(&self.rules, &mut self.done);
                }
                self.done.push(Segment::lost(&Last::of(last), &Last::of(&edge), &self.rules));
            }
            Edge::Known(edge) => self.take(&edge, None),
        }
        self.finish(at)
    }

    fn edge(&self, before: &Position, next: &Position, at: i64) -> Edge {
        let mut edge = between(before, next, at);
        match Silence::between(&Last::of(before), &Last::of(next), &self.rules) {
            Silence::Lost => return Edge::Lost(edge),
            Silence::Stood => edge.derived.motion = Motion::Parked,
            Silence::None => {}
        }
        Edge::Known(edge)
    }

    /// Takes in the next position; they ascend in time. Those of which nothing was derived are passed over.
    pub fn push(&mut self, position: &Position) {
        if position.derived.is_present() {
            let speed = confirmed_speed(self.open.as_ref().map(|open| &open.last.mark), position);
            self.take(position, Some(Fix { speed }));
        }
    }

    /// The edge of a window is no fix.
    fn take(&mut self, position: &Position, fix: Option<Fix>) {
        let last = match &self.open {
            Some(open) => open.last.behind(position),
            None => Last::of(position),
        };
        let mark = last.mark;
        let Some(mut open) = self.open.take() else {
            let mut first = Open::at(last, fix);
            // It may have stood before what was asked for.
            first.standing_since = first.standing_since.min(last.derived.motion_since);
            first.idling = Idling::since(&last, mark.at.min(last.derived.motion_since));
            self.open = Some(first);
            return;
        };
        let silence = Silence::between(&open.last, &last, &self.rules);
        if silence == Silence::Lost {
            let gap = Segment::lost(&open.last, &last, &self.rules);
            open.close(&self.rules, &mut self.done);
            self.done.push(gap);
            self.open = Some(Open::at(last, fix));
            return;
        }
        if silence == Silence::Stood {
            open.stop();
        }
        open.advance(&self.rules, last, fix, &mut self.done);
        self.open = Some(open);
    }

    /// All segments, in the order of time. `until`, in milliseconds since 1970, is how far the track was asked for: a
    /// vehicle that has not been heard since it came to stand may have stopped by then.
    pub fn finish(mut self, until: i64) -> Vec<Segment> {
        if let Some(mut open) = self.open.take() {
            let silent = until.saturating_sub(open.last.mark.at).min(self.rules.gap_ms);
            open.standing_since = open.standing_since.saturating_sub(silent.max(0));
            open.close(&self.rules, &mut self.done);
        }
        merged(self.done, &self.rules)
    }
}

impl Open {
    fn at(last: Last, fix: Option<Fix>) -> Self {
        let idling = Idling::since(&last, last.mark.at);
        let mut open = Self { trip: None, halt: None, standing_since: last.mark.at, idling, last };
        open.begin(last, fix);
        open
    }

    /// Opens what the fix begins.
    fn begin(&mut self, last: Last, fix: Option<Fix>) {
        let moves = last.derived.motion == Motion::Moving;
        let kind = if moves { SegmentKind::Trip } else { SegmentKind::Stop };
        let place = if moves { &mut self.trip } else { &mut self.halt };
        place.get_or_insert_with(|| Segment::begin(kind, last.mark)).count(fix);
        if !moves {
            self.standing_since = last.mark.at;
        }
    }

    /// It came to stand at the last fix, though that did not say so.
    fn stop(&mut self) {
        self.halt = Some(Segment::begin(SegmentKind::Stop, self.last.mark));
        self.standing_since = self.last.mark.at;
    }

    fn advance(&mut self, rules: &SegmentRules, last: Last, fix: Option<Fix>, done: &mut Vec<Segment>) {
        let before = std::mem::replace(&mut self.last, last);
        let idle_ms = self.idling.advance(&before.derived, &last, rules.idle_ms);
        if let Some(current) = self.halt.as_mut().or(self.trip.as_mut()) {
            current.step(&before.derived, &last.derived, last.mark);
            current.idle_ms += idle_ms;
        }
        let moves = last.derived.motion == Motion::Moving;
        match &mut self.halt {
            Some(halt) if !moves => return halt.count(fix),
            Some(_) => self.end_halt(rules, done),
            None => {}
        }
        self.begin(last, fix);
    }

    /// The vehicle moves on: what halted it was a stop, or belongs to its trip.
    fn end_halt(&mut self, rules: &SegmentRules, done: &mut Vec<Segment>) {
        let Some(mut halt) = self.halt.take() else { return };
        if halt.end.at.saturating_sub(self.standing_since) >= rules.stop_ms {
            done.extend(self.trip.take());
            done.push(halt);
            return;
        }
        match &mut self.trip {
            Some(trip) => trip.append(&halt),
            None => {
                halt.kind = SegmentKind::Trip;
                self.trip = Some(halt);
            }
        }
    }

    /// Nothing follows.
    fn close(&mut self, rules: &SegmentRules, done: &mut Vec<Segment>) {
        if self.trip.is_none() {
            // It never moved.
            done.extend(self.halt.take());
        }
        self.end_halt(rules, done);
        done.extend(self.trip.take());
    }
}

/// The speed of a fix, 0.1 km/h, if it can be: told of a good one, and by a vehicle that moves, which has come from the place
/// `before` at least half as far, in a straight line, as who gains that speed at [`FASTEST_GAIN`].
fn confirmed_speed(before: Option<&Mark>, position: &Position) -> Option<u32> {
    let speed = position.report.speed.filter(|_| position.is_good())?;
    if position.derived.motion != Motion::Moving {
        return (speed < Thresholds::default().moving_speed).then_some(speed);
    }
    let Some(before) = before.filter(|_| speed >= SURELY_TRUE) else { return Some(speed) };
    let seconds = position.recorded_at().saturating_sub(before.at) as f64 / 1_000.0;
    let metres_per_second = f64::from(speed) / 36.0;
    // It had so long to gain it, or as long as that takes.
    let gaining = seconds.min(metres_per_second / FASTEST_GAIN);
    let least_m = metres_per_second * gaining - FASTEST_GAIN * gaining * gaining / 2.0;
    (2.0 * step_m(before.place, position.report.place()) + NOISE_M >= least_m).then_some(speed)
}

/// What is known of the time between two fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// What the vehicle did at the earlier one.
    None,
    /// It moved, and has stood since then.
    Stood,
    /// Nothing.
    Lost,
}

impl Silence {
    pub(crate) fn between(before: &Last, now: &Last, rules: &SegmentRules) -> Self {
        let elapsed_ms = now.mark.at.saturating_sub(before.mark.at);
        if elapsed_ms <= rules.gap_ms.min(rules.stop_ms) {
            return Self::None;
        }
        let stayed = || step_dm(before.mark.place, now.mark.place) < Thresholds::default().parked_jitter_dm;
        let did_not_drive =
            before.derived.motion == Motion::Moving && before.derived.moving_ms == now.derived.moving_ms;
        if elapsed_ms > rules.gap_ms {
            let was_parked = before.derived.motion == Motion::Parked;
            return if was_parked && stayed() { Self::None } else { Self::Lost };
        }
        match elapsed_ms > rules.stop_ms && did_not_drive {
            true if stayed() => Self::Stood,
            true => Self::Lost,
            false => Self::None,
        }
    }
}

impl Last {
    pub(crate) fn of(position: &Position) -> Self {
        Self { mark: Mark { at: position.recorded_at(), place: position.report.place() }, derived: position.derived }
    }

    /// The fix behind this one; of one that was elsewhere, the vehicle was where it had been.
    pub(crate) fn behind(&self, position: &Position) -> Self {
        let mut behind = Self::of(position);
        if position.is_elsewhere() {
            behind.mark.place = self.mark.place;
        }
        behind
    }
}

/// Trips that are none become part of the stops around them, and stops that touch become one.
fn merged(segments: Vec<Segment>, rules: &SegmentRules) -> Vec<Segment> {
    let mut merged: Vec<Segment> = Vec::with_capacity(segments.len());
    let last = segments.len().saturating_sub(1);
    for (index, segment) in segments.iter().enumerate() {
        let is_short = segment.kind == SegmentKind::Trip
            && (segment.duration_ms() < rules.min_trip_ms || segment.distance_dm < rules.min_trip_dm);
        let next_to_stop = |other: Option<&Segment>| other.is_some_and(|other| other.kind == SegmentKind::Stop);
        // The last one may still become a trip.
        let is_manoeuvre =
            is_short && index < last && (next_to_stop(merged.last()) || next_to_stop(segments.get(index + 1)));
        let kind = if is_manoeuvre { SegmentKind::Stop } else { segment.kind };
        match merged.last_mut() {
            Some(before) if before.kind == SegmentKind::Stop && kind == SegmentKind::Stop => before.append(segment),
            _ => merged.push(Segment { kind, ..*segment }),
        }
    }
    merged
}
