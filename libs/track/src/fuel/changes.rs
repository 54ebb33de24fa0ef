//! Fills and drains, noticed from the litres of one vehicle's fixes.
//!
//! Of five readings that follow each other the middle one counts, with the **median** of their levels. What a vehicle reads
//! within a minute of moving off is passed over, since fuel sloshes, and so is an empty tank while the ignition is off: many
//! sensors have no power then. The **level** follows what counts, within some ten minutes while the vehicle stands and within a
//! minute while it moves, so that what is used, and what a sensor drifts, is no change.
//!
//! A **change** begins where a reading is further away from the level than the sensor's noise (three times what readings lie
//! away from it on the average; at least 2 litres and 2 % of the tank). A rise may begin while the vehicle stands, when it has
//! just stood, or over two minutes of silence; a fall while it goes on standing, at the first readings after it has moved off, or
//! over ten minutes of silence: what the level loses on the way is used. It is a **fill** or a **drain** when a new level has held for
//! three readings and for a minute, or as it is when the vehicle has gone 5 km: a fill from 10 litres and 10 % of the tank on, a
//! drain from 5 litres and 5 % on, less what the vehicle may have used (50 l/100 km and 5 l/h), and from as much as a fill where
//! it was found only after moving off, since a tank on a slope looks fuller or emptier. What has not come to that within ten
//! minutes is none.

use super::{confidence::confidence, sensor::FuelSensor};
use crate::position::{
    enriched::{Motion, Position},
    geodesy::Place,
};

/// Readings of which the middle one counts.
pub(super) const WINDOW: usize = 5;
const MIDDLE: usize = WINDOW / 2;
/// After moving off, fuel sloshes for so long.
const SLOSHING_MS: i64 = 60_000;
/// Readings, and for how long, that a new level must hold.
const STEADY_READINGS: i64 = 3;
const STEADY_MS: i64 = 60_000;
/// Within so long the change of a vehicle that stands must have come to something.
const CHANGE_MS: i64 = 600_000;
/// In so long of silence a vehicle may have been filled, and anything may have happened.
const PAUSED_MS: i64 = 120_000;
const SILENT_MS: i64 = 600_000;
/// Further away a vehicle is not where it stood.
const FAR_M: i64 = 5_000;
/// The level follows readings within this time.
const FOLLOWS_STANDING_MS: i64 = 600_000;
const FOLLOWS_MOVING_MS: i64 = 60_000;
/// Millilitres, and the part of the tank, that are a fill or a drain at least.
const FILL_ML: i64 = 10_000;
const FILL_PART: i64 = 10;
const DRAIN_ML: i64 = 5_000;
const DRAIN_PART: i64 = 20;
/// The same that readings may lie away from the level, and times the noise.
const AWAY_ML: i64 = 2_000;
const AWAY_PART: i64 = 50;
const AWAY_NOISES: i64 = 3;
/// The same that readings may lie apart of a level that holds.
const APART_ML: i64 = 1_000;
const APART_PART: i64 = 100;
const APART_NOISES: i64 = 2;
/// The noise of the best sensors.
const NOISE_ML: i64 = 500;
const NOISE_PART: i64 = 200;
/// The noise is averaged over so many readings, and kept as so many times itself.
const NOISE_OVER: i64 = 16;

/// A fill, or a drain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuelChange {
    /// A fill.
    pub rises: bool,
    /// The first reading that shows it, milliseconds since 1970.
    pub at: i64,
    /// Where the vehicle stood.
    pub place: Place,
    /// How much, 0.1 litres; of a drain without what the vehicle may have used.
    pub litres: u32,
    /// 0.1 litres before it.
    pub before: u32,
    /// 0.1 litres after it.
    pub after: u32,
    /// How sure it is, per cent.
    pub confidence: u8,
}

/// What is known of the fuel of a vehicle, so that each fill and each drain is noticed once. About 350 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FuelWatch {
    /// The sensor whose readings these are.
    pub(super) sensor: u32,
    /// The last readings, the oldest first; so many of them are there, at the end.
    pub(super) recent: [Reading; WINDOW],
    pub(super) count: usize,
    /// Where the vehicle stood last.
    pub(super) stand: Option<Place>,
    /// The level, as of the last reading that it followed.
    pub(super) level: Option<Reading>,
    pub(super) change: Option<Change>,
    /// What readings lie away from the level on the average: sixteenths of millilitres.
    pub(super) noise: i64,
}

/// What a fix says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) at: i64,
    /// Millilitres.
    pub(super) fuel: i64,
    pub(super) stands: bool,
    /// Metres, and seconds with the engine on, since the vehicle's first fix.
    pub(super) travelled: i64,
    pub(super) engine: i64,
}

