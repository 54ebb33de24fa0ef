//! What the tracker of a vehicle reports: fixes with the errors of real receivers, at its own instants.

use anyhow::Result;
use armada_proto::command::GatewayCommand;
use armada_track::{Imei, Report};

use super::{
    calendar::{DAY, HOUR, day_of, hour_of_day, start_of},
    orders::Orders,
    path::Place,
    random::{between, hash, smooth_noise, unit},
    roads::Roads,
    schedule::{State, VehicleSchedule},
    vehicles::{FLEET, Vehicle, VehicleQuirk},
};

/// Metres that a vehicle drives left of the middle of the road, as everybody in Indonesia.
const LEFT_M: f64 = 3.5;
/// Hours of the day between which the tracker with [`Quirk::Gap`] has no network.
const GAP: (f64, f64) = (14.0, 14.5);
/// How long before the demonstration was made the silent tracker reported last.
const SILENT_BEFORE: i64 = 25 * HOUR;

/// The part of a tank by which fuel sloshes at its sensor while the vehicle moves.
const SLOSH: f64 = 0.01;
/// First it says where it is, then where it was.
const BUFFERED_AFTER_MS: i64 = 45_000;

/// Before the demonstration was made something was wrong with these: the place of each in the list, what its tracker told, and how
/// many minutes before.
const PAST_ALARMS: [(usize, &str, i64); 15] = [
    (11, "door", 16),
    (30, "vibration", 31),
    (34, "temperature", 52),
    (1, "vibration", 75),
    (4, "tampering", 82),
    (8, "door", 88),
    (9, "door", 96),
    (12, "door", 103),
    (17, "vibration", 110),
    (20, "tampering", 118),
    (28, "jamming", 127),
    (36, "temperature", 133),
    (39, "door", 141),
    (41, "sos", 150),
    (44, "accident", 165),
];
/// As long as a parked tracker may be silent, and a little more.
const PAST_ALARM_MS: i64 = 6 * 60_000;
/// What was told since so long before the demonstration was made nobody has seen to.
pub(super) const OPEN_SINCE: i64 = 65 * 60_000;

/// The end of a time without network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reconnect {
    /// When the tracker is in the network again.
    pub at: i64,
    /// When it sends what it has kept.
    pub sends_kept: i64,
}

/// The tracker of one vehicle.
pub struct Tracker {
    pub(super) imei: Imei,
    vehicle: Vehicle,
    seed: u64,
    schedule: VehicleSchedule,
    /// After this instant it says nothing any more.
    silent_after: i64,
    /// What it told before the demonstration was made, and since when.
    past_alarm: Option<(&'static str, i64)>,
    /// What it was told.
    pub(super) orders: Orders,
}

impl Tracker {
    /// Of the vehicle at a place in the list, in a tenant that was made at an instant.
    pub fn new(roads: &Roads, index: usize, imei: Imei, made_at: i64) -> Result<Self> {
        let vehicle = FLEET[index];
        let silent_after = match vehicle.quirk {
            VehicleQuirk::Silent => made_at - SILENT_BEFORE,
            VehicleQuirk::Never => i64::MIN,
            VehicleQuirk::None | VehicleQuirk::Sos | VehicleQuirk::Gap | VehicleQuirk::Siphoned => i64::MAX,
        };
        let schedule = VehicleSchedule::new(roads, index)?;
        let past = PAST_ALARMS.iter().find(|(of, ..)| *of == index);
        let past_alarm = past.map(|(_, alarm, minutes)| (*alarm, made_at - minutes * 60_000));
        let seed = hash(&[index as u64, 90]);
        Ok(Self { imei, vehicle, seed, schedule, silent_after, past_alarm, orders: Orders::default() })
    }

    /// The first instant of its own after `time`.
    pub fn next_slot(&self, time: i64) -> i64 {
        let interval = self.interval();
        ((time - self.phase()).div_euclid(interval) + 1) * interval + self.phase()
    }

    /// What it reports at one of its instants; nothing at most of them while it is parked.
    pub fn fix(&mut self, slot: i64) -> Option<Report> {
        if slot > self.silent_after {
            return None;
        }
        let interval = self.interval();
        let rests = (self.vehicle.kind.parked_interval() * 1000 / interval).max(1);
        let before = self.state(slot - interval);
        let state = self.state(slot);
        let due = (slot - self.phase()).div_euclid(interval).rem_euclid(rests) == 0;
        (state.engine || before.engine || due).then(|| self.report(slot, &state))
    }

