//! What a vehicle does at any instant: a function of the clock and of nothing else, so that a restart at any time goes
//! on where the vehicle would be.
//!
//! A vehicle repeats its cycle. Every cycle has the same distance, whatever the traffic, because chance decides about
//! times alone: so the odometer is known without adding up the past.

use anyhow::{Context as _, Result, ensure};

use super::{
    calendar::{HOUR, day_of, start_of},
    drive::{APART, Drive, Planned, Reason},
    path::{Class, Path, Place},
    random::{between, hash, unit},
    roads::Roads,
    vehicles::{Days, FLEET, Kind, TIMETABLE_SINCE, TOURS_BEFORE, Vehicle, VehicleQuirk},
};

/// The first half minute of a tour: the driver starts the engine.
const WARM_UP: i64 = 30_000;
/// Between two tours, at least.
const PAUSE: i64 = 4 * 60_000;
/// Of a tank, when it was filled.
const FULL: f64 = 0.96;
/// How often somebody takes fuel out of the tank of a vehicle with [`Quirk::Siphoned`] after its last tour of a cycle, how many
/// litres, and how long that takes.
const SIPHONED: f64 = 0.25;
const SIPHONED_LITRES: (f64, f64) = (32.0, 55.0);
const SIPHONING: i64 = 8 * 60_000;

/// What a vehicle does at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Where it is.
    pub place: Place,
    /// m/s.
    pub speed: f64,
    /// Degrees clockwise from north.
    pub course: f64,
    /// Whether its engine runs.
    pub engine: bool,
    /// When it stopped where it is, milliseconds since 1970; none while it moves.
    pub stopped: Option<i64>,
    /// Metres.
    pub odometer: f64,
    /// Litres.
    pub fuel: f64,
}

/// A vehicle with its tour.
pub struct VehicleSchedule {
    index: u64,
    vehicle: Vehicle,
    path: Path,
    /// Where on the path it halts, but for lights; the times are those of no day in particular.
    halts: Vec<Planned>,
    /// Cycles from one filling to the next.
    fills_every: i64,
    /// Tours of such a cycle from one filling to the next; the first is one.
    fills_each: usize,
    /// The cycle that was asked about last.
    drives: (i64, Vec<Drive>),
}

impl VehicleSchedule {
    /// For the vehicle at a place in the list.
    pub fn new(roads: &Roads, index: usize) -> Result<Self> {
        let vehicle = FLEET[index];
        let seed = index as u64;
        let (path, mut halts) = match vehicle.kind {
            Kind::HeavyEquipment => (site(roads, &vehicle, seed)?, Vec::new()),
            _ => plan_tour(roads, &vehicle, seed)?,
        };
        let near = |call: &Planned| halts.iter().any(|halt| halt.index.abs_diff(call.index) < 2 * APART);
        let mut calls = calls(&path, &vehicle, seed);
        calls.retain(|call| !near(call));
        calls.dedup_by(|later, earlier| later.index < earlier.index + 2 * APART);
        halts.extend(calls);
        halts.sort_by_key(|halt| halt.index);
        if !halts.iter().any(|halt| halt.reason == Reason::Fuel) {
            let first = halts.first_mut().context("a tour without a halt")?;
            first.reason = Reason::Fuel;
        }
        let tours = vehicle.departures.len();
        let of_tank = path.length() * vehicle.kind.litres_per_metre() / vehicle.kind.tank();
        let fills_every = (0.4 / (of_tank * tours as f64)).floor().max(1.0) as i64;
        // A tank that does not last a cycle is filled when not much more than 0.4 of it is used.
        let lasts = of_tank * tours as f64 <= 0.7;
        let fills_each = if lasts { tours } else { (0.4 / of_tank).max(1.0) as usize };
        Ok(Self { index: seed, vehicle, path, halts, fills_every, fills_each, drives: (i64::MIN, Vec::new()) })
    }

