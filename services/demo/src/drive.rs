//! One drive along a path: how fast, where it halts and for how long. Between two knots the acceleration is constant,
//! so that the place at any instant follows from the knots alone.

use super::{
    calendar::hour_of_day,
    path::{Class, Path, Point},
    random::{between, hash, smooth_noise, unit},
    vehicles::Kind,
};

/// The slowest that a vehicle takes a bend, m/s.
const CRAWL: f64 = 2.5;
/// Metres between traffic lights away from junctions.
const LIGHTS_EVERY: f64 = 900.0;
/// Halts are at least so many points apart.
pub(super) const APART: usize = 3;
/// Metres over which traffic is about the same.
const TRAFFIC_M: f64 = 400.0;

/// Why a vehicle halts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// A red light, with the engine on.
    Light,
    /// At a customer or bus stop.
    Call,
    /// Loading, unloading, resting.
    Stay,
    /// At a filling station.
    Fuel,
}

/// A halt that is planned: at a point of the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    pub(super) index: usize,
    pub(super) reason: Reason,
    pub(super) seconds: f64,
}

/// A halt within a drive, in seconds from its start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Halt {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) reason: Reason,
    pub(super) engine: bool,
}

/// A moment of a drive.
#[derive(Debug, Clone, Copy)]
struct Knot {
    /// Seconds from the start.
    time: f64,
    /// Metres from the start of the path.
    along: f64,
    /// m/s.
    speed: f64,
}

/// A vehicle on its way, with all that will happen.
pub(super) struct Drive {
    /// Milliseconds since 1970.
    pub(super) departs: i64,
    knots: Vec<Knot>,
    halts: Vec<Halt>,
}

impl Drive {
    /// Plans it. `seed` decides about lights, traffic and the driver's mood.
    pub(super) fn plan(path: &Path, departs: i64, kind: Kind, planned: &[Planned], seed: u64) -> Self {
        let points = path.points();
        let halts = with_lights(points, planned, kind, seed);
        let mut speeds = limits(points, departs, kind, seed);
        for halt in &halts {
            speeds[halt.index] = 0.0;
        }
        accelerate(points, &mut speeds, kind);
        let (knots, halts) = in_time(points, &speeds, &halts, |halt| engine_runs(halt, kind, seed));
        Self { departs, knots, halts }
    }

    /// Milliseconds since 1970.
    pub(super) fn arrives(&self) -> i64 {
        self.departs + (self.knots.last().map_or(0.0, |knot| knot.time) * 1000.0).ceil() as i64
    }

    /// Metres from the start and m/s, some seconds after the start.
    pub(super) fn at(&self, seconds: f64) -> (f64, f64) {
        let next = self.knots.partition_point(|knot| knot.time <= seconds).clamp(1, self.knots.len() - 1);
        let (a, b) = (self.knots[next - 1], self.knots[next]);
        let elapsed = (seconds - a.time).clamp(0.0, b.time - a.time);
        let acceleration = (b.speed - a.speed) / (b.time - a.time);
        let along = a.along + a.speed * elapsed + acceleration * elapsed * elapsed / 2.0;
        (along.min(b.along), (a.speed + acceleration * elapsed).max(0.0))
    }

    /// The halt some seconds after the start.
    pub(super) fn halt_at(&self, seconds: f64) -> Option<Halt> {
        let index = self.halts.partition_point(|halt| halt.to <= seconds);
        self.halts.get(index).filter(|halt| halt.from <= seconds).copied()
    }
}

/// Red lights beside what is planned, in the order of the path.
fn with_lights(points: &[Point], planned: &[Planned], kind: Kind, seed: u64) -> Vec<Planned> {
    let mut halts = planned.to_vec();
    let mut since = 0.0;
    for (index, point) in points.iter().enumerate() {
        let lit = matches!(point.class, Class::Main | Class::Street) && kind != Kind::HeavyEquipment;
        let crossing = point.junction || point.along - since > LIGHTS_EVERY;
        if !lit || !crossing || point.along - since < 150.0 {
            continue;
        }
        since = point.along;
        let luck = [seed, index as u64];
        if unit(&luck) < if point.junction { 0.5 } else { 0.3 } {
            let seconds = between(12.0, 75.0, &[seed, index as u64, 1]);
            halts.push(Planned { index, reason: Reason::Light, seconds });
        }
    }
    // Where a light is near a planned halt, the halt is kept.
    halts.sort_by_key(|halt| (halt.index, halt.reason == Reason::Light));
    let fits = |index: usize| index >= APART && index + APART < points.len();
    halts.retain(|halt| fits(halt.index));
    let mut kept: Vec<Planned> = Vec::new();
    for halt in halts {
        let Some(last) = kept.last_mut().filter(|last| halt.index < last.index + APART) else {
            kept.push(halt);
            continue;
        };
        if last.reason == Reason::Light {
            *last = halt;
        }
    }
    kept
}