/// A change under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) rises: bool,
    /// The vehicle stood when it began.
    pub(super) stood: bool,
    pub(super) since: i64,
    pub(super) place: Place,
    /// The noise before it, millilitres.
    pub(super) noise: i64,
    /// Readings since it began.
    pub(super) seen: i64,
    /// What may be the new level: since when, as it began, how often it was read, and the sum.
    pub(super) holds_since: i64,
    pub(super) fuel: i64,
    pub(super) held: i64,
    pub(super) sum: i64,
    /// Between what single readings lay.
    pub(super) lowest: i64,
    pub(super) highest: i64,
}

/// The reading that counts: with the median of those around it, and as it was by itself.
struct Counted {
    reading: Reading,
    alone: i64,
}

/// What counts of a tank of so many millilitres; 0 for one that is not known.
#[derive(Clone, Copy)]
struct Tank(i64);

impl Tank {
    fn at_least(self, least: i64, part: i64) -> i64 {
        least.max(self.0 / part)
    }

    fn fill(self) -> i64 {
        self.at_least(FILL_ML, FILL_PART)
    }

    fn drain(self) -> i64 {
        self.at_least(DRAIN_ML, DRAIN_PART)
    }
}

impl Reading {
    fn of(position: &Position, litres: u32) -> Self {
        let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let derived = &position.derived;
        Self {
            at: position.recorded_at(),
            fuel: i64::from(litres) * 100,
            stands: derived.motion != Motion::Moving,
            travelled: whole(derived.distance_dm / 10),
            engine: whole(derived.engine_ms / 1_000),
        }
    }

    /// Milliseconds from here to a later one.
    fn duration_to(&self, later: &Self) -> i64 {
        later.at.saturating_sub(self.at)
    }

    /// Metres from here to a later one.
    fn distance_to(&self, later: &Self) -> i64 {
        later.travelled.saturating_sub(self.travelled)
    }

    /// What a vehicle uses at most until a later one, millilitres: 50 l/100 km, and 5 l/h.
    fn used_until(&self, later: &Self) -> i64 {
        let engine = later.engine.saturating_sub(self.engine).max(0);
        self.distance_to(later).max(0) / 2 + engine.saturating_mul(25) / 18
    }
}

impl FuelWatch {
    /// Takes in the newest fix of the vehicle, of which `sensor` reads so many tenths of a litre.
    pub(crate) fn observe(&mut self, position: &Position, litres: u32, sensor: &FuelSensor) -> Option<FuelChange> {
        if self.sensor != sensor.fingerprint() {
            *self = Self { sensor: sensor.fingerprint(), ..Self::default() };
        }
        let (reading, derived) = (Reading::of(position, litres), &position.derived);
        // More may be told of a fix than what it said at first.
        if self.count > 0 && reading.at <= self.recent[WINDOW - 1].at {
            return None;
        }
        let sloshes = !reading.stands && reading.at.saturating_sub(derived.motion_since) < SLOSHING_MS;
        let is_off = litres == 0 && derived.ignition == Some(false);
        if sloshes || is_off {
            return None;
        }
        let here = position.report.place();
        if reading.stands {
            self.stand = Some(here);
        }
        self.recent.rotate_left(1);
        self.recent[WINDOW - 1] = reading;
        self.count = WINDOW.min(self.count + 1);
        if self.count < WINDOW {
            return None;
        }
        let middle = self.recent[MIDDLE];
        let mut levels = self.recent.map(|reading| reading.fuel);
        levels.sort_unstable();
        let now = Counted { reading: Reading { fuel: levels[MIDDLE], ..middle }, alone: middle.fuel };
        self.take(&now, self.stand.unwrap_or(here), Tank(i64::from(sensor.full_dl()) * 100))
    }

    fn take(&mut self, now: &Counted, place: Place, tank: Tank) -> Option<FuelChange> {
        let Some(level) = self.level else {
            self.level = Some(now.reading);
            return None;
        };
        match self.change.take() {
            Some(change) => self.go_on(level, change, now, tank),
            None => {
                self.change = self.follow(level, now, place, tank);
                None
            }
        }
    }

    /// The level follows a reading, or a change begins with it.
    fn follow(&mut self, level: Reading, now: &Counted, place: Place, tank: Tank) -> Option<Change> {
        let reading = now.reading;
        let away = reading.fuel - level.fuel;
        let usual = self.usual(tank);
        if away.abs() <= usual {
            self.note_noise(now.alone - level.fuel, usual);
            let within = if reading.stands { FOLLOWS_STANDING_MS } else { FOLLOWS_MOVING_MS };
            let elapsed = level.duration_to(&reading).clamp(0, within);
            self.level = Some(Reading { fuel: level.fuel + away.saturating_mul(elapsed) / within, ..reading });
            return None;
        }
        let stood_for = |silent_ms| level.stands || level.duration_to(&reading) >= silent_ms;
        let begins = if away > 0 {
            reading.stands || stood_for(PAUSED_MS)
        } else {
            stood_for(SILENT_MS) && level.distance_to(&reading) <= FAR_M && -away - level.used_until(&reading) > usual
        };
        if !begins {
            self.level = Some(reading);
            return None;
        }
        let begun = Change {
            rises: away > 0,
            stood: level.stands || reading.stands,
            since: reading.at,
            place,
            noise: self.noise / NOISE_OVER,
            ..Change::default()
        };
        Some(begun.settle(now))
    }

