//! Fills and drains, noticed from the litres of one vehicle's fixes.
//!
//! Of five readings that follow each other the middle one counts, with the **median** of their levels. What a vehicle reads
//! within a minute of moving off is passed over, since fuel sloshes, and so is an empty tank while the ignition is off: many
//! sensors have no power then. The **level** follows what counts, within some ten minutes while the vehicle stands and within a
//! minute while it moves, so that what is used, and what a sensor drifts, is no change.
//!
//! A sensor that fails jumps to an **end** of what it can say. Such readings are passed over until they have lasted for a quarter of
//! an hour ([`super::failure`]). What the level **loses** bit by bit while the vehicle stands is in [`super::loss`].
//!
//! A **change** begins where a reading is further away from the level than the sensor's noise (three times what readings lie
//! away from it on the average; at least 2 litres and 2 % of the tank). A rise may begin while the vehicle stands or goes no faster
//! than 20 km/h, when it has just stood, or over two minutes of silence; a fall while it goes on standing, at the first readings
//! after it has moved off, or over ten minutes of silence: what the level loses on the way is used. It is a **fill** or a **drain**
//! when a new level has held for three readings and for three minutes or one, so that filling with breaks is one fill, or as it is
//! when the vehicle has gone 5 km: a fill from 10 litres and 10 % of the tank on, a
//! drain from 5 litres and 5 % on, less what the vehicle may have used (50 l/100 km and 5 l/h), and from as much as a fill where
//! it was found only after moving off, since a tank on a slope looks fuller or emptier. What has not come to that within ten
//! minutes is none.

use super::{
    confidence::confidence,
    failure::Failure,
    loss::Loss,
    reading::{FuelChange, Reading, Tank, decilitres},
    sensor::FuelSensor,
};
use crate::position::{enriched::Position, geodesy::Place};

/// Readings of which the middle one counts.
pub(super) const WINDOW: usize = 5;
const MIDDLE: usize = WINDOW / 2;
/// After moving off, fuel sloshes for so long.
const SLOSHING_MS: i64 = 60_000;
/// Readings, and for how long, that a new level must hold. Between two pumps a vehicle takes longer than a thief needs to go.
const STEADY_READINGS: i64 = 3;
const RISEN_MS: i64 = 180_000;
const FALLEN_MS: i64 = 60_000;
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
/// Millilitres, and the part of the tank, that readings may lie away from the level, and times the noise.
const AWAY_ML: i64 = 2_000;
const AWAY_PART: i64 = 50;
const AWAY_NOISES: i64 = 3;
/// The same that readings may lie apart of a level that holds.
const APART_ML: i64 = 1_000;
const APART_PART: i64 = 100;
const APART_NOISES: i64 = 2;
/// The noise is averaged over so many readings, and kept as so many times itself.
const NOISE_OVER: i64 = 16;

/// What is known of the fuel of a vehicle, so that each fill and each drain is noticed once. About 500 bytes.
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
    /// While it reads an end of what it can say.
    pub(super) failure: Option<Failure>,
    /// What it loses while the vehicle stands.
    pub(super) loss: Option<Loss>,
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
        let tank = Tank(i64::from(sensor.full_dl()) * 100);
        if self.fails(reading, sensor.is_at_end(litres), tank) {
            return None;
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
        self.take(&now, self.stand.unwrap_or(here), tank)
    }

    /// Whether a reading is passed over because the sensor seems to have failed. What had been taken in of a failure that is over
    /// counts for nothing.
    fn fails(&mut self, reading: Reading, is_at_end: bool, tank: Tank) -> bool {
        let usual = self.usual(tank);
        if !is_at_end {
            let Some(failure) = self.failure.take() else { return false };
            if failure.has_lasted(&reading) && failure.explains(&reading, usual) {
                *self = Self { sensor: self.sensor, stand: self.stand, noise: self.noise, ..Self::default() };
            }
            return false;
        }
        let jumps = |level: Reading| (level.fuel - reading.fuel).abs() > usual;
        if self.failure.is_none() && self.level.is_none_or(jumps) {
            self.failure = Some(Failure { since: reading.at, before: self.level.unwrap_or(reading) });
        }
        self.failure.is_some_and(|failure| !failure.has_lasted(&reading))
    }

    fn take(&mut self, now: &Counted, place: Place, tank: Tank) -> Option<FuelChange> {
        let Some(level) = self.level else {
            self.level = Some(now.reading);
            return None;
        };
        if let Some(change) = self.change.take() {
            let found = self.go_on(level, change, now, tank);
            self.loss = self.loss.take().filter(|_| found.is_none());
            return found;
        }
        self.change = self.follow(level, now, place, tank);
        self.lose(level, &now.reading, place, tank)
    }

    /// What the level has lost while the vehicle stood, when that is over.
    fn lose(&mut self, before: Reading, reading: &Reading, place: Place, tank: Tank) -> Option<FuelChange> {
        let noise = self.noise / NOISE_OVER;
        let (level, still) = (self.level?, tank.at_least(APART_ML, APART_PART).max(APART_NOISES * noise));
        let is_filled = self.change.is_some_and(|change| change.rises);
        let loss = self.loss.take();
        if !reading.stands || is_filled {
            return loss?.judge(&before, reading, place, noise, tank);
        }
        let Some(loss) = loss else {
            self.loss = Some(Loss::from(level));
            return None;
        };
        let loss = loss.follow(&level, still);
        if !loss.is_over(reading) {
            self.loss = Some(loss);
            return None;
        }
        self.loss = Some(Loss::from(level));
        loss.judge(&level, reading, place, noise, tank)
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
        // Readings that were passed over are no silence.
        let since = self.failure.map_or(reading.at, |failure| failure.since.min(reading.at));
        let stood_for = |silent_ms| level.stands || since.saturating_sub(level.at) >= silent_ms;
        let begins = if away > 0 {
            reading.stands || reading.is_slow || stood_for(PAUSED_MS)
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
            since,
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
            let steady_ms = if change.rises { RISEN_MS } else { FALLEN_MS };
            (change, change.held >= STEADY_READINGS && reading.at.saturating_sub(change.holds_since) >= steady_ms)
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
        let found = if is_over { change.judge(level, &reading, tank, self.failure.is_some()) } else { None };
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

    /// What it is at a reading, if it is anything. Of a level at the end of what the sensor can say it means nothing that it is steady.
    fn judge(&self, before: Reading, now: &Reading, tank: Tank, is_at_end: bool) -> Option<FuelChange> {
        let after = self.level();
        let (amount, least) = match (self.rises, now.stands) {
            (true, _) => (after - before.fuel, tank.fill()),
            (false, true) => (before.fuel - after - before.used_until(now), tank.drain()),
            (false, false) => (before.fuel - after - before.used_until(now), tank.fill()),
        };
        if self.seen < STEADY_READINGS || amount < least {
            return None;
        }
        let spread = if is_at_end { amount } else { self.highest - self.lowest };
        Some(FuelChange {
            rises: self.rises,
            at: self.since,
            place: self.place,
            litres: decilitres(amount),
            before: decilitres(before.fuel),
            after: decilitres(after),
            confidence: confidence(amount, tank.noise(self.noise), spread, self.stood, now.stands),
        })
    }
}