    /// What it reports at any instant when it is asked to.
    pub fn fix_now(&mut self, now: i64) -> Report {
        let state = self.state(now);
        self.report(now, &state)
    }

    /// Whether its gateway has a connection of it.
    pub(super) fn is_connected(&self, now: i64) -> bool {
        now <= self.silent_after && self.reconnects_at(now).is_none()
    }

    /// Carries a command out. What it says then, or why it does nothing.
    pub fn execute(&mut self, command: &GatewayCommand, now: i64) -> Result<String, &'static str> {
        let text = self.orders.take(command, now)?;
        let degrees = |value: i32| f64::from(value) / 1e7;
        Ok(match command.kind.as_str() {
            "position_single" => {
                let fix = self.fix_now(now);
                format!("GPS:{:.6},{:.6} OK", degrees(fix.lat), degrees(fix.lng))
            }
            "request_status" => {
                let fix = self.fix_now(now);
                let (battery, signal) = (fix.batt_percent.unwrap_or_default(), fix.gsm_signal.unwrap_or_default());
                let ignition = if fix.ignition == Some(true) { "ON" } else { "OFF" };
                format!("BATT:{battery}%,GSM:{signal}%,SAT:{},ACC:{ignition}", fix.sat.unwrap_or_default())
            }
            _ => text,
        })
    }

    fn state(&mut self, time: i64) -> State {
        let planned = self.schedule.at(self.orders.schedule_time(time));
        self.orders.state(time, planned)
    }

    /// When the tracker is back in the network that it does not have at an instant; none when it has.
    pub fn reconnects_at(&self, time: i64) -> Option<Reconnect> {
        let away = self.vehicle.quirk == VehicleQuirk::Gap && (GAP.0..GAP.1).contains(&hour_of_day(time));
        let at = start_of(day_of(time)) + (GAP.1 * HOUR as f64) as i64;
        away.then_some(Reconnect { at, sends_kept: at + BUFFERED_AFTER_MS })
    }

    /// From when on fixes may not have left yet although later ones have.
    pub fn gathers_since(&self, time: i64) -> i64 {
        match self.vehicle.quirk {
            VehicleQuirk::Gap if hour_of_day(time) >= GAP.0 => {
                start_of(day_of(time)) + (GAP.0 * HOUR as f64) as i64 - 1
            }
            _ => time,
        }
    }

    /// The oldest fix that is worth sending at `now`.
    pub(super) fn oldest(&self, now: i64, history: i64) -> i64 {
        // The silent one has a day of its own before it fell silent.
        if self.vehicle.quirk == VehicleQuirk::Silent {
            (now - history).min(self.silent_after - DAY / 2)
        } else {
            now - history
        }
    }

    fn interval(&self) -> i64 {
        self.orders.interval(self.vehicle.kind.interval() * 1000)
    }

    /// Trackers do not report all at the same instant.
    fn phase(&self) -> i64 {
        (self.seed % self.interval() as u64) as i64
    }

    fn report(&self, time: i64, state: &State) -> Report {
        let (lat, lng) = self.seen_at(time, state);
        let degrees = |value: f64| (value * 1e7).round() as i32;
        let seconds = time as f64 / 1000.0;
        let chance = |every: f64, what: u64| smooth_noise(seconds / every, hash(&[self.seed, what]));
        let moves = state.speed > 0.5;
        let speed = if moves { (state.speed * 3.6 + 0.6 * chance(9.0, 1)).max(0.0) } else { 0.0 };
        let course = state.course + if moves { 2.0 * chance(11.0, 2) } else { 0.0 };
        let rested = state.stopped.filter(|_| !state.engine).map_or(0.0, |since| (time - since) as f64 / HOUR as f64);
        let tank = self.vehicle.kind.tank();
        let fuel = (state.fuel + if moves { SLOSH * tank * chance(8.0, 10) } else { 0.0 }).clamp(0.0, tank);
        Report {
            speed: Some((speed * 10.0).round() as u32),
            course: Some((course.rem_euclid(360.0) * 10.0).round() as u32 % 3_600),
            alt: Some(((altitude(state.place) + 3.0 * chance(40.0, 3)) * 10.0).round() as i32),
            sat: Some((12.5 + 3.0 * chance(60.0, 4)).round() as u32),
            odometer: Some(state.odometer.round() as u64),
            fuel_liter: Some((fuel * 10.0).round() as u32),
            fuel_percent: Some((fuel / tank * 100.0).round() as u8),
            batt_percent: Some((100.0 - rested * 0.8).clamp(60.0, 100.0).round() as u8),
            gsm_signal: Some((74.0 + 22.0 * chance(300.0, 5)).round() as u8),
            ignition: Some(state.engine),
            charge: Some(state.engine),
            alarm: self.alarm(time).map(Into::into),
            ..Report::new(time, degrees(lat), degrees(lng))
        }
    }