    /// What it does at an instant.
    pub fn at(&mut self, time: i64) -> State {
        let cycle = self.cycle_of(time);
        self.load(cycle);
        let before = self.odometer_at_start(cycle);
        let drives = &self.drives.1;
        let started = drives.partition_point(|drive| drive.departs - WARM_UP <= time);
        let Some(drive) = started.checked_sub(1).map(|index| &drives[index]) else {
            // Parked since the last tour, on a day that need not be computed for it.
            return self.parked(before, start_of(self.first_day(cycle)), false, (cycle, 0.0));
        };
        let done = before + (started - 1) as f64 * self.path.length();
        if time < drive.departs {
            return self.parked(done, drive.departs - WARM_UP, true, (cycle, 0.0));
        }
        if time >= drive.arrives() {
            let taken = if started == drives.len() { self.taken(cycle, drive.arrives(), time) } else { 0.0 };
            return self.parked(done + self.path.length(), drive.arrives(), false, (cycle, taken));
        }
        let seconds = (time - drive.departs) as f64 / 1000.0;
        let (along, speed) = drive.at(seconds);
        let (place, course) = self.path.at(along);
        let halt = drive.halt_at(seconds);
        let fills = self.fills(cycle) && (started - 1).is_multiple_of(self.fills_each);
        let filled = halt.filter(|halt| fills && halt.reason == Reason::Fuel);
        let filled = filled.map(|halt| (seconds - halt.from) / (halt.to - halt.from));
        State {
            place,
            speed: if halt.is_some() { 0.0 } else { speed },
            course,
            engine: halt.is_none_or(|halt| halt.engine),
            stopped: halt.map(|halt| drive.departs + (halt.from * 1000.0) as i64),
            odometer: done + along,
            fuel: self.fuel(done + along, (cycle, 0.0), filled),
        }
    }

    /// Of a cycle of which somebody has taken so many litres.
    fn parked(&self, odometer: f64, since: i64, engine: bool, siphoned: (i64, f64)) -> State {
        let (place, course) = self.path.at(0.0);
        let fuel = self.fuel(odometer, siphoned, None);
        State { place, speed: 0.0, course, engine, stopped: Some(since), odometer, fuel }
    }

    /// The day with whose midnight a cycle begins. Vehicles whose cycles have several days begin on different ones.
    fn first_day(&self, cycle: i64) -> i64 {
        cycle * self.vehicle.cycle.0 + self.index as i64 % self.vehicle.cycle.0
    }

    fn cycle_of(&self, time: i64) -> i64 {
        let (days, hour) = self.vehicle.cycle;
        (day_of(time - hour * HOUR) - self.index as i64 % days).div_euclid(days)
    }

    /// When a cycle's last tour ends, milliseconds since 1970; `i64::MIN` of one without tours.
    pub fn last_arrival(&mut self, cycle: i64) -> i64 {
        self.load(cycle);
        self.drives.1.last().map_or(i64::MIN, Drive::arrives)
    }

    /// When a cycle ends and the next one begins.
    pub fn end_of(&self, cycle: i64) -> i64 {
        start_of(self.first_day(cycle + 1)) + self.vehicle.cycle.1 * HOUR
    }

    fn works(&self, cycle: i64) -> bool {
        let weekday = self.first_day(cycle).rem_euclid(7);
        match self.vehicle.days {
            Days::All => true,
            Days::Work => weekday < 6,
            Days::Office => weekday < 5,
        }
    }

    /// How many of the cycles before this one were driven.
    fn driven_before(&self, cycle: i64) -> i64 {
        let a_week = match self.vehicle.days {
            Days::All => return cycle,
            Days::Work => 6,
            Days::Office => 5,
        };
        cycle.div_euclid(7) * a_week + cycle.rem_euclid(7).min(a_week)
    }

    fn odometer_at_start(&self, cycle: i64) -> f64 {
        let bought_with = between(12_000.0, 160_000.0, &[self.index, 1]) * 1000.0;
        let before = TOURS_BEFORE[self.index as usize] as f64 * self.path.length();
        let first = self.cycle_of(start_of(TIMETABLE_SINCE));
        let since = self.driven_before(cycle) - self.driven_before(first);
        bought_with + before + since as f64 * self.distance_of_cycle()
    }

