//! What a tracker itself says of a vehicle's meters. Another tracker, or a meter that was set back, begins elsewhere; what is shown
//! goes on from where it stood.
//!
//! - A meter that **falls** by more than [`FALL_M`] or [`FALL_S`] is another one: what is shown goes on with the way, and the time, since
//!   the last fix, and from then on with what the new one says more.
//! - Behind a **replaced tracker** it is another one however much it says; where somebody read both, it goes on from what the old one
//!   showed.
//! - A meter that has fallen and says what it said before, as after a reading that failed, is the same again. No other may leap:
//!   faster than [`FASTEST`] nobody drives.

use serde::Deserialize;

use crate::{meters::replacement::Replacement, position::enriched::Position};

/// Metres, and seconds, by which a meter is less than before when it is another one.
const FALL_M: i64 = 1_000;
const FALL_S: i64 = 360;
/// Decimetres in a second: 300 km/h.
const FASTEST: i64 = 833;
/// How a device says its engine hours among what else it says.
const ENGINE_HOURS: &str = "\"engine_hours\"";
/// More hours than an engine lives.
const MAX_ENGINE_HOURS: f64 = 1e6;

/// A meter as its tracker says it: decimetres, or milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnMeter {
    /// What it said last.
    pub(crate) reported: u64,
    /// By how much more is shown, since another one had said more.
    pub(crate) added: i64,
}

/// What a meter is read against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// What it would show by now, had it gone on by the way or the time since.
    pub(crate) shown: u64,
    /// How much less is another one.
    fall: i64,
    /// How much more it can be at most.
    reach: i64,
    /// The tracker was replaced since, and by how much more the old one showed.
    replaced: Option<Option<i64>>,
}

impl Expected {
    /// An odometer, so many milliseconds after it was last known.
    pub(crate) fn odometer(shown_dm: u64, elapsed_ms: u64, replaced: Option<Replacement>) -> Self {
        let reach = signed(elapsed_ms / 1_000).saturating_mul(FASTEST).saturating_add(FALL_M * 10);
        let replaced = replaced.map(|replacement| replacement.odometer_dm);
        Self { shown: shown_dm, fall: FALL_M * 10, reach, replaced }
    }

    fn engine(shown_ms: u64, elapsed_ms: u64, replaced: Option<Replacement>) -> Self {
        let reach = signed(elapsed_ms).saturating_add(FALL_S * 1_000);
        let replaced = replaced.map(|replacement| replacement.engine_ms);
        Self { shown: shown_ms, fall: FALL_S * 1_000, reach, replaced }
    }

    fn carried(self, reported: u64) -> OwnMeter {
        OwnMeter { reported, added: signed(self.shown).saturating_sub(signed(reported)) }
    }

    fn is_near(self, shown: i64) -> bool {
        let off = shown.saturating_sub(signed(self.shown));
        (-self.fall..=self.reach).contains(&off)
    }
}

impl OwnMeter {
    /// What it says next.
    pub(crate) fn next(before: Option<Self>, reported: u64, expected: Expected) -> Self {
        let added = before.map_or(0, |before| before.added);
        match expected.replaced {
            Some(Some(more)) if before.is_some() => {
                return Self { reported, added: added.saturating_add(more) };
            }
            Some(_) => return expected.carried(reported),
            None => {}
        }
        let known = before.map_or(expected.shown, |before| before.reported);
        let falls = signed(reported).saturating_add(expected.fall) < signed(known);
        let leaps = added != 0 && !expected.is_near(signed(reported).saturating_add(added)) && reported > known;
        match (falls, leaps) {
            (false, true) if expected.is_near(signed(reported)) => Self { reported, added: 0 },
            (true, _) | (_, true) => expected.carried(reported),
            _ => Self { reported, added },
        }
    }

    /// As it was read at a fix with so many metres, where so many decimetres are shown.
    pub(crate) fn of(metres: u64, shown_dm: u64) -> Self {
        let reported = metres.saturating_mul(10);
        Self { reported, added: signed(shown_dm).saturating_sub(signed(reported)) }
    }

    /// What is shown.
    pub(crate) fn shown(self) -> u64 {
        self.reported.saturating_add_signed(self.added)
    }

    /// Whether it is another one than before: it fell, and nobody said that the tracker was replaced.
    fn fell(self, before: Option<Self>, fall: i64) -> bool {
        let is_less = |before: Self| signed(self.reported).saturating_add(fall) < signed(before.reported);
        before.is_some_and(|before| self.added != before.added && is_less(before))
    }
}

/// What a device last said of its engine hours; between two such fixes they are carried on with what is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnEngine {
    /// Milliseconds.
    pub(crate) meter: OwnMeter,
    /// What was computed at that fix, milliseconds.
    pub(crate) engine_ms: u64,
    /// When that was recorded, milliseconds since 1970.
    pub(crate) recorded_at: i64,
}

impl OwnEngine {
    /// What is known behind a position that may say it: `engine_hours`, a number, in its attributes.
    pub fn next(before: Option<Self>, position: &Position, replaced: Option<Replacement>) -> Option<Self> {
        let (engine_ms, recorded_at) = (position.derived.engine_ms, position.recorded_at());
        let Some(reported) = engine_told(position) else { return before };
        let shown = before.map_or(reported, |before| before.at(engine_ms));
        let since = before.map_or(recorded_at, |before| before.recorded_at);
        let elapsed_ms = recorded_at.saturating_sub(since).max(0).unsigned_abs();
        let expected = Expected::engine(shown, elapsed_ms, replaced.filter(|_| before.is_some()));
        let meter = OwnMeter::next(before.map(|before| before.meter), reported, expected);
        Some(Self { meter, engine_ms, recorded_at })
    }

    /// What it shows when so much is computed, milliseconds.
    pub(crate) fn at(self, engine_ms: u64) -> u64 {
        self.meter.shown().saturating_add(engine_ms.saturating_sub(self.engine_ms))
    }
}

/// Milliseconds that a position says.
fn engine_told(position: &Position) -> Option<u64> {
    let attrs = position.report.attrs.as_deref().filter(|attrs| attrs.contains(ENGINE_HOURS))?;
    let reported = serde_json::from_str::<Attributes>(attrs).ok()?.engine_hours?;
    let usual = (0.0..=MAX_ENGINE_HOURS).contains(&reported);
    usual.then(|| (reported * 3_600_000.0).round() as u64)
}

#[derive(Deserialize)]
struct Attributes {
    engine_hours: Option<f64>,
}

/// The meters of a device as its tracker says them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnMeters {
    pub(crate) odometer: Option<OwnMeter>,
    pub(crate) engine: Option<OwnEngine>,
}

/// A meter that was set back, or is another one: what it said before, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeterReset {
    /// Metres, or seconds.
    pub before: u64,
    /// The same.
    pub after: u64,
}

impl OwnMeters {
    /// The odometer, if it is another one than before, metres; and the meter of engine hours, seconds.
    pub fn resets_since(&self, before: &Self) -> (Option<MeterReset>, Option<MeterReset>) {
        let reset = |before: Option<OwnMeter>, now: Option<OwnMeter>, fall: i64, times: u64| {
            let now = now.filter(|now| now.fell(before, fall))?;
            Some(MeterReset { before: before?.reported / times, after: now.reported / times })
        };
        let meter = |own: Option<OwnEngine>| own.map(|own| own.meter);
        (
            reset(before.odometer, self.odometer, FALL_M * 10, 10),
            reset(meter(before.engine), meter(self.engine), FALL_S * 1_000, 1_000),
        )
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