    /// A change goes on, or ends.
    fn go_on(&mut self, level: Reading, change: Change, now: &Counted, tank: Tank) -> Option<FuelChange> {
        let reading = now.reading;
        let usual = self.usual(tank);
        let still = match reading.stands {
            true => tank.at_least(APART_ML, APART_PART).max(APART_NOISES * self.noise / NOISE_OVER),
            false => usual,
        };
        let further = if change.rises { reading.fuel - change.fuel } else { change.fuel - reading.fuel };
        let came_back = further < -usual || (reading.fuel - level.fuel).abs() <= usual;
        let (change, mut is_over) = if further.abs() <= still {
            self.note_noise(now.alone - change.fuel, usual);
            let change = change.hold(now);
            (change, change.held >= STEADY_READINGS && reading.at.saturating_sub(change.holds_since) >= STEADY_MS)
        } else if further < 0 && came_back {
            self.level = Some(reading);
            return None;
        } else if further > 0 && !change.rises && !reading.stands {
            // What goes on falling while the vehicle drives is used.
            (Change { seen: change.seen + 1, ..change }, true)
        } else {
            (change.settle(now), false)
        };
        let is_far = level.distance_to(&reading) > FAR_M && change.seen >= STEADY_READINGS;
        is_over |= is_far;
        let found = if is_over { change.judge(level, &reading, tank) } else { None };
        let is_too_long = is_over && reading.at.saturating_sub(change.since) > CHANGE_MS;
        let has_left = is_over && !reading.stands && !change.rises;
        if let Some(found) = found {
            self.level = Some(Reading { fuel: change.level(), ..reading });
            return Some(found);
        }
        if is_far || is_too_long || has_left {
            self.level = Some(reading);
        } else {
            self.change = Some(change);
        }
        None
    }

    /// How far readings lie away from the level without anything having happened.
    fn usual(&self, tank: Tank) -> i64 {
        tank.at_least(AWAY_ML, AWAY_PART).max(AWAY_NOISES * self.noise / NOISE_OVER)
    }

    /// A reading lies so far away from the level; what is far beyond the usual says nothing of the noise.
    fn note_noise(&mut self, away: i64, usual: i64) {
        self.noise += away.abs().min(usual) - self.noise / NOISE_OVER;
    }
}

impl Change {
    /// With a reading that may be the new level.
    fn settle(self, now: &Counted) -> Self {
        let Reading { at, fuel, .. } = now.reading;
        let (lowest, highest) = (now.alone, now.alone);
        Self { seen: self.seen + 1, holds_since: at, fuel, held: 1, sum: fuel, lowest, highest, ..self }
    }

    /// With another reading of it.
    fn hold(self, now: &Counted) -> Self {
        Self {
            seen: self.seen + 1,
            held: self.held + 1,
            sum: self.sum + now.reading.fuel,
            lowest: self.lowest.min(now.alone),
            highest: self.highest.max(now.alone),
            ..self
        }
    }

    /// The new level.
    fn level(&self) -> i64 {
        self.sum / self.held.max(1)
    }

    /// What it is at a reading, if it is anything.
    fn judge(&self, before: Reading, now: &Reading, tank: Tank) -> Option<FuelChange> {
        let after = self.level();
        let (amount, least) = match (self.rises, now.stands) {
            (true, _) => (after - before.fuel, tank.fill()),
            (false, true) => (before.fuel - after - before.used_until(now), tank.drain()),
            (false, false) => (before.fuel - after - before.used_until(now), tank.fill()),
        };
        if self.seen < STEADY_READINGS || amount < least {
            return None;
        }
        let noise = self.noise.max(tank.at_least(NOISE_ML, NOISE_PART));
        Some(FuelChange {
            rises: self.rises,
            at: self.since,
            place: self.place,
            litres: decilitres(amount),
            before: decilitres(before.fuel),
            after: decilitres(after),
            confidence: confidence(amount, noise, self.highest - self.lowest, self.stood, now.stands),
        })
    }
}

fn decilitres(millilitres: i64) -> u32 {
    u32::try_from((millilitres + 50) / 100).unwrap_or_default()
}