    fn distance_of_cycle(&self) -> f64 {
        self.path.length() * self.vehicle.departures.len() as f64
    }

    /// Litres in the tank: what the last filling left, less what was used and taken since, of which so many litres in the
    /// present cycle. `filling` is how far the present one is.
    fn fuel(&self, odometer: f64, (cycle, taken): (i64, f64), filling: Option<f64>) -> f64 {
        let full = self.vehicle.kind.tank() * FULL;
        let before = |until: f64| {
            let (mut cycle, mut taken) = (cycle, taken);
            loop {
                let last = self.fillings(cycle).into_iter().rev().find(|filling| *filling <= until);
                if let Some(last) = last {
                    let used = (odometer - last) * self.vehicle.kind.litres_per_metre();
                    return (full - used - taken).max(0.0);
                }
                cycle -= 1;
                taken += self.siphoned(cycle);
            }
        };
        match filling {
            Some(part) => {
                let level = before(odometer - 1.0);
                level + (full - level) * part
            }
            None => before(odometer),
        }
    }

    /// Litres that somebody takes after the last tour of a cycle.
    fn siphoned(&self, cycle: i64) -> f64 {
        let luck = unit(&[self.index, cycle as u64, 20]);
        let is_taken = self.vehicle.quirk == VehicleQuirk::Siphoned && self.works(cycle) && luck < SIPHONED;
        let (low, high) = SIPHONED_LITRES;
        if is_taken { between(low, high, &[self.index, cycle as u64, 21]) } else { 0.0 }
    }

    /// Of these the litres that are gone at an instant behind the last arrival: they go in the middle of the rest.
    fn taken(&self, cycle: i64, arrives: i64, time: i64) -> f64 {
        let begins = arrives + (self.end_of(cycle) - arrives) / 2;
        let part = (time - begins) as f64 / SIPHONING as f64;
        self.siphoned(cycle) * part.clamp(0.0, 1.0)
    }

    fn fills(&self, cycle: i64) -> bool {
        self.works(cycle) && self.driven_before(cycle).rem_euclid(self.fills_every) == 0
    }

    /// The odometer at each filling of a cycle.
    fn fillings(&self, cycle: i64) -> Vec<f64> {
        if !self.fills(cycle) {
            return Vec::new();
        }
        let start = self.odometer_at_start(cycle);
        let at = self.halts.iter().filter(|halt| halt.reason == Reason::Fuel);
        let at: Vec<f64> = at.map(|halt| self.path.points()[halt.index].along).collect();
        let tours = (0..self.vehicle.departures.len()).step_by(self.fills_each);
        tours
            .flat_map(|tour| at.iter().map(move |along| (tour, along)))
            .map(|(tour, along)| start + tour as f64 * self.path.length() + along)
            .collect()
    }

    /// Computes the drives of a cycle.
    fn load(&mut self, cycle: i64) {
        if self.drives.0 == cycle {
            return;
        }
        let mut drives: Vec<Drive> = Vec::new();
        let tours = if self.works(cycle) { self.vehicle.departures } else { &[] };
        for (tour, departure) in tours.iter().enumerate() {
            let seed = hash(&[self.index, cycle as u64, tour as u64]);
            let punctual = between(-6.0, 12.0, &[seed, 2]) * 60_000.0;
            let departs = start_of(self.first_day(cycle)) + minutes(departure) * 60_000 + punctual as i64;
            let free = drives.last().map_or(i64::MIN, |last| last.arrives() + PAUSE);
            let halts: Vec<Planned> = self
                .halts
                .iter()
                .enumerate()
                .map(|(number, halt)| Planned {
                    seconds: self.seconds(halt.reason, &[seed, 3, number as u64]) * halt.seconds,
                    ..*halt
                })
                .collect();
            drives.push(Drive::plan(&self.path, departs.max(free), self.vehicle.kind, &halts, seed));
        }
        self.drives = (cycle, drives);
    }

    fn seconds(&self, reason: Reason, luck: &[u64]) -> f64 {
        let (low, high) = match reason {
            Reason::Call => self.vehicle.kind.call_seconds(),
            Reason::Fuel => (240.0, 600.0),
            Reason::Stay | Reason::Light => (1_500.0, 2_700.0),
        };
        between(low, high, luck)
    }
}