/// How fast the vehicle may be at each point: by the road, its bends, the hour and the others on it.
fn limits(points: &[Point], departs: i64, kind: Kind, seed: u64) -> Vec<f64> {
    let driver = between(0.92, 1.05, &[seed, 77]);
    let mut elapsed = 0.0;
    let mut limits = Vec::with_capacity(points.len());
    for (index, point) in points.iter().enumerate() {
        // The slower of the roads that meet here.
        let class = points.get(index + 1).map_or(point.class, |next| slower(point.class, next.class));
        let hour = hour_of_day(departs + (elapsed * 1000.0) as i64);
        let others = 0.9 + 0.14 * smooth_noise(point.along / TRAFFIC_M, hash(&[seed, 78]));
        let free = class.kmh() / 3.6 * kind.pace(class) * driver * others * rush_hour_factor(class, hour);
        let limit = free.min(bend_speed(points, index, kind)).max(if class == Class::Site { 0.5 } else { CRAWL });
        limits.push(limit);
        if index > 0 {
            elapsed += (point.along - points[index - 1].along) / limit;
        }
    }
    limits[0] = 0.0;
    *limits.last_mut().expect("a path has points") = 0.0;
    limits
}

fn slower(a: Class, b: Class) -> Class {
    if a.kmh() < b.kmh() { a } else { b }
}

/// How much of the free speed the hour of the day leaves.
fn rush_hour_factor(class: Class, hour: f64) -> f64 {
    let peak = |at: f64, width: f64| (-((hour - at) / width).powi(2)).exp();
    let crowd = 0.45 * peak(7.7, 1.1) + 0.5 * peak(17.6, 1.5) + 0.2 * peak(12.5, 2.5);
    match class {
        Class::Toll => 1.0 - 0.35 * crowd,
        Class::Main | Class::Street => 1.0 - crowd.min(0.6),
        Class::Yard | Class::Site => 1.0,
    }
}

/// The speed at which the pull to the side in a bend is what the driver bears.
fn bend_speed(points: &[Point], index: usize, kind: Kind) -> f64 {
    if index == 0 || index + 1 >= points.len() {
        return f64::INFINITY;
    }
    let (before, here, after) = (points[index - 1], points[index], points[index + 1]);
    let turn = here.place.course_to(after.place) - before.place.course_to(here.place);
    let turn = ((turn + 540.0).rem_euclid(360.0) - 180.0).abs().to_radians();
    let metres = (after.along - before.along) / 2.0;
    (kind.sideways() * metres / turn.max(1e-6)).sqrt()
}

/// Brings the speeds within what engine and brakes can do.
fn accelerate(points: &[Point], speeds: &mut [f64], kind: Kind) {
    let metres = |index: usize| points[index + 1].along - points[index].along;
    let reach = |speed: f64, rate: f64, metres: f64| (speed * speed + 2.0 * rate * metres).sqrt();
    for index in 0..speeds.len() - 1 {
        speeds[index + 1] = speeds[index + 1].min(reach(speeds[index], kind.acceleration(), metres(index)));
    }
    for index in (0..speeds.len() - 1).rev() {
        speeds[index] = speeds[index].min(reach(speeds[index + 1], kind.braking(), metres(index)));
    }
}

/// Whether the engine runs on at a halt.
fn engine_runs(halt: &Planned, kind: Kind, seed: u64) -> bool {
    match halt.reason {
        Reason::Light => true,
        Reason::Fuel => false,
        Reason::Call | Reason::Stay => unit(&[seed, halt.index as u64, 2]) < kind.waits_with_engine(),
    }
}

/// Goes along the points and notes when each is reached.
fn in_time(
    points: &[Point],
    speeds: &[f64],
    planned: &[Planned],
    engine_runs: impl Fn(&Planned) -> bool,
) -> (Vec<Knot>, Vec<Halt>) {
    let mut knots = vec![Knot { time: 0.0, along: 0.0, speed: 0.0 }];
    let mut halts = Vec::new();
    let mut planned = planned.iter().peekable();
    let mut time = 0.0;
    for index in 1..points.len() {
        let metres = points[index].along - points[index - 1].along;
        time += 2.0 * metres / (speeds[index - 1] + speeds[index]);
        knots.push(Knot { time, along: points[index].along, speed: speeds[index] });
        if let Some(halt) = planned.next_if(|halt| halt.index == index) {
            let from = time;
            time += halt.seconds;
            halts.push(Halt { from, to: time, reason: halt.reason, engine: engine_runs(halt) });
            knots.push(Knot { time, along: points[index].along, speed: 0.0 });
        }
    }
    (knots, halts)
}
