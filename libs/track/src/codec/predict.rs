//! What a position is expected to be, from the one before it of the same device. The codecs store only how far the
//! truth is off: most of what was derived is exactly as expected and costs nothing.
//!
//! The expectations belong to the format: they are never changed, only ever replaced by others under a new codec byte.

use crate::position::{
    enriched::{Derived, Motion},
    geodesy::{Place, planar_dm},
    present::{self, ANCHOR, DERIVED, ODOMETER},
};

/// How many numbers a row has here.
pub(crate) const TERMS: usize = 11;

/// The differences of a row, all wrapping: `recorded_at`, `lat`, `lng` and the rest of [`Derived`] after them.
pub(crate) type Terms = [i64; TERMS];

/// One row without its optional columns except the odometer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) recorded_at: i64,
    pub(crate) place: Place,
    /// Zero where absent.
    pub(crate) odometer: u64,
    pub(crate) derived: Derived,
}

/// Follows the rows of one device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predictor {
    recorded_at: i64,
    place: Place,
    anchor: Option<Place>,
    /// The last row with derived values, and when it was.
    derived: Derived,
    derived_at: i64,
}

impl Predictor {
    /// How far the row is from what was expected.
    #[inline(always)]
    pub(crate) fn terms(&mut self, bits: u32, row: &Row) -> Terms {
        let mut terms = [
            row.recorded_at.wrapping_sub(self.recorded_at),
            i64::from(row.place.lat) - i64::from(self.place.lat),
            i64::from(row.place.lng) - i64::from(self.place.lng),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        let distance_dm = self.expected_distance(bits, row.place);
        if bits & ODOMETER != 0 {
            terms[3] = off(row.odometer, self.expected_odometer(distance_dm));
        }
        if bits & DERIVED != 0 {
            let expected = self.expected_derived(bits, row.recorded_at, distance_dm, row.odometer);
            let derived = &row.derived;
            terms[4] = derived.motion_since.wrapping_sub(expected.motion_since);
            terms[5] = off(derived.distance_dm, expected.distance_dm);
            terms[6] = off(derived.odometer_dm, expected.odometer_dm).wrapping_sub(accumulated_error(bits, terms[5]));
            terms[7] = off(derived.engine_ms, expected.engine_ms);
            terms[8] = off(derived.moving_ms, expected.moving_ms);
            terms[9] = off(derived.idle_ms, expected.idle_ms);
            terms[10] = off(derived.parked_ms, expected.parked_ms);
        }
        self.follow(bits, row);
        terms
    }

    /// The row that is so far from what was expected.
    #[inline(always)]
    pub(crate) fn row(&mut self, bits: u32, terms: &Terms) -> Row {
        let recorded_at = self.recorded_at.wrapping_add(terms[0]);
        let place = Place {
            lat: self.place.lat.wrapping_add(terms[1] as i32),
            lng: self.place.lng.wrapping_add(terms[2] as i32),
        };
        let mut row = Row { recorded_at, place, odometer: 0, derived: Derived::default() };
        let distance_dm = self.expected_distance(bits, place);
        if bits & ODOMETER != 0 {
            row.odometer = self.expected_odometer(distance_dm).wrapping_add_signed(terms[3]);
        }
        if bits & DERIVED != 0 {
            let expected = self.expected_derived(bits, recorded_at, distance_dm, row.odometer);
            let odometer_off = terms[6].wrapping_add(accumulated_error(bits, terms[5]));
            row.derived = Derived {
                motion_since: expected.motion_since.wrapping_add(terms[4]),
                distance_dm: expected.distance_dm.wrapping_add_signed(terms[5]),
                odometer_dm: expected.odometer_dm.wrapping_add_signed(odometer_off),
                engine_ms: expected.engine_ms.wrapping_add_signed(terms[7]),
                moving_ms: expected.moving_ms.wrapping_add_signed(terms[8]),
                idle_ms: expected.idle_ms.wrapping_add_signed(terms[9]),
                parked_ms: expected.parked_ms.wrapping_add_signed(terms[10]),
                ..expected
            };
        }
        self.follow(bits, &row);
        row
    }

    /// Distance counter: the step from the anchor is added at an anchor.
    #[inline(always)]
    fn expected_distance(&self, bits: u32, place: Place) -> u64 {
        let step = match self.anchor {
            Some(anchor) if bits & ANCHOR != 0 => planar_dm(anchor, place).unwrap_or(0),
            _ => 0,
        };
        self.derived.distance_dm.wrapping_add(step)
    }

    /// The vehicle's own reading, metres.
    #[inline(always)]
    fn expected_odometer(&self, distance_dm: u64) -> u64 {
        let travelled = distance_dm.wrapping_sub(self.derived.distance_dm);
        self.derived.odometer_dm.wrapping_add(travelled) / 10
    }

    #[inline(always)]
    fn expected_derived(&self, bits: u32, recorded_at: i64, distance_dm: u64, odometer: u64) -> Derived {
        let before = &self.derived;
        let read = present::read_derived(bits);
        let elapsed = recorded_at.wrapping_sub(self.derived_at) as u64;
        let spent =
            |motion, counter: u64| if before.motion == motion { counter.wrapping_add(elapsed) } else { counter };
        let travelled = distance_dm.wrapping_sub(before.distance_dm);
        Derived {
            motion_since: if read.motion == before.motion { before.motion_since } else { recorded_at },
            distance_dm,
            odometer_dm: if bits & ODOMETER != 0 {
                odometer.wrapping_mul(10)
            } else {
                before.odometer_dm.wrapping_add(travelled)
            },
            engine_ms: before.engine_ms.wrapping_add(if before.ignition == Some(true) { elapsed } else { 0 }),
            moving_ms: spent(Motion::Moving, before.moving_ms),
            idle_ms: spent(Motion::Idle, before.idle_ms),
            parked_ms: spent(Motion::Parked, before.parked_ms),
            ..read
        }
    }

    #[inline(always)]
    fn follow(&mut self, bits: u32, row: &Row) {
        self.recorded_at = row.recorded_at;
        self.place = row.place;
        if bits & DERIVED != 0 {
            self.derived = row.derived;
            self.derived_at = row.recorded_at;
        }
        // The first row stands in for an anchor that lies before it.
        if bits & ANCHOR != 0 || self.anchor.is_none() {
            self.anchor = Some(row.place);
        }
    }
}

/// By how much an odometer that is carried on is off, when the distance is off by so much.
fn accumulated_error(bits: u32, distance_off: i64) -> i64 {
    if bits & ODOMETER != 0 { 0 } else { distance_off }
}

fn off(value: u64, expected: u64) -> i64 {
    value.wrapping_sub(expected) as i64
}