/// Minutes of `HH:MM`.
fn minutes(departure: &str) -> i64 {
    let (hours, minutes) = departure.split_once(':').unwrap_or((departure, "0"));
    hours.parse::<i64>().unwrap_or_default() * 60 + minutes.parse::<i64>().unwrap_or_default()
}

/// The way of an itinerary from the depot's yard and back to it, with the halts that it names. How long a halt takes is
/// given as a multiple of the usual.
fn plan_tour(roads: &Roads, vehicle: &Vehicle, seed: u64) -> Result<(Path, Vec<Planned>)> {
    let mut words = vehicle.itinerary.split_whitespace();
    let home = roads.junction(words.next().context("an itinerary has a home")?)?;
    let yard = depot_parking(roads.place(home), 60.0, 160.0, seed);
    let mut path = Path::default();
    path.extend(&[yard, yard.toward(roads.place(home), 0.5), roads.place(home)], Class::Yard);
    let (mut here, mut halts) = (home, Vec::new());
    for word in words {
        let name = word.trim_end_matches(['+', '~', '#']);
        let next = roads.junction(name)?;
        roads
            .add_route(&mut path, here, next, vehicle.kind.takes_tolls())
            .with_context(|| format!("{}: to {name}", vehicle.name))?;
        here = next;
        let index = path.points().len() - 1;
        halts.extend(match word.as_bytes().last() {
            Some(b'+') => Some(Planned { index, reason: Reason::Fuel, seconds: 1.0 }),
            Some(b'~') => Some(Planned { index, reason: Reason::Stay, seconds: 1.0 }),
            Some(b'#') => Some(Planned { index, reason: Reason::Stay, seconds: 2.4 }),
            _ => None,
        });
    }
    roads
        .add_route(&mut path, here, home, vehicle.kind.takes_tolls())
        .with_context(|| format!("{}: home", vehicle.name))?;
    path.extend(&[yard.toward(roads.place(home), 0.5), yard], Class::Yard);
    ensure!(path.length() > 5_000.0, "{}: the tour is short", vehicle.name);
    Ok((path, halts))
}

/// Where a machine works: to and fro on a plot near a junction.
fn site(roads: &Roads, vehicle: &Vehicle, seed: u64) -> Result<Path> {
    let corner = depot_parking(roads.place(roads.junction(vehicle.itinerary)?), 450.0, 700.0, seed);
    let mut path = Path::default();
    path.extend(&[corner], Class::Site);
    for leg in 0..28_u64 {
        let place = corner.moved(between(-70.0, 70.0, &[seed, leg, 4]), between(-50.0, 50.0, &[seed, leg, 5]));
        let from = path.points()[path.points().len() - 1].place;
        let legs: Vec<Place> = (1..=5).map(|part| from.toward(place, f64::from(part) / 5.0)).collect();
        path.extend(&legs, Class::Site);
    }
    let from = path.points()[path.points().len() - 1].place;
    path.extend(&[from.toward(corner, 0.5), corner], Class::Site);
    Ok(path)
}

/// A place beside a junction.
fn depot_parking(junction: Place, least: f64, most: f64, seed: u64) -> Place {
    let direction = unit(&[seed, 6]) * std::f64::consts::TAU;
    let metres = between(least, most, &[seed, 7]);
    junction.moved(metres * direction.sin(), metres * direction.cos())
}

/// Calls spread over what of a path is no toll.
fn calls(path: &Path, vehicle: &Vehicle, seed: u64) -> Vec<Planned> {
    let points = path.points();
    let open: Vec<usize> =
        (8..points.len().saturating_sub(8)).filter(|index| points[*index].class != Class::Toll).collect();
    (0..vehicle.calls)
        .map(|call| {
            let part = (call as f64 + between(0.2, 0.8, &[seed, call as u64, 8])) / vehicle.calls as f64;
            let index = open[(part * open.len() as f64) as usize];
            Planned { index, reason: Reason::Call, seconds: 1.0 }
        })
        .collect()
}