    /// Where the receiver believes to be: near the vehicle, and always the same wrong place while it stands.
    fn seen_at(&self, time: i64, state: &State) -> (f64, f64) {
        let [east, north] = match state.stopped {
            None => [6, 7].map(|what| 4.0 * smooth_noise(time as f64 / 25_000.0, hash(&[self.seed, what]))),
            Some(_) => [6, 7].map(|what| between(-4.0, 4.0, &[self.seed, what, state.odometer as u64])),
        };
        let left = (state.course - 90.0).to_radians();
        let place = state.place.moved(east + LEFT_M * left.sin(), north + LEFT_M * left.cos());
        (place.lat, place.lng)
    }

    fn alarm(&self, time: i64) -> Option<&'static str> {
        let past = self.past_alarm.filter(|(_, since)| (*since..since + PAST_ALARM_MS).contains(&time));
        past.map(|(alarm, _)| alarm).or_else(|| self.emergency(time).then_some("sos"))
    }

    /// The button is pressed once on most days, for a minute in the afternoon or evening.
    fn emergency(&self, time: i64) -> bool {
        let day = day_of(time);
        let pressed = start_of(day) + (between(14.0, 20.0, &[self.seed, day as u64, 8]) * HOUR as f64) as i64;
        let luck = unit(&[self.seed, day as u64, 9]);
        self.vehicle.quirk == VehicleQuirk::Sos && luck < 0.8 && (pressed..pressed + 60_000).contains(&time)
    }
}

/// Metres above the sea, from known heights round about: the nearer, the more they count.
fn altitude(place: Place) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for &(lat, lng, metres) in HEIGHTS {
        let kilometres = place.metres_to(Place { lat, lng }) / 1000.0;
        let weight = 1.0 / (kilometres + 1.0).powi(3);
        sum += weight * metres;
        weights += weight;
    }
    sum / weights
}

/// Latitude, longitude, metres above the sea.
const HEIGHTS: &[(f64, f64, f64)] = &[
    (-6.14, 106.82, 5.0),
    (-6.24, 106.83, 22.0),
    (-6.35, 106.85, 60.0),
    (-6.60, 106.81, 255.0),
    (-6.20, 106.55, 30.0),
    (-6.03, 106.05, 25.0),
    (-6.31, 107.15, 30.0),
    (-6.44, 107.48, 60.0),
    (-6.56, 107.43, 110.0),
    (-6.72, 107.44, 420.0),
    (-6.84, 107.49, 700.0),
    (-6.93, 107.63, 690.0),
    (-6.88, 107.61, 790.0),
    (-6.54, 107.77, 90.0),
    (-6.65, 108.16, 45.0),
    (-6.73, 108.55, 10.0),
    (-6.90, 109.10, 12.0),
    (-6.93, 109.66, 15.0),
    (-6.99, 110.10, 25.0),
    (-6.98, 110.42, 6.0),
    (-7.06, 110.43, 260.0),
    (-7.24, 110.44, 480.0),
    (-7.34, 110.53, 570.0),
    (-7.48, 110.22, 380.0),
    (-7.27, 110.40, 480.0),
    (-7.52, 110.65, 220.0),
    (-7.56, 110.82, 98.0),
    (-7.71, 110.60, 150.0),
    (-7.79, 110.37, 115.0),
    (-7.43, 111.40, 50.0),
    (-7.55, 111.66, 75.0),
    (-7.57, 112.05, 45.0),
    (-7.27, 112.74, 6.0),
    (-7.55, 112.69, 12.0),
    (-7.78, 112.73, 280.0),
    (-7.97, 112.63, 445.0),
    (3.59, 98.67, 25.0),
    (3.75, 98.68, 4.0),
    (3.55, 98.90, 18.0),
    (3.34, 99.16, 30.0),
    (-5.14, 119.43, 8.0),
    (-8.67, 115.21, 30.0),
    (-8.75, 115.18, 12.0),
    (-8.55, 115.15, 130.0),
    (-8.51, 115.26, 230.0),
];
